//! What this group pushes before a verb: the program, once per link, and which one is in use. Must not be called from
//! setters.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::{Executable, Program};
use crate::tracker::{Dirty, Verb};
use mgl_base::Handle;
use mgl_pipe::records::{CreateShaderState, SetDispatchProgram, SetDrawProgram};

/// Pushes the current program of the verb; marks the slot-resolved sets dirty when it changed.
pub(crate) fn push_program(ctx: &mut Context, verb: Verb) -> GlResult {
    let Some((_, object)) = ctx.program.current.clone() else {
        ctx.program.bindings = None;
        return push_use(ctx, verb, Handle::NULL);
    };
    let Some(program) = object.program() else { return Ok(()) };
    let mut inner = program.inner();
    inner.settle();
    let created = inner.created;
    let Some(executable) = &mut inner.executable else {
        drop(inner);
        ctx.program.bindings = None;
        return push_use(ctx, verb, Handle::NULL);
    };
    if let Some(spirv) = executable.spirv.take() {
        create(ctx, program, executable, &spirv)?;
    }
    let sets_for = (program.cso, executable.serial);
    ctx.program.bindings = Some(executable.bindings.clone());
    inner.created = true;
    drop(inner);
    let _ = created;
    if ctx.program.sets_for != sets_for {
        ctx.program.sets_for = sets_for;
        ctx.dirty |= Dirty::PROGRAM_SETS;
    }
    push_use(ctx, verb, program.cso)
}

fn push_use(ctx: &mut Context, verb: Verb, cso: Handle<mgl_base::handle::ShaderCso>) -> GlResult {
    if verb == Verb::Dispatch {
        if ctx.program.pushed_dispatch != cso {
            ctx.out.push(&SetDispatchProgram { cso })?;
            ctx.program.pushed_dispatch = cso;
        }
    } else if ctx.program.pushed_draw != cso {
        ctx.out.push(&SetDrawProgram { cso })?;
        ctx.program.pushed_draw = cso;
    }
    Ok(())
}

/// Sends words and archive in one record (spec 08 §2).
fn create(
    ctx: &mut Context,
    program: &Program,
    executable: &mut Executable,
    spirv: &[Option<Vec<u32>>; 6],
) -> GlResult {
    let mut head = CreateShaderState { cso: program.cso, ..Default::default() };
    for (stage, words) in spirv.iter().enumerate() {
        if let Some(words) = words {
            head.stage_mask |= 1 << stage;
            head.words[stage] = words.len() as u32;
        }
    }
    let total: usize = spirv.iter().flatten().map(Vec::len).sum();
    head.spirv = ctx.out.stage_with(total * 4, |to| {
        let words = spirv.iter().flatten().flatten();
        for (bytes, word) in to.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    })?;
    let archive = executable
        .archive
        .encode()
        .map_err(|e| GlError::out_of_memory(format!("the program archive cannot be encoded: {e}")))?;
    head.archive = ctx.out.stage(&archive)?;
    ctx.out.push(&head)?;
    executable.stale = 0..executable.constants.len();
    Ok(())
}
