//! What tests of windows stand on.

pub mod x11;
