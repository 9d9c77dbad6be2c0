//! From the program in use or the bound pipeline object to the program that a verb uses. Must not push records.

use super::composite::{Composite, Key};
use super::state::Inner;
use super::valid;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::ProgramOrShader;
use crate::tracker::{Dirty, Verb};
use mgl_glsl::Stage;
use std::sync::Arc;

/// Composites that a pipeline object remembers.
const KEPT: usize = 16;

impl Context {
    /// Brings the program that `verb` uses up to date; the program in use comes before the pipeline (GL 4.6 §7.4).
    pub(crate) fn resolve_program(&mut self, verb: Verb) -> GlResult {
        resolve(self, verb)
    }
}

fn resolve(ctx: &mut Context, verb: Verb) -> GlResult {
    if let Some((_, object)) = &ctx.program.current {
        if ctx.program.drawn.as_ref().is_none_or(|drawn| !Arc::ptr_eq(drawn, object)) {
            ctx.program.drawn = Some(object.clone());
        }
        return Ok(());
    }
    let Some((_, pipeline)) = ctx.pipeline.bound.clone() else {
        ctx.program.drawn = None;
        return Ok(());
    };
    let mut inner = pipeline.inner();
    let drawn = if verb == Verb::Dispatch {
        inner.stages[Stage::Compute.index()].as_ref().map(|(_, object)| object.clone())
    } else {
        draw_program(ctx, &mut inner)?
    };
    let bindings = drawn.as_ref().and_then(|object| object.program()).and_then(|program| {
        let mut inner = program.inner();
        inner.settle();
        inner.executable.as_ref().map(|e| e.bindings.clone())
    });
    // Draws and dispatches of one pipeline object use different programs: the other kind has to look again.
    let same = match (&ctx.program.drawn, &drawn) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        (None, None) => true,
        _ => false,
    };
    if !same {
        ctx.dirty |= Dirty::PROGRAM;
    }
    ctx.program.bindings = bindings;
    ctx.program.drawn = drawn;
    Ok(())
}

fn draw_program(ctx: &mut Context, inner: &mut Inner) -> GlResult<Option<Arc<ProgramOrShader>>> {
    valid::check(inner).map_err(|why| GlError::invalid_operation(format!("the bound pipeline object: {why}")))?;
    // Without a vertex stage the result is undefined (GL 4.6 §7.4): nothing is drawn.
    if inner.stages[Stage::Vertex.index()].is_none() {
        if valid::samplers_clash(inner) {
            return Err(GlError::invalid_operation("two samplers of different type use one texture unit"));
        }
        return Ok(None);
    }
    let graphics = &inner.stages[..Stage::Compute.index()];
    let mut programs = graphics.iter().flatten();
    if let Some((_, first)) = programs.next()
        && programs.all(|(_, other)| Arc::ptr_eq(first, other))
    {
        // One program for all its stages is its own composite.
        return Ok(Some(first.clone()));
    }
    let key = key(inner);
    let at = inner.composites.iter().position(|c| c.key == key);
    let mut composite = match at {
        Some(at) => inner.composites.remove(at),
        None => {
            let stages = std::array::from_fn(|i| {
                let slot = inner.stages[i].as_ref().filter(|_| i != Stage::Compute.index());
                slot.map(|(_, object)| object.clone())
            });
            Composite::make(ctx, key, &stages)?
        }
    };
    ctx.dirty |= composite.sync();
    let object = composite.object.clone();
    inner.composites.insert(0, composite);
    inner.composites.truncate(KEPT);
    Ok(Some(object))
}

/// Program and link of each graphics stage.
fn key(inner: &Inner) -> Key {
    std::array::from_fn(|i| {
        let (_, object) = inner.stages[i].as_ref().filter(|_| i != Stage::Compute.index())?;
        let serial = object.program()?.inner().executable.as_ref()?.serial;
        Some((Arc::as_ptr(object) as usize, serial))
    })
}
