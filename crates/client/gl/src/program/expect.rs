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

/// Slots of the program in use as they are now, not as this context remembers them; but what another context has changed
/// need not be seen before the program is bound again (GL 4.6 §5.3).
pub(crate) fn bindings(ctx: &Context) -> Option<Arc<Bindings>> {
    let program = ctx.program.drawn.as_ref()?.program()?;
    let inner = program.inner();
    let executable = inner.executable.as_ref()?;
    let (sets_for, flow) = (ctx.program.sets_for, ctx.out.flow());
    let linked_elsewhere = sets_for.0 == program.cso && sets_for.1 != executable.serial;
    match &ctx.program.bindings {
        Some(known) if linked_elsewhere || executable.bound_elsewhere(flow) => Some(known.clone()),
        _ => Some(executable.bindings.clone()),
    }
}
