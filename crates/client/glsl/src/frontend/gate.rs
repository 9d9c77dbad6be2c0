//! Which extensions a shader may use: those that the context announces, and those whose features its core versions have.
//! glslang takes every extension that it knows, and defines their macros whether or not the context has them.
//! Must not know how an extension is compiled.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mgl_base::gl_versions::ADDED;

use super::promote::extension;
use super::version::{Profile, declared_version};
use crate::options::CompileOptions;

/// Extensions of the language that a version up to 3.30 took over, and the ones of vendors whose features a later version
/// has under another name.
const OTHERS: [(&str, u32); 17] = [
    ("GL_3DL_array_objects", 120),
    ("GL_AMD_conservative_depth", 420),
    ("GL_ARB_blend_func_extended", 330),
    ("GL_ARB_draw_instanced", 140),
    ("GL_ARB_explicit_attrib_location", 330),
    ("GL_ARB_fragment_coord_conventions", 150),
    ("GL_ARB_shader_bit_encoding", 330),
    ("GL_ARB_shader_texture_lod", 130),
    ("GL_ARB_texture_buffer_object", 140),
    ("GL_ARB_texture_multisample", 150),
    ("GL_ARB_texture_rectangle", 140),
    ("GL_ARB_uniform_buffer_object", 140),
    ("GL_EXT_separate_shader_objects", 410),
    ("GL_EXT_shader_integer_mix", 450),
    ("GL_EXT_texture_array", 130),
    ("GL_GOOGLE_cpp_style_line_directive", 110),
    ("GL_MESA_shader_integer_functions", 400),
];

/// The shader as the context allows it.
pub struct Gated<'a> {
    /// Text, without the `#extension` lines that it may not have.
    pub text: Cow<'a, str>,
    /// Lines that make the macros of extensions say what the context has.
    pub macros: Vec<String>,
}

fn is_es(source: &str) -> bool {
    declared_version(source).is_some_and(|(version, profile)| profile == Profile::Es || version == 100)
}

/// The version of the language that has the extension in its core.
fn core_since(name: &str) -> Option<u32> {
    let later =
        || ADDED.iter().find(|(_, added)| added.contains(&name)).map(|((major, minor), _)| major * 100 + minor * 10);
    OTHERS.iter().find(|row| row.0 == name).map(|row| row.1).or_else(later)
}

fn allowed(name: &str, options: &CompileOptions) -> bool {
    let Some(announced) = &options.extensions else { return true };
    announced.has(name) || core_since(name).is_some_and(|since| since <= options.max_version)
}

/// The log for a shader that requires an extension that the context has not (GLSL 4.60 §3.3).
pub fn refuse_required(source: &str, options: &CompileOptions) -> Option<String> {
    if options.extensions.is_none() || is_es(source) {
        return None;
    }
    let mut required = source.lines().zip(1..).filter_map(|(line, number)| Some((extension(line)?, number)));
    let ((name, _), line) = required
        .find(|((name, behaviour), _)| behaviour.starts_with("require") && !allowed(name, options) && *name != "all")?;
    Some(format!("ERROR: 0:{line}: '#extension' : extension not supported: {name}\n"))
}

/// Takes out what the context has not. GLSL ES shaders pass: their extensions are those of OpenGL ES.
pub fn gate<'a>(source: &'a str, options: &CompileOptions) -> Gated<'a> {
    if options.extensions.is_none() || !source.contains("GL_") || is_es(source) {
        return Gated { text: Cow::Borrowed(source), macros: Vec::new() };
    }
    let refused = |line: &str| extension(line).is_some_and(|(name, _)| name != "all" && !allowed(name, options));
    let text = if source.lines().any(refused) {
        // Lines that enable what is not there only warn: they become empty.
        let kept = source.split_inclusive('\n').map(|l| match (refused(l), l.ends_with('\n')) {
            (false, _) => l,
            (true, true) => "\n",
            (true, false) => "",
        });
        Cow::Owned(kept.collect())
    } else {
        Cow::Borrowed(source)
    };
    let (text, present) = name_macros(&text, options);
    Gated { text: Cow::Owned(text), macros: present.into_iter().map(|name| format!("#define {name} 1")).collect() }
}

/// A macro that nobody defines. glslang takes no `#undef` of its own.
const ABSENT: &str = "GL_MOBILEGL_absent";

/// The text with the names of extensions that are not there replaced, and the names of those that are.
fn name_macros<'a>(text: &'a str, options: &CompileOptions) -> (String, BTreeSet<&'a str>) {
    let vendors = ["GL_ARB_", "GL_EXT_", "GL_AMD_", "GL_NV_", "GL_MESA_", "GL_KHR_", "GL_OES_", "GL_INTEL_", "GL_OVR_"];
    let boundary = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let (mut out, mut present) = (String::with_capacity(text.len()), BTreeSet::new());
    for part in text.split_inclusive(boundary) {
        let word = part.trim_end_matches(boundary);
        if !vendors.iter().any(|v| word.starts_with(v) && word.len() > v.len()) {
            out.push_str(part);
        } else if allowed(word, options) {
            present.insert(word);
            out.push_str(part);
        } else {
            out.push_str(ABSENT);
            out.push_str(&part[word.len()..]);
        }
    }
    (out, present)
}

#[cfg(test)]
mod tests {
    use super::{gate, refuse_required};
    use crate::options::{CompileOptions, Extensions};

    fn options(max_version: u32) -> CompileOptions {
        let extensions = Some(Extensions::new(["GL_ARB_gpu_shader5"]));
        CompileOptions { max_version, extensions, ..CompileOptions::default() }
    }

    /// A shader that finds an extension uses it; what the context has not would fail much later, in the driver.
    #[test]
    fn only_announced_extensions_are_there() {
        let source =
            "#version 330\n#extension GL_ARB_gpu_shader5 : enable\n#extension GL_ARB_cull_distance : warn\nint a;\n";
        let gated = gate(source, &options(330));
        assert_eq!(gated.text, "#version 330\n#extension GL_ARB_gpu_shader5 : enable\n\nint a;\n");
        assert_eq!(gated.macros, ["#define GL_ARB_gpu_shader5 1"]);
        let asking = gate("#version 330\n#ifdef GL_ARB_cull_distance\n#endif\n", &options(330));
        assert_eq!(asking.text, "#version 330\n#ifdef GL_MOBILEGL_absent\n#endif\n");
        assert_eq!(gate(source, &options(460)).text, source, "version 4.5 has cull distances");
    }

    /// A program chooses its path by this error.
    #[test]
    fn required_extensions_are_named() {
        let source = "#version 330\n#extension GL_ARB_cull_distance : require\n";
        assert!(refuse_required(source, &options(330)).is_some_and(|log| log.contains("0:2:")));
        assert_eq!(refuse_required(source, &options(460)), None);
        assert_eq!(refuse_required(source, &CompileOptions::default()), None);
    }
}
