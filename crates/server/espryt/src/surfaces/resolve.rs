//! What draws bind: sampler views and image units as the driver knows them. Must not know programs.

use super::define::component;
use crate::core::Core;
use crate::images::Shown;
use crate::raw::consts as c;
use crate::textures::{Params, Tex};
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Format, ImageView};
use mgl_backend::{ImageRef, Refusal, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, SamplerViewCso, Texture};
use mgl_pipe::tokens::{DepthStencilMode, ImageAccess, Swizzle};

/// A resolved sampler view: what to bind to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRef {
    /// Driver target: 2D for 1D and rectangle textures, 2D array for 1D arrays.
    pub target: u32,
    /// Driver name; its level range, swizzle and depth/stencil mode are already set.
    pub name: u32,
    /// Identity of the image, never reused.
    pub image: u64,
    /// Format that the view shows.
    pub format: Format,
    /// Sampling gives stencil values.
    pub stencil: bool,
    /// Store of a buffer texture.
    pub buffer: Option<Handle<Buffer>>,
}

/// A resolved image unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageRef {
    /// Driver name.
    pub name: u32,
    /// Level of the driver's texture.
    pub level: i32,
    /// All layers.
    pub layered: bool,
    /// Layer when not layered.
    pub layer: i32,
    /// `GL_READ_ONLY`, `GL_WRITE_ONLY` or `GL_READ_WRITE`.
    pub access: u32,
    /// Format for `glBindImageTexture`.
    pub format: u32,
    /// Store of a buffer texture, written when the access says so.
    pub buffer: Option<Handle<Buffer>>,
}

/// The parameters' swizzle over what the format lacks: missing alpha reads 1, missing colour 0 (GL 4.6 §15.2.1).
fn swizzle(format: Format, params: &Params) -> [u32; 4] {
    params.swizzle.map(|s| match (format.info().base, s) {
        (Base::Rgb | Base::Red | Base::Rg, Swizzle::Alpha) => c::ONE,
        (Base::Depth | Base::DepthStencil | Base::Stencil | Base::Red, Swizzle::Green | Swizzle::Blue)
        | (Base::Rg, Swizzle::Blue) => c::ZERO,
        (Base::Depth | Base::DepthStencil | Base::Stencil, Swizzle::Alpha) => c::ONE,
        (_, other) => component(other.0),
    })
}

/// The level range that a view of an object shows, or `None` when there is none.
fn levels(tex: &Tex, view: &ViewDesc, image_levels: u32) -> Option<(u32, u32)> {
    let levels = tex.desc.levels.min(image_levels);
    let last = levels.checked_sub(1)?;
    // Immutable textures clamp the parameters (GL 4.6 §8.17), others are incomplete outside.
    let base = if tex.desc.immutable { tex.params.base_level.min(last) } else { tex.params.base_level };
    let first = base.max(u32::from(view.min_level));
    let by_view = u32::from(view.min_level).saturating_add(u32::from(view.num_levels));
    let end = tex.params.max_level.max(base).saturating_add(1).min(levels).min(by_view);
    (end > first).then_some((first, end - 1))
}

impl Core {
    /// A sampler view, or `None`: incomplete, reads (0, 0, 0, 1).
    pub fn resolve_view(&mut self, cso: Handle<SamplerViewCso>) -> Outcome<Option<ViewRef>> {
        let Some(view) = self.textures.views.get(cso).copied() else { return Ok(None) };
        let Some(tex) = self.textures.textures.get(view.texture) else { return Ok(None) };
        if tex.desc.buffer.is_some() {
            return match self.device.features.texture_buffer {
                true => self.buffer_view(view.texture),
                false => self.copied_buffer_view(view.texture),
            };
        }
        let Some(key) = tex.image else { return Ok(None) };
        let Some(image) = self.textures.images.get(key) else { return Ok(None) };
        let format = image.spec.format;
        if view.format.is_some_and(|f| f != format) || view.min_layer != 0 {
            return Err(Refusal::Unsupported("SamplerViewAlias"));
        }
        let Some((base, max)) = levels(tex, &view, image.spec.levels) else { return Ok(None) };
        let stencil_mode = tex.params.mode == DepthStencilMode::Stencil;
        let stencil = !format.is_color() && (!format.has_depth() || (format.has_stencil() && stencil_mode));
        let target = image.target;
        let name = image.name;
        if stencil && !self.device.features.stencil_texturing {
            return Err(Refusal::Unsupported("StencilTexturing"));
        }
        // A texture of stencil alone has no mode to set.
        let mode = stencil && image.spec.store.internal != c::STENCIL_INDEX8;
        let shown = Shown { base, max, swizzle: swizzle(format, &tex.params), stencil: mode };
        self.textures.images.show(&self.device.gl, &mut self.bind, key, shown);
        self.before_read(key)?;
        Ok(Some(ViewRef { target, name, image: key.id(), format, stencil, buffer: None }))
    }

    /// A buffer texture, pointed at the store that its buffer has now.
    fn buffer_view(&mut self, texture: Handle<Texture>) -> Outcome<Option<ViewRef>> {
        let Some(tex) = self.textures.textures.get(texture) else { return Ok(None) };
        let (Some(key), Some(format)) = (tex.image, tex.desc.format) else { return Ok(None) };
        let Some((buffer, offset, size)) = tex.desc.buffer else { return Ok(None) };
        let shown = tex.shown_buffer;
        let Some(store) = self.buffers.get(buffer) else { return Ok(None) };
        let Some(rest) = store.size.checked_sub(offset).filter(|r| *r > 0) else { return Ok(None) };
        let wanted = (store.name, offset, size.min(rest));
        let Some(name) = self.textures.images.get(key).map(|i| i.name) else { return Ok(None) };
        if shown != Some(wanted) {
            let internal = self.device.formats.get(format).buffer_internal;
            let gl = &self.device.gl;
            self.bind.scratch_texture(gl, c::TEXTURE_BUFFER, name);
            gl.tex_buffer_range(c::TEXTURE_BUFFER, internal, store.name, offset as isize, wanted.2 as isize);
            if let Some(tex) = self.textures.textures.get_mut(texture) {
                tex.shown_buffer = Some(wanted);
            }
        }
        let target = c::TEXTURE_BUFFER;
        Ok(Some(ViewRef { target, name, image: key.id(), format, stencil: false, buffer: Some(buffer) }))
    }

    /// An image unit, or `None`: reads zero, drops writes.
    pub fn image_unit(&mut self, unit: &ImageView) -> Outcome<Option<StorageRef>> {
        let Some(tex) = self.textures.textures.get(unit.texture) else { return Ok(None) };
        let Some(format) = Format::from_wire(unit.format).or(tex.desc.format) else { return Ok(None) };
        let access = match unit.access {
            ImageAccess::Read => c::READ_ONLY,
            ImageAccess::Write => c::WRITE_ONLY,
            _ => c::READ_WRITE,
        };
        if tex.desc.buffer.is_some() {
            let internal = self.device.formats.get(format).buffer_internal;
            let view = self.buffer_view(unit.texture)?.filter(|_| internal != 0);
            return Ok(view.map(|v| StorageRef {
                name: v.name,
                level: 0,
                layered: false,
                layer: 0,
                access,
                format: internal,
                buffer: v.buffer,
            }));
        }
        self.make_bindable(unit.texture)?;
        let Some(key) = self.textures.textures.get(unit.texture).and_then(|t| t.image) else { return Ok(None) };
        let Some(image) = self.textures.images.get(key) else { return Ok(None) };
        let level = u32::from(unit.level);
        let Some(store) = self.device.formats.get(format).image_store else { return Ok(None) };
        // Formats of one class may be mixed, but not where one of them is stored wider.
        let same = image.spec.store.storage.block_bytes() == store.storage.block_bytes();
        if level >= image.spec.levels || !same || unit.layer >= image.spec.slices(level) {
            return Ok(None);
        }
        let name = image.name;
        let layered = unit.layered.get();
        if access == c::READ_ONLY {
            self.before_read(key)?
        } else {
            self.before_write(key)?
        }
        Ok(Some(StorageRef {
            name,
            level: level as i32,
            layered,
            layer: if layered { 0 } else { unit.layer as i32 },
            access,
            format: store.internal,
            buffer: None,
        }))
    }

    /// The object of a texture handle, for reports.
    pub fn has_texture(&self, texture: Handle<Texture>) -> bool {
        self.textures.get(ImageRef::Texture(texture)).is_some()
    }
}
