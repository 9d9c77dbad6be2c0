//! table: every sized internal format of OpenGL (GL 4.6 tables 8.12, 8.13, 8.14 and the extensions of compressed
//! textures), with what is known of its texels. Must not call GL.

use crate::gl::texture::Layout;
use crate::gl::tokens as t;

/// How the numbers of a format are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fixed point from 0 to 1.
    Norm,
    /// Fixed point from -1 to 1.
    Signed,
    /// Floats, without sign where the format has none.
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// Depth alone.
    Depth,
    /// Depth and stencil.
    DepthStencil,
    /// Stencil alone.
    Stencil,
}

/// What of a format is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Nothing.
    None,
    /// Pixels are compressed by the driver (S3TC, RGTC).
    Encoded,
    /// BPTC: pixels may be given, GL may store them otherwise.
    Bptc,
    /// ETC2, EAC and ASTC take blocks only.
    Only,
}

/// One format.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its token.
    pub token: u32,
    /// Its name.
    pub name: &'static str,
    /// How its numbers are meant.
    pub kind: Kind,
    /// Components of colour formats.
    pub channels: usize,
    /// What a stored number may be off.
    pub off: f32,
    /// Compression.
    pub blocks: Blocks,
}

impl Row {
    /// A layout of pixels that holds every value: four floats or integers, or a float and a word, or a byte.
    pub fn layout(&self) -> Layout {
        match self.kind {
            Kind::Norm | Kind::Signed | Kind::Float => (t::RGBA, t::FLOAT),
            Kind::Int => (t::RGBA_INTEGER, t::INT),
            Kind::Uint => (t::RGBA_INTEGER, t::UNSIGNED_INT),
            Kind::Depth => (t::DEPTH_COMPONENT, t::FLOAT),
            Kind::DepthStencil => (t::DEPTH_STENCIL, t::FLOAT_32_UNSIGNED_INT_24_8_REV),
            Kind::Stencil => (t::STENCIL_INDEX, t::UNSIGNED_BYTE),
        }
    }
    /// Colour, and not integers.
    pub fn is_real(&self) -> bool {
        matches!(self.kind, Kind::Norm | Kind::Signed | Kind::Float)
    }
    /// Colour.
    pub fn is_color(&self) -> bool {
        self.is_real() || matches!(self.kind, Kind::Int | Kind::Uint)
    }
    /// Compressed.
    pub fn is_compressed(&self) -> bool {
        self.blocks != Blocks::None
    }
    /// ASTC, which has no volumes as a format of a 2D texture but may have as one of slices.
    pub fn is_astc(&self) -> bool {
        self.name.contains("ASTC")
    }
}

macro_rules! rows {
    ($($kind:ident $channels:literal $off:literal $blocks:ident: $($token:ident)+;)+) => {
        /// Every format that `t` has a token of.
        const PLAIN: &[Row] = &[$($(
            Row { token: t::$token, name: stringify!($token), kind: Kind::$kind, channels: $channels, off: $off, blocks: Blocks::$blocks },
        )+)+];
    };
}

rows! {
    Norm 1 0.003 None: R8;
    Norm 2 0.003 None: RG8;
    Norm 3 0.003 None: RGB8 SRGB8;
    Norm 4 0.003 None: RGBA8 SRGB8_ALPHA8;
    Norm 3 0.08 None: R3_G3_B2;
    Norm 3 0.04 None: RGB4;
    Norm 3 0.02 None: RGB5 RGB565;
    Norm 4 0.17 None: RGBA2;
    Norm 4 0.04 None: RGBA4 RGB5_A1;
    Norm 3 0.001 None: RGB10 RGB12;
    Norm 4 0.001 None: RGBA12;
    Norm 4 0.001 None: RGB10_A2;
    Norm 1 0.0001 None: R16;
    Norm 2 0.0001 None: RG16;
    Norm 3 0.0001 None: RGB16;
    Norm 4 0.0001 None: RGBA16;
    Signed 1 0.005 None: R8_SNORM;
    Signed 2 0.005 None: RG8_SNORM;
    Signed 3 0.005 None: RGB8_SNORM;
    Signed 4 0.005 None: RGBA8_SNORM;
    Signed 1 0.0001 None: R16_SNORM;
    Signed 2 0.0001 None: RG16_SNORM;
    Signed 3 0.0001 None: RGB16_SNORM;
    Signed 4 0.0001 None: RGBA16_SNORM;
    Float 1 0.0005 None: R16F R32F;
    Float 2 0.0005 None: RG16F RG32F;
    Float 3 0.0005 None: RGB16F RGB32F;
    Float 4 0.0005 None: RGBA16F RGBA32F;
    Float 3 0.02 None: R11F_G11F_B10F;
    Float 3 0.002 None: RGB9_E5;
    Int 1 0.0 None: R8I R16I R32I;
    Int 2 0.0 None: RG8I RG16I RG32I;
    Int 3 0.0 None: RGB8I RGB16I RGB32I;
    Int 4 0.0 None: RGBA8I RGBA16I RGBA32I;
    Uint 1 0.0 None: R8UI R16UI R32UI;
    Uint 2 0.0 None: RG8UI RG16UI RG32UI;
    Uint 3 0.0 None: RGB8UI RGB16UI RGB32UI;
    Uint 4 0.0 None: RGBA8UI RGBA16UI RGBA32UI RGB10_A2UI;
    Depth 1 0.0001 None: DEPTH_COMPONENT16 DEPTH_COMPONENT24 DEPTH_COMPONENT32 DEPTH_COMPONENT32F;
    DepthStencil 2 0.0001 None: DEPTH24_STENCIL8 DEPTH32F_STENCIL8;
    Stencil 1 0.0 None: STENCIL_INDEX8;
    Norm 1 0.01 Encoded: COMPRESSED_RED_RGTC1;
    Norm 2 0.01 Encoded: COMPRESSED_RG_RGTC2;
    Signed 1 0.01 Encoded: COMPRESSED_SIGNED_RED_RGTC1;
    Signed 2 0.01 Encoded: COMPRESSED_SIGNED_RG_RGTC2;
    Norm 4 0.01 Bptc: COMPRESSED_RGBA_BPTC_UNORM COMPRESSED_SRGB_ALPHA_BPTC_UNORM;
    Float 3 0.02 Bptc: COMPRESSED_RGB_BPTC_SIGNED_FLOAT COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT;
    Norm 1 0.02 Only: COMPRESSED_R11_EAC;
    Norm 2 0.02 Only: COMPRESSED_RG11_EAC;
    Signed 1 0.02 Only: COMPRESSED_SIGNED_R11_EAC;
    Signed 2 0.02 Only: COMPRESSED_SIGNED_RG11_EAC;
    Norm 3 0.02 Only: COMPRESSED_RGB8_ETC2 COMPRESSED_SRGB8_ETC2;
    Norm 4 0.02 Only: COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2
        COMPRESSED_RGBA8_ETC2_EAC COMPRESSED_SRGB8_ALPHA8_ETC2_EAC;
}

/// Tokens of extensions: `GL_EXT_texture_compression_s3tc`, `GL_EXT_texture_sRGB`.
const S3TC: &[(u32, usize, &str)] = &[
    (0x83F0, 3, "COMPRESSED_RGB_S3TC_DXT1"),
    (0x83F1, 4, "COMPRESSED_RGBA_S3TC_DXT1"),
    (0x83F2, 4, "COMPRESSED_RGBA_S3TC_DXT3"),
    (0x83F3, 4, "COMPRESSED_RGBA_S3TC_DXT5"),
    (0x8C4C, 3, "COMPRESSED_SRGB_S3TC_DXT1"),
    (0x8C4D, 4, "COMPRESSED_SRGB_ALPHA_S3TC_DXT1"),
    (0x8C4E, 4, "COMPRESSED_SRGB_ALPHA_S3TC_DXT3"),
    (0x8C4F, 4, "COMPRESSED_SRGB_ALPHA_S3TC_DXT5"),
];

/// The first formats of `GL_KHR_texture_compression_astc_ldr`, linear and sRGB; 14 of each.
const ASTC: [u32; 2] = [0x93B0, 0x93D0];

/// Block sizes of ASTC in the order of the tokens.
const ASTC_SIZES: [(i32, i32); 14] = [
    (4, 4),
    (5, 4),
    (5, 5),
    (6, 5),
    (6, 6),
    (8, 5),
    (8, 6),
    (8, 8),
    (10, 5),
    (10, 6),
    (10, 8),
    (10, 10),
    (12, 10),
    (12, 12),
];

/// Every sized internal format.
pub fn rows() -> Vec<Row> {
    let mut all = PLAIN.to_vec();
    let norm = |token, name, channels, blocks| Row { token, name, kind: Kind::Norm, channels, off: 0.02, blocks };
    all.extend(S3TC.iter().map(|(token, channels, name)| norm(*token, name, *channels, Blocks::Encoded)));
    let astc = ASTC.iter().flat_map(|first| (0..14).map(move |n| first + n));
    all.extend(astc.map(|token| norm(token, "COMPRESSED_ASTC", 4, Blocks::Only)));
    all
}

/// Texels of a block.
pub fn block(row: &Row) -> (i32, i32) {
    match ASTC.iter().find(|first| (**first..**first + 14).contains(&row.token)) {
        Some(first) => ASTC_SIZES[(row.token - first) as usize],
        None if row.is_compressed() => (4, 4),
        None => (1, 1),
    }
}

/// One block of formats that take blocks, all of whose texels are the colour that comes with it.
pub fn solid(row: &Row) -> Option<(Vec<u8>, [f32; 4])> {
    let third = 85.0 / 255.0;
    let eac = |base: u8| vec![base, 0, 0, 0, 0, 0, 0, 0];
    let etc = |opaque: u8| vec![0x55, 0xFF, 0x00, opaque, 0, 0, 0, 0];
    Some(match row.token {
        t::COMPRESSED_RGBA_BPTC_UNORM | t::COMPRESSED_SRGB_ALPHA_BPTC_UNORM => {
            // Mode 6: both end points are (85, 255, 1, 255), the low bits of which are the shared ones.
            let mut bits = 0x40u128;
            for (i, value) in [42u128, 42, 127, 127, 0, 0, 127, 127].into_iter().enumerate() {
                bits |= value << (7 + 7 * i);
            }
            bits |= 3 << 63;
            (bits.to_le_bytes().to_vec(), [third, 1.0, 1.0 / 255.0, 1.0])
        }
        t::COMPRESSED_RGB_BPTC_SIGNED_FLOAT | t::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT => {
            // Ten bits for each end point: 1, 0.5, 0.
            let values = if row.token == t::COMPRESSED_RGB_BPTC_SIGNED_FLOAT { [247, 231, 0] } else { [495, 462, 0] };
            let mut bits = 3u128;
            for (i, value) in values.into_iter().chain(values).enumerate() {
                bits |= value << (5 + 10 * i);
            }
            (bits.to_le_bytes().to_vec(), [1.0, 0.5, 0.0, 1.0])
        }
        t::COMPRESSED_R11_EAC => (eac(85), [third, 0.0, 0.0, 1.0]),
        t::COMPRESSED_RG11_EAC => ([eac(85), eac(170)].concat(), [third, 2.0 * third, 0.0, 1.0]),
        t::COMPRESSED_SIGNED_R11_EAC => (eac(-42i8 as u8), [-third, 0.0, 0.0, 1.0]),
        t::COMPRESSED_SIGNED_RG11_EAC => ([eac(-42i8 as u8), eac(42)].concat(), [-third, third, 0.0, 1.0]),
        t::COMPRESSED_RGB8_ETC2 | t::COMPRESSED_SRGB8_ETC2 => (etc(0), [third, 1.0, 0.0, 1.0]),
        t::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 | t::COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2 => {
            // Five bits and no difference: 10, 31, 0.
            (vec![10 << 3, 31 << 3, 0, 2, 0, 0, 0, 0], [third, 1.0, 0.0, 1.0])
        }
        t::COMPRESSED_RGBA8_ETC2_EAC | t::COMPRESSED_SRGB8_ALPHA8_ETC2_EAC => {
            ([eac(170), etc(0)].concat(), [third, 1.0, 0.0, 2.0 * third])
        }
        _ if row.is_astc() => {
            // Void extent.
            let mut block = vec![0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
            block.extend([21845u16, 65535, 0, 43690].iter().flat_map(|v| v.to_le_bytes()));
            (block, [third, 1.0, 0.0, 2.0 * third])
        }
        _ => return None,
    })
}
