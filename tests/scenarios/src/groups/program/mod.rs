//! Shader and program objects (GL 4.6 §7).

mod life;
mod link;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[life::LIST, link::LIST];
