//! Debug output by the names of `GL_ARB_debug_output`. Must not draw.

use super::tokens as t;
use super::{DebugProc, Gl};

impl Gl {
    /// `glDebugMessageInsertARB`.
    pub fn insert_message_arb(&self, source: u32, kind: u32, id: u32, severity: u32, text: &str) {
        let (length, at) = (super::count(text.len()), text.as_ptr());
        // SAFETY: the length is the string's.
        unsafe { (self.raw().debug_message_insert_arb)(source, kind, id, severity, length, at) }
    }

    /// `glGetDebugMessageLogARB`: the ids and texts of at most two messages, into at most `room` bytes, 64 or less.
    pub fn take_messages_arb(&self, room: i32) -> Vec<(u32, String)> {
        let (mut ids, mut lengths, mut text) = ([0u32; 2], [0i32; 2], vec![0u8; 64]);
        let none = std::ptr::null_mut;
        let log = self.raw().get_debug_message_log_arb;
        let (id, length, at) = (ids.as_mut_ptr(), lengths.as_mut_ptr(), text.as_mut_ptr());
        // SAFETY: the arrays have room for two messages, the text for 64 bytes; those that are null are left out.
        let number = unsafe { log(2, room.min(64), none(), none(), id, none(), length, at) };
        let mut rest = text.as_slice();
        let mut next = |i: usize| {
            let (one, left) = rest.split_at(lengths[i] as usize);
            rest = left;
            assert_eq!(one.last(), Some(&0), "texts end with a zero");
            (ids[i], String::from_utf8_lossy(&one[..one.len() - 1]).into_owned())
        };
        (0..number as usize).map(&mut next).collect()
    }

    /// `glDebugMessageControlARB`: of these ids among the program's own messages, or of everything of a severity.
    pub fn control_messages_arb(&self, severity: u32, ids: &[u32], enabled: bool) {
        let (source, kind) = match ids {
            [] => (t::DONT_CARE, t::DONT_CARE),
            _ => (t::DEBUG_SOURCE_APPLICATION_ARB, t::DEBUG_TYPE_OTHER_ARB),
        };
        let (number, at) = (super::count(ids.len()), ids.as_ptr());
        // SAFETY: the number is the slice's.
        unsafe { (self.raw().debug_message_control_arb)(source, kind, severity, number, at, u8::from(enabled)) }
    }

    /// `glDebugMessageCallbackARB`; `user` must live as long as the context.
    pub fn debug_callback_arb(&self, callback: DebugProc, user: &'static std::sync::Mutex<Vec<String>>) {
        // SAFETY: the callback gets back the pointer it is written for.
        unsafe { (self.raw().debug_message_callback_arb)(callback, std::ptr::from_ref(user).cast()) }
    }
}
