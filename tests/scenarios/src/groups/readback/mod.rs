//! Reading pixels back, and how pixels lie in memory (GL 4.6 §18.2, §8.4).

mod formats;
mod store;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[formats::LIST, store::LIST];
