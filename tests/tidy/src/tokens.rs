//! Just enough reading of Rust to measure it: tokens with lines, without the items that only tests see.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Parses a file into tokens. A file that does not parse fails the check that asked.
pub fn parse(path: &str, text: &str) -> Vec<TokenTree> {
    let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path} does not parse: {error}"));
    stream.into_iter().collect()
}

/// Calls `visit` with every run of sibling tokens, from outside to inside.
pub fn each_level(tokens: &[TokenTree], visit: &mut dyn FnMut(&[TokenTree])) {
    visit(tokens);
    for token in tokens {
        if let TokenTree::Group(group) = token {
            let inner: Vec<_> = group.stream().into_iter().collect();
            each_level(&inner, visit);
        }
    }
}

/// The same tokens without `#[cfg(test)] mod name { … }`.
pub fn without_tests(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let mut iterator = tokens.into_iter().peekable();
    while let Some(token) = iterator.next() {
        let is_hash = is_punct(&token, '#');
        kept.push(token);
        if !is_hash || !iterator.peek().is_some_and(is_cfg_test) {
            continue;
        }
        kept.pop();
        for skipped in iterator.by_ref() {
            let ends = is_punct(&skipped, ';') || brace(&skipped).is_some();
            if ends {
                break;
            }
        }
    }
    kept
}

fn is_cfg_test(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let text: String = group.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test")
}

/// Is it this punctuation?
pub fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// Is it this word?
pub fn is_word(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == wanted)
}

/// The group in braces this token is, if it is one.
pub fn brace(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

/// The lines of a group that hold code; comments and blank lines do not count, as in clippy's `too_many_lines`.
pub fn code_lines(group: &Group) -> usize {
    let mut lines = std::collections::BTreeSet::new();
    collect_lines(group.stream(), &mut lines);
    lines.len()
}

fn collect_lines(stream: TokenStream, lines: &mut std::collections::BTreeSet<usize>) {
    for token in stream {
        let span = token.span();
        match &token {
            TokenTree::Group(group) => {
                lines.insert(span.start().line);
                lines.insert(span.end().line);
                collect_lines(group.stream(), lines);
            }
            _ => lines.extend(span.start().line..=span.end().line),
        }
    }
}

/// If this fails, test modules count as product code and every check over tokens complains about tests.
#[test]
fn test_modules_are_left_out() {
    let tokens = parse("sample", "fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}");
    let text = without_tests(tokens).into_iter().collect::<TokenStream>().to_string();
    assert!(text.contains("fn a") && text.contains("fn c") && !text.contains("fn b"));
}
