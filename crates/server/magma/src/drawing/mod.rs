//! The drawing half: programs, pipelines, descriptors, passes, draws, clears, blits, queries, capture. Must not make
//! buffers or images of GL objects: those come from `core`.

mod blit;
mod capture;
mod clear;
mod dispatch;
mod draw;
mod dynamic;
mod index;
mod indirect;
mod issue;
mod meta;
mod placeholders;
mod pools;
mod present;
mod read;
mod rects;
mod samplers;
mod sets;
mod words;

use crate::core::Core;
use crate::device::Gpu;
use crate::passes::Passes;
use crate::pipelines::{Entry, InputKey, Key, Pipelines};
use crate::programs::ProgramTable;
use crate::queries::Queries;
use ash::vk;
pub(crate) use read::{read_pixels, read_pixels_to_buffer};

use capture::Captures;
use dynamic::Shadow;
use meta::Meta;
use mgl_backend::VertexElementsDesc;
use mgl_backend::state::Dirty;
use mgl_base::handle::VertexElementsCso;
use mgl_base::slots::SlotTable;
use placeholders::Placeholders;
use pools::Pools;
use present::Pictures;
use samplers::Samplers;
use sets::Sets;

/// Entries of the memo in front of the pipeline map.
const MEMO: usize = 8;

/// What the main command buffer of the current batch holds.
struct Bound {
    batch: u64,
    flow: u32,
    pipeline: vk::Pipeline,
    /// Number of the vertex layout, where vertex input is dynamic.
    layout: Option<u32>,
    /// Buffer, offset and type of the index binding.
    index: (vk::Buffer, u64, vk::IndexType),
    /// Index buffer whose use was declared: handle, pass, buffer epoch.
    index_declared: (u64, u64, u64),
    vertex: ([vk::Buffer; 33], [u64; 33], usize),
    /// Inputs of the dynamic state outside the dynamic block: viewports, extent, clip origin.
    gate: Option<(u32, [u32; 2], mgl_pipe::tokens::ClipOrigin)>,
    shadow: Shadow,
    /// Attribute defaults: batch and place.
    defaults: Option<(u64, crate::commands::Staged)>,
}

/// What the last draw used; compared before anything is done.
#[derive(Clone, Copy)]
struct Last {
    key: Key,
    entry: Option<Entry>,
    /// Program and vertex elements, and the vertex input that they make.
    input: Option<((u64, u64), InputKey)>,
    textures: u64,
    buffers: u64,
    pass_epoch: u64,
    srgb: bool,
    /// Mode, index width, restart and capture, when it can be repeated with other ranges.
    shape: Option<[u32; 4]>,
    /// The program reads `gl_DrawID` and its relatives.
    numbered: bool,
    /// Number of the pass format, and the revision of the target it belongs to.
    pass: (u64, u32),
}

/// State of the drawing half of a session.
pub struct Drawing {
    pub(crate) programs: ProgramTable,
    pub(crate) pipelines: Pipelines,
    pub(crate) queries: Queries,
    pub(crate) samplers: Samplers,
    pub(crate) elements: SlotTable<VertexElementsCso, VertexElementsDesc>,
    pub(crate) captures: Captures,
    passes: Passes,
    placeholders: Placeholders,
    pools: Pools,
    graphics: Sets,
    compute: Sets,
    meta: Meta,
    pictures: Pictures,
    bound: Bound,
    last: Last,
    memo: [(Key, Option<Entry>); MEMO],
    memo_next: usize,
    /// Groups that must be looked at again although no record of them came.
    forced: Dirty,
    /// Lists of multi-draws, kept for their memory.
    plain: Vec<vk::MultiDrawInfoEXT>,
    indexed: Vec<vk::MultiDrawIndexedInfoEXT>,
    /// Every bound resource must declare its use again (`glMemoryBarrier`).
    retouch: bool,
}

impl Drawing {
    /// An empty session.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            programs: ProgramTable::default(),
            pipelines: Pipelines::new(gpu),
            queries: Queries::new(gpu),
            samplers: Samplers::default(),
            elements: SlotTable::default(),
            captures: Captures::default(),
            passes: Passes::default(),
            placeholders: Placeholders::default(),
            pools: Pools::default(),
            graphics: Sets::new(vk::PipelineBindPoint::GRAPHICS),
            compute: Sets::new(vk::PipelineBindPoint::COMPUTE),
            meta: Meta::default(),
            pictures: Pictures::default(),
            bound: Bound {
                batch: 0,
                flow: u32::MAX,
                pipeline: vk::Pipeline::null(),
                layout: None,
                index: (vk::Buffer::null(), 0, vk::IndexType::NONE_KHR),
                index_declared: (0, 0, 0),
                vertex: ([vk::Buffer::null(); 33], [0; 33], 0),
                gate: None,
                shadow: Shadow::default(),
                defaults: None,
            },
            last: Last {
                key: Key::default(),
                entry: None,
                input: None,
                textures: 0,
                buffers: 0,
                pass_epoch: 0,
                srgb: false,
                shape: None,
                numbered: false,
                pass: (u64::MAX, 0),
            },
            memo: [(Key::default(), None); MEMO],
            memo_next: 0,
            forced: Dirty::all(),
            plain: Vec::new(),
            indexed: Vec::new(),
            retouch: true,
        }
    }

    /// The command buffer's state is not what `bound` says any more.
    fn forget(&mut self) {
        self.bound.pipeline = vk::Pipeline::null();
        self.bound.layout = None;
        self.bound.index = (vk::Buffer::null(), 0, vk::IndexType::NONE_KHR);
        self.bound.vertex.2 = 0;
        self.bound.gate = None;
        self.last.shape = None;
        self.bound.shadow.forget();
        self.graphics.forget_bindings();
        self.compute.forget_bindings();
    }

    /// Number of the format of the current attachments, for keys.
    fn pass_number(&mut self) -> u32 {
        let revision = self.passes.revision();
        if self.last.pass.0 != revision {
            self.last.pass = (revision, self.pipelines.intern(self.passes.format()));
        }
        self.last.pass.1
    }

    /// `glUniform*`; the next draw of the program takes the bytes.
    pub(crate) fn program_constants(
        &mut self,
        flow: u32,
        cso: mgl_base::Handle<mgl_base::handle::ShaderCso>,
        offset: u32,
        content: &dyn mgl_backend::Content,
    ) -> mgl_backend::Outcome {
        self.forced |= Dirty::CONSTANTS;
        self.programs.constants(flow, cso, offset, content)
    }

    /// The memo and the last draw may name pipelines that are gone.
    pub(crate) fn forget_pipelines(&mut self) {
        self.memo = [(Key::default(), None); MEMO];
        self.last.entry = None;
        self.last.input = None;
        self.last.shape = None;
        self.forced |= Dirty::PIPELINE;
    }

    /// Lets go of everything at the end of a session.
    pub fn close(&mut self, core: &mut Core) {
        core.cmds.submit().ok();
        self.placeholders.close(core);
        self.close_pictures(core);
        let commands = &mut core.cmds;
        self.captures.close(commands);
        self.programs.clear(commands);
        self.pipelines.close(commands);
        self.queries.close(commands);
        self.samplers.close(commands);
        self.passes.objects.close(commands);
        self.pools.close(commands);
        self.meta.close(commands);
    }
}
