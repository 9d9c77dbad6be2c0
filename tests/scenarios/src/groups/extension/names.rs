//! The list of extensions against the registry, against Mesa's, and against the compiler.

use std::collections::HashMap;

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["extension":
    every_announced_one_has_its_functions,
    none_of_mesas_is_missing_silently,
    announced_ones_are_taken_by_shaders,
];

/// Extension and commands, from the registry.
const COMMANDS: &str = include_str!("../../../../../crates/client/gl-abi/tests/extension-commands.tsv");
const MESA: &str = include_str!("../../../../expectations/extensions/mesa-core.tsv");
const MISSING: &str = include_str!("../../../../expectations/extensions/missing.tsv");
const POINTS: &str = include_str!("../../../../expectations/extensions/entry-points.tsv");
const GAPS: &str = include_str!("../../../../../docs/gaps.md");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn commands() -> HashMap<&'static str, Vec<&'static str>> {
    rows(COMMANDS).map(|row| (row[0], row[1].split_whitespace().collect())).collect()
}

/// If this fails, a program that finds an extension calls a null pointer.
fn every_announced_one_has_its_functions(gl: &Gl) {
    let commands = commands();
    for extension in gl.extensions() {
        let needed = commands.get(extension.as_str()).into_iter().flatten();
        let lost: Vec<_> = needed.filter(|command| !gl.egl().knows(command)).collect();
        assert!(lost.is_empty(), "{extension} is announced without {lost:?}");
    }
    assert!(!gl.egl().knows("glNoSuchCommandEXT"), "what is not there has no address");
}

/// The rows of missing extensions for the backend of this lane: name, kind.
fn missing(gl: &Gl) -> HashMap<&'static str, &'static str> {
    let renderer = gl.string(t::RENDERER).to_lowercase();
    rows(MISSING).filter(|row| row[0] == "*" || renderer.contains(row[0])).map(|row| (row[1], row[2])).collect()
}

/// If this fails, a program that runs with Mesa stops here for want of a name that is merely forgotten.
fn none_of_mesas_is_missing_silently(gl: &Gl) {
    let (have, missing) = (gl.extensions(), missing(gl));
    let has = |name: &str| have.iter().any(|h| h == name);
    // The reasons are those of the software drivers; other devices may have more, and less.
    let measured = gl.string(t::RENDERER).contains("LLVM");
    for row in rows(MESA) {
        let known = missing.get(row[0]);
        assert!(has(row[0]) || known.is_some() || !measured, "{} is not announced, and no reason is given", row[0]);
        let stale = has(row[0]) && known.is_some_and(|kind| *kind == "gap" || measured);
        assert!(!stale, "{} is announced: its reason is out of date", row[0]);
    }
    for (name, kind) in &missing {
        assert!(rows(MESA).any(|row| row[0] == *name), "{name} is not one of Mesa's");
        assert!(*kind == "device" || *kind == "gap", "{name}: {kind}");
        assert!(*kind == "device" || GAPS.contains(&format!("`{name}`")), "docs/gaps.md does not name {name}");
    }
    let points: HashMap<_, _> = rows(POINTS).map(|row| (row[0], row[1])).collect();
    let commands = commands();
    for command in rows(MESA).filter_map(|row| commands.get(row[0])).flatten() {
        assert_ne!(gl.egl().knows(command), points.contains_key(command), "{command}: has an address, or a reason");
    }
    for (command, extension) in points {
        assert!(commands.get(extension).is_some_and(|list| list.contains(&command)), "{command} of {extension}");
        assert!(missing.contains_key(extension), "{command} is missing, but {extension} is not");
    }
}

/// If this fails, a shader asks for an extension that the program found, and does not compile.
fn announced_ones_are_taken_by_shaders(gl: &Gl) {
    let most = gl.string(t::SHADING_LANGUAGE_VERSION);
    let most: u32 = most.split(' ').next().unwrap_or_default().replace('.', "").parse().unwrap_or(330);
    let mut wrong = Vec::new();
    for row in rows(MESA).filter(|row| row[1] != "-" && gl.has(row[0])) {
        for version in row[1].split(' ').filter(|v| v.parse::<u32>().is_ok_and(|v| v <= most)) {
            let name = row[0];
            for behaviour in ["require", "warn", "disable"] {
                let source = format!(
                    "#version {version}\n#extension {name} : {behaviour}\n#ifndef {name}\n#error no macro\n#endif\n\
                     void main() {{ }}\n"
                );
                match gl.try_shader(t::FRAGMENT_SHADER, &source) {
                    Ok(shader) => gl.delete_shader(shader),
                    Err(log) => wrong.push(format!("{name} ({behaviour}) in {version}: {log}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
