//! Off-screen surfaces: the renderbuffers behind a context's default framebuffer. Must not know EGL configs.

use crate::instance::{Dead, Instance};
use crate::share::LastWrite;
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_pipe::format::Format;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Formats and size of a surface, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceDesc {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Colour format.
    pub color: Format,
    /// Depth/stencil format, if the config has one.
    pub depth_stencil: Option<Format>,
    /// Samples, 1 = single sampled.
    pub samples: u32,
}

/// A pbuffer: colour and depth/stencil storage that outlives any one context.
#[derive(Debug)]
pub struct Surface {
    instance: Arc<Instance>,
    /// Formats and size.
    pub desc: SurfaceDesc,
    /// Colour storage.
    pub color: Handle<Renderbuffer>,
    /// Depth/stencil storage; null when the config has none.
    pub depth_stencil: Handle<Renderbuffer>,
    /// Storage records were pushed on some flow.
    defined: AtomicBool,
    /// Last record that wrote the storage, to order other flows behind it.
    pub(crate) last_write: LastWrite,
}

impl Surface {
    /// A surface; its storage is defined on the server when a context first uses it.
    pub fn new(instance: &Arc<Instance>, desc: SurfaceDesc) -> Arc<Self> {
        let depth_stencil = if desc.depth_stencil.is_some() { instance.mint() } else { Handle::NULL };
        Arc::new(Self {
            instance: instance.clone(),
            desc,
            color: instance.mint(),
            depth_stencil,
            defined: AtomicBool::new(false),
            last_write: LastWrite::default(),
        })
    }
    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.desc.width, self.desc.height)
    }
    /// True exactly once: the caller pushes the storage records.
    pub(crate) fn take_undefined(&self) -> bool {
        !self.defined.swap(true, Ordering::AcqRel)
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        if self.defined.load(Ordering::Acquire) {
            self.instance.bury(Dead::Renderbuffer(self.color));
            if !self.depth_stencil.is_null() {
                self.instance.bury(Dead::Renderbuffer(self.depth_stencil));
            }
        }
    }
}
