//! Compute shaders and shader storage (GL 4.6 §7.7, §7.8, §7.13, §19).

mod counters;
mod dispatch;
mod hazards;
mod storage;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[dispatch::LIST, storage::LIST, counters::LIST, hazards::LIST];
