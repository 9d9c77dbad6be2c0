//! The program's side of a pixel transfer: `format` and `type` tokens (GL 4.6 tables 8.2 to 8.5). Must not know storage
//! layouts.

use crate::error::{GlError, GlResult};
use crate::tokens as gl;

/// What a pixel format carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Colour that is normalised or floating point.
    Color,
    /// Pure integer colour.
    Integer,
    Depth,
    Stencil,
    DepthStencil,
}

/// Component type of unpacked data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plain {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F16,
    F32,
}

impl Plain {
    /// Bytes of one component.
    pub const fn bytes(self) -> usize {
        match self {
            Plain::U8 | Plain::I8 => 1,
            Plain::U16 | Plain::I16 | Plain::F16 => 2,
            Plain::U32 | Plain::I32 | Plain::F32 => 4,
        }
    }
}

/// Shift and width of one field of a packed integer.
pub type Field = (u8, u8);

/// Element type of the program's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// One element per component.
    Plain(Plain),
    /// All components in one unsigned integer of that many bytes; fields in component order.
    Packed(u8, &'static [Field]),
    /// `GL_UNSIGNED_INT_10F_11F_11F_REV`.
    F11F11F10,
    /// `GL_UNSIGNED_INT_5_9_9_9_REV`.
    E5B9G9R9,
    /// `GL_UNSIGNED_INT_24_8`.
    D24S8,
    /// `GL_FLOAT_32_UNSIGNED_INT_24_8_REV`.
    D32FS8,
}

/// A parsed pair of `format` and `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientPixels {
    /// What the format carries.
    pub class: Class,
    /// RGBA component index of each position in memory; empty for depth and stencil.
    pub order: &'static [u8],
    /// Element type.
    pub element: ElementType,
}

impl ClientPixels {
    /// Bytes of one pixel.
    pub const fn pixel_bytes(&self) -> usize {
        match self.element {
            ElementType::Plain(plain) => plain.bytes() * if self.order.is_empty() { 1 } else { self.order.len() },
            ElementType::Packed(bytes, _) => bytes as usize,
            ElementType::F11F11F10 | ElementType::E5B9G9R9 | ElementType::D24S8 => 4,
            ElementType::D32FS8 => 8,
        }
    }
    /// Bytes that byte swapping reverses together (GL 4.6 §8.4.1); 1 = nothing to swap.
    pub const fn swap_unit(&self) -> usize {
        match self.element {
            ElementType::Plain(plain) => plain.bytes(),
            ElementType::Packed(bytes, _) => bytes as usize,
            _ => 4,
        }
    }

    /// Parses and checks a pair. The errors are those of GL 4.6 §8.4.4 and, for the forms of 3.3, GL 3.3 §3.7.2.
    pub fn parse(format: u32, type_: u32) -> GlResult<Self> {
        let (class, order) = parse_format(format)
            .ok_or_else(|| GlError::invalid_enum(format!("format 0x{format:04X} is not a pixel format")))?;
        let element = parse_type(type_)
            .ok_or_else(|| GlError::invalid_enum(format!("type 0x{type_:04X} is not a pixel type")))?;
        check(class, order, element, format)?;
        Ok(Self { class, order, element })
    }
}

fn check(class: Class, order: &[u8], element: ElementType, format: u32) -> GlResult {
    let mismatch =
        || Err(GlError::invalid_operation("packed pixel type and format do not belong together (table 8.5)"));
    match element {
        // Before the rule of packed types: the pair is no pair at all (GL 4.6 §8.4.4).
        ElementType::Plain(_) | ElementType::Packed(..) | ElementType::F11F11F10 | ElementType::E5B9G9R9
            if class == Class::DepthStencil =>
        {
            Err(GlError::invalid_enum(
                "GL_DEPTH_STENCIL needs GL_UNSIGNED_INT_24_8 or GL_FLOAT_32_UNSIGNED_INT_24_8_REV",
            ))
        }
        ElementType::Packed(_, fields) => {
            let color = matches!(class, Class::Color | Class::Integer);
            let three = fields.len() == 3 && matches!(format, gl::RGB | gl::RGB_INTEGER);
            if color && (three || (fields.len() == 4 && order.len() == 4)) { Ok(()) } else { mismatch() }
        }
        ElementType::F11F11F10 | ElementType::E5B9G9R9 if format != gl::RGB => mismatch(),
        ElementType::D24S8 | ElementType::D32FS8 if class != Class::DepthStencil => mismatch(),
        ElementType::Plain(Plain::F16 | Plain::F32) if class == Class::Integer => {
            Err(GlError::invalid_enum("an integer format cannot have a floating point type"))
        }
        _ => Ok(()),
    }
}

fn parse_format(format: u32) -> Option<(Class, &'static [u8])> {
    use Class::{Color, Integer};
    Some(match format {
        gl::RED => (Color, &[0]),
        gl::GREEN => (Color, &[1]),
        gl::BLUE => (Color, &[2]),
        gl::RG => (Color, &[0, 1]),
        gl::RGB => (Color, &[0, 1, 2]),
        gl::BGR => (Color, &[2, 1, 0]),
        gl::RGBA => (Color, &[0, 1, 2, 3]),
        gl::BGRA => (Color, &[2, 1, 0, 3]),
        // EXT_abgr.
        gl::ABGR_EXT => (Color, &[3, 2, 1, 0]),
        gl::RED_INTEGER => (Integer, &[0]),
        gl::GREEN_INTEGER => (Integer, &[1]),
        gl::BLUE_INTEGER => (Integer, &[2]),
        gl::RG_INTEGER => (Integer, &[0, 1]),
        gl::RGB_INTEGER => (Integer, &[0, 1, 2]),
        gl::BGR_INTEGER => (Integer, &[2, 1, 0]),
        gl::RGBA_INTEGER => (Integer, &[0, 1, 2, 3]),
        gl::BGRA_INTEGER => (Integer, &[2, 1, 0, 3]),
        gl::DEPTH_COMPONENT => (Class::Depth, &[]),
        gl::STENCIL_INDEX => (Class::Stencil, &[]),
        gl::DEPTH_STENCIL => (Class::DepthStencil, &[]),
        _ => return None,
    })
}

fn parse_type(type_: u32) -> Option<ElementType> {
    use ElementType::{Packed, Plain as P};
    Some(match type_ {
        gl::UNSIGNED_BYTE => P(Plain::U8),
        gl::BYTE => P(Plain::I8),
        gl::UNSIGNED_SHORT => P(Plain::U16),
        gl::SHORT => P(Plain::I16),
        gl::UNSIGNED_INT => P(Plain::U32),
        gl::INT => P(Plain::I32),
        gl::HALF_FLOAT => P(Plain::F16),
        gl::FLOAT => P(Plain::F32),
        gl::UNSIGNED_BYTE_3_3_2 => Packed(1, &[(5, 3), (2, 3), (0, 2)]),
        gl::UNSIGNED_BYTE_2_3_3_REV => Packed(1, &[(0, 3), (3, 3), (6, 2)]),
        gl::UNSIGNED_SHORT_5_6_5 => Packed(2, &[(11, 5), (5, 6), (0, 5)]),
        gl::UNSIGNED_SHORT_5_6_5_REV => Packed(2, &[(0, 5), (5, 6), (11, 5)]),
        gl::UNSIGNED_SHORT_4_4_4_4 => Packed(2, &[(12, 4), (8, 4), (4, 4), (0, 4)]),
        gl::UNSIGNED_SHORT_4_4_4_4_REV => Packed(2, &[(0, 4), (4, 4), (8, 4), (12, 4)]),
        gl::UNSIGNED_SHORT_5_5_5_1 => Packed(2, &[(11, 5), (6, 5), (1, 5), (0, 1)]),
        gl::UNSIGNED_SHORT_1_5_5_5_REV => Packed(2, &[(0, 5), (5, 5), (10, 5), (15, 1)]),
        gl::UNSIGNED_INT_8_8_8_8 => Packed(4, &[(24, 8), (16, 8), (8, 8), (0, 8)]),
        gl::UNSIGNED_INT_8_8_8_8_REV => Packed(4, &[(0, 8), (8, 8), (16, 8), (24, 8)]),
        gl::UNSIGNED_INT_10_10_10_2 => Packed(4, &[(22, 10), (12, 10), (2, 10), (0, 2)]),
        gl::UNSIGNED_INT_2_10_10_10_REV => Packed(4, &[(0, 10), (10, 10), (20, 10), (30, 2)]),
        gl::UNSIGNED_INT_10F_11F_11F_REV => ElementType::F11F11F10,
        gl::UNSIGNED_INT_5_9_9_9_REV => ElementType::E5B9G9R9,
        gl::UNSIGNED_INT_24_8 => ElementType::D24S8,
        gl::FLOAT_32_UNSIGNED_INT_24_8_REV => ElementType::D32FS8,
        _ => return None,
    })
}

/// Every pixel format token.
pub const FORMATS: [u32; 20] = [
    gl::RED,
    gl::GREEN,
    gl::BLUE,
    gl::RG,
    gl::RGB,
    gl::BGR,
    gl::RGBA,
    gl::BGRA,
    gl::ABGR_EXT,
    gl::RED_INTEGER,
    gl::GREEN_INTEGER,
    gl::BLUE_INTEGER,
    gl::RG_INTEGER,
    gl::RGB_INTEGER,
    gl::BGR_INTEGER,
    gl::RGBA_INTEGER,
    gl::BGRA_INTEGER,
    gl::DEPTH_COMPONENT,
    gl::STENCIL_INDEX,
    gl::DEPTH_STENCIL,
];

/// Every pixel type token.
pub const TYPES: [u32; 24] = [
    gl::UNSIGNED_BYTE,
    gl::BYTE,
    gl::UNSIGNED_SHORT,
    gl::SHORT,
    gl::UNSIGNED_INT,
    gl::INT,
    gl::HALF_FLOAT,
    gl::FLOAT,
    gl::UNSIGNED_BYTE_3_3_2,
    gl::UNSIGNED_BYTE_2_3_3_REV,
    gl::UNSIGNED_SHORT_5_6_5,
    gl::UNSIGNED_SHORT_5_6_5_REV,
    gl::UNSIGNED_SHORT_4_4_4_4,
    gl::UNSIGNED_SHORT_4_4_4_4_REV,
    gl::UNSIGNED_SHORT_5_5_5_1,
    gl::UNSIGNED_SHORT_1_5_5_5_REV,
    gl::UNSIGNED_INT_8_8_8_8,
    gl::UNSIGNED_INT_8_8_8_8_REV,
    gl::UNSIGNED_INT_10_10_10_2,
    gl::UNSIGNED_INT_2_10_10_10_REV,
    gl::UNSIGNED_INT_10F_11F_11F_REV,
    gl::UNSIGNED_INT_5_9_9_9_REV,
    gl::UNSIGNED_INT_24_8,
    gl::FLOAT_32_UNSIGNED_INT_24_8_REV,
];

#[cfg(test)]
mod tests {
    use super::{ClientPixels, FORMATS, TYPES};
    use crate::error::ErrorCode;
    use crate::tokens as gl;

    /// What GL 4.6 §8.4.4 and tables 8.2, 8.3, 8.5 and 8.6 say of a pair.
    fn wanted(format: u32, type_: u32) -> Result<(), ErrorCode> {
        let integer = (gl::RED_INTEGER..=gl::BGRA_INTEGER).contains(&format) || format == gl::RG_INTEGER;
        let within = |formats: &[u32]| formats.contains(&format).then_some(()).ok_or(ErrorCode::InvalidOperation);
        if format == gl::DEPTH_STENCIL {
            let both = matches!(type_, gl::UNSIGNED_INT_24_8 | gl::FLOAT_32_UNSIGNED_INT_24_8_REV);
            return both.then_some(()).ok_or(ErrorCode::InvalidEnum);
        }
        match type_ {
            gl::UNSIGNED_BYTE_3_3_2
            | gl::UNSIGNED_BYTE_2_3_3_REV
            | gl::UNSIGNED_SHORT_5_6_5
            | gl::UNSIGNED_SHORT_5_6_5_REV => within(&[gl::RGB, gl::RGB_INTEGER]),
            gl::UNSIGNED_INT_10F_11F_11F_REV | gl::UNSIGNED_INT_5_9_9_9_REV => within(&[gl::RGB]),
            gl::UNSIGNED_INT_24_8 | gl::FLOAT_32_UNSIGNED_INT_24_8_REV => within(&[]),
            gl::UNSIGNED_SHORT_4_4_4_4
            | gl::UNSIGNED_SHORT_4_4_4_4_REV
            | gl::UNSIGNED_SHORT_5_5_5_1
            | gl::UNSIGNED_SHORT_1_5_5_5_REV
            | gl::UNSIGNED_INT_8_8_8_8
            | gl::UNSIGNED_INT_8_8_8_8_REV
            | gl::UNSIGNED_INT_10_10_10_2
            | gl::UNSIGNED_INT_2_10_10_10_REV => {
                within(&[gl::RGBA, gl::BGRA, gl::ABGR_EXT, gl::RGBA_INTEGER, gl::BGRA_INTEGER])
            }
            gl::HALF_FLOAT | gl::FLOAT if integer => Err(ErrorCode::InvalidEnum),
            _ => Ok(()),
        }
    }

    // Programs probe which pixels a driver takes; a wrong code sends them down the wrong path, a wrong pair reads too far.
    #[test]
    fn every_pair_of_format_and_type_has_its_code() {
        for (format, type_) in FORMATS.into_iter().flat_map(|f| TYPES.map(|t| (f, t))) {
            let got = ClientPixels::parse(format, type_).map(|_| ()).map_err(|error| error.code);
            assert_eq!(got, wanted(format, type_), "{format:#x} with {type_:#x}");
        }
        for (format, type_) in [(gl::RGBA8, gl::UNSIGNED_BYTE), (gl::RGBA, gl::RGBA), (0, 0)] {
            let got = ClientPixels::parse(format, type_).map_err(|error| error.code);
            assert_eq!(got, Err(ErrorCode::InvalidEnum));
        }
    }
}
