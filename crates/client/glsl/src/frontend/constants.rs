//! Constants whose value glslang does not compute: it folds neither matrix functions nor those of bits (GLSL 4.60 §4.3.3 lets
//! constants come from every built-in function but texture lookups). Such a constant becomes an ordinary variable, which
//! reads the same everywhere but where the language wants a constant: in sizes, layouts and labels.
//! Must keep line numbers.

use std::borrow::Cow;
use std::collections::HashSet;

use super::scan::{Token, tokens};
use super::version::{Profile, declared_version};

/// Functions that glslang leaves to the device.
const UNFOLDED: [&str; 25] = [
    "bitCount",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "determinant",
    "findLSB",
    "findMSB",
    "fma",
    "frexp",
    "inverse",
    "ldexp",
    "packDouble2x32",
    "packHalf2x16",
    "packSnorm2x16",
    "packSnorm4x8",
    "packUnorm2x16",
    "packUnorm4x8",
    "transpose",
    "unpackDouble2x32",
    "unpackHalf2x16",
    "unpackSnorm2x16",
    "unpackSnorm4x8",
    "unpackUnorm2x16",
    "unpackUnorm4x8",
    "usubBorrow",
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Macros whose text has one of `names`.
fn macros<'a>(source: &'a str, names: &HashSet<&'a str>) -> Vec<&'a str> {
    let define = |line: &'a str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
        let (name, body) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        body.split(|c| !is_word(c)).any(|word| names.contains(word)).then_some(name)
    };
    source.lines().filter_map(define).collect()
}

/// Token after the declaration of constants at `at`: its semicolon. `None` when a function or a parameter is declared.
fn end(all: &[Token<'_>], at: usize) -> Option<usize> {
    let (mut depth, mut initialised) = (0, false);
    for (i, token) in all.iter().enumerate().skip(at) {
        match token.text {
            ";" if depth == 0 => return initialised.then_some(i),
            "=" => initialised = true,
            "(" | "{" | "[" if token.text != "[" && !initialised => return None,
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// Names that the declaration gives a value: those before `=`, without array sizes.
fn declared<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let (mut depth, mut names, mut last) = (0, Vec::new(), "");
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            "=" if depth == 0 && !compares(tokens, i) => names.push(last),
            text if depth == 0 && text.starts_with(is_word) => last = text,
            _ => {}
        }
    }
    names
}

/// The `=` at `i` is part of `==`, `!=`, `<=` or `>=`.
fn compares(tokens: &[Token<'_>], i: usize) -> bool {
    let touches = |a: usize, b: usize, words: &[&str]| {
        let pair = tokens.get(a).zip(tokens.get(b));
        pair.is_some_and(|(x, y)| x.at + x.text.len() == y.at && words.contains(&if a == i { y } else { x }.text))
    };
    i.checked_sub(1).is_some_and(|before| touches(before, i, &["<", ">", "!", "="])) || touches(i, i + 1, &["="])
}

/// The text without the `const` of constants that glslang would refuse.
pub fn relax(source: &str) -> Cow<'_, str> {
    let es = declared_version(source).is_some_and(|(version, profile)| profile == Profile::Es || version == 100);
    if es || !source.contains("const") || !UNFOLDED.iter().any(|name| source.contains(name)) {
        return Cow::Borrowed(source);
    }
    let mut unfolded: HashSet<&str> = UNFOLDED.into_iter().collect();
    unfolded.extend(macros(source, &unfolded));
    let all = tokens(source);
    let mut out = Cow::Borrowed(source);
    for (at, token) in all.iter().enumerate().filter(|(_, t)| t.text == "const") {
        let starts = at == 0 || matches!(all[at - 1].text, ";" | "{" | "}");
        let Some(end) = end(&all, at).filter(|_| starts) else { continue };
        let declaration = &all[at..end];
        // What is declared here hides a variable of the name that another function had.
        let own = declared(declaration);
        if declaration.iter().any(|t| unfolded.contains(t.text) && !own.contains(&t.text)) {
            unfolded.extend(own);
            out.to_mut().replace_range(token.at..token.at + token.text.len(), "     ");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::relax;

    /// Names belong to their functions, and a comparison gives no value.
    #[test]
    fn constants_of_other_functions_stay_constants() {
        let source = "#version 330\nvoid f() { const mat3 m = inverse(n); const bool b = 1 >= k[0], c = bitCount(3) == k; }\n\
            void g() { const int m = 8; float a[m]; const int k = 2; float b[k]; }\n";
        let text = relax(source);
        assert!(text.contains("const int m = 8") && text.contains("const int k = 2"), "{text}");
        assert!(text.contains("{       mat3 m"), "{text}");
    }

    /// Shader packs keep matrices between colour spaces and their inverses in constants.
    #[test]
    fn inverses_are_variables() {
        let source = "#version 330\n#define I(m) inverse(m)\nconst mat3 a = mat3(1), b[2] = mat3[](a, inverse(a));\n\
            const mat3 c = 2.0 * b[1];\nconst mat3 d = I(a);\nconst float e = 1.0;\nvoid main() { const float f = e; }\n";
        let text = relax(source);
        assert!(
            text.contains("\n      mat3 a = mat3(1), b[2]")
                && text.contains("\n      mat3 c")
                && text.contains("\n      mat3 d"),
            "{text}"
        );
        assert!(text.contains("\nconst float e") && text.contains("{ const float f"), "{text}");
    }

    /// Parameters, functions and shaders without such constants stay as they are.
    #[test]
    fn others_stay() {
        for text in [
            "#version 330\nmat3 f(const mat3 m) { return inverse(m); }",
            "#version 330\nconst mat3 f(mat3 m) { mat3 n = inverse(m); return n; }",
            "#version 300 es\nconst mat3 a = inverse(mat3(1));",
        ] {
            assert_eq!(relax(text), text);
        }
    }
}
