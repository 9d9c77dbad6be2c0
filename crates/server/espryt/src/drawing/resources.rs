//! Binding what a program reads: uniform and storage buffers, textures, images. Slots of the descriptor sets are the
//! driver's binding points. Must not know draws.

use super::Drawing;
use crate::bindings::{BoundRange, RangeClass};
use crate::core::Core;
use crate::essl::What;
use crate::programs::{DriverProgram, Program, Ring, Slice};
use crate::raw::consts;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::BufferRange;
use mgl_backend::{ContextState, Refusal};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;

/// What is bound for the current program.
pub struct Bound {
    /// `Program::serial` and variant.
    program: (u64, usize),
    /// Where the default block lies: program, constants, ring turn.
    constants: (u64, u64, u64),
    slice: Slice,
    /// Texture epoch that the views were resolved in.
    pub epoch: u64,
    /// Buffer epoch that the ranges were bound in.
    pub buffers: u64,
    /// A buffer of zeros for blocks without a buffer.
    zero: u32,
    /// Alignment of offsets into uniform and storage buffers.
    uniform_align: usize,
    storage_align: u64,
}

/// Bytes of the buffer of zeros: the smallest limit of a uniform block in OpenGL ES 3.
const ZEROS: usize = 16 << 10;

/// Every group that a program's resources come from.
pub fn all_bits() -> Dirty {
    Dirty::UNIFORM_BUFFERS | Dirty::STORAGE_BUFFERS | Dirty::VIEWS | Dirty::SAMPLERS | Dirty::IMAGES | Dirty::CONSTANTS
}

impl Bound {
    /// Nothing bound yet.
    pub fn new(core: &Core) -> Self {
        let uniform_align = core.gl().int(consts::UNIFORM_BUFFER_OFFSET_ALIGNMENT).max(16) as usize;
        let storage_align = core.gl().int(consts::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT).max(1) as u64;
        Self {
            program: (0, 0),
            constants: (0, 0, 0),
            slice: Slice::default(),
            epoch: 0,
            buffers: 0,
            zero: 0,
            uniform_align,
            storage_align,
        }
    }

    /// Binds what `dirty` concerns, everything when the program is another one.
    pub fn bind(
        &mut self,
        core: &mut Core,
        ring: &mut Ring,
        ctx: &ContextState,
        (program, at): (&Program, usize),
        mut dirty: Dirty,
    ) -> Outcome {
        let driver = program.driver(at)?;
        if self.program != (program.serial, at) {
            self.program = (program.serial, at);
            dirty |= all_bits();
        }
        if driver.default_block {
            self.default_block(core, ring, ctx.flow, program)?;
        }
        if dirty.intersects(Dirty::UNIFORM_BUFFERS) {
            self.uniform_blocks(core, ctx, driver);
        }
        // Stores that are written change with every draw: their serials rise.
        if !driver.storage.is_empty() {
            storage(core, ctx, driver, self.storage_align)?;
        }
        let copies = !core.textures.aliases.0.is_empty() || core.textures.copied_buffers > 0;
        let live = copies || driver.textures.iter().any(|t| t.target == consts::TEXTURE_BUFFER);
        if dirty.intersects(Dirty::VIEWS | Dirty::SAMPLERS) || live {
            textures(core, ctx, driver)?;
        }
        if !driver.images.is_empty() {
            images(core, ctx, driver)?;
        }
        Ok(())
    }

    fn default_block(&mut self, core: &mut Core, ring: &mut Ring, flow: u32, program: &Program) -> Outcome {
        let block = program.constants.of(flow);
        let want = (program.serial, block.serial, ring.turn());
        if self.constants != want {
            let align = self.uniform_align;
            self.slice = ring.stage(core, block.bytes, align)?;
            self.constants = (program.serial, block.serial, ring.turn());
        }
        let Slice { name, offset, len } = self.slice;
        let range = BoundRange { name, offset: offset as u64, size: len as u64 };
        core.bind.range(&core.device.gl, RangeClass::Uniform, 0, range);
        Ok(())
    }

    fn uniform_blocks(&mut self, core: &mut Core, ctx: &ContextState, driver: &DriverProgram) {
        for slots in &driver.uniform_blocks {
            for slot in slots.slot..slots.slot + slots.count {
                let wanted = ctx.buffers[0].get(slot as usize).copied().unwrap_or_default();
                let range = match clip(core, &wanted) {
                    Some(range) => range,
                    None => self.zeros(core),
                };
                core.bind.range(&core.device.gl, RangeClass::Uniform, slot, range);
            }
        }
    }

    fn zeros(&mut self, core: &mut Core) -> BoundRange {
        if self.zero == 0 {
            self.zero = core.gl().new_buffer();
            core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, self.zero);
            core.gl().buffer_data_bytes(consts::COPY_WRITE_BUFFER, &vec![0; ZEROS], consts::STATIC_DRAW);
        }
        BoundRange { name: self.zero, offset: 0, size: ZEROS as u64 }
    }
}

/// A range inside its store, or `None`.
fn clip(core: &Core, range: &BufferRange) -> Option<BoundRange> {
    let store = core.buffer(range.buffer)?;
    let rest = store.size.checked_sub(range.offset).filter(|r| *r > 0)?;
    Some(BoundRange { name: store.name, offset: range.offset, size: range.size.min(rest) })
}

/// Storage blocks and counter buffers share the binding points of set 2.
fn storage(core: &mut Core, ctx: &ContextState, driver: &DriverProgram, align: u64) -> Outcome {
    for slots in &driver.storage {
        for slot in slots.slot..slots.slot + slots.count {
            let wanted = ctx.buffers[1].get(slot as usize).copied().unwrap_or_default();
            if !wanted.offset.is_multiple_of(align) {
                return Err(Refusal::Unsupported("StorageBufferOffset"));
            }
            let range = clip(core, &wanted).unwrap_or_default();
            core.bind.range(&core.device.gl, RangeClass::Storage, slot, range);
            if !slots.read_only && range.name != 0 {
                core.written(wanted.buffer);
            }
        }
    }
    Ok(())
}

fn textures(core: &mut Core, ctx: &ContextState, driver: &DriverProgram) -> Outcome {
    let scratch = core.bind.scratch_unit();
    for slots in &driver.textures {
        for slot in slots.slot..slots.slot + slots.count {
            if slot >= scratch {
                return Err(Refusal::Unsupported("TextureUnits"));
            }
            let view = ctx.views.get(slot as usize).copied().unwrap_or_default();
            let found = core.resolve_view(view)?.filter(|v| v.target == slots.target);
            // Texture 0 has no storage: it is incomplete and reads (0, 0, 0, 1), as an incomplete texture of GL does.
            let name = found.map_or(0, |v| v.name);
            core.bind.texture(&core.device.gl, slot, slots.target, name);
            let sampler = ctx.samplers.get(slot as usize).copied().unwrap_or_default();
            let sampler = core.sampler(sampler);
            core.bind.sampler(&core.device.gl, slot, sampler);
        }
    }
    Ok(())
}

fn images(core: &mut Core, ctx: &ContextState, driver: &DriverProgram) -> Outcome {
    for slots in &driver.images {
        for slot in slots.slot..slots.slot + slots.count {
            let unit = ctx.images.get(slot as usize).copied().unwrap_or_default();
            let found = if unit.texture.is_null() { None } else { core.image_unit(&unit)? };
            match found {
                Some(s) => {
                    // Reading and writing go through two variables in the shader: the unit allows both.
                    let access = consts::READ_WRITE;
                    core.gl().bind_image_texture(slot, s.name, s.level, u8::from(s.layered), s.layer, access, s.format);
                    if let Some(buffer) = s.buffer.filter(|_| !slots.read_only) {
                        core.written(buffer);
                    }
                }
                None => core.gl().bind_image_texture(slot, 0, 0, 0, 0, consts::READ_ONLY, consts::R32UI),
            }
        }
    }
    Ok(())
}

/// The bias of the sampler of a slot.
fn bias(core: &Core, ctx: &ContextState, slot: usize) -> f32 {
    core.sampler_bias(ctx.samplers.get(slot).copied().unwrap_or_default())
}

/// Whether a program reads through a sampler with a bias.
pub(super) fn biased(core: &Core, ctx: &ContextState, driver: &DriverProgram) -> bool {
    let mut slots = driver.textures.iter().flat_map(|t| t.slot..t.slot + t.count);
    core.textures.biased > 0 && slots.any(|slot| bias(core, ctx, slot as usize) != 0.0)
}

impl Drawing {
    /// Tells the current program what it asks of its resources.
    pub(super) fn answer(
        &mut self,
        core: &Core,
        ctx: &ContextState,
        (cso, variant): (Handle<ShaderCso>, usize),
    ) -> Outcome {
        let program = self.programs.get_mut(cso).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        for uniform in &mut program.driver_mut(variant)?.asked {
            for element in 0..uniform.asked.count {
                let slot = (uniform.asked.slot + element) as usize;
                let value = match uniform.asked.what {
                    What::Texels => core.view_texels(ctx.views.get(slot).copied().unwrap_or_default()),
                    What::Bias => bias(core, ctx, slot).to_bits(),
                    What::Bytes => {
                        let range = ctx.buffers[1].get(slot).copied().unwrap_or_default();
                        clip(core, &range).map_or(0, |r| u32::try_from(r.size).unwrap_or(u32::MAX))
                    }
                };
                uniform.set(core.gl(), element as usize, value);
            }
        }
        Ok(())
    }

    /// Lets go of what the bindings hold.
    pub(super) fn forget_resources(&mut self) {
        self.bound.program = (0, 0);
        self.last = None;
    }
}
