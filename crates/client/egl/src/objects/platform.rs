//! Which window system a display is for: what the program's platform and native handle mean, and the connection to it
//! (EGL 1.5 §3.2 and the platform extensions). Must not know windows.

use std::ffi::OsStr;
use std::sync::Arc;

use mgl_window::platform::System;
use mgl_window::x11::program::{Kind, Program};

use crate::attribs::Pair;
use crate::error::{Code, EglError, EglResult, Unserved, fail, unserved};
use crate::objects::display::{Handle, device};
use crate::tokens as t;

/// Where a display comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// `eglGetDisplay(EGL_DEFAULT_DISPLAY)`: the session's window system, or none.
    Default,
    /// `EGL_MESA_platform_surfaceless`.
    Surfaceless,
    /// `EGL_EXT_platform_device`.
    Device,
    /// `EGL_KHR_platform_x11` and `EGL_EXT_platform_xcb`: the program's connection, or the default display.
    X11 {
        /// What the connection is.
        connection: Option<(Kind, usize)>,
        /// The screen that was asked for.
        screen: Option<usize>,
    },
}

/// Proves what `eglGetPlatformDisplay` was asked for; `None` is `eglGetDisplay`.
pub fn named(platform: Option<u32>, native: Handle, list: &[Pair]) -> EglResult<Platform> {
    let found = match platform {
        None if native == 0 => Platform::Default,
        Some(t::PLATFORM_SURFACELESS_MESA) if native == 0 => Platform::Surfaceless,
        Some(t::PLATFORM_SURFACELESS_MESA) => {
            return fail(Code::BadParameter, "the surfaceless platform takes only EGL_DEFAULT_DISPLAY");
        }
        Some(t::PLATFORM_DEVICE_EXT) if native == device() => Platform::Device,
        Some(t::PLATFORM_DEVICE_EXT) => return fail(Code::BadDevice, "no such device"),
        Some(t::PLATFORM_X11_KHR) | None => return x11(Kind::Xlib, native, list, t::PLATFORM_X11_SCREEN_KHR),
        Some(t::PLATFORM_XCB_EXT) => return x11(Kind::Xcb, native, list, t::PLATFORM_XCB_SCREEN_EXT),
        Some(p) => return unknown(platform_name(p)),
    };
    if !list.is_empty() {
        return fail(Code::BadAttribute, "this display takes no attributes");
    }
    Ok(found)
}

fn x11(kind: Kind, native: Handle, list: &[Pair], screen_name: i32) -> EglResult<Platform> {
    let mut screen = None;
    for (name, value) in list.iter().copied() {
        match usize::try_from(value) {
            Ok(number) if name == screen_name => screen = Some(number),
            _ => return fail(Code::BadAttribute, format!("display attribute 0x{name:04X} = {value} is not known")),
        }
    }
    Ok(Platform::X11 { connection: (native != 0).then_some((kind, native)), screen })
}

fn unknown<T>(asked: &str) -> EglResult<T> {
    let what = format!(
        "the program asked for {asked}, which is not served yet: there are X11, surfaceless and device displays. Use the \
         program's X11 or headless mode if it has one"
    );
    unserved(Code::BadParameter, Unserved::Platform, what)
}

/// Platforms by the registry's numbers.
fn platform_name(platform: u32) -> &'static str {
    match platform {
        0x31D8 => "a Wayland display",
        0x31D7 => "a GBM display",
        0x3202 => "a display of ANGLE",
        _ => "a display of a platform that is not known",
    }
}

impl Platform {
    /// Connects to the window system (`eglInitialize`).
    pub fn open(self) -> EglResult<Option<Arc<dyn System>>> {
        match self {
            Platform::Surfaceless | Platform::Device => Ok(None),
            Platform::X11 { connection, screen } => {
                // SAFETY: the program keeps its connection open while the display is initialised (EGL 1.5 §3.2).
                let program = connection.map(|(kind, handle)| unsafe { Program::new(kind, handle) });
                open_x11(program, screen).map(Some)
            }
            Platform::Default => {
                if std::env::var_os("DISPLAY").is_none_or(|name| name == OsStr::new("")) {
                    return Ok(None);
                }
                // A session may name a display that is not there (any more): off-screen drawing needs none.
                Ok(open_x11(None, None).inspect_err(|e| tracing::info!("{e}")).ok())
            }
        }
    }
}

fn open_x11(program: Option<Program>, screen: Option<usize>) -> EglResult<Arc<dyn System>> {
    match mgl_window::x11::open(program, screen) {
        Ok(display) => Ok(display),
        Err(gone) => {
            let what = format!("no connection to the X server: {gone}");
            // A program that tries one platform after another is no person waiting for a window.
            let named = program.is_some() || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty());
            Err(if named {
                EglError::fatal(Code::NotInitialized, what)
            } else {
                EglError::new(Code::NotInitialized, what)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Platform, named};
    use crate::error::{Code, Told, Unserved};
    use crate::objects::display::device;
    use crate::tokens as t;

    // A program would get a display of another window system, or of another screen, than it asked for.
    #[test]
    fn requests_name_their_platform() {
        assert_eq!(named(None, 0, &[]), Ok(Platform::Default));
        assert_eq!(named(Some(t::PLATFORM_DEVICE_EXT), device(), &[]), Ok(Platform::Device));
        assert_eq!(named(Some(t::PLATFORM_DEVICE_EXT), 1, &[]).map_err(|e| e.code), Err(Code::BadDevice));
        let screen = [(t::PLATFORM_X11_SCREEN_KHR, 1)];
        let first = Platform::X11 { connection: Some((Kind::Xlib, 64)), screen: Some(1) };
        assert_eq!(named(Some(t::PLATFORM_X11_KHR), 64, &screen), Ok(first));
        assert_eq!(named(Some(t::PLATFORM_XCB_EXT), 64, &screen).map_err(|e| e.code), Err(Code::BadAttribute));
        assert_eq!(named(None, 5, &[]), Ok(Platform::X11 { connection: Some((Kind::Xlib, 5)), screen: None }));
    }

    // A program that opens what is not there ends without a word of why.
    #[test]
    fn platforms_that_are_missing_are_refused_aloud() {
        let error = named(Some(0x31D7), 0, &[]).expect_err("no GBM");
        assert_eq!((error.code, error.told), (Code::BadParameter, Told::Once(Unserved::Platform)));
        assert!(error.what.contains("headless"), "{error}");
    }
}
