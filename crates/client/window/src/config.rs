//! Formats that drawables can have on a device: what configurations of EGL and GLX are made of. Must not know visuals.

use mgl_pipe::caps::{Caps, format_bits};
use mgl_pipe::format::Format;

/// Bits of each component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// Red.
    pub red: i32,
    /// Green.
    pub green: i32,
    /// Blue.
    pub blue: i32,
    /// Alpha.
    pub alpha: i32,
    /// Depth.
    pub depth: i32,
    /// Stencil.
    pub stencil: i32,
}

impl Bits {
    /// Bits of a pixel's colour with alpha.
    pub fn color(&self) -> i32 {
        self.red + self.green + self.blue + self.alpha
    }
}

/// Formats of one kind of drawable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelConfig {
    /// Colour storage.
    pub color: Format,
    /// Depth/stencil storage.
    pub depth_stencil: Option<Format>,
    /// Samples, 0 = single sampled.
    pub samples: i32,
    /// What the formats hold.
    pub bits: Bits,
}

impl PixelConfig {
    /// True when drawables of one may be current with contexts of the other (EGL 1.5 §2.2, GLX 1.4 §2.1).
    pub fn compatible(&self, other: &PixelConfig) -> bool {
        self.bits == other.bits && self.samples == other.samples
    }
}

/// Colour formats, the plain ones first.
const COLORS: [(Format, [i32; 4]); 4] = [
    (Format::Rgba8, [8, 8, 8, 8]),
    (Format::Rgb8, [8, 8, 8, 0]),
    (Format::Rgb565, [5, 6, 5, 0]),
    (Format::Rgb10A2, [10, 10, 10, 2]),
];

const DEPTHS: [(Option<Format>, [i32; 2]); 5] = [
    (None, [0, 0]),
    (Some(Format::Depth24Stencil8), [24, 8]),
    (Some(Format::Depth24), [24, 0]),
    (Some(Format::Depth16), [16, 0]),
    (Some(Format::Depth32F), [32, 0]),
];

/// All that a device draws into: single sampled before multisampled, colours in the order above, and their depths.
pub fn all(caps: &Caps) -> Vec<PixelConfig> {
    let mut out = Vec::new();
    for samples in [0, 4] {
        for (color, [red, green, blue, alpha]) in COLORS.into_iter().filter(|row| renders(caps, row.0, samples)) {
            let fits = |row: &(Option<Format>, _)| row.0.is_none_or(|format| renders(caps, format, samples));
            for (depth_stencil, [depth, stencil]) in DEPTHS.into_iter().filter(fits) {
                let bits = Bits { red, green, blue, alpha, depth, stencil };
                out.push(PixelConfig { color, depth_stencil, samples, bits });
            }
        }
    }
    out
}

/// Largest width and height of a drawable without a window, in pixels.
pub fn largest(caps: &Caps) -> i32 {
    i32::try_from(caps.limits.max_renderbuffer_size).unwrap_or(i32::MAX).clamp(1, 16384)
}

/// True when the device draws into `format` with so many samples.
fn renders(caps: &Caps, format: Format, samples: i32) -> bool {
    let has = caps.format(format);
    let multisampled = samples == 0 || has.samples & FOUR_SAMPLES != 0;
    has.bits & format_bits::RENDER != 0 && multisampled
}

/// Bit of `FormatCaps::samples`.
const FOUR_SAMPLES: u16 = 1 << 2;

#[cfg(test)]
mod tests {
    use super::all;
    use mgl_pipe::caps::{Caps, FormatCaps, format_bits};
    use mgl_pipe::format::Format;

    // A program would be offered a drawable that the device cannot draw into.
    #[test]
    fn formats_that_cannot_be_drawn_are_not_offered() {
        let mut caps = Caps::default();
        caps.limits.max_renderbuffer_size = 8192;
        caps.formats = vec![FormatCaps { bits: format_bits::RENDER, samples: 0b1111 }; 256];
        caps.formats[Format::Rgb565 as usize - 1].samples = 1;
        caps.formats[Format::Depth24 as usize - 1].bits = 0;
        let left = all(&caps);
        assert!(left.iter().all(|c| c.depth_stencil != Some(Format::Depth24)));
        assert!(left.iter().any(|c| c.color == Format::Rgb565));
        assert!(left.iter().all(|c| c.color != Format::Rgb565 || c.samples == 0));
    }
}
