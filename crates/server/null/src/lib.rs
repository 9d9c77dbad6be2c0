//! The null backend: accepts every proven call, draws nothing, answers zeros. For fuzzing and for measuring the cost
//! of everything but a driver. Must not keep any content.
#![forbid(unsafe_code)]

mod caps;
mod objects;
mod verbs;

use mgl_backend::values::Caps;
use mgl_backend::{Backend, Outcome};

/// The backend.
#[derive(Clone, Debug, Default)]
pub struct Null {
    /// Serial that every call counts as complete.
    serial: u64,
}

impl Null {
    /// A null backend as the applier takes it.
    pub fn boxed() -> Box<dyn Backend> {
        Box::new(Self::default())
    }
}

impl Backend for Null {
    fn caps(&self) -> Caps {
        caps::caps()
    }
}

/// Everything succeeds.
const DONE: Outcome = Ok(());
