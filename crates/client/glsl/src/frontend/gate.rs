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

/// Extensions that glslang takes and this front end cannot lower.
const REFUSED: [&str; 1] = ["GL_ARB_bindless_texture"];

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
    let Some(announced) = &options.extensions else { return !REFUSED.contains(&name) };
    announced.has(name) || core_since(name).is_some_and(|since| since <= options.max_version)
}

/// The name on a line that asks for what the context has not, and the behaviour it asks for.
fn refused<'a>(line: &'a str, options: &CompileOptions) -> Option<(&'a str, &'a str)> {
    extension(line).filter(|(name, _)| *name != "all" && !allowed(name, options))
}

/// Takes out what the context has not. GLSL ES shaders pass: their extensions are those of OpenGL ES.
pub fn gate<'a>(source: &'a str, options: &CompileOptions) -> Gated<'a> {
    if !source.contains("GL_") || is_es(source) {
        return Gated { text: Cow::Borrowed(source), macros: Vec::new() };
    }
    let (mut out, mut present) = (String::with_capacity(source.len()), BTreeSet::new());
    for line in source.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        match refused(line, options) {
            // Only the preprocessor knows whether the line is met (GLSL 4.60 §3.3): shaders require by macros what there is.
            Some((name, behaviour)) if behaviour.starts_with("require") => {
                out.push_str(&format!("#error extension not supported: {name}{end}"));
            }
            // Lines that enable what is not there only warn: they become empty.
            Some(_) => out.push_str(end),
            None => name_macros(line, options, &mut out, &mut present),
        }
    }
    if options.extensions.is_none() {
        present.clear();
    }
    Gated { text: Cow::Owned(out), macros: present.into_iter().map(|name| format!("#define {name} 1")).collect() }
}

/// A macro that nobody defines. glslang takes no `#undef` of its own.
pub const ABSENT: &str = "GL_MOBILEGL_absent";

/// Appends the text with the names of extensions that are not there replaced, and notes the names of those that are.
fn name_macros<'a>(text: &'a str, options: &CompileOptions, out: &mut String, present: &mut BTreeSet<&'a str>) {
    let vendors = ["GL_ARB_", "GL_EXT_", "GL_AMD_", "GL_NV_", "GL_MESA_", "GL_KHR_", "GL_OES_", "GL_INTEL_", "GL_OVR_"];
    let boundary = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
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
}

#[cfg(test)]
mod tests {
    use super::gate;
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

    /// A program chooses its path by this error, also where it asks by macros which of several extensions there is.
    #[test]
    fn required_extensions_are_named() {
        let source = "#version 330\n#extension GL_ARB_cull_distance : require\n";
        let wanted = "#version 330\n#error extension not supported: GL_ARB_cull_distance\n";
        assert_eq!(gate(source, &options(330)).text, wanted);
        assert_eq!(gate(source, &options(460)).text, source);
        assert_eq!(gate(source, &CompileOptions::default()).text, source);
    }
}
