//! The loop of a listening server: accepts, asks for the token, gives each session a worker and names its end. It stays
//! small and never touches a driver, so that nothing a client or a driver does can end it. Must not serve a session.

use super::backoff::{Backoff, Seldom};
use super::first::{Look, Pending};
use super::listener::{Listener, Origin};
use crate::control::messages::ToWorker;
use crate::control::{ControlSocket, Hello, ToClient, ToServer, fingerprint};
use crate::death::in_words;
use crate::error::{LinkError, RefuseCode};
use crate::server::log;
use crate::server::serve::End;
use crate::settings;
use crate::stream::socket::{Use, prepare};
use crate::token::{Token, same};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What serves a session.
#[derive(Debug)]
pub enum Worker {
    /// A process: what happens to it happens to nobody else. The descriptor can be read when it has ended.
    Process(Child, OwnedFd),
    /// A thread of this process, for tests and for embedders.
    Thread(JoinHandle<End>),
}

impl Worker {
    fn name(&self) -> String {
        match self {
            Self::Process(child, _) => format!("process {}", child.id()),
            Self::Thread(_) => "thread".into(),
        }
    }

    /// Waits for the end of a worker that has announced it.
    fn collect(self) -> String {
        match self {
            Self::Process(mut child, _) => {
                let ended = child.wait();
                if let Ok(status) = &ended
                    && !status.success()
                {
                    log::add(child.id(), &in_words(*status));
                }
                ended.map_or_else(|e| e.to_string(), in_words)
            }
            Self::Thread(thread) => thread.join().map_or_else(|_| "panic".into(), |end| format!("{end:?}")),
        }
    }
}

#[derive(Debug)]
struct Active {
    channel: ControlSocket,
    worker: Worker,
    /// Until the data connection has come.
    nonce: Option<[u8; 16]>,
}

impl Active {
    /// What becomes ready when the worker has ended.
    fn end(&self) -> BorrowedFd<'_> {
        match &self.worker {
            Worker::Process(_, pid) => pid.as_fd(),
            Worker::Thread(_) => self.channel.witness(),
        }
    }
}

/// Starts a worker that takes its session from the descriptor.
pub type Launch = Box<dyn FnMut(OwnedFd) -> Result<Worker, LinkError> + Send>;

/// A supervisor.
pub struct Supervisor {
    listeners: Vec<Listener>,
    token: Option<Token>,
    most: usize,
    launch: Launch,
    pending: Vec<Pending>,
    pending_most: usize,
    pending_time: Duration,
    active: Vec<Active>,
    backoff: Backoff,
    failures: Seldom,
}

impl std::fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supervisor").field("listeners", &self.listeners).finish_non_exhaustive()
    }
}

impl Supervisor {
    /// Serves at most `most` sessions at a time for clients of `listeners`, each by what `launch` starts.
    pub fn new(listeners: Vec<Listener>, token: Option<Token>, most: usize, launch: Launch) -> Self {
        let number = |name, default| settings::number(name).unwrap_or(default);
        let after = number("MOBILEGL_IPC_AUTH_BACKOFF_AFTER", 5).min(1000) as u32;
        let first = Duration::from_millis(number("MOBILEGL_IPC_AUTH_BACKOFF_MS", 1000));
        Self {
            listeners,
            token,
            most,
            launch,
            pending: Vec::new(),
            pending_most: number("MOBILEGL_IPC_PREAUTH_MAX", 8).clamp(1, 256) as usize,
            pending_time: Duration::from_millis(number("MOBILEGL_IPC_PREAUTH_MS", 2000)),
            active: Vec::new(),
            backoff: Backoff::new(after, first),
            failures: Seldom::default(),
        }
    }

    /// Serves until `stop` can be read or hangs up. Then worker processes are ended; threads end with their clients.
    pub fn run(mut self, stop: &OwnedFd) {
        while !self.turn(stop) {}
        self.listeners.clear();
        self.pending.clear();
        for Active { channel, worker, .. } in self.active.drain(..) {
            drop(channel);
            if let Worker::Process(child, _) = &worker {
                let pid = rustix::process::Pid::from_child(child);
                // One that has ended by itself meanwhile needs no signal.
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            }
            let name = worker.name();
            tracing::info!("{name} ended: {}", worker.collect());
        }
    }

    /// One wait and what came of it; true when it is time to stop.
    fn turn(&mut self, stop: &OwnedFd) -> bool {
        let now = Instant::now();
        let next = self.pending.iter().map(|p| p.deadline).min();
        let span = next.map(|at| at.saturating_duration_since(now) + Duration::from_millis(1));
        let span = span.map(|s| Timespec { tv_sec: s.as_secs() as i64, tv_nsec: i64::from(s.subsec_nanos()) });
        let input = PollFlags::IN;
        let mut fds = vec![PollFd::new(stop, input)];
        fds.extend(self.listeners.iter().map(|l| PollFd::from_borrowed_fd(l.descriptor(), input)));
        fds.extend(self.pending.iter().map(|p| PollFd::new(&p.fd, input)));
        fds.extend(self.active.iter().map(|a| PollFd::from_borrowed_fd(a.end(), input)));
        if rustix::event::poll(&mut fds, span.as_ref()).is_err() {
            return false;
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty()).collect::<Vec<_>>().into_iter();
        let mut marks = |count: usize| ready.by_ref().take(count).collect::<Vec<_>>();
        let (stopped, listeners) = (marks(1), marks(self.listeners.len()));
        let (pending, active) = (marks(self.pending.len()), marks(self.active.len()));
        if stopped.contains(&true) {
            return true;
        }
        self.reap(&active);
        self.first_messages(&pending);
        for at in (0..listeners.len()).filter(|at| listeners.get(*at) == Some(&true)) {
            self.accept(at);
        }
        false
    }

    /// Names the end of a worker; the next round sees further ones.
    fn reap(&mut self, ready: &[bool]) {
        let Some(at) = ready.iter().position(|ready| *ready) else { return };
        let Active { worker, .. } = self.active.swap_remove(at);
        let name = worker.name();
        let end = worker.collect();
        tracing::info!("{name} ended: {end}; {} sessions are left", self.active.len());
    }

    fn accept(&mut self, at: usize) {
        let Some(listener) = self.listeners.get(at) else { return };
        let transport = listener.address().kind();
        let Some((fd, origin)) = listener.accept() else { return };
        let now = Instant::now();
        let deadline = match origin {
            Origin::Host(_) => now + self.pending_time,
            // Who may connect here is known, so it is given the time that it gives us.
            Origin::Local(_) => now + settings::handshake(),
        };
        if self.pending.len() >= self.pending_most {
            self.displace();
        }
        self.pending.push(Pending::new(fd, origin, transport, deadline));
    }

    /// A newcomer takes the place of the oldest connection of the busiest origin.
    fn displace(&mut self) {
        let count = |origin: Origin| self.pending.iter().filter(|p| p.origin == origin).count();
        let Some(most) = self.pending.iter().map(|p| count(p.origin)).max() else { return };
        if let Some(at) = self.pending.iter().position(|p| count(p.origin) == most) {
            let gone = self.pending.remove(at);
            self.failed(gone.origin, "its connection gave way to newer ones");
        }
    }

    fn failed(&mut self, origin: Origin, what: &str) {
        let Origin::Host(host) = origin else { return };
        let now = Instant::now();
        self.backoff.failed(host, now);
        if let Some(unsaid) = self.failures.due(now) {
            tracing::warn!(%host, unsaid, "a connection was turned away: {what}");
        }
    }

    fn first_messages(&mut self, ready: &[bool]) {
        let now = Instant::now();
        let mut rest = Vec::new();
        for (at, mut pending) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            let look = if ready.get(at) == Some(&true) { pending.look() } else { Look::Wait };
            match look {
                Look::Wait if now < pending.deadline => rest.push(pending),
                Look::Wait => self.failed(pending.origin, "it said nothing"),
                Look::Gone => {}
                Look::Garbage => {
                    let what = "the first message is not one of ours";
                    self.failed(pending.origin, what);
                    refuse(&pending, RefuseCode::MalformedHello, what);
                }
                Look::Message(ToServer::Hello(hello)) => self.hello(pending, hello),
                Look::Message(ToServer::DataBind { nonce }) => self.data(pending, &nonce),
                Look::Message(_) => refuse(&pending, RefuseCode::MalformedHello, "the first message is not a hello"),
            }
        }
        self.pending = rest;
    }

    /// True when this client may have a session; it was told otherwise.
    fn admitted(&mut self, pending: &Pending, hello: &Hello) -> bool {
        match (pending.origin, &self.token) {
            (Origin::Local(uid), _) if uid != rustix::process::geteuid().as_raw() => {
                refuse(pending, RefuseCode::Authentication, "this server belongs to another user");
                return false;
            }
            (Origin::Host(host), Some(token)) => {
                // Before the token is looked at: a guess made meanwhile must tell nothing.
                if let Some(left) = self.backoff.waits(host, Instant::now()) {
                    let seconds = left.as_secs() + 1;
                    let detail = format!("this host failed too often; try again in {seconds} seconds");
                    refuse(pending, RefuseCode::Authentication, &detail);
                    return false;
                }
                if !token.matches(&hello.token) {
                    let (what, help) = if hello.token.is_empty() {
                        ("it said no token", "set MOBILEGL_IPC_TOKEN or MOBILEGL_IPC_TOKEN_FILE")
                    } else {
                        ("its token is wrong", "the token is not the server's")
                    };
                    self.failed(pending.origin, what);
                    refuse(pending, RefuseCode::Authentication, help);
                    return false;
                }
                self.backoff.succeeded(host);
            }
            (Origin::Host(host), _) => self.backoff.succeeded(host),
            (Origin::Local(_), _) => {}
        }
        if self.active.len() >= self.most {
            refuse(
                pending,
                RefuseCode::Busy,
                &format!("{} sessions are all there may be; --sessions-max N of the server allows more", self.most),
            );
            return false;
        }
        true
    }

    fn hello(&mut self, pending: Pending, hello: Hello) {
        if !self.admitted(&pending, &hello) {
            return;
        }
        let program = hello.program.clone();
        if hello.fingerprint == fingerprint::wire() {
            // A client of another build might not know the word. One that is gone is found out by its worker.
            let _ = crate::control::socket::send(pending.fd.as_fd(), &ToClient::Starting, &[]);
        }
        match self.start(&pending, hello) {
            Ok(active) => {
                tracing::info!(program, "{} serves", active.worker.name());
                self.active.push(active);
            }
            Err(error) => {
                tracing::error!(%error, "a worker could not be started");
                refuse(&pending, RefuseCode::Resources, "a worker could not be started; see the server's log");
            }
        }
    }

    fn start(&mut self, pending: &Pending, hello: Hello) -> Result<Active, LinkError> {
        let nonce = match pending.origin {
            Origin::Local(_) if !hello.data.stream => None,
            Origin::Local(_) | Origin::Host(_) => Some(crate::random::<16>()?),
        };
        let (mine, theirs) = ControlSocket::pair()?;
        let worker = (self.launch)(theirs)?;
        let channel = ControlSocket::new(mine);
        let transport = pending.transport.to_string();
        channel.send(&ToWorker::Session { hello: Box::new(hello), transport, nonce }, &[pending.fd.as_fd()])?;
        Ok(Active { channel, worker, nonce })
    }

    fn data(&mut self, pending: Pending, said: &[u8; 16]) {
        let found = self.active.iter_mut().find(|a| a.nonce.is_some_and(|nonce| same(&nonce, said)));
        match found {
            Some(active) => {
                // Once: whoever overhears the number later cannot use it.
                active.nonce = None;
                let prepared = match pending.origin {
                    Origin::Host(_) => prepare(&pending.fd, Use::Data),
                    Origin::Local(_) => Ok(()),
                };
                let passed = prepared.and_then(|()| active.channel.send(&ToWorker::Data, &[pending.fd.as_fd()]));
                if let Err(error) = passed {
                    tracing::warn!(%error, "a data connection could not be passed on");
                }
            }
            None => self.failed(pending.origin, "its data connection belongs to no session"),
        }
    }
}

fn refuse(pending: &Pending, code: RefuseCode, detail: &str) {
    // The client may be gone already; then nobody needs the answer.
    let _ = crate::control::socket::send(pending.fd.as_fd(), &ToClient::Refuse { code, detail: detail.into() }, &[]);
}
