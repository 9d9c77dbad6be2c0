//! The capability snapshot: what the driver can do, in GL terms. Must not report what the backend cannot do.

use crate::device::Device;
use mgl_backend::values::Caps;

/// What the client is told about this device.
pub fn snapshot(device: &Device) -> Caps {
    Caps {
        generation: 1,
        backend: "espryt".into(),
        device: device.renderer.clone(),
        driver: device.version.clone(),
        server_pid: std::process::id(),
        ..Caps::default()
    }
}
