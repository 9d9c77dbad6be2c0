//! Every sized internal format with every command that copies, converts, clears or reads texels. What a device cannot do
//! with a format has another way (GL 4.6 §8.5: every format of table 8.12 can be a texture).

mod between;
mod clears;
mod copies;
mod images;
mod picture;
mod table;
mod transfers;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[between::LIST, clears::LIST, copies::LIST, images::LIST, transfers::LIST];
