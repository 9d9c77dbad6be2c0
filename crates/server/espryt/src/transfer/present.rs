//! Finished pictures: read back as soon as they are finished and put into the client's memory. Must not know windows.

use crate::core::Core;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, PresentImage};
use mgl_backend::{ImageRef, PixelMemory, Refusal, pixels};

impl Core {
    /// Puts a rectangle of an image with one sample into `memory`. Waits for the device.
    pub fn present_image(&mut self, what: &PresentImage, memory: &PixelMemory) -> Outcome {
        let key = self.textures.need_image(ImageRef::Renderbuffer(what.image))?;
        let (x, y) = (what.x.cast_signed(), what.y.cast_signed());
        let src = Box3 { x, y, z: 0, w: what.width, h: what.height, d: 1 };
        let place = self.place(key, 0, &src)?;
        let mut texels = vec![0; place.wire_bytes()];
        self.image_read(key, 0, &src, &mut texels)?;
        match pixels::write(memory, what, place.spec.format, &texels) {
            true => Ok(()),
            false => Err(Refusal::Unsupported("PresentImageFormat")),
        }
    }
}
