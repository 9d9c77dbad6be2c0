//! Finds the devices of a machine and chooses one. Must not know which optional features will be used.

use crate::device::Options;
use crate::device::query::{Chain, ExtensionSet, offers};
use crate::error::MagmaError;
use crate::raw::boot;
use ash::{ext, vk};
use std::ffi::CStr;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Loader and instance.
pub(crate) struct Host {
    pub(crate) entry: ash::Entry,
    pub(crate) instance: ash::Instance,
    pub(crate) messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    version: u32,
}

/// A device that can be used.
pub(crate) struct Chosen {
    pub(crate) physical: vk::PhysicalDevice,
    pub(crate) family: u32,
    pub(crate) timestamp_bits: u32,
    pub(crate) api_version: u32,
    pub(crate) properties: vk::PhysicalDeviceProperties,
    pub(crate) extensions: ExtensionSet,
}

/// What `mobilegl doctor` shows of one device.
#[derive(Clone, Debug)]
pub struct ProbedDevice {
    /// Name as the driver gives it.
    pub name: String,
    /// Vulkan version, major and minor.
    pub version: (u32, u32),
    /// Discrete GPU, integrated GPU, CPU and so on.
    pub kind: &'static str,
    /// Why it cannot be used, or `None`.
    pub unusable: Option<&'static str>,
    /// Optional features by name.
    pub features: Vec<(&'static str, bool)>,
}

/// Every Vulkan device of this machine. Empty when there is no loader or no driver.
pub fn probe() -> Vec<ProbedDevice> {
    let Ok(host) = Host::new(&Options::default()) else { return Vec::new() };
    let list = boot::physical_devices(&host.instance).into_iter().map(|d| host.describe(d)).collect();
    host.destroy();
    list
}

fn kind_name(ty: vk::PhysicalDeviceType) -> (&'static str, u32) {
    match ty {
        vk::PhysicalDeviceType::DISCRETE_GPU => ("discrete GPU", 4),
        vk::PhysicalDeviceType::INTEGRATED_GPU => ("integrated GPU", 3),
        vk::PhysicalDeviceType::VIRTUAL_GPU => ("virtual GPU", 2),
        vk::PhysicalDeviceType::CPU => ("CPU", 1),
        _ => ("other", 0),
    }
}

impl Host {
    pub(crate) fn new(options: &Options) -> Result<Self, MagmaError> {
        let entry = boot::load()?;
        let loader = boot::loader_version(&entry);
        if loader < vk::API_VERSION_1_1 {
            let (major, minor) = (vk::api_version_major(loader), vk::api_version_minor(loader));
            return Err(MagmaError::LoaderTooOld { major, minor });
        }
        let version = loader.min(vk::API_VERSION_1_3);
        let mut layers: Vec<&CStr> = Vec::new();
        let known = boot::layer_names(&entry);
        if options.validation {
            if known.iter().any(|l| l.as_c_str() == VALIDATION_LAYER) {
                layers.push(VALIDATION_LAYER);
            } else {
                tracing::error!(
                    "MOBILEGL_VK_VALIDATION is set but there is no {VALIDATION_LAYER:?}; install the Vulkan validation \
                     layers (Debian: vulkan-validationlayers)"
                );
            }
        }
        let validating = !layers.is_empty();
        let have = boot::instance_extension_names(&entry, None);
        let of_layer = boot::instance_extension_names(&entry, validating.then_some(VALIDATION_LAYER));
        let has = |name: &CStr| have.iter().chain(&of_layer).any(|e| e.as_c_str() == name);
        let mut extensions: Vec<&CStr> = Vec::new();
        let mut want = |name: &'static CStr, when: bool| {
            if when && has(name) {
                extensions.push(name);
            }
        };
        want(vk::KHR_PORTABILITY_ENUMERATION_NAME, true);
        want(vk::EXT_DEBUG_UTILS_NAME, validating);
        want(vk::EXT_VALIDATION_FEATURES_NAME, validating && options.sync_validation);
        let sync = extensions.contains(&vk::EXT_VALIDATION_FEATURES_NAME);
        let instance = boot::create_instance(&entry, version, &layers, &extensions, sync)?;
        let messenger = extensions.contains(&vk::EXT_DEBUG_UTILS_NAME).then(|| {
            let loader = ext::debug_utils::Instance::new(&entry, &instance);
            boot::create_messenger(&loader).map(|m| (loader, m))
        });
        Ok(Self { entry, messenger: messenger.flatten(), instance, version })
    }

    /// Destroys an instance that got no device.
    pub(crate) fn destroy(self) {
        if let Some((loader, messenger)) = self.messenger {
            boot::destroy_messenger(&loader, messenger);
        }
        boot::destroy_instance(&self.instance);
    }

    fn examine(&self, physical: vk::PhysicalDevice) -> Result<Chosen, &'static str> {
        let properties = boot::properties(&self.instance, physical);
        if properties.api_version < vk::API_VERSION_1_1 {
            return Err("older than Vulkan 1.1");
        }
        let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let families = boot::queue_families(&self.instance, physical);
        let family = families.iter().position(|f| f.queue_flags.contains(wanted) && f.queue_count > 0);
        let Some(family) = family else { return Err("no queue family with graphics and compute") };
        Ok(Chosen {
            physical,
            family: family as u32,
            timestamp_bits: families.get(family).map_or(0, |f| f.timestamp_valid_bits),
            api_version: properties.api_version.min(self.version),
            properties,
            extensions: boot::device_extension_names(&self.instance, physical).into_iter().collect(),
        })
    }

    /// The device that `wish` names (part of the name, or an index), or the best one.
    pub(crate) fn choose(&self, wish: &str) -> Result<Chosen, MagmaError> {
        let mut seen = Vec::new();
        let mut best: Option<(u32, Chosen)> = None;
        for (index, physical) in boot::physical_devices(&self.instance).into_iter().enumerate() {
            let properties = boot::properties(&self.instance, physical);
            let name = device_name(&properties);
            let wished = is_wished(wish, index, &name);
            match self.examine(physical) {
                Err(why) => seen.push(format!("{name}: {why}")),
                Ok(_) if !wished => seen.push(format!("{name}: not what MOBILEGL_VK_DEVICE={wish} asks for")),
                Ok(chosen) => {
                    let rank = kind_name(properties.device_type).1;
                    if best.as_ref().is_none_or(|(r, _)| rank > *r) {
                        best = Some((rank, chosen));
                    }
                }
            }
        }
        let seen = if seen.is_empty() { "the loader found no driver".to_owned() } else { seen.join("; ") };
        best.map(|(_, chosen)| chosen).ok_or(MagmaError::NoDevice { seen })
    }

    pub(crate) fn open_device(
        &self,
        chosen: &Chosen,
        chain: &mut Chain,
        enabled: &ExtensionSet,
    ) -> Result<ash::Device, MagmaError> {
        let priorities = [1.0];
        let queues =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(chosen.family).queue_priorities(&priorities)];
        let names: Vec<_> = enabled.iter().map(|e| e.as_ptr()).collect();
        let core = chain.core;
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .enabled_features(&core);
        boot::create_device(&self.instance, chosen.physical, &chain.link(info, enabled))
    }

    fn describe(&self, physical: vk::PhysicalDevice) -> ProbedDevice {
        let properties = boot::properties(&self.instance, physical);
        let version = (vk::api_version_major(properties.api_version), vk::api_version_minor(properties.api_version));
        let (unusable, features) = match self.examine(physical) {
            Err(why) => (Some(why), Vec::new()),
            Ok(chosen) => {
                let have = chosen.extensions;
                (None, Chain::query(&self.instance, physical, &have).table(&have).list())
            }
        };
        ProbedDevice {
            name: device_name(&properties),
            version,
            kind: kind_name(properties.device_type).0,
            unusable,
            features,
        }
    }
}

/// Does `wish` name this device: by its index, by a part of its name in any case of letters, or not at all?
fn is_wished(wish: &str, index: usize, name: &str) -> bool {
    let wish = wish.trim();
    // Digits are an index alone: names have digits too.
    match wish.parse::<usize>() {
        Ok(wished) => wished == index,
        Err(_) => name.to_lowercase().contains(&wish.to_lowercase()),
    }
}

/// Name of a device.
pub(crate) fn device_name(properties: &vk::PhysicalDeviceProperties) -> String {
    properties.device_name_as_c_str().map_or_else(|_| "unnamed device".into(), |n| n.to_string_lossy().into_owned())
}

/// Properties of optional extensions.
pub(crate) struct MoreProperties {
    pub(crate) xfb: vk::PhysicalDeviceTransformFeedbackPropertiesEXT<'static>,
    pub(crate) max_divisor: u32,
    pub(crate) max_push_descriptors: u32,
    pub(crate) host_import_alignment: u64,
    pub(crate) groups: Groups,
    pub(crate) driver: String,
    /// Views with swizzles may be reduced to their least or greatest texel.
    pub minmax_swizzled: bool,
}

/// What invocations of a group can do, by the bits of the stages in which they can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Groups {
    /// Votes.
    pub vote: u32,
    /// Ballots, and reading each other's values; 0 where groups are larger than a 64-bit ballot.
    pub ballot: u32,
    /// Invocations of a group: of every one, as no pipeline allows other sizes.
    pub size: u32,
}

impl Groups {
    fn of(subgroup: &vk::PhysicalDeviceSubgroupProperties<'_>) -> Self {
        use vk::SubgroupFeatureFlags as F;
        // Vulkan numbers the stages as GL orders them.
        let stages = subgroup.supported_stages.as_raw() & 0x3F;
        let can = |what: F| if subgroup.supported_operations.contains(F::BASIC | what) { stages } else { 0 };
        let ballot = if subgroup.subgroup_size <= 64 { can(F::BALLOT | F::SHUFFLE) } else { 0 };
        Self { vote: can(F::VOTE), ballot, size: subgroup.subgroup_size }
    }
}

/// Asks for them.
pub(crate) fn more_properties(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    have: &ExtensionSet,
) -> MoreProperties {
    let mut xfb = vk::PhysicalDeviceTransformFeedbackPropertiesEXT::default();
    let mut divisor = vk::PhysicalDeviceVertexAttributeDivisorPropertiesEXT::default();
    let mut push = vk::PhysicalDevicePushDescriptorPropertiesKHR::default();
    let mut host = vk::PhysicalDeviceExternalMemoryHostPropertiesEXT::default();
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut minmax = vk::PhysicalDeviceSamplerFilterMinmaxProperties::default();
    let mut request = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    if offers(have, vk::EXT_TRANSFORM_FEEDBACK_NAME) {
        request = request.push_next(&mut xfb);
    }
    if offers(have, vk::EXT_VERTEX_ATTRIBUTE_DIVISOR_NAME) {
        request = request.push_next(&mut divisor);
    }
    if offers(have, vk::KHR_PUSH_DESCRIPTOR_NAME) {
        request = request.push_next(&mut push);
    }
    if offers(have, vk::EXT_EXTERNAL_MEMORY_HOST_NAME) {
        request = request.push_next(&mut host);
    }
    if offers(have, vk::EXT_SAMPLER_FILTER_MINMAX_NAME) {
        request = request.push_next(&mut minmax);
    }
    if offers(have, vk::KHR_DRIVER_PROPERTIES_NAME) {
        request = request.push_next(&mut driver);
    }
    boot::properties2(instance, physical, &mut request);
    xfb.p_next = core::ptr::null_mut();
    let text = |s: Result<&CStr, _>| s.map(|c| c.to_string_lossy().into_owned()).unwrap_or_default();
    let mut name = format!("{} {}", text(driver.driver_name_as_c_str()), text(driver.driver_info_as_c_str()));
    if name.trim().is_empty() {
        name = format!("Vulkan driver {:#x}", boot::properties(instance, physical).driver_version);
    }
    MoreProperties {
        xfb,
        max_divisor: divisor.max_vertex_attrib_divisor.max(1),
        max_push_descriptors: push.max_push_descriptors,
        host_import_alignment: host.min_imported_host_pointer_alignment,
        groups: Groups::of(&subgroup),
        minmax_swizzled: minmax.filter_minmax_image_component_mapping != 0,
        driver: name.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_wished;

    /// If this fails, `MOBILEGL_VK_DEVICE=nvidia` does not find "NVIDIA H200", or finds what it does not name.
    #[test]
    fn a_device_is_named_by_index_or_by_a_part_of_its_name() {
        for wish in ["", " ", "nvidia", "H200 ", "3"] {
            assert!(is_wished(wish, 3, "NVIDIA H200"), "{wish}");
        }
        for wish in ["0", "intel", "33"] {
            assert!(!is_wished(wish, 3, "NVIDIA H200"), "{wish}");
        }
    }
}
