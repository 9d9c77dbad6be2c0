//! Where driver libraries are: what was asked for by path, otherwise the vendor libraries that glvnd knows. Our own
//! library is never among them. Must not know EGL's functions.

use libloading::Library;
use std::path::{Path, PathBuf};

/// Folders with glvnd's descriptions of EGL vendors, in order.
const VENDOR_FOLDERS: &[&str] = &["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"];

/// Names to try when there is no description at all.
#[cfg(not(target_os = "android"))]
const USUAL: &[&str] = &["libEGL_mesa.so.0", "libEGL_nvidia.so.0"];
/// Android's loader is the system's own and leads to the device's driver.
#[cfg(target_os = "android")]
const USUAL: &[&str] = &["/system/lib64/libEGL.so", "/system/lib/libEGL.so"];

/// A symbol that only our own EGL has.
const OURS: &[u8] = b"mobilegl_library\0";

/// Libraries to try, best first.
pub fn candidates(explicit: Option<&Path>) -> Vec<PathBuf> {
    if let Some(path) = explicit {
        return vec![path.to_owned()];
    }
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in VENDOR_FOLDERS {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "json")) {
            let Some(library) = described(file) else { continue };
            if !found.contains(&library) {
                found.push(library);
            }
        }
    }
    for name in USUAL.iter().map(PathBuf::from) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found.retain(|path| !path.to_string_lossy().contains("mobilegl"));
    found
}

/// `ICD.library_path` of a vendor description; a relative path with a slash is relative to the description.
fn described(file: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(file).ok()?;
    let json: serde_json::Value = serde_json::from_str(&text).ok()?;
    let path = Path::new(json.get("ICD")?.get("library_path")?.as_str()?);
    if path.is_relative() && path.components().count() > 1 {
        return Some(file.parent()?.join(path));
    }
    Some(path.to_owned())
}

/// Loads a library without offering its symbols to others. Refuses our own.
pub(super) fn load(path: &Path) -> Result<Library, String> {
    // SAFETY: loading a driver runs its initialisers; that is what a driver library is for.
    let library = unsafe { Library::new(path) }.map_err(|e| e.to_string())?;
    // SAFETY: only the presence of the symbol is asked.
    if unsafe { library.get::<*const ()>(OURS) }.is_ok() {
        return Err("this is MobileGL itself, not a driver".into());
    }
    Ok(library)
}
