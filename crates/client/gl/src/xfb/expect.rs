//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::{SetStreamOutputTargets, XfbTarget};

/// The bound object and its targets; nothing for an object that never captured.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, reads: Dirty) {
    let Some((_, object)) = ctx.xfb.bound.as_ref().filter(|_| reads.contains(Dirty::XFB)) else { return };
    to.put(Part::StreamOutput, &[SetStreamOutputTargets { xfb: object.handle, ..Default::default() }]);
    let targets = ctx.buffer.xfb.iter().map(|point| {
        let range = point.resolve(u64::MAX);
        // Captures write whole words (GL 4.6 §13.3.2).
        XfbTarget { buffer: range.buffer, offset: range.offset, size: range.size & !3 }
    });
    to.put(Part::StreamOutputTargets, &targets.collect::<Vec<_>>());
}
