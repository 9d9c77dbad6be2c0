//! Which surfaces a context has, and how what it drew is shown: frame boundaries, finished pictures for windows. Must not know
//! window systems.

use crate::context::Context;
use crate::error::GlResult;
use crate::framebuffer::default;
use crate::framebuffer::resolved::resolved;
use crate::out::Lost;
use crate::surface::Surface;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_link::client::FrameWatch;
use mgl_pipe::records::{Present, PresentImage};
use mgl_pipe::tokens::PixelLayout;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Where a part of a picture goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentTarget {
    /// Memory in common with the server, as records call it.
    pub memory: u32,
    /// Byte of the part's top left pixel.
    pub offset: u64,
    /// Bytes from row to row, downwards.
    pub stride: u32,
    /// What its pixels look like.
    pub layout: PixelLayout,
    /// Left column of the part of the image.
    pub x: u32,
    /// Bottom row of the part of the image.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl PresentTarget {
    /// The record for an image of that size; `None` when no part of it is inside. A window that has changed its size since
    /// the image was drawn gets what there is, where it belongs: at the image's upper left corner.
    fn of(&self, image: Handle<Renderbuffer>, (columns, rows): (u32, u32)) -> Option<PresentImage> {
        let top = u64::from(self.y) + u64::from(self.height);
        let above = top.saturating_sub(u64::from(rows)).min(u64::from(self.height));
        let (width, height) = (self.width.min(columns.saturating_sub(self.x)), self.height - above as u32);
        (width > 0 && height > 0).then(|| PresentImage {
            image,
            offset: self.offset + above * u64::from(self.stride),
            memory: self.memory,
            stride: self.stride,
            x: self.x,
            y: self.y,
            width,
            height,
            layout: self.layout,
            ..Default::default()
        })
    }
}

/// Which buffer is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The back buffer, which becomes the front one; the front buffer where there is no other.
    Back,
    /// Parts of the back buffer.
    Part,
    /// The front buffer, as it is.
    Front,
}

impl Context {
    /// Makes the surfaces the default framebuffer. The first time, viewport and scissor take the draw surface's
    /// size (GL 4.6 §13.6.1), and commands use the buffers that it has (GL 4.6 §17.4.1, §18.2.1).
    pub fn make_current(&mut self, draw: Option<Arc<Surface>>, read: Option<Arc<Surface>>) {
        let same = self.draw_surface.as_ref().map(Arc::as_ptr) == draw.as_ref().map(Arc::as_ptr);
        if !same {
            self.show_front();
        }
        crate::framebuffer::emit::note_writes(self);
        (self.draw_surface, self.read_surface) = (draw, read);
        self.framebuffer.window.look = false;
        default::take_up(self, false);
        if self.first_current && self.draw_surface.is_some() {
            self.first_surface();
        }
        self.framebuffer.draw_checked = None;
        self.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
        if self.out.continue_thread() {
            // Whatever the thread did to shared objects meanwhile is seen.
            self.dirty |= Dirty::all() - Dirty::CHECKED;
            self.draw.stale = true;
        }
    }

    fn first_surface(&mut self) {
        self.first_current = false;
        let Some(surface) = self.draw_surface.clone() else { return };
        let (width, height) = surface.size();
        crate::render_state::emit::first_surface(self, width, height);
        let single = |surface: &Arc<Surface>| !surface.desc.double_buffer;
        let fbo = &mut self.framebuffer.default;
        if single(&surface) && fbo.draw[0] == gl::BACK {
            fbo.draw[0] = gl::FRONT;
        }
        if self.read_surface.as_ref().is_some_and(single) && fbo.read == gl::BACK {
            fbo.read = gl::FRONT;
        }
    }

    /// Publishes everything and lets go of the surfaces; the context may become current on another thread afterwards.
    pub fn release_current(&mut self) {
        self.show_front();
        self.publish();
        (self.draw_surface, self.read_surface) = (None, None);
        self.framebuffer.window.images = [None, None];
        self.framebuffer.draw_checked = None;
        self.out.flush();
    }

    /// Frame boundary of a draw surface that is not shown.
    pub fn swap_buffers(&mut self) -> Result<(), Lost> {
        self.show(Shown::Back, &[]).map(|_| ())
    }

    /// Frame boundary of a draw surface that is shown: the parts of its back buffer, or of its front buffer where there is no
    /// other, go where the window system takes them from. The answer is the serial of the frame, by which the server says when
    /// they are there.
    pub fn present(&mut self, parts: &[PresentTarget]) -> Result<u64, Lost> {
        self.show(Shown::Back, parts)
    }

    /// [`Context::present`] of parts of the back buffer alone (GLX_MESA_copy_sub_buffer): the frame goes on.
    pub fn present_part(&mut self, parts: &[PresentTarget]) -> Result<u64, Lost> {
        self.show(Shown::Part, parts)
    }

    /// [`Context::present`] of the front buffer, which was drawn to.
    pub fn present_front(&mut self, parts: &[PresentTarget]) -> Result<u64, Lost> {
        self.show(Shown::Front, parts)
    }

    fn show(&mut self, shown: Shown, parts: &[PresentTarget]) -> Result<u64, Lost> {
        self.emit_deaths();
        self.publish();
        let serial = self.present_serial + 1;
        self.out.wait_present(serial)?;
        self.push_parts(shown, parts).map_err(|_| Lost)?;
        self.out.push(&Present { serial })?;
        self.present_serial = serial;
        self.out.flush();
        if let Some(stats) = &mut self.stats {
            stats.frame(serial);
        }
        self.shown(shown);
        self.drain_events();
        if self.is_lost() { Err(Lost) } else { Ok(serial) }
    }

    fn push_parts(&mut self, shown: Shown, parts: &[PresentTarget]) -> GlResult {
        let images = self.framebuffer.window.images[0].clone();
        let (Some(surface), Some(images)) = (self.draw_surface.clone(), images) else { return Ok(()) };
        let image = default::shown(self, &surface, &images, shown == Shown::Front)?;
        let picture = if parts.is_empty() { image } else { resolved(self, &surface, &images, image)? };
        for part in parts {
            if let Some(record) = part.of(picture, images.size) {
                self.out.push(&record)?;
            }
        }
        let front = images.front();
        if front.is_null() || shown == Shown::Front {
            return Ok(());
        }
        if shown == Shown::Back {
            images.front_lags.store(false, Ordering::Release);
            return default::copy_to_front(self, &images, front, default::whole(&images));
        }
        let mut parts = parts.iter();
        parts.try_for_each(|part| {
            default::copy_to_front(self, &images, front, [part.x, part.y, part.width, part.height])
        })
    }

    /// What the next frame finds.
    fn shown(&mut self, shown: Shown) {
        let window = &mut self.framebuffer.window;
        let Some(images) = &window.images[0] else { return };
        if shown == Shown::Back {
            images.presented.store(true, Ordering::Release);
        }
        window.next_frame();
        if shown == Shown::Part {
            return;
        }
        window.front_drawn = false;
        if self.draw_surface.as_ref().is_some_and(|surface| surface.host().is_some()) {
            self.framebuffer.window.look = true;
            self.framebuffer.draw_checked = None;
            self.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
        }
    }

    /// The frames of this context, for any thread: whether the pictures of a present are where they go. `None` without a
    /// server.
    pub fn frame_watch(&self) -> Option<FrameWatch> {
        self.out.frame_watch()
    }

    /// Pixels memory is named in no later present. The server lets go of it when the device is done with it.
    pub fn forget_pixels(&mut self, memory: u32) {
        self.instance.forget_pixels(memory);
        self.emit_deaths();
    }

    /// How many presents ago the content of the buffer that is drawn to was presented (EGL_EXT_buffer_age,
    /// GLX_EXT_buffer_age), with the size that the next draw finds; 0 without a draw surface.
    pub fn buffer_age(&mut self) -> u32 {
        default::look(self);
        self.draw_surface.as_ref().map_or(0, |surface| surface.age())
    }
}
