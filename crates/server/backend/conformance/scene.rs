//! A context with programs, targets and vertices, driven through the backend's traits. Must not test anything itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot set up its scene has failed")]

use crate::common::{Bytes, Session, finish, handle, read_info, session, store, texture, whole};
use mgl_backend::ContextState;
use mgl_backend::state::Dirty;
use mgl_backend::traits::{Buffers, Draw, Objects, Programs, Textures, Verbs};
use mgl_backend::values::{
    Blit, Bool8, Clear, DrawIndirect, DrawRange, DynamicState, Format, FramebufferState, PipelineState, Surface,
    VertexAttrib, VertexBinding, VertexBuffer,
};
use mgl_backend::{SamplerDesc, TextureDesc, VertexElementsDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, ShaderCso, Texture};
use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_pipe::tokens::{
    Aspects, AttribType, ClearKind, Filter, IndexSize, PrimitiveMode, QueryKind, ResourceTarget, SurfaceKind,
    ValueClass, Wrap,
};

/// Colour bit of clears and blits.
pub const COLOR: u32 = 0x4000;
/// Depth bit.
pub const DEPTH: u32 = 0x100;
/// Stencil bit.
pub const STENCIL: u32 = 0x400;

/// A shader of `shaders/`.
macro_rules! shader {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../backend/conformance/shaders/", $name, ".spv"))
            .as_slice()
    };
}

/// A session with one context.
pub struct Scene {
    pub backend: Session,
    pub ctx: ContextState,
    next: u32,
}

impl Scene {
    /// A session without the features of `disable`.
    pub fn new(disable: &str) -> Self {
        crate::common::log();
        Self { backend: session(disable), ctx: ContextState::new(1), next: 100 }
    }

    /// A context of a session that is there already.
    pub fn over(backend: Session) -> Self {
        crate::common::log();
        Self { backend, ctx: ContextState::new(1), next: 100 }
    }

    /// Ends the session; the validation layer must have been silent.
    pub fn finish(self) {
        finish(self.backend);
    }

    pub fn slot(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// The best occlusion query of the backend, and what it says when `count` samples pass.
    pub fn occlusion(&self, count: u64) -> (QueryKind, u64) {
        match mgl_backend::Backend::caps(&self.backend).features.occlusion_query_precise {
            true => (QueryKind::SamplesPassed, count),
            false => (QueryKind::AnySamplesPassed, count.min(1)),
        }
    }

    /// A texture to draw into.
    pub fn texture(&mut self, format: Format, size: [u32; 2], samples: u32) -> Surface {
        self.texture_of(format, [size[0], size[1], 1], samples, ResourceTarget::Tex2D)
    }

    /// A texture that image units can show.
    pub fn storage_texture(&mut self, format: Format, size: [u32; 2]) -> Surface {
        let slot = self.slot();
        let desc =
            TextureDesc { image_bindable: true, ..texture(ResourceTarget::Tex2D, format, [size[0], size[1], 1], 1) };
        self.backend.texture_define(handle(slot), &desc, false).unwrap();
        Surface { slot, generation: 1, kind: SurfaceKind::Texture, format: format as u16, ..Surface::default() }
    }

    pub fn texture_of(&mut self, format: Format, size: [u32; 3], samples: u32, target: ResourceTarget) -> Surface {
        let slot = self.slot();
        let t: Handle<Texture> = handle(slot);
        let target = if samples > 1 { ResourceTarget::Tex2DMs } else { target };
        let desc = TextureDesc { samples, ..texture(target, format, size, 1) };
        self.backend.texture_define(t, &desc, false).unwrap();
        Surface { slot, generation: 1, kind: SurfaceKind::Texture, format: format as u16, ..Surface::default() }
    }

    /// Binds a framebuffer for drawing and reading.
    pub fn bind(&mut self, color: &[Surface], depth: Option<Surface>, size: [u32; 2]) {
        let mut fb = FramebufferState { width: size[0], height: size[1], layers: 1, ..FramebufferState::default() };
        fb.draw_buffers = [-1; 8];
        for (i, surface) in color.iter().enumerate() {
            fb.color[i] = *surface;
            fb.draw_buffers[i] = i as i8;
        }
        if let Some(first) = color.first() {
            fb.read = *first;
        }
        if let Some(d) = depth {
            let format = Format::from_wire(d.format).unwrap();
            if format.has_depth() {
                fb.depth = d;
            }
            if format.has_stencil() {
                fb.stencil = d;
            }
        }
        self.ctx.draw_framebuffer = fb;
        self.ctx.read_framebuffer = fb;
        self.ctx.dynamic.viewports = [[0.0, 0.0, size[0] as f32, size[1] as f32]; 16];
        self.ctx.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER | Dirty::DYNAMIC;
    }

    /// Binds the read framebuffer alone.
    pub fn bind_read(&mut self, surface: Surface, size: [u32; 2]) {
        let mut fb = FramebufferState { width: size[0], height: size[1], layers: 1, ..FramebufferState::default() };
        let format = Format::from_wire(surface.format).unwrap();
        if format.is_color() {
            fb.read = surface;
        }
        if format.has_depth() {
            fb.depth = surface;
        }
        if format.has_stencil() {
            fb.stencil = surface;
        }
        self.ctx.read_framebuffer = fb;
    }

    /// A program, made current for draws.
    pub fn program(&mut self, stages: &[(Stage, &[u8])], edit: impl FnOnce(&mut ProgramArchive)) -> Handle<ShaderCso> {
        let mut archive = ProgramArchive::default();
        let mut spirv: [Vec<u32>; 6] = Default::default();
        for (stage, bytes) in stages {
            archive.stages |= stage.bit();
            spirv[stage.index()] =
                bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        }
        edit(&mut archive);
        let cso = handle(self.slot());
        self.backend.program_create(cso, spirv, &archive.encode().unwrap()).unwrap();
        self.ctx.draw_program = cso;
        self.ctx.dispatch_program = cso;
        self.ctx.dirty |= Dirty::DRAW_PROGRAM | Dirty::DISPATCH_PROGRAM;
        cso
    }

    /// The plain program: position and colour in, colour out.
    pub fn plain(&mut self) -> Handle<ShaderCso> {
        self.program(&[(Stage::Vertex, shader!("color.vert")), (Stage::Fragment, shader!("color.frag"))], |_| {})
    }

    /// A buffer with bytes.
    pub fn buffer(&mut self, bytes: &[u8]) -> Handle<Buffer> {
        let b = handle(self.slot());
        self.backend.buffer_define(b, &store(bytes.len() as u64)).unwrap();
        self.backend.buffer_write(b, 0, &Bytes(bytes)).unwrap();
        b
    }

    /// Float vertices: position (4) and colour (4) per vertex, at locations 0 and 1.
    pub fn vertices(&mut self, data: &[[f32; 8]]) {
        let bytes: Vec<u8> = data.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
        let buffer = self.buffer(&bytes);
        self.elements(&[float(0, 0, 4, 0), float(1, 0, 4, 16)], &[binding(0, 32, 0)]);
        self.vertex_buffer(0, buffer);
    }

    pub fn vertex_buffer(&mut self, at: usize, buffer: Handle<Buffer>) {
        self.ctx.vertex_buffers[at] = VertexBuffer { buffer, offset: 0 };
        self.ctx.dirty |= Dirty::VERTEX_BUFFERS;
    }

    pub fn elements(&mut self, attribs: &[VertexAttrib], bindings: &[VertexBinding]) {
        let cso = handle(self.slot());
        let desc = VertexElementsDesc { attribs: attribs.to_vec(), bindings: bindings.to_vec() };
        self.backend.vertex_elements_create(cso, desc).unwrap();
        self.ctx.vertex_elements = cso;
        self.ctx.dirty |= Dirty::VERTEX_ELEMENTS;
    }

    /// Changes the pipeline subset; a new identity each time.
    pub fn pipeline(&mut self, edit: impl FnOnce(&mut PipelineState)) {
        edit(&mut self.ctx.pipeline);
        self.ctx.pipeline_cso = handle(self.slot());
        self.ctx.dirty |= Dirty::PIPELINE;
    }

    /// Changes the dynamic subset.
    pub fn dynamic(&mut self, edit: impl FnOnce(&mut DynamicState)) {
        edit(&mut self.ctx.dynamic);
        self.ctx.dirty |= Dirty::DYNAMIC;
    }

    pub fn draw(&mut self, mode: PrimitiveMode, first: u64, count: u32) {
        self.draw_with(mode, IndexSize::Arrays, &[DrawRange { start: first, count, base_vertex: 0 }], |_| {});
    }

    pub fn draw_with(
        &mut self,
        mode: PrimitiveMode,
        index_size: IndexSize,
        ranges: &[DrawRange],
        edit: impl FnOnce(&mut Draw<'_>),
    ) {
        let mut draw = Draw {
            mode,
            index_size,
            restart: false,
            restart_index: 0,
            instance_count: 1,
            base_instance: 0,
            ranges,
            separate: false,
            indirect: None,
            captured: None,
        };
        edit(&mut draw);
        self.backend.draw(&mut self.ctx, &draw).unwrap();
    }

    /// One indirect draw.
    pub fn draw_indirect(&mut self, mode: PrimitiveMode, index_size: IndexSize, indirect: &DrawIndirect) {
        let draw = Draw {
            mode,
            index_size,
            restart: false,
            restart_index: 0,
            instance_count: 1,
            base_instance: 0,
            ranges: &[],
            separate: false,
            indirect: Some(indirect),
            captured: None,
        };
        self.backend.draw(&mut self.ctx, &draw).unwrap();
    }

    /// Binds a texture for sampling, nearest, at a descriptor slot.
    pub fn sample(&mut self, slot: usize, surface: &Surface) {
        self.sample_as(slot, surface.slot, ResourceTarget::Tex2D);
    }

    /// The same for any kind of texture, by its slot.
    pub fn sample_as(&mut self, slot: usize, texture: u32, target: ResourceTarget) {
        let (view, sampler) = (handle(self.slot()), handle(self.slot()));
        let desc = ViewDesc {
            texture: handle(texture),
            format: None,
            target,
            min_level: 0,
            num_levels: u16::MAX,
            min_layer: 0,
            num_layers: u16::MAX,
        };
        self.backend.view_create(view, &desc).unwrap();
        let parameters = SamplerDesc {
            min_filter: Filter::Nearest,
            mag_filter: Filter::Nearest,
            wrap_s: Wrap::ClampToEdge,
            wrap_t: Wrap::ClampToEdge,
            wrap_r: Wrap::ClampToEdge,
            max_lod: 1000.0,
            max_anisotropy: 1.0,
            ..SamplerDesc::default()
        };
        self.backend.sampler_create(sampler, &parameters).unwrap();
        (self.ctx.views[slot], self.ctx.samplers[slot]) = (view, sampler);
        self.ctx.dirty |= Dirty::VIEWS | Dirty::SAMPLERS;
    }

    pub fn clear(&mut self, mask: u32) {
        let fb = self.ctx.draw_framebuffer;
        let clear = Clear { kind: ClearKind::Whole, class: ValueClass::Float, mask, ..Clear::default() };
        self.backend.clear(&mut self.ctx, &fb, &clear).unwrap();
    }

    pub fn clear_color(&mut self, color: [f32; 4]) {
        self.dynamic(|d| d.clear_color = color);
        self.clear(COLOR);
    }

    /// `mask` is GL's, as for clears.
    pub fn blit(&mut self, src: [i32; 4], dst: [i32; 4], mask: u32, linear: bool) {
        let bits = [(COLOR, Aspects::Color), (DEPTH, Aspects::Depth), (STENCIL, Aspects::Stencil)];
        let aspects =
            bits.iter().filter(|(bit, _)| mask & bit != 0).fold(0, |set, (_, aspect)| set | u32::from(aspect.0));
        let blit = Blit { src, dst, aspects, linear: Bool8::new(linear), ..Blit::default() };
        self.backend.blit(&mut self.ctx, &blit).unwrap();
    }

    /// Texels of a surface.
    pub fn read(&mut self, surface: &Surface, size: [u32; 2]) -> Vec<u8> {
        let format = Format::from_wire(surface.format).unwrap();
        let mut out = vec![0; format.info().image_bytes(size[0], size[1], 1) as usize];
        let mut info = read_info(whole([size[0], size[1], 1]), 0);
        if !format.is_color() {
            info.aspects = Aspects::DepthStencil;
        }
        self.backend.texture_read(handle(surface.slot), &info, &mut out).unwrap();
        out
    }

    /// One RGBA8 pixel.
    pub fn pixel(&mut self, surface: &Surface, size: [u32; 2], x: u32, y: u32) -> [u8; 4] {
        let all = self.read(surface, size);
        let at = ((y * size[0] + x) * 4) as usize;
        all[at..at + 4].try_into().unwrap()
    }
}

/// A float attribute.
pub fn float(location: u8, binding: u8, components: u8, offset: u32) -> VertexAttrib {
    VertexAttrib { location, binding, components, ty: AttribType::Float, offset, ..VertexAttrib::default() }
}

/// A binding point.
pub fn binding(binding: u32, stride: u32, divisor: u32) -> VertexBinding {
    VertexBinding { binding, stride, divisor, ..VertexBinding::default() }
}

/// A rectangle as a triangle strip, in clip coordinates.
pub fn rect(x0: f32, y0: f32, x1: f32, y1: f32, z: f32, c: [f32; 4]) -> [[f32; 8]; 4] {
    let v = |x, y| [x, y, z, 1.0, c[0], c[1], c[2], c[3]];
    [v(x0, y0), v(x1, y0), v(x0, y1), v(x1, y1)]
}

pub(crate) use shader;
