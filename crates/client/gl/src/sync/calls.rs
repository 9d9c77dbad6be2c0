//! Commands of sync objects (GL 4.6 §4.1). A `GLsync` is the object's name as a number.

use super::emit;
use super::state::Sync;
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as gl;
use mgl_pipe::records::{FenceCreate, FenceWaitServer};
use std::sync::Arc;

fn lookup(ctx: &Context, sync: usize) -> GlResult<Arc<Sync>> {
    let name = u32::try_from(sync).ok();
    let found = name.and_then(|n| lock(&ctx.share.syncs).get(n).cloned());
    found.ok_or_else(|| GlError::invalid_value("not a sync object"))
}

/// `glFenceSync`.
pub fn fence_sync(ctx: &mut Context, condition: u32, flags: u32) -> GlResult<usize> {
    if condition != gl::SYNC_GPU_COMMANDS_COMPLETE {
        return Err(GlError::invalid_enum("condition is not GL_SYNC_GPU_COMMANDS_COMPLETE"));
    }
    if flags != 0 {
        return Err(GlError::invalid_value("flags must be zero"));
    }
    ctx.publish();
    let fence = ctx.instance.mint();
    let seq = ctx.out.push(&FenceCreate { fence })?;
    let sync = Arc::new(Sync::new(&ctx.instance, fence, (ctx.out.flow(), seq)));
    Ok(lock(&ctx.share.syncs).create(sync) as usize)
}

/// `glIsSync`.
pub fn is_sync(ctx: &mut Context, sync: usize) -> GlResult<bool> {
    Ok(lookup(ctx, sync).is_ok())
}

/// `glDeleteSync`.
pub fn delete_sync(ctx: &mut Context, sync: usize) -> GlResult {
    if sync == 0 {
        return Ok(());
    }
    lookup(ctx, sync)?;
    lock(&ctx.share.syncs).delete(sync as u32);
    Ok(())
}

/// `glClientWaitSync`. In a lost context everything is complete (GL 4.6 §2.3.2). Wrong arguments are answered with `GL_WAIT_FAILED` beside their error (GL 4.6 §4.1.1).
pub fn client_wait_sync(ctx: &mut Context, sync: usize, flags: u32, timeout: u64) -> GlResult<u32> {
    if ctx.is_lost() {
        return Ok(gl::ALREADY_SIGNALED);
    }
    client_wait(ctx, sync, flags, timeout).or_else(|error| {
        ctx.record_error(&error, "glClientWaitSync");
        Ok(gl::WAIT_FAILED)
    })
}

/// With time-out 0 it is answered without the server.
fn client_wait(ctx: &mut Context, sync: usize, flags: u32, timeout: u64) -> GlResult<u32> {
    let object = lookup(ctx, sync)?;
    if flags & !gl::SYNC_FLUSH_COMMANDS_BIT != 0 {
        return Err(GlError::invalid_value("flags has bits other than GL_SYNC_FLUSH_COMMANDS_BIT"));
    }
    if emit::poll(ctx, &object)? {
        crate::buffer::persistent::pull(ctx)?;
        return Ok(gl::ALREADY_SIGNALED);
    }
    if flags & gl::SYNC_FLUSH_COMMANDS_BIT != 0 {
        ctx.out.flush();
    }
    if timeout == 0 {
        return Ok(gl::TIMEOUT_EXPIRED);
    }
    match emit::wait(ctx, &object, timeout) {
        Ok(true) => crate::buffer::persistent::pull(ctx).map(|()| gl::CONDITION_SATISFIED),
        Ok(false) => Ok(gl::TIMEOUT_EXPIRED),
        // A lost session counts as signalled (spec 05b §9).
        Err(_) => Ok(gl::ALREADY_SIGNALED),
    }
}

/// `glWaitSync`: the server orders what follows after the fence.
pub fn wait_sync(ctx: &mut Context, sync: usize, flags: u32, timeout: u64) -> GlResult {
    let object = lookup(ctx, sync)?;
    if flags != 0 || timeout != u64::MAX {
        return Err(GlError::invalid_value("flags must be zero and timeout GL_TIMEOUT_IGNORED"));
    }
    ctx.out.order_after(object.created)?;
    ctx.out.push(&FenceWaitServer { fence: object.fence })?;
    Ok(())
}

/// `glGetSynciv`.
pub fn get_sync(ctx: &mut Context, sync: usize, pname: u32) -> GlResult<Values> {
    // A lost context ignores what else was passed (GL 4.6 §2.3.2).
    if pname == gl::SYNC_STATUS && ctx.is_lost() {
        return Ok(Values::int(gl::SIGNALED));
    }
    ctx.not_lost()?;
    let object = lookup(ctx, sync)?;
    Ok(Values::int(match pname {
        gl::OBJECT_TYPE => gl::SYNC_FENCE,
        gl::SYNC_CONDITION => gl::SYNC_GPU_COMMANDS_COMPLETE,
        gl::SYNC_FLAGS => 0,
        gl::SYNC_STATUS if emit::poll(ctx, &object)? => gl::SIGNALED,
        gl::SYNC_STATUS => gl::UNSIGNALED,
        _ => return Err(GlError::invalid_enum("not a sync parameter")),
    }))
}
