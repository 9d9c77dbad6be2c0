//! Clears, blits, resolves, capture, queries and compute .

use super::scene::{COLOR, DEPTH, STENCIL, Scene, binding, float, rect, shader};
use crate::common::{LANES, handle, read_info, texture, whole};
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Queries, Textures, Verbs};
use mgl_backend::values::{
    Bool8, BufferRange, Clear, CopyFramebufferToTexture, DrawIndirect, Format, LaunchGrid, Surface, XfbTarget,
};
use mgl_base::Handle;
use mgl_base::handle::Query;
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{
    Aspects, ClearKind, CompareFunc, IndexSize, PrimitiveMode, QueryKind, ResourceTarget, StencilOp, SurfaceKind,
    ValueClass,
};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const SIZE: [u32; 2] = [8, 8];

fn on_lanes(lanes: &[&str], test: impl Fn(&mut Scene)) {
    for lane in lanes {
        eprintln!("lane without {lane:?}");
        let mut scene = Scene::new(lane);
        test(&mut scene);
        scene.finish();
    }
}

/// A scissored clear stays in its box and a masked one in its channels.
#[test]
fn clears_respect_scissor_and_masks() {
    on_lanes(&LANES, |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.clear_color([1.0, 0.0, 0.0, 1.0]);
        s.dynamic(|d| {
            d.scissor_enabled = 1;
            d.scissors[0] = [4, 0, 100, 100];
        });
        s.clear_color([0.0, 1.0, 0.0, 1.0]);
        assert_eq!(s.pixel(&target, SIZE, 3, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        s.dynamic(|d| d.scissor_enabled = 0);
        let (on, off) = (Bool8::new(true), Bool8::new(false));
        s.pipeline(|p| p.color_mask[0] = [off, off, on, off]);
        s.clear_color([0.0, 0.0, 1.0, 0.0]);
        assert_eq!(s.pixel(&target, SIZE, 3, 4), [255, 0, 255, 255]);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), [0, 255, 255, 255]);
    });
}

/// Integer buffers take integer clear values bit for bit.
#[test]
fn integer_clears() {
    on_lanes(&LANES[..2], |s| {
        let target = s.texture(Format::Rgba8I, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let fb = s.ctx.draw_framebuffer;
        let clear = Clear {
            kind: ClearKind::Color,
            class: ValueClass::Int,
            color: [-3i32 as u32, 7, 100, 1],
            ..Clear::default()
        };
        s.backend.clear(&mut s.ctx, &fb, &clear).unwrap();
        assert_eq!(s.pixel(&target, SIZE, 4, 4), [253, 7, 100, 1]);
    });
}

/// Stencil clears keep masked bits, and stencil tests see what was cleared and written.
#[test]
fn stencil_masks_and_tests() {
    on_lanes(&LANES, |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        let depth = s.texture(Format::Depth24Stencil8, SIZE, 1);
        s.bind(&[target], Some(depth), SIZE);
        s.dynamic(|d| d.clear_stencil = 0xFF);
        s.clear(COLOR | DEPTH | STENCIL);
        s.dynamic(|d| {
            d.clear_stencil = 0;
            d.stencil[0].write_mask = 0x0F;
            d.stencil[1].write_mask = 0x0F;
        });
        s.clear(STENCIL);
        s.plain();
        let mut list = rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]).to_vec();
        list.extend(rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        s.vertices(&list);
        s.pipeline(|p| {
            p.stencil_test = Bool8::new(true);
            for face in &mut p.stencil {
                face.func = CompareFunc::Equal;
                face.pass = StencilOp::Incr;
            }
        });
        s.dynamic(|d| {
            for face in &mut d.stencil {
                face.reference = 0xF0;
            }
        });
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
        // The left half counts 0xF1 now: only the right half passes.
        s.draw(PrimitiveMode::TriangleStrip, 4, 4);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 6, 4), GREEN);
    });
}

/// A multisampled buffer resolves to the average, by Vulkan's resolve and by our shader (mirrored).
#[test]
fn multisample_resolve() {
    on_lanes(&LANES[..2], |s| {
        let many = s.texture(Format::Rgba8, SIZE, 4);
        let one = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[many], None, SIZE);
        s.plain();
        // Its edge runs through the middle of column 4.
        s.vertices(&rect(-1.0, -1.0, 0.125, 1.0, 0.0, [1.0, 1.0, 1.0, 1.0]));
        s.clear_color([0.0, 0.0, 0.0, 0.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        let multisampled = s.ctx.draw_framebuffer;
        s.bind(&[one], None, SIZE);
        s.ctx.read_framebuffer = multisampled;
        s.blit([0, 0, 8, 8], [0, 0, 8, 8], COLOR, false);
        assert_eq!(s.pixel(&one, SIZE, 3, 4), [255; 4]);
        assert!(s.pixel(&one, SIZE, 4, 4)[0].abs_diff(128) <= 1);
        s.blit([0, 0, 8, 8], [8, 0, 0, 8], COLOR, false);
        assert_eq!(s.pixel(&one, SIZE, 4, 4), [255; 4]);
        assert!(s.pixel(&one, SIZE, 3, 4)[0].abs_diff(128) <= 1);
        assert_eq!(s.pixel(&one, SIZE, 2, 4), [0; 4]);
    });
}

/// Blits scale, mirror, keep to the scissor box, and convert formats.
#[test]
fn blits() {
    on_lanes(&LANES[..2], |s| {
        let source = s.texture(Format::Rgba8, [2, 2], 1);
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[source], None, [2, 2]);
        s.dynamic(|d| {
            d.scissor_enabled = 1;
            d.scissors[0] = [0, 0, 1, 2];
        });
        s.clear_color([1.0, 0.0, 0.0, 1.0]);
        s.dynamic(|d| d.scissors[0] = [1, 0, 1, 2]);
        s.clear_color([0.0, 1.0, 0.0, 1.0]);
        s.dynamic(|d| d.scissor_enabled = 0);
        s.bind(&[target], None, SIZE);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.bind_read(source, [2, 2]);
        s.blit([0, 0, 2, 2], [8, 0, 0, 8], COLOR, false);
        assert_eq!(s.pixel(&target, SIZE, 0, 4), GREEN);
        assert_eq!(s.pixel(&target, SIZE, 7, 4), RED);
        s.dynamic(|d| {
            d.scissor_enabled = 1;
            d.scissors[0] = [0, 0, 2, 8];
        });
        s.blit([0, 0, 2, 2], [0, 0, 8, 8], COLOR, false);
        assert_eq!(s.pixel(&target, SIZE, 1, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 2, 4), GREEN, "outside the scissor box");
        s.dynamic(|d| d.scissor_enabled = 0);
        s.blit([0, 0, 2, 2], [0, 0, 8, 8], COLOR, true);
        let middle = s.pixel(&target, SIZE, 4, 4);
        assert!(middle[0] > 60 && middle[0] < 200 && middle[1] > 60, "filtered: {middle:?}");
        let half = s.texture(Format::Rgba16F, SIZE, 1);
        s.bind(&[half], None, SIZE);
        s.bind_read(source, [2, 2]);
        s.blit([0, 0, 2, 2], [0, 0, 2, 2], COLOR, false);
        let bytes = s.read(&half, SIZE);
        assert_eq!(bytes[..8], [0x00, 0x3C, 0, 0, 0, 0, 0x00, 0x3C]);
    });
}

/// Depth and stencil blits, plain, mirrored and from a multisampled buffer.
#[test]
fn depth_stencil_blits() {
    on_lanes(&LANES, |s| {
        let format = Format::Depth24Stencil8;
        let (from, to) = (s.texture(format, SIZE, 1), s.texture(format, SIZE, 1));
        let many = s.texture(format, SIZE, 4);
        let fill = |s: &mut Scene, surface, depth: f32, stencil: u32| {
            s.bind(&[], Some(surface), SIZE);
            s.dynamic(|d| {
                d.clear_depth = depth;
                d.clear_stencil = stencil;
            });
            s.clear(DEPTH | STENCIL);
        };
        fill(s, from, 1.0, 0x5A);
        fill(s, many, 1.0, 0x3C);
        fill(s, to, 0.0, 0);
        let texel = |s: &mut Scene, x: usize| {
            let all = s.read(&to, SIZE);
            u32::from_le_bytes(all[x * 4..x * 4 + 4].try_into().unwrap())
        };
        s.bind_read(from, SIZE);
        s.blit([0, 0, 4, 8], [0, 0, 4, 8], DEPTH | STENCIL, false);
        assert_eq!(texel(s, 3), 0xFFFF_FF5A);
        assert_eq!(texel(s, 4), 0);
        s.blit([0, 0, 4, 8], [8, 0, 4, 8], DEPTH | STENCIL, false);
        assert_eq!(texel(s, 5), 0xFFFF_FF5A, "mirrored");
        fill(s, to, 0.0, 0);
        s.bind_read(many, SIZE);
        s.blit([0, 0, 8, 8], [0, 0, 8, 8], DEPTH | STENCIL, false);
        assert_eq!(texel(s, 2), 0xFFFF_FF3C, "multisampled");
    });
}

/// `glCopyTexSubImage2D` lands where it should and keeps alpha 1 in RGB textures.
#[test]
fn copies_from_the_framebuffer() {
    on_lanes(&LANES[..2], |s| {
        let (source, rgb) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgb8, SIZE, 1));
        s.bind(&[rgb], None, SIZE);
        s.clear_color([0.0; 4]);
        s.bind(&[source], None, SIZE);
        s.clear_color([0.0, 0.0, 1.0, 0.0]);
        let copy = CopyFramebufferToTexture {
            texture: handle(rgb.slot),
            aspects: Aspects::Color,
            src: [-2, 0],
            dst: [0, 4],
            width: 4,
            height: 4,
            ..CopyFramebufferToTexture::default()
        };
        s.backend.copy_framebuffer_to_texture(&mut s.ctx, &copy).unwrap();
        assert_eq!(s.pixel(&rgb, SIZE, 2, 4), BLUE);
        assert_eq!(s.pixel(&rgb, SIZE, 1, 4), BLACK, "outside the framebuffer");
        assert_eq!(s.pixel(&rgb, SIZE, 2, 3), BLACK);
    });
}

/// Sampling what was just drawn: the pass must end and the texel be there.
#[test]
fn render_to_texture() {
    on_lanes(&LANES, |s| {
        let (first, second) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.bind(&[first], None, SIZE);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.sample(0, &first);
        s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("texture.frag"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        s.bind(&[second], None, SIZE);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&second, SIZE, 1, 4), RED);
        assert_eq!(s.pixel(&second, SIZE, 6, 4), BLACK);
        // Nothing bound reads as opaque black.
        s.ctx.views[0] = Handle::NULL;
        s.ctx.dirty |= Dirty::VIEWS;
        s.clear_color([1.0; 4]);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&second, SIZE, 1, 4), BLACK);
    });
}

/// Each level is an image of its own: what is drawn into the second must not appear in the first.
#[test]
fn levels_are_separate_images() {
    on_lanes(&LANES, |s| {
        let half = [SIZE[0] / 2, SIZE[1] / 2];
        let slot = s.slot();
        let desc = texture(ResourceTarget::Tex2D, Format::Rgba8, [SIZE[0], SIZE[1], 1], 2);
        s.backend.texture_define(handle(slot), &desc, false).unwrap();
        let first = Surface {
            slot,
            generation: 1,
            kind: SurfaceKind::Texture,
            format: Format::Rgba8 as u16,
            ..Surface::default()
        };
        s.plain();
        s.bind(&[first], None, SIZE);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 1.0]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.bind(&[Surface { level: 1, ..first }], None, half);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&first, SIZE, 1, 1), RED);
        let mut out = vec![0; (half[0] * half[1] * 4) as usize];
        let info = read_info(whole([half[0], half[1], 1]), 1);
        s.backend.texture_read(handle(slot), &info, &mut out).unwrap();
        assert_eq!(out[..4], GREEN);
    });
}

/// A buffer texture shows what its buffer holds at each draw, far into the buffer too.
#[test]
fn buffer_textures_follow_their_buffers() {
    on_lanes(&LANES, |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let mut bytes = [0, 0, 255, 255].repeat(2048);
        bytes[1502 * 4..][..4].copy_from_slice(&RED);
        let buffer = s.buffer(&bytes);
        let slot = s.slot();
        let mut desc = crate::common::texture(ResourceTarget::TexBuffer, Format::Rgba8, [2048, 1, 1], 1);
        desc.buffer = Some((buffer, 0, u64::MAX));
        s.backend.texture_define(handle(slot), &desc, false).unwrap();
        s.sample_as(0, slot, ResourceTarget::TexBuffer);
        s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("buffer.frag"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 2, 4), RED);
        assert_eq!(s.pixel(&target, SIZE, 3, 4), BLUE);
        s.backend.buffer_write(buffer, 1503 * 4, &crate::common::Bytes(&GREEN)).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.pixel(&target, SIZE, 3, 4), GREEN);
    });
}

fn query(s: &mut Scene, kind: QueryKind) -> Handle<Query> {
    let q = handle(s.slot());
    s.backend.query_create(q, kind, 0).expect("the kind of query");
    q
}

/// An occlusion query counts over several passes, and not what is drawn outside of it.
#[test]
fn occlusion_spans_passes() {
    on_lanes(&LANES[..2], |s| {
        let (a, b) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 0.0, 1.0, 0.0, [1.0; 4]));
        let (kind, passed) = s.occlusion(64);
        let q = query(s, kind);
        s.bind(&[a], None, SIZE);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.backend.query_begin(&mut s.ctx, q).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.bind(&[b], None, SIZE);
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.backend.query_end(&mut s.ctx, q).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        assert_eq!(s.backend.query_result(q, true).unwrap(), Some(passed));
        let any = query(s, QueryKind::AnySamplesPassed);
        s.backend.query_begin(&mut s.ctx, any).unwrap();
        s.backend.query_end(&mut s.ctx, any).unwrap();
        assert_eq!(s.backend.query_result(any, true).unwrap(), Some(0));
    });
}

/// Time stamps rise, and elapsed time covers what lies between.
#[test]
fn timers() {
    on_lanes(&LANES[..1], |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let before = s.backend.timestamp().unwrap();
        let (stamp, elapsed) = (query(s, QueryKind::Timestamp), query(s, QueryKind::TimeElapsed));
        s.backend.query_begin(&mut s.ctx, elapsed).unwrap();
        s.clear_color([0.0; 4]);
        s.backend.query_end(&mut s.ctx, elapsed).unwrap();
        s.backend.query_counter(&mut s.ctx, stamp).unwrap();
        assert!(s.backend.query_result(stamp, true).unwrap().unwrap() >= before);
        assert!(s.backend.query_result(elapsed, true).unwrap().is_some());
    });
}

/// Captured vertices arrive, capture goes on after a pause with another pass between, and the queries count it.
#[test]
fn transform_feedback() {
    on_lanes(&LANES, |s| {
        let (target, other) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("capture.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 2.0, 3.0, 4.0]));
        let store = s.buffer(&[0; 256]);
        s.ctx.xfb = handle(70);
        s.ctx.xfb_targets[0] = XfbTarget { buffer: store, offset: 64, size: 192 };
        let (written, generated) =
            (query(s, QueryKind::XfbPrimitivesWritten), query(s, QueryKind::PrimitivesGenerated));
        s.backend.query_begin(&mut s.ctx, written).unwrap();
        s.backend.query_begin(&mut s.ctx, generated).unwrap();
        s.backend.xfb_begin(&mut s.ctx, PrimitiveMode::Points).unwrap();
        s.ctx.xfb_capturing = true;
        s.draw(PrimitiveMode::Points, 0, 2);
        let xfb = s.ctx.xfb;
        s.backend.xfb_pause(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = false;
        s.bind(&[other], None, SIZE);
        s.draw(PrimitiveMode::Points, 0, 4);
        s.bind(&[target], None, SIZE);
        s.backend.xfb_resume(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = true;
        s.draw(PrimitiveMode::Points, 2, 1);
        s.backend.xfb_end(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = false;
        s.backend.query_end(&mut s.ctx, written).unwrap();
        s.backend.query_end(&mut s.ctx, generated).unwrap();
        let mut out = [0; 64];
        s.backend.buffer_read(store, 0, &mut out).unwrap();
        assert_eq!(out, [0; 64], "bytes in front of the range");
        s.backend.buffer_read(store, 64, &mut out).unwrap();
        let floats: Vec<f32> = out.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(floats[..12], [2.0, 4.0, 6.0, 8.0, 2.0, 4.0, 6.0, 8.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(floats[12..], [0.0; 4]);
        assert_eq!(s.backend.query_result(written, true).unwrap(), Some(3));
        assert_eq!(s.backend.query_result(generated, true).unwrap(), Some(7));
        s.backend.xfb_destroy(xfb);
    });
}

/// Capture with rasterisation off, the usual way to use it.
#[test]
fn transform_feedback_without_rasterisation() {
    on_lanes(&LANES, |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.program(&[(Stage::Vertex, shader!("capture.vert"))], |_| {});
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let store = s.buffer(&[0; 64]);
        s.ctx.xfb = handle(70);
        s.ctx.xfb_targets[0] = XfbTarget { buffer: store, offset: 0, size: 64 };
        s.pipeline(|p| p.rasterizer_discard = Bool8::new(true));
        s.backend.xfb_begin(&mut s.ctx, PrimitiveMode::Points).unwrap();
        s.ctx.xfb_capturing = true;
        s.draw(PrimitiveMode::Points, 0, 4);
        let xfb = s.ctx.xfb;
        s.backend.xfb_end(&mut s.ctx, xfb).unwrap();
        s.ctx.xfb_capturing = false;
        let mut out = [0; 64];
        s.backend.buffer_read(store, 0, &mut out).unwrap();
        assert!(out.chunks_exact(4).all(|b| b == 2.0f32.to_le_bytes()));
    });
}

/// A dispatch between draws, and an indirect draw from what compute wrote.
#[test]
fn dispatch_and_indirect() {
    on_lanes(&LANES, |s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.clear_color([0.0, 0.0, 0.0, 1.0]);
        // Squares of 2, 1, 0, 0 are the command: four vertices, one instance.
        let command = s.buffer(&[2u32, 1, 0, 0].map(u32::to_le_bytes).concat());
        s.program(&[(Stage::Compute, shader!("square.comp"))], |_| {});
        s.ctx.buffers[1][0] = BufferRange { buffer: command, offset: 0, size: 16 };
        s.ctx.dirty |= Dirty::STORAGE_BUFFERS;
        let grid = LaunchGrid { grid: [1, 1, 1], ..LaunchGrid::default() };
        s.backend.dispatch(&mut s.ctx, &grid).unwrap();
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0]));
        let indirect = DrawIndirect { buffer: command, draw_count: 1, stride: 16, ..DrawIndirect::default() };
        s.draw_indirect(PrimitiveMode::TriangleStrip, IndexSize::Arrays, &indirect);
        assert_eq!(s.pixel(&target, SIZE, 4, 4), GREEN);
        let mut out = [0; 16];
        s.backend.buffer_read(command, 0, &mut out).unwrap();
        assert_eq!(out[..8], [4, 0, 0, 0, 1, 0, 0, 0]);
    });
}

/// The length of a runtime array is what the bound range holds, and follows it: a loop over it would run too long or not at
/// all.
#[test]
fn runtime_arrays_are_as_long_as_their_range() {
    on_lanes(&LANES, |s| {
        let (lights, number) = (s.buffer(&[0; 4096]), s.buffer(&[0; 4]));
        let program = s.program(&[(Stage::Compute, shader!("length.comp"))], |_| {});
        s.ctx.dispatch_program = program;
        s.ctx.buffers[1][1] = BufferRange { buffer: number, offset: 0, size: 4 };
        for (offset, size, length) in [(256, 48, 1), (256, 16 + 7 * 32 + 12, 7), (0, 4096, 127), (512, 16, 0)] {
            s.ctx.buffers[1][0] = BufferRange { buffer: lights, offset, size };
            s.ctx.dirty |= Dirty::STORAGE_BUFFERS;
            let grid = LaunchGrid { grid: [1, 1, 1], ..LaunchGrid::default() };
            s.backend.dispatch(&mut s.ctx, &grid).unwrap();
            s.backend.memory_barrier(0xFFFF_FFFF, false).unwrap();
            let mut out = [0; 4];
            s.backend.buffer_read(number, 0, &mut out).unwrap();
            assert_eq!(u32::from_le_bytes(out), length, "{size} bytes at {offset}");
        }
    });
}

/// A dispatch from a buffer reads the group counts on the GPU.
#[test]
fn dispatch_indirect() {
    on_lanes(&LANES[..1], |s| {
        let data = s.buffer(&[3u32; 8].map(u32::to_le_bytes).concat());
        let groups = s.buffer(&[2u32, 1, 1].map(u32::to_le_bytes).concat());
        s.program(&[(Stage::Compute, shader!("square.comp"))], |_| {});
        s.ctx.buffers[1][0] = BufferRange { buffer: data, offset: 0, size: 32 };
        let grid = LaunchGrid { indirect: groups, ..LaunchGrid::default() };
        s.backend.dispatch(&mut s.ctx, &grid).unwrap();
        s.backend.memory_barrier(0xFFFF_FFFF, false).unwrap();
        s.backend.dispatch(&mut s.ctx, &grid).unwrap();
        let mut out = [0; 32];
        s.backend.buffer_read(data, 0, &mut out).unwrap();
        assert!(out.chunks_exact(4).all(|b| b == 81u32.to_le_bytes()));
    });
}

/// All layers of a layered framebuffer are cleared, also under a mask.
#[test]
fn layered_clears() {
    on_lanes(&LANES[..2], |s| {
        let mut layers = s.texture_of(Format::Rgba8, [8, 8, 3], 1, ResourceTarget::Tex2DArray);
        layers.layered = Bool8::new(true);
        s.bind(&[layers], None, SIZE);
        s.ctx.draw_framebuffer.layers = 3;
        s.clear_color([1.0, 0.0, 0.0, 1.0]);
        let (on, off) = (Bool8::new(true), Bool8::new(false));
        s.pipeline(|p| p.color_mask[0] = [off, on, off, off]);
        s.clear_color([0.0, 1.0, 0.0, 0.0]);
        for layer in 0..3 {
            let mut single = layers;
            single.layered = off;
            single.layer = layer;
            s.bind(&[single], None, SIZE);
            let mut info = crate::common::read_info(crate::common::whole([8, 8, 1]), 0);
            info.src.z = 0;
            let mut out = [0; 256];
            s.backend.read_pixels(&mut s.ctx, &info, &mut out).unwrap();
            assert_eq!(out[..4], [255, 255, 0, 255], "layer {layer}");
        }
    });
}

/// The first draw into a texture without alpha is as good as the second, whatever the backend must prepare for it.
#[test]
fn first_draw_into_a_format_without_alpha() {
    on_lanes(&LANES, |s| {
        s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.0, 0.0, 0.25]));
        for _ in 0..2 {
            let target = s.texture(Format::Rgb8, SIZE, 1);
            s.bind(&[target], None, SIZE);
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            assert_eq!(s.pixel(&target, SIZE, 4, 4)[..3], RED[..3]);
        }
    });
}

/// A framebuffer without attachments still runs shaders with its default size.
#[test]
fn no_attachments() {
    on_lanes(&LANES[..2], |s| {
        s.bind(&[], None, SIZE);
        s.plain();
        s.elements(&[float(0, 0, 4, 0), float(1, 0, 4, 16)], &[binding(0, 32, 0)]);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let (kind, passed) = s.occlusion(64);
        let q = query(s, kind);
        s.backend.query_begin(&mut s.ctx, q).unwrap();
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
        s.backend.query_end(&mut s.ctx, q).unwrap();
        assert_eq!(s.backend.query_result(q, true).unwrap(), Some(passed));
    });
}
