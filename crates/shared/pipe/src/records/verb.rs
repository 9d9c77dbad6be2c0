//! Commands that consume state (spec 01b §4.6). All state of a verb is pushed before it (spec 04 §6).

use crate::tokens::{Aspects, ClearKind, DrawPart, IndexSize, PixelLayout, PrimitiveMode, ResourceTarget, ValueClass};
use crate::wire::{Bool8, Box3, OptBlob, Pad};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Framebuffer, Renderbuffer, ShaderCso, Texture, Xfb};

record! {
    /// `glCopyImageSubData`, and nothing else. End points are textures or renderbuffers by target.
    ResourceCopyRegion("resource_copy_region") = 53, Verb, None {
        src_target: ResourceTarget, dst_target: ResourceTarget, src_level: u16, dst_level: u16, pad: Pad<2>,
        src_slot: u32, src_generation: u32, dst_slot: u32, dst_generation: u32,
        src: Box3, dst: [i32; 3], pad2: Pad<4>,
    }
}
record! {
    /// `glGenerateMipmap`: levels `base_level + 1 ..= last_level` from the base level.
    GenerateMipmap("generate_mipmap") = 54, Verb, None { texture: Handle<Texture>, base_level: u16, last_level: u16, pad: Pad<4> }
}
record! {
    /// `glBlitFramebuffer` between the read and draw framebuffer states. Corners as the program gave them.
    Blit("blit") = 56, Verb, None { src: [i32; 4], dst: [i32; 4], aspects: u32, linear: Bool8, pad: Pad<3> }
}
record! {
    /// All clears. `Whole` takes its values from the dynamic state and its buffers from `mask` (GL bits).
    Clear("clear") = 57, Verb, None {
        kind: ClearKind, class: ValueClass, pad: Pad<2>, mask: u32, draw_buffer: u32, depth: f32, stencil: u32, pad2: Pad<4>,
        /// Null = the bound draw framebuffer.
        fbo: Handle<Framebuffer>,
        color: [u32; 4],
    }
}

wire_struct! {
    /// One range of a draw.
    pub struct DrawRange {
        /// First vertex of an arrays draw; byte offset into the index buffer of an index draw.
        start: u64,
        /// Vertices or indices.
        count: u32,
        /// Added to every index.
        base_vertex: i32,
    }
}
wire_struct! {
    /// Indirect source of a draw (spec 02 §10.3). With it the record has no ranges.
    pub struct DrawIndirect {
        /// Commands.
        buffer: Handle<Buffer>,
        /// Draw count of the `*Count` forms, else null.
        parameter: Handle<Buffer>,
        /// First command.
        offset: u64,
        /// Count word.
        parameter_offset: u64,
        /// Bytes between commands.
        stride: u32,
        /// Draws, or the maximum of the `*Count` forms.
        draw_count: u32,
    }
}
record! {
    /// All draws (spec 02 §10). 48 bytes on the ring for a plain draw.
    DrawVbo("draw_vbo") = 59, Verb, None {
        mode: PrimitiveMode, index_size: IndexSize,
        /// Primitive restart is on for this draw.
        restart: Bool8,
        instance_count: u32, base_instance: u32, restart_index: u32,
        range_count: u32,
        /// 0 or 1; exclusive with ranges.
        indirect_count: u8,
        /// Longer lists of ranges take several records: the ranges of all parts are those of one draw, with the last part's
        /// parameters, and nothing but parts stands between them.
        part: DrawPart,
        pad: Pad<2>,
    }
    tails { ranges: [DrawRange; range_count], indirect: [DrawIndirect; indirect_count] }
}
record! {
    /// Dispatch, direct or from `indirect`.
    LaunchGrid("launch_grid") = 60, Verb, None { grid: [u32; 3], pad: Pad<4>, indirect: Handle<Buffer>, indirect_offset: u64 }
}
record! {
    /// `glMemoryBarrier[ByRegion]` and `glTextureBarrier`, GL bits.
    MemoryBarrier("memory_barrier") = 61, Verb, None { bits: u32, by_region: Bool8, pad: Pad<3> }
}
record! {
    /// Opens a capture span of the current draw program and stream output targets.
    BeginStreamOutput("begin_stream_output") = 62, Verb, None { xfb: Handle<Xfb>, mode: PrimitiveMode, pad: Pad<6> }
}
record! {
    /// Closes the span.
    EndStreamOutput("end_stream_output") = 63, Verb, None { xfb: Handle<Xfb> }
}
record! {
    /// Pauses the span; it survives other spans of other objects.
    PauseStreamOutput("pause_stream_output") = 64, Verb, None { xfb: Handle<Xfb> }
}
record! {
    /// Resumes a paused span where it stopped.
    ResumeStreamOutput("resume_stream_output") = 65, Verb, None { xfb: Handle<Xfb> }
}
record! {
    /// Submits what was recorded so far.
    Flush("flush") = 66, Verb, None { reserved: Pad<8> }
}
record! {
    /// Frame boundary; the serial counts from 1.
    Present("present") = 67, Verb, Present { serial: u64 }
}
record! {
    /// Retired: when a picture is shown is between the client and its window system.
    SetSwapInterval("set_swap_interval") = 68, Verb, None { reserved: Pad<8> }
}
record! {
    /// Reserved by the specification for backends that bind images at the call; `set_shader_images` carries the data.
    BindShaderImage("bind_shader_image") = 72, Verb, None { reserved: Pad<8> }
}
record! {
    /// Reserved; `set_patch_state` carries the data.
    PatchParameter("patch_parameter") = 73, Verb, None { reserved: Pad<8> }
}
record! {
    /// Reserved; `set_stream_output_targets` names the object.
    BindStreamOutput("bind_stream_output") = 74, Verb, None { reserved: Pad<8> }
}
record! {
    /// Reserved; `set_program_bindings` carries the data.
    SetStorageBlockBinding("set_storage_block_binding") = 75, Verb, None { cso: Handle<ShaderCso>, binding: u32, pad: Pad<4>, name: OptBlob }
}
record! {
    /// `glCopyTex[Sub]Image*`: from the read surface into a texture level. A redefinition of the level has crossed
    /// as `resource_respecify`.
    CopyFramebufferToTexture("copy_framebuffer_to_texture") = 76, Verb, None {
        texture: Handle<Texture>, level: u16, aspects: Aspects, pad: Pad<1>, layer: u32,
        src: [i32; 2], dst: [i32; 2], width: u32, height: u32,
    }
}
record! {
    /// Death of a transform feedback object.
    DeleteStreamOutput("delete_stream_output") = 81, Verb, None { xfb: Handle<Xfb> }
}
record! {
    /// A draw of as many vertices as the stream captured into the object's buffers (GL 4.6 §13.3.3).
    DrawStreamOutput("draw_stream_output") = 91, Verb, None {
        xfb: Handle<Xfb>, stream: u32, instance_count: u32, mode: PrimitiveMode, pad: Pad<6>,
    }
}
record! {
    /// A rectangle of a finished image of one sample goes into memory in common as it stands behind everything before
    /// this record. It lies there once the flow's completed frame has reached the serial of the next `present`.
    PresentImage("present_image") = 93, Verb, None {
        image: Handle<Renderbuffer>,
        /// Byte of the memory at which the rectangle's top row begins; a multiple of a pixel's bytes.
        offset: u64,
        /// The session's number of the memory.
        memory: u32,
        /// Bytes from row to row, a multiple of 4. Bytes between the rows are left alone.
        stride: u32,
        /// Left column of the rectangle.
        x: u32,
        /// Bottom row of the rectangle, counted as GL counts rows.
        y: u32,
        /// Columns, at least 1.
        width: u32,
        /// Rows, at least 1.
        height: u32,
        layout: PixelLayout, pad: Pad<7>,
    }
}
record! {
    /// The client names this memory in no later `present_image`. The server lets go of it once the device is done with it.
    ForgetMemory("forget_memory") = 94, Verb, None { memory: u32, pad: Pad<4> }
}
