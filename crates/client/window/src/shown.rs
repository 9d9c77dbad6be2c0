//! How what a context drew gets to a window: room from the window, a present into it, and the window shows it when the server has
//! finished it. Must not know window systems.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mgl_gl::{Context, Instance, PresentTarget, SurfaceHost};
use mgl_link::client::FrameWatch;
use mgl_pipe::tokens::PixelLayout;

use crate::window::{Extent, Frame, Gone, Look, Memory, Pixels, Ready, Rect, Shown, Slot, Target, Times, Window};

/// How a picture is shown.
#[derive(Clone, Debug, Default)]
pub struct Showing {
    /// Refreshes from the last picture to this one, see [`Frame::interval`].
    pub interval: i32,
    /// When.
    pub target: Target,
    /// What changed, from the top left corner; empty = all.
    pub damage: Vec<Rect>,
}

/// Why nothing was shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShowError {
    /// The server of the context is gone.
    #[error("the server is gone")]
    Lost,
    /// The window is.
    #[error("{0}")]
    Gone(Gone),
}

/// Which buffer, or part of it.
#[derive(Clone, Copy, Debug)]
enum What {
    Back,
    Front,
    /// Left, bottom, width, height.
    Part([u32; 4]),
}

/// Who tells of each picture.
type Teller = Box<dyn FnMut(Times, Shown) + Send>;

/// Finds the window of a drawable.
pub type Make = Box<dyn Fn() -> Result<Box<dyn Window>, Gone> + Send + Sync>;

/// The window of a drawable.
pub struct Host {
    window: Mutex<Box<dyn Window>>,
    make: Option<Make>,
    instance: Mutex<Arc<Instance>>,
    gone: OnceLock<Gone>,
    count: AtomicU64,
    /// Size of the last picture, both numbers in one.
    last: AtomicU64,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Host").field("window", &self.window).field("gone", &self.gone).finish_non_exhaustive()
    }
}

/// Memory from the server for the window's pictures.
struct Shares(Arc<Instance>);

impl Memory for Shares {
    fn share(&mut self, len: usize) -> Option<Pixels> {
        let (id, segment) = self.0.share_pixels(u64::try_from(len).ok()?)?;
        Some(Pixels { id, segment })
    }

    fn forget(&mut self, id: u32) {
        self.0.forget_pixels(id);
    }
}

/// A frame of a context.
#[derive(Debug)]
struct Finished {
    watch: Option<FrameWatch>,
    serial: u64,
}

impl Ready for Finished {
    fn is_done(&self) -> bool {
        self.watch.as_ref().is_none_or(|watch| watch.is_done(self.serial))
    }

    fn wait(&self) -> Result<(), Gone> {
        let Some(watch) = &self.watch else { return Err(Gone::Server) };
        watch.wait(self.serial, None).map(drop).map_err(|_| Gone::Server)
    }
}

impl Host {
    pub(crate) fn new(window: Box<dyn Window>, make: Option<Make>, instance: Arc<Instance>) -> Arc<Self> {
        let (gone, count, last) = (OnceLock::new(), AtomicU64::new(0), AtomicU64::new(0));
        let (window, instance) = (Mutex::new(window), Mutex::new(instance));
        Arc::new(Self { window, make, instance, gone, count, last })
    }

    /// The window, for one thread at a time.
    pub(crate) fn window(&self) -> MutexGuard<'_, Box<dyn Window>> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pictures come from another connection now. What the window had of the last one's memory went with it, so it is found
    /// anew.
    pub(crate) fn renew(&self, instance: &Arc<Instance>) {
        let mut old = self.shares();
        *self.instance.lock().unwrap_or_else(PoisonError::into_inner) = instance.clone();
        let Some(made) = self.make.as_ref().map(|make| make()) else { return };
        match made {
            Ok(mut window) => {
                // Its size is known from now on; a window that is gone is found out at the next picture.
                let _ = window.size(Look::Ask);
                let mut last = std::mem::replace(&mut *self.window(), window);
                last.close(&mut old);
            }
            Err(gone) => drop(self.note::<()>(Err(gone))),
        }
    }

    fn shares(&self) -> Shares {
        Shares(self.instance.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(crate) fn gone(&self) -> Option<Gone> {
        self.gone.get().cloned()
    }

    /// Notes that the window shows nothing any more.
    fn note<T>(&self, outcome: Result<T, Gone>) -> Result<T, ShowError> {
        outcome.map_err(|gone| {
            if matches!(gone, Gone::Window(_) | Gone::System(_)) {
                let _ = self.gone.set(gone.clone());
            }
            if gone == Gone::Server { ShowError::Lost } else { ShowError::Gone(gone) }
        })
    }

    /// What is known of the size.
    pub(crate) fn extent(&self, look: Look) -> Result<Extent, Gone> {
        let size = self.window().size(look);
        self.note(size.clone()).ok();
        size
    }

    pub(crate) fn pixels(&self, extent: Extent) -> Result<Option<(PixelLayout, Vec<u8>)>, Gone> {
        let mut window = self.window();
        let layout = window.layout();
        Ok(window.read(extent)?.map(|pixels| (layout, pixels)))
    }

    pub(crate) fn swap(&self, ctx: &mut Context, size: (u32, u32), how: &Showing) -> Result<u64, ShowError> {
        self.show(ctx, What::Back, size, how)
    }

    pub(crate) fn copy_part(&self, ctx: &mut Context, size: (u32, u32), part: [u32; 4]) -> Result<u64, ShowError> {
        self.show(ctx, What::Part(part), size, &Showing::default())
    }

    pub(crate) fn copy(&self, ctx: &mut Context, size: (u32, u32), back: bool) -> Result<u64, ShowError> {
        self.show(ctx, if back { What::Part([0, 0, size.0, size.1]) } else { What::Front }, size, &Showing::default())
    }

    fn show(&self, ctx: &mut Context, what: What, size: (u32, u32), how: &Showing) -> Result<u64, ShowError> {
        if let Some(gone) = self.gone() {
            return Err(ShowError::Gone(gone));
        }
        let mut window = self.window();
        let extent = Extent { width: size.0, height: size.1 };
        let room = window.acquire(extent, &mut self.shares());
        let slot = self.note(room)?;
        let layout = window.layout();
        let whole = Rect { x: 0, y: 0, width: extent.width, height: extent.height };
        let part = match what {
            What::Part(part) => flipped(part, extent),
            _ => Some(whole),
        };
        let Some(part) = part else {
            window.cancel(slot);
            return Ok(self.count.load(Ordering::Relaxed));
        };
        let target = target(&slot, layout, part);
        // What changed since a picture of another size is everything.
        let other = self.last.swap(packed(extent), Ordering::Relaxed) != packed(extent);
        let damage = match part == whole {
            true if other => Vec::new(),
            true => how.damage.clone(),
            false => vec![part],
        };
        let presented = match what {
            What::Back => ctx.present(&[target]),
            What::Front => ctx.present_front(&[target]),
            What::Part(_) => ctx.present_part(&[target]),
        };
        let Ok(serial) = presented else {
            window.cancel(slot);
            return Err(ShowError::Lost);
        };
        let ready = Arc::new(Finished { watch: ctx.frame_watch(), serial });
        let shown = window.present(Frame { slot, ready, damage, interval: how.interval, target: how.target });
        self.note(shown)?;
        Ok(self.count.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(crate) fn settle(&self) -> Result<(), Gone> {
        self.window().settle()
    }

    pub(crate) fn times(&self) -> Result<Option<Times>, Gone> {
        self.window().times()
    }

    pub(crate) fn wait_refresh(&self, target: Target) -> Result<Option<Times>, Gone> {
        self.window().wait_refresh(target)
    }

    pub(crate) fn wait_shown(&self, count: u64) -> Result<Option<Times>, Gone> {
        self.window().wait_shown(count)
    }

    pub(crate) fn on_shown(&self, told: Option<Teller>) {
        self.window().on_shown(told);
    }
}

/// Where a part of a picture, from the top left corner, goes in its room.
fn target(slot: &Slot, layout: PixelLayout, part: Rect) -> PresentTarget {
    let bytes: u64 = match layout {
        PixelLayout::R5G6B5 | PixelLayout::R5G6B5Swapped => 2,
        _ => 4,
    };
    PresentTarget {
        memory: slot.pixels.id,
        offset: slot.offset + u64::from(part.y) * u64::from(slot.stride) + u64::from(part.x) * bytes,
        stride: slot.stride,
        layout,
        x: part.x,
        y: slot.extent.height - part.y - part.height,
        width: part.width,
        height: part.height,
    }
}

fn packed(extent: Extent) -> u64 {
    u64::from(extent.width) << 32 | u64::from(extent.height)
}

/// A part of a picture from the bottom left corner, as one from the top left; `None` when nothing of it is in the picture.
fn flipped([x, y, width, height]: [u32; 4], extent: Extent) -> Option<Rect> {
    let right = x.saturating_add(width).min(extent.width);
    let top = y.saturating_add(height).min(extent.height);
    let (width, height) = (right.checked_sub(x)?, top.checked_sub(y)?);
    (width > 0 && height > 0).then(|| Rect { x, y: extent.height - top, width, height })
}

impl SurfaceHost for Host {
    fn size(&self, exact: bool) -> Option<(u32, u32)> {
        let extent = self.extent(if exact { Look::Ask } else { Look::Poll }).ok()?;
        Some((extent.width, extent.height))
    }

    fn flushed(&self, ctx: &mut Context) {
        let Ok(extent) = self.extent(Look::Poll) else { return };
        let size = (extent.width.max(1), extent.height.max(1));
        let _ = self.show(ctx, What::Front, size, &Showing::default());
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let mut shares = self.shares();
        self.window().close(&mut shares);
    }
}

#[cfg(test)]
mod tests {
    use super::flipped;
    use crate::window::{Extent, Rect};

    // A part that a program copies from the lower left corner would be shown upside down, or outside of the window.
    #[test]
    fn parts_are_counted_from_the_top() {
        let extent = Extent { width: 100, height: 50 };
        assert_eq!(flipped([0, 0, 10, 10], extent), Some(Rect { x: 0, y: 40, width: 10, height: 10 }));
        assert_eq!(flipped([90, 45, 20, 20], extent), Some(Rect { x: 90, y: 0, width: 10, height: 5 }));
        assert_eq!(flipped([100, 0, 1, 1], extent), None);
        assert_eq!(flipped([0, 60, 1, 1], extent), None);
        assert_eq!(flipped([5, 5, 0, 1], extent), None);
    }
}
