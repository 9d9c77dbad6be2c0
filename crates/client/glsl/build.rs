//! Builds the C++ shim against the headers inside the `glslang-sys` package.
//! Must not build glslang itself: that crate's own build script does, and publishes no header path, so cargo is asked.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=shim");
    let headers = glslang_package().join("native").join("glslang");
    let marker = headers.join("glslang").join("Public").join("ShaderLang.h");
    assert!(marker.is_file(), "glslang-sys has no {}: its layout changed, adapt build.rs", marker.display());
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("shim/shim.cpp")
        .include("shim")
        .include(&headers)
        .include(headers.join("..").join("build_info"))
        .define("ENABLE_SPIRV", "ON")
        .define("ENABLE_HLSL", "ON")
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .warnings(false)
        .compile("mgl_glsl_shim");
}

/// The folder of the `glslang-sys` package in this build, from `cargo metadata`.
fn glslang_package() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform"])
        .arg(std::env::var("TARGET").expect("cargo sets TARGET"))
        .output()
        .expect("cargo metadata starts");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let manifest = text
        .split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.contains("glslang-sys-"))
        .expect("glslang-sys is a dependency of this crate");
    PathBuf::from(manifest.replace("\\\\", "\\")).parent().expect("a manifest lies in a folder").to_owned()
}
