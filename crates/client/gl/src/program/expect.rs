//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::program::state::Bindings;
use crate::tracker::{Dirty, Verb};
use mgl_base::Handle;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::{SetDispatchProgram, SetDrawProgram};
use std::sync::Arc;

/// The program of the verb.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, reads: Dirty, verb: Verb) {
    if !reads.contains(Dirty::PROGRAM) {
        return;
    }
    let program = ctx.program.drawn.as_ref().and_then(|object| object.program());
    let cso = program.filter(|p| p.inner().executable.is_some()).map_or(Handle::NULL, |p| p.cso);
    match verb {
        Verb::Dispatch => to.put(Part::DispatchProgram, &[SetDispatchProgram { cso }]),
        _ => to.put(Part::DrawProgram, &[SetDrawProgram { cso }]),
    }
}

/// Slots of the program in use as they are now, not as this context remembers them.
pub(crate) fn bindings(ctx: &Context) -> Option<Arc<Bindings>> {
    let inner = ctx.program.drawn.as_ref()?.program()?.inner();
    inner.executable.as_ref().map(|e| e.bindings.clone())
}
