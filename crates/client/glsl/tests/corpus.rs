//! Piglit's GLSL corpus through the front end: every parser file's expected verdict, every `.shader_test`'s link result, and
//! `spirv-val` over every module. Needs Debian's `piglit` and `spirv-tools`; says so and passes when they are absent.
//! Must not grow its list of known mismatches: `tests/corpus-known.txt` may only shrink.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mgl_glsl::{CompileOptions, Jobs, LinkRequest, Linked, Stage, compile, link};

const ROOT: &str = "/usr/lib/x86_64-linux-gnu/piglit/tests/spec";
/// Parser files of GLSL 1.40 to 3.30.
const PARSER: [&str; 5] = [
    "glsl-1.40/compiler",
    "glsl-1.50/compiler",
    "glsl-3.30/compiler",
    "arb_explicit_attrib_location",
    "arb_shader_bit_encoding/compiler",
];
/// Programs of the same versions.
const PROGRAMS: [&str; 8] = [
    "glsl-1.30",
    "glsl-1.40",
    "glsl-1.50",
    "glsl-3.30",
    "arb_uniform_buffer_object",
    "arb_explicit_attrib_location",
    "arb_texture_rectangle",
    "arb_draw_instanced",
];

/// Directories of what came after GLSL 3.30, of both kinds: versions, then extensions.
const LATER: [&str; 42] = [
    "glsl-4.10",
    "glsl-4.20",
    "glsl-4.30",
    "glsl-4.40",
    "glsl-4.50",
    "glsl-4.60",
    "glsl-es-1.00",
    "glsl-es-3.00",
    "glsl-es-3.10",
    "amd_vertex_shader_layer",
    "amd_vertex_shader_viewport_index",
    "arb_arrays_of_arrays",
    "arb_compute_shader",
    "arb_cull_distance",
    "arb_derivative_control",
    "arb_enhanced_layouts",
    "arb_explicit_uniform_location",
    "arb_fragment_layer_viewport",
    "arb_gpu_shader5",
    "arb_gpu_shader_fp64",
    "arb_gpu_shader_int64",
    "arb_sample_shading",
    "arb_separate_shader_objects",
    "arb_shader_atomic_counter_ops",
    "arb_shader_atomic_counters",
    "arb_shader_ballot",
    "arb_shader_clock",
    "arb_shader_group_vote",
    "arb_shader_image_load_store",
    "arb_shader_precision",
    "arb_shader_stencil_export",
    "arb_shader_storage_buffer_object",
    "arb_shader_texture_image_samples",
    "arb_shading_language_420pack",
    "arb_tessellation_shader",
    "arb_texture_cube_map_array",
    "arb_texture_gather",
    "arb_texture_query_levels",
    "arb_texture_query_lod",
    "arb_vertex_attrib_64bit",
    "ext_shader_image_load_formatted",
    "ext_shader_integer_mix",
];

/// Mismatches that are known: `KIND path` a line.
const KNOWN: &str = include_str!("corpus-known.txt");

fn stage_of_extension(path: &Path) -> Option<Stage> {
    let extension = path.extension()?.to_str()?;
    let at = ["vert", "tesc", "tese", "geom", "frag", "comp"].iter().position(|e| *e == extension)?;
    Some(Stage::ALL[at])
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

fn options(version: u32) -> CompileOptions {
    CompileOptions { compatibility: version < 140, ..CompileOptions::default() }
}

/// What `spirv-val` says about the modules of a program; `None` when it is content.
fn validate(linked: &Linked) -> Option<String> {
    linked.spirv.iter().flatten().find_map(|words| {
        let mut child = Command::new("spirv-val")
            .args(["--target-env", "vulkan1.1", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("spirv-val starts");
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        child.stdin.take().expect("piped").write_all(&bytes).expect("spirv-val reads");
        let output = child.wait_with_output().expect("spirv-val ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        // Attributes of three or four doubles take one location here and two in Vulkan; the server places them.
        let known = text.contains("conflicting input location");
        (!output.status.success() && !known).then(|| text.lines().next().unwrap_or("").to_owned())
    })
}

/// A `key: value` of a parser file's config comment.
fn config<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let head = text.split("[end config]").next()?;
    let at = head.find(&format!("{key}:"))?;
    head[at + key.len() + 1..].lines().next().map(str::trim)
}

fn version_number(text: &str) -> u32 {
    let number = |c: char| !c.is_ascii_digit() && c != '.';
    let word = text.split(number).find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("1.10");
    let (major, minor) = word.split_once('.').unwrap_or((word, "0"));
    // `3.3`, `3.30` and `330` are all written.
    let minor: u32 = format!("{minor}0")[..2].parse().unwrap_or(0);
    major.parse().map_or(110, |major: u32| if major >= 100 { major } else { major * 100 + minor })
}

/// The mismatch of one parser file, if it has one.
fn parser_file(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let stage = stage_of_extension(path)?;
    let expect = config(&text, "expect_result")? == "pass";
    let wanted = config(&text, "glsl_version").unwrap_or("1.10");
    if wanted.contains("compat") || text.contains("GL_ARB_compatibility") {
        return None;
    }
    let version = version_number(wanted);
    let compiled = compile(stage, &text, &options(version));
    let mut ok = compiled.ok;
    if ok && config(&text, "check_link") == Some("true") {
        let request = LinkRequest { separable: true, ..LinkRequest::default() };
        match link(&[compiled.unit], &request) {
            Ok(linked) => {
                if let Some(text) = validate(&linked) {
                    return Some(format!("invalid ({text})"));
                }
            }
            Err(_) => ok = false,
        }
    }
    (ok != expect).then(|| if expect { format!("refused ({})", first(&compiled.log)) } else { "accepted".into() })
}

fn first(log: &str) -> String {
    log.lines().find(|l| !l.is_empty()).unwrap_or("").to_owned()
}

/// Sections `[name]` of a `.shader_test`.
fn sections(text: &str) -> Vec<(String, String)> {
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

fn shader_test(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let all = sections(&text);
    let section = |name: &str| all.iter().find(|(n, _)| n == name).map_or("", |(_, t)| t);
    let require = section("require");
    let version_line = require.lines().find(|l| l.starts_with("GLSL"));
    let asks = text.lines().any(|l| l.starts_with("#version") && l.ends_with("compatibility"));
    if asks
        || version_line.is_some_and(|l| l.to_lowercase().contains("compat"))
        || text.contains("GL_ARB_compatibility")
    {
        return None;
    }
    let version = version_line.map_or(110, version_number);
    let expect = !section("test").lines().any(|l| l.trim() == "link error");
    let mut units = Vec::new();
    for (name, body) in &all {
        let (stage_name, passthrough) = match name.strip_suffix(" passthrough") {
            Some(stage) => (stage, true),
            None => (name.as_str(), false),
        };
        let Some(stage) = Stage::ALL.into_iter().find(|s| format!("{} shader", s.name()) == stage_name) else {
            continue;
        };
        let mut source = if passthrough { PASSTHROUGH.to_owned() } else { body.clone() };
        if !source.contains("#version") {
            let es = if version_line.is_some_and(|l| l.contains("ES")) && version >= 300 { " es" } else { "" };
            source = format!("#version {version}{es}\n{source}");
        }
        let compiled = compile(stage, &source, &options(version));
        if !compiled.ok {
            return expect.then(|| format!("refused ({})", first(&compiled.log)));
        }
        units.push(compiled.unit);
    }
    if units.is_empty() {
        return None;
    }
    // With separate shader objects every shader is a program, and the pipeline decides what fits.
    let sso = require.contains("SSO");
    let request = LinkRequest { separable: sso, composite: sso, ..LinkRequest::default() };
    match link(&units, &request) {
        Err(failure) => expect.then(|| format!("unlinked ({})", first(&failure.log))),
        Ok(_) if !expect => Some("linked".into()),
        Ok(linked) => {
            if let Err(error) = linked.archive.encode() {
                return Some(format!("archive ({error})"));
            }
            validate(&linked).map(|text| format!("invalid ({text})"))
        }
    }
}

fn relative(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap_or(path).display().to_string()
}

fn have(tool: &str) -> bool {
    Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Judges the files named in `$MOBILEGL_CORPUS_FILES`, one a line, and prints what disagrees: for looking beyond the list.
#[test]
fn chosen_files() {
    let Some(list) = std::env::var_os("MOBILEGL_CORPUS_FILES") else { return };
    let list = std::fs::read_to_string(list).expect("the list can be read");
    for line in list.lines() {
        let path = Path::new(line);
        eprint!("{line}:");
        let program = path.extension().is_some_and(|e| e == "shader_test");
        let verdict = if program { shader_test(path) } else { parser_file(path) };
        eprintln!(" {}", verdict.as_deref().unwrap_or("agrees"));
    }
}

/// A shader that other drivers take and this one refuses is a program that does not start.
#[test]
fn piglit_agrees() {
    if !Path::new(ROOT).is_dir() || !have("spirv-val") {
        eprintln!("skipped: needs Debian's piglit and spirv-tools packages");
        return;
    }
    // glslang itself ends the process on these; they are listed so that the rest can run.
    let crashes: BTreeSet<&str> = KNOWN.lines().filter_map(|l| l.strip_prefix("crash ")).collect();
    let jobs = Jobs::new(std::thread::available_parallelism().map_or(2, usize::from));
    let mut pending = Vec::new();
    let mut add = |dirs: &[&str], keep: fn(&Path) -> bool, judge: fn(&Path) -> Option<String>| {
        for dir in dirs {
            let mut found = Vec::new();
            files(&Path::new(ROOT).join(dir), &mut found);
            for path in found.into_iter().filter(|p| keep(p)) {
                let name = relative(&path);
                if crashes.contains(name.as_str()) {
                    continue;
                }
                pending.push((
                    name,
                    jobs.submit(move || {
                        if std::env::var_os("MOBILEGL_CORPUS_VERBOSE").is_some() {
                            eprintln!("{}", path.display());
                        }
                        judge(&path)
                    }),
                ));
            }
        }
    };
    add(&PARSER, |p| stage_of_extension(p).is_some(), parser_file);
    let is_program = |p: &Path| p.extension().is_some_and(|e| e == "shader_test");
    add(&PROGRAMS, is_program, shader_test);
    add(&LATER, |p| stage_of_extension(p).is_some(), parser_file);
    add(&LATER, is_program, shader_test);
    let total = pending.len();
    let mut found = BTreeSet::new();
    let mut details = String::new();
    for (name, result) in pending {
        let verdict = result.wait().unwrap_or_else(|| Some("panic".into()));
        let Some(verdict) = verdict else { continue };
        let kind = verdict.split(' ').next().unwrap_or("").to_owned();
        details.push_str(&format!("{name}: {verdict}\n"));
        found.insert(format!("{kind} {name}"));
    }
    let known: BTreeSet<String> = KNOWN.lines().filter(|l| !l.starts_with("crash ")).map(str::to_owned).collect();
    if let Some(path) = std::env::var_os("MOBILEGL_CORPUS_REPORT") {
        std::fs::write(&path, &details).expect("the report can be written");
        let list: Vec<&str> = found.iter().map(String::as_str).collect();
        std::fs::write(PathBuf::from(path).with_extension("known"), list.join("\n") + "\n").expect("list");
    }
    let new: Vec<&String> = found.difference(&known).collect();
    let gone: Vec<&String> = known.difference(&found).filter(|l| !l.is_empty()).collect();
    eprintln!("{total} files, {} mismatches", found.len());
    assert!(new.is_empty(), "new mismatches:\n{new:#?}\n{details}");
    assert!(gone.is_empty(), "these agree now; remove them from corpus-known.txt:\n{gone:#?}");
}
