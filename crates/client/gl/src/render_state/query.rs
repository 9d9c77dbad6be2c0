//! What this group answers to `glGet*`. Must not change state.

use super::members;
use super::state::State;
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as t;
use mgl_pipe::tokens::ValueClass;

/// Colours and depths that integer queries map to the whole integer range (GL 4.6 §2.2.2).
fn normalized(v: &[f32]) -> Values {
    Values::Normalized(v.iter().map(|f| f64::from(*f)).collect())
}

fn ints(v: &[i32; 4]) -> Values {
    Values::ints(&v.map(i64::from))
}

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let s = &ctx.render_state;
    if let Some(on) = members::capability(s, pname) {
        return Some(Values::bool(on));
    }
    indexed(s, pname, 0).or_else(|| depth_stencil(s, pname)).or_else(|| raster(s, pname)).or_else(|| client(s, pname))
}

/// The value of an indexed `pname`; the index is checked here.
pub(crate) fn indexed(s: &State, pname: u32, index: u32) -> Option<Values> {
    let (b, mask) = (s.pipeline.blend.get(index as usize), s.pipeline.color_mask.get(index as usize));
    let i = index as usize;
    Some(match pname {
        t::BLEND_SRC_RGB => Values::int(b?.src_rgb.0),
        t::BLEND_SRC_ALPHA => Values::int(b?.src_alpha.0),
        t::BLEND_DST_RGB => Values::int(b?.dst_rgb.0),
        t::BLEND_DST_ALPHA => Values::int(b?.dst_alpha.0),
        t::BLEND_EQUATION_RGB => Values::int(b?.eq_rgb.0),
        t::BLEND_EQUATION_ALPHA => Values::int(b?.eq_alpha.0),
        t::COLOR_WRITEMASK => Values::ints(&mask?.map(|m| i64::from(m.get()))),
        t::VIEWPORT => Values::floats(s.dynamic.viewports.get(i)?),
        t::SCISSOR_BOX => ints(s.dynamic.scissors.get(i)?),
        t::DEPTH_RANGE => normalized(s.dynamic.depth_ranges.get(i)?),
        t::SAMPLE_MASK_VALUE if i == 0 => Values::int(s.pipeline.sample_mask as i32),
        _ => return None,
    })
}

fn clear_color(s: &State) -> Values {
    let integers = s.client.clear_integers;
    match s.client.clear_class {
        ValueClass::Int => ints(&integers.map(|v| v as i32)),
        ValueClass::Uint => Values::ints(&integers.map(i64::from)),
        _ => normalized(&s.dynamic.clear_color),
    }
}

fn depth_stencil(s: &State, pname: u32) -> Option<Values> {
    let (front, back) = (&s.pipeline.stencil[0], &s.pipeline.stencil[1]);
    let (front_ref, back_ref) = (&s.dynamic.stencil[0], &s.dynamic.stencil[1]);
    Some(match pname {
        t::DEPTH_FUNC => Values::int(s.pipeline.depth_func.0),
        t::DEPTH_WRITEMASK => Values::bool(s.pipeline.depth_mask.get()),
        t::STENCIL_FUNC => Values::int(front.func.0),
        t::STENCIL_FAIL => Values::int(front.fail.0),
        t::STENCIL_PASS_DEPTH_FAIL => Values::int(front.depth_fail.0),
        t::STENCIL_PASS_DEPTH_PASS => Values::int(front.pass.0),
        t::STENCIL_REF => Values::int(front_ref.reference),
        // Masks are patterns of bits: all ones are -1, so that what is read may be set again.
        t::STENCIL_VALUE_MASK => Values::int(front_ref.value_mask as i32),
        t::STENCIL_WRITEMASK => Values::int(front_ref.write_mask as i32),
        t::STENCIL_BACK_FUNC => Values::int(back.func.0),
        t::STENCIL_BACK_FAIL => Values::int(back.fail.0),
        t::STENCIL_BACK_PASS_DEPTH_FAIL => Values::int(back.depth_fail.0),
        t::STENCIL_BACK_PASS_DEPTH_PASS => Values::int(back.pass.0),
        t::STENCIL_BACK_REF => Values::int(back_ref.reference),
        t::STENCIL_BACK_VALUE_MASK => Values::int(back_ref.value_mask as i32),
        t::STENCIL_BACK_WRITEMASK => Values::int(back_ref.write_mask as i32),
        t::COLOR_CLEAR_VALUE => clear_color(s),
        t::DEPTH_CLEAR_VALUE => normalized(&[s.dynamic.clear_depth]),
        t::STENCIL_CLEAR_VALUE => Values::int(s.dynamic.clear_stencil as i32),
        t::BLEND_COLOR => normalized(&s.dynamic.blend_color),
        t::LOGIC_OP_MODE => Values::int(s.pipeline.logic_op.0),
        _ => return None,
    })
}

fn raster(s: &State, pname: u32) -> Option<Values> {
    Some(match pname {
        t::CULL_FACE_MODE => Values::int(s.pipeline.cull_face.0),
        t::FRONT_FACE => Values::int(s.pipeline.front_face.0),
        t::POLYGON_MODE => Values::ints(&[i64::from(s.pipeline.polygon_front.0), i64::from(s.pipeline.polygon_back.0)]),
        t::PROVOKING_VERTEX => Values::int(s.pipeline.provoking_vertex.0),
        t::CLIP_ORIGIN => Values::int(s.pipeline.clip_origin.0),
        t::CLIP_DEPTH_MODE => Values::int(s.pipeline.clip_depth.0),
        t::LINE_WIDTH => Values::float(s.dynamic.line_width),
        t::POINT_SIZE => Values::float(s.dynamic.point_size),
        t::POLYGON_OFFSET_FACTOR => Values::float(s.dynamic.offset_factor),
        t::POLYGON_OFFSET_UNITS => Values::float(s.dynamic.offset_units),
        t::POLYGON_OFFSET_CLAMP => Values::float(s.dynamic.offset_clamp),
        t::SAMPLE_COVERAGE_VALUE => Values::float(s.pipeline.sample_coverage_value),
        t::SAMPLE_COVERAGE_INVERT => Values::bool(s.pipeline.sample_coverage_invert.get()),
        t::MIN_SAMPLE_SHADING_VALUE => Values::float(s.pipeline.min_sample_shading),
        t::CLAMP_READ_COLOR => Values::int(s.dynamic.clamp_read_color),
        t::POINT_SPRITE_COORD_ORIGIN => {
            let lower = s.pipeline.point_origin_lower_left.get();
            Values::int(if lower { t::LOWER_LEFT } else { t::UPPER_LEFT })
        }
        _ => return None,
    })
}

fn client(s: &State, pname: u32) -> Option<Values> {
    Some(match pname {
        t::LINE_SMOOTH_HINT => Values::int(s.client.line_smooth_hint),
        t::POLYGON_SMOOTH_HINT => Values::int(s.client.polygon_smooth_hint),
        t::TEXTURE_COMPRESSION_HINT => Values::int(s.client.texture_compression_hint),
        t::FRAGMENT_SHADER_DERIVATIVE_HINT => Values::int(s.client.derivative_hint),
        t::POINT_FADE_THRESHOLD_SIZE => Values::float(s.client.point_fade_threshold),
        t::PRIMITIVE_RESTART_INDEX => Values::int(s.client.restart_index),
        _ => return None,
    })
}
