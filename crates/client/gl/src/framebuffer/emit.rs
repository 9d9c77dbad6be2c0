//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;

/// Pushes the framebuffer bindings named in `due`.
pub(crate) fn push(_ctx: &mut Context, _due: Dirty) -> GlResult {
    Ok(())
}
