//! Above the link nobody asks how the two roles are connected (spec 06 §11): a behaviour that depended on it would be
//! right on one lane and wrong on another. Which transport is used is decided where a session is set up, and logged.

use proc_macro2::{TokenStream, TokenTree};

use crate::tokens::{each_level, is_punct, is_word, parse, without_tests};
use crate::tree::{Source, assert_none, rust};

/// The layers above.
const UPPER: &[&str] = &[
    "crates/client/gl/src/",
    "crates/client/gl-abi/src/",
    "crates/client/glsl/src/",
    "crates/client/egl/src/",
    "crates/client/glx/src/",
    "crates/client/driver/src/",
    "crates/server/apply/src/",
    "crates/server/backend/src/",
    "crates/server/null/src/",
    "crates/server/magma/src/",
    "crates/server/espryt/src/",
    "crates/server/daemon/src/choose.rs",
    "crates/server/daemon/src/record.rs",
];

/// Types and functions that tell the kinds apart.
const WORDS: &[&str] =
    &["Transport", "DataTerms", "ClientStream", "ServerStream", "FlowOut", "FlowPost", "ServerWire", "Notify"];

/// Names of kinds, as literals.
const NAMES: &[&str] = &["monolith", "inproc", "spawn", "unix", "tcp", "shm", "stream"];

/// What in this file tells link kinds apart. A name of the transport may be copied, for logs and headers of files.
fn questions(file: &Source) -> Vec<String> {
    let tokens: Vec<TokenTree> = without_tests(parse(&file.path, &file.text));
    let mut found = Vec::new();
    each_level(&tokens, &mut |level| {
        for (at, token) in level.iter().enumerate() {
            let line = || format!("{}:{}", file.path, token.span().start().line);
            let copied = || {
                let after: TokenStream = level.iter().skip(at + 1).take(2).cloned().collect();
                after.to_string().replace(' ', "") == ".clone" || level.get(at + 1).is_some_and(|t| is_punct(t, ':'))
            };
            match token {
                TokenTree::Ident(word) if WORDS.iter().any(|w| word == w) => found.push(format!("{}: {word}", line())),
                TokenTree::Ident(_) if is_word(token, "transport") && !copied() => {
                    found.push(format!("{}: transport", line()));
                }
                TokenTree::Literal(text) if NAMES.iter().any(|n| text.to_string() == format!("\"{n}\"")) => {
                    found.push(format!("{}: {text}", line()));
                }
                _ => {}
            }
        }
    });
    found
}

/// If this fails, something above the link behaves differently on one kind of it: a bug there shows on one lane alone.
#[test]
fn nobody_above_the_link_asks_for_its_kind() {
    let is_test = |path: &str| path.ends_with("tests.rs") || path.contains("/tests/");
    let upper = |file: &&Source| UPPER.iter().any(|folder| file.path.starts_with(folder)) && !is_test(&file.path);
    let files = rust();
    let complaints: Vec<String> = files.iter().filter(upper).flat_map(questions).collect();
    assert!(files.iter().filter(upper).count() > 100, "the listing lacks the layers above");
    assert_none("questions for the kind of a link", &complaints);
}

/// If this fails, the check above is blind.
#[test]
fn questions_for_the_kind_are_seen() {
    let ask = |text: &str| questions(&Source { path: "x.rs".into(), text: text.into() }).len();
    assert_eq!(ask("fn f(s: &Session) { if s.transport() == Transport::Tcp { wait() } }"), 2);
    assert_eq!(ask("fn f(h: &Hello) -> bool { h.transport == \"tcp\" }"), 2);
    assert_eq!(ask("fn f(h: &Hello) -> String { h.transport.clone() }"), 0);
    assert_eq!(ask("#[cfg(test)] mod tests { use mgl_link::client::Transport; }"), 0);
}
