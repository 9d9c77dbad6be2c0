//! A record with the checks that are switched on around it: poisoned groups, and the content that verification compares.
//! Must not know what a record does.

use crate::dispatch;
use crate::poison::{BYTE, exchange, reads};
use crate::session::Applier;
use mgl_backend::Dirty;
use mgl_base::{Family, Fault};

/// One verb's guard: what was hidden, and the dirty bits it had.
pub(crate) struct Guard {
    hidden: Dirty,
    dirty: Dirty,
}

impl Applier<'_> {
    /// Hides what the record's class may not read.
    pub(crate) fn poison(&mut self, op: u16) -> Option<Guard> {
        let flow = &mut *self.flow;
        let poison = flow.poison.as_mut()?;
        let hidden = !reads(op)?;
        exchange(hidden, &mut flow.state, poison);
        Some(Guard { hidden, dirty: flow.state.dirty & hidden })
    }

    /// Brings the hidden groups back; a backend that consumed one of them ends the session by the group's name.
    pub(crate) fn unpoison(&mut self, op: u16, guard: &Guard) -> Result<(), Fault> {
        let flow = &mut *self.flow;
        flow.scratch.fill(BYTE);
        let Some(poison) = flow.poison.as_mut() else { return Ok(()) };
        exchange(guard.hidden, &mut flow.state, poison);
        let consumed = guard.dirty - flow.state.dirty;
        let Some((name, _)) = consumed.iter_names().next() else { return Ok(()) };
        let verb = mgl_pipe::CATALOGUE.iter().find(|r| r.op == op).map_or("?", |r| r.name);
        Err(Fault::new(Family::UnmigratedPipeInput, format!("{}@{verb}", name.to_lowercase())))
    }

    /// Dispatches one record.
    pub(crate) fn checked(&mut self, op: u16, bytes: &[u8]) -> Result<(), Fault> {
        let guard = self.poison(op);
        let mut result = dispatch::dispatch(self, op, bytes);
        if let Some(guard) = guard {
            result = result.and(self.unpoison(op, &guard));
        }
        if let (Ok(()), Some(mut shadow)) = (&result, self.session.verify.take()) {
            let programs = &self.session.tables.programs;
            let size = |cso| programs.get(cso).map_or(0, |p| p.constants as usize);
            result = shadow.observe((self.flow.state.flow, op, bytes), size, self.io);
            self.session.verify = Some(shadow);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use crate::io::{FlowIo, ReplyStatus};
    use crate::poison::poisoned;
    use crate::session::{Applied, Applier, Session};
    use mgl_backend::Dirty;
    use mgl_base::Fault;
    use mgl_null::Null;
    use mgl_pipe::Record;
    use mgl_pipe::event::Event;
    use mgl_pipe::records::{Clear, Flush};

    struct Deaf;

    impl FlowIo for Deaf {
        fn stage_len(&self) -> u64 {
            0
        }
        fn copy_stage(&self, _: u64, _: &mut [u8]) -> bool {
            false
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

    /// A clear that draws with the last draw's textures shows only on some programs; here it has none to draw with, and
    /// consuming their change ends the session by name instead of losing it for the next draw.
    #[test]
    fn a_verb_finds_nothing_it_may_not_read_and_consumes_nothing_else() {
        let mut session = Session::new(Null::boxed(), 1 << 20);
        session.flow_created(1, None).unwrap();
        let mut flow = session.flows[1].take().unwrap();
        flow.poison = Some(poisoned(1));
        let before = flow.state.clone();
        let mut applier =
            Applier { session: &mut session, flow: &mut flow, io: &mut Deaf, joined: 0, wait: Applied::Done };
        let guard = applier.poison(Clear::OP).unwrap();
        assert_ne!(applier.flow.state.views, before.views);
        assert_ne!(applier.flow.state.draw_program, before.draw_program);
        assert_eq!(applier.flow.state.draw_framebuffer, before.draw_framebuffer);
        applier.flow.state.dirty.remove(Dirty::DRAW_FRAMEBUFFER);
        applier.unpoison(Clear::OP, &guard).unwrap();
        assert_eq!(applier.flow.state.views, before.views);
        let guard = applier.poison(Clear::OP).unwrap();
        applier.flow.state.dirty.remove(Dirty::VIEWS);
        let fault = applier.unpoison(Clear::OP, &guard).unwrap_err();
        assert_eq!(fault.to_string(), "Fatal{UnmigratedPipeInput,\"views@clear\"}");
        assert!(applier.poison(Flush::OP).is_none());
    }
}
