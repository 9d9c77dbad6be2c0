//! What a scenario is. Must not know any.

use crate::gl::Gl;

/// One behaviour.
#[derive(Clone, Copy)]
pub struct Scenario {
    /// The state group it belongs to.
    pub group: &'static str,
    /// What it is called in its group.
    pub name: &'static str,
    /// Panics when the driver does something else.
    pub run: fn(&Gl),
}

impl Scenario {
    /// `group::name`.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.group, self.name)
    }
}

/// A list of scenarios: the group, then the functions.
macro_rules! list {
    ($group:literal: $($run:ident),* $(,)?) => {
        &[$($crate::scenario::Scenario { group: $group, name: stringify!($run), run: $run }),*]
    };
}

pub(crate) use list;

/// The panic payload of a scenario that finds its need not met.
#[derive(Debug)]
pub struct Skip(pub String);

/// Ends the scenario as skipped when the driver lacks something that GL 3.3 does not demand. Which lane may skip which
/// scenario is listed.
pub fn need(met: bool, what: &str) {
    if !met {
        std::panic::panic_any(Skip(what.to_owned()));
    }
}
