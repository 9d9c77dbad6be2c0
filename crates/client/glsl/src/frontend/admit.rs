//! What a shader has to be before any compiler sees it: of a version that its stage and its context have, free of mistakes in
//! directives, and no more than what compilers survive. Its text comes out without directives but the few that count.
//! Must not know how it is compiled.

use super::bounds;
use super::gate::Gate;
use super::layouts;
use super::legacy;
use super::pp::preprocess;
use super::promote::extension;
use super::reserved;
use super::scan::{block_named_like_function, tokens};
use super::source::{join_lines, line_feeds};
use super::version::{Profile, declared_version};
use crate::archive::Stage;
use crate::options::CompileOptions;

/// Versions of the language.
const DESKTOP: [u32; 13] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460];
/// Versions of GLSL ES.
const ES: [u32; 4] = [100, 300, 310, 320];

/// A shader that may be compiled.
#[derive(Debug, Default)]
pub struct Admitted {
    pub text: String,
    /// Warnings.
    pub log: String,
    /// Locations of uniforms that the text does not have.
    pub locations: Vec<(String, u32)>,
}

/// The shader's text as compilers get it. The error is an info log.
pub fn admit(source: &str, stage: Stage, options: &CompileOptions) -> Result<Admitted, String> {
    let source = &*line_feeds(source);
    let refused = |why: String| Err(format!("ERROR: 0:1: {why}\n"));
    if let Some(why) = refuse_version(source, options) {
        return refused(why);
    }
    let done = preprocess(&join_lines(source), &Gate::new(source, options))?;
    if let Some(why) = refuse_stage(&done.text, stage) {
        return refused(why);
    }
    let mut text = done.text;
    bounds::check(&[tokens(&text)])?;
    if let Some(log) = block_named_like_function(&text) {
        return Err(log);
    }
    text = reserved::read(&text, &tokens(&text))?.unwrap_or(text);
    let laid = layouts::read(&text, &tokens(&text), options.limits.uniform_locations)?;
    text = laid.text.unwrap_or(text);
    text = legacy::translate(&text, &tokens(&text)).unwrap_or(text);
    Ok(Admitted { text, log: done.log, locations: laid.locations })
}

fn spelled(version: u32) -> String {
    format!("{}.{:02}", version / 100, version % 100)
}

/// Why a `#version` is none, or none of the context's. Compilers would take any.
fn refuse_version(source: &str, options: &CompileOptions) -> Option<String> {
    let (version, profile) = declared_version(source)?;
    let text = spelled(version);
    if profile == Profile::Es || ES.contains(&version) {
        let known = ES.contains(&version) && (version == 100) == (profile == Profile::None);
        return match (known, options.es) {
            (false, _) => Some(format!("GLSL ES has no version {text}, or not with this profile")),
            (true, false) => Some(format!("GLSL ES {text} is not supported by this context")),
            (true, true) => None,
        };
    }
    if !DESKTOP.contains(&version) {
        return Some(format!("GLSL has no version {text}"));
    }
    if version < 150 && profile != Profile::None {
        return Some(format!("GLSL {text} has no profiles"));
    }
    if version > options.max_version {
        let max = spelled(options.max_version);
        return Some(format!("GLSL {text} is not supported by this context; the largest version is {max}"));
    }
    let compatibility = profile == Profile::Compatibility && !options.compatibility;
    compatibility.then(|| "this context has no compatibility profile".to_owned())
}

/// Why a stage is not in the shader's version of the language. Tessellation stages are compiled as a later version where
/// theirs is older; they share its grammar.
fn refuse_stage(text: &str, stage: Stage) -> Option<String> {
    let (version, profile) = declared_version(text).unwrap_or((110, Profile::None));
    let es = profile == Profile::Es || version == 100;
    let asks = |name: &str| text.lines().filter_map(extension).any(|(n, how)| n == name && how != "disable");
    let (needed, by) = match stage {
        Stage::Compute if es => (310, None),
        Stage::Compute => (430, Some("GL_ARB_compute_shader")),
        Stage::Geometry | Stage::TessControl | Stage::TessEval if es => (310, None),
        Stage::Geometry => (150, None),
        _ => return None,
    };
    let language = if es { "GLSL ES" } else { "GLSL" };
    (version < needed && !by.is_some_and(asks)).then(|| {
        let or = by.map_or(String::new(), |name| format!(" or {name}"));
        format!("a {} shader needs {language} {}{or}, and its #version", stage.name(), spelled(needed))
    })
}

#[cfg(test)]
mod tests {
    use super::admit;
    use crate::archive::Stage;
    use crate::options::CompileOptions;

    fn log(stage: Stage, source: &str) -> Option<String> {
        let options = CompileOptions { compatibility: true, ..CompileOptions::default() };
        admit(source, stage, &options).err()
    }

    /// A version that no compiler knows must be an error in the shader's log.
    #[test]
    fn versions_are_those_of_the_language() {
        for line in ["330", "330 core", "460 compatibility", "100", "300 es", "120"] {
            assert_eq!(log(Stage::Vertex, &format!("#version {line}\n")), None, "{line}");
        }
        for line in ["0330", "331", "300", "100 es", "120 core", "470", "99", "330 es", "x", "", "-330", "330 x"] {
            assert!(log(Stage::Vertex, &format!("#version {line}\n")).is_some(), "{line}");
        }
    }

    /// Stages came with versions; a shader that names none is of the first one.
    #[test]
    fn stages_need_their_version() {
        let compute = "void main() {}\n";
        for version in ["", "#version 330\n", "#version 420\n", "#version 300 es\n", "#version 100\n"] {
            assert!(log(Stage::Compute, &format!("{version}{compute}")).is_some(), "{version}");
        }
        let asks = "#version 420\n#extension GL_ARB_compute_shader : require\n";
        for version in ["#version 430\n", "#version 310 es\n", asks] {
            assert_eq!(log(Stage::Compute, &format!("{version}{compute}")), None, "{version}");
        }
        assert!(log(Stage::Geometry, "void main() {}").is_some_and(|log| log.contains("1.50")));
        assert_eq!(log(Stage::TessEval, "#version 140\nvoid main() {}"), None);
    }
}
