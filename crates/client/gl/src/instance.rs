//! One connection to a server per process: caps, handle allocators, objects that wait for their death record. Must
//! not know any context's state.

use crate::share::lock;
use mgl_base::handle::{
    Buffer, Fence, Framebuffer, Query, RenderStateCso, Renderbuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture,
    VertexElementsCso, Xfb,
};
use mgl_base::slots::SlotAllocator;
use mgl_base::{Handle, Kind};
use mgl_pipe::caps::Caps;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Why no server could be had. The text says what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConnectError {
    /// The link refused or the server is missing.
    #[error("{0}")]
    Link(String),
}

/// An object whose last reference is gone and whose death record is still to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    Buffer(Handle<Buffer>),
    Texture(Handle<Texture>),
    Renderbuffer(Handle<Renderbuffer>),
    Framebuffer(Handle<Framebuffer>),
    Shader(Handle<ShaderCso>),
    SamplerView(Handle<SamplerViewCso>),
    Fence(Handle<Fence>),
    Query(Handle<Query>),
    Xfb(Handle<Xfb>),
    RenderState(Handle<RenderStateCso>),
    VertexElements(Handle<VertexElementsCso>),
    Sampler(Handle<SamplerCso>),
}

macro_rules! allocators {
    ($($field:ident: $kind:ident),+ $(,)?) => {
        /// Slot allocators, one per kind, session-wide.
        #[derive(Debug, Default)]
        pub struct Handles { $($field: Mutex<SlotAllocator<$kind>>),+ }

        $(impl Minted for $kind {
            fn allocator(handles: &Handles) -> &Mutex<SlotAllocator<Self>> { &handles.$field }
        })+
    };
}

/// Kinds that the client mints.
pub trait Minted: Kind + Sized {
    /// The kind's allocator.
    fn allocator(handles: &Handles) -> &Mutex<SlotAllocator<Self>>;
}

allocators! {
    buffers: Buffer, textures: Texture, renderbuffers: Renderbuffer, framebuffers: Framebuffer, xfbs: Xfb,
    render_states: RenderStateCso, vertex_elements: VertexElementsCso, samplers: SamplerCso, views: SamplerViewCso,
    shaders: ShaderCso, fences: Fence, queries: Query,
}

/// The connection of this process.
#[derive(Debug)]
pub struct Instance {
    /// What the device can do.
    pub caps: Caps,
    handles: Handles,
    dead: Mutex<Vec<Dead>>,
    any_dead: AtomicBool,
}

impl Instance {
    /// An instance without a server, for tests.
    pub fn detached(caps: Caps) -> Arc<Instance> {
        Arc::new(Self { caps, handles: Handles::default(), dead: Mutex::default(), any_dead: AtomicBool::new(false) })
    }

    /// A new handle. Running out of a million live objects of one kind yields the null handle, which the server
    /// refuses by name.
    pub fn mint<K: Minted>(&self) -> Handle<K> {
        lock(K::allocator(&self.handles)).mint().unwrap_or(Handle::NULL)
    }
    /// Gives a slot back after its death record was pushed.
    pub fn release<K: Minted>(&self, handle: Handle<K>) {
        lock(K::allocator(&self.handles)).release(handle);
    }
    /// Queues a death; called from `Drop` of objects on any thread.
    pub fn bury(&self, dead: Dead) {
        lock(&self.dead).push(dead);
        self.any_dead.store(true, Ordering::Release);
    }
    /// Takes the queued deaths, if there are any.
    pub fn take_dead(&self) -> Option<Vec<Dead>> {
        if !self.any_dead.load(Ordering::Acquire) {
            return None;
        }
        self.any_dead.store(false, Ordering::Release);
        Some(std::mem::take(&mut *lock(&self.dead)))
    }
}
