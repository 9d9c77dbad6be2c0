//! Buffer objects by handle. Must not know what a buffer is bound to, nor how its content is moved.

use crate::bindings::Bindings;
use crate::error::refuse;
use crate::raw::{Gl, consts};
use mgl_backend::traits::Outcome;
use mgl_backend::{BufferDesc, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Buffer;
use mgl_base::slots::SlotTable;

/// The store of a buffer as draws need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferRef {
    /// Driver name.
    pub name: u32,
    /// Bytes.
    pub size: u64,
    /// Rises whenever the handle gets another store or other content; never the same for two stores.
    pub serial: u64,
    /// Writes need not be ordered with draws.
    pub written_once: bool,
}

#[derive(Debug)]
struct Store {
    name: u32,
    size: u64,
    serial: u64,
    written_once: bool,
    /// Buffer textures that show it.
    pins: u32,
    /// The program deleted it; it lives for its pins.
    dead: bool,
}

/// All buffers of a session.
#[derive(Debug, Default)]
pub struct BufferTable {
    table: SlotTable<Buffer, Store>,
    serial: u64,
    /// Rises when a store is made, made again or gone: memos over bound ranges end.
    pub epoch: u64,
}

impl BufferTable {
    /// The store, or `None` when there is none.
    #[inline]
    pub fn get(&self, handle: Handle<Buffer>) -> Option<BufferRef> {
        let store = self.table.get(handle)?;
        let Store { name, size, serial, written_once, .. } = *store;
        (size > 0).then_some(BufferRef { name, size, serial, written_once })
    }

    /// The store, or a refusal.
    pub fn need(&self, handle: Handle<Buffer>) -> Outcome<BufferRef> {
        self.get(handle).ok_or(Refusal::Unsupported("buffer without a store"))
    }

    /// Content changed by whatever means.
    pub fn touch(&mut self, handle: Handle<Buffer>) {
        self.serial += 1;
        let serial = self.serial;
        if let Some(store) = self.table.get_mut(handle) {
            store.serial = serial;
        }
    }

    /// Live stores.
    pub fn live(&self) -> usize {
        self.table.live()
    }

    /// Creates or redefines a store. The name stays while the handle lives, so bindings by name stay right.
    pub fn define(&mut self, gl: &Gl, bind: &mut Bindings, handle: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        self.serial += 1;
        self.epoch += 1;
        let serial = self.serial;
        let size = usize::try_from(desc.size).ok().filter(|s| isize::try_from(*s).is_ok());
        let size = size.ok_or(Refusal::OutOfMemory("buffer store"))?;
        if self.table.get(handle).is_none() {
            let store = Store { name: gl.new_buffer(), size: 0, serial, written_once: false, pins: 0, dead: false };
            let old = self.table.insert(handle, store, "espryt.buffer").map_err(|f| Refusal::Driver(f.to_string()))?;
            if let Some(old) = old {
                drop_store(gl, bind, &old);
            }
        }
        let Some(store) = self.table.get_mut(handle) else { return Err(Refusal::Driver("buffer table".into())) };
        bind.buffer(gl, consts::COPY_WRITE_BUFFER, store.name);
        gl.take_error();
        gl.buffer_data_empty(consts::COPY_WRITE_BUFFER, size, usage_hint(desc));
        let error = gl.take_error();
        store.size = if error == 0 { desc.size } else { 0 };
        (store.serial, store.written_once) = (serial, desc.written_once());
        if error == 0 { Ok(()) } else { Err(refuse("buffer store", error)) }
    }

    /// Death of the client's reference.
    pub fn destroy(&mut self, gl: &Gl, bind: &mut Bindings, handle: Handle<Buffer>) {
        let Some(store) = self.table.get_mut(handle) else { return };
        if store.pins > 0 {
            store.dead = true;
            return;
        }
        self.epoch += 1;
        if let Some(store) = self.table.remove(handle) {
            drop_store(gl, bind, &store);
        }
    }

    /// A buffer texture shows the store.
    pub fn pin(&mut self, handle: Handle<Buffer>) {
        if let Some(store) = self.table.get_mut(handle) {
            store.pins += 1;
        }
    }

    /// A buffer texture no longer shows the store.
    pub fn unpin(&mut self, gl: &Gl, bind: &mut Bindings, handle: Handle<Buffer>) {
        let Some(store) = self.table.get_mut(handle) else { return };
        store.pins = store.pins.saturating_sub(1);
        if store.dead && store.pins == 0 {
            self.destroy(gl, bind, handle);
        }
    }

    /// True when a buffer texture shows the store.
    pub fn is_pinned(&self, handle: Handle<Buffer>) -> bool {
        self.table.get(handle).is_some_and(|s| s.pins > 0)
    }
}

fn drop_store(gl: &Gl, bind: &mut Bindings, store: &Store) {
    bind.forget_buffer(store.name);
    gl.drop_buffer(store.name);
}

/// The usage for the driver. Immutable stores have no GL usage; what may be mapped for reading lives near the host.
fn usage_hint(desc: &BufferDesc) -> u32 {
    const READ: u32 = consts::MAP_READ_BIT;
    match desc.usage {
        0 if desc.storage_flags & READ != 0 => consts::DYNAMIC_READ,
        0 if desc.storage_flags != 0 => consts::DYNAMIC_DRAW,
        0 => consts::STATIC_DRAW,
        usage => usage,
    }
}
