//! Framebuffer objects, blits and multisampling (GL 4.6 §9, §18.3.1).

mod attach;
mod blit;
mod status;

use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[attach::LIST, blit::LIST, status::LIST];
