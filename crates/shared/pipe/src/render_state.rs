//! The render-state block and its chunk tables (spec 03). The pipeline subset is the identity of a
//! `RenderStateCso`; the dynamic subset is data. Must not know setters or versions: those are the client's.
//!
//! Members that no backend reads (hints, debug output, point fade threshold) are client-only and not here; patch
//! parameters have their own record; the primitive restart index travels with the draw (spec 03 §9).

use crate::tokens::{
    BlendEquation, BlendFactor, ClipDepth, ClipOrigin, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode,
    ProvokingVertex, StencilOp,
};
use crate::wire::{Bool8, Pad};
use zerocopy::IntoBytes;

wire_struct! {
    /// Blend state of one draw buffer.
    pub struct BlendState {
        /// `GL_BLEND` of this buffer.
        enabled: Bool8,
        /// Zero.
        pad: Pad<3>,
        /// Source factor, colour.
        src_rgb: BlendFactor,
        /// Destination factor, colour.
        dst_rgb: BlendFactor,
        /// Source factor, alpha.
        src_alpha: BlendFactor,
        /// Destination factor, alpha.
        dst_alpha: BlendFactor,
        /// Equation, colour.
        eq_rgb: BlendEquation,
        /// Equation, alpha.
        eq_alpha: BlendEquation,
    }
}
wire_struct! {
    /// The pipeline half of one stencil face.
    pub struct StencilOps {
        /// Comparison.
        func: CompareFunc,
        /// Stencil test fails.
        fail: StencilOp,
        /// Depth test fails.
        depth_fail: StencilOp,
        /// Both pass.
        pass: StencilOp,
    }
}
wire_struct! {
    /// The dynamic half of one stencil face.
    pub struct StencilRef {
        /// Reference value, unclamped.
        reference: i32,
        /// Compare mask.
        value_mask: u32,
        /// Write mask.
        write_mask: u32,
    }
}
wire_struct! {
    /// Pipeline subset: equal bytes are the same pipeline state.
    pub struct PipelineState {
        /// Per draw buffer.
        blend: [BlendState; 8],
        /// Red, green, blue, alpha per draw buffer.
        color_mask: [[Bool8; 4]; 8],
        /// Front and back.
        stencil: [StencilOps; 2],
        /// `GL_STENCIL_TEST`.
        stencil_test: Bool8,
        /// `GL_DEPTH_TEST`.
        depth_test: Bool8,
        /// Depth write mask.
        depth_mask: Bool8,
        /// `GL_DEPTH_CLAMP`.
        depth_clamp: Bool8,
        /// Depth comparison.
        depth_func: CompareFunc,
        /// Logic operation.
        logic_op: LogicOp,
        /// `GL_COLOR_LOGIC_OP`.
        logic_op_enabled: Bool8,
        /// `GL_FRAMEBUFFER_SRGB`.
        framebuffer_srgb: Bool8,
        /// `GL_CULL_FACE`.
        cull_enabled: Bool8,
        /// `GL_RASTERIZER_DISCARD`.
        rasterizer_discard: Bool8,
        /// Culled faces.
        cull_face: CullFace,
        /// Winding of front faces.
        front_face: FrontFace,
        /// Front polygon mode.
        polygon_front: PolygonMode,
        /// Back polygon mode.
        polygon_back: PolygonMode,
        /// Provoking vertex convention.
        provoking_vertex: ProvokingVertex,
        /// Clip control origin.
        clip_origin: ClipOrigin,
        /// Clip control depth mode.
        clip_depth: ClipDepth,
        /// `GL_POLYGON_OFFSET_FILL`.
        offset_fill: Bool8,
        /// `GL_POLYGON_OFFSET_LINE`.
        offset_line: Bool8,
        /// `GL_POLYGON_OFFSET_POINT`.
        offset_point: Bool8,
        /// `GL_LINE_SMOOTH`.
        line_smooth: Bool8,
        /// `GL_POLYGON_SMOOTH`.
        polygon_smooth: Bool8,
        /// `GL_MULTISAMPLE`.
        multisample: Bool8,
        /// `GL_SAMPLE_ALPHA_TO_COVERAGE`.
        alpha_to_coverage: Bool8,
        /// `GL_SAMPLE_ALPHA_TO_ONE`.
        alpha_to_one: Bool8,
        /// `GL_SAMPLE_COVERAGE`.
        sample_coverage: Bool8,
        /// Invert flag of `glSampleCoverage`.
        sample_coverage_invert: Bool8,
        /// `GL_SAMPLE_MASK`.
        sample_mask_enabled: Bool8,
        /// `GL_SAMPLE_SHADING`.
        sample_shading: Bool8,
        /// `GL_PROGRAM_POINT_SIZE`.
        program_point_size: Bool8,
        /// Sprite origin is the lower left.
        point_origin_lower_left: Bool8,
        /// Value of `glSampleCoverage`.
        sample_coverage_value: f32,
        /// Word 0 of `glSampleMaski`.
        sample_mask: u32,
        /// `glMinSampleShading`.
        min_sample_shading: f32,
    }
}
wire_struct! {
    /// Dynamic subset. Comparison is by bits.
    pub struct DynamicState {
        /// x, y, width, height per viewport.
        viewports: [[f32; 4]; 16],
        /// near, far per viewport.
        depth_ranges: [[f32; 2]; 16],
        /// x, y, width, height per scissor box.
        scissors: [[i32; 4]; 16],
        /// `GL_SCISSOR_TEST` per viewport, one bit each.
        scissor_enabled: u32,
        /// Constant blend colour.
        blend_color: [f32; 4],
        /// Front and back.
        stencil: [StencilRef; 2],
        /// Line width in pixels.
        line_width: f32,
        /// Point size in pixels when the program does not write it.
        point_size: f32,
        /// Polygon offset factor.
        offset_factor: f32,
        /// Polygon offset units.
        offset_units: f32,
        /// Polygon offset clamp.
        offset_clamp: f32,
        /// Colour of `glClear`.
        clear_color: [f32; 4],
        /// Depth of `glClear`.
        clear_depth: f32,
        /// Stencil of `glClear`.
        clear_stencil: u32,
        /// Enabled clip distances, one bit each.
        clip_distances: u32,
        /// `GL_CLAMP_READ_COLOR` token.
        clamp_read_color: u32,
        /// `GL_DITHER`.
        dither: Bool8,
        /// Zero.
        pad: Pad<3>,
    }
}

/// A byte range of a block (spec 02 §4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Name, for dumps.
    pub name: &'static str,
    /// First byte.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

macro_rules! chunks {
    ($(#[$doc:meta])* $table:ident, $block:ident: $first:ident $(, $start:ident)*) => {
        $(#[$doc])*
        pub const $table: &[Chunk] = {
            const STARTS: &[(&str, usize)] = &[
                (stringify!($first), core::mem::offset_of!($block, $first)),
                $((stringify!($start), core::mem::offset_of!($block, $start))),*
            ];
            const N: usize = STARTS.len();
            const fn table() -> [Chunk; N] {
                let mut out = [Chunk { name: "", offset: 0, len: 0 }; N];
                let mut i = 0;
                while i < N {
                    let end = if i + 1 < N { STARTS[i + 1].1 } else { core::mem::size_of::<$block>() };
                    out[i] = Chunk { name: STARTS[i].0, offset: STARTS[i].1, len: end - STARTS[i].1 };
                    i += 1;
                }
                out
            }
            &table()
        };
    };
}

chunks! {
    /// Chunks of [`PipelineState`], each named after its first member; computed from the compiled layout (spec 03 §5.1).
    PIPELINE_CHUNKS, PipelineState: blend, color_mask, stencil, stencil_test, cull_enabled, multisample
}
chunks! {
    /// Chunks of [`DynamicState`].
    DYNAMIC_CHUNKS, DynamicState: viewports, depth_ranges, scissors, blend_color, stencil, line_width, clear_color, clip_distances
}

/// All chunk bits of a table.
pub const fn all_chunks(table: &[Chunk]) -> u32 {
    (1u32 << table.len()) - 1
}

/// Bytes that the chunks of `mask` take, or `None` for a bit without a chunk.
pub fn chunk_bytes(table: &[Chunk], mask: u32) -> Option<usize> {
    (mask & !all_chunks(table) == 0)
        .then(|| table.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0).map(|(_, c)| c.len).sum())
}

/// Chunks in which two blocks differ.
pub fn differing_chunks(table: &[Chunk], a: &[u8], b: &[u8]) -> u32 {
    let differs = |c: &Chunk| a.get(c.offset..c.offset + c.len) != b.get(c.offset..c.offset + c.len);
    table.iter().enumerate().filter(|(_, c)| differs(c)).fold(0, |mask, (i, _)| mask | (1 << i))
}

/// Appends the chunks of `mask` in chunk order.
pub fn gather_chunks(table: &[Chunk], mask: u32, block: &[u8], out: &mut Vec<u8>) {
    for (_, chunk) in table.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0) {
        if let Some(bytes) = block.get(chunk.offset..chunk.offset + chunk.len) {
            out.extend_from_slice(bytes);
        }
    }
}

/// Writes `bytes` into the chunks of `mask`; false when the sizes do not agree (spec 02 §4.4).
pub fn scatter_chunks(table: &[Chunk], mask: u32, mut bytes: &[u8], block: &mut [u8]) -> bool {
    if chunk_bytes(table, mask) != Some(bytes.len()) {
        return false;
    }
    for (_, chunk) in table.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0) {
        let (Some((part, rest)), Some(to)) =
            (bytes.split_at_checked(chunk.len), block.get_mut(chunk.offset..chunk.offset + chunk.len))
        else {
            return false;
        };
        to.copy_from_slice(part);
        bytes = rest;
    }
    true
}

impl PipelineState {
    /// Initial values of a GL context (GL 4.6 tables 23.4 ff.).
    pub fn initial() -> Self {
        let on = Bool8::new(true);
        let blend = BlendState {
            src_rgb: BlendFactor::One,
            dst_rgb: BlendFactor::Zero,
            src_alpha: BlendFactor::One,
            dst_alpha: BlendFactor::Zero,
            eq_rgb: BlendEquation::Add,
            eq_alpha: BlendEquation::Add,
            ..BlendState::default()
        };
        let ops = StencilOps {
            func: CompareFunc::Always,
            fail: StencilOp::Keep,
            depth_fail: StencilOp::Keep,
            pass: StencilOp::Keep,
        };
        Self {
            blend: [blend; 8],
            color_mask: [[on; 4]; 8],
            stencil: [ops; 2],
            depth_mask: on,
            depth_func: CompareFunc::Less,
            logic_op: LogicOp::Copy,
            cull_face: CullFace::Back,
            front_face: FrontFace::Ccw,
            polygon_front: PolygonMode::Fill,
            polygon_back: PolygonMode::Fill,
            provoking_vertex: ProvokingVertex::Last,
            clip_origin: ClipOrigin::LowerLeft,
            clip_depth: ClipDepth::NegativeOneToOne,
            multisample: on,
            sample_coverage_value: 1.0,
            sample_mask: u32::MAX,
            ..Self::default()
        }
    }
}

impl DynamicState {
    /// Initial values of a GL context; viewport and scissor take the surface's size at the first make-current.
    pub fn initial() -> Self {
        let stencil = StencilRef { reference: 0, value_mask: u32::MAX, write_mask: u32::MAX };
        Self {
            depth_ranges: [[0.0, 1.0]; 16],
            stencil: [stencil; 2],
            line_width: 1.0,
            point_size: 1.0,
            clear_depth: 1.0,
            clamp_read_color: 0x891D, // GL_FIXED_ONLY
            dither: Bool8::new(true),
            ..Self::default()
        }
    }
}

/// Equality by bits: NaN equals itself and -0 differs from +0 (spec 03 §9).
pub fn same_bits<T: IntoBytes + zerocopy::Immutable>(a: &T, b: &T) -> bool {
    a.as_bytes() == b.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::{DYNAMIC_CHUNKS, DynamicState, PIPELINE_CHUNKS, PipelineState};
    use super::{all_chunks, differing_chunks, gather_chunks, scatter_chunks};
    use crate::sample::Rng;
    use crate::wire::Wire;
    use zerocopy::IntoBytes;

    /// A byte outside every chunk would never reach the server: the setter of that state would have no effect.
    #[test]
    fn chunks_cover_both_blocks_exactly() {
        for (table, size) in
            [(PIPELINE_CHUNKS, size_of::<PipelineState>()), (DYNAMIC_CHUNKS, size_of::<DynamicState>())]
        {
            let mut at = 0;
            for chunk in table {
                assert_eq!(chunk.offset, at);
                at += chunk.len;
            }
            assert_eq!(at, size);
        }
    }

    /// Scattering what was gathered must give back the block, or the server would draw with mixed state.
    #[test]
    fn gathered_chunks_scatter_back() {
        let mut rng = Rng::new(7);
        let source = PipelineState::sample(&mut rng);
        let mut target = PipelineState::initial();
        let mask = differing_chunks(PIPELINE_CHUNKS, source.as_bytes(), target.as_bytes());
        let mut bytes = Vec::new();
        gather_chunks(PIPELINE_CHUNKS, mask, source.as_bytes(), &mut bytes);
        assert!(scatter_chunks(PIPELINE_CHUNKS, mask, &bytes, target.as_mut_bytes()));
        assert_eq!(source.as_bytes(), target.as_bytes());
        assert!(!scatter_chunks(PIPELINE_CHUNKS, all_chunks(PIPELINE_CHUNKS), &[0; 3], target.as_mut_bytes()));
    }
}
