//! The exported `egl*` functions: pointers of the program become values here and nowhere else. No panic leaves.
#![allow(non_snake_case, reason = "exported functions carry their C names")]

mod context;
mod debug;
mod device;
mod display;
mod driver;
mod glvnd;
mod lists;
mod procs;
mod surface;
mod swap;
mod sync;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::current;
use crate::error::{Code, EglError, EglResult, Told};
use crate::objects::display::Handle;
use crate::tokens as t;

pub use procs::proc_address;

/// Any opaque EGL handle.
type Opaque = *mut c_void;

/// A handle as the program holds it.
fn opaque(handle: Handle) -> Opaque {
    std::ptr::without_provenance_mut(handle)
}

/// What a failed function answers.
trait Zero {
    const ZERO: Self;
}

impl Zero for u32 {
    const ZERO: Self = 0;
}

impl Zero for i32 {
    const ZERO: Self = 0;
}

impl<T> Zero for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

impl<T> Zero for *const T {
    const ZERO: Self = std::ptr::null();
}

/// Runs one command; its outcome becomes what `eglGetError` answers.
fn guard<R: Zero>(name: &'static str, body: impl FnOnce() -> EglResult<R>) -> R {
    let done = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        tracing::error!("{name} panicked inside MobileGL; the call had no effect. Please report this");
        Err(EglError::new(Code::BadAlloc, "internal error"))
    });
    match done {
        Ok(value) => {
            current::set_error(t::SUCCESS);
            value
        }
        Err(error) => {
            tell(name, &error);
            debug::tell(name, error.code, &error.what);
            current::set_error(error.code as i32);
            R::ZERO
        }
    }
}

fn tell(name: &str, error: &EglError) {
    match error.told {
        // Several vendors under one libEGL are each asked for what only one of them has.
        Told::Once(subject) if glvnd::is_only_vendor() => {
            // A refusal may come before anything else: the log is set up for it.
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
        _ => tracing::info!("{name}: {error}"),
    }
}

/// As `guard` for functions that answer `EGL_TRUE` or `EGL_FALSE`.
fn done(name: &'static str, body: impl FnOnce() -> EglResult<()>) -> u32 {
    guard(name, || body().map(|()| 1))
}

/// Stores through a pointer of the program that must not be null.
///
/// # Safety
/// `p` is null or points at a place for the value.
unsafe fn store<T>(p: *mut T, value: T) -> EglResult<()> {
    if p.is_null() {
        return Err(EglError::new(Code::BadParameter, "the pointer for the answer is null"));
    }
    // SAFETY: not null; the program vouches for the place.
    unsafe { p.write_unaligned(value) };
    Ok(())
}
