//! Patch parameters (GL 4.6 §10.1.15, §11.2.2). Must not push records.

use crate::instance::Instance;
use mgl_pipe::records::SetPatchState;

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    /// What the program has set.
    pub(crate) wanted: SetPatchState,
    /// What the server has; `None` when that is not known.
    pub(crate) pushed: Option<SetPatchState>,
    /// `GL_PRIMITIVE_BOUNDING_BOX_ARB`: least and greatest corner. A hint; no device is told.
    pub(super) bounding_box: [f32; 8],
}

impl State {
    /// Initial state (GL 4.6 table 23.4), which a server's context begins with as well.
    pub fn new(_instance: &Instance) -> Self {
        let initial = SetPatchState { vertices: 3, outer: [1.0; 4], inner: [1.0; 2], ..Default::default() };
        let bounding_box = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        Self { wanted: initial, pushed: Some(initial), bounding_box }
    }
}
