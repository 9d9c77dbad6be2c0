//! Buffer textures on drivers that have none: rows of a two-dimensional texture that the GPU fills from the buffer. Must
//! not know shaders; `essl::texel_buffers` fetches from the rows.

use super::ViewRef;
use crate::core::Core;
use crate::device::formats::Layout;
use crate::images::{ImageKey, ImageSpec};
use crate::raw::{TexBox, consts as c};
use crate::texel::BUFFER_ROW_TEXELS;
use mgl_backend::traits::Outcome;
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::{SamplerViewCso, Texture};
use mgl_pipe::tokens::ResourceTarget as Target;

impl Core {
    /// The rows, filled with what the buffer holds now.
    pub(super) fn copied_buffer_view(&mut self, texture: Handle<Texture>) -> Outcome<Option<ViewRef>> {
        let Some(tex) = self.textures.textures.get(texture) else { return Ok(None) };
        let (Some(format), Some((buffer, offset, _))) = (tex.desc.format, tex.desc.buffer) else { return Ok(None) };
        let count = self.texels_of(texture);
        let (old, shown, copied) = (tex.image, tex.shown_buffer, tex.copied_serial);
        let Some(bytes) = self.buffers.get(buffer) else { return Ok(None) };
        let store = self.device.formats.get(format).store.filter(|s| s.layout == Layout::Plain);
        let store = store.ok_or(Refusal::Unsupported("BufferTextureFormat"))?;
        if count == 0 {
            return Ok(None);
        }
        let spec = ImageSpec {
            target: Target::Tex2D,
            format,
            store,
            extent: [BUFFER_ROW_TEXELS, count.div_ceil(BUFFER_ROW_TEXELS), 1],
            layers: 1,
            levels: 1,
            samples: 1,
        };
        let key = self.rows_of(texture, old, spec)?;
        let wanted = (bytes.name, offset, u64::from(count));
        if shown != Some(wanted) || copied != bytes.serial || old != Some(key) {
            self.fill_rows(key, bytes.name, offset as usize, count)?;
            if let Some(tex) = self.textures.textures.get_mut(texture) {
                tex.shown_buffer = Some(wanted);
                tex.copied_serial = bytes.serial;
            }
        }
        let name = self.textures.images.need(key)?.name;
        Ok(Some(ViewRef { target: c::TEXTURE_2D, name, image: key.id(), format, stencil: false, buffer: Some(buffer) }))
    }

    /// Texels of a buffer texture: those that its range of the buffer holds.
    fn texels_of(&self, texture: Handle<Texture>) -> u32 {
        let Some(desc) = self.textures.textures.get(texture).map(|t| &t.desc) else { return 0 };
        let (Some(format), Some((buffer, offset, size))) = (desc.format, desc.buffer) else { return 0 };
        let (Some(store), Some(bytes)) = (self.device.formats.get(format).store, self.buffers.get(buffer)) else {
            return 0;
        };
        let texel = u64::from(store.storage.block_bytes());
        let limit = u64::from(BUFFER_ROW_TEXELS) * self.device.gl.int(c::MAX_TEXTURE_SIZE).max(1) as u64;
        (size.min(bytes.size.saturating_sub(offset)) / texel).min(limit) as u32
    }

    /// The same by the view of a texture.
    pub fn view_texels(&self, view: Handle<SamplerViewCso>) -> u32 {
        self.textures.views.get(view).map_or(0, |view| self.texels_of(view.texture))
    }

    /// The texture's rows, made anew when the buffer has another size.
    fn rows_of(&mut self, texture: Handle<Texture>, old: Option<ImageKey>, spec: ImageSpec) -> Outcome<ImageKey> {
        if let Some(key) = old.filter(|k| self.textures.images.get(*k).is_some_and(|i| i.spec == spec)) {
            return Ok(key);
        }
        let key = self.textures.images.create(&self.device, &mut self.bind, spec)?;
        let image = self.textures.images.need(key)?;
        self.bind.scratch_texture(&self.device.gl, image.target, image.name);
        // Integers are incomplete with the filters that a new texture has, and no sampler says others.
        for filter in [c::TEXTURE_MIN_FILTER, c::TEXTURE_MAG_FILTER] {
            self.device.gl.tex_parameteri(image.target, filter, c::NEAREST.cast_signed());
        }
        if let Some(tex) = self.textures.get_mut(ImageRef::Texture(texture)) {
            tex.image = Some(key);
        }
        if let Some(old) = old {
            self.release_image(old);
        }
        Ok(key)
    }

    fn fill_rows(&mut self, key: ImageKey, name: u32, offset: usize, count: u32) -> Outcome {
        let image = self.textures.images.need(key)?;
        let (target, texture, store) = (image.target, image.name, image.spec.store);
        let gl = &self.device.gl;
        self.bind.scratch_texture(gl, target, texture);
        self.bind.buffer(gl, c::PIXEL_UNPACK_BUFFER, name);
        let (rows, rest) = (count / BUFFER_ROW_TEXELS, count % BUFFER_ROW_TEXELS);
        let formats = (store.format, store.ty);
        let put = |y: u32, [w, h]: [u32; 2], at: usize| {
            let region = TexBox { at: [0, y as i32, 0], size: [w as i32, h as i32, 1] };
            gl.tex_sub_image_from_buffer(target, 0, &region, formats, false, at);
        };
        if rows > 0 {
            put(0, [BUFFER_ROW_TEXELS, rows], offset);
        }
        if rest > 0 {
            let row_bytes = (BUFFER_ROW_TEXELS * store.storage.block_bytes()) as usize;
            put(rows, [rest, 1], offset + rows as usize * row_bytes);
        }
        // Uploads from memory must not find a buffer bound.
        self.bind.buffer(gl, c::PIXEL_UNPACK_BUFFER, 0);
        self.issued();
        Ok(())
    }
}
