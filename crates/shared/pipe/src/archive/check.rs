//! Bounds of an archive: counts, indices and slots. Must not judge GL semantics: the front end did that at link time.

use super::codec::ArchiveError;
use super::types::{Block, ProgramArchive, StageMask, StageSubroutines, Uniform};

/// Entries of any one table.
const MAX_ENTRIES: usize = 1 << 16;
/// Descriptor slots of one set.
const MAX_SLOTS: u32 = 1 << 12;
/// Bytes of a name.
const MAX_NAME: usize = 1 << 12;
/// Bytes of the default block.
const MAX_DEFAULT_BLOCK: u32 = 1 << 20;
const ALL_STAGES: StageMask = 0b11_1111;

fn ensure(ok: bool, field: &'static str) -> Result<(), ArchiveError> {
    if ok { Ok(()) } else { Err(ArchiveError::Bounds(field)) }
}

/// True when `index` is −1 or inside a table of `len`.
fn optional_index(index: i32, len: usize) -> bool {
    index == -1 || usize::try_from(index).is_ok_and(|i| i < len)
}

impl ProgramArchive {
    /// Proves every count, index and slot.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        ensure(self.stages & !ALL_STAGES == 0, "stages")?;
        ensure(self.default_block_size <= MAX_DEFAULT_BLOCK, "default_block_size")?;
        let init = self.default_block_init.len();
        ensure(init == 0 || init == self.default_block_size as usize, "default_block_init")?;
        ensure(self.location_count as usize <= MAX_ENTRIES, "location_count")?;
        ensure(self.uniforms.len() <= MAX_ENTRIES, "uniforms")?;
        self.uniforms.iter().try_for_each(|u| self.check_uniform(u))?;
        ensure(self.builtin_uniforms.len() <= MAX_ENTRIES, "builtin_uniforms")?;
        let inside = |b: &super::types::BuiltinUniform| b.offset < self.default_block_size && b.name.len() <= MAX_NAME;
        ensure(self.builtin_uniforms.iter().all(inside), "builtin_uniforms.offset")?;
        check_blocks(&self.uniform_blocks, self.uniforms.len(), "uniform_blocks")?;
        check_blocks(&self.storage_blocks, self.buffer_variables.len(), "storage_blocks")?;
        ensure(self.buffer_variables.len() <= MAX_ENTRIES, "buffer_variables")?;
        for variable in &self.buffer_variables {
            ensure((variable.block as usize) < self.storage_blocks.len(), "buffer_variables.block")?;
            ensure(variable.name.len() <= MAX_NAME, "buffer_variables.name")?;
        }
        for buffer in &self.atomic_buffers {
            ensure(buffer.slot < MAX_SLOTS, "atomic_buffers.slot")?;
            let len = self.uniforms.len();
            ensure(buffer.variables.iter().all(|v| (*v as usize) < len), "atomic_buffers.variables")?;
        }
        self.subroutines.iter().try_for_each(|s| self.check_subroutines(s))?;
        self.check_interfaces()
    }

    fn check_subroutines(&self, stage: &StageSubroutines) -> Result<(), ArchiveError> {
        ensure(stage.functions.len() <= MAX_ENTRIES, "subroutines.functions")?;
        ensure(stage.functions.iter().all(|f| f.name.len() <= MAX_NAME), "subroutines.functions.name")?;
        ensure(stage.uniforms.len() <= MAX_ENTRIES, "subroutines.uniforms")?;
        for uniform in &stage.uniforms {
            ensure(uniform.name.len() <= MAX_NAME, "subroutines.uniforms.name")?;
            let elements = uniform.array_size as usize <= MAX_ENTRIES && uniform.location as usize <= MAX_ENTRIES;
            ensure(elements, "subroutines.uniforms.location")?;
            let end = u64::from(uniform.offset) + 16 * u64::from(uniform.array_size.max(1) - 1) + 4;
            ensure(end <= u64::from(self.default_block_size), "subroutines.uniforms.offset")?;
        }
        Ok(())
    }

    fn check_uniform(&self, uniform: &Uniform) -> Result<(), ArchiveError> {
        ensure(uniform.name.len() <= MAX_NAME, "uniforms.name")?;
        ensure(uniform.array_size as usize <= MAX_ENTRIES, "uniforms.array_size")?;
        ensure(optional_index(uniform.block, self.uniform_blocks.len()), "uniforms.block")?;
        ensure(optional_index(uniform.atomic_buffer, self.atomic_buffers.len()), "uniforms.atomic_buffer")?;
        let end = i64::from(uniform.location) + i64::from(uniform.array_size);
        let located = uniform.location == -1 || (uniform.location >= 0 && end <= i64::from(self.location_count));
        ensure(located, "uniforms.location")?;
        if let Some(opaque) = &uniform.opaque {
            let end = opaque.slot.saturating_add(opaque.count);
            ensure(end <= MAX_SLOTS && opaque.binding <= opaque.slot, "uniforms.opaque")?;
        }
        let inside = uniform.opaque.is_some() || uniform.atomic_buffer >= 0 || uniform.block >= 0;
        let end = i64::from(uniform.offset);
        ensure(inside || (end >= 0 && end < i64::from(self.default_block_size)), "uniforms.offset")
    }

    fn check_interfaces(&self) -> Result<(), ArchiveError> {
        let names = self.inputs.iter().chain(&self.outputs).map(|v| v.name.len());
        let names = names.chain(self.fragment_outputs.iter().map(|v| v.name.len()));
        ensure(names.clone().count() <= MAX_ENTRIES, "inputs")?;
        ensure(names.into_iter().all(|n| n <= MAX_NAME), "inputs.name")?;
        let Some(xfb) = &self.xfb else { return Ok(()) };
        ensure(xfb.varyings.len() <= MAX_ENTRIES, "xfb.varyings")?;
        ensure(xfb.varyings.iter().all(|v| v.name.len() <= MAX_NAME), "xfb.varyings.name")?;
        ensure(xfb.varyings.iter().all(|v| v.buffer < 4), "xfb.varyings.buffer")
    }
}

fn check_blocks(blocks: &[Block], variables: usize, field: &'static str) -> Result<(), ArchiveError> {
    ensure(blocks.len() <= MAX_ENTRIES, field)?;
    for block in blocks {
        let slots = block.slot < MAX_SLOTS && block.binding <= block.slot;
        ensure(slots && block.name.len() <= MAX_NAME, field)?;
        ensure(block.variables.iter().all(|v| (*v as usize) < variables), field)?;
    }
    Ok(())
}
