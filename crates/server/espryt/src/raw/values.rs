//! What a driver says about itself: strings, limits, format queries. Must not interpret them.

use super::Gl;
use super::consts;
use std::ffi::{CStr, c_char, c_void};

/// Hands a message of the driver to the log.
unsafe extern "system" fn message(
    _source: u32,
    ty: u32,
    _id: u32,
    severity: u32,
    _len: i32,
    text: *const c_char,
    _user: *mut c_void,
) {
    if text.is_null() {
        return;
    }
    // SAFETY: the driver hands a NUL-terminated string that lives through the call (ES 3.2 §18.1).
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    match (ty, severity) {
        (consts::DEBUG_TYPE_ERROR, _) => tracing::error!("driver: {text}"),
        (_, consts::DEBUG_SEVERITY_HIGH) => tracing::warn!("driver: {text}"),
        _ => tracing::debug!("driver: {text}"),
    }
}

fn text(at: *const u8) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: GL answers NUL-terminated static strings.
    unsafe { CStr::from_ptr(at.cast()) }.to_string_lossy().into_owned()
}

impl Gl {
    /// `glGetString`.
    pub fn string(&self, name: u32) -> String {
        // SAFETY: numbers only.
        text(unsafe { self.get_string(name) })
    }
    /// `glGetStringi`.
    pub fn string_at(&self, name: u32, index: u32) -> String {
        // SAFETY: numbers only.
        text(unsafe { self.get_stringi(name, index) })
    }
    /// `glGetIntegerv` of a single value; `0` when the driver does not know the name (the error is swallowed).
    pub fn int(&self, pname: u32) -> i32 {
        self.ints(pname)[0]
    }
    /// `glGetIntegerv` of up to four values.
    pub fn ints(&self, pname: u32) -> [i32; 4] {
        // No queried name of this backend has more than 4 values; some room all the same.
        let mut values = [0; 16];
        // SAFETY: room for 16 values.
        unsafe { self.get_integerv(pname, values.as_mut_ptr()) };
        self.get_error();
        [values[0], values[1], values[2], values[3]]
    }
    /// `glGetInteger64v`.
    pub fn int_64(&self, pname: u32) -> i64 {
        let mut value = [0; 4];
        // SAFETY: room for four values.
        unsafe { self.get_integer_64v(pname, value.as_mut_ptr()) };
        self.get_error();
        value[0]
    }
    /// `glGetIntegeri_v`.
    pub fn int_at(&self, pname: u32, index: u32) -> i32 {
        let mut value = [0; 4];
        // SAFETY: room for four values.
        unsafe { self.get_integeri_v(pname, index, value.as_mut_ptr()) };
        self.get_error();
        value[0]
    }
    /// `glGetFloatv` of up to two values.
    pub fn floats(&self, pname: u32) -> [f32; 2] {
        let mut values = [0.0; 4];
        // SAFETY: room for four values.
        unsafe { self.get_floatv(pname, values.as_mut_ptr()) };
        self.get_error();
        [values[0], values[1]]
    }
    /// `glGetInternalformativ`: sample counts of a format.
    pub fn format_samples(&self, target: u32, format: u32) -> [i32; 16] {
        let mut values = [0; 16];
        // SAFETY: the room is passed.
        unsafe { self.get_internalformativ(target, format, super::consts::SAMPLES, 16, values.as_mut_ptr()) };
        self.get_error();
        values
    }
    /// `glGetTexLevelParameteriv` (ES 3.1).
    pub fn tex_level(&self, target: u32, level: i32, pname: u32) -> i32 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_tex_level_parameteriv(target, level, pname, &raw mut value) };
        self.get_error();
        value
    }
    /// Sends the driver's messages to the log, each during the call that caused it.
    pub fn log_messages(&self) {
        self.enable(consts::DEBUG_OUTPUT);
        self.enable(consts::DEBUG_OUTPUT_SYNCHRONOUS);
        // SAFETY: the callback is static and needs no user pointer.
        unsafe { self.debug_message_callback(Some(message), std::ptr::null()) };
    }
    /// Takes every pending error; the first one.
    pub fn take_error(&self) -> u32 {
        let first = self.get_error();
        // A lost context answers errors for ever.
        for _ in 0..16 {
            if first == 0 || self.get_error() == 0 {
                break;
            }
        }
        first
    }
}
