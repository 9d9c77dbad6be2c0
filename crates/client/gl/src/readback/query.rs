//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::framebuffer::emit::read_any;
use crate::tokens as gl;
use mgl_pipe::format::{Base, Numeric};

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    match pname {
        gl::IMPLEMENTATION_COLOR_READ_FORMAT => preferred(ctx).map(|p| Values::int(p.0)),
        gl::IMPLEMENTATION_COLOR_READ_TYPE => preferred(ctx).map(|p| Values::int(p.1)),
        _ => None,
    }
}

/// `GL_IMPLEMENTATION_COLOR_READ_FORMAT` and `…_TYPE`: what reads without conversion. `None` without a read buffer.
fn preferred(ctx: &Context) -> Option<(u32, u32)> {
    let format = read_any(ctx).ok()?.color?;
    let info = format.info();
    let integer = format.is_integer();
    let layout = match (info.base, integer) {
        (Base::Red, false) => gl::RED,
        (Base::Rg, false) => gl::RG,
        (Base::Red, true) => gl::RED_INTEGER,
        (Base::Rg, true) => gl::RG_INTEGER,
        (_, true) => gl::RGBA_INTEGER,
        _ => gl::RGBA,
    };
    let type_ = match (info.numeric, info.bits[0]) {
        (Numeric::Float, 16) => gl::HALF_FLOAT,
        (Numeric::Float, _) => gl::FLOAT,
        (Numeric::Unorm | Numeric::Uint, 10) => gl::UNSIGNED_INT_2_10_10_10_REV,
        (Numeric::Unorm | Numeric::Uint, 8) => gl::UNSIGNED_BYTE,
        (Numeric::Unorm | Numeric::Uint, 16) => gl::UNSIGNED_SHORT,
        (Numeric::Unorm | Numeric::Uint, _) => gl::UNSIGNED_INT,
        (Numeric::Snorm | Numeric::Int, 8) => gl::BYTE,
        (Numeric::Snorm | Numeric::Int, 16) => gl::SHORT,
        (Numeric::Snorm | Numeric::Int, _) => gl::INT,
    };
    Some((layout, type_))
}
