//! Between texels of the storage layout (one packed texel) and the planes that Vulkan copies per aspect. Must not
//! know images or buffers; pure functions.

use crate::device::formats::Layout;
use ash::vk::ImageAspectFlags as Aspect;
use mgl_backend::values::Format;
use smallvec::{SmallVec, smallvec};

/// One aspect of a texel as Vulkan copies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The aspect.
    pub aspect: Aspect,
    /// Bytes of a texel (a block of compressed formats) in the plane.
    pub bytes: u32,
}

/// Planes of a format.
pub fn planes(format: Format, layout: Layout) -> SmallVec<[Plane; 2]> {
    let depth = Plane { aspect: Aspect::DEPTH, bytes: 4 };
    let stencil = Plane { aspect: Aspect::STENCIL, bytes: 1 };
    match layout {
        Layout::Plain if format.is_color() => {
            smallvec![Plane { aspect: Aspect::COLOR, bytes: format.storage().block_bytes() }]
        }
        Layout::Plain if format.has_depth() => smallvec![Plane { bytes: format.storage().block_bytes(), ..depth }],
        Layout::Plain => smallvec![stencil],
        Layout::Depth24 | Layout::Depth24AsFloat => smallvec![depth],
        Layout::Depth24Stencil8 | Layout::Depth24Stencil8AsFloat | Layout::FloatStencil8 => smallvec![depth, stencil],
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b))
}

fn unorm24_to_float(d: u32) -> f32 {
    (f64::from(d & 0xFF_FFFF) / f64::from(0xFF_FFFF)) as f32
}

fn float_to_unorm24(d: f32) -> u32 {
    (f64::from(d.clamp(0.0, 1.0)) * f64::from(0xFF_FFFF)).round() as u32
}

/// Takes the aspect out of packed texels.
pub fn to_plane(layout: Layout, aspect: Aspect, wire: &[u8], plane: &mut [u8]) {
    let depth = aspect == Aspect::DEPTH;
    match layout {
        Layout::Plain => plane.copy_from_slice(&wire[..plane.len()]),
        Layout::FloatStencil8 => {
            for (i, texel) in wire.chunks_exact(8).enumerate() {
                match depth {
                    true => put(plane, i, &texel[..4]),
                    false => put(plane, i, &texel[4..5]),
                }
            }
        }
        _ => {
            let float = matches!(layout, Layout::Depth24AsFloat | Layout::Depth24Stencil8AsFloat);
            for (i, texel) in wire.chunks_exact(4).enumerate() {
                let value = word(texel);
                match (depth, float) {
                    (true, true) => put(plane, i, &unorm24_to_float(value >> 8).to_le_bytes()),
                    (true, false) => put(plane, i, &(value >> 8).to_le_bytes()),
                    (false, _) => put(plane, i, &[value as u8]),
                }
            }
        }
    }
}

/// Puts the aspect into packed texels; the bits of other aspects stay.
pub fn from_plane(layout: Layout, aspect: Aspect, plane: &[u8], wire: &mut [u8]) {
    let depth = aspect == Aspect::DEPTH;
    match layout {
        Layout::Plain => wire[..plane.len()].copy_from_slice(plane),
        Layout::FloatStencil8 => {
            for (i, texel) in wire.chunks_exact_mut(8).enumerate() {
                match depth {
                    true => texel[..4].copy_from_slice(&plane[i * 4..i * 4 + 4]),
                    false => texel[4..].copy_from_slice(&u32::from(plane[i]).to_le_bytes()),
                }
            }
        }
        _ => {
            let float = matches!(layout, Layout::Depth24AsFloat | Layout::Depth24Stencil8AsFloat);
            for (i, texel) in wire.chunks_exact_mut(4).enumerate() {
                let old = word(texel);
                let at = |bytes: usize| &plane[i * bytes..];
                let new = match (depth, float) {
                    (true, true) => float_to_unorm24(f32::from_bits(word(at(4)))) << 8 | old & 0xFF,
                    (true, false) => word(at(4)) << 8 | old & 0xFF,
                    (false, _) => old & 0xFFFF_FF00 | u32::from(plane[i]),
                };
                texel.copy_from_slice(&new.to_le_bytes());
            }
        }
    }
}

fn put(plane: &mut [u8], index: usize, texel: &[u8]) {
    let at = index * texel.len();
    plane[at..at + texel.len()].copy_from_slice(texel);
}

#[cfg(test)]
mod tests {
    use super::{Aspect, from_plane, planes, to_plane};
    use crate::device::formats::Layout;
    use mgl_backend::values::Format;

    /// A depth or stencil value that does not survive the way there and back shows as z-fighting or lost stencil.
    #[test]
    fn packed_depth_survives_every_layout() {
        let packed: Vec<u8> = [0x0000_0000u32, 0xFFFF_FFFF, 0x1234_5678, 0x8000_01FF, 0x0000_01A5]
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect();
        for layout in [Layout::Depth24Stencil8, Layout::Depth24Stencil8AsFloat] {
            let mut back = vec![0; packed.len()];
            for plane in planes(Format::Depth24Stencil8, layout) {
                let mut bytes = vec![0; packed.len() / 4 * plane.bytes as usize];
                to_plane(layout, plane.aspect, &packed, &mut bytes);
                from_plane(layout, plane.aspect, &bytes, &mut back);
            }
            assert_eq!(back, packed, "{layout:?}");
        }
        let wide = [1.0f32.to_le_bytes(), 7u32.to_le_bytes(), 0.25f32.to_le_bytes(), 255u32.to_le_bytes()].concat();
        let mut back = vec![0; wide.len()];
        for plane in planes(Format::Depth32FStencil8, Layout::FloatStencil8) {
            let mut bytes = vec![0; 2 * plane.bytes as usize];
            to_plane(Layout::FloatStencil8, plane.aspect, &wide, &mut bytes);
            from_plane(Layout::FloatStencil8, plane.aspect, &bytes, &mut back);
        }
        assert_eq!(back, wide);
    }

    /// Stencil-only textures must be copied through the stencil aspect, also where the image has depth too.
    #[test]
    fn stencil_has_one_byte() {
        assert_eq!(planes(Format::StencilIndex8, Layout::Plain)[0].aspect, Aspect::STENCIL);
    }
}
