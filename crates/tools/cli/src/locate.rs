//! Finds the client library and the server program that belong to this command.
//!
//! A build tree has all three in one folder; an installation has `bin/mobilegl` and `lib/libmobilegl.so` (or
//! `lib/mobilegl/`). It must not know what the files contain.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The file name of the client library.
pub const LIBRARY: &str = "libmobilegl.so";
/// The file name of the server program.
pub const SERVER: &str = "mobilegl-server";

/// The client library: `MOBILEGL_LIBRARY` if set, else the first that exists beside this command.
///
/// # Errors
/// [`Error::LibraryMissing`] naming every place looked at.
pub fn library() -> Result<PathBuf, Error> {
    if let Some(path) = named("MOBILEGL_LIBRARY") {
        let searched = vec![path.clone()];
        return first_file([path]).ok_or(Error::LibraryMissing { name: LIBRARY, searched });
    }
    let folders = search_folders(&own_folder());
    first_file(folders.iter().map(|folder| folder.join(LIBRARY)))
        .ok_or(Error::LibraryMissing { name: LIBRARY, searched: folders })
}

/// The server program: `MOBILEGL_IPC_SERVER_PATH` if set, else beside the library, where the client looks for it too.
///
/// # Errors
/// [`Error::ServerMissing`] with the path expected.
pub fn server(library: &Path) -> Result<PathBuf, Error> {
    let path = named("MOBILEGL_IPC_SERVER_PATH").unwrap_or_else(|| library.with_file_name(SERVER));
    first_file([path.clone()]).ok_or(Error::ServerMissing { path })
}

/// A path from the environment; an empty one counts as not set.
fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn own_folder() -> PathBuf {
    let executable = env::current_exe().unwrap_or_default();
    executable.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn search_folders(own: &Path) -> Vec<PathBuf> {
    let up = own.parent().map(Path::to_path_buf).unwrap_or_default();
    vec![own.to_path_buf(), up.join("lib"), up.join("lib/mobilegl")]
}

/// The first that is a file, absolute and free of links: glvnd loads it from any working directory.
fn first_file(paths: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    paths.into_iter().find(|path| path.is_file()).and_then(|path| path.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::{first_file, search_folders};
    use std::path::{Path, PathBuf};

    /// If this fails, an installed `mobilegl` does not find the library its package put into `lib`.
    #[test]
    fn installed_layout_is_searched() {
        let folders = search_folders(Path::new("/opt/mobilegl/bin"));
        assert!(folders.contains(&PathBuf::from("/opt/mobilegl/bin")));
        assert!(folders.contains(&PathBuf::from("/opt/mobilegl/lib")));
    }

    /// If this fails, a folder with the library's name is handed to glvnd, which then finds no driver.
    #[test]
    fn only_files_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(first_file([folder.path().to_path_buf(), file.clone()]), file.canonicalize().ok());
    }
}
