//! Fixed-function state of draws (GL 4.6 §13.6 to §17).

mod blend;
mod coverage;
mod depth;
mod raster;
mod returning;
mod stencil;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] =
    &[blend::LIST, coverage::LIST, depth::LIST, raster::LIST, returning::LIST, stencil::LIST];
