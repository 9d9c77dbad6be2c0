//! Textures, renderbuffers, sampler views and samplers by handle, over driver images. Must not know what samples them.

use crate::core::Core;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Format, FramebufferState, ImageView};
use mgl_backend::{Refusal, SamplerDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{SamplerCso, SamplerViewCso};

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
}

/// What a bound draw framebuffer is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetInfo {
    /// Driver name.
    pub name: u32,
    /// GL format per draw buffer (= driver colour attachment: buffer `i` writes attachment `i`).
    pub color: [Option<Format>; 8],
    /// Bit per draw buffer whose storage has an alpha channel that the format lacks: its colour mask must leave alpha
    /// alone, and destination alpha reads 1.
    pub widened_alpha: u8,
    /// Depth is there.
    pub depth: bool,
    /// Stencil is there.
    pub stencil: bool,
    /// Smallest width and height.
    pub extent: [u32; 2],
    /// Layers, 1 when not layered.
    pub layers: u32,
    /// Samples, at least 1.
    pub samples: u32,
}

/// All textures of a session.
#[derive(Debug, Default)]
pub struct Textures {}

impl Core {
    /// A sampler view, or `None`: incomplete, reads (0, 0, 0, 1).
    pub fn resolve_view(&mut self, _cso: Handle<SamplerViewCso>) -> Outcome<Option<ViewRef>> {
        Err(Refusal::Unsupported("EsprytView"))
    }
    /// A driver sampler, or 0.
    pub fn sampler(&self, _cso: Handle<SamplerCso>) -> u32 {
        0
    }
    /// An image unit, or `None`: reads zero, drops writes.
    pub fn image_unit(&mut self, _unit: &ImageView) -> Outcome<Option<StorageRef>> {
        Err(Refusal::Unsupported("EsprytImage"))
    }
    /// Binds a framebuffer for drawing. `srgb` is `GL_FRAMEBUFFER_SRGB`. Cheap when nothing changed.
    pub fn bind_draw_framebuffer(&mut self, _state: &FramebufferState, _srgb: bool) -> Outcome<TargetInfo> {
        Err(Refusal::Unsupported("EsprytFramebuffer"))
    }
    /// New sampler state.
    pub fn sampler_create(&mut self, _cso: Handle<SamplerCso>, _desc: &SamplerDesc) -> Outcome {
        Err(Refusal::Unsupported("EsprytSampler"))
    }
    /// Death of a sampler state.
    pub fn sampler_destroy(&mut self, _cso: Handle<SamplerCso>) {}
    /// New view.
    pub fn view_create(&mut self, _cso: Handle<SamplerViewCso>, _desc: &ViewDesc) -> Outcome {
        Err(Refusal::Unsupported("EsprytView"))
    }
    /// Death of a view.
    pub fn view_destroy(&mut self, _cso: Handle<SamplerViewCso>) {}
}
