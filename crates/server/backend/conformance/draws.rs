//! Draws , with every feature switch that changes how they are done.

use super::scene::{COLOR, DEPTH, Scene, binding, float, rect, shader};
use crate::common::LANES;
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Draw, Programs, Verbs};
use mgl_backend::values::{Bool8, DrawRange, Format};
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{
    AttribType, BlendFactor, ClipOrigin, CompareFunc, CullFace, IndexSize, PrimitiveMode, ProvokingVertex,
};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const SIZE: [u32; 2] = [8, 8];

fn on_every_lane(test: impl Fn(&mut Scene)) {
    for lane in LANES {
        eprintln!("lane without {lane:?}");
        let mut scene = Scene::new(lane);
        test(&mut scene);
        scene.finish();
    }
}

/// The first triangle of every program: wrong winding, clip or layout and the window stays black.
#[test]
fn triangle() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 6, 4), BLACK);
    });
}

/// GL's row 0 is the bottom; culling must follow GL's winding, also with an upper-left clip origin.
#[test]
fn orientation_and_culling() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        // Counter-clockwise strip in the lower half.
        s.vertices(&rect(-1.0, -1.0, 1.0, 0.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        s.pipeline(|p| {
            p.cull_enabled = Bool8::new(true);
            p.cull_face = CullFace::Back;
        });
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 1), GREEN);
        assert_eq!(s.pixel(&target, SIZE, 4, 6), BLACK);
        s.pipeline(|p| p.clip_origin = ClipOrigin::UpperLeft);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 6), GREEN);
        assert_eq!(s.pixel(&target, SIZE, 4, 1), BLACK);
        s.pipeline(|p| p.cull_face = CullFace::Front);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 6), BLACK);
    });
}

/// Depth in GL's [-1, 1] clip range: the nearer of two overlapping rectangles must win in either order.
#[test]
fn depth_test() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        let depth = s.texture(Format::Depth24Stencil8, SIZE, 1);
        s.bind(&[target], Some(depth), SIZE);
        s.plain();
        let mut quads = rect(-1.0, -1.0, 1.0, 1.0, -0.9, [1.0, 0.0, 0.0, 1.0]).to_vec();
        quads.extend(rect(-1.0, -1.0, 1.0, 1.0, 0.5, [0.0, 1.0, 0.0, 1.0]));
        s.vertices(&quads);
        s.pipeline(|p| {
            p.depth_test = Bool8::new(true);
            p.depth_func = CompareFunc::Less;
        });
        s.clear(COLOR | DEPTH);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.draw(PrimitiveMode::TriangleStrip, 4, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
        s.clear(COLOR | DEPTH);
        s.draw(PrimitiveMode::TriangleStrip, 4, 4);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
    });
}

/// Toggling blending between draws: a stale pipeline draws glass as a wall.
#[test]
fn blend_toggles() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 0.5]));
        let off = (s.ctx.pipeline, crate::common::handle(50));
        let mut on = off;
        on.0.blend[0].enabled = Bool8::new(true);
        on.0.blend[0].src_rgb = BlendFactor::SrcAlpha;
        on.0.blend[0].dst_rgb = BlendFactor::OneMinusSrcAlpha;
        on.1 = crate::common::handle(51);
        for round in 0..3 {
            for (state, want) in [(off, 255), (on, 128)] {
                s.clear_color([0.0, 0.0, 0.0, 1.0]);
                (s.ctx.pipeline, s.ctx.pipeline_cso) = state;
                s.ctx.dirty |= Dirty::PIPELINE;
                s.draw(PrimitiveMode::TriangleStrip, 0, 4);
                let red = s.pixel(&target, SIZE, 4, 4)[0];
                assert!(red.abs_diff(want) <= 1, "round {round}: {red}, wanted {want}");
            }
        }
    });
}

/// An RGB buffer keeps alpha 1 whatever is drawn into it.
#[test]
fn rgb_keeps_alpha() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgb8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 0.25]));
        s.clear_color([0.0, 0.0, 1.0, 0.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 6, 4), BLUE);
    });
}

/// Instances with a divisor of 2: two instances share an offset.
#[test]
fn instancing_with_divisor() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("instanced.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {});
        let bytes = |v: &[f32]| v.iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<u8>>();
        let corners = s.buffer(&bytes(&[-1.0, -1.0, -0.5, -1.0, -1.0, 1.0, -0.5, 1.0]));
        let offsets = s.buffer(&bytes(&[0.0, 0.0, 1.0, 0.0]));
        s.elements(&[float(0, 0, 2, 0), float(1, 1, 2, 0)], &[binding(0, 8, 0), binding(1, 8, 2)]);
        s.vertex_buffer(0, corners);
        s.vertex_buffer(1, offsets);
        s.clear_color([0.0; 4]);
        let range = [DrawRange { start: 0, count: 4, base_vertex: 0 }];
        s.draw_with(PrimitiveMode::TriangleStrip, IndexSize::Arrays, &range, |d| d.instance_count = 3);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), [255; 4]);
        assert_eq!(s.pixel(&target, SIZE, 5, 4), [255; 4]);
        assert_eq!(s.pixel(&target, SIZE, 3, 4), [0; 4]);
    });
}

/// Attributes without an array take their current value; formats without a Vulkan twin are converted.
#[test]
fn attribute_values_and_formats() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        let one = 1i32 << 16;
        let fixed: Vec<u8> =
            [-one, -one, one, -one, -one, one, one, one].iter().flat_map(|v| v.to_le_bytes()).collect();
        let positions = s.buffer(&fixed);
        let mut position = float(0, 0, 2, 0);
        position.ty = AttribType::Fixed;
        s.elements(&[position], &[binding(0, 8, 0)]);
        s.vertex_buffer(0, positions);
        s.ctx.attrib_defaults[1].bits = [0.0f32, 1.0, 0.0, 1.0].map(f32::to_bits);
        s.ctx.dirty |= Dirty::ATTRIB_DEFAULTS;
        s.clear_color([0.0; 4]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        s.ctx.attrib_defaults[1].bits = [0.0f32, 0.0, 1.0, 1.0].map(f32::to_bits);
        s.ctx.dirty |= Dirty::ATTRIB_DEFAULTS;
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), BLUE);
    });
}

fn bands() -> Vec<[f32; 8]> {
    let mut v = rect(-1.0, -1.0, -0.5, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]).to_vec();
    v.extend(rect(0.5, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
    v
}

/// Every index type, with fixed and foreign restart indices, natively and rewritten: two strips must stay two strips.
#[test]
fn indices_and_restart() {
    for lane in ["", "index_type_uint8", "list_restart", "dynamic_rendering,index_type_uint8"] {
        let mut scene = Scene::new(lane);
        let s = &mut scene;
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        // The foreign marker is a vertex too, in a corner: two strips that are joined by it cover the middle.
        let mut vertices = bands();
        vertices.resize(78, [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        s.vertices(&vertices);
        for (size, width) in [(IndexSize::U8, 1), (IndexSize::U16, 2), (IndexSize::U32, 4)] {
            let fixed = if width == 4 { u32::MAX } else { (1u32 << (8 * width)) - 1 };
            for marker in [fixed, 77] {
                let list = [0, 1, 2, 3, marker, 4, 5, 6, 7];
                let bytes: Vec<u8> = list.iter().flat_map(|i: &u32| i.to_le_bytes()[..width].to_vec()).collect();
                s.ctx.index_buffer = s.buffer(&bytes);
                s.ctx.dirty |= Dirty::INDEX_BUFFER;
                s.clear_color([0.0, 0.0, 0.0, 1.0]);
                let range = [DrawRange { start: 0, count: 9, base_vertex: 0 }];
                s.draw_with(PrimitiveMode::TriangleStrip, size, &range, |d| {
                    d.restart = true;
                    d.restart_index = marker;
                });
                assert_eq!(s.pixel(&target, SIZE, 0, 4), RED);
                assert_eq!(s.pixel(&target, SIZE, 4, 4), BLACK, "width {width}, marker {marker}");
                assert_eq!(s.pixel(&target, SIZE, 7, 4), GREEN);
            }
        }
        // Restart within a triangle list drops the incomplete triangle.
        let list: Vec<u8> = [0u16, 1, 0xFFFF, 4, 5, 6].iter().flat_map(|i| i.to_le_bytes()).collect();
        s.ctx.index_buffer = s.buffer(&list);
        s.ctx.dirty |= Dirty::INDEX_BUFFER;
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        let range = [DrawRange { start: 0, count: 6, base_vertex: 0 }];
        s.draw_with(PrimitiveMode::Triangles, IndexSize::U16, &range, |d| {
            d.restart = true;
            d.restart_index = 0xFFFF;
        });
        assert_eq!(s.pixel(&target, SIZE, 0, 4), BLACK);
        assert_eq!(s.pixel(&target, SIZE, 6, 1), GREEN);
        scene.finish();
    }
}

/// A line loop closes; base vertex and several ranges reach their vertices.
#[test]
fn line_loop_and_base_vertex() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        let v = |x: f32, y: f32| [x, y, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0];
        let e = 0.875;
        let mut list = vec![v(-e, -e), v(e, -e), v(e, e), v(-e, e)];
        list.extend(rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        s.vertices(&list);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::LineLoop, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 0, 4), RED, "the closing line");
        assert_eq!(s.pixel(&target, SIZE, 4, 4), BLACK);
        let indices: Vec<u8> = [0u16, 1, 2, 3].iter().flat_map(|i| i.to_le_bytes()).collect();
        s.ctx.index_buffer = s.buffer(&indices);
        s.ctx.dirty |= Dirty::INDEX_BUFFER;
        let ranges =
            [DrawRange { start: 0, count: 3, base_vertex: 4 }, DrawRange { start: 2, count: 3, base_vertex: 4 }];
        s.draw_with(PrimitiveMode::Triangles, IndexSize::U16, &ranges, |_| {});
        assert_eq!(s.pixel(&target, SIZE, 1, 1), GREEN);
        assert_eq!(s.pixel(&target, SIZE, 6, 6), GREEN);
    });
}

/// Two draw buffers with different masks, and a gap in the mapping.
#[test]
fn draw_buffers_and_masks() {
    on_every_lane(|s| {
        let (a, b) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.bind(&[a, b], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("two.frag"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        let on = Bool8::new(true);
        let off = Bool8::new(false);
        s.pipeline(|p| p.color_mask[1] = [on, off, on, off]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&a, SIZE, 4, 4), RED);
        assert_eq!(s.pixel(&b, SIZE, 4, 4), BLUE);
        // Output 0 goes nowhere, output 1 to attachment 0.
        s.ctx.draw_framebuffer.draw_buffers = [-1, 0, -1, -1, -1, -1, -1, -1];
        s.ctx.dirty |= Dirty::DRAW_FRAMEBUFFER;
        s.pipeline(|p| p.color_mask[1] = [on; 4]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&a, SIZE, 4, 4), [0, 255, 255, 0]);
    });
}

/// Loose uniforms and a named block: a stale slice of constants draws last frame's colour.
#[test]
fn uniforms() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let program = s
            .program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("tint.frag"))], |a| {
                a.default_block_size = 16
            });
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let block = s.buffer(&[0.5f32; 4].map(f32::to_le_bytes).concat());
        s.ctx.buffers[0][1] = mgl_backend::values::BufferRange { buffer: block, offset: 0, size: 16 };
        s.ctx.dirty |= Dirty::UNIFORM_BUFFERS;
        for (value, want) in [(1.0f32, 128), (0.5, 64), (0.25, 32)] {
            let bytes = [value; 4].map(f32::to_le_bytes).concat();
            s.backend.program_constants(s.ctx.flow, program, 0, &crate::common::Bytes(&bytes)).unwrap();
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(want) <= 1);
        }
    });
}

/// Flat shading takes the last vertex by default and the first on request.
#[test]
fn provoking_vertex() {
    let mut scene = Scene::new("");
    let s = &mut scene;
    let target = s.texture(Format::Rgba8, SIZE, 1);
    s.bind(&[target], None, SIZE);
    s.program(&[(Stage::Vertex, shader!("flat.vert")), (Stage::Fragment, shader!("flat.frag"))], |_| {});
    let v = |x: f32, y: f32, c: [f32; 3]| [x, y, 0.0, 1.0, c[0], c[1], c[2], 1.0];
    s.vertices(&[v(-1.0, -1.0, [1.0, 0.0, 0.0]), v(3.0, -1.0, [0.0, 1.0, 0.0]), v(-1.0, 3.0, [0.0, 0.0, 1.0])]);
    s.draw(PrimitiveMode::Triangles, 0, 3);
    assert_eq!(s.pixel(&target, SIZE, 4, 4), BLUE);
    s.pipeline(|p| p.provoking_vertex = ProvokingVertex::First);
    s.draw(PrimitiveMode::Triangles, 0, 3);
    assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
    scene.finish();
}

/// Point size from state when the program does not rule, and point coordinates that run from the top.
#[test]
fn points() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("point.vert")), (Stage::Fragment, shader!("point.frag"))], |a| {
            a.flags.writes_point_size = true;
            a.flags.reads_point_coord = true;
        });
        s.vertices(&[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]]);
        s.dynamic(|d| d.point_size = 8.0);
        s.clear_color([0.0; 4]);
        s.draw(PrimitiveMode::Points, 0, 1);
        let (bottom, top) = (s.pixel(&target, SIZE, 4, 0), s.pixel(&target, SIZE, 4, 7));
        assert!(bottom[1] > 200 && top[1] < 50, "upper left: {bottom:?} {top:?}");
        s.pipeline(|p| p.point_origin_lower_left = Bool8::new(true));
        s.draw(PrimitiveMode::Points, 0, 1);
        let (bottom, top) = (s.pixel(&target, SIZE, 4, 0), s.pixel(&target, SIZE, 4, 7));
        assert!(bottom[1] < 50 && top[1] > 200, "lower left: {bottom:?} {top:?}");
        s.pipeline(|p| p.program_point_size = Bool8::new(true));
        s.clear_color([0.0; 4]);
        s.draw(PrimitiveMode::Points, 0, 1);
        assert_eq!(s.pixel(&target, SIZE, 4, 0), [0; 4], "the program's size is 1");
    });
}

/// A clip distance clips only while it is enabled.
#[test]
fn clip_distances() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("clip.vert")), (Stage::Fragment, shader!("color.frag"))], |a| {
            a.flags.clip_distances = 1;
        });
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.dynamic(|d| d.clip_distances = 1);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), BLACK);
        assert_eq!(s.pixel(&target, SIZE, 6, 4), RED);
        s.dynamic(|d| d.clip_distances = 0);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
    });
}

/// A geometry stage makes quads of points, in both depth conventions.
#[test]
fn geometry_stage() {
    on_every_lane(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let stages = [
            (Stage::Vertex, shader!("color.vert")),
            (Stage::Geometry, shader!("quad.geom")),
            (Stage::Fragment, shader!("color.frag")),
        ];
        s.program(&stages, |a| {
            a.geometry = Some(mgl_pipe::archive::GeometryFacts {
                input_primitive: 0,
                output_primitive: 5,
                max_vertices: 4,
                ..Default::default()
            });
        });
        s.vertices(&[[0.0, 0.0, -0.9, 1.0, 0.0, 1.0, 0.0, 1.0]]);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::Points, 0, 1);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        assert_eq!(s.pixel(&target, SIZE, 0, 0), BLACK);
    });
}

/// A draw without a program is dropped, as GL leaves it undefined, and does not take the session with it.
#[test]
fn no_program_draws_nothing() {
    let mut scene = Scene::new("");
    let s = &mut scene;
    let target = s.texture(Format::Rgba8, SIZE, 1);
    s.bind(&[target], None, SIZE);
    s.clear_color([0.0, 0.0, 1.0, 1.0]);
    let draw = Draw {
        mode: PrimitiveMode::Triangles,
        index_size: IndexSize::Arrays,
        restart: false,
        restart_index: 0,
        instance_count: 1,
        base_instance: 0,
        ranges: &[DrawRange { start: 0, count: 3, base_vertex: 0 }],
        separate: false,
        indirect: None,
        captured: None,
    };
    s.backend.draw(&mut s.ctx, &draw).unwrap();
    assert_eq!(s.pixel(&target, SIZE, 4, 4), BLUE);
    scene.finish();
}
