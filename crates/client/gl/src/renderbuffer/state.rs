//! Renderbuffer objects (GL 4.6 §9.2.4). Must not push records.

use crate::instance::{Dead, Instance};
use crate::share::{LastWrite, lock};
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer as RenderbufferKind;
use mgl_pipe::format::Format;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Storage of a renderbuffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub width: u32,
    pub height: u32,
    /// `None` = no storage.
    pub format: Option<Format>,
    /// Internal format as the program gave it; 0 = initial.
    pub internal: u32,
    /// Samples, 0 or 1 = single sampled.
    pub samples: u32,
}

/// A renderbuffer object.
#[derive(Debug)]
pub struct Renderbuffer {
    /// GL name.
    pub name: u32,
    /// Resource on the server.
    pub handle: Handle<RenderbufferKind>,
    instance: Arc<Instance>,
    shape: Mutex<Shape>,
    /// `resource_create` was pushed.
    pub(crate) crossed: AtomicBool,
    /// Last record that wrote it.
    pub last_write: LastWrite,
}

impl Renderbuffer {
    /// A renderbuffer without storage.
    pub fn new(instance: &Arc<Instance>, name: u32) -> Arc<Self> {
        Arc::new(Self {
            name,
            handle: instance.mint(),
            instance: instance.clone(),
            shape: Mutex::default(),
            crossed: AtomicBool::new(false),
            last_write: LastWrite::default(),
        })
    }
    /// Present storage.
    pub fn shape(&self) -> Shape {
        *lock(&self.shape)
    }
    /// New storage.
    pub fn set_shape(&self, shape: Shape) {
        *lock(&self.shape) = shape;
    }
}

impl Drop for Renderbuffer {
    fn drop(&mut self) {
        if self.crossed.load(Ordering::Acquire) {
            self.instance.bury(Dead::Renderbuffer(self.handle));
        } else {
            self.instance.release(self.handle);
        }
    }
}

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    /// `GL_RENDERBUFFER` binding.
    pub bound: Option<Arc<Renderbuffer>>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
}
