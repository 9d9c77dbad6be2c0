//! The capability snapshot. Must not report what the backend cannot do.

use crate::device::Gpu;
use mgl_backend::values::Caps;

/// What the client is told about this device.
pub fn snapshot(gpu: &Gpu) -> Caps {
    let _ = gpu;
    Caps::default()
}
