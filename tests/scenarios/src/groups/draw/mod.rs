//! Drawing commands (GL 4.6 §10).

mod elements;
mod indirect;
mod instances;
mod primitives;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[elements::LIST, indirect::LIST, instances::LIST, primitives::LIST];
