//! The drawing half: programs, draws, dispatches, capture, queries. Must not know how resources are kept.

mod again;
mod dispatch;
mod draw;
mod index;
mod indirect;
mod issue;
mod resources;
mod seam;
mod variant;

use crate::capture::Captures;
use crate::core::Core;
use crate::programs::{ProgramTable, Ring};
use crate::queries::Queries;
use crate::state::Shadow;
use crate::vertex::VertexArrays;
use index::Rewrites;
use mgl_backend::state::Dirty;

/// The drawing half.
pub struct Drawing {
    pub(crate) programs: ProgramTable,
    pub(crate) arrays: VertexArrays,
    pub(crate) captures: Captures,
    pub(crate) queries: Queries,
    ring: Ring,
    rewrites: Rewrites,
    shadow: Shadow,
    bound: resources::Bound,
    lists: issue::Lists,
    /// The last draw, when another one like it needs nothing but issuing.
    last: Option<again::Last>,
    /// Context of the last draw.
    flow: u32,
    /// Groups to look at although no record of them came.
    forced: Dirty,
    patch_vertices: u32,
    /// A shader may have written memory that an indirect draw reads.
    stored: bool,
}

impl Drawing {
    /// Nothing drawn yet; the context is current.
    pub fn new(core: &mut Core) -> Self {
        Self {
            programs: ProgramTable::new(core),
            arrays: VertexArrays::new(core),
            captures: Captures::default(),
            queries: Queries::default(),
            ring: Ring::default(),
            rewrites: Rewrites::default(),
            shadow: Shadow::default(),
            bound: resources::Bound::new(core),
            lists: issue::Lists::default(),
            last: None,
            flow: u32::MAX,
            forced: Dirty::all(),
            patch_vertices: 3,
            stored: false,
        }
    }

    /// The session ends; the context is current.
    pub fn close(&mut self, core: &mut Core) {
        self.captures.close(core);
        self.queries.close(core);
        self.arrays.close(core);
        self.ring.close(core);
    }

    /// Groups that changed since the last draw of this context.
    fn begin(&mut self, core: &mut Core, flow: u32) -> Dirty {
        let disturbed = std::mem::replace(&mut core.disturbed, crate::core::Disturbed::empty());
        self.shadow.disturbed(disturbed);
        let mut forced = std::mem::replace(&mut self.forced, Dirty::empty());
        if self.flow != flow {
            self.flow = flow;
            forced = Dirty::all();
        }
        if self.bound.epoch != core.textures.epoch {
            self.bound.epoch = core.textures.epoch;
            forced |= Dirty::VIEWS | Dirty::IMAGES;
        }
        if self.bound.buffers != core.buffers.epoch {
            self.bound.buffers = core.buffers.epoch;
            forced |= Dirty::UNIFORM_BUFFERS | Dirty::VIEWS;
        }
        forced
    }
}
