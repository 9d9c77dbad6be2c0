//! Getting ready for a draw: what changed since the last one, the pipeline, the resources, the pass. Must not know how the
//! draw is recorded. A draw with nothing dirty in an open pass compares a few words and goes on to record.

use super::index::Indices;
use super::sets::Shop;
use super::{Drawing, Last, MEMO, sets};
use crate::core::Core;
use crate::passes::{Loads, Target};
use crate::pipelines::{DrawShape, Entry, InputKey, Key, Miss, topology, translate};
use crate::programs::{Outputs, Program};
use crate::variants::Variant;
use crate::vertex::{Limits, VertexLayout};
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::{DrawIndirect, DrawRange, Numeric};
use mgl_backend::{ContextState, Rasterised, Refusal};
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{ClipDepth, IndexSize, PolygonMode, PrimitiveMode};
use mgl_spirv::PassedControl;

/// Groups that a draw consumes.
const DRAW_BITS: Dirty = Dirty::all().difference(Dirty::READ_FRAMEBUFFER.union(Dirty::DISPATCH_PROGRAM));

impl Drawing {
    /// `glDraw*`.
    pub fn draw(&mut self, core: &mut Core, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome {
        let ranged = draw.indirect.is_none() && draw.captured.is_none();
        let nothing = ranged && (draw.instance_count == 0 || draw.ranges.iter().all(|r| r.count == 0));
        if nothing || ctx.draw_program.is_null() {
            return Ok(());
        }
        core.cmds.submit_if_large()?;
        core.cmds.count_ops(1 + draw.ranges.len() as u32 / 16);
        if self.same_again(core, ctx, draw) {
            return self.repeat(core, draw);
        }
        let numbered = self.programs.get(ctx.draw_program).is_some_and(|p| p.reflection.numbers_primitives);
        let (counted, captured);
        let on_host = !core.gpu.features.draw_indirect_count || super::index::cuts(&core.gpu.features, draw, numbered);
        let draw = match draw.indirect.filter(|i| !i.parameter.is_null() && on_host) {
            Some(indirect) => {
                counted = count_on_host(core, indirect)?;
                &Draw { indirect: Some(&counted), ..*draw }
            }
            None => draw,
        };
        let draw = match draw.captured.filter(|_| draw.mode == PrimitiveMode::LineLoop) {
            Some(of) => {
                captured = [DrawRange { start: 0, count: self.captures.count(core, of)?, base_vertex: 0 }];
                &Draw { captured: None, ranges: &captured, ..*draw }
            }
            None => draw,
        };
        let indices = super::index::prepare(core, ctx, draw, (ctx.patch.vertices, numbered))?;
        let dirty = self.begin_verb(core, ctx);
        ctx.dirty.remove(DRAW_BITS);
        let done = self.prepare(core, ctx, draw, indices.as_ref(), dirty);
        match done {
            Ok((entry, dirty)) => {
                self.last.shape = shape_of(ctx, draw, indices.as_ref());
                self.issue(core, ctx, draw, indices.as_ref(), (&entry, dirty))
            }
            Err(refusal) => {
                // What was consumed half way must be looked at again.
                self.forced = Dirty::all();
                Err(refusal)
            }
        }
    }

    /// Nothing was pushed, nothing moved, the pass is open and the draw is of the kind of the last one.
    fn same_again(&self, core: &Core, ctx: &ContextState, draw: &Draw<'_>) -> bool {
        (ctx.dirty & DRAW_BITS).is_empty()
            && self.forced.is_empty()
            && !self.retouch
            && draw.indirect.is_none()
            && draw.captured.is_none()
            && self.last.shape == Some(plain_shape(ctx, draw))
            && self.bound.flow == ctx.flow
            && self.bound.batch == core.cmds.current_serial()
            && self.last.pass_epoch == core.cmds.pass_epoch()
            && self.last.textures == core.textures.epoch()
            && self.last.buffers == core.buffers.epoch()
            && self.passes.usable(core)
            && aligned(draw)
    }

    /// Groups to look at: what the context pushed, and what moved under it.
    pub(super) fn begin_verb(&mut self, core: &Core, ctx: &ContextState) -> Dirty {
        let mut dirty = ctx.dirty | self.forced;
        self.forced = Dirty::empty();
        let batch = core.cmds.current_serial();
        if self.bound.batch != batch || self.bound.flow != ctx.flow {
            self.forget();
            dirty = Dirty::all();
            (self.bound.batch, self.bound.flow) = (batch, ctx.flow);
        }
        let (textures, buffers) = (core.textures.epoch(), core.buffers.epoch());
        if self.last.textures != textures {
            self.last.textures = textures;
            dirty |= Dirty::VIEWS | Dirty::IMAGES | Dirty::DRAW_FRAMEBUFFER;
        }
        if self.last.buffers != buffers {
            self.last.buffers = buffers;
            dirty |= Dirty::VIEWS
                | Dirty::IMAGES
                | Dirty::VERTEX_BUFFERS
                | Dirty::INDEX_BUFFER
                | Dirty::UNIFORM_BUFFERS
                | Dirty::STORAGE_BUFFERS
                | Dirty::XFB_TARGETS;
        }
        dirty
    }

    /// Everything up to an open pass with all barriers recorded.
    fn prepare(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        indices: Option<&Indices>,
        mut dirty: Dirty,
    ) -> Outcome<(Entry, Dirty)> {
        let srgb = ctx.pipeline.framebuffer_srgb.get();
        if dirty.contains(Dirty::DRAW_FRAMEBUFFER) || self.last.srgb != srgb {
            let mut target = Target::resolve(core, ctx.flow, &ctx.draw_framebuffer, srgb)?;
            target.format.feedback =
                self.graphics.feedback && target.attachments().eq(self.passes.target().attachments());
            self.passes.set_target(target);
            self.last.srgb = srgb;
            dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::VIEWS;
        }
        // A pass that somebody left, or a memory barrier: every use is declared again.
        let retouch = self.retouch || self.last.pass_epoch != core.cmds.pass_epoch() || !core.cmds.in_pass();
        if retouch {
            dirty |= sets::all_bits() | Dirty::VERTEX_BUFFERS | Dirty::INDEX_BUFFER | Dirty::XFB_TARGETS;
            self.retouch = false;
        }
        self.prepare_sets(core, ctx, dirty | changed_program(dirty))?;
        let entry = self.pipeline(core, ctx, draw, indices)?;
        self.use_buffers(core, ctx, draw, indices, &entry, dirty)?;
        self.prepare_capture(core, ctx, &entry)?;
        if !self.passes.usable(core) {
            self.passes.begin(core, Some(&mut self.queries), &Loads::default())?;
        }
        self.last.pass_epoch = core.cmds.pass_epoch();
        Ok((entry, dirty))
    }

    fn prepare_sets(&mut self, core: &mut Core, ctx: &ContextState, dirty: Dirty) -> Outcome {
        let Some(program) = self.programs.get(ctx.draw_program) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        if !dirty.intersects(sets::all_bits()) {
            return Ok(());
        }
        let target = *self.passes.target();
        let attached = |key| target.attachments().any(|a| a.image == key);
        let mut shop =
            Shop { core, samplers: &mut self.samplers, placeholders: &mut self.placeholders, pools: &mut self.pools };
        self.graphics.prepare(&mut shop, ctx, program, dirty, &attached)?;
        let feedback = self.graphics.feedback;
        self.passes.set_feedback(feedback);
        Ok(())
    }

    /// The pipeline: last one, memo, map, or a new one.
    fn pipeline(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        indices: Option<&Indices>,
    ) -> Outcome<Entry> {
        let pass = self.pass_number();
        let input = self.vertex_input(core, ctx)?;
        let Some(program) = self.programs.get(ctx.draw_program) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        let dynamic = core.gpu.features.vertex_input_dynamic_state;
        let input_key = if dynamic { input.fetch } else { input.layout };
        let mut key = key(ctx, draw, program, (pass, input_key), indices.is_some_and(|i| i.restart));
        if program.needs_control() {
            key.levels = self.pipelines.levels(passed_control(ctx).levels);
        }
        if let (true, Some(entry)) = (self.last.key == key, self.last.entry) {
            return Ok(Entry { layout: input.layout, ..entry });
        }
        let found = self.memo.iter().find(|(k, _)| *k == key).and_then(|(_, e)| *e);
        let entry = match found.or_else(|| self.pipelines.get(&key)) {
            Some(entry) => entry,
            None => self.miss(core, ctx, draw, (key, input))?,
        };
        if found.is_none() {
            self.memo[self.memo_next] = (key, Some(entry));
            self.memo_next = (self.memo_next + 1) % MEMO;
        }
        self.last = Last { key, entry: Some(entry), ..self.last };
        Ok(Entry { layout: input.layout, ..entry })
    }

    /// Vertex input of the program from the current layout.
    fn vertex_input(&mut self, core: &Core, ctx: &ContextState) -> Outcome<InputKey> {
        let Some(program) = self.programs.get(ctx.draw_program) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        let pair = (program.serial, ctx.vertex_elements.bits());
        if let Some((_, input)) = self.last.input.filter(|(last, _)| *last == pair) {
            return Ok(input);
        }
        let input = match self.pipelines.input(pair) {
            Some(input) => input,
            None => {
                let gpu = &core.gpu;
                let none = mgl_backend::VertexElementsDesc::default();
                let elements = self.elements.get(ctx.vertex_elements).unwrap_or(&none);
                let supported = |f| fetchable(gpu, f);
                let limits = Limits {
                    supported: &supported,
                    divisors: gpu.features.vertex_attribute_divisor,
                    max_divisor: gpu.max_divisor,
                    max_locations: gpu.properties.limits.max_vertex_input_attributes,
                    float64: gpu.features.shader_float64,
                };
                self.pipelines.add_input(pair, VertexLayout::new(program, elements, &limits)?)
            }
        };
        self.last.input = Some((pair, input));
        Ok(input)
    }

    fn miss(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        (key, input): (Key, InputKey),
    ) -> Outcome<Entry> {
        let render_pass = self.passes.compatible(core)?;
        let format = *self.passes.format();
        let gpu = core.gpu.clone();
        let Some(program) = self.programs.get_mut(ctx.draw_program) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        let most = gpu.properties.limits.max_viewports.min(16);
        let shape = shape(ctx, draw, program, key.draw & (1 << 8) != 0, most);
        check_stages(program)?;
        if shape.rasterised == Rasterised::Polygons
            && ctx.pipeline.polygon_front != PolygonMode::Fill
            && !gpu.features.fill_mode_non_solid
        {
            return Err(Refusal::Unsupported("PolygonMode"));
        }
        let control = program.needs_control().then(|| passed_control(ctx));
        let state = translate(&ctx.pipeline, &format, &shape, &gpu.features);
        let mut variant = variant(ctx, program, &shape, &gpu, &format, (key.draw >> 24) as u8);
        variant.zero_base_vertex = key.draw & (1 << 16) != 0;
        variant.control = control;
        variant.fetch = self.pipelines.layout(input.layout).map(|l| l.fetch).unwrap_or_default();
        self.pipelines.make(&gpu, Miss { key, program, layout: input.layout, state, variant, render_pass })
    }

    /// Declares vertex, index and indirect buffers.
    fn use_buffers(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        indices: Option<&Indices>,
        entry: &Entry,
        dirty: Dirty,
    ) -> Outcome {
        let changed = Dirty::VERTEX_BUFFERS | Dirty::VERTEX_ELEMENTS | Dirty::DRAW_PROGRAM | Dirty::ATTRIB_DEFAULTS;
        if dirty.intersects(changed) {
            self.resolve_vertex_buffers(core, ctx, entry, dirty)?;
        }
        let input = vk::PipelineStageFlags::VERTEX_INPUT;
        if let Some(indices) = indices.filter(|i| i.staged.is_none()) {
            // Draws without indices in between consume the dirty bit, so what was declared is remembered.
            let want = (indices.source.bits(), core.cmds.pass_epoch(), core.buffers.epoch());
            if dirty.contains(Dirty::INDEX_BUFFER) || self.bound.index_declared != want {
                core.use_buffer(indices.source, input, vk::AccessFlags::INDEX_READ);
                self.bound.index_declared = want;
            }
            if core.buffer(indices.source).is_none() {
                return Err(Refusal::Unsupported("IndexBufferUnbound"));
            }
        }
        if let Some(captured) = draw.captured {
            self.captures.before_counted(&mut core.cmds, captured.xfb);
        }
        if let Some(indirect) = draw.indirect {
            core.use_commands([indirect.buffer, indirect.parameter]);
        }
        Ok(())
    }
}

/// Every range starts at a whole index. A width is a power of two.
pub(super) fn aligned(draw: &Draw<'_>) -> bool {
    let mask = u64::from(draw.index_size.0.max(1)) - 1;
    draw.ranges.iter().all(|r| r.start & mask == 0)
}

/// Mode, index width, restart and capture of a draw whose indices are used as they are.
fn plain_shape(ctx: &ContextState, draw: &Draw<'_>) -> [u32; 4] {
    let mode = u32::from(draw.mode.0) | u32::from(draw.index_size.0) << 16;
    let restart = if draw.restart { draw.restart_index } else { 0 };
    [mode, restart, u32::from(draw.restart), u32::from(ctx.xfb_capturing)]
}

fn shape_of(ctx: &ContextState, draw: &Draw<'_>, indices: Option<&Indices>) -> Option<[u32; 4]> {
    let plain = draw.indirect.is_none() && draw.captured.is_none() && indices.is_none_or(|i| i.staged.is_none());
    plain.then(|| plain_shape(ctx, draw))
}

/// The count of an indirect draw on a device that cannot read it itself: waits for what writes it (spec 07 §5.6).
fn count_on_host(core: &mut Core, indirect: &DrawIndirect) -> Outcome<DrawIndirect> {
    let mut word = [0; 4];
    core.cmds.counts.expanded += 1;
    core.cmds.counts.for_indirect = true;
    let read = core.buffer_read(indirect.parameter, indirect.parameter_offset, &mut word);
    core.cmds.counts.for_indirect = false;
    read?;
    let count = u32::from_le_bytes(word).min(indirect.draw_count);
    Ok(DrawIndirect { parameter: mgl_base::Handle::NULL, draw_count: count, ..*indirect })
}

/// Stage combinations that GL allows and this backend does not draw.
fn check_stages(program: &Program) -> Outcome {
    if !program.has(Stage::Vertex) {
        return Err(Refusal::Unsupported("ProgramWithoutVertexStage"));
    }
    Ok(())
}

/// What the generated control stage depends on.
fn passed_control(ctx: &ContextState) -> PassedControl {
    PassedControl::new(ctx.patch.vertices, ctx.patch.outer, ctx.patch.inner)
}

/// The program would see the first vertex where GL says 0.
fn zero_base_vertex(draw: &Draw<'_>, program: &Program) -> bool {
    program.archive.flags.draw_parameters && draw.index_size == IndexSize::Arrays
}

fn fetchable(gpu: &crate::device::Gpu, format: vk::Format) -> bool {
    let properties = crate::raw::boot::format_properties(&gpu.instance, gpu.physical, format);
    properties.buffer_features.contains(vk::FormatFeatureFlags::VERTEX_BUFFER)
}

fn changed_program(dirty: Dirty) -> Dirty {
    if dirty.contains(Dirty::DRAW_PROGRAM) { sets::all_bits() } else { Dirty::empty() }
}

/// Bits 0..7 mode, 8 restart, 9..15 patch vertices, 16 draw parameters of a draw without indices, 24..31 clip distances
/// that are written but off.
fn key(ctx: &ContextState, draw: &Draw<'_>, program: &Program, (pass, input): (u32, u32), restart: bool) -> Key {
    let patches = if draw.mode == PrimitiveMode::Patches { ctx.patch.vertices & 0x7F } else { 0 };
    let parameters = u32::from(zero_base_vertex(draw, program)) << 16;
    let written = (1u32 << program.archive.flags.clip_distances.min(8)) - 1;
    let clip_off = written & !ctx.dynamic.clip_distances;
    Key {
        program: program.serial,
        levels: 0,
        state: ctx.pipeline_cso.bits(),
        input,
        pass,
        draw: u32::from(draw.mode.0) & 0xFF | u32::from(restart) << 8 | patches << 9 | parameters | clip_off << 24,
    }
}

fn shape(ctx: &ContextState, draw: &Draw<'_>, program: &Program, restart: bool, viewports: u32) -> DrawShape {
    let tessellated = program.has(Stage::TessEval);
    let mut outputs = program.reflection.outputs.all;
    if program.archive.flags.broadcast_color {
        outputs = 0xFF;
    }
    DrawShape {
        topology: topology(draw.mode),
        restart,
        patch_vertices: if tessellated { ctx.patch.vertices } else { 0 },
        viewports: if program.archive.flags.writes_viewport_index { viewports } else { 1 },
        outputs_written: outputs,
        alpha_written: program.reflection.outputs.alpha & 1 != 0,
        rasterised: Rasterised::of(draw.mode, &program.archive),
    }
}

/// Whether the program asked for more than one invocation per pixel (GL 4.6 §14.3.1.1).
fn shades_samples(p: &mgl_pipe::render_state::PipelineState, samples: u32, gpu: &crate::device::Gpu) -> bool {
    let rate = p.min_sample_shading.clamp(0.0, 1.0) * samples as f32;
    p.sample_shading.get() && gpu.features.sample_rate_shading && rate > 1.0
}

fn variant(
    ctx: &ContextState,
    program: &Program,
    shape: &DrawShape,
    gpu: &crate::device::Gpu,
    format: &crate::pipelines::PassFormat,
    clip_off: u8,
) -> Variant {
    let p = &ctx.pipeline;
    let flags = &program.archive.flags;
    let points = shape.rasterised == Rasterised::Points
        || (shape.rasterised == Rasterised::Polygons && p.polygon_front == PolygonMode::Point);
    let late = program.last_vertex_stage != Stage::Vertex;
    let can_write = !late || gpu.features.tessellation_geometry_point_size;
    let multisample = format.samples > 1 && p.multisample.get();
    let color: u8 = (0..8).filter(|i| format.gl[*i].is_some()).fold(0, |mask, i| mask | 1 << i);
    // Output 0 is the source of a broadcast, and its alpha that of coverage, whatever draw buffer takes it.
    let kept = u8::from(flags.broadcast_color || (multisample && p.alpha_to_coverage.get()));
    Variant {
        depth_fixup: p.clip_depth == ClipDepth::NegativeOneToOne && !gpu.features.depth_clip_control,
        point_size: points && can_write && !(flags.writes_point_size && p.program_point_size.get()),
        clip_off,
        point_coord_flip: points && flags.reads_point_coord && !p.point_origin_lower_left.get(),
        broadcast: if flags.broadcast_color { color & !1 } else { 0 },
        drop_outputs: program.reflection.outputs.all & !color & !kept,
        flip_sign: flip_sign(program.reflection.outputs, format),
        drop_sample_mask: flags.writes_sample_mask && !multisample,
        one_sample: program.reflection.reads_samples && format.samples > 1 && !multisample,
        inputs_at_sample: program.reflection.interpolates && multisample && shades_samples(p, format.samples, gpu),
        alpha_to_one: multisample && p.alpha_to_one.get() && !gpu.features.alpha_to_one,
        ..Variant::default()
    }
}

/// Outputs of signed integers to unsigned draw buffers, and the reverse.
fn flip_sign(outputs: Outputs, format: &crate::pipelines::PassFormat) -> u8 {
    if outputs.signed | outputs.unsigned == 0 {
        return 0;
    }
    let of = |wanted: Numeric| {
        let is = |i: &usize| format.gl[*i].is_some_and(|f| f.info().numeric == wanted);
        (0..8).filter(is).fold(0u8, |mask, i| mask | 1 << i)
    };
    (outputs.signed & of(Numeric::Uint)) | (outputs.unsigned & of(Numeric::Int))
}
