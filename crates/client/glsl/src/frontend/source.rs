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

/// What a directive means of its line: `#endif FOO` and `#ifdef A && B` are mistakes that many drivers only warn of.
fn meant(line: &str) -> Option<&str> {
    let hash = line.find(|c: char| !c.is_whitespace()).filter(|at| line[*at..].starts_with('#'))?;
    let start = hash + 1 + line[hash + 1..].find(|c: char| !c.is_whitespace())?;
    let word = |from: usize| {
        let from = from + line[from..].len() - line[from..].trim_start().len();
        from..from + line[from..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(line[from..].len())
    };
    let directive = word(start);
    let end = match &line[directive.clone()] {
        "endif" | "else" => directive.end,
        "ifdef" | "ifndef" if !word(directive.end).is_empty() => word(directive.end).end,
        _ => return None,
    };
    let rest = line[end..].trim();
    // A comment may go on behind the line.
    (!rest.is_empty() && !rest.starts_with("//") && !rest.contains("/*") && !rest.contains("*/")).then(|| &line[..end])
}

/// Takes off what follows a directive that ends before it.
pub fn drop_extra_tokens(source: &str) -> Cow<'_, str> {
    if !source.lines().any(|line| meant(line).is_some()) {
        return Cow::Borrowed(source);
    }
    let line = |line| match meant(line) {
        Some(text) => format!("{text}{}", if line.ends_with('\n') { "\n" } else { "" }),
        None => line.to_owned(),
    };
    Cow::Owned(source.split_inclusive('\n').map(line).collect())
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
    use super::{drop_extra_tokens, join_lines, version_first};

    /// Shader packs that were written with a forgiving driver must load.
    #[test]
    fn directives_end_where_they_end() {
        let source = "#ifdef A && B\n # endif A\n#else // c\n#endif /* d\n#endif e */\n#if A B\n#ifdef A\r\n#endif";
        let wanted = "#ifdef A\n # endif\n#else // c\n#endif /* d\n#endif e */\n#if A B\n#ifdef A\r\n#endif";
        assert_eq!(drop_extra_tokens(source), wanted);
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
