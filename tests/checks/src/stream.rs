//! A session fed with kept records. Must not know what a record means.

use mgl_apply::{FlowIo, ReplyStatus, Session};
use mgl_base::Fault;
use mgl_gl::out::{Recorded, Recorder};
use mgl_null::Null;
use mgl_pipe::CATALOGUE;
use mgl_pipe::event::Event;

/// The flow that kept records belong to.
pub const FLOW: u32 = 1;

/// A flow without a peer, over the arena that was kept with the records.
struct Kept<'a> {
    staged: &'a [u8],
}

impl FlowIo for Kept<'_> {
    fn stage_len(&self) -> u64 {
        self.staged.len() as u64
    }
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool {
        let range = usize::try_from(offset).ok().and_then(|at| self.staged.get(at..at.checked_add(dst.len())?));
        range.map(|bytes| dst.copy_from_slice(bytes)).is_some()
    }
    fn reply(&mut self, _: ReplyStatus, _: &[u8]) -> Result<(), Fault> {
        Ok(())
    }
    fn event(&mut self, _: &Event<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn present_ack(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
    fn hold_stage(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}

/// A fresh session on the null backend with one flow.
///
/// # Errors
/// When the session refuses the flow.
pub fn session() -> Result<Session, Fault> {
    let mut session = Session::new(Null::boxed(), 1 << 30);
    session.flow_created(FLOW, None)?;
    Ok(session)
}

/// Applies the records for which `wanted` holds, in order.
///
/// # Errors
/// The fault that ends the session.
pub fn apply(kept: &Recorder, mut wanted: impl FnMut(usize, &Recorded) -> bool) -> Result<Session, Fault> {
    let mut session = session()?;
    let mut io = Kept { staged: &kept.staged };
    for (index, record) in kept.records.iter().enumerate() {
        if wanted(index, record) {
            session.record(FLOW, record.op, &record.body, &mut io)?;
        }
    }
    Ok(session)
}

/// The name of an opcode.
pub fn name(op: u16) -> &'static str {
    CATALOGUE.iter().find(|row| row.op == op).map_or("?", |row| row.name)
}
