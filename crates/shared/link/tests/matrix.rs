//! Kill, stop and resume, on either side, over every transport with a process. Must not rely on time-outs: only a hang-up
//! is a death.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_link::client::{Flow, LostReason, Session, Transport};
use mgl_pipe::records::{BufferSubDataResident, Present};
use rustix::process::{Pid, Signal};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{Listening, PROCESSES, ask, config, processes as listening, sleep_on_server};

fn signal(pid: u32, signal: Signal) {
    rustix::process::kill_process(Pid::from_raw(pid as i32).unwrap(), signal).unwrap();
}

fn alive(pid: u32) -> bool {
    // A process that ended and was not collected yet still has a folder, but runs no program.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| !s.contains(") Z "))
}

/// Waits for something that happens in another process; the limit only keeps a failing test from hanging.
fn comes(mut what: impl FnMut() -> bool) -> bool {
    (0..2000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        what()
    })
}

fn session(transport: Transport, server: Option<&Listening>) -> Arc<Session> {
    Session::connect(server.map_or_else(|| config(transport), Listening::config)).unwrap()
}

/// If this fails, a crash of a driver freezes the game that uses it, or takes other programs of the server with it.
#[test]
fn a_killed_server_is_a_loss_by_name_in_every_kind_of_wait() {
    type Wait = fn(&mut Flow) -> bool;
    let waits: [(&str, Wait); 5] = [
        ("answer", |f| f.finish().is_err()),
        ("room", |f| (0..10_000_000u64).any(|n| f.push(&Present { serial: 1 + n }).is_err())),
        ("stage", |f| {
            (0..10_000u64).any(|_| {
                let Ok(blob) = f.stage_with(1 << 20, 16, |_| ()) else { return true };
                f.push(&BufferSubDataResident { blob, ..BufferSubDataResident::default() }).is_err()
            })
        }),
        ("credit", |f| f.wait_present_credit(9, 1).is_err()),
        ("flow", |f| f.session().clone().create_flow(0).is_err()),
    ];
    for transport in PROCESSES {
        let server = listening(transport);
        let other = server.as_ref().map(|s| session(transport, Some(s)));
        for (name, wait) in waits {
            let session = session(transport, server.as_ref());
            let mut flow = session.create_flow(0).unwrap();
            ask(&mut flow);
            let pid = session.server_pid();
            assert_ne!(pid, std::process::id());
            signal(pid, Signal::STOP);
            flow.push(&sleep_on_server(1)).unwrap();
            std::thread::scope(|scope| {
                let waiter = scope.spawn(|| wait(&mut flow));
                std::thread::sleep(Duration::from_millis(60));
                assert!(!waiter.is_finished(), "{transport:?} {name}: a stopped server is no reason to give up");
                signal(pid, Signal::KILL);
                assert!(waiter.join().unwrap(), "{transport:?} {name}");
            });
            let reason = session.lost().unwrap();
            assert!(matches!(reason, LostReason::ServerGone(_)), "{transport:?} {name}: {reason}");
        }
        if let Some(other) = other {
            ask(&mut other.create_flow(0).unwrap());
        }
    }
}

/// If this fails, a server that the system froze costs the program its context, although it would have gone on.
#[test]
fn a_stopped_server_is_slow_and_goes_on() {
    for transport in PROCESSES {
        let server = listening(transport);
        let session = session(transport, server.as_ref());
        let mut flow = session.create_flow(0).unwrap();
        ask(&mut flow);
        let pid = session.server_pid();
        signal(pid, Signal::STOP);
        let answered = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                ask(&mut flow);
                answered.store(true, Ordering::SeqCst);
            });
            std::thread::sleep(Duration::from_millis(300));
            assert!(!answered.load(Ordering::SeqCst) && session.lost().is_none(), "{transport:?}");
            assert!(session.check_alive().is_ok());
            signal(pid, Signal::CONT);
        });
        assert!(answered.load(Ordering::SeqCst) && session.lost().is_none(), "{transport:?}");
    }
}

/// If this fails, a server on another machine that stands still during a large upload for longer than the network's own
/// limit on unacknowledged bytes is taken for dead.
#[test]
fn a_server_that_stops_during_an_upload_is_not_dead() {
    let server = listening(Transport::Tcp);
    let session = session(Transport::Tcp, server.as_ref());
    let mut flow = session.create_flow(0).unwrap();
    ask(&mut flow);
    let pid = session.server_pid();
    signal(pid, Signal::STOP);
    std::thread::scope(|scope| {
        let uploader = scope.spawn(|| {
            for _ in 0..60 {
                let blob = flow.stage_with(1 << 20, 16, |to| to.fill(3)).unwrap();
                flow.push(&BufferSubDataResident { blob, offset: 3, ..BufferSubDataResident::default() }).unwrap();
            }
            ask(&mut flow);
        });
        // Longer than the five seconds after which a host that vanished is given up.
        std::thread::sleep(Duration::from_millis(7500));
        assert!(!uploader.is_finished() && session.lost().is_none());
        signal(pid, Signal::CONT);
        uploader.join().unwrap();
    });
    assert!(session.lost().is_none());
}

/// A program in a process of its own that draws for as long as it lives.
struct Program {
    child: Child,
    server: u32,
    lines: BufReader<std::process::ChildStdout>,
}

impl Program {
    fn start(transport: Transport, server: Option<&Listening>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mgl-link-test-server"));
        command.arg("--client").arg(server.map_or_else(|| transport.name().into(), |s| s.address.to_string()));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        Self { child, server: line.trim().parse().unwrap(), lines }
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).unwrap(), 0, "the program ended");
        }
    }
}

/// If this fails, every game that crashes leaves a process behind that holds the graphics card's memory.
#[test]
fn a_killed_program_ends_its_server_and_no_other() {
    for transport in PROCESSES {
        let server = listening(transport);
        let (mut victim, mut other) =
            (Program::start(transport, server.as_ref()), Program::start(transport, server.as_ref()));
        victim.frames(2);
        assert_ne!(victim.server, other.server, "a worker each");
        victim.child.kill().unwrap();
        victim.child.wait().unwrap();
        assert!(comes(|| !alive(victim.server)), "{transport:?}");
        other.frames(5);
        other.child.kill().unwrap();
        other.child.wait().unwrap();
        assert!(comes(|| !alive(other.server)), "{transport:?}");
    }
}

/// If this fails, a program that is stopped in a debugger loses its context, or holds up the other programs.
#[test]
fn a_stopped_program_goes_on_and_holds_up_no_other() {
    for transport in PROCESSES {
        let server = listening(transport);
        let (mut stopped, mut other) =
            (Program::start(transport, server.as_ref()), Program::start(transport, server.as_ref()));
        stopped.frames(2);
        signal(stopped.child.id(), Signal::STOP);
        other.frames(2000);
        assert!(alive(stopped.server), "{transport:?}");
        signal(stopped.child.id(), Signal::CONT);
        stopped.frames(2000);
        for mut program in [stopped, other] {
            program.child.kill().unwrap();
            program.child.wait().unwrap();
        }
    }
}
