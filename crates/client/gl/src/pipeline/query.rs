//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let bound = || ctx.pipeline.bound.as_ref().map_or(0, |(name, _)| *name);
    (pname == gl::PROGRAM_PIPELINE_BINDING).then(|| Values::int(bound()))
}
