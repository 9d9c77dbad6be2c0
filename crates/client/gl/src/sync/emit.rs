//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use mgl_base::Handle;
use mgl_base::handle::Fence;

/// The server reported `fence` as complete.
pub(crate) fn signalled(_ctx: &mut Context, _fence: Handle<Fence>) {}
