//! Every crate is under the workspace's lints, unsafe code is where it may be and is argued for, and tests say what they guard.

use crate::metadata::members;
use crate::tokens::{brace, each_level, is_word, parse};
use crate::tree::{Source, assert_none, root, rust};

/// Crates in which no unsafe code may stand at all.
const SAFE_CRATES: &[&str] = &["mgl-decode", "mgl-gl", "mgl-spirv", "mgl-pipe", "mgl-apply", "mgl-backend"];

/// Folders in which unsafe code may stand: the edges of the process.
const UNSAFE_FOLDERS: &[&str] = &[
    "crates/shared/base/",
    "crates/shared/link/",
    "crates/client/gl-abi/",
    "crates/client/glsl/",
    "crates/client/egl/",
    "crates/client/glx/",
    "crates/client/window/",
    "crates/client/driver/",
    "crates/server/magma/",
    "crates/server/espryt/src/raw/",
    "crates/server/daemon/",
    "crates/tools/cli/src/probe.rs",
    // Between fork and exec: a recorded program ends with the command.
    "crates/tools/cli/src/run.rs",
    "tests/",
];

/// If this fails, a crate escaped the lints that keep the others honest.
#[test]
fn every_crate_is_under_the_workspace_lints() {
    let mut complaints = Vec::new();
    for member in members() {
        let manifest = std::fs::read_to_string(root().join(&member.folder).join("Cargo.toml")).unwrap();
        let compact: String = manifest.split_whitespace().collect();
        if !compact.contains("[lints]workspace=true") {
            complaints.push(member.name);
        }
    }
    assert_none("crates without `[lints] workspace = true`", &complaints);
}

/// If this fails, memory safety of the state machine or the decoder rests on argument instead of on the compiler.
#[test]
fn safe_crates_forbid_unsafe_code() {
    let mut complaints = Vec::new();
    for member in members().iter().filter(|member| SAFE_CRATES.contains(&member.name.as_str())) {
        let text = std::fs::read_to_string(root().join(&member.folder).join("src/lib.rs")).unwrap();
        if !text.contains("#![forbid(unsafe_code)]") {
            complaints.push(member.name.clone());
        }
    }
    assert_none("crates without `#![forbid(unsafe_code)]`", &complaints);
}

/// Unsafe blocks and unsafe implementations: each needs its own argument.
fn unsafe_places(file: &Source) -> usize {
    let mut count = 0;
    each_level(&parse(&file.path, &file.text), &mut |level| {
        for pair in level.windows(2) {
            if is_word(&pair[0], "unsafe") && (brace(&pair[1]).is_some() || is_word(&pair[1], "impl")) {
                count += 1;
            }
        }
    });
    count
}

fn arguments(file: &Source) -> usize {
    file.text.lines().filter(|line| line.trim_start().starts_with("// SAFETY:")).count()
}

/// If this fails, an unsafe block stands without the reason why it is sound.
#[test]
fn every_unsafe_block_is_argued_for() {
    let mut complaints = Vec::new();
    for file in rust().iter().filter(|file| !file.is_generated()) {
        let (places, arguments) = (unsafe_places(file), arguments(file));
        if places > arguments {
            complaints.push(format!("{}: {places} unsafe places, {arguments} arguments", file.path));
        }
        if places > 0 && !UNSAFE_FOLDERS.iter().any(|folder| file.path.starts_with(folder)) {
            complaints.push(format!("{}: no unsafe code is expected here", file.path));
        }
    }
    assert_none("unsafe code", &complaints);
}

/// Lines of `#[test]` that have no sentence above them or their other attributes.
fn wordless_tests(file: &Source) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let is_test = |line: &str| line == "#[test]";
    let has_sentence = |at: usize| {
        let above = lines[..at].iter().rev().find(|line| !line.starts_with("#["));
        above.is_some_and(|line| line.starts_with("//"))
    };
    let found = lines.iter().enumerate().filter(|&(at, line)| is_test(line) && !has_sentence(at));
    found.map(|(at, _)| format!("{}:{}", file.path, at + 1)).collect()
}

/// If this fails, a red test does not tell the next person what a user would lose.
#[test]
fn every_test_says_what_it_guards() {
    let complaints: Vec<_> = rust().iter().flat_map(wordless_tests).collect();
    assert_none("tests without a sentence above them", &complaints);
}

/// If this fails, the checks above are blind.
#[test]
fn missing_arguments_and_sentences_are_caught() {
    let file = |text: &str| Source { path: "x.rs".into(), text: text.into() };
    assert_eq!(unsafe_places(&file("fn f() { unsafe { g() } } unsafe impl Send for A {} unsafe fn h() {}")), 2);
    assert_eq!(wordless_tests(&file("fn a() {}\n#[test]\nfn b() {}")).len(), 1);
    assert!(wordless_tests(&file("/// If this fails, …\n#[should_panic]\n#[test]\nfn b() {}")).is_empty());
}
