//! Peers that do not play by the rules, on either side. Must not crash, hang or allocate what a peer merely claims.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_base::Family;
use mgl_link::bell::Bell;
use mgl_link::client::{Config, Session};
use mgl_link::control::{ControlSocket, Hello, ToClient, ToServer};
use mgl_link::error::{LinkError, LostReason, RefuseCode};
use mgl_link::server::{End, Endpoint, Limits};
use mgl_pipe::sample::Rng;
use rustix::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;
use support::{barrier, factory, hello};

fn small() -> Limits {
    Limits {
        ring: 64 << 10,
        stage: 1 << 20,
        slot: 4096,
        event: 4096,
        event_wait: Duration::from_millis(60),
        ..Limits::default()
    }
}

fn server(limits: Limits) -> (OwnedFd, JoinHandle<End>) {
    let (mine, theirs) = ControlSocket::pair().unwrap();
    (mine, std::thread::spawn(move || Endpoint::from_fd(theirs).run(limits, &mut |h| factory(h))))
}

fn first_answer(message: &ToServer) -> (ToClient, End) {
    let (fd, thread) = server(small());
    let mut socket = ControlSocket::new(fd);
    socket.send(message, &[]).unwrap();
    let answer = socket.receive::<ToClient>().unwrap().message;
    drop(socket);
    (answer, thread.join().unwrap())
}

/// Ends of different builds must part with a reason that a user can act on, not with garbage on the screen.
#[test]
fn wrong_hellos_are_refused_by_name() {
    let cases = [
        (Hello { protocol: 99, ..hello() }, RefuseCode::ProtocolVersion),
        (Hello { fingerprint: 1, ..hello() }, RefuseCode::WireFingerprint),
        (Hello { build: "other".into(), ..hello() }, RefuseCode::BuildFingerprint),
        (Hello { backend: "refuse".into(), ..hello() }, RefuseCode::Backend),
    ];
    for (hello, expected) in cases {
        match first_answer(&ToServer::Hello(hello)) {
            (ToClient::Refuse { code, detail }, End::Refused(_)) => {
                assert_eq!(code, expected);
                assert!(!detail.is_empty());
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(
        first_answer(&ToServer::Bye),
        (ToClient::Refuse { code: RefuseCode::MalformedHello, .. }, End::Refused(_))
    ));
    let (fd, thread) = server(small());
    rustix::io::write(&fd, b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(matches!(thread.join().unwrap(), End::Refused(_)));
}

/// A client that stops reading must cost itself its session, not the server.
#[test]
fn a_client_that_never_drains_forfeits() {
    let (fd, thread) = server(small());
    let session = Session::over(&Config::default(), fd).unwrap();
    let mut flow = session.create_flow(0).unwrap();
    flow.push(&barrier(1000)).unwrap();
    flow.flush().unwrap();
    match thread.join().unwrap() {
        End::Fault(fault) => assert_eq!(fault.detail, "event_ring.forfeit"),
        end => panic!("{end:?}"),
    }
    assert!(flow.finish().is_err());
    assert!(matches!(session.lost(), Some(LostReason::Fault(f)) if f.family == Family::ResourceUnavailable));
}

/// Sizes are the server's: a record or an upload that cannot fit is refused by name at the client.
#[test]
fn what_can_never_fit_is_refused_at_the_client() {
    let (fd, thread) = server(small());
    let session = Session::over(&Config::default(), fd).unwrap();
    let mut flow = session.create_flow(0).unwrap();
    assert_eq!(flow.stage_len(), 1 << 20);
    assert!(flow.stage_with((1 << 20) + 1, 16, |_| ()).is_err());
    assert!(matches!(session.lost(), Some(LostReason::Client(f)) if f.family == Family::RingOverrun));
    drop((flow, session));
    assert_eq!(thread.join().unwrap(), End::Bye);
}

/// Too many contexts, or one in a share group that does not exist, is an answer and not the end of the session.
#[test]
fn flows_that_cannot_be_made_are_refused() {
    let (fd, thread) = server(Limits { flows: 2, ..small() });
    let session = Session::over(&Config::default(), fd).unwrap();
    let refused = |r: Result<_, LinkError>| matches!(r, Err(LinkError::Refused { .. }));
    assert!(refused(session.create_flow(7).map(|_| ())));
    let a = session.create_flow(0).unwrap();
    let _b = session.create_flow(a.id()).unwrap();
    assert!(refused(session.create_flow(0).map(|_| ())));
    drop(a);
    // Destruction is ordered after the flow's records, so the room may come a moment later.
    let again = (0..1000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(1));
        session.create_flow(0).ok()
    });
    assert!(again.is_some());
    drop((again, _b, session));
    assert_eq!(thread.join().unwrap(), End::Bye);
}

/// A program that makes contexts without end must not fill the server's memory with their rings.
#[test]
fn the_memory_of_flows_has_a_budget() {
    let (fd, thread) = server(Limits { memory: 5 << 20, ..small() });
    let session = Session::over(&Config::default(), fd).unwrap();
    let flows: Vec<_> = (0..10).map_while(|_| session.create_flow(0).ok()).collect();
    assert_eq!(flows.len(), 4, "of a little more than 1 MiB each");
    let text = session.create_flow(0).unwrap_err().to_string();
    assert!(text.contains("FlowLimit") && text.contains("MOBILEGL_SESSION_LINK_MB"), "{text}");
    drop((flows, session));
    assert_eq!(thread.join().unwrap(), End::Bye);
}

/// What a program shares with the server for its persistent maps and what its contexts take is one budget: neither may
/// fill the server's memory beside the other.
#[test]
fn flows_and_shared_memory_have_one_budget() {
    let (fd, thread) = server(Limits { memory: 5 << 20, ..small() });
    let session = Session::over(&Config::default(), fd).unwrap();
    let flows = [session.create_flow(0).unwrap(), session.create_flow(0).unwrap()];
    assert!(session.share_memory(4 << 20).is_none(), "there is room for less than 3 MiB beside two flows");
    let shared = session.share_memory(2 << 20).unwrap();
    assert!(session.share_memory(1 << 20).is_none() && session.create_flow(0).is_err(), "there is room for neither");
    drop((flows, shared, session));
    assert_eq!(thread.join().unwrap(), End::Bye);
}

/// A raw client: maps its own flow and writes whatever it likes.
struct Raw {
    socket: ControlSocket,
    page: mgl_link::segment::Mapped<mgl_link::page::SessionPage>,
    bell: Bell,
}

impl Raw {
    fn new(fd: OwnedFd) -> Self {
        let mut socket = ControlSocket::new(fd);
        socket.send(&ToServer::Hello(hello()), &[]).unwrap();
        let got = socket.receive::<ToClient>().unwrap();
        let ToClient::Welcome(welcome) = got.message else { panic!("{:?}", got.message) };
        let [page, bell] = <[OwnedFd; 2]>::try_from(got.descriptors).unwrap();
        let page = std::sync::Arc::new(mgl_link::segment::Segment::adopt(page, welcome.page).unwrap());
        Self { socket, page: mgl_link::segment::Mapped::new(&page).unwrap(), bell: Bell::adopt(bell) }
    }

    /// Makes a flow, writes `stream` to its ring and publishes `head`.
    fn write(&mut self, stream: &[u8], head: u64) {
        self.socket.send(&ToServer::CreateFlow { share: 0 }, &[]).unwrap();
        self.page.control_pending.store(1, Ordering::SeqCst);
        self.bell.ring();
        let got = self.socket.receive::<ToClient>().unwrap();
        let ToClient::Flow(terms) = got.message else { panic!("{:?}", got.message) };
        let cmd = got.descriptors.into_iter().next().unwrap();
        let cmd = mgl_link::segment::Segment::adopt(cmd, terms.ring + 4096).unwrap();
        assert!(cmd.copy_in(4096, stream));
        assert!(cmd.copy_in(0, &head.to_le_bytes()));
        self.bell.ring();
    }
}

fn record(op: u16, body: &[u8]) -> Vec<u8> {
    let size = 8 + body.len() as u32;
    [&op.to_le_bytes()[..], &[0, 0], &size.to_le_bytes(), body].concat()
}

fn stream(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..1 + rng.next() % 8 {
        let row = &mgl_pipe::CATALOGUE[(rng.next() % mgl_pipe::CATALOGUE.len() as u64) as usize];
        // Records that make the test applier sleep or exit are not mutated into.
        if ![60, 61, 68, 85].contains(&row.op) {
            bytes.extend(record(row.op, &(row.sample)(rng)));
        }
    }
    bytes
}

/// A hostile or broken client must never take the server process, whatever it writes: a refusal by name at the most.
#[test]
fn mutated_streams_end_their_session_at_the_most() {
    let mut rng = Rng::new(7);
    let mut ends = [0u32; 2];
    for round in 0..1250u64 {
        let (fd, thread) = server(small());
        let mut raw = Raw::new(fd);
        for _ in 0..8 {
            let mut bytes = stream(&mut rng);
            let mut head = bytes.len() as u64;
            for _ in 0..rng.next() % 4 {
                let at = (rng.next() % bytes.len().max(1) as u64) as usize;
                // The opcodes that sleep are kept out: only sizes, flags and bodies are mutated.
                if let Some(byte) = bytes.get_mut(at).filter(|_| at % 8 > 1) {
                    *byte = rng.next() as u8;
                }
            }
            match rng.next() % 12 {
                0 => head = rng.next(),
                1 => head = head.wrapping_sub(4),
                2 => head += 8,
                _ => {}
            }
            let dead = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| raw.write(&bytes, head))).is_err();
            if dead {
                break;
            }
        }
        drop(raw);
        match thread.join().expect("the server thread never panics") {
            End::Fault(fault) => {
                assert_ne!(fault.family, Family::ServerCrashed, "round {round}: {fault}");
                ends[0] += 1;
            }
            End::PeerGone => ends[1] += 1,
            end => panic!("{end:?}"),
        }
    }
    assert!(ends[0] > 10, "the mutations bite: {ends:?}");
}
