//! What stays bound from one draw to the next: programs that share layouts, programs that do not, and content that changes
//! under either.

use super::scene::{Scene, binding, float, rect, shader};
use crate::common::{Bytes, LANES};
use mgl_backend::state::Dirty;
use mgl_backend::traits::Programs;
use mgl_backend::values::{BufferRange, Format, Surface};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::PrimitiveMode;

const SIZE: [u32; 2] = [8, 8];

fn on_lanes(test: impl Fn(&mut Scene)) {
    for lane in LANES {
        eprintln!("lane without {lane:?}");
        let mut scene = Scene::new(lane);
        test(&mut scene);
        scene.finish();
    }
}

fn tinted(s: &mut Scene, fragment: &[u8]) -> Handle<ShaderCso> {
    let stages: [(Stage, &[u8]); 2] = [(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, fragment)];
    s.program(&stages, |a| a.default_block_size = 16)
}

fn block(s: &mut Scene, value: f32) -> BufferRange {
    BufferRange { buffer: s.buffer(&[value; 4].map(f32::to_le_bytes).concat()), offset: 0, size: 16 }
}

fn bind_block(s: &mut Scene, range: BufferRange) {
    s.ctx.buffers[0][1] = range;
    s.ctx.dirty |= Dirty::UNIFORM_BUFFERS;
}

fn tint(s: &mut Scene, program: Handle<ShaderCso>, value: f32) {
    let bytes = [value; 4].map(f32::to_le_bytes).concat();
    s.backend.program_constants(s.ctx.flow, program, 0, &Bytes(&bytes)).expect("the default block");
}

fn draws(s: &mut Scene, target: &Surface, program: Handle<ShaderCso>, want: u8) {
    s.ctx.draw_program = program;
    s.ctx.dirty |= Dirty::DRAW_PROGRAM;
    s.draw(PrimitiveMode::TriangleStrip, 0, 4);
    let got = s.pixel(target, SIZE, 4, 4)[0];
    assert!(got.abs_diff(want) <= 1, "{got} for {want}");
}

/// Programs with equal layouts keep each other's bindings; one with other layouts disturbs them. A stale or missing
/// binding draws with another program's uniforms or textures.
#[test]
fn programs_take_turns() {
    on_lanes(|s| {
        let (target, image) = (s.texture(Format::Rgba8, SIZE, 1), s.texture(Format::Rgba8, SIZE, 1));
        s.bind(&[image], None, SIZE);
        s.clear_color([0.5; 4]);
        s.bind(&[target], None, SIZE);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let (a, b) = (tinted(s, shader!("mix.frag")), tinted(s, shader!("mix.frag")));
        let (c, d) = (tinted(s, shader!("tint.frag")), s.plain());
        let (whole, half) = (block(s, 1.0), block(s, 0.5));
        tint(s, a, 1.0);
        tint(s, b, 0.5);
        tint(s, c, 0.25);
        s.sample(0, &image);
        bind_block(s, whole);
        for _ in 0..2 {
            for (program, want) in
                [(a, 128), (b, 64), (a, 128), (c, 64), (b, 64), (d, 255), (a, 128), (c, 64), (d, 255)]
            {
                draws(s, &target, program, want);
            }
        }
        // Without a picture in between, so that all of it stands in one pass.
        s.ctx.draw_program = a;
        for (program, range, want) in [(b, half, 32), (a, half, 64), (c, whole, 64), (a, whole, 128)] {
            for other in [a, c, d, b] {
                s.ctx.draw_program = other;
                s.ctx.dirty |= Dirty::DRAW_PROGRAM;
                s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            }
            bind_block(s, range);
            draws(s, &target, program, want);
        }
    });
}

/// One block of several changes: the others must stay, and values that come back must be seen.
#[test]
fn single_slots_change() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0; 4]));
        let program = tinted(s, shader!("tint.frag"));
        let (whole, half) = (block(s, 1.0), block(s, 0.5));
        for (value, range, want) in
            [(1.0, whole, 255), (1.0, half, 128), (0.5, half, 64), (0.5, whole, 128), (1.0, whole, 255)]
        {
            tint(s, program, value);
            bind_block(s, range);
            s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            draws(s, &target, program, want);
        }
    });
}

/// Two attribute layouts over the same buffers and back: the wrong one draws a mesh from another mesh's bytes.
#[test]
fn layouts_take_turns() {
    on_lanes(|s| {
        let target = s.texture(Format::Rgba8, SIZE, 1);
        s.bind(&[target], None, SIZE);
        let program = s.plain();
        s.vertices(&rect(-1.0, -1.0, 1.0, 1.0, 0.0, [1.0, 0.5, 0.0, 1.0]));
        let first = s.ctx.vertex_elements;
        // The colour's second component as its first.
        s.elements(&[float(0, 0, 4, 0), float(1, 0, 1, 20)], &[binding(0, 32, 0)]);
        let second = s.ctx.vertex_elements;
        for (elements, want) in [(first, 255), (second, 128), (first, 255)] {
            for turn in [second, first, elements] {
                s.ctx.vertex_elements = turn;
                s.ctx.dirty |= Dirty::VERTEX_ELEMENTS;
                s.draw(PrimitiveMode::TriangleStrip, 0, 4);
            }
            draws(s, &target, program, want);
        }
    });
}
