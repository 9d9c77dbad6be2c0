//! Uploads into textures. Must not know who sees them.

use super::place::Place;
use crate::core::Core;
use crate::device::formats::Layout;
use crate::error::outside;
use crate::images::{ImageKey, is_volume};
use crate::raw::{TexBox, consts as c};
use crate::texel;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, Storage, SubRegion};
use mgl_backend::{Content, ImageRef, Refusal, Retire};
use mgl_base::Handle;
use mgl_base::handle::Texture;

/// Copies a region's rows into tight bytes.
fn gather(content: &dyn Content, region: &SubRegion, place: &Place, out: &mut [u8]) -> bool {
    let [x, y, z] = place.blocks().map(|v| v as u64);
    let row = x * u64::from(place.spec.format.storage().block_bytes());
    let row_stride = if region.row_stride == 0 { row } else { region.row_stride.into() };
    let slice_stride = if region.slice_stride == 0 { row_stride * y } else { region.slice_stride.into() };
    if row_stride == row && (slice_stride == row * y || z == 1) {
        return content.copy_to(region.src_offset, out);
    }
    let mut rows = out.chunks_exact_mut(row as usize);
    (0..z).all(|slice| {
        (0..y).all(|line| {
            let at = region.src_offset + slice * slice_stride + line * row_stride;
            rows.next().is_some_and(|to| content.copy_to(at, to))
        })
    })
}

/// Texels of the wire as the driver takes them; `None` = as they are.
fn converted(place: &Place, wire: &[u8]) -> Option<Vec<u8>> {
    let from = place.spec.format.storage();
    let to = place.spec.store.storage;
    match place.spec.store.layout {
        // Drivers scale 32 bits to 24 and some round down: the low bits must say the same as the high ones.
        Layout::Plain if from == Storage::D24Unorm => {
            let full = |t: &[u8]| [t[3], t[1], t[2], t[3]];
            Some(wire.chunks_exact(4).flat_map(full).collect())
        }
        Layout::Plain => None,
        Layout::StencilInPacked => Some(wire.iter().flat_map(|s| u32::from(*s).to_le_bytes()).collect()),
        Layout::Recode(_) => {
            let count = wire.len() / from.block_bytes() as usize;
            let mut out = vec![0; count * to.block_bytes() as usize];
            texel::recode(from, to, wire, &mut out);
            Some(out)
        }
    }
}

impl Core {
    /// Uploads regions of a level.
    pub fn texture_write(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire> {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        let mut bytes = std::mem::take(&mut self.scratch);
        let mut result = Ok(Retire::Now);
        for region in regions {
            result = self.place(key, level, &region.dst).and_then(|place| {
                bytes.resize(place.wire_bytes(), 0);
                if !gather(content, region, &place, &mut bytes) {
                    return Err(outside("staged texels"));
                }
                self.upload(&place, &bytes).map(|()| Retire::Now)
            });
            if result.is_err() {
                break;
            }
        }
        self.scratch = bytes;
        result
    }

    /// Tight texels of the wire into a box of an image.
    pub(crate) fn image_write(&mut self, key: ImageKey, level: u32, dst: &Box3, wire: &[u8]) -> Outcome {
        let place = self.place(key, level, dst)?;
        if wire.len() < place.wire_bytes() {
            return Err(outside("texels"));
        }
        self.upload(&place, wire)
    }

    /// Tight texels of the wire into a box.
    pub(super) fn upload(&mut self, place: &Place, wire: &[u8]) -> Outcome {
        if place.spec.samples > 1 {
            return Err(Refusal::Unsupported("UploadMultisampled"));
        }
        self.before_write(place.key)?;
        let own = converted(place, wire);
        let bytes = own.as_deref().unwrap_or(wire);
        self.bind.buffer(&self.device.gl, c::PIXEL_UNPACK_BUFFER, 0);
        self.bind.scratch_texture(&self.device.gl, place.target, place.name);
        if place.target != c::TEXTURE_CUBE_MAP {
            self.upload_box(place, place.target, is_volume(place.target), bytes);
        } else {
            let face_bytes = bytes.len() / place.size[2].max(1) as usize;
            for (z, face) in bytes.chunks_exact(face_bytes.max(1)).enumerate() {
                let target = c::TEXTURE_CUBE_MAP_POSITIVE_X + (place.at[2] + z as i32) as u32;
                self.upload_box(&place.slice(z as i32), target, false, face);
            }
        }
        self.issued();
        Ok(())
    }

    fn upload_box(&self, place: &Place, target: u32, volume: bool, bytes: &[u8]) {
        let (gl, store, level) = (&self.device.gl, &place.spec.store, place.level as i32);
        let region = TexBox { at: place.at, size: place.size };
        if place.spec.format.info().compressed {
            gl.compressed_sub_image(target, level, &region, store.internal, volume, bytes);
        } else if bytes.len() >= needed(place, store.storage) {
            gl.tex_sub_image(target, level, &region, (store.format, store.ty), volume, bytes);
        }
    }
}

/// Bytes that the driver reads for a box of uncompressed texels.
fn needed(place: &Place, storage: Storage) -> usize {
    place.size.iter().map(|v| *v as usize).product::<usize>() * storage.block_bytes() as usize
}
