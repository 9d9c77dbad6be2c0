//! The device: instance, physical device, queue, optional features and the allocator, in one shared value. Must not
//! know what is made from it.

pub mod caps;
pub mod features;
pub mod formats;
mod limits;
mod pick;
pub mod query;

pub use features::DeviceFeatures;
pub use pick::{ProbedDevice, probe};

use crate::error::MagmaError;
use crate::raw;
use ash::{ext, khr, vk};
use mgl_backend::inject::Shortage;
use mgl_base::threads;
use query::{Chain, ExtensionSet};
use std::mem::ManuallyDrop;
use std::time::Duration;

/// How long the driver's threads may run for one batch where the processor draws and nobody else looks whether it ends. A
/// GPU is left to its driver, which knows whose work hangs (`VK_ERROR_DEVICE_LOST`): seen from here, one that works for
/// sixteen other programs looks the same.
const LIMIT: Duration = Duration::from_secs(120);

/// How the backend is made. `Options::from_env` reads the documented variables.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Loads the Khronos validation layer (`MOBILEGL_VK_VALIDATION=1`, or `=sync` for synchronisation checks too).
    pub validation: bool,
    /// Adds synchronisation validation.
    pub sync_validation: bool,
    /// Names of optional features to switch off (`MOBILEGL_MAGMA_DISABLE`, comma separated).
    pub disable: String,
    /// Part of a device name, or an index (`MOBILEGL_VK_DEVICE`); empty = the best device.
    pub device: String,
    /// Says what indirect draws and waits cost when the session ends (`MOBILEGL_PIPE_STATS=1`).
    pub stats: bool,
    /// Seconds without progress after which the device counts as hung (`MOBILEGL_GPU_TIMEOUT_S`); 0 = never, `None` = as the
    /// device is.
    pub time_limit: Option<u64>,
    /// Allocations that fail on purpose (`MOBILEGL_FAIL_ALLOCATION`).
    pub shortage: Shortage,
    /// Called when a device is chosen and before it is opened, with true for one that draws on the processor: a process that
    /// wants to confine itself knows what the driver will need, and the driver has no threads yet.
    pub chosen: Option<fn(bool)>,
}

impl Options {
    /// Options from the environment.
    pub fn from_env() -> Self {
        let var = |name: &str| std::env::var(name).unwrap_or_default();
        let validation = var("MOBILEGL_VK_VALIDATION");
        Self {
            validation: !validation.is_empty() && validation != "0",
            sync_validation: validation == "sync",
            disable: var("MOBILEGL_MAGMA_DISABLE"),
            device: var("MOBILEGL_VK_DEVICE"),
            stats: var("MOBILEGL_PIPE_STATS") == "1",
            time_limit: var("MOBILEGL_GPU_TIMEOUT_S").parse().ok(),
            shortage: Shortage::from_env(),
            chosen: None,
        }
    }
}

/// Functions of optional extensions; `Some` exactly when the feature of the same name is on.
pub struct Extensions {
    /// Begin and end of dynamic rendering.
    pub dynamic_rendering: Option<khr::dynamic_rendering::Device>,
    /// Timeline semaphores.
    pub timeline: Option<khr::timeline_semaphore::Device>,
    /// Push descriptors.
    pub push_descriptor: Option<khr::push_descriptor::Device>,
    /// Dynamic state, first set.
    pub eds: Option<ext::extended_dynamic_state::Device>,
    /// Dynamic state, second set.
    pub eds2: Option<ext::extended_dynamic_state2::Device>,
    /// Dynamic state, third set (look at the single features).
    pub eds3: Option<ext::extended_dynamic_state3::Device>,
    /// Several draws in one command.
    pub multi_draw: Option<ext::multi_draw::Device>,
    /// Dynamic vertex input.
    pub vertex_input: Option<ext::vertex_input_dynamic_state::Device>,
    /// Transform feedback.
    pub xfb: Option<ext::transform_feedback::Device>,
    /// Draws with a count in a buffer.
    pub draw_count: Option<khr::draw_indirect_count::Device>,
    /// Line stipple of line rasterisation.
    pub lines: Option<ext::line_rasterization::Device>,
    /// Host query reset.
    pub host_reset: Option<ext::host_query_reset::Device>,
    /// Conditional rendering.
    pub conditional: Option<ext::conditional_rendering::Device>,
    /// Host memory import.
    pub external_host: Option<ext::external_memory_host::Device>,
}

/// The device and everything that lives as long as it.
pub struct Gpu {
    /// Loader; keeps the library loaded.
    pub entry: ash::Entry,
    /// Instance.
    pub instance: ash::Instance,
    /// Chosen physical device.
    pub physical: vk::PhysicalDevice,
    /// Device functions.
    pub device: ash::Device,
    /// The only queue: graphics, compute and transfer.
    pub queue: vk::Queue,
    /// Its family.
    pub queue_family: u32,
    /// Valid bits of timestamps on the queue.
    pub timestamp_bits: u32,
    /// Version that device and instance agree on.
    pub api_version: u32,
    /// Properties of the physical device.
    pub properties: vk::PhysicalDeviceProperties,
    /// Memory types.
    pub memory: vk::PhysicalDeviceMemoryProperties,
    /// Optional features.
    pub features: DeviceFeatures,
    /// Formats.
    pub formats: formats::Formats,
    /// Functions of optional extensions.
    pub ext: Extensions,
    /// Every pipeline stage that can run a shader on this device.
    pub shader_stages: vk::PipelineStageFlags,
    /// Alignment of imported host memory; 0 when it cannot be imported.
    pub host_import_alignment: u64,
    /// Limits of transform feedback; zero without it.
    pub xfb_limits: vk::PhysicalDeviceTransformFeedbackPropertiesEXT<'static>,
    /// What groups of invocations can do.
    pub groups: pick::Groups,
    /// Largest instance divisor.
    pub max_divisor: u32,
    /// Push descriptors per set; 0 without them.
    pub max_push_descriptors: u32,
    /// Driver name and version as the driver gives it.
    pub driver: String,
    /// How long the device may work without finishing a batch; `None` = for ever.
    pub time_limit: Option<Duration>,
    /// The driver's threads where the processor draws: the time that they run is the time that counts.
    pub threads: Option<Vec<u32>>,
    allocator: ManuallyDrop<raw::memory::Allocator>,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
}

impl Gpu {
    /// Chooses a device and makes it ready.
    pub fn new(options: &Options) -> Result<Self, MagmaError> {
        let before = threads::all();
        let host = pick::Host::new(options)?;
        let chosen = match host.choose(&options.device) {
            Ok(chosen) => chosen,
            Err(e) => {
                host.destroy();
                return Err(e);
            }
        };
        if let Some(tell) = options.chosen {
            tell(chosen.properties.device_type == vk::PhysicalDeviceType::CPU);
        }
        let have = chosen.extensions.clone();
        let mut features = Chain::query(&host.instance, chosen.physical, &have).table(&have);
        // lavapipe of Mesa 22 copies depth and stencil together whatever the region's aspect says.
        let lavapipe = pick::device_name(&chosen.properties).starts_with("llvmpipe");
        features.aspect_copies = !lavapipe;
        // Where a shader branches on members of its eighth block or a later one, lavapipe of Mesa 22 notes their offsets
        // beyond its table of them and crashes.
        features.many_uniform_blocks = !lavapipe;
        for name in features.disable_list(&options.disable) {
            tracing::warn!("MOBILEGL_MAGMA_DISABLE: there is no feature {name:?}; known: {:?}", DeviceFeatures::NAMES);
        }
        close_over(&mut features);
        let processor = chosen.properties.device_type == vk::PhysicalDeviceType::CPU;
        let mut gpu = Self::open(host, chosen, features, (&have, options.shortage))?;
        let limit = options.time_limit.map(Duration::from_secs).or(processor.then_some(LIMIT));
        gpu.time_limit = limit.filter(|limit| !limit.is_zero());
        let started = threads::all().into_iter().filter(|thread| !before.contains(thread));
        gpu.threads = processor.then(|| started.collect());
        Ok(gpu)
    }

    fn open(
        host: pick::Host,
        chosen: pick::Chosen,
        features: DeviceFeatures,
        (have, shortage): (&ExtensionSet, Shortage),
    ) -> Result<Self, MagmaError> {
        let more = pick::more_properties(&host.instance, chosen.physical, have);
        let mut features = features;
        features.filter_minmax &= more.minmax_swizzled;
        let (mut chain, mut wanted) = Chain::enabling(&features);
        query::complete(&mut wanted, have);
        let device = match host.open_device(&chosen, &mut chain, &wanted) {
            Ok(device) => device,
            Err(e) => {
                host.destroy();
                return Err(e);
            }
        };
        let pick::Host { entry, instance, messenger, .. } = host;
        let allocator = raw::memory::allocator(&instance, &device, chosen.physical, chosen.api_version, shortage)
            .map_err(|result| MagmaError::Vulkan { what: "vmaCreateAllocator", result })?;
        Ok(Self {
            physical: chosen.physical,
            queue: raw::boot::queue(&device, chosen.family),
            queue_family: chosen.family,
            timestamp_bits: chosen.timestamp_bits,
            api_version: chosen.api_version,
            memory: raw::boot::memory_properties(&instance, chosen.physical),
            properties: chosen.properties,
            formats: formats::Formats::new(&instance, chosen.physical, &features),
            ext: Extensions::load(&instance, &device, &features),
            shader_stages: shader_stages(&features),
            host_import_alignment: if features.external_memory_host { more.host_import_alignment } else { 0 },
            xfb_limits: more.xfb,
            groups: more.groups,
            max_divisor: more.max_divisor,
            max_push_descriptors: if features.push_descriptor { more.max_push_descriptors } else { 0 },
            driver: more.driver,
            time_limit: None,
            threads: None,
            features,
            allocator: ManuallyDrop::new(allocator),
            messenger,
            entry,
            instance,
            device,
        })
    }

    /// True when the validation layer listens.
    pub fn validating(&self) -> bool {
        self.messenger.is_some()
    }

    /// The allocator.
    pub fn allocator(&self) -> &raw::memory::Allocator {
        &self.allocator
    }
}

/// Features that are useless or illegal without another one go with it.
fn close_over(f: &mut DeviceFeatures) {
    f.dynamic_rendering &= f.depth_stencil_resolve;
    f.custom_border_color &= f.custom_border_colors;
    f.geometry_streams &= f.transform_feedback;
    f.primitives_generated_query &= f.transform_feedback;
    f.primitives_generated_streams &= f.primitives_generated_query;
    f.xfb_preserves_provoking_vertex &= f.transform_feedback && f.provoking_vertex_last;
    f.robust_buffer_access2 &= f.robust_buffer_access;
    f.vertex_attribute_zero_divisor &= f.vertex_attribute_divisor;
    f.patch_list_restart &= f.list_restart;
    f.eds3_depth_clip_mode &= f.depth_clip_control;
    f.eds3_provoking_vertex &= f.provoking_vertex_last;
    f.eds3_logic_op_enable &= f.logic_op;
    f.graphics_pipeline_library &= f.dynamic_rendering;
}

fn shader_stages(f: &DeviceFeatures) -> vk::PipelineStageFlags {
    use vk::PipelineStageFlags as S;
    let mut stages = S::VERTEX_SHADER | S::FRAGMENT_SHADER | S::COMPUTE_SHADER;
    if f.geometry_shader {
        stages |= S::GEOMETRY_SHADER;
    }
    if f.tessellation_shader {
        stages |= S::TESSELLATION_CONTROL_SHADER | S::TESSELLATION_EVALUATION_SHADER;
    }
    stages
}

impl Extensions {
    fn load(instance: &ash::Instance, device: &ash::Device, f: &DeviceFeatures) -> Self {
        let eds3 = f.eds3_blend_enable
            || f.eds3_blend_equation
            || f.eds3_write_mask
            || f.eds3_logic_op_enable
            || f.eds3_depth_clamp
            || f.eds3_polygon_mode
            || f.eds3_depth_clip_mode
            || f.eds3_provoking_vertex;
        let lines = f.bresenham_lines || f.smooth_lines || f.rectangular_lines;
        Self {
            dynamic_rendering: f.dynamic_rendering.then(|| khr::dynamic_rendering::Device::new(instance, device)),
            timeline: f.timeline_semaphore.then(|| khr::timeline_semaphore::Device::new(instance, device)),
            push_descriptor: f.push_descriptor.then(|| khr::push_descriptor::Device::new(instance, device)),
            eds: f.extended_dynamic_state.then(|| ext::extended_dynamic_state::Device::new(instance, device)),
            eds2: f.extended_dynamic_state2.then(|| ext::extended_dynamic_state2::Device::new(instance, device)),
            eds3: eds3.then(|| ext::extended_dynamic_state3::Device::new(instance, device)),
            multi_draw: f.multi_draw.then(|| ext::multi_draw::Device::new(instance, device)),
            vertex_input: f
                .vertex_input_dynamic_state
                .then(|| ext::vertex_input_dynamic_state::Device::new(instance, device)),
            xfb: f.transform_feedback.then(|| ext::transform_feedback::Device::new(instance, device)),
            draw_count: f.draw_indirect_count.then(|| khr::draw_indirect_count::Device::new(instance, device)),
            lines: lines.then(|| ext::line_rasterization::Device::new(instance, device)),
            host_reset: f.host_query_reset.then(|| ext::host_query_reset::Device::new(instance, device)),
            conditional: f.conditional_rendering.then(|| ext::conditional_rendering::Device::new(instance, device)),
            external_host: f.external_memory_host.then(|| ext::external_memory_host::Device::new(instance, device)),
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        raw::submit::wait_idle(&self.device).ok();
        raw::memory::drop_allocator(&mut self.allocator);
        raw::boot::destroy_device(&self.device);
        if let Some((loader, messenger)) = self.messenger.take() {
            raw::boot::destroy_messenger(&loader, messenger);
        }
        raw::boot::destroy_instance(&self.instance);
    }
}
