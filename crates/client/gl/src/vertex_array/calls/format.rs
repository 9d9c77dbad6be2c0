//! Attribute formats (GL 4.6 §10.3.2, tables 10.2 and 10.3). Must not know buffers.

use super::{attrib, bound, changed_layout, named};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use crate::vertex_array::state::Format;
use mgl_pipe::tokens::AttribType;
use mgl_pipe::{Proof, Wire};

/// Largest relative offset (GL 4.6 table 23.55 asks for at least 2047).
pub(crate) const MAX_RELATIVE_OFFSET: u32 = 2047;

/// Bytes of one element in memory.
pub(super) fn element_bytes(format: &Format) -> u32 {
    let components = u32::from(format.components);
    match format.ty {
        AttribType::Byte | AttribType::UnsignedByte => components,
        AttribType::Short | AttribType::UnsignedShort | AttribType::HalfFloat => 2 * components,
        AttribType::Double => 8 * components,
        AttribType::UnsignedInt2101010Rev | AttribType::Int2101010Rev | AttribType::UnsignedInt10F11F11FRev => 4,
        _ => 4 * components,
    }
}

fn attrib_type(type_: u32) -> GlResult<AttribType> {
    let ty = u16::try_from(type_).ok().map(AttribType).filter(|ty| ty.proven(&Proof { stage_len: 0 }));
    ty.ok_or_else(|| GlError::invalid_enum("not a vertex attribute type"))
}

/// A floating-point attribute (`glVertexAttribPointer`, `glVertexAttribFormat`).
pub(super) fn float_format(size: i32, type_: u32, normalized: bool, relative_offset: u32) -> GlResult<Format> {
    let ty = attrib_type(type_)?;
    let bgra = size == t::BGRA as i32;
    if !bgra && !(1..=4).contains(&size) {
        return Err(GlError::invalid_value("the size is 1, 2, 3, 4 or GL_BGRA"));
    }
    let packed = matches!(ty, AttribType::UnsignedInt2101010Rev | AttribType::Int2101010Rev);
    let components = if bgra { 4 } else { size as u8 };
    if bgra && (!(packed || ty == AttribType::UnsignedByte) || !normalized) {
        return Err(GlError::invalid_operation("GL_BGRA needs a normalized byte or 2:10:10:10 type"));
    }
    if packed && components != 4 {
        return Err(GlError::invalid_operation("a 2:10:10:10 type needs size 4 or GL_BGRA"));
    }
    if ty == AttribType::UnsignedInt10F11F11FRev && components != 3 {
        return Err(GlError::invalid_operation("a 10F:11F:11F type needs size 3"));
    }
    Ok(Format { components, bgra, ty, normalized, integer: false, long: false, relative_offset })
}

/// A pure integer attribute (`glVertexAttribIPointer`, `glVertexAttribIFormat`).
pub(super) fn integer_format(size: i32, type_: u32, relative_offset: u32) -> GlResult<Format> {
    let ty = attrib_type(type_)?;
    if !matches!(type_, t::BYTE | t::UNSIGNED_BYTE | t::SHORT | t::UNSIGNED_SHORT | t::INT | t::UNSIGNED_INT) {
        return Err(GlError::invalid_enum("an integer attribute needs an integer type"));
    }
    if !(1..=4).contains(&size) {
        return Err(GlError::invalid_value("the size is 1, 2, 3 or 4"));
    }
    Ok(Format {
        components: size as u8,
        bgra: false,
        ty,
        normalized: false,
        integer: true,
        long: false,
        relative_offset,
    })
}

/// A 64-bit attribute (`glVertexAttribLPointer`, `glVertexAttribLFormat`).
pub(super) fn long_format(size: i32, type_: u32, relative_offset: u32) -> GlResult<Format> {
    if type_ != t::DOUBLE {
        return Err(GlError::invalid_enum("a 64-bit attribute needs GL_DOUBLE"));
    }
    if !(1..=4).contains(&size) {
        return Err(GlError::invalid_value("the size is 1, 2, 3 or 4"));
    }
    let (ty, components) = (AttribType::Double, size as u8);
    Ok(Format { components, bgra: false, ty, normalized: false, integer: false, long: true, relative_offset })
}

/// Stores a format of a vertex array.
pub(super) fn set_format(ctx: &mut Context, vao: u32, index: usize, format: Format) {
    let attrib = &mut ctx.vertex_array.get_mut(vao).attribs[index];
    if attrib.format != format {
        attrib.format = format;
        changed_layout(ctx, vao);
    }
}

fn check_offset(relativeoffset: u32) -> GlResult {
    if relativeoffset > MAX_RELATIVE_OFFSET {
        return Err(GlError::invalid_value("beyond GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET"));
    }
    Ok(())
}

/// `glVertexAttribFormat`.
pub fn vertex_attrib_format(
    ctx: &mut Context,
    attribindex: u32,
    size: i32,
    type_: u32,
    normalized: bool,
    relativeoffset: u32,
) -> GlResult {
    let (index, vao) = (attrib(ctx, attribindex)?, bound(ctx)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, float_format(size, type_, normalized, relativeoffset)?);
    Ok(())
}

/// `glVertexArrayAttribFormat`.
pub fn vertex_array_attrib_format(
    ctx: &mut Context,
    vaobj: u32,
    attribindex: u32,
    size: i32,
    type_: u32,
    normalized: bool,
    relativeoffset: u32,
) -> GlResult {
    let (vao, index) = (named(ctx, vaobj)?, attrib(ctx, attribindex)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, float_format(size, type_, normalized, relativeoffset)?);
    Ok(())
}

/// `glVertexAttribIFormat`.
pub fn vertex_attrib_i_format(
    ctx: &mut Context,
    attribindex: u32,
    size: i32,
    type_: u32,
    relativeoffset: u32,
) -> GlResult {
    let (index, vao) = (attrib(ctx, attribindex)?, bound(ctx)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, integer_format(size, type_, relativeoffset)?);
    Ok(())
}

/// `glVertexArrayAttribIFormat`.
pub fn vertex_array_attrib_i_format(
    ctx: &mut Context,
    vaobj: u32,
    attribindex: u32,
    size: i32,
    type_: u32,
    relativeoffset: u32,
) -> GlResult {
    let (vao, index) = (named(ctx, vaobj)?, attrib(ctx, attribindex)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, integer_format(size, type_, relativeoffset)?);
    Ok(())
}

/// `glVertexAttribLFormat`.
pub fn vertex_attrib_l_format(
    ctx: &mut Context,
    attribindex: u32,
    size: i32,
    type_: u32,
    relativeoffset: u32,
) -> GlResult {
    let (index, vao) = (attrib(ctx, attribindex)?, bound(ctx)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, long_format(size, type_, relativeoffset)?);
    Ok(())
}

/// `glVertexArrayAttribLFormat`.
pub fn vertex_array_attrib_l_format(
    ctx: &mut Context,
    vaobj: u32,
    attribindex: u32,
    size: i32,
    type_: u32,
    relativeoffset: u32,
) -> GlResult {
    let (vao, index) = (named(ctx, vaobj)?, attrib(ctx, attribindex)?);
    check_offset(relativeoffset)?;
    set_format(ctx, vao, index, long_format(size, type_, relativeoffset)?);
    Ok(())
}
