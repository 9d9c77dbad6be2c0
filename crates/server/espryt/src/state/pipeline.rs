//! The pipeline subset in the driver. What OpenGL ES cannot express is refused by [`check`] before anything is sent. Must
//! not know viewports.

use super::{Gate, Shadow};
use crate::core::Core;
use crate::raw::consts as c;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{BlendState, PipelineState};
use mgl_pipe::tokens::{BlendFactor, ClipDepth, ClipOrigin, CullFace, FrontFace, LogicOp, PolygonMode};

/// Refuses, by name, state that this driver cannot draw with.
pub fn check(core: &Core, p: &PipelineState, color: u8) -> Outcome {
    let f = core.features();
    if p.logic_op_enabled.get() && p.logic_op != LogicOp::Copy && !f.logic_op {
        return Err(Refusal::Unsupported("LogicOp"));
    }
    if p.depth_clamp.get() && !f.depth_clamp {
        return Err(Refusal::Unsupported("DepthClamp"));
    }
    let buffers = || (0..8).filter(|i| color & (1 << i) != 0);
    let dual = |b: &BlendState| [b.src_rgb, b.dst_rgb, b.src_alpha, b.dst_alpha].iter().any(|f| is_dual(*f));
    if !f.dual_source && buffers().any(|i| p.blend[i].enabled.get() && dual(&p.blend[i])) {
        return Err(Refusal::Unsupported("DualSourceBlending"));
    }
    Ok(())
}

/// The mode in which visible polygons are drawn; `None` when both faces are visible and differ.
pub fn visible_mode(p: &PipelineState) -> Option<PolygonMode> {
    let culled = |face| p.cull_enabled.get() && (p.cull_face == face || p.cull_face == CullFace::FrontAndBack);
    match (culled(CullFace::Front), culled(CullFace::Back)) {
        (true, _) => Some(p.polygon_back),
        (_, true) => Some(p.polygon_front),
        _ => (p.polygon_front == p.polygon_back).then_some(p.polygon_front),
    }
}

/// Draw buffers in groups of equal blend state and mask, for drivers without state per buffer. One group = no split.
pub fn groups(core: &Core, p: &PipelineState, color: u8) -> [u8; 8] {
    let mut out = [0u8; 8];
    if core.features().draw_buffers_indexed || color.count_ones() < 2 {
        out[0] = color;
        return out;
    }
    for i in (0..8usize).filter(|i| color & (1 << i) != 0) {
        let same = |j: u32| (p.blend[j as usize], p.color_mask[j as usize]) == (p.blend[i], p.color_mask[i]);
        let home = out.iter_mut().find(|g| **g == 0 || same(g.trailing_zeros()));
        if let Some(group) = home {
            *group |= 1 << i;
        }
    }
    out
}

fn is_dual(factor: BlendFactor) -> bool {
    matches!(
        factor,
        BlendFactor::Src1Color
            | BlendFactor::Src1Alpha
            | BlendFactor::OneMinusSrc1Color
            | BlendFactor::OneMinusSrc1Alpha
    )
}

impl Shadow {
    /// Sends the pipeline subset. `known` = the old one is in the driver.
    pub(super) fn send_pipeline(&mut self, core: &mut Core, p: &PipelineState, gate: &Gate, known: bool) {
        self.send_blend(core, p, gate, known);
        self.send_depth_stencil(core, p, known);
        self.send_raster(core, p, gate, known);
        self.send_multisample(core, p, gate, known);
    }

    fn send_blend(&mut self, core: &Core, p: &PipelineState, gate: &Gate, known: bool) {
        let same = (self.gate.widened_alpha, self.gate.color) == (gate.widened_alpha, gate.color);
        let old = if known && same { self.pipeline } else { None };
        if old.is_some_and(|o| o.blend == p.blend && o.color_mask == p.color_mask) {
            return;
        }
        if core.features().draw_buffers_indexed {
            for i in 0..8u32 {
                let n = i as usize;
                if old.is_none_or(|o| o.color_mask[n] != p.color_mask[n]) {
                    let m = mask(p, n, gate);
                    core.gl().color_maski(i, m[0], m[1], m[2], m[3]);
                }
                if old.is_none_or(|o| o.blend[n] != p.blend[n]) {
                    blend_of(core, i, &p.blend[n]);
                }
            }
            return;
        }
        let n = (gate.color.trailing_zeros() as usize).min(7);
        let (m, b) = (mask(p, n, gate), &p.blend[n]);
        core.gl().color_mask(m[0], m[1], m[2], m[3]);
        self.switch(core, c::BLEND, b.enabled.get(), known);
        let token = |f: BlendFactor| u32::from(f.0);
        core.gl().blend_func_separate(token(b.src_rgb), token(b.dst_rgb), token(b.src_alpha), token(b.dst_alpha));
        core.gl().blend_equation_separate(u32::from(b.eq_rgb.0), u32::from(b.eq_alpha.0));
    }

    fn send_depth_stencil(&mut self, core: &Core, p: &PipelineState, known: bool) {
        let old = if known { self.pipeline } else { None };
        self.switch(core, c::DEPTH_TEST, p.depth_test.get(), known);
        self.switch(core, c::STENCIL_TEST, p.stencil_test.get(), known);
        if core.features().depth_clamp {
            self.switch(core, c::DEPTH_CLAMP, p.depth_clamp.get(), known);
        }
        let gl = core.gl();
        if old.is_none_or(|o| o.depth_mask != p.depth_mask) {
            gl.depth_mask(u8::from(p.depth_mask.get()));
        }
        if old.is_none_or(|o| o.depth_func != p.depth_func) {
            gl.depth_func(u32::from(p.depth_func.0));
        }
        for (face, n) in [(c::FRONT, 0), (c::BACK, 1)] {
            let s = &p.stencil[n];
            if old.is_none_or(|o| o.stencil[n] != *s) {
                let token = |op: mgl_pipe::tokens::StencilOp| u32::from(op.0);
                gl.stencil_op_separate(face, token(s.fail), token(s.depth_fail), token(s.pass));
            }
        }
    }

    fn send_raster(&mut self, core: &Core, p: &PipelineState, gate: &Gate, known: bool) {
        let f = core.features();
        let old = if known { self.pipeline } else { None };
        self.switch(core, c::CULL_FACE, p.cull_enabled.get(), known);
        self.switch(core, c::RASTERIZER_DISCARD, p.rasterizer_discard.get(), known);
        self.switch(core, c::POLYGON_OFFSET_FILL, offset(p), known);
        self.switch(core, c::PRIMITIVE_RESTART_FIXED_INDEX, self.on.contains(&c::PRIMITIVE_RESTART_FIXED_INDEX), known);
        let gl = core.gl();
        if old.is_none_or(|o| o.cull_face != p.cull_face) {
            gl.cull_face(u32::from(p.cull_face.0));
        }
        if old.is_none_or(|o| o.front_face != p.front_face) || self.gate.flipped != gate.flipped {
            let turned = match (p.front_face, gate.flipped) {
                (FrontFace::Ccw, true) => FrontFace::Cw,
                (_, true) => FrontFace::Ccw,
                (face, false) => face,
            };
            gl.front_face(u32::from(turned.0));
        }
        if f.clip_control && old.is_none_or(|o| (o.clip_origin, o.clip_depth) != (p.clip_origin, p.clip_depth)) {
            gl.clip_control(u32::from(p.clip_origin.0), u32::from(p.clip_depth.0));
        }
        if f.polygon_mode && old.is_none_or(|o| visible_mode(&o) != visible_mode(p)) {
            set_polygon_mode(core, visible_mode(p).unwrap_or(PolygonMode::Fill));
        }
        if f.provoking_vertex && old.is_none_or(|o| o.provoking_vertex != p.provoking_vertex) {
            gl.provoking_vertex(u32::from(p.provoking_vertex.0));
        }
        if f.logic_op {
            self.switch(core, c::COLOR_LOGIC_OP, p.logic_op_enabled.get(), known);
            if old.is_none_or(|o| o.logic_op != p.logic_op) {
                core.gl().logic_op(u32::from(p.logic_op.0));
            }
        }
    }

    fn send_multisample(&mut self, core: &Core, p: &PipelineState, gate: &Gate, known: bool) {
        let old = if known { self.pipeline } else { None };
        // Without multisampling no sample operation happens (GL 4.6 §17.3.3); ES cannot switch it off.
        let many = p.multisample.get() && gate.samples > 1;
        self.switch(core, c::SAMPLE_ALPHA_TO_COVERAGE, p.alpha_to_coverage.get() && many, known);
        self.switch(core, c::SAMPLE_COVERAGE, p.sample_coverage.get() && many, known);
        let changed = |o: PipelineState| {
            (o.sample_coverage_value.to_bits(), o.sample_coverage_invert)
                != (p.sample_coverage_value.to_bits(), p.sample_coverage_invert)
        };
        if old.is_none_or(changed) {
            core.gl().sample_coverage(p.sample_coverage_value, u8::from(p.sample_coverage_invert.get()));
        }
        if core.device.minor >= 1 {
            self.switch(core, c::SAMPLE_MASK, p.sample_mask_enabled.get() && many, known);
            if old.is_none_or(|o| o.sample_mask != p.sample_mask) {
                core.gl().sample_maski(0, p.sample_mask);
            }
        }
        if core.features().sample_shading {
            self.switch(core, c::SAMPLE_SHADING, p.sample_shading.get(), known);
            if old.is_none_or(|o| o.min_sample_shading.to_bits() != p.min_sample_shading.to_bits()) {
                core.gl().min_sample_shading(p.min_sample_shading);
            }
        }
        if core.features().alpha_to_one {
            self.switch(core, c::MULTISAMPLE, p.multisample.get(), known);
            self.switch(core, c::SAMPLE_ALPHA_TO_ONE, p.alpha_to_one.get(), known);
        }
    }

    /// Primitive restart is a state of the draw.
    pub fn restart(&mut self, core: &Core, on: bool) {
        self.switch(core, c::PRIMITIVE_RESTART_FIXED_INDEX, on, true);
    }
}

/// Polygon offset of the mode that polygons are drawn in. Lines and points of polygons are filled primitives here unless
/// the driver has polygon modes.
fn offset(p: &PipelineState) -> bool {
    match visible_mode(p).unwrap_or(PolygonMode::Fill) {
        PolygonMode::Line => p.offset_line.get(),
        PolygonMode::Point => p.offset_point.get(),
        _ => p.offset_fill.get(),
    }
}

fn set_polygon_mode(core: &Core, mode: PolygonMode) {
    if core.device.extensions.contains("GL_NV_polygon_mode") {
        core.gl().polygon_mode(c::FRONT_AND_BACK, u32::from(mode.0));
    } else {
        core.gl().polygon_mode_angle(c::FRONT_AND_BACK, u32::from(mode.0));
    }
    for cap in [c::POLYGON_OFFSET_LINE] {
        // The fill switch stands for the mode in use.
        if mode == PolygonMode::Line { core.gl().enable(cap) } else { core.gl().disable(cap) }
    }
}

fn mask(p: &PipelineState, buffer: usize, gate: &Gate) -> [u8; 4] {
    let mut m = p.color_mask[buffer].map(|b| u8::from(b.get()));
    if gate.widened_alpha & (1 << buffer) != 0 {
        // The storage's alpha stays 1, so that blending with it reads 1.
        m[3] = 0;
    }
    m
}

fn blend_of(core: &Core, buffer: u32, b: &BlendState) {
    let gl = core.gl();
    if b.enabled.get() {
        gl.enablei(c::BLEND, buffer)
    } else {
        gl.disablei(c::BLEND, buffer)
    }
    let token = |f: BlendFactor| u32::from(f.0);
    gl.blend_func_separatei(buffer, token(b.src_rgb), token(b.dst_rgb), token(b.src_alpha), token(b.dst_alpha));
    gl.blend_equation_separatei(buffer, u32::from(b.eq_rgb.0), u32::from(b.eq_alpha.0));
}

/// What of the clip control a shader must do because the driver does not.
pub fn clip_variant(core: &Core, p: &PipelineState) -> (bool, bool) {
    let shader = !core.features().clip_control;
    (shader && p.clip_depth == ClipDepth::ZeroToOne, shader && p.clip_origin == ClipOrigin::UpperLeft)
}
