//! What the two ends say to each other outside the rings. Variants are append-only; a change here raises
//! [`CONTROL_REVISION`]. Must not carry addresses, descriptor numbers or process identity that anyone acts on.

use crate::error::RefuseCode;
use mgl_base::{Family, Fault};
use serde::{Deserialize, Serialize};

/// Version of the record protocol.
pub const PROTOCOL_VERSION: u32 = 1;
/// Version of this file.
pub const CONTROL_REVISION: u32 = 6;

/// The first message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL_VERSION`] of the client.
    pub protocol: u32,
    /// [`super::fingerprint::wire`] of the client.
    pub fingerprint: u64,
    /// Identity of the build.
    pub build: String,
    /// Wished backend: `auto`, `magma`, `espryt`, `null`.
    pub backend: String,
    /// Name of the program, for logs.
    pub program: String,
    /// Process id, for logs only.
    pub pid: u32,
    /// Access token; empty when none is needed.
    pub token: Vec<u8>,
    /// How the client reached the server, for its log; a listening server knows better.
    pub transport: String,
    /// Wishes for a data connection, should there be one.
    pub data: DataWish,
    /// Further wishes, `key=value`.
    pub options: Vec<(String, String)>,
}

/// What the client would like of the data plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataWish {
    /// A data connection although memory could be shared.
    pub stream: bool,
    /// LZ4 where it gains.
    pub pack: bool,
    /// A cache of uploads.
    pub cache: bool,
}

/// How everything but control messages travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataTerms {
    /// In shared segments, passed as descriptors.
    Shared,
    /// On a connection of its own, which begins with this number.
    Stream {
        /// What [`ToServer::DataBind`] must say.
        nonce: [u8; 16],
        /// LZ4 may be used.
        pack: bool,
        /// Slots of the cache of uploads; 0 = none.
        slots: u32,
    },
}

/// The server's yes. Descriptors when memory is shared: session page, server bell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The backend that runs.
    pub backend: String,
    /// Process id of the server, for logs and the proof of the transport.
    pub pid: u32,
    /// Bytes of the session page segment.
    pub page: u64,
    /// The caps snapshot, postcard bytes of `mgl_pipe::caps::Caps`.
    pub caps: Vec<u8>,
    /// The data plane.
    pub data: DataTerms,
}

/// Sizes of a flow, stated by the server. Descriptors when memory is shared: command, stage, reply, event segment, client bell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowTerms {
    /// The flow, from 1.
    pub id: u32,
    /// Bytes of the command ring; its segment has a control page more.
    pub ring: u64,
    /// Bytes of the staging arena.
    pub stage: u64,
    /// Bytes of one reply slot.
    pub slot: u64,
    /// Number of reply slots.
    pub slots: u32,
    /// Bytes of the event ring.
    pub event: u64,
}

/// Client to server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToServer {
    /// First message.
    Hello(Hello),
    /// A flow in the share group of flow `share`, or in a new group when 0.
    CreateFlow {
        /// An existing flow or 0.
        share: u32,
    },
    /// The flow ends once the server has taken everything before `head`.
    DestroyFlow {
        /// The flow.
        id: u32,
        /// Bytes on its command ring since the start.
        head: u64,
    },
    /// Orderly end of the session.
    Bye,
    /// First and only message of a data connection.
    DataBind {
        /// From the welcome.
        nonce: [u8; 16],
    },
    /// Asks for memory that both sides map.
    ShareMemory {
        /// Bytes.
        len: u64,
    },
    /// Asks for memory that finished pictures are written to. Where memory is shared, the client keeps its descriptor; on a
    /// data connection each side has its own, and what the server writes is sent.
    SharePixels {
        /// Bytes.
        len: u64,
    },
}

/// From a supervisor to the worker that will serve a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// The client and what it said first. Descriptor: its control connection.
    Session {
        /// The client's hello.
        hello: Box<Hello>,
        /// The transport it came by.
        transport: String,
        /// Present when everything else travels on a data connection, which will begin with this number.
        nonce: Option<[u8; 16]>,
    },
    /// Descriptor: the data connection.
    Data,
}

/// Server to client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToClient {
    /// The session is up.
    Welcome(Welcome),
    /// It is not, or a flow could not be made.
    Refuse {
        /// The word.
        code: RefuseCode,
        /// The values that differ.
        detail: String,
    },
    /// A flow.
    Flow(FlowTerms),
    /// Memory for both sides. Descriptor where memory is shared: its segment.
    Memory {
        /// What records call it.
        id: u32,
        /// Bytes.
        len: u64,
    },
    /// Last words.
    SessionFault {
        /// Number of the family.
        family: u32,
        /// Detail of the fault.
        detail: String,
        /// Flow of the record, 0 when none.
        flow: u32,
        /// Sequence of the record.
        seq: u64,
        /// Opcode of the record.
        op: u16,
    },
    /// A listening server took the hello and opens a device, which may take long: the answer follows.
    Starting,
}

impl ToClient {
    /// The fault that last words carry.
    pub fn fault(family: u32, detail: String) -> Fault {
        Fault::new(Family::from_wire(family).unwrap_or(Family::ProtocolCorruption), detail)
    }
}

/// Identity of this build. Distribution builds set `MOBILEGL_BUILD_STAMP` while compiling.
pub fn build_stamp() -> String {
    let stamp = option_env!("MOBILEGL_BUILD_STAMP").unwrap_or("dev");
    format!("{}+{stamp}", env!("CARGO_PKG_VERSION"))
}
