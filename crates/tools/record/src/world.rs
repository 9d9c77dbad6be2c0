//! What a replay knows of the objects of its stream, for pictures and descriptions. Must not decide anything about the
//! replay itself: records reach it after they were proven and applied.

use mgl_backend::ContextState;
use mgl_backend::values::{FramebufferState, SamplerValues, Surface, VertexAttrib, VertexBinding};
use mgl_link::recording::Recorded;
use mgl_pipe::records::{
    Blit, Clear, CopyFramebufferToTexture, CreateSamplerState, CreateSamplerView, CreateShaderState,
    CreateVertexElements, DeleteSamplerState, DeleteSamplerView, DeleteShaderState, DeleteVertexElements, DrawVbo,
    Present, PresentImage, ReadPixels, ReadPixelsToBuffer, ResourceCreate, ResourceDesc, ResourceDestroy,
    ResourceRespecify, SetFramebufferState, SetGlobalConstants,
};
use mgl_pipe::tokens::{Aspects, ClearKind, FramebufferTarget, ResourceTarget, SurfaceKind};
use mgl_pipe::{Body, Bool8, Proof, Record};
use std::collections::HashMap;

/// Surfaces that a comparison looks at: the ones written last.
const RECENT: usize = 8;

/// A linked program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) words: [u32; 6],
    pub(crate) spirv: Vec<u8>,
    pub(crate) archive: Vec<u8>,
    /// Bytes of the default uniform block as far as they were set, by flow: each context has its own.
    pub(crate) constants: HashMap<u32, Vec<u8>>,
}

/// Attribute layout.
pub(crate) type Elements = (Vec<VertexAttrib>, Vec<VertexBinding>);

/// All objects by handle bits.
#[derive(Debug, Default)]
pub(crate) struct World {
    resources: HashMap<(u8, u32), ResourceDesc>,
    pub(crate) views: HashMap<u64, CreateSamplerView>,
    pub(crate) samplers: HashMap<u64, SamplerValues>,
    pub(crate) elements: HashMap<u64, Elements>,
    pub(crate) programs: HashMap<u64, Program>,
    /// Default framebuffer per flow, named ones per flow and handle.
    defaults: HashMap<u32, FramebufferState>,
    named: HashMap<(u32, u64), FramebufferState>,
    /// What each flow has shown of the frame that it is in.
    presented: HashMap<u32, Surface>,
    subject: Option<Surface>,
    recent: Vec<Surface>,
    renderbuffers: u32,
}

/// Tables of their own for buffers, textures and renderbuffers.
fn class(target: ResourceTarget) -> u8 {
    match target {
        ResourceTarget::Buffer => 0,
        ResourceTarget::Renderbuffer => 2,
        _ => 1,
    }
}

/// True for surfaces of the storage in a slot.
fn is_of(s: &Surface, table: u8, slot: u32) -> bool {
    s.slot == slot && table == if s.kind == SurfaceKind::Renderbuffer { 2 } else { 1 }
}

fn same(a: &Surface, b: &Surface) -> bool {
    (a.kind, a.slot, a.generation, a.level, a.layer) == (b.kind, b.slot, b.generation, b.level, b.layer)
}

/// The attachments that the draw buffers name, in their order.
fn written(fb: &FramebufferState) -> Vec<Surface> {
    let attached = fb.draw_buffers.iter().filter_map(|at| fb.color.get(usize::try_from(*at).ok()?));
    attached.filter(|s| s.kind != SurfaceKind::None).copied().collect()
}

impl World {
    /// Storage behind a surface.
    pub(crate) fn surface(&self, surface: &Surface) -> Option<&ResourceDesc> {
        let table = match surface.kind {
            SurfaceKind::Texture => 1,
            SurfaceKind::Renderbuffer => 2,
            _ => return None,
        };
        self.resources.get(&(table, surface.slot)).filter(|d| d.generation == surface.generation)
    }

    /// Storage of a texture.
    pub(crate) fn texture(&self, slot: u32, generation: u32) -> Option<&ResourceDesc> {
        self.resources.get(&(1, slot)).filter(|d| d.generation == generation)
    }

    /// Storage of a buffer.
    pub(crate) fn buffer(&self, slot: u32, generation: u32) -> Option<&ResourceDesc> {
        self.resources.get(&(0, slot)).filter(|d| d.generation == generation)
    }

    /// A renderbuffer slot that the stream has not used so far.
    pub(crate) fn free_renderbuffer(&self) -> u32 {
        self.renderbuffers + 1
    }

    /// What the picture would be taken from.
    pub(crate) fn subject(&self) -> Option<&Surface> {
        self.subject.as_ref()
    }

    /// The surfaces that were written last, the newest last.
    pub(crate) fn recent(&self) -> &[Surface] {
        &self.recent
    }

    fn look_at(&mut self, surface: Surface) {
        if self.surface(&surface).is_some() {
            // One picture shows one layer.
            self.subject = Some(Surface { layered: Bool8::new(false), ..surface });
        }
    }

    fn wrote(&mut self, surfaces: &[Surface]) {
        for surface in surfaces {
            self.recent.retain(|s| !same(s, surface));
            self.recent.push(Surface { layered: Bool8::new(false), ..*surface });
        }
        let extra = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..extra);
        if let Some(first) = surfaces.first() {
            self.look_at(*first);
        }
    }

    fn define(&mut self, desc: &ResourceDesc) {
        let table = class(desc.target);
        if table == 2 {
            self.renderbuffers = self.renderbuffers.max(desc.slot);
        }
        if self.changes(desc) {
            self.forget(table, desc.slot);
        }
        self.resources.insert((table, desc.slot), *desc);
    }

    /// Drops surfaces of storage that is gone or is another one now.
    fn forget(&mut self, table: u8, slot: u32) {
        self.recent.retain(|s| !is_of(s, table, slot));
        if self.subject.as_ref().is_some_and(|s| is_of(s, table, slot)) {
            self.subject = None;
        }
    }

    /// The surface of the picture, if `record` is about to take its storage away.
    pub(crate) fn endangered(&self, record: &Recorded) -> Option<Surface> {
        let subject = self.subject?;
        let mut hit = false;
        match record.op {
            ResourceDestroy::OP => with(record.body(), |b: Body<'_, ResourceDestroy>| {
                hit = is_of(&subject, class(b.head.target), b.head.slot);
            }),
            ResourceRespecify::OP => with(record.body(), |b: Body<'_, ResourceRespecify>| {
                let desc = b.head.desc;
                hit = is_of(&subject, class(desc.target), desc.slot) && self.changes(&desc);
            }),
            _ => {}
        }
        hit.then_some(subject)
    }

    /// True when a definition is not the one the storage has.
    fn changes(&self, desc: &ResourceDesc) -> bool {
        let shape = |d: &ResourceDesc| (d.generation, d.format, [d.width, d.height, d.depth, d.layers, d.samples]);
        self.resources.get(&(class(desc.target), desc.slot)).is_none_or(|old| shape(old) != shape(desc))
    }

    /// Takes note of a record that was applied; `context` is the state of its flow.
    pub(crate) fn note(&mut self, record: &Recorded, context: Option<&ContextState>) {
        self.note_objects(record);
        if let Some(context) = context {
            self.note_verbs(record, context);
        }
    }

    fn note_objects(&mut self, record: &Recorded) {
        let body = record.body();
        match record.op {
            ResourceCreate::OP => with(body, |b: Body<'_, ResourceCreate>| self.define(&b.head.desc)),
            ResourceRespecify::OP => with(body, |b: Body<'_, ResourceRespecify>| self.define(&b.head.desc)),
            ResourceDestroy::OP => with(body, |b: Body<'_, ResourceDestroy>| {
                let table = class(b.head.target);
                self.resources.remove(&(table, b.head.slot));
                self.forget(table, b.head.slot);
            }),
            DeleteSamplerView::OP => with(body, |b: Body<'_, DeleteSamplerView>| {
                self.views.remove(&b.head.cso.bits());
            }),
            DeleteSamplerState::OP => with(body, |b: Body<'_, DeleteSamplerState>| {
                self.samplers.remove(&b.head.cso.bits());
            }),
            DeleteVertexElements::OP => with(body, |b: Body<'_, DeleteVertexElements>| {
                self.elements.remove(&b.head.cso.bits());
            }),
            DeleteShaderState::OP => with(body, |b: Body<'_, DeleteShaderState>| {
                self.programs.remove(&b.head.cso.bits());
            }),
            CreateSamplerView::OP => with(body, |b: Body<'_, CreateSamplerView>| {
                self.views.insert(b.head.cso.bits(), b.head);
            }),
            CreateSamplerState::OP => with(body, |b: Body<'_, CreateSamplerState>| {
                self.samplers.insert(b.head.cso.bits(), b.head);
            }),
            CreateVertexElements::OP => with(body, |b: Body<'_, CreateVertexElements>| {
                self.elements.insert(b.head.cso.bits(), (b.attribs().to_vec(), b.bindings().to_vec()));
            }),
            CreateShaderState::OP => with(body, |b: Body<'_, CreateShaderState>| {
                let bytes = |blob: mgl_pipe::Blob| {
                    let run = record.runs().iter().find(|run| run.offset == blob.offset);
                    run.map(|run| run.bytes.clone()).unwrap_or_default()
                };
                let (spirv, archive) = (bytes(b.head.spirv), bytes(b.head.archive));
                let program = Program { words: b.head.words, spirv, archive, constants: HashMap::new() };
                self.programs.insert(b.head.cso.bits(), program);
            }),
            SetGlobalConstants::OP => with(body, |b: Body<'_, SetGlobalConstants>| {
                let Some(program) = self.programs.get_mut(&b.head.cso.bits()) else { return };
                let (at, Some(run)) = (b.head.offset as usize, record.runs().first()) else { return };
                let end = at + run.bytes.len();
                let constants = program.constants.entry(record.flow).or_default();
                constants.resize(constants.len().max(end), 0);
                if let Some(to) = constants.get_mut(at..end) {
                    to.copy_from_slice(&run.bytes);
                }
            }),
            SetFramebufferState::OP => with(body, |b: Body<'_, SetFramebufferState>| {
                if b.head.is_default.get() {
                    self.defaults.insert(record.flow, b.head);
                } else if b.head.target == FramebufferTarget::Named {
                    self.named.insert((record.flow, b.head.fbo.bits()), b.head);
                }
            }),
            _ => {}
        }
    }

    fn note_verbs(&mut self, record: &Recorded, context: &ContextState) {
        let body = record.body();
        match record.op {
            DrawVbo::OP | Blit::OP => self.wrote(&written(&context.draw_framebuffer)),
            Clear::OP => with(body, |b: Body<'_, Clear>| {
                let named = self.named.get(&(record.flow, b.head.fbo.bits()));
                let fb = if b.head.fbo.is_null() { Some(&context.draw_framebuffer) } else { named };
                let colour = match b.head.kind {
                    ClearKind::Color => true,
                    // GL_COLOR_BUFFER_BIT.
                    ClearKind::Whole => b.head.mask & 0x4000 != 0,
                    _ => false,
                };
                let surfaces = fb.filter(|_| colour).map(written).unwrap_or_default();
                self.wrote(&surfaces);
            }),
            CopyFramebufferToTexture::OP => with(body, |b: Body<'_, CopyFramebufferToTexture>| {
                let copy = b.head;
                let Some(desc) = self.texture(copy.texture.slot(), copy.texture.generation()) else { return };
                let surface = Surface {
                    slot: desc.slot,
                    generation: desc.generation,
                    kind: SurfaceKind::Texture,
                    level: copy.level,
                    layer: copy.layer,
                    format: desc.format,
                    ..Surface::default()
                };
                if copy.aspects == Aspects::Color {
                    self.wrote(&[surface]);
                }
            }),
            ReadPixels::OP => with(body, |b: Body<'_, ReadPixels>| {
                if b.head.info.aspects == Aspects::Color {
                    self.look_at(context.read_framebuffer.read);
                }
            }),
            ReadPixelsToBuffer::OP => with(body, |b: Body<'_, ReadPixelsToBuffer>| {
                if b.head.info.aspects == Aspects::Color {
                    self.look_at(context.read_framebuffer.read);
                }
            }),
            PresentImage::OP => with(body, |b: Body<'_, PresentImage>| {
                let (slot, generation) = (b.head.image.slot(), b.head.image.generation());
                let kind = SurfaceKind::Renderbuffer;
                let surface = Surface { slot, generation, kind, ..Surface::default() };
                if let Some(desc) = self.surface(&surface) {
                    let surface = Surface { format: desc.format, ..surface };
                    self.presented.insert(record.flow, surface);
                    self.look_at(surface);
                }
            }),
            Present::OP => {
                // What went to a window is the picture of the frame; without one it is the default framebuffer.
                if let Some(shown) = self.presented.remove(&record.flow) {
                    self.look_at(shown);
                } else if let Some(first) = self.defaults.get(&record.flow).and_then(|fb| written(fb).first().copied())
                {
                    self.look_at(first);
                }
            }
            _ => {}
        }
    }
}

/// Calls `use_it` with a body that was proven when it was applied.
fn with<R: Record>(body: &[u8], use_it: impl FnOnce(Body<'_, R>)) {
    if let Ok(body) = Body::<R>::decode(body, &Proof { stage_len: u64::MAX }) {
        use_it(body);
    }
}
