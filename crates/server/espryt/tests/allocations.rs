//! What a draw costs once everything is warm: no heap allocation of the backend's own.

mod common;

#[path = "../../backend/conformance/scene.rs"]
#[macro_use]
#[allow(dead_code, unused_imports, unused_macros, reason = "the suite has more helpers than one test needs")]
mod scene;

use mgl_backend::state::Dirty;
use mgl_backend::values::{Bool8, DrawRange, Format};
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{IndexSize, PrimitiveMode};
use scene::Scene;

fn warm() -> Scene {
    let mut s = Scene::new("");
    let target = s.texture(Format::Rgba8, [8, 8], 1);
    s.bind(&[target], None, [8, 8]);
    s.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {});
    s.vertices(&[[-1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]; 4]);
    let indices: Vec<u8> = [0u16, 1, 2, 3].iter().flat_map(|i| i.to_le_bytes()).collect();
    s.ctx.index_buffer = s.buffer(&indices);
    s.ctx.dirty |= Dirty::INDEX_BUFFER;
    s
}

/// Allocations of `n` rounds of `each`, after two rounds that may make things.
fn counted(s: &mut Scene, each: fn(&mut Scene, u32)) -> u64 {
    (0..4).for_each(|n| each(s, n));
    let info = allocation_counter::measure(|| (0..100).for_each(|n| each(s, n)));
    info.count_total
}

/// A draw that allocates pays for it in every frame of every program.
#[test]
fn draws_do_not_allocate() {
    let mut s = warm();
    let same = counted(&mut s, |s, _| s.draw(PrimitiveMode::TriangleStrip, 0, 4));
    assert_eq!(same, 0, "nothing changed");
    let ranges: [DrawRange; 3] = [0, 2, 4].map(|start| DrawRange { start, count: 3, base_vertex: 0 });
    let mut several = 0;
    for base in [0, 1] {
        let ranges = ranges.map(|r| DrawRange { base_vertex: base, ..r });
        for n in 0..20 {
            let info = allocation_counter::measure(|| {
                s.draw_with(PrimitiveMode::Triangles, IndexSize::U16, &ranges, |_| {});
            });
            several += if n < 2 { 0 } else { info.count_total };
        }
    }
    assert_eq!(several, 0, "several ranges with indices");
    let state = counted(&mut s, |s, n| {
        s.ctx.pipeline.blend[0].enabled = Bool8::new(n % 2 == 0);
        s.ctx.dynamic.viewports[0][2] = 8.0 - (n % 2) as f32;
        s.ctx.dirty |= Dirty::PIPELINE | Dirty::DYNAMIC;
        s.draw(PrimitiveMode::TriangleStrip, 0, 4);
    });
    assert_eq!(state, 0, "state changes");
}
