//! Commands of this group. Must not push records of another group.

use crate::abi::{At, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal;
use crate::renderbuffer::state::{Renderbuffer, Shape};
use crate::share::lock;
use crate::tokens as gl;
use mgl_pipe::records::{ResourceCreate, ResourceDesc, ResourceRespecify};
use mgl_pipe::tokens::ResourceTarget;
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn check_target(target: u32) -> GlResult {
    if target == gl::RENDERBUFFER {
        return Ok(());
    }
    Err(GlError::invalid_enum("target must be GL_RENDERBUFFER"))
}

/// The renderbuffer that a command works on.
fn subject(ctx: &Context, at: At) -> GlResult<Arc<Renderbuffer>> {
    match at {
        At::Target(target) => {
            check_target(target)?;
            ctx.renderbuffer.bound.clone().ok_or_else(|| GlError::invalid_operation("no renderbuffer is bound"))
        }
        At::Named(name) => lock(&ctx.share.renderbuffers)
            .get(name)
            .cloned()
            .ok_or_else(|| GlError::invalid_operation(format!("{name} is not a renderbuffer object"))),
    }
}

/// `glBindRenderbuffer`.
pub fn bind_renderbuffer(ctx: &mut Context, target: u32, renderbuffer: u32) -> GlResult {
    check_target(target)?;
    if renderbuffer == 0 {
        ctx.renderbuffer.bound = None;
        return Ok(());
    }
    let instance = &ctx.instance;
    let object = lock(&ctx.share.renderbuffers)
        .get_or_create(renderbuffer, || Renderbuffer::new(instance, renderbuffer))
        .ok_or_else(|| GlError::invalid_operation(format!("{renderbuffer} is not a name from glGenRenderbuffers")))?;
    ctx.renderbuffer.bound = Some(object);
    Ok(())
}

/// `glBindRenderbufferEXT`: the name may be the program's own (EXT_framebuffer_object §4.4.2.1).
pub fn bind_renderbuffer_ext(ctx: &mut Context, target: u32, renderbuffer: u32) -> GlResult {
    check_target(target)?;
    if renderbuffer != 0 && !lock(&ctx.share.renderbuffers).adopt(renderbuffer) {
        return Err(GlError::out_of_memory("the name is too large to have an object"));
    }
    bind_renderbuffer(ctx, target, renderbuffer)
}

/// `glDeleteRenderbuffers`.
pub fn delete_renderbuffers(ctx: &mut Context, renderbuffers: &[u32]) -> GlResult {
    for &name in renderbuffers {
        let Some(object) = lock(&ctx.share.renderbuffers).delete(name) else { continue };
        if ctx.renderbuffer.bound.as_ref().is_some_and(|b| Arc::ptr_eq(b, &object)) {
            ctx.renderbuffer.bound = None;
        }
        ctx.detach_renderbuffer(&object);
    }
    Ok(())
}

/// `glGenRenderbuffers`.
pub fn gen_renderbuffers(ctx: &mut Context, renderbuffers: &mut [u32]) -> GlResult {
    let mut table = lock(&ctx.share.renderbuffers);
    renderbuffers.fill_with(|| table.reserve());
    Ok(())
}

/// `glIsRenderbuffer`.
pub fn is_renderbuffer(ctx: &mut Context, renderbuffer: u32) -> GlResult<bool> {
    Ok(lock(&ctx.share.renderbuffers).get(renderbuffer).is_some())
}

/// `glCreateRenderbuffers`: the objects exist at once.
pub fn create_renderbuffers(ctx: &mut Context, renderbuffers: &mut [u32]) -> GlResult {
    let mut table = lock(&ctx.share.renderbuffers);
    for name in renderbuffers {
        *name = table.reserve();
        table.get_or_create(*name, || Renderbuffer::new(&ctx.instance, *name));
    }
    Ok(())
}

/// `glRenderbufferStorage`, `glNamedRenderbufferStorage`.
pub fn renderbuffer_storage(
    ctx: &mut Context,
    at: impl Into<At>,
    internalformat: u32,
    width: i32,
    height: i32,
) -> GlResult {
    renderbuffer_storage_multisample(ctx, at, 0, internalformat, width, height)
}

/// `glRenderbufferStorageMultisample`, `glNamedRenderbufferStorageMultisample` (GL 4.6 §9.2.4).
pub fn renderbuffer_storage_multisample(
    ctx: &mut Context,
    at: impl Into<At>,
    samples: i32,
    internalformat: u32,
    width: i32,
    height: i32,
) -> GlResult {
    let rb = subject(ctx, at.into())?;
    let caps = &ctx.instance.caps;
    let format = internal::choose_renderable(caps, internalformat)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{internalformat:04X} cannot be rendered to")))?;
    let max = match caps.limits.max_renderbuffer_size {
        0 => 1024,
        n => n,
    };
    if width < 0 || height < 0 || width as u32 > max || height as u32 > max {
        return Err(GlError::invalid_value(format!("renderbuffers are at most {max} x {max}")));
    }
    if samples < 0 {
        return Err(GlError::invalid_value("samples cannot be negative"));
    }
    let most = internal::max_samples(caps, format);
    if most != 0 && samples as u32 > most {
        return Err(GlError::invalid_operation(format!("{samples} samples, the format has at most {most}")));
    }
    let samples = if most == 0 { samples as u32 } else { internal::round_samples(caps, format, samples as u32) };
    let shape = Shape {
        width: width as u32,
        height: height as u32,
        format: Some(format),
        internal: internalformat,
        samples: if samples <= 1 { 0 } else { samples },
    };
    rb.set_shape(shape);
    declare(ctx, &rb, &shape)?;
    ctx.share.texture_shape.bump();
    Ok(())
}

fn declare(ctx: &mut Context, rb: &Renderbuffer, shape: &Shape) -> GlResult {
    let Some(format) = shape.format.filter(|_| shape.width > 0 && shape.height > 0) else { return Ok(()) };
    ctx.out.writes(&rb.last_write)?;
    let desc = ResourceDesc {
        slot: rb.handle.slot(),
        generation: rb.handle.generation(),
        target: ResourceTarget::Renderbuffer,
        format: format as u16,
        levels: 1,
        width: shape.width,
        height: shape.height,
        depth: 1,
        layers: 1,
        samples: shape.samples.max(1),
        debug_name: rb.name,
        ..Default::default()
    };
    if rb.crossed.swap(true, Ordering::AcqRel) {
        ctx.out.push(&ResourceRespecify { desc, ..Default::default() })?;
    } else {
        ctx.out.push(&ResourceCreate { desc })?;
    }
    rb.last_write.set(ctx.out.flow(), ctx.out.seq());
    Ok(())
}

/// `glGetRenderbufferParameteriv`, `glGetNamedRenderbufferParameteriv`.
pub fn get_renderbuffer_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<Values> {
    let rb = subject(ctx, at.into())?;
    let shape = rb.shape();
    let bits = |i: usize| Values::int(shape.format.map_or(0u8, |f| f.info().bits[i]));
    Ok(match pname {
        gl::RENDERBUFFER_WIDTH => Values::int(shape.width),
        gl::RENDERBUFFER_HEIGHT => Values::int(shape.height),
        gl::RENDERBUFFER_INTERNAL_FORMAT => Values::int(if shape.internal == 0 { gl::RGBA } else { shape.internal }),
        gl::RENDERBUFFER_SAMPLES => Values::int(shape.samples),
        gl::RENDERBUFFER_RED_SIZE => bits(0),
        gl::RENDERBUFFER_GREEN_SIZE => bits(1),
        gl::RENDERBUFFER_BLUE_SIZE => bits(2),
        gl::RENDERBUFFER_ALPHA_SIZE => bits(3),
        gl::RENDERBUFFER_DEPTH_SIZE => bits(4),
        gl::RENDERBUFFER_STENCIL_SIZE => bits(5),
        _ => return Err(GlError::invalid_enum(format!("0x{pname:04X} is not a renderbuffer parameter"))),
    })
}
