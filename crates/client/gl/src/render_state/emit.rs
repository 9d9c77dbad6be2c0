//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;

/// Pushes the render-state subsets named in `due`, in the fetch order of spec 03 §6.
pub(crate) fn push(_ctx: &mut Context, _due: Dirty) -> GlResult {
    Ok(())
}

/// The first surface sets viewport and scissor (GL 4.6 §13.6.1, §14.9.2).
pub(crate) fn first_surface(_ctx: &mut Context, _width: u32, _height: u32) {}
