//! Link arguments of the driver, and the other names it goes by, as links beside it in the build folder: the glvnd
//! vendor name and file, the name that libGLX asks for, and a folder of drop-in names for machines without glvnd.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{env, fs, io};

/// Folder for `LD_LIBRARY_PATH`.
const DROP_IN: &str = "dropin";
/// Folder with nothing in it but the name under which libGLX asks for this driver.
const GLX: &str = "glx";
/// What tells glvnd where the library lies, for programs of this build folder.
const VENDOR_FILE: &str = "egl_vendor.json";
const DROP_IN_NAMES: [&str; 3] = ["libEGL.so.1", "libOpenGL.so.0", "libGL.so.1"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmobilegl.so");
    // The tables of addresses must hold our own functions: under glvnd, libOpenGL exports the same names and comes first
    // in the search order, so that a table bound by name would call itself for ever.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Threads and thread-local destructors of the library outlive a dlclose.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // What is released carries names of functions, but no debug information: nine tenths of the file.
    println!("cargo::rerun-if-env-changed=MOBILEGL_KEEP_DEBUG");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && env::var_os("MOBILEGL_KEEP_DEBUG").is_none() {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--strip-debug");
    }
    if let Err(e) = links() {
        println!("cargo::warning=the links to libmobilegl.so could not be made: {e}");
    }
}

fn links() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    // OUT_DIR is <profile>/build/<package>/out.
    let profile = Path::new(&out).ancestors().nth(3).ok_or(io::ErrorKind::NotFound)?;
    link(Path::new("libmobilegl.so"), &profile.join("libEGL_mobilegl.so.0"))?;
    fs::create_dir_all(profile.join(DROP_IN))?;
    for name in DROP_IN_NAMES {
        link(Path::new("../libmobilegl.so"), &profile.join(DROP_IN).join(name))?;
    }
    fs::create_dir_all(profile.join(GLX))?;
    link(Path::new("../libmobilegl.so"), &profile.join(GLX).join("libGLX_mobilegl.so.0"))?;
    vendor_file(profile)
}

/// `mobilegl run` uses it where it lies, and then needs no folder of the user's. A path that needs escapes has none.
fn vendor_file(profile: &Path) -> io::Result<()> {
    let library = profile.canonicalize()?.join("libmobilegl.so");
    let plain = |text: &&str| !text.contains(['"', '\\']) && !text.chars().any(char::is_control);
    let Some(path) = library.to_str().filter(plain) else { return Ok(()) };
    let text = format!(r#"{{"file_format_version":"1.0.0","ICD":{{"library_path":"{path}"}}}}"#);
    let at = profile.join(VENDOR_FILE);
    // A build folder may be a copy made of links to another one's files: those are replaced, never written through.
    match fs::remove_file(&at) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    fs::write(&at, text)?;
    fs::set_permissions(&at, fs::Permissions::from_mode(0o644))
}

fn link(target: &Path, at: &Path) -> io::Result<()> {
    if fs::read_link(at).is_ok_and(|old| old == target) {
        return Ok(());
    }
    match fs::remove_file(at) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::os::unix::fs::symlink(target, at)
}
