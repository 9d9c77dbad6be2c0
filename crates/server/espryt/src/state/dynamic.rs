//! The dynamic subset in the driver: viewports, scissors, reference values, widths. Must not know programs.

use super::{Gate, Shadow};
use crate::core::Core;
use crate::raw::consts as c;
use mgl_backend::values::{DynamicState, PipelineState};

/// What was sent; `None` = unknown.
#[derive(Default)]
pub struct Sent {
    viewports: Option<([[u32; 6]; 16], u32)>,
    scissors: Option<([[i32; 4]; 16], u32)>,
    stencil: [Option<([u32; 3], u16)>; 2],
    blend: Option<[u32; 4]>,
    offset: Option<[u32; 3]>,
    line: Option<u32>,
    clip: Option<u32>,
    dither: Option<bool>,
}

impl Shadow {
    /// Sends the dynamic subset.
    pub(super) fn send_dynamic(&mut self, core: &Core, p: &PipelineState, d: &DynamicState, gate: &Gate) {
        self.viewports(core, d, gate);
        self.scissors(core, d, gate);
        self.stencil(core, p, d);
        let gl = core.gl();
        let blend = d.blend_color.map(f32::to_bits);
        if self.sent.blend != Some(blend) {
            gl.blend_color(d.blend_color[0], d.blend_color[1], d.blend_color[2], d.blend_color[3]);
            self.sent.blend = Some(blend);
        }
        let offset = [d.offset_factor, d.offset_units, d.offset_clamp];
        if self.sent.offset != Some(offset.map(f32::to_bits)) {
            if core.features().polygon_offset_clamp {
                gl.polygon_offset_clamp(offset[0], offset[1], offset[2]);
            } else {
                gl.polygon_offset(offset[0], offset[1]);
            }
            self.sent.offset = Some(offset.map(f32::to_bits));
        }
        if self.sent.line != Some(d.line_width.to_bits()) {
            gl.line_width(d.line_width.max(f32::MIN_POSITIVE));
            self.sent.line = Some(d.line_width.to_bits());
        }
        if self.sent.dither != Some(d.dither.get()) {
            if d.dither.get() {
                gl.enable(c::DITHER)
            } else {
                gl.disable(c::DITHER)
            }
            self.sent.dither = Some(d.dither.get());
        }
        self.clip(core, d, gate);
    }

    /// Clip distances that are on and written: what is not written must not clip.
    fn clip(&mut self, core: &Core, d: &DynamicState, gate: &Gate) {
        if !core.features().clip_cull_distance {
            return;
        }
        let want = d.clip_distances & u32::from(gate.clip_written);
        let old = self.sent.clip;
        for i in 0..8 {
            let bit = 1 << i;
            if old.is_none_or(|o| (o ^ want) & bit != 0) {
                let cap = c::CLIP_DISTANCE0 + i;
                if want & bit != 0 { core.gl().enable(cap) } else { core.gl().disable(cap) }
            }
        }
        self.sent.clip = Some(want);
    }

    /// Comparison, reference and masks of both faces.
    pub(super) fn stencil(&mut self, core: &Core, p: &PipelineState, d: &DynamicState) {
        for (face, n) in [(c::FRONT, 0), (c::BACK, 1)] {
            let s = &d.stencil[n];
            // The reference is clamped to the buffer's range (GL 4.6 §17.3.3); stencil has 8 bits everywhere.
            let reference = s.reference.clamp(0, 255);
            let want = ([s.value_mask, s.write_mask, reference.cast_unsigned()], p.stencil[n].func.0);
            if self.sent.stencil[n] != Some(want) {
                core.gl().stencil_func_separate(face, u32::from(want.1), reference, s.value_mask);
                core.gl().stencil_mask_separate(face, s.write_mask);
                self.sent.stencil[n] = Some(want);
            }
        }
    }

    fn viewports(&mut self, core: &Core, d: &DynamicState, gate: &Gate) {
        let count = gate.viewports.clamp(1, 16);
        let mut want = [[0u32; 6]; 16];
        for (i, slot) in want.iter_mut().enumerate().take(count as usize) {
            let (v, r) = (&d.viewports[i], &d.depth_ranges[i]);
            *slot = [v[0], v[1], v[2], v[3], r[0], r[1]].map(f32::to_bits);
        }
        if self.sent.viewports == Some((want, count)) {
            return;
        }
        self.sent.viewports = Some((want, count));
        let gl = core.gl();
        if core.features().viewport_array {
            // The first one of a program without viewport indices keeps its fractions too.
            gl.viewports(0, &d.viewports[..count as usize]);
            gl.depth_ranges(0, &d.depth_ranges[..count as usize]);
            return;
        }
        let [x, y, w, h] = d.viewports[0].map(|v| v.round() as i32);
        gl.viewport(x, y, w.max(0), h.max(0));
        gl.depth_rangef(d.depth_ranges[0][0], d.depth_ranges[0][1]);
    }

    fn scissors(&mut self, core: &Core, d: &DynamicState, gate: &Gate) {
        let count = gate.viewports.clamp(1, 16);
        let mut want = [[0; 4]; 16];
        let mut any = false;
        for (i, slot) in want.iter_mut().enumerate().take(count as usize) {
            let on = d.scissor_enabled & (1 << i) != 0;
            any |= on;
            *slot = if on {
                let [x, y, w, h] = d.scissors[i];
                [x, y, w.max(0), h.max(0)]
            } else {
                [0, 0, gate.extent[0].cast_signed(), gate.extent[1].cast_signed()]
            };
        }
        // With the test off the boxes do not matter.
        let key = (if any { want } else { [[-1; 4]; 16] }, if any { count } else { 0 });
        if self.sent.scissors == Some(key) {
            return;
        }
        self.sent.scissors = Some(key);
        let gl = core.gl();
        if !any {
            gl.disable(c::SCISSOR_TEST);
            return;
        }
        gl.enable(c::SCISSOR_TEST);
        if core.features().viewport_array {
            gl.scissors(0, &want[..count as usize]);
        } else {
            gl.scissor(want[0][0], want[0][1], want[0][2], want[0][3]);
        }
    }
}
