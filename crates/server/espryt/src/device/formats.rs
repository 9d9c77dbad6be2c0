//! Storage layouts of the wire as formats of OpenGL ES: what the driver stores, how texels are handed to it, what it can
//! do with them. Must not know images.

use crate::device::EsFeatures;
use crate::raw::{Gl, consts as c};
use mgl_backend::values::{Format, Storage};
use mgl_pipe::caps::format_bits as bit;
use mgl_pipe::format::FORMATS;

/// How texels of the storage layout become texels of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The same bytes.
    Plain,
    /// Values are converted into another layout that holds them exactly.
    Recode(Storage),
    /// Stencil alone in a packed depth and stencil texture.
    StencilInPacked,
}

/// A format as the driver stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Sized internal format.
    pub internal: u32,
    /// Format of uploads.
    pub format: u32,
    /// Type of uploads.
    pub ty: u32,
    /// Layout of a texel of the driver.
    pub storage: Storage,
    /// Conversion from the wire.
    pub layout: Layout,
    /// Can be attached.
    pub renderable: bool,
}

/// One format on this driver.
#[derive(Clone, Copy, Debug)]
pub struct FormatEntry {
    /// Ordinary storage; `None` = the driver has none.
    pub store: Option<Store>,
    /// Storage of textures that image units use; `None` = image units cannot use the format.
    pub image_store: Option<Store>,
    /// Format of buffer textures; 0 = none.
    pub buffer_internal: u32,
    /// `format_bits`.
    pub bits: u16,
    /// Bit n = 2^n samples.
    pub samples: u16,
}

/// All formats by `Format as usize - 1`.
#[derive(Debug)]
pub struct Formats(Vec<FormatEntry>);

/// Row of the table: layout, internal format, upload format and type, what ES itself promises.
struct Row(Storage, u32, u32, u32, u16);

const S: u16 = bit::SAMPLED;
const L: u16 = bit::SAMPLED | bit::LINEAR;
const R: u16 = bit::RENDER;
const B: u16 = bit::RENDER | bit::BLEND;
const I: u16 = bit::STORAGE;
const T: u16 = bit::TEXEL_BUFFER;
/// Storage texel buffers.
const W: u16 = bit::STORAGE | bit::STORAGE_TEXEL_BUFFER;

use Storage as F;

/// OpenGL ES 3.2 tables 8.13, 8.14, 8.26 and 8.17; bits that an extension brings are added in [`extra_bits`].
const ROWS: &[Row] = &[
    Row(F::R8Unorm, c::R8, c::RED, c::UNSIGNED_BYTE, L | B | T),
    Row(F::R8Snorm, c::R8_SNORM, c::RED, c::BYTE, L),
    Row(F::R8Uint, c::R8UI, c::RED_INTEGER, c::UNSIGNED_BYTE, S | R | T),
    Row(F::R8Sint, c::R8I, c::RED_INTEGER, c::BYTE, S | R | T),
    Row(F::Rg8Unorm, c::RG8, c::RG, c::UNSIGNED_BYTE, L | B | T),
    Row(F::Rg8Snorm, c::RG8_SNORM, c::RG, c::BYTE, L),
    Row(F::Rg8Uint, c::RG8UI, c::RG_INTEGER, c::UNSIGNED_BYTE, S | R | T),
    Row(F::Rg8Sint, c::RG8I, c::RG_INTEGER, c::BYTE, S | R | T),
    Row(F::Rgba8Unorm, c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, L | B | T | W),
    Row(F::Rgba8Snorm, c::RGBA8_SNORM, c::RGBA, c::BYTE, L | W),
    Row(F::Rgba8Uint, c::RGBA8UI, c::RGBA_INTEGER, c::UNSIGNED_BYTE, S | R | T | W),
    Row(F::Rgba8Sint, c::RGBA8I, c::RGBA_INTEGER, c::BYTE, S | R | T | W),
    Row(F::Rgba8Srgb, c::SRGB8_ALPHA8, c::RGBA, c::UNSIGNED_BYTE, L | B),
    Row(F::R16Unorm, c::R16, c::RED, c::UNSIGNED_SHORT, 0),
    Row(F::R16Snorm, c::R16_SNORM, c::RED, c::SHORT, 0),
    Row(F::R16Uint, c::R16UI, c::RED_INTEGER, c::UNSIGNED_SHORT, S | R | T),
    Row(F::R16Sint, c::R16I, c::RED_INTEGER, c::SHORT, S | R | T),
    Row(F::R16Float, c::R16F, c::RED, c::HALF_FLOAT, L | T),
    Row(F::Rg16Unorm, c::RG16, c::RG, c::UNSIGNED_SHORT, 0),
    Row(F::Rg16Snorm, c::RG16_SNORM, c::RG, c::SHORT, 0),
    Row(F::Rg16Uint, c::RG16UI, c::RG_INTEGER, c::UNSIGNED_SHORT, S | R | T),
    Row(F::Rg16Sint, c::RG16I, c::RG_INTEGER, c::SHORT, S | R | T),
    Row(F::Rg16Float, c::RG16F, c::RG, c::HALF_FLOAT, L | T),
    Row(F::Rgba16Unorm, c::RGBA16, c::RGBA, c::UNSIGNED_SHORT, 0),
    Row(F::Rgba16Snorm, c::RGBA16_SNORM, c::RGBA, c::SHORT, 0),
    Row(F::Rgba16Uint, c::RGBA16UI, c::RGBA_INTEGER, c::UNSIGNED_SHORT, S | R | T | W),
    Row(F::Rgba16Sint, c::RGBA16I, c::RGBA_INTEGER, c::SHORT, S | R | T | W),
    Row(F::Rgba16Float, c::RGBA16F, c::RGBA, c::HALF_FLOAT, L | T | W),
    Row(F::R32Uint, c::R32UI, c::RED_INTEGER, c::UNSIGNED_INT, S | R | T | W),
    Row(F::R32Sint, c::R32I, c::RED_INTEGER, c::INT, S | R | T | W),
    Row(F::R32Float, c::R32F, c::RED, c::FLOAT, S | T | W),
    Row(F::Rg32Uint, c::RG32UI, c::RG_INTEGER, c::UNSIGNED_INT, S | R | T),
    Row(F::Rg32Sint, c::RG32I, c::RG_INTEGER, c::INT, S | R | T),
    Row(F::Rg32Float, c::RG32F, c::RG, c::FLOAT, S | T),
    Row(F::Rgba32Uint, c::RGBA32UI, c::RGBA_INTEGER, c::UNSIGNED_INT, S | R | T | W),
    Row(F::Rgba32Sint, c::RGBA32I, c::RGBA_INTEGER, c::INT, S | R | T | W),
    Row(F::Rgba32Float, c::RGBA32F, c::RGBA, c::FLOAT, S | T | W),
    Row(F::Rgb10A2Unorm, c::RGB10_A2, c::RGBA, c::UNSIGNED_INT_2_10_10_10_REV, L | B),
    Row(F::Rgb10A2Uint, c::RGB10_A2UI, c::RGBA_INTEGER, c::UNSIGNED_INT_2_10_10_10_REV, S | R),
    Row(F::R11G11B10Float, c::R11F_G11F_B10F, c::RGB, c::UNSIGNED_INT_10F_11F_11F_REV, L),
    Row(F::Rgb9E5Float, c::RGB9_E5, c::RGB, c::UNSIGNED_INT_5_9_9_9_REV, L),
    Row(F::D16Unorm, c::DEPTH_COMPONENT16, c::DEPTH_COMPONENT, c::UNSIGNED_SHORT, L | R),
    Row(F::D24Unorm, c::DEPTH_COMPONENT24, c::DEPTH_COMPONENT, c::UNSIGNED_INT, L | R),
    Row(F::D32Float, c::DEPTH_COMPONENT32F, c::DEPTH_COMPONENT, c::FLOAT, L | R),
    Row(F::D24UnormS8Uint, c::DEPTH24_STENCIL8, c::DEPTH_STENCIL, c::UNSIGNED_INT_24_8, L | R),
    Row(F::D32FloatS8Uint, c::DEPTH32F_STENCIL8, c::DEPTH_STENCIL, c::FLOAT_32_UNSIGNED_INT_24_8_REV, L | R),
    Row(F::S8Uint, c::STENCIL_INDEX8, c::STENCIL_INDEX, c::UNSIGNED_BYTE, S | R),
    Row(F::Bc1Rgb, c::COMPRESSED_RGB_S3TC_DXT1, 0, 0, L),
    Row(F::Bc1Rgba, c::COMPRESSED_RGBA_S3TC_DXT1, 0, 0, L),
    Row(F::Bc2, c::COMPRESSED_RGBA_S3TC_DXT3, 0, 0, L),
    Row(F::Bc3, c::COMPRESSED_RGBA_S3TC_DXT5, 0, 0, L),
    Row(F::Bc1RgbSrgb, c::COMPRESSED_SRGB_S3TC_DXT1, 0, 0, L),
    Row(F::Bc1RgbaSrgb, c::COMPRESSED_SRGB_ALPHA_S3TC_DXT1, 0, 0, L),
    Row(F::Bc2Srgb, c::COMPRESSED_SRGB_ALPHA_S3TC_DXT3, 0, 0, L),
    Row(F::Bc3Srgb, c::COMPRESSED_SRGB_ALPHA_S3TC_DXT5, 0, 0, L),
    Row(F::Bc4Unorm, c::COMPRESSED_RED_RGTC1, 0, 0, L),
    Row(F::Bc4Snorm, c::COMPRESSED_SIGNED_RED_RGTC1, 0, 0, L),
    Row(F::Bc5Unorm, c::COMPRESSED_RED_GREEN_RGTC2, 0, 0, L),
    Row(F::Bc5Snorm, c::COMPRESSED_SIGNED_RED_GREEN_RGTC2, 0, 0, L),
    Row(F::Bc6hUfloat, c::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, 0, 0, L),
    Row(F::Bc6hSfloat, c::COMPRESSED_RGB_BPTC_SIGNED_FLOAT, 0, 0, L),
    Row(F::Bc7Unorm, c::COMPRESSED_RGBA_BPTC_UNORM, 0, 0, L),
    Row(F::Bc7Srgb, c::COMPRESSED_SRGB_ALPHA_BPTC_UNORM, 0, 0, L),
    Row(F::Etc2Rgb8, c::COMPRESSED_RGB8_ETC2, 0, 0, L),
    Row(F::Etc2Rgb8Srgb, c::COMPRESSED_SRGB8_ETC2, 0, 0, L),
    Row(F::Etc2Rgb8A1, c::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 0, 0, L),
    Row(F::Etc2Rgb8A1Srgb, c::COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, 0, 0, L),
    Row(F::Etc2Rgba8, c::COMPRESSED_RGBA8_ETC2_EAC, 0, 0, L),
    Row(F::Etc2Rgba8Srgb, c::COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, 0, 0, L),
    Row(F::EacR11Unorm, c::COMPRESSED_R11_EAC, 0, 0, L),
    Row(F::EacR11Snorm, c::COMPRESSED_SIGNED_R11_EAC, 0, 0, L),
    Row(F::EacRg11Unorm, c::COMPRESSED_RG11_EAC, 0, 0, L),
    Row(F::EacRg11Snorm, c::COMPRESSED_SIGNED_RG11_EAC, 0, 0, L),
    Row(F::Astc4x4, c::COMPRESSED_RGBA_ASTC_4X4, 0, 0, L),
    Row(F::Astc5x4, c::COMPRESSED_RGBA_ASTC_4X4 + 1, 0, 0, L),
    Row(F::Astc5x5, c::COMPRESSED_RGBA_ASTC_4X4 + 2, 0, 0, L),
    Row(F::Astc6x5, c::COMPRESSED_RGBA_ASTC_4X4 + 3, 0, 0, L),
    Row(F::Astc6x6, c::COMPRESSED_RGBA_ASTC_4X4 + 4, 0, 0, L),
    Row(F::Astc8x5, c::COMPRESSED_RGBA_ASTC_4X4 + 5, 0, 0, L),
    Row(F::Astc8x6, c::COMPRESSED_RGBA_ASTC_4X4 + 6, 0, 0, L),
    Row(F::Astc8x8, c::COMPRESSED_RGBA_ASTC_4X4 + 7, 0, 0, L),
    Row(F::Astc10x5, c::COMPRESSED_RGBA_ASTC_4X4 + 8, 0, 0, L),
    Row(F::Astc10x6, c::COMPRESSED_RGBA_ASTC_4X4 + 9, 0, 0, L),
    Row(F::Astc10x8, c::COMPRESSED_RGBA_ASTC_4X4 + 10, 0, 0, L),
    Row(F::Astc10x10, c::COMPRESSED_RGBA_ASTC_4X4 + 11, 0, 0, L),
    Row(F::Astc12x10, c::COMPRESSED_RGBA_ASTC_4X4 + 12, 0, 0, L),
    Row(F::Astc12x12, c::COMPRESSED_RGBA_ASTC_4X4 + 13, 0, 0, L),
    Row(F::Astc4x4Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4, 0, 0, L),
    Row(F::Astc5x4Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 1, 0, 0, L),
    Row(F::Astc5x5Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 2, 0, 0, L),
    Row(F::Astc6x5Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 3, 0, 0, L),
    Row(F::Astc6x6Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 4, 0, 0, L),
    Row(F::Astc8x5Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 5, 0, 0, L),
    Row(F::Astc8x6Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 6, 0, 0, L),
    Row(F::Astc8x8Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 7, 0, 0, L),
    Row(F::Astc10x5Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 8, 0, 0, L),
    Row(F::Astc10x6Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 9, 0, 0, L),
    Row(F::Astc10x8Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 10, 0, 0, L),
    Row(F::Astc10x10Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 11, 0, 0, L),
    Row(F::Astc12x10Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 12, 0, 0, L),
    Row(F::Astc12x12Srgb, c::COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 13, 0, 0, L),
];

/// What extensions add to a row.
fn extra_bits(storage: Storage, f: &EsFeatures) -> u16 {
    let on = |have: bool, bits: u16| if have { bits } else { 0 };
    match storage {
        F::R8Snorm | F::Rg8Snorm | F::Rgba8Snorm => on(f.render_snorm, B),
        F::R16Unorm | F::Rg16Unorm | F::Rgba16Unorm => on(f.norm16, L | B),
        F::R16Snorm | F::Rg16Snorm | F::Rgba16Snorm => on(f.norm16, L) | on(f.norm16 && f.render_snorm, B),
        F::R16Float | F::Rg16Float | F::Rgba16Float => on(f.color_buffer_half_float || f.color_buffer_float, B),
        F::R11G11B10Float => on(f.color_buffer_float, B),
        F::R32Float | F::Rg32Float | F::Rgba32Float => {
            on(f.color_buffer_float, R) | on(f.float_blend, B) | on(f.float_linear, L)
        }
        _ => 0,
    }
}

/// What `GL_NV_image_formats` adds.
fn image_bits(storage: Storage, f: &EsFeatures) -> u16 {
    let more = matches!(
        storage,
        F::Rg32Float
            | F::Rg16Float
            | F::R11G11B10Float
            | F::R16Float
            | F::Rgb10A2Unorm
            | F::Rg8Unorm
            | F::R8Unorm
            | F::Rg8Snorm
            | F::R8Snorm
            | F::Rgb10A2Uint
            | F::Rg32Uint
            | F::Rg16Uint
            | F::Rg8Uint
            | F::R16Uint
            | F::R8Uint
            | F::Rg32Sint
            | F::Rg16Sint
            | F::Rg8Sint
            | F::R16Sint
            | F::R8Sint
    );
    let norm16 =
        matches!(storage, F::Rgba16Unorm | F::Rg16Unorm | F::R16Unorm | F::Rgba16Snorm | F::Rg16Snorm | F::R16Snorm);
    if f.image_formats && (more || (norm16 && f.norm16)) { W } else { 0 }
}

/// Compressed layouts need their family's extension.
fn allowed(storage: Storage, f: &EsFeatures) -> bool {
    match storage {
        F::Bc1Rgb | F::Bc1Rgba | F::Bc2 | F::Bc3 => f.s3tc,
        F::Bc1RgbSrgb | F::Bc1RgbaSrgb | F::Bc2Srgb | F::Bc3Srgb => f.s3tc && f.s3tc_srgb,
        F::Bc4Unorm | F::Bc4Snorm | F::Bc5Unorm | F::Bc5Snorm => f.rgtc,
        F::Bc6hUfloat | F::Bc6hSfloat | F::Bc7Unorm | F::Bc7Srgb => f.bptc,
        _ if storage as u16 >= F::Astc4x4 as u16 => f.astc,
        _ => true,
    }
}

fn row(storage: Storage) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.0 == storage)
}

/// The driver's own store of a layout with its bits, or `None` when it cannot even be sampled.
fn native(storage: Storage, f: &EsFeatures) -> Option<(Store, u16)> {
    let Row(_, internal, format, ty, base) = row(storage)?;
    let bits = base | extra_bits(storage, f) | image_bits(storage, f);
    if bits & S == 0 || !allowed(storage, f) || (storage == F::S8Uint && !f.texture_stencil8) {
        return None;
    }
    let renderable = bits & R != 0;
    let store = Store { internal: *internal, format: *format, ty: *ty, storage, layout: Layout::Plain, renderable };
    Some((store, bits))
}

/// A layout that holds every value of one that the driver lacks.
fn wider(storage: Storage) -> Option<Storage> {
    Some(match storage {
        F::R16Unorm | F::R16Snorm => F::R32Float,
        F::Rg16Unorm | F::Rg16Snorm => F::Rg32Float,
        F::Rgba16Unorm | F::Rgba16Snorm => F::Rgba32Float,
        _ => return None,
    })
}

/// A layout that image units of plain ES can use and that holds every value.
fn image_wider(storage: Storage) -> Option<Storage> {
    Some(match storage {
        F::R8Unorm | F::Rg8Unorm => F::Rgba8Unorm,
        F::R8Snorm | F::Rg8Snorm => F::Rgba8Snorm,
        F::R8Uint | F::Rg8Uint => F::Rgba8Uint,
        F::R8Sint | F::Rg8Sint => F::Rgba8Sint,
        F::R16Uint | F::Rg16Uint | F::Rgb10A2Uint => F::Rgba16Uint,
        F::R16Sint | F::Rg16Sint => F::Rgba16Sint,
        F::R16Float | F::Rg16Float | F::R11G11B10Float | F::Rgb10A2Unorm => F::Rgba16Float,
        F::Rg32Uint => F::Rgba32Uint,
        F::Rg32Sint => F::Rgba32Sint,
        F::Rg32Float | F::R16Unorm | F::Rg16Unorm | F::Rgba16Unorm => F::Rgba32Float,
        F::R16Snorm | F::Rg16Snorm | F::Rgba16Snorm => F::Rgba32Float,
        _ => return None,
    })
}

fn recoded(to: Storage, f: &EsFeatures) -> Option<(Store, u16)> {
    native(to, f).map(|(store, bits)| (Store { layout: Layout::Recode(to), ..store }, bits))
}

/// Buffer textures read the program's own bytes, so three components stay three (ES 3.2 table 8.17).
fn buffer_internal(format: Format, bits: u16) -> u32 {
    match format {
        Format::Rgb32F => c::RGB32F,
        Format::Rgb32I => c::RGB32I,
        Format::Rgb32Ui => c::RGB32UI,
        _ if bits & T == 0 || format.info().base == mgl_backend::values::Base::Rgb => 0,
        _ => row(format.storage()).map_or(0, |r| r.1),
    }
}

fn entry(gl: &Gl, format: Format, f: &EsFeatures) -> FormatEntry {
    let storage = format.storage();
    let found = match native(storage, f) {
        None if storage == F::S8Uint => {
            native(F::D24UnormS8Uint, f).map(|(s, b)| (Store { layout: Layout::StencilInPacked, ..s }, b))
        }
        None => wider(storage).and_then(|to| recoded(to, f)),
        found => found,
    };
    let (store, mut bits) = match found {
        Some((store, bits)) => (Some(store), bits),
        None => (None, 0),
    };
    let image_store = match store {
        Some(s) if bits & I != 0 && s.layout == Layout::Plain => Some(s),
        Some(_) => image_wider(storage).and_then(|to| recoded(to, f)).map(|(s, _)| s),
        None => None,
    };
    let image_store = image_store.filter(|_| f.shader_storage);
    bits &= !(bit::STORAGE);
    bits |= if image_store.is_some() { bit::STORAGE } else { 0 };
    let exact = store.is_some_and(|s| s.layout == Layout::Plain);
    // Copies of buffers hold what textures hold: no formats of three components.
    let three = f.texture_buffer && format.info().base == mgl_backend::values::Base::Rgb;
    let buffer = if exact || three { buffer_internal(format, bits) } else { 0 };
    if buffer == 0 {
        bits &= !(bit::TEXEL_BUFFER | bit::STORAGE_TEXEL_BUFFER);
    } else {
        bits |= bit::TEXEL_BUFFER;
    }
    if !f.shader_storage || !f.texture_buffer {
        bits &= !bit::STORAGE_TEXEL_BUFFER;
    }
    let samples = if bits & R != 0 { samples(gl, store) } else { 0 };
    if samples > 1 && f.texture_multisample {
        bits |= bit::MULTISAMPLE;
    }
    FormatEntry { store, image_store, buffer_internal: buffer, bits, samples }
}

fn samples(gl: &Gl, store: Option<Store>) -> u16 {
    let Some(store) = store else { return 0 };
    let counts = gl.format_samples(c::RENDERBUFFER, store.internal);
    counts.iter().filter(|n| **n > 1 && **n <= 64).fold(1, |mask, n| mask | 1 << (*n as u32).ilog2())
}

impl Formats {
    /// Asks the driver; its context is current.
    pub fn new(gl: &Gl, features: &EsFeatures) -> Self {
        Self(FORMATS.iter().map(|row| entry(gl, row.format, features)).collect())
    }
    /// The entry of a format.
    pub fn get(&self, format: Format) -> &FormatEntry {
        // The table has one row per format by construction.
        &self.0[format as usize - 1]
    }
    /// The ES internal format that image units and shaders must use for a format; `None` = units cannot use it. It
    /// differs from the format where storage is widened.
    pub fn image_unit(&self, format: Format) -> Option<u32> {
        self.get(format).image_store.map(|s| s.internal)
    }
}
