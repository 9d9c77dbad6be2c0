//! Fences and the serials of GPU work. ES proves completion by sync objects only: one is made per fence and per flush
//! that carried work. Must not know contexts of the program.

use crate::error::refuse;
use crate::raw::{Gl, Sync, consts};
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Fence;
use mgl_base::slots::SlotTable;
use std::collections::VecDeque;

/// Sync objects that are kept for serials at most; older work is waited for.
const MAX_MARKS: usize = 64;

/// Serials of work: rises with every mark.
#[derive(Default)]
pub struct Timeline {
    marks: VecDeque<(u64, Sync)>,
    issued: u64,
    completed: u64,
    /// Something was issued after the newest mark.
    pub work: bool,
}

impl Timeline {
    /// Serial that work issued now will have.
    pub fn current(&self) -> u64 {
        self.issued + 1
    }

    /// Ends a batch: everything issued so far has the serial that is returned.
    pub fn mark(&mut self, gl: &Gl) -> Outcome<u64> {
        if !self.work {
            return Ok(self.issued);
        }
        let sync = gl.new_sync().ok_or_else(|| refuse("fence", gl.take_error()))?;
        self.work = false;
        self.issued += 1;
        self.marks.push_back((self.issued, sync));
        while self.marks.len() > MAX_MARKS {
            let oldest = self.issued + 1 - MAX_MARKS as u64;
            self.wait(gl, oldest, u64::MAX)?;
        }
        Ok(self.issued)
    }

    /// The newest serial that is proven complete; polls.
    pub fn poll(&mut self, gl: &Gl) -> u64 {
        while let Some((serial, sync)) = self.marks.front() {
            if !done(gl.wait_for(sync, false, 0)) {
                break;
            }
            self.completed = *serial;
            self.pop(gl);
        }
        self.completed
    }

    /// Waits for a serial; false when the time ran out.
    pub fn wait(&mut self, gl: &Gl, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        if serial > self.issued {
            self.mark(gl)?;
        }
        while self.completed < serial {
            let Some((at, sync)) = self.marks.front() else { return Ok(true) };
            match gl.wait_for(sync, true, timeout_ns) {
                answer if done(answer) => {
                    self.completed = *at;
                    self.pop(gl);
                }
                consts::TIMEOUT_EXPIRED => return Ok(false),
                _ => return Err(refuse("wait for the GPU", gl.take_error())),
            }
        }
        Ok(true)
    }

    /// True while marks are pending.
    pub fn pending(&self) -> bool {
        !self.marks.is_empty() || self.work
    }

    fn pop(&mut self, gl: &Gl) {
        if let Some((_, sync)) = self.marks.pop_front() {
            gl.drop_sync(sync);
        }
    }

    /// Drops everything.
    pub fn clear(&mut self, gl: &Gl) {
        while !self.marks.is_empty() {
            self.pop(gl);
        }
    }
}

fn done(answer: u32) -> bool {
    matches!(answer, consts::ALREADY_SIGNALED | consts::CONDITION_SATISFIED)
}

/// Fence objects: a fence is a serial.
#[derive(Default)]
pub struct FenceTable(SlotTable<Fence, u64>);

impl FenceTable {
    /// A fence after everything so far.
    pub fn create(&mut self, gl: &Gl, timeline: &mut Timeline, fence: Handle<Fence>) -> Outcome {
        let serial = timeline.mark(gl)?;
        self.0.insert(fence, serial, "espryt.fence").map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }
    /// Its serial.
    pub fn serial(&self, fence: Handle<Fence>) -> Outcome<u64> {
        self.0.get(fence).copied().ok_or(Refusal::Unsupported("fence that does not exist"))
    }
    /// Death of a fence.
    pub fn destroy(&mut self, fence: Handle<Fence>) {
        self.0.remove(fence);
    }
}
