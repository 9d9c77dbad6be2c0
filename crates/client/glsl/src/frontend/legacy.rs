//! Texture functions that core versions of the language withdrew (GLSL 4.60 §8.9.5 has them in the compatibility profile
//! alone) and published shaders go on to use: other compilers take them in every version, and so does this one, as the
//! functions that came in their place. Noise is here too. Must not touch a function of the shader's own that has such a name.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::layouts::apply;
use super::scan::Token;
use super::version::{Profile, declared_version};
use super::words::KEPT;

/// The functions without what stands before `Proj`, `Lod` or `Grad`.
const DIMENSIONS: [&str; 7] = ["1DArray", "2DArray", "2DRect", "1D", "2D", "3D", "Cube"];

/// What follows the dimension, and what today's function has there.
const FORMS: [(&str, &str); 9] = [
    ("", "texture"),
    ("Proj", "textureProj"),
    ("Lod", "textureLod"),
    ("ProjLod", "textureProjLod"),
    ("GradARB", "textureGrad"),
    ("ProjGradARB", "textureProjGrad"),
    ("GradEXT", "textureGrad"),
    ("LodEXT", "textureLod"),
    ("ProjLodEXT", "textureProjLod"),
];

/// Today's name of a withdrawn function, and whether it compares, with a vector for its result.
fn today(name: &str) -> Option<(&'static str, bool)> {
    let (rest, compares) = match name.strip_prefix("texture") {
        Some(rest) => (rest, false),
        None => (name.strip_prefix("shadow")?, true),
    };
    let form = DIMENSIONS.iter().find_map(|dimension| rest.strip_prefix(dimension))?;
    FORMS.iter().find(|(old, _)| *old == form).map(|(_, new)| (*new, compares))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Names of functions that the shader declares.
fn own_functions<'a>(tokens: &[Token<'a>]) -> HashSet<&'a str> {
    let mut depth = 0u32;
    let mut names = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "(" if depth == 0 => {
                let [before, name] =
                    [2, 1].map(|n| at.checked_sub(n).and_then(|at| tokens.get(at)).map_or("", |t| t.text));
                if is_word(name) && (is_word(before) || before == "]") {
                    names.insert(name);
                }
            }
            _ => {}
        }
    }
    names
}

/// For each `(` the token that closes it, in one walk over all of them.
fn closers(tokens: &[Token<'_>]) -> HashMap<usize, usize> {
    let mut open = Vec::new();
    let mut pairs = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => open.push(at),
            ")" => pairs.extend(open.pop().map(|from| (from, at))),
            _ => {}
        }
    }
    pairs
}

/// Vectors that noise of one to four values gives.
fn noise(name: &str) -> Option<&'static str> {
    ["0.0", "vec2(0.0)", "vec3(0.0)", "vec4(0.0)"]
        .get(name.strip_prefix("noise")?.parse::<usize>().ok()?.checked_sub(1)?)
        .copied()
}

/// The text with today's functions, and without noise, which is 0 (GLSL 4.60 §8.16) and has no code; `None` when it has none
/// of them.
pub fn translate(text: &str, tokens: &[Token<'_>]) -> Option<String> {
    let (version, profile) = declared_version(text).unwrap_or((110, Profile::None));
    if profile == Profile::Es || version == 100 {
        return None;
    }
    // Before, and in the compatibility profile, compilers know the old functions.
    let core = version >= 150 && profile != Profile::Compatibility;
    let known = |t: &Token<'_>| noise(t.text).is_some() || today(t.text).is_some_and(|(_, compares)| core || compares);
    if !tokens.iter().any(known) {
        return None;
    }
    let (own, closers) = (own_functions(tokens), closers(tokens));
    let text_at = |at: usize| tokens.get(at).map_or("", |t| t.text);
    let span = |at: usize| tokens.get(at).map_or(0..0, |t| t.at..t.at + t.text.len());
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut used: HashSet<&str> = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let call = text_at(at + 1) == "(" && (at == 0 || text_at(at - 1) != ".") && !own.contains(token.text);
        if !call {
            continue;
        }
        if let Some((zero, end)) = noise(token.text).and_then(|zero| Some((zero, *closers.get(&(at + 1))?))) {
            // What the argument does is still done.
            edits.push((span(at), String::new()));
            edits.push((span(end), format!(", {zero})")));
        }
        let Some((name, compares)) = today(token.text).filter(|(_, compares)| core || *compares) else { continue };
        // Older compilers have the function and fill its fourth component like the others.
        let name = if core { name } else { token.text };
        if core {
            used.insert(name);
        }
        if !compares {
            edits.push((span(at), name.to_owned()));
        } else if let Some(end) = closers.get(&(at + 1)) {
            // A vector, as textures with one value of luminance give it (GLSL 1.20 §8.7).
            edits.push((span(at), format!("vec4(vec3({name}")));
            edits.push((span(*end), ")), 1.0)".to_owned()));
        }
    }
    // A variable that has the name of today's function would hide it.
    let hides = |at: usize| used.contains(text_at(at)) && text_at(at + 1) != "(";
    let kept = (0..tokens.len()).filter(|at| hides(*at)).map(|at| (span(at), format!("{KEPT}{}", text_at(at))));
    edits.extend(kept);
    (!edits.is_empty()).then(|| apply(text, edits))
}

#[cfg(test)]
mod tests {
    use super::translate;
    use crate::frontend::scan::tokens;

    fn translated(text: &str) -> Option<String> {
        translate(text, &tokens(text))
    }

    fn body(text: &str) -> String {
        let source = format!("#version 330 core\n{text}");
        translated(&source).unwrap_or(source).split_once('\n').unwrap().1.to_owned()
    }

    /// Published shaders call these functions in every version; they would not draw.
    #[test]
    fn old_functions_become_new_ones() {
        let rows = [
            ("c = texture2D(s, uv, 0.5);", "c = texture(s, uv, 0.5);"),
            ("c = texture2DProjLod(s, uv, 1.0);", "c = textureProjLod(s, uv, 1.0);"),
            ("c = textureCube(s, texture1D(t, x).xyz);", "c = texture(s, texture(t, x).xyz);"),
            ("c = texture2DRectProj(s, v);", "c = textureProj(s, v);"),
            ("c = texture3DGradARB(s, v, a, b);", "c = textureGrad(s, v, a, b);"),
            (
                "c = shadow2D(s, v).r * shadow1D(t, w);",
                "c = vec4(vec3(texture(s, v)), 1.0).r * vec4(vec3(texture(t, w)), 1.0);",
            ),
            ("c = noise3(f(x)).r + noise1(y);", "c = (f(x), vec3(0.0)).r + (y, 0.0);"),
            ("c = shadow2DProj(s, (v));", "c = vec4(vec3(textureProj(s, (v))), 1.0);"),
        ];
        for (old, new) in rows {
            assert_eq!(body(old), new);
        }
    }

    /// Names of the shader's own stay its own, and a sampler may be called `texture`.
    #[test]
    fn own_names_stay() {
        for text in [
            "vec4 texture2D(vec2 v) { return vec4(v, 0, 1); } void main() { c = texture2D(uv); }",
            "float texture2D = 1;",
        ] {
            assert_eq!(body(text), text);
        }
        let text = "uniform sampler2D texture; void main() { c = texture2D(texture, uv) + textureLod; }";
        let wanted =
            "uniform sampler2D mgl_kept_texture; void main() { c = texture(mgl_kept_texture, uv) + textureLod; }";
        assert_eq!(body(text), wanted);
    }

    /// Versions and profiles that have the functions need no help.
    #[test]
    fn others_stay() {
        for version in ["120", "140", "330 compatibility", "300 es", "100"] {
            assert_eq!(translated(&format!("#version {version}\nc = texture2D(s, v);")), None);
        }
        let shadow = translated("#version 120\nc = shadow2D(s, v).a;");
        assert_eq!(shadow.as_deref(), Some("#version 120\nc = vec4(vec3(shadow2D(s, v)), 1.0).a;"));
    }
}
