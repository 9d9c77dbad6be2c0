//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use crate::program::state::Executable;
use crate::tracker::Verb;
use mgl_glsl::FRAMEBUFFER_HEIGHT_UNIFORM;
use mgl_glsl::archive::ProgramArchive;
use mgl_pipe::records::SetGlobalConstants;

/// Pushes changed bytes of the default uniform block of the program in use. The values belong to the program, the bytes
/// that are drawn with to each context: what changed since its last push travels, whichever context changed it.
pub(crate) fn push_constants(ctx: &mut Context, _verb: Verb) -> GlResult {
    let builtins = Builtins::of(ctx);
    let Some(object) = &ctx.program.drawn else { return Ok(()) };
    let Some(program) = object.program() else { return Ok(()) };
    let mut inner = program.inner();
    let Some(executable) = inner.executable.as_mut().filter(|e| e.sent) else { return Ok(()) };
    let flow = ctx.out.flow();
    if !executable.copies.has(flow) {
        let flows = &ctx.instance.flows;
        executable.copies.begin(flow, executable.constants.len(), |flow| flows.is_live(flow));
    }
    executable.copies.editor = flow;
    builtins.write(executable);
    ctx.subroutine.write(executable);
    let stale = executable.copies.stale(flow);
    if stale.is_empty() {
        return Ok(());
    }
    // Offsets stay multiples of 16, so that a backend may copy whole vectors.
    let start = stale.start & !15;
    let Some(bytes) = executable.constants.get(start..stale.end) else { return Ok(()) };
    // Another context may have sent a new link: its block is the one that the bytes are for.
    ctx.out.order_after(program.last_write.get())?;
    let blob = ctx.out.stage(bytes)?;
    ctx.out.push(&SetGlobalConstants { cso: program.cso, offset: start as u32, blob, ..Default::default() })?;
    executable.copies.sent(flow);
    Ok(())
}

/// Values of the built-in uniforms (GLSL 4.60 §7.4).
pub(super) struct Builtins {
    depth_range: [f32; 2],
    height: u32,
    samples: u32,
}

impl Builtins {
    pub(super) fn new(depth_range: [f32; 2], height: u32, samples: u16) -> Self {
        Self { depth_range, height, samples: u32::from(samples).max(1) }
    }

    fn of(ctx: &Context) -> Self {
        let depth_range = ctx.render_state.dynamic.depth_ranges[0];
        let draw = ctx.framebuffer.sent[0].as_ref();
        draw.map_or(Self::new(depth_range, 0, 1), |f| Self::new(depth_range, f.height, f.samples))
    }

    /// Each built-in uniform of a program with its bytes; most programs have none.
    fn each(&self, archive: &ProgramArchive, mut put: impl FnMut(usize, &[u8])) {
        let [near, far] = self.depth_range;
        for builtin in &archive.builtin_uniforms {
            let bytes = match builtin.name.as_str() {
                "gl_DepthRange.near" => near.to_le_bytes(),
                "gl_DepthRange.far" => far.to_le_bytes(),
                "gl_DepthRange.diff" => (far - near).to_le_bytes(),
                "gl_NumSamples" => self.samples.to_le_bytes(),
                FRAMEBUFFER_HEIGHT_UNIFORM => (self.height as f32).to_le_bytes(),
                _ => continue,
            };
            put(builtin.offset as usize, &bytes);
        }
    }

    /// Brings the program's built-ins up to date.
    fn write(&self, executable: &mut Executable) {
        if executable.archive.builtin_uniforms.is_empty() {
            return;
        }
        let archive = executable.archive.clone();
        self.each(&archive, |offset, bytes| {
            executable.write_constants(offset, bytes);
        });
    }

    /// Writes them into a copy of the block.
    pub(super) fn write_into(&self, archive: &ProgramArchive, block: &mut [u8]) {
        self.each(archive, |offset, bytes| {
            if let Some(to) = block.get_mut(offset..offset + bytes.len()) {
                to.copy_from_slice(bytes);
            }
        });
    }
}
