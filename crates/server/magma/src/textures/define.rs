//! Definition and death of textures and renderbuffers. Must not know what their texels mean.

use crate::commands::Commands;
use crate::images::{ImageKey, ImageSpec, Images};
use crate::textures::{Params, Tex, Textures};
use mgl_backend::traits::Outcome;
use mgl_backend::values::TextureParams;
use mgl_backend::{ImageRef, Refusal, TextureDesc};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Texture};
use mgl_pipe::tokens::ResourceTarget as Target;

/// What a definition replaced: the caller copies the content that is kept, then releases the old image.
#[derive(Clone, Copy, Debug)]
pub struct Replaced {
    /// Image that the object showed before.
    pub old: Option<ImageKey>,
    /// Image that it shows now.
    pub new: Option<ImageKey>,
    /// Buffer that it showed before.
    pub old_buffer: Option<Handle<Buffer>>,
}

impl Textures {
    /// Creates or redefines an object. The old image, if any, is the caller's to release.
    pub(crate) fn define(
        &mut self,
        images: &mut Images,
        cmds: &mut Commands,
        of: ImageRef,
        desc: &TextureDesc,
        keep: bool,
    ) -> Outcome<Replaced> {
        self.epoch += 1;
        let (mut level0, mut layer0) = (0, 0);
        let old = self.get(of).and_then(|t| t.image);
        let params = self.get(of).map(|t| t.params).unwrap_or_default();
        let new = if let Some(view) = desc.view {
            let owner = self.need_image(ImageRef::Texture(view.owner))?;
            level0 = owner.0.level0 + u32::from(view.level);
            layer0 = owner.0.layer0 + u32::from(view.layer);
            images.retain(owner.1);
            Some(owner.1)
        } else if desc.target == Target::TexBuffer {
            None
        } else {
            let spec = ImageSpec::of(cmds.gpu(), desc)?;
            // The same storage again: content that may be kept is kept by doing nothing.
            let same = old.filter(|k| keep && images.get(*k).map(|i| i.spec) == spec);
            match (same, spec) {
                (Some(key), _) => {
                    images.retain(key);
                    Some(key)
                }
                (None, Some(spec)) => Some(images.create_for(cmds, spec, desc)?),
                (None, None) => None,
            }
        };
        let tex = Tex { desc: *desc, params, image: new, level0, layer0 };
        let inserted = match of {
            ImageRef::Texture(h) => self.textures.insert(h, tex, "magma.texture"),
            ImageRef::Renderbuffer(h) => self.renderbuffers.insert(h, tex, "magma.renderbuffer"),
        };
        let before = inserted.map_err(|f| Refusal::Driver(f.to_string()))?;
        Ok(Replaced {
            old: before.as_ref().and_then(|t| t.image),
            new,
            old_buffer: before.and_then(|t| t.desc.buffer).map(|b| b.0),
        })
    }

    /// Death of the client's reference; answers the buffer that a buffer texture showed.
    pub(crate) fn destroy(&mut self, images: &mut Images, cmds: &mut Commands, of: ImageRef) -> Option<Handle<Buffer>> {
        self.epoch += 1;
        let gone = match of {
            ImageRef::Texture(h) => self.textures.remove(h),
            ImageRef::Renderbuffer(h) => self.renderbuffers.remove(h),
        };
        if let Some(key) = gone.as_ref().and_then(|t| t.image) {
            images.release(cmds, key);
        }
        gone.and_then(|t| t.desc.buffer).map(|b| b.0)
    }

    /// Every texture that shows `old` shows `new` from now on.
    pub(crate) fn show_instead(&mut self, images: &mut Images, cmds: &mut Commands, old: ImageKey, new: ImageKey) {
        self.epoch += 1;
        for (_, tex) in self.textures.iter_mut().filter(|(_, tex)| tex.image == Some(old)) {
            tex.image = Some(new);
            images.retain(new);
            images.release(cmds, old);
        }
    }

    /// Object parameters.
    pub(crate) fn set_params(&mut self, texture: Handle<Texture>, params: &TextureParams) -> Outcome {
        let tex = self.textures.get_mut(texture).ok_or(Refusal::Unsupported("texture that does not exist"))?;
        let new = Params {
            base_level: u32::from(params.base_level),
            max_level: u32::from(params.max_level),
            swizzle: params.swizzle,
            mode: params.depth_stencil_mode,
        };
        if tex.params != new {
            tex.params = new;
            self.epoch += 1;
        }
        Ok(())
    }
}
