//! What the text of the repository may not contain: paths of one machine, hosts of registries, marks of unfinished
//! work, and words that speak of anything but the project.
//!
//! The literals are put together here from pieces and words are kept as hashes, so that this file does not contain them.

use xxhash_rust::xxh3::xxh3_64;

use crate::tree::{Source, assert_none, sources};

/// Files that name hosts or paths because their format demands it, or because they list what is forbidden.
const NOT_READ: &[&str] = &["Cargo.lock", "fuzz/Cargo.lock", "tests/tidy/src/words.rs"];

/// Words that do not belong in the tree, by the hash of their lower-case spelling.
const WORD_HASHES: &[u64] = &[
    0x64497e731fac5867,
    0x6eea5309e307dd40,
    0x2f62be73e5429c72,
    0xe532f13a1bdb200d,
    0x1102669dd61859e9,
    0x908ecafe1b87084d,
    0x075bf3d4ee03dae9,
    0xaa6f7a01fe1c8566,
    0x24f589df7ac5787c,
];

fn texts() -> Vec<Source> {
    sources(|path| !NOT_READ.contains(&path))
}

fn machine_paths() -> Vec<String> {
    ["work", "root", "home", "tmp"].iter().map(|folder| format!("/{folder}/")).collect()
}

fn registry_hosts() -> Vec<String> {
    [("crates", "io"), ("pypi", "org"), ("pythonhosted", "org"), ("deb.debian", "org"), ("npmjs", "org")]
        .iter()
        .map(|(name, end)| format!("{name}.{end}"))
        .collect()
}

fn unfinished_marks() -> Vec<String> {
    [("TO", "DO"), ("FIX", "ME"), ("XX", "X"), ("HA", "CK")].iter().map(|(a, b)| format!("{a}{b}")).collect()
}

/// `path:line` of every place where one of the needles stands.
fn places(files: &[Source], is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate().filter(|(_, line)| is_there(line)) {
            let excerpt: String = line.trim().chars().take(100).collect();
            found.push(format!("{}:{}: {excerpt}", file.path, number + 1));
        }
    }
    found
}

/// The needle at the start of an absolute path: `build/tmp/x` is a path inside some folder and nobody's machine.
fn has_absolute(line: &str, needle: &str) -> bool {
    line.match_indices(needle).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || "_-.$})/*".contains(before))
    })
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// If this fails, the tree works only on the machine of whoever wrote it.
#[test]
fn no_paths_of_one_machine() {
    let needles = machine_paths();
    let found = places(&texts(), |line| needles.iter().any(|needle| has_absolute(line, needle)));
    assert_none("machine paths", &found);
}

/// If this fails, a build behind a mirror reaches past it to one fixed host.
#[test]
fn no_registry_hosts() {
    let needles = registry_hosts();
    assert_none("registry hosts", &places(&texts(), |line| needles.iter().any(|needle| line.contains(needle))));
}

/// If this fails, somebody left a note instead of finishing or recording the gap in the list of gaps.
#[test]
fn no_marks_of_unfinished_work() {
    let needles = unfinished_marks();
    let files: Vec<_> = texts().into_iter().filter(|file| !file.is_generated()).collect();
    assert_none("marks", &places(&files, |line| needles.iter().any(|needle| has_word(line, needle))));
}

/// If this fails, the tree speaks of something other than the project.
#[test]
fn no_words_that_speak_of_anything_else() {
    let is_there = |line: &str| {
        let mut words = line.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 3);
        words.any(|word| WORD_HASHES.contains(&xxh3_64(word.to_ascii_lowercase().as_bytes())))
    };
    assert_none("words", &places(&texts(), is_there));
}

/// If this fails, the checks above are blind.
#[test]
fn the_needles_are_found() {
    let sample = |text: String| [Source { path: "x".into(), text }];
    for path in machine_paths() {
        assert!(has_absolute(&format!("see {path}file"), &path));
        assert!(!has_absolute(&format!("target{path}file"), &path));
    }
    for mark in unfinished_marks() {
        assert_eq!(places(&sample(format!("a\n// {mark}: later")), |line| has_word(line, &mark)).len(), 1);
    }
}
