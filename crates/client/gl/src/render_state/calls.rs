//! Commands of this group. Must not push records of another group.

mod blend;
mod caps;
mod depth_stencil;
mod raster;
mod viewport;

pub use self::blend::{
    blend_color, blend_equation, blend_equation_separate, blend_equation_separatei, blend_equationi, blend_func,
    blend_func_separate, blend_func_separatei, blend_funci, color_mask, color_maski, logic_op,
};
pub use self::caps::{disable, disablei, enable, enablei, hint, is_enabled, is_enabledi};
pub use self::depth_stencil::{
    depth_func, depth_mask, stencil_func, stencil_func_separate, stencil_mask, stencil_mask_separate, stencil_op,
    stencil_op_separate,
};
pub use self::raster::{
    clamp_color, clip_control, cull_face, front_face, line_width, min_sample_shading, point_parameter, point_size,
    polygon_mode, polygon_offset, polygon_offset_clamp, primitive_restart_index, provoking_vertex, sample_coverage,
    sample_maski,
};
pub use self::viewport::{
    depth_range, depth_range_array, depth_range_indexed, scissor, scissor_array, scissor_indexed, viewport,
    viewport_array, viewport_indexedf,
};

use crate::error::{GlError, GlResult};
use mgl_pipe::{Proof, Wire};

/// The wire form of a GL token, or `GL_INVALID_ENUM`.
fn token<T: Wire>(value: u32, make: fn(u16) -> T, what: &'static str) -> GlResult<T> {
    let made = u16::try_from(value).ok().map(make);
    made.filter(|t| t.proven(&Proof { stage_len: 0 })).ok_or_else(|| GlError::invalid_enum(what))
}
