//! Errors as messages, and labels (EGL_KHR_debug).

use std::ffi::{CString, c_char};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Opaque, done, lists, store};
use crate::error::{Code, EglResult, fail};
use crate::objects::display;
use crate::tokens as t;
use crate::tokens::Int;

/// `EGLDEBUGPROCKHR`: error, command, type, labels of thread and object, message.
type Callback = unsafe extern "C" fn(u32, *const c_char, Int, Opaque, Opaque, *const c_char);

/// What is told to whom.
struct Debug {
    callback: Option<Callback>,
    /// Bits of the kinds from `EGL_DEBUG_MSG_CRITICAL_KHR` on.
    enabled: u8,
}

/// At first errors are told, the rest is not.
static STATE: Mutex<Debug> = Mutex::new(Debug { callback: None, enabled: 0b0011 });

thread_local! {
    static THREAD_LABEL: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn state() -> MutexGuard<'static, Debug> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bit(kind: Int) -> Option<u8> {
    (t::DEBUG_MSG_CRITICAL_KHR..=t::DEBUG_MSG_INFO_KHR).contains(&kind).then(|| 1 << (kind - t::DEBUG_MSG_CRITICAL_KHR))
}

/// Tells of the error of a command.
pub fn tell(command: &str, code: Code, what: &str) {
    let kind = if code == Code::BadAlloc { t::DEBUG_MSG_CRITICAL_KHR } else { t::DEBUG_MSG_ERROR_KHR };
    let callback = {
        let state = state();
        state.callback.filter(|_| bit(kind).is_some_and(|bit| state.enabled & bit != 0))
    };
    let (Some(callback), Ok(command), Ok(what)) = (callback, CString::new(command), CString::new(what)) else {
        return;
    };
    let (thread, object) = (super::opaque(THREAD_LABEL.get()), std::ptr::null_mut());
    // SAFETY: the program's callback, with strings that outlive the call; no lock is held, so it may call EGL.
    unsafe { callback(code as u32, command.as_ptr(), kind, thread, object, what.as_ptr()) };
}

/// `eglDebugMessageControlKHR`: answers `EGL_SUCCESS` or the error.
///
/// # Safety
/// The list ends with `EGL_NONE`; the callback is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDebugMessageControlKHR(callback: Option<Callback>, attributes: *const isize) -> i32 {
    // SAFETY: the caller's contract.
    let list = unsafe { lists::read(attributes) };
    let mut enabled = state().enabled;
    for (name, value) in list {
        match (bit(name), value) {
            (Some(bit), 0) => enabled &= !bit,
            (Some(bit), 1) => enabled |= bit,
            _ => return Code::BadAttribute as i32,
        }
    }
    let mut state = state();
    // Without a callback everything is as at first.
    (state.callback, state.enabled) = (callback, if callback.is_some() { enabled } else { 0b0011 });
    t::SUCCESS
}

/// `eglQueryDebugKHR`.
///
/// # Safety
/// `value` is null or a place for the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDebugKHR(attribute: i32, value: *mut isize) -> u32 {
    done("eglQueryDebugKHR", || {
        let answer = {
            let state = state();
            match (attribute, bit(attribute)) {
                (t::DEBUG_CALLBACK_KHR, _) => state.callback.map_or(0, |callback| callback as usize as isize),
                (_, Some(bit)) => isize::from(state.enabled & bit != 0),
                _ => return fail(Code::BadAttribute, format!("debug attribute 0x{attribute:04X} is not known")),
            }
        };
        // SAFETY: the caller's contract.
        unsafe { store(value, answer) }
    })
}

/// `eglLabelObjectKHR`: answers `EGL_SUCCESS` or the error. Messages carry the label of their thread; which object a message
/// is about is not told.
#[unsafe(no_mangle)]
pub extern "C" fn eglLabelObjectKHR(dpy: Opaque, kind: u32, object: Opaque, label: Opaque) -> i32 {
    match exists(dpy, kind, object) {
        Ok(()) if kind as Int == t::OBJECT_THREAD_KHR => THREAD_LABEL.set(label.addr()),
        Ok(()) => {}
        Err(error) => return error.code as i32,
    }
    t::SUCCESS
}

fn exists(dpy: Opaque, kind: u32, object: Opaque) -> EglResult<()> {
    let handle = object.addr();
    match kind as Int {
        t::OBJECT_THREAD_KHR => Ok(()),
        t::OBJECT_DISPLAY_KHR if dpy == object => display::find(handle).map(drop),
        t::OBJECT_CONTEXT_KHR => display::find(dpy.addr())?.context(handle).map(drop),
        t::OBJECT_SURFACE_KHR => display::find(dpy.addr())?.surface(handle).map(drop),
        t::OBJECT_SYNC_KHR => display::find(dpy.addr())?.sync(handle).map(drop),
        _ => fail(Code::BadParameter, "no such object"),
    }
}
