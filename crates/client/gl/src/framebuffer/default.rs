//! The default framebuffer: when it takes up the size of its window, which buffers its tokens name, its front buffer. Must not
//! know window systems.

use super::emit::{declare, note_writes};
use crate::context::Context;
use crate::error::GlResult;
use crate::surface::{Images, Surface};
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_pipe::Box3;
use mgl_pipe::records::ResourceCopyRegion;
use mgl_pipe::tokens::ResourceTarget;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Index of the buffer that is drawn to without being asked for: the back one, or the front one without a back one.
pub(crate) const MAIN: usize = 0;
/// Index of the front buffer beside a back buffer.
pub(crate) const FRONT: usize = 1;

/// Frames after which a size that was no window's is asked for again.
const FORGET_AFTER: u64 = 64;
/// Questions for the exact size in one frame, at most.
const QUESTIONS: u32 = 2;

/// State of the default framebuffer in one context.
#[derive(Debug, Default)]
pub struct DefaultState {
    /// What draws (0) and reads (1) use: the surfaces' storage when it was last taken up.
    pub(crate) images: [Option<Arc<Images>>; 2],
    /// The size may have changed: look before the next use.
    pub(crate) look: bool,
    /// The front buffer of the draw surface has been drawn to since it was last shown.
    pub(crate) front_drawn: bool,
    /// Times that it was shown.
    pub(crate) frame: u64,
    /// Sizes that viewports named and the window did not have, and in which frame it was asked.
    refuted: Vec<((u32, u32), u64)>,
    /// Questions in this frame.
    questions: u32,
}

impl DefaultState {
    /// A picture was shown; the window may have another size for the next one.
    pub(crate) fn next_frame(&mut self) {
        self.frame += 1;
        self.questions = 0;
    }
    /// Whether a size that a viewport names is worth a round trip.
    fn worth_asking(&mut self, size: (u32, u32)) -> bool {
        let frame = self.frame;
        self.refuted.retain(|(_, asked)| frame - asked < FORGET_AFTER);
        self.questions < QUESTIONS && !self.refuted.iter().any(|(refuted, _)| *refuted == size)
    }
    /// The window does not have that size.
    fn refute(&mut self, size: (u32, u32)) {
        self.refuted.push((size, self.frame));
    }
}

/// The surface that draws or reads use.
pub(super) fn surface(ctx: &Context, read: bool) -> Option<&Arc<Surface>> {
    if read { ctx.read_surface.as_ref() } else { ctx.draw_surface.as_ref() }
}

/// Takes up a new size of the window, the first time that the default framebuffer is used after one was possible.
pub(crate) fn look(ctx: &mut Context) {
    if std::mem::take(&mut ctx.framebuffer.window.look) {
        take_up(ctx, false);
    }
}

/// What the surfaces are now is what draws and reads use from here on.
pub(crate) fn take_up(ctx: &mut Context, exact: bool) {
    let (draw, read) = (ctx.draw_surface.clone(), ctx.read_surface.clone());
    let drawn = draw.as_ref().map(|surface| surface.take_size(exact));
    let same = matches!((&draw, &read), (Some(draw), Some(read)) if Arc::ptr_eq(draw, read));
    let read = if same { drawn.clone() } else { read.map(|surface| surface.take_size(exact)) };
    let next = [drawn, read];
    let kept = |(a, b): (&Option<Arc<Images>>, &Option<Arc<Images>>)| {
        a.as_ref().map(Arc::as_ptr) == b.as_ref().map(Arc::as_ptr)
    };
    if ctx.framebuffer.window.images.iter().zip(&next).all(kept) {
        return;
    }
    note_writes(ctx);
    ctx.framebuffer.window.images = next;
    ctx.framebuffer.draw_checked = None;
    ctx.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
}

/// Tokens of the default framebuffer's colour buffers; `None` for other tokens. There is no stereo, so the right buffers do
/// not exist, and without a back buffer the back ones do not (GL 4.6 table 17.4).
pub(super) fn exists(ctx: &Context, read: bool, token: u32) -> Option<bool> {
    let back = surface(ctx, read).is_none_or(|surface| surface.desc.double_buffer);
    match token {
        gl::NONE | gl::FRONT | gl::LEFT | gl::FRONT_AND_BACK | gl::FRONT_LEFT => Some(true),
        gl::BACK | gl::BACK_LEFT => Some(back),
        gl::RIGHT | gl::FRONT_RIGHT | gl::BACK_RIGHT => Some(false),
        _ => None,
    }
}

/// The buffer that a token names, of those that exist. Of several, draws use the back one and reads the front one
/// (GL 4.6 §18.2.1).
pub(super) fn index(surface: Option<&Arc<Surface>>, read: bool, token: u32) -> Option<usize> {
    let double = surface.is_some_and(|surface| surface.desc.double_buffer);
    match token {
        gl::NONE => None,
        gl::FRONT | gl::FRONT_LEFT if double => Some(FRONT),
        gl::LEFT if double && read => Some(FRONT),
        _ => Some(MAIN),
    }
}

/// Both buffers are drawn to.
fn both(token: u32) -> bool {
    matches!(token, gl::LEFT | gl::FRONT_AND_BACK)
}

/// Draws so far went to the default framebuffer.
pub(super) fn noted(ctx: &mut Context) {
    let (Some(surface), Some(images)) = (&ctx.draw_surface, &ctx.framebuffer.window.images[0]) else { return };
    let tokens = ctx.framebuffer.default.draw;
    let named = |wanted| tokens.iter().any(|token| index(Some(surface), false, *token) == Some(wanted));
    ctx.out.wrote(&images.last_write);
    let mirrored = surface.desc.double_buffer && tokens.iter().any(|token| both(*token));
    if mirrored {
        images.front_lags.store(true, Ordering::Release);
    }
    ctx.framebuffer.window.front_drawn |= mirrored || named(if surface.desc.double_buffer { FRONT } else { MAIN });
}

/// Declares the storage of a surface, the first time any context uses it.
pub(super) fn define(ctx: &mut Context, surface: &Surface, images: &Images) -> GlResult {
    if !images.take_undefined() {
        ctx.out.writes(&images.last_write)?;
        return Ok(());
    }
    declare_part(ctx, surface, images, images.color)?;
    if let Some(format) = surface.desc.depth_stencil {
        declare(ctx, images.depth_stencil, format, images.size, surface.desc.samples)?;
    }
    images.last_write.set(ctx.out.flow(), ctx.out.seq());
    Ok(())
}

fn declare_part(ctx: &mut Context, surface: &Surface, images: &Images, part: Handle<Renderbuffer>) -> GlResult {
    declare(ctx, part, surface.desc.color, images.size, surface.desc.samples)
}

/// The front buffer beside the back buffer. When it is made, it is what the back buffer is: the picture that was presented
/// last, unless something was drawn since. Later it gets what was drawn to both buffers.
pub(super) fn front(ctx: &mut Context, surface: &Surface, images: &Images) -> GlResult<Handle<Renderbuffer>> {
    define(ctx, surface, images)?;
    let (front, new) = images.make_front();
    if new {
        declare_part(ctx, surface, images, front)?;
    }
    let lags = images.front_lags.swap(false, Ordering::AcqRel);
    if lags || new {
        copy_to_front(ctx, images, front, whole(images))?;
    }
    Ok(front)
}

/// All of an image: left, bottom, columns, rows.
pub(crate) fn whole(images: &Images) -> [u32; 4] {
    [0, 0, images.size.0, images.size.1]
}

/// The buffer that is shown.
pub(crate) fn shown(
    ctx: &mut Context,
    surface: &Surface,
    images: &Images,
    front: bool,
) -> GlResult<Handle<Renderbuffer>> {
    if front && surface.desc.double_buffer {
        return self::front(ctx, surface, images);
    }
    define(ctx, surface, images)?;
    Ok(images.color)
}

/// A part of the front buffer becomes what the back buffer is.
pub(crate) fn copy_to_front(
    ctx: &mut Context,
    images: &Images,
    front: Handle<Renderbuffer>,
    [x, y, w, h]: [u32; 4],
) -> GlResult {
    let (x, y) = (x.cast_signed(), y.cast_signed());
    ctx.out.writes(&images.last_write)?;
    ctx.out.push(&ResourceCopyRegion {
        src_target: ResourceTarget::Renderbuffer,
        dst_target: ResourceTarget::Renderbuffer,
        src_slot: images.color.slot(),
        src_generation: images.color.generation(),
        dst_slot: front.slot(),
        dst_generation: front.generation(),
        src: Box3 { x, y, z: 0, w, h, d: 1 },
        dst: [x, y, 0],
        ..Default::default()
    })?;
    images.last_write.set(ctx.out.flow(), ctx.out.seq());
    Ok(())
}

/// What was drawn to both buffers reaches the front one before it is read.
pub(super) fn catch_up(ctx: &mut Context) {
    let reads_front = index(ctx.read_surface.as_ref(), true, ctx.framebuffer.default.read) == Some(FRONT);
    if !reads_front {
        return;
    }
    note_writes(ctx);
    let images = ctx.framebuffer.window.images[1].as_ref();
    if images.is_some_and(|images| images.front_lags.load(Ordering::Acquire)) {
        ctx.dirty |= Dirty::READ_FRAMEBUFFER;
    }
}

impl Context {
    /// A viewport from the origin is meant for the whole window: when it is not the surface's size, the program may have
    /// learned of a new one before this side did.
    pub(crate) fn viewport_named(&mut self, origin: [i32; 2], size: [i32; 2]) {
        let [Ok(width), Ok(height)] = size.map(u32::try_from) else { return };
        let named = (width, height);
        let hosted = self.draw_surface.as_ref().filter(|surface| surface.host().is_some());
        let Some(surface) = hosted.filter(|_| self.framebuffer.draw == 0).cloned() else { return };
        if origin != [0, 0] || width == 0 || height == 0 || surface.size() == named {
            return;
        }
        let window = &mut self.framebuffer.window;
        let exact = window.worth_asking(named);
        window.questions += u32::from(exact);
        window.look = false;
        take_up(self, exact);
        if exact && surface.size() != named {
            self.framebuffer.window.refute(named);
        }
    }

    /// True when the front buffer of the draw surface has been drawn to since it was last shown.
    pub fn front_is_dirty(&mut self) -> bool {
        note_writes(self);
        self.framebuffer.window.front_drawn
    }

    /// Has a front buffer that was drawn to shown, where there is somebody who shows it (`glFlush`, `glFinish`, leaving).
    pub(crate) fn show_front(&mut self) {
        if !self.front_is_dirty() {
            return;
        }
        self.framebuffer.window.front_drawn = false;
        let host = self.draw_surface.as_ref().and_then(|surface| surface.host().cloned());
        if let Some(host) = host {
            host.flushed(self);
        }
    }
}
