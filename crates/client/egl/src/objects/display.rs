//! Displays, one per platform, and the tables of what was created on them (EGL 1.5 §3.2). Must not know pointers of the
//! program: handles are numbers here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mgl_gl::Instance;

use crate::config::{self, Config};
use crate::error::{Code, EglError, EglResult, Unserved, fail, unserved};
use crate::gl;
use crate::objects::EglSync;
use crate::objects::context::EglContext;
use crate::objects::surface::EglSurface;
use crate::tokens as t;
use crate::tokens::Int;

/// An opaque handle as the program sees it; 0 is "none".
pub type Handle = usize;

/// Where a display comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// `eglGetDisplay(EGL_DEFAULT_DISPLAY)`.
    Default,
    /// `EGL_MESA_platform_surfaceless`.
    Surfaceless,
    /// `EGL_EXT_platform_device`.
    Device,
}

/// A display. Lives as long as the process (EGL 1.5 §3.2: handles stay valid).
#[derive(Debug)]
pub struct Display {
    platform: Platform,
    live: Mutex<Option<Live>>,
}

/// What an initialised display has.
#[derive(Debug)]
struct Live {
    instance: Arc<Instance>,
    configs: Arc<Vec<Config>>,
    contexts: BTreeMap<Handle, Arc<EglContext>>,
    surfaces: BTreeMap<Handle, Arc<EglSurface>>,
    syncs: BTreeMap<Handle, Arc<EglSync>>,
}

static DISPLAYS: [Display; 3] =
    [Display::new(Platform::Default), Display::new(Platform::Surfaceless), Display::new(Platform::Device)];

/// The one device; only its address matters.
static DEVICE: u8 = 0;

pub use mgl_window::drawable::mint;

/// `EGLDeviceEXT` of the one device.
pub fn device() -> Handle {
    &raw const DEVICE as Handle
}

/// Display of a platform; `native` is the native display or device handle.
pub fn get(platform: Option<u32>, native: usize) -> EglResult<&'static Display> {
    let found = match platform {
        None if native == 0 => Platform::Default,
        Some(t::PLATFORM_SURFACELESS_MESA) if native == 0 => Platform::Surfaceless,
        Some(t::PLATFORM_SURFACELESS_MESA) => {
            return fail(Code::BadParameter, "the surfaceless platform takes only EGL_DEFAULT_DISPLAY");
        }
        Some(t::PLATFORM_DEVICE_EXT) if native == device() => Platform::Device,
        Some(t::PLATFORM_DEVICE_EXT) => return fail(Code::BadDevice, "no such device"),
        None => return window_system("a display of a window system"),
        Some(p) => return window_system(platform_name(p)),
    };
    DISPLAYS.iter().find(|d| d.platform == found).ok_or(EglError::new(Code::BadDisplay, "no such display"))
}

fn window_system(asked: &str) -> EglResult<&'static Display> {
    let what = format!(
        "the program asked for {asked}; there are no windows here yet, only off-screen drawing (surfaceless, device, pbuffers). \
         Use the program's headless or EGL mode if it has one"
    );
    unserved(Code::BadParameter, Unserved::Platform, what)
}

/// Platforms by the registry's numbers.
fn platform_name(platform: u32) -> &'static str {
    match platform {
        0x31D5 => "an X11 display",
        0x31DC => "an X11 display (XCB)",
        0x31D8 => "a Wayland display",
        0x31D7 => "a GBM display",
        0x3202 => "a display of ANGLE",
        _ => "a display of a platform that is not known",
    }
}

/// The display of a handle.
pub fn find(handle: Handle) -> EglResult<&'static Display> {
    let display = DISPLAYS.iter().find(|d| d.handle() == handle);
    display.ok_or(EglError::new(Code::BadDisplay, "no such display"))
}

impl Display {
    const fn new(platform: Platform) -> Self {
        Self { platform, live: Mutex::new(None) }
    }

    /// The program's handle.
    pub fn handle(&self) -> Handle {
        &raw const *self as Handle
    }

    fn lock(&self) -> MutexGuard<'_, Option<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<R>(&self, body: impl FnOnce(&mut Live) -> R) -> EglResult<R> {
        match self.lock().as_mut() {
            Some(live) => Ok(body(live)),
            None => fail(Code::NotInitialized, "the display is not initialised: call eglInitialize"),
        }
    }

    /// `eglInitialize`: connects to the server. A second call changes nothing.
    pub fn initialize(&self) -> EglResult<()> {
        let mut live = self.lock();
        if live.is_some() {
            return Ok(());
        }
        let instance = gl::connect()?;
        let configs = Arc::new(config::all(&instance.caps));
        let (contexts, surfaces, syncs) = Default::default();
        *live = Some(Live { instance, configs, contexts, surfaces, syncs });
        Ok(())
    }

    /// `eglTerminate`: everything is marked for deletion; what is current lives until it is released.
    pub fn terminate(&self) {
        let gone = self.lock().take();
        drop(gone);
    }

    /// Fails unless initialised.
    pub fn ready(&self) -> EglResult<()> {
        self.with(|_| ())
    }

    /// The connection that new objects use. After a lost server a new one is dialled.
    pub fn instance(&self) -> EglResult<Arc<Instance>> {
        let instance = gl::connect();
        self.with(|live| match instance {
            Ok(fresh) => {
                live.instance = fresh.clone();
                Ok(fresh)
            }
            Err(e) => Err(EglError::fatal(Code::BadAlloc, e.what)),
        })?
    }

    /// All configurations.
    pub fn configs(&self) -> EglResult<Arc<Vec<Config>>> {
        self.with(|live| live.configs.clone())
    }

    /// The configuration of a handle, which is its id.
    pub fn config(&self, handle: Handle) -> EglResult<Config> {
        let configs = self.configs()?;
        let found = configs.iter().find(|c| usize::try_from(c.id) == Ok(handle)).cloned();
        found.ok_or(EglError::new(Code::BadConfig, "no such configuration on this display"))
    }

    /// Registers a context.
    pub fn add_context(&self, context: Arc<EglContext>) -> EglResult<()> {
        self.with(|live| drop(live.contexts.insert(context.core.handle, context)))
    }

    /// The context of a handle.
    pub fn context(&self, handle: Handle) -> EglResult<Arc<EglContext>> {
        let found = self.with(|live| live.contexts.get(&handle).cloned())?;
        found.ok_or(EglError::new(Code::BadContext, "no such context on this display"))
    }

    /// Takes a context out of the table.
    pub fn remove_context(&self, handle: Handle) -> EglResult<Arc<EglContext>> {
        let found = self.with(|live| live.contexts.remove(&handle))?;
        found.ok_or(EglError::new(Code::BadContext, "no such context on this display"))
    }

    /// Registers a surface.
    pub fn add_surface(&self, surface: Arc<EglSurface>) -> EglResult<()> {
        self.with(|live| drop(live.surfaces.insert(surface.core.handle, surface)))
    }

    /// The surface of a handle.
    pub fn surface(&self, handle: Handle) -> EglResult<Arc<EglSurface>> {
        let found = self.with(|live| live.surfaces.get(&handle).cloned())?;
        found.ok_or(EglError::new(Code::BadSurface, "no such surface on this display"))
    }

    /// Takes a surface out of the table.
    pub fn remove_surface(&self, handle: Handle) -> EglResult<Arc<EglSurface>> {
        let found = self.with(|live| live.surfaces.remove(&handle))?;
        found.ok_or(EglError::new(Code::BadSurface, "no such surface on this display"))
    }

    /// Registers a sync.
    pub fn add_sync(&self, sync: Arc<EglSync>) -> EglResult<()> {
        self.with(|live| drop(live.syncs.insert(sync.handle, sync)))
    }

    /// The sync of a handle.
    pub fn sync(&self, handle: Handle) -> EglResult<Arc<EglSync>> {
        let found = self.with(|live| live.syncs.get(&handle).cloned())?;
        found.ok_or(EglError::new(Code::BadParameter, "no such sync on this display"))
    }

    /// Takes a sync out of the table.
    pub fn remove_sync(&self, handle: Handle) -> EglResult<Arc<EglSync>> {
        let found = self.with(|live| live.syncs.remove(&handle))?;
        found.ok_or(EglError::new(Code::BadParameter, "no such sync on this display"))
    }

    /// `eglQueryDisplayAttribEXT`.
    pub fn attribute(&self, name: Int) -> EglResult<usize> {
        self.ready()?;
        match name {
            t::DEVICE_EXT => Ok(device()),
            _ => fail(Code::BadAttribute, format!("display attribute 0x{name:04X} is not known")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Platform, device, find, get};
    use crate::error::Code;
    use crate::tokens as t;

    // A program would get another platform's display, or one for a window system that does not exist here.
    #[test]
    fn platforms_have_their_own_displays() {
        let default = get(None, 0).expect("default display");
        let surfaceless = get(Some(t::PLATFORM_SURFACELESS_MESA), 0).expect("surfaceless display");
        let device_display = get(Some(t::PLATFORM_DEVICE_EXT), device()).expect("device display");
        assert_ne!(default.handle(), surfaceless.handle());
        assert_eq!(device_display.platform, Platform::Device);
        assert_eq!(find(surfaceless.handle()).expect("by handle").platform, Platform::Surfaceless);
        assert_eq!(get(Some(0x31D5), 0).map(|_| ()).map_err(|e| e.code), Err(Code::BadParameter));
        assert_eq!(get(Some(t::PLATFORM_DEVICE_EXT), 1).map(|_| ()).map_err(|e| e.code), Err(Code::BadDevice));
        assert_eq!(find(12).map(|_| ()).map_err(|e| e.code), Err(Code::BadDisplay));
    }

    // A program with a window ends without a word of why; one that only asks an uninitialised display for a string must not
    // fill the terminal with errors.
    #[test]
    fn windows_are_refused_aloud_and_mistakes_are_not() {
        use crate::error::{Told, Unserved};
        for platform in [0x31D5, 0x31D8, 0x31D7] {
            let error = get(Some(platform), 0).expect_err("no windows");
            assert_eq!(error.told, Told::Once(Unserved::Platform));
            assert!(error.what.contains("headless"), "{error}");
        }
        assert_eq!(get(None, 5).expect_err("a native display").told, Told::Once(Unserved::Platform));
        let display = get(Some(t::PLATFORM_DEVICE_EXT), device()).expect("device display");
        assert_eq!(display.ready().expect_err("not initialised").told, Told::OnRequest);
    }

    // A program that forgot eglInitialize would crash instead of reading EGL_NOT_INITIALIZED.
    #[test]
    fn an_uninitialised_display_refuses() {
        let display = get(Some(t::PLATFORM_DEVICE_EXT), device()).expect("device display");
        assert_eq!(display.configs().map_err(|e| e.code), Err(Code::NotInitialized));
    }
}
