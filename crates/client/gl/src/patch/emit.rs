//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use mgl_pipe::render_state::same_bits;

/// Pushes the parameters when the server has others.
pub(crate) fn push(ctx: &mut Context) -> GlResult {
    let wanted = ctx.patch.wanted;
    if ctx.patch.pushed.as_ref().is_some_and(|p| same_bits(p, &wanted)) {
        return Ok(());
    }
    ctx.out.push(&wanted)?;
    ctx.patch.pushed = Some(wanted);
    Ok(())
}

/// Forgets what suppresses records.
pub(crate) fn forget(ctx: &mut Context) {
    ctx.patch.pushed = None;
}
