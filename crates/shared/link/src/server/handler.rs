//! What an applier offers to the loop that serves it. Must not know how records travel.

use super::io::{FlowIo, SessionIo};
use crate::control::Hello;
use crate::error::RefuseCode;
use crate::segment::Segment;
use mgl_base::Fault;
use mgl_base::threads::TimeLimit;
use std::sync::Arc;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Applied; the loop completes its sequence.
    Continue,
    /// A `wait_flow`: nothing further of this flow is taken until `flow` has applied `seq`; then the loop completes
    /// this record. A flow that has ended counts as having applied everything.
    Blocked {
        /// The flow that is waited for.
        flow: u32,
        /// Its sequence.
        seq: u64,
    },
}

/// Why a session is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The word.
    pub code: RefuseCode,
    /// What the user should know.
    pub detail: String,
}

/// Makes the applier of a session once the client's hello was accepted, on the thread that will apply.
pub type Factory<'a> = &'a mut dyn FnMut(&Hello) -> Result<Box<dyn SessionHandler>, Refusal>;

/// The applier of one session. All calls come from one thread at a time: the apply thread, or in the monolith whichever
/// client thread pumps.
pub trait SessionHandler: Send {
    /// Name of the backend that runs.
    fn backend(&self) -> String;

    /// The first caps snapshot, postcard bytes of `mgl_pipe::caps::Caps`.
    fn caps(&mut self) -> Vec<u8>;

    /// A flow was made, in the share group of flow `share` (0 = a group of its own).
    fn flow_created(&mut self, flow: u32, share: u32, io: &mut FlowIo<'_>) -> Result<(), Fault>;

    /// The client has memory in common with this process from now on; records call it `id`. An error refuses it, and
    /// nothing was shared.
    fn memory_shared(&mut self, id: u32, memory: Arc<Segment>) -> Result<(), Fault> {
        let _ = (id, memory);
        Err(Fault::unsupported("shared memory"))
    }

    /// Memory for finished pictures: what `present_image` writes there is the client's once the frame is complete
    /// ([`SessionIo::frame_completed`]). Records call it `id`; `forget_memory` ends its use. An error refuses it.
    fn pixels_shared(&mut self, id: u32, memory: Arc<Segment>) -> Result<(), Fault> {
        let _ = (id, memory);
        Err(Fault::unsupported("memory for finished pictures"))
    }

    /// A flow ended after its last record.
    fn flow_destroyed(&mut self, flow: u32);

    /// One record: `body` is a private, 8-aligned copy without its header and is valid for this call. Replies and
    /// events of the record are posted through `io` before returning.
    fn record(&mut self, flow: u32, seq: u64, op: u16, body: &[u8], io: &mut FlowIo<'_>) -> Result<Step, Fault>;

    /// How many leading bytes the records right behind this one must have in common with it to be applied together with
    /// it, as one [`SessionHandler::run`]; `None` = each record is applied by itself.
    #[inline]
    fn joins(&self, op: u16, body: &[u8]) -> Option<usize> {
        let _ = (op, body);
        None
    }

    /// A run of `count` records of `op`, `seq` being the last: `body` has the bytes that [`SessionHandler::joins`] named
    /// once, and then what is each record's own. It may be changed in place.
    fn run(
        &mut self,
        flow: u32,
        (seq, count): (u64, u32),
        op: u16,
        body: &mut [u8],
        io: &mut FlowIo<'_>,
    ) -> Result<Step, Fault> {
        let _ = (flow, seq, count, body, io);
        Err(Fault::corrupt(format!("run of records {op}")))
    }

    /// Called after every round over the flows and before the thread sleeps (`busy` = something was applied): report
    /// fences, retire staging, submit. True = more will happen without a record, call again within a millisecond.
    fn idle(&mut self, busy: bool, io: &mut SessionIo<'_>) -> Result<bool, Fault> {
        let _ = (busy, io);
        Ok(false)
    }

    /// The device works although nobody asks for anything: a look now and then finds out when it does not end.
    fn working(&self) -> bool {
        false
    }

    /// How long a call may take before the process ends, session by name: for drivers whose calls nobody can interrupt. Only
    /// a server that has a process to itself acts on it.
    fn time_limit(&self) -> Option<TimeLimit> {
        None
    }

    /// The thread that calls stops for now and another one may come next (the monolith's pump).
    fn leave(&mut self) {}
}
