//! Fixed-function state: capabilities, blend, depth, stencil, raster, viewport, pixel store, hints.

pub mod calls;
pub mod emit;
pub mod state;
