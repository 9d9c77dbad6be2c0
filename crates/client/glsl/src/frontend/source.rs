//! What is done to a shader's text before glslang sees it: line continuations are joined, and extensions that drivers offer
//! without being asked are enabled.
//! Must keep line numbers: messages name the program's own lines.

use std::borrow::Cow;

use super::version::{Profile, declared_version};

/// Joins lines that end in a backslash, in every version: drivers accept them below GLSL 4.20 too. The line count is kept
/// by putting the removed line ends behind the joined line.
pub fn join_lines(source: &str) -> Cow<'_, str> {
    if !source.contains("\\\n") {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut owed = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
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

/// glslang wants `#version` of a GLSL ES shader before everything else; comments and blank lines may precede it (GLSL ES 3.20
/// §3.4). What precedes it goes, and the lines after it keep their numbers.
pub fn version_first(source: &str) -> Cow<'_, str> {
    let es = declared_version(source).is_some_and(|(_, profile)| profile == Profile::Es);
    let Some(at) = source.find("#").filter(|at| es && *at > 0 && !source.starts_with('#')) else {
        return Cow::Borrowed(source);
    };
    // A comment may hold a `#` of its own: the directive is the first that is followed by `version`.
    let is_directive = |at: &usize| source[*at + 1..].trim_start().starts_with("version");
    let Some(at) = source[at..].match_indices('#').map(|(n, _)| at + n).find(is_directive) else {
        return Cow::Borrowed(source);
    };
    let next = source[..at].matches('\n').count() + 2;
    let (line, rest) = source[at..].split_once('\n').unwrap_or((&source[at..], ""));
    Cow::Owned(format!("{line}\n#line {next}\n{rest}"))
}

/// Carriage returns, alone or with a line feed, end lines as line feeds do (GLSL 4.60 §3.1).
pub fn line_feeds(source: &str) -> Cow<'_, str> {
    if source.contains('\r') { Cow::Owned(source.replace("\r\n", "\n").replace('\r', "\n")) } else { source.into() }
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
    // glslang has no code for this function of the compatibility profile.
    if source.contains("ftransform") && (version <= 140 || profile == Profile::Compatibility) {
        lines.push("#define ftransform() (gl_ModelViewProjectionMatrix * gl_Vertex)");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{join_lines, line_feeds, version_first};

    /// A shader written with another system's ends of lines would be one line, or a comment.
    #[test]
    fn lines_end_in_three_ways() {
        assert_eq!(line_feeds("a\r\nb\rc\n\\\r\nd"), "a\nb\nc\n\\\nd");
        assert_eq!(line_feeds("a\nb"), "a\nb");
    }

    /// A licence above `#version` is usual; the shader must compile, with its own line numbers.
    #[test]
    fn comments_may_precede_the_version() {
        assert_eq!(version_first("// #1\n\n#version 300 es\nint a;\n"), "#version 300 es\n#line 4\nint a;\n");
        assert_eq!(version_first("// a\n#version 150\n"), "// a\n#version 150\n");
        assert_eq!(version_first("#version 300 es\n"), "#version 300 es\n");
    }

    /// A macro over several lines must compile, and errors after it must name the right line.
    #[test]
    fn continuations_keep_line_numbers() {
        let joined = join_lines("#define A \\\n 1\nint a;\n");
        assert_eq!(joined, "#define A  1\n\nint a;\n");
        assert_eq!(joined.lines().count(), 3);
    }
}
