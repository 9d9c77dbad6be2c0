//! Names of a shader that became keywords, kept while it is compiled as a later version.
//! Must not know which extension made the version rise.

use super::promote::extension;

/// Beginning of a name that a later version has as a keyword; the linker takes it off again.
pub const KEPT: &str = "mgl_kept_";

/// Keywords, the version that made them so, and the extensions that did before.
const KEYWORDS: [(&str, u32, &[&str]); 9] = [
    ("sample", 400, &["GL_ARB_gpu_shader5", "GL_NV_gpu_shader5"]),
    ("precise", 400, &["GL_ARB_gpu_shader5", "GL_MESA_shader_integer_functions"]),
    ("patch", 400, &["GL_ARB_tessellation_shader"]),
    ("coherent", 420, &["GL_ARB_shader_image_load_store", "GL_ARB_shader_storage_buffer_object"]),
    ("restrict", 420, &["GL_ARB_shader_image_load_store", "GL_ARB_shader_storage_buffer_object"]),
    ("readonly", 420, &["GL_ARB_shader_image_load_store", "GL_ARB_shader_storage_buffer_object"]),
    ("writeonly", 420, &["GL_ARB_shader_image_load_store", "GL_ARB_shader_storage_buffer_object"]),
    ("resource", 420, &[]),
    ("buffer", 430, &["GL_ARB_shader_storage_buffer_object"]),
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The text with every word that `change` knows replaced.
pub fn replace(text: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|c: char| !is_word(c)) {
        let word = part.trim_end_matches(|c: char| !is_word(c));
        match change(word) {
            Some(new) => {
                out.push_str(&new);
                out.push_str(&part[word.len()..]);
            }
            None => out.push_str(part),
        }
    }
    out
}

/// The text of a shader of `version`, whose `#version` says `target` by now, with names that became keywords since kept as
/// names. `source` is the program's own text.
pub fn keep(text: &str, source: &str, version: u32, target: u32) -> String {
    let named: Vec<&str> = source.lines().filter_map(extension).map(|(name, _)| name).collect();
    let became = |since: u32| version < since && since <= target;
    let rows = KEYWORDS.iter().filter(|row| became(row.1) && !row.2.iter().any(|name| named.contains(name)));
    let words: Vec<&str> = rows.map(|row| row.0).collect();
    replace(text, |word| words.contains(&word).then(|| format!("{KEPT}{word}")))
}

#[cfg(test)]
mod tests {
    use super::keep;

    /// A shader that calls a variable `sample` must not fail because it asks for explicit bindings as well.
    #[test]
    fn names_that_became_keywords() {
        let text = "vec4 sample, buffer, sampled;";
        assert_eq!(keep(text, text, 330, 420), "vec4 mgl_kept_sample, buffer, sampled;");
        let shader5 = "#extension GL_ARB_gpu_shader5 : enable\nsample in vec4 buffer;";
        assert_eq!(keep(shader5, shader5, 330, 430), shader5.replace("buffer", "mgl_kept_buffer"));
    }
}
