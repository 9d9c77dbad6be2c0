//! Limits of the implementation (GL 4.6 tables 23.53 to 23.68): what the device has, never less than GL 3.3 demands
//! where the client can make up for it, never more than the wire carries. Must not know objects.

use crate::abi::Values;
use crate::bounds;
use crate::buffer::MAP_ALIGNMENT;
use crate::context::Context;
use crate::pixel::internal::usable;
use crate::shader::jobs::{
    blocks_per_stage, dual_sources, textures_per_stage, uniform_block_size, uniform_components, varying_components,
    viewports,
};
use crate::tokens as t;
use crate::vertex_array::state::max_attribs;
use mgl_base::limits::{MAX_BUFFER_BINDINGS, MAX_DRAW_BUFFERS, MAX_TEXTURE_UNITS};
use mgl_pipe::caps::{Caps, Limits};
use mgl_pipe::format::Format;

fn two(v: [f32; 2]) -> Values {
    Values::floats(&v)
}

/// The limit of that name.
pub(super) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let l = &ctx.instance.caps.limits;
    textures(l, pname)
        .or_else(|| compressed(&ctx.instance.caps, pname))
        .or_else(|| vertices(ctx, l, pname))
        .or_else(|| shaders(l, pname))
        .or_else(|| blocks(l, pname))
        .or_else(|| raster(l, pname))
        .or_else(|| targets(l, pname))
        .or_else(|| newer(l, pname))
        .or_else(|| bounds::es_3_2(ctx.desc.version).then(|| lines(l, pname)).flatten())
}

fn textures(l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MAX_TEXTURE_SIZE | t::MAX_RECTANGLE_TEXTURE_SIZE => Values::int(l.max_texture_size),
        t::MAX_3D_TEXTURE_SIZE => Values::int(l.max_3d_texture_size),
        t::MAX_CUBE_MAP_TEXTURE_SIZE => Values::int(l.max_cube_map_size),
        t::MAX_ARRAY_TEXTURE_LAYERS => Values::int(l.max_array_layers),
        t::MAX_TEXTURE_BUFFER_SIZE => Values::int(l.max_texel_buffer_texels),
        t::TEXTURE_BUFFER_OFFSET_ALIGNMENT => Values::int(l.texel_buffer_offset_alignment.max(1)),
        t::MAX_TEXTURE_LOD_BIAS => Values::float(l.max_lod_bias),
        t::MAX_TEXTURE_MAX_ANISOTROPY => Values::float(l.max_anisotropy.max(1.0)),
        t::MAX_TEXTURE_IMAGE_UNITS | t::MAX_VERTEX_TEXTURE_IMAGE_UNITS | t::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS => {
            Values::int(textures_per_stage(l))
        }
        // What a program of five stages may use fits: every stage has at most 32.
        t::MAX_COMBINED_TEXTURE_IMAGE_UNITS => Values::int(MAX_TEXTURE_UNITS as i64),
        t::MIN_PROGRAM_TEXEL_OFFSET => Values::int(l.min_texel_offset),
        t::MAX_PROGRAM_TEXEL_OFFSET => Values::int(l.max_texel_offset),
        _ => return None,
    })
}

/// Formats that a program may choose without knowing them (GL 4.6 §8.7): neither the one whose colour depends on its one bit
/// of alpha (`GL_EXT_texture_compression_s3tc`) nor those that shaders see through a curve; of blocks of ASTC no one fits all.
const GENERAL: [u32; 10] = [
    t::COMPRESSED_RGB_S3TC_DXT1_EXT,
    t::COMPRESSED_RGBA_S3TC_DXT3_EXT,
    t::COMPRESSED_RGBA_S3TC_DXT5_EXT,
    t::COMPRESSED_RGB8_ETC2,
    t::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2,
    t::COMPRESSED_RGBA8_ETC2_EAC,
    t::COMPRESSED_R11_EAC,
    t::COMPRESSED_SIGNED_R11_EAC,
    t::COMPRESSED_RG11_EAC,
    t::COMPRESSED_SIGNED_RG11_EAC,
];

fn compressed(caps: &Caps, pname: u32) -> Option<Values> {
    let here = |token: &&u32| Format::from_gl(**token).is_some_and(|format| usable(caps, format));
    let list = || GENERAL.iter().filter(here).map(|token| i64::from(*token)).collect::<Vec<_>>();
    Some(match pname {
        t::NUM_COMPRESSED_TEXTURE_FORMATS => Values::int(list().len() as i64),
        t::COMPRESSED_TEXTURE_FORMATS => Values::ints(&list()),
        _ => return None,
    })
}

fn vertices(ctx: &Context, l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MAX_VERTEX_ATTRIBS | t::MAX_VERTEX_ATTRIB_BINDINGS => Values::int(max_attribs(ctx)),
        t::MAX_VERTEX_ATTRIB_RELATIVE_OFFSET => Values::int(crate::vertex_array::calls::MAX_RELATIVE_OFFSET),
        t::MAX_VERTEX_ATTRIB_STRIDE => Values::int(l.max_vertex_attrib_stride.max(2048)),
        // Hints; nothing gets slower beyond them.
        t::MAX_ELEMENTS_VERTICES | t::MAX_ELEMENTS_INDICES => Values::int(1 << 20),
        t::MAX_ELEMENT_INDEX => Values::int(i64::from(u32::MAX)),
        t::MIN_MAP_BUFFER_ALIGNMENT => Values::int(MAP_ALIGNMENT as i64),
        _ => return None,
    })
}

fn shaders(l: &Limits, pname: u32) -> Option<Values> {
    let varying = varying_components(l);
    Some(match pname {
        t::MAX_VERTEX_UNIFORM_COMPONENTS | t::MAX_FRAGMENT_UNIFORM_COMPONENTS | t::MAX_GEOMETRY_UNIFORM_COMPONENTS => {
            Values::int(uniform_components(l))
        }
        t::MAX_VERTEX_UNIFORM_VECTORS | t::MAX_FRAGMENT_UNIFORM_VECTORS => Values::int(uniform_components(l) / 4),
        t::MAX_VARYING_COMPONENTS => Values::int(varying),
        t::MAX_VARYING_VECTORS => Values::int(varying / 4),
        t::MAX_VERTEX_OUTPUT_COMPONENTS | t::MAX_GEOMETRY_INPUT_COMPONENTS => Values::int(varying.max(64)),
        t::MAX_GEOMETRY_OUTPUT_COMPONENTS | t::MAX_FRAGMENT_INPUT_COMPONENTS => Values::int(varying.max(128)),
        t::MAX_GEOMETRY_OUTPUT_VERTICES => Values::int(bounds::geometry_output_vertices(l)),
        t::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS => Values::int(l.max_geometry_total_output_components.max(1024)),
        t::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS => Values::int(bounds::xfb_buffers(l)),
        t::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS => Values::int(bounds::xfb_separate_components(l)),
        t::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS => Values::int(bounds::xfb_interleaved_components(l)),
        _ => return None,
    })
}

fn blocks(l: &Limits, pname: u32) -> Option<Values> {
    let per_stage = blocks_per_stage(l);
    let combined = i64::from(uniform_components(l)) + i64::from(per_stage) * i64::from(uniform_block_size(l) / 4);
    Some(match pname {
        t::MAX_VERTEX_UNIFORM_BLOCKS
        | t::MAX_FRAGMENT_UNIFORM_BLOCKS
        | t::MAX_GEOMETRY_UNIFORM_BLOCKS
        | t::MAX_TESS_CONTROL_UNIFORM_BLOCKS
        | t::MAX_TESS_EVALUATION_UNIFORM_BLOCKS => Values::int(per_stage),
        t::MAX_COMBINED_UNIFORM_BLOCKS => Values::int((5 * per_stage).min(MAX_BUFFER_BINDINGS as u32)),
        t::MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS
        | t::MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS
        | t::MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS
        | t::MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS
        | t::MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS => Values::int(combined),
        t::MAX_UNIFORM_BUFFER_BINDINGS => Values::int(MAX_BUFFER_BINDINGS as i64),
        t::MAX_UNIFORM_BLOCK_SIZE => Values::int(uniform_block_size(l)),
        t::UNIFORM_BUFFER_OFFSET_ALIGNMENT => Values::int(l.uniform_offset_alignment.max(1)),
        _ => return None,
    })
}

fn raster(l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MAX_VIEWPORT_DIMS => Values::ints(&l.max_viewport.map(i64::from)),
        t::SUBPIXEL_BITS => Values::int(l.sub_pixel_bits.max(4)),
        t::MAX_CLIP_DISTANCES => Values::int(bounds::clip_distances(l)),
        t::ALIASED_LINE_WIDTH_RANGE | t::SMOOTH_LINE_WIDTH_RANGE => two(l.line_width_range),
        t::SMOOTH_LINE_WIDTH_GRANULARITY => Values::float(l.line_width_granularity),
        t::POINT_SIZE_RANGE => two(l.point_size_range),
        t::POINT_SIZE_GRANULARITY => Values::float(l.point_size_granularity),
        t::MAX_SAMPLE_MASK_WORDS => Values::int(1),
        t::MAX_SERVER_WAIT_TIMEOUT => Values::int(i64::MAX),
        _ => return None,
    })
}

fn targets(l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MAX_RENDERBUFFER_SIZE => Values::int(l.max_renderbuffer_size),
        t::MAX_COLOR_ATTACHMENTS | t::MAX_DRAW_BUFFERS => Values::int(MAX_DRAW_BUFFERS as i64),
        t::MAX_DUAL_SOURCE_DRAW_BUFFERS => Values::int(dual_sources(l)),
        t::MAX_SAMPLES => Values::int(bounds::samples(l)),
        t::MAX_COLOR_TEXTURE_SAMPLES => Values::int(l.max_color_samples.max(1)),
        t::MAX_DEPTH_TEXTURE_SAMPLES => Values::int(l.max_depth_samples.max(1)),
        t::MAX_INTEGER_SAMPLES => Values::int(l.max_integer_samples.max(1)),
        t::STEREO => Values::bool(false),
        _ => return None,
    })
}

/// Widths of lines in multisampled framebuffers (GL_ARB_ES3_2_compatibility): devices draw them alike.
fn lines(l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MULTISAMPLE_LINE_WIDTH_RANGE_ARB => two(l.line_width_range),
        t::MULTISAMPLE_LINE_WIDTH_GRANULARITY_ARB => Values::float(l.line_width_granularity),
        _ => return None,
    })
}

/// Limits of extensions that may be reported beyond GL 3.3.
fn newer(l: &Limits, pname: u32) -> Option<Values> {
    Some(match pname {
        t::MAX_VIEWPORTS => Values::int(viewports(l)),
        t::VIEWPORT_BOUNDS_RANGE => two(l.viewport_bounds),
        t::VIEWPORT_SUBPIXEL_BITS => Values::int(0),
        t::MAX_UNIFORM_LOCATIONS => Values::int(uniform_components(l)),
        t::MIN_PROGRAM_TEXTURE_GATHER_OFFSET => Values::int(l.min_gather_offset),
        t::MAX_PROGRAM_TEXTURE_GATHER_OFFSET => Values::int(l.max_gather_offset),
        _ => return None,
    })
}
