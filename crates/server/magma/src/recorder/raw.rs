//! Recording of passes, draws, dispatches and their dynamic state. Must not know GL state or shadows of what was recorded.

use crate::device::Gpu;
use crate::vertex::VertexLayout;
use ash::vk;
use smallvec::SmallVec;

/// Draws that every device with `VK_EXT_multi_draw` takes at once (its `maxMultiDrawCount` is no less).
pub const MULTI_DRAWS: usize = 1024;

/// A command buffer that is recording, with the functions to record into it.
#[derive(Clone, Copy)]
pub struct Recorder<'a> {
    gpu: &'a Gpu,
    cmd: vk::CommandBuffer,
}

macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) = $call:ident;)+) => {
        impl Recorder<'_> {$(
            $(#[$doc])*
            pub fn $name(&self, $($arg: $ty),*) {
                // SAFETY: the crate's contract; the command buffer is recording and the caller is in the state (inside or
                // outside a pass) that the command needs.
                unsafe { self.gpu.device.$call(self.cmd, $($arg),*) }
            }
        )+}
    };
}

commands! {
    /// Draws vertices.
    draw(vertices: u32, instances: u32, first: u32, first_instance: u32) = cmd_draw;
    /// Draws indexed vertices.
    draw_indexed(indices: u32, instances: u32, first: u32, base_vertex: i32, first_instance: u32) = cmd_draw_indexed;
    /// Draws from a buffer.
    draw_indirect(buffer: vk::Buffer, offset: u64, count: u32, stride: u32) = cmd_draw_indirect;
    /// Draws indexed from a buffer.
    draw_indexed_indirect(buffer: vk::Buffer, offset: u64, count: u32, stride: u32) = cmd_draw_indexed_indirect;
    /// Dispatches.
    dispatch(x: u32, y: u32, z: u32) = cmd_dispatch;
    /// Dispatches from a buffer.
    dispatch_indirect(buffer: vk::Buffer, offset: u64) = cmd_dispatch_indirect;
    /// Binds a pipeline.
    bind_pipeline(point: vk::PipelineBindPoint, pipeline: vk::Pipeline) = cmd_bind_pipeline;
    /// Binds an index buffer.
    bind_index_buffer(buffer: vk::Buffer, offset: u64, ty: vk::IndexType) = cmd_bind_index_buffer;
    /// Binds vertex buffers; both lists have the same length.
    bind_vertex_buffers(first: u32, buffers: &[vk::Buffer], offsets: &[u64]) = cmd_bind_vertex_buffers;
    /// Binds descriptor sets.
    bind_sets(
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        first: u32,
        sets: &[vk::DescriptorSet],
        dynamic: &[u32]
    ) = cmd_bind_descriptor_sets;
    /// Sets push constants.
    push_constants(layout: vk::PipelineLayout, stages: vk::ShaderStageFlags, offset: u32, bytes: &[u8]) = cmd_push_constants;
    /// Sets viewports.
    set_viewports(first: u32, viewports: &[vk::Viewport]) = cmd_set_viewport;
    /// Sets scissor boxes.
    set_scissors(first: u32, boxes: &[vk::Rect2D]) = cmd_set_scissor;
    /// Sets the line width.
    set_line_width(width: f32) = cmd_set_line_width;
    /// Sets the depth bias.
    set_depth_bias(constant: f32, clamp: f32, slope: f32) = cmd_set_depth_bias;
    /// Sets the blend colour.
    set_blend_constants(color: &[f32; 4]) = cmd_set_blend_constants;
    /// Sets a stencil compare mask.
    set_stencil_compare_mask(faces: vk::StencilFaceFlags, mask: u32) = cmd_set_stencil_compare_mask;
    /// Sets a stencil write mask.
    set_stencil_write_mask(faces: vk::StencilFaceFlags, mask: u32) = cmd_set_stencil_write_mask;
    /// Sets a stencil reference.
    set_stencil_reference(faces: vk::StencilFaceFlags, reference: u32) = cmd_set_stencil_reference;
    /// Clears parts of attachments inside a pass.
    clear_attachments(attachments: &[vk::ClearAttachment], rects: &[vk::ClearRect]) = cmd_clear_attachments;
    /// Resets queries, outside a pass.
    reset_queries(pool: vk::QueryPool, first: u32, count: u32) = cmd_reset_query_pool;
    /// Begins a query.
    begin_query(pool: vk::QueryPool, query: u32, flags: vk::QueryControlFlags) = cmd_begin_query;
    /// Writes a time stamp.
    write_timestamp(stage: vk::PipelineStageFlags, pool: vk::QueryPool, query: u32) = cmd_write_timestamp;
    /// Begins a render pass object.
    begin_render_pass(info: &vk::RenderPassBeginInfo<'_>, contents: vk::SubpassContents) = cmd_begin_render_pass;
    /// Resolves samples, outside a pass.
    resolve_image(
        src: vk::Image,
        src_layout: vk::ImageLayout,
        dst: vk::Image,
        dst_layout: vk::ImageLayout,
        regions: &[vk::ImageResolve]
    ) = cmd_resolve_image;
}

impl<'a> Recorder<'a> {
    /// A recorder of `cmd`.
    pub fn new(gpu: &'a Gpu, cmd: vk::CommandBuffer) -> Self {
        Self { gpu, cmd }
    }

    /// The command buffer.
    pub fn cmd(&self) -> vk::CommandBuffer {
        self.cmd
    }

    /// Begins dynamic rendering; false without the feature.
    pub fn begin_rendering(&self, info: &vk::RenderingInfo<'_>) -> bool {
        let Some(fns) = &self.gpu.ext.dynamic_rendering else { return false };
        // SAFETY: the crate's contract; no pass is open and every view is in the layout that `info` names.
        unsafe { fns.cmd_begin_rendering(self.cmd, info) };
        true
    }

    /// Draws with a count in a buffer; false without the feature.
    pub fn draw_indirect_count(
        &self,
        indexed: bool,
        from: (vk::Buffer, u64),
        count: (vk::Buffer, u64),
        max: u32,
        stride: u32,
    ) -> bool {
        let Some(fns) = &self.gpu.ext.draw_count else { return false };
        // SAFETY: the crate's contract; a pass is open and `max` commands of `stride` bytes lie in the buffer.
        unsafe {
            if indexed {
                fns.cmd_draw_indexed_indirect_count(self.cmd, from.0, from.1, count.0, count.1, max, stride);
            } else {
                fns.cmd_draw_indirect_count(self.cmd, from.0, from.1, count.0, count.1, max, stride);
            }
        }
        true
    }

    /// Draws as many vertices of `stride` bytes as the counter says; nothing without the feature.
    pub fn draw_counted(&self, instances: u32, counter: (vk::Buffer, u64), stride: u32) {
        if let Some(fns) = &self.gpu.ext.xfb {
            // SAFETY: the crate's contract; a pass is open and the counter is a whole word of the buffer.
            unsafe {
                (fns.fp().cmd_draw_indirect_byte_count_ext)(self.cmd, instances, 0, counter.0, counter.1, 0, stride);
            }
        }
    }

    /// Sets bindings and attributes of a vertex layout; nothing without the feature.
    pub fn set_vertex_input(&self, layout: &VertexLayout) {
        let Some(fns) = &self.gpu.ext.vertex_input else { return };
        let rate = |instanced| if instanced { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX };
        let divisor = |at: u32| layout.divisors.iter().find(|(binding, _)| *binding == at).map_or(1, |(_, d)| *d);
        let bindings: SmallVec<[vk::VertexInputBindingDescription2EXT<'_>; 16]> = layout
            .bindings
            .iter()
            .zip(0u32..)
            .map(|(b, at)| {
                vk::VertexInputBindingDescription2EXT::default()
                    .binding(at)
                    .stride(b.stride)
                    .input_rate(rate(b.instanced))
                    .divisor(divisor(at))
            })
            .collect();
        let attributes: SmallVec<[vk::VertexInputAttributeDescription2EXT<'_>; 16]> = layout
            .attributes
            .iter()
            .map(|a| {
                vk::VertexInputAttributeDescription2EXT::default()
                    .location(a.location)
                    .binding(a.binding)
                    .format(a.format)
                    .offset(a.offset)
            })
            .collect();
        // SAFETY: the crate's contract; the feature is on and the bound pipeline declares vertex input dynamic.
        unsafe { fns.cmd_set_vertex_input(self.cmd, &bindings, &attributes) }
    }

    /// Pushes uniform buffers: each run is a binding and how many of `infos` are its elements, from its first; nothing
    /// without the feature.
    pub fn push_uniform_buffers(
        &self,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        runs: &[(u32, usize)],
        infos: &[vk::DescriptorBufferInfo],
    ) {
        let Some(fns) = &self.gpu.ext.push_descriptor else { return };
        let mut rest = infos;
        let mut writes: SmallVec<[vk::WriteDescriptorSet<'_>; 16]> = SmallVec::new();
        for (binding, elements) in runs {
            let (own, others) = rest.split_at((*elements).min(rest.len()));
            rest = others;
            let write = vk::WriteDescriptorSet::default().dst_binding(*binding);
            writes.push(write.descriptor_type(vk::DescriptorType::UNIFORM_BUFFER).buffer_info(own));
        }
        // SAFETY: the crate's contract; the descriptors of set 0 of `layout` are pushed, with these bindings.
        unsafe { fns.cmd_push_descriptor_set(self.cmd, point, layout, 0, &writes) }
    }

    /// Several draws that number themselves with `DrawIndex`, at most [`MULTI_DRAWS`]; false without the feature.
    pub fn draw_multi(&self, draws: &[vk::MultiDrawInfoEXT], (first_instance, instances): (u32, u32)) -> bool {
        let Some(fns) = &self.gpu.ext.multi_draw else { return false };
        let (count, stride) = (draws.len() as u32, size_of::<vk::MultiDrawInfoEXT>() as u32);
        // SAFETY: the crate's contract; a pass is open, and `count` elements are read during the call.
        unsafe {
            (fns.fp().cmd_draw_multi_ext)(self.cmd, count, draws.as_ptr(), instances, first_instance, stride);
        }
        true
    }

    /// The same with indices.
    pub fn draw_multi_indexed(
        &self,
        draws: &[vk::MultiDrawIndexedInfoEXT],
        (first_instance, instances): (u32, u32),
    ) -> bool {
        let Some(fns) = &self.gpu.ext.multi_draw else { return false };
        let (count, stride) = (draws.len() as u32, size_of::<vk::MultiDrawIndexedInfoEXT>() as u32);
        // SAFETY: as `draw_multi`; without a common offset each element's own is used.
        unsafe {
            let common = core::ptr::null();
            let call = fns.fp().cmd_draw_multi_indexed_ext;
            call(self.cmd, count, draws.as_ptr(), instances, first_instance, stride, common);
        }
        true
    }

    /// Binds a transform feedback buffer: store, offset, bytes.
    pub fn bind_xfb_buffer(&self, binding: u32, (buffer, offset, size): (vk::Buffer, u64, u64)) {
        if let Some(fns) = &self.gpu.ext.xfb {
            // SAFETY: the crate's contract; capture is not active and one element of each list is read.
            unsafe {
                (fns.fp().cmd_bind_transform_feedback_buffers_ext)(self.cmd, binding, 1, &buffer, &offset, &size);
            }
        }
    }

    /// Begins capture, continuing from the counters when there are any.
    pub fn begin_xfb(&self, counters: &[vk::Buffer], offsets: &[u64]) {
        if let Some(fns) = &self.gpu.ext.xfb {
            // SAFETY: the crate's contract; a pass is open and buffers are bound.
            unsafe {
                (fns.fp().cmd_begin_transform_feedback_ext)(
                    self.cmd,
                    0,
                    counters.len() as u32,
                    counters.as_ptr(),
                    offsets.as_ptr(),
                );
            }
        }
    }

    /// Begins a query of a vertex stream.
    pub fn begin_query_indexed(&self, pool: vk::QueryPool, query: u32, flags: vk::QueryControlFlags, stream: u32) {
        if let Some(fns) = &self.gpu.ext.xfb {
            // SAFETY: the crate's contract; the query is reset and of a kind that has streams.
            unsafe { (fns.fp().cmd_begin_query_indexed_ext)(self.cmd, pool, query, flags, stream) }
        }
    }

    /// States of the first extended set that differ from `old`.
    pub fn set_loose_one(&self, new: &crate::pipelines::LooseOne, old: Option<&crate::pipelines::LooseOne>) {
        let Some(fns) = &self.gpu.ext.eds else { return };
        let changed = |same: fn(&crate::pipelines::LooseOne, &crate::pipelines::LooseOne) -> bool| {
            old.is_none_or(|o| !same(o, new))
        };
        let cmd = self.cmd;
        // SAFETY: the crate's contract; the feature is on and the bound pipeline declares these states dynamic.
        unsafe {
            if changed(|a, b| a.topology == b.topology) {
                fns.cmd_set_primitive_topology(cmd, new.topology);
            }
            if changed(|a, b| a.cull == b.cull) {
                fns.cmd_set_cull_mode(cmd, new.cull);
            }
            if changed(|a, b| a.front == b.front) {
                fns.cmd_set_front_face(cmd, new.front);
            }
            if changed(|a, b| a.depth_test == b.depth_test) {
                fns.cmd_set_depth_test_enable(cmd, new.depth_test);
            }
            if changed(|a, b| a.depth_write == b.depth_write) {
                fns.cmd_set_depth_write_enable(cmd, new.depth_write);
            }
            if changed(|a, b| a.depth_op == b.depth_op) {
                fns.cmd_set_depth_compare_op(cmd, new.depth_op);
            }
            if old.is_none() {
                fns.cmd_set_depth_bounds_test_enable(cmd, false);
            }
            if changed(|a, b| a.stencil_test == b.stencil_test) {
                fns.cmd_set_stencil_test_enable(cmd, new.stencil_test);
            }
            if changed(|a, b| a.stencil == b.stencil) {
                for (face, ops) in
                    [vk::StencilFaceFlags::FRONT, vk::StencilFaceFlags::BACK].into_iter().zip(new.stencil)
                {
                    let op = vk::StencilOp::from_raw;
                    fns.cmd_set_stencil_op(
                        cmd,
                        face,
                        op(ops[0]),
                        op(ops[1]),
                        op(ops[2]),
                        vk::CompareOp::from_raw(ops[3]),
                    );
                }
            }
        }
    }

    /// States of the second extended set that differ from `old`.
    pub fn set_loose_two(&self, new: &crate::pipelines::LooseTwo, old: Option<&crate::pipelines::LooseTwo>) {
        let Some(fns) = &self.gpu.ext.eds2 else { return };
        // SAFETY: the crate's contract; the feature is on and the bound pipeline declares these states dynamic.
        unsafe {
            if old.is_none_or(|o| o.discard != new.discard) {
                fns.cmd_set_rasterizer_discard_enable(self.cmd, new.discard);
            }
            if old.is_none_or(|o| o.bias != new.bias) {
                fns.cmd_set_depth_bias_enable(self.cmd, new.bias);
            }
            if old.is_none_or(|o| o.restart != new.restart) {
                fns.cmd_set_primitive_restart_enable(self.cmd, new.restart);
            }
        }
    }
}
