//! Framebuffers and renderbuffers by name (GL 4.6 §9).

use crate::Context;
use crate::abi::At;
use crate::clear::calls as clear;
use crate::error::ErrorCode as E;
use crate::framebuffer::calls as c;
use crate::readback::calls::blit_named_framebuffer;
use crate::renderbuffer::calls as r;
use crate::testing::{all, code, context, forget, names};
use crate::tokens as t;
use mgl_pipe::records::SetFramebufferState;
use mgl_pipe::tokens::FramebufferTarget;

/// A framebuffer with a renderbuffer, never bound.
fn framebuffer(ctx: &mut Context) -> u32 {
    let (mut name, mut storage) = ([0], [0]);
    c::create_framebuffers(ctx, &mut name).unwrap();
    r::create_renderbuffers(ctx, &mut storage).unwrap();
    r::renderbuffer_storage(ctx, At::Named(storage[0]), t::RGBA8, 8, 8).unwrap();
    let at = At::Named(name[0]);
    c::framebuffer_renderbuffer(ctx, at, t::COLOR_ATTACHMENT0, t::RENDERBUFFER, storage[0]).unwrap();
    assert_eq!(c::check_named_framebuffer_status(ctx, name[0], t::FRAMEBUFFER).unwrap(), t::FRAMEBUFFER_COMPLETE);
    name[0]
}

// A named clear would wipe the screen, or all later draws would go to the named framebuffer.
#[test]
fn clears_of_a_named_framebuffer_leave_the_bound_one_alone() {
    let mut ctx = context();
    let name = framebuffer(&mut ctx);
    clear::clear(&mut ctx, t::COLOR_BUFFER_BIT).unwrap();
    forget(&mut ctx);
    clear::clear_named_framebuffer_f(&mut ctx, name, t::COLOR, 0, &[1.0; 4]).unwrap();
    let target = |ctx: &mut Context| {
        let sent = all::<SetFramebufferState>(ctx);
        let draw = sent.iter().rfind(|(head, _)| head.target == FramebufferTarget::Draw);
        draw.map(|(head, _)| head.is_default.get())
    };
    assert_eq!(target(&mut ctx), Some(false));
    assert_eq!((ctx.framebuffer.draw, ctx.framebuffer.read), (0, 0));
    forget(&mut ctx);
    clear::clear(&mut ctx, t::COLOR_BUFFER_BIT).unwrap();
    assert_eq!(target(&mut ctx), Some(true), "the bound framebuffer is cleared");
    forget(&mut ctx);
    clear::clear_named_framebuffer_f(&mut ctx, 0, t::COLOR, 0, &[1.0; 4]).unwrap();
    assert_eq!(names(&mut ctx), ["clear"], "the bound one, named");
}

// A blit between named framebuffers would read the screen, or draw on it.
#[test]
fn blits_name_both_sides() {
    let mut ctx = context();
    let name = framebuffer(&mut ctx);
    forget(&mut ctx);
    let blit = |ctx: &mut Context, read, draw| {
        blit_named_framebuffer(ctx, read, draw, 0, 0, 8, 8, 0, 0, 8, 8, t::COLOR_BUFFER_BIT, t::NEAREST)
    };
    blit(&mut ctx, name, 0).unwrap();
    let sent = all::<SetFramebufferState>(&mut ctx);
    let of = |target| sent.iter().rfind(|(h, _)| h.target == target).map(|(h, _)| h.is_default.get());
    assert_eq!((of(FramebufferTarget::Read), of(FramebufferTarget::Draw)), (Some(false), Some(true)));
    assert_eq!(code(blit(&mut ctx, 77, 0)), E::InvalidOperation);
    assert_eq!(code(blit(&mut ctx, 0, 77)), E::InvalidOperation);
    let mut empty = [0];
    c::create_framebuffers(&mut ctx, &mut empty).unwrap();
    assert_eq!(code(blit(&mut ctx, 0, empty[0])), E::InvalidFramebufferOperation);
    assert_eq!((ctx.framebuffer.target(false), ctx.framebuffer.target(true)), (0, 0), "an error leaves no trace");
}

// Draw buffers set by name would change the framebuffer that is bound.
#[test]
fn buffers_of_a_named_framebuffer_are_selected() {
    let mut ctx = context();
    let name = framebuffer(&mut ctx);
    c::named_framebuffer_draw_buffers(&mut ctx, name, &[t::NONE, t::COLOR_ATTACHMENT0]).unwrap();
    c::named_framebuffer_read_buffer(&mut ctx, name, t::NONE).unwrap();
    let fbo = ctx.framebuffer.get(name);
    assert_eq!((fbo.draw[0], fbo.draw[1], fbo.read), (t::NONE, t::COLOR_ATTACHMENT0, t::NONE));
    assert_eq!(ctx.framebuffer.default.draw[0], t::BACK);
    c::named_framebuffer_draw_buffer(&mut ctx, 0, t::NONE).unwrap();
    assert_eq!(ctx.framebuffer.default.draw[0], t::NONE);
    assert_eq!(code(c::named_framebuffer_draw_buffer(&mut ctx, 0, t::COLOR_ATTACHMENT0)), E::InvalidOperation);
    assert_eq!(code(c::named_framebuffer_draw_buffer(&mut ctx, name, t::BACK)), E::InvalidOperation);
    assert_eq!(code(c::named_framebuffer_read_buffer(&mut ctx, name, 1)), E::InvalidEnum);
}

// A stale or merely reserved name would attach to, or clear, a framebuffer that is not there.
#[test]
fn names_without_an_object_are_refused() {
    let mut ctx = context();
    let mut reserved = [0];
    c::gen_framebuffers(&mut ctx, &mut reserved).unwrap();
    r::gen_renderbuffers(&mut ctx, &mut [0]).unwrap();
    forget(&mut ctx);
    for name in [999, reserved[0]] {
        let at = At::Named(name);
        let codes = [
            code(c::framebuffer_texture(&mut ctx, at, t::COLOR_ATTACHMENT0, 0, 0)),
            code(c::framebuffer_texture_layer(&mut ctx, at, t::COLOR_ATTACHMENT0, 0, 0, 0)),
            code(c::framebuffer_renderbuffer(&mut ctx, at, t::COLOR_ATTACHMENT0, t::RENDERBUFFER, 0)),
            code(c::framebuffer_parameter(&mut ctx, at, t::FRAMEBUFFER_DEFAULT_WIDTH, 1)),
            code(c::get_framebuffer_parameter(&mut ctx, at, t::FRAMEBUFFER_DEFAULT_WIDTH)),
            code(c::get_framebuffer_attachment_parameter(&mut ctx, at, t::COLOR_ATTACHMENT0, 0)),
            code(c::check_named_framebuffer_status(&mut ctx, name, t::FRAMEBUFFER)),
            code(c::named_framebuffer_draw_buffer(&mut ctx, name, t::NONE)),
            code(c::named_framebuffer_draw_buffers(&mut ctx, name, &[])),
            code(c::named_framebuffer_read_buffer(&mut ctx, name, t::NONE)),
            code(c::invalidate_framebuffer(&mut ctx, at, &[])),
            code(c::invalidate_sub_framebuffer(&mut ctx, at, &[], 0, 0, 1, 1)),
            code(clear::clear_named_framebuffer_f(&mut ctx, name, t::COLOR, 0, &[0.0; 4])),
            code(clear::clear_named_framebuffer_i(&mut ctx, name, t::STENCIL, 0, &[0])),
            code(clear::clear_named_framebuffer_u(&mut ctx, name, t::COLOR, 0, &[0; 4])),
            code(clear::clear_named_framebuffer_fi(&mut ctx, name, t::DEPTH_STENCIL, 0, 0.0, 0)),
            code(r::renderbuffer_storage(&mut ctx, at, t::RGBA8, 1, 1)),
            code(r::get_renderbuffer_parameter(&mut ctx, at, t::RENDERBUFFER_WIDTH)),
        ];
        assert!(codes.iter().all(|code| *code == E::InvalidOperation), "{name}: {codes:?}");
    }
    assert!(names(&mut ctx).is_empty());
    // The default framebuffer has no attachments and no parameters to set.
    let zero = At::Named(0);
    assert_eq!(code(c::framebuffer_texture(&mut ctx, zero, t::COLOR_ATTACHMENT0, 0, 0)), E::InvalidOperation);
    assert_eq!(code(c::framebuffer_parameter(&mut ctx, zero, t::FRAMEBUFFER_DEFAULT_WIDTH, 1)), E::InvalidOperation);
    assert!(c::get_framebuffer_parameter(&mut ctx, zero, t::DOUBLEBUFFER).unwrap().to_bool(0));
    assert_eq!(code(c::check_named_framebuffer_status(&mut ctx, 0, t::RENDERBUFFER)), E::InvalidEnum);
}
