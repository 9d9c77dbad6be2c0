//! The death sweep: working state never names an object that is gone (spec 14 §2.2). Must not call the backend.

use crate::session::{Applier, Flow};
use mgl_backend::Dirty;
use mgl_backend::values::{BufferRange, FramebufferState, ImageView, Surface, VertexBuffer, XfbTarget};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, Texture, VertexElementsCso};
use mgl_pipe::tokens::SurfaceKind;

impl Applier<'_> {
    fn each_flow(&mut self, mut visit: impl FnMut(&mut Flow)) {
        visit(self.flow);
        for flow in self.session.flows.iter_mut().flatten() {
            visit(flow);
        }
    }

    /// Storage behind an attachment changed: passes and masks must be resolved again.
    pub(crate) fn mark_framebuffers_dirty(&mut self) {
        self.each_flow(|f| {
            f.state.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER | Dirty::VIEWS | Dirty::IMAGES;
        });
    }

    pub(crate) fn sweep_buffer(&mut self, buffer: Handle<Buffer>) {
        self.each_flow(|f| {
            let s = &mut f.state;
            for v in s.vertex_buffers.iter_mut().filter(|v| v.buffer == buffer) {
                *v = VertexBuffer::default();
                s.dirty |= Dirty::VERTEX_BUFFERS;
            }
            for r in s.buffers.iter_mut().flatten().filter(|r| r.buffer == buffer) {
                *r = BufferRange::default();
                s.dirty |= Dirty::UNIFORM_BUFFERS | Dirty::STORAGE_BUFFERS;
            }
            for t in s.xfb_targets.iter_mut().filter(|t| t.buffer == buffer) {
                *t = XfbTarget::default();
                s.dirty |= Dirty::XFB_TARGETS;
            }
            for single in [&mut s.index_buffer, &mut s.indirect_buffer, &mut s.parameter_buffer] {
                if *single == buffer {
                    *single = Handle::NULL;
                    s.dirty |= Dirty::INDEX_BUFFER | Dirty::INDIRECT;
                }
            }
        });
    }

    pub(crate) fn sweep_surface(&mut self, kind: SurfaceKind, slot: u32, generation: u32) {
        let gone = |s: &Surface| s.kind == kind && s.slot == slot && s.generation == generation;
        let clear = |fb: &mut FramebufferState| {
            let mut hit = false;
            let all = fb.color.iter_mut().chain([&mut fb.depth, &mut fb.stencil, &mut fb.read]);
            for surface in all.filter(|s| gone(s)) {
                *surface = Surface::default();
                hit = true;
            }
            hit
        };
        self.each_flow(|f| {
            if clear(&mut f.state.draw_framebuffer) {
                f.state.dirty |= Dirty::DRAW_FRAMEBUFFER;
            }
            if clear(&mut f.state.read_framebuffer) {
                f.state.dirty |= Dirty::READ_FRAMEBUFFER;
            }
            for fb in f.framebuffers.values_mut() {
                clear(fb);
            }
        });
    }

    pub(crate) fn sweep_images(&mut self, texture: Handle<Texture>) {
        self.each_flow(|f| {
            for image in f.state.images.iter_mut().filter(|i| i.texture == texture) {
                *image = ImageView::default();
                f.state.dirty |= Dirty::IMAGES;
            }
        });
    }

    pub(crate) fn sweep_view(&mut self, view: Handle<SamplerViewCso>) {
        self.each_flow(|f| {
            for v in f.state.views.iter_mut().filter(|v| **v == view) {
                *v = Handle::NULL;
                f.state.dirty |= Dirty::VIEWS;
            }
        });
    }

    pub(crate) fn sweep_sampler(&mut self, sampler: Handle<SamplerCso>) {
        self.each_flow(|f| {
            for s in f.state.samplers.iter_mut().filter(|s| **s == sampler) {
                *s = Handle::NULL;
                f.state.dirty |= Dirty::SAMPLERS;
            }
        });
    }

    pub(crate) fn sweep_program(&mut self, program: Handle<ShaderCso>) {
        self.each_flow(|f| {
            if f.state.draw_program == program {
                f.state.draw_program = Handle::NULL;
                f.state.dirty |= Dirty::DRAW_PROGRAM;
            }
            if f.state.dispatch_program == program {
                f.state.dispatch_program = Handle::NULL;
                f.state.dirty |= Dirty::DISPATCH_PROGRAM;
            }
        });
    }

    pub(crate) fn sweep_vertex_elements(&mut self, cso: Handle<VertexElementsCso>) {
        self.each_flow(|f| {
            if f.state.vertex_elements == cso {
                f.state.vertex_elements = Handle::NULL;
                f.state.dirty |= Dirty::VERTEX_ELEMENTS;
            }
        });
    }

    pub(crate) fn sweep_render_state(&mut self, cso: Handle<RenderStateCso>) {
        self.each_flow(|f| {
            if f.state.pipeline_cso == cso {
                f.state.pipeline_cso = Handle::NULL;
                f.state.dirty |= Dirty::PIPELINE;
            }
        });
    }
}
