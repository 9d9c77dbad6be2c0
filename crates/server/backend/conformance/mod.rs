//! What every backend must do, written once against the seam: each backend's tests include these files and give a
//! session, its feature lanes and a few counters as `crate::common`. Must not know a backend.

mod draws;
mod multi;
mod passes;
pub mod scene;
mod semantics;
mod sets;
mod shortage;
mod textures;
