//! Several draws in one command: pictures, numbers, captures and counts must be those of the same draws one by one.

use super::scene::{Scene, rect, shader};
use crate::common::{LANES, handle};
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Queries, Verbs};
use mgl_backend::values::{DrawRange, Format, XfbTarget};
use mgl_base::Handle;
use mgl_base::handle::Query;
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{IndexSize, PrimitiveMode, QueryKind};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const MAGENTA: [u8; 4] = [255, 0, 255, 255];
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

fn range(start: u64, count: u32, base_vertex: i32) -> DrawRange {
    DrawRange { start, count, base_vertex }
}

/// Strips with restart, base vertices and an empty range: each must reach its own vertices and no other.
#[test]
fn ranges_keep_their_restart_and_base_vertex() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.plain();
        let mut quads = rect(-1.0, -1.0, -0.5, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]).to_vec();
        quads.extend(rect(0.0, -1.0, 0.5, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        quads.extend(rect(0.5, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 1.0, 1.0]));
        // A marker that is a vertex too: strips that are joined by it cover what must stay black.
        quads.push([0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        s.vertices(&quads);
        for (size, width, top) in [(IndexSize::U16, 2, 0xFFFF), (IndexSize::U16, 2, 12), (IndexSize::U32, 4, u32::MAX)]
        {
            let list: Vec<u8> =
                [0, 1, 2, 3, top, 4, 5, 6, 7].iter().flat_map(|i| i.to_le_bytes()[..width].to_vec()).collect();
            s.ctx.index_buffer = s.buffer(&list);
            s.ctx.dirty |= Dirty::INDEX_BUFFER;
            s.clear_color([0.0, 0.0, 0.0, 1.0]);
            let w = width as u64;
            let ranges = [range(0, 9, 0), range(0, 0, 0), range(w, 3, 8), range(0, 4, 8)];
            // The second time is a repetition, which goes another way.
            for ranges in [&ranges[..3], &ranges[2..]] {
                s.draw_with(PrimitiveMode::TriangleStrip, size, ranges, |d| {
                    (d.restart, d.restart_index, d.separate) = (true, top, true);
                });
            }
            assert_eq!(s.pixel(&target, SIZE, 0, 4), RED);
            assert_eq!(s.pixel(&target, SIZE, 2, 4), BLACK);
            assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
            assert_eq!(s.pixel(&target, SIZE, 7, 4), MAGENTA);
        }
    });
}

/// Separate draws that travelled together each have the number 0; the ranges of one call count up.
#[test]
fn separate_draws_have_no_number() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("drawid.vert")), (Stage::Fragment, shader!("color.frag"))], |a| {
            a.flags.draw_parameters = true;
        });
        let mut quads = rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]).to_vec();
        quads.extend(rect(0.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 1.0, 1.0]));
        s.vertices(&quads);
        let ranges = [range(0, 4, 0), range(4, 4, 0)];
        for (separate, right) in [(true, MAGENTA), (false, GREEN), (true, MAGENTA)] {
            for _ in 0..2 {
                s.draw_with(PrimitiveMode::TriangleStrip, IndexSize::Arrays, &ranges, |d| d.separate = separate);
            }
            assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
            assert_eq!(s.pixel(&target, SIZE, 6, 4), right, "separate: {separate}");
        }
    });
}

fn query(s: &mut Scene, kind: QueryKind) -> Handle<Query> {
    let q = handle(s.slot());
    s.backend.query_create(q, kind, 0).expect("the kind of query");
    s.backend.query_begin(&mut s.ctx, q).expect("a fresh query begins");
    q
}

/// Captured vertices arrive in the order of the draws, and every query counts all of them, instances included.
#[test]
fn capture_and_queries_count_every_draw() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("capture.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {});
        let v = |n: f32| [0.0, 0.0, 0.0, 1.0, n, n, n, n];
        s.vertices(&[1.0, 2.0, 3.0, 4.0].map(v));
        let store = s.buffer(&[0; 512]);
        s.ctx.xfb = handle(70);
        s.ctx.xfb_targets[0] = XfbTarget { buffer: store, offset: 0, size: 512 };
        let written = query(s, QueryKind::XfbPrimitivesWritten);
        let generated = query(s, QueryKind::PrimitivesGenerated);
        let (kind, count) = s.occlusion(10);
        let passed = query(s, kind);
        s.backend.xfb_begin(&mut s.ctx, PrimitiveMode::Points).unwrap();
        s.ctx.xfb_capturing = true;
        let ranges = [range(3, 1, 0), range(0, 2, 0), range(2, 1, 0)];
        s.draw_with(PrimitiveMode::Points, IndexSize::Arrays, &ranges, |d| d.separate = true);
        s.draw_with(PrimitiveMode::Points, IndexSize::Arrays, &ranges[..2], |d| {
            (d.separate, d.instance_count) = (true, 2);
        });
        let xfb = s.ctx.xfb;
        s.backend.xfb_end(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = false;
        for q in [passed, generated, written] {
            s.backend.query_end(&mut s.ctx, q).unwrap();
        }
        let mut out = [0; 512];
        s.backend.buffer_read(store, 0, &mut out).unwrap();
        let firsts: Vec<f32> = out.chunks_exact(16).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let order = [4.0, 1.0, 2.0, 3.0, 4.0, 4.0, 1.0, 2.0, 1.0, 2.0];
        assert_eq!(firsts[..10], order.map(|n| 2.0 * n));
        assert_eq!(firsts[10..12], [0.0; 2]);
        for (q, want) in [(written, 10), (generated, 10), (passed, count)] {
            assert_eq!(s.backend.query_result(q, true).unwrap(), Some(want));
        }
        s.backend.xfb_destroy(xfb);
    });
}
