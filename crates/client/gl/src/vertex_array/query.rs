//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens as t;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    Some(match pname {
        t::VERTEX_ARRAY_BINDING => Values::int(ctx.vertex_array.bound_name()),
        t::ELEMENT_ARRAY_BUFFER_BINDING => Values::int(ctx.vertex_array.element_buffer().map_or(0, |b| b.name)),
        _ => return None,
    })
}

/// The value of an indexed `pname`: state of a vertex buffer binding point.
pub(crate) fn indexed(ctx: &Context, pname: u32, index: u32) -> Option<Values> {
    let binding = ctx.vertex_array.current().bindings.get(index as usize)?;
    Some(match pname {
        t::VERTEX_BINDING_OFFSET => Values::int(binding.offset as i64),
        t::VERTEX_BINDING_STRIDE => Values::int(binding.stride),
        t::VERTEX_BINDING_DIVISOR => Values::int(binding.divisor),
        t::VERTEX_BINDING_BUFFER => Values::int(binding.buffer.as_ref().map_or(0, |b| b.name)),
        _ => return None,
    })
}
