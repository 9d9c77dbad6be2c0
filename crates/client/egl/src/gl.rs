//! The way from EGL to the GL front end: the process's connection, new contexts, fences. Must not know handles of EGL.

use std::sync::Arc;

use mgl_gl::{Context, ContextDesc, ErrorCode, GlError, Instance, draw, sync};

use crate::error::{Code, EglError, EglResult};

/// The connection of this process; made on first use, and anew after a lost one.
pub fn connect() -> EglResult<Arc<Instance>> {
    Instance::get_or_connect().map_err(|e| EglError::fatal(Code::NotInitialized, e.to_string()))
}

/// A context on the connection.
pub fn new_context(instance: &Arc<Instance>, desc: ContextDesc) -> EglResult<Context> {
    Context::new(instance, desc).map_err(|e| EglError::fatal(Code::BadAlloc, e.to_string()))
}

fn failed(error: GlError) -> EglError {
    let code = if error.code == ErrorCode::ContextLost { Code::ContextLost } else { Code::BadAlloc };
    EglError::new(code, error.what)
}

/// Waits until everything the context was told is done.
pub fn finish(ctx: &mut Context) -> EglResult<()> {
    draw::calls::finish(ctx).map_err(failed)?;
    if ctx.is_lost() { Err(failed(GlError::context_lost())) } else { Ok(()) }
}

/// Sends everything the context was told; does not wait.
pub fn flush(ctx: &mut Context) {
    // A loss shows at the next command.
    let _ = draw::calls::flush(ctx);
}

/// `GL_SYNC_GPU_COMMANDS_COMPLETE`.
const GPU_COMMANDS_COMPLETE: u32 = 0x9117;
/// `GL_SYNC_FLUSH_COMMANDS_BIT`.
const FLUSH_COMMANDS_BIT: u32 = 1;
/// `GL_TIMEOUT_IGNORED`.
const TIMEOUT_IGNORED: u64 = u64::MAX;
const ALREADY_SIGNALED: u32 = 0x911A;
const CONDITION_SATISFIED: u32 = 0x911C;

/// A fence behind everything the context was told.
pub fn fence(ctx: &mut Context) -> EglResult<usize> {
    sync::calls::fence_sync(ctx, GPU_COMMANDS_COMPLETE, 0).map_err(failed)
}

/// Waits up to `timeout` nanoseconds; true when the fence is signalled.
pub fn client_wait(ctx: &mut Context, fence: usize, flush: bool, timeout: u64) -> EglResult<bool> {
    let flags = if flush { FLUSH_COMMANDS_BIT } else { 0 };
    let answer = sync::calls::client_wait_sync(ctx, fence, flags, timeout).map_err(failed)?;
    Ok(matches!(answer, ALREADY_SIGNALED | CONDITION_SATISFIED))
}

/// Lets the context's later commands wait for the fence.
pub fn server_wait(ctx: &mut Context, fence: usize) -> EglResult<()> {
    sync::calls::wait_sync(ctx, fence, 0, TIMEOUT_IGNORED).map_err(failed)
}

/// Gives the fence up.
pub fn forget(ctx: &mut Context, fence: usize) -> EglResult<()> {
    sync::calls::delete_sync(ctx, fence).map_err(failed)
}
