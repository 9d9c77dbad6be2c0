//! The flows of a connection and how far each has come, and which context a thread had last: what contexts need to order
//! themselves behind each other. Must not know records.
//!
//! Every order names a record that was pushed before it was asked for, so no two flows can wait for each other.

use crate::share::{FlowBit, lock};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

/// How far a flow has come, for the other contexts of the connection.
#[derive(Debug)]
pub struct Mark {
    /// The flow.
    pub flow: u32,
    /// What objects remember it by.
    pub(crate) bit: FlowBit,
    seq: AtomicU64,
    published: AtomicU64,
}

impl Mark {
    /// A flow without records.
    fn new(flow: u32, bit: FlowBit) -> Arc<Self> {
        Arc::new(Self { flow, bit, seq: AtomicU64::new(0), published: AtomicU64::new(0) })
    }
    /// Its newest record.
    pub fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }
    /// The newest record when the program last flushed, finished, fenced, swapped or left the context.
    pub fn published(&self) -> u64 {
        self.published.load(Ordering::Acquire)
    }
    /// `seq` was pushed.
    #[inline(always)]
    pub(crate) fn advance(&self, seq: u64) {
        self.seq.store(seq, Ordering::Release);
    }
    /// The program may tell other contexts of what it did so far.
    pub(crate) fn publish(&self) {
        self.published.store(self.seq(), Ordering::Release);
    }
}

/// The live flows of a connection.
#[derive(Debug, Default)]
pub struct Flows {
    list: Mutex<Vec<Arc<Mark>>>,
    changes: AtomicU64,
}

impl Flows {
    /// A context begins.
    pub(crate) fn enter(&self, flow: u32) -> Arc<Mark> {
        let mut list = lock(&self.list);
        let taken = list.iter().fold(0, |taken, mark| taken | mark.bit.bit());
        let mark = Mark::new(flow, FlowBit::free(taken));
        list.push(mark.clone());
        self.changes.fetch_add(1, Ordering::AcqRel);
        mark
    }
    /// A context has ended: the server has applied all of it.
    pub(crate) fn leave(&self, mark: &Arc<Mark>) {
        lock(&self.list).retain(|m| !Arc::ptr_eq(m, mark));
        self.changes.fetch_add(1, Ordering::AcqRel);
    }
    /// Moves when a context begins or ends.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }
    /// Puts the flows beside `own` into `others`.
    pub(crate) fn others(&self, own: &Arc<Mark>, others: &mut Vec<Arc<Mark>>) {
        others.clear();
        others.extend(lock(&self.list).iter().filter(|m| !Arc::ptr_eq(m, own)).cloned());
    }
    /// True while the context of a flow lives.
    pub(crate) fn is_live(&self, flow: u32) -> bool {
        lock(&self.list).iter().any(|m| m.flow == flow)
    }
}

/// Connection and flow of the context that a thread had last.
type Last = Option<(Weak<Flows>, Arc<Mark>)>;

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(None) };
}

/// The calling thread makes the context with `own` current: the flow of the other context that it had before, if that was
/// one of the same connection. A thread's commands take effect in their order, whichever contexts they go through.
pub(crate) fn switch_to(flows: &Arc<Flows>, own: &Arc<Mark>) -> Option<Arc<Mark>> {
    let next = Some((Arc::downgrade(flows), own.clone()));
    // A thread that ends has no next command.
    let (of, last) = LAST.try_with(|last| last.replace(next)).ok().flatten()?;
    (std::ptr::eq(of.as_ptr(), Arc::as_ptr(flows)) && !Arc::ptr_eq(&last, own)).then_some(last)
}

#[cfg(test)]
mod tests {
    use crate::buffer::calls as c;
    use crate::buffer::emit::push_ranges;
    use crate::context::Context;
    use crate::program::state::{Bindings, StorageSlot};
    use crate::testing::{all, buffer, context, forget, sharing, use_bindings};
    use crate::tokens as t;
    use crate::tracker::Dirty;
    use mgl_pipe::records::WaitFlow;

    fn waits(ctx: &mut Context) -> Vec<(u32, u64)> {
        let waits = all::<WaitFlow>(ctx).iter().map(|(head, _)| (head.flow, head.seq)).collect();
        forget(ctx);
        waits
    }

    fn write(ctx: &mut Context, target: u32) {
        c::buffer_sub_data(ctx, target, 0, &[1; 16]).unwrap();
    }

    /// If this fails, what one window uploads overtakes draws of another one that still need what was there.
    #[test]
    fn a_change_waits_for_uses_in_other_contexts() {
        let mut ctx = context();
        let shared = buffer(&mut ctx, t::UNIFORM_BUFFER, 16);
        let mut other = sharing(&ctx, 2);
        c::bind_buffer_base(&mut other, t::UNIFORM_BUFFER, 1, shared).unwrap();
        use_bindings(&mut other, Bindings { uniform_blocks: vec![Some(1)], ..Bindings::default() });
        push_ranges(&mut other, Dirty::UNIFORM_BUFFERS).unwrap();
        forget(&mut other);
        buffer(&mut other, t::ARRAY_BUFFER, 16);
        assert_eq!(waits(&mut other), [], "its own buffer");
        forget(&mut ctx);
        write(&mut ctx, t::UNIFORM_BUFFER);
        assert_eq!(waits(&mut ctx), [(2, other.out.seq())], "draws that use it say nothing of it");
        write(&mut ctx, t::UNIFORM_BUFFER);
        assert_eq!(waits(&mut ctx), [], "once is enough");
    }

    /// If this fails, a window waits for what a draw of another one wrote before there is such a draw, for ever.
    #[test]
    fn what_draws_write_is_waited_for_once_it_is_published() {
        let mut ctx = context();
        let shared = buffer(&mut ctx, t::SHADER_STORAGE_BUFFER, 16);
        let mut other = sharing(&ctx, 2);
        c::bind_buffer_base(&mut other, t::SHADER_STORAGE_BUFFER, 1, shared).unwrap();
        let storage = vec![Some(StorageSlot::Storage(1))];
        use_bindings(&mut other, Bindings { storage, ..Bindings::default() });
        push_ranges(&mut other, Dirty::STORAGE_BUFFERS).unwrap();
        forget(&mut ctx);
        let mut bytes = [0; 4];
        let mut read = |ctx: &mut Context| {
            // The recorder declines every answer.
            let _ = c::get_buffer_sub_data(ctx, t::SHADER_STORAGE_BUFFER, 0, &mut bytes);
            waits(ctx)
        };
        assert_eq!(read(&mut ctx), []);
        buffer(&mut other, t::ARRAY_BUFFER, 16);
        other.publish();
        let published = other.out.seq();
        buffer(&mut other, t::COPY_READ_BUFFER, 16);
        assert_eq!(read(&mut ctx), [(2, published)]);
    }

    /// If this fails, a thread that goes from one window to the next finds there what it did before undone or not done yet.
    #[test]
    fn a_thread_keeps_its_order_from_context_to_context() {
        let mut ctx = context();
        let mut other = sharing(&ctx, 2);
        forget(&mut other);
        buffer(&mut ctx, t::ARRAY_BUFFER, 16);
        ctx.make_current(None, None);
        assert_eq!(waits(&mut ctx), [], "it was current already");
        other.make_current(None, None);
        assert_eq!(waits(&mut other), [(1, ctx.out.seq())]);
        assert!(other.dirty.contains(Dirty::PROGRAM | Dirty::TEXTURES));
        ctx.make_current(None, None);
        forget(&mut ctx);
        other.make_current(None, None);
        assert_eq!(waits(&mut other).len(), 1, "the first one waits, which is a record");
        ctx.make_current(None, None);
        forget(&mut ctx);
        let last = other.out.seq();
        drop(other);
        let mut third = sharing(&ctx, 3);
        buffer(&mut ctx, t::ARRAY_BUFFER, 16);
        forget(&mut third);
        ctx.emit_deaths();
        assert!(waits(&mut ctx).iter().all(|(flow, seq)| *flow != 2 || *seq <= last), "it is gone");
    }

    /// If this fails, programs that open and close many windows draw with what a later one has changed.
    #[test]
    fn no_two_contexts_that_live_are_taken_for_one() {
        let mut ctx = context();
        let shared = buffer(&mut ctx, t::UNIFORM_BUFFER, 16);
        let mut others: Vec<Context> = (2..80).map(|flow| sharing(&ctx, flow)).collect();
        for other in &mut others {
            c::bind_buffer(other, t::UNIFORM_BUFFER, shared).unwrap();
            write(other, t::UNIFORM_BUFFER);
        }
        for writer in [0, 40, 77] {
            forget(&mut others[writer]);
            write(&mut others[writer], t::UNIFORM_BUFFER);
            let own = others[writer].out.flow();
            let now: Vec<(u32, u64)> = others.iter().map(|other| (other.out.flow(), other.out.seq())).collect();
            let (of, seqs): (Vec<u32>, Vec<u64>) = waits(&mut others[writer]).into_iter().unzip();
            for (flow, seq) in now.into_iter().filter(|(flow, _)| *flow > own) {
                let at = of.iter().position(|f| *f == flow);
                assert_eq!(at.map(|at| seqs[at]), Some(seq), "context {own} after context {flow}");
            }
        }
        for flow in 100..200 {
            let mut other = sharing(&ctx, flow);
            c::bind_buffer(&mut other, t::UNIFORM_BUFFER, shared).unwrap();
            let last = ctx.out.seq();
            write(&mut other, t::UNIFORM_BUFFER);
            assert!(waits(&mut other).contains(&(1, last)), "context {flow}");
            buffer(&mut ctx, t::ARRAY_BUFFER, 16);
        }
    }
}
