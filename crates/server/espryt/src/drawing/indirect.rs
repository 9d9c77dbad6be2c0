//! Indirect draws: in one call, one by one, or with the commands read on the CPU where the driver cannot take them
//! (spec 07 §5). Must not know what was prepared.

use super::Drawing;
use super::draw::Ready;
use super::index::Indices;
use super::issue::{INDIRECT_READS, command_bytes};
use crate::core::Core;
use crate::raw::consts;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::{DrawIndirect, DrawRange};
use mgl_backend::{ContextState, Refusal};

impl Drawing {
    /// Issues an indirect draw.
    pub(super) fn indirect(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        indirect: &DrawIndirect,
        (ready, indices): (&Ready, Option<&Indices>),
    ) -> Outcome {
        let indexed = indices.is_some();
        let stride = if indirect.stride == 0 { command_bytes(indexed) as u32 } else { indirect.stride };
        let mut count = indirect.draw_count;
        if !indirect.parameter.is_null() {
            // OpenGL ES has no counts in buffers: the word is read, which waits for what writes it.
            let mut word = [0; 4];
            core.buffer_read(indirect.parameter, indirect.parameter_offset, &mut word)?;
            count = count.min(u32::from_ne_bytes(word));
        }
        if count == 0 {
            return Ok(());
        }
        let store = core.buffers.need(indirect.buffer)?;
        if self.stored && core.device.minor >= 1 {
            core.gl().memory_barrier(INDIRECT_READS);
            self.stored = false;
        }
        let native = core.features().draw_indirect && ready.parameters < 0 && core.features().base_instance;
        if !native {
            return self.commands(core, ctx, draw, (indirect, stride, count), (ready, indices));
        }
        core.bind.buffer(&core.device.gl, consts::DRAW_INDIRECT_BUFFER, store.name);
        let mode = u32::from(draw.mode.0);
        let (gl, ty) = (core.gl(), indices.map_or(0, |i| i.ty));
        if core.features().multi_draw_indirect && count > 1 {
            let (n, stride) = (count.cast_signed(), stride.cast_signed());
            if indexed {
                gl.multi_indexed_indirect(mode, ty, indirect.offset as usize, n, stride);
            } else {
                gl.multi_arrays_indirect(mode, indirect.offset as usize, n, stride);
            }
            return Ok(());
        }
        for n in 0..u64::from(count) {
            let at = (indirect.offset + n * u64::from(stride)) as usize;
            if indexed { gl.indexed_indirect(mode, ty, at) } else { gl.arrays_indirect(mode, at) }
        }
        Ok(())
    }

    /// Reads the commands and draws each. Needed for draw parameters, for base instances without the extension, and in
    /// OpenGL ES 3.0.
    fn commands(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        (indirect, stride, count): (&DrawIndirect, u32, u32),
        (ready, indices): (&Ready, Option<&Indices>),
    ) -> Outcome {
        let indexed = indices.is_some();
        let size = command_bytes(indexed);
        let len = u64::from(count - 1) * u64::from(stride) + size;
        if len > 1 << 26 {
            return Err(Refusal::Unsupported("IndirectCommandRange"));
        }
        let mut bytes = vec![0; len as usize];
        core.buffer_read(indirect.buffer, indirect.offset, &mut bytes)?;
        let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_ne_bytes);
        for n in 0..count {
            let at = n as usize * stride as usize;
            let (number, instances) = (word(at), word(at + 4));
            if number == 0 || instances == 0 {
                continue;
            }
            let (start, base_vertex, base_instance) = if indexed {
                (
                    u64::from(word(at + 8)) * indices.map_or(1, |i| i.source_bytes),
                    word(at + 12).cast_signed(),
                    word(at + 16),
                )
            } else {
                (u64::from(word(at + 8)), 0, word(at + 12))
            };
            let ranges = [DrawRange { start, count: number, base_vertex }];
            let one = Draw { instance_count: instances, base_instance, ranges: &ranges, indirect: None, ..*draw };
            if !core.features().base_instance {
                self.arrays.bind(core, ctx, base_instance)?;
            }
            self.command(core, ctx, &one, ready, (indices, n.cast_signed()))?;
        }
        Ok(())
    }

    /// One command as a direct draw.
    fn command(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        one: &Draw<'_>,
        ready: &Ready,
        (indices, number): (Option<&Indices>, i32),
    ) -> Outcome {
        if ready.parameters >= 0 {
            let base = one.ranges.first().map_or(0, |r| r.base_vertex);
            let base = if indices.is_some() { base } else { 0 };
            self.parameters(core, ctx, ready, [base, one.base_instance.cast_signed(), number, 0]);
        }
        let based = one.ranges.iter().any(|r| r.base_vertex != 0);
        if based && !core.features().base_vertex {
            return Err(Refusal::Unsupported("IndirectBaseVertex"));
        }
        self.direct(core, one, indices);
        Ok(())
    }
}
