//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use super::effective::effective;
use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::render_state::{DynamicState, PipelineState};

/// Both subsets, whole.
pub(crate) fn expect(ctx: &mut Context, to: &mut Writer, reads: Dirty) -> GlResult {
    if reads.contains(Dirty::PIPELINE) {
        let samples = crate::framebuffer::expect::draw(ctx)?.samples;
        to.put::<PipelineState>(Part::Pipeline, &[*effective(&ctx.render_state.pipeline, samples)]);
    }
    if reads.contains(Dirty::DYNAMIC) {
        to.put::<DynamicState>(Part::Dynamic, &[*ctx.render_state.dynamic]);
    }
    Ok(())
}
