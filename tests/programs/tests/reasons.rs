//! Why piglit's tests fail on Espryt: every failure is a refusal or a missing feature with a name, or no matter of the
//! backend. Must not run any of them.

use mgl_programs::tools::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const FOLDER: &str = "tests/expectations/piglit/core3k";
const BACKEND: &str = "crates/server/espryt/src";

/// One row of the table of reasons.
struct Reason {
    test: String,
    kind: String,
    name: String,
    sentence: String,
}

fn text(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Columns of the rows of a table; lines with # are comments.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    rows.map(|l| l.split('\t').map(str::to_owned).collect()).collect()
}

fn failing(text: &str) -> BTreeSet<String> {
    rows(text).into_iter().filter(|r| r.get(1).is_some_and(|what| what == "fail")).map(|r| r[0].clone()).collect()
}

fn reasons(text: &str) -> Vec<Reason> {
    rows(text)
        .into_iter()
        .map(|row| match <[String; 4]>::try_from(row) {
            Ok([test, kind, name, sentence]) => Reason { test, kind, name, sentence },
            Err(row) => panic!("{row:?} is not test, kind, name and sentence"),
        })
        .collect()
}

/// All sources of the backend in one text.
fn sources(folder: &Path, out: &mut String) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push_str(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// What is wrong with the reasons. `code` is the backend's, `features` its feature table.
fn complaints(
    reasons: &[Reason],
    (espryt, magma): (&BTreeSet<String>, &BTreeSet<String>),
    (code, features): (&str, &str),
) -> Vec<String> {
    let mut out = Vec::new();
    let mut told: BTreeMap<&str, u32> = BTreeMap::new();
    for Reason { test, kind, name, sentence } in reasons {
        *told.entry(test).or_default() += 1;
        if !espryt.contains(test) {
            out.push(format!("{test} does not fail: drop its reason"));
        }
        let known = match kind.as_str() {
            "refusal" => name.starts_with(char::is_uppercase) && code.contains(&format!("\"{name}\"")),
            "feature" => features.lines().any(|l| l.trim_start().starts_with(&format!("{name}, "))),
            "magma" => name == "-" && magma.contains(test),
            _ => false,
        };
        if !known {
            out.push(format!("{test}: there is no {kind} {name:?}"));
        }
        if !sentence.ends_with('.') {
            out.push(format!("{test}: {sentence:?} is not a sentence"));
        }
    }
    out.extend(told.iter().filter(|(_, n)| **n > 1).map(|(test, n)| format!("{test} has {n} reasons")));
    let silent = espryt.iter().filter(|test| !told.contains_key(test.as_str()));
    out.extend(silent.map(|test| format!("{test} fails without a reason")));
    out
}

/// If this fails, nobody can say whether what fails where there is only OpenGL ES is the driver's lack or a fault of ours.
#[test]
fn every_failure_of_espryt_has_a_named_reason() {
    let table = |name: &str| text(&format!("{FOLDER}/{name}.tsv"));
    let mut code = String::new();
    sources(&root().join(BACKEND), &mut code);
    let features = text(&format!("{BACKEND}/device/features.rs"));
    let lists = (&failing(&table("espryt")), &failing(&table("magma")));
    let wrong = complaints(&reasons(&table("espryt-reasons")), lists, (&code, &features));
    assert!(wrong.is_empty(), "{FOLDER}/espryt-reasons.tsv: {wrong:#?}");
}

/// If this fails, a reason that no longer holds, or none at all, goes unnoticed.
#[test]
fn wrong_reasons_are_caught() {
    let fails = |text: &str| failing(text);
    let (espryt, magma) = (fails("a\tfail\nb\tfail\nc\tpass\n"), fails("a\tpass\nb\tfail\n"));
    let sources = ("Unsupported(\"LogicOp\")", "    logic_op, 99, [], \"glLogicOp\";");
    let count = |rows: &str| complaints(&reasons(rows), (&espryt, &magma), sources).len();
    assert_eq!(count("a\trefusal\tLogicOp\tNone.\nb\tmagma\t-\tBoth.\n"), 0);
    assert_eq!(count("a\tfeature\tlogic_op\tNone.\nb\tmagma\t-\tBoth.\n"), 0);
    assert_eq!(count("a\trefusal\tLogicOp\tNone.\n"), 1, "b has no reason");
    assert_eq!(count("a\trefusal\tLogic\tNone.\nb\tmagma\t-\tBoth.\n"), 1, "no such refusal");
    assert_eq!(count("a\tfeature\tlogic\tNone.\nb\tmagma\t-\tBoth.\n"), 1, "no such feature");
    assert_eq!(count("a\tmagma\t-\tBoth.\nb\tmagma\t-\tBoth.\n"), 1, "a passes on Magma");
    assert_eq!(count("a\trefusal\tLogicOp\tNone.\nb\tmagma\t-\tBoth.\nc\tmagma\t-\tBoth.\n"), 2, "c passes");
    assert_eq!(count("a\trefusal\tLogicOp\tNone.\na\tfeature\tlogic_op\tNone.\nb\tmagma\t-\tBoth.\n"), 1, "twice");
    assert_eq!(count("a\trefusal\tLogicOp\t\nb\tmagma\t-\tBoth.\n"), 1, "not a sentence");
}
