//! Command buffers, submission and the objects that prove completion. Must not know what was recorded.

use ash::{khr, vk};

type Vk<T = ()> = Result<T, vk::Result>;

/// A pool whose command buffers are reset one by one.
pub fn create_command_pool(device: &ash::Device, family: u32) -> Vk<vk::CommandPool> {
    let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER | vk::CommandPoolCreateFlags::TRANSIENT;
    let info = vk::CommandPoolCreateInfo::default().queue_family_index(family).flags(flags);
    // SAFETY: the crate's contract.
    unsafe { device.create_command_pool(&info, None) }
}

/// Destroys a pool and its command buffers.
pub fn destroy_command_pool(device: &ash::Device, pool: vk::CommandPool) {
    // SAFETY: the crate's contract; nothing of the pool is pending.
    unsafe { device.destroy_command_pool(pool, None) }
}

/// One primary command buffer.
pub fn allocate_command_buffer(device: &ash::Device, pool: vk::CommandPool) -> Vk<vk::CommandBuffer> {
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(pool)
        .level(vk::CommandBufferLevel::PRIMARY)
        .command_buffer_count(1);
    // SAFETY: the crate's contract.
    let list = unsafe { device.allocate_command_buffers(&info) }?;
    list.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
}

/// Starts recording; resets the command buffer.
pub fn begin(device: &ash::Device, cmd: vk::CommandBuffer) -> Vk {
    let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
    // SAFETY: the crate's contract; the command buffer is not pending.
    unsafe { device.begin_command_buffer(cmd, &info) }
}

/// Ends recording.
pub fn end(device: &ash::Device, cmd: vk::CommandBuffer) -> Vk {
    // SAFETY: the crate's contract; the command buffer is recording outside a render pass.
    unsafe { device.end_command_buffer(cmd) }
}

/// A timeline semaphore at 0.
pub fn create_timeline(device: &ash::Device) -> Vk<vk::Semaphore> {
    let mut ty = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE).initial_value(0);
    let info = vk::SemaphoreCreateInfo::default().push_next(&mut ty);
    // SAFETY: the caller saw that the feature is enabled.
    unsafe { device.create_semaphore(&info, None) }
}

/// Destroys a semaphore.
pub fn destroy_semaphore(device: &ash::Device, semaphore: vk::Semaphore) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_semaphore(semaphore, None) }
}

/// A fence, not signalled.
pub fn create_fence(device: &ash::Device) -> Vk<vk::Fence> {
    // SAFETY: the crate's contract.
    unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) }
}

/// Destroys a fence.
pub fn destroy_fence(device: &ash::Device, fence: vk::Fence) {
    // SAFETY: the crate's contract.
    unsafe { device.destroy_fence(fence, None) }
}

/// Makes a fence unsignalled.
pub fn reset_fence(device: &ash::Device, fence: vk::Fence) -> Vk {
    // SAFETY: the crate's contract; its submit is complete.
    unsafe { device.reset_fences(&[fence]) }
}

/// True when a fence is signalled.
pub fn fence_done(device: &ash::Device, fence: vk::Fence) -> Vk<bool> {
    // SAFETY: the crate's contract.
    unsafe { device.get_fence_status(fence) }
}

/// Waits for a fence; false when the time ran out.
pub fn wait_fence(device: &ash::Device, fence: vk::Fence, timeout_ns: u64) -> Vk<bool> {
    // SAFETY: the crate's contract.
    match unsafe { device.wait_for_fences(&[fence], true, timeout_ns) } {
        Ok(()) => Ok(true),
        Err(vk::Result::TIMEOUT) => Ok(false),
        Err(e) => Err(e),
    }
}

/// Value of a timeline.
pub fn timeline_value(timeline: &khr::timeline_semaphore::Device, semaphore: vk::Semaphore) -> Vk<u64> {
    // SAFETY: the crate's contract; the semaphore is a timeline.
    unsafe { timeline.get_semaphore_counter_value(semaphore) }
}

/// Waits until a timeline reaches a value; false when the time ran out.
pub fn wait_timeline(
    timeline: &khr::timeline_semaphore::Device,
    semaphore: vk::Semaphore,
    value: u64,
    timeout_ns: u64,
) -> Vk<bool> {
    let (semaphores, values) = ([semaphore], [value]);
    let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
    // SAFETY: the crate's contract; the value was submitted.
    match unsafe { timeline.wait_semaphores(&info, timeout_ns) } {
        Ok(()) => Ok(true),
        Err(vk::Result::TIMEOUT) => Ok(false),
        Err(e) => Err(e),
    }
}

/// What a submit signals.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
    /// A timeline to a value.
    Timeline(vk::Semaphore, u64),
    /// A fence.
    Fence(vk::Fence),
}

/// Submits command buffers in order.
pub fn submit(device: &ash::Device, queue: vk::Queue, commands: &[vk::CommandBuffer], signal: Signal) -> Vk {
    let info = vk::SubmitInfo::default().command_buffers(commands);
    match signal {
        Signal::Timeline(semaphore, value) => {
            let (semaphores, values) = ([semaphore], [value]);
            let mut timeline = vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&values);
            let info = info.signal_semaphores(&semaphores).push_next(&mut timeline);
            // SAFETY: the crate's contract; everything lives until the call returns.
            unsafe { device.queue_submit(queue, &[info], vk::Fence::null()) }
        }
        // SAFETY: the crate's contract; the fence is unsignalled and not pending.
        Signal::Fence(fence) => unsafe { device.queue_submit(queue, &[info], fence) },
    }
}

/// Waits until a device has nothing to do.
pub fn wait_idle(device: &ash::Device) -> Vk {
    // SAFETY: the crate's contract.
    unsafe { device.device_wait_idle() }
}
