//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};

/// Images by image slot of the program in use.
pub(crate) fn expect(ctx: &mut Context, to: &mut Writer, reads: Dirty) -> GlResult {
    let Some(bindings) = crate::program::expect::bindings(ctx).filter(|_| reads.contains(Dirty::IMAGES)) else {
        return Ok(());
    };
    let mut images = Vec::with_capacity(bindings.images.len());
    for unit in &bindings.images {
        images.push(super::emit::resolve(ctx, *unit, false)?);
    }
    to.put(Part::Images, &images);
    Ok(())
}
