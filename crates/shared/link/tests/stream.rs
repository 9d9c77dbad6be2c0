//! The data connection: what it saves, and peers that do not play by its rules. Must not test what every transport does
//! alike.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_base::Handle;
use mgl_link::address::Address;
use mgl_link::client::{Config, DataPlane, Flow, Session};
use mgl_link::control::messages::{DataTerms, DataWish};
use mgl_link::control::{ControlSocket, FlowTerms, Hello, ToClient, ToServer};
use mgl_link::server::Limits;
use mgl_link::stream::frame::{ClientMarks, Header, Kind, encode_words};
use mgl_pipe::records::BufferSubDataResident;
use mgl_pipe::sample::Rng;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use support::{Listening, ask, hello};

const LOCAL: &str = "tcp://127.0.0.1:0";

fn counter(flow: &Flow, name: &str) -> u64 {
    flow.counters().snapshot().into_iter().find(|(n, _)| *n == name).unwrap().1
}

fn upload(flow: &mut Flow, len: usize, tag: u8) {
    let blob = flow.stage_with(len, 16, |to| to.fill(tag)).unwrap();
    flow.push(&BufferSubDataResident { buffer: Handle::new(1, 1), offset: u64::from(tag), blob }).unwrap();
}

/// If this fails, a program that uploads the same texture every frame fills the network with it, or sees another one.
#[test]
fn uploads_that_the_server_has_are_not_sent_again() {
    let server = Listening::start(LOCAL, None, 4, Limits::default());
    for (pack, cache) in [(false, false), (false, true), (true, false), (true, true)] {
        let config = Config { pack: Some(pack), cache: Some(cache), ..server.config() };
        let session = Session::connect(config).unwrap();
        let mut flow = session.create_flow(0).unwrap();
        for tag in (0..40).chain(0..40).chain(20..60).chain(0..60) {
            // The server checks that every byte is the tag.
            upload(&mut flow, 100_000, tag);
            upload(&mut flow, 3000, tag);
            upload(&mut flow, 100, tag);
        }
        ask(&mut flow);
        let total = 180 * 103_100;
        let (sent, reused, packed) =
            (counter(&flow, "stream_sent"), counter(&flow, "stream_reused"), counter(&flow, "stream_packed"));
        assert_eq!(reused > total / 4, cache, "{sent} {reused} {packed}");
        assert_eq!(packed > total / 4, pack, "{sent} {reused} {packed}");
        assert!(sent + reused + packed >= total && (sent < total) == (pack || cache), "{sent} {reused} {packed}");
        assert!(counter(&flow, "stream_frames") > 0 && counter(&flow, "stream_received") > 0);
    }
}

/// Control and data are two axes: what works over TCP must not work because of TCP.
#[test]
fn a_local_server_takes_a_data_connection_too() {
    let server = Listening::start(&support::local_name(), None, 4, Limits::default());
    let session = Session::connect(Config { data: DataPlane::Stream, ..server.config() }).unwrap();
    let mut flow = session.create_flow(0).unwrap();
    upload(&mut flow, 500_000, 7);
    ask(&mut flow);
    assert!(counter(&flow, "stream_sent") > 500_000);
}

/// If this fails, content that cannot be packed costs time for nothing, or comes out changed.
#[test]
fn noise_is_sent_as_it_is() {
    let server = Listening::start(LOCAL, None, 4, Limits::default());
    let session = Session::connect(Config { pack: Some(true), cache: Some(true), ..server.config() }).unwrap();
    let mut flow = session.create_flow(0).unwrap();
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        // Travels with the next record, which names another run: only the transfer is looked at.
        flow.stage_with(256 << 10, 16, |to| to.iter_mut().for_each(|b| *b = rng.next() as u8)).unwrap();
        upload(&mut flow, 1000, 1);
    }
    ask(&mut flow);
    assert!(counter(&flow, "stream_sent") >= 20 * (256 << 10));
    // Noise in uploads says nothing about commands, which are much alike.
    let before = counter(&flow, "stream_packed");
    for _ in 0..5000 {
        flow.push(&support::wish(1)).unwrap();
    }
    ask(&mut flow);
    assert!(counter(&flow, "stream_packed") > before + 40_000);
}

/// With everything that saves bytes.
fn saving() -> Hello {
    Hello { data: DataWish { stream: false, pack: true, cache: true }, ..hello() }
}

/// The answer behind the word that a device is being opened, which only a client of this build is told.
fn answer(control: &mut ControlSocket) -> ToClient {
    match control.receive::<ToClient>().unwrap().message {
        ToClient::Starting => control.receive::<ToClient>().unwrap().message,
        other => other,
    }
}

/// If this fails, a program cannot use a server that was built on another day, although they understand each other.
#[test]
fn a_client_of_another_build_with_equal_layouts_is_served() {
    let server = Listening::start(LOCAL, None, 4, Limits::default());
    let Address::Tcp(place) = &server.address else { panic!("{}", server.address) };
    let said = |hello| {
        let control = ControlSocket::new(TcpStream::connect(place).unwrap().into());
        control.send(&ToServer::Hello(hello), &[]).unwrap();
        control
    };
    let mut equal = said(Hello { build: "another".into(), ..saving() });
    assert!(matches!(answer(&mut equal), ToClient::Welcome(_)));
    // The first word: older builds know no other.
    let mut other = said(Hello { fingerprint: 1, ..saving() });
    assert!(matches!(other.receive::<ToClient>().unwrap().message, ToClient::Refuse { .. }));
}

/// A client that writes whatever it likes to its data connection.
struct Raw {
    control: ControlSocket,
    data: TcpStream,
    terms: FlowTerms,
}

impl Raw {
    fn new(address: &Address) -> Self {
        let Address::Tcp(place) = address else { panic!("{address}") };
        let mut control = ControlSocket::new(TcpStream::connect(place).unwrap().into());
        control.send(&ToServer::Hello(saving()), &[]).unwrap();
        let ToClient::Welcome(welcome) = answer(&mut control) else { panic!("no welcome") };
        let DataTerms::Stream { nonce, .. } = welcome.data else { panic!("{:?}", welcome.data) };
        let data = TcpStream::connect(place).unwrap();
        let bound = ControlSocket::new(data.try_clone().unwrap().into());
        bound.send(&ToServer::DataBind { nonce }, &[]).unwrap();
        control.send(&ToServer::CreateFlow { share: 0 }, &[]).unwrap();
        let ToClient::Flow(terms) = control.receive::<ToClient>().unwrap().message else { panic!("no flow") };
        Self { control, data, terms }
    }

    fn write(&mut self, frames: &[u8]) -> bool {
        self.data.write_all(frames).is_ok()
    }

    /// Waits for the end and returns the server's last words.
    fn end(mut self) -> Option<String> {
        let _ = self.data.shutdown(std::net::Shutdown::Write);
        let _ = self.control.send(&ToServer::Bye, &[]);
        loop {
            match self.control.receive::<ToClient>() {
                Ok(got) => {
                    if let ToClient::SessionFault { detail, .. } = got.message {
                        return Some(detail);
                    }
                }
                Err(_) => return None,
            }
        }
    }
}

fn frame(header: Header, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    header.encode(&mut out);
    out.extend_from_slice(payload);
    out
}

fn marks(flow: u32, marks: ClientMarks) -> Vec<u8> {
    let mut words = Vec::new();
    encode_words(&marks.words(), &mut words);
    frame(Header::plain(Kind::ClientMarks, flow, 0, words.len() as u32), &words)
}

/// If this fails, a client can make the server read or write outside the memory of its own session.
#[test]
fn every_broken_rule_ends_the_session_by_name() {
    let server = Listening::start(LOCAL, None, 64, Limits::default());
    let plain = |kind, at, len: u32| frame(Header::plain(kind, 1, at, len), &vec![0; len as usize]);
    let slot = |kind, extra, len: u32| {
        let header = Header { extra, ..Header::plain(kind, 1, 0, len) };
        if kind == Kind::Cached {
            return frame(Header { len: 0, ..header }, &[]);
        }
        frame(header, &vec![0; len as usize])
    };
    let head = |head| marks(1, ClientMarks { head, ..ClientMarks::default() });
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("a gap in the ring", plain(Kind::Cmd, 8, 8)),
        ("more than was sent", head(8)),
        ("backwards", [plain(Kind::Cmd, 0, 64), head(64), head(32)].concat()),
        ("events never sent", marks(1, ClientMarks { event_tail: 8, ..ClientMarks::default() })),
        ("behind the arena", plain(Kind::Stage, (32 << 20) - 4, 8)),
        ("far behind the arena", plain(Kind::Stage, u64::MAX - 4, 8)),
        ("a slot that was not granted", slot(Kind::Keep, 1 << 20, 4096)),
        ("a slot that is empty", slot(Kind::Cached, 3, 4096)),
        ("another length", [slot(Kind::Keep, 3, 4096), slot(Kind::Cached, 3, 4000)].concat()),
        ("a flow that never was", frame(Header::plain(Kind::Stage, 9, 0, 8), &[0; 8])),
        ("the other direction", plain(Kind::Reply, 0, 16)),
        ("a picture", slot(Kind::Pixels, 1, 16)),
        ("no frame", vec![b'x'; 64]),
        ("not packed", {
            let header = Header { packed: true, len: 16, ..Header::plain(Kind::Stage, 1, 0, 4096) };
            frame(header, &[0xFF; 16])
        }),
        ("a record that is none", [plain(Kind::Cmd, 0, 64), head(64)].concat()),
    ];
    for (name, bytes) in cases {
        let mut raw = Raw::new(&server.address);
        assert_eq!(raw.terms.id, 1);
        raw.write(&bytes);
        let mut control = raw.control;
        let words = loop {
            match control.receive::<ToClient>() {
                Ok(got) => {
                    if let ToClient::SessionFault { detail, .. } = got.message {
                        break detail;
                    }
                }
                Err(error) => panic!("{name}: {error}"),
            }
        };
        assert!(words.starts_with("stream.") || words.starts_with("ring."), "{name}: {words}");
    }
    ask(&mut Session::connect(server.config()).unwrap().create_flow(0).unwrap());
}

/// If this fails, one client's nonsense takes a shared server down.
#[test]
fn mutated_data_streams_end_their_session_at_the_most() {
    static PANICS: AtomicU32 = AtomicU32::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        usual(info);
    }));
    let server = Listening::start(LOCAL, None, 1000, Limits::default());
    let mut rng = Rng::new(11);
    let (mut faults, mut clean) = (0, 0);
    for _ in 0..400 {
        let mut raw = Raw::new(&server.address);
        let mut bytes = Vec::new();
        let mut sent = 0u64;
        for _ in 0..1 + rng.next() % 6 {
            let len = (8 + rng.next() % 512 * 8) as u32;
            let noise: Vec<u8> = (0..len).map(|_| rng.next() as u8).collect();
            let offset = rng.next() % (1 << 20);
            match rng.next() % 5 {
                0 => bytes.extend(frame(Header::plain(Kind::Stage, 1, offset, len), &noise)),
                1 => bytes.extend(frame(Header { extra: 2, ..Header::plain(Kind::Keep, 1, offset, len) }, &noise)),
                2 => bytes.extend(frame(Header { extra: 2, len: 0, ..Header::plain(Kind::Cached, 1, 0, len) }, &[])),
                3 => {
                    // A pad to the next record: harmless until it is mutated.
                    let words = [u64::from(8u32) << 32 | 40, 0];
                    let record: Vec<u8> = words[..1].iter().flat_map(|w| w.to_le_bytes()).collect();
                    bytes.extend(frame(Header::plain(Kind::Cmd, 1, sent, 8), &record));
                    sent += 8;
                }
                _ => bytes.extend(marks(1, ClientMarks { head: sent, ..ClientMarks::default() })),
            }
        }
        for _ in 0..rng.next() % 4 {
            let at = (rng.next() % bytes.len() as u64) as usize;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << (rng.next() % 8);
            }
        }
        raw.write(&bytes);
        match raw.end() {
            Some(_) => faults += 1,
            None => clean += 1,
        }
    }
    // How many is a matter of who is first, the server's fault or its notice that the client has gone.
    assert!(faults > 0 && clean > 0, "the mutations bite: {faults} {clean}");
    ask(&mut Session::connect(server.config()).unwrap().create_flow(0).unwrap());
    drop(server);
    assert_eq!(PANICS.load(Ordering::SeqCst), 0);
}
