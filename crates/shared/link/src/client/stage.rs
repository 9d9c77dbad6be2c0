//! Staging: bytes that are too large for a record go into the flow's arena and are named by the next record that can
//! name a run. Must not know what they are.

use super::flow::Flow;
use crate::arena::Grant;
use crate::error::{Lost, LostReason};
use crate::page::wait;
use core::sync::atomic::Ordering;
use mgl_base::{Family, Fault};
use mgl_pipe::Blob;

/// Alignment of staged runs: what any element type and any vector copy needs.
const ALIGN: usize = 16;

impl Flow {
    /// Largest run that content should be cut into: a quarter of the arena, so that chunks overlap with their reading.
    pub fn stage_limit(&self) -> usize {
        (self.arena.capacity() / 4) as usize
    }

    /// Bytes of the arena, the largest run there is; also what the peer's proofs are made against.
    pub fn stage_len(&self) -> u64 {
        self.arena.capacity()
    }

    /// Copies `bytes` into the arena.
    pub fn stage(&mut self, bytes: &[u8]) -> Result<Blob, Lost> {
        self.stage_with(bytes.len(), ALIGN, |to| to.copy_from_slice(bytes))
    }

    /// Lets `fill` write `len` bytes in place, at a multiple of `align` (a power of two). Everything that is staged is
    /// named by the next record that is pushed whose type can name a run.
    pub fn stage_with(&mut self, len: usize, align: usize, fill: impl FnOnce(&mut [u8])) -> Result<Blob, Lost> {
        debug_assert!(len != 0 && align.is_power_of_two(), "a blob is never empty");
        let offset = self.grant(len as u64, align.max(ALIGN) as u64)?;
        let Some(at) = self.stage.at(offset, len as u64) else { return Err(self.overrun(len)) };
        // SAFETY: the arena granted this range of the mapped segment to nobody else until a record that names it has
        // retired. The server only reads it, after that record was published.
        fill(unsafe { std::slice::from_raw_parts_mut(at.as_ptr(), len) });
        self.counters.staged_bytes.add(len as u64);
        if let Some(out) = &self.out {
            out.note(offset, len as u64);
        }
        Ok(Blob::new(offset, len as u64))
    }

    fn grant(&mut self, len: u64, align: u64) -> Result<u64, Lost> {
        if self.session.is_lost() {
            return Err(Lost);
        }
        if self.arena.wants_reclaim() {
            self.reclaim();
        }
        loop {
            match self.arena.alloc(len, align) {
                Grant::At(offset) => return Ok(offset),
                Grant::WaitFor(seq) => {
                    if !self.page.reached(wait::RETIRED, seq) {
                        self.counters.stage_waits.add(1);
                        self.wait(wait::RETIRED, seq)?;
                    }
                    self.reclaim();
                }
                Grant::TooBig => return Err(self.overrun(len as usize)),
            }
        }
    }

    fn reclaim(&mut self) {
        let freed = self.arena.reclaim(self.page.retired.load(Ordering::Acquire));
        if self.audit {
            // Whoever kept a pointer into a retired run sees this instead of plausible bytes (rule C).
            for range in freed.into_iter().filter(|r| !r.is_empty()) {
                self.stage.copy_in(range.start, &vec![0xDD; (range.end - range.start) as usize]);
            }
        }
    }

    #[cold]
    fn overrun(&self, len: usize) -> Lost {
        let detail = format!("stage of {len} bytes in an arena of {}", self.arena.capacity());
        self.session.latch(LostReason::Client(Fault::new(Family::RingOverrun, detail)))
    }
}
