//! Which Vulkan format holds each GL format on this device, and how texels must be converted on the way. Must not know
//! images; only what the device says about formats.

use crate::device::features::DeviceFeatures;
use crate::raw::boot;
use ash::vk;
use mgl_backend::values::{Base, Format, Storage};
use mgl_pipe::format::FORMATS;
use vk::FormatFeatureFlags as F;

/// How the storage layout becomes the planes that Vulkan copies, per texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Byte for byte.
    Plain,
    /// Depth in the high 24 bits of a word; Vulkan wants it in the low 24.
    Depth24,
    /// Depth in the high 24 bits of a word; the image holds floats.
    Depth24AsFloat,
    /// 24 + 8 bits; Vulkan copies a depth plane (low 24 bits) and a stencil plane.
    Depth24Stencil8,
    /// 24 + 8 bits; the image holds floats and bytes.
    Depth24Stencil8AsFloat,
    /// Float and word; Vulkan copies a float plane and a byte plane.
    FloatStencil8,
}

impl Layout {
    /// Bytes of a texel of the storage layout.
    pub fn wire_bytes(self, storage: Storage) -> u32 {
        storage.block_bytes()
    }
    /// True when the texels of the aspect are the storage bytes.
    pub fn is_plain(self) -> bool {
        self == Layout::Plain
    }
}

/// One format on this device.
#[derive(Clone, Copy, Debug)]
pub struct FormatEntry {
    /// Format of images; `UNDEFINED` = the device has none.
    pub vk: vk::Format,
    /// Format of texel buffers, tight as GL lays them out; `UNDEFINED` = none.
    pub buffer_vk: vk::Format,
    /// Aspects of the image (`S8` in a packed format: stencil only is used, but views need what is there).
    pub aspects: vk::ImageAspectFlags,
    /// What images can do.
    pub image: F,
    /// What texel buffers can do.
    pub buffer: F,
    /// Conversion of depth and stencil texels.
    pub layout: Layout,
    /// The same format without sRGB encoding; equal to `vk` for others.
    pub linear: vk::Format,
    /// Sample counts of attachments.
    pub samples: vk::SampleCountFlags,
}

/// All formats by `Format as usize - 1`.
#[derive(Debug)]
pub struct Formats(Vec<FormatEntry>);

impl Formats {
    /// Asks the device.
    pub fn new(instance: &ash::Instance, physical: vk::PhysicalDevice, features: &DeviceFeatures) -> Self {
        Self(FORMATS.iter().map(|row| entry(instance, physical, row.format, features)).collect())
    }

    /// The entry of a format.
    pub fn get(&self, format: Format) -> &FormatEntry {
        // The table has one row per format by construction.
        &self.0[format as usize - 1]
    }
}

/// What Vulkan demands of optimal images of a format, where a device has it at all ("Required Format Support"); and what
/// is left to the device but has no way around it here.
fn demanded(storage: Storage) -> F {
    use Storage as S;
    let all = F::SAMPLED_IMAGE | F::TRANSFER_SRC | F::TRANSFER_DST | F::STORAGE_IMAGE | F::STORAGE_IMAGE_ATOMIC;
    let drawn = all | F::COLOR_ATTACHMENT | F::BLIT_SRC | F::BLIT_DST;
    let filtered = F::SAMPLED_IMAGE_FILTER_LINEAR;
    match storage {
        S::R16Unorm | S::Rg16Unorm | S::Rgba16Unorm | S::R16Snorm | S::Rg16Snorm | S::Rgba16Snorm => all,
        S::R8Snorm | S::Rg8Snorm | S::Rgba8Snorm | S::R11G11B10Float | S::Rgb9E5Float => all | F::BLIT_SRC | filtered,
        S::D16Unorm | S::D24Unorm | S::D32Float | S::D24UnormS8Uint | S::D32FloatS8Uint | S::S8Uint => {
            all | F::DEPTH_STENCIL_ATTACHMENT | F::BLIT_SRC
        }
        S::R32Float | S::Rg32Float | S::Rgba32Float => drawn,
        _ if storage.block_extent() != (1, 1) => all | F::BLIT_SRC | filtered,
        S::R8Unorm | S::Rg8Unorm | S::Rgba8Unorm | S::Rgba8Srgb | S::Rgb10A2Unorm => {
            drawn | filtered | F::COLOR_ATTACHMENT_BLEND
        }
        S::R16Float | S::Rg16Float | S::Rgba16Float => drawn | filtered | F::COLOR_ATTACHMENT_BLEND,
        _ => drawn,
    }
}

/// True when the features that are switched on allow the format.
fn allowed(format: vk::Format, features: &DeviceFeatures) -> bool {
    let raw = format.as_raw();
    let within = |first: vk::Format, last: vk::Format| (first.as_raw()..=last.as_raw()).contains(&raw);
    if within(vk::Format::BC1_RGB_UNORM_BLOCK, vk::Format::BC7_SRGB_BLOCK) {
        return features.texture_compression_bc;
    }
    if within(vk::Format::ETC2_R8G8B8_UNORM_BLOCK, vk::Format::EAC_R11G11_SNORM_BLOCK) {
        return features.texture_compression_etc2;
    }
    if ASTC.contains(&raw) {
        return features.texture_compression_astc;
    }
    match format {
        vk::Format::X8_D24_UNORM_PACK32 | vk::Format::D24_UNORM_S8_UINT => features.native_depth24,
        vk::Format::S8_UINT => features.native_stencil8,
        _ => true,
    }
}

fn entry(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    format: Format,
    features: &DeviceFeatures,
) -> FormatEntry {
    let info = format.info();
    let storage = info.storage;
    let depth_like = !format.is_color();
    // Copies of depth and stencil that Vulkan has no command for sample their source.
    let need = if depth_like { F::DEPTH_STENCIL_ATTACHMENT | F::SAMPLED_IMAGE } else { F::SAMPLED_IMAGE };
    let ask = |vk| boot::format_properties(instance, physical, vk);
    let (vk, layout) = candidates(storage)
        .iter()
        .copied()
        .find(|(vk, _)| allowed(*vk, features) && ask(*vk).optimal_tiling_features.contains(need))
        .unwrap_or((vk::Format::UNDEFINED, Layout::Plain));
    let tight = texel_buffer_format(format);
    let offered = if vk == vk::Format::UNDEFINED { F::empty() } else { ask(vk).optimal_tiling_features };
    let image = if features.optional_format_features { offered } else { offered & demanded(storage) };
    let usage = if depth_like {
        vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT | vk::ImageUsageFlags::SAMPLED
    } else {
        vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::SAMPLED
    };
    let attachable = image.intersects(F::COLOR_ATTACHMENT | F::DEPTH_STENCIL_ATTACHMENT);
    let none = vk::ImageCreateFlags::empty();
    let limits = attachable
        .then(|| boot::image_format_properties(instance, physical, vk, vk::ImageType::TYPE_2D, usage, none))
        .flatten();
    FormatEntry {
        vk,
        buffer_vk: tight,
        aspects: aspects_of(vk, depth_like),
        image,
        buffer: if tight == vk::Format::UNDEFINED { F::empty() } else { ask(tight).buffer_features },
        layout,
        linear: if info.srgb { linear_of(vk) } else { vk },
        samples: limits.map_or(vk::SampleCountFlags::TYPE_1, |l| l.sample_counts),
    }
}

/// Aspects of a Vulkan format.
pub fn aspects_of(format: vk::Format, depth_like: bool) -> vk::ImageAspectFlags {
    use vk::Format as V;
    use vk::ImageAspectFlags as A;
    if !depth_like {
        return A::COLOR;
    }
    match format {
        V::D24_UNORM_S8_UINT | V::D32_SFLOAT_S8_UINT | V::D16_UNORM_S8_UINT => A::DEPTH | A::STENCIL,
        V::S8_UINT => A::STENCIL,
        _ => A::DEPTH,
    }
}

/// ASTC LDR formats.
const ASTC: std::ops::RangeInclusive<i32> =
    vk::Format::ASTC_4X4_UNORM_BLOCK.as_raw()..=vk::Format::ASTC_12X12_SRGB_BLOCK.as_raw();

fn linear_of(format: vk::Format) -> vk::Format {
    use vk::Format as V;
    match format {
        V::R8G8B8A8_SRGB => V::R8G8B8A8_UNORM,
        V::BC1_RGB_SRGB_BLOCK => V::BC1_RGB_UNORM_BLOCK,
        V::BC1_RGBA_SRGB_BLOCK => V::BC1_RGBA_UNORM_BLOCK,
        V::BC2_SRGB_BLOCK => V::BC2_UNORM_BLOCK,
        V::BC3_SRGB_BLOCK => V::BC3_UNORM_BLOCK,
        V::BC7_SRGB_BLOCK => V::BC7_UNORM_BLOCK,
        V::ETC2_R8G8B8_SRGB_BLOCK => V::ETC2_R8G8B8_UNORM_BLOCK,
        V::ETC2_R8G8B8A1_SRGB_BLOCK => V::ETC2_R8G8B8A1_UNORM_BLOCK,
        V::ETC2_R8G8B8A8_SRGB_BLOCK => V::ETC2_R8G8B8A8_UNORM_BLOCK,
        // UNORM and SRGB of a block size are neighbours, UNORM first.
        astc if ASTC.contains(&astc.as_raw()) => V::from_raw(astc.as_raw() - 1),
        other => other,
    }
}

/// Formats to try, best first.
fn candidates(storage: Storage) -> &'static [(vk::Format, Layout)] {
    use Layout as L;
    use vk::Format as V;
    match storage {
        Storage::D24Unorm => &[(V::X8_D24_UNORM_PACK32, L::Depth24), (V::D32_SFLOAT, L::Depth24AsFloat)],
        Storage::D24UnormS8Uint => {
            &[(V::D24_UNORM_S8_UINT, L::Depth24Stencil8), (V::D32_SFLOAT_S8_UINT, L::Depth24Stencil8AsFloat)]
        }
        Storage::D32FloatS8Uint => &[(V::D32_SFLOAT_S8_UINT, L::FloatStencil8)],
        Storage::S8Uint => {
            &[(V::S8_UINT, L::Plain), (V::D24_UNORM_S8_UINT, L::Plain), (V::D32_SFLOAT_S8_UINT, L::Plain)]
        }
        Storage::D16Unorm => &[(V::D16_UNORM, L::Plain)],
        Storage::D32Float => &[(V::D32_SFLOAT, L::Plain)],
        other => match color_formats().iter().find(|(s, _)| *s == other) {
            Some((_, list)) => list,
            None => &[],
        },
    }
}

macro_rules! color_table {
    ($($storage:ident = $vk:ident),+ $(,)?) => {
        #[allow(clippy::type_complexity, reason = "a table of constants")]
        const COLOR: &[(Storage, &[(vk::Format, Layout)])] =
            &[$((Storage::$storage, &[(vk::Format::$vk, Layout::Plain)])),+];
    };
}

color_table! {
    R8Unorm = R8_UNORM, R8Snorm = R8_SNORM, R8Uint = R8_UINT, R8Sint = R8_SINT,
    Rg8Unorm = R8G8_UNORM, Rg8Snorm = R8G8_SNORM, Rg8Uint = R8G8_UINT, Rg8Sint = R8G8_SINT,
    Rgba8Unorm = R8G8B8A8_UNORM, Rgba8Snorm = R8G8B8A8_SNORM, Rgba8Uint = R8G8B8A8_UINT,
    Rgba8Sint = R8G8B8A8_SINT, Rgba8Srgb = R8G8B8A8_SRGB,
    R16Unorm = R16_UNORM, R16Snorm = R16_SNORM, R16Uint = R16_UINT, R16Sint = R16_SINT, R16Float = R16_SFLOAT,
    Rg16Unorm = R16G16_UNORM, Rg16Snorm = R16G16_SNORM, Rg16Uint = R16G16_UINT, Rg16Sint = R16G16_SINT,
    Rg16Float = R16G16_SFLOAT,
    Rgba16Unorm = R16G16B16A16_UNORM, Rgba16Snorm = R16G16B16A16_SNORM, Rgba16Uint = R16G16B16A16_UINT,
    Rgba16Sint = R16G16B16A16_SINT, Rgba16Float = R16G16B16A16_SFLOAT,
    R32Uint = R32_UINT, R32Sint = R32_SINT, R32Float = R32_SFLOAT,
    Rg32Uint = R32G32_UINT, Rg32Sint = R32G32_SINT, Rg32Float = R32G32_SFLOAT,
    Rgba32Uint = R32G32B32A32_UINT, Rgba32Sint = R32G32B32A32_SINT, Rgba32Float = R32G32B32A32_SFLOAT,
    Rgb10A2Unorm = A2B10G10R10_UNORM_PACK32, Rgb10A2Uint = A2B10G10R10_UINT_PACK32,
    R11G11B10Float = B10G11R11_UFLOAT_PACK32, Rgb9E5Float = E5B9G9R9_UFLOAT_PACK32,
    Bc1Rgb = BC1_RGB_UNORM_BLOCK, Bc1Rgba = BC1_RGBA_UNORM_BLOCK, Bc2 = BC2_UNORM_BLOCK, Bc3 = BC3_UNORM_BLOCK,
    Bc1RgbSrgb = BC1_RGB_SRGB_BLOCK, Bc1RgbaSrgb = BC1_RGBA_SRGB_BLOCK, Bc2Srgb = BC2_SRGB_BLOCK,
    Bc3Srgb = BC3_SRGB_BLOCK, Bc4Unorm = BC4_UNORM_BLOCK, Bc4Snorm = BC4_SNORM_BLOCK,
    Bc5Unorm = BC5_UNORM_BLOCK, Bc5Snorm = BC5_SNORM_BLOCK, Bc6hUfloat = BC6H_UFLOAT_BLOCK,
    Bc6hSfloat = BC6H_SFLOAT_BLOCK, Bc7Unorm = BC7_UNORM_BLOCK, Bc7Srgb = BC7_SRGB_BLOCK,
    Etc2Rgb8 = ETC2_R8G8B8_UNORM_BLOCK, Etc2Rgb8Srgb = ETC2_R8G8B8_SRGB_BLOCK,
    Etc2Rgb8A1 = ETC2_R8G8B8A1_UNORM_BLOCK, Etc2Rgb8A1Srgb = ETC2_R8G8B8A1_SRGB_BLOCK,
    Etc2Rgba8 = ETC2_R8G8B8A8_UNORM_BLOCK, Etc2Rgba8Srgb = ETC2_R8G8B8A8_SRGB_BLOCK,
    EacR11Unorm = EAC_R11_UNORM_BLOCK, EacR11Snorm = EAC_R11_SNORM_BLOCK,
    EacRg11Unorm = EAC_R11G11_UNORM_BLOCK, EacRg11Snorm = EAC_R11G11_SNORM_BLOCK,
    Astc4x4 = ASTC_4X4_UNORM_BLOCK, Astc4x4Srgb = ASTC_4X4_SRGB_BLOCK,
    Astc5x4 = ASTC_5X4_UNORM_BLOCK, Astc5x4Srgb = ASTC_5X4_SRGB_BLOCK,
    Astc5x5 = ASTC_5X5_UNORM_BLOCK, Astc5x5Srgb = ASTC_5X5_SRGB_BLOCK,
    Astc6x5 = ASTC_6X5_UNORM_BLOCK, Astc6x5Srgb = ASTC_6X5_SRGB_BLOCK,
    Astc6x6 = ASTC_6X6_UNORM_BLOCK, Astc6x6Srgb = ASTC_6X6_SRGB_BLOCK,
    Astc8x5 = ASTC_8X5_UNORM_BLOCK, Astc8x5Srgb = ASTC_8X5_SRGB_BLOCK,
    Astc8x6 = ASTC_8X6_UNORM_BLOCK, Astc8x6Srgb = ASTC_8X6_SRGB_BLOCK,
    Astc8x8 = ASTC_8X8_UNORM_BLOCK, Astc8x8Srgb = ASTC_8X8_SRGB_BLOCK,
    Astc10x5 = ASTC_10X5_UNORM_BLOCK, Astc10x5Srgb = ASTC_10X5_SRGB_BLOCK,
    Astc10x6 = ASTC_10X6_UNORM_BLOCK, Astc10x6Srgb = ASTC_10X6_SRGB_BLOCK,
    Astc10x8 = ASTC_10X8_UNORM_BLOCK, Astc10x8Srgb = ASTC_10X8_SRGB_BLOCK,
    Astc10x10 = ASTC_10X10_UNORM_BLOCK, Astc10x10Srgb = ASTC_10X10_SRGB_BLOCK,
    Astc12x10 = ASTC_12X10_UNORM_BLOCK, Astc12x10Srgb = ASTC_12X10_SRGB_BLOCK,
    Astc12x12 = ASTC_12X12_UNORM_BLOCK, Astc12x12Srgb = ASTC_12X12_SRGB_BLOCK,
}

#[allow(clippy::type_complexity, reason = "a table of constants")]
fn color_formats() -> &'static [(Storage, &'static [(vk::Format, Layout)])] {
    COLOR
}

/// Texel buffers read the program's own bytes, so three components stay three (GL 4.6 table 8.18).
fn texel_buffer_format(format: Format) -> vk::Format {
    let info = format.info();
    match format {
        Format::Rgb32F => vk::Format::R32G32B32_SFLOAT,
        Format::Rgb32I => vk::Format::R32G32B32_SINT,
        Format::Rgb32Ui => vk::Format::R32G32B32_UINT,
        _ if info.compressed || info.srgb || !format.is_color() || info.base == Base::Rgb => vk::Format::UNDEFINED,
        _ => candidates(info.storage).first().map_or(vk::Format::UNDEFINED, |c| c.0),
    }
}
