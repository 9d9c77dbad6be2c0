//! Antialiased buffers of the default framebuffer with one sample for each pixel, to be shown. Must not know where they go.

use super::emit::declare;
use crate::context::Context;
use crate::error::GlResult;
use crate::surface::{Images, Surface};
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_pipe::Bool8;
use mgl_pipe::records::{Blit, SetFramebufferState, Surface as Attached};
use mgl_pipe::tokens::{Aspects, FramebufferTarget, SurfaceKind};

/// One of the surface's buffers, with its samples averaged if it has several.
pub(crate) fn resolved(
    ctx: &mut Context,
    surface: &Surface,
    images: &Images,
    image: Handle<Renderbuffer>,
) -> GlResult<Handle<Renderbuffer>> {
    if surface.desc.samples <= 1 {
        return Ok(image);
    }
    let (flat, new) = images.make_flat();
    if new {
        declare(ctx, flat, surface.desc.color, images.size, 1)?;
    }
    // The scissor test cuts blits, but not what is shown.
    let scissor = ctx.render_state.dynamic.scissor_enabled;
    ctx.put_dynamic(|b| &mut b.scissor_enabled, 0);
    ctx.push_render_state()?;
    for (target, from, samples) in
        [(FramebufferTarget::Read, image, surface.desc.samples), (FramebufferTarget::Draw, flat, 1)]
    {
        ctx.out.push(&state(ctx, surface, images, (target, from, samples)))?;
    }
    let (w, h) = (images.size.0.cast_signed(), images.size.1.cast_signed());
    let aspects = u32::from(Aspects::Color.0);
    ctx.out.push(&Blit { src: [0, 0, w, h], dst: [0, 0, w, h], aspects, ..Default::default() })?;
    ctx.put_dynamic(|b| &mut b.scissor_enabled, scissor);
    ctx.framebuffer.sent = [None, None];
    ctx.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
    Ok(flat)
}

fn state(
    ctx: &Context,
    surface: &Surface,
    images: &Images,
    (target, image, samples): (FramebufferTarget, Handle<Renderbuffer>, u32),
) -> SetFramebufferState {
    let attached = Attached {
        slot: image.slot(),
        generation: image.generation(),
        kind: SurfaceKind::Renderbuffer,
        format: surface.desc.color as u16,
        ..Default::default()
    };
    let mut state = SetFramebufferState {
        fbo: ctx.framebuffer.default.handle,
        target,
        is_default: Bool8::new(true),
        complete: Bool8::new(true),
        fixed_sample_locations: Bool8::new(true),
        samples: samples as u16,
        width: images.size.0,
        height: images.size.1,
        layers: 1,
        read: attached,
        ..Default::default()
    };
    state.color[0] = attached;
    state.draw_buffers = std::array::from_fn(|index| if index == 0 { 0 } else { -1 });
    state
}
