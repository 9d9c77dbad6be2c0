//! The `#version` line of a shader, read without a preprocessor.
//! Must not judge it: whether a version is offered depends on the context.

/// Profile word of `#version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// No word.
    None,
    /// `core`.
    Core,
    /// `compatibility`.
    Compatibility,
    /// `es`.
    Es,
}

/// Skips white space and comments, which may precede `#version` (GLSL 4.60 §3.3).
fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if let Some(rest) = text.strip_prefix("//") {
            text = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(rest) = text.strip_prefix("/*") {
            text = rest.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            return text;
        }
    }
}

/// Version and profile of `source`; `None` when it has no `#version` line (GLSL 1.10) or one that is malformed.
pub fn declared_version(source: &str) -> Option<(u32, Profile)> {
    let line = skip_blank(source).strip_prefix('#')?.trim_start().strip_prefix("version")?;
    let mut words = line.lines().next()?.split_whitespace();
    let version = words.next()?.parse().ok()?;
    let profile = match words.next() {
        Some("core") => Profile::Core,
        Some("compatibility") => Profile::Compatibility,
        Some("es") => Profile::Es,
        _ => Profile::None,
    };
    Some((version, profile))
}

#[cfg(test)]
mod tests {
    use super::{Profile, declared_version};

    /// A shader whose version is misread is refused or accepted against the context's promise.
    #[test]
    fn versions() {
        assert_eq!(declared_version("#version 330 core\n"), Some((330, Profile::Core)));
        assert_eq!(declared_version("/* a */ // b\n # version 150\nvoid"), Some((150, Profile::None)));
        assert_eq!(declared_version("#version 300 es"), Some((300, Profile::Es)));
        assert_eq!(declared_version("void main() {}"), None);
    }
}
