//! Who may use a listening server, and what one session can do to another. Must not rely on time-outs.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_link::address::Address;
use mgl_link::client::{Config, LinkError, LostReason, RefuseCode, Session, Transport};
use mgl_link::control::ControlSocket;
use mgl_link::control::{ToClient, ToServer};
use mgl_link::server::{Limits, Listener};
use mgl_link::token::Token;
use mgl_pipe::records::{BufferSubDataResident, Present};
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;
use support::{FAULT, Listening, PANIC, ask, barrier, local_name, swap};

const LOCAL: &str = "tcp://127.0.0.1:0";

fn token(text: &str) -> Token {
    Token::new(text.as_bytes()).unwrap()
}

fn refused(config: Config) -> (RefuseCode, String) {
    match Session::connect(config) {
        Err(LinkError::Refused { code, detail }) => (code, detail),
        other => panic!("{other:?}"),
    }
}

/// If this fails, anybody on the network can draw on this machine, or read from the refusal how to.
#[test]
fn a_token_is_asked_for_and_nothing_is_told() {
    let right = token("0123456789abcdef");
    let server = Listening::start(LOCAL, Some(&right), 4, Limits::default());
    for wrong in [None, Some(token("0123456789abcdeX")), Some(token("0123456789abcdef0"))] {
        let missing = wrong.is_none();
        let (code, detail) = refused(Config { token: wrong, ..server.config() });
        assert_eq!(code, RefuseCode::Authentication);
        assert_eq!(detail.contains("MOBILEGL_IPC_TOKEN"), missing, "what to set, or that it is set wrongly: {detail}");
        assert!(!detail.contains("0123") && !detail.contains("magma") && !detail.contains("version"), "{detail}");
    }
    let session = Session::connect(Config { token: Some(right), ..server.config() }).unwrap();
    ask(&mut session.create_flow(0).unwrap());
}

/// If this fails, a server without a token can be reached from other machines.
#[test]
fn an_address_that_others_reach_needs_a_token() {
    let open = |text: &str, token: Option<&Token>| Listener::open(&Address::parse(text).unwrap(), token);
    let text = open("tcp://0.0.0.0:0", None).unwrap_err().to_string();
    assert!(text.contains("Listen") && text.contains("token"), "{text}");
    assert!(open("tcp://0.0.0.0:0", Some(&token("0123456789abcdef"))).is_ok());
    assert!(open(LOCAL, None).is_ok());
}

/// If this fails, a stranger can guess tokens as fast as the network allows, or lock the user of another host out.
#[test]
fn a_host_that_keeps_guessing_has_to_wait() {
    let right = token("0123456789abcdef");
    let server = Listening::start(LOCAL, Some(&right), 4, Limits::default());
    for _ in 0..5 {
        refused(Config { token: None, ..server.config() });
    }
    // Even the right token waits now, and a person is told what to wait for.
    let (code, detail) = refused(Config { token: Some(right), ..server.config() });
    assert!(code == RefuseCode::Authentication && detail.contains("try again in "), "{detail}");
}

/// If this fails, strangers that connect and say nothing, or garbage, keep a program from connecting.
#[test]
fn silent_and_noisy_strangers_keep_nobody_out() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_AUTH_BACKOFF_AFTER", "0") };
    let server = Listening::start(LOCAL, None, 4, Limits::default());
    let Address::Tcp(place) = &server.address else { panic!("{}", server.address) };
    let silent: Vec<_> = (0..40).map(|_| TcpStream::connect(place).unwrap()).collect();
    for noise in
        [&b"GET / HTTP/1.1\r\n\r\n"[..], b"MGLF\xff\xff\xff\x7f\x00", b"MGLF\x01\x00\x00\x00\x00\xff", &[0; 4096]]
    {
        let mut stranger = TcpStream::connect(place).unwrap();
        // The server may have hung up in the middle of it.
        let _ = stranger.write_all(noise);
    }
    let session = Session::connect(server.config()).unwrap();
    ask(&mut session.create_flow(0).unwrap());
    drop(silent);
}

/// If this fails, somebody who guesses can take over the pictures of another program.
#[test]
fn a_data_connection_needs_its_number() {
    let server = Listening::start(LOCAL, None, 4, Limits::default());
    let Address::Tcp(place) = &server.address else { panic!("{}", server.address) };
    let bind = |nonce: [u8; 16]| {
        let fd = TcpStream::connect(place).unwrap().into();
        let mut socket = ControlSocket::new(fd);
        socket.send(&ToServer::DataBind { nonce }, &[]).unwrap();
        socket.receive::<ToClient>().is_err()
    };
    let session = Session::connect(server.config()).unwrap();
    assert!(bind([0; 16]) && bind([7; 16]), "closed at once");
    ask(&mut session.create_flow(0).unwrap());
}

/// If this fails, one program more than there may be hangs or kills, instead of being told.
#[test]
fn one_session_too_many_is_told_so() {
    for address in [LOCAL.to_owned(), local_name()] {
        let server = Listening::start(&address, None, 1, Limits::default());
        let session = Session::connect(server.config()).unwrap();
        let (code, detail) = refused(server.config());
        assert!(code == RefuseCode::Busy && detail.contains("--sessions-max"), "{detail}");
        drop(session);
        let again = (0..400).find_map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            Session::connect(server.config()).ok()
        });
        assert!(again.is_some());
    }
}

/// If this fails, other users of the machine can connect, or a server that crashed keeps its successor from starting.
#[test]
fn a_socket_file_is_private_and_replaced_when_nobody_answers() {
    let folder = std::env::temp_dir().join(format!("mgl-link-listen-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("s.sock");
    let address = Address::Path(path.clone());
    let first = Listener::open(&address, None).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = Listener::open(&address, None).unwrap_err().to_string();
    assert!(text.contains("another server"), "{text}");
    let text = Listener::open(&Address::Path(folder.join("no/s.sock")), None).unwrap_err().to_string();
    assert!(text.contains("make the folder"), "{text}");
    drop(first);
    assert!(!path.exists(), "it cleans up after itself");
    std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert!(path.exists(), "as after a crash");
    drop(Listener::open(&address, None).unwrap());
    std::fs::write(&path, "precious").unwrap();
    assert!(Listener::open(&address, None).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    let nobody = Config { transport: Transport::Unix, address: Some(address), ..Config::default() };
    let text = Session::connect(nobody).unwrap_err().to_string();
    assert!(text.contains("Unreachable") && text.contains("mobilegl serve"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

fn small() -> Limits {
    Limits { event: 4096, event_wait: Duration::from_millis(200), ..Limits::default() }
}

/// If this fails, one broken program takes the pictures of every other program of the server with it.
#[test]
fn what_one_session_does_costs_no_other() {
    type Deed = fn(&Arc<Session>);
    let deeds: [(&str, Deed); 5] = [
        ("faults", |s| {
            let mut flow = s.create_flow(0).unwrap();
            flow.push(&swap(FAULT)).unwrap();
            assert!(flow.finish().is_err());
        }),
        ("panics", |s| {
            let mut flow = s.create_flow(0).unwrap();
            flow.push(&swap(PANIC)).unwrap();
            assert!(flow.finish().is_err());
        }),
        ("never drains", |s| {
            let mut flow = s.create_flow(0).unwrap();
            flow.push(&barrier(100_000)).unwrap();
            flow.flush().unwrap();
            while s.check_alive().is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(matches!(s.lost(), Some(LostReason::Fault(f)) if f.detail == "event_ring.forfeit"));
        }),
        ("floods", |s| {
            let mut flow = s.create_flow(0).unwrap();
            for n in 0..100u64 {
                let blob = flow.stage_with(1 << 20, 16, |to| to.fill(n as u8)).unwrap();
                flow.push(&BufferSubDataResident { blob, offset: n, ..BufferSubDataResident::default() }).unwrap();
                flow.push(&Present { serial: 1 + n }).unwrap();
            }
        }),
        ("takes every flow", |s| {
            let flows: Vec<_> = (0..1000).map_while(|_| s.create_flow(0).ok()).collect();
            assert!(flows.len() < 1000);
        }),
    ];
    for address in [LOCAL.to_owned(), local_name()] {
        let server = Listening::start(&address, None, 4, Limits { flows: 20, ..small() });
        let good = Session::connect(server.config()).unwrap();
        let mut flow = good.create_flow(0).unwrap();
        for (name, deed) in deeds {
            let bad = Session::connect(server.config()).unwrap();
            std::thread::scope(|scope| {
                let culprit = scope.spawn(|| deed(&bad));
                while !culprit.is_finished() {
                    ask(&mut flow);
                }
                culprit.join().unwrap();
            });
            ask(&mut flow);
            assert!(good.lost().is_none(), "{address} {name}");
        }
    }
}
