//! The handler of access faults: opens and marks watched pages, and hands every other fault to whoever had the handler
//! before: a Java machine uses faults for its null checks. Must not allocate, lock or log: it runs in the middle of anything.
//!
//! A thread that blocks SIGSEGV dies when it writes a watched page; a system call that writes one fails with `EFAULT`.

use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Stores that can be watched at a time.
const SLOTS: usize = 256;
/// Faults on pages that are marked already, between two looks, after which they are no longer taken for two threads that met
/// on a page: whatever faults there is not a write that opening helps against.
const REPEATS: u32 = 100_000;
/// Faults in a store that is watched no more which are taken for writes that began before its pages were opened.
const LATE: u32 = 1_000;
/// Binary logarithm of the most pages that one fault opens.
const LONGEST: u32 = 10;
/// `SEGV_ACCERR`: the page is mapped, but not for this.
const ACCESS: i32 = 2;

struct Slot {
    /// First address, 0 = free. Written last when a slot is taken.
    start: AtomicUsize,
    /// First address of the store that had the slot before, 0 = none.
    left: AtomicUsize,
    end: AtomicUsize,
    written: AtomicPtr<AtomicU64>,
    /// Something was marked since the last look.
    touched: AtomicBool,
    repeats: AtomicU32,
    /// Page behind those that were opened last, and how often in a row that was the next to be written.
    next: AtomicUsize,
    streak: AtomicU32,
}

static TABLE: [Slot; SLOTS] = [const {
    Slot {
        start: AtomicUsize::new(0),
        left: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        written: AtomicPtr::new(null_mut()),
        touched: AtomicBool::new(false),
        repeats: AtomicU32::new(0),
        next: AtomicUsize::new(0),
        streak: AtomicU32::new(0),
    }
}; SLOTS];
/// Threads that look at the table in a handler.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Who is asked about faults that are not ours.
static PREVIOUS: AtomicPtr<libc::sigaction> = AtomicPtr::new(null_mut());
static PAGE: AtomicUsize = AtomicUsize::new(4096);
/// The process that installed the handler.
static OWNER: AtomicI32 = AtomicI32::new(0);
static TAKING: Mutex<()> = Mutex::new(());

/// Addresses without the tag that some processors allow in their top byte; the fault's address has none (spec 12 §7).
fn untagged(address: usize) -> usize {
    if cfg!(target_arch = "aarch64") { address & 0x00FF_FFFF_FFFF_FFFF } else { address }
}

/// Bytes of a page of memory.
pub(super) fn page_size() -> usize {
    // SAFETY: the call has no preconditions.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Takes a place for a range of whole pages, nothing of it marked. `None` when there is none, or the handler is not ours.
pub(super) fn register(range: Range<usize>, written: &[AtomicU64]) -> Option<usize> {
    install();
    let _taking = TAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if !installed() {
        return None;
    }
    let index = TABLE.iter().position(|slot| slot.start.load(Ordering::Relaxed) == 0)?;
    let slot = TABLE.get(index)?;
    slot.written.store(written.as_ptr().cast_mut(), Ordering::Relaxed);
    slot.end.store(untagged(range.end), Ordering::Relaxed);
    slot.touched.store(false, Ordering::Relaxed);
    slot.left.store(0, Ordering::Relaxed);
    slot.repeats.store(0, Ordering::Relaxed);
    slot.start.store(untagged(range.start), Ordering::SeqCst);
    Some(index)
}

/// Gives a place back; no handler uses its marks afterwards. Its pages are open already.
pub(super) fn forget(index: usize) {
    if let Some(slot) = TABLE.get(index) {
        slot.repeats.store(0, Ordering::Relaxed);
        slot.left.store(slot.start.load(Ordering::Relaxed), Ordering::SeqCst);
        slot.start.store(0, Ordering::SeqCst);
    }
    // A forked process has no threads that could be inside, only their count.
    // SAFETY: the call has no preconditions.
    while OWNER.load(Ordering::Relaxed) == unsafe { libc::getpid() } && INSIDE.load(Ordering::SeqCst) != 0 {
        std::hint::spin_loop();
    }
}

/// True once after pages were marked.
pub(super) fn touched(index: usize) -> bool {
    let Some(slot) = TABLE.get(index) else { return true };
    if !slot.touched.load(Ordering::Relaxed) {
        return false;
    }
    slot.repeats.store(0, Ordering::Relaxed);
    slot.next.store(0, Ordering::Relaxed);
    slot.touched.swap(false, Ordering::AcqRel)
}

/// Pages are marked although nobody wrote them.
pub(super) fn touch(index: usize) {
    if let Some(slot) = TABLE.get(index) {
        slot.touched.store(true, Ordering::Release);
    }
}

/// True while faults come here first. A handler that somebody installed later may not hand on what is ours.
pub(super) fn installed() -> bool {
    current().is_some_and(|action| action.sa_sigaction == entry())
}

fn entry() -> usize {
    (on_fault as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void)) as usize
}

fn current() -> Option<libc::sigaction> {
    // SAFETY: an all-zero sigaction is a valid value.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: null asks only; `action` is a valid place to write to.
    (unsafe { libc::sigaction(libc::SIGSEGV, null(), &raw mut action) } == 0).then_some(action)
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        PAGE.store(page_size(), Ordering::Relaxed);
        // SAFETY: the call has no preconditions.
        OWNER.store(unsafe { libc::getpid() }, Ordering::Relaxed);
        let Some(previous) = current() else { return };
        let mut action = previous;
        action.sa_sigaction = entry();
        // What the previous handler asked for holds for it when it is called from here.
        action.sa_flags |= libc::SA_SIGINFO | libc::SA_ONSTACK;
        action.sa_flags &= !libc::SA_RESETHAND;
        PREVIOUS.store(Box::into_raw(Box::new(previous)), Ordering::SeqCst);
        // SAFETY: the handler is a function of this image, which is never unloaded while threads run in it; it touches only
        // atomics and makes system calls.
        if unsafe { libc::sigaction(libc::SIGSEGV, &raw const action, null_mut()) } != 0 {
            tracing::warn!("no handler for access faults: what programs write to maps is found by comparison");
        }
    });
}

extern "C" fn on_fault(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid structure to a handler with SA_SIGINFO; a fault's has an address.
    let (code, address) = unsafe { ((*info).si_code, untagged((*info).si_addr().addr())) };
    if code == ACCESS {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        let ours = TABLE.iter().any(|slot| open(slot, address));
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        if ours {
            return;
        }
    }
    hand_on(signal, code, info, context);
}

/// Opens the page of `address` and marks it, when it is one of the slot's. A program that writes page after page has more and
/// more opened at once: what it leaves out of them is compared in vain.
fn open(slot: &Slot, address: usize) -> bool {
    let start = slot.start.load(Ordering::SeqCst);
    let end = slot.end.load(Ordering::Relaxed);
    if start == 0 {
        let left = slot.left.load(Ordering::SeqCst);
        // The pages are open by now: the write is tried again. What still faults is somebody else's.
        return left != 0 && (left..end).contains(&address) && slot.repeats.fetch_add(1, Ordering::Relaxed) < LATE;
    }
    if !(start..end).contains(&address) {
        return false;
    }
    let (size, words) = (PAGE.load(Ordering::Relaxed), slot.written.load(Ordering::Relaxed));
    let page = (address - start) / size;
    let follows = page != 0 && slot.next.load(Ordering::Relaxed) == page;
    let streak = if follows { slot.streak.load(Ordering::Relaxed) + 1 } else { 0 };
    let run = (1 << streak.saturating_sub(2).min(LONGEST)).min((end - start) / size - page);
    slot.streak.store(streak, Ordering::Relaxed);
    slot.next.store(page + run, Ordering::Relaxed);
    if !unprotect(start + page * size, run * size) {
        // The system has no more mappings; as one mapping the whole store takes the fewest.
        if !unprotect(start, end - start) {
            return false;
        }
        for other in 0..(end - start) / size {
            mark(words, other);
        }
    }
    // Open first and marked then: a mark that is taken away in between leaves an open page, whose writes count.
    let before = mark(words, page);
    for other in page + 1..page + run {
        mark(words, other);
    }
    slot.touched.store(true, Ordering::Release);
    !before || slot.repeats.fetch_add(1, Ordering::Relaxed) < REPEATS
}

/// Marks a page; true when it was marked.
fn mark(words: *mut AtomicU64, page: usize) -> bool {
    // SAFETY: the words are those of a registered store, one bit per page, and live until the table has forgotten it and no
    // handler is inside.
    let word = unsafe { &*words.add(page / 64) };
    word.fetch_or(1 << (page % 64), Ordering::AcqRel) & 1 << (page % 64) != 0
}

fn unprotect(start: usize, len: usize) -> bool {
    let pages = std::ptr::with_exposed_provenance_mut::<libc::c_void>(start);
    // SAFETY: the pages belong to a registered store; the system call leaves `errno` alone.
    unsafe { rustix::mm::mprotect(pages, len, rustix::mm::MprotectFlags::READ | rustix::mm::MprotectFlags::WRITE) }
        .is_ok()
}

/// What would have happened without this handler.
fn hand_on(signal: i32, code: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let previous = PREVIOUS.load(Ordering::SeqCst);
    // SAFETY: null, or the structure that `install` left behind for ever.
    let previous = unsafe { previous.as_ref() };
    match previous.map(|p| (p.sa_sigaction, p.sa_flags)) {
        // A signal that somebody sent can be ignored; a fault cannot.
        Some((libc::SIG_IGN, _)) if code <= 0 => {}
        None | Some((libc::SIG_DFL | libc::SIG_IGN, _)) => {
            // SAFETY: the default action needs nothing. The instruction faults again and ends the process as it should; a
            // signal that was sent is sent again.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if code <= 0 {
                    libc::raise(signal);
                }
            }
        }
        Some((handler, flags)) if flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: SA_SIGINFO says that the handler is a function of three arguments.
            let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        }
        Some((handler, _)) => {
            // SAFETY: without SA_SIGINFO the handler is a function of one argument.
            let handler: extern "C" fn(i32) = unsafe { std::mem::transmute(handler) };
            handler(signal);
        }
    }
}
