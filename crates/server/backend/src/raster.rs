//! What a draw rasterises: points, lines or polygons, by its mode and its program. Must not know how a driver draws it.

use mgl_pipe::archive::ProgramArchive;
use mgl_pipe::tokens::PrimitiveMode;

const GL_POINTS: u32 = 0;
const GL_LINE_STRIP: u32 = 3;
const GL_ISOLINES: u32 = 0x8E7A;

/// What reaches the rasteriser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rasterised {
    /// Points.
    Points,
    /// Lines.
    Lines,
    /// Polygons.
    Polygons,
}

impl Rasterised {
    /// What a draw of `mode` with a program rasterises: the last stage that makes primitives decides (GL 4.6 core 11.3, 11.2).
    pub fn of(mode: PrimitiveMode, archive: &ProgramArchive) -> Self {
        if let Some(geometry) = &archive.geometry {
            return match geometry.output_primitive {
                GL_POINTS => Self::Points,
                GL_LINE_STRIP => Self::Lines,
                _ => Self::Polygons,
            };
        }
        if let Some(eval) = &archive.tess_eval {
            return match (eval.point_mode, eval.primitive) {
                (true, _) => Self::Points,
                (_, GL_ISOLINES) => Self::Lines,
                _ => Self::Polygons,
            };
        }
        match mode {
            PrimitiveMode::Points => Self::Points,
            PrimitiveMode::Lines
            | PrimitiveMode::LineLoop
            | PrimitiveMode::LineStrip
            | PrimitiveMode::LinesAdjacency
            | PrimitiveMode::LineStripAdjacency => Self::Lines,
            _ => Self::Polygons,
        }
    }
}
