//! GL rules that Vulkan does not have: sRGB switches, feedback loops, shared images, capture gaps, draw numbers.

use super::scene::{Scene, rect, shader};
use crate::common::{LANES, handle};
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Programs, Verbs};
use mgl_backend::values::{Bool8, DrawRange, Format, ImageView, XfbTarget};
use mgl_pipe::archive::{Stage, TessControlFacts, TessEvalFacts};
use mgl_pipe::tokens::{CullFace, ImageAccess, IndexSize, PrimitiveMode};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const SIZE: [u32; 2] = [8, 8];

fn on_lanes(test: impl Fn(&mut Scene)) {
    for lane in LANES {
        eprintln!("lane without {lane:?}");
        let mut scene = Scene::new(lane);
        test(&mut scene);
        scene.finish();
    }
}

/// Writes to an sRGB buffer are encoded only while `GL_FRAMEBUFFER_SRGB` is on.
#[test]
fn srgb_follows_the_switch() {
    on_lanes(|s| {
        let target = s.texture(Format::Srgb8Alpha8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.5, 0.5, 0.5, 1.0]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(128) <= 1);
        s.pipeline(|p| p.framebuffer_srgb = Bool8::new(true));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(188) <= 1);
        s.clear_color([0.5, 0.5, 0.5, 1.0]);
        assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(188) <= 1);
    });
}

/// Reading the texel that is being written, as texture barriers allow: the driver must see one layout.
#[test]
fn feedback_loop() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.clear_color([1.0, 0.0, 0.0, 1.0]);
        s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("loop.frag"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        s.sample(0, &target);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.backend.memory_barrier(0xFFFF_FFFF, true).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.backend.memory_barrier(0xFFFF_FFFF, true).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        // Without the texture the attachment goes back to its own layout.
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
    });
}

/// One image as a texture and as an image unit of the same draw.
#[test]
fn texture_and_image_unit_share() {
    on_lanes(|s| {
        let (target, shared) = (s.texture(Format::Rgba8, SIZE, 1), s.storage_texture(Format::Rgba8, SIZE));
        s.bind(&[shared], None, SIZE);
        s.clear_color([1.0, 0.0, 0.0, 1.0]);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("store.frag"))], |a| {
            a.flags.writes_memory = true;
        });
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        s.sample(0, &shared);
        s.ctx.images[0] = ImageView {
            texture: handle(shared.slot),
            format: Format::Rgba8 as u16,
            access: ImageAccess::ReadWrite,
            ..ImageView::default()
        };
        s.ctx.dirty |= Dirty::IMAGES;
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
        assert_eq!(s.pixel(&shared, SIZE, 4, 4), [0, 255, 255, 0]);
    });
}

/// Capture into binding points 1 and 2 with 0 empty; a captured position is GL's, whatever the clip depth needs.
#[test]
fn capture_with_a_gap_and_position() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("capture2.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {});
        s.vertices(&[[0.25, 0.5, -0.75, 1.0, 1.0, 2.0, 3.0, 4.0]]);
        let (colors, positions) = (s.buffer(&[0; 16]), s.buffer(&[0; 16]));
        s.ctx.xfb = handle(70);
        s.ctx.xfb_targets[1] = XfbTarget { buffer: colors, offset: 0, size: 16 };
        s.ctx.xfb_targets[2] = XfbTarget { buffer: positions, offset: 0, size: 16 };
        s.backend.xfb_begin(&mut s.ctx, PrimitiveMode::Points).unwrap();
        s.ctx.xfb_capturing = true;
        s.draw(PrimitiveMode::Points, 0, 1);
        let xfb = s.ctx.xfb;
        s.backend.xfb_end(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = false;
        let mut out = [0; 16];
        s.backend.buffer_read(colors, 0, &mut out).unwrap();
        assert_eq!(out.to_vec(), [1.0f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat());
        s.backend.buffer_read(positions, 0, &mut out).unwrap();
        assert_eq!(out.to_vec(), [0.25f32, 0.5, -0.75, 1.0].map(f32::to_le_bytes).concat());
    });
}

/// The ranges of a multi-draw are numbered from 0, in both draws that repeat each other.
#[test]
fn draw_numbers() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("drawid.vert")), (Stage::Fragment, shader!("color.frag"))], |a| {
            a.flags.draw_parameters = true;
        });
        let mut quads = rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]).to_vec();
        quads.extend(rect(0.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 1.0, 1.0]));
        s.vertices(&quads);
        let ranges = [0, 4].map(|start| DrawRange { start, count: 4, base_vertex: 0 });
        for _ in 0..2 {
            s.clear_color([0.0, 0.0, 0.0, 1.0]);
            s.draw_with(PrimitiveMode::TriangleStrip, IndexSize::Arrays, &ranges, |_| {});
            s.draw_with(PrimitiveMode::TriangleStrip, IndexSize::Arrays, &ranges, |_| {});
            assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
            assert_eq!(s.pixel(&target, SIZE, 6, 4), GREEN);
        }
    });
}

/// Tessellated triangles keep their winding.
#[test]
fn tessellation() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let stages = [
            (Stage::Vertex, shader!("tess.vert")),
            (Stage::TessControl, shader!("tess.tesc")),
            (Stage::TessEval, shader!("tess.tese")),
            (Stage::Fragment, shader!("color.frag")),
        ];
        s.program(&stages, |a| {
            a.tess_control = Some(TessControlFacts { output_vertices: 3 });
            a.tess_eval = Some(TessEvalFacts { primitive: 4, spacing: 0x202, vertex_order: 0x901, point_mode: false });
        });
        let v = |x: f32, y: f32| [x, y, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        s.vertices(&[v(-1.0, -1.0), v(3.0, -1.0), v(-1.0, 3.0)]);
        s.ctx.patch.vertices = 3;
        s.pipeline(|p| {
            p.cull_enabled = Bool8::new(true);
            p.cull_face = CullFace::Back;
        });
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::Patches, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        s.pipeline(|p| p.cull_face = CullFace::Front);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::Patches, 0, 3);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), BLACK);
    });
}

/// Two contexts of one session draw in turn; neither may inherit the other's state.
#[test]
fn contexts_alternate() {
    on_lanes(|s| {
        let (a, b) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.bind(&[a], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        let mut other = s.ctx.clone();
        other.flow = 2;
        other.dirty = Dirty::all();
        std::mem::swap(&mut s.ctx, &mut other);
        s.bind(&[b], None, SIZE);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        for _ in 0..3 {
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            std::mem::swap(&mut s.ctx, &mut other);
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            std::mem::swap(&mut s.ctx, &mut other);
        }
        assert_eq!(s.pixel(&a, SIZE, 4, 4), RED);
        assert_eq!(s.pixel(&b, SIZE, 4, 4), GREEN);
    });
}

/// Two contexts draw with one program and set its uniforms to values of their own: neither may draw with the other's.
#[test]
fn contexts_have_uniforms_of_their_own() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let stages = [(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("tint.frag"))];
        let program = s.program(&stages, |a| a.default_block_size = 16);
        s.ctx.draw_program = program;
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let block = s.buffer(&[1.0f32; 4].map(f32::to_le_bytes).concat());
        s.ctx.buffers[0][1] = mgl_backend::values::BufferRange { buffer: block, offset: 0, size: 16 };
        s.ctx.dirty = Dirty::all();
        let mut other = s.ctx.clone();
        other.flow = s.ctx.flow + 1;
        for (ctx, value) in [(&s.ctx, 1.0f32), (&other, 0.25)] {
            let bytes = [value; 4].map(f32::to_le_bytes).concat();
            s.backend.program_constants(ctx.flow, program, 0, &crate::common::Bytes(&bytes)).unwrap();
        }
        for want in [255, 64, 255, 64] {
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(want) <= 1);
            std::mem::swap(&mut s.ctx, &mut other);
        }
        s.backend.context_destroyed(other.flow);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert!(s.pixel(&target, SIZE, 4, 4)[0].abs_diff(255) <= 1, "the other context has ended");
    });
}

/// A store that is redefined while bound: the next draw must read the new one.
#[test]
fn redefined_stores_are_seen() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        let buffer = s.ctx.vertex_buffers[0].buffer;
        let quad = rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]);
        let bytes: Vec<u8> = quad.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
        s.backend.buffer_define(buffer, &crate::common::store(bytes.len() as u64)).unwrap();
        s.backend.buffer_write(buffer, 0, &crate::common::Bytes(&bytes)).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        let red: Vec<u8> = [1.0f32, 0.0, 0.0, 1.0].iter().flat_map(|f| f.to_le_bytes()).collect();
        for vertex in 0..4 {
            s.backend.buffer_write(buffer, vertex * 32 + 16, &crate::common::Bytes(&red)).unwrap();
        }
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), RED);
    });
}
