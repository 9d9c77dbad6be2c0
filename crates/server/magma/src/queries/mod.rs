//! GL queries over Vulkan queries. A GL query spans passes and command buffers, a Vulkan query does not: each pass adds a
//! segment and the result is their sum. Must not know draws.

mod slots;
mod source;

use crate::commands::{Commands, LeaveOp};
use crate::error::refuse;
use crate::raw::make;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Query;
use mgl_pipe::tokens::QueryKind;
use slots::{Slot, Slots};
use source::{Plan, Source, Word};

/// Largest number of words of one result.
const MAX_WORDS: usize = 11;

struct Object {
    generation: u32,
    kind: QueryKind,
    plan: Option<Plan>,
    segments: Vec<(Source, Slot)>,
    stamps: Vec<Slot>,
    serial: u64,
    result: Option<u64>,
    active: Option<u32>,
}

/// Queries of one source that are running, and their common segment.
struct Group {
    source: Source,
    active: Vec<(u32, Handle<Query>)>,
    open: Option<(Slot, u64)>,
}

/// All queries of a session.
pub struct Queries {
    table: Vec<Option<Object>>,
    groups: Vec<Group>,
    occlusion: Slots,
    statistics: Slots,
    xfb: Slots,
    generated: Slots,
    time: Slots,
    words: usize,
    precise: bool,
}

impl Queries {
    /// No queries.
    pub fn new(gpu: &crate::device::Gpu) -> Self {
        let none = vk::QueryPipelineStatisticFlags::empty();
        let flags = source::statistics(&gpu.features);
        Self {
            table: Vec::new(),
            groups: Vec::new(),
            occlusion: Slots::new(vk::QueryType::OCCLUSION, none),
            statistics: Slots::new(vk::QueryType::PIPELINE_STATISTICS, flags),
            xfb: Slots::new(vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT, none),
            generated: Slots::new(vk::QueryType::PRIMITIVES_GENERATED_EXT, none),
            time: Slots::new(vk::QueryType::TIMESTAMP, none),
            words: flags.as_raw().count_ones() as usize,
            precise: gpu.features.occlusion_query_precise,
        }
    }

    fn slots(&mut self, source: Source) -> &mut Slots {
        match source {
            Source::Occlusion => &mut self.occlusion,
            Source::Statistics => &mut self.statistics,
            Source::Xfb(_) => &mut self.xfb,
            Source::Generated(_) => &mut self.generated,
        }
    }

    fn object(&mut self, query: Handle<Query>) -> Outcome<&mut Object> {
        let entry = self.table.get_mut(query.slot() as usize).and_then(Option::as_mut);
        entry.filter(|o| o.generation == query.generation()).ok_or(Refusal::Unsupported("UnknownQuery"))
    }

    /// A query exists.
    pub fn create(&mut self, commands: &mut Commands, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome {
        let timed = matches!(kind, QueryKind::TimeElapsed | QueryKind::Timestamp);
        let plan = source::plan(kind, stream, &commands.gpu().features);
        if timed && commands.gpu().timestamp_bits == 0 {
            return Err(Refusal::Unsupported("TimerQuery"));
        }
        if !timed && plan.is_none() {
            return Err(Refusal::Unsupported("QueryKind"));
        }
        let slot = query.slot() as usize;
        if self.table.len() <= slot {
            self.table.resize_with(slot + 1, || None);
        }
        self.table[slot] = Some(Object {
            generation: query.generation(),
            kind,
            plan,
            segments: Vec::new(),
            stamps: Vec::new(),
            serial: 0,
            result: None,
            active: None,
        });
        Ok(())
    }

    /// Starts over.
    fn rewind(&mut self, query: Handle<Query>) -> Outcome {
        let object = self.object(query)?;
        let (segments, stamps) = (std::mem::take(&mut object.segments), std::mem::take(&mut object.stamps));
        object.result = None;
        let serial = object.serial;
        for (source, slot) in segments {
            self.slots(source).release(slot, serial);
        }
        for slot in stamps {
            self.time.release(slot, serial);
        }
        Ok(())
    }

    /// `glBeginQuery`.
    pub fn begin(&mut self, commands: &mut Commands, flow: u32, query: Handle<Query>) -> Outcome {
        self.rewind(query)?;
        let object = self.object(query)?;
        object.active = Some(flow);
        // Nothing is recorded for it yet, so its result (zero) needs no batch.
        object.serial = 0;
        let Some(plan) = object.plan.clone() else {
            return self.stamp(commands, query, vk::PipelineStageFlags::TOP_OF_PIPE);
        };
        for source in plan.sources {
            let group = self.group(source);
            self.groups[group].active.push((flow, query));
            self.restart(commands, flow, group)?;
        }
        Ok(())
    }

    /// `glEndQuery`.
    pub fn end(&mut self, commands: &mut Commands, query: Handle<Query>) -> Outcome {
        let object = self.object(query)?;
        let Some(flow) = object.active.take() else { return Ok(()) };
        let Some(plan) = object.plan.clone() else {
            return self.stamp(commands, query, vk::PipelineStageFlags::BOTTOM_OF_PIPE);
        };
        for source in plan.sources {
            let group = self.group(source);
            self.groups[group].active.retain(|(_, q)| *q != query);
            self.restart(commands, flow, group)?;
        }
        Ok(())
    }

    /// `glQueryCounter`.
    pub fn counter(&mut self, commands: &mut Commands, query: Handle<Query>) -> Outcome {
        self.rewind(query)?;
        self.stamp(commands, query, vk::PipelineStageFlags::BOTTOM_OF_PIPE)
    }

    fn stamp(&mut self, commands: &mut Commands, query: Handle<Query>, stage: vk::PipelineStageFlags) -> Outcome {
        let slot = self.time.take(commands)?;
        let cmd = commands.inside()?;
        let gpu = commands.gpu().clone();
        Recorder::new(&gpu, cmd).write_timestamp(stage, slot.pool, slot.index);
        let serial = commands.current_serial();
        let object = self.object(query)?;
        object.stamps.push(slot);
        object.serial = serial;
        Ok(())
    }

    fn group(&mut self, source: Source) -> usize {
        match self.groups.iter().position(|g| g.source == source) {
            Some(at) => at,
            None => {
                self.groups.push(Group { source, active: Vec::new(), open: None });
                self.groups.len() - 1
            }
        }
    }

    /// Inside an open pass: ends the running segment of a group and opens one for those that are active now.
    fn restart(&mut self, commands: &mut Commands, flow: u32, group: usize) -> Outcome {
        if !commands.in_pass() {
            return Ok(());
        }
        let source = self.groups[group].source;
        let running = self.groups[group].open.take().filter(|(_, epoch)| *epoch == commands.pass_epoch());
        let cmd = commands.inside()?;
        let gpu = commands.gpu().clone();
        if let Some((slot, _)) = running {
            end_segment(&gpu, cmd, source, slot);
            commands.retain_leave_ops(|op| {
                !matches!(op,
                LeaveOp::EndQuery { pool, index } | LeaveOp::EndQueryIndexed { pool, index, .. }
                if *pool == slot.pool && *index == slot.index)
            });
        }
        self.open(commands, flow, group)
    }

    /// Opens a segment for the queries of `flow` in a group, inside the open pass.
    fn open(&mut self, commands: &mut Commands, flow: u32, group: usize) -> Outcome {
        let source = self.groups[group].source;
        if !self.groups[group].active.iter().any(|(f, _)| *f == flow) {
            return Ok(());
        }
        let slot = self.slots(source).take(commands)?;
        let cmd = commands.inside()?;
        let gpu = commands.gpu().clone();
        begin_segment(&gpu, cmd, source, slot, self.precise);
        commands.on_leave_pass(match source {
            Source::Xfb(stream) | Source::Generated(stream) if gpu.ext.xfb.is_some() => {
                LeaveOp::EndQueryIndexed { pool: slot.pool, index: slot.index, stream }
            }
            _ => LeaveOp::EndQuery { pool: slot.pool, index: slot.index },
        });
        self.groups[group].open = Some((slot, commands.pass_epoch()));
        self.attach(commands.current_serial(), flow, group, slot);
        Ok(())
    }

    /// Gives a segment to every query of `flow` that is active in the group.
    fn attach(&mut self, serial: u64, flow: u32, group: usize, slot: Slot) {
        let source = self.groups[group].source;
        let readers: Vec<Handle<Query>> =
            self.groups[group].active.iter().filter(|(f, _)| *f == flow).map(|(_, q)| *q).collect();
        for (n, query) in readers.into_iter().enumerate() {
            if n > 0 {
                self.slots(source).retain(slot);
            }
            if let Ok(object) = self.object(query) {
                object.segments.push((source, slot));
                object.serial = serial;
            }
        }
    }

    /// A pass was begun: every active query of its context gets a segment in it.
    pub fn resume(&mut self, commands: &mut Commands, flow: u32) -> Outcome {
        for group in 0..self.groups.len() {
            self.open(commands, flow, group)?;
        }
        Ok(())
    }

    /// Counts one dispatch, outside a pass: `record` records it.
    pub fn around_dispatch(
        &mut self,
        commands: &mut Commands,
        flow: u32,
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Outcome {
        let group = self.group(Source::Statistics);
        let counted = self.groups[group].active.iter().any(|(f, _)| *f == flow);
        let cmd = commands.main()?;
        if !counted {
            record(cmd);
            return Ok(());
        }
        let slot = self.statistics.take(commands)?;
        let gpu = commands.gpu().clone();
        begin_segment(&gpu, cmd, Source::Statistics, slot, false);
        record(cmd);
        end_segment(&gpu, cmd, Source::Statistics, slot);
        self.attach(commands.current_serial(), flow, group, slot);
        Ok(())
    }

    /// The result; `None` while the GPU works on it. A poll submits what the result needs, so that it comes one day.
    pub fn result(&mut self, commands: &mut Commands, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>> {
        let object = self.object(query)?;
        if object.result.is_some() {
            return Ok(object.result);
        }
        if object.active.is_some() {
            self.end(commands, query)?;
        }
        let serial = self.object(query)?.serial;
        if wait {
            commands.wait(serial, u64::MAX)?;
        } else if serial >= commands.current_serial() {
            commands.submit()?;
        }
        if commands.completed_serial() < serial && commands.poll()? < serial {
            return Ok(None);
        }
        let value = self.sum(commands, query)?;
        self.rewind(query)?;
        self.object(query)?.result = Some(value);
        Ok(Some(value))
    }

    fn sum(&mut self, commands: &Commands, query: Handle<Query>) -> Outcome<u64> {
        let words = self.words;
        let object = self.object(query)?;
        let gpu = commands.gpu();
        let Some(plan) = &object.plan else {
            return ticks(gpu, object);
        };
        let mut total = 0u64;
        for (source, slot) in &object.segments {
            let mut out = [0u64; MAX_WORDS];
            let count = match source {
                Source::Statistics => words,
                Source::Xfb(_) => 2,
                Source::Occlusion | Source::Generated(_) => 1,
            };
            make::query_words(&gpu.device, slot.pool, slot.index, &mut out[..count])
                .map_err(|e| refuse("vkGetQueryPoolResults", e))?;
            total += match plan.word {
                Word::Index(n) => out.get(n).copied().unwrap_or(0),
                Word::Differ => u64::from(out[0] != out[1]),
            };
        }
        Ok(if plan.boolean { u64::from(total != 0) } else { total })
    }

    /// Death of a query.
    pub fn destroy(&mut self, commands: &mut Commands, query: Handle<Query>) {
        if self.object(query).is_ok_and(|o| o.active.is_some()) {
            self.end(commands, query).ok();
        }
        if self.rewind(query).is_ok() {
            self.table[query.slot() as usize] = None;
        }
    }

    /// GPU time now, in nanoseconds.
    pub fn now(&mut self, commands: &mut Commands) -> Outcome<u64> {
        if commands.gpu().timestamp_bits == 0 {
            return Err(Refusal::Unsupported("TimerQuery"));
        }
        let slot = self.time.take(commands)?;
        let cmd = commands.inside()?;
        let gpu = commands.gpu().clone();
        Recorder::new(&gpu, cmd).write_timestamp(vk::PipelineStageFlags::BOTTOM_OF_PIPE, slot.pool, slot.index);
        let serial = commands.submit()?;
        commands.wait(serial, u64::MAX)?;
        let mut out = [0];
        make::query_words(&gpu.device, slot.pool, slot.index, &mut out)
            .map_err(|e| refuse("vkGetQueryPoolResults", e))?;
        self.time.release(slot, serial);
        Ok(nanoseconds(&gpu, out[0]))
    }

    /// Destroys the pools.
    pub fn close(&mut self, commands: &mut Commands) {
        for slots in [&mut self.occlusion, &mut self.statistics, &mut self.xfb, &mut self.generated, &mut self.time] {
            slots.close(commands);
        }
    }
}

fn begin_segment(gpu: &crate::device::Gpu, cmd: vk::CommandBuffer, source: Source, slot: Slot, precise: bool) {
    let recorder = Recorder::new(gpu, cmd);
    let flags = if source == Source::Occlusion && precise {
        vk::QueryControlFlags::PRECISE
    } else {
        vk::QueryControlFlags::empty()
    };
    match source {
        Source::Xfb(stream) | Source::Generated(stream) if gpu.ext.xfb.is_some() => {
            recorder.begin_query_indexed(slot.pool, slot.index, flags, stream);
        }
        _ => recorder.begin_query(slot.pool, slot.index, flags),
    }
}

fn end_segment(gpu: &crate::device::Gpu, cmd: vk::CommandBuffer, source: Source, slot: Slot) {
    match (source, &gpu.ext.xfb) {
        (Source::Xfb(stream) | Source::Generated(stream), Some(xfb)) => {
            crate::raw::record::end_query_indexed(xfb, cmd, slot.pool, slot.index, stream);
        }
        _ => crate::raw::record::end_query(&gpu.device, cmd, slot.pool, slot.index),
    }
}

fn nanoseconds(gpu: &crate::device::Gpu, ticks: u64) -> u64 {
    (ticks as f64 * f64::from(gpu.properties.limits.timestamp_period)) as u64
}

/// A time stamp, or the difference of two.
fn ticks(gpu: &crate::device::Gpu, object: &Object) -> Outcome<u64> {
    let mask = if gpu.timestamp_bits >= 64 { u64::MAX } else { (1 << gpu.timestamp_bits) - 1 };
    let mut values = [0u64; 2];
    for (value, slot) in values.iter_mut().zip(&object.stamps) {
        let mut out = [0];
        make::query_words(&gpu.device, slot.pool, slot.index, &mut out)
            .map_err(|e| refuse("vkGetQueryPoolResults", e))?;
        *value = out[0] & mask;
    }
    Ok(match object.kind {
        QueryKind::TimeElapsed if object.stamps.len() == 2 => {
            nanoseconds(gpu, values[1].wrapping_sub(values[0]) & mask)
        }
        QueryKind::TimeElapsed => 0,
        _ => nanoseconds(gpu, values[0]),
    })
}
