//! Every environment variable the product reads is described for users, and nothing is described that it does not read.

use std::collections::BTreeSet;

use crate::tree::{Source, assert_none, sources};

const PAGE: &str = "docs/environment.md";
const PREFIX: &str = "MOBILEGL_";
/// Only developers of one crate's tests set these.
const TEST_ONLY: &str = "MOBILEGL_CORPUS_";

/// Names between the given marks that begin with our prefix.
fn names(text: &str, mark: char) -> BTreeSet<String> {
    let is_name = |word: &&str| {
        word.len() > PREFIX.len()
            && word.starts_with(PREFIX)
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    text.split(mark).filter(is_name).map(str::to_owned).collect()
}

fn read_by_the_product() -> BTreeSet<String> {
    let is_code =
        |path: &str| path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("tests/programs"));
    let read: BTreeSet<String> = sources(is_code).iter().flat_map(|file| names(&file.text, '"')).collect();
    read.into_iter().filter(|name| !name.starts_with(TEST_ONLY)).collect()
}

fn described() -> (Source, BTreeSet<String>) {
    let page = sources(|path| path == PAGE).remove(0);
    let found = names(&page.text, '`');
    (page, found)
}

/// If this fails, a switch exists that no user can find.
#[test]
fn every_switch_is_described() {
    let (_, described) = described();
    let missing: Vec<_> = read_by_the_product().difference(&described).cloned().collect();
    assert_none(&format!("read, but not described in {PAGE}"), &missing);
}

/// If this fails, the page promises a switch that does nothing.
#[test]
fn every_described_switch_is_read() {
    let (_, described) = described();
    let dead: Vec<_> = described.difference(&read_by_the_product()).cloned().collect();
    assert_none(&format!("described in {PAGE}, but read nowhere"), &dead);
}
