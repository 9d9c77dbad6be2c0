//! Magma: the Vulkan backend. Must not know records, rings or sockets; the seam is `mgl-backend`.

pub mod access;
pub mod buffers;
pub mod commands;
pub mod core;
pub mod device;
pub mod drawing;
pub mod error;
pub mod fences;
pub mod images;
pub mod imports;
pub mod passes;
pub mod pipelines;
pub mod programs;
pub mod queries;
pub mod raw;
pub mod recorder;
mod seam;
pub mod textures;
mod transfer;
pub mod variants;
pub mod vertex;

pub use device::{DeviceFeatures, Options, ProbedDevice, probe};
pub use error::MagmaError;
pub use raw::boot::validation_messages;

use mgl_backend::Backend;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A session on a Vulkan device.
pub struct Magma {
    pub(crate) core: ManuallyDrop<core::Core>,
    pub(crate) drawing: ManuallyDrop<drawing::Drawing>,
    stats: bool,
}

impl Magma {
    /// Opens a device and an empty session on it.
    #[allow(clippy::new_ret_no_self, reason = "callers only know the seam")]
    pub fn new(options: &Options) -> Result<Box<dyn Backend>, MagmaError> {
        Ok(Box::new(Self::open(options)?))
    }

    /// The same with its own type, for tests that look inside.
    pub fn open(options: &Options) -> Result<Self, MagmaError> {
        let gpu = Arc::new(device::Gpu::new(options)?);
        let core = core::Core::new(gpu)
            .map_err(|_| MagmaError::Vulkan { what: "command stream", result: ash::vk::Result::ERROR_UNKNOWN })?;
        let drawing = drawing::Drawing::new(&core.gpu);
        Ok(Self { core: ManuallyDrop::new(core), drawing: ManuallyDrop::new(drawing), stats: options.stats })
    }

    /// The resource half, for tests and counters.
    pub fn core(&mut self) -> &mut core::Core {
        &mut self.core
    }
}

impl Drop for Magma {
    fn drop(&mut self) {
        if self.stats {
            eprintln!("mobilegl-stats server: {}", self.core.cmds.counts);
        }
        // A device that hangs can neither be waited for nor destroyed, and what it may reach must not be freed under it.
        self.core.cmds.wait_all().ok();
        if self.core.cmds.hung() {
            tracing::error!("the Vulkan device works on something that does not end and is left as it is");
            return;
        }
        self.drawing.close(&mut self.core);
        raw::boot::drop_owned(&mut self.drawing);
        raw::boot::drop_owned(&mut self.core);
    }
}
