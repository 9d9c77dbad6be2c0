//! Copies between images: redefinition that keeps content, `glCopyImageSubData`, views without the driver's help. Must
//! not know samplers.

use super::place::Place;
use crate::core::Core;
use crate::device::formats::Layout;
use crate::images::{ImageKey, ImageSpec};
use mgl_backend::traits::Outcome;
use mgl_backend::values::ResourceCopyRegion;
use mgl_backend::{ImageRef, Refusal};

/// An image, a level and a place in it.
pub(crate) type Spot = (ImageKey, u32, [i32; 3]);

/// The size of a copy in texels of the destination: blocks of one side are texels of the other where one is compressed
/// (GL 4.6 §18.3.3).
fn target_size(from: &ImageSpec, to: &ImageSpec, size: [i32; 3], room: [i32; 2]) -> [i32; 3] {
    let (a, b) = (from.format.storage().block_extent(), to.format.storage().block_extent());
    let scale =
        |v: i32, a: u32, b: u32, room: i32| (v as u32).div_ceil(a).saturating_mul(b).min(room.max(1) as u32) as i32;
    if a == b {
        return size;
    }
    [scale(size[0], a.0, b.0, room[0]), scale(size[1], a.1, b.1, room[1]), size[2]]
}

impl Core {
    /// `glCopyImageSubData`.
    pub fn copy_image(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome {
        let (from, to) = (self.textures.need_image(src)?, self.textures.need_image(dst)?);
        let at = [copy.src.x, copy.src.y, copy.src.z];
        let size = [copy.src.w, copy.src.h, copy.src.d].map(|v| v as i32);
        self.copy_texels((from, copy.src_level.into(), at), (to, copy.dst_level.into(), copy.dst), size)
    }

    /// Copies bits between images; size in texels of the source.
    pub(crate) fn copy_texels(&mut self, src: Spot, dst: Spot, size: [i32; 3]) -> Outcome {
        self.before_read(src.0)?;
        self.before_write(dst.0)?;
        self.copy_texels_raw(src, dst, size)
    }

    /// The same without regard to families of views.
    pub(crate) fn copy_texels_raw(&mut self, src: Spot, dst: Spot, size: [i32; 3]) -> Outcome {
        let from = self.place_at(src.0, src.1, src.2, size)?;
        let to_spec = self.textures.images.need(dst.0)?.spec;
        let [w, h, _] = to_spec.level_extent(dst.1).map(|v| v as i32);
        let room = [w - dst.2[0], h - dst.2[1]];
        let to = self.place_at(dst.0, dst.1, dst.2, target_size(&from.spec, &to_spec, size, room))?;
        if self.device.features.copy_image && alike(&from.spec, &to.spec) && self.copy_native(&from, &to) {
            self.issued();
            return Ok(());
        }
        if from.spec.samples > 1 || to.spec.samples > 1 {
            return Err(Refusal::Unsupported("CopyImageMultisampled"));
        }
        let mut bytes = vec![0; from.wire_bytes()];
        self.read_texels(&from, &mut bytes)?;
        if bytes.len() != to.wire_bytes() {
            return Err(Refusal::Unsupported("CopyImageFormats"));
        }
        self.upload(&to, &bytes)
    }

    fn copy_native(&self, from: &Place, to: &Place) -> bool {
        let gl = &self.device.gl;
        let ([sx, sy, sz], [dx, dy, dz], [w, h, d]) = (from.at, to.at, from.size);
        let (sl, dl) = (from.level as i32, to.level as i32);
        gl.take_error();
        gl.copy_image_sub_data(from.name, from.target, sl, sx, sy, sz, to.name, to.target, dl, dx, dy, dz, w, h, d);
        gl.take_error() == 0
    }
}

/// True when the driver's texels of both have one meaning per bit.
fn alike(a: &ImageSpec, b: &ImageSpec) -> bool {
    a.store == b.store
        || (a.store.layout == Layout::Plain
            && b.store.layout == Layout::Plain
            && a.store.storage.block_bytes() == b.store.storage.block_bytes())
}
