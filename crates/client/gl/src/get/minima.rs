//! The minima of GL 4.6 (tables 23.53 to 23.68) against a device that carries 4.6, and the constants of the shading
//! language against the queries. Only tests.

use super::calls as c;
use crate::context::Context;
use crate::shader::jobs;
use crate::testing::context_of;
use crate::tokens as t;
use mgl_glsl::{CompileOptions, Stage, compile};
use mgl_pipe::caps::{Caps, Features, Limits};

/// Sizes of textures, targets and buffers.
fn sizes() -> Limits {
    Limits {
        max_texture_size: 16384,
        max_3d_texture_size: 2048,
        max_cube_map_size: 16384,
        max_array_layers: 2048,
        max_renderbuffer_size: 16384,
        max_viewport: [16384; 2],
        viewport_bounds: [-32768.0, 32767.0],
        max_viewports: 16,
        max_samples: 8,
        max_color_samples: 8,
        max_depth_samples: 8,
        max_integer_samples: 4,
        max_color_attachments: 8,
        max_dual_source_draw_buffers: 1,
        max_vertex_attribs: 32,
        max_vertex_attrib_stride: 2048,
        max_uniform_block_size: 65536,
        uniform_offset_alignment: 64,
        max_storage_block_size: 1 << 27,
        storage_offset_alignment: 64,
        max_texel_buffer_texels: 1 << 27,
        texel_buffer_offset_alignment: 64,
        min_map_alignment: 64,
        max_uniform_blocks_per_stage: 14,
        max_storage_blocks_per_stage: 16,
        max_textures_per_stage: 32,
        max_images_per_stage: 8,
        ..Limits::default()
    }
}

/// What a Vulkan device of the desktop has at least.
fn desktop() -> Caps {
    let limits = Limits {
        max_varying_components: 128,
        max_geometry_output_vertices: 256,
        max_geometry_total_output_components: 1024,
        max_geometry_invocations: 32,
        max_tess_level: 64,
        max_patch_vertices: 32,
        max_clip_distances: 8,
        max_cull_distances: 8,
        max_combined_clip_cull: 8,
        max_anisotropy: 16.0,
        max_lod_bias: 15.0,
        point_size_range: [1.0, 64.0],
        point_size_granularity: 0.125,
        line_width_range: [1.0, 8.0],
        line_width_granularity: 0.125,
        min_texel_offset: -8,
        max_texel_offset: 7,
        min_gather_offset: -8,
        max_gather_offset: 7,
        sub_pixel_bits: 8,
        max_xfb_buffers: 4,
        max_xfb_interleaved_components: 128,
        max_xfb_separate_components: 128,
        max_compute_group_count: [65535; 3],
        max_compute_group_size: [1024, 1024, 64],
        max_compute_invocations: 1024,
        max_compute_shared_bytes: 32768,
        timestamp_bits: 64,
        ..sizes()
    };
    let features = Features {
        geometry_shader: true,
        tessellation_shader: true,
        compute_shader: true,
        geometry_streams: true,
        vertex_stores: true,
        fragment_stores: true,
        cull_distance: true,
        clip_distance: true,
        multi_viewport: true,
        ..Features::default()
    };
    Caps { limits, features, ..Caps::default() }
}

/// Name and least value.
const AT_LEAST: &[(u32, i64)] = &[
    // Table 23.53 and 23.54: implementation-dependent values.
    (t::MAX_CLIP_DISTANCES, 8),
    (t::MAX_CULL_DISTANCES, 8),
    (t::MAX_COMBINED_CLIP_AND_CULL_DISTANCES, 8),
    (t::SUBPIXEL_BITS, 4),
    (t::MAX_3D_TEXTURE_SIZE, 2048),
    (t::MAX_TEXTURE_SIZE, 16384),
    (t::MAX_ARRAY_TEXTURE_LAYERS, 2048),
    (t::MAX_TEXTURE_LOD_BIAS, 2),
    (t::MAX_CUBE_MAP_TEXTURE_SIZE, 16384),
    (t::MAX_RENDERBUFFER_SIZE, 16384),
    (t::MAX_VIEWPORT_DIMS, 16384),
    (t::MAX_VIEWPORTS, 16),
    (t::VIEWPORT_SUBPIXEL_BITS, 0),
    (t::MAX_ELEMENT_INDEX, u32::MAX as i64),
    (t::MAX_ELEMENTS_INDICES, 0),
    (t::MAX_ELEMENTS_VERTICES, 0),
    (t::MAX_VERTEX_ATTRIB_RELATIVE_OFFSET, 2047),
    (t::MAX_VERTEX_ATTRIB_BINDINGS, 16),
    (t::MAX_VERTEX_ATTRIB_STRIDE, 2048),
    (t::MAX_TEXTURE_BUFFER_SIZE, 65536),
    (t::MAX_RECTANGLE_TEXTURE_SIZE, 16384),
    (t::MIN_MAP_BUFFER_ALIGNMENT, 64),
    (t::MAX_TEXTURE_MAX_ANISOTROPY, 16),
    (t::NUM_PROGRAM_BINARY_FORMATS, 0),
    (t::NUM_SHADER_BINARY_FORMATS, 1),
    (t::MAX_LABEL_LENGTH, 256),
    (t::MAX_DEBUG_MESSAGE_LENGTH, 1),
    (t::MAX_DEBUG_LOGGED_MESSAGES, 1),
    (t::MAX_DEBUG_GROUP_STACK_DEPTH, 64),
    (t::MAX_SERVER_WAIT_TIMEOUT, 0),
    (t::MAX_FRAMEBUFFER_WIDTH, 16384),
    (t::MAX_FRAMEBUFFER_HEIGHT, 16384),
    (t::MAX_FRAMEBUFFER_LAYERS, 2048),
    (t::MAX_FRAMEBUFFER_SAMPLES, 4),
    // Vertex stage.
    (t::MAX_VERTEX_ATTRIBS, 16),
    (t::MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
    (t::MAX_VERTEX_UNIFORM_VECTORS, 256),
    (t::MAX_VERTEX_UNIFORM_BLOCKS, 14),
    (t::MAX_VERTEX_OUTPUT_COMPONENTS, 64),
    (t::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, 0),
    (t::MAX_VERTEX_ATOMIC_COUNTERS, 0),
    (t::MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0),
    (t::MAX_VERTEX_IMAGE_UNIFORMS, 0),
    // Tessellation stages.
    (t::MAX_TESS_GEN_LEVEL, 64),
    (t::MAX_PATCH_VERTICES, 32),
    (t::MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 1024),
    (t::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_TESS_CONTROL_OUTPUT_COMPONENTS, 128),
    (t::MAX_TESS_PATCH_COMPONENTS, 120),
    (t::MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, 4096),
    (t::MAX_TESS_CONTROL_INPUT_COMPONENTS, 128),
    (t::MAX_TESS_CONTROL_UNIFORM_BLOCKS, 14),
    (t::MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS, 0),
    (t::MAX_TESS_CONTROL_ATOMIC_COUNTERS, 0),
    (t::MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS, 0),
    (t::MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024),
    (t::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, 128),
    (t::MAX_TESS_EVALUATION_INPUT_COMPONENTS, 128),
    (t::MAX_TESS_EVALUATION_UNIFORM_BLOCKS, 14),
    (t::MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS, 0),
    (t::MAX_TESS_EVALUATION_ATOMIC_COUNTERS, 0),
    (t::MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS, 0),
    // Geometry stage.
    (t::MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024),
    (t::MAX_GEOMETRY_UNIFORM_BLOCKS, 14),
    (t::MAX_GEOMETRY_INPUT_COMPONENTS, 64),
    (t::MAX_GEOMETRY_OUTPUT_COMPONENTS, 128),
    (t::MAX_GEOMETRY_OUTPUT_VERTICES, 256),
    (t::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024),
    (t::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_GEOMETRY_SHADER_INVOCATIONS, 32),
    (t::MAX_VERTEX_STREAMS, 4),
    (t::MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS, 0),
    (t::MAX_GEOMETRY_ATOMIC_COUNTERS, 0),
    (t::MAX_GEOMETRY_SHADER_STORAGE_BLOCKS, 0),
    // Fragment stage.
    (t::MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024),
    (t::MAX_FRAGMENT_UNIFORM_VECTORS, 256),
    (t::MAX_FRAGMENT_UNIFORM_BLOCKS, 14),
    (t::MAX_FRAGMENT_INPUT_COMPONENTS, 128),
    (t::MAX_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_PROGRAM_TEXTURE_GATHER_OFFSET, 7),
    (t::MAX_PROGRAM_TEXEL_OFFSET, 7),
    (t::MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 1),
    (t::MAX_FRAGMENT_ATOMIC_COUNTERS, 8),
    (t::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 8),
    (t::MAX_FRAGMENT_IMAGE_UNIFORMS, 8),
    // Compute stage.
    (t::MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024),
    (t::MAX_COMPUTE_UNIFORM_BLOCKS, 14),
    (t::MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 8),
    (t::MAX_COMPUTE_ATOMIC_COUNTERS, 8),
    (t::MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768),
    (t::MAX_COMPUTE_UNIFORM_COMPONENTS, 1024),
    (t::MAX_COMPUTE_IMAGE_UNIFORMS, 8),
    (t::MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8),
    // What the stages share.
    (t::MAX_UNIFORM_BUFFER_BINDINGS, 84),
    (t::MAX_UNIFORM_BLOCK_SIZE, 16384),
    (t::MAX_COMBINED_UNIFORM_BLOCKS, 70),
    (t::MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, 1024 + 14 * 4096),
    (t::MAX_VARYING_COMPONENTS, 60),
    (t::MAX_VARYING_VECTORS, 15),
    (t::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96),
    (t::MAX_SUBROUTINES, 256),
    (t::MAX_SUBROUTINE_UNIFORM_LOCATIONS, 1024),
    (t::MAX_UNIFORM_LOCATIONS, 1024),
    (t::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 8),
    (t::MAX_ATOMIC_COUNTER_BUFFER_SIZE, 32),
    (t::MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, 8),
    (t::MAX_COMBINED_ATOMIC_COUNTERS, 8),
    (t::MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8),
    (t::MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27),
    (t::MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8),
    (t::MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 8),
    (t::MAX_IMAGE_UNITS, 8),
    (t::MAX_IMAGE_SAMPLES, 0),
    (t::MAX_COMBINED_IMAGE_UNIFORMS, 8),
    // Framebuffers, samples, capture.
    (t::MAX_DRAW_BUFFERS, 8),
    (t::MAX_DUAL_SOURCE_DRAW_BUFFERS, 1),
    (t::MAX_COLOR_ATTACHMENTS, 8),
    (t::MAX_SAMPLES, 4),
    (t::MAX_SAMPLE_MASK_WORDS, 1),
    (t::MAX_COLOR_TEXTURE_SAMPLES, 1),
    (t::MAX_DEPTH_TEXTURE_SAMPLES, 1),
    (t::MAX_INTEGER_SAMPLES, 1),
    (t::FRAGMENT_INTERPOLATION_OFFSET_BITS, 4),
    (t::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64),
    (t::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
    (t::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    (t::MAX_TRANSFORM_FEEDBACK_BUFFERS, 4),
];

/// Name and largest value: alignments, and offsets below zero.
const AT_MOST: &[(u32, i64)] = &[
    (t::UNIFORM_BUFFER_OFFSET_ALIGNMENT, 256),
    (t::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 256),
    (t::TEXTURE_BUFFER_OFFSET_ALIGNMENT, 256),
    (t::MIN_PROGRAM_TEXEL_OFFSET, -8),
    (t::MIN_PROGRAM_TEXTURE_GATHER_OFFSET, -8),
];

fn ask(ctx: &mut Context, pname: u32) -> Option<i64> {
    c::get(ctx, pname).ok().map(|v| v.to_int(0, 64))
}

// Engines size their tables by the promises of the version without asking twice.
#[test]
fn limits_keep_the_promises_of_4_6() {
    let ctx = &mut context_of(desktop());
    let mut wrong = Vec::new();
    for (pname, least) in AT_LEAST {
        let got = ask(ctx, *pname);
        if got.is_none_or(|n| n < *least) {
            wrong.push(format!("{pname:#x}: {got:?}, at least {least}"));
        }
    }
    for (pname, most) in AT_MOST {
        let got = ask(ctx, *pname);
        if got.is_none_or(|n| n > *most) {
            wrong.push(format!("{pname:#x}: {got:?}, at most {most}"));
        }
    }
    for (pname, wanted) in
        [(t::MAX_COMPUTE_WORK_GROUP_COUNT, [65535; 3]), (t::MAX_COMPUTE_WORK_GROUP_SIZE, [1024, 1024, 64])]
    {
        for (index, least) in (0..).zip(wanted) {
            let got = c::get_indexed(ctx, pname, index).ok().map(|v| v.to_int(0, 64));
            if got.is_none_or(|n| n < least) {
                wrong.push(format!("{pname:#x}[{index}]: {got:?}, at least {least}"));
            }
        }
    }
    let least = c::get(ctx, t::MIN_FRAGMENT_INTERPOLATION_OFFSET).unwrap().to_float(0);
    let most = c::get(ctx, t::MAX_FRAGMENT_INTERPOLATION_OFFSET).unwrap().to_float(0);
    assert!(least <= -0.5 && most >= 0.4375, "{least} {most}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Constants of GLSL 4.60 §7.3 and the query of the same value.
const CONSTANTS: &[(&str, u32)] = &[
    ("VertexAttribs", t::MAX_VERTEX_ATTRIBS),
    ("VertexUniformVectors", t::MAX_VERTEX_UNIFORM_VECTORS),
    ("VertexUniformComponents", t::MAX_VERTEX_UNIFORM_COMPONENTS),
    ("VertexOutputComponents", t::MAX_VERTEX_OUTPUT_COMPONENTS),
    ("VaryingComponents", t::MAX_VARYING_COMPONENTS),
    ("VaryingVectors", t::MAX_VARYING_VECTORS),
    ("VertexTextureImageUnits", t::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
    ("VertexImageUniforms", t::MAX_VERTEX_IMAGE_UNIFORMS),
    ("VertexAtomicCounters", t::MAX_VERTEX_ATOMIC_COUNTERS),
    ("VertexAtomicCounterBuffers", t::MAX_VERTEX_ATOMIC_COUNTER_BUFFERS),
    ("TessPatchComponents", t::MAX_TESS_PATCH_COMPONENTS),
    ("PatchVertices", t::MAX_PATCH_VERTICES),
    ("TessGenLevel", t::MAX_TESS_GEN_LEVEL),
    ("TessControlInputComponents", t::MAX_TESS_CONTROL_INPUT_COMPONENTS),
    ("TessControlOutputComponents", t::MAX_TESS_CONTROL_OUTPUT_COMPONENTS),
    ("TessControlTextureImageUnits", t::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS),
    ("TessControlUniformComponents", t::MAX_TESS_CONTROL_UNIFORM_COMPONENTS),
    ("TessControlTotalOutputComponents", t::MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS),
    ("TessControlImageUniforms", t::MAX_TESS_CONTROL_IMAGE_UNIFORMS),
    ("TessControlAtomicCounters", t::MAX_TESS_CONTROL_ATOMIC_COUNTERS),
    ("TessControlAtomicCounterBuffers", t::MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS),
    ("TessEvaluationInputComponents", t::MAX_TESS_EVALUATION_INPUT_COMPONENTS),
    ("TessEvaluationOutputComponents", t::MAX_TESS_EVALUATION_OUTPUT_COMPONENTS),
    ("TessEvaluationTextureImageUnits", t::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS),
    ("TessEvaluationUniformComponents", t::MAX_TESS_EVALUATION_UNIFORM_COMPONENTS),
    ("TessEvaluationImageUniforms", t::MAX_TESS_EVALUATION_IMAGE_UNIFORMS),
    ("TessEvaluationAtomicCounters", t::MAX_TESS_EVALUATION_ATOMIC_COUNTERS),
    ("TessEvaluationAtomicCounterBuffers", t::MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS),
    ("GeometryInputComponents", t::MAX_GEOMETRY_INPUT_COMPONENTS),
    ("GeometryOutputComponents", t::MAX_GEOMETRY_OUTPUT_COMPONENTS),
    ("GeometryImageUniforms", t::MAX_GEOMETRY_IMAGE_UNIFORMS),
    ("GeometryTextureImageUnits", t::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS),
    ("GeometryOutputVertices", t::MAX_GEOMETRY_OUTPUT_VERTICES),
    ("GeometryTotalOutputComponents", t::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS),
    ("GeometryUniformComponents", t::MAX_GEOMETRY_UNIFORM_COMPONENTS),
    ("GeometryAtomicCounters", t::MAX_GEOMETRY_ATOMIC_COUNTERS),
    ("GeometryAtomicCounterBuffers", t::MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS),
    ("FragmentImageUniforms", t::MAX_FRAGMENT_IMAGE_UNIFORMS),
    ("FragmentInputComponents", t::MAX_FRAGMENT_INPUT_COMPONENTS),
    ("FragmentUniformVectors", t::MAX_FRAGMENT_UNIFORM_VECTORS),
    ("FragmentUniformComponents", t::MAX_FRAGMENT_UNIFORM_COMPONENTS),
    ("FragmentAtomicCounters", t::MAX_FRAGMENT_ATOMIC_COUNTERS),
    ("FragmentAtomicCounterBuffers", t::MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS),
    ("DrawBuffers", t::MAX_DRAW_BUFFERS),
    ("TextureImageUnits", t::MAX_TEXTURE_IMAGE_UNITS),
    ("ProgramTexelOffset", t::MAX_PROGRAM_TEXEL_OFFSET),
    ("ImageUnits", t::MAX_IMAGE_UNITS),
    ("Samples", t::MAX_SAMPLES),
    ("ImageSamples", t::MAX_IMAGE_SAMPLES),
    ("ClipDistances", t::MAX_CLIP_DISTANCES),
    ("CullDistances", t::MAX_CULL_DISTANCES),
    ("CombinedClipAndCullDistances", t::MAX_COMBINED_CLIP_AND_CULL_DISTANCES),
    ("Viewports", t::MAX_VIEWPORTS),
    ("ComputeImageUniforms", t::MAX_COMPUTE_IMAGE_UNIFORMS),
    ("ComputeUniformComponents", t::MAX_COMPUTE_UNIFORM_COMPONENTS),
    ("ComputeTextureImageUnits", t::MAX_COMPUTE_TEXTURE_IMAGE_UNITS),
    ("ComputeAtomicCounters", t::MAX_COMPUTE_ATOMIC_COUNTERS),
    ("ComputeAtomicCounterBuffers", t::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS),
    ("CombinedTextureImageUnits", t::MAX_COMBINED_TEXTURE_IMAGE_UNITS),
    ("CombinedImageUniforms", t::MAX_COMBINED_IMAGE_UNIFORMS),
    ("CombinedShaderOutputResources", t::MAX_COMBINED_SHADER_OUTPUT_RESOURCES),
    ("CombinedAtomicCounters", t::MAX_COMBINED_ATOMIC_COUNTERS),
    ("CombinedAtomicCounterBuffers", t::MAX_COMBINED_ATOMIC_COUNTER_BUFFERS),
    ("AtomicCounterBindings", t::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS),
    ("AtomicCounterBufferSize", t::MAX_ATOMIC_COUNTER_BUFFER_SIZE),
    ("TransformFeedbackBuffers", t::MAX_TRANSFORM_FEEDBACK_BUFFERS),
    ("TransformFeedbackInterleavedComponents", t::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS),
];

/// Names of constants that differ from the queries.
fn differing(caps: Caps) -> Vec<String> {
    let options = CompileOptions { limits: jobs::limits(&caps), ..CompileOptions::default() };
    let ctx = &mut context_of(caps);
    let mut wrong = Vec::new();
    for (name, pname) in CONSTANTS {
        let Some(value) = ask(ctx, *pname) else { continue };
        // An array of no elements does not compile.
        let source = format!("#version 460\nfloat a[gl_Max{name} == {value} ? 1 : 0];\nvoid main() {{}}\n");
        if !compile(Stage::Fragment, &source, &options).ok {
            wrong.push(format!("gl_Max{name} is not {value}"));
        }
    }
    wrong
}

// A shader that sizes an array by the constant and a program that sizes it by the query would disagree.
#[test]
fn constants_of_the_language_are_what_queries_say() {
    let wrong = [differing(desktop()), differing(Caps::default())].concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
