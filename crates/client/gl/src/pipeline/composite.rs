//! A composite: the program that stages of several programs are drawn as, and how it takes over their values
//! (spec 08 §5). Must not know pipeline objects.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::instance::Instance;
use crate::program::state::{Bindings, Executable, Program, ProgramOrShader};
use crate::shader::jobs::{cache, limits};
use crate::tracker::Dirty;
use mgl_glsl::archive::{Block, OpaqueKind, ProgramArchive, StageVariable, Uniform};
use mgl_glsl::{FragDataBinding, LinkRequest, StagePart, compose_cached, gltype, owner_of};
use std::sync::Arc;

/// What a composite was made of: program and link of each stage.
pub(super) type Key = [Option<(usize, u64)>; 6];

/// A composite program with its sources.
#[derive(Debug)]
pub(super) struct Composite {
    pub(super) key: Key,
    /// A program without a name.
    pub(super) object: Arc<ProgramOrShader>,
    sources: Vec<Source>,
}

/// One program of a composite and where its values go.
#[derive(Debug)]
struct Source {
    object: Arc<ProgramOrShader>,
    /// `Executable::revision` that was taken over.
    revision: Option<u64>,
    /// Bindings that were taken over.
    bindings: Option<Arc<Bindings>>,
    bytes: Vec<Span>,
    slots: Slots,
}

/// Bytes of the default block: from, to, count.
#[derive(Clone, Copy, Debug)]
struct Span(usize, usize, usize);

/// Descriptor slots: of the source, of the composite.
#[derive(Debug, Default)]
struct Slots {
    textures: Vec<(usize, usize)>,
    images: Vec<(usize, usize)>,
    uniform_blocks: Vec<(usize, usize)>,
    storage: Vec<(usize, usize)>,
}

impl Composite {
    /// Links the stages; each of `stages` is a program that has been linked.
    pub(super) fn make(ctx: &Context, key: Key, stages: &[Option<Arc<ProgramOrShader>>; 6]) -> GlResult<Self> {
        let mut programs: Vec<Arc<ProgramOrShader>> = Vec::new();
        let mut parts: Vec<(u32, StagePart)> = Vec::new();
        let mut request = LinkRequest { limits: limits(&ctx.instance.caps), ..LinkRequest::default() };
        for (at, object) in stages.iter().enumerate() {
            let Some(object) = object else { continue };
            let owner = programs.iter().position(|p| Arc::ptr_eq(p, object)).unwrap_or_else(|| {
                programs.push(object.clone());
                programs.len() - 1
            });
            let Some(program) = object.program() else { continue };
            let inner = program.inner();
            let Some(executable) = &inner.executable else { continue };
            ask(&mut request, at, &executable.archive);
            let mine = executable.parts.iter().filter(|p| p.stage.index() == at);
            parts.extend(mine.map(|p| (owner as u32, p.clone())));
        }
        let borrowed: Vec<(u32, &StagePart)> = parts.iter().map(|(owner, part)| (*owner, part)).collect();
        let linked = compose_cached(cache(), &borrowed, &request).map_err(|e| {
            GlError::invalid_operation(format!("the programs of the pipeline object do not fit together: {e}"))
        })?;
        let executable = Executable::new(linked, 1);
        let sources = programs.into_iter().enumerate();
        let sources = sources.filter_map(|(owner, object)| Source::of(object, owner as u32, &executable.archive));
        Ok(Self { key, sources: sources.collect(), object: unnamed(&ctx.instance, executable) })
    }

    /// Takes over what has changed in the sources; says what that makes dirty.
    pub(super) fn sync(&mut self) -> Dirty {
        let mut dirty = Dirty::empty();
        let Some(program) = self.object.program() else { return dirty };
        let mut inner = program.inner();
        let Some(target) = inner.executable.as_mut() else { return dirty };
        for source in &mut self.sources {
            dirty |= source.sync(target);
        }
        dirty
    }
}

fn unnamed(instance: &Arc<Instance>, executable: Executable) -> Arc<ProgramOrShader> {
    let program = Program::new(instance);
    {
        let mut inner = program.inner();
        inner.executable = Some(executable);
        inner.link_ok = true;
    }
    Arc::new(ProgramOrShader::Program(Box::new(program)))
}

/// Name and location of the attribute that an entry belongs to. An array of arrays has an entry for each row that is used.
fn home(input: &StageVariable) -> Option<(&str, u32)> {
    let (name, indices) = input.name.split_once('[').unwrap_or((&input.name, ""));
    let rows: Vec<u32> = indices.trim_end_matches(']').split("][").filter_map(|i| i.parse().ok()).collect();
    let location = input.location.cast_unsigned();
    // The last index is that of the entry's own first element.
    match rows.as_slice() {
        [row, _] => Some((name, location.checked_sub(row * input.locations)?)),
        _ => rows.iter().all(|i| *i == 0).then_some((name, location)),
    }
}

/// What the program of stage `at` was linked with and the composite has to repeat.
fn ask(request: &mut LinkRequest, at: usize, archive: &ProgramArchive) {
    use mgl_glsl::Stage;
    let plain = |name: &str| name.strip_suffix("[0]").unwrap_or(name).to_owned();
    if at == Stage::Vertex.index() {
        for input in archive.inputs.iter().filter(|i| i.location >= 0) {
            let Some((name, location)) = home(input) else { continue };
            if request.attrib_bindings.iter().all(|(known, _)| known != name) {
                request.attrib_bindings.push((name.to_owned(), location));
            }
        }
    }
    if at == Stage::Fragment.index() {
        let located = archive.fragment_outputs.iter().filter(|o| o.location >= 0);
        let binding = |o: &mgl_glsl::archive::FragmentOutput| FragDataBinding {
            name: plain(&o.name),
            location: o.location.cast_unsigned(),
            index: o.index.max(0).cast_unsigned(),
        };
        request.frag_data = located.map(binding).collect();
    } else if at != Stage::Compute.index() {
        // Stages come in order: the last one before rasterisation captures.
        let captured = archive.xfb.as_ref();
        request.xfb_varyings = captured.map_or_else(Vec::new, |x| x.varyings.iter().map(|v| v.name.clone()).collect());
        request.xfb_mode = captured.map_or_else(Default::default, |x| x.mode);
    }
}

/// Bytes that a uniform takes in the default block.
fn extent(u: &Uniform) -> usize {
    let Some((rows, columns, bytes)) = gltype::shape(u.gl_type) else { return 0 };
    let one = if columns > 1 { u.matrix_stride * columns } else { rows * bytes };
    // The last element ends where its own bytes end: something else may lie in the padding behind it.
    (u.array_stride * (u.array_size.max(1) - 1) + one) as usize
}

impl Source {
    fn of(object: Arc<ProgramOrShader>, owner: u32, target: &ProgramArchive) -> Option<Self> {
        let archive = object.program()?.inner().executable.as_ref()?.archive.clone();
        let mut bytes = Vec::new();
        let mut slots = Slots::default();
        for to in &target.uniforms {
            let Some((_, name)) = owner_of(&to.name).filter(|(o, _)| *o == owner) else { continue };
            if to.block >= 0 || to.atomic_buffer >= 0 {
                continue;
            }
            let Some(from) = archive.uniforms.iter().find(|u| u.name == name && u.block < 0) else { continue };
            match (&from.opaque, &to.opaque) {
                (Some(a), Some(b)) => {
                    let list = if a.kind == OpaqueKind::Image { &mut slots.images } else { &mut slots.textures };
                    let pairs = (0..a.count.min(b.count)).map(|i| ((a.slot + i) as usize, (b.slot + i) as usize));
                    list.extend(pairs);
                }
                (None, None) => bytes.push(Span(from.offset as usize, to.offset as usize, extent(from))),
                _ => {}
            }
        }
        let pairs = |from: &[Block], to: &[Block]| -> Vec<(usize, usize)> {
            let own = to.iter().filter_map(|b| Some((owner_of(&b.name).filter(|(o, _)| *o == owner)?.1, b.slot)));
            let pair = |(name, slot): (&str, u32)| {
                let source = from.iter().find(|b| b.name == name)?;
                Some((source.slot as usize, slot as usize))
            };
            own.filter_map(pair).collect()
        };
        slots.uniform_blocks = pairs(&archive.uniform_blocks, &target.uniform_blocks);
        slots.storage = pairs(&archive.storage_blocks, &target.storage_blocks);
        Some(Self { object, revision: None, bindings: None, bytes, slots })
    }

    fn sync(&mut self, target: &mut Executable) -> Dirty {
        let mut dirty = Dirty::empty();
        let Some(program) = self.object.program() else { return dirty };
        let inner = program.inner();
        let Some(executable) = &inner.executable else { return dirty };
        if self.revision != Some(executable.revision) {
            self.revision = Some(executable.revision);
            for Span(from, to, count) in &self.bytes {
                let Some(bytes) = executable.constants.get(*from..from + count) else { continue };
                if target.write_constants(*to, bytes) {
                    dirty |= Dirty::CONSTANTS;
                }
            }
        }
        // Bindings are replaced as a whole when one changes.
        if self.bindings.as_ref().is_none_or(|seen| !Arc::ptr_eq(seen, &executable.bindings)) {
            let from = executable.bindings.clone();
            self.slots.apply(&from, Arc::make_mut(&mut target.bindings));
            self.bindings = Some(from);
            dirty |= Dirty::PROGRAM_SETS - Dirty::CONSTANTS;
        }
        dirty
    }
}

impl Slots {
    fn apply(&self, from: &Bindings, to: &mut Bindings) {
        fn copy<T: Copy>(pairs: &[(usize, usize)], from: &[T], to: &mut [T]) {
            for (source, target) in pairs {
                if let (Some(value), Some(slot)) = (from.get(*source), to.get_mut(*target)) {
                    *slot = *value;
                }
            }
        }
        copy(&self.textures, &from.textures, &mut to.textures);
        copy(&self.images, &from.images, &mut to.images);
        copy(&self.uniform_blocks, &from.uniform_blocks, &mut to.uniform_blocks);
        copy(&self.storage, &from.storage, &mut to.storage);
    }
}

#[cfg(test)]
mod tests {
    use super::home;
    use mgl_glsl::archive::StageVariable;

    // A mesh whose program is drawn through a pipeline object would take its attributes from other arrays.
    #[test]
    fn attributes_keep_the_location_they_were_linked_with() {
        let of = |name: &str, location, locations| {
            let input = StageVariable { name: name.into(), location, locations, ..StageVariable::default() };
            home(&input).map(|(name, at)| (name.to_owned(), at))
        };
        assert_eq!(of("a", 3, 1), Some(("a".into(), 3)));
        assert_eq!(of("a[0]", 3, 4), Some(("a".into(), 3)));
        assert_eq!(of("a[0][0]", 3, 2), Some(("a".into(), 3)));
        assert_eq!(of("a[2][0]", 9, 3), Some(("a".into(), 3)), "rows 0 and 1 are not used");
    }
}
