//! `set_*` records: they prove their handles and write the context's working state. Must not call the backend, except
//! for program constants and texture parameters, which belong to objects.

use crate::content::{Staged, copy_blob};
use crate::dispatch::Apply;
use crate::session::Applier;
use mgl_backend::Dirty;
use mgl_backend::state::Patch;
use mgl_backend::values::{DynamicState, FramebufferState, Surface};
use mgl_base::handle::{Renderbuffer, Texture};
use mgl_base::{Family, Fault, Handle};
use mgl_pipe::records::{
    BindSamplerStates, SetDispatchProgram, SetDrawProgram, SetDynamicState, SetFramebufferState, SetGlobalConstants,
    SetIndexBuffer, SetIndirectBuffers, SetPatchState, SetPixelPackState, SetProgramBindings, SetSamplerViews,
    SetShaderBuffers, SetShaderImages, SetStreamOutputTargets, SetTextureParams, SetVertexAttribDefaults,
    SetVertexBuffers,
};
use mgl_pipe::render_state::{DYNAMIC_CHUNKS, scatter_chunks};
use mgl_pipe::tokens::{BufferClass, FramebufferTarget, SurfaceKind};
use mgl_pipe::{Body, Proof, Wire};
use zerocopy::IntoBytes;

/// The part of `target` that starts at `start` and has as many elements as `source`, or a fault.
fn window<'t, T>(target: &'t mut [T], start: u32, count: usize, place: &'static str) -> Result<&'t mut [T], Fault> {
    let start = start as usize;
    start.checked_add(count).and_then(|end| target.get_mut(start..end)).ok_or_else(|| Fault::corrupt(place))
}

impl Apply<SetDynamicState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetDynamicState>) -> Result<(), Fault> {
        let mut block: DynamicState = self.flow.state.dynamic;
        let mut bytes = [0u8; size_of::<DynamicState>()];
        let size = body.head.blob.size as usize;
        let to = bytes.get_mut(..size).ok_or_else(|| Fault::corrupt("set_dynamic_state.blob"))?;
        let copied = self.io.copy_stage(body.head.blob.offset, to);
        if !copied || !scatter_chunks(DYNAMIC_CHUNKS, body.head.chunk_mask, to, block.as_mut_bytes()) {
            return Err(Fault::corrupt("set_dynamic_state.chunk_mask"));
        }
        if !block.proven(&Proof { stage_len: 0 }) {
            return Err(Fault::corrupt("set_dynamic_state.blob"));
        }
        self.flow.state.dynamic = block;
        self.flow.state.dirty |= Dirty::DYNAMIC;
        Ok(())
    }
}

impl Applier<'_> {
    fn surface(&self, surface: &Surface) -> Result<(), Fault> {
        let place = "set_framebuffer_state.surface";
        let tables = &self.session.tables;
        let desc = match surface.kind {
            SurfaceKind::None => return Ok(()),
            SurfaceKind::Texture => {
                tables.textures.need(Handle::<Texture>::new(surface.slot, surface.generation), place)?
            }
            _ => tables.renderbuffers.need(Handle::<Renderbuffer>::new(surface.slot, surface.generation), place)?,
        };
        // Storage that could not be had (out of memory) leaves an undefined resource; the backend skips it.
        let Some(format) = desc.format else { return Ok(()) };
        let depth = if desc.depth > 1 { desc.level_extent(u32::from(surface.level))[2] } else { desc.layers };
        let inside = u32::from(surface.level) < desc.levels && surface.layer < depth.max(1);
        if inside && format as u16 == surface.format { Ok(()) } else { Err(Fault::corrupt(place)) }
    }
}

impl Apply<SetFramebufferState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetFramebufferState>) -> Result<(), Fault> {
        let fb: FramebufferState = body.head;
        for surface in fb.color.iter().chain([&fb.depth, &fb.stencil, &fb.read]) {
            self.surface(surface)?;
        }
        if fb.draw_buffers.iter().any(|d| !(-1..8).contains(d)) {
            return Err(Fault::corrupt("set_framebuffer_state.draw_buffers"));
        }
        if fb.samples > 64 || !fb.samples.max(1).is_power_of_two() {
            return Err(Fault::corrupt("set_framebuffer_state.samples"));
        }
        let state = &mut self.flow.state;
        match fb.target {
            FramebufferTarget::Draw => {
                state.draw_framebuffer = fb;
                state.dirty |= Dirty::DRAW_FRAMEBUFFER;
            }
            FramebufferTarget::Read => {
                state.read_framebuffer = fb;
                state.dirty |= Dirty::READ_FRAMEBUFFER;
            }
            _ => {
                let full = self.flow.framebuffers.len() >= self.session.objects as usize;
                if full && !self.flow.framebuffers.contains_key(&fb.fbo.bits()) {
                    let detail = "set_framebuffer_state.fbo: budget of framebuffers of a context";
                    return Err(Fault::new(Family::ResourceUnavailable, detail));
                }
                self.flow.framebuffers.insert(fb.fbo.bits(), Box::new(fb));
            }
        }
        Ok(())
    }
}

impl Apply<SetVertexBuffers> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetVertexBuffers>) -> Result<(), Fault> {
        for entry in body.buffers().iter().filter(|b| !b.buffer.is_null()) {
            self.session.tables.buffers.need(entry.buffer, "set_vertex_buffers.buffer")?;
        }
        let buffers = body.buffers();
        let place = "set_vertex_buffers.count";
        window(&mut self.flow.state.vertex_buffers, body.head.start, buffers.len(), place)?.copy_from_slice(buffers);
        self.flow.state.dirty |= Dirty::VERTEX_BUFFERS;
        Ok(())
    }
}

impl Apply<SetIndexBuffer> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetIndexBuffer>) -> Result<(), Fault> {
        if !body.head.buffer.is_null() {
            self.session.tables.buffers.need(body.head.buffer, "set_index_buffer.buffer")?;
        }
        self.flow.state.index_buffer = body.head.buffer;
        self.flow.state.dirty |= Dirty::INDEX_BUFFER;
        Ok(())
    }
}

impl Apply<SetIndirectBuffers> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetIndirectBuffers>) -> Result<(), Fault> {
        for buffer in [body.head.indirect, body.head.parameter].into_iter().filter(|b| !b.is_null()) {
            self.session.tables.buffers.need(buffer, "set_indirect_buffers.buffer")?;
        }
        self.flow.state.indirect_buffer = body.head.indirect;
        self.flow.state.parameter_buffer = body.head.parameter;
        self.flow.state.dirty |= Dirty::INDIRECT;
        Ok(())
    }
}

impl Apply<SetSamplerViews> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetSamplerViews>) -> Result<(), Fault> {
        let views = body.views();
        for view in views.iter().filter(|v| !v.view.is_null()) {
            self.session.tables.views.need(view.view, "set_sampler_views.view")?;
        }
        let place = "set_sampler_views.count";
        let target = window(&mut self.flow.state.views, body.head.start, views.len(), place)?;
        for (to, from) in target.iter_mut().zip(views) {
            *to = from.view;
        }
        self.flow.state.dirty |= Dirty::VIEWS;
        Ok(())
    }
}

impl Apply<BindSamplerStates> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, BindSamplerStates>) -> Result<(), Fault> {
        let samplers = body.samplers();
        for sampler in samplers.iter().filter(|s| !s.is_null()) {
            self.session.tables.samplers.need(*sampler, "bind_sampler_states.sampler")?;
        }
        let place = "bind_sampler_states.count";
        window(&mut self.flow.state.samplers, body.head.start, samplers.len(), place)?.copy_from_slice(samplers);
        self.flow.state.dirty |= Dirty::SAMPLERS;
        Ok(())
    }
}

impl Apply<SetShaderImages> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetShaderImages>) -> Result<(), Fault> {
        let images = body.images();
        for image in images.iter().filter(|i| !i.texture.is_null()) {
            self.session.tables.textures.need(image.texture, "set_shader_images.texture")?;
        }
        let place = "set_shader_images.count";
        window(&mut self.flow.state.images, body.head.start, images.len(), place)?.copy_from_slice(images);
        self.flow.state.dirty |= Dirty::IMAGES;
        Ok(())
    }
}

impl Apply<SetShaderBuffers> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetShaderBuffers>) -> Result<(), Fault> {
        let ranges = body.ranges();
        for range in ranges.iter().filter(|r| !r.buffer.is_null()) {
            if let Some(size) = self.store_size(range.buffer, "set_shader_buffers.buffer")? {
                crate::prove::span(range.offset, range.size, size, "set_shader_buffers.range")?;
            }
        }
        let (class, bit) = match body.head.class {
            BufferClass::Uniform => (0, Dirty::UNIFORM_BUFFERS),
            BufferClass::ShaderStorage => (1, Dirty::STORAGE_BUFFERS),
            _ => return Err(Fault::corrupt("set_shader_buffers.class")),
        };
        let place = "set_shader_buffers.count";
        let target = window(&mut self.flow.state.buffers[class], body.head.start, ranges.len(), place)?;
        target.copy_from_slice(ranges);
        // A buffer without a store reads as nothing bound.
        let buffers = &self.session.tables.buffers;
        for range in target.iter_mut().filter(|r| buffers.get(r.buffer).is_none_or(|b| b.size == 0)) {
            *range = Default::default();
        }
        self.flow.state.dirty |= bit;
        Ok(())
    }
}

impl Apply<SetStreamOutputTargets> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetStreamOutputTargets>) -> Result<(), Fault> {
        let targets = body.targets();
        for target in targets.iter().filter(|t| !t.buffer.is_null()) {
            if let Some(size) = self.store_size(target.buffer, "set_stream_output_targets.buffer")? {
                crate::prove::span(target.offset, target.size, size, "set_stream_output_targets.range")?;
            }
        }
        let state = &mut self.flow.state;
        state.xfb_targets = Default::default();
        window(&mut state.xfb_targets, 0, targets.len(), "set_stream_output_targets.count")?.copy_from_slice(targets);
        let buffers = &self.session.tables.buffers;
        for target in state.xfb_targets.iter_mut().filter(|t| buffers.get(t.buffer).is_none_or(|b| b.size == 0)) {
            *target = Default::default();
        }
        state.xfb = body.head.xfb;
        state.dirty |= Dirty::XFB_TARGETS;
        Ok(())
    }
}

impl Apply<SetGlobalConstants> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetGlobalConstants>) -> Result<(), Fault> {
        let head = body.head;
        let program = self.session.tables.programs.need(head.cso, "set_global_constants.cso")?;
        let limit = u64::from(program.constants);
        crate::prove::span(u64::from(head.offset), head.blob.size, limit, "set_global_constants.blob")?;
        let content = Staged { io: self.io, flow: self.flow.state.flow, blob: head.blob };
        let outcome = self.session.backend.program_constants(self.flow.state.flow, head.cso, head.offset, &content);
        self.flow.state.dirty |= Dirty::CONSTANTS;
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<SetVertexAttribDefaults> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetVertexAttribDefaults>) -> Result<(), Fault> {
        for value in body.values() {
            let place = "set_vertex_attrib_defaults.location";
            let state = &mut self.flow.state;
            let all = if value.class == 4 { &mut state.attrib_defaults_wide } else { &mut state.attrib_defaults };
            let slot = window(all, value.location, 1, place)?;
            slot.fill(*value);
        }
        self.flow.state.dirty |= Dirty::ATTRIB_DEFAULTS;
        Ok(())
    }
}

impl Apply<SetPixelPackState> for Applier<'_> {
    /// Bytes on the wire are always tight, so neither backend needs the state; a recorder keeps it.
    fn apply(&mut self, _: Body<'_, SetPixelPackState>) -> Result<(), Fault> {
        Ok(())
    }
}

impl Apply<SetPatchState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetPatchState>) -> Result<(), Fault> {
        let SetPatchState { vertices, outer, inner, .. } = body.head;
        if !(1..=64).contains(&vertices) {
            return Err(Fault::corrupt("set_patch_state.vertices"));
        }
        self.flow.state.patch = Patch { vertices, outer, inner };
        self.flow.state.dirty |= Dirty::PATCH;
        Ok(())
    }
}

impl Apply<SetDrawProgram> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetDrawProgram>) -> Result<(), Fault> {
        if !body.head.cso.is_null() {
            self.session.tables.programs.need(body.head.cso, "set_draw_program.cso")?;
        }
        self.flow.state.draw_program = body.head.cso;
        self.flow.state.dirty |= Dirty::DRAW_PROGRAM;
        Ok(())
    }
}

impl Apply<SetDispatchProgram> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetDispatchProgram>) -> Result<(), Fault> {
        if !body.head.cso.is_null() {
            self.session.tables.programs.need(body.head.cso, "set_dispatch_program.cso")?;
        }
        self.flow.state.dispatch_program = body.head.cso;
        self.flow.state.dirty |= Dirty::DISPATCH_PROGRAM;
        Ok(())
    }
}

impl Apply<SetProgramBindings> for Applier<'_> {
    /// Sets arrive resolved per descriptor slot, so only the proof is left to do here.
    fn apply(&mut self, body: Body<'_, SetProgramBindings>) -> Result<(), Fault> {
        self.session.tables.programs.need(body.head.cso, "set_program_bindings.cso")?;
        for name in body.overrides().iter().filter_map(|o| o.name.get()) {
            let bytes = copy_blob(self.io, name).filter(|b| b.len() <= 4096);
            if bytes.is_none_or(|b| b.last() != Some(&0)) {
                return Err(Fault::corrupt("set_program_bindings.name"));
            }
        }
        Ok(())
    }
}

impl Apply<SetTextureParams> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, SetTextureParams>) -> Result<(), Fault> {
        self.session.tables.textures.need(body.head.texture, "set_texture_params.texture")?;
        let outcome = self.session.backend.texture_params(body.head.texture, &body.head);
        let views = Dirty::VIEWS;
        self.flow.state.dirty |= views;
        for other in self.session.flows.iter_mut().flatten() {
            other.state.dirty |= views;
        }
        self.settle(outcome).map(|_| ())
    }
}
