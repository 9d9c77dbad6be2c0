//! Fence syncs (EGL 1.5 §3.8.1), made of GL fences. Must not know GL's sync objects beyond their number.

use std::sync::Arc;

use crate::current;
use crate::error::{Code, EglError, EglResult, fail};
use crate::gl;
use crate::objects::EglSync;
use crate::objects::display::{Display, mint};
use crate::tokens as t;
use crate::tokens::Int;

/// `eglCreateSync`; `attributes` is the number of attributes given.
pub fn create(display: &'static Display, kind: u32, attributes: usize) -> EglResult<Arc<EglSync>> {
    display.ready()?;
    if kind != t::SYNC_FENCE {
        return fail(Code::BadAttribute, format!("sync type 0x{kind:04X} is not implemented: only fences are"));
    }
    if attributes != 0 {
        return fail(Code::BadAttribute, "fence syncs take no attributes");
    }
    let origin = current::bound().map(|b| b.context).filter(|c| c.owner.display == display.handle());
    let origin = origin.ok_or(EglError::new(Code::BadMatch, "no context of this display is current"))?;
    let fence = current::with(gl::fence)??;
    let made = Arc::new(EglSync { handle: mint(), fence, origin });
    display.add_sync(made.clone())?;
    Ok(made)
}

/// Runs `body` on a context that can see the fence: the current one, or the fence's own when no thread has it.
fn on_context<R>(sync: &EglSync, body: impl FnOnce(&mut mgl_gl::Context) -> R) -> EglResult<R> {
    if current::bound().is_some_and(|b| b.context.shares_with(&sync.origin)) {
        return current::with(body);
    }
    if !sync.origin.cell.claim() {
        return fail(
            Code::BadAccess,
            "the sync's context is current to another thread: wait with a context that shares with it",
        );
    }
    let done = sync.origin.cell.with_claimed(body);
    sync.origin.cell.unclaim();
    Ok(done)
}

/// `eglClientWaitSync`: the EGL result token.
pub fn wait(sync: &EglSync, flags: Int, timeout: u64) -> EglResult<Int> {
    if flags & !t::SYNC_FLUSH_COMMANDS_BIT != 0 {
        return fail(Code::BadParameter, "unknown flags");
    }
    let flush = flags != 0;
    let done = on_context(sync, |ctx| gl::client_wait(ctx, sync.fence, flush, timeout))??;
    Ok(if done { t::CONDITION_SATISFIED } else { t::TIMEOUT_EXPIRED })
}

/// `eglWaitSync`: the current context waits on the server.
pub fn server_wait(sync: &EglSync, flags: Int) -> EglResult<()> {
    if flags != 0 {
        return fail(Code::BadParameter, "eglWaitSync takes no flags");
    }
    if !current::bound().is_some_and(|b| b.context.shares_with(&sync.origin)) {
        // Another share group cannot name the fence: wait here, which is stricter.
        return wait(sync, t::SYNC_FLUSH_COMMANDS_BIT, u64::MAX).map(|_| ());
    }
    current::with(|ctx| gl::server_wait(ctx, sync.fence))?
}

/// `eglGetSyncAttrib`.
pub fn query(sync: &EglSync, name: Int) -> EglResult<Int> {
    match name {
        t::SYNC_TYPE => Ok(t::SYNC_FENCE as Int),
        t::SYNC_CONDITION => Ok(t::SYNC_PRIOR_COMMANDS_COMPLETE),
        t::SYNC_STATUS => {
            let done = wait(sync, 0, 0)? == t::CONDITION_SATISFIED;
            Ok(if done { t::SIGNALED } else { t::UNSIGNALED })
        }
        _ => fail(Code::BadAttribute, format!("sync attribute 0x{name:04X} is not known")),
    }
}

/// `eglDestroySync`: the GL fence goes where it can be named; otherwise with its share group.
pub fn destroy(sync: &EglSync) {
    let _ = on_context(sync, |ctx| gl::forget(ctx, sync.fence));
}
