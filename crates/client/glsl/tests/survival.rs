//! No shader ends the program or writes on its streams: whatever nests, multiplies, or uses what a version withdrew comes to
//! an end with an info log. What may end a process runs in a child that only this test waits for.
//! Must not judge whether a shader compiles where the language does not say.

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{FS, PLAIN_FS, PLAIN_VS, VS, linked};
use mgl_glsl::{CompileOptions, Jobs, LinkRequest, Stage, compile, link};

/// Names and calls that some version or profile of the language has, or had.
const WITHDRAWN: &str = include_str!("data/withdrawn.txt");

/// The file of shaders that a child compiles, and beside it the number of the one that it is at.
const SHADERS: &str = "MGL_SURVIVAL_SHADERS";

/// Compiles and links what its parent wrote, each alone.
#[test]
#[ignore = "the other tests run it in processes of their own"]
fn child() {
    let Some(path) = std::env::var_os(SHADERS).map(PathBuf::from) else { return };
    let text = std::fs::read_to_string(&path).expect("the parent wrote it");
    for (at, entry) in text.split('\0').filter(|e| !e.is_empty()).enumerate() {
        std::fs::write(path.with_extension("at"), at.to_string()).expect("the parent reads it");
        let (stage, source) = entry.split_once('\n').expect("stage and source");
        let stage = Stage::ALL[stage.parse::<usize>().expect("a number")];
        let compiled = compile(stage, source, &CompileOptions { compatibility: true, ..CompileOptions::default() });
        // The outcome is open; that there is one is what counts.
        let _ = link(&[compiled.unit], &LinkRequest { separable: true, ..LinkRequest::default() });
    }
}

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("survival-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for the shaders");
    dir
}

/// Runs a child over the shaders; says which one ended it, or what it wrote.
fn survive(name: &str, shaders: &[(Stage, String)]) -> Result<(), String> {
    let path = folder(name).join("shaders");
    let text = shaders.iter().fold(String::new(), |mut text, (stage, source)| {
        let _ = write!(text, "{}\n{source}\0", stage.index());
        text
    });
    std::fs::write(&path, text).expect("the shaders are written");
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(SHADERS, &path)
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("the child starts");
    let at: usize = std::fs::read_to_string(path.with_extension("at")).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let harness = |line: &&str| line.is_empty() || line.starts_with("running ") || line.starts_with("test ");
    let own: Vec<&str> = said.lines().filter(|line| !harness(line)).take(3).collect();
    std::fs::remove_dir_all(folder(name)).ok();
    match (output.status.success(), own.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(format!("{name}: a shader wrote {own:?}")),
        (false, _) => Err(format!("{name}: {} at {}", output.status, shaders[at.min(shaders.len() - 1)].1)),
    }
}

/// A shader of the stage that uses `expression`.
fn using(stage: Stage, version: &str, expression: &str) -> String {
    let number: u32 = version.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(110);
    let es = version.ends_with("es") || number == 100;
    let mut head = format!("#version {version}\n");
    head.push_str(match stage {
        Stage::TessControl => "layout(vertices = 3) out;\n",
        Stage::TessEval => "layout(triangles) in;\n",
        Stage::Geometry => "layout(triangles) in; layout(points, max_vertices = 1) out;\n",
        Stage::Compute => "layout(local_size_x = 1) in;\n",
        _ => "",
    });
    let samplers: &[(u32, &str)] = if es {
        &[
            (100, "precision highp float; precision highp int;"),
            (300, "uniform highp sampler3D s3; uniform highp sampler2DShadow h2;"),
        ]
    } else {
        &[
            (
                110,
                "uniform sampler1D s1; uniform sampler3D s3; uniform sampler1DShadow h1; uniform sampler2DShadow h2;",
            ),
            (130, "uniform sampler1DArray sa1; uniform sampler2DArray sa2; uniform samplerCubeShadow hc;"),
            (130, "uniform sampler1DArrayShadow ha1; uniform sampler2DArrayShadow ha2;"),
            (140, "uniform sampler2DRect sr; uniform sampler2DRectShadow hr; uniform samplerBuffer sb;"),
            (150, "uniform sampler2DMS sms;"),
            (420, "layout(rgba8) readonly uniform image2D im; layout(binding = 0) uniform atomic_uint ac;"),
        ]
    };
    let has = samplers.iter().filter(|(since, _)| number >= *since);
    head.extend(has.map(|(_, text)| *text));
    head.push_str("\nuniform sampler2D s2; uniform samplerCube sc; uniform float u; uniform int i;\n");
    head + &format!("void main() {{ int k; float q; vec4 t4; q = float({expression}); }}\n")
}

fn sweep(version: &str) {
    for stage in Stage::ALL {
        let shaders: Vec<_> = WITHDRAWN.lines().map(|line| (stage, using(stage, version, line))).collect();
        let name = format!("{}-{}", version.replace(' ', "-"), stage.name().replace(' ', "-"));
        survive(&name, &shaders).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// Published shaders mix what versions have and had; each would end the program instead of filling the info log.
#[test]
fn withdrawn_names_in_3_30() {
    sweep("330 core");
}

/// The same in the last version.
#[test]
fn withdrawn_names_in_4_60() {
    sweep("460 core");
}

/// The same in the versions before profiles.
#[test]
fn withdrawn_names_in_1_20() {
    sweep("120");
}

/// The same in GLSL ES.
#[test]
fn withdrawn_names_in_es() {
    sweep("100");
    sweep("320 es");
}

/// A shader without a usable `#version` once wrote 300 KB on the program's output.
#[test]
fn versions_and_stages() {
    let lines = "|110|120|130|140|150|330|400|410|420|430|440|450|460|100|300 es|310 es|320 es|150 compatibility|\
        460 compatibility|110 core|100 es|300|216|999|0330|330 fast|430 es|x|-1|33000000000";
    let shaders = lines.split('|').flat_map(|version| {
        let line = if version.is_empty() { String::new() } else { format!("#version {version}\n") };
        Stage::ALL.map(|stage| (stage, format!("{line}void main() {{ }}\n")))
    });
    survive("versions", &shaders.collect::<Vec<_>>()).unwrap_or_else(|why| panic!("{why}"));
}

const HEAD: &str = "#version 430 core\nout vec4 c;uniform float u;uniform vec4 v;\n";

/// Shaders that nest or multiply `n` times.
fn extremes(n: usize) -> Vec<String> {
    let numbered = |one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<String>();
    let structs = numbered(&|k| format!("struct S{}{{S{k} m;}};", k + 1));
    let functions = numbered(&|k| format!("float f{}(float x){{return f{k}(x)+1.;}}", k + 1));
    vec![
        format!("{HEAD}void main(){{c=(vec4(0){});}}", ",vec4(1)".repeat(n)),
        format!("{HEAD}void main(){{c=vec4({}u);}}", "u+".repeat(n)),
        format!("{HEAD}#if {}1{}\n#endif\nvoid main(){{c=vec4(1);}}", "(".repeat(n), ")".repeat(n)),
        format!("{HEAD}#if {}1\n#endif\nvoid main(){{c=vec4(1);}}", "!".repeat(n)),
        format!("{HEAD}void main(){{c=v{};}}", ".xyzw".repeat(n)),
        format!("{HEAD}struct S0{{float m;}};{structs}uniform S{n} s;void main(){{c=vec4(1);}}"),
        format!("{HEAD}float f0(float x){{return x;}}{functions}void main(){{c=vec4(f{n}(1.));}}"),
        format!("{HEAD}void main(){{{}{}}}", "if(u>0.){".repeat(n), "}".repeat(n)),
        format!("{HEAD}void main(){{c=vec4({}u{});}}", "sin(".repeat(n), ")".repeat(n)),
        format!("{HEAD}float a{};void main(){{c=vec4(1);}}", "[1]".repeat(n)),
        format!("{HEAD}#define F(x) (x)\nvoid main(){{c=vec4({}u{});}}", "F(".repeat(n), ")".repeat(n)),
    ]
}

/// A generator without bounds, or someone who wants it, must not end the program.
#[test]
fn nothing_is_too_deep() {
    for (n, shapes) in [(100_000, 11), (1_000_000, 7)] {
        for source in extremes(n).into_iter().take(shapes) {
            let compiled = compile(FS, &source, &CompileOptions::default());
            let start = &source[HEAD.len()..HEAD.len() + 60];
            assert!(!compiled.ok, "{n} times: {start}");
            let names = compiled.log.contains("limit is") || compiled.log.contains("than");
            assert!(compiled.log.starts_with("ERROR: 0:") && names, "{start}: {}", compiled.log);
        }
    }
}

/// What is just within the limits compiles on a worker, whose stack is bounded too.
#[test]
fn what_passes_fits_the_stack() {
    let jobs = Jobs::new(1);
    let (deep, calls) = (2000, 250);
    let nested = [0, 1, 4, 8].map(|at| extremes(deep).swap_remove(at));
    let rest = [extremes(60).swap_remove(5), extremes(calls).swap_remove(6), extremes(100).swap_remove(10)];
    let branches = extremes(900).swap_remove(7);
    for source in nested.into_iter().chain(rest).chain([branches]) {
        let done = jobs.submit(move || {
            let compiled = compile(FS, &source, &CompileOptions::default());
            assert!(compiled.ok, "{}", compiled.log);
            let vertex = compile(VS, PLAIN_VS, &CompileOptions::default());
            link(&[vertex.unit, compiled.unit], &LinkRequest::default()).map(|_| ())
        });
        assert_eq!(done.wait(), Some(Ok(())));
    }
}

/// What came in as failing shaders: each compiles, or says why not.
#[test]
fn shaders_that_once_failed() {
    let lookup = "#version 330 core\nuniform sampler2D s; out vec4 c;\nvoid main() { c = texture2D(s, vec2(0)); }";
    let shadow = "#version 150\nuniform sampler2DShadow texture; out vec4 c;\nvoid main() { c = shadow2DProj(texture, vec4(1)); }";
    let question = "#version 330 core\n#define IS_ES defined(GL_ES)\n#if IS_ES\n#error es\n#endif\nout vec4 c;\nvoid main() { c = vec4(1); }";
    let varying = "#version 420 core\nuniform sampler2DArray s[2]; in vec2 uv; out vec4 c;\n\
        void main() { c = vec4(textureSize(s[gl_PrimitiveID], int(uv.x)), 1); }";
    let noise = "#version 330\nin vec2 v; out vec4 c;\nvoid main() { c = vec4(noise3(v), noise1(v.x)); }";
    let vs = "#version 420\nin vec4 p; out vec2 uv; out vec2 v;\nvoid main() { gl_Position = p; uv = v = p.xy; }";
    for source in [lookup, shadow, question, varying, noise] {
        linked(&[(VS, vs), (FS, source)]);
    }
    let program = linked(&[(VS, PLAIN_VS), (FS, shadow)]);
    assert_eq!(program.archive.uniforms[0].name, "texture", "a renamed variable keeps its name for the program");
    let compute = compile(Stage::Compute, "void main() { }", &CompileOptions::default());
    assert!(!compute.ok && compute.log.contains("#version"), "{}", compute.log);
    linked(&[(VS, PLAIN_VS), (FS, PLAIN_FS)]);
}
