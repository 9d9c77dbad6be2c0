//! The null backend: accepts every proven call, draws nothing, answers zeros. For fuzzing and for measuring the cost
//! of everything but a driver. Must not keep any content.
#![forbid(unsafe_code)]

mod caps;
mod objects;
mod verbs;

use mgl_backend::values::Caps;
use mgl_backend::{Backend, Outcome, PixelMemory, SharedMemory};
use mgl_base::Handle;
use mgl_base::handle::Buffer;

/// The backend.
#[derive(Clone, Debug, Default)]
pub struct Null {
    /// Serial that every call counts as complete.
    serial: u64,
    /// Flushes after which the device is lost, as it is behind a shader that does not end; for tests.
    flushes: Option<u32>,
    /// Stores in memory of the client; `None` = this device takes none.
    shared: Option<Vec<(Handle<Buffer>, SharedMemory)>>,
    /// Memory that pictures went to; `None` = nothing is kept, and every frame is complete at once.
    pixels: Option<Vec<PixelMemory>>,
}

impl Null {
    /// A null backend as the applier takes it.
    pub fn boxed() -> Box<dyn Backend> {
        Box::new(Self::default())
    }
    /// One whose device is lost after so many flushes.
    pub fn losing_after(flushes: u32) -> Box<dyn Backend> {
        Box::new(Self { flushes: Some(flushes), ..Self::default() })
    }
    /// One that takes memory of the client for stores, and holds it as long as a device would; for tests.
    pub fn sharing() -> Box<dyn Backend> {
        Box::new(Self { shared: Some(Vec::new()), ..Self::default() })
    }
    /// One that holds memory for pictures until it is forgotten, and completes a frame at the next idle moment; for tests.
    pub fn presenting() -> Box<dyn Backend> {
        Box::new(Self { pixels: Some(Vec::new()), ..Self::default() })
    }
}

impl Backend for Null {
    fn caps(&self) -> Caps {
        caps::caps()
    }
}

/// Everything succeeds.
const DONE: Outcome = Ok(());
