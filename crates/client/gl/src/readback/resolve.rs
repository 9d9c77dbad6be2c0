//! Reads of a multisampled default framebuffer: GL resolves it without being asked (GL 4.6 §18.2.2 has no error for it, unlike for
//! framebuffer objects), the pipe reads single-sampled surfaces only. Made of the commands a program would use.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls as framebuffer;
use crate::framebuffer::emit::read_any;
use crate::pixel::client::Class;
use crate::pixel::source::ReadSource;
use crate::readback::calls::blit_framebuffer;
use crate::renderbuffer::calls as renderbuffer;
use crate::tokens as gl;

/// True when the read framebuffer is a default framebuffer with samples.
pub(crate) fn needed(ctx: &mut Context) -> GlResult<bool> {
    Ok(ctx.framebuffer.read == 0 && read_any(ctx)?.samples > 1)
}

/// What of the framebuffer a read wants: blit mask, format, attachment point.
fn wanted(source: &ReadSource, class: Class) -> GlResult<(u32, u32, u32)> {
    let part = match class {
        Class::Color | Class::Integer => (gl::COLOR_BUFFER_BIT, source.color, gl::COLOR_ATTACHMENT0),
        Class::Depth => (gl::DEPTH_BUFFER_BIT, source.depth, gl::DEPTH_ATTACHMENT),
        Class::Stencil => (gl::STENCIL_BUFFER_BIT, source.stencil, gl::STENCIL_ATTACHMENT),
        Class::DepthStencil => {
            (gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT, source.depth, gl::DEPTH_STENCIL_ATTACHMENT)
        }
    };
    let (mask, Some(format), point) = part else {
        return Err(GlError::invalid_operation("the framebuffer has no buffer of this kind"));
    };
    let point = if format.has_depth() && format.has_stencil() { gl::DEPTH_STENCIL_ATTACHMENT } else { point };
    Ok((mask, format.info().gl, point))
}

/// Runs `body` with a single-sampled copy as the read framebuffer.
pub(crate) fn with_copy<R>(
    ctx: &mut Context,
    class: Class,
    body: impl FnOnce(&mut Context) -> GlResult<R>,
) -> GlResult<R> {
    let source = read_any(ctx)?;
    let (mask, format, point) = wanted(&source, class)?;
    let draw = ctx.framebuffer.draw;
    let bound = ctx.renderbuffer.bound.clone();
    let scissor = ctx.render_state.dynamic.scissor_enabled;
    let (mut fbo, mut storage) = ([0], [0]);
    framebuffer::gen_framebuffers(ctx, &mut fbo)?;
    renderbuffer::gen_renderbuffers(ctx, &mut storage)?;
    let done = copy(ctx, &source, fbo[0], storage[0], (mask, format, point)).and_then(|()| {
        framebuffer::bind_framebuffer(ctx, gl::READ_FRAMEBUFFER, fbo[0])?;
        body(ctx)
    });
    framebuffer::bind_framebuffer(ctx, gl::READ_FRAMEBUFFER, 0)?;
    framebuffer::bind_framebuffer(ctx, gl::DRAW_FRAMEBUFFER, draw)?;
    framebuffer::delete_framebuffers(ctx, &fbo)?;
    renderbuffer::delete_renderbuffers(ctx, &storage)?;
    ctx.renderbuffer.bound = bound;
    ctx.put_dynamic(|b| &mut b.scissor_enabled, scissor);
    done
}

impl Context {
    /// Runs `body` with a single-sampled copy of the default framebuffer as the read framebuffer.
    pub(crate) fn with_resolved<R>(
        &mut self,
        class: Class,
        body: impl FnOnce(&mut Context) -> GlResult<R>,
    ) -> GlResult<R> {
        with_copy(self, class, body)
    }
}

fn copy(ctx: &mut Context, source: &ReadSource, fbo: u32, storage: u32, part: (u32, u32, u32)) -> GlResult {
    let (mask, format, point) = part;
    let [width, height] = source.size.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    renderbuffer::bind_renderbuffer(ctx, gl::RENDERBUFFER, storage)?;
    renderbuffer::renderbuffer_storage(ctx, gl::RENDERBUFFER, format, width, height)?;
    framebuffer::bind_framebuffer(ctx, gl::DRAW_FRAMEBUFFER, fbo)?;
    framebuffer::framebuffer_renderbuffer(ctx, gl::DRAW_FRAMEBUFFER, point, gl::RENDERBUFFER, storage)?;
    if mask & gl::COLOR_BUFFER_BIT == 0 {
        framebuffer::draw_buffer(ctx, gl::NONE)?;
        framebuffer::bind_framebuffer(ctx, gl::READ_FRAMEBUFFER, fbo)?;
        framebuffer::read_buffer(ctx, gl::NONE)?;
        framebuffer::bind_framebuffer(ctx, gl::READ_FRAMEBUFFER, 0)?;
    }
    // The scissor test cuts blits, but not reads.
    ctx.put_dynamic(|b| &mut b.scissor_enabled, 0);
    blit_framebuffer(ctx, 0, 0, width, height, 0, 0, width, height, mask, gl::NEAREST)
}
