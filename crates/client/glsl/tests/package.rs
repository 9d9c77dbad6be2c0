//! How the build script finds the headers it needs, without cargo and wherever the package lies.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../build/package.rs"]
mod package;

/// A build folder as cargo leaves it: the script of `glslang-sys` and the dependency file beside it.
fn build_folder(name: &str, script_folder: &str, source: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let folder = root.join(script_folder);
    fs::create_dir_all(&folder).unwrap();
    let escaped = format!("{source}/build.rs").replace(' ', "\\ ");
    fs::write(folder.join("build_script_build-1.d"), format!("/t/build_script_build-1: {escaped}\n\n{escaped}:\n"))
        .unwrap();
    root
}

/// If this fails, a build with a vendored folder, a git dependency, a cargo home with a blank in its name, for another
/// target, or with a profile of its own stops for want of headers.
#[test]
fn headers_are_found_wherever_the_package_lies() {
    for (name, script, out, source) in [
        (
            "plain",
            "release/build/glslang-sys-1",
            "release/build/mgl-glsl-2/out",
            "/a b/.cargo/registry/src/x/glslang-sys-0.9.2+e1",
        ),
        ("vendored", "demo/build/glslang-sys-1", "demo/build/mgl-glsl-2/out", "/tree/vendor/glslang-sys"),
        (
            "cross",
            "release/build/glslang-sys-1",
            "aarch64-unknown-linux-gnu/release/build/mgl-glsl-2/out",
            "/c/git/checkouts/glslang-rs-1/2/glslang-sys",
        ),
        ("deeper", "debug/build/glslang-sys/0123/out", "debug/build/mgl-glsl/4567/out", "/v/glslang-sys"),
    ] {
        let root = build_folder(name, script, source);
        let found = package::compiled_scripts(&root.join(out), "glslang-sys");
        assert_eq!(found.first().map(PathBuf::as_path), Some(Path::new(source)), "{name}");
    }
}

/// If this fails, headers of another package or of an older version are compiled against the library of this one.
#[test]
fn other_packages_and_versions_are_told_apart() {
    let root = build_folder("other", "release/build/glslang-sys-more", "/v/other");
    let found = package::compiled_scripts(&root.join("release/build/mgl-glsl-2/out"), "glslang");
    // The folders above, of this test's own build, follow.
    assert_eq!(found.first().map(PathBuf::as_path), Some(Path::new("/v/other")), "a name with a dash may be a hash");
    assert!(package::compiled_scripts(&root.join("release/build/mgl-glsl-2/out"), "slang-sys").is_empty());
    let lock =
        "[[package]]\nname = \"cc\"\nversion = \"1\"\n\n[[package]]\nname = \"glslang-sys\"\nversion = \"0.9.2+e1\"\n";
    assert_eq!(package::locked_version(lock, "glslang-sys").as_deref(), Some("0.9.2+e1"));
    assert_eq!(package::locked_version(&format!("{lock}{lock}"), "glslang-sys"), None);
    assert_eq!(
        package::manifest_version("[package]\nname = \"x\"\nversion = \"0.9.2+e1\"\n").as_deref(),
        Some("0.9.2+e1")
    );
    assert_eq!(package::script("/t/x: /v/src/main.rs\n"), None);
}
