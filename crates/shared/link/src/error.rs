//! What can go wrong between the two roles, as values. Must not know rings or sockets.

use mgl_base::{Family, Fault};
use std::borrow::Cow;

/// Why a session could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// A value of the environment that names nothing.
    #[error("Refuse{{{name},\"{value}\"}}: {help}")]
    Setting {
        /// Name of the switch.
        name: &'static str,
        /// What it was set to.
        value: String,
        /// What to set it to.
        help: Cow<'static, str>,
    },
    /// The transport cannot be had in this build or process.
    #[error("Refuse{{Transport,\"{0}\"}}")]
    Transport(String),
    /// The server image cannot be started.
    #[error("Refuse{{ServerImage,\"{path}\"}}: {detail}; set MOBILEGL_IPC_SERVER_PATH to the mobilegl-server program")]
    ServerImage {
        /// The path that was tried.
        path: String,
        /// Why it does not do.
        detail: String,
    },
    /// A server process asked to become a client of itself.
    #[error("Refuse{{Recursion,\"{0}\"}}: this process is a MobileGL server and may not load the client")]
    Recursion(&'static str),
    /// An address that cannot be used.
    #[error("Refuse{{Address,\"{address}\"}}: {detail}")]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Nobody serves there.
    #[error("Refuse{{Unreachable,\"{address}\"}}: {detail}; is `mobilegl serve --listen {address}` running?")]
    Unreachable {
        /// The address.
        address: String,
        /// What the system said.
        detail: String,
    },
    /// Somebody listens there, but nobody of ours.
    #[error("Refuse{{NotMobileGL,\"{address}\"}}: this is no MobileGL server: {detail}")]
    Stranger {
        /// The address.
        address: String,
        /// What it did instead of answering.
        detail: String,
    },
    /// An access token that cannot be used. The text never holds the token.
    #[error("Refuse{{Token}}: {0}")]
    Token(String),
    /// An address cannot be listened on.
    #[error("Refuse{{Listen,\"{address}\"}}: {detail}")]
    Listen {
        /// The address.
        address: String,
        /// Why not.
        detail: String,
    },
    /// The server answered and refused.
    #[error("Refuse{{{code:?},\"{detail}\"}}")]
    Refused {
        /// The word (spec 13 §5).
        code: RefuseCode,
        /// The values that differ.
        detail: String,
    },
    /// The server went away before the session was up.
    #[error("Refuse{{ServerGone,\"{0}\"}}: see the server's own log")]
    ServerGone(String),
    /// The peer broke the control protocol.
    #[error("{0}")]
    Protocol(Fault),
    /// The operating system refused.
    #[error("{what}: {source}")]
    Os {
        /// What was attempted.
        what: &'static str,
        /// The error.
        source: std::io::Error,
    },
}

impl LinkError {
    pub(crate) fn os(what: &'static str, source: impl Into<std::io::Error>) -> Self {
        Self::Os { what, source: source.into() }
    }
}

/// Words of a handshake refusal (spec 13 §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum RefuseCode {
    /// Different protocol version.
    ProtocolVersion,
    /// The ends were built from different catalogues.
    WireFingerprint,
    /// Different builds where equal ones are required.
    BuildFingerprint,
    /// No session slot.
    Busy,
    /// The hello could not be understood.
    MalformedHello,
    /// Wrong or missing token.
    Authentication,
    /// The wished backend is not in this server or cannot start.
    Backend,
    /// The server has no room for another flow.
    FlowLimit,
    /// A resource of the operating system is spent.
    Resources,
}

/// The session is lost: sticky, the reason is in [`crate::client::Session::lost`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session with the server is lost")]
pub struct Lost;

/// Why a session was lost. The first reason wins.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LostReason {
    /// The server hung up without a word: it died or was killed.
    #[error("The graphics server ended ({0})")]
    ServerGone(String),
    /// The server ended the session by name.
    #[error("{}", fault_in_words(.0))]
    Fault(Fault),
    /// The server broke the protocol.
    #[error("The graphics server broke the protocol: {0}")]
    Server(Fault),
    /// The caller asked for something that can never be carried.
    #[error("The program's side of the connection broke the protocol: {0}")]
    Client(Fault),
}

fn fault_in_words(fault: &Fault) -> String {
    match fault.family {
        Family::ServerCrashed => format!("The graphics server ended ({})", fault.detail),
        _ => format!("The graphics server ended the session: {fault}"),
    }
}
