//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;

/// Pushes the framebuffer bindings named in `due`.
pub(crate) fn push(_ctx: &mut Context, _due: Dirty) -> GlResult {
    Ok(())
}

/// `GL_INVALID_FRAMEBUFFER_OPERATION` unless the draw framebuffer is complete (GL 4.6 §9.4.4).
pub(crate) fn draw_complete(_ctx: &mut Context) -> GlResult {
    Ok(())
}
