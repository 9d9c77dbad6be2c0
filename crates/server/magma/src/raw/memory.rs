//! Memory through VMA: buffers, images and their mapped bytes. Must not decide which resource needs which memory beyond
//! the three classes below.

use super::import::{self, Imported};
use ash::vk;
use mgl_backend::SharedMemory;
use mgl_backend::inject::{Rationing, Shortage};
use std::ptr::NonNull;
use vk_mem::Alloc;

/// Where the bytes of a buffer should live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryClass {
    /// GPU memory, mapped where that costs the GPU nothing.
    Device,
    /// GPU memory that the host reads often; cached if possible.
    DeviceRead,
    /// Host memory for bytes that go to the GPU once.
    Upload,
    /// Host memory for bytes that come from the GPU.
    Readback,
    /// Host memory that the host writes and the GPU reads once; the host may look at it again.
    Stream,
}

/// A buffer, its memory and, where it is host visible and coherent, its bytes.
#[derive(Debug)]
pub struct BufferMemory {
    /// The buffer.
    pub buffer: vk::Buffer,
    /// Bytes.
    pub size: u64,
    /// Reading through the mapping is fast.
    pub cached: bool,
    backing: Backing,
    mapped: Option<NonNull<u8>>,
}

/// Whose memory is under a buffer.
#[derive(Debug)]
enum Backing {
    /// The allocator's.
    Own(vk_mem::Allocation),
    /// Imported; the client maps it too, so the host side of this process never touches it.
    Shared(vk::DeviceMemory, SharedMemory),
}

// SAFETY: the mapping belongs to the allocation, which is not tied to a thread; access goes through `&self`/`&mut self`.
unsafe impl Send for BufferMemory {}

impl BufferMemory {
    /// True when the host can touch the bytes directly.
    pub fn is_mapped(&self) -> bool {
        self.mapped.is_some()
    }

    /// The bytes for writing. The caller has proof that the GPU does not use them.
    pub fn bytes_mut(&mut self, offset: u64, len: u64) -> Option<&mut [u8]> {
        let base = self.mapped?;
        let end = offset.checked_add(len)?;
        if end > self.size {
            return None;
        }
        // SAFETY: the mapping covers `size` bytes and lives as long as `self`; the range was checked; `&mut self` makes it
        // the only host reference and the caller proved that the GPU is done with it.
        Some(unsafe { std::slice::from_raw_parts_mut(base.as_ptr().add(offset as usize), len as usize) })
    }

    /// Copies bytes out. The caller has proof that the GPU does not write them.
    pub fn read(&self, offset: u64, out: &mut [u8]) -> bool {
        let Some(base) = self.mapped else { return false };
        let Some(end) = offset.checked_add(out.len() as u64) else { return false };
        if end > self.size {
            return false;
        }
        // SAFETY: the mapping covers `size` bytes and lives as long as `self`; the range was checked; `out` is distinct
        // host memory; the caller proved that the GPU is done writing.
        unsafe { std::ptr::copy_nonoverlapping(base.as_ptr().add(offset as usize), out.as_mut_ptr(), out.len()) };
        true
    }
}

/// An image and its memory.
#[derive(Debug)]
pub struct ImageMemory {
    /// The image.
    pub image: vk::Image,
    /// Bytes that it takes.
    pub bytes: u64,
    allocation: vk_mem::Allocation,
}

/// The allocator of a device, and which of the allocations that it is asked for fail on purpose.
pub struct Allocator {
    vma: vk_mem::Allocator,
    /// What was asked for.
    pub rations: Rationing,
}

impl Allocator {
    fn admit(&self) -> Result<&vk_mem::Allocator, vk::Result> {
        if self.rations.denies() { Err(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY) } else { Ok(&self.vma) }
    }
}

/// Makes the allocator of a device.
pub fn allocator(
    instance: &ash::Instance,
    device: &ash::Device,
    physical: vk::PhysicalDevice,
    api_version: u32,
    shortage: Shortage,
) -> Result<Allocator, vk::Result> {
    let mut info = vk_mem::AllocatorCreateInfo::new(instance, device, physical);
    // VMA knows versions up to 1.3 and needs nothing of the newer ones.
    info.vulkan_api_version = api_version.min(vk::API_VERSION_1_3);
    // 64 MiB blocks: a small program must not reserve 256 MiB on a phone.
    info.preferred_large_heap_block_size = 64 << 20;
    // SAFETY: `Gpu` owns instance, device and allocator and drops the allocator first.
    let vma = unsafe { vk_mem::Allocator::new(info) }?;
    Ok(Allocator { vma, rations: Rationing::new(shortage) })
}

fn create_info(class: MemoryClass) -> vk_mem::AllocationCreateInfo {
    use vk_mem::AllocationCreateFlags as F;
    let coherent = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let mut info = vk_mem::AllocationCreateInfo { usage: vk_mem::MemoryUsage::Auto, ..Default::default() };
    match class {
        MemoryClass::Device => {
            info.usage = vk_mem::MemoryUsage::AutoPreferDevice;
            info.flags = F::MAPPED | F::HOST_ACCESS_SEQUENTIAL_WRITE | F::HOST_ACCESS_ALLOW_TRANSFER_INSTEAD;
        }
        MemoryClass::DeviceRead => {
            info.flags = F::MAPPED | F::HOST_ACCESS_RANDOM | F::HOST_ACCESS_ALLOW_TRANSFER_INSTEAD;
        }
        MemoryClass::Upload => {
            info.flags = F::MAPPED | F::HOST_ACCESS_SEQUENTIAL_WRITE;
            info.required_flags = coherent;
        }
        MemoryClass::Readback | MemoryClass::Stream => {
            info.flags = F::MAPPED | F::HOST_ACCESS_RANDOM;
            info.required_flags = coherent;
            info.preferred_flags = vk::MemoryPropertyFlags::HOST_CACHED;
        }
    }
    info
}

/// Makes a buffer with memory.
pub fn create_buffer(
    allocator: &Allocator,
    types: &vk::PhysicalDeviceMemoryProperties,
    size: u64,
    usage: vk::BufferUsageFlags,
    class: MemoryClass,
) -> Result<BufferMemory, vk::Result> {
    let allocator = allocator.admit()?;
    let info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
    // SAFETY: the allocator's device is live and the size is not zero.
    let (buffer, allocation) = unsafe { allocator.create_buffer(&info, &create_info(class)) }?;
    let place = allocator.get_allocation_info(&allocation);
    let flags = types.memory_types.get(place.memory_type as usize).map(|t| t.property_flags).unwrap_or_default();
    let coherent = flags.contains(vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT);
    Ok(BufferMemory {
        buffer,
        size,
        cached: flags.contains(vk::MemoryPropertyFlags::HOST_CACHED),
        backing: Backing::Own(allocation),
        mapped: NonNull::new(place.mapped_data.cast::<u8>()).filter(|_| coherent),
    })
}

/// A buffer of `size` bytes over memory that the client maps too.
pub fn shared_buffer(imported: Imported, size: u64, memory: SharedMemory) -> BufferMemory {
    let backing = Backing::Shared(imported.memory, memory);
    BufferMemory { buffer: imported.buffer, size, cached: false, backing, mapped: None }
}

/// Makes an image with memory.
pub fn create_image(allocator: &Allocator, info: &vk::ImageCreateInfo<'_>) -> Result<ImageMemory, vk::Result> {
    let allocator = allocator.admit()?;
    let place = vk_mem::AllocationCreateInfo { usage: vk_mem::MemoryUsage::AutoPreferDevice, ..Default::default() };
    // SAFETY: the allocator's device is live; the caller asked the device whether it can make this image.
    let (image, allocation) = unsafe { allocator.create_image(info, &place) }?;
    let bytes = allocator.get_allocation_info(&allocation).size;
    Ok(ImageMemory { image, bytes, allocation })
}

/// Destroys a buffer and frees its memory.
pub fn destroy_buffer(device: &ash::Device, allocator: &Allocator, memory: BufferMemory) {
    match memory.backing {
        Backing::Own(mut allocation) => {
            // SAFETY: taken by value, so this is its only destruction; the GPU is done with it by the crate's contract.
            unsafe { allocator.vma.destroy_buffer(memory.buffer, &mut allocation) }
        }
        Backing::Shared(imported, mapping) => {
            import::release(device, Imported { buffer: memory.buffer, memory: imported });
            // Only now may the mapping go.
            drop(mapping);
        }
    }
}

/// Destroys an image and frees its memory.
pub fn destroy_image(allocator: &Allocator, mut memory: ImageMemory) {
    // SAFETY: taken by value, so this is its only destruction; the GPU is done with it by the crate's contract.
    unsafe { allocator.vma.destroy_image(memory.image, &mut memory.allocation) }
}

/// Drops the allocator before its device. `slot` is not used afterwards.
pub fn drop_allocator(slot: &mut std::mem::ManuallyDrop<Allocator>) {
    // SAFETY: called once, from the owner's `Drop`; every buffer and image was destroyed before.
    unsafe { std::mem::ManuallyDrop::drop(slot) }
}
