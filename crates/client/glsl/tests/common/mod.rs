//! Helpers of the front end's tests: compile and link in one step, validate, and look at the result as text.
//! Must not hold expectations of its own.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use mgl_glsl::archive::Uniform;
use mgl_glsl::{CompileOptions, LinkFailure, LinkRequest, Linked, Stage, Unit, compile, link};
use rspirv::binary::Disassemble;

pub const VS: Stage = Stage::Vertex;
pub const FS: Stage = Stage::Fragment;
pub const GS: Stage = Stage::Geometry;

/// Compiles shaders that must be well-formed.
pub fn units(shaders: &[(Stage, &str)]) -> Vec<Arc<Unit>> {
    let one = |(stage, source): &(Stage, &str)| {
        let compiled = compile(*stage, source, &CompileOptions::default());
        assert!(compiled.ok, "{}\n{source}", compiled.log);
        compiled.unit
    };
    shaders.iter().map(one).collect()
}

pub fn try_link(shaders: &[(Stage, &str)], request: &LinkRequest) -> Result<Linked, LinkFailure> {
    link(&units(shaders), request)
}

/// Links shaders that must link, validates every module and proves the archive.
pub fn linked_with(shaders: &[(Stage, &str)], request: &LinkRequest) -> Linked {
    let linked = try_link(shaders, request).unwrap_or_else(|e| panic!("{e}"));
    validate(&linked);
    let bytes = linked.archive.encode().expect("the archive is in bounds");
    assert_eq!(mgl_glsl::archive::ProgramArchive::decode(&bytes).expect("decodes"), linked.archive);
    linked
}

pub fn linked(shaders: &[(Stage, &str)]) -> Linked {
    linked_with(shaders, &LinkRequest::default())
}

/// The log of a link that must fail.
pub fn refused(shaders: &[(Stage, &str)]) -> String {
    try_link(shaders, &LinkRequest::default()).expect_err("the link must fail").log
}

/// `spirv-val` over every module; silent where the tool is missing.
pub fn validate(linked: &Linked) {
    for words in linked.spirv.iter().flatten() {
        let child = Command::new("spirv-val")
            .args(["--target-env", "vulkan1.1", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else { return };
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        child.stdin.take().expect("piped").write_all(&bytes).expect("spirv-val reads");
        let output = child.wait_with_output().expect("spirv-val ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}\n{}", disassemble(words));
    }
}

fn disassemble(words: &[u32]) -> String {
    rspirv::dr::load_words(words).expect("parses").disassemble()
}

/// The text of one stage's module.
pub fn text(linked: &Linked, stage: Stage) -> String {
    disassemble(linked.spirv[stage.index()].as_deref().expect("the stage is there"))
}

/// Values of a decoration (all of them, in order) of the variable or type called `name`.
pub fn decorations(linked: &Linked, stage: Stage, name: &str) -> Vec<String> {
    let text = text(linked, stage);
    let named = format!("\"{name}\"");
    let ids: Vec<&str> = text
        .lines()
        .filter(|l| l.starts_with("OpName ") && l.ends_with(&named))
        .filter_map(|l| l.split_whitespace().nth(1))
        .collect();
    let of = |l: &&str| {
        let mut words = l.split_whitespace();
        matches!(words.next(), Some("OpDecorate" | "OpMemberDecorate"))
            && words.next().is_some_and(|id| ids.contains(&id))
    };
    text.lines().filter(of).map(|l| l.split_whitespace().skip(2).collect::<Vec<_>>().join(" ")).collect()
}

pub fn uniform<'a>(linked: &'a Linked, name: &str) -> &'a Uniform {
    let names: Vec<&str> = linked.archive.uniforms.iter().map(|u| u.name.as_str()).collect();
    linked.archive.uniforms.iter().find(|u| u.name == name).unwrap_or_else(|| panic!("no `{name}` in {names:?}"))
}

/// A vertex shader that only places the vertex.
pub const PLAIN_VS: &str = "#version 330\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
/// A fragment shader that only writes a colour.
pub const PLAIN_FS: &str = "#version 330\nout vec4 c;\nvoid main() { c = vec4(1); }\n";
