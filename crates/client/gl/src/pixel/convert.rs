//! Whole-row conversion between the program's pixels and texels: the direct path where there is one, else through
//! numbers. Must not know where either side lies in memory.

use super::client::{Class, ClientPixels};
use super::direct::{self, Direct};
use super::program as prog;
use super::texel::{self, Color, DepthStencil, Ints};
use mgl_pipe::format::{Base, Format, Numeric};

/// Scratch of one conversion; reused from row to row.
#[derive(Debug, Default)]
struct Scratch {
    bytes: Vec<u8>,
    colors: Vec<Color>,
    ints: Vec<Ints>,
    depths: Vec<DepthStencil>,
}

/// One conversion: pixels of the program, texel format, options.
#[derive(Debug)]
pub struct Converter {
    px: ClientPixels,
    swap: bool,
    clamp: bool,
    format: Format,
    direct: Option<Direct>,
    scratch: Scratch,
}

fn reverse_units(bytes: &mut [u8], unit: usize) {
    if unit > 1 {
        bytes.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
    }
}

impl Converter {
    /// From the program's pixels to texels.
    pub fn upload(px: ClientPixels, swap: bool, format: Format) -> Self {
        let direct = direct::upload(&px, swap, format);
        Self { px, swap, clamp: false, format, direct, scratch: Scratch::default() }
    }
    /// From texels to the program's pixels. `clamp` limits real colour to [0, 1] (`GL_CLAMP_READ_COLOR`).
    pub fn download(px: ClientPixels, swap: bool, format: Format, clamp: bool) -> Self {
        let exact = !clamp || (format.info().numeric == Numeric::Unorm && !matches!(px.class, Class::Integer));
        let direct = direct::download(&px, swap, format).filter(|_| exact);
        Self { px, swap, clamp, format, direct, scratch: Scratch::default() }
    }
    /// The same without fast paths, for comparison.
    #[cfg(test)]
    pub fn slow(mut self) -> Self {
        self.direct = None;
        self
    }
    /// True when both sides have the same bytes.
    pub fn is_copy(&self) -> bool {
        self.direct == Some(Direct::Copy)
    }
    /// Bytes of one texel.
    pub fn texel_bytes(&self) -> usize {
        self.format.storage().block_bytes() as usize
    }

    /// Converts one row of the program's pixels into texels.
    pub fn upload_row(&mut self, src: &[u8], dst: &mut [u8]) {
        if let Some(direct) = &self.direct {
            return direct.row(src, dst);
        }
        let n = dst.len() / self.texel_bytes();
        let s = &mut self.scratch;
        let src = if self.swap {
            s.bytes.clear();
            s.bytes.extend_from_slice(src);
            reverse_units(&mut s.bytes, self.px.swap_unit());
            &s.bytes
        } else {
            src
        };
        let storage = self.format.storage();
        match self.px.class {
            Class::Color => {
                s.colors.resize(n, [0.0; 4]);
                prog::read_color(&self.px, src, &mut s.colors);
                if self.format.info().base == Base::Rgb {
                    s.colors.iter_mut().for_each(|c| c[3] = 1.0);
                }
                texel::encode_color(storage, &s.colors, dst);
            }
            Class::Integer => {
                s.ints.resize(n, [0; 4]);
                prog::read_ints(&self.px, src, &mut s.ints);
                if self.format.info().base == Base::Rgb {
                    s.ints.iter_mut().for_each(|c| c[3] = 1);
                }
                texel::encode_ints(storage, &s.ints, dst);
            }
            Class::Depth | Class::Stencil | Class::DepthStencil => {
                s.depths.resize(n, DepthStencil::default());
                prog::read_depth_stencil(&self.px, src, &mut s.depths);
                if self.format.info().numeric == Numeric::Unorm {
                    // `GL_DEPTH_COMPONENT32` is fixed point stored as float (GL 4.6 §8.5): clamp here.
                    s.depths.iter_mut().for_each(|d| d.depth = d.depth.clamp(0.0, 1.0));
                }
                texel::encode_depth_stencil(storage, &s.depths, dst);
            }
        }
    }

    /// Converts one row of texels into the program's pixels.
    pub fn download_row(&mut self, src: &[u8], dst: &mut [u8]) {
        if let Some(direct) = &self.direct {
            return direct.row(src, dst);
        }
        let n = src.len() / self.texel_bytes();
        let s = &mut self.scratch;
        let storage = self.format.storage();
        match self.px.class {
            Class::Color => {
                s.colors.resize(n, [0.0, 0.0, 0.0, 1.0]);
                texel::decode_color(storage, src, &mut s.colors);
                let opaque = self.format.info().base == Base::Rgb;
                for c in &mut s.colors {
                    if opaque {
                        c[3] = 1.0;
                    }
                    if self.clamp {
                        *c = c.map(|v| v.clamp(0.0, 1.0));
                    }
                }
                prog::write_color(&self.px, &s.colors, dst);
            }
            Class::Integer => {
                s.ints.resize(n, [0, 0, 0, 1]);
                texel::decode_ints(storage, src, &mut s.ints);
                if self.format.info().base == Base::Rgb {
                    s.ints.iter_mut().for_each(|c| c[3] = 1);
                }
                prog::write_ints(&self.px, &s.ints, dst);
            }
            Class::Depth | Class::Stencil | Class::DepthStencil => {
                s.depths.resize(n, DepthStencil::default());
                texel::decode_depth_stencil(storage, src, &mut s.depths);
                prog::write_depth_stencil(&self.px, &s.depths, dst);
            }
        }
        if self.swap {
            reverse_units(dst, self.px.swap_unit());
        }
    }
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
