//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Verb;
use mgl_pipe::records::SetGlobalConstants;

/// Pushes changed bytes of the default uniform block of the program in use. The applied bytes belong to the program, so
/// only what changed since the last push travels.
pub(crate) fn push_constants(ctx: &mut Context, _verb: Verb) -> GlResult {
    let Some((_, object)) = &ctx.program.current else { return Ok(()) };
    let Some(program) = object.program() else { return Ok(()) };
    let mut inner = program.inner();
    let Some(executable) = inner.executable.as_mut().filter(|e| e.spirv.is_none()) else { return Ok(()) };
    if executable.stale.is_empty() {
        return Ok(());
    }
    // Offsets stay multiples of 16, so that a backend may copy whole vectors.
    let start = executable.stale.start & !15;
    let Some(bytes) = executable.constants.get(start..executable.stale.end) else { return Ok(()) };
    let blob = ctx.out.stage(bytes)?;
    ctx.out.push(&SetGlobalConstants { cso: program.cso, offset: start as u32, blob, ..Default::default() })?;
    executable.stale = 0..0;
    Ok(())
}
