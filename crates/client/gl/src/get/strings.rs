//! What the context says of itself: vendor, renderer, versions and extensions. Must not know any call.

use super::extensions;
use crate::context::ContextDesc;
use mgl_pipe::caps::Caps;
use std::ffi::{CStr, CString};

/// Words by which programs choose work-arounds for other drivers; a device's name must not trigger them.
const MISLEADING: &[&str] = &["amd", "ati", "nvidia", "llvmpipe", "virgl", "d3d12", "radeon", "geforce"];

/// Answers of `glGetString[i]`.
#[derive(Debug)]
pub(super) struct Strings {
    pub(super) vendor: CString,
    pub(super) renderer: CString,
    pub(super) version: CString,
    pub(super) shading_language: CString,
    pub(super) extensions: Vec<CString>,
}

impl Strings {
    pub(super) fn new(caps: &Caps, desc: &ContextDesc) -> Self {
        let backend = match caps.backend.as_str() {
            "magma" => "Magma",
            "espryt" => "Espryt",
            _ => "Null",
        };
        let (major, minor) = desc.version;
        let language = desc.language();
        let renderer = format!("MobileGL {backend} ({})", neutral(&caps.device));
        Self {
            vendor: text("MobileGL"),
            renderer: text(&renderer),
            version: text(&format!("{major}.{minor} (Core Profile) MobileGL {}", env!("CARGO_PKG_VERSION"))),
            shading_language: text(&format!("{}.{:02}", language / 100, language % 100)),
            extensions: extensions::of(caps).map(text).collect(),
        }
    }
    pub(super) fn extension(&self, index: u32) -> Option<&CStr> {
        self.extensions.get(index as usize).map(CString::as_c_str)
    }
}

fn text(s: &str) -> CString {
    // A device name is the driver's: it may hold anything but a terminator here.
    CString::new(s.replace('\0', "")).unwrap_or_default()
}

/// The device's name without words that mislead programs.
fn neutral(device: &str) -> String {
    let misleads = |word: &str| {
        let bare: String = word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        MISLEADING.contains(&bare.as_str()) || MISLEADING.iter().any(|m| m.len() > 3 && bare.contains(m))
    };
    let kept: Vec<&str> = device.split_whitespace().filter(|word| !misleads(word)).collect();
    let joined = kept.join(" ");
    // What is left may be the bracketed version of the driver alone.
    let joined = match joined.strip_prefix('(').and_then(|j| j.strip_suffix(')')) {
        Some(inner) if !inner.contains('(') => inner.to_owned(),
        _ => joined,
    };
    if joined.chars().any(char::is_alphanumeric) { joined } else { "device".into() }
}

#[cfg(test)]
mod tests {
    use super::{Strings, neutral};
    use crate::context::ContextDesc;
    use mgl_pipe::caps::Caps;

    // A program that sees such a word in the renderer's name switches on work-arounds for a driver that is not here.
    #[test]
    fn the_renderer_has_no_misleading_words() {
        assert_eq!(neutral("NVIDIA H200"), "H200");
        assert_eq!(neutral("AMD Radeon(TM) Graphics (RADV RENOIR)"), "Graphics (RADV RENOIR)");
        assert_eq!(neutral("llvmpipe (LLVM 15.0.6, 256 bits)"), "LLVM 15.0.6, 256 bits");
        assert_eq!(neutral("NVIDIA"), "device");
        let caps = Caps { backend: "magma".into(), device: "llvmpipe".into(), ..Caps::default() };
        let strings = Strings::new(&caps, &ContextDesc { version: (4, 5), ..ContextDesc::default() });
        assert_eq!(strings.renderer.to_str(), Ok("MobileGL Magma (device)"));
        assert!(strings.version.to_str().is_ok_and(|v| v.starts_with("4.5 ")));
        assert_eq!(strings.shading_language.to_str(), Ok("4.50"));
    }
}
