//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens::{TRANSFORM_FEEDBACK_ACTIVE, TRANSFORM_FEEDBACK_BINDING, TRANSFORM_FEEDBACK_PAUSED};

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let bound = ctx.xfb.bound.as_ref();
    Some(match pname {
        TRANSFORM_FEEDBACK_BINDING => Values::int(bound.map_or(0, |b| b.0)),
        TRANSFORM_FEEDBACK_ACTIVE => Values::bool(bound.is_some_and(|b| b.1.inner().active)),
        TRANSFORM_FEEDBACK_PAUSED => Values::bool(bound.is_some_and(|b| b.1.inner().paused)),
        _ => return None,
    })
}
