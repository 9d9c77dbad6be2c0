//! What this group answers to `glGet*`. Must not change state.

use super::state::{MAX_GROUPS, MAX_LABEL, MAX_LENGTH, MAX_LOGGED};
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let value = match pname {
        gl::DEBUG_LOGGED_MESSAGES => ctx.debug.log.len(),
        gl::DEBUG_NEXT_LOGGED_MESSAGE_LENGTH => ctx.debug.log.front().map_or(0, |m| m.text.len() + 1),
        gl::DEBUG_GROUP_STACK_DEPTH => ctx.debug.groups.len() + 1,
        gl::MAX_DEBUG_LOGGED_MESSAGES => MAX_LOGGED,
        gl::MAX_DEBUG_MESSAGE_LENGTH => MAX_LENGTH,
        gl::MAX_DEBUG_GROUP_STACK_DEPTH => MAX_GROUPS,
        gl::MAX_LABEL_LENGTH => MAX_LABEL,
        _ => return None,
    };
    Some(Values::int(value as i64))
}
