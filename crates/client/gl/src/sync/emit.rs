//! What the server reports about fences and what is asked of it. Must not be called from setters.

use super::state::Sync;
use crate::context::Context;
use crate::error::GlResult;
use crate::out::Answer;
use crate::share::lock;
use mgl_base::Handle;
use mgl_base::handle::Fence;
use mgl_pipe::records::{FenceStatus, FenceWait};
use std::sync::atomic::Ordering;

/// Every poll of this count asks the server; the others are answered from events (spec 05b §9).
const ESCALATE: u32 = 64;

/// The server reported `fence` as complete.
pub(crate) fn signalled(ctx: &mut Context, fence: Handle<Fence>) {
    if let Some((_, sync)) = lock(&ctx.share.syncs).iter().find(|(_, s)| s.fence == fence) {
        sync.signalled.store(true, Ordering::Release);
    }
}

/// Everything that flow `flow` recorded up to `seq` is complete, and with it the fences among it.
pub(crate) fn complete(ctx: &Context, flow: u32, seq: u64) {
    for (_, sync) in lock(&ctx.share.syncs).iter() {
        if sync.created.0 == flow && sync.created.1 <= seq {
            sync.signalled.store(true, Ordering::Release);
        }
    }
}

/// Whether the fence is known to be complete; costs a round trip only on every 64th unanswered poll. A lost session
/// counts as signalled.
pub(crate) fn poll(ctx: &mut Context, sync: &Sync) -> GlResult<bool> {
    ctx.drain_events();
    if sync.signalled.load(Ordering::Acquire) || ctx.is_lost() {
        return Ok(true);
    }
    let polls = sync.polls.fetch_add(1, Ordering::AcqRel) + 1;
    if !polls.is_multiple_of(ESCALATE) {
        return Ok(false);
    }
    ctx.out.order_after(sync.created)?;
    let mut answer = [0u8; 1];
    let done = match ctx.out.ask(&FenceStatus { fence: sync.fence }, &mut answer)? {
        Answer::Ok(_) => answer[0] != 0,
        Answer::Declined => true,
    };
    if done {
        sync.signalled.store(true, Ordering::Release);
    }
    Ok(done)
}

/// Waits on the server for at most `timeout_ns`; false when it expired.
pub(crate) fn wait(ctx: &mut Context, sync: &Sync, timeout_ns: u64) -> GlResult<bool> {
    /// Longest wait of one record, so that a lost server is seen and other flows get their turn.
    const SLICE_NS: u64 = 50_000_000;
    ctx.out.order_after(sync.created)?;
    let mut left = timeout_ns;
    loop {
        let slice = left.min(SLICE_NS);
        let mut answer = [0u8; 1];
        let done = match ctx.out.ask(&FenceWait { fence: sync.fence, timeout_ns: slice }, &mut answer)? {
            Answer::Ok(_) => answer[0] != 0,
            Answer::Declined => true,
        };
        if done {
            complete(ctx, sync.created.0, sync.created.1);
            sync.signalled.store(true, Ordering::Release);
            return Ok(true);
        }
        left -= slice;
        if left == 0 {
            return Ok(false);
        }
    }
}
