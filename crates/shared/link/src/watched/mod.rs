//! Memory that says which of its pages were written: pages are write-protected, and the fault of the first write opens one
//! and marks it (spec 12 §7). For stores whose bytes must be sent because no memory can be shared. Must not know what is
//! stored or where it goes.

mod fault;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// Switches tracking off: every byte is compared then.
const SWITCH: &str = "MOBILEGL_PIPE_PERSISTENT_MPROTECT";

/// Whole pages of memory, zero at creation. The program may write them at any time, from any thread.
#[derive(Debug)]
pub struct Watched {
    base: NonNull<u8>,
    len: usize,
    page: usize,
    /// A bit per page that was written; the fault handler sets it.
    written: Box<[AtomicU64]>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Nothing is protected: everything counts as written.
    Open,
    /// Protected pages are known to the fault handler under this number.
    Watching(usize),
    /// Somebody else has the fault handler, or there is no place left in it.
    Blind,
}

// SAFETY: the mapping belongs to the value and stays valid until drop, whichever thread holds it.
unsafe impl Send for Watched {}
// SAFETY: as above; `&Watched` only reads.
unsafe impl Sync for Watched {}

impl Watched {
    /// True unless it is switched off, or less than a page.
    pub fn wanted(len: usize) -> bool {
        len >= fault::page_size() && crate::settings::number(SWITCH) != Some(0)
    }

    /// At least `len` bytes, on pages of their own: a neighbour's memory on a protected page would fault too. `None` when it
    /// is not wanted, or there is no memory.
    pub fn new(len: usize) -> Option<Self> {
        if !Self::wanted(len) {
            return None;
        }
        let page = fault::page_size();
        let len = len.checked_next_multiple_of(page)?;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice aliases nothing.
        let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, prot, MapFlags::PRIVATE) }.ok()?;
        let words = (len / page).div_ceil(64);
        let written = (0..words).map(|_| AtomicU64::new(0)).collect();
        Some(Self { base: NonNull::new(base.cast())?, len, page, written, state: State::Open })
    }

    /// Calls `each` with the bytes of every run of pages that was written since the last call, and watches them from before
    /// `each` reads them: what is written meanwhile is found by the next call. The first call names everything.
    pub fn take_written(&mut self, mut each: impl FnMut(Range<usize>)) {
        if self.state == State::Open {
            self.watch();
            each(0..self.len);
            return;
        }
        let State::Watching(slot) = self.state else { return each(0..self.len) };
        if !fault::installed() {
            // Faults may no longer come here: from now on nothing is protected.
            self.open();
            self.state = State::Blind;
            return each(0..self.len);
        }
        if !fault::touched(slot) {
            return;
        }
        let mut next = 0;
        while let Some(run) = self.run(next) {
            next = run.end;
            let bytes = run.start * self.page..(run.end * self.page).min(self.len);
            // A run that cannot be protected (the system has no more mappings) is looked at again each time.
            if !self.protect(bytes.clone(), MprotectFlags::READ) {
                self.mark(run);
                fault::touch(slot);
            }
            each(bytes);
        }
    }

    /// Nothing is watched any more, and no write faults. The bytes stay.
    pub fn open(&mut self) {
        if let State::Watching(slot) = self.state {
            self.state = State::Open;
            self.protect(0..self.len, MprotectFlags::READ | MprotectFlags::WRITE);
            fault::forget(slot);
        }
        self.written.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    fn watch(&mut self) {
        let start = self.base.as_ptr().addr();
        self.state = match fault::register(start..start + self.len, &self.written) {
            Some(slot) => State::Watching(slot),
            None => State::Blind,
        };
        if self.state != State::Blind && !self.protect(0..self.len, MprotectFlags::READ) {
            self.open();
            self.state = State::Blind;
        }
    }

    /// The next run of written pages from page `from` on. Its marks are gone before its pages are protected: a write in
    /// between goes to an open page, before anybody reads it, and one after it faults and marks again.
    fn run(&self, from: usize) -> Option<Range<usize>> {
        let pages = self.len / self.page;
        let bit = |page: usize| (page / 64, 1u64 << (page % 64));
        let take = |page: usize| {
            let (word, mask) = bit(page);
            let word = self.written.get(word)?;
            let marked = word.load(Ordering::Relaxed) & mask != 0;
            (marked && word.fetch_and(!mask, Ordering::AcqRel) & mask != 0).then_some(())
        };
        let mut start = from;
        while start < pages {
            // Whole words without a mark are passed over at once.
            if start.is_multiple_of(64)
                && self.written.get(start / 64).is_some_and(|word| word.load(Ordering::Relaxed) == 0)
            {
                start += 64;
            } else if take(start).is_some() {
                let end = (start + 1..pages).find(|page| take(*page).is_none()).unwrap_or(pages);
                return Some(start..end);
            } else {
                start += 1;
            }
        }
        None
    }

    fn mark(&self, pages: Range<usize>) {
        for page in pages {
            if let Some(word) = self.written.get(page / 64) {
                word.fetch_or(1 << (page % 64), Ordering::AcqRel);
            }
        }
    }

    fn protect(&self, bytes: Range<usize>, how: MprotectFlags) -> bool {
        // SAFETY: the range lies inside the mapping by construction, so the result is inside it or one past its end.
        let start = unsafe { self.base.as_ptr().add(bytes.start) };
        // SAFETY: the pages belong to this value; who writes them while they are protected meets the fault handler.
        unsafe { rustix::mm::mprotect(start.cast(), bytes.end - bytes.start, how) }.is_ok()
    }
}

impl Deref for Watched {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping has `len` readable bytes until drop. The program's writes meanwhile are its own race, as with
        // any mapped buffer of OpenGL.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len) }
    }
}

impl DerefMut for Watched {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; a write to a protected page faults and goes on.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), self.len) }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.open();
        // SAFETY: nothing else refers to the mapping: the fault handler has forgotten it.
        if let Err(error) = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.len) } {
            tracing::warn!(%error, "munmap");
        }
    }
}
