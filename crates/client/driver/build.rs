//! Link arguments of the driver, and the other names it goes by, as links beside it in the build folder: the glvnd
//! vendor name, and a folder of drop-in names for machines without glvnd.

use std::path::Path;
use std::{env, fs, io};

/// Folder for `LD_LIBRARY_PATH`.
const DROP_IN: &str = "dropin";
const DROP_IN_NAMES: [&str; 3] = ["libEGL.so.1", "libOpenGL.so.0", "libGL.so.1"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmobilegl.so");
    // The tables of addresses must hold our own functions: under glvnd, libOpenGL exports the same names and comes first
    // in the search order, so that a table bound by name would call itself for ever.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Threads and thread-local destructors of the library outlive a dlclose.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
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
    Ok(())
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
