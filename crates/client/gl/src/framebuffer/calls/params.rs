//! Queries of attachments and framebuffers, default parameters, sample positions (GL 4.6 §9.2.1, §9.2.3, §14.3.1). Must not
//! attach.

use crate::abi::{At, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls::attach::point;
use crate::framebuffer::calls::names::bound;
use crate::framebuffer::default;
use crate::framebuffer::query::{color_read, double_buffered};
use crate::framebuffer::state::{Attachment, Point, changed};
use crate::framebuffer::status;
use crate::pixel::internal::component_type;
use crate::texture::target::Target;
use crate::tokens as gl;
use mgl_pipe::format::Format;

/// What a token names of the default framebuffer; `GL_BACK` is the front buffer of one without a back buffer
/// (GL 4.6 §9.2.3).
fn default_point(ctx: &Context, read: bool, token: u32) -> GlResult<Point> {
    let double = default::surface(ctx, read).is_none_or(|surface| surface.desc.double_buffer);
    match token {
        gl::FRONT | gl::FRONT_LEFT => Ok(Point::Color(if double { default::FRONT } else { default::MAIN })),
        gl::BACK | gl::COLOR => Ok(Point::Color(default::MAIN)),
        gl::BACK_LEFT if double => Ok(Point::Color(default::MAIN)),
        gl::BACK_LEFT | gl::FRONT_RIGHT | gl::BACK_RIGHT => Ok(Point::Color(default::FRONT + 1)),
        gl::DEPTH => Ok(Point::Depth),
        gl::STENCIL => Ok(Point::Stencil),
        _ => Err(GlError::invalid_enum(format!("0x{token:04X} is not a buffer of the default framebuffer"))),
    }
}

/// `glGetFramebufferAttachmentParameteriv`, `glGetNamedFramebufferAttachmentParameteriv`.
pub fn get_framebuffer_attachment_parameter(
    ctx: &mut Context,
    at: impl Into<At>,
    attachment: u32,
    pname: u32,
) -> GlResult<Values> {
    let at = at.into();
    let name = bound(ctx, at)?;
    let read = matches!(at, At::Target(gl::READ_FRAMEBUFFER));
    let fbo = ctx.framebuffer.get(name);
    let unknown = || GlError::invalid_enum(format!("0x{pname:04X} is not a parameter of this attachment"));
    let (point, kind) = if name == 0 {
        let point = default_point(ctx, read, attachment)?;
        let there = status::point_format(ctx, fbo, point, read).is_some();
        (point, if there { gl::FRAMEBUFFER_DEFAULT } else { gl::NONE })
    } else {
        let point = point(ctx, attachment)?;
        if point == Point::DepthStencil && !fbo.depth.same(&fbo.stencil) {
            return Err(GlError::invalid_operation("depth and stencil are different images"));
        }
        let kind = match fbo.at(point) {
            Attachment::None => gl::NONE,
            Attachment::Texture { .. } => gl::TEXTURE,
            Attachment::Renderbuffer(_) => gl::RENDERBUFFER,
        };
        (point, kind)
    };
    if pname == gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE {
        return Ok(Values::int(kind));
    }
    if kind == gl::NONE {
        // Only the name may be asked of nothing (GL 4.6 §9.2.3).
        return match pname {
            gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME => Ok(Values::int(0)),
            _ => Err(GlError::invalid_operation("nothing is attached here")),
        };
    }
    if let Some(value) = format_value(status::point_format(ctx, fbo, point, read), point, pname) {
        if pname == gl::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && point == Point::DepthStencil {
            return Err(GlError::invalid_operation("depth and stencil have different component types"));
        }
        return Ok(value);
    }
    match fbo.at(point) {
        Attachment::Renderbuffer(rb) if pname == gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME => Ok(Values::int(rb.name)),
        Attachment::Texture { texture, level, face, layer, layered } => Ok(match pname {
            gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME => Values::int(texture.name),
            gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL => Values::int(*level),
            gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE if texture.target == Target::Cube && !layered => {
                Values::int(gl::TEXTURE_CUBE_MAP_POSITIVE_X + face)
            }
            gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE => Values::int(0),
            gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER => Values::int(*layer),
            gl::FRAMEBUFFER_ATTACHMENT_LAYERED => Values::bool(*layered),
            _ => return Err(unknown()),
        }),
        _ => Err(unknown()),
    }
}

fn format_value(format: Option<Format>, point: Point, pname: u32) -> Option<Values> {
    let info = format.map(|f| f.info());
    let bits = |i: usize| Some(Values::int(info.map_or(0u8, |f| f.bits[i])));
    match pname {
        gl::FRAMEBUFFER_ATTACHMENT_RED_SIZE => bits(0),
        gl::FRAMEBUFFER_ATTACHMENT_GREEN_SIZE => bits(1),
        gl::FRAMEBUFFER_ATTACHMENT_BLUE_SIZE => bits(2),
        gl::FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE => bits(3),
        gl::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE => bits(4),
        gl::FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE => bits(5),
        gl::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING => {
            Some(Values::int(if info.is_some_and(|f| f.srgb) { gl::SRGB } else { gl::LINEAR }))
        }
        gl::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE if point == Point::Stencil => Some(Values::int(gl::UNSIGNED_INT)),
        gl::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE => Some(Values::int(info.map_or(gl::NONE, component_type))),
        _ => None,
    }
}

/// Largest width, height, layers and samples of a framebuffer without attachments (GL 4.6 table 23.73).
pub(crate) fn default_limits(ctx: &Context) -> [u32; 4] {
    let limits = &ctx.instance.caps.limits;
    let size = |i: usize| limits.max_viewport[i].max(limits.max_texture_size).max(1024);
    [size(0), size(1), limits.max_array_layers.max(256), limits.max_samples.max(1)]
}

/// `glFramebufferParameteri`, `glNamedFramebufferParameteri`.
pub fn framebuffer_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32, param: i32) -> GlResult {
    let name = bound(ctx, at)?;
    let [width, height, layers, samples] = default_limits(ctx);
    let max = match pname {
        gl::FRAMEBUFFER_DEFAULT_WIDTH => width,
        gl::FRAMEBUFFER_DEFAULT_HEIGHT => height,
        gl::FRAMEBUFFER_DEFAULT_LAYERS => layers,
        gl::FRAMEBUFFER_DEFAULT_SAMPLES => samples,
        gl::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => i32::MAX as u32,
        _ => return Err(GlError::invalid_enum(format!("0x{pname:04X} is not a framebuffer parameter"))),
    };
    if name == 0 {
        return Err(GlError::invalid_operation("the default framebuffer has no parameters"));
    }
    if param < 0 || param as u32 > max {
        return Err(GlError::invalid_value(format!("the parameter must be in 0..={max}")));
    }
    let value = param as u32;
    let defaults = &mut ctx.framebuffer.get_mut(name).defaults;
    match pname {
        gl::FRAMEBUFFER_DEFAULT_WIDTH => defaults.width = value,
        gl::FRAMEBUFFER_DEFAULT_HEIGHT => defaults.height = value,
        gl::FRAMEBUFFER_DEFAULT_LAYERS => defaults.layers = value,
        gl::FRAMEBUFFER_DEFAULT_SAMPLES => defaults.samples = value,
        _ => defaults.fixed = value != 0,
    }
    changed(ctx, name);
    Ok(())
}

/// `glGetFramebufferParameteriv`, `glGetNamedFramebufferParameteriv` (GL 4.6 §9.2.3 and table 23.73).
pub fn get_framebuffer_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<Values> {
    let at = at.into();
    let name = bound(ctx, at)?;
    let fbo = ctx.framebuffer.get(name);
    let defaults = fbo.defaults;
    let samples = || status::summary(ctx, fbo, matches!(at, At::Target(gl::READ_FRAMEBUFFER))).samples;
    let value = match pname {
        gl::FRAMEBUFFER_DEFAULT_WIDTH => defaults.width,
        gl::FRAMEBUFFER_DEFAULT_HEIGHT => defaults.height,
        gl::FRAMEBUFFER_DEFAULT_LAYERS => defaults.layers,
        gl::FRAMEBUFFER_DEFAULT_SAMPLES => defaults.samples,
        gl::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => u32::from(defaults.fixed),
        gl::DOUBLEBUFFER => return Ok(Values::bool(double_buffered(ctx, name))),
        gl::STEREO => return Ok(Values::bool(false)),
        gl::SAMPLES => return Ok(Values::int(Some(samples()).filter(|n| *n > 1).unwrap_or(0))),
        gl::SAMPLE_BUFFERS => return Ok(Values::bool(samples() > 1)),
        _ => {
            let unknown = || Err(GlError::invalid_enum(format!("0x{pname:04X} is not a framebuffer parameter")));
            return color_read(ctx, name, pname).unwrap_or_else(unknown);
        }
    };
    if name == 0 {
        return Err(GlError::invalid_operation("the default framebuffer has no parameters"));
    }
    Ok(Values::int(value))
}

/// Standard sample positions in sixteenths of a pixel (Vulkan 1.3 table "Standard sample locations").
fn sample_positions(samples: u32) -> &'static [(u8, u8)] {
    match samples {
        0 | 1 => &[(8, 8)],
        2 => &[(12, 12), (4, 4)],
        4 => &[(6, 2), (14, 6), (2, 10), (10, 14)],
        8 => &[(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)],
        _ => &[
            (9, 9),
            (7, 5),
            (5, 10),
            (12, 7),
            (3, 6),
            (10, 13),
            (13, 11),
            (11, 3),
            (6, 14),
            (8, 1),
            (4, 2),
            (2, 12),
            (0, 8),
            (15, 4),
            (14, 15),
            (1, 0),
        ],
    }
}

/// `glGetMultisamplefv`.
pub fn get_multisample(ctx: &mut Context, pname: u32, index: u32) -> GlResult<Values> {
    if pname != gl::SAMPLE_POSITION {
        return Err(GlError::invalid_enum("pname must be GL_SAMPLE_POSITION"));
    }
    let sum = status::summary(ctx, ctx.framebuffer.get(ctx.framebuffer.draw), false);
    let (x, y) = *sample_positions(sum.samples)
        .get(index as usize)
        .filter(|_| index < sum.samples)
        .ok_or_else(|| GlError::invalid_value(format!("sample {index} does not exist")))?;
    Ok(Values::floats(&[f32::from(x) / 16.0, f32::from(y) / 16.0]))
}
