//! `glGetInternalformat*` (GL 4.6 §22.3): what can be done with an internal format as a resource of some kind. Must not
//! know textures.

mod layout;
mod resource;
mod support;

use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal::component_type;
use crate::tokens as t;
use resource::Resource;

/// `glGetInternalformat{i,i64}v`. What the context does not have answers zero, `GL_NONE` or `GL_FALSE`; only unknown
/// targets and parameters are errors.
pub fn get_internalformat(ctx: &mut Context, target: u32, internalformat: u32, pname: u32) -> GlResult<Values> {
    let resource = Resource::new(ctx, target, internalformat)?;
    sizes(&resource, pname)
        .or_else(|| resource.dimension(pname))
        .or_else(|| layout::get(&resource, pname))
        .or_else(|| support::get(&resource, pname))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{pname:04X} is not a parameter of internal formats")))
}

/// Support, sample counts, components.
fn sizes(r: &Resource<'_>, pname: u32) -> Option<Values> {
    let info = r.format.map(|f| f.info());
    let bits = |i: usize| Values::int(info.map_or(0u8, |f| f.bits[i]));
    let component = |i: usize| {
        let present = info.filter(|f| f.bits[i] != 0);
        Values::int(present.map_or(t::NONE, |f| if i == 5 { t::UNSIGNED_INT } else { component_type(f) }))
    };
    Some(match pname {
        t::INTERNALFORMAT_SUPPORTED => Values::bool(info.is_some()),
        t::INTERNALFORMAT_PREFERRED => Values::int(if info.is_some() { r.token } else { t::NONE }),
        t::NUM_SAMPLE_COUNTS => Values::int(r.sample_counts().len() as i64),
        t::SAMPLES => Values::ints(&r.sample_counts()),
        t::INTERNALFORMAT_RED_SIZE => bits(0),
        t::INTERNALFORMAT_GREEN_SIZE => bits(1),
        t::INTERNALFORMAT_BLUE_SIZE => bits(2),
        t::INTERNALFORMAT_ALPHA_SIZE => bits(3),
        t::INTERNALFORMAT_DEPTH_SIZE => bits(4),
        t::INTERNALFORMAT_STENCIL_SIZE => bits(5),
        t::INTERNALFORMAT_SHARED_SIZE => Values::int(if info.is_some_and(|f| f.gl == t::RGB9_E5) { 5 } else { 0 }),
        t::INTERNALFORMAT_RED_TYPE => component(0),
        t::INTERNALFORMAT_GREEN_TYPE => component(1),
        t::INTERNALFORMAT_BLUE_TYPE => component(2),
        t::INTERNALFORMAT_ALPHA_TYPE => component(3),
        t::INTERNALFORMAT_DEPTH_TYPE => component(4),
        t::INTERNALFORMAT_STENCIL_TYPE => component(5),
        t::COLOR_COMPONENTS => Values::bool(r.format.is_some_and(|f| f.is_color())),
        t::DEPTH_COMPONENTS => Values::bool(r.format.is_some_and(|f| f.has_depth())),
        t::STENCIL_COMPONENTS => Values::bool(r.format.is_some_and(|f| f.has_stencil())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
