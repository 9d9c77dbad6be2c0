//! Contexts and what is current (GLX 1.4 §3.3.7, GLX_ARB_create_context, GLX_SGI_make_current_read).

use std::ffi::c_int;
use std::sync::Arc;

use super::{Xid, config, guard, opaque, pairs, store};
use crate::choose::Pair;
use crate::config::Config;
use crate::current;
use crate::error::{Code, GlxError, GlxResult, Told, Unserved, fail};
use crate::handles::Opaque;
use crate::objects::context::{GlxContext, read};
use crate::objects::display;
use crate::objects::display::Display;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::{Dpy, XVisualInfo};

/// Creates one without a list.
fn plain(display: &Arc<Display>, config: &Config, share: Opaque, direct: c_int) -> GlxResult<Opaque> {
    // What is not served answers null alone: programs of these functions have no handler for errors, and look at the answer.
    create(display, Some(config), share, direct, &[]).map_err(|error| match error.told {
        Told::Once(_) => error.quietly(),
        _ => error,
    })
}

fn create(
    display: &Display,
    config: Option<&Config>,
    share: Opaque,
    direct: c_int,
    list: &[Pair],
) -> GlxResult<Opaque> {
    let asked = read(list)?;
    // The X server would draw (GLX 1.4 §2.1), and this driver is not there.
    if direct == 0 {
        let what =
            "the program asked for an indirect context, in which the X server draws; this driver has direct ones alone";
        return Err(GlxError::unserved(Code::BAD_VALUE, Unserved::Indirect, what));
    }
    Ok(opaque(GlxContext::create(display, config, share.addr(), &asked)?.core.handle))
}

/// `glXCreateContext`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateContext(dpy: Dpy, visual: *mut XVisualInfo, share: Opaque, direct: c_int) -> Opaque {
    guard("glXCreateContext", dpy, request::CREATE_CONTEXT, || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the visual.
        let config = unsafe { config::named(&display, visual) }?;
        plain(&display, config, share, direct)
    })
}

/// `glXCreateNewContext`.
#[unsafe(no_mangle)]
pub extern "C" fn glXCreateNewContext(dpy: Dpy, config: Opaque, kind: c_int, share: Opaque, direct: c_int) -> Opaque {
    guard("glXCreateNewContext", dpy, request::CREATE_NEW_CONTEXT, || {
        let display = display::find(dpy)?;
        let config = display.config(config)?;
        match kind {
            t::RGBA_TYPE => plain(&display, config, share, direct),
            t::COLOR_INDEX_TYPE => fail(Code::BAD_MATCH, 0, "there are no contexts that draw palette indices"),
            _ => fail(Code::BAD_VALUE, kind as usize, format!("0x{kind:X} is no render type")),
        }
    })
}

/// `glXCreateContextAttribsARB`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateContextAttribsARB(
    dpy: Dpy,
    config: Opaque,
    share: Opaque,
    direct: c_int,
    attributes: *const c_int,
) -> Opaque {
    guard("glXCreateContextAttribsARB", dpy, request::CREATE_CONTEXT_ATTRIBS, || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the list.
        let list = unsafe { pairs(attributes) };
        let config = if config.is_null() { None } else { Some(display.config(config)?) };
        // Without a configuration the list must say which screen (GLX_EXT_no_config_context).
        if config.is_none() && !list.iter().any(|(name, _)| *name == t::SCREEN) {
            return fail(
                Code::GLX_BAD_FB_CONFIG,
                0,
                "neither a configuration nor GLX_SCREEN says which screen is meant",
            );
        }
        create(&display, config, share, direct, &list)
    })
}

/// `glXDestroyContext`. A context that is current lives until it is released.
#[unsafe(no_mangle)]
pub extern "C" fn glXDestroyContext(dpy: Dpy, context: Opaque) {
    guard("glXDestroyContext", dpy, request::DESTROY_CONTEXT, || {
        if context.is_null() {
            return Ok(());
        }
        display::destroy_context(context.addr())
    });
}

/// `glXMakeCurrent`.
#[unsafe(no_mangle)]
pub extern "C" fn glXMakeCurrent(dpy: Dpy, drawable: Xid, context: Opaque) -> c_int {
    guard("glXMakeCurrent", dpy, request::MAKE_CURRENT, || bind(dpy, drawable, drawable, context))
}

/// `glXMakeContextCurrent`.
#[unsafe(no_mangle)]
pub extern "C" fn glXMakeContextCurrent(dpy: Dpy, draw: Xid, read: Xid, context: Opaque) -> c_int {
    guard("glXMakeContextCurrent", dpy, request::MAKE_CONTEXT_CURRENT, || bind(dpy, draw, read, context))
}

fn bind(dpy: Dpy, draw: Xid, read: Xid, context: Opaque) -> GlxResult<c_int> {
    if context.is_null() {
        if draw != 0 || read != 0 {
            return fail(Code::BAD_MATCH, 0, "drawables without a context");
        }
        current::release();
        return Ok(t::TRUE);
    }
    let display = display::find(dpy)?;
    let id = |id: Xid| usize::try_from(id).unwrap_or(usize::MAX);
    current::bind(&display, id(draw), id(read), context.addr())?;
    Ok(t::TRUE)
}

/// `glXGetCurrentContext`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentContext() -> Opaque {
    opaque(current::bound().map_or(0, |bound| bound.context.handle))
}

/// `glXGetCurrentDisplay`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentDisplay() -> Dpy {
    opaque(current::bound().map_or(0, |bound| bound.context.owner.display))
}

/// `glXGetCurrentDrawable`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentDrawable() -> Xid {
    current::bound().and_then(|bound| bound.draw).map_or(0, |drawable| drawable.handle as Xid)
}

/// `glXGetCurrentReadDrawable`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentReadDrawable() -> Xid {
    current::bound().and_then(|bound| bound.read).map_or(0, |drawable| drawable.handle as Xid)
}

/// `glXIsDirect`: ours are.
#[unsafe(no_mangle)]
pub extern "C" fn glXIsDirect(dpy: Dpy, context: Opaque) -> c_int {
    guard("glXIsDirect", dpy, request::IS_DIRECT, || {
        // Programs ask of what a creation answered before they look at whether it did.
        if context.is_null() { Ok(t::FALSE) } else { display::context(context.addr()).map(|_| t::TRUE) }
    })
}

/// `glXQueryContext`: answers 0, or what was wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryContext(dpy: Dpy, context: Opaque, name: c_int, value: *mut c_int) -> c_int {
    let mut code = t::BAD_CONTEXT;
    guard("glXQueryContext", dpy, request::QUERY_CONTEXT, || {
        let found = display::context(context.addr())?.query(name);
        code = if found.is_some() { t::SUCCESS } else { t::BAD_ATTRIBUTE };
        if let Some(found) = found {
            // SAFETY: the program vouches for the place.
            unsafe { store(value, found) };
        }
        Ok(())
    });
    code
}

/// `glXCopyContext`: there is no such copy between contexts that live in another process, and no program of the core profile
/// asks for it.
#[unsafe(no_mangle)]
pub extern "C" fn glXCopyContext(dpy: Dpy, from: Opaque, to: Opaque, _mask: std::ffi::c_ulong) {
    guard("glXCopyContext", dpy, request::COPY_CONTEXT, || {
        let (from, to) = (display::context(from.addr())?, display::context(to.addr())?);
        let mine = current::bound().map(|bound| bound.context.handle);
        if mine == Some(to.core.handle) || from.core.handle == to.core.handle {
            return fail(Code::BAD_ACCESS, 0, "the context to copy to is current");
        }
        let what = "glXCopyContext copies groups of state that the core profile has no names for (glPushAttrib); nothing was copied";
        Err::<(), _>(GlxError::unserved(Code::BAD_MATCH, Unserved::Legacy, what))
    });
}
