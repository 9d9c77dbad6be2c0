//! Queries of attributes (GL 4.6 §10.5). Must not change state.

use super::attrib;
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use crate::vertex_array::state::Value;

fn array_state(ctx: &Context, index: usize, pname: u32) -> Option<Values> {
    let vao = ctx.vertex_array.current();
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
    array_state(ctx, index, pname).ok_or_else(unknown)
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
    array_state(ctx, index, pname).ok_or_else(unknown)
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
