//! The scenarios, a folder for each state group. A sentence above each says what a user would lose if it failed.

use crate::scenario::Scenario;

mod buffer;
mod clear;
mod draw;
mod framebuffer;
mod render_state;

/// The lists of all groups.
pub(crate) const GROUPS: &[&[&[Scenario]]] =
    &[buffer::LISTS, clear::LISTS, draw::LISTS, framebuffer::LISTS, render_state::LISTS];
