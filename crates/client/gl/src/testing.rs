//! Contexts whose records stay here, and readers for those records. Only for tests.

use crate::context::{Context, ContextDesc};
use crate::error::{ErrorCode, GlResult};
use crate::instance::Instance;
use crate::out::{Out, Recorder};
use crate::program::state::Bindings;
use crate::surface::{Surface, SurfaceDesc, SurfaceHost};
use crate::tokens as t;
use mgl_pipe::Record;
use mgl_pipe::caps::{Caps, Features, Limits};
use mgl_pipe::format::Format;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// A context with a surface of 64x64, a vertex array, and a program without inputs.
pub(crate) fn context() -> Context {
    context_of(Caps::default())
}

/// The same on a device of these caps.
pub(crate) fn context_of(caps: Caps) -> Context {
    let instance = Instance::detached(caps);
    let mut ctx = Context::with_out(instance.clone(), Out::recorder(1), ContextDesc::default());
    let desc = SurfaceDesc {
        width: 64,
        height: 64,
        color: Format::Rgba8,
        depth_stencil: None,
        samples: 1,
        double_buffer: true,
    };
    let surface = Surface::new(&instance, desc);
    ctx.make_current(Some(surface.clone()), Some(surface));
    let mut vao = [0];
    crate::vertex_array::calls::gen_vertex_arrays(&mut ctx, &mut vao).unwrap();
    crate::vertex_array::calls::bind_vertex_array(&mut ctx, vao[0]).unwrap();
    ctx.draw.program = Some(Arc::default());
    ctx
}

/// A context that compiles and links real shaders of every version.
pub(crate) fn context_with_limits() -> Context {
    let limits = Limits {
        max_vertex_attribs: 16,
        max_color_attachments: 8,
        max_compute_group_size: [1024, 1024, 64],
        max_compute_invocations: 1024,
        ..Limits::default()
    };
    let features =
        Features { geometry_shader: true, tessellation_shader: true, compute_shader: true, ..Features::default() };
    let instance = Instance::detached(Caps { limits, features, ..Caps::default() });
    let desc = ContextDesc { version: (4, 6), ..ContextDesc::default() };
    Context::with_out(instance, Out::recorder(1), desc)
}

/// Another context of the same share group.
pub(crate) fn sharing(ctx: &Context, flow: u32) -> Context {
    let desc = ContextDesc { share: Some(ctx.share_group()), ..ContextDesc::default() };
    Context::with_out(ctx.instance.clone(), Out::recorder(flow), desc)
}

/// Replaces the program of draws.
pub(crate) fn use_bindings(ctx: &mut Context, bindings: Bindings) {
    ctx.draw.program = Some(Arc::new(bindings));
    ctx.dirty |= crate::tracker::Dirty::PROGRAM | crate::tracker::Dirty::PROGRAM_SETS;
}

/// What was recorded.
pub(crate) fn recorder(ctx: &mut Context) -> &mut Recorder {
    ctx.recorded().unwrap()
}

/// Forgets what was recorded.
pub(crate) fn forget(ctx: &mut Context) {
    let r = recorder(ctx);
    r.records.clear();
    r.staged.clear();
}

/// Heads of all records of one kind, with the bytes of their tails.
pub(crate) fn all<R: Record>(ctx: &mut Context) -> Vec<(R, Vec<u8>)> {
    let records = recorder(ctx).records.iter().filter(|r| r.op == R::OP);
    records
        .map(|r| {
            let (head, tails) = R::read_from_prefix(&r.body).unwrap();
            (head, tails.to_vec())
        })
        .collect()
}

/// Names of the records since the last [`forget`].
pub(crate) fn names(ctx: &mut Context) -> Vec<&'static str> {
    let name = |op: u16| mgl_pipe::CATALOGUE.iter().find(|r| r.op == op).map_or("?", |r| r.name);
    recorder(ctx).records.iter().map(|r| name(r.op)).collect()
}

/// The error code of a call that must fail.
pub(crate) fn code<T: std::fmt::Debug>(result: GlResult<T>) -> ErrorCode {
    result.unwrap_err().code
}

/// A buffer of `size` bytes bound to `target`.
pub(crate) fn buffer(ctx: &mut Context, target: u32, size: usize) -> u32 {
    let mut name = [0];
    crate::buffer::calls::gen_buffers(ctx, &mut name).unwrap();
    crate::buffer::calls::bind_buffer(ctx, target, name[0]).unwrap();
    crate::buffer::calls::buffer_data(ctx, target, size as isize, None, t::STATIC_DRAW).unwrap();
    name[0]
}

/// A window whose size news arrive late.
#[derive(Debug, Default)]
pub(crate) struct Window {
    pub(crate) told: Mutex<Option<(u32, u32)>>,
    real: Mutex<Option<(u32, u32)>>,
    asked: AtomicU32,
    flushed: AtomicU32,
}

impl Window {
    fn new(size: (u32, u32)) -> Arc<Self> {
        let window = Self::default();
        window.becomes(size, true);
        Arc::new(window)
    }
    /// Another size, of which it has told or not.
    pub(crate) fn becomes(&self, size: (u32, u32), told: bool) {
        *self.real.lock().unwrap() = Some(size);
        if told {
            *self.told.lock().unwrap() = Some(size);
        }
    }
    /// Questions for the exact size, and pictures shown at flushes.
    pub(crate) fn count(&self) -> (u32, u32) {
        (self.asked.load(Ordering::Relaxed), self.flushed.load(Ordering::Relaxed))
    }
}

impl SurfaceHost for Window {
    fn size(&self, exact: bool) -> Option<(u32, u32)> {
        let size = if exact { &self.real } else { &self.told };
        self.asked.fetch_add(u32::from(exact), Ordering::Relaxed);
        *size.lock().unwrap()
    }
    fn flushed(&self, ctx: &mut Context) {
        self.flushed.fetch_add(1, Ordering::Relaxed);
        ctx.present_front(&[]).unwrap();
    }
}

/// A surface of a window.
pub(crate) fn window_desc(double_buffer: bool) -> SurfaceDesc {
    let depth_stencil = Some(Format::Depth24Stencil8);
    SurfaceDesc { width: 8, height: 8, color: Format::Rgba8, depth_stencil, samples: 1, double_buffer }
}

/// A context on a window of 64x64.
pub(crate) fn on_window(double_buffer: bool) -> (Context, Arc<Window>, Arc<Surface>) {
    let mut ctx = context();
    ctx.make_current(None, None);
    ctx.first_current = true;
    let window = Window::new((64, 64));
    let surface = Surface::hosted(&ctx.instance, window_desc(double_buffer), window.clone());
    ctx.make_current(Some(surface.clone()), Some(surface.clone()));
    forget(&mut ctx);
    (ctx, window, surface)
}

/// Draws to all buffers.
pub(crate) fn clear_all(ctx: &mut Context) {
    crate::clear::calls::clear(ctx, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT).unwrap();
}
