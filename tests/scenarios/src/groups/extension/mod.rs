//! What extensions add that no version of OpenGL has, names of extensions, and commands under their older names.

mod names;
mod older;
mod sampling;
mod shading;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[names::LIST, older::LIST, sampling::LIST, shading::LIST];
