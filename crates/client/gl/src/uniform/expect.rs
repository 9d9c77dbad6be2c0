//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use super::emit::Builtins;
use crate::context::Context;
use mgl_base::hash::content_hash;
use mgl_pipe::expect::{ConstantBytes, Part, Writer};
use mgl_pipe::records::SetFramebufferState;

/// Bytes of the default block of the program in use; `draw` is the draw framebuffer, which built-in uniforms follow.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, draw: &SetFramebufferState) {
    let Some(object) = &ctx.program.drawn else { return };
    let Some(program) = object.program() else { return };
    let inner = program.inner();
    let Some(executable) = inner.executable.as_ref().filter(|e| !e.constants.is_empty()) else { return };
    let (copies, flow) = (&executable.copies, ctx.out.flow());
    if copies.changed_elsewhere(flow) || !copies.has(flow) {
        return;
    }
    let mut bytes = executable.constants.clone();
    let builtins = Builtins::new(ctx.render_state.dynamic.depth_ranges[0], draw.height, draw.samples);
    builtins.write_into(&executable.archive, &mut bytes);
    ctx.subroutine.write_into(&executable.archive, &mut bytes);
    let (size, hash) = (bytes.len() as u64, content_hash(&bytes));
    to.put(Part::Constants, &[ConstantBytes { cso: program.cso, size, hash }]);
}
