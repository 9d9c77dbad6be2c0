//! What is done to a shader's text before glslang sees it: line continuations are joined, and extensions that drivers offer
//! without being asked are enabled.
//! Must keep line numbers: messages name the program's own lines.

use std::borrow::Cow;

use super::version::{Profile, declared_version};

/// Joins lines that end in a backslash, in every version: drivers accept them below GLSL 4.20 too. The line count is kept
/// by putting the removed line ends behind the joined line.
pub fn join_lines(source: &str) -> Cow<'_, str> {
    if !source.contains("\\\n") && !source.contains("\\\r\n") {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut owed = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        if let Some(joined) = text.strip_suffix('\\').filter(|_| line.ends_with('\n')) {
            out.push_str(joined);
            owed += 1;
            continue;
        }
        out.push_str(line);
        out.extend(std::iter::repeat_n('\n', std::mem::take(&mut owed)));
    }
    Cow::Owned(out)
}

/// Directives put before the shader. They are there only where the text hints at a need, because enabling an extension also
/// makes its keywords reserved.
pub fn preamble(source: &str) -> Vec<&'static str> {
    let (version, profile) = declared_version(source).unwrap_or((110, Profile::None));
    if profile == Profile::Es || version == 100 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if version < 140 && source.contains("2DRect") {
        lines.push("#extension GL_ARB_texture_rectangle : enable");
    }
    if version < 140 && source.contains("GL_ARB_uniform_buffer_object") {
        lines.push("#extension GL_ARB_explicit_attrib_location : enable");
    }
    // GLSL 1.50 lets gl_PerVertex be redeclared (§7.1); glslang ties it to this extension below 4.10.
    if (150..410).contains(&version) && source.contains("gl_PerVertex") {
        lines.push("#extension GL_ARB_separate_shader_objects : enable");
    }
    // Locations of whole blocks come with separate shader objects (GL_ARB_separate_shader_objects, issue 12).
    let separable = version >= 410 || source.contains("GL_ARB_separate_shader_objects");
    if (150..440).contains(&version) && separable && source.contains("location") {
        lines.push("#extension GL_ARB_enhanced_layouts : enable");
    }
    if version >= 150 && source.contains("GL_ARB_shader_subroutine") {
        lines.push("#define GL_ARB_shader_subroutine 1");
    }
    // glslang has no code for this function of the compatibility profile.
    if source.contains("ftransform") && (version <= 140 || profile == Profile::Compatibility) {
        lines.push("#define ftransform() (gl_ModelViewProjectionMatrix * gl_Vertex)");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::join_lines;

    /// A macro over several lines must compile, and errors after it must name the right line.
    #[test]
    fn continuations_keep_line_numbers() {
        let joined = join_lines("#define A \\\n 1\nint a;\n");
        assert_eq!(joined, "#define A  1\n\nint a;\n");
        assert_eq!(joined.lines().count(), 3);
    }
}
