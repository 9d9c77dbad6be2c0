//! Constant state objects: chunk assembly, tables, death. Must not know verbs.

use crate::content::copy_blob;
use crate::dispatch::Apply;
use crate::session::Applier;
use crate::tables::ProgramRecord;
use mgl_backend::values::PipelineState;
use mgl_backend::{Dirty, VertexElementsDesc, ViewDesc};
use mgl_base::Fault;
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_pipe::archive::ProgramArchive;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    BindRenderState, BindShaderState, BindVertexElements, CreateRenderState, CreateSamplerState, CreateSamplerView,
    CreateShaderState, CreateVertexElements, DeleteRenderState, DeleteSamplerState, DeleteSamplerView,
    DeleteShaderState, DeleteVertexElements,
};
use mgl_pipe::render_state::{PIPELINE_CHUNKS, all_chunks, scatter_chunks};
use mgl_pipe::{Body, Proof, Wire};
use zerocopy::IntoBytes;

/// Words of one stage's SPIR-V that a record may carry.
const MAX_SPIRV_WORDS: u32 = 4 << 20;
/// Bytes of a program archive.
const MAX_ARCHIVE_BYTES: u64 = 16 << 20;

impl Apply<CreateRenderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CreateRenderState>) -> Result<(), Fault> {
        let head = body.head;
        let mut block = if head.chunk_mask == all_chunks(PIPELINE_CHUNKS) {
            PipelineState::initial()
        } else {
            *self.session.tables.render_states.need(head.base, "create_render_state.base")?
        };
        let bytes = copy_blob(self.io, head.blob).ok_or_else(|| Fault::corrupt("create_render_state.blob"))?;
        if !scatter_chunks(PIPELINE_CHUNKS, head.chunk_mask, &bytes, block.as_mut_bytes()) {
            return Err(Fault::corrupt("create_render_state.chunk_mask"));
        }
        if !block.proven(&Proof { stage_len: 0 }) {
            return Err(Fault::corrupt("create_render_state.blob"));
        }
        self.session.tables.render_states.insert(head.cso, block, "create_render_state.cso")?;
        Ok(())
    }
}

impl Apply<BindRenderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, BindRenderState>) -> Result<(), Fault> {
        let block = self.session.tables.render_states.need(body.head.cso, "bind_render_state.cso")?;
        self.flow.state.pipeline = *block;
        self.flow.state.pipeline_cso = body.head.cso;
        self.flow.state.dirty |= Dirty::PIPELINE;
        Ok(())
    }
}

impl Apply<DeleteRenderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteRenderState>) -> Result<(), Fault> {
        let cso = body.head.cso;
        self.session.tables.render_states.remove(cso).ok_or_else(|| Fault::corrupt("delete_render_state.cso"))?;
        self.session.backend.render_state_destroy(cso);
        self.sweep_render_state(cso);
        Ok(())
    }
}

impl Apply<CreateVertexElements> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CreateVertexElements>) -> Result<(), Fault> {
        let bad = |what: &'static str| Err(Fault::corrupt(what));
        let max = MAX_VERTEX_ATTRIBS;
        if body.attribs().len() > max || body.bindings().len() > max {
            return bad("create_vertex_elements_state.count");
        }
        for attrib in body.attribs() {
            let known = body.bindings().iter().any(|b| b.binding == u32::from(attrib.binding));
            if usize::from(attrib.location) >= max || !(1..=4).contains(&attrib.components) || !known {
                return bad("create_vertex_elements_state.attribs");
            }
        }
        if body.bindings().iter().any(|b| b.binding as usize >= max) {
            return bad("create_vertex_elements_state.bindings");
        }
        let desc = VertexElementsDesc { attribs: body.attribs().to_vec(), bindings: body.bindings().to_vec() };
        let cso = body.head.cso;
        self.session.tables.vertex_elements.insert(cso, (), "create_vertex_elements_state.cso")?;
        let outcome = self.session.backend.vertex_elements_create(cso, desc);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<BindVertexElements> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, BindVertexElements>) -> Result<(), Fault> {
        self.session.tables.vertex_elements.need(body.head.cso, "bind_vertex_elements_state.cso")?;
        self.flow.state.vertex_elements = body.head.cso;
        self.flow.state.dirty |= Dirty::VERTEX_ELEMENTS;
        Ok(())
    }
}

impl Apply<DeleteVertexElements> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteVertexElements>) -> Result<(), Fault> {
        let cso = body.head.cso;
        let place = "delete_vertex_elements_state.cso";
        self.session.tables.vertex_elements.remove(cso).ok_or_else(|| Fault::corrupt(place))?;
        self.session.backend.vertex_elements_destroy(cso);
        self.sweep_vertex_elements(cso);
        Ok(())
    }
}

impl Apply<CreateSamplerState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CreateSamplerState>) -> Result<(), Fault> {
        self.session.tables.samplers.insert(body.head.cso, (), "create_sampler_state.cso")?;
        let outcome = self.session.backend.sampler_create(body.head.cso, &body.head);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<DeleteSamplerState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteSamplerState>) -> Result<(), Fault> {
        let cso = body.head.cso;
        self.session.tables.samplers.remove(cso).ok_or_else(|| Fault::corrupt("delete_sampler_state.cso"))?;
        self.session.backend.sampler_destroy(cso);
        self.sweep_sampler(cso);
        Ok(())
    }
}

impl Apply<CreateSamplerView> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CreateSamplerView>) -> Result<(), Fault> {
        let head = body.head;
        let place = "create_sampler_view.format";
        let format = match head.format {
            0 => None,
            wire => Some(Format::from_wire(wire).ok_or_else(|| Fault::corrupt(place))?),
        };
        self.session.tables.textures.need(head.texture, "create_sampler_view.texture")?;
        self.session.tables.views.insert(head.cso, (), "create_sampler_view.cso")?;
        let desc = ViewDesc {
            texture: head.texture,
            format,
            target: head.target,
            min_level: head.min_level,
            num_levels: head.num_levels,
            min_layer: head.min_layer,
            num_layers: head.num_layers,
        };
        let outcome = self.session.backend.view_create(head.cso, &desc);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<DeleteSamplerView> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteSamplerView>) -> Result<(), Fault> {
        let cso = body.head.cso;
        self.session.tables.views.remove(cso).ok_or_else(|| Fault::corrupt("delete_sampler_view.cso"))?;
        self.session.backend.view_destroy(cso);
        self.sweep_view(cso);
        Ok(())
    }
}

impl Apply<CreateShaderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CreateShaderState>) -> Result<(), Fault> {
        let head = body.head;
        let bad = |field: &str| Fault::corrupt(format!("create_shader_state.{field}"));
        let total: u64 = head.words.iter().map(|w| u64::from(*w)).sum();
        if total * 4 != head.spirv.size || head.words.iter().any(|w| *w > MAX_SPIRV_WORDS) {
            return Err(bad("words"));
        }
        if head.archive.size > MAX_ARCHIVE_BYTES {
            return Err(bad("archive"));
        }
        let code = copy_blob(self.io, head.spirv).ok_or_else(|| bad("spirv"))?;
        let archive = copy_blob(self.io, head.archive).ok_or_else(|| bad("archive"))?;
        let decoded = ProgramArchive::decode(&archive)
            .map_err(|e| Fault::corrupt(format!("create_shader_state.archive: {e}")))?;
        let mut words = code.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap_or_default()));
        let mut spirv: [Vec<u32>; 6] = Default::default();
        for (stage, (out, count)) in spirv.iter_mut().zip(head.words).enumerate() {
            if (head.stage_mask & (1 << stage) != 0) != (count != 0) {
                return Err(bad("stage_mask"));
            }
            out.extend(words.by_ref().take(count as usize));
        }
        let record = ProgramRecord { constants: decoded.default_block_size };
        self.session.tables.programs.insert(head.cso, record, "create_shader_state.cso")?;
        let outcome = self.session.backend.program_create(head.cso, spirv, &archive);
        self.settle(outcome)?;
        // A relink changes what a bound program is (spec 08 §2).
        let state = &mut self.flow.state;
        if state.draw_program == head.cso || state.dispatch_program == head.cso {
            state.dirty |= Dirty::DRAW_PROGRAM | Dirty::DISPATCH_PROGRAM | Dirty::CONSTANTS;
        }
        for other in self.session.flows.iter_mut().flatten() {
            other.state.dirty |= Dirty::DRAW_PROGRAM | Dirty::DISPATCH_PROGRAM | Dirty::CONSTANTS;
        }
        Ok(())
    }
}

impl Apply<BindShaderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, BindShaderState>) -> Result<(), Fault> {
        self.session.tables.programs.need(body.head.cso, "bind_shader_state.cso").map(|_| ())
    }
}

impl Apply<DeleteShaderState> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteShaderState>) -> Result<(), Fault> {
        let cso = body.head.cso;
        self.session.tables.programs.remove(cso).ok_or_else(|| Fault::corrupt("delete_shader_state.cso"))?;
        self.session.backend.program_destroy(cso);
        self.sweep_program(cso);
        Ok(())
    }
}
