//! Build scripts do not start programs of their own choosing. Must not know what they build.

use crate::tree::{Source, assert_none, rust};

/// Names by which a process is started, or cargo asked. Compilers are started by the `cc` crate, which has the platform's way.
const STARTERS: [&str; 5] = ["Command::new", "process::Command", "cargo_metadata", "MetadataCommand", "\"CARGO\""];

/// A build script, or a part of one: `build.rs` beside a manifest, and what lies in the folder `build` there.
fn is_build_script(path: &str) -> bool {
    let inside = |folder: &str| path.split_once(folder).is_some_and(|(before, _)| !before.contains("/src"));
    !path.contains("/src/") && (path.ends_with("/build.rs") || inside("/build/"))
}

fn starters(file: &Source) -> Vec<String> {
    let found = STARTERS.iter().filter(|word| file.text.contains(**word));
    found.map(|word| format!("{}: {word}", file.path)).collect()
}

/// If this fails, a build asks cargo for packages that it does not need, and stops on a machine that never fetched them.
#[test]
fn no_build_script_runs_cargo() {
    let scripts: Vec<Source> = rust().into_iter().filter(|file| is_build_script(&file.path)).collect();
    assert!(scripts.len() >= 2, "the listing is short: the check would pass for the wrong reason");
    let complaints: Vec<String> = scripts.iter().flat_map(starters).collect();
    assert_none("build scripts that start programs", &complaints);
}

/// If this fails, the check above is blind.
#[test]
fn a_script_that_runs_cargo_is_caught() {
    let file = |text: &str| Source { path: "crates/a/build.rs".into(), text: text.into() };
    assert_eq!(starters(&file("std::process::Command::new(cargo)")).len(), 2);
    assert_eq!(starters(&file("env::var_os(\"CARGO\")")).len(), 1);
    assert!(starters(&file("cc::Build::new()")).is_empty());
    assert!(is_build_script("crates/a/build.rs") && is_build_script("crates/a/build/part.rs"));
    assert!(!is_build_script("crates/a/src/pipelines/build.rs"));
}
