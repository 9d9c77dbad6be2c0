//! `glGetInternalformat*` (GL 4.6 §22.3): sample counts of renderable formats. Must not know textures.

use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal::{choose, max_samples, renderable};
use crate::tokens as t;

/// Supported counts above 1, largest first.
fn counts(ctx: &Context, internalformat: u32) -> GlResult<Vec<i64>> {
    let caps = &ctx.instance.caps;
    let format = choose(internalformat).filter(|f| renderable(caps, *f));
    let format = format.ok_or_else(|| GlError::invalid_enum("the internal format is not renderable"))?;
    let set = u32::from(caps.format(format).samples);
    let supported = |n: &u32| *n <= max_samples(caps, format) && (set == 0 || set & n != 0);
    Ok([32, 16, 8, 4, 2].into_iter().filter(supported).map(i64::from).collect())
}

/// `glGetInternalformat{i,i64}v`.
pub fn get_internalformat(ctx: &mut Context, target: u32, internalformat: u32, pname: u32) -> GlResult<Values> {
    if !matches!(target, t::RENDERBUFFER | t::TEXTURE_2D_MULTISAMPLE | t::TEXTURE_2D_MULTISAMPLE_ARRAY) {
        return Err(GlError::invalid_enum("the target has no samples"));
    }
    let counts = counts(ctx, internalformat)?;
    match pname {
        t::NUM_SAMPLE_COUNTS => Ok(Values::int(counts.len() as i64)),
        t::SAMPLES => Ok(Values::ints(&counts)),
        _ => Err(GlError::invalid_enum("only GL_NUM_SAMPLE_COUNTS and GL_SAMPLES can be asked for")),
    }
}
