//! Displays, one per platform, and the tables of what was created on them (EGL 1.5 §3.2). Must not know pointers of the
//! program: handles are numbers here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mgl_gl::Instance;
use mgl_window::drawable::Drawable;
use mgl_window::platform::System;

use crate::config::{self, Config};
use crate::error::{Code, EglError, EglResult, fail};
use crate::gl;
use crate::objects::EglSync;
use crate::objects::context::EglContext;
use crate::objects::platform::Platform;
use crate::objects::surface::EglSurface;
use crate::tokens as t;
use crate::tokens::Int;

/// An opaque handle as the program sees it; 0 is "none".
pub type Handle = usize;

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
    system: Option<Arc<dyn System>>,
    configs: Arc<Vec<Config>>,
    contexts: BTreeMap<Handle, Arc<EglContext>>,
    surfaces: BTreeMap<Handle, Arc<EglSurface>>,
    syncs: BTreeMap<Handle, Arc<EglSync>>,
}

/// Every display that the program asked for so far. They are few and never freed.
static DISPLAYS: Mutex<Vec<&'static Display>> = Mutex::new(Vec::new());

/// The one device; only its address matters.
static DEVICE: u8 = 0;

pub use mgl_window::drawable::mint;

/// `EGLDeviceEXT` of the one device.
pub fn device() -> Handle {
    &raw const DEVICE as Handle
}

/// The display of a platform: the same one for the same request.
pub fn get(platform: Platform) -> &'static Display {
    let mut displays = DISPLAYS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = displays.iter().find(|d| d.platform == platform) {
        return known;
    }
    let made: &'static Display = Box::leak(Box::new(Display::new(platform)));
    displays.push(made);
    made
}

/// The display of a handle.
pub fn find(handle: Handle) -> EglResult<&'static Display> {
    let displays = DISPLAYS.lock().unwrap_or_else(PoisonError::into_inner);
    let display = displays.iter().find(|d| d.handle() == handle).copied();
    display.ok_or(EglError::new(Code::BadDisplay, "no such display"))
}

impl Display {
    fn new(platform: Platform) -> Self {
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
        let system = self.platform.open()?;
        let instance = gl::connect()?;
        let configs = Arc::new(config::all(&instance.caps, system.as_deref()));
        let (contexts, surfaces, syncs) = Default::default();
        *live = Some(Live { instance, system, configs, contexts, surfaces, syncs });
        Ok(())
    }

    /// Where it comes from.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// Its window system, when it has one.
    pub fn system(&self) -> EglResult<Option<Arc<dyn System>>> {
        self.with(|live| live.system.clone())
    }

    /// True when a surface for this native window or pixmap exists (EGL 1.5 §3.5.1).
    pub fn shows(&self, native: usize) -> EglResult<bool> {
        self.with(|live| live.surfaces.values().any(|s| s.native == Some(native)))
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

    /// The connection it was initialised on.
    pub fn connected(&self) -> EglResult<Arc<Instance>> {
        self.with(|live| live.instance.clone())
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

    /// The surface that a drawable belongs to.
    pub fn surface_of(&self, drawable: &Arc<Drawable>) -> EglResult<Arc<EglSurface>> {
        let found = self.with(|live| live.surfaces.values().find(|s| Arc::ptr_eq(&s.core, drawable)).cloned())?;
        found.ok_or(EglError::new(Code::BadSurface, "the surface was destroyed"))
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
    use super::{device, find, get};
    use crate::error::Code;
    use crate::objects::platform::Platform;

    // A program would get another platform's display, or two displays for one request.
    #[test]
    fn platforms_have_their_own_displays() {
        let default = get(Platform::Default);
        let surfaceless = get(Platform::Surfaceless);
        assert_ne!(default.handle(), surfaceless.handle());
        assert_eq!(get(Platform::Surfaceless).handle(), surfaceless.handle());
        assert_eq!(find(surfaceless.handle()).expect("by handle").platform(), Platform::Surfaceless);
        assert_eq!(find(12).map(|_| ()).map_err(|e| e.code), Err(Code::BadDisplay));
        assert_ne!(device(), 0);
    }

    // A program that forgot eglInitialize would crash instead of reading EGL_NOT_INITIALIZED.
    #[test]
    fn an_uninitialised_display_refuses() {
        assert_eq!(get(Platform::Device).configs().map_err(|e| e.code), Err(Code::NotInitialized));
    }
}
