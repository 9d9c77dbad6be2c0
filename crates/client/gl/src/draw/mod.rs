//! All draw and dispatch commands.

pub mod calls;
mod check;
pub mod client;
pub mod state;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::program::state::Bindings;
use crate::tracker::Verb;
use std::sync::Arc;

impl Context {
    /// What the program of `verb` needs, by slot.
    pub(crate) fn program_of(&self, verb: Verb) -> Option<Arc<Bindings>> {
        #[cfg(test)]
        if self.draw.program.is_some() {
            return self.draw.program.clone();
        }
        self.verb_bindings(verb)
    }
}
