//! One GL context: the groups' states, the way out, and what ties them together. Must not know window systems.

use crate::error::{ErrorCode, ErrorState, GlError};
use crate::instance::{ConnectError, Dead, Instance};
use crate::out::{Lost, Out};
use crate::share::ShareGroup;
use crate::surface::Surface;
use crate::tracker::Dirty;
use crate::{
    buffer, debug, draw, framebuffer, get, image, patch, pipeline, program, query, render_state, renderbuffer, sampler,
    texture, vertex_array, xfb,
};
use mgl_pipe::event::Event;
use mgl_pipe::records::{
    DeleteRenderState, DeleteSamplerState, DeleteSamplerView, DeleteShaderState, DeleteStreamOutput,
    DeleteVertexElements, FenceDestroy, ForgetMemory, ObjectDeath, QueryDestroy, ResourceDestroy,
};
use mgl_pipe::tokens::{ResourceTarget, WireKind};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a context is created with (EGL and GLX attributes).
#[derive(Clone, Debug, Default)]
pub struct ContextDesc {
    /// Share group to join; `None` = a new one.
    pub share: Option<Arc<ShareGroup>>,
    /// Reported version; the newest that the device carries when zero.
    pub version: (u32, u32),
    /// Debug context (KHR_debug output on by default).
    pub debug: bool,
    /// Robust buffer access was asked for; every context has it.
    pub robust: bool,
    /// Commands say so when the context is lost (`GL_LOSE_CONTEXT_ON_RESET`).
    pub lose_on_reset: bool,
    /// Leaving the context need not flush (`GL_CONTEXT_RELEASE_BEHAVIOR` is `GL_NONE`).
    pub keep_on_release: bool,
    /// `KHR_no_error`.
    pub no_error: bool,
    /// Forward-compatible flag.
    pub forward_compatible: bool,
    /// The program asked for a version that knows nothing of profiles, and looks for what it can do as it was done then.
    pub legacy: bool,
}

impl ContextDesc {
    /// The newest `#version` of the shading language in the context's version of OpenGL (GL 4.6 §22.2).
    pub(crate) fn language(&self) -> u32 {
        match self.version {
            (3, 1) => 140,
            (3, 2) => 150,
            (major, minor) => major * 100 + minor * 10,
        }
    }
}

/// A GL context.
#[derive(Debug)]
pub struct Context {
    pub(crate) desc: ContextDesc,
    pub(crate) instance: Arc<Instance>,
    pub(crate) share: Arc<ShareGroup>,
    pub(crate) out: Out,
    pub(crate) errors: ErrorState,
    pub(crate) dirty: Dirty,
    pub(crate) seen_texture_shape: u64,
    pub(crate) seen_buffer_shape: u64,
    pub(crate) draw_surface: Option<Arc<Surface>>,
    pub(crate) read_surface: Option<Arc<Surface>>,
    pub(crate) first_current: bool,
    /// The program sets were last resolved for a dispatch.
    pub(crate) last_was_dispatch: bool,
    pub(crate) present_serial: u64,
    pub(crate) stats: Option<Box<crate::stats::Stats>>,
    pub(crate) verify: crate::verify::State,
    /// Slots whose death record is sent but not yet known to be applied.
    pub(crate) limbo: VecDeque<(u64, Dead)>,

    pub(crate) buffer: buffer::state::State,
    pub(crate) vertex_array: vertex_array::state::State,
    pub(crate) texture: texture::state::State,
    pub(crate) sampler: sampler::state::State,
    pub(crate) image: image::state::State,
    pub(crate) framebuffer: framebuffer::state::State,
    pub(crate) renderbuffer: renderbuffer::state::State,
    pub(crate) render_state: render_state::state::State,
    pub(crate) program: program::state::State,
    pub(crate) pipeline: pipeline::state::State,
    pub(crate) subroutine: crate::subroutine::state::State,
    pub(crate) query: query::state::State,
    pub(crate) xfb: xfb::state::State,
    pub(crate) debug: debug::state::State,
    pub(crate) draw: draw::state::State,
    pub(crate) get: get::state::State,
    pub(crate) patch: patch::state::State,
}

impl Context {
    /// A context on a flow of its own.
    pub fn new(instance: &Arc<Instance>, mut desc: ContextDesc) -> Result<Self, ConnectError> {
        let share = desc.share.get_or_insert_default().clone();
        let out = instance.open(share.flow.load(Ordering::Acquire))?;
        // The first flow names the group; a race only makes two names for it.
        let _ = share.flow.compare_exchange(0, out.flow(), Ordering::AcqRel, Ordering::Acquire);
        Ok(Self::with_out(instance.clone(), out, desc))
    }

    /// A context that speaks through `out`.
    pub fn with_out(instance: Arc<Instance>, mut out: Out, mut desc: ContextDesc) -> Self {
        if desc.version == (0, 0) {
            desc.version = get::version::newest(&instance.caps);
        }
        let share = desc.share.clone().unwrap_or_default();
        if !desc.lose_on_reset {
            out.forgive_loss();
        }
        out.enter(&instance.flows);
        let debug = desc.debug;
        let stats = crate::stats::Stats::from_env(out.flow(), || out.counters());
        let mut ctx = Self {
            buffer: buffer::state::State::new(&instance),
            vertex_array: vertex_array::state::State::new(&instance),
            texture: texture::state::State::new(&instance),
            sampler: sampler::state::State::new(&instance),
            image: image::state::State::new(&instance),
            framebuffer: framebuffer::state::State::new(&instance),
            renderbuffer: renderbuffer::state::State::new(&instance),
            render_state: render_state::state::State::new(&instance),
            program: program::state::State::new(&instance),
            pipeline: pipeline::state::State::new(&instance),
            subroutine: crate::subroutine::state::State::new(&instance),
            query: query::state::State::new(&instance),
            xfb: xfb::state::State::new(&instance),
            debug: debug::state::State::new(&desc),
            draw: draw::state::State::new(&instance),
            get: get::state::State::new(&instance, &desc),
            patch: patch::state::State::new(&instance),
            desc,
            instance,
            share,
            out,
            errors: ErrorState::default(),
            dirty: Dirty::all() - Dirty::CHECKED,
            seen_texture_shape: 0,
            seen_buffer_shape: 0,
            draw_surface: None,
            read_surface: None,
            first_current: true,
            last_was_dispatch: false,
            present_serial: 0,
            stats,
            verify: crate::verify::State::default(),
            limbo: VecDeque::new(),
        };
        ctx.check(crate::verify::Checks::from_env());
        // GL 4.6 §20.1: on from the start in debug contexts.
        ctx.put_client(|b| &mut b.debug_output, debug);
        ctx
    }

    /// The share group, for creating contexts that share with this one.
    pub fn share_group(&self) -> Arc<ShareGroup> {
        self.share.clone()
    }
    /// True once the server is gone; GL calls are no-ops then.
    pub fn is_lost(&self) -> bool {
        self.out.is_lost()
    }
    /// The connection it lives on.
    pub fn instance(&self) -> &Arc<Instance> {
        &self.instance
    }
    /// What was recorded, in contexts made for tests.
    pub fn recorded(&mut self) -> Option<&mut crate::out::Recorder> {
        self.out.recorded()
    }

    /// Records the error of `command` for `glGetError` and the debug log.
    pub fn record_error(&mut self, error: &GlError, command: &'static str) {
        // Calls into a lost session do nothing; what else looks wrong to them follows from that.
        if error.code == ErrorCode::ContextLost || self.is_lost() {
            self.errors.record(ErrorCode::ContextLost);
            return;
        }
        self.errors.record(error.code);
        debug::emit::log_error(self, error, command);
    }

    /// Other contexts may be told of what this one did so far: they order themselves behind it.
    pub(crate) fn publish(&mut self) {
        framebuffer::emit::note_writes(self);
        self.out.publish();
    }

    /// Applies what the server reported.
    pub(crate) fn drain_events(&mut self) {
        let mut errors = Vec::new();
        let mut fences = Vec::new();
        self.out.drain_events(&mut |event| match event {
            Event::GlError { code, message } => errors.push((code, message.to_owned())),
            Event::FenceSignalled { fence } => fences.push(fence),
            Event::BufferWriteback { .. } | Event::GpuWritten { .. } | Event::SurfaceChanged { .. } => {}
        });
        for fence in fences {
            crate::sync::emit::signalled(self, fence);
        }
        for (code, message) in errors {
            if let Some(code) = server_code(code) {
                self.record_error(&GlError { code, what: message.into() }, "server");
            }
        }
    }

    /// Sends the death records of objects whose last reference is gone. Their slots return once the records are
    /// applied, so that a reused slot can never overtake the death on another flow (spec 01 §2.3).
    pub(crate) fn emit_deaths(&mut self) {
        // A server that is gone keeps nothing any more.
        let applied = if self.is_lost() { u64::MAX } else { self.out.applied() };
        while let Some((_, dead)) = self.limbo.front().copied().filter(|(seq, _)| *seq <= applied) {
            release(&self.instance, dead);
            self.limbo.pop_front();
        }
        let Some(list) = self.instance.take_dead() else { return };
        // Another context may have dropped the last reference, with records that name the object still on its flow.
        if self.out.after_everything().is_err() {
            return;
        }
        for dead in list {
            if let Ok(seq) = push_death(&mut self.out, dead) {
                self.limbo.push_back((seq, dead));
            }
        }
    }
}

/// How long the end of a context waits for the last picture: a device that is slower has it dropped.
const LAST_FRAME: std::time::Duration = std::time::Duration::from_secs(2);

impl Drop for Context {
    /// Content-addressed state belongs to the context; everything else goes with its last reference.
    fn drop(&mut self) {
        if let Some(stats) = &self.stats {
            stats.end();
        }
        self.render_state.handles().for_each(|cso| self.instance.bury(Dead::RenderState(cso)));
        self.vertex_array.handles().for_each(|cso| self.instance.bury(Dead::VertexElements(cso)));
        self.emit_deaths();
        // Who shows its last picture waits for this flow's frame, which nobody completes once the flow has ended.
        if self.present_serial > 0
            && let Some(frames) = self.out.frame_watch()
        {
            self.out.flush();
            let _ = frames.wait(self.present_serial, Some(LAST_FRAME));
        }
        // Deaths of what this context used may go over other flows from now on: they must not overtake its records.
        let _ = self.out.finish();
    }
}

fn server_code(code: u32) -> Option<ErrorCode> {
    use ErrorCode as E;
    [
        E::InvalidEnum,
        E::InvalidValue,
        E::InvalidOperation,
        E::OutOfMemory,
        E::InvalidFramebufferOperation,
        E::ContextLost,
    ]
    .into_iter()
    .find(|e| *e as u32 == code)
}

fn push_death(out: &mut Out, dead: Dead) -> Result<u64, Lost> {
    let destroy = |target, slot, generation| ResourceDestroy { target, slot, generation, ..Default::default() };
    match dead {
        Dead::Buffer(h) => out.push(&destroy(ResourceTarget::Buffer, h.slot(), h.generation())),
        Dead::Texture(h) => out.push(&destroy(ResourceTarget::Tex2D, h.slot(), h.generation())),
        Dead::Renderbuffer(h) => out.push(&destroy(ResourceTarget::Renderbuffer, h.slot(), h.generation())),
        Dead::Framebuffer(h) => out.push(&ObjectDeath {
            slot: h.slot(),
            generation: h.generation(),
            kind: WireKind::Framebuffer,
            ..Default::default()
        }),
        Dead::Shader(cso) => out.push(&DeleteShaderState { cso }),
        Dead::SamplerView(cso) => out.push(&DeleteSamplerView { cso }),
        Dead::Fence(fence) => out.push(&FenceDestroy { fence }),
        Dead::Query(query) => out.push(&QueryDestroy { query }),
        Dead::Xfb(xfb) => out.push(&DeleteStreamOutput { xfb }),
        Dead::RenderState(cso) => out.push(&DeleteRenderState { cso }),
        Dead::VertexElements(cso) => out.push(&DeleteVertexElements { cso }),
        Dead::Sampler(cso) => out.push(&DeleteSamplerState { cso }),
        Dead::Pixels(memory) => out.push(&ForgetMemory { memory, ..Default::default() }),
    }
}

fn release(instance: &Instance, dead: Dead) {
    match dead {
        Dead::Buffer(h) => instance.release(h),
        Dead::Texture(h) => instance.release(h),
        Dead::Renderbuffer(h) => instance.release(h),
        Dead::Framebuffer(h) => instance.release(h),
        Dead::Shader(h) => instance.release(h),
        Dead::SamplerView(h) => instance.release(h),
        Dead::Fence(h) => instance.release(h),
        Dead::Query(h) => instance.release(h),
        Dead::Xfb(h) => instance.release(h),
        Dead::RenderState(h) => instance.release(h),
        Dead::VertexElements(h) => instance.release(h),
        Dead::Sampler(h) => instance.release(h),
        // The link gives no number twice.
        Dead::Pixels(_) => {}
    }
}
