//! Descriptor sets of the bound program: resolves what the context bound per slot, declares its uses, and writes sets whose
//! content changed. Must not know pipelines or passes.

use super::placeholders::Placeholders;
use super::pools::Pools;
use super::samplers::Samplers;
use crate::access::Range;
use crate::core::Core;
use crate::images::ImageKey;
use crate::programs::{Binding, Program, SETS, StagedConstants};
use crate::raw::make::{self, Packed};
use crate::recorder::Recorder;
use crate::textures::{StorageRef, ViewRef};
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::BufferRange;
use mgl_backend::{ContextState, Refusal};
use smallvec::SmallVec;

/// What resolving needs besides the program.
pub struct Shop<'a> {
    /// Resources.
    pub core: &'a mut Core,
    /// Samplers.
    pub samplers: &'a mut Samplers,
    /// Placeholders.
    pub placeholders: &'a mut Placeholders,
    /// Pools.
    pub pools: &'a mut Pools,
}

/// Sets of one bind point.
pub struct Sets {
    point: vk::PipelineBindPoint,
    /// `Program::serial` of the last preparation.
    program: u64,
    /// Batch of the allocated sets.
    batch: u64,
    /// Definitions of the layouts that the sets were prepared for; 0 = none.
    signatures: [u32; SETS],
    packed: [Vec<Packed>; SETS],
    scratch: Vec<Packed>,
    sets: [vk::DescriptorSet; SETS],
    /// Sets that must be bound again, one bit each.
    unbound: u8,
    /// Slots of the pushed set that must be pushed again.
    unpushed: u32,
    dynamic: u32,
    /// Images that image units of the program show: they are sampled in the general layout.
    stored: SmallVec<[ImageKey; 8]>,
    /// The last resolved textures include a current attachment.
    pub feedback: bool,
}

/// Dirty bits that concern a set.
fn bits_of(set: usize) -> Dirty {
    match set {
        0 => Dirty::UNIFORM_BUFFERS | Dirty::CONSTANTS,
        1 => Dirty::VIEWS | Dirty::SAMPLERS,
        2 => Dirty::STORAGE_BUFFERS,
        _ => Dirty::IMAGES,
    }
}

/// Every dirty bit that concerns a set.
pub fn all_bits() -> Dirty {
    (0..SETS).map(bits_of).fold(Dirty::empty(), |a, b| a | b)
}

/// Pipeline stages of shader stages.
pub fn pipeline_stages(stages: vk::ShaderStageFlags) -> vk::PipelineStageFlags {
    use vk::PipelineStageFlags as P;
    use vk::ShaderStageFlags as S;
    let pairs = [
        (S::VERTEX, P::VERTEX_SHADER),
        (S::TESSELLATION_CONTROL, P::TESSELLATION_CONTROL_SHADER),
        (S::TESSELLATION_EVALUATION, P::TESSELLATION_EVALUATION_SHADER),
        (S::GEOMETRY, P::GEOMETRY_SHADER),
        (S::FRAGMENT, P::FRAGMENT_SHADER),
        (S::COMPUTE, P::COMPUTE_SHADER),
    ];
    pairs.into_iter().filter(|(s, _)| stages.contains(*s)).fold(P::empty(), |all, (_, p)| all | p)
}

impl Sets {
    /// Nothing bound.
    pub fn new(point: vk::PipelineBindPoint) -> Self {
        Self {
            point,
            program: 0,
            batch: 0,
            signatures: [0; SETS],
            packed: Default::default(),
            scratch: Vec::new(),
            sets: [vk::DescriptorSet::null(); SETS],
            unbound: 0xF,
            unpushed: u32::MAX,
            dynamic: 0,
            stored: SmallVec::new(),
            feedback: false,
        }
    }

    /// The command buffer knows nothing of these sets any more.
    pub fn forget_bindings(&mut self) {
        self.unbound = 0xF;
        self.unpushed = u32::MAX;
    }

    /// Another program: what its layouts define like those of the last one stays bound, up to the first that differs
    /// (Vulkan 1.3 §14.2.2, pipeline layout compatibility; the push constants of all programs of a bind point are
    /// alike). Content of layouts that differ is worth nothing.
    fn change_program(&mut self, program: &Program) {
        let layouts = &program.layouts.sets;
        let differs = |set: &usize| self.signatures[*set] != layouts[*set].signature;
        let first = (0..SETS).find(differs).unwrap_or(SETS);
        self.unbound |= (0xF << first) as u8;
        if first == 0 {
            self.unpushed = u32::MAX;
        }
        for set in (first..SETS).filter(differs).collect::<SmallVec<[usize; SETS]>>() {
            self.signatures[set] = layouts[set].signature;
            self.sets[set] = vk::DescriptorSet::null();
            self.packed[set].clear();
        }
    }

    /// Resolves the sets that `dirty` concerns (all when the program or the batch changed), and updates what changed.
    /// `attached` tells whether an image is an attachment of the coming pass.
    pub fn prepare(
        &mut self,
        shop: &mut Shop<'_>,
        ctx: &ContextState,
        program: &Program,
        mut dirty: Dirty,
        attached: &dyn Fn(ImageKey) -> bool,
    ) -> Outcome {
        let batch = shop.core.cmds.current_serial();
        if self.batch != batch {
            dirty |= all_bits();
            self.forget_bindings();
            self.sets = [vk::DescriptorSet::null(); SETS];
            self.feedback = false;
        }
        if self.program != program.serial {
            dirty |= all_bits();
            self.change_program(program);
            self.feedback = false;
        }
        if dirty.intersects(Dirty::VIEWS | Dirty::IMAGES) {
            // Textures and image units decide together which layout an image has.
            dirty |= Dirty::VIEWS | Dirty::IMAGES;
            self.feedback = false;
            self.stored.clear();
            self.collect_stored(shop, ctx, program)?;
        }
        for set in 0..program.layouts.set_count {
            if dirty.intersects(bits_of(set)) && program.layouts.sets[set].slots > 0 {
                self.prepare_set(shop, ctx, program, set, attached)?;
            }
        }
        (self.program, self.batch) = (program.serial, batch);
        Ok(())
    }

    fn prepare_set(
        &mut self,
        shop: &mut Shop<'_>,
        ctx: &ContextState,
        program: &Program,
        set: usize,
        attached: &dyn Fn(ImageKey) -> bool,
    ) -> Outcome {
        let layout = program.layouts.sets[set];
        let mut next = std::mem::take(&mut self.scratch);
        next.clear();
        next.resize(layout.slots as usize, Packed::default());
        for binding in program.reflection.set(set as u32) {
            self.gather(shop, ctx, program, binding, attached, &mut next)?;
        }
        let last = std::mem::replace(&mut self.packed[set], next);
        let next = &self.packed[set];
        if layout.pushed {
            let changed = |slot: &usize| last.get(*slot) != next.get(*slot);
            self.unpushed |= (0..next.len()).filter(changed).fold(0, |bits, slot| bits | 1 << slot);
            self.scratch = last;
            return Ok(());
        }
        let same = last == *next && self.sets[set] != vk::DescriptorSet::null();
        self.scratch = last;
        if same {
            return Ok(());
        }
        let handle = shop.pools.allocate(&mut shop.core.cmds, layout.layout)?;
        if layout.template != vk::DescriptorUpdateTemplate::null() {
            make::update_set(&shop.core.gpu.device, handle, layout.template, &self.packed[set]);
        }
        self.sets[set] = handle;
        self.unbound |= 1 << set;
        Ok(())
    }

    fn gather(
        &mut self,
        shop: &mut Shop<'_>,
        ctx: &ContextState,
        program: &Program,
        binding: &Binding,
        attached: &dyn Fn(ImageKey) -> bool,
        out: &mut [Packed],
    ) -> Outcome {
        let stages = pipeline_stages(binding.stages);
        for slot in binding.binding..binding.binding + binding.count {
            let packed = match binding.kind {
                vk::DescriptorType::UNIFORM_BUFFER if slot == 0 && program.has_default_block() => {
                    self.constants(shop, ctx.flow, program)?
                }
                vk::DescriptorType::UNIFORM_BUFFER => {
                    let range = ctx.buffers[0].get(slot as usize).copied().unwrap_or_default();
                    let limit = u64::from(shop.core.gpu.properties.limits.max_uniform_buffer_range);
                    buffer(shop, &range, limit, stages, vk::AccessFlags::UNIFORM_READ)?
                }
                // A uniform block that the device reads as storage.
                vk::DescriptorType::STORAGE_BUFFER if binding.set == 0 => {
                    let range = ctx.buffers[0].get(slot as usize).copied().unwrap_or_default();
                    let limit = u64::from(shop.core.gpu.properties.limits.max_storage_buffer_range);
                    buffer(shop, &range, limit, stages, vk::AccessFlags::SHADER_READ)?
                }
                vk::DescriptorType::STORAGE_BUFFER => {
                    // Counter buffers take slots of the same set, so they travel in the same class.
                    let range = ctx.buffers[1].get(slot as usize).copied().unwrap_or_default();
                    let limit = u64::from(shop.core.gpu.properties.limits.max_storage_buffer_range);
                    let mut access = vk::AccessFlags::SHADER_READ;
                    if !binding.read_only {
                        access |= vk::AccessFlags::SHADER_WRITE;
                    }
                    storage(shop, &range, limit, stages, access)?
                }
                vk::DescriptorType::COMBINED_IMAGE_SAMPLER | vk::DescriptorType::UNIFORM_TEXEL_BUFFER => {
                    self.texture(shop, ctx, binding, slot, stages, attached)?
                }
                _ => self.image_unit(shop, ctx, binding, slot, stages, attached)?,
            };
            if let Some(entry) = out.get_mut(slot as usize) {
                *entry = packed;
            }
        }
        Ok(())
    }

    /// The default uniform block: a fresh slice of staging memory when its bytes changed or the batch did.
    fn constants(&mut self, shop: &mut Shop<'_>, flow: u32, program: &Program) -> Outcome<Packed> {
        let block = program.constants.of(flow);
        let (version, batch) = (block.serial, shop.core.cmds.current_serial());
        let size = block.bytes.len() as u64;
        let last = program.staged.get();
        let staged = match last.place {
            Some(place) if (last.version, last.batch) == (version, batch) => place,
            _ => {
                let align = shop.core.gpu.properties.limits.min_uniform_buffer_offset_alignment.max(16);
                shop.core.cmds.staging.stage(size, align, |to| {
                    to.copy_from_slice(block.bytes);
                    true
                })?
            }
        };
        program.staged.set(StagedConstants { version, batch, place: Some(staged) });
        if program.layouts.sets[0].pushed {
            return Ok(Packed::buffer(staged.buffer, staged.offset, size));
        }
        let offset = staged.offset as u32;
        if offset != self.dynamic {
            self.dynamic = offset;
            self.unbound |= 1;
        }
        Ok(Packed::buffer(staged.buffer, 0, size))
    }

    fn texture(
        &mut self,
        shop: &mut Shop<'_>,
        ctx: &ContextState,
        binding: &Binding,
        slot: u32,
        stages: vk::PipelineStageFlags,
        attached: &dyn Fn(ImageKey) -> bool,
    ) -> Outcome<Packed> {
        let texel_buffer = binding.kind == vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
        let Some(shape) = &binding.image else { return Ok(Packed::default()) };
        let view = ctx.views.get(slot as usize).copied().unwrap_or_default();
        let cso = ctx.samplers.get(slot as usize).copied().unwrap_or_default();
        // Fetches of single texels decode whatever the sampler says (EXT_texture_sRGB_decode).
        let stored = binding.sampled && shop.samplers.skips_decode(cso);
        let found = shop.core.resolve_view(view, stored)?;
        match found {
            Some(ViewRef::Image { view, layout, image, range, format, .. }) if !texel_buffer => {
                let looped = attached(image);
                self.feedback |= looped;
                let shared = looped || self.stored.contains(&image);
                let layout = if shared { vk::ImageLayout::GENERAL } else { layout };
                declare(shop.core, (image, range, layout), stages, looped, shared)?;
                let gpu = shop.core.gpu.clone();
                let can = gpu.formats.get(format).image;
                Ok(Packed::image(shop.samplers.get(&gpu, cso, can)?, view, layout))
            }
            Some(ViewRef::Buffer { view, buffer, .. }) if texel_buffer => {
                shop.core.use_buffer(buffer, stages, vk::AccessFlags::SHADER_READ);
                Ok(Packed::texel(view))
            }
            _ if texel_buffer => shop.placeholders.texel(shop.core, shape),
            _ => {
                let gpu = shop.core.gpu.clone();
                let sampler = shop.samplers.get(&gpu, mgl_base::Handle::NULL, vk::FormatFeatureFlags::empty())?;
                shop.placeholders.image(shop.core, shape, false, sampler)
            }
        }
    }

    fn image_unit(
        &mut self,
        shop: &mut Shop<'_>,
        ctx: &ContextState,
        binding: &Binding,
        slot: u32,
        stages: vk::PipelineStageFlags,
        attached: &dyn Fn(ImageKey) -> bool,
    ) -> Outcome<Packed> {
        let texel_buffer = binding.kind == vk::DescriptorType::STORAGE_TEXEL_BUFFER;
        let Some(shape) = &binding.image else { return Ok(Packed::default()) };
        let unit = ctx.images.get(slot as usize).copied().unwrap_or_default();
        match shop.core.storage(&unit, shape.arrayed)? {
            Some(StorageRef::Image { view, image, range, ty, class, multisampled, .. })
                if !texel_buffer && shape.shows(ty, class, multisampled) =>
            {
                let general = vk::ImageLayout::GENERAL;
                let looped = attached(image);
                self.feedback |= looped;
                declare(shop.core, (image, range, general), stages, looped, !binding.read_only)?;
                Ok(Packed::image(vk::Sampler::null(), view, general))
            }
            Some(StorageRef::Buffer { view, buffer, class, .. }) if texel_buffer && shape.class == class => {
                let mut access = vk::AccessFlags::SHADER_READ;
                if !binding.read_only {
                    access |= vk::AccessFlags::SHADER_WRITE;
                }
                shop.core.use_buffer(buffer, stages, access);
                Ok(Packed::texel(view))
            }
            // Loads give zeroes, stores and atomics have no effect (GL 4.6 §8.26).
            _ if shop.core.gpu.features.null_descriptor => Ok(Packed::default()),
            _ if texel_buffer => shop.placeholders.texel(shop.core, shape),
            _ => shop.placeholders.image(shop.core, shape, true, vk::Sampler::null()),
        }
    }

    /// Notes the images of the program's image units.
    fn collect_stored(&mut self, shop: &mut Shop<'_>, ctx: &ContextState, program: &Program) -> Outcome {
        for binding in program.reflection.set(3) {
            let arrayed = binding.image.is_some_and(|shape| shape.arrayed);
            for slot in binding.binding..binding.binding + binding.count {
                let unit = ctx.images.get(slot as usize).copied().unwrap_or_default();
                if let Some(StorageRef::Image { image, .. }) = shop.core.storage(&unit, arrayed)? {
                    self.stored.push(image);
                }
            }
        }
        Ok(())
    }

    /// Binds and pushes what the command buffer does not hold yet. What it holds is left alone: drivers look at every
    /// descriptor of a set that is bound.
    pub fn bind(&mut self, recorder: &Recorder<'_>, program: &Program) {
        let layouts = &program.layouts;
        let sets = &layouts.sets[..layouts.set_count];
        if sets.first().is_some_and(|s| s.pushed) {
            self.push(recorder, program);
        }
        let wanted =
            |set: usize| self.unbound & (1 << set) != 0 && sets.get(set).is_some_and(|s| s.slots > 0 && !s.pushed);
        let mut first = 0;
        while first < sets.len() {
            if !wanted(first) {
                first += 1;
                continue;
            }
            let end = (first..sets.len()).find(|set| !wanted(*set)).unwrap_or(sets.len());
            let moves = first == 0 && program.has_default_block() && self.reads_default_block(program);
            let dynamic: &[u32] = if moves { std::slice::from_ref(&self.dynamic) } else { &[] };
            recorder.bind_sets(self.point, layouts.pipeline, first as u32, &self.sets[first..end], dynamic);
            first = end;
        }
        self.unbound = 0;
    }

    /// Pushes the slots of set 0 that changed.
    fn push(&mut self, recorder: &Recorder<'_>, program: &Program) {
        let slots = self.packed[0].len() as u32;
        let wanted = self.unpushed & u32::MAX.checked_shr(32 - slots).unwrap_or(0);
        self.unpushed = 0;
        if wanted == 0 {
            return;
        }
        let mut runs: SmallVec<[(u32, usize); 16]> = SmallVec::new();
        let mut infos: SmallVec<[vk::DescriptorBufferInfo; 16]> = SmallVec::new();
        for binding in program.reflection.set(0) {
            let first = binding.binding as usize;
            let Some(packed) = self.packed[0].get(first..first + binding.count as usize) else { continue };
            // Arrays are pushed whole: lavapipe of Mesa 22 takes no notice of the first element of a write.
            if (first..first + packed.len()).any(|slot| wanted & (1 << slot) != 0) {
                runs.push((binding.binding, packed.len()));
                infos.extend(packed.iter().map(|packed| packed.as_buffer()));
            }
        }
        if !runs.is_empty() {
            recorder.push_uniform_buffers(self.point, program.layouts.pipeline, &runs, &infos);
        }
    }

    fn reads_default_block(&self, program: &Program) -> bool {
        program.reflection.set(0).any(|b| b.binding == 0)
    }
}

/// Declares the use of an image by a shader. An image that is used in two ways by one draw is declared with all of them
/// at once: the transition then covers each (they stand in one barrier).
fn declare(
    core: &mut Core,
    (image, range, layout): (ImageKey, Range, vk::ImageLayout),
    mut stages: vk::PipelineStageFlags,
    attached: bool,
    written: bool,
) -> Outcome {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    let mut access = A::SHADER_READ;
    if written {
        access |= A::SHADER_WRITE;
    }
    if attached {
        stages |= S::COLOR_ATTACHMENT_OUTPUT | S::EARLY_FRAGMENT_TESTS | S::LATE_FRAGMENT_TESTS;
        access |= A::COLOR_ATTACHMENT_READ
            | A::COLOR_ATTACHMENT_WRITE
            | A::DEPTH_STENCIL_ATTACHMENT_READ
            | A::DEPTH_STENCIL_ATTACHMENT_WRITE;
    }
    core.use_image(image, range, layout, stages, access)
}

/// The range inside its store; `None` when there is nothing of it.
fn clip(
    shop: &mut Shop<'_>,
    range: &BufferRange,
    limit: u64,
    stages: vk::PipelineStageFlags,
    access: vk::AccessFlags,
) -> Option<Packed> {
    let store = shop.core.use_buffer(range.buffer, stages, access)?;
    let size = range.size.min(store.size.checked_sub(range.offset)?).min(limit);
    (size > 0).then(|| Packed::buffer(store.vk, range.offset, size))
}

fn buffer(
    shop: &mut Shop<'_>,
    range: &BufferRange,
    limit: u64,
    stages: vk::PipelineStageFlags,
    access: vk::AccessFlags,
) -> Outcome<Packed> {
    if let Some(packed) = clip(shop, range, limit, stages, access) {
        return Ok(packed);
    }
    let (zero, size) = shop.placeholders.zero(shop.core)?;
    Ok(Packed::buffer(zero, 0, size.min(limit)))
}

/// As [`buffer`]. What shaders write where no buffer is bound must not be read by others, so it goes nowhere.
fn storage(
    shop: &mut Shop<'_>,
    range: &BufferRange,
    limit: u64,
    stages: vk::PipelineStageFlags,
    access: vk::AccessFlags,
) -> Outcome<Packed> {
    let alignment = shop.core.gpu.properties.limits.min_storage_buffer_offset_alignment.max(1);
    if !range.offset.is_multiple_of(alignment) {
        return Err(Refusal::Unsupported("StorageBufferOffset"));
    }
    match clip(shop, range, limit, stages, access) {
        None if shop.core.gpu.features.null_descriptor => Ok(Packed::buffer(vk::Buffer::null(), 0, vk::WHOLE_SIZE)),
        Some(packed) => Ok(packed),
        None => buffer(shop, range, limit, stages, access),
    }
}
