//! Finished pictures: read back as soon as they are finished and put into the client's memory. Must not know windows.

use crate::core::Core;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, PresentImage, ReadbackInfo};
use mgl_backend::{ImageRef, PixelMemory, Refusal, pixels};
use mgl_pipe::tokens::Aspects;

impl Core {
    /// Puts a rectangle of an image with one sample into `memory`. Waits for the device.
    pub fn present_image(&mut self, what: &PresentImage, memory: &PixelMemory) -> Outcome {
        let of = ImageRef::Renderbuffer(what.image);
        let (x, y) = (what.x.cast_signed(), what.y.cast_signed());
        let src = Box3 { x, y, z: 0, w: what.width, h: what.height, d: 1 };
        let place = self.place(of, 0, &src)?;
        let mut texels = vec![0; place.wire_bytes() as usize];
        self.image_read(of, &ReadbackInfo { src, aspects: Aspects::Color, ..Default::default() }, &mut texels)?;
        match pixels::write(memory, what, place.format, &texels) {
            true => Ok(()),
            false => Err(Refusal::Unsupported("PresentImageFormat")),
        }
    }
}
