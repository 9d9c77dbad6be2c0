//! Recording a prepared draw. Must not know what changed: it compares with what the command buffer holds.

use super::Drawing;
use super::index::Indices;
use crate::core::Core;
use crate::pipelines::Entry;
use crate::recorder::{MULTI_DRAWS, Recorder};
use crate::vertex::DEFAULT_STRIDE;
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::{DrawIndirect, DrawRange};
use mgl_backend::{ContextState, Refusal};
use mgl_base::limits::MAX_VERTEX_ATTRIBS;

impl Drawing {
    /// Resolves and declares the vertex buffers of the layout.
    pub(super) fn resolve_vertex_buffers(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        entry: &Entry,
        dirty: Dirty,
    ) -> Outcome {
        let batch = core.cmds.current_serial();
        if dirty.contains(Dirty::ATTRIB_DEFAULTS) {
            self.bound.defaults = None;
        }
        let Some(layout) = self.pipelines.layout(entry.layout) else { return Ok(()) };
        let (mut buffers, mut offsets) = ([vk::Buffer::null(); 33], [0; 33]);
        for (slot, source) in layout.sources.iter().enumerate().take(33) {
            let (input, read) = (vk::PipelineStageFlags::VERTEX_INPUT, vk::AccessFlags::VERTEX_ATTRIBUTE_READ);
            if *source == u32::MAX {
                let staged = match self.bound.defaults {
                    Some((made, staged)) if made == batch => staged,
                    _ => stage_defaults(core, ctx)?,
                };
                self.bound.defaults = Some((batch, staged));
                (buffers[slot], offsets[slot]) = (staged.buffer, staged.offset);
                continue;
            }
            let binding = ctx.vertex_buffers[*source as usize % MAX_VERTEX_ATTRIBS];
            let store = core.use_buffer(binding.buffer, input, read).filter(|s| binding.offset < s.size);
            (buffers[slot], offsets[slot]) = match store {
                Some(store) => (store.vk, binding.offset),
                None => (self.placeholders.zero(core)?.0, 0),
            };
        }
        let count = layout.sources.len().min(33);
        if (buffers, offsets) != (self.bound.vertex.0, self.bound.vertex.1) || count > self.bound.vertex.2 {
            self.bound.vertex = (buffers, offsets, 0);
        }
        Ok(())
    }

    /// Records a prepared draw.
    pub(super) fn issue(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        indices: Option<&Indices>,
        (entry, dirty): (&Entry, Dirty),
    ) -> Outcome {
        let cmd = core.cmds.inside()?;
        let gpu = core.gpu.clone();
        let recorder = Recorder::new(&gpu, cmd);
        if self.bound.pipeline != entry.pipeline {
            recorder.bind_pipeline(vk::PipelineBindPoint::GRAPHICS, entry.pipeline);
            self.bound.pipeline = entry.pipeline;
        }
        if gpu.features.vertex_input_dynamic_state && self.bound.layout != Some(entry.layout) {
            if let Some(layout) = self.pipelines.layout(entry.layout) {
                recorder.set_vertex_input(layout);
            }
            self.bound.layout = Some(entry.layout);
        }
        self.bound.shadow.loose(&recorder, &entry.loose);
        let extent = self.passes.target().extent;
        let gate = (entry.viewports, extent, ctx.pipeline.clip_origin);
        if dirty.intersects(Dirty::DYNAMIC | Dirty::DRAW_FRAMEBUFFER) || self.bound.gate != Some(gate) {
            self.bound.shadow.apply(&gpu, &recorder, (&ctx.pipeline, &ctx.dynamic), entry.viewports, extent);
            self.bound.gate = Some(gate);
        }
        let batch = core.cmds.current_serial();
        if let Some(program) = self.programs.get_mut(ctx.draw_program) {
            program.used = batch;
            self.last.numbered = program.archive.flags.draw_parameters;
            if entry.push_point_size {
                self.bound.shadow.point_size(&recorder, program.layouts.pipeline, ctx.dynamic.point_size);
            }
            self.graphics.bind(&recorder, program);
        }
        self.bind_vertex_buffers(&recorder, entry);
        self.begin_capture(core, ctx, &recorder)?;
        self.bind_indices(core, &recorder, indices)?;
        if let Some(captured) = draw.captured {
            return self.captures.draw_counted(&gpu, &recorder, captured, draw.instance_count);
        }
        if let Some(commands) = indices.and_then(|i| i.commands) {
            let most = indirect_step(core);
            for first in (0..commands.count).step_by(most as usize) {
                let (count, stride) = (most.min(commands.count - first), super::indirect::STRIDE);
                let offset = commands.staged.offset + u64::from(first) * u64::from(stride);
                recorder.draw_indexed_indirect(commands.staged.buffer, offset, count, stride);
            }
            return Ok(());
        }
        if let Some(indirect) = draw.indirect {
            return self.indirect(core, &recorder, indirect, indices.is_some());
        }
        let ranges = indices.filter(|i| i.staged.is_some()).map_or(draw.ranges, |i| &i.ranges[..]);
        self.direct(core, cmd, draw, (ranges, indices.map(|i| i.bytes)))
    }

    /// The last draw again, with other ranges.
    pub(super) fn repeat(&mut self, core: &mut Core, draw: &Draw<'_>) -> Outcome {
        let cmd = core.cmds.inside()?;
        let bytes = (draw.index_size.0 > 0).then_some(u64::from(draw.index_size.0));
        self.direct(core, cmd, draw, (draw.ranges, bytes))
    }

    /// Records direct draws of `ranges`; `bytes` is the width of an index.
    fn direct(
        &mut self,
        core: &mut Core,
        cmd: vk::CommandBuffer,
        draw: &Draw<'_>,
        (ranges, bytes): (&[DrawRange], Option<u64>),
    ) -> Outcome {
        let counts = self.last.numbered && !draw.separate && ranges.len() > 1;
        // Draws that see a number must get theirs: all of one command count up, and separate ones see 0.
        let multi = if self.last.numbered { counts && ranges.len() <= MULTI_DRAWS } else { ranges.len() > 1 };
        // With several instances lavapipe draws all ranges of the first one before the second one, out of GL's order.
        if multi && draw.instance_count == 1 && core.gpu.features.multi_draw {
            self.multi(&Recorder::new(&core.gpu, cmd), draw, ranges, bytes);
        } else if counts && core.gpu.features.multi_draw_indirect {
            let gpu = core.gpu.clone();
            return numbered(core, &Recorder::new(&gpu, cmd), draw, ranges, bytes);
        } else {
            record_ranges(&Recorder::new(&core.gpu, cmd), draw, ranges, bytes);
        }
        Ok(())
    }

    /// All ranges in as few commands as the device takes.
    fn multi(&mut self, recorder: &Recorder<'_>, draw: &Draw<'_>, ranges: &[DrawRange], bytes: Option<u64>) {
        let instances = (draw.base_instance, draw.instance_count);
        for part in ranges.chunks(MULTI_DRAWS) {
            match bytes {
                // A width is 1, 2 or 4.
                Some(bytes) => {
                    let shift = bytes.trailing_zeros();
                    self.indexed.clear();
                    self.indexed.extend(part.iter().map(|r| vk::MultiDrawIndexedInfoEXT {
                        first_index: (r.start >> shift) as u32,
                        index_count: r.count,
                        vertex_offset: r.base_vertex,
                    }));
                    recorder.draw_multi_indexed(&self.indexed, instances);
                }
                None => {
                    self.plain.clear();
                    let info =
                        |r: &DrawRange| vk::MultiDrawInfoEXT { first_vertex: r.start as u32, vertex_count: r.count };
                    self.plain.extend(part.iter().map(info));
                    recorder.draw_multi(&self.plain, instances);
                }
            }
        }
    }

    fn bind_vertex_buffers(&mut self, recorder: &Recorder<'_>, entry: &Entry) {
        let count = self.pipelines.layout(entry.layout).map_or(0, |l| l.sources.len().min(33));
        let (buffers, offsets, bound) = &mut self.bound.vertex;
        if count > *bound {
            recorder.bind_vertex_buffers(0, &buffers[..count], &offsets[..count]);
            *bound = count;
        }
    }

    fn bind_indices(&mut self, core: &Core, recorder: &Recorder<'_>, indices: Option<&Indices>) -> Outcome {
        let Some(indices) = indices else { return Ok(()) };
        let want = match indices.staged {
            Some(staged) => (staged.buffer, staged.offset, indices.ty),
            None => {
                let store = core.buffer(indices.source).ok_or(Refusal::Unsupported("IndexBufferUnbound"))?;
                (store.vk, 0, indices.ty)
            }
        };
        if self.bound.index != want {
            recorder.bind_index_buffer(want.0, want.1, want.2);
            self.bound.index = want;
        }
        Ok(())
    }

    /// Indirect draws in the best of three tiers: counted, several at once, one by one (spec 07 §5.4).
    fn indirect(&mut self, core: &mut Core, recorder: &Recorder<'_>, i: &DrawIndirect, indexed: bool) -> Outcome {
        let size = if indexed { 20 } else { 16 };
        let stride = if i.stride == 0 { size } else { i.stride };
        let Some(store) = core.buffer(i.buffer) else { return Err(Refusal::Unsupported("IndirectBufferUnbound")) };
        let last = u64::from(stride) * u64::from(i.draw_count.saturating_sub(1)) + u64::from(size);
        if i.draw_count == 0 {
            return Ok(());
        }
        if !stride.is_multiple_of(4) || !i.offset.is_multiple_of(4) || i.offset.saturating_add(last) > store.size {
            return Err(Refusal::Unsupported("IndirectCommandRange"));
        }
        if !i.parameter.is_null() {
            let Some(count) = core.buffer(i.parameter).filter(|c| i.parameter_offset + 4 <= c.size) else {
                return Err(Refusal::Unsupported("IndirectCountRange"));
            };
            let counter = (count.vk, i.parameter_offset);
            core.cmds.counts.native += 1;
            if recorder.draw_indirect_count(indexed, (store.vk, i.offset), counter, i.draw_count, stride) {
                return Ok(());
            }
            return Err(Refusal::Unsupported("DrawIndirectCount"));
        }
        core.cmds.counts.native += 1;
        let step = indirect_step(core);
        let mut done = 0;
        while done < i.draw_count {
            let count = step.min(i.draw_count - done);
            let offset = i.offset + u64::from(done) * u64::from(stride);
            if indexed {
                recorder.draw_indexed_indirect(store.vk, offset, count, stride);
            } else {
                recorder.draw_indirect(store.vk, offset, count, stride);
            }
            done += count;
        }
        Ok(())
    }
}

/// Draws that one indirect command takes.
fn indirect_step(core: &Core) -> u32 {
    if core.gpu.features.multi_draw_indirect { core.gpu.properties.limits.max_draw_indirect_count.max(1) } else { 1 }
}

/// Records direct draws; `bytes` is the width of an index.
fn record_ranges(recorder: &Recorder<'_>, draw: &Draw<'_>, ranges: &[DrawRange], bytes: Option<u64>) {
    let (instances, first_instance) = (draw.instance_count, draw.base_instance);
    for r in ranges.iter().filter(|r| r.count > 0) {
        match bytes {
            Some(bytes) => {
                let first = (r.start / bytes) as u32;
                recorder.draw_indexed(r.count, instances, first, r.base_vertex, first_instance);
            }
            None => recorder.draw(r.count, instances, r.start as u32, first_instance),
        }
    }
}

/// More ranges of a program that reads `gl_DrawID` than one multi-draw takes: indirect draws number themselves, as many as
/// the device takes in one command.
fn numbered(
    core: &mut Core,
    recorder: &Recorder<'_>,
    draw: &Draw<'_>,
    ranges: &[DrawRange],
    bytes: Option<u64>,
) -> Outcome {
    let stride = if bytes.is_some() { 20 } else { 16 };
    let staged = core.cmds.staging.stage(stride * ranges.len() as u64, 4, |to| {
        for (command, r) in to.chunks_exact_mut(stride as usize).zip(ranges) {
            let first = (r.start / bytes.unwrap_or(1)) as u32;
            let base = if bytes.is_some() { r.base_vertex as u32 } else { draw.base_instance };
            let words = [r.count, draw.instance_count, first, base, draw.base_instance];
            for (slot, word) in command.chunks_exact_mut(4).zip(words) {
                slot.copy_from_slice(&word.to_le_bytes());
            }
        }
        true
    })?;
    let (all, most) = (ranges.len() as u32, core.gpu.properties.limits.max_draw_indirect_count.max(1));
    for first in (0..all).step_by(most as usize) {
        let (count, offset) = (most.min(all - first), staged.offset + u64::from(first) * stride);
        match bytes {
            Some(_) => recorder.draw_indexed_indirect(staged.buffer, offset, count, stride as u32),
            None => recorder.draw_indirect(staged.buffer, offset, count, stride as u32),
        }
    }
    Ok(())
}

/// The current attribute values, one entry per location.
fn stage_defaults(core: &mut Core, ctx: &ContextState) -> Outcome<crate::commands::Staged> {
    let len = u64::from(DEFAULT_STRIDE) * MAX_VERTEX_ATTRIBS as u64;
    core.cmds.staging.stage(len, 16, |to| {
        to.fill(0);
        let values = ctx.attrib_defaults.iter().zip(&ctx.attrib_defaults_wide);
        for (entry, (value, wide)) in to.chunks_exact_mut(DEFAULT_STRIDE as usize).zip(values) {
            for (word, bits) in entry.chunks_exact_mut(4).zip(value.bits.into_iter().chain(wide.bits)) {
                word.copy_from_slice(&bits.to_ne_bytes());
            }
        }
        true
    })
}
