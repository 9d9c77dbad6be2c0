//! What is behind a context's default framebuffer: storage of a fixed size, or of the size that a window has. Must not know
//! configs of EGL or GLX, nor window systems.

use crate::context::Context;
use crate::instance::{Dead, Instance};
use crate::share::{LastWrite, lock};
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_pipe::format::Format;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Formats and size of a surface, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceDesc {
    /// Width in pixels, at least 1; of a surface with a host, until the host is asked.
    pub width: u32,
    /// Height in pixels, at least 1; of a surface with a host, until the host is asked.
    pub height: u32,
    /// Colour format.
    pub color: Format,
    /// Depth/stencil format, if the config has one.
    pub depth_stencil: Option<Format>,
    /// Samples, 1 = single sampled.
    pub samples: u32,
    /// There is a back buffer; without one, everything is drawn to the front buffer (GL 4.6 §17.4.1).
    pub double_buffer: bool,
}

/// Who owns what a surface is shown on.
pub trait SurfaceHost: Debug + Send + Sync {
    /// Width and height now; `exact` asks the window system instead of looking at what it has said so far. `None` when the
    /// window is gone: the surface keeps its size.
    fn size(&self, exact: bool) -> Option<(u32, u32)>;

    /// The program has flushed, finished or left `ctx`, where the front buffer of its draw surface was drawn to since it was
    /// last shown: show it ([`Context::present_front`]).
    fn flushed(&self, ctx: &mut Context);
}

/// A drawable's storage, which outlives any one context.
#[derive(Debug)]
pub struct Surface {
    instance: Arc<Instance>,
    /// Formats, and the size at the beginning.
    pub desc: SurfaceDesc,
    host: Option<Arc<dyn SurfaceHost>>,
    images: Mutex<Arc<Images>>,
}

impl Surface {
    /// A surface of fixed size; its storage is defined on the server when a context first uses it.
    pub fn new(instance: &Arc<Instance>, desc: SurfaceDesc) -> Arc<Self> {
        Self::make(instance, desc, None)
    }
    /// A surface that has the size of its host.
    pub fn hosted(instance: &Arc<Instance>, desc: SurfaceDesc, host: Arc<dyn SurfaceHost>) -> Arc<Self> {
        Self::make(instance, desc, Some(host))
    }
    fn make(instance: &Arc<Instance>, desc: SurfaceDesc, host: Option<Arc<dyn SurfaceHost>>) -> Arc<Self> {
        let images = Mutex::new(Images::new(instance, &desc, (desc.width, desc.height)));
        Arc::new(Self { instance: instance.clone(), desc, host, images })
    }
    /// Width and height in pixels: what is drawn to now.
    pub fn size(&self) -> (u32, u32) {
        self.images().size
    }
    /// How many presents ago the content of the buffer that is drawn to was presented: 1, because it stays, or 0 when it is
    /// new (EGL_EXT_buffer_age). [`Context::buffer_age`] takes up a new size first.
    pub fn age(&self) -> u32 {
        u32::from(self.images().presented.load(Ordering::Acquire))
    }
    /// Who shows it.
    pub(crate) fn host(&self) -> Option<&Arc<dyn SurfaceHost>> {
        self.host.as_ref()
    }
    /// What is drawn to now.
    pub(crate) fn images(&self) -> Arc<Images> {
        lock(&self.images).clone()
    }
    /// Takes up the host's size: other storage when it has changed.
    pub(crate) fn take_size(&self, exact: bool) -> Arc<Images> {
        // The host is asked without the lock: it may want to know the size.
        let size = self.host.as_ref().and_then(|host| host.size(exact));
        let mut images = lock(&self.images);
        if let Some(size) = size.map(|size| self.possible(size)).filter(|size| *size != images.size) {
            *images = Images::new(&self.instance, &self.desc, size);
        }
        images.clone()
    }
    /// No window is too small or too large to be drawn to; of one that is too large, a part is.
    fn possible(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let limits = &self.instance.caps.limits;
        let most = match limits.max_renderbuffer_size {
            0 => 16384,
            most => most,
        };
        (width.clamp(1, most), height.clamp(1, most))
    }
}

/// Storage of one size. Whoever has it bound keeps it alive.
#[derive(Debug)]
pub(crate) struct Images {
    instance: Arc<Instance>,
    /// Pixels.
    pub(crate) size: (u32, u32),
    /// The back buffer, or the front buffer of a surface without one.
    pub(crate) color: Handle<Renderbuffer>,
    /// Depth/stencil storage; null when the config has none.
    pub(crate) depth_stencil: Handle<Renderbuffer>,
    /// The front buffer beside a back buffer, once somebody asked for it.
    front: Mutex<Handle<Renderbuffer>>,
    /// One sample for each pixel of what is shown, where the buffers have several.
    flat: Mutex<Handle<Renderbuffer>>,
    /// Storage records of `color` and `depth_stencil` were pushed on some flow.
    defined: AtomicBool,
    /// `color` has been presented.
    pub(crate) presented: AtomicBool,
    /// The front buffer lacks what was drawn to both buffers at once.
    pub(crate) front_lags: AtomicBool,
    /// Last record that wrote any of it, to order other flows behind it.
    pub(crate) last_write: LastWrite,
}

impl Images {
    fn new(instance: &Arc<Instance>, desc: &SurfaceDesc, size: (u32, u32)) -> Arc<Self> {
        Arc::new(Self {
            instance: instance.clone(),
            size: (size.0.max(1), size.1.max(1)),
            color: instance.mint(),
            depth_stencil: if desc.depth_stencil.is_some() { instance.mint() } else { Handle::NULL },
            front: Mutex::new(Handle::NULL),
            flat: Mutex::new(Handle::NULL),
            defined: AtomicBool::new(false),
            presented: AtomicBool::new(false),
            front_lags: AtomicBool::new(false),
            last_write: LastWrite::default(),
        })
    }
    /// True exactly once: the caller pushes the storage records.
    pub(crate) fn take_undefined(&self) -> bool {
        !self.defined.swap(true, Ordering::AcqRel)
    }
    /// The front buffer beside the back buffer; null while nobody has asked for it.
    pub(crate) fn front(&self) -> Handle<Renderbuffer> {
        *lock(&self.front)
    }
    /// The front buffer, and whether the caller has to define it.
    pub(crate) fn make_front(&self) -> (Handle<Renderbuffer>, bool) {
        self.make(&self.front)
    }
    /// What an antialiased picture is averaged into, and whether the caller has to define it.
    pub(crate) fn make_flat(&self) -> (Handle<Renderbuffer>, bool) {
        self.make(&self.flat)
    }
    fn make(&self, part: &Mutex<Handle<Renderbuffer>>) -> (Handle<Renderbuffer>, bool) {
        let mut part = lock(part);
        let new = part.is_null();
        if new {
            *part = self.instance.mint();
        }
        (*part, new)
    }
}

impl Drop for Images {
    fn drop(&mut self) {
        let defined = self.defined.load(Ordering::Acquire);
        for handle in [self.color, self.depth_stencil].into_iter().filter(|handle| !handle.is_null()) {
            if defined {
                self.instance.bury(Dead::Renderbuffer(handle));
            } else {
                self.instance.release(handle);
            }
        }
        for made in [self.front(), *lock(&self.flat)].into_iter().filter(|handle| !handle.is_null()) {
            self.instance.bury(Dead::Renderbuffer(made));
        }
    }
}
