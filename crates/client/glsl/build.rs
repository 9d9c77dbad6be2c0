//! Builds the C++ shim against the headers inside the `glslang-sys` package, which publishes no path to them. Must not build
//! glslang itself: that crate's own build script does. Must not run cargo, which would want packages that this build has no
//! use for.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "build/package.rs"]
mod package;

/// Names the folder of the package where it cannot be found, as in builds that cargo does not run.
const OVERRIDE: &str = "MOBILEGL_GLSLANG_SYS";
/// A header that the shim needs, from the package's folder.
const MARKER: &str = "native/glslang/glslang/Public/ShaderLang.h";

fn main() {
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed={OVERRIDE}");
    let native = glslang_package().join("native");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("shim/shim.cpp")
        .include("shim")
        .include(native.join("glslang"))
        .include(native.join("build_info"))
        .define("ENABLE_SPIRV", "ON")
        .define("ENABLE_HLSL", "ON")
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .warnings(false)
        .compile("mgl_glsl_shim");
}

/// The folder of the `glslang-sys` package that this build uses.
///
/// That package has `links`, so cargo has built and run its build script before this one starts. Beside the script lies what
/// rustc wrote down about it: the path of its source, wherever the package comes from (registry, vendored folder, git).
fn glslang_package() -> PathBuf {
    let required = |name: &str| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    let named = env::var_os(OVERRIDE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let (out, manifest) = (required("OUT_DIR"), required("CARGO_MANIFEST_DIR"));
    let found = match named {
        Some(path) => vec![path],
        None => package::compiled_scripts(&out, "glslang-sys"),
    };
    let usable: Vec<PathBuf> = found.iter().filter(|folder| folder.join(MARKER).is_file()).cloned().collect();
    let lock = manifest.ancestors().find_map(|folder| fs::read_to_string(folder.join("Cargo.lock")).ok());
    let version = lock.as_deref().and_then(|text| package::locked_version(text, "glslang-sys"));
    // A build folder may hold what an older lock file asked for, too.
    let right = |folder: &&PathBuf| version.as_deref().is_none_or(|version| has_version(folder, version));
    usable.iter().find(right).or(usable.first()).cloned().unwrap_or_else(|| {
        panic!(
            "the headers of glslang-sys were not found: no {MARKER} in {found:?}, looked for from {}. Set {OVERRIDE} to the \
             folder of that package",
            out.display()
        )
    })
}

fn has_version(folder: &Path, version: &str) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    package::manifest_version(&manifest).as_deref() == Some(version)
}
