//! Pictures from servers that do not play by the rules of a data connection. Must not test what honest ends do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use mgl_link::address::Address;
use mgl_link::client::{Config, LostReason, Session, Transport};
use mgl_link::control::messages::DataTerms;
use mgl_link::control::{ControlSocket, ToClient, ToServer, Welcome};
use mgl_link::error::RefuseCode;
use mgl_link::segment::Segment;
use mgl_link::stream::frame::{CHUNK, Header, Kind};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

const LEN: u64 = 65536;

/// A server that says what it is told to.
struct Fake {
    listener: TcpListener,
}

/// Its ends of a session's connections.
struct Ends {
    control: ControlSocket,
    data: TcpStream,
}

impl Fake {
    fn start() -> (Self, Config) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = Address::parse(format!("tcp://{}", listener.local_addr().unwrap()));
        (Self { listener }, Config { transport: Transport::Tcp, address, ..Config::default() })
    }

    fn accept(&self) -> Ends {
        let mut control = ControlSocket::new(self.listener.accept().unwrap().0.into());
        assert!(matches!(control.receive::<ToServer>().unwrap().message, ToServer::Hello(_)));
        let data = DataTerms::Stream { nonce: [3; 16], pack: false, slots: 0 };
        let welcome = Welcome { backend: "fake".into(), pid: 1, page: 4096, caps: vec![], data };
        control.send(&ToClient::Welcome(welcome), &[]).unwrap();
        let data = self.listener.accept().unwrap().0;
        let mut bound = ControlSocket::new(data.try_clone().unwrap().into());
        assert!(matches!(bound.receive::<ToServer>().unwrap().message, ToServer::DataBind { nonce: [3, ..] }));
        Ends { control, data }
    }
}

impl Ends {
    fn answer(&mut self, answer: &ToClient) {
        assert_eq!(self.control.receive::<ToServer>().unwrap().message, ToServer::SharePixels { len: LEN });
        self.control.send(answer, &[]).unwrap();
    }
}

/// What a client got when it asked for memory.
type Shared = Option<(u32, Arc<Segment>)>;

/// A session with a server that then sends `frames`; `id` is what it calls the memory.
fn session(answers: &[ToClient], frames: &[u8]) -> (Arc<Session>, Vec<Shared>) {
    let (fake, config) = Fake::start();
    std::thread::scope(|scope| {
        let server = scope.spawn(move || {
            let mut ends = fake.accept();
            answers.iter().for_each(|answer| ends.answer(answer));
            ends
        });
        let session = Session::connect(config).unwrap();
        let got = answers.iter().map(|_| session.share_pixels(LEN)).collect();
        let mut ends = server.join().unwrap();
        ends.data.write_all(frames).unwrap();
        // The end of the connection is a loss too: it must not come before what was sent is judged.
        for _ in 0..2000 {
            if session.check_alive().is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        (session, got)
    })
}

fn pixels(id: u32, at: u64, len: u32) -> Vec<u8> {
    let mut out = Vec::new();
    Header { extra: id, ..Header::plain(Kind::Pixels, 1, at, len) }.encode(&mut out);
    out.resize(out.len() + len as usize, 7);
    out
}

fn memory(id: u32) -> ToClient {
    ToClient::Memory { id, len: LEN }
}

/// If this fails, a server elsewhere writes wherever it likes in the memory of a program.
#[test]
fn a_server_that_breaks_the_rules_of_pictures_ends_the_session_by_name() {
    let mut packed = Vec::new();
    Header { extra: 1, packed: true, len: 16, ..Header::plain(Kind::Pixels, 1, 0, 4096) }.encode(&mut packed);
    packed.extend([0xFF; 16]);
    let cases = [
        ("stream.pixels.memory", pixels(2, 0, 16)),
        ("stream.pixels.memory", pixels(0, 0, 16)),
        ("stream.place", pixels(1, LEN - 15, 16)),
        ("stream.place", pixels(1, u64::MAX - 4, 16)),
        ("stream.packed", packed),
        ("stream.frame.size", pixels(1, 0, CHUNK as u32 + 1)),
        ("stream.direction", {
            let mut out = pixels(1, 0, 16);
            out.extend(Header::plain(Kind::Stage, 0, 0, 0).bytes());
            out
        }),
    ];
    for (name, frames) in cases {
        let (session, got) = session(&[memory(1)], &frames);
        assert!(got[0].is_some());
        match session.lost() {
            Some(LostReason::Server(fault)) => assert_eq!(fault.detail, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// If this fails, a server can name two windows' memory alike, and one window shows the other's picture.
#[test]
fn a_number_that_was_used_before_is_no_memory() {
    let (session, got) = session(&[memory(4), memory(4), memory(3), memory(5)], &pixels(9, 0, 1));
    let ids: Vec<_> = got.iter().map(|m| m.as_ref().map(|(id, _)| *id)).collect();
    assert_eq!(ids, [Some(4), None, None, Some(5)]);
    assert!(session.lost().is_some());
}

/// If this fails, a server that has no use for pictures costs its client the session, or gives it memory of another size.
#[test]
fn refusals_and_wrong_sizes_are_no_memory() {
    let refuse = ToClient::Refuse { code: RefuseCode::Resources, detail: "none".into() };
    let (_, got) = session(&[refuse, ToClient::Memory { id: 1, len: LEN * 2 }, memory(2)], &pixels(9, 0, 1));
    assert_eq!(got.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
}

/// If this fails, what a picture shows is not what was sent.
#[test]
fn a_picture_that_keeps_the_rules_lies_where_it_was_sent_to() {
    let (_session, got) = session(&[memory(1)], &[pixels(1, 100, 50), pixels(9, 0, 1)].concat());
    let (_, memory) = got[0].as_ref().unwrap();
    let mut seen = [0; 200];
    assert!(memory.copy_out(0, &mut seen));
    assert!(seen.iter().enumerate().all(|(at, b)| *b == if (100..150).contains(&at) { 7 } else { 0 }));
}
