//! Finished pictures: proofs of where they go, and which frames the device has completed. Must not know windows.

use crate::dispatch::Apply;
use crate::prove;
use crate::session::{Applier, Session};
use mgl_backend::PixelMemory;
use mgl_backend::pixels::presentable;
use mgl_base::{Family, Fault};
use mgl_pipe::Body;
use mgl_pipe::records::{ForgetMemory, Present, PresentImage};

/// Pieces of memory for pictures of one session: a few for each window.
const MOST_PIXELS: usize = 4096;

impl Session {
    /// Memory for finished pictures, within the budget of the session, until a record forgets it.
    pub fn pixels_shared(&mut self, memory: PixelMemory) -> Result<(), Fault> {
        let after = self.memory.saturating_add(memory.len as u64);
        if self.pixels.len() >= MOST_PIXELS || after > self.memory_budget {
            return Err(Fault::new(Family::ResourceUnavailable, "memory for pictures"));
        }
        self.memory = after;
        self.pixels.push(memory);
        Ok(())
    }

    /// Takes memory for pictures back, as [`ForgetMemory`] does. False when there is none of that number.
    pub fn pixels_withdraw(&mut self, id: u32) -> bool {
        let Some(at) = self.pixels.iter().position(|memory| memory.id == id) else { return false };
        let memory = self.pixels.swap_remove(at);
        self.memory = self.memory.saturating_sub(memory.len as u64);
        self.backend.pixels_forget(id);
        true
    }

    /// Bytes of the memory for pictures that records call `id`.
    pub fn pixels_len(&self, id: u32) -> Option<usize> {
        self.pixels.iter().find(|memory| memory.id == id).map(|memory| memory.len)
    }

    /// True while some frame of `flow` is not reported complete.
    pub fn frames_pending(&self, flow: u32) -> bool {
        matches!(self.flows.get(flow as usize), Some(Some(f)) if !f.frames.is_empty())
    }

    /// Serial of the newest present of `flow` whose frame was found complete since the last call, pictures in their memory.
    pub fn completed_frame(&mut self, flow: u32) -> Option<u64> {
        let done = self.backend.completed_serial();
        let frames = &mut self.flows.get_mut(flow as usize)?.as_mut()?.frames;
        let mut newest = None;
        while let Some((serial, _)) = frames.front().copied().filter(|(_, device)| *device <= done) {
            newest = Some(serial);
            frames.pop_front();
        }
        newest
    }
}

/// Bytes from the first to behind the last one that a picture is written to.
fn extent(what: &PresentImage) -> Option<u64> {
    let row = u64::from(what.width).checked_mul(u64::from(what.layout.bytes()))?;
    let rows = u64::from(what.height.checked_sub(1)?).checked_mul(u64::from(what.stride))?;
    (row > 0 && row <= u64::from(what.stride)).then_some(rows)?.checked_add(row)
}

impl Apply<PresentImage> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, PresentImage>) -> Result<(), Fault> {
        let what = body.head;
        let image = *self.session.tables.renderbuffers.need(what.image, "present_image.image")?;
        let bytes = extent(&what).filter(|_| what.stride.is_multiple_of(4));
        let bytes = bytes.ok_or_else(|| Fault::corrupt("present_image.stride"))?;
        let memory = self.session.pixels.iter().find(|memory| memory.id == what.memory);
        let memory = memory.ok_or_else(|| Fault::corrupt("present_image.memory"))?;
        if !what.offset.is_multiple_of(u64::from(what.layout.bytes())) {
            return Err(Fault::corrupt("present_image.offset"));
        }
        prove::span(what.offset, bytes, memory.len as u64, "present_image.offset")?;
        // An image that there was no memory for has no picture; the program was told.
        let Some(format) = image.format else { return Ok(()) };
        let inside = |at: u32, n: u32, max: u32| at.checked_add(n).is_some_and(|end| end <= max);
        if !inside(what.x, what.width, image.width) || !inside(what.y, what.height, image.height) {
            return Err(Fault::corrupt("present_image.rect"));
        }
        if !presentable(format) {
            return Err(Fault::corrupt(format!("present_image.image: {format:?}")));
        }
        let outcome = self.session.backend.present_image(&mut self.flow.state, &what, memory);
        match self.settle(outcome)? {
            Some(()) => {
                let shape = (what.height, what.stride, what.width * what.layout.bytes());
                self.io.pixels_written(what.memory, what.offset, shape)
            }
            None => Ok(()),
        }
    }
}

impl Apply<ForgetMemory> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ForgetMemory>) -> Result<(), Fault> {
        let known = self.session.pixels_withdraw(body.head.memory);
        if known { Ok(()) } else { Err(Fault::corrupt("forget_memory.memory")) }
    }
}

impl Apply<Present> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, Present>) -> Result<(), Fault> {
        let serial = body.head.serial;
        if serial == 0 {
            return Err(Fault::corrupt("present.serial"));
        }
        self.session.stats.presents += 1;
        let outcome = self.session.backend.present(&mut self.flow.state, serial);
        // What the backend refused has no frame to wait for, and nobody may wait for it forever.
        let device = self.settle(outcome)?.unwrap_or(0);
        match self.flow.frames.back_mut() {
            Some((newest, same)) if *same == device => *newest = serial,
            _ => self.flow.frames.push_back((serial, device)),
        }
        self.io.present_ack(serial)
    }
}
