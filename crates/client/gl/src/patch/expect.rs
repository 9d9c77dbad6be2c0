//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};

/// The patch parameters.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, reads: Dirty) {
    if reads.contains(Dirty::PATCH) {
        to.put(Part::Patch, &[ctx.patch.wanted]);
    }
}
