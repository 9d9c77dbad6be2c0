//! Strings of a context, made once. Must not know other groups.

use super::strings::Strings;
use super::version::{Version, explain};
use crate::instance::Instance;

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    pub(super) strings: Strings,
}

impl State {
    /// Initial state of a context that reports `version`.
    pub fn new(instance: &Instance, version: Version) -> Self {
        explain(&instance.caps);
        Self { strings: Strings::new(&instance.caps, version) }
    }
}
