//! Finished pictures on their way to windows.

use crate::framebuffer::calls as c;
use crate::present::PresentTarget;
use crate::testing::{all, clear_all, forget, names, on_window, sharing};
use crate::tokens as t;
use mgl_pipe::records::{ForgetMemory, PresentImage, ResourceCopyRegion, WaitFlow};
use mgl_pipe::tokens::PixelLayout;

/// A part of an image, at byte 1000 of memory 7, with rows of 256 bytes.
fn part([x, y, width, height]: [u32; 4]) -> PresentTarget {
    PresentTarget { memory: 7, offset: 1000, stride: 256, layout: PixelLayout::X8R8G8B8, x, y, width, height }
}

// Windows would stay empty, show another buffer than the one that was drawn to, or the session end in the middle of a resize.
#[test]
fn presents_copy_the_buffer_that_is_shown() {
    let (mut ctx, _window, surface) = on_window(true);
    let ctx = &mut ctx;
    clear_all(ctx);
    forget(ctx);
    let before = ctx.present_serial;
    assert_eq!(ctx.present(&[part([0, 0, 64, 64])]).unwrap(), before + 1);
    assert_eq!(names(ctx), ["present_image", "present"]);
    let (record, _) = all::<PresentImage>(ctx)[0];
    assert_eq!((record.image, record.memory, record.offset, record.stride), (surface.images().color, 7, 1000, 256));
    assert_eq!((record.x, record.y, record.width, record.height), (0, 0, 64, 64));
    c::draw_buffer(ctx, t::FRONT).unwrap();
    clear_all(ctx);
    forget(ctx);
    ctx.present_front(&[part([8, 8, 4, 4]), part([16, 0, 4, 4])]).unwrap();
    let front = surface.images().front();
    assert!(all::<PresentImage>(ctx).iter().all(|(record, _)| record.image == front));
    assert_eq!(names(ctx), ["present_image", "present_image", "present"]);
    forget(ctx);
    ctx.present_part(&[part([8, 8, 4, 4])]).unwrap();
    assert_eq!(names(ctx), ["present_image", "resource_copy_region", "present"]);
    let (copy, _) = all::<ResourceCopyRegion>(ctx)[0];
    assert_eq!((copy.dst_slot, copy.src.x, copy.dst, copy.src.h), (front.slot(), 8, [8, 8, 0], 4));
}

// A window that is made larger or smaller while it is drawn would end the session, or show its picture at the wrong edge.
#[test]
fn what_is_outside_of_the_image_is_not_presented() {
    let (mut ctx, _window, _surface) = on_window(true);
    clear_all(&mut ctx);
    forget(&mut ctx);
    let parts = [[0, 0, 100, 70], [64, 0, 1, 1], [0, 64, 1, 1], [60, 60, 9, 9], [0, u32::MAX, 1, u32::MAX]];
    ctx.present(&parts.map(part)).unwrap();
    let sent: Vec<_> = all::<PresentImage>(&mut ctx).iter().map(|(r, _)| (r.offset, r.width, r.height)).collect();
    assert_eq!(sent, [(1000 + 6 * 256, 64, 64), (1000 + 5 * 256, 4, 4)], "from the top, as memory goes");
}

// Memory of windows that are closed would be kept by the server for ever, or be taken away under a picture.
#[test]
fn memory_of_pictures_is_forgotten_behind_them() {
    let (mut ctx, _window, surface) = on_window(false);
    let mut other = sharing(&ctx, 2);
    other.make_current(Some(surface.clone()), Some(surface));
    clear_all(&mut ctx);
    ctx.present(&[part([0, 0, 64, 64])]).unwrap();
    let last = ctx.out.seq();
    forget(&mut other);
    other.forget_pixels(7);
    assert_eq!(all::<ForgetMemory>(&mut other)[0].0.memory, 7);
    let waits = all::<WaitFlow>(&mut other);
    assert!(waits.iter().any(|(wait, _)| (wait.flow, wait.seq) == (1, last)), "{waits:?}");
}
