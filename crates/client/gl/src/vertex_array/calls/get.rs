//! Queries of attributes (GL 4.6 §10.5). Must not change state.

use super::{attrib, named};
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use crate::vertex_array::state::{Value, Vao};

fn array_state(vao: &Vao, index: usize, pname: u32) -> Option<Values> {
    let attrib = &vao.attribs[index];
    let binding = &vao.bindings[attrib.binding as usize];
    let format = &attrib.format;
    Some(match pname {
        t::VERTEX_ATTRIB_ARRAY_ENABLED => Values::bool(vao.enabled & (1 << index) != 0),
        t::VERTEX_ATTRIB_ARRAY_SIZE if format.bgra => Values::int(t::BGRA),
        t::VERTEX_ATTRIB_ARRAY_SIZE => Values::int(format.components),
        t::VERTEX_ATTRIB_ARRAY_STRIDE => Values::int(attrib.stride),
        t::VERTEX_ATTRIB_ARRAY_TYPE => Values::int(format.ty.0),
        t::VERTEX_ATTRIB_ARRAY_NORMALIZED => Values::bool(format.normalized),
        t::VERTEX_ATTRIB_ARRAY_INTEGER => Values::bool(format.integer),
        t::VERTEX_ATTRIB_ARRAY_LONG => Values::bool(format.long),
        t::VERTEX_ATTRIB_ARRAY_DIVISOR => Values::int(binding.divisor),
        t::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING => Values::int(binding.buffer.as_ref().map_or(0, |b| b.name)),
        t::VERTEX_ATTRIB_BINDING => Values::int(attrib.binding),
        t::VERTEX_ATTRIB_RELATIVE_OFFSET => Values::int(format.relative_offset),
        _ => return None,
    })
}

fn unknown() -> GlError {
    GlError::invalid_enum("not a parameter of a vertex attribute")
}

/// `glGetVertexAttrib{f,d,i}v`.
pub fn get_vertex_attrib(ctx: &mut Context, index: u32, pname: u32) -> GlResult<Values> {
    let index = attrib(ctx, index)?;
    if pname == t::CURRENT_VERTEX_ATTRIB {
        let value = ctx.vertex_array.values[index];
        return Ok(match value {
            Value::Float(_) | Value::Double(_) => Values::Float(value.doubles().into_iter().collect()),
            Value::Int(v) => Values::ints(&v.map(i64::from)),
            Value::Uint(v) => Values::ints(&v.map(i64::from)),
        });
    }
    array_state(ctx.vertex_array.current(), index, pname).ok_or_else(unknown)
}

/// `glGetVertexAttribI{i,ui}v`: current values come back as bits.
pub fn get_vertex_attrib_i(ctx: &mut Context, index: u32, pname: u32) -> GlResult<Values> {
    let index = attrib(ctx, index)?;
    if pname == t::CURRENT_VERTEX_ATTRIB {
        let value = ctx.vertex_array.values[index];
        return Ok(Values::ints(&match value {
            Value::Float(v) => v.map(|f| i64::from(f.to_bits() as i32)),
            Value::Int(v) => v.map(i64::from),
            Value::Uint(v) => v.map(i64::from),
            Value::Double(v) => v.map(|f| f as i64),
        }));
    }
    array_state(ctx.vertex_array.current(), index, pname).ok_or_else(unknown)
}

/// `glGetVertexAttribLdv`.
pub fn get_vertex_attrib_l(ctx: &mut Context, index: u32, pname: u32) -> GlResult<Values> {
    let slot = attrib(ctx, index)?;
    if pname == t::CURRENT_VERTEX_ATTRIB {
        return Ok(Values::Float(ctx.vertex_array.values[slot].doubles().into_iter().collect()));
    }
    get_vertex_attrib(ctx, index, pname)
}

/// `glGetVertexAttribPointerv`: the offset as the pointer call gave it.
pub fn get_vertex_attrib_pointer(ctx: &mut Context, index: u32, pname: u32) -> GlResult<*mut u8> {
    let index = attrib(ctx, index)?;
    if pname != t::VERTEX_ATTRIB_ARRAY_POINTER {
        return Err(GlError::invalid_enum("only GL_VERTEX_ATTRIB_ARRAY_POINTER is a pointer of an attribute"));
    }
    Ok(std::ptr::without_provenance_mut(ctx.vertex_array.current().attribs[index].pointer))
}

/// `glGetVertexArrayiv`: the element buffer.
pub fn get_vertex_array(ctx: &mut Context, vaobj: u32, pname: u32) -> GlResult<Values> {
    let vao = named(ctx, vaobj)?;
    if pname != t::ELEMENT_ARRAY_BUFFER_BINDING {
        return Err(GlError::invalid_enum("only GL_ELEMENT_ARRAY_BUFFER_BINDING belongs to the whole vertex array"));
    }
    Ok(Values::int(ctx.vertex_array.get(vao).element.as_ref().map_or(0, |b| b.name)))
}

/// `glGetVertexArrayIndexediv`: state of an attribute (GL 4.6 table 23.3); the binding it fetches through gives the
/// divisor.
pub fn get_vertex_array_indexed(ctx: &mut Context, vaobj: u32, index: u32, pname: u32) -> GlResult<Values> {
    let (vao, index) = (named(ctx, vaobj)?, attrib(ctx, index)?);
    let legal = [
        t::VERTEX_ATTRIB_ARRAY_ENABLED,
        t::VERTEX_ATTRIB_ARRAY_SIZE,
        t::VERTEX_ATTRIB_ARRAY_STRIDE,
        t::VERTEX_ATTRIB_ARRAY_TYPE,
        t::VERTEX_ATTRIB_ARRAY_NORMALIZED,
        t::VERTEX_ATTRIB_ARRAY_INTEGER,
        t::VERTEX_ATTRIB_ARRAY_LONG,
        t::VERTEX_ATTRIB_ARRAY_DIVISOR,
        t::VERTEX_ATTRIB_RELATIVE_OFFSET,
    ];
    let value = if legal.contains(&pname) { array_state(ctx.vertex_array.get(vao), index, pname) } else { None };
    value.ok_or_else(unknown)
}

/// `glGetVertexArrayIndexed64iv`: where a binding point starts.
pub fn get_vertex_array_indexed64(ctx: &mut Context, vaobj: u32, index: u32, pname: u32) -> GlResult<Values> {
    let (vao, index) = (named(ctx, vaobj)?, attrib(ctx, index)?);
    if pname != t::VERTEX_BINDING_OFFSET {
        return Err(GlError::invalid_enum("only GL_VERTEX_BINDING_OFFSET is a 64-bit value of a binding point"));
    }
    Ok(Values::int(ctx.vertex_array.get(vao).bindings[index].offset as i64))
}
