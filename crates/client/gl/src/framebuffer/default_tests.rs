//! The default framebuffer on surfaces of windows, with and without a back buffer.

use super::calls as c;
use crate::abi::Values;
use crate::clear::calls as clear;
use crate::context::Context;
use crate::draw::calls as draw;
use crate::error::ErrorCode;
use crate::readback::calls as rb;
use crate::surface::{Surface, SurfaceDesc};
use crate::testing::{all, clear_all, code, forget, names, on_window, recorder, window_desc as desc};
use crate::tokens as t;
use crate::{PixelsOut, TexImage, render_state::calls as state};
use mgl_pipe::records::{
    CopyFramebufferToTexture, Present, ResourceCopyRegion, ResourceCreate, ResourceDestroy, SetFramebufferState,
};
use mgl_pipe::tokens::PixelLayout;
use std::sync::Arc;

fn read_pixel(ctx: &mut Context) {
    recorder(ctx).answers.push_back(vec![0; 4]);
    rb::read_pixels(ctx, 0, 0, 1, 1, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut [0; 4])).unwrap();
}

fn int(values: Values) -> i64 {
    values.to_int(0, 32)
}

fn get(ctx: &mut Context, pname: u32) -> i64 {
    int(crate::get::calls::get(ctx, pname).unwrap())
}

/// Sizes of the draw framebuffers that were pushed since last asked.
fn pushed_sizes(ctx: &mut Context) -> Vec<(u32, u32)> {
    let sizes = all::<SetFramebufferState>(ctx).iter().map(|(state, _)| (state.width, state.height)).collect();
    forget(ctx);
    sizes
}

// A window that is made larger would show its old picture stretched or cut, or a frame would be drawn half and half.
#[test]
fn a_new_size_holds_from_the_first_draw_of_the_next_frame() {
    let (mut ctx, window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    assert_eq!(pushed_sizes(ctx), [(64, 64)]);
    window.becomes((100, 50), true);
    draw::draw_arrays(ctx, t::POINTS, 0, 1).unwrap();
    assert_eq!((pushed_sizes(ctx), surface.size()), (vec![], (64, 64)), "no frame has two sizes");
    ctx.present(&[]).unwrap();
    assert_eq!((surface.size(), surface.age()), ((64, 64), 1), "until something is drawn");
    window.becomes((120, 60), true);
    clear_all(ctx);
    assert_eq!((surface.size(), surface.age()), ((120, 60), 0));
    let created: Vec<(u32, u32)> =
        all::<ResourceCreate>(ctx).iter().map(|(head, _)| (head.desc.width, head.desc.height)).collect();
    assert_eq!(created, [(120, 60); 2], "colour and depth");
    assert_eq!(all::<ResourceDestroy>(ctx).len(), 2, "the old storage is gone");
    assert_eq!(pushed_sizes(ctx), [(120, 60)]);
    let viewport = crate::get::calls::get(ctx, t::VIEWPORT).unwrap();
    assert_eq!((viewport.to_int(2, 32), viewport.to_int(3, 32)), (64, 64), "the program's business");
    ctx.present(&[]).unwrap();
    assert_eq!(surface.age(), 1);
    window.becomes((10, 10), true);
    assert_eq!(ctx.buffer_age(), 0, "a program that asks first draws all of it");
    window.becomes((20, 20), true);
    assert_eq!(ctx.buffer_age(), 0);
    clear_all(ctx);
    assert_eq!(pushed_sizes(ctx), [(10, 10)], "what it was told the age of");
}

// Reads right after a resize would take pixels of the old window.
#[test]
fn reads_and_framebuffer_objects_know_the_new_size() {
    let (mut ctx, window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    ctx.present(&[]).unwrap();
    window.becomes((20, 20), true);
    let mut fbo = [0];
    c::gen_framebuffers(ctx, &mut fbo).unwrap();
    c::bind_framebuffer(ctx, t::FRAMEBUFFER, fbo[0]).unwrap();
    assert_eq!(code(clear::clear(ctx, t::COLOR_BUFFER_BIT)), ErrorCode::InvalidFramebufferOperation);
    assert_eq!(surface.size(), (64, 64), "not used");
    c::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, 0).unwrap();
    forget(ctx);
    read_pixel(ctx);
    assert_eq!(surface.size(), (20, 20));
    assert_eq!(pushed_sizes(ctx), [(20, 20)]);
}

// A program that has heard of the new size before this side would draw one frame too small; one that draws many small
// views into its window would wait for the window system with each of them.
#[test]
fn viewports_tell_of_sizes() {
    let (mut ctx, window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    state::viewport(ctx, 0, 0, 64, 64).unwrap();
    assert_eq!(window.count().0, 0, "what it has");
    window.becomes((300, 200), false);
    state::viewport(ctx, 0, 0, 300, 200).unwrap();
    assert_eq!((window.count().0, surface.size()), (1, (300, 200)));
    window.becomes((300, 200), true);
    for _ in 0..50 {
        state::viewport(ctx, 0, 0, 30, 30).unwrap();
        state::viewport(ctx, 30, 0, 30, 30).unwrap();
        clear_all(ctx);
        ctx.present(&[]).unwrap();
    }
    assert_eq!((window.count().0, surface.size()), (2, (300, 200)), "once for all of them");
    for size in 1..20 {
        state::viewport(ctx, 0, 0, size, size).unwrap();
    }
    assert!(window.count().0 <= 4, "two in a frame");
    let mut fbo = [0];
    c::gen_framebuffers(ctx, &mut fbo).unwrap();
    ctx.present(&[]).unwrap();
    c::bind_framebuffer(ctx, t::FRAMEBUFFER, fbo[0]).unwrap();
    let before = window.count().0;
    state::viewport(ctx, 0, 0, 40, 40).unwrap();
    assert_eq!(window.count().0, before, "the viewport is for a texture");
}

// A window without a size, or a giant one, would end the session.
#[test]
fn absurd_sizes_are_cut() {
    let (mut ctx, window, surface) = on_window(true);
    window.becomes((0, u32::MAX), true);
    ctx.make_current(Some(surface.clone()), Some(surface.clone()));
    assert_eq!(surface.size(), (1, 16384));
    *window.told.lock().unwrap() = None;
    ctx.make_current(Some(surface.clone()), Some(surface.clone()));
    assert_eq!(surface.size(), (1, 16384), "of a window that is gone");
}

// The picture of a program with a single buffer would never be seen, or be sent with every flush.
#[test]
fn flushes_show_front_buffers() {
    let (mut ctx, window, surface) = on_window(false);
    let ctx = &mut ctx;
    assert_eq!((get(ctx, t::DRAW_BUFFER), get(ctx, t::READ_BUFFER)), (i64::from(t::FRONT), i64::from(t::FRONT)));
    assert_eq!(get(ctx, t::DOUBLEBUFFER), 0);
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 0, "nothing was drawn");
    clear_all(ctx);
    assert!(ctx.front_is_dirty());
    draw::flush(ctx).unwrap();
    assert_eq!((window.count().1, all::<Present>(ctx).len()), (1, 1));
    draw::flush(ctx).unwrap();
    draw::finish(ctx).unwrap();
    assert_eq!(window.count().1, 1);
    clear_all(ctx);
    ctx.release_current();
    assert_eq!(window.count().1, 2);
    assert_eq!(Arc::strong_count(&surface), 1, "a window that is closed later takes its memory along");
    ctx.make_current(Some(surface.clone()), Some(surface));
    clear_all(ctx);
    ctx.make_current(None, None);
    assert_eq!(window.count().1, 3, "left for another surface");
}

// Flushes in the middle of a frame would show half a picture.
#[test]
fn flushes_leave_back_buffers_alone() {
    let (mut ctx, window, _surface) = on_window(true);
    let ctx = &mut ctx;
    assert_eq!((get(ctx, t::DRAW_BUFFER), get(ctx, t::READ_BUFFER)), (i64::from(t::BACK), i64::from(t::BACK)));
    assert_eq!(get(ctx, t::DOUBLEBUFFER), 1);
    clear_all(ctx);
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 0);
    c::draw_buffer(ctx, t::FRONT).unwrap();
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 0, "chosen, but not drawn to");
    clear_all(ctx);
    c::draw_buffer(ctx, t::BACK).unwrap();
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 1);
    clear_all(ctx);
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 1);
}

/// Slots of the colour buffers that the last draw framebuffer had, as its draw buffers name them.
fn drawn_to(ctx: &mut Context) -> Vec<u32> {
    let states = all::<SetFramebufferState>(ctx);
    let (state, _) =
        states.iter().rfind(|(state, _)| state.target == mgl_pipe::tokens::FramebufferTarget::Draw).unwrap();
    let buffers = state.draw_buffers.iter().filter(|index| **index >= 0);
    buffers.map(|index| state.color[*index as usize].slot).collect()
}

// Programs that draw to or read from the front buffer would get the back one.
#[test]
fn a_front_buffer_is_made_when_it_is_asked_for() {
    let (mut ctx, _window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    ctx.present(&[]).unwrap();
    let back = surface.images().color.slot();
    assert_eq!((drawn_to(ctx), surface.images().front().is_null()), (vec![back], true));
    forget(ctx);
    c::read_buffer(ctx, t::FRONT).unwrap();
    read_pixel(ctx);
    let front = surface.images().front().slot();
    let (copy, _) = all::<ResourceCopyRegion>(ctx)[0];
    assert_eq!((copy.src_slot, copy.dst_slot, copy.src.w, copy.src.h), (back, front, 64, 64), "what was presented");
    let (state, _) = all::<SetFramebufferState>(ctx)[0];
    assert_eq!(state.read.slot, front);
    c::draw_buffer(ctx, t::FRONT_LEFT).unwrap();
    forget(ctx);
    clear_all(ctx);
    assert_eq!(drawn_to(ctx), [front]);
    assert!(all::<ResourceCopyRegion>(ctx).is_empty());
    c::draw_buffers(ctx, &[t::BACK_LEFT, t::FRONT_LEFT]).unwrap();
    clear_all(ctx);
    assert_eq!(drawn_to(ctx), [back, front]);
    forget(ctx);
    ctx.present(&[]).unwrap();
    assert_eq!(names(ctx), ["resource_copy_region", "present"], "the front buffer becomes what was shown");
}

// Programs that draw to both buffers at once would find it in one.
#[test]
fn what_is_drawn_to_both_reaches_both() {
    let (mut ctx, window, surface) = on_window(true);
    let ctx = &mut ctx;
    c::draw_buffer(ctx, t::FRONT_AND_BACK).unwrap();
    c::read_buffer(ctx, t::LEFT).unwrap();
    for round in 1..3 {
        clear_all(ctx);
        forget(ctx);
        read_pixel(ctx);
        assert_eq!(all::<ResourceCopyRegion>(ctx).len(), 1, "round {round}");
        read_pixel(ctx);
        assert_eq!(all::<ResourceCopyRegion>(ctx).len(), 1, "once");
    }
    draw::flush(ctx).unwrap();
    assert_eq!(window.count().1, 1);
    assert_eq!(surface.age(), 0, "no frame has ended");
}

// A program's mistake would not be reported, or what is right refused.
#[test]
fn buffers_that_do_not_exist_are_refused() {
    let (mut ctx, _window, _surface) = on_window(false);
    let ctx = &mut ctx;
    for token in [t::BACK, t::BACK_LEFT, t::RIGHT, t::FRONT_RIGHT, t::COLOR_ATTACHMENT0] {
        assert_eq!(code(c::draw_buffer(ctx, token)), ErrorCode::InvalidOperation, "draw 0x{token:04X}");
        assert_eq!(code(c::read_buffer(ctx, token)), ErrorCode::InvalidOperation, "read 0x{token:04X}");
    }
    for token in [t::FRONT, t::FRONT_LEFT, t::LEFT, t::FRONT_AND_BACK, t::NONE] {
        c::draw_buffer(ctx, token).unwrap();
    }
    // GL 4.6 §17.4.1: GL_BACK in a list means the left buffer of single-buffered contexts.
    c::draw_buffers(ctx, &[t::BACK]).unwrap();
    assert_eq!(code(c::draw_buffers(ctx, &[t::BACK_LEFT])), ErrorCode::InvalidOperation);
    let kind = |ctx: &mut Context, token| {
        int(c::get_framebuffer_attachment_parameter(ctx, t::FRAMEBUFFER, token, t::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
            .unwrap()) as u32
    };
    assert_eq!((kind(ctx, t::FRONT_LEFT), kind(ctx, t::BACK_LEFT)), (t::FRAMEBUFFER_DEFAULT, t::NONE));
    let (mut ctx, _window, _surface) = on_window(true);
    assert_eq!(
        (kind(&mut ctx, t::FRONT_LEFT), kind(&mut ctx, t::BACK_LEFT)),
        (t::FRAMEBUFFER_DEFAULT, t::FRAMEBUFFER_DEFAULT)
    );
    assert_eq!(kind(&mut ctx, t::BACK_RIGHT), t::NONE);
}

// The picture of another window, or of a pixmap, would not become a texture, or what the program reads from would change.
#[test]
fn pictures_of_surfaces_become_textures() {
    let (mut ctx, window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    ctx.present(&[]).unwrap();
    window.becomes((20, 20), true);
    let mut names = [0; 2];
    crate::texture::calls::gen_textures(ctx, &mut names).unwrap();
    crate::texture::calls::bind_texture(ctx, t::TEXTURE_2D, names[0]).unwrap();
    c::gen_framebuffers(ctx, &mut names[1..]).unwrap();
    c::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, names[1]).unwrap();
    let single = Surface::new(&ctx.instance, SurfaceDesc { width: 16, height: 9, ..desc(false) });
    let at = TexImage { target: t::TEXTURE_2D, level: 0, alpha: true };
    forget(ctx);
    ctx.bind_tex_image(at, &single).unwrap();
    let level = |ctx: &mut Context, pname| {
        int(crate::texture::calls::get_tex_level_parameter(ctx, t::TEXTURE_2D, 0, pname).unwrap())
    };
    assert_eq!((level(ctx, t::TEXTURE_WIDTH), level(ctx, t::TEXTURE_HEIGHT)), (16, 9));
    assert_eq!(level(ctx, t::TEXTURE_INTERNAL_FORMAT), i64::from(t::RGBA8));
    let (copy, _) = all::<CopyFramebufferToTexture>(ctx)[0];
    assert_eq!((copy.src, copy.dst, copy.width, copy.height), ([0, 0], [0, 0], 16, 9));
    let (read, _) = all::<SetFramebufferState>(ctx)[0];
    assert_eq!((read.read.slot, read.width), (single.images().color.slot(), 16));
    assert_eq!(get(ctx, t::READ_FRAMEBUFFER_BINDING), i64::from(names[1]));
    c::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, 0).unwrap();
    forget(ctx);
    read_pixel(ctx);
    assert_eq!((surface.size(), pushed_sizes(ctx)), ((20, 20), vec![(20, 20)]), "its own window is looked at still");
    ctx.bind_tex_image(TexImage { alpha: false, ..at }, &single).unwrap();
    assert_eq!(level(ctx, t::TEXTURE_INTERNAL_FORMAT), i64::from(t::RGB8));
    ctx.texture.pixel.unpack.skip_rows = 3;
    ctx.upload_tex_image(at, (3, 2), PixelLayout::R5G6B5, &[0; 12]).unwrap();
    assert_eq!((level(ctx, t::TEXTURE_WIDTH), level(ctx, t::TEXTURE_RED_SIZE)), (3, 8));
    assert_eq!(ctx.texture.pixel.unpack.skip_rows, 3, "the program's");
    let short = ctx.upload_tex_image(at, (3, 2), PixelLayout::A8R8G8B8, &[0; 12]);
    assert_eq!(code(short), ErrorCode::InvalidOperation);
}

// Two windows of a program would show each other's pictures, or one of them its old size for ever.
#[test]
fn contexts_that_share_a_window_follow_each_other() {
    let (mut ctx, window, surface) = on_window(true);
    let mut other = crate::testing::sharing(&ctx, 2);
    other.make_current(Some(surface.clone()), Some(surface.clone()));
    clear_all(&mut ctx);
    clear_all(&mut other);
    window.becomes((30, 30), true);
    ctx.present(&[]).unwrap();
    forget(&mut ctx);
    clear_all(&mut ctx);
    assert_eq!(pushed_sizes(&mut ctx), [(30, 30)]);
    ctx.emit_deaths();
    assert!(all::<ResourceDestroy>(&mut ctx).is_empty(), "the other context still draws to it");
    forget(&mut other);
    other.present(&[]).unwrap();
    clear_all(&mut other);
    assert_eq!(all::<ResourceDestroy>(&mut other).len(), 2, "now nobody does");
    assert_eq!(pushed_sizes(&mut other), [(30, 30)]);
}
