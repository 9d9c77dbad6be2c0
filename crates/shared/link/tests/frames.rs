//! Memory for finished pictures, and threads that wait for frames, over every transport. Must not know what draws them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_base::Family;
use mgl_link::client::{Config, DataPlane, Flow, FrameWatch, LostReason, Session, Transport};
use mgl_link::segment::Segment;
use mgl_pipe::records::Present;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use support::{
    ALL, FAULT, FORGET, PART, PART_OFFSET, PART_SHAPE, PROCESSES, ask, config, connect, draw_into, sleep_on_server,
    wish,
};

const FRAMES: u64 = 600;
const SHORT: Option<Duration> = Some(Duration::from_millis(20));

/// Every way that records and pictures travel.
fn carriers() -> Vec<(String, Config)> {
    let all = ALL.map(|transport| (format!("{transport:?}"), config(transport)));
    let local = config(Transport::Unix);
    let packed = Config { pack: Some(true), ..config(Transport::Tcp) };
    let stream = Config { data: DataPlane::Stream, ..local };
    let more = [("Tcp packed".to_owned(), packed), ("Unix stream".to_owned(), stream)];
    all.into_iter().chain(more).collect()
}

fn present(flow: &mut Flow, serial: u64) {
    flow.push(&Present { serial }).unwrap();
    flow.flush().unwrap();
}

fn bytes(memory: &Segment, offset: u64, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    assert!(memory.copy_out(offset, &mut out));
    out
}

/// What a window system would see through the descriptor.
fn elsewhere(memory: &Segment) -> Segment {
    let fd = memory.descriptor().expect("a descriptor to hand on").try_clone_to_owned().unwrap();
    Segment::adopt(fd, memory.size() as u64).expect("sealed, and of that size")
}

/// If this fails, a window stays black, or shows another window's picture.
#[test]
fn finished_pictures_are_where_the_window_system_looks() {
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        let (first, memory) = session.share_pixels(65536).unwrap();
        let (second, other) = session.share_pixels(4096).unwrap();
        assert_ne!(first, second);
        if let Some((third, store)) = session.share_memory(4096) {
            assert!(third != first && third != second, "{name}");
            assert!(store.descriptor().is_none(), "descriptors are the program's");
        }
        let watch = flow.frame_watch();
        flow.push(&draw_into(first, 7)).unwrap();
        flow.push(&draw_into(second, 9)).unwrap();
        present(&mut flow, 1);
        assert_eq!(watch.wait(1, None), Ok(true), "{name}");
        assert!(watch.is_done(1) && !watch.is_done(2));
        for (memory, tag) in [(&memory, 7), (&other, 9)] {
            let len = memory.size();
            assert!(bytes(memory, 0, len).iter().all(|b| *b == tag), "{name}");
            assert!(bytes(&elsewhere(memory), 0, len).iter().all(|b| *b == tag), "{name}");
        }
        ask(&mut flow);
    }
}

/// If this fails, a part of a window that is drawn anew spoils what is beside it.
#[test]
fn a_part_of_a_picture_leaves_the_rest_alone() {
    let (rows, stride, row) = PART_SHAPE;
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        let (id, memory) = session.share_pixels(4096).unwrap();
        let watch = flow.frame_watch();
        flow.push(&draw_into(id, 1)).unwrap();
        present(&mut flow, 1);
        flow.push(&draw_into(id, PART | 2)).unwrap();
        present(&mut flow, 2);
        assert_eq!(watch.wait(2, None), Ok(true), "{name}");
        for (at, byte) in bytes(&memory, 0, 4096).into_iter().enumerate() {
            let inside = (at as u64)
                .checked_sub(PART_OFFSET)
                .is_some_and(|at| at / u64::from(stride) < u64::from(rows) && at % u64::from(stride) < u64::from(row));
            assert_eq!(byte, if inside { 2 } else { 1 }, "{name} byte {at}");
        }
    }
}

/// If this fails, a window shows a frame that is half of the one before: what is complete must be there, all of it.
#[test]
fn a_picture_is_there_before_its_frame_counts_as_complete() {
    const LEN: u64 = 1 << 20;
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        let buffers = [session.share_pixels(LEN).unwrap(), session.share_pixels(LEN).unwrap()];
        let watch = flow.frame_watch();
        for serial in 1..=60u64 {
            let (id, memory) = &buffers[(serial % 2) as usize];
            flow.push(&draw_into(*id, serial as u32)).unwrap();
            present(&mut flow, serial);
            // The next frame is under way already while the one before is looked at.
            assert_eq!(watch.wait(serial - 1, None), Ok(true));
            if serial % 3 == 0 {
                assert_eq!(watch.wait(serial, None), Ok(true));
                let seen = bytes(memory, 0, LEN as usize);
                assert!(seen.iter().all(|b| *b == serial as u8), "{name} {serial}");
            }
        }
        assert_eq!(watch.wait(60, None), Ok(true));
        let counted = flow.counters().stream_pixels.get();
        assert_eq!(counted, if session_streams(&name) { 60 * LEN } else { 0 }, "{name}");
    }
}

fn session_streams(name: &str) -> bool {
    name.starts_with("Tcp") || name.contains("stream")
}

/// If this fails, a window that is closed or resized while its picture is on the way ends the program's context.
#[test]
fn pictures_that_nobody_wants_any_more_are_harmless() {
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut keeper = session.create_flow(0).unwrap();
        for serial in 1..=20u64 {
            let mut flow = session.create_flow(0).unwrap();
            let (id, memory) = session.share_pixels(256 << 10).unwrap();
            flow.push(&draw_into(id, serial as u32)).unwrap();
            flow.push(&Present { serial: 1 }).unwrap();
            flow.push(&draw_into(id, FORGET)).unwrap();
            flow.flush().unwrap();
            match serial % 3 {
                0 => drop(memory),
                1 => drop(flow),
                _ => drop((memory, flow)),
            }
            ask(&mut keeper);
        }
        assert!(session.lost().is_none(), "{name}");
    }
}

/// If this fails, a program whose window is resized a thousand times has no memory for pictures left, although it let go of all.
#[test]
fn forgotten_memory_can_be_had_again() {
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        let mut last = 0;
        for _ in 0..600 {
            let (id, memory) = session.share_pixels(4096).unwrap_or_else(|| panic!("{name}"));
            assert!(id > last, "a number is never used again");
            last = id;
            flow.push(&draw_into(id, FORGET)).unwrap();
            drop(memory);
            flow.finish().unwrap();
        }
    }
}

/// If this fails, a program's resize to nonsense ends its context, or fills the server's memory.
#[test]
fn what_cannot_be_had_is_refused_and_costs_nothing() {
    for (name, config) in carriers() {
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        for len in [0, (1 << 30) + 1, u64::MAX] {
            assert!(session.share_pixels(len).is_none(), "{name} {len}");
        }
        assert!(session.share_pixels(8192).is_none(), "the applier wants none of two pages");
        let list: Vec<_> = (0..300).map_while(|_| session.share_pixels(4096)).collect();
        assert_eq!(list.len(), 256, "{name}");
        let ids: HashSet<u32> = list.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids.len(), list.len());
        ask(&mut flow);
        assert!(session.lost().is_none());
    }
}

/// If this fails, two windows of one context, or a window and a reader of its picture, miss frames of each other.
#[test]
fn several_threads_watch_one_flow() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        std::thread::scope(|scope| {
            for step in [1, 3] {
                let watch = flow.frame_watch();
                scope.spawn(move || {
                    for serial in (step..=FRAMES).step_by(step as usize) {
                        assert_eq!(watch.wait(serial, None), Ok(true), "{transport:?} {serial}");
                        assert!(watch.is_done(serial));
                    }
                });
            }
            for serial in 1..=FRAMES {
                present(&mut flow, serial);
                // The flow's own waits are not disturbed, nor do they take anything away.
                if serial % 8 == 0 {
                    ask(&mut flow);
                }
            }
        });
        assert_eq!(flow.completed_frame(), FRAMES);
    }
}

/// If this fails, a program that asks for a time limit hangs, or is told that a frame is there too early.
#[test]
fn a_time_limit_ends_the_wait_and_nothing_else() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let watch = flow.frame_watch();
        assert_eq!(watch.wait(0, SHORT), Ok(true), "there is no frame 0 to wait for");
        assert_eq!(watch.wait(1, SHORT), Ok(false), "{transport:?}");
        assert_eq!(watch.wait(1, Some(Duration::ZERO)), Ok(false));
        assert!(!watch.is_done(1));
        present(&mut flow, 1);
        assert_eq!(watch.clone().wait(1, Some(Duration::MAX)), Ok(true));
        assert!(session.lost().is_none());
    }
}

fn waiting<T: Send>(watch: &FrameWatch, meanwhile: impl FnOnce() -> T + Send) -> Duration {
    let ready = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            ready.store(true, Ordering::SeqCst);
            assert!(watch.wait(1 << 40, None).is_err());
            Instant::now()
        });
        while !ready.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(30));
        assert!(!waiter.is_finished(), "nothing has happened yet");
        let start = Instant::now();
        meanwhile();
        waiter.join().unwrap().saturating_duration_since(start)
    })
}

/// If this fails, a crash of the driver leaves the thread that shows the window behind for ever.
#[test]
fn a_killed_server_ends_every_wait_for_a_frame() {
    for transport in PROCESSES {
        let server = support::processes(transport);
        let session =
            Session::connect(server.as_ref().map_or_else(|| support::config(transport), |s| s.config())).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        flow.push(&sleep_on_server(60_000)).unwrap();
        flow.flush().unwrap();
        let pid = rustix::process::Pid::from_raw(session.server_pid() as i32).unwrap();
        assert_ne!(session.server_pid(), std::process::id());
        waiting(&flow.frame_watch(), || rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap());
        assert!(matches!(session.lost(), Some(LostReason::ServerGone(_))), "{transport:?} {:?}", session.lost());
        assert!(flow.frame_watch().is_over() && !flow.frame_watch().is_done(1));
    }
}

/// If this fails, a fault of a session is found by the thread that draws, and the one that shows waits on.
#[test]
fn the_end_of_a_session_ends_every_wait_for_a_frame() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let watch = flow.frame_watch();
        waiting(&watch, || {
            flow.push(&wish(FAULT)).unwrap();
            assert!(flow.finish().is_err());
        });
        match session.lost() {
            Some(LostReason::Fault(fault)) => assert_eq!(fault.family, Family::Unsupported, "{transport:?}"),
            other => panic!("{transport:?}: {other:?}"),
        }
        assert!(watch.is_over() && watch.wait(0, None) == Ok(true), "what was complete stays so");
    }
}

/// If this fails, a window that outlives its context waits for a frame that nobody will complete.
#[test]
fn the_end_of_a_flow_ends_every_wait_for_its_frames() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        present(&mut flow, 1);
        let watch = flow.frame_watch();
        assert_eq!(watch.wait(1, None), Ok(true));
        waiting(&watch, || drop(flow));
        assert!(watch.is_done(1) && watch.is_over() && session.lost().is_none());
        ask(&mut session.create_flow(0).unwrap());
    }
}

/// If this fails, a loss that the program's side finds by itself leaves the thread that shows the window behind.
#[test]
fn a_loss_that_the_client_finds_ends_every_wait() {
    let session = connect(Transport::Inproc);
    let mut flow = session.create_flow(0).unwrap();
    let watch = flow.frame_watch();
    waiting(&watch, || assert!(flow.stage_with(usize::MAX >> 1, 16, |_| ()).is_err()));
    assert!(matches!(session.lost(), Some(LostReason::Client(_))));
}
