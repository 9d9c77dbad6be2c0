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
use support::{FAULT, Listening, PANIC, ask, barrier, local_name, wish};

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

/// If this fails, a program that was given the port of something else hangs, or its user reads of a corrupt protocol.
#[test]
fn what_is_no_server_of_ours_is_named() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_HANDSHAKE_MS", "300") };
    let name = local_name();
    let network = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let unix = rustix::net::socket(rustix::net::AddressFamily::UNIX, rustix::net::SocketType::STREAM, None).unwrap();
    let place = rustix::net::SocketAddrUnix::new_abstract_name(&name.as_bytes()["unix:@".len()..]).unwrap();
    rustix::net::bind(&unix, &place).unwrap();
    rustix::net::listen(&unix, 4).unwrap();
    let tcp = format!("tcp://{}", network.local_addr().unwrap());
    let places: [(&str, std::os::fd::OwnedFd); 2] = [(&tcp, network.into()), (&name, unix)];
    for (address, listener) in &places {
        let connect = || {
            let transport = if address.starts_with("tcp") { Transport::Tcp } else { Transport::Unix };
            let config = Config { transport, address: Address::parse(address), ..Config::default() };
            Session::connect(config).unwrap_err().to_string()
        };
        let silent = connect();
        assert!(silent.contains("no MobileGL server") && silent.contains(*address), "{silent}");
        assert!(silent.contains("MOBILEGL_IPC_HANDSHAKE_MS"), "{silent}");
        let _ = rustix::net::accept(listener).unwrap();
        for (said, told) in
            [(&b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n"[..], "none of our messages"), (b"", "without a word")]
        {
            let words = std::thread::scope(|scope| {
                scope.spawn(|| {
                    let stranger = rustix::net::accept(listener).unwrap();
                    rustix::io::write(&stranger, said).unwrap();
                });
                connect()
            });
            assert!(words.contains("no MobileGL server") && words.contains(told), "{words}");
            assert!(!words.contains("ProtocolCorruption"), "{words}");
        }
    }
}

/// If this fails, a program hangs for ever when its user's server was stopped and its queue of connections is full.
#[test]
fn a_queue_that_is_full_is_not_waited_for_without_end() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_HANDSHAKE_MS", "300") };
    let name = local_name();
    let unix = rustix::net::socket(rustix::net::AddressFamily::UNIX, rustix::net::SocketType::STREAM, None).unwrap();
    let place = rustix::net::SocketAddrUnix::new_abstract_name(&name.as_bytes()["unix:@".len()..]).unwrap();
    rustix::net::bind(&unix, &place).unwrap();
    rustix::net::listen(&unix, 0).unwrap();
    let connect = || {
        let config = Config { transport: Transport::Unix, address: Address::parse(&name), ..Config::default() };
        Session::connect(config).unwrap_err().to_string()
    };
    // The first one fits into the queue, and finds a silent server.
    assert!(connect().contains("no MobileGL server"));
    let text = connect();
    assert!(text.contains("Unreachable") && text.contains("accepts no connection"), "{text}");
}

/// If this fails, a client that connects to a local socket and says nothing keeps its place for ever.
#[test]
fn a_silent_neighbour_is_let_go() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_IPC_HANDSHAKE_MS", "300") };
    let server = Listening::start(&local_name(), None, 4, Limits::default());
    let place = server.address.to_string();
    let place = rustix::net::SocketAddrUnix::new_abstract_name(&place.as_bytes()["unix:@".len()..]).unwrap();
    let silent = rustix::net::socket(rustix::net::AddressFamily::UNIX, rustix::net::SocketType::STREAM, None).unwrap();
    rustix::net::connect(&silent, &place).unwrap();
    // Ends when the server hangs up.
    assert_eq!(rustix::io::read(&silent, &mut [0; 1][..]).unwrap(), 0);
}

/// If this fails, nobody at the other end of a network learns that a driver crashed, and of what.
#[test]
fn a_worker_that_crashes_says_so_to_its_client() {
    for address in [LOCAL.to_owned(), local_name()] {
        let server = Listening::processes(&address, 2);
        let session = Session::connect(server.config()).unwrap();
        ask(&mut session.create_flow(0).unwrap());
        let pid = rustix::process::Pid::from_raw(session.server_pid() as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::ABORT).unwrap();
        while session.check_alive().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let words = session.loss_in_words().unwrap();
        assert!(words.starts_with("The graphics server ended (SIGABRT"), "{words}");
    }
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
            flow.push(&wish(FAULT)).unwrap();
            assert!(flow.finish().is_err());
        }),
        ("panics", |s| {
            let mut flow = s.create_flow(0).unwrap();
            flow.push(&wish(PANIC)).unwrap();
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
