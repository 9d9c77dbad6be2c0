//! Vertex arrays and attributes (GL 4.6 §10.2, §10.3).

mod arrays;
mod formats;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[arrays::LIST, formats::LIST];
