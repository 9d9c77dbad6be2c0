//! Files and functions stay short enough to be read in one go, and every file says what it is for.

use std::collections::BTreeMap;

use crate::tokens::{brace, code_lines, each_level, is_punct, is_word, parse};
use crate::tree::{Source, assert_none, rust, sources};

const NEEDS_A_REASON: usize = 600;
const TOO_LONG: usize = 1000;
const LONGEST_FUNCTION: usize = 60;
const LIST: &str = "tests/tidy/data/large-files.tsv";

/// Path and reason of each listed file.
fn listed() -> BTreeMap<String, String> {
    let list = sources(|path| path == LIST).remove(0);
    let rows = list.text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    rows.map(|line| {
        let (path, reason) = line.split_once('\t').unwrap_or_else(|| panic!("{LIST}: no tab in {line:?}"));
        assert!(reason.len() > 20, "{LIST}: {path} needs a reason a reader can judge");
        (path.to_owned(), reason.to_owned())
    })
    .collect()
}

fn length_complaint(file: &Source, reason: Option<&String>) -> Option<String> {
    let lines = file.text.lines().count();
    let is_table = reason.is_some_and(|reason| reason.starts_with("table:"));
    match lines {
        0..=NEEDS_A_REASON => None,
        _ if file.is_generated() || is_table => None,
        lines if lines >= TOO_LONG => Some(format!("{}: {lines} lines, {TOO_LONG} are too many", file.path)),
        _ if reason.is_some() => None,
        lines => Some(format!("{}: {lines} lines and no reason in {LIST}", file.path)),
    }
}

/// If this fails, a file has grown past what a person reads in one go.
#[test]
fn files_stay_short() {
    let reasons = listed();
    let files = sources(|path| [".rs", ".py", ".sh", ".c"].iter().any(|end| path.ends_with(end)));
    let complaints: Vec<_> = files.iter().filter_map(|file| length_complaint(file, reasons.get(&file.path))).collect();
    assert_none("files too long", &complaints);
}

/// If this fails, the list of long files excuses files that are short or gone, and hides the next one that grows.
#[test]
fn the_list_of_long_files_is_current() {
    let lengths: BTreeMap<_, _> =
        rust().into_iter().map(|file| (file.path.clone(), file.text.lines().count())).collect();
    let stale = |path: &&String| lengths.get(*path).is_none_or(|&lines| lines <= NEEDS_A_REASON);
    let complaints: Vec<_> = listed().keys().filter(stale).cloned().collect();
    assert_none("listed without need", &complaints);
}

fn long_functions(file: &Source) -> Vec<String> {
    let mut found = Vec::new();
    each_level(&parse(&file.path, &file.text), &mut |level| {
        for (start, token) in level.iter().enumerate() {
            let Some(name) = level.get(start + 1).filter(|_| is_word(token, "fn")) else { continue };
            let end = level[start..].iter().position(|token| is_punct(token, ';') || brace(token).is_some());
            let Some(body) = end.and_then(|end| brace(&level[start + end])) else { continue };
            let lines = code_lines(body);
            if lines > LONGEST_FUNCTION {
                found.push(format!("{}:{}: {name} has {lines} lines", file.path, body.span_open().start().line));
            }
        }
    });
    found
}

/// If this fails, a function does more than one thing and its parts cannot be tested or named.
#[test]
fn functions_stay_short() {
    let complaints: Vec<_> = rust().iter().filter(|file| !file.is_generated()).flat_map(long_functions).collect();
    assert_none("functions too long", &complaints);
}

/// If this fails, a reader who opens a file cannot tell what it is for and what it must not know.
#[test]
fn every_file_says_what_it_is_for() {
    let headless = |file: &&Source| !file.text.trim_start().starts_with("//!");
    let complaints: Vec<_> = rust().iter().filter(headless).map(|file| file.path.clone()).collect();
    assert_none("files without a `//!` head", &complaints);
}

/// If this fails, the size checks are blind.
#[test]
fn long_files_and_functions_are_caught() {
    let long = |lines| Source { path: "x.rs".into(), text: "\n".repeat(lines) };
    let reason = Some("kept together because of a reason".to_owned());
    assert!(length_complaint(&long(601), None).is_some());
    assert!(length_complaint(&long(601), reason.as_ref()).is_none());
    assert!(length_complaint(&long(1000), reason.as_ref()).is_some());
    let text = format!("impl A {{ fn long() {{ {} }} }}", "f();\n".repeat(61));
    assert_eq!(long_functions(&Source { path: "x.rs".into(), text }).len(), 1);
}
