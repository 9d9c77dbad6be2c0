//! Submit serials and the proof that they are complete: a timeline semaphore, or a fence per batch. Must not know
//! what the batches do. The completed floor rises on proof only (spec 12 §9).

use super::lane::BatchCommands;
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::submit::{self, Signal};
use ash::vk;
use mgl_backend::{Refusal, traits::Outcome};
use std::collections::VecDeque;

pub(super) struct InFlight {
    pub(super) serial: u64,
    pub(super) commands: BatchCommands,
    fence: Option<vk::Fence>,
}

/// Batches in flight, oldest first.
#[derive(Default)]
pub(super) struct Queue(VecDeque<InFlight>);

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
    pub(super) fn front(&self) -> Option<&InFlight> {
        self.0.front()
    }
    pub(super) fn pop_front_if_done(&mut self, completed: u64) -> Option<InFlight> {
        self.0.front().is_some_and(|b| b.serial <= completed).then(|| self.0.pop_front()).flatten()
    }
}

pub(super) struct SerialSource {
    /// Serial of the batch that is being recorded, from 1.
    pub(super) current: u64,
    /// Newest serial that is proven complete.
    pub(super) completed: u64,
    pub(super) in_flight: Queue,
    pub(super) lost: Option<String>,
    timeline: Option<vk::Semaphore>,
    fences: Vec<vk::Fence>,
}

impl SerialSource {
    pub(super) fn new(gpu: &Gpu) -> Outcome<Self> {
        let timeline = match gpu.ext.timeline {
            Some(_) => Some(submit::create_timeline(&gpu.device).map_err(|e| refuse("timeline semaphore", e))?),
            None => None,
        };
        Ok(Self { current: 1, completed: 0, in_flight: Queue::default(), lost: None, timeline, fences: Vec::new() })
    }

    pub(super) fn pending(&self) -> bool {
        self.completed + 1 < self.current
    }

    fn note(&mut self, what: &'static str, result: vk::Result) -> Refusal {
        let refusal = refuse(what, result);
        if let Refusal::DeviceLost(why) = &refusal {
            self.lost = Some(why.clone());
        }
        refusal
    }

    fn take_fence(&mut self, gpu: &Gpu) -> Outcome<vk::Fence> {
        match self.fences.pop() {
            Some(fence) => submit::reset_fence(&gpu.device, fence).map(|()| fence),
            None => submit::create_fence(&gpu.device),
        }
        .map_err(|e| refuse("fence", e))
    }

    /// Submits the current batch and opens the next one.
    pub(super) fn submit(&mut self, gpu: &Gpu, commands: BatchCommands) -> Outcome {
        let serial = self.current;
        let fence = if self.timeline.is_none() { Some(self.take_fence(gpu)?) } else { None };
        let signal = match (self.timeline, fence) {
            (Some(timeline), _) => Signal::Timeline(timeline, serial),
            (None, fence) => Signal::Fence(fence.unwrap_or_default()),
        };
        submit::submit(&gpu.device, gpu.queue, &commands, signal).map_err(|e| self.note("vkQueueSubmit", e))?;
        self.in_flight.0.push_back(InFlight { serial, commands, fence });
        self.current += 1;
        Ok(())
    }

    pub(super) fn poll(&mut self, gpu: &Gpu) -> Outcome {
        if let (Some(timeline), Some(functions)) = (self.timeline, &gpu.ext.timeline) {
            let value = submit::timeline_value(functions, timeline).map_err(|e| self.note("timeline value", e))?;
            self.completed = self.completed.max(value);
            return Ok(());
        }
        // Batches of one queue complete in order, so the first open fence ends the walk.
        for index in 0..self.in_flight.0.len() {
            let Some(batch) = self.in_flight.0.get(index) else { break };
            let (serial, fence) = (batch.serial, batch.fence);
            if serial <= self.completed {
                continue;
            }
            let done =
                submit::fence_done(&gpu.device, fence.unwrap_or_default()).map_err(|e| self.note("fence status", e))?;
            if !done {
                break;
            }
            self.rise_to(serial);
        }
        Ok(())
    }

    fn rise_to(&mut self, serial: u64) {
        self.completed = self.completed.max(serial);
        let done = self.in_flight.0.iter_mut().filter(|b| b.serial <= serial);
        self.fences.extend(done.filter_map(|b| b.fence.take()));
    }

    /// Waits for a submitted serial; false when the time ran out.
    pub(super) fn wait(&mut self, gpu: &Gpu, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        let serial = serial.min(self.current - 1);
        if serial <= self.completed {
            return Ok(true);
        }
        let done = match (self.timeline, &gpu.ext.timeline) {
            (Some(timeline), Some(functions)) => submit::wait_timeline(functions, timeline, serial, timeout_ns),
            _ => {
                let fence = self.in_flight.0.iter().find(|b| b.serial == serial).and_then(|b| b.fence);
                submit::wait_fence(&gpu.device, fence.unwrap_or_default(), timeout_ns)
            }
        }
        .map_err(|e| self.note("wait for the GPU", e))?;
        if done {
            self.rise_to(serial);
        }
        Ok(done)
    }

    pub(super) fn destroy(&mut self, gpu: &Gpu) {
        self.rise_to(u64::MAX);
        self.fences.drain(..).for_each(|f| submit::destroy_fence(&gpu.device, f));
        if let Some(timeline) = self.timeline.take() {
            submit::destroy_semaphore(&gpu.device, timeline);
        }
    }
}
