//! Transform feedback: a capture span of GL survives passes, Vulkan's does not; counters carry it over. Must not know
//! programs.

use super::Drawing;
use crate::commands::{Commands, Garbage, Lane, LeaveOp};
use crate::core::Core;
use crate::device::Gpu;
use crate::error::refuse;
use crate::pipelines::Entry;
use crate::raw::memory::{self, BufferMemory, MemoryClass};
use crate::raw::record;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::traits::{Captured, Outcome};
use mgl_backend::{ContextState, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Xfb;
use mgl_base::limits::MAX_XFB_BUFFERS;
use smallvec::SmallVec;

/// Bytes between counters; a counter is 4 bytes.
const COUNTER_STRIDE: u64 = 16;

struct Span {
    xfb: Handle<Xfb>,
    counters: BufferMemory,
    /// The counters hold the end of an earlier part.
    started: bool,
    /// The counters were written since the last barrier for draws that take their number from them.
    fresh: bool,
    /// Bytes per vertex and vertex stream of each buffer, by the program that captured.
    strides: [u32; MAX_XFB_BUFFERS],
    streams: [u8; MAX_XFB_BUFFERS],
    used: u64,
}

/// Capture spans of a session.
#[derive(Default)]
pub struct Captures {
    spans: Vec<Span>,
    /// Object that captures in the pass of this epoch.
    open: Option<(Handle<Xfb>, u64)>,
}

impl Captures {
    fn span(&mut self, xfb: Handle<Xfb>) -> Option<&mut Span> {
        self.spans.iter_mut().find(|s| s.xfb == xfb)
    }

    /// True when capture runs in the open pass.
    fn running(&self, commands: &Commands) -> Option<Handle<Xfb>> {
        let (xfb, epoch) = self.open?;
        (commands.in_pass() && commands.pass_epoch() == epoch).then_some(xfb)
    }

    /// `glBeginTransformFeedback`.
    pub fn begin(&mut self, core: &mut Core, xfb: Handle<Xfb>) -> Outcome {
        if !core.gpu.features.transform_feedback {
            return Err(Refusal::Unsupported("TransformFeedback"));
        }
        self.stop(&mut core.cmds);
        if let Some(span) = self.span(xfb) {
            span.started = false;
            return Ok(());
        }
        let usage = vk::BufferUsageFlags::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT
            | vk::BufferUsageFlags::INDIRECT_BUFFER
            | vk::BufferUsageFlags::TRANSFER_DST
            | vk::BufferUsageFlags::TRANSFER_SRC;
        let size = COUNTER_STRIDE * MAX_XFB_BUFFERS as u64;
        let gpu = &core.gpu;
        let counters = memory::create_buffer(gpu.allocator(), &gpu.memory, size, usage, MemoryClass::Device)
            .map_err(|e| refuse("transform feedback counters", e))?;
        self.spans.push(Span {
            xfb,
            counters,
            started: false,
            fresh: false,
            strides: [0; 4],
            streams: [0; 4],
            used: 0,
        });
        Ok(())
    }

    /// Ends the part that runs in the open pass, if one does. The pass ends with it: the next part needs a barrier.
    pub fn stop(&mut self, commands: &mut Commands) {
        if self.running(commands).is_some() {
            commands.leave_pass();
        }
        self.open = None;
    }

    /// Before a draw of as many vertices as `xfb` captured: its counters must be there.
    pub fn before_counted(&mut self, commands: &mut Commands, xfb: Handle<Xfb>) {
        let now = commands.current_serial();
        let Some(span) = self.span(xfb).filter(|s| s.started) else { return };
        span.used = now;
        if std::mem::take(&mut span.fresh) {
            commands.leave_pass();
            let from = vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT;
            let access = (
                vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT,
                vk::AccessFlags::INDIRECT_COMMAND_READ | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT,
            );
            commands.want_barrier(Lane::Main, (from, from | vk::PipelineStageFlags::DRAW_INDIRECT), access);
        }
    }

    /// Draws as many vertices as a stream captured; the GPU takes the number from the counter.
    pub fn draw_counted(&mut self, gpu: &Gpu, recorder: &Recorder<'_>, captured: Captured, instances: u32) -> Outcome {
        // A span without a draw has captured nothing.
        let Some(span) = self.span(captured.xfb).filter(|s| s.started) else { return Ok(()) };
        let mut buffers = span.strides.iter().zip(span.streams).enumerate();
        let Some((at, (stride, _))) =
            buffers.find(|(_, (stride, of))| **stride > 0 && u32::from(*of) == captured.stream)
        else {
            return Ok(());
        };
        if gpu.xfb_limits.transform_feedback_draw == vk::FALSE {
            return Err(Refusal::Unsupported("TransformFeedbackDraw"));
        }
        recorder.draw_counted(instances, (span.counters.buffer, at as u64 * COUNTER_STRIDE), *stride);
        Ok(())
    }

    /// As many vertices as a stream captured, for the host, which waits for them.
    pub fn count(&mut self, core: &mut Core, captured: Captured) -> Outcome<u32> {
        self.stop(&mut core.cmds);
        let Some(span) = self.span(captured.xfb).filter(|s| s.started) else { return Ok(0) };
        let mut buffers = span.strides.iter().zip(span.streams).zip(0u64..);
        let of = buffers.find(|((stride, of), _)| **stride > 0 && u32::from(*of) == captured.stream);
        let Some(((stride, _), at)) = of else { return Ok(0) };
        let (stride, counter) = (*stride, span.counters.buffer);
        core.cmds.leave_pass();
        let stages = (vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT, vk::PipelineStageFlags::TRANSFER);
        let access = (vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT, vk::AccessFlags::TRANSFER_READ);
        core.cmds.want_barrier(Lane::Main, stages, access);
        let mut word = [0; 4];
        core.cmds.counts.expanded += 1;
        core.read_through(&mut word, |core, to| {
            let cmd = core.cmds.lane(Lane::Main)?;
            let region = [vk::BufferCopy { src_offset: at * COUNTER_STRIDE, dst_offset: 0, size: to.size }];
            record::copy_buffer(&core.gpu.device, cmd, counter, to.buffer, &region);
            Ok(())
        })?;
        Ok(u32::from_le_bytes(word) / stride)
    }

    /// Death of an object.
    pub fn destroy(&mut self, commands: &mut Commands, xfb: Handle<Xfb>) {
        if self.running(commands) == Some(xfb) {
            self.stop(commands);
        }
        if let Some(at) = self.spans.iter().position(|s| s.xfb == xfb) {
            let span = self.spans.swap_remove(at);
            commands.defer_destroy(span.used, Garbage::Buffer(span.counters));
        }
    }

    /// Lets go of everything.
    pub fn close(&mut self, commands: &mut Commands) {
        for span in self.spans.drain(..) {
            commands.defer_destroy(commands.current_serial(), Garbage::Buffer(span.counters));
        }
    }
}

impl Drawing {
    /// Before the pass decision of a draw: declares the targets, and leaves the pass where capture must stop or start
    /// over.
    pub(super) fn prepare_capture(&mut self, core: &mut Core, ctx: &ContextState, entry: &Entry) -> Outcome {
        let running = self.captures.running(&core.cmds);
        if !ctx.xfb_capturing {
            if running.is_some() {
                self.captures.stop(&mut core.cmds);
            }
            return Ok(());
        }
        // A pipeline cannot be bound while capture runs (VUID-vkCmdBindPipeline-None-02323).
        if running == Some(ctx.xfb) && self.bound.pipeline == entry.pipeline && self.passes.usable(core) {
            return Ok(());
        }
        self.captures.stop(&mut core.cmds);
        let (stage, access) =
            (vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT, vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT);
        for target in ctx.xfb_targets.iter().filter(|t| !t.buffer.is_null()) {
            core.use_buffer(target.buffer, stage, access);
        }
        if self.captures.span(ctx.xfb).is_some_and(|s| s.started) {
            let stages = (stage, stage | vk::PipelineStageFlags::DRAW_INDIRECT);
            let access = (
                vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT,
                vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT
                    | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT,
            );
            core.cmds.want_barrier(Lane::Main, stages, access);
        }
        Ok(())
    }

    /// Inside the pass, with the pipeline bound: starts or continues capture.
    pub(super) fn begin_capture(&mut self, core: &mut Core, ctx: &ContextState, recorder: &Recorder<'_>) -> Outcome {
        if !ctx.xfb_capturing || self.captures.running(&core.cmds).is_some() {
            return Ok(());
        }
        let serial = core.cmds.current_serial();
        let Some(span) = self.captures.span(ctx.xfb) else { return Ok(()) };
        let counter_buffer = span.counters.buffer;
        let mut counters: SmallVec<[vk::Buffer; 4]> = SmallVec::new();
        for (binding, target) in (0u32..).zip(&ctx.xfb_targets) {
            let store = core.buffer(target.buffer).filter(|s| target.offset < s.size);
            // A null counter stands for a binding point that the program does not capture into.
            counters.push(store.map_or(vk::Buffer::null(), |_| counter_buffer));
            if let Some(store) = store {
                let size = target.size.min(store.size - target.offset);
                recorder.bind_xfb_buffer(binding, (store.vk, target.offset, size));
            }
        }
        while counters.last() == Some(&vk::Buffer::null()) {
            counters.pop();
        }
        if counters.is_empty() {
            return Err(Refusal::Unsupported("TransformFeedbackTargets"));
        }
        let offsets: SmallVec<[u64; 4]> = (0..counters.len() as u64).map(|n| n * COUNTER_STRIDE).collect();
        if span.started {
            recorder.begin_xfb(&counters, &offsets);
        } else {
            recorder.begin_xfb(&[], &[]);
        }
        span.started = true;
        span.fresh = true;
        if let Some(xfb) = self.programs.get(ctx.draw_program).and_then(|p| p.archive.xfb.as_ref()) {
            (span.strides, span.streams) = (xfb.strides, xfb.streams);
        }
        span.used = serial;
        core.cmds.on_leave_pass(LeaveOp::EndXfb { counters, offsets });
        self.captures.open = Some((ctx.xfb, core.cmds.pass_epoch()));
        Ok(())
    }
}
