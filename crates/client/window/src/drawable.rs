//! What a context draws on: storage without a window, a window or a pixmap. Must not know contexts of EGL or GLX.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mgl_gl::{Instance, Surface, SurfaceDesc};
use mgl_pipe::tokens::PixelLayout;

use crate::config::PixelConfig;
use crate::shown::{Host, Make, ShowError, Showing};
use crate::window::{Extent, Gone, Look, Shown, Target, Times, Window};

/// Handles are multiples of 16, minted once, so that a stale one never names a newer object.
static NEXT: AtomicUsize = AtomicUsize::new(0x1_0000);

/// A new handle for a context, drawable or sync.
pub fn mint() -> usize {
    NEXT.fetch_add(16, Ordering::Relaxed)
}

/// A drawable. Lives while a table holds it or while it is current to a thread.
#[derive(Debug)]
pub struct Drawable {
    /// The program's handle.
    pub handle: usize,
    /// Its formats.
    pub pixel: PixelConfig,
    /// Its window or pixmap.
    host: Option<Arc<Host>>,
    storage: Mutex<Storage>,
    /// Handle of the context it is current with, 0 for none.
    user: AtomicUsize,
}

#[derive(Debug)]
struct Storage {
    instance: Arc<Instance>,
    surface: Arc<Surface>,
}

impl Drawable {
    /// One without a window. It may be empty for the program; its storage has a pixel at least.
    pub fn off_screen(handle: usize, pixel: PixelConfig, extent: Extent, instance: Arc<Instance>) -> Arc<Self> {
        let surface = Surface::new(&instance, desc(pixel, extent, true));
        Self::new(handle, pixel, None, instance, surface)
    }

    /// One of a window or pixmap, whose size it takes up; without a back buffer, what is drawn is shown at flushes. `make` finds
    /// the window, now and once more when the server is lost and another one draws.
    ///
    /// # Errors
    /// The window shows nothing any more.
    pub fn shown(
        handle: usize,
        pixel: PixelConfig,
        double: bool,
        make: Make,
        instance: Arc<Instance>,
    ) -> Result<Arc<Self>, Gone> {
        let mut window = make()?;
        let extent = window.size(Look::Ask)?;
        let host = Host::new(window, Some(make), instance.clone());
        let surface = Surface::hosted(&instance, desc(pixel, extent, double), host.clone());
        Ok(Self::new(handle, pixel, Some(host), instance, surface))
    }

    fn new(
        handle: usize,
        pixel: PixelConfig,
        host: Option<Arc<Host>>,
        instance: Arc<Instance>,
        surface: Arc<Surface>,
    ) -> Arc<Self> {
        let (storage, user) = (Mutex::new(Storage { instance, surface }), AtomicUsize::new(0));
        Arc::new(Self { handle, pixel, host, storage, user })
    }

    /// The window shows nothing any more.
    pub fn is_gone(&self) -> bool {
        self.host.as_ref().is_some_and(|host| host.gone().is_some())
    }

    fn surface(&self) -> Arc<Surface> {
        self.storage.lock().unwrap_or_else(PoisonError::into_inner).surface.clone()
    }

    /// Size of the window or pixmap, or of the storage.
    ///
    /// # Errors
    /// The window is gone.
    pub fn size(&self, look: Look) -> Result<Extent, Gone> {
        match &self.host {
            Some(host) => host.extent(look),
            None => {
                let (width, height) = self.surface().size();
                Ok(Extent { width, height })
            }
        }
    }

    /// Pixels of the window or pixmap from the top; `None` where nobody tells.
    ///
    /// # Errors
    /// The window is gone.
    pub fn read(&self, extent: Extent) -> Result<Option<(PixelLayout, Vec<u8>)>, Gone> {
        self.host.as_ref().map_or(Ok(None), |host| host.pixels(extent))
    }

    /// Shows what the context has drawn to it, which is its draw surface; answers how many pictures were.
    ///
    /// # Errors
    /// Nothing was shown.
    pub fn swap(&self, ctx: &mut mgl_gl::Context, how: &Showing) -> Result<u64, ShowError> {
        match &self.host {
            Some(host) => host.swap(ctx, self.surface().size(), how),
            None => ctx.swap_buffers().map(|()| 0).map_err(|_| ShowError::Lost),
        }
    }

    /// Copies what was drawn into a window or pixmap that is used for nothing else.
    ///
    /// # Errors
    /// It could not be.
    pub fn copy_to(&self, ctx: &mut mgl_gl::Context, mut window: Box<dyn Window>) -> Result<(), ShowError> {
        window.size(Look::Ask).map_err(ShowError::Gone)?;
        let surface = self.surface();
        let host = Host::new(window, None, ctx.instance().clone());
        host.copy(ctx, surface.size(), surface.desc.double_buffer)?;
        host.settle().map_err(ShowError::Gone)
    }

    /// There is a back buffer.
    pub fn double_buffer(&self) -> bool {
        self.surface().desc.double_buffer
    }

    /// Shows a part: left, bottom, width, height.
    ///
    /// # Errors
    /// Nothing was shown.
    pub fn copy_part(&self, ctx: &mut mgl_gl::Context, part: [u32; 4]) -> Result<u64, ShowError> {
        self.host.as_ref().map_or(Ok(0), |host| host.copy_part(ctx, self.surface().size(), part))
    }

    /// Waits until everything shown has reached the window system.
    ///
    /// # Errors
    /// The window is gone.
    pub fn settle(&self) -> Result<(), Gone> {
        self.host.as_ref().map_or(Ok(()), |host| host.settle())
    }

    /// Refreshes so far.
    ///
    /// # Errors
    /// The window is gone.
    pub fn times(&self) -> Result<Option<Times>, Gone> {
        self.host.as_ref().map_or(Ok(None), |host| host.times())
    }

    /// Waits for a refresh.
    ///
    /// # Errors
    /// The window is gone.
    pub fn wait_refresh(&self, target: Target) -> Result<Option<Times>, Gone> {
        self.host.as_ref().map_or(Ok(None), |host| host.wait_refresh(target))
    }

    /// Waits for pictures to be shown.
    ///
    /// # Errors
    /// The window is gone.
    pub fn wait_shown(&self, count: u64) -> Result<Option<Times>, Gone> {
        self.host.as_ref().map_or(Ok(None), |host| host.wait_shown(count))
    }

    /// Who is told of each picture that was shown.
    pub fn on_shown(&self, told: Option<Box<dyn FnMut(Times, Shown) + Send>>) {
        if let Some(host) = &self.host {
            host.on_shown(told);
        }
    }

    /// The storage for a context of `instance`. When the drawable's own connection is lost its content is gone too, and it
    /// starts anew on the context's.
    pub fn on(&self, instance: &Arc<Instance>) -> Arc<Surface> {
        let mut storage = self.storage.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&storage.instance, instance) {
            let desc = storage.surface.desc;
            let surface = match &self.host {
                Some(host) => {
                    host.renew(instance);
                    Surface::hosted(instance, desc, host.clone())
                }
                None => Surface::new(instance, desc),
            };
            *storage = Storage { instance: instance.clone(), surface };
        }
        storage.surface.clone()
    }

    /// Marks it as used by a context; false when another context has it.
    pub fn claim(&self, context: usize) -> bool {
        match self.user.compare_exchange(0, context, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(user) => user == context,
        }
    }

    /// Ends `claim`.
    pub fn release(&self, context: usize) {
        let _ = self.user.compare_exchange(context, 0, Ordering::AcqRel, Ordering::Acquire);
    }
}

fn desc(pixel: PixelConfig, extent: Extent, double_buffer: bool) -> SurfaceDesc {
    SurfaceDesc {
        width: extent.width.max(1),
        height: extent.height.max(1),
        color: pixel.color,
        depth_stencil: pixel.depth_stencil,
        samples: u32::try_from(pixel.samples).unwrap_or(0).max(1),
        double_buffer,
    }
}
