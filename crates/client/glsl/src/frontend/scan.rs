//! Tokens of a source, and what a look at them finds: a mistake that glslang does not survive, semicolons that it does not
//! take. Must not parse: it only knows enough to name these.

use std::borrow::Cow;
use std::collections::HashSet;

/// A token with its line and the byte where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
    pub at: usize,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Words and punctuation outside comments and directives.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut rest, mut line, mut fresh) = (source, 1, true);
    let start = |rest: &str| source.len() - rest.len();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") || (first == '#' && fresh) {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let comment = token.starts_with("//") || token.starts_with("/*") || (first == '#' && fresh);
        if !comment && !first.is_whitespace() {
            out.push(Token { text: token, line, at: start(rest) });
            fresh = false;
        }
        let breaks = token.matches('\n').count();
        line += breaks;
        fresh |= breaks > 0;
        rest = after;
    }
    out
}

/// Blanks semicolons at global scope that end nothing: allowed by GLSL 4.60, and by drivers in every version.
pub fn drop_stray_semicolons(source: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(source);
    let (mut depth, mut body, mut before) = (0, false, ";");
    for token in tokens(source) {
        match token.text {
            "{" => {
                // What follows the parameters of a function is its body.
                body = if depth == 0 { before == ")" } else { body };
                depth += 1;
            }
            "}" => depth -= 1,
            ";" if depth == 0 && (before == ";" || (before == "}" && body)) => {
                out.to_mut().replace_range(token.at..=token.at, " ");
            }
            _ => {}
        }
        before = token.text;
    }
    out
}

/// Blanks default layouts of `binding` and `offset` without a type, as in `layout(binding = 2, offset = 4) uniform;`: they
/// apply to nothing (GLSL 4.60 §4.4.6.1 has defaults for `atomic_uint` alone), and shaders for atomic counters have them.
pub fn drop_idle_defaults(source: &str) -> Cow<'_, str> {
    if !source.contains("atomic_uint") {
        return Cow::Borrowed(source);
    }
    let mut out = Cow::Borrowed(source);
    let all = tokens(source);
    for (at, _) in all.iter().enumerate().filter(|(_, t)| t.text == "layout") {
        let Some(close) = all.iter().skip(at).position(|t| t.text == ")").map(|n| at + n) else { break };
        let [Some(storage), Some(end)] = [all.get(close + 1), all.get(close + 2)] else { break };
        let list = all.get(at + 2..close).unwrap_or_default();
        let mut fields = list.split(|t| t.text == ",").filter_map(|field| field.first());
        let idle = !list.is_empty() && fields.all(|name| matches!(name.text, "binding" | "offset"));
        if idle && storage.text == "uniform" && end.text == ";" {
            let blank = |c: char| if c == '\n' { c } else { ' ' };
            let text = &mut out.to_mut();
            let cleared: String = text[all[at].at..=end.at].chars().map(blank).collect();
            text.replace_range(all[at].at..=end.at, &cleared);
        }
    }
    out
}

/// The log for a block that has the name of a function declared before it (an error by GLSL 4.60 §4.3.9): glslang looks
/// such a name up as a variable and follows a null pointer.
pub fn block_named_like_function(source: &str) -> Option<String> {
    let all = tokens(source);
    let mut functions: HashSet<&str> = HashSet::new();
    let mut depth = 0;
    for (at, token) in all.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        let [Some(next), Some(after)] = [all.get(at + 1), all.get(at + 2)] else { break };
        if depth != 0 || !next.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            continue;
        }
        if after.text == "(" && token.text.starts_with(is_word) {
            functions.insert(next.text);
        }
        let opens = matches!(token.text, "in" | "out" | "uniform" | "buffer") && after.text == "{";
        if opens && functions.contains(next.text) {
            let (line, name) = (next.line, next.text);
            return Some(format!("ERROR: 0:{line}: '{name}' : a block cannot have the name of a function\n"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{block_named_like_function, drop_idle_defaults, drop_stray_semicolons};

    /// A semicolon behind a function is a habit of C++; drivers take it.
    #[test]
    fn stray_semicolons_go() {
        let source = "int a;;\nvoid f() { if (a) {} ; };\nstruct S { int b; };\n";
        assert_eq!(drop_stray_semicolons(source), "int a; \nvoid f() { if (a) {} ; } \nstruct S { int b; };\n");
    }

    /// A shader that other drivers take would not compile for a default that says nothing.
    #[test]
    fn idle_defaults_go() {
        let source = "layout(binding = 7,\noffset=4) uniform;\nlayout(binding = 2) uniform atomic_uint a;\n";
        let blank = format!("{}\n{}\n", " ".repeat(19), " ".repeat(18));
        assert_eq!(drop_idle_defaults(source), format!("{blank}layout(binding = 2) uniform atomic_uint a;\n"));
        let other = "layout(binding = 7) uniform;\n";
        assert_eq!(drop_idle_defaults(other), other);
        let packing = "layout(std140) uniform;\nlayout(binding = 0, offset = 0) uniform atomic_uint a;\n";
        assert_eq!(drop_idle_defaults(packing), packing);
        assert_eq!(drop_idle_defaults("atomic_uint a; layout"), "atomic_uint a; layout");
        assert_eq!(drop_idle_defaults("atomic_uint a; layout) uniform;"), "atomic_uint a; layout) uniform;");
    }

    /// This mistake in a shader would end the program instead of filling the info log.
    #[test]
    fn the_mistake_is_named() {
        let bad = "#version 150\n// x\nvoid a() {}\nin a {\n vec4 v;\n} b;\nvoid main() {}\n";
        assert!(block_named_like_function(bad).is_some_and(|log| log.contains("0:4: 'a'")));
        let good = "#version 150\nvoid a() {}\nin B {\n vec4 v;\n} b;\nvoid main() { a(); }\n";
        assert_eq!(block_named_like_function(good), None);
    }
}
