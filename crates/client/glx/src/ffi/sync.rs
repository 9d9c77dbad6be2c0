//! Refreshes and pictures as times (GLX_OML_sync_control, GLX_SGI_video_sync).

use std::ffi::{c_int, c_uint};

use mgl_window::window::{Target, Times};

use super::{Xid, attempt, guard, store, swap};
use crate::current;
use crate::error::{Code, GlxError, GlxResult, fail};
use crate::objects::display;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::Dpy;

/// Stores the three times.
///
/// # Safety
/// The pointers are null or point at places for values.
unsafe fn give(times: Times, [ust, msc, sbc]: [*mut i64; 3]) {
    // SAFETY: the caller's contract.
    unsafe {
        store(ust, times.ust.cast_signed());
        store(msc, times.msc.cast_signed());
        store(sbc, times.sbc.cast_signed());
    }
}

/// `None` of a wait or a look: the window system does not count, or the window is gone.
fn known(times: Result<Option<Times>, mgl_window::window::Gone>, drawable: Xid) -> GlxResult<Times> {
    let bad =
        |what: String| GlxError::new(Code::GLX_BAD_DRAWABLE, usize::try_from(drawable).unwrap_or(0), what).quietly();
    times.map_err(|gone| bad(gone.to_string()))?.ok_or_else(|| bad("the drawable has no refreshes".into()))
}

/// `glXGetSyncValuesOML`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetSyncValuesOML(
    dpy: Dpy,
    drawable: Xid,
    ust: *mut i64,
    msc: *mut i64,
    sbc: *mut i64,
) -> c_int {
    guard("glXGetSyncValuesOML", dpy, request::VENDOR_PRIVATE, || {
        let times = known(swap::timed(dpy, drawable)?.core.times(), drawable)?;
        // SAFETY: the program vouches for the places.
        unsafe { give(times, [ust, msc, sbc]) };
        Ok(t::TRUE)
    })
}

/// `glXGetMscRateOML`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetMscRateOML(
    dpy: Dpy,
    drawable: Xid,
    numerator: *mut i32,
    denominator: *mut i32,
) -> c_int {
    guard("glXGetMscRateOML", dpy, request::VENDOR_PRIVATE, || {
        swap::timed(dpy, drawable)?;
        let nanoseconds = u64::try_from(display::find(dpy)?.system.period().as_nanos()).unwrap_or(0).max(1);
        // Refreshes per second in thousandths: 59.94 is no whole number.
        let thousandths = (1_000_000_000_000 + nanoseconds / 2) / nanoseconds;
        let (above, below) = if thousandths % 1000 == 0 { (thousandths / 1000, 1) } else { (thousandths, 1000) };
        // SAFETY: the program vouches for the places.
        unsafe {
            store(numerator, i32::try_from(above).unwrap_or(i32::MAX));
            store(denominator, below);
        }
        Ok(t::TRUE)
    })
}

/// A moment as these functions name it: none of the numbers is negative, and the remainder is smaller than the divisor.
fn moment(msc: i64, divisor: i64, remainder: i64) -> GlxResult<Target> {
    let number = |value: i64| u64::try_from(value).ok();
    match (number(msc), number(divisor), number(remainder)) {
        (Some(msc), Some(divisor), Some(remainder)) if divisor == 0 || remainder < divisor => {
            Ok(Target { msc, divisor, remainder })
        }
        _ => Err(GlxError::new(Code::BAD_VALUE, 0, "numbers of refreshes are not negative, remainders below divisors")
            .quietly()),
    }
}

/// `glXSwapBuffersMscOML`: answers how many pictures of the window there will have been, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapBuffersMscOML(dpy: Dpy, drawable: Xid, msc: i64, divisor: i64, remainder: i64) -> i64 {
    let mut answer = -1;
    guard("glXSwapBuffersMscOML", dpy, request::SWAP_BUFFERS, || {
        let target = moment(msc, divisor, remainder)?;
        let display = display::find(dpy)?;
        let drawn = current::bound().and_then(|bound| bound.draw).is_some_and(|core| core.handle as u64 == drawable);
        if !drawn {
            return fail(Code::GLX_BAD_DRAWABLE, 0, "the drawable is not drawn to by this thread")
                .map_err(GlxError::quietly);
        }
        answer = swap::swap(&display, drawable, target)?.cast_signed();
        Ok(())
    });
    answer
}

/// `glXWaitForMscOML`.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the function of the specification")]
pub unsafe extern "C" fn glXWaitForMscOML(
    dpy: Dpy,
    drawable: Xid,
    target: i64,
    divisor: i64,
    remainder: i64,
    ust: *mut i64,
    msc: *mut i64,
    sbc: *mut i64,
) -> c_int {
    guard("glXWaitForMscOML", dpy, request::VENDOR_PRIVATE, || {
        let target = moment(target, divisor, remainder)?;
        let times = known(swap::timed(dpy, drawable)?.core.wait_refresh(target), drawable)?;
        // SAFETY: the program vouches for the places.
        unsafe { give(times, [ust, msc, sbc]) };
        Ok(t::TRUE)
    })
}

/// `glXWaitForSbcOML`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXWaitForSbcOML(
    dpy: Dpy,
    drawable: Xid,
    target: i64,
    ust: *mut i64,
    msc: *mut i64,
    sbc: *mut i64,
) -> c_int {
    guard("glXWaitForSbcOML", dpy, request::VENDOR_PRIVATE, || {
        let Ok(count) = u64::try_from(target) else { return Ok(t::FALSE) };
        let times = known(swap::timed(dpy, drawable)?.core.wait_shown(count), drawable)?;
        // SAFETY: the program vouches for the places.
        unsafe { give(times, [ust, msc, sbc]) };
        Ok(t::TRUE)
    })
}

/// `glXGetVideoSyncSGI`: refreshes of the screen of what is drawn to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetVideoSyncSGI(count: *mut c_uint) -> c_int {
    let Some((_, drawable)) = current::drawing() else { return t::BAD_CONTEXT };
    let times = attempt("glXGetVideoSyncSGI", || known(drawable.core.times(), drawable.xid.into()));
    // SAFETY: the program vouches for the place.
    times.map_or(t::BAD_CONTEXT, |times| unsafe { counted(times, count) })
}

/// `glXWaitVideoSyncSGI`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXWaitVideoSyncSGI(divisor: c_int, remainder: c_int, count: *mut c_uint) -> c_int {
    if divisor <= 0 || remainder < 0 || remainder >= divisor {
        return t::BAD_VALUE;
    }
    let Some((_, drawable)) = current::drawing() else { return t::BAD_CONTEXT };
    let target = Target { msc: 0, divisor: divisor.unsigned_abs().into(), remainder: remainder.unsigned_abs().into() };
    let times = attempt("glXWaitVideoSyncSGI", || known(drawable.core.wait_refresh(target), drawable.xid.into()));
    // SAFETY: the program vouches for the place.
    times.map_or(t::BAD_CONTEXT, |times| unsafe { counted(times, count) })
}

/// # Safety
/// `count` is null or points at a place for the value.
unsafe fn counted(times: Times, count: *mut c_uint) -> c_int {
    // SAFETY: the caller's contract. The counter of the extension wraps at 32 bits.
    unsafe { store(count, times.msc as c_uint) };
    t::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::moment;

    // A negative number would be a refresh that never comes: the program hangs.
    #[test]
    fn moments_are_proven() {
        assert!(moment(0, 0, 0).is_ok() && moment(5, 2, 1).is_ok());
        for wrong in [(-1, 0, 0), (0, -1, 0), (0, 2, -1), (0, 2, 2)] {
            assert!(moment(wrong.0, wrong.1, wrong.2).is_err(), "{wrong:?}");
        }
    }
}
