//! What cargo says about the workspace.

use std::process::Command;

use serde_json::Value;

use crate::tree::root;

/// A crate of the workspace and what it depends on inside the workspace.
pub struct Member {
    /// Package name.
    pub name: String,
    /// Folder relative to the root.
    pub folder: String,
    /// Its dependencies inside the workspace.
    pub edges: Vec<Edge>,
}

/// One dependency on another crate of the workspace.
pub struct Edge {
    /// The other package.
    pub to: String,
    /// Only for its own tests and examples.
    pub for_tests: bool,
    /// Only with a feature.
    pub optional: bool,
}

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo can be started");
    assert!(output.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The crates of the workspace.
pub fn members() -> Vec<Member> {
    let text = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let value: Value = serde_json::from_str(&text).expect("cargo metadata prints JSON");
    let workspace = value["workspace_root"].as_str().expect("workspace_root").to_owned() + "/";
    let packages = value["packages"].as_array().expect("packages");
    packages.iter().map(|package| member(package, &workspace)).collect()
}

fn member(package: &Value, workspace: &str) -> Member {
    let manifest = package["manifest_path"].as_str().expect("manifest_path");
    let relative = manifest.strip_prefix(workspace).expect("members lie below the root");
    let dependencies = package["dependencies"].as_array().expect("dependencies");
    Member {
        name: package["name"].as_str().expect("name").into(),
        folder: relative.trim_end_matches("/Cargo.toml").into(),
        edges: dependencies
            .iter()
            .filter(|dependency| dependency["path"].is_string())
            .map(|dependency| Edge {
                to: dependency["name"].as_str().expect("name").into(),
                for_tests: dependency["kind"] == "dev",
                optional: dependency["optional"] == true,
            })
            .collect(),
    }
}

/// The names of all packages linked into a crate, itself included; build scripts and tests aside.
pub fn linked_into(package: &str, features: &[&str]) -> Vec<String> {
    let mut arguments = vec!["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    arguments.extend(features);
    let text = cargo(&arguments);
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}
