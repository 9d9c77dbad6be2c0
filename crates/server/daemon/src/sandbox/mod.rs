//! What a server process may still do once it draws for a client: no files beyond what its driver needs, no sockets, no
//! other programs. A client that makes a driver run its code then has the client's own records and little else.
//!
//! Two layers, because each covers what the other cannot: Landlock knows paths and is in force before the driver opens
//! its device and starts threads; seccomp knows calls and is put on all threads once the driver is up. Must not be used in a
//! program's own process (transports `monolith` and `inproc`): it cannot be undone.

mod calls;
mod files;
pub mod probe;

use std::sync::OnceLock;

/// Whom the process draws for decides how much its driver needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// No driver at all.
    Nothing,
    /// A driver that draws on the processor: libraries, caches, facts about the processor.
    Processor,
    /// A driver of a graphics card: its device files too.
    Device,
}

/// `MOBILEGL_SANDBOX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// For `null` and for drivers on the processor; the others lose the network alone. A layer that this kernel lacks is
    /// done without.
    #[default]
    Auto,
    /// Never.
    Off,
    /// For every driver; a session that cannot be confined completely is refused.
    Strict,
}

static MODE: OnceLock<Mode> = OnceLock::new();
static FILES: OnceLock<Result<(), String>> = OnceLock::new();

/// Called once by a server process before it makes a backend. Without it every other function here does nothing.
///
/// # Errors
/// When `MOBILEGL_SANDBOX` names no mode.
pub fn enable() -> Result<(), String> {
    let mode = match mgl_link::settings::text("MOBILEGL_SANDBOX").as_deref() {
        None | Some("auto") => Mode::Auto,
        Some("off") => Mode::Off,
        Some("strict") => Mode::Strict,
        Some(other) => return Err(format!("MOBILEGL_SANDBOX={other}: use auto, off or strict")),
    };
    MODE.set(mode).map_err(|_| "the sandbox was enabled twice".to_owned())
}

fn applies(needs: Needs) -> bool {
    match MODE.get() {
        None | Some(Mode::Off) => false,
        Some(Mode::Auto) => needs != Needs::Device,
        Some(Mode::Strict) => true,
    }
}

/// The device is chosen and not open yet: files are confined from here on. Called by the backend, through the function that
/// it was given.
pub fn device_chosen(on_processor: bool) {
    confine_files(if on_processor { Needs::Processor } else { Needs::Device });
}

/// Confines files for a process with these needs; the first call counts.
pub fn confine_files(needs: Needs) {
    if applies(needs) {
        FILES.get_or_init(|| files::confine(needs));
    }
}

/// The backend is up: system calls are confined, and what could not be done is said.
///
/// # Errors
/// In strict mode, what is missing.
pub fn finish() -> Result<(), String> {
    let strict = MODE.get() == Some(&Mode::Strict);
    let Some(files) = FILES.get() else {
        return match MODE.get() {
            Some(Mode::Strict) => Err("sandbox: the backend did not say what it needs".into()),
            Some(Mode::Auto) => {
                calls::confine_network().unwrap_or_else(|text| tracing::warn!("sandbox: {text}"));
                Ok(())
            }
            Some(Mode::Off) | None => Ok(()),
        };
    };
    for layer in [files.clone(), calls::confine()] {
        match layer {
            Err(text) if strict => return Err(format!("sandbox: {text}")),
            Err(text) => tracing::warn!("sandbox: {text}"),
            Ok(()) => {}
        }
    }
    Ok(())
}
