//! Which extensions a shader may use: those that the context announces, and those whose features its core versions have.
//! glslang takes every extension that it knows, and defines their macros whether or not the context has them.
//! Must not know how an extension is compiled.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::promote::{TABLE, extension};
use super::version::{Profile, declared_version};
use crate::options::CompileOptions;

/// Extensions of the language and the version of OpenGL's shading language that has them in its core, beside those that
/// the front end promotes to that version.
const CORE: [(&str, u32); 31] = [
    ("GL_ARB_ES2_compatibility", 410),
    ("GL_ARB_ES3_compatibility", 430),
    ("GL_ARB_ES3_1_compatibility", 450),
    ("GL_ARB_blend_func_extended", 330),
    ("GL_ARB_conservative_depth", 420),
    ("GL_ARB_explicit_attrib_location", 330),
    ("GL_ARB_fragment_coord_conventions", 150),
    ("GL_ARB_gpu_shader5", 400),
    ("GL_ARB_sample_shading", 400),
    ("GL_ARB_separate_shader_objects", 410),
    ("GL_ARB_shader_draw_parameters", 460),
    ("GL_ARB_shader_group_vote", 460),
    ("GL_ARB_shader_image_size", 430),
    ("GL_ARB_shader_texture_lod", 130),
    ("GL_ARB_shading_language_packing", 420),
    ("GL_ARB_tessellation_shader", 400),
    ("GL_ARB_texture_buffer_object", 140),
    ("GL_ARB_texture_cube_map_array", 400),
    ("GL_ARB_texture_gather", 400),
    ("GL_ARB_texture_multisample", 150),
    ("GL_ARB_texture_rectangle", 140),
    ("GL_ARB_uniform_buffer_object", 140),
    ("GL_ARB_viewport_array", 410),
    ("GL_EXT_texture_array", 130),
    ("GL_AMD_conservative_depth", 420),
    ("GL_MESA_shader_integer_functions", 400),
    ("GL_EXT_shader_integer_mix", 450),
    ("GL_ARB_shader_subroutine", 400),
    ("GL_EXT_separate_shader_objects", 410),
    ("GL_3DL_array_objects", 120),
    ("GL_GOOGLE_cpp_style_line_directive", 110),
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

/// The core version that has the extension.
fn core_since(name: &str) -> Option<u32> {
    let promoted = TABLE.iter().find(|row| row.0 == name).map(|row| row.1);
    CORE.iter().find(|row| row.0 == name).map(|row| row.1).or(promoted)
}

/// The promotion's version says where glslang has an extension; these never became core.
const NEVER_CORE: [&str; 6] = [
    "GL_ARB_shader_ballot",
    "GL_ARB_shader_clock",
    "GL_ARB_gpu_shader_int64",
    "GL_ARB_shader_viewport_layer_array",
    "GL_AMD_vertex_shader_layer",
    "GL_AMD_vertex_shader_viewport_index",
];

fn allowed(name: &str, options: &CompileOptions) -> bool {
    let Some(announced) = &options.extensions else { return true };
    let core = core_since(name).filter(|_| !NEVER_CORE.contains(&name));
    announced.has(name) || core.is_some_and(|since| since <= options.max_version)
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
            (true, end) => {
                if end {
                    "\n"
                } else {
                    ""
                }
            }
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
