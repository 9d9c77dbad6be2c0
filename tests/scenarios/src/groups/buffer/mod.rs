//! Buffer objects (GL 4.6 §6).

mod data;
mod map;
mod storage;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[data::LIST, map::LIST, storage::LIST];
