//! From the GL pipeline subset to Vulkan pipeline state, as two hashable values: what is always baked, and what is
//! dynamic where the device allows. Must not know handles, caches or command buffers.

use super::convert;
use crate::device::DeviceFeatures;
use ash::vk;
use mgl_backend::Rasterised;
use mgl_backend::values::{Base, BlendState, Format, Numeric, PipelineState};
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::tokens::{ClipDepth, ClipOrigin, FrontFace, PolygonMode, ProvokingVertex};

/// Attachment formats of a pass, by fragment output location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PassFormat {
    /// Formats of the attachment views; `UNDEFINED` = none.
    pub color: [vk::Format; MAX_DRAW_BUFFERS],
    /// GL formats of the same, for masks and blending.
    pub gl: [Option<Format>; MAX_DRAW_BUFFERS],
    /// Outputs that exist: the highest used + 1.
    pub count: u32,
    /// Depth/stencil view format.
    pub depth_stencil: vk::Format,
    /// It has depth.
    pub has_depth: bool,
    /// It has stencil.
    pub has_stencil: bool,
    /// Samples, at least 1.
    pub samples: u32,
    /// Depth/stencil attachment is also sampled: both stay in the general layout.
    pub feedback: bool,
}

/// Inputs of the translation that come from the draw and the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawShape {
    /// Topology as drawn.
    pub topology: vk::PrimitiveTopology,
    /// Restart index is the fixed one and restart is on.
    pub restart: bool,
    /// Vertices per patch.
    pub patch_vertices: u32,
    /// Viewports: more than one when the program writes `gl_ViewportIndex`.
    pub viewports: u32,
    /// Fragment outputs that exist, by location.
    pub outputs_written: u8,
    /// Output 0 has an alpha.
    pub alpha_written: bool,
    /// What is rasterised at the end of the pipeline.
    pub rasterised: Rasterised,
}

/// Blend state of one attachment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attachment {
    /// Blending is on.
    pub blend: bool,
    /// Factors and equations as Vulkan numbers: src rgb, dst rgb, op rgb, src alpha, dst alpha, op alpha.
    pub terms: [i32; 6],
    /// Write mask.
    pub mask: u32,
}

/// Always baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Baked {
    /// Topology, or its class when topology is dynamic.
    pub topology: vk::PrimitiveTopology,
    /// Vertices per patch, 0 without tessellation.
    pub patch_vertices: u32,
    /// Viewports.
    pub viewports: u32,
    /// Depth clamp.
    pub depth_clamp: bool,
    /// `VK_EXT_depth_clip_control`.
    pub negative_one_to_one: bool,
    /// Polygon mode.
    pub polygon: vk::PolygonMode,
    /// Line rasterisation: 0 default, else the Vulkan number.
    pub line_mode: i32,
    /// Provoking vertex is the last one.
    pub provoking_last: bool,
    /// Samples.
    pub samples: u32,
    /// Effective sample mask.
    pub sample_mask: u32,
    /// Minimum sample shading by bits; 0 = off.
    pub sample_shading: u32,
    /// Alpha to coverage.
    pub alpha_to_coverage: bool,
    /// Alpha to one.
    pub alpha_to_one: bool,
    /// Logic operation, when on.
    pub logic_op: Option<vk::LogicOp>,
    /// Attachments by output location.
    pub attachments: [Attachment; MAX_DRAW_BUFFERS],
    /// Formats.
    pub format: PassFormat,
}

/// Baked only where the device has no extended dynamic state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loose {
    /// Extended dynamic state 1.
    pub one: LooseOne,
    /// Extended dynamic state 2.
    pub two: LooseTwo,
}

/// States of `VK_EXT_extended_dynamic_state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LooseOne {
    /// Topology as drawn.
    pub topology: vk::PrimitiveTopology,
    /// Culled faces.
    pub cull: vk::CullModeFlags,
    /// Front face.
    pub front: vk::FrontFace,
    /// Depth test.
    pub depth_test: bool,
    /// Depth writes.
    pub depth_write: bool,
    /// Depth comparison.
    pub depth_op: vk::CompareOp,
    /// Stencil test.
    pub stencil_test: bool,
    /// fail, pass, depth fail, compare of the front and the back face.
    pub stencil: [[i32; 4]; 2],
}

/// States of `VK_EXT_extended_dynamic_state2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LooseTwo {
    /// Rasterisation is off.
    pub discard: bool,
    /// Depth bias.
    pub bias: bool,
    /// Primitive restart.
    pub restart: bool,
}

/// Translates a pipeline subset.
pub fn translate(p: &PipelineState, f: &PassFormat, draw: &DrawShape, features: &DeviceFeatures) -> (Baked, Loose) {
    let samples = f.samples.max(1);
    let multisample = samples > 1 && p.multisample.get();
    let polygons = draw.rasterised == Rasterised::Polygons;
    let baked = Baked {
        topology: if features.extended_dynamic_state { convert::class_of(draw.topology) } else { draw.topology },
        patch_vertices: draw.patch_vertices,
        viewports: if features.multi_viewport { draw.viewports } else { 1 },
        depth_clamp: p.depth_clamp.get() && features.depth_clamp,
        negative_one_to_one: features.depth_clip_control && p.clip_depth == ClipDepth::NegativeOneToOne,
        polygon: if polygons && features.fill_mode_non_solid {
            convert::polygon_mode(p.polygon_front)
        } else {
            vk::PolygonMode::FILL
        },
        line_mode: line_mode(p, draw, samples, features),
        provoking_last: features.provoking_vertex_last && p.provoking_vertex == ProvokingVertex::Last,
        samples,
        sample_mask: sample_mask(p, samples),
        sample_shading: if multisample && p.sample_shading.get() && features.sample_rate_shading {
            p.min_sample_shading.clamp(0.0, 1.0).max(f32::MIN_POSITIVE).to_bits()
        } else {
            0
        },
        // Without an alpha GL leaves the coverage undefined; Vulkan does not allow to ask for it.
        alpha_to_coverage: multisample && p.alpha_to_coverage.get() && draw.alpha_written,
        alpha_to_one: multisample && p.alpha_to_one.get() && features.alpha_to_one,
        logic_op: (p.logic_op_enabled.get() && features.logic_op).then(|| convert::logic_op(p.logic_op)),
        attachments: core::array::from_fn(|i| attachment(p, f, draw, i, features)),
        format: *f,
    };
    let two =
        LooseTwo { discard: p.rasterizer_discard.get(), bias: polygons && bias_enabled(p), restart: draw.restart };
    (baked, Loose { one: loose_one(p, f, draw), two })
}

fn loose_one(p: &PipelineState, f: &PassFormat, draw: &DrawShape) -> LooseOne {
    let depth_test = p.depth_test.get() && f.has_depth;
    let stencil_test = p.stencil_test.get() && f.has_stencil;
    let face = |i: usize| {
        let s = &p.stencil[i];
        [
            convert::stencil_op(s.fail).as_raw(),
            convert::stencil_op(s.pass).as_raw(),
            convert::stencil_op(s.depth_fail).as_raw(),
            convert::compare(s.func).as_raw(),
        ]
    };
    LooseOne {
        topology: draw.topology,
        cull: if p.cull_enabled.get() { convert::cull_mode(p.cull_face) } else { vk::CullModeFlags::NONE },
        front: front_face(p),
        depth_test,
        depth_write: depth_test && p.depth_mask.get(),
        depth_op: if depth_test { convert::compare(p.depth_func) } else { vk::CompareOp::ALWAYS },
        stencil_test,
        stencil: if stencil_test { [face(0), face(1)] } else { [[0; 4]; 2] },
    }
}

/// Memory row 0 is GL row 0, so the signed area has the opposite sign in Vulkan's terms; an upper-left clip origin turns
/// both the image and GL's notion of the winding (GL 4.6 §14.6.1).
fn front_face(p: &PipelineState) -> vk::FrontFace {
    let ccw = p.front_face == FrontFace::Ccw;
    if ccw == (p.clip_origin == ClipOrigin::LowerLeft) {
        vk::FrontFace::CLOCKWISE
    } else {
        vk::FrontFace::COUNTER_CLOCKWISE
    }
}

fn bias_enabled(p: &PipelineState) -> bool {
    match p.polygon_front {
        PolygonMode::Fill => p.offset_fill.get(),
        PolygonMode::Line => p.offset_line.get(),
        _ => p.offset_point.get(),
    }
}

fn line_mode(p: &PipelineState, draw: &DrawShape, samples: u32, features: &DeviceFeatures) -> i32 {
    let lines = draw.rasterised == Rasterised::Lines
        || (draw.rasterised == Rasterised::Polygons && p.polygon_front == PolygonMode::Line);
    if !lines {
        return 0;
    }
    let smooth = p.line_smooth.get() && !(samples > 1 && p.multisample.get());
    let incompatible = p.alpha_to_coverage.get() || p.alpha_to_one.get() || p.sample_shading.get();
    if smooth && features.smooth_lines && !incompatible {
        vk::LineRasterizationModeEXT::RECTANGULAR_SMOOTH.as_raw()
    } else if samples == 1 && features.bresenham_lines && !incompatible {
        vk::LineRasterizationModeEXT::BRESENHAM.as_raw()
    } else {
        0
    }
}

/// Sample mask and coverage folded into one word (GL 4.6 §14.9.2, §17.3.3); all ones without multisampling.
pub fn sample_mask(p: &PipelineState, samples: u32) -> u32 {
    if samples <= 1 || !p.multisample.get() {
        return u32::MAX;
    }
    let all = if samples >= 32 { u32::MAX } else { (1 << samples) - 1 };
    let mut mask = all;
    if p.sample_mask_enabled.get() {
        mask &= p.sample_mask;
    }
    if p.sample_coverage.get() {
        let covered = (p.sample_coverage_value.clamp(0.0, 1.0) * samples as f32).round() as u32;
        let bits = if covered >= 32 { u32::MAX } else { (1 << covered) - 1 };
        mask &= if p.sample_coverage_invert.get() { !bits } else { bits };
    }
    mask
}

fn attachment(
    p: &PipelineState,
    f: &PassFormat,
    draw: &DrawShape,
    index: usize,
    features: &DeviceFeatures,
) -> Attachment {
    let Some(format) = f.gl[index] else {
        return Attachment::default();
    };
    // Without independent blend all attachments must be equal: buffer 0 decides.
    let source = if features.independent_blend { index } else { 0 };
    let info = format.info();
    let rgb_only = info.base == Base::Rgb;
    let written = draw.outputs_written & (1 << index) != 0;
    let mask = if written || !features.independent_blend {
        write_mask(p, source, format)
    } else {
        0 // GL leaves outputs that no shader writes undefined; Vulkan requires them masked to be silent.
    };
    let blendable = !matches!(info.numeric, Numeric::Int | Numeric::Uint);
    let state = &p.blend[source];
    if !blendable || !state.enabled.get() || p.logic_op_enabled.get() || !usable(state, features) {
        return Attachment { blend: false, terms: [0; 6], mask };
    }
    let factor = |value, alpha| convert::blend_factor(value, rgb_only, alpha).as_raw();
    let terms = [
        factor(state.src_rgb, false),
        factor(state.dst_rgb, false),
        convert::blend_op(state.eq_rgb).as_raw(),
        factor(state.src_alpha, true),
        factor(state.dst_alpha, true),
        convert::blend_op(state.eq_alpha).as_raw(),
    ];
    Attachment { blend: true, terms, mask }
}

fn usable(state: &BlendState, features: &DeviceFeatures) -> bool {
    let factors = [state.src_rgb, state.dst_rgb, state.src_alpha, state.dst_alpha];
    features.dual_src_blend || !factors.into_iter().any(convert::reads_second_source)
}

/// Colour mask of a draw buffer; alpha of formats without alpha keeps its 1.
pub fn write_mask(p: &PipelineState, index: usize, format: Format) -> u32 {
    let mask = &p.color_mask[index];
    let alpha = matches!(format.info().base, Base::Rgba);
    (0..4)
        .filter(|i| mask[*i].get() && (*i < 3 || alpha || format.info().base != Base::Rgb))
        .fold(0, |bits, i| bits | 1 << i)
}

#[cfg(test)]
mod tests {
    use super::{DrawShape, PassFormat, Rasterised, sample_mask, translate};
    use crate::device::DeviceFeatures;
    use ash::vk;
    use mgl_backend::values::{Bool8, Format, PipelineState};
    use mgl_pipe::tokens::{BlendFactor, ClipOrigin};

    fn shape() -> DrawShape {
        DrawShape {
            topology: vk::PrimitiveTopology::TRIANGLE_STRIP,
            restart: false,
            patch_vertices: 0,
            viewports: 1,
            outputs_written: 0xFF,
            alpha_written: true,
            rasterised: Rasterised::Polygons,
        }
    }

    fn format(gl: Format) -> PassFormat {
        let mut f = PassFormat { count: 1, samples: 1, ..PassFormat::default() };
        f.gl[0] = Some(gl);
        f.color[0] = vk::Format::R8G8B8A8_UNORM;
        f
    }

    fn features() -> DeviceFeatures {
        DeviceFeatures { independent_blend: true, dual_src_blend: true, ..DeviceFeatures::default() }
    }

    /// Blending with destination alpha into an RGB buffer must treat it as 1, or glass drawn over an opaque window gets
    /// the alpha that the storage happens to hold.
    #[test]
    fn destination_alpha_of_rgb_formats_is_one() {
        let mut p = PipelineState::initial();
        p.blend[0].enabled = Bool8::new(true);
        p.blend[0].src_rgb = BlendFactor::DstAlpha;
        p.blend[0].dst_rgb = BlendFactor::OneMinusDstAlpha;
        let (baked, _) = translate(&p, &format(Format::Rgb8), &shape(), &features());
        assert_eq!(baked.attachments[0].terms[0], vk::BlendFactor::ONE.as_raw());
        assert_eq!(baked.attachments[0].terms[1], vk::BlendFactor::ZERO.as_raw());
        assert_eq!(baked.attachments[0].mask, 0b0111);
    }

    /// Integer buffers must not blend: Vulkan forbids it and GL ignores it.
    #[test]
    fn integer_buffers_do_not_blend() {
        let mut p = PipelineState::initial();
        p.blend[0].enabled = Bool8::new(true);
        let (baked, _) = translate(&p, &format(Format::Rgba8Ui), &shape(), &features());
        assert!(!baked.attachments[0].blend);
    }

    /// Depth and stencil tests pass without an attachment; a program that leaves them on must still see its triangles.
    #[test]
    fn tests_need_an_attachment() {
        let mut p = PipelineState::initial();
        p.depth_test = Bool8::new(true);
        p.stencil_test = Bool8::new(true);
        let (_, loose) = translate(&p, &format(Format::Rgba8), &shape(), &features());
        assert!(!loose.one.depth_test && !loose.one.depth_write && !loose.one.stencil_test);
    }

    /// With an upper-left clip origin the picture is mirrored but front faces stay front faces.
    #[test]
    fn clip_origin_turns_the_winding() {
        let mut p = PipelineState::initial();
        let (_, lower) = translate(&p, &format(Format::Rgba8), &shape(), &features());
        p.clip_origin = ClipOrigin::UpperLeft;
        let (_, upper) = translate(&p, &format(Format::Rgba8), &shape(), &features());
        assert_eq!(lower.one.front, vk::FrontFace::CLOCKWISE);
        assert_eq!(upper.one.front, vk::FrontFace::COUNTER_CLOCKWISE);
    }

    /// Coverage 0.5 of four samples covers two, and the inverse the other two: dithered transparency pairs rely on it.
    #[test]
    fn coverage_and_mask_combine() {
        let mut p = PipelineState::initial();
        p.sample_coverage = Bool8::new(true);
        p.sample_coverage_value = 0.5;
        assert_eq!(sample_mask(&p, 4), 0b0011);
        p.sample_coverage_invert = Bool8::new(true);
        assert_eq!(sample_mask(&p, 4), 0b1100);
        p.sample_mask_enabled = Bool8::new(true);
        p.sample_mask = 0b0100;
        assert_eq!(sample_mask(&p, 4), 0b0100);
        assert_eq!(sample_mask(&p, 1), u32::MAX);
    }
}
