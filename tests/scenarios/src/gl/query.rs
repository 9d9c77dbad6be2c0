//! Queries, fences and debug messages. Must not draw.

use super::tokens as t;
use super::{DebugProc, Gl};

/// A message of the debug log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who.
    pub source: u32,
    /// What kind.
    pub kind: u32,
    /// Its number.
    pub id: u32,
    /// How grave.
    pub severity: u32,
    /// What it says.
    pub text: String,
}

impl Gl {
    /// The result of a query, waited for.
    pub fn query_result(&self, query: u32) -> u64 {
        let mut out = 0;
        // SAFETY: one value.
        unsafe { (self.raw().get_query_objectui64v)(query, t::QUERY_RESULT, &raw mut out) };
        out
    }

    /// The result of a query in 32 bits.
    pub fn query_result_u32(&self, query: u32) -> u32 {
        let mut out = 0;
        // SAFETY: one value.
        unsafe { (self.raw().get_query_objectuiv)(query, t::QUERY_RESULT, &raw mut out) };
        out
    }

    /// True when the result is there.
    pub fn query_available(&self, query: u32) -> bool {
        let mut out = 0;
        // SAFETY: one value.
        unsafe { (self.raw().get_query_objectiv)(query, t::QUERY_RESULT_AVAILABLE, &raw mut out) };
        out == 1
    }

    /// `glGetQueryObjectuiv` into the query buffer at a byte offset.
    pub fn query_to_buffer(&self, query: u32, pname: u32, offset: usize) {
        // SAFETY: with a query buffer bound this is an offset.
        unsafe { (self.raw().get_query_objectuiv)(query, pname, offset as *mut u32) }
    }

    /// `glGetQueryObject` of the form `i`, `ui`, `i64` or `ui64` into the query buffer at a byte offset.
    pub fn query_in_form(&self, query: u32, pname: u32, form: &str, offset: usize) {
        let raw = self.raw();
        // SAFETY: with a query buffer bound this is an offset.
        unsafe {
            match form {
                "i" => (raw.get_query_objectiv)(query, pname, offset as *mut i32),
                "ui" => (raw.get_query_objectuiv)(query, pname, offset as *mut u32),
                "i64" => (raw.get_query_objecti64v)(query, pname, offset as *mut i64),
                _ => (raw.get_query_objectui64v)(query, pname, offset as *mut u64),
            }
        }
    }

    /// `glGetQueryiv`.
    pub fn query_parameter(&self, target: u32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: one value.
        unsafe { (self.raw().get_queryiv)(target, pname, &raw mut out) };
        out
    }

    /// Runs `drawing` inside a new query and answers its result.
    pub fn counted(&self, target: u32, drawing: impl FnOnce()) -> u64 {
        let query = self.new_query();
        self.begin_query(target, query);
        drawing();
        self.end_query(target);
        let result = self.query_result(query);
        self.delete_query(query);
        result
    }

    /// `glGetSynciv`.
    pub fn sync_parameter(&self, sync: usize, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: one value is asked for.
        unsafe { (self.raw().get_synciv)(sync, pname, 1, std::ptr::null_mut(), &raw mut out) };
        out
    }

    /// Takes the oldest message out of the debug log.
    pub fn next_message(&self) -> Option<Message> {
        let (mut source, mut kind, mut id, mut severity, mut length) = (0, 0, 0, 0, 0);
        let mut text = vec![0u8; 4096];
        // SAFETY: one message of at most 4096 bytes.
        let number = unsafe {
            (self.raw().get_debug_message_log)(
                1,
                4096,
                &raw mut source,
                &raw mut kind,
                &raw mut id,
                &raw mut severity,
                &raw mut length,
                text.as_mut_ptr(),
            )
        };
        text.truncate(usize::try_from(length - 1).unwrap_or(0));
        (number == 1).then(|| Message { source, kind, id, severity, text: String::from_utf8_lossy(&text).into() })
    }

    /// `glDebugMessageInsert`.
    pub fn insert_message(&self, source: u32, kind: u32, id: u32, severity: u32, text: &str) {
        let (length, at) = (super::count(text.len()), text.as_ptr());
        // SAFETY: the length is the string's.
        unsafe { (self.raw().debug_message_insert)(source, kind, id, severity, length, at) }
    }

    /// `glDebugMessageControl` of all messages of a source, kind and severity.
    pub fn control_messages(&self, source: u32, kind: u32, severity: u32, enabled: bool) {
        // SAFETY: no ids.
        unsafe {
            (self.raw().debug_message_control)(source, kind, severity, 0, std::ptr::null(), u8::from(enabled));
        }
    }

    /// `glPushDebugGroup`.
    pub fn push_group(&self, id: u32, text: &str) {
        // SAFETY: the length is the string's.
        unsafe {
            (self.raw().push_debug_group)(t::DEBUG_SOURCE_APPLICATION, id, super::count(text.len()), text.as_ptr());
        }
    }

    /// `glDebugMessageCallback`; `user` must live as long as the context.
    pub fn debug_callback(&self, callback: DebugProc, user: &'static std::sync::Mutex<Vec<String>>) {
        // SAFETY: the callback gets back the pointer it is written for.
        unsafe { (self.raw().debug_message_callback)(callback, std::ptr::from_ref(user).cast()) }
    }

    /// `glObjectLabel`.
    pub fn set_label(&self, identifier: u32, name: u32, text: &str) {
        // SAFETY: the length is the string's.
        unsafe { (self.raw().object_label)(identifier, name, super::count(text.len()), text.as_ptr()) }
    }

    /// `glGetObjectLabel`.
    pub fn label(&self, identifier: u32, name: u32) -> String {
        let (mut text, mut length) = (vec![0u8; 256], 0);
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_object_label)(identifier, name, 256, &raw mut length, text.as_mut_ptr()) };
        text.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// A callback that stores the text of each message in the list it was registered with.
pub extern "C" fn remember(
    _source: u32,
    _kind: u32,
    _id: u32,
    _severity: u32,
    length: i32,
    text: *const std::ffi::c_char,
    user: *const std::ffi::c_void,
) {
    // SAFETY: `debug_callback` registers this with a list that lives for ever.
    let list = unsafe { &*user.cast::<std::sync::Mutex<Vec<String>>>() };
    // SAFETY: GL gives the length of the text.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), usize::try_from(length).unwrap_or(0)) };
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(String::from_utf8_lossy(bytes).into_owned());
}
