//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let unit = ctx.texture.units.get(ctx.texture.active)?;
    (pname == gl::SAMPLER_BINDING).then(|| Values::int(unit.sampler.as_ref().map_or(0, |s| s.name)))
}
