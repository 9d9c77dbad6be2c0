//! Drawing commands (GL 4.6 §10).

mod client;
mod counted;
mod elements;
mod indirect;
mod instances;
mod primitives;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] =
    &[client::LIST, counted::LIST, elements::LIST, indirect::LIST, instances::LIST, primitives::LIST];
