//! One session with one server: handshake, flows, and the latch that makes every later call fail once the server is
//! gone (spec 06b §9). Must not know records.

use super::config::{Config, DataPlane, Transport};
use super::dial::dial;
use super::farewell::{self, Peer, farewell, reap};
use super::flow::Flow;
use super::spawn;
use super::watch::Watched;
use crate::address::Address;
use crate::bell::{Bell, Spin, hung_up};
use crate::control::messages::{DataTerms, DataWish, PROTOCOL_VERSION, build_stamp};
use crate::control::socket::Received;
use crate::control::{ControlSocket, FlowTerms, Hello, ToClient, ToServer, Welcome, fingerprint};
use crate::error::{LinkError, Lost, LostReason};
use crate::memory::FlowMemory;
use crate::page::{ENDED, LIVE, SessionPage};
use crate::segment::{Mapped, Segment};
use crate::server::{Endpoint, Limits, Pump, ServerLog, log};
use crate::settings;
use crate::stream::socket::Use;
use crate::stream::{ClientStream, Terms};
use crate::sync::{Machine, Ringer};
use core::sync::atomic::{AtomicBool, Ordering};
use mgl_base::{Family, Fault};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long a server that hung up may take to become one whose end can be asked for.
const COLLECT: Duration = Duration::from_secs(2);

/// The way to the server.
#[derive(Debug)]
pub(crate) enum Carrier {
    /// On this thread.
    Local(Pump),
    /// Through shared memory.
    Wire(Wire),
}

/// What a client thread needs to ring and to wait.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) page: Mapped<SessionPage>,
    pub(crate) bell: Bell,
    pub(crate) witness: OwnedFd,
    pub(super) stream: Option<Arc<ClientStream>>,
    pub(super) control: Mutex<ControlSocket>,
    peer: Mutex<Peer>,
}

/// A session.
#[derive(Debug)]
pub struct Session {
    pub(crate) carrier: Carrier,
    pub(crate) spin: Spin,
    transport: Transport,
    caps: Vec<u8>,
    backend: String,
    server_pid: u32,
    dead: AtomicBool,
    lost: OnceLock<LostReason>,
    /// Flows whose frames other threads may wait for.
    watched: Mutex<Vec<Weak<Watched>>>,
}

/// Some session of this process is lost.
static ANY_LOST: AtomicBool = AtomicBool::new(false);

/// True once any session of this process is lost; one load, for those who ask at every command.
#[inline(always)]
pub fn any_lost() -> bool {
    ANY_LOST.load(Ordering::Relaxed)
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Reaches a server as `config` says and waits until its backend is up.
    pub fn connect(config: Config) -> Result<Arc<Session>, LinkError> {
        spawn::refuse_recursion()?;
        config.check_pair()?;
        match config.transport {
            Transport::Monolith => Self::connect_local(&config),
            Transport::Inproc => Self::connect_thread(&config),
            Transport::Spawn => Self::connect_child(&config),
            Transport::Unix | Transport::Tcp => Self::connect_listener(&config),
        }
    }

    /// A session over a control socket that is connected already; whoever made it looks after the server.
    pub fn over(config: &Config, socket: OwnedFd) -> Result<Arc<Session>, LinkError> {
        Self::shake_hands(config, socket, Peer::Stranger, None)
    }

    fn connect_local(config: &Config) -> Result<Arc<Session>, LinkError> {
        let mut handler =
            embedded(config)?(&hello(config)).map_err(|r| LinkError::Refused { code: r.code, detail: r.detail })?;
        let (backend, caps) = (handler.backend(), handler.caps());
        ServerLog::open(config.transport.name(), &backend);
        let pump = Pump::new(handler, Limits::from_env());
        let welcome = Welcome { backend, pid: std::process::id(), page: 0, caps, data: DataTerms::Shared };
        Ok(Self::assemble(config, Carrier::Local(pump), welcome))
    }

    fn connect_thread(config: &Config) -> Result<Arc<Session>, LinkError> {
        let factory = embedded(config)?;
        let (mine, theirs) = ControlSocket::pair()?;
        let work = move || {
            let end = Endpoint::from_fd(theirs).run(Limits::from_env(), &mut |hello| factory(hello));
            tracing::debug!(?end, "in-process server");
        };
        let thread = std::thread::Builder::new().name("mgl-apply".into()).spawn(work);
        let thread = thread.map_err(|e| LinkError::os("apply thread", e))?;
        let session = Self::shake_hands(config, mine, Peer::Thread(Some(thread)), None)?;
        farewell::at_exit(&session);
        Ok(session)
    }

    fn connect_child(config: &Config) -> Result<Arc<Session>, LinkError> {
        let path = spawn::image(config)?;
        let (mine, theirs) = ControlSocket::pair()?;
        let child = spawn::start(&path, theirs)?;
        Self::shake_hands(config, mine, Peer::Child(child), None)
    }

    fn connect_listener(config: &Config) -> Result<Arc<Session>, LinkError> {
        let missing = || LinkError::Transport(format!("{}: no address", config.transport.name()));
        let address = config.address.as_ref().ok_or_else(missing)?;
        let (fd, local) = dial(address, Use::Control)?;
        let session = Self::shake_hands(config, fd, Peer::Stranger, Some((address, local)))?;
        if session.stream().is_some() {
            farewell::at_exit(&session);
        }
        Ok(session)
    }

    fn shake_hands(
        config: &Config,
        fd: OwnedFd,
        peer: Peer,
        place: Option<(&Address, bool)>,
    ) -> Result<Arc<Session>, LinkError> {
        let witness = fd.try_clone().map_err(|e| LinkError::os("dup", e))?;
        let mut socket = ControlSocket::new(fd);
        let mut hello = hello(config);
        if let Some((_, local)) = place {
            hello.data = DataWish {
                stream: config.data == DataPlane::Stream,
                pack: config.pack.unwrap_or(!local),
                cache: config.cache.unwrap_or(!local),
            };
        }
        let address = place.map(|(address, _)| address);
        let outcome = greet(&mut socket, &hello, address).and_then(|(welcome, page, bell)| {
            let stream = bind(&welcome, place, &witness, &page)?;
            Ok((welcome, page, bell, stream))
        });
        let (welcome, page, bell, stream) = match outcome {
            Ok(parts) => parts,
            Err(error) => {
                drop((socket, witness));
                let text = farewell(&mut { peer });
                return Err(match error {
                    LinkError::Os { .. } => LinkError::ServerGone(text),
                    other => other,
                });
            }
        };
        let wire = Wire { page, bell, witness, stream, control: Mutex::new(socket), peer: Mutex::new(peer) };
        Ok(Self::assemble(config, Carrier::Wire(wire), welcome))
    }

    fn assemble(config: &Config, carrier: Carrier, welcome: Welcome) -> Arc<Session> {
        tracing::info!(transport = config.transport.name(), backend = welcome.backend, pid = welcome.pid, "session");
        Arc::new(Session {
            carrier,
            spin: Spin::from_env(),
            transport: config.transport,
            caps: welcome.caps,
            backend: welcome.backend,
            server_pid: welcome.pid,
            dead: AtomicBool::new(false),
            lost: OnceLock::new(),
            watched: Mutex::default(),
        })
    }

    /// The caps snapshot: postcard bytes of `mgl_pipe::caps::Caps`.
    pub fn caps(&self) -> &[u8] {
        &self.caps
    }

    /// The caps snapshot, decoded.
    pub fn decode_caps<'a, T: serde::Deserialize<'a>>(&'a self) -> Result<T, LinkError> {
        postcard::from_bytes(&self.caps).map_err(|_| LinkError::Protocol(Fault::corrupt("welcome.caps")))
    }

    /// Where the server runs.
    pub fn transport(&self) -> Transport {
        self.transport
    }

    /// The backend that runs.
    pub fn backend(&self) -> &str {
        &self.backend
    }

    /// Process id of the server, for logs only.
    pub fn server_pid(&self) -> u32 {
        self.server_pid
    }

    /// A flow in the share group of flow `share` (0 = a group of its own).
    pub fn create_flow(self: &Arc<Self>, share: u32) -> Result<Flow, LinkError> {
        let (memory, bell) = match &self.carrier {
            Carrier::Local(pump) => (pump.create_flow(share)?, None),
            Carrier::Wire(wire) => {
                let made = self.ask_flow(wire, share);
                if let Err(LinkError::Os { .. }) = &made {
                    self.hang_up_seen();
                    let reason = self.lost().map_or_else(String::new, |r| r.to_string());
                    return Err(LinkError::ServerGone(reason));
                }
                made?
            }
        };
        Flow::new(self.clone(), memory, bell)
    }

    /// What the server said instead of an answer: its last words, which end the session, or nonsense.
    pub(super) fn unexpected(&self, message: ToClient) -> LinkError {
        match message {
            ToClient::SessionFault { family, detail, .. } => {
                let fault = ToClient::fault(family, detail);
                self.latch(LostReason::Fault(fault.clone()));
                LinkError::ServerGone(fault.to_string())
            }
            _ => LinkError::Protocol(Fault::corrupt("control.answer")),
        }
    }

    fn ask_flow(&self, wire: &Wire, share: u32) -> Result<(FlowMemory, Option<Bell>), LinkError> {
        let mut control = locked(&wire.control);
        self.call(wire, &control, &ToServer::CreateFlow { share })?;
        let received = control.receive::<ToClient>()?;
        match received.message {
            ToClient::Flow(terms) if wire.stream.is_some() => {
                Ok((FlowMemory::create(terms, true)?, Some(Bell::new()?)))
            }
            ToClient::Flow(terms) => adopt_flow(terms, received.descriptors),
            ToClient::Refuse { code, detail } => Err(LinkError::Refused { code, detail }),
            other => Err(self.unexpected(other)),
        }
    }

    /// Sends a control message and makes the apply thread look at it between two batches.
    pub(super) fn call(&self, wire: &Wire, control: &ControlSocket, message: &ToServer) -> Result<(), LinkError> {
        control.send(message, &[])?;
        if let Some(stream) = &wire.stream {
            stream.notice();
            return Ok(());
        }
        wire.page.control_pending.store(1, Ordering::Release);
        // Rare, so it rings without asking whether somebody has done so before.
        self.ring(wire, &mut Ringer::default());
        Ok(())
    }

    /// Wakes the apply thread if it sleeps; true when it did.
    pub(crate) fn ring(&self, wire: &Wire, ringer: &mut Ringer) -> bool {
        let asleep = ringer.due::<Machine, _>(&wire.page.parked, |_| true);
        if asleep {
            wire.bell.ring();
        }
        asleep
    }

    /// The data connection to a server elsewhere.
    pub(crate) fn stream(&self) -> Option<&Arc<ClientStream>> {
        match &self.carrier {
            Carrier::Local(_) => None,
            Carrier::Wire(wire) => wire.stream.as_ref(),
        }
    }

    /// Ends flow `id` after the first `head` bytes of its ring.
    pub(crate) fn close_flow(&self, id: u32, head: u64) {
        if let Some(stream) = self.stream() {
            stream.unregister(id);
        }
        match &self.carrier {
            Carrier::Local(pump) => pump.close_flow(id, head),
            Carrier::Wire(_) if self.is_lost() => {}
            Carrier::Wire(wire) => {
                // A server that is gone has no flows left to end.
                let _ = self.call(wire, &locked(&wire.control), &ToServer::DestroyFlow { id, head });
            }
        }
    }

    /// Why the session is lost, if it is.
    pub fn lost(&self) -> Option<LostReason> {
        self.lost.get().cloned()
    }

    /// The loss in one line for the person who runs the program: what happened, what it means, where more is said.
    pub fn loss_in_words(&self) -> Option<String> {
        self.lost.get().map(|reason| self.in_words(reason))
    }

    fn in_words(&self, reason: &LostReason) -> String {
        let here = !matches!(self.transport, Transport::Unix | Transport::Tcp);
        let log = match log::path_of(self.server_pid).filter(|path| here && path.exists()) {
            Some(path) => format!("Its log: {}", path.display()),
            None if here => "It kept no log; MOBILEGL_LOG_DIR=FOLDER makes it keep one".to_owned(),
            None => "Its log is where the server runs".to_owned(),
        };
        format!("{reason}. What is drawn from here on is lost. {log}")
    }

    /// True once the session is lost; one load.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.dead.load(Ordering::Relaxed)
    }

    /// Asks the operating system whether the server still lives; latches the loss. For places that must not wait.
    pub fn check_alive(&self) -> Result<(), Lost> {
        if let Carrier::Wire(wire) = &self.carrier {
            let ended = wire.page.state.load(Ordering::Acquire) == ENDED;
            if !self.is_lost() && (ended || hung_up(wire.witness.as_fd())) {
                self.hang_up_seen();
            }
        }
        if self.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// The program exits: ends the server without a word, so that it does not run while libraries are torn down.
    pub(super) fn leave(&self) {
        if let Carrier::Wire(wire) = &self.carrier
            && let Ok(mut peer) = wire.peer.try_lock()
        {
            if self.lost.set(LostReason::ServerGone("the program exits".into())).is_ok() {
                self.dead.store(true, Ordering::Release);
                self.disturb();
            }
            // It fails only when the server hung up first.
            let _ = rustix::net::shutdown(&wire.witness, rustix::net::Shutdown::Both);
            if let Some(stream) = &wire.stream {
                stream.close();
            }
            farewell(&mut peer);
        }
    }

    /// Latches a loss; the first reason wins and is logged once.
    pub(crate) fn latch(&self, reason: LostReason) -> Lost {
        if self.lost.set(reason.clone()).is_ok() {
            self.dead.store(true, Ordering::Release);
            ANY_LOST.store(true, Ordering::Release);
            tracing::error!(transport = self.transport.name(), "{}", self.in_words(&reason));
            self.disturb();
        }
        Lost
    }

    /// The frames of `flow` can be waited for from now on.
    pub(super) fn watch(&self, flow: &Arc<Watched>) {
        let mut watched = locked(&self.watched);
        watched.retain(|flow| flow.strong_count() != 0);
        watched.push(Arc::downgrade(flow));
    }

    /// Nobody completes a frame any more: whoever waits for one looks up.
    fn disturb(&self) {
        let watched: Vec<_> = locked(&self.watched).iter().filter_map(Weak::upgrade).collect();
        watched.iter().for_each(|flow| flow.disturb());
    }

    /// The server hung up or ended the session: finds its last words and latches.
    pub(crate) fn hang_up_seen(&self) -> Lost {
        let Carrier::Wire(wire) = &self.carrier else { return Lost };
        if self.is_lost() {
            return Lost;
        }
        if let Some(fault) = wire.stream.as_ref().and_then(|stream| stream.fault()) {
            return self.latch(LostReason::Server(fault));
        }
        let mut control = locked(&wire.control);
        // The server ends a session by last words and then by closing, so reading to the end cannot wait for ever; a
        // server that froze between the two is waited for like any other frozen server.
        loop {
            match control.receive::<ToClient>() {
                Ok(r) => {
                    if let ToClient::SessionFault { family, detail, .. } = r.message {
                        return self.latch(LostReason::Fault(ToClient::fault(family, detail)));
                    }
                }
                Err(LinkError::Protocol(fault)) => return self.latch(LostReason::Server(fault)),
                Err(_) => break,
            }
        }
        drop(control);
        let detail = match &mut *locked(&wire.peer) {
            Peer::Child(child) => {
                let detail = reap(child, Instant::now() + COLLECT);
                log::add(child.id(), &detail);
                detail
            }
            Peer::Thread(_) => "its thread ended".into(),
            Peer::Stranger => "it closed its socket".into(),
        };
        self.latch(LostReason::ServerGone(detail))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Carrier::Wire(wire) = &mut self.carrier {
            let socket = wire.control.get_mut().unwrap_or_else(PoisonError::into_inner);
            // A server that is gone needs no goodbye.
            let _ = socket.send(&ToServer::Bye, &[]);
            let _ = rustix::net::shutdown(socket.witness(), rustix::net::Shutdown::Write);
            if let Some(stream) = &wire.stream {
                stream.close();
            }
            farewell(wire.peer.get_mut().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

fn embedded(config: &Config) -> Result<super::config::Embedded, LinkError> {
    let missing = || LinkError::Transport(format!("{}: this library has no embedded server", config.transport.name()));
    config.embedded.ok_or_else(missing)
}

fn hello(config: &Config) -> Hello {
    Hello {
        protocol: PROTOCOL_VERSION,
        fingerprint: fingerprint::wire(),
        build: build_stamp(),
        backend: if config.backend.is_empty() { "auto".into() } else { config.backend.clone() },
        program: config.program.clone(),
        pid: std::process::id(),
        token: config.token.as_ref().map(|t| t.bytes().to_vec()).unwrap_or_default(),
        transport: config.transport.name().into(),
        data: DataWish::default(),
        options: config.options.clone(),
    }
}

type Greeted = (Welcome, Mapped<SessionPage>, Bell);

/// The first word of a server. One that listens says at once that it starts: what lies at its address may be anybody's, while a
/// device may take its time to open.
fn first_word(socket: &mut ControlSocket, address: &Address) -> Result<Received<ToClient>, LinkError> {
    let (start, limit) = (Instant::now(), settings::handshake());
    let witness = socket.witness().try_clone_to_owned().map_err(|e| LinkError::os("dup", e))?;
    let stranger = |detail: String| LinkError::Stranger { address: address.to_string(), detail };
    match socket.receive_within::<ToClient>(witness.as_fd(), limit) {
        Ok(Received { message: ToClient::Starting, .. }) => socket.receive(),
        Err(LinkError::Protocol(_)) => Err(stranger("what it says is none of our messages".into())),
        Err(LinkError::Os { .. }) if start.elapsed() >= limit => {
            let seconds = limit.as_secs_f32();
            Err(stranger(format!(
                "it took the connection and gave no answer for {seconds} s (MOBILEGL_IPC_HANDSHAKE_MS)"
            )))
        }
        Err(LinkError::Os { .. }) => Err(stranger("it closed the connection without a word".into())),
        other => other,
    }
}

fn greet(socket: &mut ControlSocket, hello: &Hello, address: Option<&Address>) -> Result<Greeted, LinkError> {
    let sent = socket.send(&ToServer::Hello(hello.clone()), &[]);
    let received = match address {
        // Why it took no hello is found out by listening.
        Some(address) => first_word(socket, address)?,
        None => {
            sent?;
            socket.receive::<ToClient>()?
        }
    };
    let welcome = match received.message {
        ToClient::Welcome(welcome) => welcome,
        ToClient::Refuse { code, detail } => return Err(LinkError::Refused { code, detail }),
        _ => return Err(LinkError::Protocol(Fault::corrupt("control.first"))),
    };
    let wrong = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "welcome.descriptors"));
    if matches!(welcome.data, DataTerms::Stream { .. }) {
        let page = Mapped::<SessionPage>::new(&Arc::new(Segment::private(crate::page::PAGE)?)).ok_or_else(wrong)?;
        page.state.store(LIVE, Ordering::Release);
        return Ok((welcome, page, Bell::new()?));
    }
    let [page, bell] = <[OwnedFd; 2]>::try_from(received.descriptors).map_err(|_| wrong())?;
    let page = Mapped::new(&Arc::new(Segment::adopt(page, welcome.page)?)).ok_or_else(wrong)?;
    Ok((welcome, page, Bell::adopt(bell)))
}

/// Opens the data connection that the server asks for.
fn bind(
    welcome: &Welcome,
    place: Option<(&Address, bool)>,
    witness: &OwnedFd,
    page: &Mapped<SessionPage>,
) -> Result<Option<Arc<ClientStream>>, LinkError> {
    let DataTerms::Stream { nonce, pack, slots } = welcome.data else { return Ok(None) };
    let Some((address, _)) = place else { return Err(LinkError::Protocol(Fault::corrupt("welcome.data"))) };
    let (fd, _) = dial(address, Use::Data)?;
    crate::control::socket::send(fd.as_fd(), &ToServer::DataBind { nonce }, &[])?;
    let witness = witness.try_clone().map_err(|e| LinkError::os("dup", e))?;
    ClientStream::start(fd, witness, Terms { pack, slots }, page.clone()).map(Some)
}

fn adopt_flow(terms: FlowTerms, descriptors: Vec<OwnedFd>) -> Result<(FlowMemory, Option<Bell>), LinkError> {
    let wrong = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.descriptors"));
    let [cmd, stage, reply, event, bell] = <[OwnedFd; 5]>::try_from(descriptors).map_err(|_| wrong())?;
    let adopt = |fd, len: Option<u64>| Segment::adopt(fd, len.ok_or_else(wrong)?).map(Arc::new);
    let memory = FlowMemory {
        terms,
        cmd: adopt(cmd, terms.ring.checked_add(crate::page::PAGE as u64))?,
        stage: adopt(stage, Some(terms.stage))?,
        reply: adopt(reply, terms.slot.checked_mul(u64::from(terms.slots)))?,
        event: adopt(event, Some(terms.event))?,
    };
    Ok((memory, Some(Bell::adopt(bell))))
}

impl Wire {
    pub(crate) fn witness(&self) -> BorrowedFd<'_> {
        self.witness.as_fd()
    }
}
