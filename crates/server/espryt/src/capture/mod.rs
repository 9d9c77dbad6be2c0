//! Transform feedback. Capture runs only inside draws: it is paused after each, so that internal work never meets it, and
//! begins with the first captured draw, when the program is known. What OpenGL ES cannot place is captured tightly into
//! scratch memory and scattered at the end of the span. Must not know programs beyond their capture plan.

mod count;
mod scatter;

use crate::bindings::Bindings;
use crate::core::Core;
use crate::essl::CapturePlan;
use crate::raw::{Gl, consts};
use count::Count;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::XfbTarget;
use mgl_backend::{ContextState, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Xfb;
use mgl_pipe::tokens::PrimitiveMode;
use scatter::Scatter;

struct Span {
    xfb: Handle<Xfb>,
    name: u32,
    mode: PrimitiveMode,
    /// The driver's span is open (and paused between draws).
    begun: bool,
    scatter: Option<Scatter>,
    count: Count,
}

/// Capture spans of a session.
#[derive(Default)]
pub struct Captures {
    spans: Vec<Span>,
}

impl Captures {
    fn span(&mut self, xfb: Handle<Xfb>) -> Option<&mut Span> {
        self.spans.iter_mut().find(|s| s.xfb == xfb)
    }

    /// `glBeginTransformFeedback`: the driver begins with the first draw.
    pub fn begin(&mut self, core: &mut Core, xfb: Handle<Xfb>, mode: PrimitiveMode) -> Outcome {
        self.end(core, xfb)?;
        match self.span(xfb) {
            Some(span) => {
                span.mode = mode;
                span.count.begin(core, 0);
            }
            None => {
                let name = core.gl().new_transform_feedback();
                self.spans.push(Span { xfb, name, mode, begun: false, scatter: None, count: Count::default() });
            }
        }
        Ok(())
    }

    /// `glEndTransformFeedback`.
    pub fn end(&mut self, core: &mut Core, xfb: Handle<Xfb>) -> Outcome {
        let Some(span) = self.span(xfb).filter(|s| s.begun) else { return Ok(()) };
        span.begun = false;
        let (name, scatter) = (span.name, span.scatter.take());
        core.bind.transform_feedback(&core.device.gl, name);
        core.gl().end_transform_feedback();
        core.bind.transform_feedback(&core.device.gl, 0);
        match scatter {
            Some(scatter) => scatter.finish(core),
            None => Ok(()),
        }
    }

    /// Death of an object.
    pub fn destroy(&mut self, core: &mut Core, xfb: Handle<Xfb>) {
        if let Err(refusal) = self.end(core, xfb) {
            tracing::warn!("transform feedback: {refusal}");
        }
        if let Some(at) = self.spans.iter().position(|s| s.xfb == xfb) {
            let mut span = self.spans.swap_remove(at);
            span.count.drop_queries(core);
            drop_name(&core.device.gl, &mut core.bind, span.name);
        }
    }

    /// Lets go of everything.
    pub fn close(&mut self, core: &mut Core) {
        for span in std::mem::take(&mut self.spans) {
            drop_name(&core.device.gl, &mut core.bind, span.name);
        }
    }
}

fn drop_name(gl: &Gl, bind: &mut Bindings, name: u32) {
    bind.forget_transform_feedback(name);
    gl.drop_transform_feedback(name);
}

impl Captures {
    /// Starts or continues the span of `ctx.xfb` for the draw that follows, by the program's plan.
    pub fn enter(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, by: &By<'_>) -> Outcome {
        let Some(span) = self.span(ctx.xfb) else { return Ok(()) };
        if !span.begun {
            span.count.begin(core, room(core, ctx, by.strides));
        }
        let mode = span.mode;
        self.open(core, ctx, draw, by.plan)?;
        if let Some(span) = self.span(ctx.xfb) {
            span.count.enter(core, draw, mode, (by.makes_primitives, by.busy));
        }
        Ok(())
    }

    fn open(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, plan: &CapturePlan) -> Outcome {
        let Some(span) = self.span(ctx.xfb) else { return Ok(()) };
        core.bind.transform_feedback(&core.device.gl, span.name);
        if span.begun {
            if let Some(scatter) = &mut span.scatter {
                scatter.expect(draw, span.mode)?;
            }
            core.gl().resume_transform_feedback();
            return Ok(());
        }
        match plan {
            CapturePlan::None => return Err(Refusal::Unsupported("TransformFeedbackOutputs")),
            CapturePlan::Scatter { outputs, strides } => {
                let mut scatter = Scatter::new(core, outputs, *strides, &ctx.xfb_targets)?;
                scatter.expect(draw, span.mode)?;
                scatter.bind(core);
                span.scatter = Some(scatter);
            }
            CapturePlan::Interleaved { .. } => targets(core, ctx, 1),
            CapturePlan::Separate { .. } => targets(core, ctx, 4),
        }
        core.gl().begin_transform_feedback(u32::from(span.mode.0));
        span.begun = true;
        Ok(())
    }

    /// Vertices that an object captured last.
    pub fn vertices(&mut self, core: &Core, xfb: Handle<Xfb>) -> Outcome<u64> {
        self.span(xfb).map_or(Ok(0), |span| span.count.total(core, span.mode))
    }

    /// Pauses the span after a draw.
    pub fn leave(&mut self, core: &mut Core, ctx: &ContextState) {
        if self.span(ctx.xfb).is_none_or(|s| !s.begun) {
            return;
        }
        if let Some(span) = self.span(ctx.xfb) {
            span.count.leave(core);
        }
        core.gl().pause_transform_feedback();
        core.bind.transform_feedback(&core.device.gl, 0);
        for target in ctx.xfb_targets.iter().filter(|t| !t.buffer.is_null()) {
            core.written(target.buffer);
        }
    }
}

/// What capture depends on besides the draw.
pub struct By<'a> {
    /// How the program's outputs are captured.
    pub plan: &'a CapturePlan,
    /// Bytes per vertex of each buffer, 0 = none.
    pub strides: [u32; 4],
    /// Stages of the program make primitives.
    pub makes_primitives: bool,
    /// A query of the program counts what is written.
    pub busy: bool,
}

/// Vertices for which every buffer has room.
fn room(core: &Core, ctx: &ContextState, strides: [u32; 4]) -> u64 {
    let used = strides.into_iter().zip(&ctx.xfb_targets).filter(|(stride, _)| *stride > 0);
    let bytes = |target: &XfbTarget| {
        core.buffer(target.buffer).map_or(0, |s| target.size.min(s.size.saturating_sub(target.offset)))
    };
    used.map(|(stride, target)| bytes(target) / u64::from(stride)).min().unwrap_or(0)
}

/// Binds the program's targets to the bound transform feedback object.
fn targets(core: &Core, ctx: &ContextState, count: u32) {
    for (n, target) in (0..count).zip(&ctx.xfb_targets) {
        let Some(store) = core.buffer(target.buffer).filter(|s| target.offset < s.size) else { continue };
        // Sizes are whole words (ES 3.2 §6.1.1).
        let size = target.size.min(store.size - target.offset) & !3;
        let point = consts::TRANSFORM_FEEDBACK_BUFFER;
        core.gl().bind_buffer_range(point, n, store.name, target.offset as isize, size as isize);
    }
}
