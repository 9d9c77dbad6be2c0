//! Linked programs: their SPIR-V, what a pipeline needs from it, shader modules per variant, and the bytes of the default
//! uniform block. Must not know contexts or draws.

mod layout;
mod reflect;

pub use layout::{Layouts, SETS, Signatures};
pub use reflect::{Binding, Class, ImageShape, Input, Outputs, Reflection, stage_flag};

use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::make;
use crate::variants::{self, EditError, Variant};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::{Blocks, Content, Refusal};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;
use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_spirv::pass_control;
use std::cell::Cell;

/// Largest default uniform block that is accepted, far above any device's limit.
const MAX_CONSTANTS: usize = 16 << 20;

/// Uniform blocks of a stage that every device takes as they are.
const PLAIN_BLOCKS: u32 = 7;

/// A slice of staging memory with the default uniform block.
#[derive(Clone, Copy, Debug, Default)]
pub struct StagedConstants {
    /// Serial of the bytes.
    pub version: u64,
    /// Batch that the slice lives in.
    pub batch: u64,
    /// The slice.
    pub place: Option<crate::commands::Staged>,
}

/// A linked program.
pub struct Program {
    /// Rises with every program of the session: the identity in keys.
    pub serial: u64,
    /// Facts of the link.
    pub archive: ProgramArchive,
    /// Facts of the SPIR-V.
    pub reflection: Reflection,
    /// Layouts.
    pub layouts: Layouts,
    /// Last stage before the rasteriser.
    pub last_vertex_stage: Stage,
    /// The default uniform block.
    pub constants: Blocks,
    /// Submit serial of the newest batch that used it.
    pub used: u64,
    /// Where the bytes of `constants` were staged last.
    pub staged: Cell<StagedConstants>,
    spirv: [Vec<u32>; 6],
    modules: Vec<(Stage, Variant, vk::ShaderModule)>,
}

impl Program {
    fn new(
        gpu: &Gpu,
        signatures: &mut Signatures,
        serial: u64,
        mut spirv: [Vec<u32>; 6],
        archive: ProgramArchive,
    ) -> Outcome<Self> {
        let size = archive.default_block_size as usize;
        let mut reflection = reflect_all(&spirv)?;
        if reflection.bindings.iter().any(|b| b.count > 1) {
            for (stage, words) in Stage::ALL.into_iter().zip(&mut spirv).filter(|(_, words)| !words.is_empty()) {
                *words =
                    variants::select_resources(words, &gpu.features.indexing()).map_err(|e| bad_stage(stage, &e))?;
            }
        }
        let device = gpu.properties.limits.max_per_stage_descriptor_uniform_buffers;
        let most = if gpu.features.many_uniform_blocks { device } else { device.min(PLAIN_BLOCKS) };
        let moved = reflection.uniform_blocks_beyond(most, size > 0);
        if !moved.is_empty() {
            for (stage, words) in Stage::ALL.into_iter().zip(&mut spirv).filter(|(_, words)| !words.is_empty()) {
                *words = variants::blocks_as_storage(words, &moved).map_err(|e| bad_stage(stage, &e))?;
            }
            reflection = reflect_all(&spirv)?;
        }
        if size > MAX_CONSTANTS {
            return Err(Refusal::Unsupported("DefaultBlockSize"));
        }
        let mut constants = archive.default_block_init.clone();
        constants.resize(size.next_multiple_of(16), 0);
        let compute = !spirv[Stage::Compute.index()].is_empty();
        let layouts = Layouts::new(gpu, signatures, &reflection, size > 0, compute)?;
        let present = |s: &Stage| !spirv[s.index()].is_empty();
        let last_vertex_stage =
            [Stage::Geometry, Stage::TessEval, Stage::Vertex].into_iter().find(present).unwrap_or(Stage::Vertex);
        Ok(Self {
            serial,
            archive,
            reflection,
            layouts,
            last_vertex_stage,
            constants: Blocks::new(constants),
            used: 0,
            staged: Cell::default(),
            spirv,
            modules: Vec::new(),
        })
    }

    /// True when the program has the stage.
    pub fn has(&self, stage: Stage) -> bool {
        !self.spirv[stage.index()].is_empty()
    }

    /// Patches are drawn with the default levels.
    pub fn needs_control(&self) -> bool {
        self.has(Stage::TessEval) && !self.has(Stage::TessControl)
    }

    /// True when set 0, binding 0 is the default uniform block.
    pub fn has_default_block(&self) -> bool {
        self.archive.default_block_size > 0
    }

    /// The module of a stage under a variant, made on first use.
    pub fn module(&mut self, gpu: &Gpu, stage: Stage, variant: &Variant) -> Outcome<vk::ShaderModule> {
        let own = variant.for_stage(stage, self.last_vertex_stage);
        if let Some((_, _, module)) = self.modules.iter().find(|(s, v, _)| *s == stage && *v == own) {
            return Ok(*module);
        }
        let words = &self.spirv[stage.index()];
        let refused = |e: &dyn std::fmt::Display| Refusal::Driver(format!("{} stage variant: {e}", stage.name()));
        let edited;
        let code = if let Some(control) = &own.control {
            edited = pass_control(&self.spirv[Stage::TessEval.index()], control).map_err(|e| refused(&e))?;
            &edited
        } else if own == Variant::default() {
            words
        } else {
            edited = variants::apply(words, stage, &own).map_err(|e| refused(&e))?;
            &edited
        };
        let info = vk::ShaderModuleCreateInfo::default().code(code);
        let module = make::shader_module(&gpu.device, &info).map_err(|e| refuse("vkCreateShaderModule", e))?;
        self.modules.push((stage, own, module));
        Ok(module)
    }

    fn retire(self, commands: &mut Commands) {
        let serial = self.used;
        for (_, _, module) in self.modules {
            commands.defer_destroy(serial, Garbage::ShaderModule(module));
        }
        self.layouts.retire(commands, serial);
    }
}

fn reflect_all(spirv: &[Vec<u32>; 6]) -> Outcome<Reflection> {
    let mut reflection = Reflection::default();
    for stage in Stage::ALL {
        let words = &spirv[stage.index()];
        if !words.is_empty() {
            reflection.add(stage, words).map_err(|e| bad_stage(stage, &e))?;
        }
    }
    Ok(reflection)
}

fn bad_stage(stage: Stage, error: &EditError) -> Refusal {
    Refusal::Driver(format!("{} stage: {error}", stage.name()))
}

/// All programs of a session, by handle. Boxed: entries never move (spec 07 §4, D18).
#[derive(Default)]
pub struct ProgramTable {
    entries: Vec<Option<(u32, Box<Program>)>>,
    signatures: Signatures,
    next_serial: u64,
}

impl ProgramTable {
    /// Creates or replaces a program; the serial of a replaced one is returned so that keys of it can be dropped.
    pub fn create(
        &mut self,
        commands: &mut Commands,
        cso: Handle<ShaderCso>,
        spirv: [Vec<u32>; 6],
        archive: &[u8],
    ) -> Outcome<Option<u64>> {
        let archive = ProgramArchive::decode(archive).map_err(|e| Refusal::Driver(format!("program archive: {e}")))?;
        self.next_serial += 1;
        let program = Program::new(commands.gpu(), &mut self.signatures, self.next_serial, spirv, archive)?;
        let slot = cso.slot() as usize;
        if self.entries.len() <= slot {
            self.entries.resize_with(slot + 1, || None);
        }
        let old = self.entries[slot].replace((cso.generation(), Box::new(program)));
        Ok(old.map(|(_, program)| {
            let serial = program.serial;
            program.retire(commands);
            serial
        }))
    }

    /// The program behind a handle.
    pub fn get(&self, cso: Handle<ShaderCso>) -> Option<&Program> {
        let (generation, program) = self.entries.get(cso.slot() as usize)?.as_ref()?;
        (*generation == cso.generation()).then_some(program)
    }

    /// The same for changing it.
    pub fn get_mut(&mut self, cso: Handle<ShaderCso>) -> Option<&mut Program> {
        let (generation, program) = self.entries.get_mut(cso.slot() as usize)?.as_mut()?;
        (*generation == cso.generation()).then_some(program)
    }

    /// Removes a program; answers its serial.
    pub fn destroy(&mut self, commands: &mut Commands, cso: Handle<ShaderCso>) -> Option<u64> {
        let entry = self.entries.get_mut(cso.slot() as usize)?;
        if entry.as_ref().is_none_or(|(generation, _)| *generation != cso.generation()) {
            return None;
        }
        let (_, program) = entry.take()?;
        let serial = program.serial;
        program.retire(commands);
        Some(serial)
    }

    /// `glUniform*`: bytes of the default block.
    pub fn constants(&mut self, flow: u32, cso: Handle<ShaderCso>, offset: u32, content: &dyn Content) -> Outcome {
        let Some(program) = self.get_mut(cso) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        program.constants.write(flow, offset, content)
    }

    /// A context has ended.
    pub fn forget_flow(&mut self, flow: u32) {
        self.entries.iter_mut().flatten().for_each(|(_, program)| program.constants.forget(flow));
    }

    /// Lets go of everything, when the backend ends.
    pub fn clear(&mut self, commands: &mut Commands) {
        for (_, program) in self.entries.drain(..).flatten() {
            program.retire(commands);
        }
    }
}
