//! State of this group: what the program in use and transform feedback allow to draw. Must not push records.

use crate::instance::Instance;
use mgl_pipe::records::DrawRange;

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    /// Primitive modes that may be drawn now, bit = GL value; kept until the program or the capture changes.
    pub(super) modes: u32,
    /// There is a program that can draw.
    pub(super) has_program: bool,
    /// Modes of a draw without and with indices for which everything was in order when it was last looked at; worth
    /// something only while nothing has changed (`Context::draw_unchanged`).
    pub(crate) again: [u32; 2],
    /// Two samplers of different type use one texture unit.
    pub(super) samplers_clash: bool,
    /// `modes`, `has_program` and `samplers_clash` have to be looked up again.
    pub(crate) stale: bool,
    /// Where the indices of the coming draw start in the stream; none when it has an element buffer, or no indices.
    pub(super) client_indices: Option<u64>,
    /// Memory of multi-draws, reused.
    pub(super) ranges: Vec<DrawRange>,
    /// A program without shaders, for tests of what draws emit.
    #[cfg(test)]
    pub(crate) program: Option<std::sync::Arc<crate::program::state::Bindings>>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
}
