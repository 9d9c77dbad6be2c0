//! Objects that die while something uses them, and names that are used again: one scenario for each kind of object
//! (spec 09 §14, HandleRecycle and deaths).

mod deaths;
mod memory;
mod recycle;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[deaths::LIST, memory::LIST, recycle::LIST];
