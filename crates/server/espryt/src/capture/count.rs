//! How many vertices a span captured, for draws of that number: OpenGL ES draws none. Known beforehand for plain draws; where
//! stages or restarts make primitives, a query of ours counts. Must not know programs.

use crate::core::Core;
use crate::raw::consts;
use mgl_backend::Refusal;
use mgl_backend::traits::{Draw, Outcome};
use mgl_pipe::tokens::PrimitiveMode;

/// Vertices per primitive of a capture mode.
pub(super) fn per_primitive(mode: PrimitiveMode) -> u64 {
    match mode {
        PrimitiveMode::Points => 1,
        PrimitiveMode::Lines => 2,
        _ => 3,
    }
}

/// Vertices that a draw captures, without stages that make primitives; `None` when only the GPU knows.
pub(super) fn known(draw: &Draw<'_>, mode: PrimitiveMode) -> Option<u64> {
    if draw.indirect.is_some() || draw.restart {
        return None;
    }
    let mut primitives = 0;
    for range in draw.ranges {
        let count = u64::from(range.count);
        primitives += match draw.mode {
            PrimitiveMode::Points => count,
            PrimitiveMode::Lines => count / 2,
            PrimitiveMode::LineStrip => count.saturating_sub(1),
            PrimitiveMode::LineLoop => count,
            PrimitiveMode::Triangles => count / 3,
            PrimitiveMode::TriangleStrip | PrimitiveMode::TriangleFan => count.saturating_sub(2),
            _ => return None,
        };
    }
    Some(primitives * per_primitive(mode) * u64::from(draw.instance_count))
}

/// The count of one span.
#[derive(Debug, Default)]
pub struct Count {
    vertices: u64,
    /// Vertices that the buffers hold, in whole primitives.
    room: u64,
    /// Queries of primitives.
    asked: Vec<u32>,
    /// A query of the program stood in the way.
    lost: bool,
    counting: bool,
}

impl Count {
    /// A span begins; `room` is in vertices.
    pub fn begin(&mut self, core: &Core, room: u64) {
        self.drop_queries(core);
        *self = Self { room, ..Self::default() };
    }

    /// Before a captured draw. `makes` = stages make primitives, `busy` = the program counts what is written itself.
    pub fn enter(&mut self, core: &Core, draw: &Draw<'_>, mode: PrimitiveMode, (makes, busy): (bool, bool)) {
        match known(draw, mode).filter(|_| !makes) {
            Some(vertices) => self.vertices += vertices,
            None if busy => self.lost = true,
            None => {
                let query = core.gl().new_query();
                core.gl().begin_query(consts::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
                self.asked.push(query);
                self.counting = true;
            }
        }
    }

    /// After it.
    pub fn leave(&mut self, core: &Core) {
        if std::mem::take(&mut self.counting) {
            core.gl().end_query(consts::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        }
    }

    /// The vertices; waits for the GPU where only it knows.
    pub fn total(&mut self, core: &Core, mode: PrimitiveMode) -> Outcome<u64> {
        if self.lost {
            return Err(Refusal::Unsupported("CapturedVertexCount"));
        }
        let n = per_primitive(mode);
        let asked: u64 =
            self.asked.iter().map(|query| u64::from(core.gl().query_value(*query, consts::QUERY_RESULT))).sum();
        self.drop_queries(core);
        self.vertices += asked * n;
        Ok(self.vertices.min(self.room / n * n))
    }

    /// Lets go of the queries.
    pub fn drop_queries(&mut self, core: &Core) {
        for query in self.asked.drain(..) {
            core.gl().drop_query(query);
        }
    }
}
