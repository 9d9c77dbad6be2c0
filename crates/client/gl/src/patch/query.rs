//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::bounds::es_3_2;
use crate::context::Context;
use crate::tokens as t;

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let patch = &ctx.patch.wanted;
    Some(match pname {
        t::PATCH_VERTICES => Values::int(patch.vertices),
        t::PATCH_DEFAULT_OUTER_LEVEL => Values::floats(&patch.outer),
        t::PATCH_DEFAULT_INNER_LEVEL => Values::floats(&patch.inner),
        t::PRIMITIVE_BOUNDING_BOX_ARB if es_3_2(ctx.desc.version) => Values::floats(&ctx.patch.bounding_box),
        _ => return None,
    })
}
