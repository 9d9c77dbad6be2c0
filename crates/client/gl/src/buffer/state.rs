//! Buffer objects and the places of a context where they are bound. Must not push records.

use super::store::Store;
use crate::instance::{Dead, Instance};
use crate::share::{LastWrite, lock};
use crate::tokens as t;
use mgl_base::Handle;
use mgl_base::handle;
use mgl_base::limits::{MAX_BUFFER_BINDINGS, MAX_XFB_BUFFERS};
use mgl_pipe::records::BufferRange;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Binding points of a context. The element buffer is state of the vertex array (GL 4.6 §10.3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Array,
    CopyRead,
    CopyWrite,
    DrawIndirect,
    DispatchIndirect,
    PixelPack,
    PixelUnpack,
    Query,
    Texture,
    Xfb,
    Uniform,
    Storage,
    Atomic,
    Parameter,
}

/// Number of [`Target`]s.
const TARGETS: usize = Target::Parameter as usize + 1;

/// Tokens with the binding point and the query of its binding.
pub(super) const TARGET_TOKENS: [(u32, Target, u32); TARGETS] = [
    (t::ARRAY_BUFFER, Target::Array, t::ARRAY_BUFFER_BINDING),
    (t::COPY_READ_BUFFER, Target::CopyRead, t::COPY_READ_BUFFER_BINDING),
    (t::COPY_WRITE_BUFFER, Target::CopyWrite, t::COPY_WRITE_BUFFER_BINDING),
    (t::DRAW_INDIRECT_BUFFER, Target::DrawIndirect, t::DRAW_INDIRECT_BUFFER_BINDING),
    (t::DISPATCH_INDIRECT_BUFFER, Target::DispatchIndirect, t::DISPATCH_INDIRECT_BUFFER_BINDING),
    (t::PIXEL_PACK_BUFFER, Target::PixelPack, t::PIXEL_PACK_BUFFER_BINDING),
    (t::PIXEL_UNPACK_BUFFER, Target::PixelUnpack, t::PIXEL_UNPACK_BUFFER_BINDING),
    (t::QUERY_BUFFER, Target::Query, t::QUERY_BUFFER_BINDING),
    (t::TEXTURE_BUFFER, Target::Texture, t::TEXTURE_BUFFER_BINDING),
    (t::TRANSFORM_FEEDBACK_BUFFER, Target::Xfb, t::TRANSFORM_FEEDBACK_BUFFER_BINDING),
    (t::UNIFORM_BUFFER, Target::Uniform, t::UNIFORM_BUFFER_BINDING),
    (t::SHADER_STORAGE_BUFFER, Target::Storage, t::SHADER_STORAGE_BUFFER_BINDING),
    (t::ATOMIC_COUNTER_BUFFER, Target::Atomic, t::ATOMIC_COUNTER_BUFFER_BINDING),
    (t::PARAMETER_BUFFER, Target::Parameter, t::PARAMETER_BUFFER_BINDING),
];

impl Target {
    /// The binding point of a GL token.
    pub fn from_token(token: u32) -> Option<Self> {
        TARGET_TOKENS.iter().find(|row| row.0 == token).map(|row| row.1)
    }
}

/// An indexed binding point: a range of a buffer, or all of it as it is when it is used (spec 04 §7).
#[derive(Clone, Debug, Default)]
pub struct Indexed {
    /// The buffer.
    pub buffer: Option<Arc<Buffer>>,
    /// First byte.
    pub offset: u64,
    /// Bytes; 0 = the whole buffer (`glBindBufferBase`).
    pub size: u64,
}

impl Indexed {
    /// The range as it is now, never beyond the store and at most `limit` bytes; null when nothing is left of it.
    pub fn resolve(&self, limit: u64) -> BufferRange {
        let Some(buffer) = &self.buffer else { return BufferRange::default() };
        let room = buffer.size().saturating_sub(self.offset);
        let size = if self.size == 0 { room } else { self.size.min(room) }.min(limit);
        if size == 0 {
            return BufferRange::default();
        }
        BufferRange { buffer: buffer.handle, offset: self.offset, size }
    }
    fn names(&self, buffer: &Arc<Buffer>) -> bool {
        self.buffer.as_ref().is_some_and(|b| Arc::ptr_eq(b, buffer))
    }
}

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    bound: [Option<Arc<Buffer>>; TARGETS],
    /// `GL_UNIFORM_BUFFER` points.
    pub(crate) uniform: Vec<Indexed>,
    /// `GL_SHADER_STORAGE_BUFFER` points.
    pub(crate) storage: Vec<Indexed>,
    /// `GL_ATOMIC_COUNTER_BUFFER` points.
    pub(crate) atomic: Vec<Indexed>,
    /// `GL_TRANSFORM_FEEDBACK_BUFFER` points of the bound transform feedback object; that group swaps them.
    pub(crate) xfb: [Indexed; MAX_XFB_BUFFERS],
    /// Transform feedback is active and not paused: its points cannot be rebound (GL 4.6 §13.3.2).
    pub(crate) xfb_locked: bool,
    /// What draws fetch from client memory.
    pub(crate) stream: super::stream::Stream,
    pub(super) emit: super::emit::Sent,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        let points = || vec![Indexed::default(); MAX_BUFFER_BINDINGS];
        Self {
            bound: Default::default(),
            uniform: points(),
            storage: points(),
            atomic: points(),
            xfb: Default::default(),
            xfb_locked: false,
            stream: Default::default(),
            emit: Default::default(),
        }
    }
    /// What is bound to `target`.
    pub(crate) fn bound(&self, target: Target) -> Option<&Arc<Buffer>> {
        self.bound[target as usize].as_ref()
    }
    pub(super) fn bind(&mut self, target: Target, buffer: Option<Arc<Buffer>>) {
        self.bound[target as usize] = buffer;
    }
    /// The points of an indexed target.
    pub(crate) fn points(&self, target: Target) -> Option<&[Indexed]> {
        match target {
            Target::Uniform => Some(&self.uniform),
            Target::Storage => Some(&self.storage),
            Target::Atomic => Some(&self.atomic),
            Target::Xfb => Some(&self.xfb),
            _ => None,
        }
    }
    pub(super) fn points_mut(&mut self, target: Target) -> Option<&mut [Indexed]> {
        match target {
            Target::Uniform => Some(&mut self.uniform),
            Target::Storage => Some(&mut self.storage),
            Target::Atomic => Some(&mut self.atomic),
            Target::Xfb => Some(&mut self.xfb),
            _ => None,
        }
    }
    /// Forgets a deleted buffer at every point of this context; the targets whose indexed points named it.
    pub(super) fn unbind(&mut self, buffer: &Arc<Buffer>) -> Vec<Target> {
        for slot in &mut self.bound {
            slot.take_if(|b| Arc::ptr_eq(b, buffer));
        }
        let mut touched = Vec::new();
        for target in [Target::Uniform, Target::Storage, Target::Atomic, Target::Xfb] {
            for point in self.points_mut(target).into_iter().flatten().filter(|p| p.names(buffer)) {
                *point = Indexed::default();
                touched.push(target);
            }
        }
        touched.dedup();
        touched
    }
}

/// A buffer object. Its bytes live on the server.
#[derive(Debug)]
pub struct Buffer {
    instance: Arc<Instance>,
    /// GL name, for queries and messages.
    pub name: u32,
    /// The store on the server.
    pub handle: Handle<handle::Buffer>,
    /// Newest record that wrote it, and who uses it.
    pub last_write: LastWrite,
    size: AtomicU64,
    deleted: AtomicBool,
    mapped: AtomicBool,
    texture_store: AtomicBool,
    store: Mutex<Store>,
}

impl Buffer {
    pub(super) fn new(instance: &Arc<Instance>, name: u32) -> Arc<Self> {
        Arc::new(Self {
            instance: instance.clone(),
            name,
            handle: instance.mint(),
            last_write: LastWrite::default(),
            size: AtomicU64::new(0),
            deleted: AtomicBool::new(false),
            mapped: AtomicBool::new(false),
            texture_store: AtomicBool::new(false),
            store: Mutex::default(),
        })
    }
    /// Bytes of the store.
    pub fn size(&self) -> u64 {
        self.size.load(Ordering::Acquire)
    }
    pub(super) fn set_size(&self, size: u64) {
        self.size.store(size, Ordering::Release);
    }
    /// Its name was deleted; the name may already mean another object.
    pub(super) fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Acquire)
    }
    pub(super) fn mark_deleted(&self) {
        self.deleted.store(true, Ordering::Release);
    }
    /// Mapped without `GL_MAP_PERSISTENT_BIT`: commands may not use the store (GL 4.6 §6.3.2).
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }
    /// It was made the store of a buffer texture once, so any draw may read it.
    pub(super) fn is_texture_store(&self) -> bool {
        self.texture_store.load(Ordering::Acquire)
    }
    /// It becomes the store of a buffer texture.
    pub(crate) fn mark_texture_store(&self) {
        self.texture_store.store(true, Ordering::Release);
    }
    pub(super) fn set_mapped(&self, mapped: bool) -> bool {
        self.mapped.swap(mapped, Ordering::AcqRel)
    }
    pub(super) fn store(&self) -> MutexGuard<'_, Store> {
        lock(&self.store)
    }
    /// A record of this client wrote `range` on the server.
    pub(crate) fn filled(&self, flow: u32, seq: u64, range: std::ops::Range<u64>) {
        self.last_write.set(flow, seq);
        self.store().client_wrote(range);
    }
    /// Draws and dispatches may write the store: no byte kept on the client is current.
    pub(crate) fn drawn_to(&self) {
        self.store().invalidate_kept(self.size());
    }
    /// A record on `flow` wrote or may write the store on the server: remembers the order and that no byte kept on
    /// the client is current.
    pub fn written(&self, flow: u32, seq: u64) {
        self.last_write.set(flow, seq);
        self.store().invalidate_kept(self.size());
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.instance.bury(Dead::Buffer(self.handle));
    }
}
