//! The server's socket and thread, and what tests do to it.

use std::collections::HashMap;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};

use super::requests::Server;
use super::setup::setup;

/// The window that every server has.
pub const WINDOW: u32 = 0x100;
/// And the pixmap.
pub const PIXMAP: u32 = 0x101;

/// What a server has.
#[derive(Clone, Debug)]
pub struct Offers {
    pub big_endian_images: bool,
    /// Longest request without BIG-REQUESTS, in words.
    pub short_requests: u16,
    /// Longest with it.
    pub long_requests: Option<u32>,
    /// MIT-SHM of that version.
    pub shm: Option<(u16, u16)>,
    pub shared_pixmaps: bool,
    pub present: bool,
    /// Present shows every picture at once.
    pub free_running: bool,
    /// Turns every client away, with that reason.
    pub refuses: Option<&'static str>,
    /// Size, depth and visual of the window.
    pub window: (u16, u16, u8, u32),
}

impl Default for Offers {
    fn default() -> Self {
        Self {
            big_endian_images: false,
            short_requests: 65535,
            long_requests: Some(1 << 22),
            shm: Some((1, 2)),
            shared_pixmaps: false,
            present: false,
            free_running: true,
            refuses: None,
            window: (40, 30, 24, 0x20),
        }
    }
}

/// A server with one client.
pub struct Peer {
    path: PathBuf,
    server: Arc<Mutex<Server>>,
    thread: Option<JoinHandle<()>>,
}

impl Peer {
    pub fn start(offers: Offers) -> Self {
        let mut random = [0; 8];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty()).unwrap();
        let path = std::env::temp_dir().join(format!("mgl-fake-x-{:x}", u64::from_le_bytes(random)));
        let listener = UnixListener::bind(&path).unwrap();
        let server = Arc::new(Mutex::new(Server::new(offers)));
        let shared = server.clone();
        let thread = std::thread::spawn(move || {
            let Ok((stream, _)) = listener.accept() else { return };
            // Whatever goes wrong here is a client that went away.
            let _ = serve(&stream, &shared);
            locked(&shared).stream = None;
        });
        Self { path, server, thread: Some(thread) }
    }

    /// Name of the display.
    pub fn display(&self) -> String {
        format!("unix:{}", self.path.display())
    }

    /// What the server knows.
    pub fn server(&self) -> MutexGuard<'_, Server> {
        locked(&self.server)
    }

    /// Waits until the server knows something.
    pub fn until(&self, what: &str, known: impl Fn(&mut Server) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !known(&mut self.server()) {
            assert!(Instant::now() < end, "the client never did this: {what}; it did {:?}", self.server().seen);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The server dies.
    pub fn kill(&self) {
        if let Some(stream) = &self.server().stream {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        self.kill();
        // Nobody may ever have connected.
        let thread = self.thread.take().filter(|_| self.server().connected);
        thread.map(JoinHandle::join);
    }
}

/// A test that fails with the lock in its hand must not leave the client without an answer: it would wait instead of failing.
fn locked(server: &Mutex<Server>) -> MutexGuard<'_, Server> {
    server.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What has come and was not used yet.
#[derive(Default)]
struct Input {
    bytes: Vec<u8>,
    descriptors: Vec<OwnedFd>,
}

impl Input {
    fn take(&mut self, stream: &UnixStream, len: usize) -> std::io::Result<Vec<u8>> {
        while self.bytes.len() < len {
            let mut buffer = vec![0; 1 << 16];
            let mut room = [MaybeUninit::uninit(); 256];
            let mut control = RecvAncillaryBuffer::new(&mut room);
            let got = rustix::net::recvmsg(
                stream,
                &mut [IoSliceMut::new(&mut buffer)],
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            )?;
            for part in control.drain() {
                if let RecvAncillaryMessage::ScmRights(rights) = part {
                    self.descriptors.extend(rights);
                }
            }
            if got.bytes == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            self.bytes.extend(&buffer[..got.bytes]);
        }
        Ok(self.bytes.drain(..len).collect())
    }
}

fn serve(stream: &UnixStream, server: &Mutex<Server>) -> std::io::Result<()> {
    let mut input = Input::default();
    let hello = input.take(stream, 12)?;
    assert_eq!(hello[0], b'l', "the tests know little-endian clients");
    let padded = |at: usize| usize::from(u16::from_le_bytes([hello[at], hello[at + 1]])).next_multiple_of(4);
    input.take(stream, padded(6) + padded(8))?;
    {
        let mut server = locked(server);
        server.connected = true;
        server.stream = Some(stream.try_clone()?);
        let answer = setup(&server.offers);
        server.send(&answer);
    }
    loop {
        let head = input.take(stream, 4)?;
        let short = usize::from(u16::from_le_bytes([head[2], head[3]]));
        let words = if short == 0 {
            let long = input.take(stream, 4)?;
            u32::from_le_bytes(long.try_into().unwrap()) as usize - 2
        } else {
            short - 1
        };
        let body = input.take(stream, words * 4)?;
        while locked(server).held {
            std::thread::sleep(Duration::from_millis(1));
        }
        locked(server).request(head[0], head[1], &body, words + 1, &mut input.descriptors);
    }
}

/// Unused ids keep maps small; a map by id is what a server is.
pub type ById<T> = HashMap<u32, T>;
