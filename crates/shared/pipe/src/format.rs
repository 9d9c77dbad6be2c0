//! The format table: sized GL internal formats and the storage layout in which their texels cross. One table for
//! both roles. Must not know which formats a device supports: that is in the caps.

/// Layout of texels on the wire and in the server's images. Depth layouts: `D24Unorm` and `D24UnormS8Uint` are one
/// 32-bit word with depth in the high 24 bits and stencil (or zero) in the low 8; `D32FloatS8Uint` is a float
/// followed by a 32-bit word with stencil in the low 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum Storage {
    R8Unorm = 1,
    R8Snorm = 2,
    R8Uint = 3,
    R8Sint = 4,
    Rg8Unorm = 5,
    Rg8Snorm = 6,
    Rg8Uint = 7,
    Rg8Sint = 8,
    Rgba8Unorm = 9,
    Rgba8Snorm = 10,
    Rgba8Uint = 11,
    Rgba8Sint = 12,
    Rgba8Srgb = 13,
    R16Unorm = 14,
    R16Snorm = 15,
    R16Uint = 16,
    R16Sint = 17,
    R16Float = 18,
    Rg16Unorm = 19,
    Rg16Snorm = 20,
    Rg16Uint = 21,
    Rg16Sint = 22,
    Rg16Float = 23,
    Rgba16Unorm = 24,
    Rgba16Snorm = 25,
    Rgba16Uint = 26,
    Rgba16Sint = 27,
    Rgba16Float = 28,
    R32Uint = 29,
    R32Sint = 30,
    R32Float = 31,
    Rg32Uint = 32,
    Rg32Sint = 33,
    Rg32Float = 34,
    Rgb32Uint = 35,
    Rgb32Sint = 36,
    Rgb32Float = 37,
    Rgba32Uint = 38,
    Rgba32Sint = 39,
    Rgba32Float = 40,
    Rgb10A2Unorm = 41,
    Rgb10A2Uint = 42,
    R11G11B10Float = 43,
    Rgb9E5Float = 44,
    D16Unorm = 45,
    D24Unorm = 46,
    D32Float = 47,
    D24UnormS8Uint = 48,
    D32FloatS8Uint = 49,
    S8Uint = 50,
    Bc1Rgb = 51,
    Bc1Rgba = 52,
    Bc2 = 53,
    Bc3 = 54,
    Bc1RgbSrgb = 55,
    Bc1RgbaSrgb = 56,
    Bc2Srgb = 57,
    Bc3Srgb = 58,
    Bc4Unorm = 59,
    Bc4Snorm = 60,
    Bc5Unorm = 61,
    Bc5Snorm = 62,
    Bc6hUfloat = 63,
    Bc6hSfloat = 64,
    Bc7Unorm = 65,
    Bc7Srgb = 66,
    Etc2Rgb8 = 67,
    Etc2Rgb8Srgb = 68,
    Etc2Rgb8A1 = 69,
    Etc2Rgb8A1Srgb = 70,
    Etc2Rgba8 = 71,
    Etc2Rgba8Srgb = 72,
    EacR11Unorm = 73,
    EacR11Snorm = 74,
    EacRg11Unorm = 75,
    EacRg11Snorm = 76,
}

impl Storage {
    /// Bytes of one block.
    pub const fn block_bytes(self) -> u32 {
        STORAGE_BLOCKS[self as usize - 1].0
    }
    /// Texels per block in x and y; (1, 1) for uncompressed layouts.
    pub const fn block_extent(self) -> (u32, u32) {
        let block = STORAGE_BLOCKS[self as usize - 1];
        (block.1, block.2)
    }
    /// Every layout.
    pub const ALL: &'static [Storage] = &[
        Storage::R8Unorm,
        Storage::R8Snorm,
        Storage::R8Uint,
        Storage::R8Sint,
        Storage::Rg8Unorm,
        Storage::Rg8Snorm,
        Storage::Rg8Uint,
        Storage::Rg8Sint,
        Storage::Rgba8Unorm,
        Storage::Rgba8Snorm,
        Storage::Rgba8Uint,
        Storage::Rgba8Sint,
        Storage::Rgba8Srgb,
        Storage::R16Unorm,
        Storage::R16Snorm,
        Storage::R16Uint,
        Storage::R16Sint,
        Storage::R16Float,
        Storage::Rg16Unorm,
        Storage::Rg16Snorm,
        Storage::Rg16Uint,
        Storage::Rg16Sint,
        Storage::Rg16Float,
        Storage::Rgba16Unorm,
        Storage::Rgba16Snorm,
        Storage::Rgba16Uint,
        Storage::Rgba16Sint,
        Storage::Rgba16Float,
        Storage::R32Uint,
        Storage::R32Sint,
        Storage::R32Float,
        Storage::Rg32Uint,
        Storage::Rg32Sint,
        Storage::Rg32Float,
        Storage::Rgb32Uint,
        Storage::Rgb32Sint,
        Storage::Rgb32Float,
        Storage::Rgba32Uint,
        Storage::Rgba32Sint,
        Storage::Rgba32Float,
        Storage::Rgb10A2Unorm,
        Storage::Rgb10A2Uint,
        Storage::R11G11B10Float,
        Storage::Rgb9E5Float,
        Storage::D16Unorm,
        Storage::D24Unorm,
        Storage::D32Float,
        Storage::D24UnormS8Uint,
        Storage::D32FloatS8Uint,
        Storage::S8Uint,
        Storage::Bc1Rgb,
        Storage::Bc1Rgba,
        Storage::Bc2,
        Storage::Bc3,
        Storage::Bc1RgbSrgb,
        Storage::Bc1RgbaSrgb,
        Storage::Bc2Srgb,
        Storage::Bc3Srgb,
        Storage::Bc4Unorm,
        Storage::Bc4Snorm,
        Storage::Bc5Unorm,
        Storage::Bc5Snorm,
        Storage::Bc6hUfloat,
        Storage::Bc6hSfloat,
        Storage::Bc7Unorm,
        Storage::Bc7Srgb,
        Storage::Etc2Rgb8,
        Storage::Etc2Rgb8Srgb,
        Storage::Etc2Rgb8A1,
        Storage::Etc2Rgb8A1Srgb,
        Storage::Etc2Rgba8,
        Storage::Etc2Rgba8Srgb,
        Storage::EacR11Unorm,
        Storage::EacR11Snorm,
        Storage::EacRg11Unorm,
        Storage::EacRg11Snorm,
    ];
}

const STORAGE_BLOCKS: &[(u32, u32, u32)] = &[
    (1, 1, 1),
    (1, 1, 1),
    (1, 1, 1),
    (1, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (2, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (8, 1, 1),
    (12, 1, 1),
    (12, 1, 1),
    (12, 1, 1),
    (16, 1, 1),
    (16, 1, 1),
    (16, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (2, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (4, 1, 1),
    (8, 1, 1),
    (1, 1, 1),
    (8, 4, 4),
    (8, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
    (8, 4, 4),
    (8, 4, 4),
    (16, 4, 4),
    (16, 4, 4),
];

/// Base internal format (GL 4.6 table 8.11 and 8.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    Red,
    Rg,
    Rgb,
    Rgba,
    Depth,
    DepthStencil,
    Stencil,
}

/// How components are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeric {
    Unorm,
    Snorm,
    Float,
    Int,
    Uint,
}

/// A sized internal format. The number crosses as `u16`; 0 means "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum Format {
    R8 = 1,
    R8Snorm = 2,
    R16 = 3,
    R16Snorm = 4,
    Rg8 = 5,
    Rg8Snorm = 6,
    Rg16 = 7,
    Rg16Snorm = 8,
    R3G3B2 = 9,
    Rgb4 = 10,
    Rgb5 = 11,
    Rgb565 = 12,
    Rgb8 = 13,
    Rgb8Snorm = 14,
    Rgb10 = 15,
    Rgb12 = 16,
    Rgb16 = 17,
    Rgb16Snorm = 18,
    Rgba2 = 19,
    Rgba4 = 20,
    Rgb5A1 = 21,
    Rgba8 = 22,
    Rgba8Snorm = 23,
    Rgb10A2 = 24,
    Rgb10A2Ui = 25,
    Rgba12 = 26,
    Rgba16 = 27,
    Rgba16Snorm = 28,
    Srgb8 = 29,
    Srgb8Alpha8 = 30,
    R16F = 31,
    Rg16F = 32,
    Rgb16F = 33,
    Rgba16F = 34,
    R32F = 35,
    Rg32F = 36,
    Rgb32F = 37,
    Rgba32F = 38,
    R11FG11FB10F = 39,
    Rgb9E5 = 40,
    R8I = 41,
    R8Ui = 42,
    R16I = 43,
    R16Ui = 44,
    R32I = 45,
    R32Ui = 46,
    Rg8I = 47,
    Rg8Ui = 48,
    Rg16I = 49,
    Rg16Ui = 50,
    Rg32I = 51,
    Rg32Ui = 52,
    Rgb8I = 53,
    Rgb8Ui = 54,
    Rgb16I = 55,
    Rgb16Ui = 56,
    Rgb32I = 57,
    Rgb32Ui = 58,
    Rgba8I = 59,
    Rgba8Ui = 60,
    Rgba16I = 61,
    Rgba16Ui = 62,
    Rgba32I = 63,
    Rgba32Ui = 64,
    Depth16 = 65,
    Depth24 = 66,
    Depth32 = 67,
    Depth32F = 68,
    Depth24Stencil8 = 69,
    Depth32FStencil8 = 70,
    StencilIndex8 = 71,
    CompressedRedRgtc1 = 72,
    CompressedSignedRedRgtc1 = 73,
    CompressedRgRgtc2 = 74,
    CompressedSignedRgRgtc2 = 75,
    CompressedRgbaBptcUnorm = 76,
    CompressedSrgbAlphaBptcUnorm = 77,
    CompressedRgbBptcSignedFloat = 78,
    CompressedRgbBptcUnsignedFloat = 79,
    CompressedRgbS3tcDxt1 = 80,
    CompressedRgbaS3tcDxt1 = 81,
    CompressedRgbaS3tcDxt3 = 82,
    CompressedRgbaS3tcDxt5 = 83,
    CompressedSrgbS3tcDxt1 = 84,
    CompressedSrgbAlphaS3tcDxt1 = 85,
    CompressedSrgbAlphaS3tcDxt3 = 86,
    CompressedSrgbAlphaS3tcDxt5 = 87,
    CompressedR11Eac = 88,
    CompressedSignedR11Eac = 89,
    CompressedRg11Eac = 90,
    CompressedSignedRg11Eac = 91,
    CompressedRgb8Etc2 = 92,
    CompressedSrgb8Etc2 = 93,
    CompressedRgb8PunchthroughAlpha1Etc2 = 94,
    CompressedSrgb8PunchthroughAlpha1Etc2 = 95,
    CompressedRgba8Etc2Eac = 96,
    CompressedSrgb8Alpha8Etc2Eac = 97,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// GL token of the sized internal format.
    pub gl: u32,
    /// Texel layout.
    pub storage: Storage,
    /// Base format.
    pub base: Base,
    /// Component interpretation (of the colour components, or of depth).
    pub numeric: Numeric,
    /// Bits of red, green, blue, alpha, depth, stencil as GL reports them.
    pub bits: [u8; 6],
    /// Colour is sRGB encoded.
    pub srgb: bool,
    /// Block compressed.
    pub compressed: bool,
}

impl Format {
    /// The format's row.
    pub const fn info(self) -> &'static FormatInfo {
        &FORMATS[self as usize - 1]
    }
    /// The format with this wire number.
    pub fn from_wire(value: u16) -> Option<Format> {
        FORMATS.get((value as usize).checked_sub(1)?).map(|row| row.format)
    }
    /// The format with this sized GL token.
    pub fn from_gl(token: u32) -> Option<Format> {
        FORMATS.iter().find(|row| row.gl == token).map(|row| row.format)
    }
    /// Texel layout.
    pub const fn storage(self) -> Storage {
        self.info().storage
    }
    /// True when the format has a depth component.
    pub const fn has_depth(self) -> bool {
        matches!(self.info().base, Base::Depth | Base::DepthStencil)
    }
    /// True when the format has a stencil component.
    pub const fn has_stencil(self) -> bool {
        matches!(self.info().base, Base::Stencil | Base::DepthStencil)
    }
    /// True for colour formats.
    pub const fn is_color(self) -> bool {
        !self.has_depth() && !self.has_stencil()
    }
    /// True for pure integer colour formats.
    pub const fn is_integer(self) -> bool {
        self.is_color() && matches!(self.info().numeric, Numeric::Int | Numeric::Uint)
    }
}

impl FormatInfo {
    /// Bytes of a tight `width` x `height` x `depth` image of this format.
    pub const fn image_bytes(&self, width: u32, height: u32, depth: u32) -> u64 {
        let (bw, bh) = self.storage.block_extent();
        self.storage.block_bytes() as u64 * width.div_ceil(bw) as u64 * height.div_ceil(bh) as u64 * depth as u64
    }
}

/// Every format in wire order.
#[rustfmt::skip]
pub const FORMATS: &[FormatInfo] = &[
    FormatInfo { format: Format::R8, gl: 0x8229, storage: Storage::R8Unorm, base: Base::Red, numeric: Numeric::Unorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R8Snorm, gl: 0x8F94, storage: Storage::R8Snorm, base: Base::Red, numeric: Numeric::Snorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R16, gl: 0x822A, storage: Storage::R16Unorm, base: Base::Red, numeric: Numeric::Unorm, bits: [16, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R16Snorm, gl: 0x8F98, storage: Storage::R16Snorm, base: Base::Red, numeric: Numeric::Snorm, bits: [16, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg8, gl: 0x822B, storage: Storage::Rg8Unorm, base: Base::Rg, numeric: Numeric::Unorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg8Snorm, gl: 0x8F95, storage: Storage::Rg8Snorm, base: Base::Rg, numeric: Numeric::Snorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg16, gl: 0x822C, storage: Storage::Rg16Unorm, base: Base::Rg, numeric: Numeric::Unorm, bits: [16, 16, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg16Snorm, gl: 0x8F99, storage: Storage::Rg16Snorm, base: Base::Rg, numeric: Numeric::Snorm, bits: [16, 16, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R3G3B2, gl: 0x2A10, storage: Storage::Rgba8Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb4, gl: 0x804F, storage: Storage::Rgba8Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb5, gl: 0x8050, storage: Storage::Rgba8Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb565, gl: 0x8D62, storage: Storage::Rgba8Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb8, gl: 0x8051, storage: Storage::Rgba8Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb8Snorm, gl: 0x8F96, storage: Storage::Rgba8Snorm, base: Base::Rgb, numeric: Numeric::Snorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb10, gl: 0x8052, storage: Storage::Rgba16Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb12, gl: 0x8053, storage: Storage::Rgba16Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb16, gl: 0x8054, storage: Storage::Rgba16Unorm, base: Base::Rgb, numeric: Numeric::Unorm, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb16Snorm, gl: 0x8F9A, storage: Storage::Rgba16Snorm, base: Base::Rgb, numeric: Numeric::Snorm, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba2, gl: 0x8055, storage: Storage::Rgba8Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba4, gl: 0x8056, storage: Storage::Rgba8Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb5A1, gl: 0x8057, storage: Storage::Rgba8Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba8, gl: 0x8058, storage: Storage::Rgba8Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba8Snorm, gl: 0x8F97, storage: Storage::Rgba8Snorm, base: Base::Rgba, numeric: Numeric::Snorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb10A2, gl: 0x8059, storage: Storage::Rgb10A2Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [10, 10, 10, 2, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb10A2Ui, gl: 0x906F, storage: Storage::Rgb10A2Uint, base: Base::Rgba, numeric: Numeric::Uint, bits: [10, 10, 10, 2, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba12, gl: 0x805A, storage: Storage::Rgba16Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba16, gl: 0x805B, storage: Storage::Rgba16Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba16Snorm, gl: 0x8F9B, storage: Storage::Rgba16Snorm, base: Base::Rgba, numeric: Numeric::Snorm, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Srgb8, gl: 0x8C41, storage: Storage::Rgba8Srgb, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: true, compressed: false },
    FormatInfo { format: Format::Srgb8Alpha8, gl: 0x8C43, storage: Storage::Rgba8Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: false },
    FormatInfo { format: Format::R16F, gl: 0x822D, storage: Storage::R16Float, base: Base::Red, numeric: Numeric::Float, bits: [16, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg16F, gl: 0x822F, storage: Storage::Rg16Float, base: Base::Rg, numeric: Numeric::Float, bits: [16, 16, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb16F, gl: 0x881B, storage: Storage::Rgba16Float, base: Base::Rgb, numeric: Numeric::Float, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba16F, gl: 0x881A, storage: Storage::Rgba16Float, base: Base::Rgba, numeric: Numeric::Float, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R32F, gl: 0x822E, storage: Storage::R32Float, base: Base::Red, numeric: Numeric::Float, bits: [32, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg32F, gl: 0x8230, storage: Storage::Rg32Float, base: Base::Rg, numeric: Numeric::Float, bits: [32, 32, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb32F, gl: 0x8815, storage: Storage::Rgba32Float, base: Base::Rgb, numeric: Numeric::Float, bits: [32, 32, 32, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba32F, gl: 0x8814, storage: Storage::Rgba32Float, base: Base::Rgba, numeric: Numeric::Float, bits: [32, 32, 32, 32, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R11FG11FB10F, gl: 0x8C3A, storage: Storage::R11G11B10Float, base: Base::Rgb, numeric: Numeric::Float, bits: [11, 11, 10, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb9E5, gl: 0x8C3D, storage: Storage::Rgb9E5Float, base: Base::Rgb, numeric: Numeric::Float, bits: [9, 9, 9, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R8I, gl: 0x8231, storage: Storage::R8Sint, base: Base::Red, numeric: Numeric::Int, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R8Ui, gl: 0x8232, storage: Storage::R8Uint, base: Base::Red, numeric: Numeric::Uint, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R16I, gl: 0x8233, storage: Storage::R16Sint, base: Base::Red, numeric: Numeric::Int, bits: [16, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R16Ui, gl: 0x8234, storage: Storage::R16Uint, base: Base::Red, numeric: Numeric::Uint, bits: [16, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R32I, gl: 0x8235, storage: Storage::R32Sint, base: Base::Red, numeric: Numeric::Int, bits: [32, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::R32Ui, gl: 0x8236, storage: Storage::R32Uint, base: Base::Red, numeric: Numeric::Uint, bits: [32, 0, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg8I, gl: 0x8237, storage: Storage::Rg8Sint, base: Base::Rg, numeric: Numeric::Int, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg8Ui, gl: 0x8238, storage: Storage::Rg8Uint, base: Base::Rg, numeric: Numeric::Uint, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg16I, gl: 0x8239, storage: Storage::Rg16Sint, base: Base::Rg, numeric: Numeric::Int, bits: [16, 16, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg16Ui, gl: 0x823A, storage: Storage::Rg16Uint, base: Base::Rg, numeric: Numeric::Uint, bits: [16, 16, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg32I, gl: 0x823B, storage: Storage::Rg32Sint, base: Base::Rg, numeric: Numeric::Int, bits: [32, 32, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rg32Ui, gl: 0x823C, storage: Storage::Rg32Uint, base: Base::Rg, numeric: Numeric::Uint, bits: [32, 32, 0, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb8I, gl: 0x8D8F, storage: Storage::Rgba8Sint, base: Base::Rgb, numeric: Numeric::Int, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb8Ui, gl: 0x8D7D, storage: Storage::Rgba8Uint, base: Base::Rgb, numeric: Numeric::Uint, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb16I, gl: 0x8D89, storage: Storage::Rgba16Sint, base: Base::Rgb, numeric: Numeric::Int, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb16Ui, gl: 0x8D77, storage: Storage::Rgba16Uint, base: Base::Rgb, numeric: Numeric::Uint, bits: [16, 16, 16, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb32I, gl: 0x8D83, storage: Storage::Rgba32Sint, base: Base::Rgb, numeric: Numeric::Int, bits: [32, 32, 32, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgb32Ui, gl: 0x8D71, storage: Storage::Rgba32Uint, base: Base::Rgb, numeric: Numeric::Uint, bits: [32, 32, 32, 0, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba8I, gl: 0x8D8E, storage: Storage::Rgba8Sint, base: Base::Rgba, numeric: Numeric::Int, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba8Ui, gl: 0x8D7C, storage: Storage::Rgba8Uint, base: Base::Rgba, numeric: Numeric::Uint, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba16I, gl: 0x8D88, storage: Storage::Rgba16Sint, base: Base::Rgba, numeric: Numeric::Int, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba16Ui, gl: 0x8D76, storage: Storage::Rgba16Uint, base: Base::Rgba, numeric: Numeric::Uint, bits: [16, 16, 16, 16, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba32I, gl: 0x8D82, storage: Storage::Rgba32Sint, base: Base::Rgba, numeric: Numeric::Int, bits: [32, 32, 32, 32, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Rgba32Ui, gl: 0x8D70, storage: Storage::Rgba32Uint, base: Base::Rgba, numeric: Numeric::Uint, bits: [32, 32, 32, 32, 0, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth16, gl: 0x81A5, storage: Storage::D16Unorm, base: Base::Depth, numeric: Numeric::Unorm, bits: [0, 0, 0, 0, 16, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth24, gl: 0x81A6, storage: Storage::D24Unorm, base: Base::Depth, numeric: Numeric::Unorm, bits: [0, 0, 0, 0, 24, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth32, gl: 0x81A7, storage: Storage::D32Float, base: Base::Depth, numeric: Numeric::Unorm, bits: [0, 0, 0, 0, 32, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth32F, gl: 0x8CAC, storage: Storage::D32Float, base: Base::Depth, numeric: Numeric::Float, bits: [0, 0, 0, 0, 32, 0], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth24Stencil8, gl: 0x88F0, storage: Storage::D24UnormS8Uint, base: Base::DepthStencil, numeric: Numeric::Unorm, bits: [0, 0, 0, 0, 24, 8], srgb: false, compressed: false },
    FormatInfo { format: Format::Depth32FStencil8, gl: 0x8CAD, storage: Storage::D32FloatS8Uint, base: Base::DepthStencil, numeric: Numeric::Float, bits: [0, 0, 0, 0, 32, 8], srgb: false, compressed: false },
    FormatInfo { format: Format::StencilIndex8, gl: 0x8D48, storage: Storage::S8Uint, base: Base::Stencil, numeric: Numeric::Uint, bits: [0, 0, 0, 0, 0, 8], srgb: false, compressed: false },
    FormatInfo { format: Format::CompressedRedRgtc1, gl: 0x8DBB, storage: Storage::Bc4Unorm, base: Base::Red, numeric: Numeric::Unorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSignedRedRgtc1, gl: 0x8DBC, storage: Storage::Bc4Snorm, base: Base::Red, numeric: Numeric::Snorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgRgtc2, gl: 0x8DBD, storage: Storage::Bc5Unorm, base: Base::Rg, numeric: Numeric::Unorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSignedRgRgtc2, gl: 0x8DBE, storage: Storage::Bc5Snorm, base: Base::Rg, numeric: Numeric::Snorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbaBptcUnorm, gl: 0x8E8C, storage: Storage::Bc7Unorm, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSrgbAlphaBptcUnorm, gl: 0x8E8D, storage: Storage::Bc7Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedRgbBptcSignedFloat, gl: 0x8E8E, storage: Storage::Bc6hSfloat, base: Base::Rgb, numeric: Numeric::Float, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbBptcUnsignedFloat, gl: 0x8E8F, storage: Storage::Bc6hUfloat, base: Base::Rgb, numeric: Numeric::Float, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbS3tcDxt1, gl: 0x83F0, storage: Storage::Bc1Rgb, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbaS3tcDxt1, gl: 0x83F1, storage: Storage::Bc1Rgba, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbaS3tcDxt3, gl: 0x83F2, storage: Storage::Bc2, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgbaS3tcDxt5, gl: 0x83F3, storage: Storage::Bc3, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSrgbS3tcDxt1, gl: 0x8C4C, storage: Storage::Bc1RgbSrgb, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedSrgbAlphaS3tcDxt1, gl: 0x8C4D, storage: Storage::Bc1RgbaSrgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedSrgbAlphaS3tcDxt3, gl: 0x8C4E, storage: Storage::Bc2Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedSrgbAlphaS3tcDxt5, gl: 0x8C4F, storage: Storage::Bc3Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedR11Eac, gl: 0x9270, storage: Storage::EacR11Unorm, base: Base::Red, numeric: Numeric::Unorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSignedR11Eac, gl: 0x9271, storage: Storage::EacR11Snorm, base: Base::Red, numeric: Numeric::Snorm, bits: [8, 0, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRg11Eac, gl: 0x9272, storage: Storage::EacRg11Unorm, base: Base::Rg, numeric: Numeric::Unorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSignedRg11Eac, gl: 0x9273, storage: Storage::EacRg11Snorm, base: Base::Rg, numeric: Numeric::Snorm, bits: [8, 8, 0, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedRgb8Etc2, gl: 0x9274, storage: Storage::Etc2Rgb8, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSrgb8Etc2, gl: 0x9275, storage: Storage::Etc2Rgb8Srgb, base: Base::Rgb, numeric: Numeric::Unorm, bits: [8, 8, 8, 0, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedRgb8PunchthroughAlpha1Etc2, gl: 0x9276, storage: Storage::Etc2Rgb8A1, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSrgb8PunchthroughAlpha1Etc2, gl: 0x9277, storage: Storage::Etc2Rgb8A1Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
    FormatInfo { format: Format::CompressedRgba8Etc2Eac, gl: 0x9278, storage: Storage::Etc2Rgba8, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: false, compressed: true },
    FormatInfo { format: Format::CompressedSrgb8Alpha8Etc2Eac, gl: 0x9279, storage: Storage::Etc2Rgba8Srgb, base: Base::Rgba, numeric: Numeric::Unorm, bits: [8, 8, 8, 8, 0, 0], srgb: true, compressed: true },
];

#[cfg(test)]
mod tests {
    use super::{FORMATS, Format};

    /// A row out of place would make every texture of that format another format on the server.
    #[test]
    fn rows_are_in_wire_order() {
        for (index, row) in FORMATS.iter().enumerate() {
            assert_eq!(row.format as usize, index + 1);
            assert_eq!(Format::from_wire(row.format as u16), Some(row.format));
            assert_eq!(Format::from_gl(row.gl), Some(row.format));
        }
    }
}
