//! glslang behind [`FrontEnd`], through the C shim in `shim/`.
//! Must not interpret SPIR-V. All unsafe code of this crate is here.

// The shim's symbols live in this crate's build output, glslang's in that of `glslang-sys`.
use glslang_sys as _;

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};

use super::constants::relax;
use super::gate::gate;
use super::implied::size_arrays;
use super::promote::promote;
use super::scan::{block_named_like_function, drop_idle_defaults, drop_stray_semicolons};
use super::source::{drop_extra_tokens, join_lines, preamble, version_first};
use super::subroutine::{Subroutines, ask, rewrite};
use super::version::{Profile, declared_version};
use super::words::KEPT;
use super::{Checked, FrontEnd, StageCode};
use crate::archive::Stage;
use crate::options::{CompileOptions, Limits};
use crate::unit::Unit;

/// The compiler of this build.
pub struct Glslang;

#[repr(C)]
struct CLimits {
    vertex_attribs: i32,
    draw_buffers: i32,
    dual_source: i32,
    varying_vectors: i32,
    uniform_vectors: i32,
    texture_units: i32,
    combined_texture_units: i32,
    image_units: i32,
    stage_images: [i32; 6],
    images: i32,
    storage_blocks: i32,
    atomic_buffers: i32,
    stage_counter_buffers: [i32; 6],
    counter_buffers: i32,
    counters: i32,
    clip_distances: i32,
    xfb_buffers: i32,
    xfb_components: i32,
    geometry_vertices: i32,
    patch_vertices: i32,
    viewports: i32,
    samples: i32,
    group_size: [i32; 3],
    group_count: [i32; 3],
    texel_offset: [i32; 2],
    image_samples: i32,
}

#[repr(C)]
struct CSource {
    text: *const c_char,
    length: i32,
}

#[repr(C)]
struct CCode {
    parsed: i32,
    has_entry: i32,
    linked: i32,
    version: i32,
    es: i32,
    parse_log: *mut c_char,
    link_log: *mut c_char,
    facts: *mut c_char,
    words: *mut u32,
    word_count: usize,
}

unsafe extern "C" {
    fn mgl_glsl_stage(
        stage: i32,
        sources: *const CSource,
        count: i32,
        limits: *const CLimits,
        preamble: *const c_char,
        out: *mut CCode,
    );
    fn mgl_glsl_free(code: *mut CCode);
    fn mgl_glsl_preprocess(
        stage: i32,
        source: *const CSource,
        limits: *const CLimits,
        preamble: *const c_char,
    ) -> *mut c_char;
    fn mgl_glsl_free_text(text: *mut c_char);
}

fn signed(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

impl From<&Limits> for CLimits {
    fn from(l: &Limits) -> Self {
        Self {
            vertex_attribs: signed(l.vertex_attribs),
            draw_buffers: signed(l.draw_buffers),
            dual_source: signed(l.dual_source_draw_buffers),
            varying_vectors: signed(l.varying_vectors),
            uniform_vectors: signed(l.stage_uniform_vectors),
            texture_units: signed(l.texture_units),
            combined_texture_units: signed(l.combined_texture_units),
            image_units: signed(l.image_units),
            stage_images: l.stage_images.map(signed),
            images: signed(l.images),
            storage_blocks: signed(l.storage_blocks),
            atomic_buffers: signed(l.atomic_buffers),
            stage_counter_buffers: l.stage_counter_buffers.map(signed),
            counter_buffers: signed(l.counter_buffers),
            counters: signed(l.counters),
            clip_distances: signed(l.clip_distances),
            xfb_buffers: signed(l.xfb_buffers),
            xfb_components: signed(l.xfb_interleaved_components),
            geometry_vertices: signed(l.geometry_output_vertices),
            patch_vertices: signed(l.patch_vertices),
            viewports: signed(l.viewports),
            samples: signed(l.samples),
            group_size: l.work_group_size.map(signed),
            group_count: l.work_group_count.map(signed),
            texel_offset: l.texel_offset,
            image_samples: signed(l.image_samples),
        }
    }
}

/// What one call of the shim says, in Rust values.
struct Output {
    parsed: bool,
    has_entry: bool,
    linked: bool,
    parse_log: String,
    link_log: String,
    code: StageCode,
    /// Built-ins in use, as `LINE NAME`; only for GLSL 1.40.
    names: Vec<String>,
    /// Blocks with a binding, as `END NAME`: the binding point after their last.
    points: Vec<String>,
}

/// Text of the shim. Logs repeat bytes of the source, which need not be UTF-8.
///
/// # Safety
/// `text` is null or a string that lives until the shim's result is freed.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, and NUL-terminated by the shim's `copy`.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().replace(KEPT, "")
}

/// The text with its directives carried out, when they have no mistakes.
fn preprocessed(source: &str, stage: Stage, options: &CompileOptions) -> Option<String> {
    let (text, lines) = prepared(source, stage, options);
    let defines: String = lines.iter().filter(|l| l.starts_with("#define")).flat_map(|l| [l, "\n"]).collect();
    let (before, limits) = (defines + "\0", CLimits::from(&options.limits));
    let source = CSource { text: text.as_ptr().cast(), length: text.len().try_into().ok()? };
    // SAFETY: both texts, the limits and the source live through the call; the source has its length, the preamble its NUL.
    let raw = unsafe { mgl_glsl_preprocess(signed(stage as u32), &source, &limits, before.as_ptr().cast()) };
    if raw.is_null() {
        return None;
    }
    // SAFETY: not null, NUL-terminated by the shim, and freed once, after its last use.
    let text = unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        mgl_glsl_free_text(raw);
        text
    };
    Some(text)
}

/// What subroutines are rewritten in: where directives choose among them, the text that they leave.
fn plain(source: &str, stage: Stage, options: &CompileOptions) -> String {
    let joined = join_lines(source);
    let first = version_first(&joined);
    let text = drop_extra_tokens(&first);
    if text.contains("subroutine") && ["#if", "#define"].iter().any(|directive| text.contains(directive)) {
        let asking = ask(&text);
        return preprocessed(&asking, stage, options).unwrap_or_else(|| text.into_owned());
    }
    text.into_owned()
}

/// The texts without subroutines. One that breaks their rules is refused by `check` and does not come here.
fn without_subroutines(sources: &[&str], stage: Stage, options: &CompileOptions) -> (Vec<String>, Subroutines) {
    let plain: Vec<String> = sources.iter().map(|s| plain(s, stage, options)).collect();
    let texts: Vec<&str> = plain.iter().map(String::as_str).collect();
    let rewritten = rewrite(&texts, stage).unwrap_or_default();
    let changed = rewritten.texts.into_iter().chain(std::iter::repeat(None));
    let texts = plain.iter().zip(changed).map(|(plain, text)| text.unwrap_or_else(|| plain.clone())).collect();
    (texts, rewritten.declared)
}

/// One shader's text as glslang gets it, and directives to put before it.
fn prepared(source: &str, stage: Stage, options: &CompileOptions) -> (String, BTreeSet<String>) {
    let gated = gate(source, options);
    let (promoted, defines) = promote(&gated.text, stage);
    let mut lines: BTreeSet<String> = defines.lines().map(str::to_owned).collect();
    lines.extend(preamble(&promoted).into_iter().map(str::to_owned));
    lines.extend(gated.macros);
    (relax(&drop_idle_defaults(&drop_stray_semicolons(&promoted))).into_owned(), lines)
}

fn run(stage: Stage, sources: &[&str], options: &CompileOptions) -> Output {
    let (texts, subroutines) = without_subroutines(sources, stage, options);
    let (mut all, lines): (Vec<String>, Vec<BTreeSet<String>>) =
        texts.iter().map(|s| prepared(s, stage, options)).unzip();
    size_arrays(&mut all);
    // One preamble serves all shaders of a stage.
    let lines: BTreeSet<&String> = lines.iter().flatten().collect();
    let before: String = lines.into_iter().flat_map(|l| [l, "\n"]).collect::<String>() + "\0";
    let list: Vec<CSource> =
        all.iter().map(|s| CSource { text: s.as_ptr().cast(), length: s.len().try_into().unwrap_or(0) }).collect();
    let mut raw = CCode {
        parsed: 0,
        has_entry: 0,
        linked: 0,
        version: 0,
        es: 0,
        parse_log: std::ptr::null_mut(),
        link_log: std::ptr::null_mut(),
        facts: std::ptr::null_mut(),
        words: std::ptr::null_mut(),
        word_count: 0,
    };
    let limits = CLimits::from(&options.limits);
    let count = signed(u32::try_from(list.len()).unwrap_or(0));
    // SAFETY: every pointer is to live data of the declared layout; the sources have explicit lengths and the preamble
    // is NUL-terminated. The shim keeps nothing past the call.
    unsafe { mgl_glsl_stage(signed(stage as u32), list.as_ptr(), count, &limits, before.as_ptr().cast(), &mut raw) };
    // SAFETY: the shim filled `raw`; strings are its own, `words` holds `word_count` words or is null.
    let output = unsafe {
        let words = if raw.words.is_null() {
            Vec::new()
        } else {
            std::slice::from_raw_parts(raw.words, raw.word_count).to_vec()
        };
        let facts = text(raw.facts);
        let names = facts.lines().filter_map(|l| l.strip_prefix("name ")).map(str::to_owned).collect();
        let bools = facts.lines().filter_map(|l| l.strip_prefix("bool ")).map(str::to_owned).collect();
        let link_log = text(raw.link_log);
        Output {
            names,
            points: facts.lines().filter_map(|l| l.strip_prefix("points ")).map(str::to_owned).collect(),
            parsed: raw.parsed != 0,
            has_entry: raw.has_entry != 0,
            linked: raw.linked != 0,
            parse_log: text(raw.parse_log),
            code: StageCode {
                words,
                version: raw.version.try_into().unwrap_or(110),
                es: raw.es != 0,
                bool_members: bools,
                bound: facts.lines().filter_map(|l| l.strip_prefix("bound ")).map(str::to_owned).collect(),
                order: facts.lines().filter_map(|l| l.strip_prefix("order ")).map(str::to_owned).collect(),
                subroutines,
                invariant_all: sources.iter().any(|s| s.contains("invariant(all)")),
                per_vertex: sources.iter().any(|s| s.contains("gl_PerVertex")),
                spirv: false,
                unsized_group: facts.lines().any(|l| l == "unsized"),
                log: link_log.clone(),
            },
            link_log,
        }
    };
    // SAFETY: `raw` was filled by the shim and is not used afterwards.
    unsafe { mgl_glsl_free(&mut raw) };
    output
}

/// The log for a block that is bound beyond the last binding point, arrays of blocks with all their elements (GLSL 4.60
/// §4.4.5).
fn beyond(points: &[String], limit: u32) -> Option<String> {
    let mut ends = points.iter().filter_map(|line| line.split_once(' '));
    let (_, name) = ends.find(|(end, _)| end.parse().is_ok_and(|end: u32| end > limit))?;
    Some(format!("ERROR: 0:1: '{name}' : the binding is not below the number of binding points, {limit}\n"))
}

/// Refuses a `#version` that the context does not offer; glslang would take any.
fn refuse_version(source: &str, options: &CompileOptions) -> Option<String> {
    let (version, profile) = declared_version(source)?;
    let es = profile == Profile::Es || version == 100;
    let text = format!("{}.{:02}", version / 100, version % 100);
    if es {
        return (!options.es).then(|| format!("ERROR: 0:1: GLSL ES {text} is not supported by this context\n"));
    }
    if version > options.max_version {
        let max = format!("{}.{:02}", options.max_version / 100, options.max_version % 100);
        return Some(format!(
            "ERROR: 0:1: GLSL {text} is not supported by this context; the largest version is {max}\n"
        ));
    }
    let compatibility = profile == Profile::Compatibility && !options.compatibility;
    compatibility.then(|| "ERROR: 0:1: this context has no compatibility profile\n".to_owned())
}

impl FrontEnd for Glslang {
    fn check(&self, stage: Stage, source: &str, options: &CompileOptions) -> Checked {
        let refusal = refuse_version(source, options)
            .or_else(|| block_named_like_function(source))
            .or_else(|| rewrite(&[&plain(source, stage, options)], stage).err());
        if let Some(log) = refusal {
            return Checked { ok: false, log, alone: None };
        }
        let output = run(stage, &[source], options);
        if let Some(log) = withdrawn(&output.names).filter(|_| !options.compatibility) {
            return Checked { ok: false, log, alone: None };
        }
        if !output.parsed && belongs_to_link(&output.parse_log) {
            return Checked { ok: true, log: String::new(), alone: Some(Err(output.parse_log)) };
        }
        let refusal = super::group::refuse(&output.code.words, &options.limits)
            .or_else(|| beyond(&output.points, options.limits.buffer_bindings));
        if let Some(log) = refusal {
            return Checked { ok: false, log, alone: None };
        }
        let alone = (output.parsed && output.has_entry).then_some(if output.linked {
            Ok(output.code)
        } else {
            Err(output.link_log)
        });
        Checked { ok: output.parsed, log: output.parse_log, alone }
    }

    fn link_stage(&self, stage: Stage, units: &[&Unit]) -> Result<StageCode, String> {
        let sources: Vec<&str> = units.iter().map(|u| &*u.source).collect();
        let Some(first) = units.first() else { return Err("ERROR: no shader\n".into()) };
        let output = run(stage, &sources, &first.options);
        if !output.parsed {
            return Err(output.parse_log);
        }
        if output.linked {
            return Ok(output.code);
        }
        if output.has_entry { Err(output.link_log) } else { Err(no_main(stage)) }
    }
}

/// True when every error of the log is one that GL reports when the program links (GLSL 4.60 §4.4.1, §4.4.2): glslang finds
/// variables that overlap at a location while it parses.
fn belongs_to_link(log: &str) -> bool {
    let late = ["overlapping use of location", "the aliases sharing the location", "compilation errors.  No code"];
    let mut errors = log.lines().filter(|l| l.starts_with("ERROR")).peekable();
    errors.peek().is_some() && errors.all(|l| late.iter().any(|text| l.contains(text)))
}

/// Core built-ins of GLSL 1.40; everything else that starts with `gl_` needs GL_ARB_compatibility.
const CORE_140: [&str; 13] = [
    "gl_Position",
    "gl_PointSize",
    "gl_ClipDistance",
    "gl_VertexID",
    "gl_InstanceID",
    "gl_FragCoord",
    "gl_FrontFacing",
    "gl_PointCoord",
    "gl_FragColor",
    "gl_FragData",
    "gl_FragDepth",
    "gl_DepthRange",
    "gl_PerVertex",
];

/// An error for the first built-in that GLSL 1.40 withdrew.
fn withdrawn(names: &[String]) -> Option<String> {
    let split = names.iter().filter_map(|n| n.split_once(' '));
    let (line, name) = split
        .into_iter()
        .find(|(_, name)| !CORE_140.contains(name) && !name.starts_with("gl_Max") && !name.starts_with("gl_Min"))?;
    Some(format!("ERROR: 0:{line}: '{name}' : undeclared identifier (it needs the compatibility profile)\n"))
}

fn no_main(stage: Stage) -> String {
    format!("ERROR: the {} stage has no function main\n", stage.name())
}
