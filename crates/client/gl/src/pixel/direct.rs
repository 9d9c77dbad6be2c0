//! Fast paths: pixels whose components have the same encoding on both sides move by copy or by component shuffle,
//! without passing through numbers. Must agree with the complete path bit for bit.

use super::client::{Class, ClientPixels, ElementType, Plain};
use mgl_pipe::format::{Base, Format, Storage};

/// Where one component of the destination comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// Component of the source pixel.
    From(u8),
    /// Constant, in the component's encoding.
    Fill(u32),
}

/// A conversion without arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direct {
    /// Same bytes.
    Copy,
    /// Components move: bytes per component, source components, picks, destination components.
    Shuffle { bytes: u8, from: u8, picks: [PickBits; 4], to: u8 },
}

/// A pick in a form that is cheap to apply: source index, or 4 and a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PickBits {
    index: u8,
    fill: [u8; 4],
}

impl From<Pick> for PickBits {
    fn from(pick: Pick) -> Self {
        match pick {
            Pick::From(index) => Self { index, fill: [0; 4] },
            Pick::Fill(v) => Self { index: 4, fill: v.to_le_bytes() },
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Unorm8,
    Snorm8,
    Uint8,
    Sint8,
    Unorm16,
    Snorm16,
    Uint16,
    Sint16,
    Half,
    Uint32,
    Sint32,
    Single,
}

impl Encoding {
    const fn bytes(self) -> u8 {
        match self {
            Self::Unorm8 | Self::Snorm8 | Self::Uint8 | Self::Sint8 => 1,
            Self::Unorm16 | Self::Snorm16 | Self::Uint16 | Self::Sint16 | Self::Half => 2,
            Self::Uint32 | Self::Sint32 | Self::Single => 4,
        }
    }
    const fn one(self) -> u32 {
        match self {
            Self::Unorm8 => 0xFF,
            Self::Snorm8 => 0x7F,
            Self::Unorm16 => 0xFFFF,
            Self::Snorm16 => 0x7FFF,
            Self::Half => 0x3C00,
            Self::Single => 0x3F80_0000,
            _ => 1,
        }
    }
}

const fn components(storage: Storage) -> Option<(Encoding, u8)> {
    use Encoding as E;
    Some(match storage {
        Storage::R8Unorm => (E::Unorm8, 1),
        Storage::Rg8Unorm => (E::Unorm8, 2),
        Storage::Rgba8Unorm | Storage::Rgba8Srgb => (E::Unorm8, 4),
        Storage::R8Snorm => (E::Snorm8, 1),
        Storage::Rg8Snorm => (E::Snorm8, 2),
        Storage::Rgba8Snorm => (E::Snorm8, 4),
        Storage::R8Uint => (E::Uint8, 1),
        Storage::Rg8Uint => (E::Uint8, 2),
        Storage::Rgba8Uint => (E::Uint8, 4),
        Storage::R8Sint => (E::Sint8, 1),
        Storage::Rg8Sint => (E::Sint8, 2),
        Storage::Rgba8Sint => (E::Sint8, 4),
        Storage::R16Unorm => (E::Unorm16, 1),
        Storage::Rg16Unorm => (E::Unorm16, 2),
        Storage::Rgba16Unorm => (E::Unorm16, 4),
        Storage::R16Snorm => (E::Snorm16, 1),
        Storage::Rg16Snorm => (E::Snorm16, 2),
        Storage::Rgba16Snorm => (E::Snorm16, 4),
        Storage::R16Uint => (E::Uint16, 1),
        Storage::Rg16Uint => (E::Uint16, 2),
        Storage::Rgba16Uint => (E::Uint16, 4),
        Storage::R16Sint => (E::Sint16, 1),
        Storage::Rg16Sint => (E::Sint16, 2),
        Storage::Rgba16Sint => (E::Sint16, 4),
        Storage::R16Float => (E::Half, 1),
        Storage::Rg16Float => (E::Half, 2),
        Storage::Rgba16Float => (E::Half, 4),
        Storage::R32Uint => (E::Uint32, 1),
        Storage::Rg32Uint => (E::Uint32, 2),
        Storage::Rgb32Uint => (E::Uint32, 3),
        Storage::Rgba32Uint => (E::Uint32, 4),
        Storage::R32Sint => (E::Sint32, 1),
        Storage::Rg32Sint => (E::Sint32, 2),
        Storage::Rgb32Sint => (E::Sint32, 3),
        Storage::Rgba32Sint => (E::Sint32, 4),
        Storage::R32Float => (E::Single, 1),
        Storage::Rg32Float => (E::Single, 2),
        Storage::Rgb32Float => (E::Single, 3),
        Storage::Rgba32Float => (E::Single, 4),
        _ => return None,
    })
}

const fn plain_encoding(class: Class, plain: Plain) -> Option<Encoding> {
    use Encoding as E;
    Some(match (class, plain) {
        (Class::Color, Plain::U8) => E::Unorm8,
        (Class::Color, Plain::I8) => E::Snorm8,
        (Class::Color, Plain::U16) => E::Unorm16,
        (Class::Color, Plain::I16) => E::Snorm16,
        (Class::Color, Plain::F16) => E::Half,
        (Class::Color, Plain::F32) => E::Single,
        (Class::Integer, Plain::U8) => E::Uint8,
        (Class::Integer, Plain::I8) => E::Sint8,
        (Class::Integer, Plain::U16) => E::Uint16,
        (Class::Integer, Plain::I16) => E::Sint16,
        (Class::Integer, Plain::U32) => E::Uint32,
        (Class::Integer, Plain::I32) => E::Sint32,
        _ => return None,
    })
}

/// Components in memory order of the program's pixel, when they are whole bytes of one encoding. `swap` reverses the
/// four bytes of the 8888 types.
fn program_components(px: &ClientPixels, swap: bool) -> Option<(Encoding, [u8; 4], u8)> {
    let mut order = [0u8; 4];
    for (to, from) in order.iter_mut().zip(px.order) {
        *to = *from;
    }
    match px.element {
        ElementType::Plain(plain) if !swap || plain.bytes() == 1 => {
            Some((plain_encoding(px.class, plain)?, order, px.order.len() as u8))
        }
        ElementType::Packed(4, fields) if fields[0].1 == 8 => {
            if (fields[0].0 == 0) == swap {
                order.reverse();
            }
            Some((plain_encoding(px.class, Plain::U8)?, order, 4))
        }
        _ => None,
    }
}

/// Packed layouts that are the same word on both sides.
const fn same_word(px: &ClientPixels, format: Format) -> bool {
    let red_first = px.order.len() == 4 && px.order[0] == 0;
    match (px.element, format.storage()) {
        (ElementType::F11F11F10, Storage::R11G11B10Float)
        | (ElementType::E5B9G9R9, Storage::Rgb9E5Float)
        | (ElementType::D24S8, Storage::D24UnormS8Uint) => true,
        (ElementType::Packed(4, fields), Storage::Rgb10A2Unorm) => {
            red_first && fields[0].0 == 0 && fields[0].1 == 10 && matches!(px.class, Class::Color)
        }
        (ElementType::Packed(4, fields), Storage::Rgb10A2Uint) => {
            red_first && fields[0].0 == 0 && fields[0].1 == 10 && matches!(px.class, Class::Integer)
        }
        (ElementType::Plain(Plain::U16), Storage::D16Unorm) => matches!(px.class, Class::Depth),
        (ElementType::Plain(Plain::F32), Storage::D32Float) => {
            matches!(px.class, Class::Depth) && matches!(format, Format::Depth32F)
        }
        (ElementType::Plain(Plain::U8), Storage::S8Uint) => matches!(px.class, Class::Stencil),
        _ => false,
    }
}

/// Alpha of this format is not stored by the program's choice: it is 1 (GL 4.6 §8.5).
fn opaque(format: Format) -> bool {
    format.info().base == Base::Rgb
}

fn finish(encoding: Encoding, from: u8, picks: [Option<Pick>; 4]) -> Direct {
    let to = picks.iter().flatten().count() as u8;
    let identity = from == to
        && picks.iter().flatten().enumerate().all(|(i, pick)| matches!(pick, Pick::From(n) if *n as usize == i));
    if identity {
        return Direct::Copy;
    }
    Direct::Shuffle {
        bytes: encoding.bytes(),
        from,
        picks: picks.map(|p| p.map(PickBits::from).unwrap_or_default()),
        to,
    }
}

/// How the program's pixels become texels, if that needs no arithmetic.
pub fn upload(px: &ClientPixels, swap: bool, format: Format) -> Option<Direct> {
    if same_word(px, format) && (!swap || px.swap_unit() == 1) {
        return Some(Direct::Copy);
    }
    let (encoding, order, from) = program_components(px, swap)?;
    let (wanted, to) = components(format.storage())?;
    if encoding != wanted {
        return None;
    }
    let picks = core::array::from_fn(|c| {
        let fill = Pick::Fill(if c == 3 { encoding.one() } else { 0 });
        let source = order.iter().take(from as usize).position(|o| *o as usize == c);
        let pick = source.filter(|_| c != 3 || !opaque(format)).map_or(fill, |i| Pick::From(i as u8));
        ((c as u8) < to).then_some(pick)
    });
    Some(finish(encoding, from, picks))
}

/// How texels become the program's pixels, if that needs no arithmetic and no clamping.
pub fn download(px: &ClientPixels, swap: bool, format: Format) -> Option<Direct> {
    if same_word(px, format) && (!swap || px.swap_unit() == 1) {
        return Some(Direct::Copy);
    }
    let (encoding, order, to) = program_components(px, swap)?;
    let (stored, from) = components(format.storage())?;
    if encoding != stored {
        return None;
    }
    let picks = core::array::from_fn(|position| {
        let c = order[position];
        let missing = c >= from || (c == 3 && opaque(format));
        let pick = if missing { Pick::Fill(if c == 3 { encoding.one() } else { 0 }) } else { Pick::From(c) };
        ((position as u8) < to).then_some(pick)
    });
    Some(finish(encoding, from, picks))
}

impl Direct {
    /// Converts one row.
    pub fn row(&self, src: &[u8], dst: &mut [u8]) {
        match *self {
            Direct::Copy => dst.copy_from_slice(&src[..dst.len()]),
            Direct::Shuffle { bytes, from, picks, to } => match (bytes, from, to) {
                (1, 3, 4) => shuffle::<1, 3, 4>(src, dst, picks),
                (1, 4, 4) => shuffle::<1, 4, 4>(src, dst, picks),
                (1, 4, 3) => shuffle::<1, 4, 3>(src, dst, picks),
                (1, 1, 4) => shuffle::<1, 1, 4>(src, dst, picks),
                (2, 3, 4) => shuffle::<2, 3, 4>(src, dst, picks),
                (2, 4, 3) => shuffle::<2, 4, 3>(src, dst, picks),
                (4, 3, 4) => shuffle::<4, 3, 4>(src, dst, picks),
                (4, 4, 3) => shuffle::<4, 4, 3>(src, dst, picks),
                _ => shuffle_any(src, dst, picks, bytes as usize, from as usize, to as usize),
            },
        }
    }
}

fn shuffle<const B: usize, const S: usize, const D: usize>(src: &[u8], dst: &mut [u8], picks: [PickBits; 4]) {
    for (s, d) in src.chunks_exact(S * B).zip(dst.chunks_exact_mut(D * B)) {
        for i in 0..D {
            let at = picks[i].index as usize;
            let part: &[u8] = if at < S { &s[at * B..at * B + B] } else { &picks[i].fill[..B] };
            d[i * B..i * B + B].copy_from_slice(part);
        }
    }
}

fn shuffle_any(src: &[u8], dst: &mut [u8], picks: [PickBits; 4], bytes: usize, from: usize, to: usize) {
    for (s, d) in src.chunks_exact(from * bytes).zip(dst.chunks_exact_mut(to * bytes)) {
        for (part, pick) in d.chunks_exact_mut(bytes).zip(picks) {
            let at = pick.index as usize * bytes;
            part.copy_from_slice(if (pick.index as usize) < from { &s[at..at + bytes] } else { &pick.fill[..bytes] });
        }
    }
}
