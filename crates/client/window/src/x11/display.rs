//! An X display as EGL and GLX see it: the program's connection, our own to the same server, and which visuals show which
//! formats. Must not know how pictures travel.

use std::sync::Arc;

use super::program::Program;
use super::{Class, System, Visual};
use crate::config::PixelConfig;
use crate::platform::{Native, System as Platform, Wish};
use crate::window::{Gone, Window};

/// An X display.
#[derive(Debug)]
pub struct Display {
    /// Our own connection.
    pub system: Arc<System>,
    /// The program's; none for a display that it has no connection to.
    pub program: Option<Program>,
    /// The screen whose visuals count.
    pub screen: usize,
}

/// Connects to the server that the program is connected to, or to the default one.
///
/// # Errors
/// [`Gone::System`] says why there is no connection.
pub fn open(program: Option<Program>, screen: Option<usize>) -> Result<Arc<Display>, Gone> {
    let name = program.and_then(|program| program.display_name());
    let system = System::open(name.as_deref())?;
    let wished = screen.or_else(|| program.and_then(|program| program.screen()));
    let screen = wished.unwrap_or_else(|| system.default_screen());
    if system.screens().get(screen).is_none() {
        return Err(Gone::System(format!("the X server has no screen {screen}")));
    }
    Ok(Arc::new(Display { system, program, screen }))
}

/// `TrueColor` and `DirectColor` of the X protocol.
fn class_of(visual: &Visual) -> u32 {
    match visual.class {
        Class::TrueColor => 4,
        Class::DirectColor => 5,
    }
}

/// True when the visual's colours have the sizes of the format's.
fn shows(visual: &Visual, pixel: &PixelConfig) -> bool {
    let wanted = [pixel.bits.red, pixel.bits.green, pixel.bits.blue];
    visual.masks.iter().zip(wanted).all(|(mask, bits)| i64::from(mask.count_ones()) == i64::from(bits))
}

impl Display {
    /// The visuals of the screen that can show a format and be written to, the root window's first.
    pub fn visuals(&self, pixel: &PixelConfig) -> Vec<Visual> {
        let root = self.system.screens().get(self.screen).map(|screen| screen.visual);
        let mut found: Vec<Visual> = self
            .system
            .visuals()
            .iter()
            .filter(|visual| visual.screen == self.screen && shows(visual, pixel))
            .filter(|visual| self.system.layout_of(visual).is_some())
            .copied()
            .collect();
        found.sort_by_key(|visual| (Some(visual.id) != root, visual.depth, class_of(visual), visual.id));
        found
    }
}

/// What a visual is to a configuration.
pub fn native_of(visual: &Visual) -> Native {
    Native { visual: visual.id, class: class_of(visual), depth: visual.depth.into(), pixmaps: true }
}

impl Platform for Display {
    /// One visual per depth, of windows that are opaque first: a program that asks for alpha and takes the first
    /// configuration's visual, as most do, wants it for blending, not for a window that one can look through.
    fn natives(&self, pixel: &PixelConfig) -> Vec<Native> {
        let mut out: Vec<Native> = Vec::new();
        for visual in self.visuals(pixel).iter().filter(|visual| visual.class == Class::TrueColor) {
            let transparent = visual.alpha_mask() != 0;
            let known = out.iter().any(|native| native.depth == u32::from(visual.depth));
            if !known && (!transparent || pixel.bits.alpha > 0) {
                out.push(native_of(visual));
            }
        }
        out
    }

    fn window(&self, handle: usize, native: &Native, wish: Wish) -> Result<Box<dyn Window>, Gone> {
        self.wait_native()?;
        let xid = xid(handle)?;
        let found = self.system.inspect(xid)?;
        if found.visual.is_some() && u32::from(found.depth) != native.depth {
            let (has, wants) = (found.depth, native.depth);
            return Err(Gone::Window(format!("window {xid:#x} has depth {has}, the configuration {wants}")));
        }
        if wish.opaque { self.system.opaque_window(xid) } else { self.system.window(xid) }
    }

    fn pixmap(&self, handle: usize, native: &Native) -> Result<Box<dyn Window>, Gone> {
        self.wait_native()?;
        let xid = xid(handle)?;
        let depth = self.system.inspect(xid)?.depth;
        if u32::from(depth) != native.depth {
            return Err(Gone::Window(format!("pixmap {xid:#x} has depth {depth}, the configuration {}", native.depth)));
        }
        self.system.pixmap(xid)
    }

    fn wait_native(&self) -> Result<(), Gone> {
        if let Some(program) = &self.program {
            program.sync();
        }
        self.system.check()
    }

    fn chosen(&self) -> String {
        self.system.chosen()
    }
}

fn xid(handle: usize) -> Result<u32, Gone> {
    u32::try_from(handle).map_err(|_| Gone::Window(format!("{handle:#x} is no identifier of X11")))
}
