//! `glClearTexSubImage`: a box filled with one texel of the storage layout. Must not know framebuffers of the program.

use super::place::Place;
use crate::core::{Core, Disturbed};
use crate::device::formats::Layout;
use crate::error::outside;
use crate::frames::{Attach, FrameKey};
use crate::raw::{TexBox, consts as c};
use crate::texel::{self, Texel};
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, Storage};
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Texture;

/// Boxes of more texels than this are cleared by the GPU where that is exact.
const LARGE: usize = 1 << 14;

impl Core {
    /// Fills a box of a level.
    pub fn texture_clear(&mut self, texture: Handle<Texture>, level: u32, region: &Box3, value: &[u8]) -> Outcome {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        let place = self.place(key, level, region)?;
        let bytes = place.spec.format.storage().block_bytes() as usize;
        let value = value.get(..bytes).ok_or_else(|| outside("texel of a clear"))?;
        if self.clear_native(&place, value)? {
            return Ok(());
        }
        let count: usize = place.blocks().iter().product();
        let gpu_exact = place.spec.format.is_color() && !place.spec.format.info().srgb;
        if place.spec.samples > 1 || (gpu_exact && place.spec.store.renderable && count > LARGE) {
            return self.clear_attached(&place, value);
        }
        self.upload(&place, &value.repeat(count))
    }

    /// One call of the driver, where its texels are those of the wire; false when it is not to be had.
    fn clear_native(&mut self, place: &Place, value: &[u8]) -> Outcome<bool> {
        let plain = place.spec.store.layout == Layout::Plain && !place.spec.format.info().compressed;
        // A packed depth word of 24 bits is scaled like an upload, which some drivers round down.
        let exact = place.spec.format.is_color() && place.spec.samples == 1;
        if !self.device.features.clear_texture || !plain || !exact {
            return Ok(false);
        }
        self.before_write(place.key)?;
        let mut texel = [0; 16];
        texel[..value.len()].copy_from_slice(value);
        let region = TexBox { at: place.at, size: place.size };
        let store = &place.spec.store;
        let gl = &self.device.gl;
        gl.take_error();
        gl.clear_texels(place.name, place.level as i32, &region, (store.format, store.ty), &texel);
        self.timeline.work = true;
        Ok(gl.take_error() == 0)
    }

    /// Slice by slice as attachments.
    fn clear_attached(&mut self, place: &Place, value: &[u8]) -> Outcome {
        let format = place.spec.format;
        let texel = texel::decode(format.storage(), value).ok_or(Refusal::Unsupported("ClearFormat"))?;
        self.before_write(place.key)?;
        let region = [place.at[0], place.at[1], place.size[0], place.size[1]];
        for z in 0..place.size[2] {
            let layer = (place.at[2] + z) as u32;
            let attach = Attach { key: place.key, level: place.level, layer, layered: false, linear: false };
            let key = FrameKey::of_format(attach, format);
            self.bind_draw_frame(&key)?;
            self.srgb_writes(false);
            self.clip_to(Some(region));
            self.clear_slot(format.storage(), &texel);
        }
        self.issued();
        Ok(())
    }

    fn clear_slot(&mut self, storage: Storage, texel: &Texel) {
        let gl = &self.device.gl;
        gl.disable(c::RASTERIZER_DISCARD);
        gl.color_mask(1, 1, 1, 1);
        gl.depth_mask(1);
        gl.stencil_mask(u32::MAX);
        self.disturbed |= Disturbed::DISCARD | Disturbed::COLOR_MASK | Disturbed::DEPTH_MASK | Disturbed::STENCIL_MASK;
        match (storage, texel) {
            (Storage::D16Unorm | Storage::D24Unorm | Storage::D32Float, Texel::Float(v)) => {
                gl.clear_buffer_f(c::DEPTH, 0, v);
            }
            (Storage::D24UnormS8Uint | Storage::D32FloatS8Uint, Texel::Float(v)) => {
                gl.clear_bufferfi(c::DEPTH_STENCIL, 0, v[0], v[1] as i32);
            }
            (Storage::S8Uint, Texel::Uint(v)) => gl.clear_buffer_i(c::STENCIL, 0, &v.map(|s| s as i32)),
            (_, Texel::Float(v)) => gl.clear_buffer_f(c::COLOR, 0, v),
            (_, Texel::Int(v)) => gl.clear_buffer_i(c::COLOR, 0, v),
            (_, Texel::Uint(v)) => gl.clear_buffer_u(c::COLOR, 0, v),
        }
    }
}
