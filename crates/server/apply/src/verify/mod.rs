//! `verify_state`: what the client's state says against what its pushes built here (spec 09 §3). The first difference
//! ends the session by the field's name. Costs nothing until a client announces such records. Must not call the backend.

mod compare;

use crate::content::copy_blob;
use crate::dispatch::Apply;
use crate::session::Applier;
use mgl_base::{Family, Fault};
use mgl_pipe::Body;
use mgl_pipe::expect::Reader;
use mgl_pipe::records::VerifyState;

/// Bytes of one expectation.
const MAX_BYTES: u64 = 1 << 20;

impl Apply<VerifyState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, VerifyState>) -> Result<(), Fault> {
        let head = body.head;
        let shadow = self.session.verify.take().unwrap_or_default();
        let result = match head.blob.get() {
            None => Ok(None),
            Some(blob) if blob.size > MAX_BYTES => Err(Fault::corrupt("verify_state.blob")),
            Some(blob) => copy_blob(self.io, blob)
                .ok_or_else(|| Fault::corrupt("verify_state.blob"))
                .and_then(|bytes| self.compare(&shadow, Reader::new(&bytes))),
        };
        self.session.verify = Some(shadow);
        let Some((there, command)) = result? else { return Ok(()) };
        let verb = format!("{:?} {} of context {}", head.verb, head.ordinal, self.flow.state.flow);
        let place = if command.is_empty() { verb } else { format!("{command} ({verb})") };
        Err(Fault::new(Family::PipeVerify, format!("{there}, at {place}")))
    }
}
