//! The errors every draw has in common (GL 4.6 §10.4, §10.5, §13.3.2) and the step from state to records. Must not
//! know a single draw command.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::emit::draw_complete;
use crate::program::state::Bindings;
use crate::query::emit::conditional_skip;
use crate::tokens as t;
use crate::tracker::{Dirty, Verb};
use crate::xfb::emit::capture_mode;
use std::sync::atomic::Ordering;

const fn bits(modes: &[u32]) -> u32 {
    let mut out = 0;
    let mut i = 0;
    while i < modes.len() {
        out |= 1 << modes[i];
        i += 1;
    }
    out
}

const POINTS: u32 = bits(&[t::POINTS]);
const LINES: u32 = bits(&[t::LINES, t::LINE_LOOP, t::LINE_STRIP]);
const TRIANGLES: u32 = bits(&[t::TRIANGLES, t::TRIANGLE_STRIP, t::TRIANGLE_FAN]);
const LINES_ADJACENCY: u32 = bits(&[t::LINES_ADJACENCY, t::LINE_STRIP_ADJACENCY]);
const TRIANGLES_ADJACENCY: u32 = bits(&[t::TRIANGLES_ADJACENCY, t::TRIANGLE_STRIP_ADJACENCY]);
const PATCHES: u32 = bits(&[t::PATCHES]);
const NO_TESSELLATION: u32 = POINTS | LINES | TRIANGLES | LINES_ADJACENCY | TRIANGLES_ADJACENCY;

/// Modes whose primitives are of a class (`GL_POINTS`, `GL_LINES`, ...).
fn modes_of(class: u32) -> u32 {
    match class {
        t::POINTS => POINTS,
        t::LINES => LINES,
        t::TRIANGLES => TRIANGLES,
        t::LINES_ADJACENCY => LINES_ADJACENCY,
        t::TRIANGLES_ADJACENCY => TRIANGLES_ADJACENCY,
        _ => 0,
    }
}

/// Modes that the program takes and whose primitives the capture takes.
fn legal_modes(program: Option<&Bindings>, capture: Option<u32>) -> u32 {
    let Some(program) = program else { return NO_TESSELLATION | PATCHES };
    let taken = match (program.tessellation, program.input_primitive) {
        (true, _) => PATCHES,
        (false, Some(class)) => modes_of(class),
        (false, None) => NO_TESSELLATION,
    };
    match (capture, program.output_primitive) {
        (None, _) => taken,
        (Some(class), Some(emitted)) => {
            if class == emitted {
                taken
            } else {
                0
            }
        }
        (Some(class), None) => taken & modes_of(class),
    }
}

fn refresh(ctx: &mut Context) -> GlResult {
    ctx.resolve_program(Verb::Draw)?;
    ctx.program.draw_resolved = true;
    let program = ctx.verb_program();
    ctx.draw.modes = legal_modes(program.as_deref(), capture_mode(ctx));
    ctx.draw.has_program = program.is_some();
    ctx.draw.samplers_clash = program.is_some_and(|program| program.samplers_clash());
    ctx.draw.stale = false;
    Ok(())
}

/// The checks in the order in which drivers report them; false when the draw is legal but draws nothing.
pub(super) fn ready(ctx: &mut Context, mode: u32, indexed: bool) -> GlResult<bool> {
    if mode > t::PATCHES || (NO_TESSELLATION | PATCHES) & (1 << mode) == 0 {
        return Err(GlError::invalid_enum("not a primitive mode"));
    }
    if ctx.vertex_array.bound_name() == 0 {
        return Err(GlError::invalid_operation("no vertex array object is bound"));
    }
    ctx.poll_shared_changes();
    if ctx.draw.stale || ctx.dirty.intersects(Verb::Draw.reads()) {
        ctx.draw.again = [0; 2];
    }
    if ctx.draw.stale || ctx.dirty.intersects(Dirty::PROGRAM.union(Dirty::XFB)) {
        refresh(ctx)?;
    }
    if ctx.draw.modes & (1 << mode) == 0 {
        return Err(GlError::invalid_operation(
            "the program's geometry or tessellation stage, or active transform feedback, takes other primitives",
        ));
    }
    if ctx.draw.samplers_clash {
        return Err(GlError::invalid_operation("two samplers of different type use one texture unit"));
    }
    if ctx.share.mapped_buffers.load(Ordering::Relaxed) != 0 && ctx.vertex_array.current().uses_mapped(indexed) {
        return Err(GlError::invalid_operation("a buffer of the vertex array is mapped; unmap it first"));
    }
    if indexed && ctx.vertex_array.element_buffer().is_none() && ctx.draw.client_indices.is_none() {
        return Err(GlError::invalid_operation(
            "no GL_ELEMENT_ARRAY_BUFFER is bound, and no indices are at the pointer's address",
        ));
    }
    if ctx.dirty.contains(Dirty::DRAW_FRAMEBUFFER) {
        draw_complete(ctx)?;
    }
    if !ctx.draw.has_program || conditional_skip(ctx) {
        return Ok(false);
    }
    ctx.draw.again[usize::from(indexed)] = ctx.draw.modes;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{LINES, NO_TESSELLATION, PATCHES, TRIANGLES, legal_modes};
    use crate::program::state::Bindings;
    use crate::tokens as t;

    // A geometry shader for triangles would be fed lines, or a capture of points would be given triangles.
    #[test]
    fn program_and_capture_limit_the_modes() {
        let plain = Bindings::default();
        assert_eq!(legal_modes(Some(&plain), None), NO_TESSELLATION);
        let geometry =
            Bindings { input_primitive: Some(t::LINES), output_primitive: Some(t::TRIANGLES), ..Bindings::default() };
        assert_eq!(legal_modes(Some(&geometry), None), LINES);
        assert_eq!(legal_modes(Some(&geometry), Some(t::TRIANGLES)), LINES);
        assert_eq!(legal_modes(Some(&geometry), Some(t::LINES)), 0);
        assert_eq!(legal_modes(Some(&plain), Some(t::TRIANGLES)), TRIANGLES);
        let tessellated = Bindings { tessellation: true, ..Bindings::default() };
        assert_eq!(legal_modes(Some(&tessellated), None), PATCHES);
    }
}
