//! All draw and dispatch commands.

pub mod calls;
mod check;
pub mod client;
pub mod state;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::program::state::Bindings;
use std::sync::Arc;

impl Context {
    /// What the program of the coming verb needs, by slot.
    pub(crate) fn verb_program(&self) -> Option<Arc<Bindings>> {
        #[cfg(test)]
        if self.draw.program.is_some() {
            return self.draw.program.clone();
        }
        self.program_bindings()
    }
}
