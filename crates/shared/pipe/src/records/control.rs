//! Control records of the stream (spec 01b §4.6): they reach the session, not a backend.

use crate::tokens::{VerbClass, WireKind};
use crate::wire::{OptBlob, Pad};
use mgl_base::Handle;
use mgl_base::handle::Context;

record! {
    /// The client's tracker was freshly primed: working state is reset, object records stay.
    ApplierReset("applier_reset") = 77, Screen, None { context: Handle<Context> }
}
record! {
    /// Death of an object without a destroy record of its own; the kind is in the payload.
    ObjectDeath("object_death") = 78, Object, None { slot: u32, generation: u32, kind: WireKind, pad: Pad<4> }
}
record! {
    /// Scalars the server would otherwise have to guess (spec 05b §4).
    SetContextValues("set_context_values") = 79, State, None {
        xfb_active: u32, xfb_paused: u32, captured_vertices: u64, rasterized_stream: u32, pad: Pad<4>,
    }
}
record! {
    /// "From here on this flow speaks for context T". With one flow per context it confirms the pairing.
    BindContext("bind_context") = 84, Screen, None { token: u64 }
}
record! {
    /// Apply nothing further of this flow until `flow` has applied `seq` (design §6).
    WaitFlow("wait_flow") = 85, Screen, None { flow: u32, pad: Pad<4>, seq: u64 }
}
record! {
    /// What the client, from its own state alone, believes the server to have for the next verb: sections of `expect`.
    /// Only sent under `MOBILEGL_PIPE_VERIFY`; without a blob it announces that such records follow.
    VerifyState("verify_state") = 90, State, None { verb: VerbClass, pad: Pad<7>, ordinal: u64, blob: OptBlob }
}
