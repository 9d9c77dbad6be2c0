//! Import of host memory that another part of the server mapped. Must not know what is in it.

use ash::{ext, vk};

type Vk<T = ()> = Result<T, vk::Result>;

const KIND: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;

/// A buffer over imported memory.
#[derive(Debug)]
pub struct Imported {
    /// The buffer.
    pub buffer: vk::Buffer,
    pub(super) memory: vk::DeviceMemory,
}

/// Imports `len` bytes at `address`, both multiples of the device's import alignment, under a buffer of `size` bytes. The
/// caller keeps the range mapped until the buffer is destroyed.
pub fn import(
    device: &ash::Device,
    functions: &ext::external_memory_host::Device,
    types: &vk::PhysicalDeviceMemoryProperties,
    (address, len): (usize, u64),
    (size, usage): (u64, vk::BufferUsageFlags),
) -> Vk<Imported> {
    let pointer = std::ptr::with_exposed_provenance_mut::<std::ffi::c_void>(address);
    let mut place = vk::MemoryHostPointerPropertiesEXT::default();
    let get = functions.fp().get_memory_host_pointer_properties_ext;
    // SAFETY: the range is mapped by the seam's contract (`Verbs::stage_segment`, `SharedMemory`).
    unsafe { get(functions.device(), KIND, pointer, &mut place) }.result()?;
    let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(KIND);
    let info = vk::BufferCreateInfo::default()
        .size(size)
        .usage(usage)
        .sharing_mode(vk::SharingMode::EXCLUSIVE)
        .push_next(&mut external);
    // SAFETY: the crate's contract.
    let buffer = unsafe { device.create_buffer(&info, None) }?;
    match bind(device, types, buffer, pointer, len, place.memory_type_bits) {
        Ok(memory) => Ok(Imported { buffer, memory }),
        Err(e) => {
            // SAFETY: the crate's contract; the buffer was never used.
            unsafe { device.destroy_buffer(buffer, None) };
            Err(e)
        }
    }
}

fn bind(
    device: &ash::Device,
    types: &vk::PhysicalDeviceMemoryProperties,
    buffer: vk::Buffer,
    pointer: *mut std::ffi::c_void,
    len: u64,
    pointer_types: u32,
) -> Vk<vk::DeviceMemory> {
    // SAFETY: the crate's contract.
    let needs = unsafe { device.get_buffer_memory_requirements(buffer) };
    let allowed = needs.memory_type_bits & pointer_types;
    let coherent = vk::MemoryPropertyFlags::HOST_COHERENT;
    let fits = |i: &u32| {
        let flags = types.memory_types.get(*i as usize).map(|t| t.property_flags).unwrap_or_default();
        allowed & (1 << i) != 0 && flags.contains(coherent)
    };
    let index = (0..types.memory_type_count).find(fits).ok_or(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE)?;
    if needs.size > len {
        return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
    }
    let mut import = vk::ImportMemoryHostPointerInfoEXT::default().handle_type(KIND).host_pointer(pointer);
    let info = vk::MemoryAllocateInfo::default().allocation_size(len).memory_type_index(index).push_next(&mut import);
    // SAFETY: the range is mapped and aligned; the memory type was checked against the pointer's.
    let memory = unsafe { device.allocate_memory(&info, None) }?;
    // SAFETY: the crate's contract; the memory is at least as large as the buffer needs.
    match unsafe { device.bind_buffer_memory(buffer, memory, 0) } {
        Ok(()) => Ok(memory),
        Err(e) => {
            // SAFETY: the crate's contract; nothing is bound.
            unsafe { device.free_memory(memory, None) };
            Err(e)
        }
    }
}

/// Ends an import. The GPU is done with it.
pub fn release(device: &ash::Device, imported: Imported) {
    // SAFETY: taken by value, so this is its only destruction; the GPU is done with it by the crate's contract.
    unsafe {
        device.destroy_buffer(imported.buffer, None);
        device.free_memory(imported.memory, None);
    }
}
