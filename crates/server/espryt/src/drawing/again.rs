//! A draw like the last one with nothing pushed in between: a few words are compared, and the draw is issued. Must not know
//! what preparing a draw takes.

use super::Drawing;
use super::draw::{DRAW_BITS, Ready};
use crate::core::Core;
use mgl_backend::ContextState;
use mgl_backend::traits::{Draw, Outcome};
use mgl_pipe::tokens::PrimitiveMode;

/// What the last draw left in the driver.
#[derive(Clone, Copy)]
pub struct Last {
    ready: Ready,
    mode: PrimitiveMode,
    base_instance: u32,
    textures: u64,
    buffers: u64,
    /// Turn of the upload ring: older places may be written again.
    turn: u64,
    program: u32,
    array: u32,
}

impl Drawing {
    /// Nothing was pushed, nothing moved, and the draw is of the kind of the last one.
    pub(super) fn same_again(&self, core: &Core, ctx: &ContextState, draw: &Draw<'_>) -> bool {
        let Some(last) = &self.last else { return false };
        (ctx.dirty & DRAW_BITS).is_empty()
            && self.forced.is_empty()
            && core.disturbed.is_empty()
            && self.flow == ctx.flow
            && last.mode == draw.mode
            && last.base_instance == draw.base_instance
            && last.textures == core.textures.epoch
            && last.buffers == core.buffers.epoch
            && last.turn == self.ring.turn()
            && !ctx.xfb_capturing
            && !self.queries.counting()
    }

    /// The last draw with other ranges; `None` when the framebuffer had to be made ready again.
    pub(super) fn repeat(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>) -> Option<Outcome> {
        let last = self.last?;
        let bound = core.bind_draw_framebuffer(&ctx.draw_framebuffer, ctx.pipeline.framebuffer_srgb.get());
        if bound.is_err() || !core.disturbed.is_empty() {
            return None;
        }
        core.bind.program(&core.device.gl, last.program);
        core.bind.vertex_array(&core.device.gl, last.array);
        let done = self.issue(core, ctx, draw, &last.ready);
        if done.is_err() {
            self.last = None;
        }
        core.issued();
        Some(done)
    }

    /// Remembers a draw that can be repeated: its program reads nothing that moves without a push.
    pub(super) fn remember(&mut self, core: &Core, ctx: &ContextState, draw: &Draw<'_>, ready: Ready) {
        let Some(array) = self.arrays.plain_name(ctx.vertex_elements) else { return };
        let Some(driver) = self.programs.get(ctx.draw_program).and_then(|p| p.driver(ready.variant).ok()) else {
            return;
        };
        let buffers = driver.textures.iter().any(|t| t.texel);
        let copies = !core.textures.aliases.0.is_empty() || core.textures.copied_buffers > 0;
        let still = driver.storage.is_empty() && driver.images.is_empty() && !buffers && !copies;
        let one_group = crate::state::groups(core, &ctx.pipeline, ready.gate.color)[1] == 0;
        let counted = ctx.xfb_capturing || self.queries.counting();
        if !still || !one_group || counted {
            return;
        }
        self.last = Some(Last {
            ready,
            mode: draw.mode,
            base_instance: draw.base_instance,
            textures: core.textures.epoch,
            buffers: core.buffers.epoch,
            turn: self.ring.turn(),
            program: driver.name,
            array,
        });
    }
}
