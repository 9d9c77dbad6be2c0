//! What this group pushes before a verb: the program, once per link, and which one is in use. Must not be called from
//! setters.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::copies::Copies;
use crate::program::state::{Executable, Program};
use crate::tracker::{Dirty, Verb};
use mgl_base::Handle;
use mgl_pipe::records::{CreateShaderState, SetDispatchProgram, SetDrawProgram};

/// Pushes the current program of the verb; marks the slot-resolved sets dirty when it changed.
pub(crate) fn push_program(ctx: &mut Context, verb: Verb) -> GlResult {
    // The checks of a draw have just resolved it.
    if !(std::mem::take(&mut ctx.program.draw_resolved) && verb == Verb::Draw) {
        ctx.resolve_program(verb)?;
    }
    let Some(object) = ctx.program.drawn.clone() else {
        ctx.program.bindings = None;
        return push_use(ctx, verb, Handle::NULL);
    };
    let Some(program) = object.program() else { return Ok(()) };
    let mut inner = program.inner();
    inner.settle();
    let Some(executable) = &mut inner.executable else {
        drop(inner);
        ctx.program.bindings = None;
        return push_use(ctx, verb, Handle::NULL);
    };
    // Another context of the share group may have sent the program, or draw with its last link.
    if executable.sent {
        ctx.out.reads(&program.last_write)?;
    } else {
        ctx.out.writes(&program.last_write)?;
        let seq = create(ctx, program, executable)?;
        program.last_write.set(ctx.out.flow(), seq);
    }
    let sets_for = (program.cso, executable.serial);
    ctx.program.bindings = Some(executable.bindings.clone());
    inner.created = true;
    drop(inner);
    if ctx.program.sets_for != sets_for {
        ctx.program.sets_for = sets_for;
        ctx.dirty |= Dirty::PROGRAM_SETS;
    }
    push_use(ctx, verb, program.cso)
}

/// Forgets what suppresses the program's records, its constants included.
pub(crate) fn forget(ctx: &mut Context) {
    const NOTHING: Handle<mgl_base::handle::ShaderCso> = Handle::new(u32::MAX, u32::MAX);
    (ctx.program.pushed_draw, ctx.program.pushed_dispatch) = (NOTHING, NOTHING);
    ctx.program.sets_for = (NOTHING, 0);
    if let Some(object) = &ctx.program.drawn
        && let Some(program) = object.program()
        && let Some(executable) = program.inner().executable.as_mut()
    {
        let (flow, whole) = (ctx.out.flow(), executable.constants.len());
        executable.copies.begin(flow, whole, |_| true);
    }
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
fn create(ctx: &mut Context, program: &Program, executable: &mut Executable) -> GlResult<u64> {
    let spirv = &executable.spirv;
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
    let seq = ctx.out.push(&head)?;
    executable.copies = Copies::default();
    executable.sent = true;
    Ok(seq)
}

#[cfg(test)]
mod tests {
    use super::push_program;
    use crate::context::{Context, ContextDesc};
    use crate::instance::Instance;
    use crate::out::Out;
    use crate::program::calls::{attach_shader, create_program, link_program, use_program};
    use crate::shader::calls::{compile_shader, create_shader, shader_source};
    use crate::tokens::{FRAGMENT_SHADER, VERTEX_SHADER};
    use crate::tracker::Verb;
    use mgl_pipe::Record;
    use mgl_pipe::caps::{Caps, Limits};
    use mgl_pipe::records::{SetDrawProgram, WaitFlow};

    fn program(ctx: &mut Context) -> u32 {
        let texts = [
            (VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n"),
            (FRAGMENT_SHADER, "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n"),
        ];
        let name = create_program(ctx).unwrap();
        for (kind, text) in texts {
            let shader = create_shader(ctx, kind).unwrap();
            shader_source(ctx, shader, text.as_bytes().to_vec()).unwrap();
            compile_shader(ctx, shader).unwrap();
            attach_shader(ctx, name, shader).unwrap();
        }
        link_program(ctx, name).unwrap();
        name
    }

    /// A loader thread links, the render thread draws: the server must see the program before its use, or the session ends.
    #[test]
    fn a_program_of_another_context_is_waited_for() {
        let limits = Limits { max_vertex_attribs: 16, max_color_attachments: 8, ..Limits::default() };
        let instance = Instance::detached(Caps { limits, ..Caps::default() });
        let mut loader = Context::with_out(instance.clone(), Out::recorder(1), ContextDesc::default());
        let desc = ContextDesc { share: Some(loader.share_group()), ..ContextDesc::default() };
        let mut render = Context::with_out(instance, Out::recorder(2), desc);
        let name = program(&mut loader);
        use_program(&mut loader, name).unwrap();
        push_program(&mut loader, Verb::Draw).unwrap();
        use_program(&mut render, name).unwrap();
        push_program(&mut render, Verb::Draw).unwrap();
        let ops: Vec<u16> = render.recorded().unwrap().records.iter().map(|r| r.op).collect();
        assert_eq!(ops, [WaitFlow::OP, SetDrawProgram::OP]);
    }
}
