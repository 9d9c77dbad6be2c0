//! Sampler objects from sampler parameters. Must not know views.

use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::make;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::{Refusal, SamplerDesc};
use mgl_base::Handle;
use mgl_base::handle::SamplerCso;
use mgl_base::slots::SlotTable;
use mgl_pipe::tokens::{BorderForm, CompareFunc, Filter, Reduction, Wrap};

/// The samplers of one set of parameters.
struct Entry {
    desc: SamplerDesc,
    sampler: vk::Sampler,
    /// The same without linear filters, once it was wanted.
    nearest: vk::Sampler,
}

/// Samplers by handle.
#[derive(Default)]
pub struct Samplers {
    table: SlotTable<SamplerCso, Entry>,
    default: vk::Sampler,
}

impl Samplers {
    /// New parameters.
    pub fn create(&mut self, gpu: &Gpu, cso: Handle<SamplerCso>, desc: &SamplerDesc) -> Outcome {
        let entry = Entry { desc: *desc, sampler: make(gpu, desc)?, nearest: vk::Sampler::null() };
        self.table.insert(cso, entry, "magma.sampler").map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }

    /// Eviction of parameters.
    pub fn destroy(&mut self, commands: &mut Commands, cso: Handle<SamplerCso>) {
        if let Some(entry) = self.table.remove(cso) {
            let now = commands.current_serial();
            entry.samplers().for_each(|sampler| commands.defer_destroy(now, Garbage::Sampler(sampler)));
        }
    }

    /// The sampler for texels of a format of which the device can do so much; a plain one for a null handle.
    ///
    /// GL samples multisampled textures without filters and leaves the result of linear filters to others that cannot have
    /// them; Vulkan forbids the pair even where the shader only fetches (VUID-vkCmdDraw-magFilter-04553).
    pub fn get(&mut self, gpu: &Gpu, cso: Handle<SamplerCso>, can: vk::FormatFeatureFlags) -> Outcome<vk::Sampler> {
        if let Some(entry) = self.table.get_mut(cso) {
            return if can.contains(entry.needs()) { Ok(entry.sampler) } else { entry.nearest(gpu) };
        }
        if self.default == vk::Sampler::null() {
            let info = vk::SamplerCreateInfo::default();
            self.default = make::sampler(&gpu.device, &info).map_err(|e| refuse("vkCreateSampler", e))?;
        }
        Ok(self.default)
    }

    /// True when it gives the texels of sRGB formats as they are stored.
    pub fn skips_decode(&self, cso: Handle<SamplerCso>) -> bool {
        self.table.get(cso).is_some_and(|entry| entry.desc.skip_decode.get())
    }

    /// Lets go of everything.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        let all: Vec<vk::Sampler> = self.table.iter().flat_map(|(_, e)| e.samplers()).chain([self.default]).collect();
        all.into_iter().for_each(|s| commands.defer_destroy(now, Garbage::Sampler(s)));
        *self = Self::default();
    }
}

impl Entry {
    /// Whether it needs a format that filters. Comparisons are filtered after them, whatever the format (the same VUID).
    fn filters(&self) -> bool {
        if self.desc.compare.get() {
            return false;
        }
        let between = matches!(self.desc.min_filter, Filter::NearestMipmapLinear | Filter::LinearMipmapLinear);
        linear(self.desc.min_filter) || linear(self.desc.mag_filter) || between || self.desc.max_anisotropy > 1.0
    }

    /// What it needs the format to be able to do.
    fn needs(&self) -> vk::FormatFeatureFlags {
        use vk::FormatFeatureFlags as F;
        let filtered = if self.filters() { F::SAMPLED_IMAGE_FILTER_LINEAR } else { F::empty() };
        let reduced = self.desc.reduction != Reduction::Average;
        filtered | if reduced { F::SAMPLED_IMAGE_FILTER_MINMAX } else { F::empty() }
    }

    fn nearest(&mut self, gpu: &Gpu) -> Outcome<vk::Sampler> {
        if self.nearest == vk::Sampler::null() {
            let mip = !matches!(self.desc.min_filter, Filter::Nearest | Filter::Linear);
            let min_filter = if mip { Filter::NearestMipmapNearest } else { Filter::Nearest };
            let (mag_filter, reduction) = (Filter::Nearest, Reduction::Average);
            let desc = SamplerDesc { min_filter, mag_filter, reduction, max_anisotropy: 1.0, ..self.desc };
            self.nearest = make(gpu, &desc)?;
        }
        Ok(self.nearest)
    }

    fn samplers(&self) -> impl Iterator<Item = vk::Sampler> + use<> {
        [self.sampler, self.nearest].into_iter().filter(|s| *s != vk::Sampler::null())
    }
}

/// Texels of one level are averaged.
fn linear(filter: Filter) -> bool {
    matches!(filter, Filter::Linear | Filter::LinearMipmapNearest | Filter::LinearMipmapLinear)
}

fn wrap(gpu: &Gpu, mode: Wrap) -> vk::SamplerAddressMode {
    match mode {
        Wrap::ClampToBorder => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        Wrap::ClampToEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        Wrap::MirroredRepeat => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Wrap::MirrorClampToEdge if gpu.features.mirror_clamp_to_edge => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
        Wrap::MirrorClampToEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        _ => vk::SamplerAddressMode::REPEAT,
    }
}

fn compare(func: CompareFunc) -> vk::CompareOp {
    crate::pipelines::compare_op(func)
}

/// The fixed border colour that is nearest; exact when the device has custom ones.
fn fixed_border(desc: &SamplerDesc) -> vk::BorderColor {
    let integer = desc.border_form != BorderForm::Float;
    let value = |i: usize| if integer { desc.border[i] as f32 } else { f32::from_bits(desc.border[i]) };
    let white = value(0) > 0.5;
    let opaque = value(3) > 0.5;
    match (integer, white, opaque) {
        (false, true, true) => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        (false, _, true) => vk::BorderColor::FLOAT_OPAQUE_BLACK,
        (false, _, false) => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
        (true, true, true) => vk::BorderColor::INT_OPAQUE_WHITE,
        (true, _, true) => vk::BorderColor::INT_OPAQUE_BLACK,
        (true, _, false) => vk::BorderColor::INT_TRANSPARENT_BLACK,
    }
}

fn is_fixed(desc: &SamplerDesc) -> bool {
    let one = if desc.border_form == BorderForm::Float { 1.0f32.to_bits() } else { 1 };
    let rgb = &desc.border[..3];
    let black = rgb.iter().all(|v| *v == 0) && (desc.border[3] == 0 || desc.border[3] == one);
    black || desc.border.iter().all(|v| *v == one)
}

fn reduced(mode: Reduction) -> vk::SamplerReductionMode {
    match mode {
        Reduction::Min => vk::SamplerReductionMode::MIN,
        Reduction::Max => vk::SamplerReductionMode::MAX,
        _ => vk::SamplerReductionMode::WEIGHTED_AVERAGE,
    }
}

fn cube_seams(gpu: &Gpu, desc: &SamplerDesc) -> vk::SamplerCreateFlags {
    if !desc.seamless.get() && gpu.features.non_seamless_cube_map {
        vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT
    } else {
        vk::SamplerCreateFlags::empty()
    }
}

fn make(gpu: &Gpu, desc: &SamplerDesc) -> Outcome<vk::Sampler> {
    let filter = |yes: bool| if yes { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
    let mipmapped = !matches!(desc.min_filter, Filter::Nearest | Filter::Linear);
    let mip_linear = matches!(desc.min_filter, Filter::NearestMipmapLinear | Filter::LinearMipmapLinear);
    let limits = &gpu.properties.limits;
    let anisotropic = gpu.features.sampler_anisotropy && desc.max_anisotropy > 1.0;
    let wraps = [desc.wrap_s, desc.wrap_t, desc.wrap_r].map(|w| wrap(gpu, w));
    let border = wraps.contains(&vk::SamplerAddressMode::CLAMP_TO_BORDER);
    // Without mip maps only the base level is read; 0.25 keeps the choice between the two filters by minification
    // (Vulkan, note at VkSamplerCreateInfo).
    let (min_lod, max_lod) =
        if mipmapped { (desc.min_lod.max(0.0), desc.max_lod.max(desc.min_lod.max(0.0))) } else { (0.0, 0.25) };
    let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT {
        custom_border_color: vk::ClearColorValue { uint32: desc.border },
        format: vk::Format::UNDEFINED,
        ..Default::default()
    };
    let mut reduction = vk::SamplerReductionModeCreateInfo::default().reduction_mode(reduced(desc.reduction));
    let mut info = vk::SamplerCreateInfo::default()
        .flags(cube_seams(gpu, desc))
        .min_filter(filter(linear(desc.min_filter)))
        .mag_filter(filter(linear(desc.mag_filter)))
        .mipmap_mode(if mip_linear { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST })
        .address_mode_u(wraps[0])
        .address_mode_v(wraps[1])
        .address_mode_w(wraps[2])
        .mip_lod_bias(desc.lod_bias.clamp(-limits.max_sampler_lod_bias, limits.max_sampler_lod_bias))
        .anisotropy_enable(anisotropic)
        .max_anisotropy(desc.max_anisotropy.clamp(1.0, limits.max_sampler_anisotropy.max(1.0)))
        .compare_enable(desc.compare.get())
        .compare_op(compare(desc.compare_func))
        .min_lod(min_lod)
        .max_lod(max_lod)
        .border_color(fixed_border(desc));
    if border && gpu.features.custom_border_color && !is_fixed(desc) {
        info = info.border_color(if desc.border_form == BorderForm::Float {
            vk::BorderColor::FLOAT_CUSTOM_EXT
        } else {
            vk::BorderColor::INT_CUSTOM_EXT
        });
        info = info.push_next(&mut custom);
    }
    if gpu.features.filter_minmax && desc.reduction != Reduction::Average {
        info = info.push_next(&mut reduction);
    }
    make::sampler(&gpu.device, &info).map_err(|e| refuse("vkCreateSampler", e))
}

#[cfg(test)]
mod tests {
    use super::{Entry, SamplerDesc, vk};
    use mgl_pipe::tokens::Filter;

    /// If this fails, shadows lose their soft edges on devices that filter no depth but its comparisons.
    #[test]
    fn comparisons_keep_their_filter() {
        let mut desc = SamplerDesc { mag_filter: Filter::Linear, ..SamplerDesc::default() };
        let filters = |desc| Entry { desc, sampler: vk::Sampler::null(), nearest: vk::Sampler::null() }.filters();
        assert!(filters(desc));
        desc.compare = true.into();
        assert!(!filters(desc));
    }
}
