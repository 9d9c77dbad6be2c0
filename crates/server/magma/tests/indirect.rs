//! What indirect draws cost: the counters of spec 07 §5, and the barriers between what shaders write and draws read.

mod common;

#[path = "../../backend/conformance/scene.rs"]
#[allow(dead_code, reason = "the conformance suite uses the rest")]
mod scene;

use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Verbs};
use mgl_backend::values::{BufferRange, DrawIndirect, Format, LaunchGrid};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, ShaderCso};
use mgl_magma::commands::Counts;
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{IndexSize, PrimitiveMode};
use scene::{Scene, shader};
use std::time::Duration;

const SIZE: [u32; 2] = [16, 16];
const DRAWS: u32 = 20;

/// A scene that draws from `commands`, and the dispatch program that squares what is there.
fn culling(disable: &str) -> (Scene, Handle<Buffer>, [Handle<ShaderCso>; 2]) {
    let mut s = Scene::new(disable);
    let target = s.texture(Format::Rgba8, SIZE, 1);
    s.bind(&[target], None, SIZE);
    s.vertices(&[[-0.5, -0.5, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]]);
    let commands = s.buffer(&[1u32, 1, 0, 0].map(u32::to_le_bytes).concat());
    let compute = s.program(&[(Stage::Compute, shader!("square.comp"))], |_| {});
    let draw = s.plain();
    s.ctx.buffers[1][0] = BufferRange { buffer: commands, offset: 0, size: 16 };
    s.ctx.dirty |= Dirty::STORAGE_BUFFERS;
    (s, commands, [compute, draw])
}

fn dispatch(s: &mut Scene, [compute, draw]: [Handle<ShaderCso>; 2]) {
    s.ctx.dispatch_program = compute;
    s.ctx.dirty |= Dirty::DISPATCH_PROGRAM;
    let grid = LaunchGrid { grid: [1, 1, 1], ..LaunchGrid::default() };
    s.backend.dispatch(&mut s.ctx, &grid).expect("a dispatch");
    s.ctx.draw_program = draw;
    s.ctx.dirty |= Dirty::DRAW_PROGRAM;
}

fn draw(s: &mut Scene, commands: Handle<Buffer>, parameter: Handle<Buffer>) {
    let indirect = DrawIndirect { buffer: commands, parameter, draw_count: 1, stride: 16, ..DrawIndirect::default() };
    s.draw_indirect(PrimitiveMode::Points, IndexSize::Arrays, &indirect);
}

/// Counters without the time, which is what it is.
fn counts(s: &mut Scene) -> Counts {
    Counts { waited: Duration::ZERO, ..s.backend.core().cmds.counts }
}

/// Renderers that cull on the GPU write the commands before every draw and leave the barrier out. Without one of ours
/// the draw reads what was there before; with a wait for the GPU, as other drivers do, a frame takes seconds.
#[test]
fn commands_that_shaders_write_cost_a_barrier_each_and_no_wait() {
    let (mut s, commands, programs) = culling("");
    for _ in 0..DRAWS {
        dispatch(&mut s, programs);
        draw(&mut s, commands, Handle::NULL);
    }
    let wanted = Counts { native: DRAWS.into(), barriers: DRAWS.into(), ..Counts::default() };
    assert_eq!(counts(&mut s), wanted);
    // One write and many readers: one barrier. What the program uploads needs none of these.
    for _ in 0..DRAWS {
        draw(&mut s, commands, Handle::NULL);
    }
    s.backend.buffer_write(commands, 0, &common::Bytes(&1u32.to_le_bytes())).unwrap();
    draw(&mut s, commands, Handle::NULL);
    let native = u64::from(2 * DRAWS + 1);
    assert_eq!(counts(&mut s), Counts { native, barriers: DRAWS.into(), ..Counts::default() });
    s.finish();
}

/// Draws whose commands nobody writes on the GPU must not end the pass: that would cost each its picture's round through
/// memory on a phone.
#[test]
fn commands_without_writes_cost_nothing() {
    let (mut s, commands, _) = culling("");
    draw(&mut s, commands, Handle::NULL);
    let pass = s.backend.core().cmds.pass_epoch();
    for _ in 1..DRAWS {
        draw(&mut s, commands, Handle::NULL);
    }
    assert_eq!(counts(&mut s), Counts { native: DRAWS.into(), ..Counts::default() });
    assert_eq!(s.backend.core().cmds.pass_epoch(), pass);
    s.finish();
}

/// A number of draws that a shader writes is read by the GPU where it can, and by the host, which waits, where it cannot:
/// who looks for the reason of a slow frame must see which.
#[test]
fn counts_of_draws_are_read_by_whoever_can() {
    for (disable, expanded) in [("", false), ("draw_indirect_count", true)] {
        let (mut s, commands, programs) = culling(disable);
        for _ in 0..3 {
            dispatch(&mut s, programs);
            draw(&mut s, commands, commands);
        }
        let seen = counts(&mut s);
        // The copy that the host reads has seen the shader's write; the draw behind it needs its own barrier.
        assert_eq!((seen.native, seen.barriers), (3, 3), "{disable}: {seen}");
        assert_eq!(seen.expanded, if expanded { 3 } else { 0 }, "{disable}: {seen}");
        assert_eq!(seen.waits, seen.indirect_waits, "{disable}: {seen}");
        assert!(expanded || seen.waits == 0, "{seen}");
        s.finish();
    }
}

/// Instances, indices and constants that the culling pass wrote beside the commands must be seen too, without a barrier of
/// the program: the validation layer finds every reader that does not wait for them.
#[test]
fn every_reader_waits_for_what_shaders_wrote() {
    let (mut s, _, programs) = culling("");
    let data = s.buffer(&[1u32; 64].map(u32::to_le_bytes).concat());
    s.ctx.buffers[1][0] = BufferRange { buffer: data, offset: 0, size: 256 };
    s.vertex_buffer(0, data);
    s.ctx.index_buffer = data;
    s.ctx.dirty |= Dirty::STORAGE_BUFFERS | Dirty::INDEX_BUFFER;
    for _ in 0..3 {
        dispatch(&mut s, programs);
        let indirect = DrawIndirect { buffer: data, draw_count: 1, stride: 20, ..DrawIndirect::default() };
        s.draw_indirect(PrimitiveMode::Points, IndexSize::U32, &indirect);
    }
    assert_eq!(counts(&mut s), Counts { native: 3, barriers: 3, ..Counts::default() });
    s.finish();
}
