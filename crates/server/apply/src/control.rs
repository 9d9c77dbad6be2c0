//! Control records: they reach the session, not a backend.

use crate::dispatch::Apply;
use crate::session::{Applied, Applier};
use mgl_backend::ContextState;
use mgl_base::Fault;
use mgl_pipe::Body;
use mgl_pipe::records::{ApplierReset, BindContext, ObjectDeath, SetContextValues, WaitFlow};
use mgl_pipe::tokens::WireKind;

impl Apply<ApplierReset> for Applier<'_> {
    fn apply(&mut self, _: Body<'_, ApplierReset>) -> Result<(), Fault> {
        self.flow.state = ContextState::new(self.flow.state.flow);
        Ok(())
    }
}

impl Apply<ObjectDeath> for Applier<'_> {
    /// Framebuffers are the one kind whose death has no record of its own.
    fn apply(&mut self, body: Body<'_, ObjectDeath>) -> Result<(), Fault> {
        let ObjectDeath { slot, generation, kind, .. } = body.head;
        if kind != WireKind::Framebuffer {
            return Err(Fault::corrupt("object_death.kind"));
        }
        let bits = (u64::from(generation) << 32) | u64::from(slot);
        self.flow.framebuffers.remove(&bits);
        Ok(())
    }
}

impl Apply<SetContextValues> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetContextValues>) -> Result<(), Fault> {
        self.flow.state.xfb_capturing = body.head.xfb_active != 0 && body.head.xfb_paused == 0;
        Ok(())
    }
}

impl Apply<BindContext> for Applier<'_> {
    /// One flow per context: the token can only confirm the flow it came on.
    fn apply(&mut self, body: Body<'_, BindContext>) -> Result<(), Fault> {
        if body.head.token == u64::from(self.flow.state.flow) {
            return Ok(());
        }
        Err(Fault::corrupt("bind_context.token"))
    }
}

impl Apply<WaitFlow> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, WaitFlow>) -> Result<(), Fault> {
        let WaitFlow { flow, seq, .. } = body.head;
        // A flow that is gone has applied everything it ever published.
        let alive = matches!(self.session.flows.get(flow as usize), Some(Some(_)));
        if flow == self.flow.state.flow {
            return Err(Fault::corrupt("wait_flow.flow"));
        }
        if alive {
            self.wait = Applied::WaitFlow { flow, seq };
        }
        Ok(())
    }
}
