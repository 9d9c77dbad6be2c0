//! Rasterisation of points, lines, polygons and samples; vertex post-processing (GL 4.6 §13, §14). Must not push
//! records.

use super::token;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use mgl_pipe::Bool8;
use mgl_pipe::tokens::{ClipDepth, ClipOrigin, CullFace, FrontFace, PolygonMode, ProvokingVertex};

/// `glCullFace`.
pub fn cull_face(ctx: &mut Context, mode: u32) -> GlResult {
    let mode = token(mode, CullFace, "a face is GL_FRONT, GL_BACK or GL_FRONT_AND_BACK")?;
    ctx.put_pipeline(|b| &mut b.cull_face, mode);
    Ok(())
}

/// `glFrontFace`.
pub fn front_face(ctx: &mut Context, mode: u32) -> GlResult {
    let mode = token(mode, FrontFace, "a winding is GL_CW or GL_CCW")?;
    ctx.put_pipeline(|b| &mut b.front_face, mode);
    Ok(())
}

/// `glLineWidth`. Wide lines were removed from forward-compatible contexts (GL 4.6 §E.2.1).
pub fn line_width(ctx: &mut Context, width: f32) -> GlResult {
    if width <= 0.0 || width.is_nan() || (ctx.desc.forward_compatible && width > 1.0) {
        return Err(GlError::invalid_value("line width"));
    }
    ctx.put_dynamic(|b| &mut b.line_width, width);
    Ok(())
}

/// `glPointSize`.
pub fn point_size(ctx: &mut Context, size: f32) -> GlResult {
    if size <= 0.0 || size.is_nan() {
        return Err(GlError::invalid_value("point size must be above 0"));
    }
    ctx.put_dynamic(|b| &mut b.point_size, size);
    Ok(())
}

/// `glPointParameter*` (GL 4.6 §14.4).
pub fn point_parameter(ctx: &mut Context, pname: u32, param: f32) -> GlResult {
    match pname {
        t::POINT_FADE_THRESHOLD_SIZE if param < 0.0 => Err(GlError::invalid_value("fade threshold is negative")),
        t::POINT_FADE_THRESHOLD_SIZE => {
            ctx.put_client(|b| &mut b.point_fade_threshold, param);
            Ok(())
        }
        t::POINT_SPRITE_COORD_ORIGIN => {
            let lower = match param as u32 {
                t::LOWER_LEFT => true,
                t::UPPER_LEFT => false,
                _ => return Err(GlError::invalid_value("sprite origin is GL_LOWER_LEFT or GL_UPPER_LEFT")),
            };
            ctx.put_pipeline(|b| &mut b.point_origin_lower_left, Bool8::new(lower));
            Ok(())
        }
        _ => Err(GlError::invalid_enum("not a point parameter")),
    }
}

/// `glPolygonMode`. Separate faces were removed from the core profile (GL 4.6 §E.2.2).
pub fn polygon_mode(ctx: &mut Context, face: u32, mode: u32) -> GlResult {
    if face != t::FRONT_AND_BACK {
        return Err(GlError::invalid_enum("the core profile knows GL_FRONT_AND_BACK only"));
    }
    let mode = token(mode, PolygonMode, "a polygon mode is GL_POINT, GL_LINE or GL_FILL")?;
    ctx.put_pipeline(|b| &mut b.polygon_front, mode);
    ctx.put_pipeline(|b| &mut b.polygon_back, mode);
    Ok(())
}

/// `glPolygonOffset`.
pub fn polygon_offset(ctx: &mut Context, factor: f32, units: f32) -> GlResult {
    polygon_offset_clamp(ctx, factor, units, 0.0)
}

/// `glPolygonOffsetClamp`.
pub fn polygon_offset_clamp(ctx: &mut Context, factor: f32, units: f32, clamp: f32) -> GlResult {
    ctx.put_dynamic(|b| &mut b.offset_factor, factor);
    ctx.put_dynamic(|b| &mut b.offset_units, units);
    ctx.put_dynamic(|b| &mut b.offset_clamp, clamp);
    Ok(())
}

/// `glSampleCoverage`.
pub fn sample_coverage(ctx: &mut Context, value: f32, invert: bool) -> GlResult {
    ctx.put_pipeline(|b| &mut b.sample_coverage_value, value.clamp(0.0, 1.0));
    ctx.put_pipeline(|b| &mut b.sample_coverage_invert, Bool8::new(invert));
    Ok(())
}

/// `glSampleMaski`. One word covers the 32 samples that any device offers.
pub fn sample_maski(ctx: &mut Context, mask_number: u32, mask: u32) -> GlResult {
    if mask_number != 0 {
        return Err(GlError::invalid_value("mask number is not below GL_MAX_SAMPLE_MASK_WORDS"));
    }
    ctx.put_pipeline(|b| &mut b.sample_mask, mask);
    Ok(())
}

/// `glMinSampleShading`.
pub fn min_sample_shading(ctx: &mut Context, value: f32) -> GlResult {
    ctx.put_pipeline(|b| &mut b.min_sample_shading, value.clamp(0.0, 1.0));
    Ok(())
}

/// `glClampColor`. Only reads can be clamped in the core profile (GL 4.6 §18.2.8).
pub fn clamp_color(ctx: &mut Context, target: u32, clamp: u32) -> GlResult {
    if target != t::CLAMP_READ_COLOR {
        return Err(GlError::invalid_enum("the core profile knows GL_CLAMP_READ_COLOR only"));
    }
    if !matches!(clamp, t::TRUE | t::FALSE | t::FIXED_ONLY) {
        return Err(GlError::invalid_enum("a clamp is GL_TRUE, GL_FALSE or GL_FIXED_ONLY"));
    }
    ctx.put_dynamic(|b| &mut b.clamp_read_color, clamp);
    Ok(())
}

/// `glPrimitiveRestartIndex`.
pub fn primitive_restart_index(ctx: &mut Context, index: u32) -> GlResult {
    ctx.put_client(|b| &mut b.restart_index, index);
    Ok(())
}

/// `glProvokingVertex`.
pub fn provoking_vertex(ctx: &mut Context, mode: u32) -> GlResult {
    let mode = token(mode, ProvokingVertex, "a convention is GL_FIRST_ or GL_LAST_VERTEX_CONVENTION")?;
    ctx.put_pipeline(|b| &mut b.provoking_vertex, mode);
    Ok(())
}

/// `glClipControl` (GL 4.6 §13.7).
pub fn clip_control(ctx: &mut Context, origin: u32, depth: u32) -> GlResult {
    let origin = token(origin, ClipOrigin, "a clip origin is GL_LOWER_LEFT or GL_UPPER_LEFT")?;
    let depth = token(depth, ClipDepth, "a clip depth is GL_NEGATIVE_ONE_TO_ONE or GL_ZERO_TO_ONE")?;
    ctx.put_pipeline(|b| &mut b.clip_origin, origin);
    ctx.put_pipeline(|b| &mut b.clip_depth, depth);
    Ok(())
}
