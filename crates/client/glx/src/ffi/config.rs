//! Visuals and frame buffer configurations (GLX 1.4 §3.3.3, §3.5).

use std::ffi::c_int;

use super::{attempt, guard, pairs, store};
use crate::choose;
use crate::config::Config;
use crate::error::{Code, GlxError, GlxResult};
use crate::handles::{Opaque, config_handle};
use crate::objects::display;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::{Dpy, XVisualInfo, give, screen_index};

/// `glXGetFBConfigs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigs(dpy: Dpy, screen: c_int, count: *mut c_int) -> *mut Opaque {
    list("glXGetFBConfigs", dpy, screen, count, |configs| (0..configs.len()).collect())
}

/// `glXChooseFBConfig`; without a list, all that there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXChooseFBConfig(
    dpy: Dpy,
    screen: c_int,
    attributes: *const c_int,
    count: *mut c_int,
) -> *mut Opaque {
    // SAFETY: the program vouches for the list.
    let request = unsafe { pairs(attributes) };
    list("glXChooseFBConfig", dpy, screen, count, |configs| {
        if attributes.is_null() { (0..configs.len()).collect() } else { choose::choose(configs, &request) }
    })
}

/// Handles of configurations for the program to free. A screen that is not there has none.
fn list(
    name: &'static str,
    dpy: Dpy,
    screen: c_int,
    count: *mut c_int,
    which: impl FnOnce(&[Config]) -> Vec<usize>,
) -> *mut Opaque {
    // SAFETY: the program vouches for the place.
    unsafe { store(count, 0) };
    guard(name, dpy, request::GET_FB_CONFIGS, || {
        let display = display::find(dpy)?;
        let configs = display.configs(screen).map_err(GlxError::quietly)?;
        let index = screen_index(screen).unwrap_or(0);
        let handles: Vec<Opaque> = which(configs).into_iter().map(|at| config_handle(index, at)).collect();
        // SAFETY: as above.
        unsafe { store(count, c_int::try_from(handles.len()).unwrap_or(0)) };
        Ok(give(&handles))
    })
}

/// `glXGetFBConfigAttrib`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigAttrib(dpy: Dpy, config: Opaque, name: c_int, value: *mut c_int) -> c_int {
    let found = attempt("glXGetFBConfigAttrib", || {
        let display = display::find(dpy)?;
        display.config(config).map(|config| config.attribute(name))
    });
    match found {
        Ok(Some(found)) => {
            // SAFETY: the program vouches for the place.
            unsafe { store(value, found) };
            t::SUCCESS
        }
        Ok(None) => t::BAD_ATTRIBUTE,
        // No code of this function says it; programs that pass such a handle get the error of the protocol as well.
        Err(error) if error.code == Code::GLX_BAD_FB_CONFIG => {
            guard("glXGetFBConfigAttrib", dpy, request::GET_FB_CONFIGS, || Err::<c_int, _>(error)).max(t::BAD_VALUE)
        }
        Err(_) => t::NO_EXTENSION,
    }
}

/// `glXGetVisualFromFBConfig`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetVisualFromFBConfig(dpy: Dpy, config: Opaque) -> *mut XVisualInfo {
    guard("glXGetVisualFromFBConfig", dpy, request::GET_FB_CONFIGS, || {
        let display = display::find(dpy)?;
        let config = display.config(config)?;
        let Some(visual) = config.visual else { return Ok(std::ptr::null_mut()) };
        Ok(display.connection()?.visual_info(visual.id, config.screen))
    })
}

/// `glXChooseVisual`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXChooseVisual(dpy: Dpy, screen: c_int, attributes: *mut c_int) -> *mut XVisualInfo {
    guard("glXChooseVisual", dpy, request::GET_VISUAL_CONFIGS, || {
        let display = display::find(dpy)?;
        let configs = display.configs(screen).map_err(GlxError::quietly)?;
        // SAFETY: the program vouches for a list that ends with 0; nothing behind that is read.
        let read = |at: usize| if attributes.is_null() { 0 } else { unsafe { attributes.add(at).read_unaligned() } };
        let request = choose::visual_request(read);
        let chosen = request.and_then(|request| choose::choose_visual(configs, &request));
        let Some(config) = chosen.and_then(|index| configs.get(index)) else { return Ok(std::ptr::null_mut()) };
        let Some(visual) = config.visual else { return Ok(std::ptr::null_mut()) };
        Ok(display.connection()?.visual_info(visual.id, config.screen))
    })
}

/// `glXGetConfig`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetConfig(dpy: Dpy, visual: *mut XVisualInfo, name: c_int, value: *mut c_int) -> c_int {
    let found = attempt("glXGetConfig", || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the visual.
        let visual = unsafe { visual.as_ref() }.ok_or_else(|| GlxError::new(Code::BAD_VALUE, 0, "no visual"))?;
        let Ok(configs) = display.configs(visual.screen) else { return Ok(Err(t::BAD_SCREEN)) };
        let config = of_visual(configs, visual);
        Ok(match (config, name) {
            (config, t::USE_GL) => Ok(i32::from(config.is_some())),
            (None, _) => Err(t::BAD_VISUAL),
            (Some(config), name) => config.attribute(name).ok_or(t::BAD_ATTRIBUTE),
        })
    });
    match found {
        Ok(Ok(found)) => {
            // SAFETY: the program vouches for the place.
            unsafe { store(value, found) };
            t::SUCCESS
        }
        Ok(Err(code)) => code,
        Err(_) => t::NO_EXTENSION,
    }
}

fn of_visual<'a>(configs: &'a [Config], visual: &XVisualInfo) -> Option<&'a Config> {
    let id = u32::try_from(visual.visualid).ok()?;
    choose::of_visual(configs, id).and_then(|index| configs.get(index))
}

/// The configuration that a visual of the program stands for.
///
/// # Safety
/// `visual` is null or points at an `XVisualInfo`.
pub(super) unsafe fn named(display: &display::Display, visual: *const XVisualInfo) -> GlxResult<&Config> {
    let bad = || GlxError::new(Code::BAD_VALUE, 0, "the visual has no configuration");
    // SAFETY: the caller's contract.
    let visual = unsafe { visual.as_ref() }.ok_or_else(bad)?;
    of_visual(display.configs(visual.screen)?, visual).ok_or_else(bad)
}
