//! What a shader's own version means, kept while it is compiled as a later one: names that became keywords, and the macros that
//! say version and profile. Must not know which extension made the version rise.

use super::gate::ABSENT;
use super::promote::extension;
use super::version::Profile;

/// Beginning of a name that a later version has as a keyword; the linker takes it off again.
pub const KEPT: &str = "mgl_kept_";

/// The macro that stands for `GL_core_profile`: what is compiled has the compatibility profile.
pub const CORE: &str = "GL_MOBILEGL_core";

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

/// The macro that stands for `__VERSION__` in a shader of this version.
pub fn version_macro(version: u32) -> String {
    format!("GL_MOBILEGL_version_{version}")
}

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

/// The text, whose `#version` says `target` by now, as it meant it. `source` is the program's own text.
pub fn keep(text: &str, source: &str, declared: (u32, Profile), target: u32) -> String {
    let (version, profile) = declared;
    let named: Vec<&str> = source.lines().filter_map(extension).map(|(name, _)| name).collect();
    let became = |since: u32| version < since && since <= target;
    let rows = KEYWORDS.iter().filter(|row| became(row.1) && !row.2.iter().any(|name| named.contains(name)));
    let words: Vec<&str> = rows.map(|row| row.0).collect();
    // Profiles begin with 1.50, and the core profile is what a version without a word means.
    let core = version >= 150 && matches!(profile, Profile::Core | Profile::None);
    replace(text, |word| match word {
        // A macro and no number: `defined(__VERSION__)` must stay what it is.
        "__VERSION__" => Some(version_macro(version)),
        "GL_compatibility_profile" if core || version < 150 => Some(ABSENT.to_owned()),
        "GL_core_profile" if core => Some(CORE.to_owned()),
        _ => words.contains(&word).then(|| format!("{KEPT}{word}")),
    })
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::frontend::version::Profile;

    /// A shader that calls a variable `sample` must not fail because it asks for explicit bindings as well.
    #[test]
    fn names_that_became_keywords() {
        let text = "#if __VERSION__ < 400 && defined(GL_core_profile)\nvec4 sample, buffer, sampled;\n#endif";
        assert_eq!(
            keep(text, text, (330, Profile::Core), 420),
            "#if GL_MOBILEGL_version_330 < 400 && defined(GL_MOBILEGL_core)\nvec4 mgl_kept_sample, buffer, sampled;\n#endif"
        );
        let shader5 = "#extension GL_ARB_gpu_shader5 : enable\nsample in vec4 buffer;";
        assert_eq!(keep(shader5, shader5, (330, Profile::None), 430), shader5.replace("buffer", "mgl_kept_buffer"));
    }
}
