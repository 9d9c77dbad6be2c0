//! The program's own connection to an X server, Xlib's or XCB's: its name, and waiting until what was asked on it is done.
//! Nothing else is sent on it: a thread of ours may not write where the program's threads do without a lock, and errors of
//! ours must not reach the program's error handler.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;

use libloading::os::unix::Library;

/// How a program names its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Display *`.
    Xlib,
    /// `xcb_connection_t *`.
    Xcb,
}

/// A connection of the program. Valid until the program closes it, which it may do after `eglTerminate` or when nothing of
/// ours is used any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    kind: Kind,
    connection: usize,
}

struct Xlib {
    display_string: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    default_screen: unsafe extern "C" fn(*mut c_void) -> c_int,
    sync: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
}

struct Xcb {
    file_descriptor: unsafe extern "C" fn(*mut c_void) -> c_int,
    input_focus: unsafe extern "C" fn(*mut c_void) -> c_uint,
    input_focus_reply: unsafe extern "C" fn(*mut c_void, c_uint, *mut *mut c_void) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
}

fn xlib() -> Option<&'static Xlib> {
    static FOUND: OnceLock<Option<Xlib>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            // SAFETY: a program that hands over a `Display` has this library loaded; these are its published functions.
            unsafe {
                let library = std::mem::ManuallyDrop::new(Library::new("libX11.so.6").ok()?);
                Some(Xlib {
                    display_string: *library.get(b"XDisplayString\0").ok()?,
                    default_screen: *library.get(b"XDefaultScreen\0").ok()?,
                    sync: *library.get(b"XSync\0").ok()?,
                })
            }
        })
        .as_ref()
}

fn xcb() -> Option<&'static Xcb> {
    static FOUND: OnceLock<Option<Xcb>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            // SAFETY: as above for XCB; replies are freed with the C library's `free`.
            unsafe {
                let library = std::mem::ManuallyDrop::new(Library::new("libxcb.so.1").ok()?);
                let own = std::mem::ManuallyDrop::new(Library::this());
                Some(Xcb {
                    file_descriptor: *library.get(b"xcb_get_file_descriptor\0").ok()?,
                    input_focus: *library.get(b"xcb_get_input_focus\0").ok()?,
                    input_focus_reply: *library.get(b"xcb_get_input_focus_reply\0").ok()?,
                    free: *own.get(b"free\0").ok()?,
                })
            }
        })
        .as_ref()
}

impl Program {
    /// A connection that the program handed over.
    ///
    /// # Safety
    /// `connection` is a live connection of that kind while the value is used.
    pub unsafe fn new(kind: Kind, connection: usize) -> Self {
        Self { kind, connection }
    }

    fn pointer(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.connection)
    }

    /// The display's name, as `DISPLAY` would say it; `None` when it cannot be told.
    pub fn display_name(&self) -> Option<String> {
        match self.kind {
            Kind::Xlib => {
                // SAFETY: the connection is live; the answer is a terminated string of it, copied at once.
                let name = unsafe {
                    let name = (xlib()?.display_string)(self.pointer());
                    if name.is_null() { None } else { Some(CStr::from_ptr(name)) }
                };
                name?.to_str().ok().map(str::to_owned)
            }
            Kind::Xcb => {
                // SAFETY: the connection is live, and its descriptor with it.
                let fd = unsafe { BorrowedFd::borrow_raw(descriptor((xcb()?.file_descriptor)(self.pointer()))?) };
                socket_display(fd)
            }
        }
    }

    /// The screen that the program means when it names none.
    pub fn screen(&self) -> Option<usize> {
        match self.kind {
            // SAFETY: the connection is live.
            Kind::Xlib => usize::try_from(unsafe { (xlib()?.default_screen)(self.pointer()) }).ok(),
            Kind::Xcb => None,
        }
    }

    /// Waits until the server has done everything that was asked for on this connection.
    pub fn sync(&self) {
        match self.kind {
            Kind::Xlib => {
                if let Some(xlib) = xlib() {
                    // SAFETY: the connection is live, and this is the thread that the program calls from.
                    unsafe { (xlib.sync)(self.pointer(), 0) };
                }
            }
            Kind::Xcb => {
                let Some(xcb) = xcb() else { return };
                // SAFETY: the connection is live; XCB locks it; the reply is freed as its documentation says.
                unsafe {
                    let cookie = (xcb.input_focus)(self.pointer());
                    let reply = (xcb.input_focus_reply)(self.pointer(), cookie, std::ptr::null_mut());
                    if !reply.is_null() {
                        (xcb.free)(reply);
                    }
                }
            }
        }
    }
}

fn descriptor(fd: c_int) -> Option<c_int> {
    (fd >= 0).then_some(fd)
}

/// The display behind a socket of this machine, whose path ends in its number.
fn socket_display(fd: BorrowedFd<'_>) -> Option<String> {
    let peer = rustix::net::getpeername(fd).ok()??;
    let unix = rustix::net::SocketAddrUnix::try_from(peer).ok()?;
    let name = unix.abstract_name().or(unix.path_bytes())?;
    number(std::str::from_utf8(name).ok()?)
}

fn number(path: &str) -> Option<String> {
    let number = path.trim_end_matches('\0').rsplit_once("/X")?.1;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| format!(":{number}"))
}

#[cfg(test)]
mod tests {
    use super::number;

    // A program that uses XCB would see its windows on another display, or none.
    #[test]
    fn a_sockets_path_names_its_display() {
        assert_eq!(number("/run/.X11-unix/X79\0"), Some(":79".into()));
        assert_eq!(number("/run/user/1000/X/other"), None);
        assert_eq!(number("/run/.X11-unix/X"), None);
    }
}
