//! What a thread has current through GLX (GLX 1.4 §3.3.7). Must not know lists of attributes.

use std::sync::Arc;

use mgl_gl::Context;
use mgl_window::context::Api;
use mgl_window::current::{self, BindError, Bound};

use crate::error::{Code, GlxError, GlxResult, fail};
use crate::objects::context::GlxContext;
use crate::objects::display::{self, Display};
use crate::objects::drawable::{GlxDrawable, Kind};

/// What is current, if GLX made it so.
pub fn bound() -> Option<Bound> {
    current::bound_by(Api::Glx)
}

/// Runs `body` on the current GL context.
pub fn with<R>(body: impl FnOnce(&mut Context) -> R) -> Option<R> {
    bound()?.context.cell.with_mine(body)
}

/// The drawable that is drawn to, with its display.
pub fn drawing() -> Option<(Arc<Display>, Arc<GlxDrawable>)> {
    let bound = bound()?;
    let display = display::known(std::ptr::with_exposed_provenance_mut(bound.context.owner.display))?;
    let xid = u32::try_from(bound.draw?.handle).ok()?;
    let drawable = display.drawable(xid)?;
    Some((display, drawable))
}

/// `glXMakeContextCurrent` with a context.
pub fn bind(display: &Display, draw: usize, read: usize, context: usize) -> GlxResult<()> {
    let context = display::context(context)?;
    if (draw == 0) != (read == 0) {
        return fail(Code::BAD_MATCH, 0, "give both a draw and a read drawable, or neither");
    }
    let drawables = if draw == 0 {
        (None, None)
    } else {
        display.sweep();
        let drawn = of_context(display, draw, &context)?;
        let from = if read == draw { drawn.clone() } else { of_context(display, read, &context)? };
        (Some(drawn.core.clone()), Some(from.core.clone()))
    };
    let code = |error| match error {
        BindError::ContextBusy | BindError::DrawableBusy => Code::BAD_ACCESS,
        BindError::Mismatch => Code::BAD_MATCH,
        BindError::Lost => Code::BAD_ALLOC,
    };
    let bound = current::bind(context.core.clone(), drawables.0, drawables.1);
    drop(context);
    display::bury_contexts();
    bound.map_err(|error| GlxError::new(code(error), 0, error.to_string()))
}

/// Releases what is current, if GLX made it so.
pub fn release() {
    if bound().is_some() {
        current::release();
        display::bury_contexts();
    }
}

/// The drawable of an identifier, as the context can use it. A window of the program becomes one when it is first named.
fn of_context(display: &Display, id: usize, context: &GlxContext) -> GlxResult<Arc<GlxDrawable>> {
    let xid = u32::try_from(id)
        .map_err(|_| GlxError::new(Code::GLX_BAD_DRAWABLE, id, "no drawable has such an identifier"))?;
    let known = display.drawable(xid);
    if let Some(known) = &known {
        // A window may be drawn to with another configuration than before; what GLX made has its own for good.
        let fits = context.core.pixel.is_none_or(|pixel| pixel.compatible(&known.core.pixel));
        if known.kind != Kind::Plain || (fits && !known.core.is_gone()) {
            return Ok(known.clone());
        }
        display.remove(xid);
    }
    // The window may just have been asked for.
    display.connection()?.sync();
    let config = match &context.config {
        Some(config) => config.clone(),
        None => config_of_window(display, xid)?,
    };
    let made = GlxDrawable::on_window(display, Kind::Plain, (xid, xid), &config)?;
    display.add(made.clone());
    Ok(made)
}

/// Configuration of a window that is drawn to by a context without one: what its visual stands for, or is like.
pub fn config_of_window(display: &Display, xid: u32) -> GlxResult<crate::config::Config> {
    let bad = |what: String| GlxError::new(Code::GLX_BAD_DRAWABLE, xid as usize, what);
    let found = display.system.inspect(xid).map_err(|gone| bad(gone.to_string()))?;
    let visual =
        found.visual.and_then(|id| display.system.visual(id)).ok_or_else(|| bad(format!("{xid:#x} has no visual")))?;
    let screen = i32::try_from(visual.screen).unwrap_or(0);
    let configs = display.configs(screen)?;
    let exact = crate::choose::of_visual(configs, visual.id).and_then(|index| configs.get(index));
    let found = exact.or_else(|| configs.iter().find(|config| config.fits(visual)));
    found
        .cloned()
        .ok_or_else(|| GlxError::new(Code::BAD_MATCH, xid as usize, "the window's visual has no configuration"))
}
