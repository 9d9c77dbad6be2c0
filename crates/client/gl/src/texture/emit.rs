//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Verb;

/// Pushes views and sampler states by texture slot of the verb's program.
pub(crate) fn push_views(_ctx: &mut Context, _verb: Verb) -> GlResult {
    Ok(())
}

/// Pushes image units by image slot of the verb's program.
pub(crate) fn push_images(_ctx: &mut Context, _verb: Verb) -> GlResult {
    Ok(())
}
