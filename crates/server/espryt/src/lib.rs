//! Espryt: the OpenGL ES backend. Must not know records, rings or sockets; the seam is `mgl-backend`.

pub mod bindings;
pub mod buffers;
pub mod capture;
pub mod core;
pub mod device;
pub mod drawing;
pub mod error;
pub mod essl;
pub mod fences;
pub mod frames;
pub mod images;
pub mod meta;
pub mod programs;
pub mod queries;
pub mod raw;
mod seam;
pub mod state;
pub mod surfaces;
pub mod texel;
pub mod textures;
mod transfer;
mod verbs;
pub mod vertex;

pub use device::gaps::GAPS;
pub use device::{EsFeatures, Options, ProbedDevice, probe};
pub use error::EsprytError;

use mgl_backend::Backend;

/// A session on an OpenGL ES driver.
pub struct Espryt {
    pub(crate) core: core::Core,
    pub(crate) drawing: drawing::Drawing,
    caps: mgl_backend::values::Caps,
}

impl Espryt {
    /// Opens a driver and an empty session on it.
    #[allow(clippy::new_ret_no_self, reason = "callers only know the seam")]
    pub fn new(options: &Options) -> Result<Box<dyn Backend>, EsprytError> {
        Ok(Box::new(Self::open(options)?))
    }

    /// The same with its own type, for tests that look inside.
    pub fn open(options: &Options) -> Result<Self, EsprytError> {
        let mut core = core::Core::new(device::Device::new(options)?);
        let drawing = drawing::Drawing::new(&mut core);
        let caps = device::caps::snapshot(&core.device);
        // The session may be served by another thread than the one that made it.
        core.device.context.leave();
        Ok(Self { core, drawing, caps })
    }

    /// The resource half, for tests and counters.
    pub fn core(&mut self) -> &mut core::Core {
        &mut self.core
    }
}

impl Drop for Espryt {
    fn drop(&mut self) {
        if self.core.enter().is_ok() {
            self.drawing.close(&mut self.core);
        }
    }
}
