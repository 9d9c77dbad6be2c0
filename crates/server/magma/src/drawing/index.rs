//! Index lists that Vulkan cannot take as GL gives them: rewritten on the CPU into staging memory. Must not know passes.

use super::indirect::Commands;
use crate::core::Core;
use crate::device::DeviceFeatures;
use ash::vk;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::DrawRange;
use mgl_backend::{ContextState, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Buffer;
use mgl_pipe::tokens::{IndexSize, PrimitiveMode};

/// Largest index list that is rewritten, in bytes of its source.
const MAX_REWRITE: u64 = 256 << 20;

/// Where a draw takes its indices.
#[derive(Clone, Debug, Default)]
pub struct Indices {
    /// Buffer object, or null when `staged` holds the indices.
    pub source: Handle<Buffer>,
    /// Rewritten indices.
    pub staged: Option<crate::commands::Staged>,
    /// Width.
    pub ty: vk::IndexType,
    /// Bytes per index.
    pub bytes: u64,
    /// Ranges over rewritten indices; empty = the draw's own.
    pub ranges: Vec<DrawRange>,
    /// Commands of an indirect draw over rewritten indices, in place of the program's.
    pub commands: Option<Commands>,
    /// Primitive restart in the pipeline.
    pub restart: bool,
}

/// Number of vertices per primitive of a list mode, 0 for connected ones.
fn list_size(mode: PrimitiveMode) -> usize {
    match mode {
        PrimitiveMode::Points => 1,
        PrimitiveMode::Lines => 2,
        PrimitiveMode::Triangles => 3,
        PrimitiveMode::LinesAdjacency => 4,
        PrimitiveMode::TrianglesAdjacency => 6,
        _ => 0,
    }
}

/// Whether primitives of the draw must be cut or closed on the host: where its ranges are in a buffer, they are read.
pub fn cuts(features: &DeviceFeatures, draw: &Draw<'_>, numbered: bool) -> bool {
    draw.mode == PrimitiveMode::LineLoop || expands(features, draw, numbered)
}

/// Whether incomplete primitives of a list are dropped at restarts here. A restart has no effect on the numbers of primitives
/// (GLSL 4.60 §7.1.4), but those of patches begin anew on lavapipe: of a program that is `numbered` they are one list.
fn expands(features: &DeviceFeatures, draw: &Draw<'_>, numbered: bool) -> bool {
    let restarts = match draw.mode {
        PrimitiveMode::Patches => features.patch_list_restart && !numbered,
        mode => list_size(mode) == 0 || features.list_restart,
    };
    restarting(draw) && !restarts
}

/// Whether an index of the draw restarts: one that its type cannot hold never does.
fn restarting(draw: &Draw<'_>) -> bool {
    draw.restart && draw.index_size != IndexSize::Arrays && draw.restart_index <= fixed_restart(draw.index_size)
}

/// The index that restarts in Vulkan.
fn fixed_restart(size: IndexSize) -> u32 {
    match size {
        IndexSize::U8 => 0xFF,
        IndexSize::U16 => 0xFFFF,
        _ => u32::MAX,
    }
}

/// Decides whether the draw's indices can be used as they are; rewrites them when not. `None` = an arrays draw as it is.
pub fn prepare(
    core: &mut Core,
    ctx: &ContextState,
    draw: &Draw<'_>,
    (patch_vertices, numbered): (u32, bool),
) -> Outcome<Option<Indices>> {
    let loops = draw.mode == PrimitiveMode::LineLoop;
    if draw.index_size == IndexSize::Arrays {
        return match draw.indirect {
            _ if !loops => Ok(None),
            Some(indirect) => super::indirect::rewrite(core, ctx, indirect, &LOOP_OF_VERTICES, false).map(Some),
            None => line_loop_arrays(core, draw).map(Some),
        };
    }
    let bytes = u64::from(draw.index_size.0);
    let ty = match draw.index_size {
        IndexSize::U8 => vk::IndexType::UINT8_EXT,
        IndexSize::U16 => vk::IndexType::UINT16,
        _ => vk::IndexType::UINT32,
    };
    let features = &core.gpu.features;
    let restart = restarting(draw);
    let narrow = draw.index_size == IndexSize::U8 && !features.index_type_uint8;
    let foreign = restart && draw.restart_index != fixed_restart(draw.index_size);
    let expand = expands(features, draw, numbered);
    let unaligned = !super::draw::aligned(draw);
    if !(loops || narrow || foreign || expand || unaligned) {
        let source = ctx.index_buffer;
        return Ok(Some(Indices { source, ty, bytes, restart, ..Indices::default() }));
    }
    let rewrite = Rewrite {
        bytes: bytes as usize,
        restart: restart.then_some(draw.restart_index),
        group: if expand {
            list_size(draw.mode).max(if draw.mode == PrimitiveMode::Patches { patch_vertices as usize } else { 0 })
        } else {
            0
        },
        loops,
        wide: bytes == 4 || loops || (foreign && bytes == 2),
    };
    match draw.indirect {
        Some(indirect) if loops || expand => {
            return super::indirect::rewrite(core, ctx, indirect, &rewrite, true).map(Some);
        }
        Some(_) => return whole(core, ctx, &rewrite).map(Some),
        None => {}
    }
    ranges(core, ctx, draw, &rewrite).map(Some)
}

/// How indices are rewritten.
pub struct Rewrite {
    /// Bytes of an index of the source.
    pub bytes: usize,
    /// The index that restarts.
    pub restart: Option<u32>,
    /// Vertices per primitive when incomplete primitives at a restart must be dropped here.
    pub group: usize,
    /// Segments are closed.
    pub loops: bool,
    /// 32-bit indices are written, else 16-bit.
    pub wide: bool,
}

/// A line loop over vertices that no indices name.
const LOOP_OF_VERTICES: Rewrite = Rewrite { bytes: 4, restart: None, group: 0, loops: true, wide: true };

impl Rewrite {
    fn read(&self, bytes: &[u8], at: usize) -> u32 {
        let b = |n: usize| u32::from(bytes.get(at + n).copied().unwrap_or(0));
        match self.bytes {
            1 => b(0),
            2 => b(0) | b(1) << 8,
            _ => b(0) | b(1) << 8 | b(2) << 16 | b(3) << 24,
        }
    }

    fn marker(&self) -> u32 {
        if self.wide { u32::MAX } else { 0xFFFF }
    }

    /// Rewrites the indices of one range into `out`.
    pub fn run(&self, source: &[u8], out: &mut Vec<u32>) {
        let all = (0..source.len() / self.bytes).map(|i| self.read(source, i * self.bytes));
        let mut segment: Vec<u32> = Vec::new();
        for index in all {
            if self.restart == Some(index) {
                self.flush(&mut segment, out);
            } else {
                segment.push(index);
            }
        }
        self.flush(&mut segment, out);
        if self.restart.is_some() && self.group == 0 && out.last() == Some(&self.marker()) {
            out.pop();
        }
    }

    fn flush(&self, segment: &mut Vec<u32>, out: &mut Vec<u32>) {
        if let Some(whole) = segment.len().checked_div(self.group) {
            segment.truncate(whole * self.group);
        }
        if self.loops && segment.len() > 1 {
            segment.push(segment[0]);
        }
        out.append(segment);
        if self.restart.is_some() && self.group == 0 {
            out.push(self.marker());
        }
    }

    /// Puts rewritten indices where the device reads them; their type and width.
    pub fn stage(&self, core: &mut Core, list: &[u32]) -> Outcome<(crate::commands::Staged, vk::IndexType, u64)> {
        let (ty, width) = self.width();
        let staged = core.cmds.staging.stage(self.bytes_of(list), 4, |to| self.put(list, to))?;
        Ok((staged, ty, width))
    }

    fn width(&self) -> (vk::IndexType, u64) {
        if self.wide { (vk::IndexType::UINT32, 4) } else { (vk::IndexType::UINT16, 2) }
    }

    fn bytes_of(&self, list: &[u32]) -> u64 {
        (list.len() as u64 * self.width().1).max(4)
    }

    fn put(&self, list: &[u32], to: &mut [u8]) -> bool {
        let width = self.width().1 as usize;
        for (slot, index) in to.chunks_exact_mut(width).zip(list) {
            slot.copy_from_slice(&index.to_le_bytes()[..width]);
        }
        true
    }
}

/// Bytes of a buffer as far as it has them.
pub fn read(core: &mut Core, buffer: Handle<Buffer>, offset: u64, len: u64) -> Outcome<Vec<u8>> {
    let size = core.buffer(buffer).map_or(0, |b| b.size);
    let len = len.min(size.saturating_sub(offset));
    if len > MAX_REWRITE {
        return Err(Refusal::Unsupported("IndexRewriteTooLarge"));
    }
    let mut bytes = vec![0; len as usize];
    if len > 0 {
        core.buffer_read(buffer, offset, &mut bytes)?;
    }
    Ok(bytes)
}

fn ranges(core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, rewrite: &Rewrite) -> Outcome<Indices> {
    let mut list = Vec::new();
    let mut out = Vec::with_capacity(draw.ranges.len());
    for range in draw.ranges {
        let bytes = read(core, ctx.index_buffer, range.start, u64::from(range.count) * rewrite.bytes as u64)?;
        let first = list.len();
        rewrite.run(&bytes, &mut list);
        out.push(DrawRange { start: first as u64, count: (list.len() - first) as u32, base_vertex: range.base_vertex });
    }
    let (staged, ty, bytes) = rewrite.stage(core, &list)?;
    out.iter_mut().for_each(|r| r.start *= bytes);
    Ok(Indices {
        staged: Some(staged),
        ty,
        bytes,
        ranges: out,
        restart: rewrite.restart.is_some() && rewrite.group == 0,
        ..Indices::default()
    })
}

/// For indirect draws the GPU knows the ranges: every index keeps its place.
fn whole(core: &mut Core, ctx: &ContextState, rewrite: &Rewrite) -> Outcome<Indices> {
    let bytes = read(core, ctx.index_buffer, 0, u64::MAX)?;
    let marker = rewrite.marker();
    let list: Vec<u32> = (0..bytes.len() / rewrite.bytes)
        .map(|i| rewrite.read(&bytes, i * rewrite.bytes))
        .map(|i| if rewrite.restart == Some(i) { marker } else { i })
        .collect();
    // Indirect draws of lavapipe take no notice of where in its buffer an index list starts.
    let staged = core.cmds.staging.stage_apart(rewrite.bytes_of(&list), |to| rewrite.put(&list, to))?;
    let (ty, bytes) = rewrite.width();
    Ok(Indices { staged: Some(staged), ty, bytes, restart: rewrite.restart.is_some(), ..Indices::default() })
}

/// A line loop over vertices `first ..`: a strip over generated indices that ends at its first vertex.
fn line_loop_arrays(core: &mut Core, draw: &Draw<'_>) -> Outcome<Indices> {
    let rewrite = LOOP_OF_VERTICES;
    let mut list = Vec::new();
    let mut out = Vec::with_capacity(draw.ranges.len());
    for range in draw.ranges {
        let first = list.len();
        close_vertices(range.start as u32, range.count, &mut list)?;
        out.push(DrawRange { start: first as u64 * 4, count: (list.len() - first) as u32, base_vertex: 0 });
    }
    let (staged, ty, bytes) = rewrite.stage(core, &list)?;
    Ok(Indices { staged: Some(staged), ty, bytes, ranges: out, ..Indices::default() })
}

/// Appends a loop over `count` vertices from `start` on.
pub fn close_vertices(start: u32, count: u32, list: &mut Vec<u32>) -> Outcome {
    if (list.len() as u64 + u64::from(count)) * 4 > MAX_REWRITE {
        return Err(Refusal::Unsupported("IndexRewriteTooLarge"));
    }
    list.extend(start..start.saturating_add(count));
    if count > 1 {
        list.push(start);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Rewrite;

    fn run(rewrite: &Rewrite, bytes: &[u8]) -> Vec<u32> {
        let mut out = Vec::new();
        rewrite.run(bytes, &mut out);
        out
    }

    /// A foreign restart index must become the fixed one of the wider type, or strips are joined by stray triangles.
    #[test]
    fn foreign_restart_becomes_the_marker() {
        let r = Rewrite { bytes: 1, restart: Some(7), group: 0, loops: false, wide: false };
        assert_eq!(run(&r, &[0, 1, 2, 7, 3, 4, 255]), [0, 1, 2, 0xFFFF, 3, 4, 255]);
    }

    /// Restart inside a triangle of a list drops the incomplete triangle.
    #[test]
    fn lists_drop_incomplete_primitives() {
        let r = Rewrite { bytes: 1, restart: Some(255), group: 3, loops: false, wide: false };
        assert_eq!(run(&r, &[0, 1, 2, 3, 255, 4, 5, 6]), [0, 1, 2, 4, 5, 6]);
    }

    /// Each loop between restarts closes on its own first vertex.
    #[test]
    fn loops_close() {
        let r = Rewrite { bytes: 1, restart: Some(255), group: 0, loops: true, wide: true };
        assert_eq!(run(&r, &[0, 1, 2, 255, 3, 4]), [0, 1, 2, 0, u32::MAX, 3, 4, 3]);
    }
}
