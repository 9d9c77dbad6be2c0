//! Rows of texels in storage layout to and from canonical numbers: `[f64; 4]` for colour, `[i64; 4]` for integers,
//! depth and stencil apart. The slow, complete path; identical layouts never come here. Must not know the program's
//! pixel formats.

use super::number as n;
use mgl_pipe::format::Storage;

/// Real colour, red first.
pub type Color = [f64; 4];
/// Integer colour, red first.
pub type Ints = [i64; 4];

/// Depth and stencil of one texel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthStencil {
    /// Depth, not clamped.
    pub depth: f64,
    /// Stencil index.
    pub stencil: u32,
}

fn read<const N: usize, T>(src: &[u8], out: &mut [T], each: impl Fn(&[u8; N]) -> T) {
    for (texel, value) in src.as_chunks::<N>().0.iter().zip(out) {
        *value = each(texel);
    }
}

fn write<const N: usize, T: Copy>(dst: &mut [u8], values: &[T], each: impl Fn(T) -> [u8; N]) {
    for (texel, value) in dst.as_chunks_mut::<N>().0.iter_mut().zip(values) {
        *texel = each(*value);
    }
}

const fn u16_at(b: &[u8], i: usize) -> u16 {
    u16::from_le_bytes([b[2 * i], b[2 * i + 1]])
}
const fn u32_at(b: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]])
}

fn pack<const C: usize, const N: usize, const B: usize>(parts: [[u8; B]; C]) -> [u8; N] {
    core::array::from_fn(|i| parts[i / B][i % B])
}

fn un8(b: u8) -> f64 {
    f64::from(b) / 255.0
}
fn sn8(b: u8) -> f64 {
    n::from_snorm(i32::from(b as i8), 127.0)
}
fn un16(v: u16) -> f64 {
    f64::from(v) / 65535.0
}
fn sn16(v: u16) -> f64 {
    n::from_snorm(i32::from(v as i16), 32767.0)
}
fn f32_at(b: &[u8], i: usize) -> f64 {
    f64::from(f32::from_bits(u32_at(b, i)))
}

/// Missing components read as 0, 0, 1 (GL 4.6 table 15.1).
fn expand<const C: usize>(c: [f64; C]) -> Color {
    core::array::from_fn(|i| c.get(i).copied().unwrap_or(if i == 3 { 1.0 } else { 0.0 }))
}
fn expand_int<const C: usize>(c: [i64; C]) -> Ints {
    core::array::from_fn(|i| c.get(i).copied().unwrap_or(i64::from(i == 3)))
}

/// Colour of a row. Storage without real colour leaves `out` as it is.
pub fn decode_color(storage: Storage, src: &[u8], out: &mut [Color]) {
    match storage {
        Storage::R8Unorm => read::<1, _>(src, out, |t| expand([un8(t[0])])),
        Storage::Rg8Unorm => read::<2, _>(src, out, |t| expand(t.map(un8))),
        Storage::Rgba8Unorm | Storage::Rgba8Srgb => read::<4, _>(src, out, |t| t.map(un8)),
        Storage::R8Snorm => read::<1, _>(src, out, |t| expand([sn8(t[0])])),
        Storage::Rg8Snorm => read::<2, _>(src, out, |t| expand(t.map(sn8))),
        Storage::Rgba8Snorm => read::<4, _>(src, out, |t| t.map(sn8)),
        Storage::R16Unorm => read::<2, _>(src, out, |t| expand([un16(u16_at(t, 0))])),
        Storage::Rg16Unorm => read::<4, _>(src, out, |t| expand([0, 1].map(|i| un16(u16_at(t, i))))),
        Storage::Rgba16Unorm => read::<8, _>(src, out, |t| [0, 1, 2, 3].map(|i| un16(u16_at(t, i)))),
        Storage::R16Snorm => read::<2, _>(src, out, |t| expand([sn16(u16_at(t, 0))])),
        Storage::Rg16Snorm => read::<4, _>(src, out, |t| expand([0, 1].map(|i| sn16(u16_at(t, i))))),
        Storage::Rgba16Snorm => read::<8, _>(src, out, |t| [0, 1, 2, 3].map(|i| sn16(u16_at(t, i)))),
        Storage::R16Float => read::<2, _>(src, out, |t| expand([n::from_half(u16_at(t, 0))])),
        Storage::Rg16Float => read::<4, _>(src, out, |t| expand([0, 1].map(|i| n::from_half(u16_at(t, i))))),
        Storage::Rgba16Float => read::<8, _>(src, out, |t| [0, 1, 2, 3].map(|i| n::from_half(u16_at(t, i)))),
        Storage::R32Float => read::<4, _>(src, out, |t| expand([f32_at(t, 0)])),
        Storage::Rg32Float => read::<8, _>(src, out, |t| expand([0, 1].map(|i| f32_at(t, i)))),
        Storage::Rgb32Float => read::<12, _>(src, out, |t| expand([0, 1, 2].map(|i| f32_at(t, i)))),
        Storage::Rgba32Float => read::<16, _>(src, out, |t| [0, 1, 2, 3].map(|i| f32_at(t, i))),
        Storage::Rgb10A2Unorm => read::<4, _>(src, out, |t| {
            let v = u32_at(t, 0);
            let field = |shift: u32| f64::from((v >> shift) & 1023) / 1023.0;
            [field(0), field(10), field(20), f64::from(v >> 30) / 3.0]
        }),
        Storage::R11G11B10Float => read::<4, _>(src, out, |t| n::from_r11g11b10(u32_at(t, 0))),
        Storage::Rgb9E5Float => read::<4, _>(src, out, |t| n::from_rgb9e5(u32_at(t, 0))),
        _ => {}
    }
}

/// The inverse of [`decode_color`]; components that the storage lacks are dropped.
pub fn encode_color(storage: Storage, values: &[Color], dst: &mut [u8]) {
    let u8n = |v: f64| [n::to_unorm(v, 255.0) as u8];
    let s8n = |v: f64| [n::to_snorm(v, 127.0) as u8];
    let u16n = |v: f64| (n::to_unorm(v, 65535.0) as u16).to_le_bytes();
    let s16n = |v: f64| (n::to_snorm(v, 32767.0) as i16).to_le_bytes();
    let half = |v: f64| n::to_half(v).to_le_bytes();
    let single = |v: f64| (v as f32).to_le_bytes();
    match storage {
        Storage::R8Unorm => write(dst, values, |c: Color| u8n(c[0])),
        Storage::Rg8Unorm => write::<2, _>(dst, values, |c: Color| pack([c[0], c[1]].map(u8n))),
        Storage::Rgba8Unorm | Storage::Rgba8Srgb => write::<4, _>(dst, values, |c: Color| pack(c.map(u8n))),
        Storage::R8Snorm => write(dst, values, |c: Color| s8n(c[0])),
        Storage::Rg8Snorm => write::<2, _>(dst, values, |c: Color| pack([c[0], c[1]].map(s8n))),
        Storage::Rgba8Snorm => write::<4, _>(dst, values, |c: Color| pack(c.map(s8n))),
        Storage::R16Unorm => write(dst, values, |c: Color| u16n(c[0])),
        Storage::Rg16Unorm => write::<4, _>(dst, values, |c: Color| pack([c[0], c[1]].map(u16n))),
        Storage::Rgba16Unorm => write::<8, _>(dst, values, |c: Color| pack(c.map(u16n))),
        Storage::R16Snorm => write(dst, values, |c: Color| s16n(c[0])),
        Storage::Rg16Snorm => write::<4, _>(dst, values, |c: Color| pack([c[0], c[1]].map(s16n))),
        Storage::Rgba16Snorm => write::<8, _>(dst, values, |c: Color| pack(c.map(s16n))),
        Storage::R16Float => write(dst, values, |c: Color| half(c[0])),
        Storage::Rg16Float => write::<4, _>(dst, values, |c: Color| pack([c[0], c[1]].map(half))),
        Storage::Rgba16Float => write::<8, _>(dst, values, |c: Color| pack(c.map(half))),
        Storage::R32Float => write(dst, values, |c: Color| single(c[0])),
        Storage::Rg32Float => write::<8, _>(dst, values, |c: Color| pack([c[0], c[1]].map(single))),
        Storage::Rgb32Float => write::<12, _>(dst, values, |c: Color| pack([c[0], c[1], c[2]].map(single))),
        Storage::Rgba32Float => write::<16, _>(dst, values, |c: Color| pack(c.map(single))),
        Storage::Rgb10A2Unorm => write(dst, values, |c: Color| {
            let field = |i: usize| n::to_unorm(c[i], 1023.0) << (10 * i);
            (field(0) | field(1) | field(2) | (n::to_unorm(c[3], 3.0) << 30)).to_le_bytes()
        }),
        Storage::R11G11B10Float => write(dst, values, |c: Color| n::to_r11g11b10(c).to_le_bytes()),
        Storage::Rgb9E5Float => write(dst, values, |c: Color| n::to_rgb9e5(c).to_le_bytes()),
        _ => {}
    }
}

/// Integer colour of a row.
pub fn decode_ints(storage: Storage, src: &[u8], out: &mut [Ints]) {
    let s8 = |b: u8| i64::from(b as i8);
    let s16 = |v: u16| i64::from(v as i16);
    let s32 = |v: u32| i64::from(v as i32);
    match storage {
        Storage::R8Uint => read::<1, _>(src, out, |t| expand_int(t.map(i64::from))),
        Storage::Rg8Uint => read::<2, _>(src, out, |t| expand_int(t.map(i64::from))),
        Storage::Rgba8Uint => read::<4, _>(src, out, |t| t.map(i64::from)),
        Storage::R8Sint => read::<1, _>(src, out, |t| expand_int(t.map(s8))),
        Storage::Rg8Sint => read::<2, _>(src, out, |t| expand_int(t.map(s8))),
        Storage::Rgba8Sint => read::<4, _>(src, out, |t| t.map(s8)),
        Storage::R16Uint => read::<2, _>(src, out, |t| expand_int([i64::from(u16_at(t, 0))])),
        Storage::Rg16Uint => read::<4, _>(src, out, |t| expand_int([0, 1].map(|i| i64::from(u16_at(t, i))))),
        Storage::Rgba16Uint => read::<8, _>(src, out, |t| [0, 1, 2, 3].map(|i| i64::from(u16_at(t, i)))),
        Storage::R16Sint => read::<2, _>(src, out, |t| expand_int([s16(u16_at(t, 0))])),
        Storage::Rg16Sint => read::<4, _>(src, out, |t| expand_int([0, 1].map(|i| s16(u16_at(t, i))))),
        Storage::Rgba16Sint => read::<8, _>(src, out, |t| [0, 1, 2, 3].map(|i| s16(u16_at(t, i)))),
        Storage::R32Uint => read::<4, _>(src, out, |t| expand_int([i64::from(u32_at(t, 0))])),
        Storage::Rg32Uint => read::<8, _>(src, out, |t| expand_int([0, 1].map(|i| i64::from(u32_at(t, i))))),
        Storage::Rgb32Uint => read::<12, _>(src, out, |t| expand_int([0, 1, 2].map(|i| i64::from(u32_at(t, i))))),
        Storage::Rgba32Uint => read::<16, _>(src, out, |t| [0, 1, 2, 3].map(|i| i64::from(u32_at(t, i)))),
        Storage::R32Sint => read::<4, _>(src, out, |t| expand_int([s32(u32_at(t, 0))])),
        Storage::Rg32Sint => read::<8, _>(src, out, |t| expand_int([0, 1].map(|i| s32(u32_at(t, i))))),
        Storage::Rgb32Sint => read::<12, _>(src, out, |t| expand_int([0, 1, 2].map(|i| s32(u32_at(t, i))))),
        Storage::Rgba32Sint => read::<16, _>(src, out, |t| [0, 1, 2, 3].map(|i| s32(u32_at(t, i)))),
        Storage::Rgb10A2Uint => read::<4, _>(src, out, |t| {
            let v = u32_at(t, 0);
            [v & 1023, (v >> 10) & 1023, (v >> 20) & 1023, v >> 30].map(i64::from)
        }),
        _ => {}
    }
}

/// The inverse of [`decode_ints`]; values outside the type are clamped to it.
pub fn encode_ints(storage: Storage, values: &[Ints], dst: &mut [u8]) {
    let u8c = |v: i64| [v.clamp(0, 255) as u8];
    let s8c = |v: i64| [v.clamp(-128, 127) as u8];
    let u16c = |v: i64| (v.clamp(0, 65535) as u16).to_le_bytes();
    let s16c = |v: i64| (v.clamp(-32768, 32767) as i16).to_le_bytes();
    let u32c = |v: i64| (v.clamp(0, i64::from(u32::MAX)) as u32).to_le_bytes();
    let s32c = |v: i64| (v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32).to_le_bytes();
    match storage {
        Storage::R8Uint => write(dst, values, |c: Ints| u8c(c[0])),
        Storage::Rg8Uint => write::<2, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(u8c))),
        Storage::Rgba8Uint => write::<4, _>(dst, values, |c: Ints| pack(c.map(u8c))),
        Storage::R8Sint => write(dst, values, |c: Ints| s8c(c[0])),
        Storage::Rg8Sint => write::<2, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(s8c))),
        Storage::Rgba8Sint => write::<4, _>(dst, values, |c: Ints| pack(c.map(s8c))),
        Storage::R16Uint => write(dst, values, |c: Ints| u16c(c[0])),
        Storage::Rg16Uint => write::<4, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(u16c))),
        Storage::Rgba16Uint => write::<8, _>(dst, values, |c: Ints| pack(c.map(u16c))),
        Storage::R16Sint => write(dst, values, |c: Ints| s16c(c[0])),
        Storage::Rg16Sint => write::<4, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(s16c))),
        Storage::Rgba16Sint => write::<8, _>(dst, values, |c: Ints| pack(c.map(s16c))),
        Storage::R32Uint => write(dst, values, |c: Ints| u32c(c[0])),
        Storage::Rg32Uint => write::<8, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(u32c))),
        Storage::Rgb32Uint => write::<12, _>(dst, values, |c: Ints| pack([c[0], c[1], c[2]].map(u32c))),
        Storage::Rgba32Uint => write::<16, _>(dst, values, |c: Ints| pack(c.map(u32c))),
        Storage::R32Sint => write(dst, values, |c: Ints| s32c(c[0])),
        Storage::Rg32Sint => write::<8, _>(dst, values, |c: Ints| pack([c[0], c[1]].map(s32c))),
        Storage::Rgb32Sint => write::<12, _>(dst, values, |c: Ints| pack([c[0], c[1], c[2]].map(s32c))),
        Storage::Rgba32Sint => write::<16, _>(dst, values, |c: Ints| pack(c.map(s32c))),
        Storage::Rgb10A2Uint => write(dst, values, |c: Ints| {
            let field = |i: usize| (c[i].clamp(0, 1023) as u32) << (10 * i);
            (field(0) | field(1) | field(2) | ((c[3].clamp(0, 3) as u32) << 30)).to_le_bytes()
        }),
        _ => {}
    }
}

const D24: f64 = 16_777_215.0;

/// Depth and stencil of a row.
pub fn decode_depth_stencil(storage: Storage, src: &[u8], out: &mut [DepthStencil]) {
    let depth = |depth: f64| DepthStencil { depth, stencil: 0 };
    match storage {
        Storage::D16Unorm => read::<2, _>(src, out, |t| depth(un16(u16_at(t, 0)))),
        Storage::D24Unorm | Storage::D24UnormS8Uint => read::<4, _>(src, out, |t| {
            let v = u32_at(t, 0);
            DepthStencil { depth: f64::from(v >> 8) / D24, stencil: v & 255 }
        }),
        Storage::D32Float => read::<4, _>(src, out, |t| depth(f32_at(t, 0))),
        Storage::D32FloatS8Uint => {
            read::<8, _>(src, out, |t| DepthStencil { depth: f32_at(t, 0), stencil: u32_at(t, 1) & 255 });
        }
        Storage::S8Uint => read::<1, _>(src, out, |t| DepthStencil { depth: 0.0, stencil: u32::from(t[0]) }),
        _ => {}
    }
}

/// The inverse of [`decode_depth_stencil`].
pub fn encode_depth_stencil(storage: Storage, values: &[DepthStencil], dst: &mut [u8]) {
    match storage {
        Storage::D16Unorm => {
            write(dst, values, |v: DepthStencil| (n::to_unorm(v.depth, 65535.0) as u16).to_le_bytes());
        }
        Storage::D24Unorm => write(dst, values, |v: DepthStencil| (n::to_unorm(v.depth, D24) << 8).to_le_bytes()),
        Storage::D24UnormS8Uint => {
            write(dst, values, |v: DepthStencil| ((n::to_unorm(v.depth, D24) << 8) | (v.stencil & 255)).to_le_bytes())
        }
        Storage::D32Float => write(dst, values, |v: DepthStencil| (v.depth as f32).to_le_bytes()),
        Storage::D32FloatS8Uint => write::<8, _>(dst, values, |v: DepthStencil| {
            pack([(v.depth as f32).to_le_bytes(), (v.stencil & 255).to_le_bytes()])
        }),
        Storage::S8Uint => write(dst, values, |v: DepthStencil| [v.stencil as u8]),
        _ => {}
    }
}
