//! The scenarios, a folder for each state group. A sentence above each says what a user would lose if it failed.

use crate::scenario::Scenario;

mod clear;

/// The lists of all groups.
pub(crate) const GROUPS: &[&[&[Scenario]]] = &[clear::LISTS];
