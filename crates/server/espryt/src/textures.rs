//! Tables of textures, renderbuffers, sampler views and samplers by handle, over driver images. Must not know what
//! samples them; the operations are in `surfaces`.

use crate::images::{ImageKey, Images};
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Surface, TextureParams};
use mgl_backend::{ImageRef, Refusal, TextureDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Renderbuffer, SamplerCso, SamplerViewCso, Texture};
use mgl_base::slots::SlotTable;
use mgl_pipe::tokens::{DepthStencilMode, SurfaceKind, Swizzle};
use smallvec::SmallVec;
use std::collections::HashMap;

/// Object parameters of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// First level.
    pub base_level: u32,
    /// Last level.
    pub max_level: u32,
    /// Swizzle.
    pub swizzle: [Swizzle; 4],
    /// Depth or stencil when sampled.
    pub mode: DepthStencilMode,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            base_level: 0,
            max_level: 1000,
            swizzle: [Swizzle::Red, Swizzle::Green, Swizzle::Blue, Swizzle::Alpha],
            mode: DepthStencilMode::Depth,
        }
    }
}

impl From<&TextureParams> for Params {
    fn from(p: &TextureParams) -> Self {
        Self {
            base_level: p.base_level.into(),
            max_level: p.max_level.into(),
            swizzle: p.swizzle,
            mode: p.depth_stencil_mode,
        }
    }
}

/// A texture or renderbuffer object.
#[derive(Clone, Debug)]
pub struct Tex {
    /// As the client described it.
    pub desc: TextureDesc,
    /// Its parameters.
    pub params: Params,
    /// Storage; none while undefined.
    pub image: Option<ImageKey>,
    /// Store, offset and size that a buffer texture shows now.
    pub(crate) shown_buffer: Option<(u32, u64, u64)>,
    /// Serial of the store that was copied, on drivers without buffer textures.
    pub(crate) copied_serial: u64,
}

/// An owner's views and who of them is current.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Images that are kept up to date by copies.
    pub(crate) views: SmallVec<[ImageKey; 4]>,
    /// Images whose content is current; never empty.
    pub(crate) fresh: SmallVec<[ImageKey; 4]>,
}

/// Families of images that show the same texels, by owner.
#[derive(Debug, Default)]
pub(crate) struct Aliases(pub(crate) HashMap<ImageKey, Family>);

impl Aliases {
    /// A view is gone.
    pub(crate) fn remove(&mut self, owner: ImageKey, view: ImageKey) {
        let Some(family) = self.0.get_mut(&owner) else { return };
        family.views.retain(|v| *v != view);
        family.fresh.retain(|v| *v != view);
        if family.views.is_empty() {
            self.0.remove(&owner);
        }
    }
}

/// A sampler of the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampler {
    pub(crate) name: u32,
    /// What look-ups add to the level of detail; the driver's samplers have no such state.
    pub(crate) bias: f32,
}

/// All textures of a session.
#[derive(Default)]
pub struct Textures {
    pub(crate) textures: SlotTable<Texture, Tex>,
    pub(crate) renderbuffers: SlotTable<Renderbuffer, Tex>,
    pub(crate) views: SlotTable<SamplerViewCso, ViewDesc>,
    pub(crate) samplers: SlotTable<SamplerCso, Sampler>,
    /// Samplers that have a bias.
    pub(crate) biased: usize,
    pub(crate) aliases: Aliases,
    /// Images.
    pub images: Images,
    /// Buffer textures that are copies: their content follows their buffers at every draw.
    pub copied_buffers: usize,
    /// Rises whenever some object gets other storage or goes: memos over resolved surfaces end.
    pub epoch: u64,
}

impl Textures {
    /// The object, or `None`.
    pub fn get(&self, of: ImageRef) -> Option<&Tex> {
        match of {
            ImageRef::Texture(h) => self.textures.get(h),
            ImageRef::Renderbuffer(h) => self.renderbuffers.get(h),
        }
    }

    /// The object for writing.
    pub fn get_mut(&mut self, of: ImageRef) -> Option<&mut Tex> {
        match of {
            ImageRef::Texture(h) => self.textures.get_mut(h),
            ImageRef::Renderbuffer(h) => self.renderbuffers.get_mut(h),
        }
    }

    /// The image of an object, or a refusal.
    pub fn need_image(&self, of: ImageRef) -> Outcome<ImageKey> {
        self.get(of).and_then(|t| t.image).ok_or(Refusal::Unsupported("texture without storage"))
    }
}

/// The object that a surface names.
pub fn surface_ref(surface: &Surface) -> Option<ImageRef> {
    match surface.kind {
        SurfaceKind::Texture => Some(ImageRef::Texture(Handle::new(surface.slot, surface.generation))),
        SurfaceKind::Renderbuffer => Some(ImageRef::Renderbuffer(Handle::new(surface.slot, surface.generation))),
        _ => None,
    }
}
