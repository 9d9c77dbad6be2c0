//! Shader and program objects (GL 4.6 §7).

mod life;
mod link;
mod stages;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[life::LIST, link::LIST, stages::LIST];
