//! The version of OpenGL that a device carries: the newest one of which nothing is missing. Must not know any call.

use super::extensions;
use mgl_base::gl_versions::{self, Version};
use mgl_pipe::caps::Caps;

/// What every device that MobileGL runs on carries.
const OLDEST: Version = (3, 3);

/// The newest version that was tried as a whole, on any device.
const TRIED: Version = (4, 6);

/// The version that contexts on such a device report. `MOBILEGL_GL_VERSION` overrides it, whatever is missing.
pub fn newest(caps: &Caps) -> Version {
    wished().unwrap_or_else(|| carried(caps).min(TRIED))
}

/// The newest version of which the device lacks nothing.
fn carried(caps: &Caps) -> Version {
    let present: Vec<_> = extensions::of(caps).collect();
    gl_versions::carried(&present).unwrap_or(OLDEST)
}

/// Writes to the log why contexts of this device do not report a newer version.
pub(super) fn explain(caps: &Caps) {
    let present: Vec<_> = extensions::of(caps).collect();
    if let Some(((major, minor), missing)) = gl_versions::lacking(&present) {
        tracing::info!("OpenGL {major}.{minor} is not reported: it needs {}", missing.join(", "));
    }
}

/// `MOBILEGL_GL_VERSION=4.5`: a developer's wish, taken once.
fn wished() -> Option<Version> {
    static WISH: std::sync::OnceLock<Option<Version>> = std::sync::OnceLock::new();
    *WISH.get_or_init(|| mgl_link::settings::text("MOBILEGL_GL_VERSION").and_then(|text| parse(&text)))
}

fn parse(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, carried, parse};
    use mgl_pipe::caps::Caps;

    // A context that claims a version sends programs into functions that the device cannot carry out.
    #[test]
    fn a_bare_device_carries_the_oldest_version() {
        assert_eq!(carried(&Caps::default()), OLDEST);
    }

    // A wish that is misread reports another version than the developer tests.
    #[test]
    fn wishes_are_read() {
        assert_eq!((parse("4.6"), parse("46")), (Some((4, 6)), None));
    }
}
