//! What this group answers to `glGet*`. Must not change state.

use super::emit::read_of;
use super::state::{Fbo, Point};
use super::status;
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal::preferred;
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
        gl::RGBA_INTEGER_MODE_EXT => Values::bool(draws_integers(ctx, draw)),
        gl::SAMPLE_BUFFERS => Values::bool(status::summary(ctx, draw, false).samples > 1),
        gl::MAX_FRAMEBUFFER_WIDTH => Values::int(super::calls::params::default_limits(ctx)[0]),
        gl::MAX_FRAMEBUFFER_HEIGHT => Values::int(super::calls::params::default_limits(ctx)[1]),
        gl::MAX_FRAMEBUFFER_LAYERS => Values::int(super::calls::params::default_limits(ctx)[2]),
        gl::MAX_FRAMEBUFFER_SAMPLES => Values::int(super::calls::params::default_limits(ctx)[3]),
        gl::DOUBLEBUFFER => Values::bool(double_buffered(ctx, state.draw)),
        gl::STEREO => Values::bool(false),
        gl::FRAMEBUFFER_SRGB_CAPABLE_EXT => Values::bool(encodes(ctx, draw)),
        _ => return None,
    })
}

/// A draw buffer holds sRGB (EXT_framebuffer_sRGB).
fn encodes(ctx: &Context, fbo: &Fbo) -> bool {
    let indices = fbo.draw.iter().filter_map(|token| status::buffer_index(ctx, fbo, *token, false));
    let mut formats = indices.filter(|index| *index < MAX_DRAW_BUFFERS);
    formats.any(|index| status::point_format(ctx, fbo, Point::Color(index), false).is_some_and(|f| f.info().srgb))
}

/// A draw buffer of this framebuffer object holds integers (EXT_texture_integer).
fn draws_integers(ctx: &Context, fbo: &Fbo) -> bool {
    let indices = fbo.draw.iter().filter_map(|token| status::buffer_index(ctx, fbo, *token, false));
    let mut images = indices.filter_map(|index| status::attached(fbo.at(Point::Color(index))));
    images.any(|image| image.format.is_integer())
}

/// Framebuffer objects have no back buffer; without a surface, the default framebuffer is one that could have.
pub(super) fn double_buffered(ctx: &Context, name: u32) -> bool {
    name == 0 && super::default::surface(ctx, false).is_none_or(|surface| surface.desc.double_buffer)
}

/// The draw buffers that draws and clears may reach.
pub(crate) fn draw_buffers(ctx: &Context) -> impl Iterator<Item = u32> + use<> {
    let draw = ctx.framebuffer.get(ctx.framebuffer.draw).draw;
    (0..).zip(draw).filter(|(_, token)| *token != gl::NONE).map(|(index, _)| index)
}

/// True when a framebuffer object has this name.
pub(crate) fn exists(ctx: &Context, name: u32) -> bool {
    ctx.framebuffer.objects.contains_key(&name)
}

/// `GL_IMPLEMENTATION_COLOR_READ_FORMAT` and `…_TYPE` of a framebuffer: what reads without conversion. `None` for other
/// state; an error without a colour buffer to read (GL 4.6 §22.1).
pub(crate) fn color_read(ctx: &Context, name: u32, pname: u32) -> Option<GlResult<Values>> {
    if !matches!(pname, gl::IMPLEMENTATION_COLOR_READ_FORMAT | gl::IMPLEMENTATION_COLOR_READ_TYPE) {
        return None;
    }
    let Some(format) = read_of(ctx, name).ok().and_then(|source| source.color) else {
        return Some(Err(GlError::invalid_operation("there is no colour buffer to read")));
    };
    let (order, type_) = match preferred(format) {
        // Three components are stored as four, but for packed floats.
        (gl::RGB, type_) if type_ != gl::UNSIGNED_INT_10F_11F_11F_REV => (gl::RGBA, type_),
        (gl::RGB_INTEGER, type_) => (gl::RGBA_INTEGER, type_),
        given => given,
    };
    Some(Ok(Values::int(if pname == gl::IMPLEMENTATION_COLOR_READ_FORMAT { order } else { type_ })))
}
