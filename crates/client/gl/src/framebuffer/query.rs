//! What this group answers to `glGet*`. Must not change state.

use super::status;
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;
use mgl_base::limits::MAX_DRAW_BUFFERS;

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
        gl::DOUBLEBUFFER => Values::bool(true),
        gl::STEREO => Values::bool(false),
        _ => return None,
    })
}

/// True when a framebuffer object has this name.
pub(crate) fn exists(ctx: &Context, name: u32) -> bool {
    ctx.framebuffer.objects.contains_key(&name)
}
