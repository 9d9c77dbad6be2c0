//! Commands of this group. Must not push records of another group.

mod arrays;
mod binding;
mod current;
mod format;
mod get;
mod multi;

pub use self::arrays::{
    bind_vertex_array, delete_vertex_arrays, disable_vertex_attrib_array, enable_vertex_attrib_array,
    gen_vertex_arrays, is_vertex_array,
};
pub use self::binding::{
    bind_vertex_buffer, vertex_attrib_binding, vertex_attrib_divisor, vertex_attrib_i_pointer, vertex_attrib_l_pointer,
    vertex_attrib_pointer, vertex_binding_divisor,
};
pub use self::current::{vertex_attrib_f, vertex_attrib_i, vertex_attrib_l, vertex_attrib_p, vertex_attrib_ui};
pub(crate) use self::format::MAX_RELATIVE_OFFSET;
pub use self::format::{vertex_attrib_format, vertex_attrib_i_format, vertex_attrib_l_format};
pub use self::get::{get_vertex_attrib, get_vertex_attrib_i, get_vertex_attrib_l, get_vertex_attrib_pointer};
pub use self::multi::bind_vertex_buffers;

use super::state::max_attribs;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tracker::Dirty;

/// The layout and, because it decides which bindings are read, the buffers.
const LAYOUT: Dirty = Dirty::VERTEX_ELEMENTS.union(Dirty::VERTEX_BUFFERS).union(Dirty::ATTRIB_DEFAULTS);

/// Index of an attribute, checked.
fn attrib(ctx: &Context, index: u32) -> GlResult<usize> {
    if index < max_attribs(ctx) {
        return Ok(index as usize);
    }
    Err(GlError::invalid_value("the attribute index is not below GL_MAX_VERTEX_ATTRIBS"))
}

/// The core profile has no vertex array 0 to change (GL 4.6 §10.3.1).
fn array_bound(ctx: &Context) -> GlResult {
    if ctx.vertex_array.bound_name() == 0 {
        return Err(GlError::invalid_operation("no vertex array object is bound"));
    }
    Ok(())
}

/// The layout of the bound array changed.
fn changed_layout(ctx: &mut Context) {
    ctx.vertex_array.current_mut().layout = None;
    ctx.dirty |= LAYOUT;
}
