//! Accepting a client and serving it until it ends: the loop of a server process and of the in-process thread. The
//! handshake never aborts: it refuses by name (spec 06b §3). Must not know backends.

use super::handler::{Factory, Refusal, SessionHandler};
use super::io::ServerWire;
use super::limits::Limits;
use super::log::ServerLog;
use super::memories::Purpose;
use super::pump::panic_text;
use super::rounds::{Ended, Rounds};
use crate::bell::{Bell, Spin, park};
use crate::control::messages::{DataTerms, ToWorker};
use crate::control::messages::{PROTOCOL_VERSION, build_stamp};
use crate::control::{
    ControlSocket, Hello, SESSION_ARGUMENT, ToClient, ToServer, WORKER_ARGUMENT, Welcome, fingerprint,
};
use crate::death;
use crate::error::{LinkError, RefuseCode};
use crate::page::{ENDED, LIVE, PAGE, SessionPage};
use crate::process::inherited;
use crate::segment::{Mapped, Segment};
use crate::stream::cache::slots_for;
use crate::stream::{ServerStream, Terms};
use crate::sync::{Machine, Parker};
use core::sync::atomic::Ordering;
use mgl_base::{Family, Fault};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// Pause between two looks while something will happen without a doorbell: an unfinished fence, or a flow that waits
/// for another one whose last records may not have been flushed yet.
const TICK: Duration = Duration::from_millis(1);
/// The same while nobody waits for what the device does: only whether it ends at all is looked at.
const WATCH: Duration = Duration::from_millis(250);
/// How long an accepted client may take to open its data connection.
const BIND: Duration = Duration::from_secs(5);

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The client said goodbye.
    Bye,
    /// The client hung up.
    PeerGone,
    /// The client was refused.
    Refused(Refusal),
    /// The session ended by name.
    Fault(Fault),
}

impl End {
    /// Exit code of a server process (spec 13 §6).
    pub fn exit_code(&self) -> i32 {
        match self {
            End::Fault(fault) if fault.detail != "event_ring.forfeit" => 75,
            _ => 0,
        }
    }
}

/// The control socket that a client handed to this process, from `--session-fd N` on its command line.
pub fn inherited_socket(args: impl IntoIterator<Item = std::ffi::OsString>) -> Option<OwnedFd> {
    inherited(args, SESSION_ARGUMENT)
}

/// The channel that a supervisor handed to this process, from `--worker-fd N` on its command line.
pub fn inherited_worker(args: impl IntoIterator<Item = std::ffi::OsString>) -> Option<OwnedFd> {
    inherited(args, WORKER_ARGUMENT)
}

/// A connected client that has not been accepted yet.
#[derive(Debug)]
pub struct Endpoint {
    socket: ControlSocket,
    handed: Option<Handed>,
    /// The process is there for this session alone.
    alone: bool,
}

/// What a supervisor hands to a worker.
#[derive(Debug)]
struct Handed {
    hello: Box<Hello>,
    transport: String,
    nonce: Option<[u8; 16]>,
    channel: ControlSocket,
}

impl Endpoint {
    /// The inherited (or accepted) control socket.
    pub fn from_fd(fd: OwnedFd) -> Self {
        Self { socket: ControlSocket::new(fd), handed: None, alone: false }
    }

    /// The client that a supervisor hands over on `channel`.
    pub fn from_supervisor(channel: OwnedFd) -> Result<Self, LinkError> {
        let mut channel = ControlSocket::new(channel);
        let received = channel.receive::<ToWorker>()?;
        let wrong = || LinkError::Protocol(Fault::corrupt("handover"));
        let ToWorker::Session { hello, transport, nonce } = received.message else { return Err(wrong()) };
        let [socket] = <[OwnedFd; 1]>::try_from(received.descriptors).map_err(|_| wrong())?;
        let handed = Some(Handed { hello, transport, nonce, channel });
        Ok(Self { socket: ControlSocket::new(socket), handed, alone: true })
    }

    /// Reads the hello and answers it. `Err(end)` when there is no session; the client was told why.
    pub fn accept(mut self, limits: Limits, factory: Factory<'_>) -> Result<Accepted, End> {
        let hello = match &self.handed {
            Some(handed) => Hello { transport: handed.transport.clone(), ..(*handed.hello).clone() },
            None => match self.socket.receive::<ToServer>() {
                Ok(received) => match received.message {
                    ToServer::Hello(hello) => hello,
                    _ => return Err(self.refuse(RefuseCode::MalformedHello, "the first message is not a hello".into())),
                },
                Err(LinkError::Protocol(fault)) => {
                    return Err(self.refuse(RefuseCode::MalformedHello, fault.to_string()));
                }
                Err(_) => return Err(End::PeerGone),
            },
        };
        if let Err(refusal) = check(&hello, self.handed.is_some()) {
            return Err(self.refuse(refusal.code, refusal.detail));
        }
        let mut handler = match factory(&hello) {
            Ok(handler) => handler,
            Err(refusal) => return Err(self.refuse(refusal.code, refusal.detail)),
        };
        let data = self.terms(&limits, &hello);
        let wire = match self.make_wire(data) {
            Ok(wire) => wire,
            Err(error) => return Err(self.refuse(RefuseCode::Resources, error.to_string())),
        };
        let backend = handler.backend();
        let log = ServerLog::open(&hello.transport, &backend);
        if self.alone {
            // Before anybody can know of this process and end it.
            death::watch(log.descriptor(), self.socket.witness());
        }
        let welcome = Welcome { backend, pid: std::process::id(), page: PAGE as u64, caps: handler.caps(), data };
        let page = wire.page.segment().descriptor().into_iter();
        let descriptors: Vec<_> = page.flat_map(|page| [page, wire.bell.descriptor()]).collect();
        if self.socket.send(&ToClient::Welcome(welcome), &descriptors).is_err() {
            return Err(End::PeerGone);
        }
        let wire = self.bind(wire, data).map_err(|_| End::PeerGone)?;
        let rounds = Rounds::new(handler, limits, Some(wire));
        if self.alone
            && let Ok(socket) = self.socket.witness().try_clone_to_owned()
        {
            rounds.flows.beat.watch(rounds.time_limit(), socket);
        }
        let channel = self.handed.map(|h| h.channel);
        Ok(Accepted { socket: self.socket, rounds, log, hello, spin: false, channel })
    }

    fn terms(&self, limits: &Limits, hello: &Hello) -> DataTerms {
        match self.handed.as_ref().and_then(|h| h.nonce) {
            None => DataTerms::Shared,
            Some(nonce) => {
                let slots = if hello.data.cache { slots_for(limits.cache) } else { 0 };
                DataTerms::Stream { nonce, pack: hello.data.pack, slots }
            }
        }
    }

    fn make_wire(&self, data: DataTerms) -> Result<ServerWire, LinkError> {
        let shared = data == DataTerms::Shared;
        let segment = Arc::new(if shared { Segment::shared(PAGE)? } else { Segment::private(PAGE)? });
        let page: Mapped<SessionPage> = Mapped::new(&segment)
            .ok_or_else(|| LinkError::Protocol(Fault::new(Family::SegmentMismatch, "session.page")))?;
        page.state.store(LIVE, Ordering::Release);
        let witness = self.socket.witness().try_clone_to_owned().map_err(|e| LinkError::os("dup", e))?;
        Ok(ServerWire { page, bell: Bell::new()?, parker: Parker::default(), witness, stream: None })
    }

    /// Waits for the data connection, when there is to be one.
    fn bind(&mut self, mut wire: ServerWire, data: DataTerms) -> Result<ServerWire, LinkError> {
        let (DataTerms::Stream { pack, slots, .. }, Some(handed)) = (data, &mut self.handed) else { return Ok(wire) };
        let received = handed.channel.receive_within::<ToWorker>(wire.witness.as_fd(), BIND)?;
        let wrong = || LinkError::Protocol(Fault::corrupt("handover.data"));
        let [fd] = <[OwnedFd; 1]>::try_from(received.descriptors).map_err(|_| wrong())?;
        let witness = wire.witness.try_clone().map_err(|e| LinkError::os("dup", e))?;
        let terms = Terms { pack, slots };
        wire.stream = Some(ServerStream::start(fd, witness, terms, wire.page.clone(), &wire.bell)?);
        Ok(wire)
    }

    fn refuse(self, code: RefuseCode, detail: String) -> End {
        // The client may be gone already; then nobody needs the answer.
        let _ = self.socket.send(&ToClient::Refuse { code, detail: detail.clone() }, &[]);
        End::Refused(Refusal { code, detail })
    }

    /// Accepts and serves.
    pub fn run(self, limits: Limits, factory: Factory<'_>) -> End {
        match self.accept(limits, factory) {
            Ok(accepted) => accepted.serve(),
            Err(end) => end,
        }
    }
}

fn check(hello: &Hello, connected: bool) -> Result<(), Refusal> {
    let differs =
        |code, mine: String, theirs: String| Refusal { code, detail: format!("server {mine}, client {theirs}") };
    if hello.protocol != PROTOCOL_VERSION {
        return Err(differs(RefuseCode::ProtocolVersion, PROTOCOL_VERSION.to_string(), hello.protocol.to_string()));
    }
    let mine = fingerprint::wire();
    if hello.fingerprint != mine {
        let code = RefuseCode::WireFingerprint;
        return Err(differs(code, format!("{mine:016x}"), format!("{:016x}", hello.fingerprint)));
    }
    // A client that started this process must be of its build. One that connects may be of another one, whose layouts
    // are the same: that is what the fingerprint says.
    let must = !connected || crate::settings::number("MOBILEGL_IPC_REQUIRE_SAME_BUILD") == Some(1);
    if hello.build != build_stamp() {
        if must {
            return Err(differs(RefuseCode::BuildFingerprint, build_stamp(), hello.build.clone()));
        }
        tracing::warn!(server = build_stamp(), client = hello.build, "another build, with the same layouts");
    }
    Ok(())
}

/// A session that is up.
pub struct Accepted {
    socket: ControlSocket,
    rounds: Rounds,
    log: ServerLog,
    hello: Hello,
    /// Something happened since the last sleep, so more may follow at once.
    spin: bool,
    /// The supervisor takes its hang-up for the end of the session.
    channel: Option<ControlSocket>,
}

impl std::fmt::Debug for Accepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accepted").field("hello", &self.hello).finish_non_exhaustive()
    }
}

enum Stop {
    End(End),
    Ended(Ended),
}

impl From<Ended> for Stop {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

impl Accepted {
    /// What the client said of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Serves until the session ends. A panic of the applier ends its session by name, like any other fault.
    pub fn serve(mut self) -> End {
        let stop = catch_unwind(AssertUnwindSafe(|| self.turns()))
            .unwrap_or_else(|panic| Stop::Ended(Fault::new(Family::ServerCrashed, panic_text(&*panic)).into()));
        let end = match stop {
            Stop::End(end) => end,
            // The client died while something was being sent to it.
            Stop::Ended(_) if self.gone() => End::PeerGone,
            Stop::Ended(ended) => {
                // What was applied before still counts.
                self.rounds.report();
                self.last_words(&ended);
                End::Fault(ended.fault)
            }
        };
        self.log.line(&format!("session end: {end:?}, {} records", self.rounds.records()));
        if let Some(wire) = &self.rounds.flows.wire {
            wire.page.state.store(ENDED, Ordering::SeqCst);
        }
        self.rounds.wake_all();
        if let Some(stream) = self.stream() {
            stream.close();
        }
        drop(self.channel.take());
        death::forget();
        self.rounds.flows.beat.hang_up();
        end
    }

    fn stream(&self) -> Option<&Arc<ServerStream>> {
        self.rounds.flows.wire.as_ref().and_then(|wire| wire.stream.as_ref())
    }

    fn gone(&self) -> bool {
        crate::bell::hung_up(self.socket.witness())
    }

    fn last_words(&mut self, ended: &Ended) {
        let Ended { fault, flow, seq, op } = ended;
        let text = format!("{fault} flow {flow} record {seq} opcode {op}");
        tracing::error!("session fault: {text}");
        self.log.line(&text);
        let (family, detail) = (fault.family as u32, fault.detail.to_string());
        let words = ToClient::SessionFault { family, detail, flow: *flow, seq: *seq, op: *op };
        // A client that is gone needs no last words.
        let _ = self.socket.send(&words, &[]);
    }

    fn turns(&mut self) -> Stop {
        let spin = Spin::from_env();
        loop {
            if let Err(stop) = self.turn(&spin) {
                return stop;
            }
        }
    }

    /// True when a control message is on its way.
    fn called(&self) -> bool {
        self.rounds.flows.wire.as_ref().is_some_and(|w| w.page.control_pending.load(Ordering::Relaxed) != 0)
    }

    fn ready(&self) -> bool {
        self.rounds.pending() || self.called()
    }

    fn turn(&mut self, spin: &Spin) -> Result<(), Stop> {
        if self.called() {
            self.control()?;
        }
        if self.rounds.round()? {
            self.spin = true;
            self.rounds.idle(true)?;
            return Ok(());
        }
        // A client that is merely a little slower must not make the applier submit and report after every record:
        // it is told that the ring ran dry only when the spin was in vain. After a mere tick there is no spin.
        if std::mem::take(&mut self.spin) && spin.until(|| self.ready()) {
            return Ok(());
        }
        let again = self.rounds.idle(false)?;
        self.rounds.report();
        let Some(wire) = &self.rounds.flows.wire else { return Ok(()) };
        let ready = || self.ready();
        if !wire.parker.may_park::<Machine, _>(&wire.page.parked, 1, ready) {
            return Ok(());
        }
        let tick = match again || self.rounds.blocked() {
            true => Some(TICK),
            false => self.rounds.working().then_some(WATCH),
        };
        let woke = park(&wire.bell, wire.witness.as_fd(), true, tick);
        Parker::awake(&wire.page.parked);
        self.spin = woke.rung;
        if woke.readable || woke.hung_up {
            self.control()?;
        }
        Ok(())
    }

    /// Handles every control message that has come.
    fn control(&mut self) -> Result<(), Stop> {
        if let Some(wire) = &self.rounds.flows.wire {
            wire.page.control_pending.swap(0, Ordering::AcqRel);
        }
        loop {
            match self.socket.try_receive::<ToServer>() {
                Ok(None) => break,
                Ok(Some(received)) => self.message(received.message)?,
                Err(LinkError::Protocol(fault)) => return Err(Stop::Ended(fault.into())),
                Err(_) => return Err(Stop::End(End::PeerGone)),
            }
        }
        match self.stream().and_then(|stream| stream.fault()) {
            Some(fault) => Err(Stop::Ended(fault.into())),
            None => Ok(()),
        }
    }

    fn message(&mut self, message: ToServer) -> Result<(), Stop> {
        match message {
            ToServer::Hello(_) | ToServer::DataBind { .. } => Err(Stop::Ended(Fault::corrupt("control.hello").into())),
            ToServer::Bye => Err(Stop::End(End::Bye)),
            ToServer::DestroyFlow { id, head } => {
                self.rounds.close_flow(id, head);
                Ok(())
            }
            ToServer::CreateFlow { share } => self.create_flow(share),
            ToServer::ShareMemory { len } => self.share(Purpose::Buffer, len),
            ToServer::SharePixels { len } => self.share(Purpose::Pixels, len),
        }
    }

    fn share(&mut self, purpose: Purpose, len: u64) -> Result<(), Stop> {
        let sent = match self.rounds.share(purpose, len) {
            Ok((id, memory)) => {
                let descriptor: Vec<BorrowedFd<'_>> = memory.descriptor().into_iter().collect();
                self.socket.send(&ToClient::Memory { id, len }, &descriptor)
            }
            Err(LinkError::Refused { code, detail }) => self.socket.send(&ToClient::Refuse { code, detail }, &[]),
            Err(error) => {
                let refuse = ToClient::Refuse { code: RefuseCode::Resources, detail: error.to_string() };
                self.socket.send(&refuse, &[])
            }
        };
        sent.map_err(|_| Stop::End(End::PeerGone))
    }

    fn create_flow(&mut self, share: u32) -> Result<(), Stop> {
        let sent = match self.rounds.create_flow(share) {
            Ok(flow) => {
                let m = flow.memory();
                let parts = [&m.cmd, &m.stage, &m.reply, &m.event];
                let segments = parts.into_iter().filter_map(|s| s.descriptor());
                let all: Vec<BorrowedFd<'_>> = segments.chain(flow.bell().map(Bell::descriptor)).collect();
                self.socket.send(&ToClient::Flow(m.terms), &all)
            }
            Err(LinkError::Refused { code, detail }) => self.socket.send(&ToClient::Refuse { code, detail }, &[]),
            Err(error) => {
                let refuse = ToClient::Refuse { code: RefuseCode::Resources, detail: error.to_string() };
                self.socket.send(&refuse, &[])
            }
        };
        sent.map_err(|_| Stop::End(End::PeerGone))
    }
}

/// Accepts one client on `fd` and serves it with what `factory` makes.
pub fn serve(
    fd: OwnedFd,
    limits: Limits,
    mut factory: impl FnMut(&Hello) -> Result<Box<dyn SessionHandler>, Refusal>,
) -> End {
    Endpoint { alone: true, ..Endpoint::from_fd(fd) }.run(limits, &mut factory)
}

/// Serves the client that a supervisor hands over on `channel`.
pub fn serve_handed(
    channel: OwnedFd,
    limits: Limits,
    mut factory: impl FnMut(&Hello) -> Result<Box<dyn SessionHandler>, Refusal>,
) -> End {
    match Endpoint::from_supervisor(channel) {
        Ok(endpoint) => endpoint.run(limits, &mut factory),
        Err(error) => {
            tracing::error!(%error, "no session was handed over");
            End::PeerGone
        }
    }
}
