//! What the tests of this crate share: the test applier and sessions over every transport. Must not be used elsewhere.
#![allow(dead_code, unused_imports, reason = "every test file uses another part of it")]

mod handler_only;

pub use handler_only::{EXIT, FAULT, PANIC, factory};
use mgl_link::client::{Config, Flow, Session, Transport};
use mgl_pipe::records::{LaunchGrid, MemoryBarrier, QueryTimestamp, SetSwapInterval};
use mgl_pipe::{Bool8, Pad};
use std::path::PathBuf;
use std::sync::Arc;

pub const ALL: [Transport; 3] = [Transport::Monolith, Transport::Inproc, Transport::Spawn];

pub fn config(transport: Transport) -> Config {
    Config {
        transport,
        server_path: Some(PathBuf::from(env!("CARGO_BIN_EXE_mgl-link-test-server"))),
        backend: "test".into(),
        program: "tests".into(),
        options: Vec::new(),
        embedded: Some(factory),
    }
}

pub fn connect(transport: Transport) -> Arc<Session> {
    Session::connect(config(transport)).expect("a session")
}

pub fn ask(flow: &mut Flow) -> u64 {
    let seq = flow.push(&QueryTimestamp { reserved: Pad::ZERO }).unwrap();
    let mut answer = [0; 8];
    assert_eq!(flow.reply(seq, &mut answer).unwrap().len, 8);
    assert_eq!(u64::from_le_bytes(answer), seq);
    seq
}

pub fn barrier(count: u32) -> MemoryBarrier {
    MemoryBarrier { bits: count, by_region: Bool8::new(false), pad: Pad::ZERO }
}

pub fn swap(interval: i32) -> SetSwapInterval {
    SetSwapInterval { interval, pad: Pad::ZERO }
}

pub fn sleep_on_server(ms: u32) -> LaunchGrid {
    LaunchGrid { grid: [ms, 1, 1], ..LaunchGrid::default() }
}
