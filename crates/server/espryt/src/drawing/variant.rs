//! Which variant of a program a draw needs. Must not know how variants are made.

use crate::core::Core;
use crate::essl::{Count, Variant, Wire};
use crate::frames::TargetInfo;
use crate::programs::Program;
use crate::state::{clip_variant, visible_mode};
use mgl_backend::{ContextState, Rasterised};
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{CullFace, FrontFace, PolygonMode, PrimitiveMode, ProvokingVertex};
use mgl_spirv::PassedControl;

/// The variant of a draw.
pub fn of_draw(
    core: &Core,
    ctx: &ContextState,
    program: &Program,
    target: &TargetInfo,
    (what, mode): (Rasterised, PrimitiveMode),
    fetch: crate::essl::FetchSet,
) -> Variant {
    let (p, flags) = (&ctx.pipeline, &program.archive.flags);
    let points = what == Rasterised::Points || what == Rasterised::Polygons && p.polygon_front == PolygonMode::Point;
    let (zero_to_one, flip_y) = clip_variant(core, p);
    let color: u8 = (0..8).filter(|i| target.color[*i].is_some()).fold(0, |mask, i| mask | 1 << i);
    let many = target.samples > 1 && p.multisample.get();
    Variant {
        point_size: points && !(flags.writes_point_size && p.program_point_size.get()),
        point_coord_flip: points && flags.reads_point_coord && p.point_origin_lower_left.get(),
        zero_to_one,
        flip_y,
        clip_off: ((1u32 << flags.clip_distances.min(8)) - 1) as u8 & !(ctx.dynamic.clip_distances as u8),
        count: Count::Nothing,
        control: control(ctx, program),
        wire: wire(core, ctx, program, what, mode),
        biased: false,
        broadcast: if flags.broadcast_color { color & !1 } else { 0 },
        alpha_to_one: many && p.alpha_to_one.get() && !core.features().alpha_to_one && program.has(Stage::Fragment),
        fetch,
        formats: [0; crate::essl::VARIANT_IMAGES],
    }
}

/// The control stage of a program that has none.
fn control(ctx: &ContextState, program: &Program) -> Option<PassedControl> {
    let patch = &ctx.patch;
    program.needs_control().then(|| PassedControl::new(patch.vertices, patch.outer, patch.inner))
}

/// Whether a geometry stage of ours can draw the polygons of a program.
pub fn can_wire(core: &Core, ctx: &ContextState, program: &Program) -> bool {
    let f = core.features();
    f.geometry_shader && !f.polygon_mode && !program.has(Stage::Geometry) && !ctx.xfb_capturing
}

fn wire(core: &Core, ctx: &ContextState, program: &Program, what: Rasterised, mode: PrimitiveMode) -> Wire {
    let p = &ctx.pipeline;
    let drawn = match visible_mode(p) {
        Some(PolygonMode::Line) => Wire::LINES,
        Some(PolygonMode::Point) => Wire::POINTS,
        _ => return Wire::default(),
    };
    if what != Rasterised::Polygons || !can_wire(core, ctx, program) {
        return Wire::default();
    }
    let culls = |face| p.cull_enabled.get() && (p.cull_face == face || p.cull_face == CullFace::FrontAndBack);
    let (_, flipped) = clip_variant(core, p);
    let adjacent = matches!(mode, PrimitiveMode::TrianglesAdjacency | PrimitiveMode::TriangleStripAdjacency);
    drawn
        .with(Wire::CULL_FRONT, culls(CullFace::Front))
        .with(Wire::CULL_BACK, culls(CullFace::Back))
        .with(Wire::CLOCKWISE, (p.front_face == FrontFace::Cw) != flipped)
        .with(Wire::FIRST, p.provoking_vertex == ProvokingVertex::First)
        .with(Wire::ADJACENCY, adjacent)
}

/// How samples can be counted exactly: no test may have an outcome that early tests would change, and where a fragment has
/// several samples nothing but the polygon may choose among them.
pub fn countable(core: &Core, ctx: &ContextState, program: &Program, target: &TargetInfo) -> Count {
    let (p, flags) = (&ctx.pipeline, &program.archive.flags);
    let (depth, stencil) = (target.depth && p.depth_test.get(), target.stencil && p.stencil_test.get());
    let late = flags.writes_depth || flags.writes_stencil || flags.discards && (depth && p.depth_mask.get() || stencil);
    if late {
        return Count::Nothing;
    }
    if target.samples <= 1 {
        return Count::Fragments;
    }
    let masks = p.alpha_to_coverage.get() || p.sample_coverage.get() || p.sample_mask_enabled.get();
    let chosen = flags.writes_sample_mask || p.multisample.get() && masks;
    let known = core.features().sample_variables && !depth && !stencil && !chosen;
    if known { Count::Samples } else { Count::Nothing }
}

/// Adds the formats of images that the program declares without one.
pub fn add_formats(variant: &mut Variant, ctx: &ContextState, images: &[crate::programs::Slots]) {
    for image in images.iter().filter(|i| i.formatless) {
        if let Some(slot) = variant.formats.get_mut(image.slot as usize) {
            *slot = ctx.images.get(image.slot as usize).map_or(0, |i| if i.texture.is_null() { 0 } else { i.format });
        }
    }
}
