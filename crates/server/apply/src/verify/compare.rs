//! The comparison, section by section. Must not change anything.

use crate::session::Applier;
use crate::shadow::Shadow;
use mgl_backend::ContextState;
use mgl_backend::state::Patch;
use mgl_backend::values::{AttribValue, BufferRange, DynamicState, FramebufferState, ImageView, PipelineState};
use mgl_backend::values::{VertexBuffer, XfbTarget};
use mgl_base::handle::Texture;
use mgl_base::hash::content_hash;
use mgl_base::{Fault, Handle};
use mgl_pipe::expect::{ConstantBytes, Part, Reader};
use mgl_pipe::records::{
    CreateSamplerState, CreateSamplerView, SetDispatchProgram, SetDrawProgram, SetIndexBuffer, SetIndirectBuffers,
    SetPatchState, SetStreamOutputTargets, SetTextureParams, VertexAttrib, VertexBinding,
};
use mgl_pipe::tokens::Swizzle;
use mgl_pipe::{Difference, Wire};

type Found = Result<Option<Difference>, Fault>;

/// A difference between values that have no fields of their own.
fn plain<T: std::fmt::Debug>(path: impl Into<String>, expected: T, found: T) -> Difference {
    Difference { path: path.into(), expected: format!("{expected:?}"), found: format!("{found:?}") }
}

fn one<T: Wire>(reader: &mut Reader<'_>, found: &T, path: &str) -> Found {
    Ok(T::difference(&reader.take_one::<T>()?, found, path))
}

/// The expected elements against the first ones of a table; what lies beyond belongs to other programs.
fn list<T: Wire>(reader: &mut Reader<'_>, found: &[T], path: &str) -> Found {
    let wanted = reader.take::<T>()?;
    if wanted.len() > found.len() {
        return Ok(Some(plain(format!("{path}.len"), wanted.len(), found.len())));
    }
    let mut pairs = wanted.iter().zip(found).enumerate();
    Ok(pairs.find_map(|(i, (a, b))| T::difference(a, b, &format!("{path}[{i}]"))))
}

fn exact<T: Wire>(reader: &mut Reader<'_>, found: &[T], path: &str) -> Found {
    let wanted = reader.take::<T>()?;
    if wanted.len() != found.len() {
        return Ok(Some(plain(format!("{path}.len"), wanted.len(), found.len())));
    }
    let mut pairs = wanted.iter().zip(found).enumerate();
    Ok(pairs.find_map(|(i, (a, b))| T::difference(a, b, &format!("{path}[{i}]"))))
}

fn attrib_defaults(reader: &mut Reader<'_>, state: &ContextState) -> Found {
    for wanted in reader.take::<AttribValue>()? {
        let path = format!("attrib_defaults[{}]", wanted.location);
        let all = if wanted.class == 4 { &state.attrib_defaults_wide } else { &state.attrib_defaults };
        let found = all.get(wanted.location as usize).copied().unwrap_or_default();
        if let Some(there) = AttribValue::difference(&wanted, &found, &path) {
            return Ok(Some(there));
        }
    }
    Ok(None)
}

fn views(reader: &mut Reader<'_>, state: &ContextState, shadow: &Shadow) -> Found {
    for (i, wanted) in reader.take::<CreateSamplerView>()?.into_iter().enumerate() {
        let path = format!("views[{i}]");
        let bound = state.views.get(i).copied().unwrap_or(Handle::NULL);
        if wanted.cso != bound {
            return Ok(Some(plain(path, wanted.cso, bound)));
        }
        let Some(found) = shadow.views.get(&bound.bits()) else { continue };
        if let Some(there) = CreateSamplerView::difference(&wanted, found, &path) {
            return Ok(Some(there));
        }
    }
    Ok(None)
}

/// By content: which handle a state got is the client's business.
fn samplers(reader: &mut Reader<'_>, state: &ContextState, shadow: &Shadow) -> Found {
    for (i, wanted) in reader.take::<CreateSamplerState>()?.into_iter().enumerate() {
        let path = format!("samplers[{i}]");
        let bound = state.samplers.get(i).copied().unwrap_or(Handle::NULL);
        // The filter is never zero in a state; an all-zero element says that the slot is unused.
        let used = wanted.min_filter.0 != 0;
        let found = shadow.samplers.get(&bound.bits());
        let Some(found) = found.filter(|_| used) else {
            if used != found.is_some() && used {
                return Ok(Some(plain(path, "a sampler state", "none")));
            }
            continue;
        };
        let found = CreateSamplerState { cso: Handle::NULL, ..*found };
        if let Some(there) = CreateSamplerState::difference(&wanted, &found, &path) {
            return Ok(Some(there));
        }
    }
    Ok(None)
}

/// Parameters that were never pushed have GL's initial values (GL 4.6 table 23.18).
fn initial_params(texture: Handle<Texture>) -> SetTextureParams {
    let swizzle = [Swizzle::Red, Swizzle::Green, Swizzle::Blue, Swizzle::Alpha];
    SetTextureParams { texture, max_level: 1000, swizzle, ..Default::default() }
}

/// The subset by content, and that it came with a state object: pipelines are kept by its identity.
fn pipeline(reader: &mut Reader<'_>, state: &ContextState) -> Found {
    let there = one::<PipelineState>(reader, &state.pipeline, "pipeline")?;
    Ok(there.or_else(|| state.pipeline_cso.is_null().then(|| plain("pipeline.cso", "a render state", "none"))))
}

impl Applier<'_> {
    /// The first difference, if any, and the GL command, if the client named it.
    pub(super) fn compare(
        &self,
        shadow: &Shadow,
        mut reader: Reader<'_>,
    ) -> Result<Option<(Difference, String)>, Fault> {
        let mut command = String::new();
        while let Some(part) = reader.next_part()? {
            let there = match part {
                Part::Command => {
                    command = String::from_utf8(reader.take()?).map_err(|_| Fault::corrupt("verify_state.blob"))?;
                    None
                }
                Part::VertexAttribs | Part::VertexBindings => self.layout(part, shadow, &mut reader)?,
                Part::TextureParams => self.texture_params(shadow, &mut reader)?,
                Part::Constants => self.constants(shadow, &mut reader)?,
                Part::Views => views(&mut reader, &self.flow.state, shadow)?,
                Part::Samplers => samplers(&mut reader, &self.flow.state, shadow)?,
                Part::UniformBuffers | Part::StorageBuffers => self.ranges(part, &mut reader)?,
                _ => self.value(part, &mut reader)?,
            };
            if let Some(there) = there {
                return Ok(Some((there, command)));
            }
        }
        Ok(None)
    }

    /// Groups whose values stand in the working state itself.
    fn value(&self, part: Part, reader: &mut Reader<'_>) -> Found {
        let s = &self.flow.state;
        match part {
            Part::Pipeline => pipeline(reader, s),
            Part::Dynamic => one::<DynamicState>(reader, &s.dynamic, "dynamic"),
            Part::DrawFramebuffer => one::<FramebufferState>(reader, &s.draw_framebuffer, "draw_framebuffer"),
            Part::ReadFramebuffer => one::<FramebufferState>(reader, &s.read_framebuffer, "read_framebuffer"),
            Part::VertexBuffers => list::<VertexBuffer>(reader, &s.vertex_buffers, "vertex_buffers"),
            Part::IndexBuffer => one(reader, &SetIndexBuffer { buffer: s.index_buffer }, "index"),
            Part::IndirectBuffers => {
                let found = SetIndirectBuffers { indirect: s.indirect_buffer, parameter: s.parameter_buffer };
                one(reader, &found, "indirect")
            }
            Part::AttribDefaults => attrib_defaults(reader, s),
            Part::Images => list::<ImageView>(reader, &s.images, "images"),
            Part::StreamOutput => {
                let wanted = reader.take_one::<SetStreamOutputTargets>()?;
                Ok((wanted.xfb != s.xfb).then(|| plain("stream_output.xfb", wanted.xfb, s.xfb)))
            }
            Part::StreamOutputTargets => list::<XfbTarget>(reader, &s.xfb_targets, "stream_output.targets"),
            Part::DrawProgram => one(reader, &SetDrawProgram { cso: s.draw_program }, "draw_program"),
            Part::Patch => {
                let Patch { vertices, outer, inner } = s.patch;
                one(reader, &SetPatchState { vertices, outer, inner, ..Default::default() }, "patch")
            }
            Part::DispatchProgram => one(reader, &SetDispatchProgram { cso: s.dispatch_program }, "dispatch_program"),
            _ => Err(Fault::corrupt("verify_state.blob")),
        }
    }

    fn layout(&self, part: Part, shadow: &Shadow, reader: &mut Reader<'_>) -> Found {
        let known = shadow.layouts.get(&self.flow.state.vertex_elements.bits());
        let (attribs, bindings) = known.map_or((&[][..], &[][..]), |(a, b)| (a.as_slice(), b.as_slice()));
        match part {
            Part::VertexAttribs => exact::<VertexAttrib>(reader, attribs, "vertex_elements.attribs"),
            _ => exact::<VertexBinding>(reader, bindings, "vertex_elements.bindings"),
        }
    }

    /// A range without a store is null here whatever the client named (`set_shader_buffers`).
    fn ranges(&self, part: Part, reader: &mut Reader<'_>) -> Found {
        let (class, path) = if part == Part::UniformBuffers { (0, "uniform_buffers") } else { (1, "storage_buffers") };
        let buffers = &self.session.tables.buffers;
        let found = self.flow.state.buffers.get(class).map_or(&[][..], Vec::as_slice);
        for (i, mut wanted) in reader.take::<BufferRange>()?.into_iter().enumerate() {
            if buffers.get(wanted.buffer).is_none_or(|b| b.size == 0) {
                wanted = BufferRange::default();
            }
            let found = found.get(i).copied().unwrap_or_default();
            if let Some(there) = BufferRange::difference(&wanted, &found, &format!("{path}[{i}]")) {
                return Ok(Some(there));
            }
        }
        Ok(None)
    }

    /// Parameters belong to the texture, which other flows change as well: only what this flow said last is judged.
    fn texture_params(&self, shadow: &Shadow, reader: &mut Reader<'_>) -> Found {
        for wanted in reader.take::<SetTextureParams>()? {
            let path = format!("texture_params[{:?}]", wanted.texture);
            let found = match shadow.params.get(&wanted.texture.bits()) {
                Some(kept) if kept.flow != self.flow.state.flow => continue,
                Some(kept) => kept.value,
                None => initial_params(wanted.texture),
            };
            if let Some(there) = SetTextureParams::difference(&wanted, &found, &path) {
                return Ok(Some(there));
            }
        }
        Ok(None)
    }

    /// The block is the one of this context: no other one changes it.
    fn constants(&self, shadow: &Shadow, reader: &mut Reader<'_>) -> Found {
        let wanted = reader.take_one::<ConstantBytes>()?;
        let Some(kept) = shadow.constants.get(&wanted.cso.bits()) else {
            return Ok(Some(plain("constants", "a program", "none")));
        };
        let bytes = kept.of(self.flow.state.flow);
        let (size, hash) = (bytes.len() as u64, content_hash(&bytes));
        Ok(ConstantBytes::difference(&wanted, &ConstantBytes { size, hash, ..wanted }, "constants"))
    }
}
