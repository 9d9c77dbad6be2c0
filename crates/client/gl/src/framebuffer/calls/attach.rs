//! Attaching images to framebuffer objects (GL 4.6 §9.2.7, §9.2.8). Must not evaluate completeness.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls::names::bound;
use crate::framebuffer::state::{Attachment, Point, changed};
use crate::share::lock;
use crate::texture::check;
use crate::texture::object::Texture;
use crate::texture::target::{ImageTarget, Target};
use crate::tokens as gl;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use std::sync::Arc;

/// Colour attachments of a framebuffer object.
pub(crate) fn max_color_attachments(ctx: &Context) -> usize {
    match ctx.instance.caps.limits.max_color_attachments as usize {
        0 => MAX_DRAW_BUFFERS,
        n => n.min(MAX_DRAW_BUFFERS),
    }
}

/// Attachment point of a framebuffer object by token.
pub(crate) fn point(ctx: &Context, token: u32) -> GlResult<Point> {
    match token {
        gl::DEPTH_ATTACHMENT => Ok(Point::Depth),
        gl::STENCIL_ATTACHMENT => Ok(Point::Stencil),
        gl::DEPTH_STENCIL_ATTACHMENT => Ok(Point::DepthStencil),
        gl::COLOR_ATTACHMENT0..=gl::COLOR_ATTACHMENT31 => {
            let index = (token - gl::COLOR_ATTACHMENT0) as usize;
            if index >= max_color_attachments(ctx) {
                return Err(GlError::invalid_operation(format!("colour attachment {index} does not exist")));
            }
            Ok(Point::Color(index))
        }
        _ => Err(GlError::invalid_enum(format!("0x{token:04X} is not an attachment point"))),
    }
}

/// The framebuffer object and point that an attach command changes.
fn place(ctx: &Context, at: impl Into<At>, attachment: u32) -> GlResult<(u32, Point)> {
    let name = bound(ctx, at)?;
    let point = point(ctx, attachment)?;
    if name == 0 {
        return Err(GlError::invalid_operation("the default framebuffer takes no attachments"));
    }
    Ok((name, point))
}

fn attach(ctx: &mut Context, (name, point): (u32, Point), what: Attachment) {
    let fbo = ctx.framebuffer.get_mut(name);
    if fbo.at(point).same(&what) && !(what.is_none() && point == Point::DepthStencil) {
        return;
    }
    if ctx.framebuffer.draw == name {
        crate::framebuffer::emit::note_writes(ctx);
    }
    ctx.framebuffer.get_mut(name).attach(point, what);
    changed(ctx, name);
}

fn check_level(ctx: &Context, tex: &Texture, level: i32) -> GlResult<u32> {
    let level = check::level(ctx, tex.target, level)?;
    let immutable = tex.body().immutable_levels;
    if immutable > 0 && level >= immutable {
        return Err(GlError::invalid_value("the texture has no such level"));
    }
    Ok(level)
}

/// `glFramebufferTexture`, `glNamedFramebufferTexture`.
pub fn framebuffer_texture(
    ctx: &mut Context,
    at: impl Into<At>,
    attachment: u32,
    texture: u32,
    level: i32,
) -> GlResult {
    let place = place(ctx, at, attachment)?;
    if texture == 0 {
        attach(ctx, place, Attachment::None);
        return Ok(());
    }
    let tex =
        ctx.named_texture(texture).ok_or_else(|| GlError::invalid_value(format!("{texture} is not a texture")))?;
    if tex.target == Target::Buffer {
        return Err(GlError::invalid_operation("a buffer texture cannot be attached"));
    }
    let level = check_level(ctx, &tex, level)?;
    let layered = tex.target.layered() || tex.target == Target::D3;
    attach(ctx, place, Attachment::Texture { texture: tex, level, face: 0, layer: 0, layered });
    Ok(())
}

/// Looks up the texture of the `1D`, `2D` and `3D` forms and checks `textarget`.
fn textured(ctx: &Context, textarget: u32, texture: u32, dims: u32) -> GlResult<(Arc<Texture>, u32)> {
    let tex =
        ctx.named_texture(texture).ok_or_else(|| GlError::invalid_operation(format!("{texture} is not a texture")))?;
    let it = ImageTarget::from_gl(textarget)
        .filter(|t| !t.proxy)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{textarget:04X} is not a texture target")))?;
    let legal = match dims {
        1 => it.target == Target::D1,
        2 => matches!(it.target, Target::D2 | Target::Rect | Target::D2Ms | Target::Cube),
        _ => it.target == Target::D3,
    };
    if !legal || (it.target == Target::Cube && textarget == gl::TEXTURE_CUBE_MAP) {
        return Err(GlError::invalid_operation("textarget does not go with this command"));
    }
    if it.target != tex.target {
        return Err(GlError::invalid_operation("textarget is not the texture's target"));
    }
    Ok((tex, it.face as u32))
}

fn attach_image(
    ctx: &mut Context,
    (target, attachment): (u32, u32),
    (textarget, texture, dims): (u32, u32, u32),
    level: i32,
    layer: i32,
) -> GlResult {
    let place = place(ctx, target, attachment)?;
    if texture == 0 {
        attach(ctx, place, Attachment::None);
        return Ok(());
    }
    let (tex, face) = textured(ctx, textarget, texture, dims)?;
    let level = check_level(ctx, &tex, level)?;
    let layer = check_layer(ctx, &tex, layer)?;
    attach(ctx, place, Attachment::Texture { texture: tex, level, face, layer, layered: false });
    Ok(())
}

fn check_layer(ctx: &Context, tex: &Texture, layer: i32) -> GlResult<u32> {
    let max = check::max_size(ctx, tex.target);
    let count = match tex.target {
        Target::D1Array => max[1],
        Target::Cube => 6,
        _ => max[2],
    };
    if layer < 0 || layer as u32 >= count {
        return Err(GlError::invalid_value(format!("layer {layer} is outside 0..{count}")));
    }
    Ok(layer as u32)
}

/// `glFramebufferTexture1D`.
pub fn framebuffer_texture_1d(
    ctx: &mut Context,
    target: u32,
    attachment: u32,
    textarget: u32,
    texture: u32,
    level: i32,
) -> GlResult {
    attach_image(ctx, (target, attachment), (textarget, texture, 1), level, 0)
}

/// `glFramebufferTexture2D`.
pub fn framebuffer_texture_2d(
    ctx: &mut Context,
    target: u32,
    attachment: u32,
    textarget: u32,
    texture: u32,
    level: i32,
) -> GlResult {
    attach_image(ctx, (target, attachment), (textarget, texture, 2), level, 0)
}

/// `glFramebufferTexture3D`.
pub fn framebuffer_texture_3d(
    ctx: &mut Context,
    target: u32,
    attachment: u32,
    textarget: u32,
    texture: u32,
    level: i32,
    zoffset: i32,
) -> GlResult {
    attach_image(ctx, (target, attachment), (textarget, texture, 3), level, zoffset)
}

/// `glFramebufferTextureLayer`, `glNamedFramebufferTextureLayer`.
pub fn framebuffer_texture_layer(
    ctx: &mut Context,
    at: impl Into<At>,
    attachment: u32,
    texture: u32,
    level: i32,
    layer: i32,
) -> GlResult {
    let place = place(ctx, at, attachment)?;
    if texture == 0 {
        attach(ctx, place, Attachment::None);
        return Ok(());
    }
    let tex =
        ctx.named_texture(texture).ok_or_else(|| GlError::invalid_operation(format!("{texture} is not a texture")))?;
    if !tex.target.layered() && tex.target != Target::D3 {
        return Err(GlError::invalid_operation("the texture has no layers"));
    }
    let level = check_level(ctx, &tex, level)?;
    let layer = check_layer(ctx, &tex, layer)?;
    let (face, layer) = if tex.target == Target::Cube { (layer, 0) } else { (0, layer) };
    attach(ctx, place, Attachment::Texture { texture: tex, level, face, layer, layered: false });
    Ok(())
}

/// `glFramebufferRenderbuffer`, `glNamedFramebufferRenderbuffer`.
pub fn framebuffer_renderbuffer(
    ctx: &mut Context,
    at: impl Into<At>,
    attachment: u32,
    renderbuffertarget: u32,
    renderbuffer: u32,
) -> GlResult {
    if renderbuffertarget != gl::RENDERBUFFER {
        return Err(GlError::invalid_enum("renderbuffertarget must be GL_RENDERBUFFER"));
    }
    let place = place(ctx, at, attachment)?;
    let what = if renderbuffer == 0 {
        Attachment::None
    } else {
        let object = lock(&ctx.share.renderbuffers).get(renderbuffer).cloned();
        let missing = || GlError::invalid_operation(format!("{renderbuffer} is not a renderbuffer"));
        Attachment::Renderbuffer(object.ok_or_else(missing)?)
    };
    attach(ctx, place, what);
    Ok(())
}
