//! Index lists that OpenGL ES cannot take as GL gives them: foreign restart indices, offsets that are no multiple of the
//! index, base vertices without the extension, polygon modes and provoking vertices by rewriting primitives. Must not
//! know how a draw is issued.

use crate::core::Core;
use crate::programs::{Ring, Slice};
use crate::raw::consts;
use crate::state::visible_mode;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::DrawRange;
use mgl_backend::{ContextState, Rasterised, Refusal};
use mgl_pipe::tokens::{IndexSize, PolygonMode, PrimitiveMode, ProvokingVertex};

/// Largest index buffer that is rewritten, in bytes (spec 07 §6.2).
const MAX_REWRITE: u64 = 1 << 26;
/// Marks a restart in a list of wide indices.
const CUT: u32 = u32::MAX;
/// Whole buffers that are kept rewritten.
const KEPT: usize = 8;

/// Where a draw takes its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// Rewritten ones; `None` = the context's element buffer.
    pub rewritten: Option<Slice>,
    /// Type token.
    pub ty: u32,
    /// Bytes per index.
    pub bytes: u64,
    /// Bytes per index of the source, when the whole buffer was rewritten: offsets scale.
    pub source_bytes: u64,
    /// Restart is on, with the fixed index.
    pub restart: bool,
    /// The ranges are those in `Rewrites::ranges`.
    pub own_ranges: bool,
    /// Primitive mode that replaces the draw's.
    pub mode: Option<u32>,
}

/// Identity of a whole rewritten buffer: handle, serial, index width, restart index.
type Key = (u64, u64, u8, u32);

/// Rewritten index lists.
#[derive(Default)]
pub struct Rewrites {
    kept: Vec<(Key, Slice, u32)>,
    next: usize,
    /// Ranges over rewritten indices.
    pub ranges: Vec<DrawRange>,
    bytes: Vec<u8>,
    list: Vec<u32>,
    out: Vec<u32>,
}

/// What has to be done to the primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Keep,
    Lines,
    Points,
    FirstToLast,
    /// Whole patches of so many vertices, without restarts.
    Patches(u32),
}

fn shape(core: &Core, ctx: &ContextState, draw: &Draw<'_>, what: Rasterised, flat: bool) -> Outcome<Shape> {
    let p = &ctx.pipeline;
    let emulated = what == Rasterised::Polygons && !core.features().polygon_mode;
    let shape = match visible_mode(p).unwrap_or(p.polygon_front) {
        PolygonMode::Line if emulated => Shape::Lines,
        PolygonMode::Point if emulated => Shape::Points,
        _ => {
            let first = p.provoking_vertex == ProvokingVertex::First && flat && !core.features().provoking_vertex;
            if !first || draw.mode == PrimitiveMode::Points {
                return Ok(Shape::Keep);
            }
            Shape::FirstToLast
        }
    };
    let simple = matches!(
        draw.mode,
        PrimitiveMode::Triangles
            | PrimitiveMode::TriangleStrip
            | PrimitiveMode::TriangleFan
            | PrimitiveMode::Lines
            | PrimitiveMode::LineStrip
            | PrimitiveMode::LineLoop
    );
    let name = if shape == Shape::FirstToLast { "ProvokingVertex" } else { "PolygonMode" };
    if !simple || draw.indirect.is_some() || ctx.xfb_capturing {
        return Err(Refusal::Unsupported(name));
    }
    Ok(shape)
}

/// Decides how the draw's indices are used, and rewrites them where they cannot be. `None` = an arrays draw as it is.
pub fn prepare(
    core: &mut Core,
    (rewrites, ring): (&mut Rewrites, &mut Ring),
    ctx: &ContextState,
    draw: &Draw<'_>,
    (what, (flat, numbered), wired): (Rasterised, (bool, bool), bool),
) -> Outcome<Option<Indices>> {
    let shape = if wired { Shape::Keep } else { shape(core, ctx, draw, what, flat)? };
    if draw.index_size == IndexSize::Arrays {
        return if shape == Shape::Keep { Ok(None) } else { rewrites.expand(core, ring, ctx, draw, shape).map(Some) };
    }
    let bytes = u64::from(draw.index_size.0);
    let fixed = if bytes == 4 { u32::MAX } else { (1 << (8 * bytes)) - 1 };
    // An index that the type cannot hold never restarts.
    let restart = draw.restart && draw.restart_index <= fixed;
    // A restart has no effect on the numbers of primitives (GLSL 4.60 §7.1.4), but drivers number patches anew.
    if restart && numbered && draw.mode == PrimitiveMode::Patches && draw.indirect.is_none() {
        return rewrites.expand(core, ring, ctx, draw, Shape::Patches(ctx.patch.vertices)).map(Some);
    }
    let unaligned = draw.ranges.iter().any(|r| r.start % bytes != 0);
    let based = !core.features().base_vertex && draw.ranges.iter().any(|r| r.base_vertex != 0);
    if shape != Shape::Keep || unaligned || based {
        return rewrites.expand(core, ring, ctx, draw, shape).map(Some);
    }
    let ty = super::draw::index_type(draw.index_size);
    let plain = Indices { rewritten: None, ty, bytes, source_bytes: bytes, restart, own_ranges: false, mode: None };
    if restart && draw.restart_index != fixed {
        // A store that takes new bytes for every draw would be rewritten from its start each time.
        if core.buffer(ctx.index_buffer).is_some_and(|store| store.written_once) {
            return rewrites.expand(core, ring, ctx, draw, shape).map(Some);
        }
        return rewrites.whole(core, ctx, draw, plain).map(Some);
    }
    Ok(Some(plain))
}

impl Rewrites {
    /// The whole element buffer with the fixed restart index, kept while the buffer does not change.
    fn whole(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, plain: Indices) -> Outcome<Indices> {
        let store = core.buffer(ctx.index_buffer).ok_or(Refusal::Unsupported("IndexBufferUnbound"))?;
        let key = (ctx.index_buffer.bits(), store.serial, draw.index_size.0, draw.restart_index);
        let done = |slice: Slice, bytes: u64| {
            let ty = if bytes == 4 { consts::UNSIGNED_INT } else { consts::UNSIGNED_SHORT };
            Indices { rewritten: Some(slice), ty, bytes, ..plain }
        };
        if let Some((_, slice, bytes)) = self.kept.iter().find(|(k, ..)| *k == key) {
            return Ok(done(*slice, u64::from(*bytes)));
        }
        self.read(core, ctx, 0, store.size)?;
        self.decode(plain.source_bytes as usize);
        let wide = plain.source_bytes == 4 || self.list.contains(&0xFFFF) && draw.restart_index != 0xFFFF;
        let marker = if wide { u32::MAX } else { 0xFFFF };
        self.bytes.clear();
        for index in &self.list {
            let index = if *index == draw.restart_index { marker } else { *index };
            if wide {
                self.bytes.extend_from_slice(&index.to_ne_bytes());
            } else {
                self.bytes.extend_from_slice(&(index as u16).to_ne_bytes());
            }
        }
        let at = self.next % KEPT;
        let name = match self.kept.get(at) {
            Some((_, old, _)) => old.name,
            None => core.gl().new_buffer(),
        };
        core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, name);
        core.gl().buffer_data_bytes(consts::COPY_WRITE_BUFFER, &self.bytes, consts::STATIC_DRAW);
        let slice = Slice { name, offset: 0, len: self.bytes.len() };
        let entry = (key, slice, if wide { 4 } else { 2 });
        if at < self.kept.len() {
            self.kept[at] = entry
        } else {
            self.kept.push(entry)
        }
        self.next += 1;
        Ok(done(slice, if wide { 4 } else { 2 }))
    }

    /// Reads part of the element buffer.
    fn read(&mut self, core: &mut Core, ctx: &ContextState, start: u64, len: u64) -> Outcome {
        if len > MAX_REWRITE {
            return Err(Refusal::Unsupported("IndexRewriteSize"));
        }
        self.bytes.clear();
        self.bytes.resize(len as usize, 0);
        core.buffer_read(ctx.index_buffer, start, &mut self.bytes)
    }

    fn decode(&mut self, width: usize) {
        self.list.clear();
        let read = |b: &[u8]| match b {
            [a] => u32::from(*a),
            [a, b] => u32::from(u16::from_ne_bytes([*a, *b])),
            [a, b, c, d] => u32::from_ne_bytes([*a, *b, *c, *d]),
            _ => 0,
        };
        self.list.extend(self.bytes.chunks_exact(width.max(1)).map(read));
    }

    /// Every range as wide indices in the ring, with base vertices added and primitives reshaped.
    fn expand(
        &mut self,
        core: &mut Core,
        ring: &mut Ring,
        ctx: &ContextState,
        draw: &Draw<'_>,
        shape: Shape,
    ) -> Outcome<Indices> {
        self.out.clear();
        self.ranges.clear();
        let based = !core.features().base_vertex;
        for range in draw.ranges {
            let first = self.out.len();
            let mut base = range.base_vertex;
            if draw.index_size == IndexSize::Arrays {
                self.list.clear();
                self.list.extend((0..range.count).map(|n| range.start as u32 + n));
            } else {
                let width = u64::from(draw.index_size.0);
                self.read(core, ctx, range.start, u64::from(range.count) * width)?;
                self.decode(width as usize);
                let cut = draw.restart.then_some(draw.restart_index);
                for index in &mut self.list {
                    let shifted = if based { index.wrapping_add(base.cast_unsigned()) } else { *index };
                    *index = if cut == Some(*index) { CUT } else { shifted };
                }
                if based {
                    base = 0;
                }
            }
            reshape(&self.list, draw.mode, shape, &mut self.out);
            let count = (self.out.len() - first) as u32;
            self.ranges.push(DrawRange { start: first as u64 * 4, count, base_vertex: base });
        }
        self.bytes.clear();
        self.out.iter().for_each(|i| self.bytes.extend_from_slice(&i.to_ne_bytes()));
        let slice = ring.stage(core, &self.bytes, 4)?;
        self.ranges.iter_mut().for_each(|r| r.start += slice.offset as u64);
        let mode = match (shape, draw.mode) {
            (Shape::Keep | Shape::Patches(_), _) => None,
            (Shape::Points, _) => Some(consts::POINTS),
            (Shape::Lines, _) => Some(consts::LINES),
            (_, PrimitiveMode::Lines | PrimitiveMode::LineStrip | PrimitiveMode::LineLoop) => Some(consts::LINES),
            _ => Some(consts::TRIANGLES),
        };
        Ok(Indices {
            rewritten: Some(Slice { offset: 0, ..slice }),
            ty: consts::UNSIGNED_INT,
            bytes: 4,
            source_bytes: 4,
            restart: shape == Shape::Keep && draw.restart,
            own_ranges: true,
            mode,
        })
    }
}

/// Appends the primitives of `list` in their new shape.
fn reshape(list: &[u32], mode: PrimitiveMode, shape: Shape, out: &mut Vec<u32>) {
    if shape == Shape::Keep {
        out.extend_from_slice(list);
        return;
    }
    for run in list.split(|i| *i == CUT) {
        if let Shape::Patches(vertices) = shape {
            out.extend(run.chunks_exact(vertices.max(1) as usize).flatten());
            continue;
        }
        each_primitive(run, mode, &mut |p| match (shape, p) {
            (Shape::Points, all) => out.extend_from_slice(all),
            (Shape::Lines, [a, b, c]) => out.extend_from_slice(&[*a, *b, *b, *c, *c, *a]),
            (Shape::Lines, all) => out.extend_from_slice(all),
            // The first vertex comes last, and the order stays.
            (_, [a, rest @ ..]) => {
                out.extend_from_slice(rest);
                out.push(*a);
            }
            _ => {}
        });
    }
}

/// Calls `each` for every line or triangle, its provoking vertex by the first-vertex convention in front (GL 4.6 table
/// 13.2), in the winding that GL gives it.
fn each_primitive(run: &[u32], mode: PrimitiveMode, each: &mut dyn FnMut(&[u32])) {
    match mode {
        PrimitiveMode::Lines => run.chunks_exact(2).for_each(each),
        PrimitiveMode::LineStrip => run.windows(2).for_each(each),
        PrimitiveMode::LineLoop => {
            run.windows(2).for_each(&mut *each);
            if let (Some(first), Some(last)) = (run.first(), run.last()) {
                each(&[*last, *first]);
            }
        }
        PrimitiveMode::Triangles => run.chunks_exact(3).for_each(each),
        PrimitiveMode::TriangleStrip => {
            for (n, w) in run.windows(3).enumerate() {
                let odd = n % 2 == 1;
                each(&if odd { [w[0], w[2], w[1]] } else { [w[0], w[1], w[2]] });
            }
        }
        PrimitiveMode::TriangleFan => {
            let Some(centre) = run.first() else { return };
            run.get(1..).unwrap_or_default().windows(2).for_each(|w| each(&[w[0], w[1], *centre]));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{CUT, Shape, reshape};
    use mgl_pipe::tokens::PrimitiveMode;

    fn shaped(list: &[u32], mode: PrimitiveMode, shape: Shape) -> Vec<u32> {
        let mut out = Vec::new();
        reshape(list, mode, shape, &mut out);
        out
    }

    /// A patch that a restart cuts off would take the vertices of the next one.
    #[test]
    fn patches_stay_whole() {
        let mut out = Vec::new();
        reshape(&[0, 1, 2, 3, CUT, 4, 5, 6], PrimitiveMode::Patches, Shape::Patches(3), &mut out);
        assert_eq!(out, [0, 1, 2, 4, 5, 6]);
    }

    /// A wireframe that crosses a restart would draw an edge that the model does not have.
    #[test]
    fn wireframes_stop_at_restarts() {
        let got = shaped(&[0, 1, 2, CUT, 3, 4, 5], PrimitiveMode::TriangleStrip, Shape::Lines);
        assert_eq!(got, [0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3]);
    }

    /// Flat colours come from the provoking vertex, and the winding decides what is culled.
    #[test]
    fn first_vertices_come_last_in_their_winding() {
        assert_eq!(shaped(&[0, 1, 2], PrimitiveMode::Triangles, Shape::FirstToLast), [1, 2, 0]);
        let strip = shaped(&[0, 1, 2, 3], PrimitiveMode::TriangleStrip, Shape::FirstToLast);
        assert_eq!(strip, [1, 2, 0, 3, 2, 1]);
        assert_eq!(shaped(&[0, 1, 2, 3], PrimitiveMode::TriangleFan, Shape::FirstToLast), [2, 0, 1, 3, 0, 2]);
    }
}
