//! Making pipelines, layouts, descriptor pools, query pools and reading query results. Must not know who keeps them.

use ash::vk;
use ash::vk::Handle;

type Vk<T = ()> = Result<T, vk::Result>;

macro_rules! makers {
    ($($(#[$doc:meta])* $name:ident($info:ty) -> $out:ty = $call:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(device: &ash::Device, info: &$info) -> Vk<$out> {
            // SAFETY: the crate's contract; everything that `info` points to lives until the call returns.
            unsafe { device.$call(info, None) }
        }
    )+};
}

makers! {
    /// A shader module.
    shader_module(vk::ShaderModuleCreateInfo<'_>) -> vk::ShaderModule = create_shader_module;
    /// A descriptor set layout.
    set_layout(vk::DescriptorSetLayoutCreateInfo<'_>) -> vk::DescriptorSetLayout = create_descriptor_set_layout;
    /// A pipeline layout.
    pipeline_layout(vk::PipelineLayoutCreateInfo<'_>) -> vk::PipelineLayout = create_pipeline_layout;
    /// A descriptor pool.
    descriptor_pool(vk::DescriptorPoolCreateInfo<'_>) -> vk::DescriptorPool = create_descriptor_pool;
    /// A descriptor update template.
    update_template(vk::DescriptorUpdateTemplateCreateInfo<'_>) -> vk::DescriptorUpdateTemplate =
        create_descriptor_update_template;
    /// A query pool.
    query_pool(vk::QueryPoolCreateInfo<'_>) -> vk::QueryPool = create_query_pool;
    /// A sampler.
    sampler(vk::SamplerCreateInfo<'_>) -> vk::Sampler = create_sampler;
    /// A render pass.
    render_pass(vk::RenderPassCreateInfo<'_>) -> vk::RenderPass = create_render_pass;
    /// A framebuffer.
    framebuffer(vk::FramebufferCreateInfo<'_>) -> vk::Framebuffer = create_framebuffer;
    /// A pipeline cache.
    pipeline_cache(vk::PipelineCacheCreateInfo<'_>) -> vk::PipelineCache = create_pipeline_cache;
}

/// Destroys a descriptor update template.
pub fn destroy_update_template(device: &ash::Device, template: vk::DescriptorUpdateTemplate) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_descriptor_update_template(template, None) }
}

/// Destroys a pipeline cache.
pub fn destroy_pipeline_cache(device: &ash::Device, cache: vk::PipelineCache) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_pipeline_cache(cache, None) }
}

/// Bytes of a pipeline cache.
pub fn pipeline_cache_data(device: &ash::Device, cache: vk::PipelineCache) -> Vk<Vec<u8>> {
    // SAFETY: the crate's contract.
    unsafe { device.get_pipeline_cache_data(cache) }
}

/// A graphics pipeline.
pub fn graphics_pipeline(
    device: &ash::Device,
    cache: vk::PipelineCache,
    info: &vk::GraphicsPipelineCreateInfo<'_>,
) -> Vk<vk::Pipeline> {
    // SAFETY: the crate's contract; everything that `info` points to lives until the call returns.
    match unsafe { device.create_graphics_pipelines(cache, std::slice::from_ref(info), None) } {
        Ok(pipelines) => pipelines.first().copied().ok_or(vk::Result::ERROR_UNKNOWN),
        Err((_, result)) => Err(result),
    }
}

/// A compute pipeline.
pub fn compute_pipeline(
    device: &ash::Device,
    cache: vk::PipelineCache,
    info: &vk::ComputePipelineCreateInfo<'_>,
) -> Vk<vk::Pipeline> {
    // SAFETY: the crate's contract; everything that `info` points to lives until the call returns.
    match unsafe { device.create_compute_pipelines(cache, std::slice::from_ref(info), None) } {
        Ok(pipelines) => pipelines.first().copied().ok_or(vk::Result::ERROR_UNKNOWN),
        Err((_, result)) => Err(result),
    }
}

/// A descriptor set from a pool, without the list that the safe binding would allocate.
pub fn allocate_set(
    device: &ash::Device,
    pool: vk::DescriptorPool,
    layout: vk::DescriptorSetLayout,
) -> Vk<vk::DescriptorSet> {
    let layouts = [layout];
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    let mut set = vk::DescriptorSet::null();
    // SAFETY: the crate's contract; one layout is given and there is room for one set.
    unsafe { (device.fp_v1_0().allocate_descriptor_sets)(device.handle(), &info, &mut set) }.result_with_success(set)
}

/// Makes every set of a pool unallocated.
pub fn reset_pool(device: &ash::Device, pool: vk::DescriptorPool) -> Vk {
    // SAFETY: the crate's contract; no set of the pool is in use by the GPU.
    unsafe { device.reset_descriptor_pool(pool, vk::DescriptorPoolResetFlags::empty()) }
}

/// One entry of the packed array that templates read, `VkDescriptorImageInfo`, `VkDescriptorBufferInfo` or
/// `VkBufferView` in its first bytes; every descriptor takes one entry, whatever its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Packed([u64; 3]);

// The image layout is the low half of the third word.
const _: () = assert!(cfg!(target_endian = "little") && size_of::<vk::DescriptorImageInfo>() == 24);

impl Packed {
    /// An image with its sampler.
    pub fn image(sampler: vk::Sampler, view: vk::ImageView, layout: vk::ImageLayout) -> Self {
        Self([sampler.as_raw(), view.as_raw(), u64::from(layout.as_raw() as u32)])
    }

    /// A buffer range.
    pub fn buffer(buffer: vk::Buffer, offset: u64, range: u64) -> Self {
        Self([buffer.as_raw(), offset, range])
    }

    /// What [`Packed::buffer`] was given.
    pub fn as_buffer(&self) -> vk::DescriptorBufferInfo {
        let [buffer, offset, range] = self.0;
        vk::DescriptorBufferInfo { buffer: vk::Buffer::from_raw(buffer), offset, range }
    }

    /// A texel buffer.
    pub fn texel(view: vk::BufferView) -> Self {
        Self([view.as_raw(), 0, 0])
    }
}

/// Writes a set from the packed array.
pub fn update_set(
    device: &ash::Device,
    set: vk::DescriptorSet,
    template: vk::DescriptorUpdateTemplate,
    data: &[Packed],
) {
    // SAFETY: the crate's contract; the template was made for this set's layout and reads entries of `Packed` below the
    // slot count that `data` has.
    unsafe { device.update_descriptor_set_with_template(set, template, data.as_ptr().cast()) }
}

/// The words of one query's result; the query is complete.
pub fn query_words(device: &ash::Device, pool: vk::QueryPool, index: u32, out: &mut [u64]) -> Vk {
    let flags = vk::QueryResultFlags::TYPE_64;
    let bytes = size_of_val(out);
    // SAFETY: the crate's contract; `out` has room for `bytes` bytes and the pool's queries have no more words.
    unsafe {
        (device.fp_v1_0().get_query_pool_results)(
            device.handle(),
            pool,
            index,
            1,
            bytes,
            out.as_mut_ptr().cast(),
            bytes as u64,
            flags,
        )
    }
    .result()
}
