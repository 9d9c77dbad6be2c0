//! `glFlush` and `glFinish` (GL 4.6 §2.3.2, §2.3.3). Must not know fences of the program.

use crate::context::Context;
use crate::error::GlResult;
use crate::instance::Dead;
use mgl_pipe::records::{FenceCreate, FenceWait, Flush};

/// `glFlush`: everything so far will be executed in finite time; nothing waits.
pub fn flush(ctx: &mut Context) -> GlResult {
    ctx.show_front();
    ctx.emit_deaths();
    ctx.publish();
    ctx.out.push(&Flush::default())?;
    ctx.out.flush();
    Ok(())
}

/// `glFinish`: waits until the device has executed everything, not only until the server has seen it.
pub fn finish(ctx: &mut Context) -> GlResult {
    ctx.show_front();
    ctx.emit_deaths();
    ctx.publish();
    let fence = ctx.instance.mint();
    let seq = ctx.out.push(&FenceCreate { fence })?;
    let mut answer = [0; 1];
    let waited = ctx.out.ask(&FenceWait { fence, timeout_ns: u64::MAX }, &mut answer);
    ctx.instance.bury(Dead::Fence(fence));
    waited?;
    crate::sync::emit::complete(ctx, ctx.out.flow(), seq);
    crate::buffer::persistent::pull(ctx)
}
