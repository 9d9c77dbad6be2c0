//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::SetFramebufferState;

/// The bindings named in `reads`.
pub(crate) fn expect(ctx: &mut Context, to: &mut Writer, reads: Dirty) -> GlResult {
    let both = [(Dirty::DRAW_FRAMEBUFFER, Part::DrawFramebuffer), (Dirty::READ_FRAMEBUFFER, Part::ReadFramebuffer)];
    for (bit, part) in both.into_iter().filter(|(bit, _)| reads.contains(*bit)) {
        let read = bit == Dirty::READ_FRAMEBUFFER;
        let name = ctx.framebuffer.target(read);
        let state = super::emit::build(ctx, name, read)?;
        to.put(part, &[state]);
    }
    Ok(())
}

/// The draw framebuffer.
pub(crate) fn draw(ctx: &mut Context) -> GlResult<SetFramebufferState> {
    super::emit::build(ctx, ctx.framebuffer.target(false), false)
}
