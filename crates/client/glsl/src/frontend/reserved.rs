//! Words that some versions of the language reserve and others do not, where glslang sees it otherwise (GLSL 1.10, 1.30, 1.40,
//! 4.20 and 4.60 §3.6). Must not know keywords, which glslang does.

use std::ops::Range;

use super::layouts::apply;
use super::scan::Token;
use super::version::{Profile, declared_version};
use super::words::KEPT;

/// Words, and the versions that reserve them.
const RESERVED: [(&str, Range<u32>); 10] = [
    ("packed", 110..440),
    ("row_major", 140..440),
    ("image1DShadow", 130..430),
    ("image2DShadow", 130..430),
    ("image1DArrayShadow", 130..430),
    ("image2DArrayShadow", 130..430),
    ("resource", 420..999),
    ("inline", 110..999),
    ("noinline", 110..999),
    ("superp", 110..999),
];

/// Words that glslang reserves always and the language since GLSL 1.30.
const LATER: [&str; 4] = ["common", "partition", "active", "filter"];

/// The text with names that older versions allow; `None` when it stays. The error is an info log.
pub fn read(text: &str, tokens: &[Token<'_>]) -> Result<Option<String>, String> {
    let (version, profile) = declared_version(text).unwrap_or((110, Profile::None));
    if profile == Profile::Es || version == 100 {
        return Ok(None);
    }
    // Nesting of parentheses of a layout, in which the words mean what they say.
    let mut layout = 0u32;
    let mut edits = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let opens =
            token.text == "(" && at.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|b| b.text == "layout");
        match token.text {
            "(" if opens || layout > 0 => layout += 1,
            ")" => layout = layout.saturating_sub(1),
            _ => {}
        }
        let is = |(word, versions): &(&str, Range<u32>)| *word == token.text && versions.contains(&version);
        if layout == 0 && RESERVED.iter().any(is) {
            return Err(format!("ERROR: 0:{}: '{}' : the word is reserved\n", token.line, token.text));
        }
        if version < 130 && LATER.contains(&token.text) {
            edits.push((token.at..token.at + token.text.len(), format!("{KEPT}{}", token.text)));
        }
    }
    Ok((!edits.is_empty()).then(|| apply(text, edits)))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::frontend::scan::tokens;

    fn checked(text: &str) -> Result<Option<String>, String> {
        read(text, &tokens(text))
    }

    /// A shader that uses a reserved word compiles here and nowhere else.
    #[test]
    fn reserved_words_are_refused_where_they_are() {
        let refused = [("packed", 330), ("row_major", 150), ("image2DShadow", 130), ("inline", 460), ("resource", 420)];
        for (word, version) in refused {
            let log = checked(&format!("#version {version}\nfloat {word};")).expect_err(word);
            assert!(log.contains(&format!("0:2: '{word}'")), "{log}");
        }
        let free = [("packed", 450), ("row_major", 130), ("image2DShadow", 120), ("resource", 410), ("packed_", 330)];
        for (word, version) in free {
            assert_eq!(checked(&format!("#version {version}\nfloat {word};")), Ok(None), "{word}");
        }
        assert_eq!(
            checked("#version 330\nlayout(packed, row_major) uniform B { layout(row_major) mat4 m; };"),
            Ok(None)
        );
    }

    /// Shaders of old games call their variables `filter`.
    #[test]
    fn later_words_are_names_before() {
        let text = checked("uniform vec4 filter; vec4 filtered;").unwrap().unwrap();
        assert_eq!(text, "uniform vec4 mgl_kept_filter; vec4 filtered;");
        assert_eq!(checked("#version 130\nuniform vec4 filter;"), Ok(None), "glslang refuses it");
    }
}
