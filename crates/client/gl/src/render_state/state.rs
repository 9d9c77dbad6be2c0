//! What the fixed-function state is made of, and the only way to change it: a setter that sees equal bits does
//! nothing, any other one moves the version of the block it wrote. Must not push records.

use super::emit::Cache;
use crate::context::Context;
use crate::instance::Instance;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::RenderStateCso;
use mgl_pipe::render_state::{DynamicState, PipelineState, same_bits};
use mgl_pipe::tokens::ValueClass;
use std::ops::Deref;
use zerocopy::{Immutable, IntoBytes};

/// A block that can only be changed through `Tracked::put`, so that its version moves exactly when its bytes do.
#[derive(Debug)]
pub struct Tracked<B> {
    block: B,
    version: u64,
}

impl<B> Tracked<B> {
    fn new(block: B) -> Self {
        Self { block, version: 1 }
    }
    /// Moves with every change of the block's bytes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }
    /// Stores `value`; false when the bits were equal.
    fn put<T: IntoBytes + Immutable>(&mut self, place: impl FnOnce(&mut B) -> &mut T, value: T) -> bool {
        let place = place(&mut self.block);
        if same_bits(place, &value) {
            return false;
        }
        *place = value;
        self.version += 1;
        true
    }
}

impl<B> Deref for Tracked<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.block
    }
}

/// Members that no server reads: they answer queries, or are resolved on the client at the verb.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientState {
    /// `GL_LINE_SMOOTH_HINT`.
    pub line_smooth_hint: u32,
    /// `GL_POLYGON_SMOOTH_HINT`.
    pub polygon_smooth_hint: u32,
    /// `GL_TEXTURE_COMPRESSION_HINT`.
    pub texture_compression_hint: u32,
    /// `GL_FRAGMENT_SHADER_DERIVATIVE_HINT`.
    pub derivative_hint: u32,
    /// `GL_POINT_FADE_THRESHOLD_SIZE`.
    pub point_fade_threshold: f32,
    /// `GL_PRIMITIVE_RESTART`.
    pub primitive_restart: bool,
    /// `GL_PRIMITIVE_RESTART_FIXED_INDEX`.
    pub primitive_restart_fixed: bool,
    /// `GL_PRIMITIVE_RESTART_INDEX`.
    pub restart_index: u32,
    /// `GL_TEXTURE_CUBE_MAP_SEAMLESS`: becomes a property of every sampler state.
    pub cube_map_seamless: bool,
    /// `GL_DEBUG_OUTPUT`.
    pub debug_output: bool,
    /// `GL_DEBUG_OUTPUT_SYNCHRONOUS`.
    pub debug_synchronous: bool,
    /// Which command set the clear colour last: one of integers holds for integer buffers (EXT_texture_integer).
    pub clear_class: ValueClass,
    /// The clear colour of a class of integers, as bits.
    pub clear_integers: [u32; 4],
}

impl ClientState {
    fn initial() -> Self {
        const DONT_CARE: u32 = crate::tokens::DONT_CARE;
        Self {
            line_smooth_hint: DONT_CARE,
            polygon_smooth_hint: DONT_CARE,
            texture_compression_hint: DONT_CARE,
            derivative_hint: DONT_CARE,
            point_fade_threshold: 1.0,
            primitive_restart: false,
            primitive_restart_fixed: false,
            restart_index: 0,
            cube_map_seamless: false,
            debug_output: false,
            debug_synchronous: false,
            clear_class: ValueClass::Float,
            clear_integers: [0; 4],
        }
    }
}

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    /// Identity of the pipeline.
    pub(crate) pipeline: Tracked<PipelineState>,
    /// Data that travels by value.
    pub(crate) dynamic: Tracked<DynamicState>,
    /// What never crosses.
    pub(crate) client: Tracked<ClientState>,
    pub(super) cache: Cache,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self {
            pipeline: Tracked::new(PipelineState::initial()),
            dynamic: Tracked::new(DynamicState::initial()),
            client: Tracked::new(ClientState::initial()),
            cache: Cache::default(),
        }
    }
    /// Pipeline subsets that live on the server for this context.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle<RenderStateCso>> + '_ {
        self.cache.handles()
    }
}

impl Context {
    /// Changes a member of the pipeline subset.
    pub(crate) fn put_pipeline<T: IntoBytes + Immutable>(
        &mut self,
        place: impl FnOnce(&mut PipelineState) -> &mut T,
        value: T,
    ) {
        if self.render_state.pipeline.put(place, value) {
            self.dirty |= Dirty::PIPELINE;
        }
    }
    /// Changes a member of the dynamic subset.
    pub(crate) fn put_dynamic<T: IntoBytes + Immutable>(
        &mut self,
        place: impl FnOnce(&mut DynamicState) -> &mut T,
        value: T,
    ) {
        if self.render_state.dynamic.put(place, value) {
            self.dirty |= Dirty::DYNAMIC;
        }
    }
    /// Changes a member that never crosses.
    pub(crate) fn put_client<T: IntoBytes + Immutable>(
        &mut self,
        place: impl FnOnce(&mut ClientState) -> &mut T,
        value: T,
    ) {
        self.render_state.client.put(place, value);
    }
}
