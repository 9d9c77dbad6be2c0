//! Definition and death of textures and renderbuffers. Must not know content, except that redefinition may keep it.

use crate::core::Core;
use crate::images::{ImageKey, ImageSpec};
use crate::raw::consts as c;
use crate::textures::{Params, Tex};
use mgl_backend::desc::ViewOf;
use mgl_backend::traits::Outcome;
use mgl_backend::values::TextureParams;
use mgl_backend::{ImageRef, Refusal, TextureDesc};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::tokens::ResourceTarget as Target;

fn table(fault: mgl_base::Fault) -> Refusal {
    Refusal::Driver(fault.to_string())
}

impl Core {
    /// Creates or redefines storage. With `keep`, levels whose extent and format fit keep their content.
    pub fn define(&mut self, of: ImageRef, desc: &TextureDesc, keep: bool) -> Outcome {
        self.textures.epoch += 1;
        let old = self.textures.get(of).cloned();
        let params = old.as_ref().map_or(Params::default(), |t| t.params);
        let old_image = old.as_ref().and_then(|t| t.image);
        let made = self.image_for(desc, old_image);
        let (image, error) = match made {
            Ok(image) => (image, None),
            // The object exists without storage; uses of it are refused by name.
            Err(refusal) => (None, Some(refusal)),
        };
        if let Some((buffer, _, _)) = desc.buffer {
            self.buffers.pin(buffer);
        }
        let tex = Tex { desc: *desc, params, image, shown_buffer: None, copied_serial: 0 };
        self.textures.copied_buffers += usize::from(self.is_copied(desc));
        let replaced = match of {
            ImageRef::Texture(h) => self.textures.textures.insert(h, tex, "espryt.texture").map_err(table)?,
            ImageRef::Renderbuffer(h) => {
                self.textures.renderbuffers.insert(h, tex, "espryt.renderbuffer").map_err(table)?
            }
        };
        let was_copied = replaced.as_ref().is_some_and(|t| self.is_copied(&t.desc));
        self.textures.copied_buffers -= usize::from(was_copied);
        if let Some((buffer, _, _)) = replaced.as_ref().and_then(|t| t.desc.buffer) {
            self.buffers.unpin(&self.device.gl, &mut self.bind, buffer);
        }
        let mut result = error.map_or(Ok(()), Err);
        let replaced = replaced.and_then(|t| t.image);
        if let (Some(old), Some(new)) = (replaced, image)
            && keep
            && old != new
        {
            result = self.keep_levels(old, new);
        }
        if let Some(old) = replaced.filter(|old| image != Some(*old)) {
            self.release_image(old);
        }
        result
    }

    /// Storage for a description: the old image where it is the same and nobody else shows it.
    fn image_for(&mut self, desc: &TextureDesc, old: Option<ImageKey>) -> Outcome<Option<ImageKey>> {
        let Some(spec) = self.spec_of(desc)? else { return Ok(None) };
        if let Some(view) = desc.view {
            return self.view_image(&view, spec).map(Some);
        }
        if self.is_copied(desc) {
            // Made when it is first used: the size is the buffer's.
            return Ok(None);
        }
        if desc.buffer.is_some() || desc.target == Target::TexBuffer {
            return Ok(Some(self.textures.images.create_buffer_texture(&self.device.gl, spec)));
        }
        if let Some(key) = old
            && self.textures.images.get(key).is_some_and(|i| i.spec == spec && i.copy_of.is_none() && !i.aliased)
        {
            return Ok(Some(key));
        }
        self.textures.images.create(&self.device, &mut self.bind, spec).map(Some)
    }

    /// A buffer texture on a driver that has none.
    fn is_copied(&self, desc: &TextureDesc) -> bool {
        !self.device.features.texture_buffer && desc.buffer.is_some()
    }

    /// Shape and format on this driver; `None` while the client has not defined storage.
    pub(crate) fn spec_of(&self, desc: &TextureDesc) -> Outcome<Option<ImageSpec>> {
        let Some(format) = desc.format else { return Ok(None) };
        let entry = self.device.formats.get(format);
        let images = desc.image_bindable && desc.target != Target::Renderbuffer;
        let wanted = if images { entry.image_store.or(entry.store) } else { entry.store };
        let buffer = desc.buffer.is_some() || desc.target == Target::TexBuffer;
        if buffer && entry.buffer_internal == 0 {
            return Err(Refusal::Unsupported("BufferTextureFormat"));
        }
        let store = wanted.or(entry.image_store).ok_or(Refusal::Unsupported("TextureFormat"))?;
        let extent = match desc.target {
            Target::Tex3D => [desc.width, desc.height, desc.depth],
            Target::Tex1D | Target::Tex1DArray => [desc.width, 1, 1],
            _ => [desc.width, desc.height, 1],
        };
        if extent.contains(&0) || desc.layers == 0 {
            return Ok(None);
        }
        let largest = extent[0].max(extent[1]).max(extent[2]);
        let levels = desc.levels.clamp(1, largest.ilog2() + 1);
        let samples = self.sample_count(desc, entry.samples);
        Ok(Some(ImageSpec { target: desc.target, format, store, extent, layers: desc.layers, levels, samples }))
    }

    /// The smallest count that the format has and that is not smaller than the wish (GL 4.6 §9.2.4).
    fn sample_count(&self, desc: &TextureDesc, mask: u16) -> u32 {
        if desc.samples <= 1 && !matches!(desc.target, Target::Tex2DMs | Target::Tex2DMsArray) {
            return 1;
        }
        let fits = (0..16).filter(|n| mask & (1 << n) != 0).map(|n| 1u32 << n).find(|n| *n >= desc.samples.max(2));
        fits.unwrap_or(desc.samples.max(1))
    }

    /// The image of a texture view: a native view, or an image of its own that copies keep up to date.
    fn view_image(&mut self, view: &ViewOf, spec: ImageSpec) -> Outcome<ImageKey> {
        let owner = self.textures.need_image(ImageRef::Texture(view.owner))?;
        let base = self.textures.images.need(owner)?.spec;
        let place = (u32::from(view.level), u32::from(view.layer));
        let fits =
            spec.levels <= base.levels.saturating_sub(place.0) && spec.layers <= base.layers.saturating_sub(place.1);
        if !fits {
            return Err(Refusal::Unsupported("TextureViewRange"));
        }
        // Widened storage cannot be seen through another format.
        let plain = base.store.layout == spec.store.layout && base.store.storage == base.format.storage();
        // A driver may not draw through a view to what it cannot draw to.
        let drawn = base.store.renderable || !spec.store.renderable;
        if self.device.features.texture_view && drawn && (plain || base.store == spec.store) {
            let made = self.textures.images.create_view(&self.device, &mut self.bind, owner, place, spec);
            if made.is_ok() {
                return made;
            }
        }
        self.copied_view(owner, place, spec)
    }

    /// Object parameters.
    pub fn texture_params(&mut self, texture: Handle<Texture>, params: &TextureParams) -> Outcome {
        let tex = self.textures.get_mut(ImageRef::Texture(texture)).ok_or(Refusal::Unsupported("texture"))?;
        tex.params = params.into();
        Ok(())
    }

    /// Death of the client's reference.
    pub fn destroy(&mut self, of: ImageRef) {
        self.textures.epoch += 1;
        let tex = match of {
            ImageRef::Texture(h) => self.textures.textures.remove(h),
            ImageRef::Renderbuffer(h) => self.textures.renderbuffers.remove(h),
        };
        let Some(tex) = tex else { return };
        self.textures.copied_buffers -= usize::from(self.is_copied(&tex.desc));
        if let Some(image) = tex.image {
            self.release_image(image);
        }
        if let Some((buffer, _, _)) = tex.desc.buffer {
            self.buffers.unpin(&self.device.gl, &mut self.bind, buffer);
        }
    }

    /// One owner less; the last one takes framebuffers and alias records along.
    pub(crate) fn release_image(&mut self, key: ImageKey) {
        let Some(image) = self.textures.images.release(&self.device.gl, &mut self.bind, key) else { return };
        self.textures.epoch += 1;
        if image.attached {
            self.frames.forget(&self.device.gl, &mut self.bind, key);
        }
        if let Some((owner, _, _)) = image.copy_of {
            self.textures.aliases.remove(owner, key);
            self.release_image(owner);
        }
    }

    /// A texture that was made without storage use gets a new image with its content when an image unit names it.
    pub(crate) fn make_bindable(&mut self, texture: Handle<Texture>) -> Outcome {
        let of = ImageRef::Texture(texture);
        let Some(tex) = self.textures.get(of) else { return Ok(()) };
        let (desc, image) = (tex.desc, tex.image);
        let Some(format) = desc.format.filter(|_| !desc.image_bindable && desc.view.is_none()) else { return Ok(()) };
        let want = self.device.formats.get(format).image_store;
        let have = image.and_then(|key| self.textures.images.get(key)).map(|i| i.spec.store);
        if want.is_none() || want == have || desc.buffer.is_some() {
            return Ok(());
        }
        self.define(of, &TextureDesc { image_bindable: true, ..desc }, true)
    }

    /// Copies the levels of equal extent.
    fn keep_levels(&mut self, old: ImageKey, new: ImageKey) -> Outcome {
        let (a, b) = (self.textures.images.need(old)?.spec, self.textures.images.need(new)?.spec);
        if a.format != b.format || a.target != b.target || a.samples != b.samples || a.samples > 1 {
            return Ok(());
        }
        for level in (0..a.levels.min(b.levels)).filter(|l| a.level_extent(*l) == b.level_extent(*l)) {
            let [w, h, _] = a.level_extent(level).map(|v| v as i32);
            let size = [w, h, a.slices(level).min(b.slices(level)) as i32];
            self.copy_texels((old, level, [0; 3]), (new, level, [0; 3]), size)?;
        }
        Ok(())
    }
}

/// Swizzle token of the driver.
pub(super) const fn component(index: u8) -> u32 {
    match index {
        0 => c::RED,
        1 => c::GREEN,
        2 => c::BLUE,
        3 => c::ALPHA,
        4 => c::ZERO,
        _ => c::ONE,
    }
}
