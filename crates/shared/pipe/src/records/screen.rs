//! Screen family: resources, persistent maps and fences (spec 01b §4.1, 02 §3). Must not know contexts.

use crate::tokens::ResourceTarget;
use crate::wire::{Bool8, Pad};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Fence, Texture};

/// Flag of [`ResourceDesc::storage_flags`] beside those of GL: no byte of the store is written after a verb may have read
/// it, until the store is defined again. Writes need not be ordered with what the GPU does.
pub const WRITTEN_ONCE: u32 = 1 << 31;

wire_struct! {
    /// Storage of a buffer, texture or renderbuffer (spec 02 §3). One shape for create and respecify.
    pub struct ResourceDesc {
        /// `Buffer`, `Texture` or `Renderbuffer` handle bits; the kind follows from `target`.
        slot: u32,
        /// Generation of the handle.
        generation: u32,
        /// What it is.
        target: ResourceTarget,
        /// Immutable storage (`glBufferStorage`, `glTexStorage*`).
        immutable: Bool8,
        /// The client has seen this texture bound as an image.
        image_bindable: Bool8,
        /// `glTexStorage*Multisample` fixed sample locations.
        fixed_sample_locations: Bool8,
        /// `format::Format` number; 0 for buffers and for storage that is not defined yet.
        format: u16,
        /// Mip levels, at least 1 when the storage is defined.
        levels: u16,
        /// Texels of level 0; all 0 = storage not defined. 1D uses `width` only.
        width: u32,
        /// Rows of level 0.
        height: u32,
        /// Slices of level 0 of a 3D texture, else 1.
        depth: u32,
        /// Array layers (6 per cube), else 1.
        layers: u32,
        /// Samples per texel; 0 or 1 = single sampled.
        samples: u32,
        /// Buffer usage token (`GL_STATIC_DRAW` ...).
        usage: u32,
        /// Buffer bytes.
        size: u64,
        /// `glBufferStorage` flags, and [`WRITTEN_ONCE`].
        storage_flags: u32,
        /// GL name, for messages only; never an identity.
        debug_name: u32,
        /// Storage owner of a texture view (never itself a view).
        view_of: Handle<Texture>,
        /// First level of the owner that a view shows.
        view_level: u16,
        /// First layer of the owner that a view shows.
        view_layer: u16,
        /// Zero.
        pad: Pad<4>,
        /// Store of a buffer texture.
        buffer: Handle<Buffer>,
        /// Offset of the buffer texture's range.
        buffer_offset: u64,
        /// Bytes of the range; all ones = the whole buffer, resolved live.
        buffer_size: u64,
    }
}

record! {
    /// Capability question in the stream. The snapshot travels on the control plane; the record is refused by name.
    GetCaps("get_caps") = 1, Screen, Reply { reserved: Pad<8> }
}
record! {
    /// A buffer, texture or renderbuffer exists; its storage may still be undefined.
    ResourceCreate("resource_create") = 2, Screen, None { desc: ResourceDesc }
}
record! {
    /// Defines or redefines the storage of a whole resource. Levels whose extent and format fit the new storage
    /// keep their content, all others become undefined.
    ResourceRespecify("resource_respecify") = 3, Screen, None { desc: ResourceDesc, keep_content: Bool8, pad: Pad<7> }
}
record! {
    /// The client dropped its last reference; storage goes when the last pin (view, attachment, GPU use) is gone.
    ResourceDestroy("resource_destroy") = 4, Screen, None { target: ResourceTarget, pad: Pad<7>, slot: u32, generation: u32 }
}
record! {
    /// Moves the store of a buffer into memory that the control plane shared before, for a persistent map. Answered when
    /// the content is there; DECLINED where the device cannot use that memory.
    MapPersistent("map_persistent") = 5, Screen, Reply { buffer: Handle<Buffer>, memory: u32, pad: Pad<4> }
}
record! {
    /// Reserved; a store that was moved stays in that memory until its buffer goes.
    UnmapPersistent("unmap_persistent") = 6, Screen, None { buffer: Handle<Buffer> }
}
record! {
    /// `glFenceSync`; completion is reported by a fence-signalled event.
    FenceCreate("fence_create") = 7, Screen, None { fence: Handle<Fence> }
}
record! {
    /// Asks whether a fence is signalled; DECLINED means signalled (spec 05b §6.1). The answer is one byte.
    FenceStatus("fence_status") = 8, Screen, Reply { fence: Handle<Fence> }
}
record! {
    /// `glClientWaitSync` with a non-zero time-out in nanoseconds. The answer is one byte: 1 signalled, 0 expired.
    FenceWait("fence_wait") = 9, Screen, Reply { fence: Handle<Fence>, timeout_ns: u64 }
}
record! {
    /// `glDeleteSync`.
    FenceDestroy("fence_destroy") = 10, Screen, None { fence: Handle<Fence> }
}
record! {
    /// `glWaitSync`: the server's queue waits, the client does not.
    FenceWaitServer("fence_wait_server") = 71, Screen, None { fence: Handle<Fence> }
}
