//! Content of objects: uploads, read-backs, parameters (spec 01b §4.5). Every content record declares its bytes.

use crate::tokens::{Aspects, DepthStencilMode, ResourceTarget, Swizzle};
use crate::wire::{Blob, Bool8, Box3, Pad};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Texture};

record! {
    /// Parameters of a texture object (spec 02 §5.4).
    SetTextureParams("set_texture_params") = 47, Object, None {
        texture: Handle<Texture>, base_level: u16, max_level: u16, swizzle: [Swizzle; 4],
        depth_stencil_mode: DepthStencilMode, pad: Pad<7>,
    }
}

wire_struct! {
    /// One box of a texture upload, tight unless strides say otherwise (spec 02 §7.1).
    pub struct SubRegion {
        /// Destination in level coordinates; `z` is the slice, layer or layer-face.
        dst: Box3,
        /// Offset in the blob.
        src_offset: u64,
        /// Bytes between rows; 0 = tight.
        row_stride: u32,
        /// Bytes between slices; 0 = tight.
        slice_stride: u32,
    }
}
record! {
    /// Buffer or texture content. A buffer has no regions and writes the blob at `offset`; a texture writes each
    /// region of the blob into `level`, texels in the storage layout of its format.
    ResourceSubData("resource_subdata") = 48, Object, None {
        target: ResourceTarget, pad: Pad<1>, level: u16, region_count: u32,
        slot: u32, generation: u32,
        offset: u64,
        blob: Blob,
    }
    tails { regions: [SubRegion; region_count] }
}
record! {
    /// Reserved; what a client writes into a store that `map_persistent` moved is there without a record.
    BufferSubDataResident("buffer_subdata_resident") = 49, Object, None { buffer: Handle<Buffer>, offset: u64, blob: Blob }
}
record! {
    /// Retired opcode; refused by name.
    TexturePullDone("texture_pull_done") = 50, Object, None { reserved: Pad<8> }
}
record! {
    /// `glFlushMappedBufferRange` on a shared store; the bytes precede it as sub-data otherwise.
    ResourceFlushRange("resource_flush_range") = 51, Object, None { buffer: Handle<Buffer>, offset: u64, size: u64, access: u32, pad: Pad<4> }
}
record! {
    /// Buffer read-back; the bytes are the answer, at most one reply slot.
    ResourceReadback("resource_readback") = 52, Object, Reply { buffer: Handle<Buffer>, offset: u64, size: u64 }
}

wire_struct! {
    /// Source of a pixel read: storage layout, tight (spec 02 §9.8).
    pub struct ReadbackInfo {
        /// Box in the level or framebuffer.
        src: Box3,
        /// Mip level (textures).
        level: u16,
        /// Which aspect is read.
        aspects: Aspects,
        /// Zero.
        pad: Pad<5>,
    }
}
record! {
    /// Texels of a texture level; the answer is tight in the storage layout.
    GetTextureImage("get_texture_image") = 55, Object, Reply { texture: Handle<Texture>, info: ReadbackInfo }
}
record! {
    /// Pixels of the read surface; the answer is tight in the storage layout of the surface's format. A
    /// multisampled surface is refused by the client.
    ReadPixels("read_pixels") = 58, Verb, Reply { info: ReadbackInfo }
}
record! {
    /// Pixels of the read surface into a buffer, storage layout, with the given strides (spec 05b §7.3).
    ReadPixelsToBuffer("read_pixels_to_buffer") = 82, Verb, None {
        info: ReadbackInfo, buffer: Handle<Buffer>, offset: u64, row_stride: u32, image_stride: u32,
    }
}
record! {
    /// Texels of a texture level into a buffer, storage layout.
    GetTextureImageToBuffer("get_texture_image_to_buffer") = 83, Object, None {
        texture: Handle<Texture>, info: ReadbackInfo, buffer: Handle<Buffer>, offset: u64, row_stride: u32, image_stride: u32,
    }
}
record! {
    /// `glCopyBufferSubData`.
    CopyBuffer("copy_buffer") = 86, Object, None { src: Handle<Buffer>, dst: Handle<Buffer>, src_offset: u64, dst_offset: u64, size: u64 }
}
record! {
    /// `glClearBufferSubData`: fills a range with a pattern of 1, 2, 4, 8, 12 or 16 bytes.
    ClearBufferData("clear_buffer_data") = 87, Object, None { buffer: Handle<Buffer>, offset: u64, size: u64, pattern_size: u32, pad: Pad<4>, pattern: [u32; 4] }
}
record! {
    /// `glClearTexSubImage`: fills a box with one texel in the storage layout (at most 16 bytes).
    ClearTexture("clear_texture") = 88, Object, None { texture: Handle<Texture>, region: Box3, level: u16, whole: Bool8, pad: Pad<5>, texel: [u32; 4] }
}
record! {
    /// `glTexSubImage*` out of a pixel unpack buffer whose bytes are texels already (GL 4.6 §8.5): blocks of the texture's
    /// storage layout, tight where a stride is 0. The client does not see them.
    CopyBufferToTexture("copy_buffer_to_texture") = 92, Object, None {
        texture: Handle<Texture>, dst: Box3, level: u16, pad: Pad<6>,
        buffer: Handle<Buffer>, offset: u64, row_stride: u32, slice_stride: u32,
    }
}
