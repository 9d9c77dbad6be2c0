//! What other groups ask of this one before a verb. Must not be called from setters.

use crate::context::Context;

/// True when conditional rendering discards the commands that follow (GL 4.6 §10.9).
pub(crate) fn conditional_skip(_ctx: &mut Context) -> bool {
    false
}
