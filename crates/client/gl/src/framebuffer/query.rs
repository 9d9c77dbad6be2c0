//! What this group answers to `glGet*`. Must not change state.

use super::emit::read_any;
use super::status;
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::format::{Base, Numeric};

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let state = &ctx.framebuffer;
    let draw = state.get(state.draw);
    Some(match pname {
        gl::DRAW_FRAMEBUFFER_BINDING => Values::int(state.draw),
        gl::READ_FRAMEBUFFER_BINDING => Values::int(state.read),
        gl::DRAW_BUFFER => Values::int(draw.draw[0]),
        gl::DRAW_BUFFER0..=gl::DRAW_BUFFER15 => {
            let index = (pname - gl::DRAW_BUFFER0) as usize;
            Values::int(draw.draw.get(index).copied().unwrap_or(gl::NONE))
        }
        gl::READ_BUFFER => Values::int(state.get(state.read).read),
        gl::MAX_COLOR_ATTACHMENTS => Values::int(super::calls::attach::max_color_attachments(ctx) as i64),
        gl::MAX_DRAW_BUFFERS => Values::int(MAX_DRAW_BUFFERS as i64),
        gl::SAMPLES => {
            let samples = status::summary(ctx, draw, false).samples;
            Values::int(if samples > 1 { samples } else { 0 })
        }
        gl::SAMPLE_BUFFERS => Values::bool(status::summary(ctx, draw, false).samples > 1),
        gl::MAX_FRAMEBUFFER_WIDTH => Values::int(super::calls::params::default_limits(ctx)[0]),
        gl::MAX_FRAMEBUFFER_HEIGHT => Values::int(super::calls::params::default_limits(ctx)[1]),
        gl::MAX_FRAMEBUFFER_LAYERS => Values::int(super::calls::params::default_limits(ctx)[2]),
        gl::MAX_FRAMEBUFFER_SAMPLES => Values::int(super::calls::params::default_limits(ctx)[3]),
        // Framebuffer objects have no back buffer.
        gl::DOUBLEBUFFER => Values::bool(state.draw == 0),
        gl::STEREO => Values::bool(false),
        _ => return None,
    })
}

/// True when a framebuffer object has this name.
pub(crate) fn exists(ctx: &Context, name: u32) -> bool {
    ctx.framebuffer.objects.contains_key(&name)
}

/// `GL_IMPLEMENTATION_COLOR_READ_FORMAT` and `…_TYPE`: what reads without conversion. `None` without a read buffer.
pub(crate) fn color_read(ctx: &Context) -> Option<(u32, u32)> {
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
