//! What this group pushes before a verb. Must not be called from setters.

use crate::context::Context;
use crate::error::GlResult;
use mgl_base::limits::MAX_XFB_BUFFERS;
use mgl_pipe::records::{SetStreamOutputTargets, XfbTarget};
use zerocopy::IntoBytes;

/// Pushes the transform feedback object and its targets, resolved live. An object that never captured is not pushed.
pub(crate) fn push(ctx: &mut Context) -> GlResult {
    let Some((_, object)) = &ctx.xfb.bound else { return Ok(()) };
    let handle = object.handle;
    let mut targets = [XfbTarget::default(); MAX_XFB_BUFFERS];
    for (target, point) in targets.iter_mut().zip(&ctx.buffer.xfb) {
        // Sizes of captures are whole words (GL 4.6 §13.3.2).
        let range = point.resolve(u64::MAX);
        if let Some(buffer) = &point.buffer {
            ctx.out.draws_to(&buffer.last_write)?;
        }
        *target = XfbTarget { buffer: range.buffer, offset: range.offset, size: range.size & !3 };
    }
    if ctx.xfb.pushed == Some((handle, targets)) {
        return Ok(());
    }
    let head = SetStreamOutputTargets { xfb: handle, count: MAX_XFB_BUFFERS as u32, ..Default::default() };
    ctx.out.push_with(&head, [targets.as_bytes(), &[], &[]])?;
    ctx.xfb.pushed = Some((handle, targets));
    Ok(())
}

/// Forgets what suppresses records.
pub(crate) fn forget(ctx: &mut Context) {
    ctx.xfb.pushed = None;
}

/// Primitive class that is being captured (`GL_POINTS`, `GL_LINES`, `GL_TRIANGLES`); `None` when inactive or paused.
pub(crate) fn capture_mode(ctx: &Context) -> Option<u32> {
    ctx.xfb.running_mode()
}

/// The buffers of the bound object are written from here on: no byte of them kept on the client is current, and other
/// flows order themselves after the newest record.
pub(crate) fn targets_written(ctx: &mut Context) {
    let (points, out) = (&ctx.buffer.xfb, &mut ctx.out);
    for buffer in points.iter().filter_map(|p| p.buffer.as_ref()) {
        out.wrote(&buffer.last_write);
        buffer.drawn_to();
    }
}
