//! Objects that are made, filled, changed and read by name, with nothing bound (GL 4.6, direct state access).

mod framebuffers;
mod textures;
mod vertices;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[textures::LIST, framebuffers::LIST, vertices::LIST];
