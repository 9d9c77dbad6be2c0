//! What a context draws on: storage without a window, a window or a pixmap. Must not know contexts of EGL or GLX.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mgl_gl::{Instance, Surface, SurfaceDesc};

use crate::config::PixelConfig;
use crate::window::Extent;

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
        let desc = SurfaceDesc {
            width: extent.width.max(1),
            height: extent.height.max(1),
            color: pixel.color,
            depth_stencil: pixel.depth_stencil,
            samples: u32::try_from(pixel.samples).unwrap_or(0).max(1),
            double_buffer: true,
        };
        let surface = Surface::new(&instance, desc);
        Arc::new(Self { handle, pixel, storage: Mutex::new(Storage { instance, surface }), user: AtomicUsize::new(0) })
    }

    /// The storage for a context of `instance`. When the drawable's own connection is lost its content is gone too, and it
    /// starts anew on the context's.
    pub fn on(&self, instance: &Arc<Instance>) -> Arc<Surface> {
        let mut storage = self.storage.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&storage.instance, instance) {
            let surface = Surface::new(instance, storage.surface.desc);
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
