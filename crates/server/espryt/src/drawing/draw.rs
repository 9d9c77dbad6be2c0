//! Getting ready for a draw: framebuffer, program, resources, vertex arrays, state. Must not know how the draw is issued.

use super::Drawing;
use super::resources::biased;
use super::variant::{add_formats, can_wire, countable, of_draw};
use crate::core::{Core, Disturbed};
use crate::essl::{Count, Variant};
use crate::frames::TargetInfo;
use crate::programs::Program;
use crate::raw::consts;
use crate::state::{Gate, check, groups, visible_mode};
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Captured, Draw, Outcome};
use mgl_backend::values::DrawRange;
use mgl_backend::{ContextState, Rasterised, Refusal};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;
use mgl_pipe::archive::Stage;
use mgl_pipe::tokens::{IndexSize, PolygonMode, PrimitiveMode};

/// Groups that a draw consumes.
pub(super) const DRAW_BITS: Dirty = Dirty::all().difference(Dirty::READ_FRAMEBUFFER.union(Dirty::DISPATCH_PROGRAM));

/// A draw that is ready to be issued.
#[derive(Clone, Copy)]
pub struct Ready {
    /// Index of the program's variant.
    pub variant: usize,
    /// What reaches the rasteriser.
    pub what: Rasterised,
    /// A geometry stage of ours draws the polygons: their indices stay as they are.
    pub wired: bool,
    /// Location of the draw parameters, -1 = the program does not read them.
    pub parameters: i32,
    /// What the state depends on.
    pub gate: Gate,
    /// Depth or stencil may be written.
    pub writes_tests: bool,
}

impl Drawing {
    /// `glDraw*`.
    pub fn draw(&mut self, core: &mut Core, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome {
        if let Some(captured) = draw.captured {
            return self.draw_captured(core, ctx, draw, captured);
        }
        let nothing = draw.indirect.is_none() && (draw.instance_count == 0 || draw.ranges.iter().all(|r| r.count == 0));
        if nothing || ctx.draw_program.is_null() {
            return Ok(());
        }
        if self.same_again(core, ctx, draw)
            && let Some(done) = self.repeat(core, ctx, draw)
        {
            return done;
        }
        if self.captures_polygons_apart(core, ctx) {
            return self.capture_then_draw(core, ctx, draw);
        }
        let dirty = self.begin(core, ctx.flow) | (ctx.dirty & DRAW_BITS);
        ctx.dirty.remove(DRAW_BITS);
        self.last = None;
        let prepared = self.prepare(core, ctx, draw, dirty);
        let ready = prepared.as_ref().ok().copied();
        let done = prepared.and_then(|ready| self.issue_groups(core, ctx, draw, &ready));
        if let Some(ready) = ready.filter(|_| done.is_ok()) {
            self.remember(core, ctx, draw, ready);
        }
        if done.is_err() {
            // What was consumed half way must be looked at again.
            self.forced = Dirty::all();
        }
        core.issued();
        done
    }

    /// OpenGL ES has no draws of captured vertices: their number is worked out here.
    fn draw_captured(
        &mut self,
        core: &mut Core,
        ctx: &mut ContextState,
        draw: &Draw<'_>,
        captured: Captured,
    ) -> Outcome {
        let count = if captured.stream == 0 { self.captures.vertices(core, captured.xfb)? } else { 0 };
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let ranges = [DrawRange { start: 0, count, base_vertex: 0 }];
        self.draw(core, ctx, &Draw { ranges: &ranges, captured: None, ..*draw })
    }

    /// A polygon mode that this driver lacks cannot be drawn while capture runs: the stage of ours would be captured.
    fn captures_polygons_apart(&self, core: &Core, ctx: &ContextState) -> bool {
        let p = &ctx.pipeline;
        let filled = p.polygon_front == PolygonMode::Fill && p.polygon_back == PolygonMode::Fill;
        ctx.xfb_capturing && !filled && !core.features().polygon_mode && !p.rasterizer_discard.get()
    }

    /// The polygons are captured without being drawn, then drawn without being captured.
    fn capture_then_draw(&mut self, core: &mut Core, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome {
        if self.queries.counts_primitives() {
            return Err(Refusal::Unsupported("PolygonMode"));
        }
        let (fill, on) = (PolygonMode::Fill, mgl_backend::values::Bool8::new(true));
        let kept = ctx.pipeline;
        let p = &mut ctx.pipeline;
        (p.polygon_front, p.polygon_back, p.rasterizer_discard) = (fill, fill, on);
        let captured = self.draw(core, ctx, draw);
        ctx.pipeline = kept;
        ctx.xfb_capturing = false;
        let drawn = self.draw(core, ctx, draw);
        ctx.xfb_capturing = true;
        captured.and(drawn)
    }

    fn prepare(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, dirty: Dirty) -> Outcome<Ready> {
        let target = core.bind_draw_framebuffer(&ctx.draw_framebuffer, ctx.pipeline.framebuffer_srgb.get())?;
        let gate = Gate::of(&target);
        tracing::trace!(?target, mode = ?draw.mode, scissor = ctx.dynamic.scissor_enabled, "draw");
        check(core, &ctx.pipeline, gate.color)?;
        let program = self.programs.get(ctx.draw_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        check_stages(program)?;
        let what = Rasterised::of(draw.mode, &program.archive);
        self.check_polygon_mode(core, ctx, what)?;
        let (variant, wired) = self.choose(core, ctx, &target, (what, draw.mode))?;
        let gate = self.gate(ctx, gate, core);
        let parameters = self.use_program(core, ctx.draw_program, variant)?;
        let program = self.programs.get(ctx.draw_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        self.stored |= program.archive.flags.writes_memory;
        self.bound.bind(core, &mut self.ring, ctx, (program, variant), dirty)?;
        if !core.disturbed.is_empty() {
            // Framebuffers and views that were made ready by internal work: it may have drawn and cleared.
            self.shadow.disturbed(std::mem::replace(&mut core.disturbed, Disturbed::empty()));
            core.bind_draw_framebuffer(&ctx.draw_framebuffer, ctx.pipeline.framebuffer_srgb.get())?;
            self.use_program(core, ctx.draw_program, variant)?;
        }
        self.answer(core, ctx, (ctx.draw_program, variant))?;
        if what == Rasterised::Points || visible_mode(&ctx.pipeline) == Some(PolygonMode::Point) {
            self.point_size(core, ctx, variant)?;
        }
        if let Some(point) = self.programs.facts.counter {
            self.queries.bind_counter(core, point);
        }
        self.shadow.apply(core, &ctx.pipeline, &ctx.dynamic, &gate);
        let emulated = if core.features().base_instance { 0 } else { draw.base_instance };
        self.arrays.bind(core, ctx, emulated)?;
        if dirty.contains(Dirty::ATTRIB_DEFAULTS) {
            self.arrays.values(core, ctx);
        }
        if draw.mode == PrimitiveMode::Patches && self.patch_vertices != ctx.patch.vertices {
            core.gl().patch_parameteri(consts::PATCH_VERTICES, ctx.patch.vertices.cast_signed());
            self.patch_vertices = ctx.patch.vertices;
        }
        let p = &ctx.pipeline;
        let depth = target.depth && p.depth_test.get() && p.depth_mask.get();
        let writes_tests = depth || target.stencil && p.stencil_test.get();
        Ok(Ready { variant, what, wired, parameters, gate, writes_tests })
    }

    /// Issues a draw once, or once per group of draw buffers where the driver has one blend state for all.
    fn issue_groups(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, ready: &Ready) -> Outcome {
        let all = groups(core, &ctx.pipeline, ready.gate.color);
        if all[1] == 0 {
            return self.issue(core, ctx, draw, ready);
        }
        let stores = self.programs.get(ctx.draw_program).is_some_and(|p| p.archive.flags.writes_memory);
        if ready.writes_tests || stores || ctx.xfb_capturing || self.queries.counting() {
            // A second pass would see what the first has written.
            return Err(Refusal::Unsupported("IndependentBlend"));
        }
        let mut done = Ok(());
        for group in all.into_iter().filter(|g| *g != 0) {
            draw_buffers(core, group);
            self.shadow.apply(core, &ctx.pipeline, &ctx.dynamic, &Gate { color: group, ..ready.gate });
            done = done.and(self.issue(core, ctx, draw, ready));
        }
        draw_buffers(core, ready.gate.color);
        done
    }

    /// Without polygon modes in the driver, lines and points of polygons come from a geometry stage of ours, or from
    /// rewritten indices.
    fn check_polygon_mode(&self, core: &Core, ctx: &ContextState, what: Rasterised) -> Outcome {
        let p = &ctx.pipeline;
        if what != Rasterised::Polygons {
            return Ok(());
        }
        // The drivers that have polygon modes have one for both faces.
        let Some(mode) = visible_mode(p) else { return Err(Refusal::Unsupported("PolygonModePerFace")) };
        if core.features().polygon_mode {
            return Ok(());
        }
        let wired = self.programs.get(ctx.draw_program).is_some_and(|program| can_wire(core, ctx, program));
        if mode != PolygonMode::Fill && p.cull_enabled.get() && !wired {
            // Lines and points have no faces: culling would be lost.
            return Err(Refusal::Unsupported("PolygonModeCulled"));
        }
        Ok(())
    }

    /// The variant that the state asks for, made when it is new.
    fn choose(
        &mut self,
        core: &Core,
        ctx: &ContextState,
        target: &TargetInfo,
        what: (Rasterised, PrimitiveMode),
    ) -> Outcome<(usize, bool)> {
        let fetch = self.arrays.fetch(ctx.vertex_elements);
        let facts = self.programs.facts;
        let program = self.programs.get_mut(ctx.draw_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        let mut wanted = of_draw(core, ctx, program, target, what, fetch);
        if self.queries.counting() && facts.counter.is_some() {
            wanted.count = countable(core, ctx, program, target);
        }
        self.queries.exact &= wanted.count != Count::Nothing;
        add_bound(core, ctx, program, &facts, &mut wanted);
        Ok((program.variant(core, &facts, &wanted), wanted.wire.is_some()))
    }

    fn gate(&self, ctx: &ContextState, gate: Gate, core: &Core) -> Gate {
        let Some(program) = self.programs.get(ctx.draw_program) else { return gate };
        let flags = &program.archive.flags;
        let (_, flipped) = crate::state::clip_variant(core, &ctx.pipeline);
        let clip = (1u32 << flags.clip_distances.min(8)) - 1;
        Gate { flipped, viewports: if flags.writes_viewport_index { 16 } else { 1 }, clip_written: clip as u8, ..gate }
    }

    /// Makes a variant current; answers where its draw parameters are.
    pub(super) fn use_program(&mut self, core: &mut Core, cso: Handle<ShaderCso>, variant: usize) -> Outcome<i32> {
        let program = self.programs.get_mut(cso).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        let driver = program.driver_mut(variant)?;
        if !driver.checked
            && let Err(refusal) = driver.check(core)
        {
            program.condemn(variant, refusal.clone());
            return Err(refusal);
        }
        let driver = program.driver(variant)?;
        core.bind.program(&core.device.gl, driver.name);
        Ok(driver.draw_parameters)
    }

    fn point_size(&mut self, core: &Core, ctx: &ContextState, variant: usize) -> Outcome {
        let program = self.programs.get_mut(ctx.draw_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        let driver = program.driver_mut(variant)?;
        let bits = ctx.dynamic.point_size.to_bits();
        if driver.point_size >= 0 && driver.size_value != bits {
            driver.size_value = bits;
            core.gl().uniform_1f(driver.point_size, ctx.dynamic.point_size);
        }
        Ok(())
    }
}

/// Programs with images that have no declared format, or that read through samplers with a bias, are made for what is bound.
pub(super) fn add_bound(
    core: &Core,
    ctx: &ContextState,
    program: &mut Program,
    facts: &crate::essl::EsFacts,
    wanted: &mut Variant,
) {
    let base = program.variant(core, facts, &Variant { control: wanted.control, ..Variant::default() });
    if let Ok(driver) = program.driver(base) {
        wanted.biased = biased(core, ctx, driver);
        if driver.formatless {
            add_formats(wanted, ctx, &driver.images);
        }
    }
}

/// Chooses among the bound framebuffer's draw buffers.
fn draw_buffers(core: &Core, mask: u8) {
    let list: [u32; 8] =
        std::array::from_fn(|i| if mask & (1 << i) != 0 { consts::COLOR_ATTACHMENT0 + i as u32 } else { consts::NONE });
    let count = 8 - mask.leading_zeros() as usize;
    core.gl().draw_buffers_list(&list[..count.max(1)]);
}

/// Stage combinations that GL allows and this backend does not draw.
fn check_stages(program: &Program) -> Outcome {
    if !program.has(Stage::Vertex) {
        return Err(Refusal::Unsupported("ProgramWithoutVertexStage"));
    }
    Ok(())
}

/// Type token of indices.
pub(super) fn index_type(size: IndexSize) -> u32 {
    match size {
        IndexSize::U8 => consts::UNSIGNED_BYTE,
        IndexSize::U16 => consts::UNSIGNED_SHORT,
        _ => consts::UNSIGNED_INT,
    }
}
