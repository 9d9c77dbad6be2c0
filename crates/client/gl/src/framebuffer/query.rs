//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(_ctx: &Context, _pname: u32) -> Option<Values> {
    None
}

/// True when a framebuffer object has this name.
pub(crate) fn exists(ctx: &Context, name: u32) -> bool {
    let _ = (ctx, name);
    false
}
