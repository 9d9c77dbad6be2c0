//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use crate::context::Context;
use crate::error::GlResult;
use crate::program::state::Bindings;
use crate::tracker::{Dirty, Verb};
use mgl_base::Handle;
use mgl_base::hash::content_hash;
use mgl_pipe::expect::{ConstantBytes, Part, Writer};
use mgl_pipe::records::{SetDispatchProgram, SetDrawProgram};
use std::sync::Arc;

/// The program of the verb and the bytes of its default block.
pub(crate) fn expect(ctx: &mut Context, to: &mut Writer, reads: Dirty, verb: Verb) -> GlResult {
    if !reads.contains(Dirty::PROGRAM) {
        return Ok(());
    }
    let mut cso = Handle::NULL;
    if let Some((_, object)) = ctx.program.current.clone()
        && let Some(program) = object.program()
    {
        let builtins = crate::uniform::emit::Builtins::afresh(ctx)?;
        let inner = program.inner();
        if let Some(executable) = &inner.executable {
            cso = program.cso;
            if reads.contains(Dirty::CONSTANTS) && !executable.constants.is_empty() {
                let mut bytes = executable.constants.clone();
                builtins.write_into(&executable.archive, &mut bytes);
                let (size, hash) = (bytes.len() as u64, content_hash(&bytes));
                to.put(Part::Constants, &[ConstantBytes { cso, size, hash }]);
            }
        }
    }
    match verb {
        Verb::Dispatch => to.put(Part::DispatchProgram, &[SetDispatchProgram { cso }]),
        _ => to.put(Part::DrawProgram, &[SetDrawProgram { cso }]),
    }
    Ok(())
}

/// Slots of the program in use as they are now, not as this context remembers them.
pub(crate) fn bindings(ctx: &Context) -> Option<Arc<Bindings>> {
    let (_, object) = ctx.program.current.as_ref()?;
    let inner = object.program()?.inner();
    inner.executable.as_ref().map(|e| e.bindings.clone())
}
