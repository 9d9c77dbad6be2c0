//! What a window system offers to a display of EGL or GLX. Must not know which ones there are.

use std::fmt::Debug;

use crate::config::PixelConfig;
use crate::window::{Gone, Window};

/// What a window system can show of a kind of drawable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native {
    /// Its name for the format: a visual, or a format's code.
    pub visual: u32,
    /// Class of the visual in X11, 0 elsewhere.
    pub class: u32,
    /// Bits of its pixels.
    pub depth: u32,
    /// Pixmaps can be drawn on.
    pub pixmaps: bool,
}

/// What a program wants of a window besides its formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Alpha is not shown (EGL_EXT_present_opaque).
    pub opaque: bool,
}

/// The program's connection to a window system. Outlives what is made on it.
pub trait System: Debug + Send + Sync {
    /// What can show a kind of drawable, the one that programs expect first.
    fn natives(&self, pixel: &PixelConfig) -> Vec<Native>;

    /// The window of a native handle: an X window, or a pointer to a `wl_egl_window`. It shows pictures as `native` does.
    fn window(&self, handle: usize, native: &Native, wish: Wish) -> Result<Box<dyn Window>, Gone>;

    /// The pixmap of a native handle.
    fn pixmap(&self, handle: usize, native: &Native) -> Result<Box<dyn Window>, Gone>;

    /// Waits until the window system has done what the program asked for on its own connection (`eglWaitNative`).
    fn wait_native(&self) -> Result<(), Gone>;

    /// Which way pictures take to windows, and why: one line for people.
    fn chosen(&self) -> String;

    /// Screen refreshes that a swap may have to wait for at most.
    fn max_interval(&self) -> i32 {
        1000
    }
}
