//! Values in layouts: what glslang does not read as the language has them. A literal may stand in parentheses; anything else is
//! for GLSL 4.40 and GL_ARB_enhanced_layouts (GLSL 4.40 §4.4); descriptor sets are Vulkan's alone. Locations of uniforms that
//! are too large for glslang are taken out of the text and told beside it.
//! Must keep line numbers.

use std::collections::HashMap;
use std::ops::Range;

use super::pp;
use super::promote::extension;
use super::scan::Token;
use super::version::{Profile, declared_version};

/// The first location that glslang does not take.
const TOO_LARGE: i64 = 4095;

/// How many tokens a layout, a constant or a declaration has at most; what is longer is left to the compiler.
const LONGEST: usize = 1024;

/// What a text becomes.
#[derive(Debug, Default, PartialEq)]
pub struct Laid {
    /// The changed text; `None` when it stays.
    pub text: Option<String>,
    /// Uniforms with locations that are not in the text.
    pub locations: Vec<(String, u32)>,
}

/// Value of a constant expression of integers over literals and `known` names.
pub fn constant(tokens: &[Token<'_>], known: &HashMap<&str, i64>) -> Option<i64> {
    let word = |t: &Token<'_>| known.get(t.text).map_or(t.text.to_owned(), |value| format!("({value})"));
    let (mut text, mut end) = (String::new(), 0);
    for token in tokens {
        // Two signs are one operator only where nothing is between them.
        text.push_str(if token.at == end { "" } else { " " });
        text.push_str(&word(token));
        end = token.at + token.text.len();
    }
    pp::evaluate(&text)
}

/// Integers that the shader calls constants.
pub fn constants<'a>(tokens: &[Token<'a>]) -> HashMap<&'a str, i64> {
    let mut known = HashMap::new();
    let heads = tokens.iter().enumerate().filter(|(_, t)| t.text == "const");
    for (at, _) in heads {
        let [Some(ty), Some(name), Some(is)] = [1, 2, 3].map(|n| tokens.get(at + n)) else { break };
        if !matches!(ty.text, "int" | "uint") || is.text != "=" {
            continue;
        }
        let rest = tokens.get(at + 4..).unwrap_or_default();
        let length = rest.iter().take(LONGEST).position(|t| matches!(t.text, ";" | ",")).unwrap_or(0);
        if let Some(value) = constant(rest.get(..length).unwrap_or_default(), &known) {
            known.insert(name.text, value);
        }
    }
    known
}

/// A list in parentheses behind `layout`, by its tokens.
fn list(tokens: &[Token<'_>], layout: usize) -> Option<Range<usize>> {
    tokens.get(layout + 1).filter(|t| t.text == "(")?;
    let mut depth = 0u32;
    let close = tokens.iter().enumerate().skip(layout + 1).take(LONGEST).find_map(|(at, token)| {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    Some(layout + 2..close)
}

/// Fields of a list.
pub(super) fn fields(tokens: &[Token<'_>], list: Range<usize>) -> Vec<Range<usize>> {
    let (mut out, mut from, mut depth) = (Vec::new(), list.start, 0i32);
    for at in list.clone() {
        match tokens.get(at).map_or("", |t| t.text) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => {
                out.push(from..at);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(from..list.end);
    out
}

/// The value without parentheses around all of it.
fn bare<'t, 'a>(mut value: &'t [Token<'a>]) -> &'t [Token<'a>] {
    while let [open, inner @ .., close] = value
        && open.text == "("
        && close.text == ")"
        && balanced(inner)
    {
        value = inner;
    }
    value
}

fn balanced(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0i32;
    tokens.iter().all(|token| {
        depth += i32::from(token.text == "(") - i32::from(token.text == ")");
        depth >= 0
    })
}

/// The uniform that the declaration around a layout declares alone, without a block.
fn uniform<'a>(tokens: &[Token<'a>], layout: usize, list_end: usize) -> Option<&'a str> {
    let before = tokens.get(..layout)?.iter().rev().take(LONGEST).take_while(|t| !matches!(t.text, ";" | "{" | "}"));
    let after = tokens.get(list_end + 1..)?;
    let length = after.iter().take(LONGEST).position(|t| matches!(t.text, ";" | "{" | "," | "="))?;
    let (head, end) = (after.get(..length)?, after.get(length)?);
    let is = before.chain(head).any(|t| t.text == "uniform") && head.iter().all(|t| t.text != "subroutine");
    let mut depth = 0i32;
    let mut name = None;
    for token in head {
        depth += i32::from(matches!(token.text, "[" | "(")) - i32::from(matches!(token.text, "]" | ")"));
        if depth == 0 && token.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name = Some(token.text);
        }
    }
    name.filter(|_| is && matches!(end.text, ";" | "="))
}

/// Looks through the layouts of a text. The error is an info log. `locations` is how many uniforms may have.
pub fn read(text: &str, tokens: &[Token<'_>], locations: u32) -> Result<Laid, String> {
    let (version, profile) = declared_version(text).unwrap_or((110, Profile::None));
    let es = profile == Profile::Es || version == 100;
    let asks = |name| text.lines().filter_map(extension).any(|(n, how)| n == name && how != "disable");
    let expressions = es || version >= 440 || asks("GL_ARB_enhanced_layouts");
    let mut out = Laid::default();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    for (layout, _) in tokens.iter().enumerate().filter(|(_, t)| t.text == "layout") {
        let Some(list) = list(tokens, layout) else { continue };
        for field in fields(tokens, list.clone()) {
            let [name, is, value @ ..] = tokens.get(field.clone()).unwrap_or_default() else { continue };
            let error = |what: &str| Err(format!("ERROR: 0:{}: '{}' : {what}\n", name.line, name.text));
            if name.text == "set" && is.text == "=" {
                return error("descriptor sets belong to GLSL for Vulkan");
            }
            let bare = bare(value);
            let literal = match bare {
                [only] => pp::integer(only.text),
                _ => None,
            };
            if literal.is_some() && bare.len() < value.len() {
                edits.extend(value.iter().filter(|t| matches!(t.text, "(" | ")")).map(|t| (t.at..t.at + 1, " ")));
            } else if literal.is_none() && !expressions && is.text == "=" {
                return error("a value that is no literal needs GLSL 4.40 or GL_ARB_enhanced_layouts");
            }
            let Some(value) = literal.filter(|v| name.text == "location" && *v >= TOO_LARGE) else { continue };
            let Some(variable) = uniform(tokens, layout, list.end) else { continue };
            if value >= i64::from(locations) {
                return error(&format!("the limit of uniform locations is {locations}"));
            }
            out.locations.push((variable.to_owned(), u32::try_from(value).unwrap_or(u32::MAX)));
            edits.extend(cut(tokens, layout, &list, &field).into_iter().map(|range| (range, "")));
        }
    }
    if !edits.is_empty() {
        out.text = Some(apply(text, edits));
    }
    Ok(out)
}

/// The bytes to cut so that a field goes, and its comma or the whole list with it.
fn cut(tokens: &[Token<'_>], layout: usize, list: &Range<usize>, field: &Range<usize>) -> Vec<Range<usize>> {
    let range = if field == list {
        layout..list.end + 1
    } else if field.end < list.end {
        field.start..field.end + 1
    } else {
        field.start - 1..field.end
    };
    let spans = tokens.get(range).unwrap_or_default().iter().map(|t| t.at..t.at + t.text.len());
    spans.collect()
}

/// The text with edits, which do not overlap but may be the same twice.
pub fn apply(text: &str, mut edits: Vec<(Range<usize>, impl AsRef<str>)>) -> String {
    edits.sort_by_key(|(range, with)| (range.start, with.as_ref().len()));
    let (mut out, mut from) = (String::with_capacity(text.len() + 64), 0);
    for (range, with) in edits.iter().filter(|(range, _)| !range.is_empty()) {
        if range.start < from {
            continue;
        }
        out.push_str(text.get(from..range.start).unwrap_or(""));
        out.push_str(with.as_ref());
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::{constant, constants, read};
    use crate::frontend::scan::tokens;

    fn laid(text: &str) -> Result<super::Laid, String> {
        read(text, &tokens(text), 16384)
    }

    /// Generated shaders put their numbers in parentheses; other compilers take them in every version.
    #[test]
    fn literals_may_stand_in_parentheses() {
        let text = "#version 330\nlayout(location = (2), index=((0x1))) out vec4 c;";
        let wanted = "#version 330\nlayout(location =  2 , index=  0x1  ) out vec4 c;";
        assert_eq!(laid(text).unwrap().text.as_deref(), Some(wanted));
        assert_eq!(laid("#version 330\nlayout(location = 2, std140) out vec4 c;").unwrap().text, None);
    }

    /// A shader that works here by accident fails with other compilers; each error names what the value needs.
    #[test]
    fn expressions_need_their_version() {
        for value in ["1 + 1", "N", "-1", "(1) + (1)", "2 * (3)"] {
            let text = format!("layout(binding = {value}) uniform sampler2D s;");
            assert!(laid(&format!("#version 430\n{text}")).is_err_and(|log| log.contains("0:2: 'binding'")), "{value}");
            assert_eq!(laid(&format!("#version 440\n{text}")).unwrap().text, None);
            let asks = "#version 420\n#extension GL_ARB_enhanced_layouts : enable\n";
            assert!(laid(&format!("{asks}{text}")).is_ok());
        }
    }

    /// Shaders for Vulkan are refused by name.
    #[test]
    fn sets_are_refused() {
        for version in ["450", "310 es"] {
            let text = format!("#version {version}\nlayout(set = 0, binding = 1, rgba8) uniform image2D i;");
            assert!(laid(&text).is_err_and(|log| log.contains("Vulkan")));
        }
    }

    /// A program may use every location that it was promised.
    #[test]
    fn large_locations_are_told_apart() {
        let text = "#version 430\nlayout(location = 5000, binding = 1) uniform sampler2D s[2];\n\
            layout(location=0x3FFF) uniform float[3] f = 1.0;\nlayout(location=7000) out vec4 c;\n";
        let found = laid(text).unwrap();
        assert_eq!(found.locations, [("s".to_owned(), 5000), ("f".to_owned(), 16383)]);
        let text = found.text.unwrap();
        assert!(text.contains("layout(") && text.contains("binding = 1) uniform sampler2D s[2]"), "{text}");
        assert!(text.contains("\n uniform float[3] f") && text.contains("location=7000"), "{text}");
        assert!(laid("#version 430\nlayout(location = 16384) uniform float f;").is_err());
        assert_eq!(laid("#version 430\nlayout(location = 16384) uniform B { float f; };").unwrap().text, None);
    }

    /// Subroutines count with the shader's constants.
    #[test]
    fn constants_have_values() {
        let all = tokens("const int N = 3; const uint M = N * 2 + 0x10u; const float F = 1.0; const int X = F;");
        let known = constants(&all);
        assert_eq!((known.get("N"), known.get("M"), known.get("X")), (Some(&3), Some(&22), None));
        assert_eq!(constant(&tokens("(M << 1) - 010"), &known), Some(36));
        assert_eq!(constant(&tokens("f(1)"), &known), None);
    }
}
