//! What this group answers to indexed `glGet*` (GL 4.6 table 23.45). Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens as t;

/// The value of an indexed `pname`; `None` too when there is no such unit.
pub(crate) fn indexed(ctx: &Context, pname: u32, index: u32) -> Option<Values> {
    let unit = ctx.image.units.get(index as usize)?;
    Some(match pname {
        t::IMAGE_BINDING_NAME => Values::int(unit.texture.as_ref().map_or(0, |tex| tex.name)),
        t::IMAGE_BINDING_LEVEL => Values::int(unit.level),
        t::IMAGE_BINDING_LAYERED => Values::bool(unit.layered),
        t::IMAGE_BINDING_LAYER => Values::int(unit.layer),
        t::IMAGE_BINDING_ACCESS => Values::int(unit.access),
        t::IMAGE_BINDING_FORMAT => Values::int(unit.format.info().gl),
        _ => return None,
    })
}
