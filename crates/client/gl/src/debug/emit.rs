//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlError;

/// Reports an error of `command` to the debug log.
pub(crate) fn log_error(_ctx: &mut Context, _error: &GlError, _command: &'static str) {}
