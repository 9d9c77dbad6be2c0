//! Strings of a context, made once. Must not know other groups.

use super::strings::Strings;
use super::version::explain;
use crate::context::ContextDesc;
use crate::instance::Instance;

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    pub(super) strings: Strings,
}

impl State {
    /// Initial state of a context made with `desc`.
    pub fn new(instance: &Instance, desc: &ContextDesc) -> Self {
        explain(&instance.caps);
        Self { strings: Strings::new(&instance.caps, desc) }
    }
}
