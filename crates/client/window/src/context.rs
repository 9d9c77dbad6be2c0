//! A context as both window-system interfaces hold it. Must not know what it was asked for.

use std::sync::Arc;

use mgl_gl::Instance;

use crate::cell::ContextCell;
use crate::config::PixelConfig;

/// The interface that an object was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// EGL.
    Egl,
    /// GLX.
    Glx,
}

/// Whose an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The interface.
    pub api: Api,
    /// The program's handle of the display.
    pub display: usize,
}

/// A context. Lives while a table holds it or while it is current to a thread.
#[derive(Debug)]
pub struct Context {
    /// The program's handle.
    pub handle: usize,
    /// Whose it is.
    pub owner: Owner,
    /// What its drawables must look like; `None` = anything.
    pub pixel: Option<PixelConfig>,
    /// The GL context.
    pub cell: ContextCell,
    /// The connection it lives on.
    pub instance: Arc<Instance>,
    group: usize,
}

impl Context {
    /// Wraps a new GL context; `share` is the context it was made to share with.
    pub fn new(
        (handle, owner): (usize, Owner),
        pixel: Option<PixelConfig>,
        instance: Arc<Instance>,
        gl: mgl_gl::Context,
        share: Option<&Context>,
    ) -> Arc<Self> {
        let group = share.map_or(handle, |other| other.group);
        Arc::new(Self { handle, owner, pixel, cell: ContextCell::new(gl), instance, group })
    }

    /// True when both see the same objects.
    pub fn shares_with(&self, other: &Context) -> bool {
        self.group == other.group
    }
}
