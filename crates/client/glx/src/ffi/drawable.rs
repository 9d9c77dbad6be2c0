//! Windows, pixmaps and pbuffers (GLX 1.4 §3.3.4 to §3.3.6, §3.3.8), and the pixmaps of GLX 1.2.

use std::ffi::{c_int, c_uint, c_ulong};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Xid, config, guard, pairs, store, xid};
use crate::error::{Code, GlxResult, fail};
use crate::handles::Opaque;
use crate::objects::display::{self, Display};
use crate::objects::drawable::{Asked, GlxDrawable, Kind, read};
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::{Dpy, XVisualInfo};
use crate::{current, events};

/// Enters what was made; answers its identifier.
fn enter(display: &Display, made: Arc<GlxDrawable>) -> Xid {
    let id = made.xid;
    display.add(made);
    id.into()
}

/// `glXCreateWindow`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateWindow(dpy: Dpy, config: Opaque, window: Xid, _attributes: *const c_int) -> Xid {
    guard("glXCreateWindow", dpy, request::CREATE_WINDOW, || {
        let display = display::find(dpy)?;
        let config = display.config(config)?;
        let target = xid(window, Code::BAD_WINDOW)?;
        let connection = display.connection()?;
        connection.sync();
        let made = GlxDrawable::on_window(&display, Kind::Window, (connection.new_id(), target), config)?;
        Ok(enter(&display, made))
    })
}

/// `glXDestroyWindow`.
#[unsafe(no_mangle)]
pub extern "C" fn glXDestroyWindow(dpy: Dpy, window: Xid) {
    destroy("glXDestroyWindow", dpy, request::DELETE_WINDOW, window, (Kind::Window, Code::GLX_BAD_WINDOW));
}

/// `glXCreatePixmap`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreatePixmap(dpy: Dpy, config: Opaque, pixmap: Xid, attributes: *const c_int) -> Xid {
    guard("glXCreatePixmap", dpy, request::CREATE_PIXMAP, || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the list.
        let asked = read(Kind::Pixmap, &unsafe { pairs(attributes) })?;
        on_pixmap(&display, display.config(config)?, pixmap, asked)
    })
}

/// `glXCreateGLXPixmap`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateGLXPixmap(dpy: Dpy, visual: *mut XVisualInfo, pixmap: Xid) -> Xid {
    guard("glXCreateGLXPixmap", dpy, request::CREATE_GLX_PIXMAP, || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the visual.
        on_pixmap(&display, unsafe { config::named(&display, visual) }?, pixmap, Asked::default())
    })
}

/// `glXCreateGLXPixmapWithConfigSGIX`.
#[unsafe(no_mangle)]
pub extern "C" fn glXCreateGLXPixmapWithConfigSGIX(dpy: Dpy, config: Opaque, pixmap: Xid) -> Xid {
    guard("glXCreateGLXPixmapWithConfigSGIX", dpy, request::VENDOR_PRIVATE, || {
        let display = display::find(dpy)?;
        on_pixmap(&display, display.config(config)?, pixmap, Asked::default())
    })
}

fn on_pixmap(display: &Display, config: &crate::config::Config, pixmap: Xid, asked: Asked) -> GlxResult<Xid> {
    let target = xid(pixmap, Code::BAD_PIXMAP)?;
    let connection = display.connection()?;
    connection.sync();
    let made = GlxDrawable::on_pixmap(display, (connection.new_id(), target), config, asked)?;
    Ok(enter(display, made))
}

/// `glXDestroyPixmap`.
#[unsafe(no_mangle)]
pub extern "C" fn glXDestroyPixmap(dpy: Dpy, pixmap: Xid) {
    destroy("glXDestroyPixmap", dpy, request::DESTROY_PIXMAP, pixmap, (Kind::Pixmap, Code::GLX_BAD_PIXMAP));
}

/// `glXDestroyGLXPixmap`.
#[unsafe(no_mangle)]
pub extern "C" fn glXDestroyGLXPixmap(dpy: Dpy, pixmap: Xid) {
    destroy("glXDestroyGLXPixmap", dpy, request::DESTROY_GLX_PIXMAP, pixmap, (Kind::Pixmap, Code::GLX_BAD_PIXMAP));
}

/// `glXCreatePbuffer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreatePbuffer(dpy: Dpy, config: Opaque, attributes: *const c_int) -> Xid {
    guard("glXCreatePbuffer", dpy, request::CREATE_PBUFFER, || {
        // SAFETY: the program vouches for the list.
        let asked = read(Kind::Pbuffer, &unsafe { pairs(attributes) })?;
        pbuffer(dpy, config, asked)
    })
}

/// A pbuffer, however it was asked for.
pub(super) fn pbuffer(dpy: Dpy, config: Opaque, asked: Asked) -> GlxResult<Xid> {
    let display = display::find(dpy)?;
    let config = display.config(config)?;
    let made = GlxDrawable::pbuffer(display.connection()?.new_id(), config, asked)?;
    Ok(enter(&display, made))
}

/// `glXDestroyPbuffer`.
#[unsafe(no_mangle)]
pub extern "C" fn glXDestroyPbuffer(dpy: Dpy, pbuffer: Xid) {
    destroy("glXDestroyPbuffer", dpy, request::DESTROY_PBUFFER, pbuffer, (Kind::Pbuffer, Code::GLX_BAD_PBUFFER));
}

/// Takes a drawable out of the table; one that is current lives until it is released.
pub(super) fn destroy(name: &'static str, dpy: Dpy, request: u8, id: Xid, (kind, bad): (Kind, Code)) {
    guard(name, dpy, request, || {
        let display = display::find(dpy)?;
        let id = xid(id, bad)?;
        if display.drawable(id).is_none_or(|drawable| drawable.kind != kind) {
            return fail(bad, id as usize, format!("{id:#x} is no such drawable"));
        }
        let removed = display.remove(id);
        // With its window, a window of GLX has gone already (GLX 1.4 §3.3.4): its identifier names nothing.
        if kind == Kind::Window && removed.is_some_and(|window| is_gone(&display, &window)) {
            return fail(bad, id as usize, format!("the window of {id:#x} was destroyed before"));
        }
        Ok(())
    });
}

/// The program has destroyed the window behind a drawable.
fn is_gone(display: &Display, window: &GlxDrawable) -> bool {
    let Ok(connection) = display.connection() else { return false };
    connection.sync();
    display.system.inspect(window.target).is_err()
}

/// `glXQueryDrawable`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryDrawable(dpy: Dpy, drawable: Xid, name: c_int, value: *mut c_uint) {
    guard("glXQueryDrawable", dpy, request::GET_DRAWABLE_ATTRIBUTES, || {
        // SAFETY: the program vouches for the place.
        unsafe { query(dpy, drawable, name, value) }
    });
}

/// Answers 0 for what a drawable has no value of, as servers do.
///
/// # Safety
/// `value` is null or points at a place for the value.
pub(super) unsafe fn query(dpy: Dpy, drawable: Xid, name: c_int, value: *mut c_uint) -> GlxResult<()> {
    let display = display::find(dpy)?;
    let id = xid(drawable, Code::GLX_BAD_DRAWABLE)?;
    let answer = match display.drawable(id) {
        Some(found) if name == t::BACK_BUFFER_AGE_EXT => age(&found)?,
        Some(found) => found.query(name)?.unwrap_or(0),
        None => plain(&display, id, name)?,
    };
    // SAFETY: the caller's contract.
    unsafe { store(value, answer.cast_unsigned()) };
    Ok(())
}

/// `GLX_BACK_BUFFER_AGE_EXT`, of the drawable that is drawn to alone.
fn age(drawable: &GlxDrawable) -> GlxResult<c_int> {
    let drawn = current::bound().and_then(|bound| bound.draw).is_some_and(|core| Arc::ptr_eq(&core, &drawable.core));
    if !drawn {
        return fail(Code::GLX_BAD_DRAWABLE, drawable.xid as usize, "the drawable is not drawn to by this thread");
    }
    let age = current::with(mgl_gl::Context::buffer_age).unwrap_or(0);
    Ok(c_int::try_from(age).unwrap_or(0))
}

/// Of a window that no context has had yet, only its size is known.
fn plain(display: &Display, id: u32, name: c_int) -> GlxResult<c_int> {
    display.connection()?.sync();
    let Ok(found) = display.system.inspect(id) else {
        return fail(Code::GLX_BAD_DRAWABLE, id as usize, format!("{id:#x} is no drawable"));
    };
    if !found.is_window {
        return fail(Code::GLX_BAD_DRAWABLE, id as usize, format!("{id:#x} is no drawable of GLX"));
    }
    let side = |length: u32| c_int::try_from(length).unwrap_or(0);
    Ok(match name {
        t::WIDTH => side(found.extent.width),
        t::HEIGHT => side(found.extent.height),
        t::SWAP_INTERVAL_EXT => 1,
        t::MAX_SWAP_INTERVAL_EXT => crate::objects::drawable::MAX_INTERVAL,
        _ => 0,
    })
}

/// `glXSelectEvent`. Pbuffers here are never clobbered; windows tell of the pictures that were shown (INTEL_swap_event).
#[unsafe(no_mangle)]
pub extern "C" fn glXSelectEvent(dpy: Dpy, drawable: Xid, mask: c_ulong) {
    guard("glXSelectEvent", dpy, request::CHANGE_DRAWABLE_ATTRIBUTES, || {
        let display = display::find(dpy)?;
        let found = named(&display, drawable)?;
        found.events.store(mask, Ordering::Relaxed);
        let wanted = mask & t::BUFFER_SWAP_COMPLETE_INTEL_MASK != 0 && found.target != 0;
        let system = display.system.clone();
        let teller = wanted.then(|| events::teller(system, display.codes.first_event, found.target, found.xid));
        found.core.on_shown(teller);
        Ok(())
    });
}

/// `glXGetSelectedEvent`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetSelectedEvent(dpy: Dpy, drawable: Xid, mask: *mut c_ulong) {
    guard("glXGetSelectedEvent", dpy, request::GET_DRAWABLE_ATTRIBUTES, || {
        let found = named(&*display::find(dpy)?, drawable)?.events.load(Ordering::Relaxed);
        // SAFETY: the program vouches for the place.
        unsafe { store(mask, found) };
        Ok(())
    });
}

/// A drawable by its identifier. A window of the program becomes one with the configuration that its visual stands for.
pub(super) fn named(display: &Display, id: Xid) -> GlxResult<Arc<GlxDrawable>> {
    let id = xid(id, Code::GLX_BAD_DRAWABLE)?;
    if let Some(found) = display.drawable(id) {
        return Ok(found);
    }
    display.connection()?.sync();
    let config = current::config_of_window(display, id)?;
    let made = GlxDrawable::on_window(display, Kind::Plain, (id, id), &config)?;
    display.add(made.clone());
    Ok(made)
}
