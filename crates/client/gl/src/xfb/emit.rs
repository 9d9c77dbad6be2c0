//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;

/// Pushes the transform feedback object and its targets.
pub(crate) fn push(_ctx: &mut Context) -> GlResult {
    Ok(())
}

/// Primitive class that is being captured (`GL_POINTS`, `GL_LINES`, `GL_TRIANGLES`); `None` when inactive or paused.
pub(crate) fn capture_mode(_ctx: &Context) -> Option<u32> {
    None
}
