//! Named session faults (spec 13 §4). A fault ends its own session, never the process.

use std::borrow::Cow;

/// Fatal families that cross in `SessionFault` (spec 13 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Family {
    /// The codec cannot prove a record well-formed.
    ProtocolCorruption = 1,
    /// A record or run larger than its carrier.
    RingOverrun = 2,
    /// A segment that is not what the handshake announced.
    SegmentMismatch = 3,
    /// The driver lost its device.
    DeviceLost = 4,
    /// The server process died.
    ServerCrashed = 5,
    /// The two ends were built from different catalogues.
    AbiMismatch = 6,
    /// A budget of the session (memory, handles) is spent.
    ResourceUnavailable = 7,
    /// A form that this build does not support; the detail names it.
    Unsupported = 8,
    /// `MOBILEGL_PIPE_VERIFY`: pushed state is not what the client's state says (spec 09 §3).
    PipeVerify = 9,
    /// `MOBILEGL_PIPE_POISON`: a verb consumed state that was not pushed for it (spec 09 §2).
    UnmigratedPipeInput = 10,
}

impl Family {
    /// The family with this wire number, or `None`.
    pub fn from_wire(value: u32) -> Option<Family> {
        use Family as F;
        [
            F::ProtocolCorruption,
            F::RingOverrun,
            F::SegmentMismatch,
            F::DeviceLost,
            F::ServerCrashed,
            F::AbiMismatch,
            F::ResourceUnavailable,
            F::Unsupported,
            F::PipeVerify,
            F::UnmigratedPipeInput,
        ]
        .into_iter()
        .find(|f| *f as u32 == value)
    }
}

/// `Fatal{Family,"detail"}`: why a session ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Fatal{{{family:?},\"{detail}\"}}")]
pub struct Fault {
    /// The family, which decides how the peer reports it.
    pub family: Family,
    /// `<record>.<field>` or the name of what was refused.
    pub detail: Cow<'static, str>,
}

impl Fault {
    /// A fault of `family` at `detail`.
    pub fn new(family: Family, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { family, detail: detail.into() }
    }
    /// Shorthand for the most frequent family.
    pub fn corrupt(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Family::ProtocolCorruption, detail)
    }
    /// A form that this build does not support.
    pub fn unsupported(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Family::Unsupported, detail)
    }
}
