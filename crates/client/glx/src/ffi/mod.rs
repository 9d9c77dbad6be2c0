//! The exported `glX*` functions: pointers of the program become values here and nowhere else. No panic leaves.
#![allow(non_snake_case, reason = "exported functions carry their C names")]

mod config;
mod context;
mod drawable;
mod font;
mod glvnd;
mod import;
mod pbuffer;
mod procs;
mod query;
mod renderer;
mod swap;
mod sync;
mod texture;

use std::ffi::{c_int, c_ulong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::choose::Pair;
use crate::error::{Code, GlxError, GlxResult, Told};
use crate::handles::Opaque;
use crate::objects::display;
use crate::xlib::{Connection, Dpy};

pub use procs::proc_address;

/// `XID` as C has it.
type Xid = c_ulong;

/// What a failed function answers.
trait Zero {
    const ZERO: Self;
}

macro_rules! zeros {
    ($($t:ty = $zero:expr),*) => { $(impl Zero for $t { const ZERO: Self = $zero; })* };
}

zeros!(i32 = 0, u32 = 0, c_ulong = 0, i64 = 0);

impl Zero for () {
    const ZERO: Self = ();
}

impl<T> Zero for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

impl<T> Zero for *const T {
    const ZERO: Self = std::ptr::null();
}

/// Runs one command on a display; an error of its goes the way that the program's errors of X11 go, as one of `request`.
fn guard<R: Zero>(name: &'static str, dpy: Dpy, request: u8, body: impl FnOnce() -> GlxResult<R>) -> R {
    let error = match attempt(name, body) {
        Ok(value) => return value,
        Err(error) => error,
    };
    if !error.quiet
        && let Some(connection) = Connection::new(dpy)
    {
        let codes = display::known(dpy).map_or_else(|| connection.codes(), |display| display.codes);
        connection.raise(error.number(codes.first_error), (codes.opcode, request), error.resource);
    }
    R::ZERO
}

/// Runs one command that says by itself what went wrong.
fn attempt<R>(name: &'static str, body: impl FnOnce() -> GlxResult<R>) -> GlxResult<R> {
    let done = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        tracing::error!("{name} panicked inside MobileGL; the call had no effect. Please report this");
        Err(GlxError::new(Code::BAD_ALLOC, 0, "internal error").quietly())
    });
    done.inspect_err(|error| tell(name, error))
}

fn tell(name: &str, error: &GlxError) {
    match error.told {
        Told::Once(subject) => {
            mgl_window::start::started();
            if subject.is_news() {
                tracing::warn!("{name}: {}", error.what);
            } else {
                tracing::info!("{name}: {error}");
            }
        }
        Told::Always => {
            mgl_window::start::started();
            tracing::error!("{name}: {}", error.what);
        }
        Told::OnRequest => tracing::info!("{name}: {error}"),
    }
}

/// Stores an answer where the program wants it, if it does.
///
/// # Safety
/// `p` is null or points at a place for the value.
unsafe fn store<T>(p: *mut T, value: T) {
    if !p.is_null() {
        // SAFETY: not null; the program vouches for the place.
        unsafe { p.write_unaligned(value) };
    }
}

/// Pairs of a list that ends with 0 (`None`), which may be null.
///
/// # Safety
/// `list` is null or ends with 0 in the place of a name.
unsafe fn pairs(list: *const c_int) -> Vec<Pair> {
    let mut found = Vec::new();
    if list.is_null() {
        return found;
    }
    // No list is longer; one without an end must not be followed for ever.
    for at in 0..256 {
        // SAFETY: before the end of the list, which the program vouches for.
        let name = unsafe { list.add(2 * at).read_unaligned() };
        if name == 0 {
            break;
        }
        // SAFETY: a value follows each name.
        found.push((name, unsafe { list.add(2 * at + 1).read_unaligned() }));
    }
    found
}

/// An identifier as the X protocol has it.
fn xid(id: Xid, code: Code) -> GlxResult<u32> {
    u32::try_from(id).map_err(|_| GlxError::new(code, 0, "no object has such an identifier"))
}

/// A handle as the program holds it.
fn opaque(handle: usize) -> Opaque {
    std::ptr::without_provenance_mut::<c_void>(handle)
}

/// The screen of a program's display, for what names none.
fn screen_of(dpy: Dpy) -> c_int {
    Connection::new(dpy).map_or(0, Connection::default_screen)
}

/// The screen of a visual.
fn screen_of_visual(visual: *const crate::xlib::XVisualInfo) -> c_int {
    // SAFETY: null or a visual of the program, which vouches for it.
    unsafe { visual.as_ref() }.map_or(0, |visual| visual.screen)
}
