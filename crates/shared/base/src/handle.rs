//! Typed object handles `{slot, gen}` (spec 01 §2.1). Must not know what a slot stores.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Object kinds of the wire, numbered from 1 and never renumbered (spec 01 §2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum KindTag {
    Buffer = 1,
    Texture = 2,
    Renderbuffer = 3,
    Framebuffer = 4,
    Xfb = 5,
    RenderStateCso = 6,
    VertexElementsCso = 7,
    SamplerCso = 8,
    SamplerViewCso = 9,
    ShaderCso = 10,
    Fence = 11,
    Query = 12,
    Context = 13,
}

impl KindTag {
    /// Every kind, in wire order.
    pub const ALL: [KindTag; 13] = [
        KindTag::Buffer,
        KindTag::Texture,
        KindTag::Renderbuffer,
        KindTag::Framebuffer,
        KindTag::Xfb,
        KindTag::RenderStateCso,
        KindTag::VertexElementsCso,
        KindTag::SamplerCso,
        KindTag::SamplerViewCso,
        KindTag::ShaderCso,
        KindTag::Fence,
        KindTag::Query,
        KindTag::Context,
    ];

    /// The kind with this wire number, or `None`.
    pub fn from_wire(value: u32) -> Option<KindTag> {
        Self::ALL.into_iter().find(|k| *k as u32 == value)
    }
}

/// A marker type that names an object kind at compile time.
pub trait Kind: Copy + Clone + Send + Sync + 'static {
    /// The wire number of the kind.
    const TAG: KindTag;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;
        impl Kind for $name { const TAG: KindTag = KindTag::$name; }
    )+};
}

kinds! {
    /// Buffer object storage.
    Buffer,
    /// Texture object storage.
    Texture,
    /// Renderbuffer storage; a class of its own on the wire (spec 01 §6).
    Renderbuffer,
    /// Framebuffer attachment set; `{0,1}` is the default framebuffer.
    Framebuffer,
    /// Transform feedback object.
    Xfb,
    /// Pipeline subset of the render state.
    RenderStateCso,
    /// Vertex attribute layout.
    VertexElementsCso,
    /// Sampler parameters.
    SamplerCso,
    /// View restrictions over a texture.
    SamplerViewCso,
    /// Linked program.
    ShaderCso,
    /// Fence sync object.
    Fence,
    /// Query object.
    Query,
    /// GL context (= flow).
    Context,
}

/// `{slot, gen}`; all zero is null. Minted by the client only, unique until a slot was reused 2^32 times.
#[repr(transparent)]
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct Handle<K>(Parts, PhantomData<K>);

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
struct Parts {
    slot: u32,
    generation: u32,
}

impl<K> Handle<K> {
    /// The null handle.
    pub const NULL: Self = Self::new(0, 0);

    /// A handle from its parts; generation 0 makes it null-like and is refused by tables.
    pub const fn new(slot: u32, generation: u32) -> Self {
        Self(Parts { slot, generation }, PhantomData)
    }
    /// Index into the kind's table.
    pub const fn slot(self) -> u32 {
        self.0.slot
    }
    /// Reuse count of the slot, from 1.
    pub const fn generation(self) -> u32 {
        self.0.generation
    }
    /// True for `{0,0}`.
    pub const fn is_null(self) -> bool {
        self.0.slot == 0 && self.0.generation == 0
    }
    /// The same bits as one number, for keys and logs.
    pub const fn bits(self) -> u64 {
        ((self.0.generation as u64) << 32) | self.0.slot as u64
    }
}

impl Handle<Framebuffer> {
    /// The default framebuffer of the context that speaks (spec 01 §2.2).
    pub const DEFAULT_FRAMEBUFFER: Self = Self::new(0, 1);
}

impl<K> Clone for Handle<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Handle<K> {}
impl<K> PartialEq for Handle<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K> Eq for Handle<K> {}
impl<K> Hash for Handle<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}
impl<K> Default for Handle<K> {
    fn default() -> Self {
        Self::NULL
    }
}
impl<K: Kind> fmt::Debug for Handle<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{{{},{}}}", K::TAG, self.0.slot, self.0.generation)
    }
}
