//! The way from EGL to the GL front end: the process's connection, new contexts, fences. Must not know handles of EGL.

use std::sync::Arc;

use mgl_gl::{Context, ContextDesc, ErrorCode, GlError, Instance, draw};

use crate::error::{Code, EglError, EglResult, fail};

/// The connection of this process; made on first use, and anew after a lost one.
pub fn connect() -> EglResult<Arc<Instance>> {
    Instance::get_or_connect().map_err(|e| EglError::new(Code::NotInitialized, e.to_string()))
}

/// A context on the connection.
pub fn new_context(instance: &Arc<Instance>, desc: ContextDesc) -> EglResult<Context> {
    Context::new(instance, desc).map_err(|e| EglError::new(Code::BadAlloc, e.to_string()))
}

fn failed(error: GlError) -> EglError {
    let code = if error.code == ErrorCode::ContextLost { Code::ContextLost } else { Code::BadAlloc };
    EglError::new(code, error.what)
}

/// Waits until everything the context was told is done.
pub fn finish(ctx: &mut Context) -> EglResult<()> {
    draw::calls::finish(ctx).map_err(failed)
}

const NO_FENCES: &str = "fences are not implemented yet";

/// A fence behind everything the context was told.
pub fn fence(_ctx: &mut Context) -> EglResult<usize> {
    fail(Code::BadAlloc, NO_FENCES)
}

/// Waits up to `timeout` nanoseconds; true when the fence is signalled.
pub fn client_wait(_ctx: &mut Context, _fence: usize, _flush: bool, _timeout: u64) -> EglResult<bool> {
    fail(Code::BadAlloc, NO_FENCES)
}

/// Lets the context's later commands wait for the fence.
pub fn server_wait(_ctx: &mut Context, _fence: usize) -> EglResult<()> {
    fail(Code::BadAlloc, NO_FENCES)
}

/// Gives the fence up.
pub fn forget(_ctx: &mut Context, _fence: usize) -> EglResult<()> {
    fail(Code::BadAlloc, NO_FENCES)
}
