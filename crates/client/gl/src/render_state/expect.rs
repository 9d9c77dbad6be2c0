//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::render_state::{DynamicState, PipelineState};

/// Both subsets, whole.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, reads: Dirty) {
    if reads.contains(Dirty::PIPELINE) {
        to.put::<PipelineState>(Part::Pipeline, &[*ctx.render_state.pipeline]);
    }
    if reads.contains(Dirty::DYNAMIC) {
        to.put::<DynamicState>(Part::Dynamic, &[*ctx.render_state.dynamic]);
    }
}
