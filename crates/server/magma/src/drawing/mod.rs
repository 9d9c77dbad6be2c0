//! The drawing half: programs, pipelines, descriptors, passes, draws, clears, blits, queries, capture. Must not make
//! buffers or images of GL objects: those come from `core`.

/// State of the drawing half of a session.
#[derive(Default)]
pub struct Drawing {}
