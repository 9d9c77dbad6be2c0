//! Memory that runs out, at every allocation there is: the call says so, and the session draws on.

use super::scene::{Scene, rect, shader};
use crate::common::{Bytes, handle, noise, read_info, region, session_short, store, texture, whole};
use mgl_backend::inject::Shortage;
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Outcome, Queries, Textures, Verbs};
use mgl_backend::values::{BufferRange, Clear, DrawRange, Format, LaunchGrid, Surface};
use mgl_backend::{Draw, Refusal, TextureDesc};
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{ClearKind, IndexSize, PrimitiveMode, ResourceTarget as T, SurfaceKind, ValueClass};

const SIZE: [u32; 2] = [16, 16];

/// A program that goes on whatever fails.
struct Run<'a> {
    s: &'a mut Scene,
    /// Memory ran out.
    short: bool,
}

/// What came back.
#[derive(PartialEq)]
struct Seen {
    bytes: [Vec<u8>; 3],
    picture: Vec<u8>,
    passed: Option<u64>,
}

impl Run<'_> {
    /// Only memory may be missing; what builds on it may then be refused by any name, but the device is not lost.
    fn take<T>(&mut self, what: &str, outcome: Outcome<T>) -> Option<T> {
        match outcome {
            Ok(value) => return Some(value),
            Err(Refusal::OutOfMemory(_)) => self.short = true,
            Err(refusal) => {
                assert!(self.short && !matches!(refusal, Refusal::DeviceLost(_)), "{what}: {refusal}");
            }
        }
        None
    }

    /// Stores that are written, copied, filled, read and written again while busy.
    fn buffers(&mut self) -> Vec<u8> {
        let (a, b) = (handle(self.s.slot()), handle(self.s.slot()));
        let bytes = noise(2 << 20, 5);
        for buffer in [a, b] {
            let made = self.s.backend.buffer_define(buffer, &store(2 << 20));
            self.take("define", made);
        }
        let done = self.s.backend.buffer_write(a, 0, &Bytes(&bytes));
        self.take("write", done);
        let done = self.s.backend.buffer_copy(a, 0, b, 0, 2 << 20);
        self.take("copy", done);
        let done = self.s.backend.buffer_write(a, 0, &Bytes(&[1; 64]));
        self.take("write while busy", done);
        let done = self.s.backend.buffer_write(b, 32, &Bytes(&[2; 4]));
        self.take("write to a copy", done);
        let done = self.s.backend.buffer_fill(b, 64, 12, &[3, 4, 5]);
        self.take("fill", done);
        let done = self.s.backend.buffer_define(a, &store(2 << 20));
        self.take("orphan", done);
        let mut out = vec![0; 96];
        let done = self.s.backend.buffer_read(b, 0, &mut out);
        self.take("read", done);
        out
    }

    /// A texture with mipmaps, uploaded and read back.
    fn textures(&mut self) -> Vec<u8> {
        let t = handle(self.s.slot());
        let made = self.s.backend.texture_define(t, &texture(T::Tex2D, Format::Rgba8, [32, 32, 1], 6), false);
        self.take("storage", made);
        let done = self.s.backend.texture_write(t, 0, &region(whole([32, 32, 1])), &Bytes(&[9; 4096]));
        self.take("upload", done);
        let done = self.s.backend.generate_mipmap(t, 0, 5);
        self.take("mipmaps", done);
        let mut out = vec![0; 16];
        let done = self.s.backend.texture_read(t, &read_info(whole([2, 2, 1]), 4), &mut out);
        self.take("texels", done);
        out
    }

    /// A dispatch that squares a store.
    fn dispatch(&mut self) -> Vec<u8> {
        let data = handle(self.s.slot());
        let made = self.s.backend.buffer_define(data, &store(16));
        self.take("define", made);
        let done = self.s.backend.buffer_write(data, 0, &Bytes(&[3u32, 4, 5, 6].map(u32::to_le_bytes).concat()));
        self.take("write", done);
        self.s.program(&[(Stage::Compute, shader!("square.comp"))], |_| {});
        self.s.ctx.buffers[1][0] = BufferRange { buffer: data, offset: 0, size: 16 };
        self.s.ctx.dirty |= Dirty::STORAGE_BUFFERS;
        let grid = LaunchGrid { grid: [1, 1, 1], ..LaunchGrid::default() };
        let done = self.s.backend.dispatch(&mut self.s.ctx, &grid);
        self.take("dispatch", done);
        let mut out = vec![0; 16];
        let done = self.s.backend.buffer_read(data, 0, &mut out);
        self.take("read", done);
        out
    }

    /// A green rectangle under an occlusion query; the picture.
    fn picture(&mut self) -> (Vec<u8>, Option<u64>) {
        let (slot, vertices, query) = (self.s.slot(), handle(self.s.slot()), handle(self.s.slot()));
        let desc = TextureDesc { ..texture(T::Tex2D, Format::Rgba8, [SIZE[0], SIZE[1], 1], 1) };
        let made = self.s.backend.texture_define(handle(slot), &desc, false);
        self.take("target", made);
        let (kind, format) = (SurfaceKind::Texture, Format::Rgba8 as u16);
        self.s.bind(&[Surface { slot, generation: 1, kind, format, ..Surface::default() }], None, SIZE);
        let bytes: Vec<u8> = rect(-1.0, -1.0, 1.0, 1.0, 0.0, [0.0, 1.0, 0.0, 1.0])
            .iter()
            .flatten()
            .flat_map(|f| f.to_le_bytes())
            .collect();
        let made = self.s.backend.buffer_define(vertices, &store(bytes.len() as u64));
        self.take("vertices", made);
        let done = self.s.backend.buffer_write(vertices, 0, &Bytes(&bytes));
        self.take("vertices", done);
        self.s.plain();
        let (position, color) = (super::scene::float(0, 0, 4, 0), super::scene::float(1, 0, 4, 16));
        self.s.elements(&[position, color], &[super::scene::binding(0, 32, 0)]);
        self.s.vertex_buffer(0, vertices);
        let fb = self.s.ctx.draw_framebuffer;
        let clear = Clear { kind: ClearKind::Whole, class: ValueClass::Float, mask: 0x4000, ..Clear::default() };
        let done = self.s.backend.clear(&mut self.s.ctx, &fb, &clear);
        self.take("clear", done);
        let (occlusion, _) = self.s.occlusion(1);
        let counted = self.s.backend.query_create(query, occlusion, 0).and_then(|()| {
            self.s.backend.query_begin(&mut self.s.ctx, query)?;
            Ok(true)
        });
        let counted = self.take("query", counted).unwrap_or(false);
        let ranges = [DrawRange { start: 0, count: 4, base_vertex: 0 }];
        let draw = Draw {
            mode: PrimitiveMode::TriangleStrip,
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
        let done = self.s.backend.draw(&mut self.s.ctx, &draw);
        self.take("draw", done);
        let result = counted.then(|| {
            let ended = self.s.backend.query_end(&mut self.s.ctx, query);
            self.take("end of the query", ended)?;
            let result = self.s.backend.query_result(query, true);
            self.take("result", result).flatten()
        });
        let mut out = vec![0; (SIZE[0] * SIZE[1] * 4) as usize];
        let info = read_info(whole([SIZE[0], SIZE[1], 1]), 0);
        let done = self.s.backend.read_pixels(&mut self.s.ctx, &info, &mut out);
        self.take("pixels", done);
        (out, result.flatten())
    }

    fn everything(&mut self) -> Seen {
        let bytes = [self.buffers(), self.textures(), self.dispatch()];
        let (picture, passed) = self.picture();
        Seen { bytes, picture, passed }
    }
}

/// A program that asks for more than there is must read `GL_OUT_OF_MEMORY` and go on: a game that cannot have one more
/// texture must not lose its context, see another's memory, or draw wrongly from then on.
#[test]
fn every_allocation_may_fail() {
    let mut s = Scene::over(session_short(Shortage::default()));
    let wanted = Run { s: &mut s, short: false }.everything();
    assert!(wanted.picture.chunks(4).all(|p| p == [0, 255, 0, 255]));
    s.finish();
    for count in [1, 6] {
        for from in 1.. {
            let mut s = Scene::over(session_short(Shortage { from, count }));
            let mut run = Run { s: &mut s, short: false };
            let _ = run.everything();
            let short = run.short;
            if crate::common::asked(&mut s.backend) < from {
                s.finish();
                break;
            }
            // A single failure may be made good by waiting for the device.
            assert!(count == 1 || short, "allocation {from} + {count}: nobody was told");
            // The rest of a longer shortage must not reach the second run.
            while crate::common::asked(&mut s.backend) < from + count {
                crate::common::ask(&mut s.backend);
            }
            let mut again = Run { s: &mut s, short: false };
            let seen = again.everything();
            assert!(!again.short, "allocation {from} + {count}: memory is there again");
            assert!(seen == wanted, "allocation {from} + {count}: another result than without a shortage");
            s.finish();
        }
    }
}
