//! Bindings of textures and images in one context, and what was last pushed. Must not push records.

use super::object::Image;
pub use super::object::Texture;
use super::target::{TARGETS, Target};
use crate::context::Context;
use crate::instance::Instance;
use crate::pixel;
use crate::sampler::state::Sampler;
use mgl_pipe::records::BoundView;
use std::sync::Arc;

/// Texture image units: 32 per stage, six stages (GL 4.6 table 23.66).
pub const UNITS: usize = 192;

/// One texture image unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// By target; `None` = the default texture.
    pub bound: [Option<Arc<Texture>>; TARGETS],
    /// Sampler object.
    pub sampler: Option<Arc<Sampler>>,
}

/// Answer of a proxy query.
#[derive(Clone, Debug, Default)]
pub struct Proxy {
    pub level: u32,
    pub image: Image,
}

/// What a slot resolved to, and from what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotMemo {
    pub texture: u64,
    pub texture_serial: u64,
    pub sampler_serial: u64,
    pub view: BoundView8,
    pub sampler: u64,
}

/// Handle bits of a view; a plain number so that memos compare.
pub type BoundView8 = u64;

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    /// `glActiveTexture`, from 0.
    pub active: usize,
    /// Units.
    pub units: Vec<Unit>,
    /// Default textures by target; made at first use.
    pub defaults: [Option<Arc<Texture>>; TARGETS],
    /// Proxy images by target.
    pub proxies: [Proxy; TARGETS],
    /// Pixel store.
    pub pixel: pixel::State,
    /// Sets as last sent.
    pub sent_views: Vec<BoundView>,
    /// Sets as last sent.
    pub sent_samplers: Vec<mgl_base::Handle<mgl_base::handle::SamplerCso>>,
    /// Scratch of the set being resolved.
    pub next_views: Vec<BoundView>,
    /// Scratch of the set being resolved.
    pub next_samplers: Vec<mgl_base::Handle<mgl_base::handle::SamplerCso>>,
    /// What each slot resolved from.
    pub memo: Vec<SlotMemo>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self {
            active: 0,
            units: vec![Unit::default(); UNITS],
            defaults: Default::default(),
            proxies: Default::default(),
            pixel: pixel::State::default(),
            sent_views: Vec::new(),
            sent_samplers: Vec::new(),
            next_views: Vec::new(),
            next_samplers: Vec::new(),
            memo: Vec::new(),
        }
    }
}

impl Context {
    /// The texture bound to `target` of the active unit, the default one included.
    pub(crate) fn bound_texture(&mut self, target: Target) -> Arc<Texture> {
        let unit = self.texture.active;
        self.unit_texture(unit, target)
    }
    /// The texture bound to `target` of `unit`, the default one included.
    pub(crate) fn unit_texture(&mut self, unit: usize, target: Target) -> Arc<Texture> {
        if let Some(texture) = self.texture.units.get(unit).and_then(|u| u.bound[target as usize].as_ref()) {
            return texture.clone();
        }
        let instance = &self.instance;
        self.texture.defaults[target as usize].get_or_insert_with(|| Texture::new(instance, 0, target, None)).clone()
    }
    /// A named texture, or `None`.
    pub(crate) fn named_texture(&self, name: u32) -> Option<Arc<Texture>> {
        crate::share::lock(&self.share.textures).get(name).cloned()
    }
}
