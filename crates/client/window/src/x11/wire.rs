//! The connection to the X server that all windows of a display share, and who is to be told of its events. Must not know
//! pictures.
//!
//! One connection for all: requests of several threads go out as they come, a thread that waits for an answer does not keep
//! others from writing, and a program with many windows is one more client of the server and not many.

use std::collections::{HashMap, VecDeque};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use x11rb::connection::RequestConnection as _;
use x11rb::errors::ConnectError;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::reexports::x11rb_protocol::parse_display::{ParsedDisplay, parse_display};
use x11rb::reexports::x11rb_protocol::xauth::{Family, get_auth};
use x11rb::rust_connection::{DefaultStream, RustConnection};

use super::core::Core;
use super::errors::Trouble;
use super::stream::Pipe;
use crate::window::Gone;

/// Locks what no panic can leave half done.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first of the addresses of a display that answers.
fn connect(display: &ParsedDisplay) -> std::io::Result<(DefaultStream, (Family, Vec<u8>))> {
    // The path of a socket in place of host and number.
    if display.host.starts_with('/') {
        return DefaultStream::from_unix_stream(UnixStream::connect(&display.host)?);
    }
    let mut error = std::io::ErrorKind::NotFound.into();
    for address in display.connect_instruction() {
        match DefaultStream::connect(&address) {
            Err(cause) => error = cause,
            found => return found,
        }
    }
    Err(error)
}

/// A connection.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) conn: RustConnection<Pipe>,
    /// Screen that the display's name says.
    pub(super) screen: usize,
    /// Why it is of no use any more.
    lost: OnceLock<String>,
    /// Drawables by the window that they are of.
    table: Mutex<HashMap<u32, Vec<Weak<Core>>>>,
    /// Numbers of the newest requests that were refused: an error may be read before its sender has noted the number.
    refused: Mutex<VecDeque<u64>>,
}

/// So many requests may be refused while a sender notes a number.
const REMEMBERED: usize = 256;

impl Wire {
    /// Connects to the display of that name, or to that of `DISPLAY`.
    pub(super) fn open(name: Option<&str>) -> Result<Self, Gone> {
        let said = name.map_or_else(|| std::env::var("DISPLAY").unwrap_or_default(), str::to_owned);
        let refused = |error: ConnectError| Gone::System(format!("X11 display \"{said}\": {error}"));
        let parsed = parse_display(name).map_err(|error| refused(error.into()))?;
        let (stream, (family, peer)) = connect(&parsed).map_err(|error| refused(error.into()))?;
        // A server without access control wants no authority.
        let (kind, data) = get_auth(family, &peer, parsed.display).ok().flatten().unwrap_or_default();
        let screen = parsed.screen.into();
        let pipe = Pipe::new(stream.into());
        let conn = RustConnection::connect_to_stream_with_auth_info(pipe, screen, kind, data).map_err(refused)?;
        conn.prefetch_maximum_request_bytes();
        Ok(Self { conn, screen, lost: OnceLock::new(), table: Mutex::default(), refused: Mutex::default() })
    }

    /// Whoever draws to the window is told of its events from now on.
    pub(super) fn enter(&self, core: &Arc<Core>) {
        locked(&self.table).entry(core.xid).or_default().push(Arc::downgrade(core));
        // The connection may have broken between the first look and now.
        if let Some(why) = self.lost.get() {
            core.fail(Gone::System(why.clone()));
        }
    }

    /// No longer. True when nobody else here draws to the window.
    pub(super) fn leave(&self, core: &Core) -> bool {
        let mut table = locked(&self.table);
        let Some(of_window) = table.get_mut(&core.xid) else { return true };
        of_window.retain(|other| other.upgrade().is_some_and(|other| !std::ptr::eq(&raw const *other, core)));
        let last = of_window.is_empty();
        if last {
            table.remove(&core.xid);
        }
        last
    }

    /// Everybody who draws to the window.
    pub(super) fn of_window(&self, xid: u32) -> Vec<Arc<Core>> {
        locked(&self.table).get(&xid).into_iter().flatten().filter_map(Weak::upgrade).collect()
    }

    /// The connection is broken: everybody hears of it, now or when they come.
    pub(super) fn fail(&self, why: &str) {
        // Without windows nobody misses it: the program has closed its display, or never drew.
        if self.lost.set(why.to_owned()).is_ok() && !self.all().is_empty() {
            tracing::warn!("{why}");
        }
        for core in self.all() {
            core.fail(Gone::System(why.to_owned()));
        }
    }

    /// A request that nobody waits for was refused.
    pub(super) fn refuse(&self, request: u64) {
        {
            let mut refused = locked(&self.refused);
            refused.push_back(request);
            if refused.len() > REMEMBERED {
                refused.pop_front();
            }
        }
        for core in self.all() {
            core.change(|state| state.refuse(request));
        }
    }

    /// True when that was said of the request before.
    pub(super) fn was_refused(&self, request: u64) -> bool {
        locked(&self.refused).contains(&request)
    }

    fn all(&self) -> Vec<Arc<Core>> {
        locked(&self.table).values().flatten().filter_map(Weak::upgrade).collect()
    }

    /// Why the connection is of no use, when it is not.
    pub(super) fn lost(&self) -> Option<Gone> {
        self.lost.get().map(|why| Gone::System(why.clone()))
    }

    /// Waits until the server has handled every request so far.
    pub(super) fn round_trip(&self) -> Result<(), Trouble> {
        self.conn.get_input_focus()?.reply()?;
        Ok(())
    }
}
