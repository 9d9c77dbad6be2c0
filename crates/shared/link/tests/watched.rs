//! Memory that says which of its pages were written.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mgl_link::watched::Watched;

fn page() -> usize {
    // SAFETY: the call has no preconditions.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page size")
}

fn watched(pages: usize) -> Watched {
    Watched::new(pages * page()).expect("memory")
}

/// Runs of pages that were written: first and one past the last.
fn written(memory: &mut Watched) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    memory.take_written(|bytes| runs.push((bytes.start / page(), bytes.end.div_ceil(page()))));
    runs
}

/// A page that was written and not found is a texture or a vertex that never reaches the server; one that was not written
/// and is looked at all the same is what makes a program with large maps slow.
#[test]
fn exactly_the_written_pages_are_found() {
    let (mut a, mut b) = (watched(200), watched(3));
    assert_eq!(written(&mut a), [(0, 200)]);
    assert_eq!(written(&mut a), []);
    assert_eq!(written(&mut b), [(0, 3)]);
    for place in [3, 7, 8, 63, 64, 199] {
        a[place * page() + 17] = 1;
        a[place * page() + 18] = 2;
    }
    b[page() - 1] = 9;
    assert_eq!(written(&mut a), [(3, 4), (7, 9), (63, 65), (199, 200)]);
    assert_eq!(written(&mut b), [(0, 1)]);
    assert_eq!((written(&mut a), written(&mut b)), (vec![], vec![]));
    a[7 * page()] = 5;
    assert_eq!(written(&mut a), [(7, 8)]);
    a.open();
    a.fill(7);
    assert_eq!(written(&mut a), [(0, 200)], "nothing is known of what was not watched");
    drop(b);
    a[0] = 1;
    assert_eq!(written(&mut a), [(0, 1)]);
}

/// A map that is written from end to end every frame would cost a fault for each of its pages.
#[test]
fn pages_in_a_row_are_found_with_a_few_more() {
    let mut memory = watched(64);
    written(&mut memory);
    for place in 0..30 {
        memory[place * page()] = 1;
    }
    let runs = written(&mut memory);
    assert!(matches!(runs.as_slice(), [(0, 31..=64)]), "{runs:?}");
    assert_eq!(written(&mut memory), []);
    memory[40 * page()] = 1;
    assert_eq!(written(&mut memory), [(40, 41)]);
}

/// Memory of less than a page has neighbours, which must not fault; and a person must be able to do without.
#[test]
fn small_memory_is_not_watched() {
    assert!(Watched::new(page() - 1).is_none());
    // SAFETY: tests run in a process of their own, and no other thread reads the environment.
    unsafe { std::env::set_var("MOBILEGL_PIPE_PERSISTENT_MPROTECT", "0") };
    assert!(Watched::new(page() * 4).is_none());
}

/// Loader threads write while the drawing thread looks: every byte must be found at last, and maps come and go meanwhile.
#[test]
fn nothing_is_lost_while_threads_write() {
    const PAGES: usize = 64;
    let mut memory = watched(PAGES);
    let mut seen = memory.to_vec();
    let (base, size) = (memory.as_mut_ptr().expose_provenance(), page());
    let (done, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for thread in 0..4usize {
            let done = &done;
            scope.spawn(move || {
                for round in 0..20_000usize {
                    let at = (round * 37 + thread * 11) % PAGES * size + thread * 8 + round % 8;
                    let byte = std::ptr::with_exposed_provenance_mut::<u8>(base + at);
                    // SAFETY: inside the memory, which lives until the scope ends; each thread has bytes of its own.
                    unsafe { byte.write_volatile(round as u8 | 1) };
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let mut other = watched(2);
                assert_eq!(written(&mut other), [(0, 2)]);
                other[size] = 1;
                assert_eq!(written(&mut other), [(1, 2)]);
            }
        });
        loop {
            let last = done.load(Ordering::SeqCst) == 4;
            let mut runs = Vec::new();
            memory.take_written(|run| runs.push(run));
            for run in runs {
                seen[run.clone()].copy_from_slice(&memory[run]);
            }
            if last {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(seen == *memory);
}

/// A program that ends a map while another of its threads still writes there must not be ended for it.
#[test]
fn maps_may_end_while_threads_write() {
    let mut memory = watched(16);
    let (base, size) = (memory.as_mut_ptr().expose_provenance(), page());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                let byte = std::ptr::with_exposed_provenance_mut::<u8>(base + round % 16 * size);
                // SAFETY: inside the memory, which lives until the scope ends.
                unsafe { byte.write_volatile(1) };
            }
        });
        for _ in 0..500 {
            written(&mut memory);
            written(&mut memory);
            memory.open();
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// Runs one of the tests below as a child that does what kills or ends it.
fn child(name: &str) -> ExitStatus {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", name, "--nocapture"]).env("WATCHED_CHILD", "1").status().expect("a child")
}

fn is_child() -> bool {
    std::env::var_os("WATCHED_CHILD").is_some()
}

/// A page that nobody may write, and its address.
fn forbidden() -> *mut u8 {
    // SAFETY: a fresh mapping at an address of the kernel's choice.
    unsafe { libc::mmap(null_mut(), page(), libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) }.cast()
}

type Handler = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);

fn handle(handler: Handler) {
    // SAFETY: an all-zero sigaction is valid; the handlers below make system calls alone.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (action.sa_sigaction, action.sa_flags) = (handler as usize, libc::SA_SIGINFO);
        assert_eq!(libc::sigaction(libc::SIGSEGV, &raw const action, null_mut()), 0);
    }
}

/// Opens the page of the fault, as a Java machine resolves the faults it provokes.
extern "C" fn resolve(_: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel's structure; the page is the test's.
    unsafe {
        let at = (*info).si_addr().map_addr(|a| a & !4095);
        if libc::mprotect(at, 4096, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            libc::_exit(3);
        }
    }
}

extern "C" fn leave(_: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: ends the process.
    unsafe { libc::_exit(42) };
}

fn watch_and_write() -> Watched {
    let mut memory = watched(4);
    written(&mut memory);
    memory[page()] = 1;
    assert_eq!(written(&mut memory), [(1, 2)]);
    memory
}

/// A Java program dies at its first null check when the faults that it provokes do not reach it.
#[test]
fn foreign_faults_reach_the_handler_before() {
    if is_child() {
        handle(resolve);
        let mut memory = watch_and_write();
        let place = forbidden();
        // SAFETY: the page is the test's; the handler above opens it.
        unsafe { place.write_volatile(7) };
        memory[2 * page()] = 1;
        assert_eq!(written(&mut memory), [(2, 3)]);
        handle_null();
    }
    assert_eq!(child("foreign_faults_reach_the_handler_before").code(), Some(42));
}

/// Installs a handler that leaves, before ours in time, and reads what is not there.
fn handle_null() {
    handle(leave);
    // SAFETY: none: the fault is what is wanted, and the handler ends the process.
    unsafe { null::<u8>().wrapping_add(8).read_volatile() };
}

/// A crash of the program must stay one that its users can see, with the signal that it is.
#[test]
fn crashes_stay_crashes() {
    if is_child() {
        // SAFETY: the default action needs nothing.
        unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
        let _memory = watch_and_write();
        // SAFETY: none: the fault is what is wanted.
        unsafe { forbidden().write_volatile(7) };
    }
    assert_eq!(child("crashes_stay_crashes").signal(), Some(libc::SIGSEGV));
}

/// A library that takes the handler for itself must not kill the program, and nothing it writes may be lost.
#[test]
fn a_handler_that_was_replaced_ends_watching() {
    if is_child() {
        let mut memory = watch_and_write();
        handle(leave);
        // Nothing was written since, so nothing faults before the next look.
        assert_eq!(written(&mut memory), [(0, 4)]);
        memory.fill(3);
        assert_eq!(written(&mut memory), [(0, 4)]);
        let mut other = watched(2);
        assert_eq!(written(&mut other), [(0, 2)]);
        other.fill(3);
        std::process::exit(21);
    }
    assert_eq!(child("a_handler_that_was_replaced_ends_watching").code(), Some(21));
}
