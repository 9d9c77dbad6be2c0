//! Uploads out of buffers: by the driver where it takes the texels as they lie there, else through the host of the server.
//! Must not know who wrote the buffer.

use super::place::Place;
use super::read::HostBytes;
use crate::core::Core;
use crate::device::formats::Layout;
use crate::error::outside;
use crate::images::is_volume;
use crate::raw::{TexBox, consts as c};
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Storage, SubRegion};
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Texture};

/// Where the texels lie, in the driver's terms.
struct Unpack {
    offset: usize,
    slice: usize,
    row_length: i32,
    image_height: i32,
}

/// `None` when the driver would have to convert, or cannot express offset and strides (ES 3.2 §8.4.2).
fn unpack(region: &SubRegion, place: &Place, (row, slice): (u64, u64)) -> Option<Unpack> {
    let store = &place.spec.store;
    let texel = u64::from(store.storage.block_bytes());
    // Depth and stencil may be one element of eight bytes; elements of colour have at most four.
    let element = if place.spec.format.is_color() { texel.min(4) } else { texel };
    // Depths of 24 bits are completed on the way (see the uploads from memory).
    let same = store.layout == Layout::Plain && store.storage != Storage::D24Unorm;
    let fits = region.src_offset.is_multiple_of(element)
        && row.is_multiple_of(texel)
        && (place.size[2] == 1 || slice.is_multiple_of(row));
    if !same || !fits || place.spec.format.info().compressed {
        return None;
    }
    Some(Unpack {
        offset: usize::try_from(region.src_offset).ok()?,
        slice: usize::try_from(slice).ok()?,
        row_length: i32::try_from(row / texel).ok()?,
        image_height: i32::try_from(slice / row).ok()?,
    })
}

impl Core {
    /// Uploads one region of a level out of a buffer.
    pub fn texture_write_from_buffer(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        region: &SubRegion,
        from: Handle<Buffer>,
    ) -> Outcome {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        let place = self.place(key, level, &region.dst)?;
        if place.spec.samples > 1 {
            return Err(Refusal::Unsupported("UploadMultisampled"));
        }
        let [x, y, z] = place.blocks().map(|v| v as u64);
        let tight = x * u64::from(place.spec.format.storage().block_bytes());
        let row = if region.row_stride == 0 { tight } else { region.row_stride.into() };
        let slice = if region.slice_stride == 0 { row * y } else { region.slice_stride.into() };
        let bytes = (z - 1) * slice + (y - 1) * row + tight;
        let store = self.buffers.need(from)?;
        if region.src_offset.checked_add(bytes).is_none_or(|end| end > store.size) {
            return Err(outside("upload out of a buffer"));
        }
        if let Some(unpack) = unpack(region, &place, (row, slice)) {
            return self.unpack(&place, store.name, &unpack);
        }
        let mut host = vec![0; usize::try_from(bytes).map_err(|_| outside("upload out of a buffer"))?];
        self.buffer_read(from, region.src_offset, &mut host)?;
        let region = [SubRegion { src_offset: 0, ..*region }];
        self.texture_write(texture, level, &region, &HostBytes(&host)).map(|_| ())
    }

    fn unpack(&mut self, place: &Place, buffer: u32, from: &Unpack) -> Outcome {
        self.before_write(place.key)?;
        let gl = &self.device.gl;
        self.bind.buffer(gl, c::PIXEL_UNPACK_BUFFER, buffer);
        self.bind.scratch_texture(gl, place.target, place.name);
        gl.pixel_storei(c::UNPACK_ROW_LENGTH, from.row_length);
        gl.pixel_storei(c::UNPACK_IMAGE_HEIGHT, from.image_height);
        let formats = (place.spec.store.format, place.spec.store.ty);
        let put = |part: &Place, target: u32, volume: bool, at: usize| {
            let region = TexBox { at: [part.at[0], part.at[1], if volume { part.at[2] } else { 0 }], size: part.size };
            gl.tex_sub_image_from_buffer(target, part.level as i32, &region, formats, volume, at);
        };
        if place.target != c::TEXTURE_CUBE_MAP {
            put(place, place.target, is_volume(place.target), from.offset);
        } else {
            for z in 0..place.size[2] {
                let face = c::TEXTURE_CUBE_MAP_POSITIVE_X + (place.at[2] + z) as u32;
                put(&place.slice(z), face, false, from.offset + z as usize * from.slice);
            }
        }
        // Uploads from memory are tight and must not find a buffer bound.
        gl.pixel_storei(c::UNPACK_ROW_LENGTH, 0);
        gl.pixel_storei(c::UNPACK_IMAGE_HEIGHT, 0);
        self.bind.buffer(gl, c::PIXEL_UNPACK_BUFFER, 0);
        self.issued();
        Ok(())
    }
}
