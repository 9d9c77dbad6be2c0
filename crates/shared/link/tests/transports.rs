//! The same behaviour over monolith, inproc and spawn. Must not have a test that only one of them passes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_base::{Family, Handle};
use mgl_link::client::{Flow, LostReason, Status, Transport};
use mgl_pipe::event::Event;
use mgl_pipe::records::{
    BufferSubDataResident, DrawRange, DrawVbo, Flush, Present, QueryAvailable, ResourceReadback, WaitFlow,
};
use mgl_pipe::tokens::PrimitiveMode;
use mgl_pipe::{Pad, Record};
use std::time::{Duration, Instant};
use support::{ALL, FAULT, PANIC, ask, barrier, connect, sleep_on_server, wish};
use zerocopy::IntoBytes;

fn upload(flow: &mut Flow, len: usize, tag: u8) -> u64 {
    let blob = flow.stage_with(len, 16, |to| to.fill(tag)).unwrap();
    flow.push(&BufferSubDataResident { buffer: Handle::new(1, 1), offset: u64::from(tag), blob }).unwrap()
}

/// A record that arrives changed, twice or never would draw a wrong picture.
#[test]
fn records_arrive_in_order_over_many_laps() {
    for transport in ALL {
        let session = connect(transport);
        assert_eq!(session.caps(), [1, 2, 3]);
        let mut flow = session.create_flow(0).unwrap();
        let ranges: Vec<DrawRange> = (0..37).map(|n| DrawRange { start: n, count: 3, base_vertex: 0 }).collect();
        let draw = DrawVbo { mode: PrimitiveMode::ALL[0], range_count: 37, instance_count: 1, ..DrawVbo::default() };
        for n in 0..30_000u64 {
            flow.push_with(&draw, [ranges.as_bytes(), &[], &[]]).unwrap();
            if n % 5000 == 0 {
                ask(&mut flow);
            }
        }
        let seq = ask(&mut flow);
        assert_eq!((seq, flow.applied()), (flow.seq(), flow.seq()));
        let counters = flow.counters();
        assert_eq!(counters.records.get(), seq);
        assert!(counters.ring_pads.get() > 1, "{counters:?}");
    }
}

/// Staged bytes that are overwritten before the server read them would show torn textures and buffers.
#[test]
fn staged_bytes_stay_until_they_were_read() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        for n in 0..250usize {
            upload(&mut flow, 1 + (n * 7919) % 700_000, n as u8);
        }
        let limit = flow.stage_limit();
        upload(&mut flow, limit, 9);
        let all = flow.stage_len() as usize;
        upload(&mut flow, all, 10);
        ask(&mut flow);
        assert!(flow.retired() > 0 && flow.lost().is_none());
    }
}

/// The audit overwrites what has retired: bytes that the server still needs must not be among it.
#[test]
fn the_audit_spares_what_is_still_read() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_AUDIT", "1") };
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        for n in 0..300usize {
            upload(&mut flow, 1 + (n * 7919) % 90_000, n as u8);
        }
        ask(&mut flow);
    }
}

/// A Vulkan driver that opens an EGL display of its own must find its own, not be led back to this library: NVIDIA's
/// would refuse to start in the server.
#[test]
fn the_server_does_not_inherit_the_choice_of_vendor() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("__EGL_VENDOR_LIBRARY_FILENAMES", "mobilegl.json") };
    let session = connect(Transport::Spawn);
    ask(&mut session.create_flow(0).unwrap());
}

/// What a program keeps open or in its environment is its own: a driver that was made to run a client's code must not
/// find it.
#[test]
fn the_server_inherits_nothing_but_its_socket() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("SECRET", "of the program") };
    let file = std::fs::File::open("/dev/null").unwrap();
    let leaks: Vec<_> = (0..20).map(|_| rustix::io::dup(&file).unwrap()).collect();
    for fd in &leaks {
        rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty()).unwrap();
    }
    ask(&mut connect(Transport::Spawn).create_flow(0).unwrap());
}

/// An answer from the wrong slot would be another query's result or another read-back's pixels.
#[test]
fn answers_have_their_status_and_bytes() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let declined = flow.push(&QueryAvailable { query: Handle::new(1, 1) }).unwrap();
        let size = (2 << 20) - 16;
        let big = flow.push(&ResourceReadback { buffer: Handle::new(1, 1), offset: 5, size }).unwrap();
        let mut pixels = vec![0u8; size as usize];
        assert_eq!(flow.reply(big, &mut pixels).unwrap().status, Status::Ok);
        assert!(pixels.iter().zip(5u64..).all(|(b, n)| *b == n as u8));
        let answer = flow.reply(declined, &mut []).unwrap();
        assert_eq!((answer.status, answer.len), (Status::Declined, 0));
    }
}

/// An answer that was never posted must be an error, not the previous content of its slot.
#[test]
fn asking_for_an_answer_that_was_not_given_is_an_error() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let seq = flow.push(&Present { serial: 1 }).unwrap();
        assert!(flow.reply(seq, &mut [0; 8]).is_err());
        assert!(matches!(flow.lost(), Some(LostReason::Server(_))));
        assert!(flow.push(&Present { serial: 2 }).is_ok() || flow.flush().is_err(), "the loss is sticky");
        assert!(flow.flush().is_err() && flow.finish().is_err() && flow.stage(&[1]).is_err());
    }
}

/// Events that come late, twice or out of order would report GL errors for the wrong call.
#[test]
fn events_of_a_record_are_there_when_it_is_applied() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let seq = flow.push(&Flush { reserved: Pad::ZERO }).unwrap();
        flow.wait_applied(seq).unwrap();
        let mut codes = Vec::new();
        let mut sink = |event: Event<'_>| match event {
            Event::GlError { code, message } => codes.push((code, message.to_string())),
            _ => panic!("{event:?}"),
        };
        flow.drain_events(&mut sink).unwrap();
        flow.drain_events(&mut sink).unwrap();
        assert_eq!(codes, [(seq as u32, "asked for".to_string())]);
    }
}

/// A full event ring must neither lose an event nor stop a client that waits for something else.
#[test]
fn a_full_event_ring_loses_nothing() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        let seq = flow.push(&barrier(20_000)).unwrap();
        ask(&mut flow);
        let mut next = 0;
        flow.drain_events(&mut |event| {
            assert_eq!(event, Event::GpuWritten { buffer: Handle::new(1, 1), offset: next, size: seq });
            next += 1;
        })
        .unwrap();
        assert_eq!(next, 20_000, "{transport:?}");
    }
}

/// Frame pacing: a client that runs further ahead than its credit adds latency that a player feels.
#[test]
fn presents_are_bounded_by_credit() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        for serial in 1..200u64 {
            flow.wait_present_credit(serial, 2).unwrap();
            assert!(flow.present_acked() + 2 >= serial);
            flow.push(&Present { serial }).unwrap();
            flow.flush().unwrap();
        }
    }
}

/// Two contexts that share a texture: the second must see what the first uploaded, however late the first is.
#[test]
fn a_flow_waits_for_another_one() {
    for transport in ALL {
        let session = connect(transport);
        // The waiting flow is the older one: without its wait the server would look at it before the other.
        let mut second = session.create_flow(0).unwrap();
        let mut first = session.create_flow(second.id()).unwrap();
        let before = Instant::now();
        first.push(&sleep_on_server(30)).unwrap();
        // Not flushed: only the wait of the other flow makes the server look.
        let seq = first.push(&Present { serial: 1 }).unwrap();
        second.push(&WaitFlow { flow: first.id(), pad: Pad::ZERO, seq }).unwrap();
        ask(&mut second);
        // The server slept before it answered. What is known here of the other flow may be older, over a network.
        assert!(before.elapsed() >= Duration::from_millis(30), "{transport:?}: the other flow went ahead");
        first.wait_applied(seq).unwrap();
        let id = first.id();
        drop(first);
        second.push(&WaitFlow { flow: id, pad: Pad::ZERO, seq: u64::MAX }).unwrap();
        ask(&mut second);
    }
}

/// On one processor nobody spins: every wait and every batch goes through the bells.
#[test]
fn bells_alone_carry_a_session() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_SPIN_US", "0") };
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        for n in 0..2000u64 {
            ask(&mut flow);
            flow.wait_present_credit(n + 1, 1).unwrap();
            flow.push(&Present { serial: n + 1 }).unwrap();
        }
        flow.finish().unwrap();
        let counters = flow.counters();
        // How many waits find their answer already there is the machine's doing; that some had to sleep is not.
        assert!(transport == Transport::Monolith || counters.parks.get() > 0, "{transport:?}");
    }
}

/// Two threads with a context each must not disturb one another.
#[test]
fn flows_on_threads_are_independent() {
    for transport in ALL {
        let session = connect(transport);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let mut flow = session.create_flow(0).unwrap();
                scope.spawn(move || {
                    for n in 0..400 {
                        upload(&mut flow, 5000, n as u8);
                        if n % 20 == 0 {
                            ask(&mut flow);
                        }
                    }
                    ask(&mut flow);
                });
            }
        });
        ask(&mut session.create_flow(0).unwrap());
    }
}

/// A fault of the server must reach the program's log by name, once, and end nothing but the session.
#[test]
fn faults_and_panics_end_the_session_by_name() {
    for transport in ALL {
        for (value, family) in [(FAULT, Family::Unsupported), (PANIC, Family::ServerCrashed)] {
            let session = connect(transport);
            let mut flow = session.create_flow(0).unwrap();
            let mut other = session.create_flow(0).unwrap();
            ask(&mut other);
            flow.push(&wish(value)).unwrap();
            assert!(flow.finish().is_err());
            match flow.lost() {
                Some(LostReason::Fault(fault)) => {
                    assert_eq!(fault.family, family, "{transport:?}");
                    assert!(fault.detail.contains("as the test wished"), "{fault}");
                }
                reason => panic!("{transport:?}: {reason:?}"),
            }
            assert!(other.flush().is_err() && other.finish().is_err());
            assert!(session.create_flow(0).is_err() || transport == mgl_link::client::Transport::Monolith);
        }
    }
}

/// A record whose tails do not match its head must stop at the client, where the mistake is.
#[test]
fn counts_that_disagree_are_refused_at_the_client() {
    let session = connect(mgl_link::client::Transport::Monolith);
    let mut flow = session.create_flow(0).unwrap();
    let draw = DrawVbo { range_count: 2, ..DrawVbo::default() };
    assert!(flow.push_with(&draw, [&[0; 16], &[], &[]]).is_err());
    let reason = flow.lost().unwrap().to_string();
    assert!(reason.contains(DrawVbo::INFO.name), "{reason}");
}

/// A program that writes through a persistent map would be drawn with other bytes than it wrote.
#[test]
fn memory_of_both_sides_is_the_same() {
    for transport in ALL {
        let session = connect(transport);
        let mut flow = session.create_flow(0).unwrap();
        if transport == Transport::Tcp {
            assert!(session.share_memory(65536).is_none(), "a server elsewhere has no memory in common");
            continue;
        }
        let (first, memory) = session.share_memory(65536).unwrap();
        let (second, other) = session.share_memory(4096).unwrap();
        assert_ne!(first, second);
        for (id, memory) in [(first, &memory), (second, &other)] {
            let mut word = [0; 4];
            assert!(memory.copy_out(0, &mut word));
            assert_eq!(u32::from_le_bytes(word), id, "the server wrote its number there");
        }
        // What the server does not want is no fault, and nothing is lost by it.
        assert!(session.share_memory(8192).is_none());
        assert!(session.share_memory(0).is_none() && session.share_memory(u64::MAX).is_none());
        ask(&mut flow);
    }
}
