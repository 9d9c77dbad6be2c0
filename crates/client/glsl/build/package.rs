//! Finds the folder of a package by what cargo and rustc left in the build folder. Must not start anything. Part of the
//! build script, and of a test.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of packages named `package` whose build scripts were compiled in the build folder that holds `out`, an `OUT_DIR`.
///
/// `out` is `BUILD/PROFILE/build/NAME-HASH/out`, with the target's name before the profile when it is not the host. Scripts
/// always lie in the host's folder, `BUILD/PROFILE/build/PACKAGE-HASH/`; some versions of cargo put them a level deeper.
pub fn compiled_scripts(out: &Path, package: &str) -> Vec<PathBuf> {
    let profile = out.ancestors().nth(3).and_then(Path::file_name);
    let mut found = Vec::new();
    for folder in out.ancestors().skip(2).take(5) {
        let places =
            [Some(folder.to_path_buf()), Some(folder.join("build")), profile.map(|p| folder.join(p).join("build"))];
        for place in places.into_iter().flatten() {
            for entry in entries(&place).filter(|path| is_of(path, package)) {
                collect(&entry, 2, &mut found);
            }
        }
    }
    found.dedup();
    found
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_of(path: &Path, package: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.extension().is_some_and(|extension| extension == "d") {
            found.extend(fs::read_to_string(&path).ok().and_then(|text| script(&text)));
        } else if depth > 0 && path.is_dir() {
            collect(&path, depth - 1, found);
        }
    }
}

/// The folder of the first build script that a dependency file names. Blanks in its paths are escaped.
pub fn script(dependencies: &str) -> Option<PathBuf> {
    let plain = dependencies.replace("\\ ", "\u{0}");
    let paths = plain.split_whitespace().map(|path| path.trim_end_matches(':').replace('\u{0}', " "));
    paths
        .map(PathBuf::from)
        .find(|path| path.ends_with("build.rs"))
        .and_then(|path| path.parent().map(Path::to_path_buf))
}

/// The version of a package in a lock file; none when there are several.
pub fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut versions = lock.split("[[package]]").filter(|part| part.lines().any(|line| line == name));
    let version = versions.next().and_then(manifest_version);
    if versions.next().is_some() { None } else { version }
}

/// The first version in a manifest.
pub fn manifest_version(manifest: &str) -> Option<String> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""))?;
    line.split('"').next().map(str::to_owned)
}
