//! Limits of tessellation, geometry streams, clipping and interpolation (GL 4.6 tables 23.58, 23.59, 23.67): what the
//! device has, never less than the version that brought them demands. Must not know objects.

use crate::abi::Values;
use crate::bounds::{vertex_streams, xfb_buffers};
use crate::shader::jobs::{max_patch_vertices, textures_per_stage, uniform_components, varying_components};
use crate::tokens as t;
use mgl_pipe::caps::Caps;

/// The limit of that name.
pub(super) fn get(caps: &Caps, pname: u32) -> Option<Values> {
    tessellation(caps, pname).or_else(|| geometry(caps, pname)).or_else(|| interpolation(pname))
}

fn tessellation(caps: &Caps, pname: u32) -> Option<Values> {
    let l = &caps.limits;
    Some(match pname {
        t::MAX_PATCH_VERTICES => Values::int(max_patch_vertices(l)),
        t::MAX_TESS_GEN_LEVEL => Values::int(l.max_tess_level.max(64)),
        t::MAX_TESS_CONTROL_UNIFORM_COMPONENTS | t::MAX_TESS_EVALUATION_UNIFORM_COMPONENTS => {
            Values::int(uniform_components(l))
        }
        t::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS | t::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS => {
            Values::int(textures_per_stage(l))
        }
        t::MAX_TESS_CONTROL_OUTPUT_COMPONENTS
        | t::MAX_TESS_EVALUATION_OUTPUT_COMPONENTS
        | t::MAX_TESS_CONTROL_INPUT_COMPONENTS
        | t::MAX_TESS_EVALUATION_INPUT_COMPONENTS => Values::int(varying_components(l).max(128)),
        t::MAX_TESS_PATCH_COMPONENTS => Values::int(120),
        t::MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS => Values::int(4096),
        // OpenGL ES asks; patches restart here as every list does.
        t::PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED => Values::bool(true),
        _ => return None,
    })
}

fn geometry(caps: &Caps, pname: u32) -> Option<Values> {
    let l = &caps.limits;
    Some(match pname {
        t::MAX_GEOMETRY_SHADER_INVOCATIONS => Values::int(l.max_geometry_invocations.max(32)),
        t::MAX_VERTEX_STREAMS => Values::int(vertex_streams(caps)),
        t::MAX_TRANSFORM_FEEDBACK_BUFFERS => Values::int(xfb_buffers(l)),
        t::MAX_CULL_DISTANCES => Values::int(l.max_cull_distances.min(8)),
        t::MAX_COMBINED_CLIP_AND_CULL_DISTANCES => Values::int(l.max_combined_clip_cull.min(8)),
        // Which vertex of a primitive gives its layer and viewport is left to the device.
        t::LAYER_PROVOKING_VERTEX | t::VIEWPORT_INDEX_PROVOKING_VERTEX => Values::int(t::UNDEFINED_VERTEX),
        _ => return None,
    })
}

/// What every device has at least (GL 4.6 table 23.62).
fn interpolation(pname: u32) -> Option<Values> {
    Some(match pname {
        t::MIN_FRAGMENT_INTERPOLATION_OFFSET => Values::float(-0.5f32),
        t::MAX_FRAGMENT_INTERPOLATION_OFFSET => Values::float(0.4375f32),
        t::FRAGMENT_INTERPOLATION_OFFSET_BITS => Values::int(4),
        t::MAX_PROGRAM_TEXTURE_GATHER_COMPONENTS_ARB => Values::int(4),
        _ => return None,
    })
}
