//! glslang behind [`FrontEnd`], through the C shim in `shim/`.
//! Must not interpret SPIR-V. All unsafe code of this crate is here.

// The shim's symbols live in this crate's build output, glslang's in that of `glslang-sys`.
use glslang_sys as _;

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};

use super::admit::{Admitted, admit};
use super::bounds;
use super::constants::relax;
use super::implied::size_arrays;
use super::promote::promote;
use super::scan::{drop_idle_defaults, drop_stray_semicolons, tokens};
use super::source::{preamble, version_first};
use super::subroutine::{Rewritten, Subroutines, rewrite};
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
    /// What has a binding, as `KIND END NAME`: the binding point after its last; of counters the byte.
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

/// A stage as the program means it, without directives, macros and subroutines.
struct Plain {
    texts: Vec<String>,
    subroutines: Subroutines,
    locations: Vec<(String, u32)>,
}

/// Each shader is without mistakes by `check`; the stage as a whole may be too much.
fn plain(sources: &[&str], stage: Stage, options: &CompileOptions) -> Result<Plain, String> {
    let mut all: Vec<Admitted> = sources.iter().map(|s| admit(s, stage, options)).collect::<Result<_, _>>()?;
    if all.len() > 1 {
        bounds::check(&all.iter().map(|one| tokens(&one.text)).collect::<Vec<_>>())?;
    }
    let texts: Vec<&str> = all.iter().map(|one| one.text.as_str()).collect();
    let Rewritten { texts: changed, declared: subroutines } = rewrite(&texts, stage)?;
    let locations = all.iter_mut().flat_map(|one| std::mem::take(&mut one.locations)).collect();
    let changed = changed.into_iter().chain(std::iter::repeat(None));
    let texts = all.into_iter().zip(changed).map(|(one, text)| text.unwrap_or(one.text)).collect();
    Ok(Plain { texts, subroutines, locations })
}

/// One shader's text as glslang gets it, and directives to put before it.
fn prepared(source: &str, stage: Stage) -> (String, BTreeSet<String>) {
    let promoted = promote(source, stage);
    let lines = preamble(&promoted).into_iter().map(str::to_owned).collect();
    let first = version_first(&promoted).into_owned();
    (relax(&drop_idle_defaults(&drop_stray_semicolons(&first))).into_owned(), lines)
}

fn run(stage: Stage, sources: &[&str], options: &CompileOptions) -> Result<Output, String> {
    let Plain { texts, subroutines, locations } = plain(sources, stage, options)?;
    let (mut all, lines): (Vec<String>, Vec<BTreeSet<String>>) = texts.iter().map(|s| prepared(s, stage)).unzip();
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
                locations,
                invariant_all: texts.iter().any(|s| s.contains("invariant(all)")),
                per_vertex: texts.iter().any(|s| s.contains("gl_PerVertex")),
                spirv: false,
                unsized_group: facts.lines().any(|l| l == "unsized"),
                log: link_log.clone(),
            },
            link_log,
        }
    };
    // SAFETY: `raw` was filled by the shim and is not used afterwards.
    unsafe { mgl_glsl_free(&mut raw) };
    Ok(output)
}

/// The log for what is bound beyond the last binding point: arrays with all their elements (GLSL 4.60 §4.4.5, §4.4.6).
fn beyond(points: &[String], limits: &Limits) -> Option<String> {
    points.iter().find_map(|line| {
        let [kind, end, name] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let (limit, what) = match kind {
            "block" => (limits.buffer_bindings, "the binding is not below the number of binding points"),
            "image" => (limits.image_units, "the binding is not below the number of image units"),
            "sampler" => (limits.combined_texture_units, "the binding is not below the number of texture units"),
            _ => (limits.counters.saturating_mul(4), "the offset is beyond the size of a counter buffer"),
        };
        (end.parse::<u64>().ok()? > u64::from(limit)).then(|| format!("ERROR: 0:1: '{name}' : {what}, {limit}\n"))
    })
}

impl FrontEnd for Glslang {
    fn check(&self, stage: Stage, source: &str, options: &CompileOptions) -> Checked {
        let warnings = match admit(source, stage, options) {
            Ok(admitted) => admitted.log,
            Err(log) => return Checked { ok: false, log, alone: None },
        };
        let output = match run(stage, &[source], options) {
            Ok(output) => output,
            Err(log) => return Checked { ok: false, log, alone: None },
        };
        if let Some(log) = withdrawn(&output.names).filter(|_| !options.compatibility) {
            return Checked { ok: false, log, alone: None };
        }
        if !output.parsed && belongs_to_link(&output.parse_log) {
            return Checked { ok: true, log: String::new(), alone: Some(Err(output.parse_log)) };
        }
        let refusal = super::group::refuse(&output.code.words, &options.limits)
            .or_else(|| beyond(&output.points, &options.limits));
        if let Some(log) = refusal {
            return Checked { ok: false, log, alone: None };
        }
        let alone = (output.parsed && output.has_entry).then_some(if output.linked {
            Ok(output.code)
        } else {
            Err(output.link_log)
        });
        Checked { ok: output.parsed, log: warnings + &output.parse_log, alone }
    }

    fn link_stage(&self, stage: Stage, units: &[&Unit]) -> Result<StageCode, String> {
        let sources: Vec<&str> = units.iter().map(|u| &*u.source).collect();
        let Some(first) = units.first() else { return Err("ERROR: no shader\n".into()) };
        let output = run(stage, &sources, &first.options)?;
        if !output.parsed {
            return Err(output.parse_log);
        }
        if let Some(log) = beyond(&output.points, &first.options.limits) {
            return Err(log);
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
