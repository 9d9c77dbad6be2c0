//! What the client emits, applied by the real applier in one process: a context whose records are kept, a scene that
//! uses every group of state, and a session on the null backend. Must not know a transport.
#![forbid(unsafe_code)]

pub mod scene;
pub mod stream;
