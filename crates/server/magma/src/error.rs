//! Errors of the crate and how a Vulkan result becomes one. Must not know what was being done: callers say that.

use ash::vk;
use mgl_backend::Refusal;

/// Why the backend could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MagmaError {
    /// There is no Vulkan loader on this machine.
    #[error(
        "no Vulkan loader: {0}. Looked for libvulkan.so.1; install the Vulkan loader (Debian: libvulkan1, Fedora: \
         vulkan-loader) or set LD_LIBRARY_PATH to the folder that holds it"
    )]
    NoLoader(String),
    /// The loader is older than Vulkan 1.1.
    #[error("the Vulkan loader speaks {major}.{minor}; 1.1 or newer is needed. Install a newer Vulkan loader")]
    LoaderTooOld {
        /// Major version of the loader.
        major: u32,
        /// Minor version of the loader.
        minor: u32,
    },
    /// No device can be used.
    #[error(
        "no usable Vulkan device ({seen}). A device needs Vulkan 1.1 and a queue family with graphics and compute; \
         install a driver for the GPU or the software driver (Debian: mesa-vulkan-drivers), and check VK_ICD_FILENAMES"
    )]
    NoDevice {
        /// Every device that was seen and why it was passed over.
        seen: String,
    },
    /// A Vulkan call failed while the backend was being made.
    #[error("{what} failed: {result:?}")]
    Vulkan {
        /// The call.
        what: &'static str,
        /// Its result.
        result: vk::Result,
    },
}

/// True when waiting for the GPU may free what was missing.
pub fn is_exhausted(result: vk::Result) -> bool {
    matches!(
        result,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
            | vk::Result::ERROR_OUT_OF_HOST_MEMORY
            | vk::Result::ERROR_TOO_MANY_OBJECTS
    )
}

/// Turns a failed Vulkan call into the refusal that says what it means for the program.
pub fn refuse(what: &'static str, result: vk::Result) -> Refusal {
    match result {
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        | vk::Result::ERROR_OUT_OF_HOST_MEMORY
        | vk::Result::ERROR_OUT_OF_POOL_MEMORY
        | vk::Result::ERROR_TOO_MANY_OBJECTS => Refusal::OutOfMemory(what),
        vk::Result::ERROR_DEVICE_LOST => Refusal::DeviceLost(format!("{what}: the driver lost the device")),
        other => Refusal::Driver(format!("{what}: {other:?}")),
    }
}
