//! Extensions that glslang knows only as part of a later language version: the shader is compiled as that version.
//! Must keep line numbers.

use std::borrow::Cow;

use super::scan::tokens;
use super::version::{Profile, declared_version};
use super::words::{keep, replace};
use crate::archive::Stage;

/// What becomes of the `#extension` line.
#[derive(Clone, Copy)]
enum Line {
    /// It stays.
    Keep,
    /// glslang does not know the name: the line becomes empty.
    Drop,
    /// It names another extension.
    As(&'static str),
}

/// Extension, the version that has it, and its line.
const TABLE: &[(&str, u32, Line)] = &[
    ("GL_ARB_gpu_shader_fp64", 400, Line::Drop),
    ("GL_ARB_vertex_attrib_64bit", 410, Line::Drop),
    ("GL_ARB_texture_query_lod", 400, Line::Drop),
    ("GL_EXT_shader_integer_mix", 450, Line::Drop),
    ("GL_ARB_shader_atomic_counters", 420, Line::Drop),
    ("GL_ARB_shader_atomic_counter_ops", 460, Line::Drop),
    ("GL_ARB_shader_image_load_store", 420, Line::Drop),
    ("GL_ARB_shader_precision", 400, Line::Drop),
    ("GL_ARB_shader_texture_image_samples", 450, Line::Drop),
    ("GL_ARB_explicit_uniform_location", 430, Line::Drop),
    ("GL_ARB_shader_image_size", 430, Line::Keep),
    ("GL_ARB_shader_storage_buffer_object", 430, Line::Drop),
    ("GL_ARB_arrays_of_arrays", 430, Line::Drop),
    ("GL_ARB_texture_query_levels", 430, Line::Drop),
    ("GL_ARB_fragment_layer_viewport", 430, Line::Drop),
    ("GL_ARB_texture_multisample", 150, Line::Drop),
    ("GL_ARB_shader_draw_parameters", 440, Line::Keep),
    ("GL_ARB_shader_viewport_layer_array", 450, Line::Keep),
    ("GL_ARB_cull_distance", 450, Line::Drop),
    ("GL_ARB_ES3_2_compatibility", 450, Line::Drop),
    ("GL_ARB_compute_shader", 430, Line::Drop),
    ("GL_ARB_derivative_control", 450, Line::Keep),
    ("GL_ARB_shader_group_vote", 450, Line::Keep),
    ("GL_ARB_shader_ballot", 450, Line::Keep),
    ("GL_ARB_shader_clock", 450, Line::Keep),
    ("GL_ARB_shading_language_420pack", 420, Line::Drop),
    ("GL_ARB_enhanced_layouts", 440, Line::Drop),
    ("GL_ARB_shader_bit_encoding", 330, Line::Drop),
    ("GL_ARB_gpu_shader_int64", 450, Line::Keep),
    ("GL_MESA_shader_integer_functions", 400, Line::Drop),
    ("GL_AMD_gpu_shader_int64", 450, Line::As("GL_ARB_gpu_shader_int64")),
    ("GL_AMD_shader_stencil_export", 140, Line::As("GL_ARB_shader_stencil_export")),
    ("GL_ARB_shader_stencil_export", 140, Line::Keep),
    ("GL_AMD_shader_trinary_minmax", 430, Line::Keep),
    ("GL_AMD_texture_texture4", 400, Line::Drop),
    ("GL_ARB_ES3_1_compatibility", 450, Line::Drop),
    ("GL_ARB_draw_buffers", 110, Line::Drop),
    ("GL_EXT_draw_instanced", 140, Line::Drop),
    ("GL_EXT_texture_shadow_lod", 150, Line::Keep),
    ("GL_NV_shader_atomic_float", 450, Line::As("GL_EXT_shader_atomic_float")),
    ("GL_ARB_draw_instanced", 140, Line::Drop),
    ("GL_AMD_vertex_shader_layer", 450, Line::As("GL_ARB_shader_viewport_layer_array")),
    ("GL_AMD_vertex_shader_viewport_index", 450, Line::As("GL_ARB_shader_viewport_layer_array")),
    ("GL_ARB_conservative_depth", 420, Line::Drop),
    ("GL_AMD_conservative_depth", 420, Line::Drop),
];

/// Name and behaviour of an `#extension` line.
pub(super) fn extension(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("extension")?;
    let (name, behaviour) = rest.split_once(':')?;
    Some((name.trim(), behaviour.trim()))
}

/// Names that the text spells otherwise than glslang's version of them.
const SPELLINGS: [(&str, &str); 11] = [
    // GL_ARB_shader_atomic_counter_ops became core in GLSL 4.60 under shorter names.
    ("atomicCounterAddARB", "atomicCounterAdd"),
    ("atomicCounterSubtractARB", "atomicCounterSubtract"),
    ("atomicCounterMinARB", "atomicCounterMin"),
    ("atomicCounterMaxARB", "atomicCounterMax"),
    ("atomicCounterAndARB", "atomicCounterAnd"),
    ("atomicCounterOrARB", "atomicCounterOr"),
    ("atomicCounterXorARB", "atomicCounterXor"),
    ("atomicCounterExchangeARB", "atomicCounterExchange"),
    ("atomicCounterCompSwapARB", "atomicCounterCompSwap"),
    ("gl_InstanceIDARB", "gl_InstanceID"),
    ("textureQueryLOD", "textureQueryLod"),
];

/// The text in glslang's spelling.
fn spell(text: Cow<'_, str>) -> Cow<'_, str> {
    SPELLINGS.iter().fold(
        text,
        |text, (from, to)| {
            if text.contains(from) { Cow::Owned(text.replace(from, to)) } else { text }
        },
    )
}

fn entry(line: &str) -> Option<(&'static str, u32, Line)> {
    let (name, behaviour) = extension(line)?;
    TABLE.iter().copied().find(|(known, _, _)| *known == name && !behaviour.starts_with("disable"))
}

/// glslang knows layouts from 1.30 on, and `index`, the source of blending, in profiles only; those begin with 1.50.
fn locations(source: &str) -> Option<u32> {
    let mut names = source.lines().filter_map(extension).map(|(name, _)| name);
    let layouts =
        source.split("layout").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('(')?.split(')').next());
    let mut fields = layouts.flat_map(|list| list.split(',')).filter_map(|field| field.split('=').next());
    let asks = names.any(|n| matches!(n, "GL_ARB_explicit_attrib_location" | "GL_ARB_separate_shader_objects"));
    asks.then(|| if fields.any(|n| n.trim() == "index") { 150 } else { 130 })
}

/// glslang has tessellation stages from 1.50 on; drivers that have them take every version.
fn stage_version(stage: Stage) -> Option<u32> {
    matches!(stage, Stage::TessControl | Stage::TessEval).then_some(150)
}

/// The text to compile.
pub fn promote(source: &str, stage: Stage) -> Cow<'_, str> {
    let (version, declared) = declared_version(source).unwrap_or((110, Profile::None));
    let needed = source.lines().filter_map(entry).map(|(_, needed, _)| needed);
    let of_stage = stage_version(stage).filter(|needed| version < *needed);
    let needed = needed.chain(locations(source).filter(|needed| version < *needed)).chain(of_stage).max();
    let Some(needed) = needed.filter(|_| declared != Profile::Es && version != 100) else {
        return spell(Cow::Borrowed(source));
    };
    let target = needed.max(version);
    // Profiles begin with 1.50; what earlier versions offer is in its compatibility profile.
    let target = if target == 140 && version < 140 { 150 } else { target };
    let profile = if target >= 150 { " compatibility" } else { "" };
    let mut out = String::with_capacity(source.len() + 64);
    let mut versioned = false;
    for line in source.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        if !versioned && is_version(line) {
            versioned = true;
            // The compatibility profile keeps what later core versions withdrew from the earlier one.
            let before = &line[..line.find('#').unwrap_or(0)];
            out.push_str(&format!("{before}#version {target}{profile}{end}"));
            continue;
        }
        match entry(line) {
            Some((_, _, Line::Drop)) => out.push_str(end),
            Some((_, _, Line::As(other))) => out.push_str(&format!("#extension {other} : enable{end}")),
            _ => out.push_str(line),
        }
    }
    if !versioned {
        // The line number that follows #version stays that of the program.
        out = format!("#version {target}{profile}\n#line 1\n{out}");
    }
    let out = if declared == Profile::Es { Cow::Owned(out) } else { bounding_box(out, stage) };
    let out = rename(spell(out), source);
    Cow::Owned(keep(&out, source, version, target))
}

/// What extensions call otherwise than the ones that took it over, for shaders that name them.
const RENAMED: [(&str, &str, &str); 2] = [
    ("GL_AMD_texture_texture4", "texture4", "textureGather"),
    ("GL_AMD_shader_stencil_export", "gl_FragStencilRefAMD", "gl_FragStencilRefARB"),
];

/// The text with those names, when the program's `source` has one of the extensions.
fn rename<'a>(text: Cow<'a, str>, source: &str) -> Cow<'a, str> {
    let named: Vec<&str> = source.lines().filter_map(extension).map(|(name, _)| name).collect();
    let new =
        |word: &str| RENAMED.iter().find(|row| row.1 == word && named.contains(&row.0)).map(|row| row.2.to_owned());
    if RENAMED.iter().any(|row| named.contains(&row.0)) { Cow::Owned(replace(&text, new)) } else { text }
}

/// The hint where a patch's primitives lie (GL_ARB_ES3_2_compatibility): a variable of the shader that nobody reads. It is
/// declared where the number of vertices is, which every such shader declares before it has functions.
fn bounding_box(text: String, stage: Stage) -> Cow<'static, str> {
    if stage != Stage::TessControl || !text.contains("gl_BoundingBox") {
        return Cow::Owned(text);
    }
    let ours =
        |word: &str| matches!(word, "gl_BoundingBox" | "gl_BoundingBoxARB").then(|| "mgl_BoundingBox".to_owned());
    let mut text = replace(&text, ours);
    if let Some(at) = tokens(&text).iter().find(|token| token.text == "layout").map(|token| token.at) {
        text.insert_str(at, "patch out vec4 mgl_BoundingBox[2]; ");
    }
    Cow::Owned(text)
}

fn is_version(line: &str) -> bool {
    let code = line.rsplit("*/").next().unwrap_or(line);
    code.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("version"))
}

#[cfg(test)]
mod tests {
    use crate::archive::Stage;

    fn promote(source: &str) -> std::borrow::Cow<'_, str> {
        super::promote(source, Stage::Fragment)
    }

    /// A program that writes one version into all its shaders would lose its tessellation.
    #[test]
    fn tessellation_in_old_versions() {
        let text = "#version 140\nvoid main() {}\n";
        assert!(super::promote(text, Stage::TessEval).starts_with("#version 150 compatibility\n"));
        assert_eq!(promote(text), text);
    }

    /// Shaders that use an extension of a later version must compile, with their own line numbers.
    #[test]
    fn versions_rise_with_extensions() {
        let text = promote("#version 150\n#extension GL_ARB_arrays_of_arrays : enable\nint a[2][2];\n");
        assert_eq!(text, "#version 430 compatibility\n\nint a[2][2];\n");
        assert_eq!(promote("#version 150\n"), "#version 150\n");
    }

    /// A control stage that says where its patches lie would not compile.
    #[test]
    fn bounding_boxes_are_variables_of_the_shader() {
        let text = "#version 450\n#extension GL_ARB_ES3_2_compatibility : require\nlayout(vertices = 3) out;\n\
                    void main() { gl_BoundingBoxARB[0] = vec4(0.0); }\n";
        let text = super::promote(text, Stage::TessControl);
        assert!(text.contains("\n\npatch out vec4 mgl_BoundingBox[2]; layout(vertices = 3) out;\n"), "{text}");
        assert!(text.contains("mgl_BoundingBox[0] = vec4(0.0)") && !text.contains("gl_BoundingBoxARB"), "{text}");
    }

    /// A GLSL 1.30 shader with two blend sources would not compile; others keep their version.
    #[test]
    fn blend_sources_need_a_profile() {
        let shader = |layout: &str| {
            format!(
                "#version 130\n#extension GL_ARB_explicit_attrib_location : require\nlayout ({layout}) out vec4 a;\n"
            )
        };
        assert!(promote(&shader("location = 0, index = 1")).starts_with("#version 150 compatibility\n"));
        assert!(promote(&shader("location = 0")).starts_with("#version 130\n"));
    }
}
