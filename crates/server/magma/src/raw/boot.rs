//! Start-up: loader, instance, validation messages, device. Must not know what the device is used for.

use crate::error::MagmaError;
use ash::vk;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

/// Messages of the validation layer since the process started.
static VALIDATION_MESSAGES: AtomicU64 = AtomicU64::new(0);

/// Number of validation messages (warnings and errors) so far.
pub fn validation_messages() -> u64 {
    VALIDATION_MESSAGES.load(Ordering::Relaxed)
}

/// Loads the Vulkan loader.
pub fn load() -> Result<ash::Entry, MagmaError> {
    // SAFETY: the system's Vulkan loader is a conforming one; loading it runs its initialisers only.
    unsafe { ash::Entry::load() }.map_err(|e| MagmaError::NoLoader(e.to_string()))
}

/// Version of the loader, at least 1.0.
pub fn loader_version(entry: &ash::Entry) -> u32 {
    // SAFETY: the entry holds a loaded library; the call has no preconditions.
    unsafe { entry.try_enumerate_instance_version() }.ok().flatten().unwrap_or(vk::API_VERSION_1_0)
}

/// Names of the layers that the loader knows.
pub fn layer_names(entry: &ash::Entry) -> Vec<CString> {
    // SAFETY: the entry holds a loaded library; the call has no preconditions.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers.iter().filter_map(|l| l.layer_name_as_c_str().ok().map(CStr::to_owned)).collect()
}

/// Names of the instance extensions, also those of `layer`.
pub fn instance_extension_names(entry: &ash::Entry, layer: Option<&CStr>) -> Vec<CString> {
    // SAFETY: the entry holds a loaded library and the layer name is a C string.
    let list = unsafe { entry.enumerate_instance_extension_properties(layer) }.unwrap_or_default();
    list.iter().filter_map(|e| e.extension_name_as_c_str().ok().map(CStr::to_owned)).collect()
}

/// Makes an instance. `sync_validation` adds synchronisation checks to the validation layer.
pub fn create_instance(
    entry: &ash::Entry,
    api_version: u32,
    layers: &[&CStr],
    extensions: &[&CStr],
    sync_validation: bool,
) -> Result<ash::Instance, MagmaError> {
    let app =
        vk::ApplicationInfo::default().engine_name(c"MobileGL").application_name(c"MobileGL").api_version(api_version);
    let layer_pointers: Vec<*const c_char> = layers.iter().map(|l| l.as_ptr()).collect();
    let extension_pointers: Vec<*const c_char> = extensions.iter().map(|e| e.as_ptr()).collect();
    let mut flags = vk::InstanceCreateFlags::empty();
    if extensions.contains(&vk::KHR_PORTABILITY_ENUMERATION_NAME) {
        flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
    }
    let enable = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut validation = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enable);
    let mut messenger = messenger_info();
    let mut info = vk::InstanceCreateInfo::default()
        .flags(flags)
        .application_info(&app)
        .enabled_layer_names(&layer_pointers)
        .enabled_extension_names(&extension_pointers);
    if extensions.contains(&vk::EXT_DEBUG_UTILS_NAME) {
        info = info.push_next(&mut messenger);
    }
    if sync_validation {
        info = info.push_next(&mut validation);
    }
    // SAFETY: all names and structures live until the call returns.
    unsafe { entry.create_instance(&info, None) }
        .map_err(|result| MagmaError::Vulkan { what: "vkCreateInstance", result })
}

fn messenger_info() -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::WARNING | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE)
        .pfn_user_callback(Some(on_message))
}

/// Listens to the validation layer.
pub fn create_messenger(loader: &ash::ext::debug_utils::Instance) -> Option<vk::DebugUtilsMessengerEXT> {
    // SAFETY: the structure lives until the call returns and the callback is a plain function.
    unsafe { loader.create_debug_utils_messenger(&messenger_info(), None) }.ok()
}

/// Stops listening.
pub fn destroy_messenger(loader: &ash::ext::debug_utils::Instance, messenger: vk::DebugUtilsMessengerEXT) {
    // SAFETY: the messenger was made by this loader and is destroyed once, before its instance.
    unsafe { loader.destroy_debug_utils_messenger(messenger, None) }
}

unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid structure whose strings live during the call, or null.
    let text = unsafe { data.as_ref().and_then(|d| d.message_as_c_str()) }.map(CStr::to_string_lossy);
    VALIDATION_MESSAGES.fetch_add(1, Ordering::Relaxed);
    tracing::error!(?severity, "Vulkan validation: {}", text.unwrap_or_default());
    vk::FALSE
}

/// Every physical device.
pub fn physical_devices(instance: &ash::Instance) -> Vec<vk::PhysicalDevice> {
    // SAFETY: the instance is live.
    unsafe { instance.enumerate_physical_devices() }.unwrap_or_default()
}

/// Properties of a device.
pub fn properties(instance: &ash::Instance, device: vk::PhysicalDevice) -> vk::PhysicalDeviceProperties {
    // SAFETY: the device was enumerated from this live instance.
    unsafe { instance.get_physical_device_properties(device) }
}

/// Properties with a chain.
pub fn properties2(instance: &ash::Instance, device: vk::PhysicalDevice, out: &mut vk::PhysicalDeviceProperties2<'_>) {
    // SAFETY: the device was enumerated from this live 1.1 instance; the chain holds structures the device knows.
    unsafe { instance.get_physical_device_properties2(device, out) }
}

/// Features with a chain.
pub fn features2(instance: &ash::Instance, device: vk::PhysicalDevice, out: &mut vk::PhysicalDeviceFeatures2<'_>) {
    // SAFETY: the device was enumerated from this live 1.1 instance; the chain holds structures the device knows.
    unsafe { instance.get_physical_device_features2(device, out) }
}

/// Queue families of a device.
pub fn queue_families(instance: &ash::Instance, device: vk::PhysicalDevice) -> Vec<vk::QueueFamilyProperties> {
    // SAFETY: the device was enumerated from this live instance.
    unsafe { instance.get_physical_device_queue_family_properties(device) }
}

/// Memory heaps and types of a device.
pub fn memory_properties(instance: &ash::Instance, device: vk::PhysicalDevice) -> vk::PhysicalDeviceMemoryProperties {
    // SAFETY: the device was enumerated from this live instance.
    unsafe { instance.get_physical_device_memory_properties(device) }
}

/// What a device can do with a format.
pub fn format_properties(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
    format: vk::Format,
) -> vk::FormatProperties {
    // SAFETY: the device was enumerated from this live instance.
    unsafe { instance.get_physical_device_format_properties(device, format) }
}

/// Limits of images of a kind, or `None` when the device cannot make them.
pub fn image_format_properties(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
    format: vk::Format,
    ty: vk::ImageType,
    usage: vk::ImageUsageFlags,
    flags: vk::ImageCreateFlags,
) -> Option<vk::ImageFormatProperties> {
    let tiling = vk::ImageTiling::OPTIMAL;
    // SAFETY: the device was enumerated from this live instance.
    unsafe { instance.get_physical_device_image_format_properties(device, format, ty, tiling, usage, flags) }.ok()
}

/// Names of the extensions of a device.
pub fn device_extension_names(instance: &ash::Instance, device: vk::PhysicalDevice) -> Vec<CString> {
    // SAFETY: the device was enumerated from this live instance.
    let list = unsafe { instance.enumerate_device_extension_properties(device) }.unwrap_or_default();
    list.iter().filter_map(|e| e.extension_name_as_c_str().ok().map(CStr::to_owned)).collect()
}

/// Makes a device.
pub fn create_device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    info: &vk::DeviceCreateInfo<'_>,
) -> Result<ash::Device, MagmaError> {
    // SAFETY: the device was enumerated from this live instance; the chain enables only what the device offers.
    unsafe { instance.create_device(physical, info, None) }
        .map_err(|result| MagmaError::Vulkan { what: "vkCreateDevice", result })
}

/// The queue of a device.
pub fn queue(device: &ash::Device, family: u32) -> vk::Queue {
    // SAFETY: the device was made with one queue of this family.
    unsafe { device.get_device_queue(family, 0) }
}

/// Waits for everything and destroys a device. Nothing made from it may be used afterwards.
pub fn destroy_device(device: &ash::Device) {
    // SAFETY: the crate's contract; the caller drops its last user.
    unsafe {
        device.device_wait_idle().ok();
        device.destroy_device(None);
    }
}

/// Destroys an instance.
pub fn destroy_instance(instance: &ash::Instance) {
    // SAFETY: the crate's contract; its devices and messengers are destroyed already.
    unsafe { instance.destroy_instance(None) }
}

/// Drops what its owner may also leave behind for ever. `slot` is not used afterwards.
pub fn drop_owned<T>(slot: &mut std::mem::ManuallyDrop<T>) {
    // SAFETY: called once, from the owner's `Drop`.
    unsafe { std::mem::ManuallyDrop::drop(slot) }
}
