//! What a word of each pixel layout is made of. Must not know who makes the words: a device, a processor, or a test that
//! says what is right.

use crate::tokens::PixelLayout;

/// Components of a word, red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Bytes of a word.
    pub bytes: u32,
    /// Lowest bit of each component in the word.
    pub shift: [u32; 4],
    /// Bits of each component; 0 for alpha when the word has no place for it.
    pub bits: [u32; 4],
    /// Whatever is alpha's place holds ones.
    pub opaque: bool,
    /// The most significant byte comes first.
    pub swapped: bool,
}

impl Packing {
    const fn new(bytes: u32, shift: [u32; 4], bits: [u32; 4]) -> Self {
        Self { bytes, shift, bits, opaque: bits[3] == 0, swapped: false }
    }

    const fn opaque(self) -> Self {
        Self { opaque: true, ..self }
    }

    const fn swapped(self) -> Self {
        Self { swapped: true, ..self }
    }

    /// The word of a pixel whose components are fractions of one; what is outside is clamped, and rounded to the nearest.
    pub fn word(&self, pixel: [f32; 4]) -> u32 {
        let mut word = 0;
        for (index, value) in pixel.into_iter().enumerate() {
            let value = if index == 3 && self.opaque { 1.0 } else { value };
            let (Some(shift), Some(bits)) = (self.shift.get(index), self.bits.get(index)) else { continue };
            let most = ((1u32 << bits) - 1) as f32;
            word |= ((value.clamp(0.0, 1.0) * most + 0.5) as u32) << shift;
        }
        match (self.swapped, self.bytes) {
            (false, _) => word,
            (true, 2) => u32::from((word as u16).swap_bytes()),
            (true, _) => word.swap_bytes(),
        }
    }
}

/// 8 bits each, blue lowest.
const ARGB: Packing = Packing::new(4, [16, 8, 0, 24], [8; 4]);
/// 8 bits each, red lowest.
const ABGR: Packing = Packing::new(4, [0, 8, 16, 24], [8; 4]);
/// 16 bits without alpha.
const RGB565: Packing = Packing::new(2, [11, 5, 0, 0], [5, 6, 5, 0]);
/// 10 bits each, blue lowest.
const ARGB10: Packing = Packing::new(4, [20, 10, 0, 30], [10, 10, 10, 2]);
/// 10 bits each, red lowest.
const ABGR10: Packing = Packing::new(4, [0, 10, 20, 30], [10, 10, 10, 2]);

impl PixelLayout {
    /// What its words are made of. A layout that is none is taken for the first one: records are proven.
    pub const fn packing(self) -> Packing {
        match self {
            Self::X8R8G8B8 => ARGB.opaque(),
            Self::A8B8G8R8 => ABGR,
            Self::X8B8G8R8 => ABGR.opaque(),
            Self::R5G6B5 => RGB565,
            Self::A2R10G10B10 => ARGB10,
            Self::X2R10G10B10 => ARGB10.opaque(),
            Self::A2B10G10R10 => ABGR10,
            Self::X2B10G10R10 => ABGR10.opaque(),
            Self::A8R8G8B8Swapped => ARGB.swapped(),
            Self::X8R8G8B8Swapped => ARGB.opaque().swapped(),
            Self::R5G6B5Swapped => RGB565.swapped(),
            Self::A2R10G10B10Swapped => ARGB10.swapped(),
            Self::X2R10G10B10Swapped => ARGB10.opaque().swapped(),
            _ => ARGB,
        }
    }

    /// The same words with ones where alpha is.
    pub const fn opaque(self) -> Self {
        match self {
            Self::A8R8G8B8 => Self::X8R8G8B8,
            Self::A8B8G8R8 => Self::X8B8G8R8,
            Self::A2R10G10B10 => Self::X2R10G10B10,
            Self::A2B10G10R10 => Self::X2B10G10R10,
            Self::A8R8G8B8Swapped => Self::X8R8G8B8Swapped,
            Self::A2R10G10B10Swapped => Self::X2R10G10B10Swapped,
            other => other,
        }
    }

    /// Bytes of a pixel.
    pub const fn bytes(self) -> u32 {
        self.packing().bytes
    }
}

#[cfg(test)]
mod tests {
    use crate::tokens::PixelLayout;

    const HALF_RED: [f32; 4] = [128.0 / 255.0, 1.0, 0.0, 0.0];

    /// A layout that is taken for another one shows red as blue.
    #[test]
    fn names_give_the_components_from_the_top_down() {
        let expected = [
            (PixelLayout::A8R8G8B8, 0x0080_FF00),
            (PixelLayout::X8R8G8B8, 0xFF80_FF00),
            (PixelLayout::A8B8G8R8, 0x0000_FF80),
            (PixelLayout::X8B8G8R8, 0xFF00_FF80),
            (PixelLayout::R5G6B5, 0x0000_87E0),
            (PixelLayout::A2R10G10B10, 514 << 20 | 1023 << 10),
            (PixelLayout::X2R10G10B10, 3 << 30 | 514 << 20 | 1023 << 10),
            (PixelLayout::A2B10G10R10, 1023 << 10 | 514),
            (PixelLayout::X2B10G10R10, 3 << 30 | 1023 << 10 | 514),
            (PixelLayout::A8R8G8B8Swapped, 0x00FF_8000),
            (PixelLayout::X8R8G8B8Swapped, 0x00FF_80FF),
            (PixelLayout::R5G6B5Swapped, 0x0000_E087),
            (PixelLayout::A2R10G10B10Swapped, (514u32 << 20 | 1023 << 10).swap_bytes()),
            (PixelLayout::X2R10G10B10Swapped, (3u32 << 30 | 514 << 20 | 1023 << 10).swap_bytes()),
        ];
        assert_eq!(expected.len(), PixelLayout::ALL.len());
        for (layout, word) in expected {
            assert_eq!(layout.packing().word(HALF_RED), word, "{layout:?}");
        }
    }

    /// A window that is to be opaque lets what is behind it through, or has other colours.
    #[test]
    fn opaque_words_differ_in_alpha_alone() {
        for layout in PixelLayout::ALL {
            let (with, without) = (layout.packing(), layout.opaque().packing());
            assert_eq!((with.shift, with.swapped, with.bytes), (without.shift, without.swapped, without.bytes));
            let [r, g, b, _] = HALF_RED;
            assert_eq!(without.word(HALF_RED), with.word([r, g, b, 1.0]), "{layout:?}");
        }
    }

    /// Values outside of what a screen shows must not run over into another component.
    #[test]
    fn values_are_clamped() {
        for layout in PixelLayout::ALL {
            let packing = layout.packing();
            let most = if packing.bytes == 2 { 0xFFFF } else { u32::MAX };
            assert_eq!(packing.word([9.0, 2.0, f32::INFINITY, 7.0]), most, "{layout:?}");
            let none = packing.word([-1.0, f32::NAN, -0.0, -3.0]);
            assert_eq!(none, packing.word([0.0; 4]), "{layout:?}");
        }
    }
}
