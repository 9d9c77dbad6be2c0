//! Link arguments of the command: what is released carries names of functions, but no debug information.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MOBILEGL_KEEP_DEBUG");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && std::env::var_os("MOBILEGL_KEEP_DEBUG").is_none()
    {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-debug");
    }
}
