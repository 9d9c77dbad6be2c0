//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::framebuffer::query::color_read;
use crate::tokens as gl;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    match pname {
        gl::IMPLEMENTATION_COLOR_READ_FORMAT => color_read(ctx).map(|p| Values::int(p.0)),
        gl::IMPLEMENTATION_COLOR_READ_TYPE => color_read(ctx).map(|p| Values::int(p.1)),
        _ => None,
    }
}
