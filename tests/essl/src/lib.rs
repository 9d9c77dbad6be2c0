//! Programs of the GLSL corpus, translated to ESSL. Must not know backends beyond the translation.

use mgl_espryt::essl::{EsFacts, EsslError, Translated, Variant, translate};
use mgl_espryt::raw::{Gl, consts};
use mgl_glsl::{CompileOptions, LinkRequest, Linked, Stage, compile, link};
use std::path::{Path, PathBuf};

/// Sections `[name]` of a `.shader_test`.
pub fn sections(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.split_once(']')).map(|(n, _)| n) {
            out.push((name.to_owned(), String::new()));
        } else if let Some((_, body)) = out.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    out
}

const PASSTHROUGH: &str = "#if __VERSION__ >= 130\nin vec4 piglit_vertex;\n#else\nattribute vec4 piglit_vertex;\n#endif\n\
    void main() { gl_Position = piglit_vertex; }\n";

fn version_number(text: &str) -> u32 {
    let number = |c: char| !c.is_ascii_digit() && c != '.';
    let word = text.split(number).find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("1.10");
    let (major, minor) = word.split_once('.').unwrap_or((word, "0"));
    let minor: u32 = format!("{minor}0")[..2].parse().unwrap_or(0);
    major.parse().map_or(110, |major: u32| if major >= 100 { major } else { major * 100 + minor })
}

/// Links a `.shader_test`; `None` when the front end refuses it or it is not meant to link.
pub fn program(path: &Path) -> Option<Linked> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let all = sections(&text);
    let section = |name: &str| all.iter().find(|(n, _)| n == name).map_or("", |(_, t)| t);
    let require = section("require");
    if require.contains("SSO") {
        return None;
    }
    let version = require.lines().find(|l| l.starts_with("GLSL")).map_or(110, version_number);
    let options =
        CompileOptions { compatibility: version < 140 || require.contains("COMPAT"), ..CompileOptions::default() };
    let mut units = Vec::new();
    for (name, body) in &all {
        let (stage_name, passthrough) = match name.strip_suffix(" passthrough") {
            Some(stage) => (stage, true),
            None => (name.as_str(), false),
        };
        let stage = Stage::ALL.into_iter().find(|s| format!("{} shader", s.name()) == stage_name);
        let Some(stage) = stage else { continue };
        let mut source = if passthrough { PASSTHROUGH.to_owned() } else { body.clone() };
        if !source.contains("#version") {
            source = format!("#version {version}\n{source}");
        }
        let compiled = compile(stage, &source, &options);
        if !compiled.ok {
            return None;
        }
        units.push(compiled.unit);
    }
    if units.is_empty() || section("test").lines().any(|l| l.trim() == "link error") {
        return None;
    }
    link(&units, &LinkRequest::default()).ok()
}

/// Translates a linked program.
pub fn essl(linked: &Linked, facts: &EsFacts) -> Result<Translated, EsslError> {
    let spirv = std::array::from_fn(|n| linked.spirv[n].clone().unwrap_or_default());
    translate(&spirv, &linked.archive, facts, &Variant::default())
}

/// Every file under `dir`, sorted.
pub fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

/// Links sources, one per stage; what the front end says when it refuses them.
pub fn linked(sources: &[(Stage, &str)]) -> Result<Linked, String> {
    linked_with(sources, &LinkRequest::default())
}

/// The same, with what the program asks of the link.
pub fn linked_with(sources: &[(Stage, &str)], request: &LinkRequest) -> Result<Linked, String> {
    let mut units = Vec::new();
    for (stage, source) in sources {
        let compiled = compile(*stage, source, &CompileOptions::default());
        if !compiled.ok {
            return Err(compiled.log);
        }
        units.push(compiled.unit);
    }
    link(&units, request).map_err(|failed| format!("{failed:?}"))
}

/// Compiles the texts of a program, and links them when nothing is missing; what the driver says against it.
pub fn driver_takes(gl: &Gl, texts: &[String; 6]) -> Result<(), String> {
    let kinds = [
        consts::VERTEX_SHADER,
        consts::TESS_CONTROL_SHADER,
        consts::TESS_EVALUATION_SHADER,
        consts::GEOMETRY_SHADER,
        consts::FRAGMENT_SHADER,
        consts::COMPUTE_SHADER,
    ];
    let name = gl.create_program();
    let mut done = Ok(());
    for (kind, text) in kinds.into_iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
        let shader = gl.create_shader(kind);
        gl.shader_text(shader, text);
        gl.compile_shader(shader);
        if gl.shader_value(shader, consts::COMPILE_STATUS) == 0 && done.is_ok() {
            done = Err(gl.shader_log(shader));
        }
        gl.attach_shader(name, shader);
        gl.delete_shader(shader);
    }
    let whole = !texts[5].is_empty() || !texts[0].is_empty() && !texts[4].is_empty();
    if done.is_ok() && whole {
        gl.link_program(name);
        if gl.program_value(name, consts::LINK_STATUS) == 0 {
            done = Err(gl.program_log(name));
        }
    }
    gl.delete_program(name);
    done
}
