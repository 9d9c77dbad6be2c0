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
    /// All of them in one, for programs that know no other way.
    pub(super) joined: Option<CString>,
    /// The languages that `#version` may name, the newest first.
    pub(super) languages: Vec<CString>,
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
        let extensions: Vec<&str> = extensions::in_version(caps, desc.version).collect();
        let renderer = format!("MobileGL {backend} ({})", neutral(&caps.device));
        Self {
            vendor: text("MobileGL"),
            renderer: text(&renderer),
            version: text(&format!("{major}.{minor} (Core Profile) MobileGL {}", env!("CARGO_PKG_VERSION"))),
            shading_language: text(&format!("{}.{:02}", language / 100, language % 100)),
            joined: desc.legacy.then(|| text(&extensions.join(" "))),
            extensions: extensions.into_iter().map(text).collect(),
            languages: languages(language, caps),
        }
    }
    pub(super) fn extension(&self, index: u32) -> Option<&CStr> {
        self.extensions.get(index as usize).map(CString::as_c_str)
    }
}

/// Versions with their profile as `#version` spells them (GL 4.6 §22.2).
fn languages(newest: u32, caps: &Caps) -> Vec<CString> {
    let desktop = [460, 450, 440, 430, 420, 410, 400, 330, 150];
    let core = desktop.iter().filter(|version| **version <= newest).map(|version| format!("{version} core"));
    let es = [
        ("GL_ARB_ES3_2_compatibility", "320 es"),
        ("GL_ARB_ES3_1_compatibility", "310 es"),
        ("GL_ARB_ES3_compatibility", "300 es"),
        ("GL_ARB_ES2_compatibility", "100"),
    ];
    let version = (newest / 100, newest / 10 % 10);
    let has = |wanted: &str| extensions::in_version(caps, version).any(|name| name == wanted);
    let es = es.iter().filter(|(needs, _)| has(needs)).map(|(_, version)| (*version).to_owned());
    core.chain(["140".into()]).chain(es).map(|version| text(&version)).collect()
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
        let languages: Vec<_> = strings.languages.iter().filter_map(|l| l.to_str().ok()).collect();
        assert_eq!((languages[0], languages[8]), ("450 core", "140"), "{languages:?}");
    }
}
