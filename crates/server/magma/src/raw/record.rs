//! Recording of transfer and synchronisation commands. Must not know resources or their state.

use ash::vk;

/// One pipeline barrier: a global memory barrier and image barriers.
pub fn barrier(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
    access: (vk::AccessFlags, vk::AccessFlags),
    images: &[vk::ImageMemoryBarrier<'_>],
) {
    let memory = [vk::MemoryBarrier::default().src_access_mask(access.0).dst_access_mask(access.1)];
    let flags = vk::DependencyFlags::empty();
    let global = if access.0.is_empty() && access.1.is_empty() { &memory[..0] } else { &memory[..] };
    // SAFETY: the crate's contract; the command buffer is recording outside a render pass.
    unsafe { device.cmd_pipeline_barrier(cmd, stages.0, stages.1, flags, global, &[], images) }
}

/// Copies between buffers.
pub fn copy_buffer(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    src: vk::Buffer,
    dst: vk::Buffer,
    regions: &[vk::BufferCopy],
) {
    // SAFETY: the crate's contract; the caller checked the ranges.
    unsafe { device.cmd_copy_buffer(cmd, src, dst, regions) }
}

/// Fills a range with a word; offset and size are multiples of 4.
pub fn fill_buffer(device: &ash::Device, cmd: vk::CommandBuffer, dst: vk::Buffer, offset: u64, size: u64, word: u32) {
    // SAFETY: the crate's contract; the caller checked the range and its alignment.
    unsafe { device.cmd_fill_buffer(cmd, dst, offset, size, word) }
}

/// Copies from a buffer to an image in `TRANSFER_DST_OPTIMAL`.
pub fn copy_buffer_to_image(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    src: vk::Buffer,
    dst: vk::Image,
    layout: vk::ImageLayout,
    regions: &[vk::BufferImageCopy],
) {
    // SAFETY: the crate's contract; the caller checked the boxes and put the image into this layout.
    unsafe { device.cmd_copy_buffer_to_image(cmd, src, dst, layout, regions) }
}

/// Copies from an image to a buffer.
pub fn copy_image_to_buffer(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    src: vk::Image,
    layout: vk::ImageLayout,
    dst: vk::Buffer,
    regions: &[vk::BufferImageCopy],
) {
    // SAFETY: the crate's contract; the caller checked the boxes and put the image into this layout.
    unsafe { device.cmd_copy_image_to_buffer(cmd, src, layout, dst, regions) }
}

/// Copies between images.
pub fn copy_image(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    src: (vk::Image, vk::ImageLayout),
    dst: (vk::Image, vk::ImageLayout),
    regions: &[vk::ImageCopy],
) {
    // SAFETY: the crate's contract; the caller checked the boxes and put the images into these layouts.
    unsafe { device.cmd_copy_image(cmd, src.0, src.1, dst.0, dst.1, regions) }
}

/// Scales between images.
pub fn blit_image(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    src: (vk::Image, vk::ImageLayout),
    dst: (vk::Image, vk::ImageLayout),
    regions: &[vk::ImageBlit],
    filter: vk::Filter,
) {
    // SAFETY: the crate's contract; the caller checked that the formats can be blitted with this filter.
    unsafe { device.cmd_blit_image(cmd, src.0, src.1, dst.0, dst.1, regions, filter) }
}

/// Clears colour subresources.
pub fn clear_color(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    image: (vk::Image, vk::ImageLayout),
    value: &vk::ClearColorValue,
    ranges: &[vk::ImageSubresourceRange],
) {
    // SAFETY: the crate's contract; the caller put the image into this layout.
    unsafe { device.cmd_clear_color_image(cmd, image.0, image.1, value, ranges) }
}

/// Clears depth and stencil subresources.
pub fn clear_depth_stencil(
    device: &ash::Device,
    cmd: vk::CommandBuffer,
    image: (vk::Image, vk::ImageLayout),
    value: &vk::ClearDepthStencilValue,
    ranges: &[vk::ImageSubresourceRange],
) {
    // SAFETY: the crate's contract; the caller put the image into this layout.
    unsafe { device.cmd_clear_depth_stencil_image(cmd, image.0, image.1, value, ranges) }
}

/// Ends a render pass that was begun with a render pass object.
pub fn end_render_pass(device: &ash::Device, cmd: vk::CommandBuffer) {
    // SAFETY: the crate's contract; a render pass is open in this command buffer.
    unsafe { device.cmd_end_render_pass(cmd) }
}

/// Ends dynamic rendering.
pub fn end_rendering(device: &ash::khr::dynamic_rendering::Device, cmd: vk::CommandBuffer) {
    // SAFETY: the crate's contract; dynamic rendering is open in this command buffer.
    unsafe { device.cmd_end_rendering(cmd) }
}

/// Ends a query.
pub fn end_query(device: &ash::Device, cmd: vk::CommandBuffer, pool: vk::QueryPool, index: u32) {
    // SAFETY: the crate's contract; the query was begun in this command buffer.
    unsafe { device.cmd_end_query(cmd, pool, index) }
}

/// Ends a query of a vertex stream.
pub fn end_query_indexed(
    xfb: &ash::ext::transform_feedback::Device,
    cmd: vk::CommandBuffer,
    pool: vk::QueryPool,
    query: u32,
    stream: u32,
) {
    // SAFETY: the crate's contract; the query was begun on this stream in this command buffer.
    unsafe { (xfb.fp().cmd_end_query_indexed_ext)(cmd, pool, query, stream) }
}

/// Ends transform feedback and saves its counters.
pub fn end_transform_feedback(
    xfb: &ash::ext::transform_feedback::Device,
    cmd: vk::CommandBuffer,
    counters: &[vk::Buffer],
    offsets: &[u64],
) {
    let count = counters.len().min(offsets.len()) as u32;
    // SAFETY: the crate's contract; capture is active in this command buffer and both lists have `count` entries.
    unsafe { (xfb.fp().cmd_end_transform_feedback_ext)(cmd, 0, count, counters.as_ptr(), offsets.as_ptr()) }
}
