//! Objects whose last use the GPU may not have finished. Must not know what they were used for.

use crate::device::Gpu;
use crate::raw::memory::{BufferMemory, ImageMemory};
use crate::raw::{memory, objects};
use ash::vk;
use std::collections::BinaryHeap;

/// Something to destroy.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is the Vulkan object it names")]
pub enum Garbage {
    Buffer(BufferMemory),
    Image(ImageMemory),
    ImageView(vk::ImageView),
    BufferView(vk::BufferView),
    Framebuffer(vk::Framebuffer),
    RenderPass(vk::RenderPass),
    Pipeline(vk::Pipeline),
    PipelineLayout(vk::PipelineLayout),
    DescriptorPool(vk::DescriptorPool),
    DescriptorSetLayout(vk::DescriptorSetLayout),
    ShaderModule(vk::ShaderModule),
    Sampler(vk::Sampler),
    QueryPool(vk::QueryPool),
}

impl Garbage {
    /// Destroys it. The caller has proof that the GPU is done with it.
    pub fn destroy(self, gpu: &Gpu) {
        let device = &gpu.device;
        match self {
            Garbage::Buffer(m) => memory::destroy_buffer(device, gpu.allocator(), m),
            Garbage::Image(m) => memory::destroy_image(gpu.allocator(), m),
            Garbage::ImageView(v) => objects::destroy_image_view(device, v),
            Garbage::BufferView(v) => objects::destroy_buffer_view(device, v),
            Garbage::Framebuffer(v) => objects::destroy_framebuffer(device, v),
            Garbage::RenderPass(v) => objects::destroy_render_pass(device, v),
            Garbage::Pipeline(v) => objects::destroy_pipeline(device, v),
            Garbage::PipelineLayout(v) => objects::destroy_pipeline_layout(device, v),
            Garbage::DescriptorPool(v) => objects::destroy_descriptor_pool(device, v),
            Garbage::DescriptorSetLayout(v) => objects::destroy_descriptor_set_layout(device, v),
            Garbage::ShaderModule(v) => objects::destroy_shader_module(device, v),
            Garbage::Sampler(v) => objects::destroy_sampler(device, v),
            Garbage::QueryPool(v) => objects::destroy_query_pool(device, v),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Garbage::Buffer(m) => m.size,
            Garbage::Image(m) => m.bytes,
            _ => 0,
        }
    }
}

struct Parked {
    serial: u64,
    order: u64,
    garbage: Garbage,
}

impl PartialEq for Parked {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}
impl Eq for Parked {}
impl PartialOrd for Parked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Parked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // The heap gives the largest first; the smallest serial must come out first, views before their images.
        (other.serial, other.order).cmp(&(self.serial, self.order))
    }
}

/// Parked objects by serial.
#[derive(Default)]
pub(super) struct Bin {
    heap: BinaryHeap<Parked>,
    bytes: u64,
    order: u64,
}

impl Bin {
    pub(super) fn park(&mut self, serial: u64, garbage: Garbage) {
        self.bytes += garbage.bytes();
        self.order += 1;
        self.heap.push(Parked { serial, order: self.order, garbage });
    }
    pub(super) fn reclaim(&mut self, gpu: &Gpu, completed: u64) {
        while self.heap.peek().is_some_and(|p| p.serial <= completed) {
            let Some(parked) = self.heap.pop() else { break };
            self.bytes -= parked.garbage.bytes();
            parked.garbage.destroy(gpu);
        }
    }
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}
