//! Slow against dead, and how a server process is found, started and proven. Must not rely on time-outs.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_link::LinkError;
use mgl_link::client::{Config, LostReason, Session, Transport};
use mgl_pipe::Pad;
use mgl_pipe::records::{Present, QueryTimestamp};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use support::{EXIT, ask, config, connect, sleep_on_server, wish};

fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid as i32).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

/// A driver that crashes must not take the program with it, nor keep it waiting.
#[test]
fn a_killed_server_is_noticed_at_once_and_for_good() {
    let session = connect(Transport::Spawn);
    let mut flow = session.create_flow(0).unwrap();
    let mut other = session.create_flow(0).unwrap();
    ask(&mut flow);
    flow.push(&sleep_on_server(60_000)).unwrap();
    let pid = session.server_pid();
    assert_ne!(pid, std::process::id());
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        signal(pid, rustix::process::Signal::KILL);
        Instant::now()
    });
    assert!(flow.finish().is_err());
    let noticed = Instant::now();
    assert!(noticed.duration_since(killer.join().unwrap()) < Duration::from_secs(10));
    let reason = session.lost().unwrap();
    assert!(matches!(&reason, LostReason::ServerGone(text) if text.contains("SIGKILL")), "{reason}");
    assert!(flow.flush().is_err() && other.finish().is_err() && other.stage(&[1]).is_err());
    assert!(session.create_flow(0).is_err());
    assert!(!PathBuf::from(format!("/proc/{pid}")).exists(), "the child was collected");
}

/// A program that never waits must find out too, instead of filling a ring that nobody reads.
#[test]
fn a_program_that_only_pushes_ends_in_a_loss() {
    let session = connect(Transport::Spawn);
    let mut flow = session.create_flow(0).unwrap();
    flow.push(&wish(EXIT)).unwrap();
    flow.flush().unwrap();
    let pushed = (0..10_000_000u64).find(|n| flow.push(&Present { serial: 1 + n }).is_err());
    assert!(pushed.is_some());
    assert!(matches!(session.lost(), Some(LostReason::ServerGone(_))));
    assert!(session.check_alive().is_err());
}

/// A server must not survive its program, or devices and memory leak with every crash of a game.
#[test]
fn the_server_ends_with_its_session() {
    let session = connect(Transport::Spawn);
    let mut flow = session.create_flow(0).unwrap();
    flow.push(&QueryTimestamp { reserved: Pad::ZERO }).unwrap();
    let pid = session.server_pid();
    drop(flow);
    drop(session);
    assert!(!PathBuf::from(format!("/proc/{pid}")).exists());
}

/// A wrong path must say so, by name, and never fall back to another transport.
#[test]
fn images_that_cannot_start_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let plain = std::env::temp_dir().join(format!("mgl-link-plain-{}", std::process::id()));
    std::fs::write(&plain, "not a program").unwrap();
    std::fs::set_permissions(&plain, std::fs::Permissions::from_mode(0o644)).unwrap();
    for path in ["/nonexistent/mobilegl-server", "/etc", plain.to_str().unwrap()] {
        let wrong = Config { server_path: Some(path.into()), ..config(Transport::Spawn) };
        match Session::connect(wrong) {
            Err(error @ LinkError::ServerImage { .. }) => assert!(error.to_string().contains(path), "{error}"),
            other => panic!("{other:?}"),
        }
    }
    std::fs::remove_file(&plain).unwrap();
    let mute = Config { server_path: Some("/bin/true".into()), ..config(Transport::Spawn) };
    assert!(matches!(Session::connect(mute), Err(LinkError::ServerGone(_))));
    let none = Config { embedded: None, ..config(Transport::Inproc) };
    assert!(matches!(Session::connect(none), Err(LinkError::Transport(_))));
}

/// A backend that cannot start is the most frequent refusal: the user must read why.
#[test]
fn a_refusing_backend_is_reported_with_its_words() {
    for transport in support::ALL {
        let wish = Config { backend: "refuse".into(), ..config(transport) };
        let text = Session::connect(wish).unwrap_err().to_string();
        assert!(text.contains("Backend") && text.contains("never starts"), "{text}");
    }
}

/// A lane that silently ran another transport would be a false green: the server's own log proves which one it was.
#[test]
fn the_server_log_proves_the_transport() {
    let dir = std::env::temp_dir().join(format!("mgl-link-log-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_LOG_DIR", &dir) };
    let session = connect(Transport::Spawn);
    let pid = session.server_pid();
    ask(&mut session.create_flow(0).unwrap());
    drop(session);
    let text = std::fs::read_to_string(dir.join(format!("server-{pid}.log"))).unwrap();
    assert!(text.starts_with(&format!("server pid={pid} transport=spawn backend=test\n")), "{text}");
    assert!(text.contains("session end: Bye"), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Without the name of what ended a server, neither a player nor a developer knows where to look: a crash of the driver, its
/// own giving up, or the system that had no memory.
#[test]
fn who_ended_a_server_is_said_to_the_person_and_in_the_log() {
    use rustix::process::Signal;
    let dir = std::env::temp_dir().join(format!("mgl-link-ends-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_LOG_DIR", &dir) };
    for (sent, name) in
        [(Signal::ABORT, "SIGABRT"), (Signal::SEGV, "SIGSEGV"), (Signal::TERM, "SIGTERM"), (Signal::KILL, "SIGKILL")]
    {
        let session = connect(Transport::Spawn);
        let mut flow = session.create_flow(0).unwrap();
        ask(&mut flow);
        let pid = session.server_pid();
        signal(pid, sent);
        while session.check_alive().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let log = dir.join(format!("server-{pid}.log"));
        let words = session.loss_in_words().unwrap();
        assert!(words.starts_with(&format!("The graphics server ended ({name}")), "{words}");
        assert!(words.contains("lost") && words.contains(log.to_str().unwrap()), "{words}");
        assert_eq!(words.lines().count(), 1, "{words}");
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains(&format!("server pid={pid} ended")) && text.contains(name), "{text}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// A driver that simply leaves (exit code 0 or another) must be told apart from one that crashed.
#[test]
fn a_server_that_leaves_is_named_by_its_exit_code() {
    let session = connect(Transport::Spawn);
    let mut flow = session.create_flow(0).unwrap();
    flow.push(&wish(EXIT)).unwrap();
    assert!(flow.finish().is_err());
    let words = session.loss_in_words().unwrap();
    assert!(words.contains("(exit code ") && words.contains("MOBILEGL_LOG_DIR"), "{words}");
}

/// A program that just returns from main must not crash in its exit handlers because the server's thread still runs.
#[test]
fn an_in_process_server_ends_before_the_exit_handlers_of_its_libraries() {
    let dir = std::env::temp_dir().join(format!("mgl-link-exit-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_mgl-link-test-server"))
        .arg("--exits-early")
        .env("MOBILEGL_LOG_DIR", &dir)
        .spawn()
        .unwrap();
    let pid = child.id();
    assert!(child.wait_with_output().unwrap().status.success());
    let text = std::fs::read_to_string(dir.join(format!("server-{pid}.log"))).unwrap();
    assert!(text.contains("transport=inproc") && text.contains("session end: PeerGone"), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
}
