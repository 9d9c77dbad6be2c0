//! Where the parts are: the repository, the built programs, the Python environment, the reference driver's files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// The root of the repository.
pub fn root() -> PathBuf {
    // Asked while running: a build that another clone left in a shared cache must not look at that clone.
    let here: PathBuf =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).unwrap_or(&here).to_path_buf()
}

/// The folder with `mobilegl`, `mobilegl-server` and `libmobilegl.so`: `MOBILEGL_TEST_BIN`, else the profile's
/// folder this test program itself was built into.
pub fn built() -> PathBuf {
    if let Some(folder) = env::var_os("MOBILEGL_TEST_BIN") {
        return folder.into();
    }
    let own = env::current_exe().unwrap_or_default();
    // target/<profile>/deps/<test program>
    own.ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

/// The `mobilegl` command.
///
/// # Errors
/// When it, the library or the server has not been built.
pub fn mobilegl() -> Result<PathBuf> {
    present("the client library", built().join("libmobilegl.so"))?;
    present("the server program", built().join("mobilegl-server"))?;
    present("the command mobilegl", built().join("mobilegl"))
}

/// Python with the packages the programs use: `MOBILEGL_PYTHON`, else the environment beside the build.
///
/// # Errors
/// When there is none.
pub fn python() -> Result<PathBuf> {
    let beside_build = || built().parent().unwrap_or(Path::new("")).join("venv/bin/python");
    let path = env::var_os("MOBILEGL_PYTHON").map_or_else(beside_build, PathBuf::from);
    present("Python with moderngl", path)
}

/// Where the results of one test belong.
pub fn results_folder(parts: &[&str]) -> PathBuf {
    let mut folder = built().parent().unwrap_or(Path::new("")).join("program-results");
    folder.extend(parts);
    folder
}

/// A folder for the results of one test, empty.
///
/// # Errors
/// When it cannot be made.
pub fn results(parts: &[&str]) -> Result<PathBuf> {
    let folder = results_folder(parts);
    let doing = || format!("clearing {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|source| Error::System { doing: doing(), source })?;
    }
    fs::create_dir_all(&folder).map_err(|source| Error::System { doing: doing(), source })?;
    Ok(folder)
}

/// glvnd's description of Mesa's EGL.
///
/// # Errors
/// When Mesa's EGL is not installed.
pub fn mesa_vendor_file() -> Result<PathBuf> {
    present("Mesa's EGL", "/usr/share/glvnd/egl_vendor.d/50_mesa.json".into())
}

/// The Vulkan loader's description of lavapipe.
///
/// # Errors
/// When lavapipe is not installed.
pub fn lavapipe_file() -> Result<PathBuf> {
    let folder = "/usr/share/vulkan/icd.d";
    let entries = fs::read_dir(folder).map_err(|_| Error::Missing { what: "lavapipe", path: folder.into() })?;
    let found = entries.flatten().find(|entry| entry.file_name().to_string_lossy().starts_with("lvp_icd"));
    found.map(|entry| entry.path()).ok_or_else(|| Error::Missing { what: "lavapipe", path: folder.into() })
}

/// A file, or the error that it is missing.
///
/// # Errors
/// When it is not there.
pub fn present(what: &'static str, path: PathBuf) -> Result<PathBuf> {
    if path.exists() { Ok(path) } else { Err(Error::Missing { what, path: path.display().to_string() }) }
}
