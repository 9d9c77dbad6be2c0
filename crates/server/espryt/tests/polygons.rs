//! Polygon modes: by the driver, by a geometry stage where it has none, and by rewritten indices where it has no geometry
//! stages either.

mod common;

#[path = "../../backend/conformance/scene.rs"]
#[macro_use]
#[allow(dead_code, unused_imports, unused_macros, reason = "the suite has more helpers than these tests need")]
mod scene;

use mgl_backend::values::{Bool8, Format, Surface};
use mgl_backend::{Refusal, Verbs};
use mgl_pipe::tokens::{CullFace, IndexSize, PolygonMode, PrimitiveMode};
use scene::Scene;

const SIZE: [u32; 2] = [16, 16];
const RED: [u8; 4] = [255, 0, 0, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// A counter-clockwise triangle that covers the lower left half, its edges through pixel centres.
fn triangle(disable: &str, mode: PolygonMode) -> (Scene, Surface) {
    let mut s = Scene::new(disable);
    let target = s.texture(Format::Rgba8, SIZE, 1);
    s.bind(&[target], None, SIZE);
    s.plain();
    let at = |pixel: f32| (pixel + 0.5) / 8.0 - 1.0;
    let corner = |x: f32, y: f32| [at(x), at(y), 0.0, 1.0, 1.0, 0.0, 0.0, 1.0];
    s.vertices(&[corner(1.0, 1.0), corner(14.0, 1.0), corner(1.0, 14.0)]);
    s.clear_color([0.0, 0.0, 0.0, 1.0]);
    s.pipeline(|p| (p.polygon_front, p.polygon_back) = (mode, mode));
    (s, target)
}

/// A wireframe shows edges and nothing between them.
#[test]
fn lines_show_edges() {
    for disable in ["", "polygon_mode", "polygon_mode,geometry_shader"] {
        let (mut s, target) = triangle(disable, PolygonMode::Line);
        s.draw(PrimitiveMode::Triangles, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 6, 1), RED, "without {disable:?}: the lower edge");
        assert_eq!(s.pixel(&target, SIZE, 1, 6), RED, "without {disable:?}: the left edge");
        assert_eq!(s.pixel(&target, SIZE, 4, 4), BLACK, "without {disable:?}: inside");
    }
}

/// Points of polygons have the size that the program sets for points.
#[test]
fn points_show_corners() {
    for disable in ["", "polygon_mode", "polygon_mode,geometry_shader"] {
        let (mut s, target) = triangle(disable, PolygonMode::Point);
        s.dynamic(|d| d.point_size = 3.0);
        s.draw(PrimitiveMode::Triangles, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 0, 0), RED, "without {disable:?}: around a corner");
        assert_eq!(s.pixel(&target, SIZE, 6, 1), BLACK, "without {disable:?}: an edge");
    }
}

/// Culling goes by the polygon, not by its lines.
#[test]
fn wireframes_are_culled() {
    for disable in ["", "polygon_mode"] {
        let (mut s, target) = triangle(disable, PolygonMode::Line);
        s.pipeline(|p| (p.cull_enabled, p.cull_face) = (Bool8::new(true), CullFace::Front));
        s.draw(PrimitiveMode::Triangles, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 6, 1), BLACK, "a front face is culled");
        s.pipeline(|p| p.cull_face = CullFace::Back);
        s.draw(PrimitiveMode::Triangles, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 6, 1), RED, "a front face is drawn");
    }
}

/// A hidden face's mode does not matter; two visible modes at once are refused by name.
#[test]
fn modes_per_face() {
    let (mut s, target) = triangle("", PolygonMode::Fill);
    s.pipeline(|p| {
        p.polygon_back = PolygonMode::Line;
        (p.cull_enabled, p.cull_face) = (Bool8::new(true), CullFace::Back);
    });
    s.draw(PrimitiveMode::Triangles, 0, 3);
    assert_eq!(s.pixel(&target, SIZE, 4, 4), RED, "front faces are filled");
    s.pipeline(|p| p.cull_enabled = Bool8::new(false));
    let ranges = [mgl_backend::values::DrawRange { start: 0, count: 3, base_vertex: 0 }];
    let draw = mgl_backend::Draw {
        mode: PrimitiveMode::Triangles,
        index_size: IndexSize::Arrays,
        restart: false,
        restart_index: 0,
        instance_count: 1,
        base_instance: 0,
        ranges: &ranges,
        separate: false,
        indirect: None,
        captured: None,
    };
    let refused = s.backend.draw(&mut s.ctx, &draw);
    assert_eq!(refused, Err(Refusal::Unsupported("PolygonModePerFace")));
}
