//! Textures (GL 4.6 §8).

mod announced;
mod blocks;
mod compressed;
mod copies;
mod formats;
mod mipmaps;
mod objects;
mod shapes;
mod targets;
mod uploads;
mod views;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[
    announced::LIST,
    blocks::LIST,
    compressed::LIST,
    copies::LIST,
    formats::LIST,
    mipmaps::LIST,
    objects::LIST,
    shapes::LIST,
    targets::LIST,
    uploads::LIST,
    views::LIST,
];
