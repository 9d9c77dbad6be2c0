//! One connection to a server per process: caps, handle allocators, objects that wait for their death record. Must
//! not know any context's state.

use crate::flows::Flows;
use crate::out::Out;
use crate::share::lock;
use mgl_base::handle::{
    Buffer, Fence, Framebuffer, Query, RenderStateCso, Renderbuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture,
    VertexElementsCso, Xfb,
};
use mgl_base::slots::SlotAllocator;
use mgl_base::{Handle, Kind};
use mgl_link::client::{Config, Embedded, Session};
use mgl_link::segment::Segment;
use mgl_pipe::caps::Caps;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// Why no server could be had. The text says what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConnectError {
    /// The link refused or the server is missing.
    #[error("{0}")]
    Link(#[from] Arc<mgl_link::LinkError>),
}

impl From<mgl_link::LinkError> for ConnectError {
    fn from(error: mgl_link::LinkError) -> Self {
        Self::Link(Arc::new(error))
    }
}

static EMBEDDED: OnceLock<Embedded> = OnceLock::new();
static SHARED: Mutex<Weak<Instance>> = Mutex::new(Weak::new());

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
    /// Memory for finished pictures, by its number in records.
    Pixels(u32),
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
    session: Option<Arc<Session>>,
    handles: Handles,
    dead: Mutex<Vec<Dead>>,
    any_dead: AtomicBool,
    /// The contexts' flows.
    pub(crate) flows: Arc<Flows>,
    /// Stores of persistent maps may move to memory of both sides.
    shares: bool,
}

impl Instance {
    fn new(caps: Caps, session: Option<Arc<Session>>) -> Arc<Instance> {
        let (handles, dead, any_dead) = (Handles::default(), Mutex::default(), AtomicBool::new(false));
        let shares = caps.features.host_memory_import && may_share();
        Arc::new(Self { caps, session, handles, dead, any_dead, flows: Arc::default(), shares })
    }
    /// An instance without a server, for tests.
    pub fn detached(caps: Caps) -> Arc<Instance> {
        Self::new(caps, None)
    }
    /// Makes `monolith` and `inproc` possible: called once by a build that carries a server.
    pub fn register_embedded(factory: Embedded) {
        let _ = EMBEDDED.set(factory);
    }
    /// The connection of this process, made now if there is none or if the last one was lost. It ends with its last
    /// user.
    pub fn get_or_connect() -> Result<Arc<Instance>, ConnectError> {
        let mut shared = lock(&SHARED);
        if let Some(instance) = shared.upgrade().filter(|i| !i.is_lost()) {
            return Ok(instance);
        }
        let mut config = Config::from_env()?;
        config.embedded = EMBEDDED.get().copied();
        let instance = Self::connect(config)?;
        *shared = Arc::downgrade(&instance);
        Ok(instance)
    }
    /// A connection of its own.
    pub fn connect(config: Config) -> Result<Arc<Instance>, ConnectError> {
        let session = Session::connect(config)?;
        let caps = session.decode_caps()?;
        Ok(Self::new(caps, Some(session)))
    }
    /// The session, when there is a server.
    pub fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }
    /// The server is gone: contexts on this connection do nothing any more.
    pub fn is_lost(&self) -> bool {
        self.session.as_ref().is_some_and(|s| s.is_lost())
    }
    /// A way to the server for a context; `share` is a flow of its share group, 0 for a new one.
    pub(crate) fn open(&self, share: u32) -> Result<Out, ConnectError> {
        match &self.session {
            Some(session) => Ok(Out::flow_of(session.create_flow(share)?, present_credit())),
            None => Ok(Out::recorder(1)),
        }
    }

    /// Memory of at least `size` bytes that the server maps too, and what records call it, where the device can use such.
    pub(crate) fn share_memory(&self, size: u64) -> Option<(u32, Arc<Segment>)> {
        let len = size.checked_next_multiple_of(SHARED_UNIT)?;
        self.session.as_ref().filter(|_| self.shares)?.share_memory(len)
    }

    /// Memory of at least `len` bytes for finished pictures, and what `present_image` calls it. It has a descriptor, to be
    /// handed to the window system. `None` without a server, or where it gives none.
    pub fn share_pixels(&self, len: u64) -> Option<(u32, Arc<Segment>)> {
        let len = len.checked_next_multiple_of(SHARED_UNIT)?;
        self.session.as_ref()?.share_pixels(len)
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
    /// Memory for finished pictures is named in no later record; some context will tell the server.
    pub fn forget_pixels(&self, memory: u32) {
        self.bury(Dead::Pixels(memory));
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

/// Shared memory comes in multiples of this, which suits every device's alignment.
const SHARED_UNIT: u64 = 64 << 10;

/// `MOBILEGL_IPC_ADOPT_TIER=2`: persistent maps are never shared (spec 12 §8).
fn may_share() -> bool {
    std::env::var_os("MOBILEGL_IPC_ADOPT_TIER").is_none_or(|tier| tier != "2")
}

/// `MOBILEGL_IPC_PRESENT_CREDIT`: frames the client may be ahead of the server (spec 13 §1.2).
fn present_credit() -> u64 {
    let wished = std::env::var("MOBILEGL_IPC_PRESENT_CREDIT").ok().and_then(|v| v.parse().ok());
    wished.unwrap_or(1).clamp(1, 8)
}
