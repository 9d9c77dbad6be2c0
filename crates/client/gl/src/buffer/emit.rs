//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::{Dirty, Verb};

/// Pushes the indexed ranges of the classes named in `due`, by slot of the verb's program.
pub(crate) fn push_ranges(_ctx: &mut Context, _due: Dirty, _verb: Verb) -> GlResult {
    Ok(())
}

/// Pushes the indirect and parameter buffers.
pub(crate) fn push_indirect(_ctx: &mut Context) -> GlResult {
    Ok(())
}
