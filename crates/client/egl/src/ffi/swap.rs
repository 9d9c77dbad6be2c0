//! Frame boundaries: pictures go to their windows (EGL 1.5 §3.10, EGL_KHR_swap_buffers_with_damage, EGL_KHR_partial_update).

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mgl_window::shown::{ShowError, Showing};
use mgl_window::window::{Gone, Look, Rect};

use super::{Opaque, done};
use crate::current;
use crate::error::{Code, EglError, EglResult, fail};
use crate::objects::display;
use crate::objects::surface::{EglSurface, Kind};

/// `eglSwapBuffers`.
#[unsafe(no_mangle)]
pub extern "C" fn eglSwapBuffers(dpy: Opaque, surface: Opaque) -> u32 {
    done("eglSwapBuffers", || swap(&*drawn(dpy, surface)?, &[]))
}

/// `eglSwapBuffersWithDamageKHR`.
///
/// # Safety
/// `rects` is null or has `count` groups of x, y (from the bottom left corner), width and height.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSwapBuffersWithDamageKHR(
    dpy: Opaque,
    surface: Opaque,
    rects: *const i32,
    count: i32,
) -> u32 {
    done("eglSwapBuffersWithDamage", || {
        let surface = drawn(dpy, surface)?;
        // SAFETY: the caller's contract.
        let rects = unsafe { read(rects, count) }?;
        let damage = from_top(&surface, &rects);
        swap(&surface, &damage)
    })
}

/// `eglSwapBuffersWithDamageEXT`.
///
/// # Safety
/// As for `eglSwapBuffersWithDamageKHR`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSwapBuffersWithDamageEXT(
    dpy: Opaque,
    surface: Opaque,
    rects: *const i32,
    count: i32,
) -> u32 {
    // SAFETY: the caller's contract.
    unsafe { eglSwapBuffersWithDamageKHR(dpy, surface, rects, count) }
}

/// `eglSetDamageRegionKHR`: a promise of the program's, from which nothing is gained here: the back buffer is kept.
///
/// # Safety
/// As for `eglSwapBuffersWithDamageKHR`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSetDamageRegionKHR(dpy: Opaque, surface: Opaque, rects: *const i32, count: i32) -> u32 {
    done("eglSetDamageRegionKHR", || {
        let surface = display::find(dpy.addr())?.surface(surface.addr())?;
        // SAFETY: the caller's contract.
        unsafe { read(rects, count) }?;
        let bound = current::bound().and_then(|b| b.draw).is_some_and(|d| Arc::ptr_eq(&d, &surface.core));
        if !bound || surface.kind != Kind::Window {
            return fail(Code::BadMatch, "the surface is not the window that this thread draws on");
        }
        surface.claim_damage()
    })
}

/// `eglSwapInterval`.
#[unsafe(no_mangle)]
pub extern "C" fn eglSwapInterval(dpy: Opaque, interval: i32) -> u32 {
    done("eglSwapInterval", || {
        display::find(dpy.addr())?.ready()?;
        let Some(bound) = current::bound() else {
            return fail(Code::BadContext, "no context is current to this thread");
        };
        let Some(draw) = bound.draw else {
            return fail(Code::BadSurface, "no draw surface is current to this thread");
        };
        let display = display::find(bound.context.owner.display)?;
        display.surface_of(&draw)?.interval.store(interval.clamp(0, MAX_INTERVAL), Ordering::Relaxed);
        Ok(())
    })
}

/// `EGL_MAX_SWAP_INTERVAL` of every window system.
const MAX_INTERVAL: i32 = 1000;

/// `eglCopyBuffers`: the colour buffer into a native pixmap (EGL 1.5 §3.10.2).
#[unsafe(no_mangle)]
pub extern "C" fn eglCopyBuffers(dpy: Opaque, surface: Opaque, target: usize) -> u32 {
    done("eglCopyBuffers", || {
        let display = display::find(dpy.addr())?;
        let surface = display.surface(surface.addr())?;
        let (Some(system), Some(native)) = (display.system()?, surface.config.native) else {
            return fail(Code::BadNativePixmap, "this display has no native pixmaps");
        };
        let pixmap = system.pixmap(target, &native);
        let pixmap = pixmap.map_err(|gone| EglError::new(Code::BadNativePixmap, gone.to_string()))?;
        if !current::bound().and_then(|b| b.draw).is_some_and(|d| Arc::ptr_eq(&d, &surface.core)) {
            return fail(Code::BadSurface, "the surface is not the draw surface of this thread");
        }
        current::with(|gl| surface.core.copy_to(gl, pixmap))?.map_err(told)
    })
}

/// The surface, which must be what this thread draws on.
fn drawn(dpy: Opaque, surface: Opaque) -> EglResult<Arc<EglSurface>> {
    let surface = display::find(dpy.addr())?.surface(surface.addr())?;
    let drawn = current::bound().and_then(|b| b.draw).is_some_and(|d| Arc::ptr_eq(&d, &surface.core));
    if drawn { Ok(surface) } else { fail(Code::BadSurface, "the surface is not the draw surface of this thread") }
}

fn swap(surface: &EglSurface, damage: &[Rect]) -> EglResult<()> {
    surface.forget_damage();
    let interval = surface.interval.load(Ordering::Relaxed);
    let showing = Showing { damage: damage.to_vec(), interval, ..Showing::default() };
    current::with(|gl| surface.core.swap(gl, &showing))?.map(drop).map_err(told)
}

fn told(error: ShowError) -> EglError {
    let code = match &error {
        ShowError::Lost | ShowError::Gone(Gone::Server) => Code::ContextLost,
        ShowError::Gone(Gone::Window(_) | Gone::System(_)) => Code::BadNativeWindow,
        ShowError::Gone(Gone::Memory(_)) => Code::BadAlloc,
    };
    EglError::new(code, error.to_string())
}

/// # Safety
/// `rects` is null or has `count` groups of four numbers.
unsafe fn read(rects: *const i32, count: i32) -> EglResult<Vec<[i32; 4]>> {
    let Ok(count) = usize::try_from(count) else {
        return fail(Code::BadParameter, "a negative number of rectangles");
    };
    if count > 0 && rects.is_null() {
        return fail(Code::BadParameter, "rectangles without their addresses");
    }
    // SAFETY: the caller's contract; each is read by itself, aligned or not.
    Ok((0..count).map(|n| unsafe { rects.add(n * 4).cast::<[i32; 4]>().read_unaligned() }).collect())
}

/// The program counts rows from the bottom. Rectangles that lie outside are dropped, others cut.
fn from_top(surface: &EglSurface, rects: &[[i32; 4]]) -> Vec<Rect> {
    let Ok(extent) = surface.core.size(Look::Poll) else { return Vec::new() };
    rects.iter().filter_map(|rect| flip(*rect, (extent.width, extent.height))).collect()
}

fn flip([x, y, w, h]: [i32; 4], (width, height): (u32, u32)) -> Option<Rect> {
    let span = |at: i32, len: i32, limit: u32| {
        let (first, last) = (i64::from(at).max(0), (i64::from(at) + i64::from(len)).min(i64::from(limit)));
        Some((u32::try_from(first).ok()?, u32::try_from(last - first).ok().filter(|n| *n > 0)?))
    };
    let ((x, w), (y, h)) = (span(x, w, width)?, span(y, h, height)?);
    Some(Rect { x, y: height - y - h, width: w, height: h })
}

#[cfg(test)]
mod tests {
    use super::flip;
    use mgl_window::window::Rect;

    // A program's damage would be shown upside down, or what it changed not at all.
    #[test]
    fn damage_is_counted_from_the_top() {
        let rect = |x, y, width, height| Some(Rect { x, y, width, height });
        assert_eq!(flip([0, 0, 10, 20], (100, 100)), rect(0, 80, 10, 20));
        assert_eq!(flip([-5, 95, 10, 20], (100, 100)), rect(0, 0, 5, 5));
        assert_eq!(flip([100, 0, 1, 1], (100, 100)), None);
        assert_eq!(flip([0, 0, -1, 5], (100, 100)), None);
        assert_eq!(flip([i32::MAX, i32::MAX, i32::MAX, i32::MAX], (100, 100)), None);
    }
}
