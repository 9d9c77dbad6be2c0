//! All draw and dispatch commands.

pub mod calls;
mod check;
pub mod state;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::program::state::Bindings;
use crate::tracker::Verb;
use std::sync::Arc;

/// What the program of `verb` needs, by slot.
pub(crate) fn program_of(ctx: &Context, verb: Verb) -> Option<Arc<Bindings>> {
    #[cfg(test)]
    if ctx.draw.program.is_some() {
        return ctx.draw.program.clone();
    }
    ctx.verb_bindings(verb)
}
