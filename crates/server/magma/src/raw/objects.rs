//! Small objects: views and what else is made and destroyed whole. Must not know who keeps them.

use ash::vk;

type Vk<T = ()> = Result<T, vk::Result>;

/// A view of an image.
pub fn create_image_view(device: &ash::Device, info: &vk::ImageViewCreateInfo<'_>) -> Vk<vk::ImageView> {
    // SAFETY: the crate's contract; the range lies in the image and the format is compatible.
    unsafe { device.create_image_view(info, None) }
}

/// Destroys a view of an image.
pub fn destroy_image_view(device: &ash::Device, view: vk::ImageView) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_image_view(view, None) }
}

/// A view of a buffer.
pub fn create_buffer_view(device: &ash::Device, info: &vk::BufferViewCreateInfo<'_>) -> Vk<vk::BufferView> {
    // SAFETY: the crate's contract; the range lies in the buffer and the format can be a texel buffer.
    unsafe { device.create_buffer_view(info, None) }
}

/// Destroys a view of a buffer.
pub fn destroy_buffer_view(device: &ash::Device, view: vk::BufferView) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_buffer_view(view, None) }
}

macro_rules! destroyers {
    ($($(#[$doc:meta])* $name:ident($ty:ty) = $call:ident),+ $(,)?) => {$(
        $(#[$doc])*
        pub fn $name(device: &ash::Device, object: $ty) {
            // SAFETY: the crate's contract.
            unsafe { device.$call(object, None) }
        }
    )+};
}

destroyers! {
    /// Destroys a framebuffer.
    destroy_framebuffer(vk::Framebuffer) = destroy_framebuffer,
    /// Destroys a render pass.
    destroy_render_pass(vk::RenderPass) = destroy_render_pass,
    /// Destroys a pipeline.
    destroy_pipeline(vk::Pipeline) = destroy_pipeline,
    /// Destroys a pipeline layout.
    destroy_pipeline_layout(vk::PipelineLayout) = destroy_pipeline_layout,
    /// Destroys a descriptor pool.
    destroy_descriptor_pool(vk::DescriptorPool) = destroy_descriptor_pool,
    /// Destroys a descriptor set layout.
    destroy_descriptor_set_layout(vk::DescriptorSetLayout) = destroy_descriptor_set_layout,
    /// Destroys a shader module.
    destroy_shader_module(vk::ShaderModule) = destroy_shader_module,
    /// Destroys a sampler.
    destroy_sampler(vk::Sampler) = destroy_sampler,
    /// Destroys a query pool.
    destroy_query_pool(vk::QueryPool) = destroy_query_pool,
}
