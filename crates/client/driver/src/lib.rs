//! `libmobilegl.so`: the exported `gl*` and `egl*` functions, the glvnd vendor entry point, the log, and with the feature
//! `embedded` the server for the transports monolith and inproc. Wires crates together; must not have behaviour of its own.

use std::ffi::{CString, c_char};
use std::io::IsTerminal;
use std::sync::OnceLock;

use tracing_subscriber::EnvFilter;

// Named so that the linker keeps the exported functions of these crates.
pub use {mgl_egl as egl, mgl_gl_abi as gl_abi, mgl_glx as glx};

/// Runs when the library is loaded: only leaves the address of `start` behind, because a program's start-up code must not
/// pay for, or be disturbed by, a driver it may never use.
extern "C" fn loaded() {
    mgl_window::start::on_first_use(start);
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

/// Runs once, before the first display of EGL or GLX is initialised.
fn start() {
    let wished = EnvFilter::try_from_env("MOBILEGL_LOG");
    let misread = wished.is_err() && std::env::var_os("MOBILEGL_LOG").is_some_and(|text| !text.is_empty());
    let filter = wished.unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time();
    // Fails only when a log is set up already, and then that one stays.
    let _ = log.try_init();
    if misread {
        tracing::warn!("MOBILEGL_LOG is no filter, \"warn\" is used; try info or mgl_magma=debug");
    }
    #[cfg(feature = "embedded")]
    mgl_gl::Instance::register_embedded(mgl_daemon::handler);
}

/// What this library finds of the session's window systems, for `mobilegl doctor`: lines that begin with `+` where windows can be
/// shown, with `-` where not. Static; empty when the environment names none.
#[unsafe(no_mangle)]
pub extern "C" fn mobilegl_windows() -> *const c_char {
    static TEXT: OnceLock<CString> = OnceLock::new();
    let find = || {
        let lines = mgl_window::report::lines();
        let text: String =
            lines.iter().map(|(good, line)| format!("{}{line}\n", if *good { '+' } else { '-' })).collect();
        CString::new(text).unwrap_or_default()
    };
    TEXT.get_or_init(|| std::panic::catch_unwind(find).unwrap_or_default()).as_ptr()
}
