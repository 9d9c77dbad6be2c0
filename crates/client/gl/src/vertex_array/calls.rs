//! Commands of this group. Must not push records of another group.

mod arrays;
mod binding;
mod current;
mod format;
mod get;
mod multi;

pub use self::arrays::{
    bind_vertex_array, create_vertex_arrays, delete_vertex_arrays, disable_vertex_array_attrib,
    disable_vertex_attrib_array, enable_vertex_array_attrib, enable_vertex_attrib_array, gen_vertex_arrays,
    is_vertex_array, vertex_array_element_buffer,
};
pub use self::binding::{
    bind_vertex_buffer, vertex_array_attrib_binding, vertex_array_binding_divisor, vertex_array_vertex_buffer,
    vertex_attrib_binding, vertex_attrib_divisor, vertex_attrib_i_pointer, vertex_attrib_l_pointer,
    vertex_attrib_pointer, vertex_binding_divisor,
};
pub use self::current::{vertex_attrib_f, vertex_attrib_i, vertex_attrib_l, vertex_attrib_p, vertex_attrib_ui};
pub(crate) use self::format::MAX_RELATIVE_OFFSET;
pub use self::format::{
    vertex_array_attrib_format, vertex_array_attrib_i_format, vertex_array_attrib_l_format, vertex_attrib_format,
    vertex_attrib_i_format, vertex_attrib_l_format,
};
pub use self::get::{
    get_vertex_array, get_vertex_array_indexed, get_vertex_array_indexed64, get_vertex_attrib, get_vertex_attrib_i,
    get_vertex_attrib_l, get_vertex_attrib_pointer,
};
pub use self::multi::{bind_vertex_buffers, vertex_array_vertex_buffers};

use super::state::max_attribs;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tracker::Dirty;
use std::sync::Once;

/// The layout and, because it decides which bindings are read, the buffers.
const LAYOUT: Dirty = Dirty::VERTEX_ELEMENTS.union(Dirty::VERTEX_BUFFERS).union(Dirty::ATTRIB_DEFAULTS);

/// Index of an attribute, checked.
fn attrib(ctx: &Context, index: u32) -> GlResult<usize> {
    if index < max_attribs(ctx) {
        return Ok(index as usize);
    }
    Err(GlError::invalid_value("the attribute index is not below GL_MAX_VERTEX_ATTRIBS"))
}

/// The bound vertex array, by name: the core profile has no vertex array 0 to change (GL 4.6 §10.3.1).
fn bound(ctx: &Context) -> GlResult<u32> {
    match ctx.vertex_array.bound_name() {
        0 => Err(GlError::invalid_operation("no vertex array object is bound")),
        name => Ok(name),
    }
}

/// As [`bound`], for the commands that other drivers carry out on vertex array 0 all the same, and that programs and suites
/// therefore call without one: said once, and an error in debug contexts. Nothing can draw with what they set.
fn bound_or_tolerated(ctx: &Context, command: &'static str) -> GlResult<u32> {
    static SAID: Once = Once::new();
    if ctx.desc.debug {
        return bound(ctx);
    }
    if ctx.vertex_array.bound_name() == 0 {
        SAID.call_once(|| {
            tracing::warn!(
                "{command} without a bound vertex array has no effect: the core profile demands one (GL 4.6 §10.3.1). A debug \
                 context makes it an error"
            );
        });
    }
    Ok(ctx.vertex_array.bound_name())
}

/// A vertex array that a command names (GL 4.6 §10.3.1).
fn named(ctx: &Context, name: u32) -> GlResult<u32> {
    if ctx.vertex_array.is_object(name) {
        return Ok(name);
    }
    Err(GlError::invalid_operation(format!("{name} is not a vertex array object")))
}

/// State of a vertex array changed; only that of the bound one is ever pushed.
fn changed(ctx: &mut Context, vao: u32, what: Dirty) {
    if ctx.vertex_array.bound_name() == vao {
        ctx.dirty |= what;
    }
}

/// The layout of a vertex array changed.
fn changed_layout(ctx: &mut Context, vao: u32) {
    ctx.vertex_array.get_mut(vao).layout = None;
    changed(ctx, vao, LAYOUT);
}
