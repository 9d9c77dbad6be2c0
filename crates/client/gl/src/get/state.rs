//! State of this group. Must not push records.

use crate::instance::Instance;

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self {}
    }
}
