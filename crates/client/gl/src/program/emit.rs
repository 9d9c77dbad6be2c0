//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Verb;

/// Pushes the current program of the verb; marks the slot-resolved sets dirty when it changed.
pub(crate) fn push_program(_ctx: &mut Context, _verb: Verb) -> GlResult {
    Ok(())
}
