//! Dynamic state: a shadow of what the command buffer holds; only differences are recorded. Must not know passes.

use crate::device::Gpu;
use crate::pipelines::{Loose, LooseOne, LooseTwo};
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::values::{DynamicState, PipelineState};
use mgl_pipe::tokens::ClipOrigin;

/// What the command buffer holds; `None` = unknown.
#[derive(Default)]
pub struct Shadow {
    viewports: Option<([[f32; 6]; 16], u32)>,
    scissors: Option<([[i32; 4]; 16], u32)>,
    blend: Option<[u32; 4]>,
    bias: Option<[u32; 3]>,
    line: Option<u32>,
    stencil: [Option<[u32; 3]>; 2],
    one: Option<LooseOne>,
    two: Option<LooseTwo>,
    point_size: Option<(u32, vk::PipelineLayout)>,
}

impl Shadow {
    /// Forgets everything: a new command buffer, or somebody else recorded state.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Records the extended states of a pipeline.
    pub fn loose(&mut self, recorder: &Recorder<'_>, new: &Loose) {
        if self.one.as_ref() != Some(&new.one) {
            recorder.set_loose_one(&new.one, self.one.as_ref());
            self.one = Some(new.one);
        }
        if self.two.as_ref() != Some(&new.two) {
            recorder.set_loose_two(&new.two, self.two.as_ref());
            self.two = Some(new.two);
        }
    }

    /// The point size in the push constants.
    pub fn point_size(&mut self, recorder: &Recorder<'_>, layout: vk::PipelineLayout, size: f32) {
        let want = Some((size.to_bits(), layout));
        if self.point_size != want {
            recorder.push_constants(layout, vk::ShaderStageFlags::ALL_GRAPHICS, 0, &size.to_ne_bytes());
            self.point_size = want;
        }
    }

    /// Records what differs of the dynamic block. `viewports` is the number that the pipeline has, `extent` the
    /// framebuffer's.
    pub fn apply(
        &mut self,
        gpu: &Gpu,
        recorder: &Recorder<'_>,
        state: (&PipelineState, &DynamicState),
        viewports: u32,
        extent: [u32; 2],
    ) {
        let (pipeline, dynamic) = state;
        self.viewport(recorder, pipeline, dynamic, viewports);
        self.scissor(recorder, dynamic, viewports, extent);
        let blend = dynamic.blend_color.map(f32::to_bits);
        if self.blend != Some(blend) {
            recorder.set_blend_constants(&dynamic.blend_color);
            self.blend = Some(blend);
        }
        let clamp = if gpu.features.depth_bias_clamp { dynamic.offset_clamp } else { 0.0 };
        let bias = [dynamic.offset_units, clamp, dynamic.offset_factor];
        if self.bias != Some(bias.map(f32::to_bits)) {
            recorder.set_depth_bias(bias[0], bias[1], bias[2]);
            self.bias = Some(bias.map(f32::to_bits));
        }
        let width = line_width(gpu, dynamic.line_width);
        if self.line != Some(width.to_bits()) {
            recorder.set_line_width(width);
            self.line = Some(width.to_bits());
        }
        self.stencil(recorder, dynamic);
    }

    fn stencil(&mut self, recorder: &Recorder<'_>, dynamic: &DynamicState) {
        for (face, index) in [(vk::StencilFaceFlags::FRONT, 0), (vk::StencilFaceFlags::BACK, 1)] {
            let s = &dynamic.stencil[index];
            // The reference is clamped to the buffer's range (GL 4.6 §17.3.3); stencil has 8 bits everywhere.
            let want = [s.value_mask, s.write_mask, s.reference.clamp(0, 255) as u32];
            if self.stencil[index] != Some(want) {
                recorder.set_stencil_compare_mask(face, want[0]);
                recorder.set_stencil_write_mask(face, want[1]);
                recorder.set_stencil_reference(face, want[2]);
                self.stencil[index] = Some(want);
            }
        }
    }

    fn viewport(&mut self, recorder: &Recorder<'_>, p: &PipelineState, d: &DynamicState, count: u32) {
        let mut want = [[0.0; 6]; 16];
        for (i, slot) in want.iter_mut().enumerate().take(count as usize) {
            *slot = viewport(&d.viewports[i], &d.depth_ranges[i], p.clip_origin == ClipOrigin::UpperLeft);
        }
        if self.viewports == Some((want, count)) {
            return;
        }
        let list = want.map(|v| vk::Viewport {
            x: v[0],
            y: v[1],
            width: v[2],
            height: v[3],
            min_depth: v[4],
            max_depth: v[5],
        });
        recorder.set_viewports(0, &list[..count as usize]);
        self.viewports = Some((want, count));
    }

    fn scissor(&mut self, recorder: &Recorder<'_>, d: &DynamicState, count: u32, extent: [u32; 2]) {
        let mut want = [[0; 4]; 16];
        for (i, slot) in want.iter_mut().enumerate().take(count as usize) {
            let empty = d.viewports[i][2] <= 0.0 || d.viewports[i][3] <= 0.0;
            let on = d.scissor_enabled & (1 << i) != 0;
            *slot = clip_box(on.then_some(d.scissors[i]), extent);
            if empty {
                *slot = [0; 4];
            }
        }
        if self.scissors == Some((want, count)) {
            return;
        }
        let list = want.map(rect);
        recorder.set_scissors(0, &list[..count as usize]);
        self.scissors = Some((want, count));
    }
}

/// x, y, width, height, near, far. An upper-left clip origin turns the picture: a negative height does that (GL 4.6
/// §13.8.1, Vulkan 1.1 maintenance1).
fn viewport(v: &[f32; 4], range: &[f32; 2], upper_left: bool) -> [f32; 6] {
    let [x, y, w, h] = *v;
    // Vulkan has no empty viewports; the scissor box is empty then.
    let (w, h) = (if w > 0.0 { w } else { 1.0 }, if h > 0.0 { h } else { 1.0 });
    let (y, h) = if upper_left { (y + h, -h) } else { (y, h) };
    [x, y, w, h, range[0].clamp(0.0, 1.0), range[1].clamp(0.0, 1.0)]
}

/// A scissor box clipped to the framebuffer; the whole framebuffer without one.
pub fn clip_box(scissor: Option<[i32; 4]>, extent: [u32; 2]) -> [i32; 4] {
    let (width, height) = (extent[0] as i32, extent[1] as i32);
    let Some([x, y, w, h]) = scissor else { return [0, 0, width, height] };
    let (x0, y0) = (x.clamp(0, width), y.clamp(0, height));
    let x1 = x.saturating_add(w.max(0)).clamp(x0, width);
    let y1 = y.saturating_add(h.max(0)).clamp(y0, height);
    [x0, y0, x1 - x0, y1 - y0]
}

/// The box as Vulkan takes it; it is clipped already.
pub fn rect(b: [i32; 4]) -> vk::Rect2D {
    vk::Rect2D {
        offset: vk::Offset2D { x: b[0], y: b[1] },
        extent: vk::Extent2D { width: b[2] as u32, height: b[3] as u32 },
    }
}

fn line_width(gpu: &Gpu, width: f32) -> f32 {
    if !gpu.features.wide_lines {
        return 1.0;
    }
    let [low, high] = gpu.properties.limits.line_width_range;
    width.clamp(low.max(f32::MIN_POSITIVE), high)
}

#[cfg(test)]
mod tests {
    use super::{clip_box, viewport};

    /// A scissor box that hangs over the edge must not become a huge one through wrap-around.
    #[test]
    fn scissor_boxes_are_clipped() {
        assert_eq!(clip_box(Some([-5, 2, 10, 100]), [8, 8]), [0, 2, 5, 6]);
        assert_eq!(clip_box(Some([i32::MAX, 0, i32::MAX, 4]), [8, 8]), [8, 0, 0, 4]);
        assert_eq!(clip_box(Some([4, 2, i32::MAX, i32::MAX]), [8, 8]), [4, 2, 4, 6]);
        assert_eq!(clip_box(None, [8, 4]), [0, 0, 8, 4]);
    }

    /// With an upper-left clip origin the picture is upside down in window space.
    #[test]
    fn upper_left_origin_mirrors() {
        assert_eq!(viewport(&[0.0, 10.0, 4.0, 20.0], &[0.0, 1.0], true), [0.0, 30.0, 4.0, -20.0, 0.0, 1.0]);
    }
}
