//! What the tests of this crate share: the test applier and sessions over every transport. Must not be used elsewhere.
#![allow(dead_code, unused_imports, reason = "every test file uses another part of it")]

mod handler_only;

pub use handler_only::{EXIT, FAULT, FORGET, PANIC, PART, PART_OFFSET, PART_SHAPE, factory};
use mgl_link::address::Address;
use mgl_link::client::{Config, Flow, Session, Transport};
use mgl_link::control::messages::{PROTOCOL_VERSION, build_stamp};
use mgl_link::control::{Hello, fingerprint};
use mgl_link::server::{Endpoint, Limits, Listener, Supervisor, Worker};
use mgl_link::token::Token;
use mgl_pipe::records::{BindContext, LaunchGrid, MemoryBarrier, QueryTimestamp};
use mgl_pipe::{Bool8, Pad};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub const ALL: [Transport; 5] =
    [Transport::Monolith, Transport::Inproc, Transport::Spawn, Transport::Unix, Transport::Tcp];

/// Transports whose server this test can kill without ending itself.
pub const PROCESSES: [Transport; 3] = [Transport::Spawn, Transport::Unix, Transport::Tcp];

/// What a client of this build says first.
pub fn hello() -> Hello {
    Hello {
        protocol: PROTOCOL_VERSION,
        fingerprint: fingerprint::wire(),
        build: build_stamp(),
        backend: "test".into(),
        program: "raw".into(),
        pid: 0,
        token: vec![],
        transport: "raw".into(),
        data: Default::default(),
        options: vec![],
    }
}

fn worker(limits: Limits) -> mgl_link::server::Launch {
    Box::new(move |channel| {
        Ok(Worker::Thread(std::thread::spawn(move || {
            Endpoint::from_supervisor(channel).expect("a session").run(limits, &mut |hello| factory(hello))
        })))
    })
}

/// A listening server in this process.
pub struct Listening {
    pub address: Address,
    stop: Option<rustix::fd::OwnedFd>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Listening {
    pub fn start(address: &str, token: Option<&Token>, most: usize, limits: Limits) -> Self {
        Self::with(address, token, most, worker(limits))
    }

    /// With worker processes.
    pub fn processes(address: &str, most: usize) -> Self {
        let server = PathBuf::from(env!("CARGO_BIN_EXE_mgl-link-test-server"));
        Self::with(address, None, most, mgl_link::server::worker_process(server, |_| ()))
    }

    fn with(address: &str, token: Option<&Token>, most: usize, launch: mgl_link::server::Launch) -> Self {
        let listener = Listener::open(&Address::parse(address).unwrap(), token).unwrap();
        let address = listener.address().clone();
        let (stop, stopped) = mgl_link::control::ControlSocket::pair().unwrap();
        let token = token.cloned();
        let thread = std::thread::spawn(move || {
            Supervisor::new(vec![listener], token, most, launch).run(&stopped);
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    pub fn config(&self) -> Config {
        let transport = if self.address.kind() == "tcp" { Transport::Tcp } else { Transport::Unix };
        Config { transport, address: Some(self.address.clone()), backend: "test".into(), ..Config::default() }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take()
            && !std::thread::panicking()
        {
            thread.join().expect("the supervisor never panics");
        }
    }
}

/// A name for a local socket that nobody else uses.
pub fn local_name() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("unix:@mgl-link-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The address of a server in this process that outlives every test.
fn shared_server(transport: Transport) -> Option<Address> {
    static UNIX: OnceLock<Listening> = OnceLock::new();
    static TCP: OnceLock<Listening> = OnceLock::new();
    let server = match transport {
        Transport::Unix => UNIX.get_or_init(|| Listening::start(&local_name(), None, 64, Limits::from_env())),
        Transport::Tcp => TCP.get_or_init(|| Listening::start("tcp://127.0.0.1:0", None, 64, Limits::from_env())),
        _ => return None,
    };
    Some(server.address.clone())
}

pub fn config(transport: Transport) -> Config {
    Config {
        transport,
        server_path: Some(PathBuf::from(env!("CARGO_BIN_EXE_mgl-link-test-server"))),
        backend: "test".into(),
        program: "tests".into(),
        embedded: Some(factory),
        address: shared_server(transport),
        ..Config::default()
    }
}

pub fn connect(transport: Transport) -> Arc<Session> {
    Session::connect(config(transport)).expect("a session")
}

pub fn ask(flow: &mut Flow) -> u64 {
    let seq = flow.push(&QueryTimestamp { reserved: Pad::ZERO }).unwrap();
    let mut answer = [0; 8];
    match flow.reply(seq, &mut answer) {
        Ok(reply) => assert_eq!(reply.len, 8),
        Err(lost) => panic!("{:?} over {:?}: {lost}", flow.lost(), flow.session().transport()),
    }
    assert_eq!(u64::from_le_bytes(answer), seq);
    seq
}

pub fn barrier(count: u32) -> MemoryBarrier {
    MemoryBarrier { bits: count, by_region: Bool8::new(false), pad: Pad::ZERO }
}

pub fn wish(token: u64) -> BindContext {
    BindContext { token }
}

/// Draws into the memory for pictures of that name as `how` says, for the next present.
pub fn draw_into(memory: u32, how: u32) -> LaunchGrid {
    LaunchGrid { indirect_offset: u64::from(memory) << 32 | u64::from(how), ..sleep_on_server(0) }
}

/// A server with worker processes, where the transport has one that listens.
pub fn processes(transport: Transport) -> Option<Listening> {
    match transport {
        Transport::Unix => Some(Listening::processes(&local_name(), 4)),
        Transport::Tcp => Some(Listening::processes("tcp://127.0.0.1:0", 4)),
        _ => None,
    }
}

pub fn sleep_on_server(ms: u32) -> LaunchGrid {
    LaunchGrid { grid: [ms, 1, 1], ..LaunchGrid::default() }
}
