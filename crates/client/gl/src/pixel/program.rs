//! Rows of the program's pixels to and from canonical numbers: the slow, complete path (GL 4.6 §8.4.4, §18.2.8). Input and
//! output are in native byte order; swapping happens outside. Must not know storage layouts.

use super::client::{Class, ClientPixels, ElementType, Field, Plain};
use super::number as n;
use super::texel::{Color, DepthStencil, Ints};

fn word(b: &[u8]) -> u32 {
    b.iter().rev().fold(0, |acc, byte| (acc << 8) | u32::from(*byte))
}

fn put(dst: &mut [u8], v: u32) {
    let bytes = v.to_le_bytes();
    let len = dst.len().min(4);
    dst[..len].copy_from_slice(&bytes[..len]);
}

const fn mask(bits: u8) -> u32 {
    ((1u64 << bits) - 1) as u32
}

fn real_from(plain: Plain, b: &[u8]) -> f64 {
    let v = word(b);
    match plain {
        Plain::U8 => f64::from(v) / 255.0,
        Plain::I8 => n::from_snorm(i32::from(v as i8), 127.0),
        Plain::U16 => f64::from(v) / 65535.0,
        Plain::I16 => n::from_snorm(i32::from(v as i16), 32767.0),
        Plain::U32 => f64::from(v) / f64::from(u32::MAX),
        Plain::I32 => n::from_snorm(v as i32, f64::from(i32::MAX)),
        Plain::F16 => n::from_half(v as u16),
        Plain::F32 => f64::from(f32::from_bits(v)),
    }
}

fn real_to(plain: Plain, v: f64, dst: &mut [u8]) {
    put(
        dst,
        match plain {
            Plain::U8 => n::to_unorm(v, 255.0),
            Plain::I8 => n::to_snorm(v, 127.0) as u32,
            Plain::U16 => n::to_unorm(v, 65535.0),
            Plain::I16 => n::to_snorm(v, 32767.0) as u32,
            Plain::U32 => n::to_unorm(v, f64::from(u32::MAX)),
            Plain::I32 => n::to_snorm(v, f64::from(i32::MAX)) as u32,
            Plain::F16 => u32::from(n::to_half(v)),
            Plain::F32 => (v as f32).to_bits(),
        },
    );
}

fn int_from(plain: Plain, b: &[u8]) -> i64 {
    let v = word(b);
    match plain {
        Plain::U8 | Plain::U16 | Plain::U32 => i64::from(v),
        Plain::I8 => i64::from(v as i8),
        Plain::I16 => i64::from(v as i16),
        Plain::I32 => i64::from(v as i32),
        Plain::F16 => n::from_half(v as u16) as i64,
        Plain::F32 => f32::from_bits(v) as i64,
    }
}

fn int_to(plain: Plain, v: i64, dst: &mut [u8]) {
    let bits = match plain {
        Plain::U8 => v.clamp(0, 255) as u32,
        Plain::I8 => v.clamp(-128, 127) as u32,
        Plain::U16 => v.clamp(0, 65535) as u32,
        Plain::I16 => v.clamp(-32768, 32767) as u32,
        Plain::U32 => v.clamp(0, i64::from(u32::MAX)) as u32,
        Plain::I32 => v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32,
        Plain::F16 => u32::from(n::to_half(v as f64)),
        Plain::F32 => (v as f32).to_bits(),
    };
    put(dst, bits);
}

fn each_field(order: &[u8], fields: &[Field], v: u32, mut set: impl FnMut(usize, u32, u32)) {
    for (position, (shift, bits)) in fields.iter().enumerate() {
        let component = order.get(position).copied().unwrap_or(0) as usize;
        set(component, (v >> shift) & mask(*bits), mask(*bits));
    }
}

/// Colour of a row; absent components are 0, 0, 0, 1 (GL 4.6 §8.4.4.5).
pub fn read_color(px: &ClientPixels, src: &[u8], out: &mut [Color]) {
    for (pixel, value) in src.chunks_exact(px.pixel_bytes()).zip(out) {
        *value = match px.element {
            ElementType::Plain(plain) => {
                let mut c = [0.0, 0.0, 0.0, 1.0];
                for (part, component) in pixel.chunks_exact(plain.bytes()).zip(px.order) {
                    c[*component as usize] = real_from(plain, part);
                }
                c
            }
            ElementType::Packed(_, fields) => {
                let mut c = [0.0, 0.0, 0.0, 1.0];
                each_field(px.order, fields, word(pixel), |i, v, max| c[i] = f64::from(v) / f64::from(max));
                c
            }
            ElementType::F11F11F10 => n::from_r11g11b10(word(pixel)),
            ElementType::E5B9G9R9 => n::from_rgb9e5(word(pixel)),
            ElementType::D24S8 | ElementType::D32FS8 => [0.0; 4],
        };
    }
}

/// The inverse of [`read_color`].
pub fn write_color(px: &ClientPixels, values: &[Color], dst: &mut [u8]) {
    for (pixel, c) in dst.chunks_exact_mut(px.pixel_bytes()).zip(values) {
        match px.element {
            ElementType::Plain(plain) => {
                for (part, component) in pixel.chunks_exact_mut(plain.bytes()).zip(px.order) {
                    real_to(plain, c[*component as usize], part);
                }
            }
            ElementType::Packed(_, fields) => {
                let mut v = 0;
                for (position, (shift, bits)) in fields.iter().enumerate() {
                    let component = px.order.get(position).copied().unwrap_or(0) as usize;
                    v |= n::to_unorm(c[component], f64::from(mask(*bits))) << shift;
                }
                put(pixel, v);
            }
            ElementType::F11F11F10 => put(pixel, n::to_r11g11b10(*c)),
            ElementType::E5B9G9R9 => put(pixel, n::to_rgb9e5(*c)),
            ElementType::D24S8 | ElementType::D32FS8 => {}
        }
    }
}

/// Integer colour of a row.
pub fn read_ints(px: &ClientPixels, src: &[u8], out: &mut [Ints]) {
    for (pixel, value) in src.chunks_exact(px.pixel_bytes()).zip(out) {
        let mut c = [0, 0, 0, 1];
        match px.element {
            ElementType::Plain(plain) => {
                for (part, component) in pixel.chunks_exact(plain.bytes()).zip(px.order) {
                    c[*component as usize] = int_from(plain, part);
                }
            }
            ElementType::Packed(_, fields) => {
                each_field(px.order, fields, word(pixel), |i, v, _| c[i] = i64::from(v));
            }
            _ => {}
        }
        *value = c;
    }
}

/// The inverse of [`read_ints`]; values outside the type are clamped to it (GL 4.6 §18.2.8).
pub fn write_ints(px: &ClientPixels, values: &[Ints], dst: &mut [u8]) {
    for (pixel, c) in dst.chunks_exact_mut(px.pixel_bytes()).zip(values) {
        match px.element {
            ElementType::Plain(plain) => {
                for (part, component) in pixel.chunks_exact_mut(plain.bytes()).zip(px.order) {
                    int_to(plain, c[*component as usize], part);
                }
            }
            ElementType::Packed(_, fields) => {
                let mut v = 0;
                for (position, (shift, bits)) in fields.iter().enumerate() {
                    let component = px.order.get(position).copied().unwrap_or(0) as usize;
                    v |= (c[component].clamp(0, i64::from(mask(*bits))) as u32) << shift;
                }
                put(pixel, v);
            }
            _ => {}
        }
    }
}

const D24: f64 = 16_777_215.0;

/// Depth and stencil of a row; what the format does not carry is 0.
pub fn read_depth_stencil(px: &ClientPixels, src: &[u8], out: &mut [DepthStencil]) {
    for (pixel, value) in src.chunks_exact(px.pixel_bytes()).zip(out) {
        *value = match px.element {
            ElementType::Plain(plain) if px.class == Class::Depth => {
                DepthStencil { depth: real_from(plain, pixel), stencil: 0 }
            }
            // Stencil indices keep their low bits (GL 4.6 §8.4.4.4).
            ElementType::Plain(plain) => DepthStencil { depth: 0.0, stencil: int_from(plain, pixel) as u32 & 255 },
            ElementType::D24S8 => {
                let v = word(pixel);
                DepthStencil { depth: f64::from(v >> 8) / D24, stencil: v & 255 }
            }
            ElementType::D32FS8 => {
                DepthStencil { depth: f64::from(f32::from_bits(word(&pixel[..4]))), stencil: word(&pixel[4..]) & 255 }
            }
            _ => DepthStencil::default(),
        };
    }
}

/// The inverse of [`read_depth_stencil`].
pub fn write_depth_stencil(px: &ClientPixels, values: &[DepthStencil], dst: &mut [u8]) {
    for (pixel, v) in dst.chunks_exact_mut(px.pixel_bytes()).zip(values) {
        match px.element {
            ElementType::Plain(plain) if px.class == Class::Depth => real_to(plain, v.depth, pixel),
            ElementType::Plain(plain) => int_to(plain, i64::from(v.stencil), pixel),
            ElementType::D24S8 => put(pixel, (n::to_unorm(v.depth, D24) << 8) | (v.stencil & 255)),
            ElementType::D32FS8 => {
                put(&mut pixel[..4], (v.depth as f32).to_bits());
                put(&mut pixel[4..], v.stencil & 255);
            }
            _ => {}
        }
    }
}
