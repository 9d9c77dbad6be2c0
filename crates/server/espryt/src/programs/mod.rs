//! Linked programs: their SPIR-V, the driver programs made from it (one per variant), and the bytes of the default uniform
//! block. Must not know draws.

mod link;
mod ring;

pub use link::{AskedUniform, DriverProgram, Slots};
pub use ring::{Ring, Slice};

use crate::core::Core;
use crate::essl::{EsFacts, EsslError, FetchSet, Variant, translate};
use crate::raw::consts;
use mgl_backend::traits::Outcome;
use mgl_backend::{Blocks, Content, Refusal};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;
use mgl_base::slots::SlotTable;
use mgl_pipe::archive::{ProgramArchive, Stage};

/// Largest default uniform block that is accepted, far above any device's limit.
const MAX_CONSTANTS: usize = 1 << 20;

/// One variant: made, or why it cannot be.
type Made = (Variant, Result<Box<DriverProgram>, Refusal>);

/// A linked program.
pub struct Program {
    /// Rises with every program of the session: the identity in memos.
    pub serial: u64,
    /// Facts of the link.
    pub archive: ProgramArchive,
    /// The default uniform block.
    pub constants: Blocks,
    spirv: [Vec<u32>; 6],
    variants: Vec<Made>,
}

impl Program {
    fn new(serial: u64, spirv: [Vec<u32>; 6], archive: ProgramArchive) -> Outcome<Self> {
        let size = archive.default_block_size as usize;
        if size > MAX_CONSTANTS {
            return Err(Refusal::Unsupported("DefaultBlockSize"));
        }
        let mut constants = archive.default_block_init.clone();
        constants.resize(size.next_multiple_of(16), 0);
        Ok(Self { serial, archive, constants: Blocks::new(constants), spirv, variants: Vec::new() })
    }

    /// True when the program has the stage.
    pub fn has(&self, stage: Stage) -> bool {
        !self.spirv[stage.index()].is_empty()
    }

    /// Patches are drawn with the default levels.
    pub fn needs_control(&self) -> bool {
        self.has(Stage::TessEval) && !self.has(Stage::TessControl)
    }

    /// Index of the driver program of a variant, made on first use.
    pub fn variant(&mut self, core: &Core, facts: &EsFacts, variant: &Variant) -> usize {
        if let Some(at) = self.variants.iter().position(|(v, _)| v == variant) {
            return at;
        }
        let made = self.make(core, facts, variant);
        if let Err(refusal) = &made {
            tracing::warn!("program {}: {refusal}", self.serial);
        }
        self.variants.push((*variant, made.map(Box::new)));
        self.variants.len() - 1
    }

    fn make(&self, core: &Core, facts: &EsFacts, variant: &Variant) -> Outcome<DriverProgram> {
        let translated = translate(&self.spirv, &self.archive, facts, variant).map_err(refuse)?;
        link::build(core, translated, &self.archive, facts, variant)
    }

    /// The driver program at an index that [`Program::variant`] gave.
    pub fn driver(&self, at: usize) -> Outcome<&DriverProgram> {
        match self.variants.get(at) {
            Some((_, Ok(program))) => Ok(program),
            Some((_, Err(refusal))) => Err(refusal.clone()),
            None => Err(Refusal::Unsupported("UnknownProgram")),
        }
    }

    /// The same, to look at its status or change its uniforms.
    pub fn driver_mut(&mut self, at: usize) -> Outcome<&mut DriverProgram> {
        match self.variants.get_mut(at) {
            Some((_, Ok(program))) => Ok(program),
            Some((_, Err(refusal))) => Err(refusal.clone()),
            None => Err(Refusal::Unsupported("UnknownProgram")),
        }
    }

    /// Remembers that a variant cannot be used, so that every draw says so without asking the driver again.
    pub fn condemn(&mut self, at: usize, refusal: Refusal) {
        if let Some((_, made)) = self.variants.get_mut(at) {
            *made = Err(refusal);
        }
    }

    fn retire(self, core: &mut Core) {
        for (_, made) in self.variants {
            if let Ok(program) = made {
                core.bind.forget_program(&core.device.gl, program.name);
                core.device.gl.delete_program(program.name);
            }
        }
    }
}

fn refuse(error: EsslError) -> Refusal {
    match error {
        EsslError::Unsupported(name) => Refusal::Unsupported(name),
        other => Refusal::Driver(other.to_string()),
    }
}

/// The last storage buffer binding point, where fragments can write one.
fn counter_binding(core: &Core) -> Option<u32> {
    let int = |name| if core.features().shader_storage { core.gl().int(name) } else { 0 };
    let points = int(consts::MAX_SHADER_STORAGE_BUFFER_BINDINGS);
    (int(consts::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS) > 0 && points > 0).then(|| points as u32 - 1)
}

/// Facts of the shading language of a device.
pub fn facts(core: &Core) -> EsFacts {
    let f = core.features();
    EsFacts {
        version: [300, 310, 320][core.device.minor.min(2) as usize],
        clip_cull_distance: f.clip_cull_distance,
        noperspective: core.device.extensions.contains("GL_NV_shader_noperspective_interpolation"),
        viewport_array: f.viewport_array,
        query_lod: f.texture_query_lod,
        dual_source: f.dual_source,
        texture_buffer: f.texture_buffer,
        image_formats: f.image_formats,
        array_length: f.array_length,
        geometry: f.geometry_shader,
        tessellation: f.tessellation_shader,
        geometry_point_size: core.device.extensions.contains("GL_EXT_geometry_point_size"),
        tessellation_point_size: core.device.extensions.contains("GL_EXT_tessellation_point_size"),
        counter: counter_binding(core),
        dynamic_index: core.device.minor >= 2 && f.gpu_shader5,
        shadow_lod: core.device.extensions.contains("GL_EXT_texture_shadow_lod"),
    }
}

/// All programs of a session, by handle.
pub struct ProgramTable {
    table: SlotTable<ShaderCso, Program>,
    next_serial: u64,
    /// Facts of the device's shading language.
    pub facts: EsFacts,
}

impl ProgramTable {
    /// No programs.
    pub fn new(core: &Core) -> Self {
        Self { table: SlotTable::default(), next_serial: 0, facts: facts(core) }
    }

    /// Creates or replaces a program, and starts compiling it as most draws will want it.
    pub fn create(&mut self, core: &mut Core, cso: Handle<ShaderCso>, spirv: [Vec<u32>; 6], archive: &[u8]) -> Outcome {
        let archive = ProgramArchive::decode(archive).map_err(|e| Refusal::Driver(format!("program archive: {e}")))?;
        self.next_serial += 1;
        let mut program = Program::new(self.next_serial, spirv, archive)?;
        // Without a control stage there is no usual variant: it comes with the levels.
        if !program.needs_control() {
            program.variant(core, &self.facts, &Variant::default());
        }
        let old = self.table.insert(cso, program, "espryt.program").map_err(|f| Refusal::Driver(f.to_string()))?;
        if let Some(old) = old {
            old.retire(core);
        }
        Ok(())
    }

    /// The program behind a handle.
    #[inline]
    pub fn get(&self, cso: Handle<ShaderCso>) -> Option<&Program> {
        self.table.get(cso)
    }

    /// The same for changing it.
    #[inline]
    pub fn get_mut(&mut self, cso: Handle<ShaderCso>) -> Option<&mut Program> {
        self.table.get_mut(cso)
    }

    /// Removes a program.
    pub fn destroy(&mut self, core: &mut Core, cso: Handle<ShaderCso>) {
        if let Some(program) = self.table.remove(cso) {
            program.retire(core);
        }
    }

    /// `glUniform*`: bytes of the default block.
    pub fn constants(&mut self, flow: u32, cso: Handle<ShaderCso>, offset: u32, content: &dyn Content) -> Outcome {
        let program = self.get_mut(cso).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        program.constants.write(flow, offset, content)
    }

    /// A context has ended.
    pub fn forget_flow(&mut self, flow: u32) {
        self.table.iter_mut().for_each(|(_, program)| program.constants.forget(flow));
    }
}

/// What no state asks for.
pub fn plain(fetch: FetchSet) -> Variant {
    Variant { fetch, ..Variant::default() }
}
