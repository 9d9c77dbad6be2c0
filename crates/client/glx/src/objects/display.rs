//! Displays of the program as GLX sees them, and the tables of what was made on them. Must not know pointers other than the
//! display's own.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mgl_gl::Instance;
use mgl_window::current;
use mgl_window::x11::System;

use crate::config::{self, Config};
use crate::error::{Code, GlxError, GlxResult, fail};
use crate::handles::{self, Opaque};
use crate::objects::context::GlxContext;
use crate::objects::drawable::GlxDrawable;
use crate::xlib::{Codes, Connection, Dpy, XExtCodes};
use crate::{events, tokens as t};

/// A display that the program has open, from the first question about GLX until it is closed.
#[derive(Debug)]
pub struct Display {
    /// The program's handle.
    pub handle: usize,
    /// How the X server numbers GLX.
    pub codes: Codes,
    /// A connection of our own to the same X server.
    pub system: Arc<System>,
    screens: Vec<Vec<Config>>,
    drawables: Mutex<BTreeMap<u32, Arc<GlxDrawable>>>,
}

static DISPLAYS: Mutex<Vec<Arc<Display>>> = Mutex::new(Vec::new());
/// Contexts in the table that are destroyed as soon as their threads leave them.
static DYING: AtomicUsize = AtomicUsize::new(0);
static CONTEXTS: Mutex<BTreeMap<usize, Arc<GlxContext>>> = Mutex::new(BTreeMap::new());

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes out of a table what `which` says; it is given up when nobody holds the table any more.
fn extract<K: Ord + Copy, V: Clone>(table: &Mutex<BTreeMap<K, V>>, which: impl Fn(&V) -> bool) -> Vec<V> {
    let mut table = locked(table);
    let keys: Vec<K> = table.iter().filter(|(_, value)| which(value)).map(|(key, _)| *key).collect();
    keys.into_iter().filter_map(|key| table.remove(&key)).collect()
}

/// The process's connection to a server; made on first use, and anew after a lost one.
pub fn connect() -> GlxResult<Arc<Instance>> {
    mgl_window::start::started();
    Instance::get_or_connect().map_err(|error| GlxError::fatal(Code::BAD_ALLOC, error.to_string()))
}

/// The display of a program's handle; opened when it is new.
pub fn find(dpy: Dpy) -> GlxResult<Arc<Display>> {
    if let Some(known) = known(dpy) {
        return Ok(known);
    }
    let Some(connection) = Connection::new(dpy) else {
        return Err(GlxError::new(Code::BAD_VALUE, 0, "the display is null, or Xlib is not there").quietly());
    };
    let opened = Display::open(connection)?;
    let mut displays = locked(&DISPLAYS);
    // Another thread may have been faster.
    if let Some(known) = displays.iter().find(|display| display.handle == dpy.addr()) {
        return Ok(known.clone());
    }
    displays.push(opened.clone());
    drop(displays);
    connection.on_close(closed);
    events::convert(connection, opened.codes);
    Ok(opened)
}

/// The display of a handle, if it was asked about before.
pub fn known(dpy: Dpy) -> Option<Arc<Display>> {
    locked(&DISPLAYS).iter().find(|display| display.handle == dpy.addr()).cloned()
}

/// The program closes a display: its contexts and drawables go, those that are current when they are released.
unsafe extern "C" fn closed(dpy: Dpy, _codes: *mut XExtCodes) -> c_int {
    let done = std::panic::catch_unwind(|| {
        let gone: Vec<_> = locked(&DISPLAYS).extract_if(.., |display| display.handle == dpy.addr()).collect();
        let contexts = extract(&CONTEXTS, |context| context.core.owner.display == dpy.addr());
        let dying = contexts.iter().filter(|context| context.dying.load(Ordering::Acquire)).count();
        DYING.fetch_sub(dying, Ordering::AcqRel);
        drop((gone, contexts));
    });
    if done.is_err() {
        tracing::error!("XCloseDisplay: what GLX had on the display could not be given up");
    }
    0
}

impl Display {
    fn open(connection: Connection) -> GlxResult<Arc<Self>> {
        let instance = connect()?;
        let name = connection.name();
        let system = System::open(Some(&name)).map_err(|gone| {
            GlxError::fatal(Code::BAD_ALLOC, format!("no second connection to the X server {name:?}: {gone}"))
        })?;
        let shown: Vec<_> =
            system.visuals().iter().filter(|visual| system.layout_of(visual).is_some()).copied().collect();
        let on = |(index, screen): (usize, mgl_window::x11::Screen)| {
            let visuals: Vec<_> = shown.iter().filter(|visual| visual.screen == index).copied().collect();
            config::all(&instance.caps, &visuals, screen.visual, index)
        };
        let screens = system.screens().into_iter().enumerate().map(on).collect();
        let (handle, codes) = (connection.handle(), connection.codes());
        let drawables = Mutex::default();
        Ok(Arc::new(Self { handle, codes, system, screens, drawables }))
    }

    /// The program's side of it.
    pub fn connection(&self) -> GlxResult<Connection> {
        Connection::new(std::ptr::with_exposed_provenance_mut(self.handle))
            .ok_or_else(|| GlxError::new(Code::BAD_VALUE, 0, "Xlib is not there"))
    }

    /// Configurations of a screen.
    pub fn configs(&self, screen: c_int) -> GlxResult<&[Config]> {
        let found = usize::try_from(screen).ok().and_then(|screen| self.screens.get(screen));
        found.map(Vec::as_slice).ok_or_else(|| {
            let value = usize::try_from(screen).unwrap_or(0);
            GlxError::new(Code::BAD_VALUE, value, format!("the display has no screen {screen}"))
        })
    }

    /// The configuration of a handle.
    pub fn config(&self, handle: Opaque) -> GlxResult<&Config> {
        let found = handles::config_of(handle).and_then(|(screen, index)| self.screens.get(screen)?.get(index));
        found.ok_or_else(|| GlxError::new(Code::GLX_BAD_FB_CONFIG, 0, "no such configuration on this display"))
    }

    /// Enters a drawable.
    pub fn add(&self, drawable: Arc<GlxDrawable>) {
        let old = locked(&self.drawables).insert(drawable.xid, drawable);
        drop(old);
    }

    /// The drawable of an identifier.
    pub fn drawable(&self, xid: u32) -> Option<Arc<GlxDrawable>> {
        locked(&self.drawables).get(&xid).cloned()
    }

    /// Takes a drawable out of the table; what is current lives until it is released.
    pub fn remove(&self, xid: u32) -> Option<Arc<GlxDrawable>> {
        locked(&self.drawables).remove(&xid)
    }

    /// Gives up windows that the program destroyed without a word to GLX.
    pub fn sweep(&self) {
        let bound = current::bound();
        let is_mine = |drawable: &GlxDrawable| {
            bound.as_ref().is_some_and(|b| b.draw.iter().chain(&b.read).any(|core| Arc::ptr_eq(core, &drawable.core)))
        };
        let gone =
            extract(&self.drawables, |drawable| drawable.is_plain() && drawable.core.is_gone() && !is_mine(drawable));
        drop(gone);
    }

    /// `GLX_SCREEN` of a drawable or context without a configuration.
    pub fn default_screen(&self) -> t::Int {
        t::Int::try_from(self.system.default_screen()).unwrap_or(0)
    }
}

/// Enters a context.
pub fn add_context(context: Arc<GlxContext>) {
    locked(&CONTEXTS).insert(context.core.handle, context);
}

/// The context of a handle.
pub fn context(handle: usize) -> GlxResult<Arc<GlxContext>> {
    match locked(&CONTEXTS).get(&handle) {
        Some(context) => Ok(context.clone()),
        None => fail(Code::GLX_BAD_CONTEXT, 0, "no such context"),
    }
}

/// The context of an identifier (GLX_EXT_import_context).
pub fn context_of_id(id: u32) -> Option<Arc<GlxContext>> {
    locked(&CONTEXTS).values().find(|context| context.id == id).cloned()
}

/// Destroys a context; one that a thread has keeps its handle until that thread leaves it (GLX 1.4 §3.3.7).
pub fn destroy_context(handle: usize) -> GlxResult<()> {
    let found = context(handle)?;
    if found.core.cell.is_claimed() {
        if !found.dying.swap(true, Ordering::AcqRel) {
            DYING.fetch_add(1, Ordering::AcqRel);
        }
        return Ok(());
    }
    let removed = locked(&CONTEXTS).remove(&handle);
    drop((removed, found));
    Ok(())
}

/// A thread has left a context: what was destroyed meanwhile goes.
pub fn bury_contexts() {
    if DYING.load(Ordering::Acquire) == 0 {
        return;
    }
    let dead = |context: &Arc<GlxContext>| context.dying.load(Ordering::Acquire) && !context.core.cell.is_claimed();
    let gone = extract(&CONTEXTS, dead);
    DYING.fetch_sub(gone.len(), Ordering::AcqRel);
    drop(gone);
}
