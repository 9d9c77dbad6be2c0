//! What EGL keeps per thread: error and client API (EGL 1.5 §3.1, §3.7), and how `mgl_window::current` looks to it.

use std::cell::Cell;

use mgl_gl::Context;
use mgl_window::context::Api;
use mgl_window::current::{self, BindError, Bound};

use crate::error::{Code, EglError, EglResult, Unserved, fail, unserved};
use crate::objects::display::{Display, Handle};
use crate::tokens as t;
use crate::tokens::Int;

thread_local! {
    static ERROR: Cell<Int> = const { Cell::new(t::SUCCESS) };
    static API: Cell<u32> = const { Cell::new(t::OPENGL_ES_API) };
}

/// Stores the outcome of a command for `eglGetError`.
pub fn set_error(code: Int) {
    ERROR.set(code);
}

/// `eglGetError`: answers and forgets.
pub fn take_error() -> Int {
    ERROR.replace(t::SUCCESS)
}

/// `eglBindAPI`.
pub fn bind_api(api: u32) -> EglResult<()> {
    if api != t::OPENGL_API {
        let what = match api {
            t::OPENGL_ES_API => {
                "the program asked for OpenGL ES; this driver has desktop OpenGL alone. Make the program use \
                                 that, or run it on the OpenGL ES driver, without MobileGL"
            }
            t::OPENVG_API => "the program asked for OpenVG; this driver has desktop OpenGL alone",
            _ => return fail(Code::BadParameter, format!("0x{api:04X} is no client API")),
        };
        return unserved(Code::BadParameter, Unserved::Api, what);
    }
    API.set(api);
    Ok(())
}

/// `eglQueryAPI`; `EGL_NONE` until OpenGL is bound, because the initial API, OpenGL ES, is not there.
pub fn api() -> u32 {
    if API.get() == t::OPENGL_API { t::OPENGL_API } else { t::NONE as u32 }
}

/// What is current, if EGL made it so.
pub fn bound() -> Option<Bound> {
    current::bound_by(Api::Egl)
}

/// Runs `body` on the current GL context.
pub fn with<R>(body: impl FnOnce(&mut Context) -> R) -> EglResult<R> {
    let Some(bound) = bound() else {
        return fail(Code::BadContext, "no context is current to this thread");
    };
    bound.context.cell.with_mine(body).ok_or(EglError::new(Code::BadContext, "the context is in use by a callback"))
}

/// `eglMakeCurrent` with a context.
pub fn bind(display: &'static Display, draw: Handle, read: Handle, context: Handle) -> EglResult<()> {
    let context = display.context(context)?;
    if (draw == 0) != (read == 0) {
        return fail(Code::BadMatch, "give both a draw and a read surface, or neither");
    }
    let surface = |h: Handle| if h == 0 { Ok(None) } else { display.surface(h).map(|s| Some(s.core.clone())) };
    current::bind(context.core.clone(), surface(draw)?, surface(read)?).map_err(|error| {
        let code = match error {
            BindError::ContextBusy | BindError::DrawableBusy => Code::BadAccess,
            BindError::Mismatch => Code::BadMatch,
            BindError::Lost => Code::ContextLost,
        };
        EglError::new(code, error.to_string())
    })
}

/// Releases what is current (`eglMakeCurrent` with nothing).
pub fn release() {
    if bound().is_some() {
        current::release();
    }
}

/// `eglReleaseThread`.
pub fn reset() {
    release();
    ERROR.set(t::SUCCESS);
    API.set(t::OPENGL_ES_API);
}
