//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Verb;

/// Pushes changed bytes of the default uniform block of the verb's program.
pub(crate) fn push_constants(_ctx: &mut Context, _verb: Verb) -> GlResult {
    Ok(())
}
