//! Syncs (EGL 1.5 §3.8.1): fences, made of GL fences, and those that the program signals (EGL_KHR_reusable_sync). Must not know
//! GL's sync objects beyond their number.

use std::sync::Arc;

use mgl_window::context::Context;

use crate::current;
use crate::error::{Code, EglError, EglResult, fail};
use crate::gl;
use crate::objects::display::{Display, mint};
use crate::objects::{EglSync, Signal, SyncSource};
use crate::tokens as t;
use crate::tokens::Int;

/// `eglCreateSync`; `attributes` is the number of attributes given.
pub fn create(display: &'static Display, kind: u32, attributes: usize) -> EglResult<Arc<EglSync>> {
    display.ready()?;
    if kind != t::SYNC_FENCE && kind != t::SYNC_REUSABLE_KHR {
        return fail(Code::BadAttribute, format!("sync type 0x{kind:04X} is not implemented"));
    }
    if attributes != 0 {
        return fail(Code::BadAttribute, "syncs of this type take no attributes");
    }
    let source = if kind == t::SYNC_FENCE { fence(display)? } else { SyncSource::Program(Signal::default()) };
    let made = Arc::new(EglSync { handle: mint(), source });
    display.add_sync(made.clone())?;
    Ok(made)
}

fn fence(display: &'static Display) -> EglResult<SyncSource> {
    let origin = current::bound().map(|b| b.context).filter(|c| c.owner.display == display.handle());
    let origin = origin.ok_or(EglError::new(Code::BadMatch, "no context of this display is current"))?;
    Ok(SyncSource::Fence { fence: current::with(gl::fence)??, origin })
}

/// Runs `body` on a context that can see a fence: the current one, or the fence's own when no thread has it.
fn on_context<R>(origin: &Context, body: impl FnOnce(&mut mgl_gl::Context) -> R) -> EglResult<R> {
    if current::bound().is_some_and(|b| b.context.shares_with(origin)) {
        return current::with(body);
    }
    if !origin.cell.claim() {
        return fail(
            Code::BadAccess,
            "the sync's context is current to another thread: wait with a context that shares with it",
        );
    }
    let done = origin.cell.with_claimed(body);
    origin.cell.unclaim();
    Ok(done)
}

/// `eglClientWaitSync`: the EGL result token.
pub fn wait(sync: &EglSync, flags: Int, timeout: u64) -> EglResult<Int> {
    if flags & !t::SYNC_FLUSH_COMMANDS_BIT != 0 {
        return fail(Code::BadParameter, "unknown flags");
    }
    let flush = flags != 0;
    let done = match &sync.source {
        SyncSource::Fence { fence, origin } => on_context(origin, |ctx| gl::client_wait(ctx, *fence, flush, timeout))??,
        SyncSource::Program(signal) => {
            // Whoever is to signal it may wait for what this thread has not sent yet.
            if flush && current::bound().is_some() {
                current::with(gl::flush)?;
            }
            signal.wait(timeout)
        }
    };
    Ok(if done { t::CONDITION_SATISFIED } else { t::TIMEOUT_EXPIRED })
}

/// `eglWaitSync`: the current context waits on the server.
pub fn server_wait(sync: &EglSync, flags: Int) -> EglResult<()> {
    if flags != 0 {
        return fail(Code::BadParameter, "eglWaitSync takes no flags");
    }
    let SyncSource::Fence { fence, origin } = &sync.source else {
        return fail(Code::BadMatch, "the server cannot wait for what the program signals");
    };
    if !current::bound().is_some_and(|b| b.context.shares_with(origin)) {
        // Another share group cannot name the fence: wait here, which is stricter.
        return wait(sync, t::SYNC_FLUSH_COMMANDS_BIT, u64::MAX).map(|_| ());
    }
    current::with(|ctx| gl::server_wait(ctx, *fence))?
}

/// `eglSignalSyncKHR`.
pub fn signal(sync: &EglSync, mode: u32) -> EglResult<()> {
    let SyncSource::Program(signal) = &sync.source else {
        return fail(Code::BadMatch, "only reusable syncs are signalled by the program");
    };
    match mode as Int {
        t::SIGNALED => signal.set(true),
        t::UNSIGNALED => signal.set(false),
        _ => return fail(Code::BadParameter, "a sync is signalled or unsignalled"),
    }
    Ok(())
}

/// `eglGetSyncAttrib`.
pub fn query(sync: &EglSync, name: Int) -> EglResult<Int> {
    let fence = matches!(sync.source, SyncSource::Fence { .. });
    match name {
        t::SYNC_TYPE if fence => Ok(t::SYNC_FENCE as Int),
        t::SYNC_TYPE => Ok(t::SYNC_REUSABLE_KHR as Int),
        t::SYNC_CONDITION if fence => Ok(t::SYNC_PRIOR_COMMANDS_COMPLETE),
        t::SYNC_STATUS => {
            let done = wait(sync, 0, 0)? == t::CONDITION_SATISFIED;
            Ok(if done { t::SIGNALED } else { t::UNSIGNALED })
        }
        _ => fail(Code::BadAttribute, format!("sync attribute 0x{name:04X} is not known")),
    }
}

/// `eglDestroySync`: the GL fence goes where it can be named; otherwise with its share group. Who waits for a reusable one is
/// woken.
pub fn destroy(sync: &EglSync) {
    match &sync.source {
        SyncSource::Fence { fence, origin } => drop(on_context(origin, |ctx| gl::forget(ctx, *fence))),
        SyncSource::Program(signal) => signal.end(),
    }
}

#[cfg(test)]
mod tests {
    use super::{EglSync, Signal, SyncSource, destroy, query, server_wait, signal, wait};
    use crate::error::Code;
    use crate::tokens as t;
    use std::sync::Arc;
    use std::time::Duration;

    fn reusable() -> Arc<EglSync> {
        Arc::new(EglSync { handle: 16, source: SyncSource::Program(Signal::default()) })
    }

    // A thread would wait for ever for another one that has signalled it (EGL_KHR_reusable_sync).
    #[test]
    fn a_reusable_sync_is_raised_and_lowered_by_the_program() {
        let sync = reusable();
        assert_eq!(wait(&sync, 0, 0), Ok(t::TIMEOUT_EXPIRED));
        let other = sync.clone();
        let thread = std::thread::spawn(move || wait(&other, 0, u64::MAX));
        std::thread::sleep(Duration::from_millis(20));
        signal(&sync, t::SIGNALED as u32).expect("signalled");
        assert_eq!(thread.join().expect("no panic"), Ok(t::CONDITION_SATISFIED));
        assert_eq!(query(&sync, t::SYNC_STATUS), Ok(t::SIGNALED));
        signal(&sync, t::UNSIGNALED as u32).expect("lowered");
        assert_eq!(query(&sync, t::SYNC_STATUS), Ok(t::UNSIGNALED));
        assert_eq!(query(&sync, t::SYNC_CONDITION).map_err(|e| e.code), Err(Code::BadAttribute));
        assert_eq!(signal(&sync, 0).map_err(|e| e.code), Err(Code::BadParameter));
        assert_eq!(server_wait(&sync, 0).map_err(|e| e.code), Err(Code::BadMatch));
    }

    // A thread that waits for a sync that is destroyed would never wake.
    #[test]
    fn destroying_wakes_who_waits() {
        let sync = reusable();
        let other = sync.clone();
        let thread = std::thread::spawn(move || wait(&other, 0, u64::MAX));
        std::thread::sleep(Duration::from_millis(20));
        destroy(&sync);
        assert_eq!(thread.join().expect("no panic"), Ok(t::CONDITION_SATISFIED));
    }
}
