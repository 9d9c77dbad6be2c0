//! What this group pushes before a verb, and what verbs ask about framebuffers. Must not be called from setters.

use super::default;
use super::state::{Attachment, Point};
use super::status::{self, Summary};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::source::ReadSource;
use crate::share::LastWrite;
use crate::texture::store;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::Renderbuffer;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::Bool8;
use mgl_pipe::format::Format;
use mgl_pipe::records::{ResourceCreate, ResourceDesc, SetFramebufferState, Surface};
use mgl_pipe::tokens::{FramebufferTarget, ResourceTarget, SurfaceKind};
use zerocopy::IntoBytes;

/// Pushes the framebuffer bindings named in `due`.
pub(crate) fn push(ctx: &mut Context, due: Dirty) -> GlResult {
    if due.contains(Dirty::DRAW_FRAMEBUFFER) {
        push_one(ctx, false)?;
    }
    if due.contains(Dirty::READ_FRAMEBUFFER) {
        push_one(ctx, true)?;
    }
    Ok(())
}

/// Forgets what suppresses the records of the bindings named in `reads`.
pub(crate) fn forget(ctx: &mut Context, reads: Dirty) {
    for (sent, bit) in ctx.framebuffer.sent.iter_mut().zip([Dirty::DRAW_FRAMEBUFFER, Dirty::READ_FRAMEBUFFER]) {
        if reads.contains(bit) {
            *sent = None;
        }
    }
}

fn push_one(ctx: &mut Context, read: bool) -> GlResult {
    let name = ctx.framebuffer.target(read);
    if name == 0 {
        default::look(ctx);
    }
    let state = build(ctx, name, read)?;
    let sent = &ctx.framebuffer.sent[usize::from(read)];
    if sent.as_ref().is_some_and(|s| s.as_bytes() == state.as_bytes()) {
        return Ok(());
    }
    if !read {
        note_writes(ctx);
    }
    ctx.out.push(&state)?;
    ctx.framebuffer.get_mut(name).crossed = true;
    match &mut ctx.framebuffer.sent[usize::from(read)] {
        Some(sent) => **sent = state,
        empty => *empty = Some(Box::new(state)),
    }
    Ok(())
}

pub(super) fn build(ctx: &mut Context, name: u32, read: bool) -> GlResult<SetFramebufferState> {
    let sum = status::summary(ctx, ctx.framebuffer.get(name), read);
    let mut state = head(ctx, name, read, &sum);
    if name == 0 {
        default_surfaces(ctx, read, &mut state)?;
    } else {
        for index in 0..MAX_DRAW_BUFFERS {
            state.color[index] = surface(ctx, name, Point::Color(index), !read)?;
        }
        state.depth = surface(ctx, name, Point::Depth, !read)?;
        state.stencil = surface(ctx, name, Point::Stencil, !read)?;
    }
    let fbo = ctx.framebuffer.get(name);
    for (slot, token) in state.draw_buffers.iter_mut().zip(fbo.draw) {
        let index = status::buffer_index(ctx, fbo, token, false)
            .filter(|i| *i < MAX_DRAW_BUFFERS && state.color[*i].kind != SurfaceKind::None);
        *slot = index.map_or(-1, |i| i as i8);
    }
    if let Some(index) = status::buffer_index(ctx, fbo, fbo.read, true).filter(|i| *i < MAX_DRAW_BUFFERS) {
        state.read = state.color[index];
    }
    Ok(state)
}

fn head(ctx: &Context, name: u32, read: bool, sum: &Summary) -> SetFramebufferState {
    SetFramebufferState {
        fbo: ctx.framebuffer.get(name).handle,
        target: if read { FramebufferTarget::Read } else { FramebufferTarget::Draw },
        is_default: Bool8::new(name == 0),
        complete: Bool8::new(sum.status == gl::FRAMEBUFFER_COMPLETE),
        fixed_sample_locations: Bool8::new(sum.fixed),
        samples: sum.samples as u16,
        width: sum.size[0],
        height: sum.size[1],
        layers: sum.layers,
        ..Default::default()
    }
}

/// The wire form of one attachment; empty when its image does not exist.
fn surface(ctx: &mut Context, name: u32, point: Point, written: bool) -> GlResult<Surface> {
    let attachment = ctx.framebuffer.get(name).at(point);
    let Some(image) = status::attached(attachment).filter(|i| i.size[0] > 0 && i.size[1] > 0) else {
        return Ok(Surface::default());
    };
    match attachment {
        Attachment::None => Ok(Surface::default()),
        Attachment::Renderbuffer(rb) => {
            let rb = rb.clone();
            order(ctx, &rb.last_write, written)?;
            Ok(renderbuffer_surface(rb.handle.slot(), rb.handle.generation(), image.format))
        }
        Attachment::Texture { texture, level, face, layer, layered } => {
            let (texture, level, face, layer, layered) = (texture.clone(), *level, *face as usize, *layer, *layered);
            let mut body = texture.body();
            let Some(place) = store::place(&mut ctx.out, &texture, &mut body, level, face)? else {
                return Ok(Surface::default());
            };
            order(ctx, &texture.last_write, written)?;
            if written {
                let faces = if layered { 0..texture.target.faces() } else { face..face + 1 };
                faces.for_each(|f| body.image_mut(level, f).content = true);
            }
            Ok(Surface {
                slot: place.handle.slot(),
                generation: place.handle.generation(),
                kind: SurfaceKind::Texture,
                layered: Bool8::new(layered),
                level: place.level,
                layer: place.layer + layer,
                format: image.format as u16,
                ..Default::default()
            })
        }
    }
}

/// Draws may change what is attached; what is read from stays.
fn order(ctx: &mut Context, image: &LastWrite, written: bool) -> GlResult {
    Ok(if written { ctx.out.writes(image) } else { ctx.out.reads(image) }?)
}

fn renderbuffer_surface(slot: u32, generation: u32, format: Format) -> Surface {
    Surface { slot, generation, kind: SurfaceKind::Renderbuffer, format: format as u16, ..Default::default() }
}

fn default_surfaces(ctx: &mut Context, read: bool, state: &mut SetFramebufferState) -> GlResult {
    let surface = default::surface(ctx, read).cloned();
    let images = ctx.framebuffer.window.images[usize::from(read)].clone();
    let (Some(surface), Some(images)) = (surface, images) else { return Ok(()) };
    default::define(ctx, &surface, &images)?;
    let desc = surface.desc;
    state.color[default::MAIN] = renderbuffer_surface(images.color.slot(), images.color.generation(), desc.color);
    let fbo = &ctx.framebuffer.default;
    let tokens = if read { &[fbo.read][..] } else { &fbo.draw[..] };
    if tokens.iter().any(|token| default::index(Some(&surface), read, *token) == Some(default::FRONT)) {
        let front = default::front(ctx, &surface, &images)?;
        state.color[default::FRONT] = renderbuffer_surface(front.slot(), front.generation(), desc.color);
    }
    if let Some(format) = desc.depth_stencil {
        let (slot, generation) = (images.depth_stencil.slot(), images.depth_stencil.generation());
        let both = renderbuffer_surface(slot, generation, format);
        if format.has_depth() {
            state.depth = both;
        }
        if format.has_stencil() {
            state.stencil = both;
        }
    }
    Ok(())
}

/// Declares the storage of a part of the default framebuffer.
pub(super) fn declare(
    ctx: &mut Context,
    handle: Handle<Renderbuffer>,
    format: Format,
    (width, height): (u32, u32),
    samples: u32,
) -> GlResult {
    let desc = ResourceDesc {
        slot: handle.slot(),
        generation: handle.generation(),
        target: ResourceTarget::Renderbuffer,
        format: format as u16,
        levels: 1,
        width,
        height,
        depth: 1,
        layers: 1,
        samples: samples.max(1),
        ..Default::default()
    };
    ctx.out.push(&ResourceCreate { desc })?;
    Ok(())
}

/// Remembers that everything drawn so far wrote the attachments of the pushed draw framebuffer, so that other flows
/// can order themselves behind it. Called when the draw framebuffer changes and at every publication
/// (`glFlush`, `glFinish`, fences, swaps, release).
pub(crate) fn note_writes(ctx: &mut Context) {
    if !std::mem::take(&mut ctx.framebuffer.drawn) {
        return;
    }
    let name = ctx.framebuffer.target(false);
    if name == 0 {
        return default::noted(ctx);
    }
    let (framebuffer, out) = (&ctx.framebuffer, &mut ctx.out);
    for (_, attachment) in framebuffer.get(name).points() {
        match attachment {
            Attachment::None => {}
            Attachment::Texture { texture, .. } => out.wrote(&texture.last_write),
            Attachment::Renderbuffer(rb) => out.wrote(&rb.last_write),
        }
    }
}

/// Runs a command that names what it draws to and reads from. The bindings stay what they are; the server is told of the
/// named framebuffers for this command, and of the bound ones again when they are next used.
pub(crate) fn with_named<R>(
    ctx: &mut Context,
    named: [Option<u32>; 2],
    command: impl FnOnce(&mut Context) -> GlResult<R>,
) -> GlResult<R> {
    let bound = [ctx.framebuffer.draw, ctx.framebuffer.read];
    if named.iter().zip(bound).all(|(name, bound)| name.is_none_or(|name| name == bound)) {
        return command(ctx);
    }
    swap_targets(ctx, named);
    let done = command(ctx);
    swap_targets(ctx, [None; 2]);
    done
}

fn swap_targets(ctx: &mut Context, acting: [Option<u32>; 2]) {
    note_writes(ctx);
    ctx.framebuffer.acting = acting;
    ctx.framebuffer.draw_checked = None;
    ctx.dirty |= Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
}

fn incomplete(which: &str, status: u32) -> GlError {
    let reason = match status {
        gl::FRAMEBUFFER_UNDEFINED => "there is no surface",
        gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT => "an attachment is incomplete",
        gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT => "nothing is attached",
        gl::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE => "sample counts differ",
        gl::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS => "layered and other attachments are mixed",
        _ => "depth and stencil are different images",
    };
    GlError::invalid_framebuffer(format!("the {which} framebuffer is not complete: {reason}"))
}

/// `GL_INVALID_FRAMEBUFFER_OPERATION` unless the draw framebuffer is complete (GL 4.6 §9.4.4).
pub(crate) fn draw_complete(ctx: &mut Context) -> GlResult {
    let shape = ctx.share.texture_shape.current();
    if ctx.framebuffer.draw_checked == Some(shape) && !ctx.dirty.contains(Dirty::DRAW_FRAMEBUFFER) {
        return Ok(());
    }
    let name = ctx.framebuffer.target(false);
    if name == 0 {
        default::look(ctx);
    }
    let sum = status::summary(ctx, ctx.framebuffer.get(name), false);
    if sum.status != gl::FRAMEBUFFER_COMPLETE {
        ctx.framebuffer.draw_checked = None;
        return Err(incomplete("draw", sum.status));
    }
    ctx.framebuffer.draw_checked = Some(shape);
    Ok(())
}

/// The read framebuffer, complete, of any sample count.
pub(crate) fn read_any(ctx: &mut Context) -> GlResult<ReadSource> {
    let name = ctx.framebuffer.target(true);
    if name == 0 {
        default::look(ctx);
        default::catch_up(ctx);
    }
    read_of(ctx, name)
}

/// A framebuffer as one that is read from.
pub(super) fn read_of(ctx: &Context, name: u32) -> GlResult<ReadSource> {
    let fbo = ctx.framebuffer.get(name);
    let sum = status::summary(ctx, fbo, true);
    if sum.status != gl::FRAMEBUFFER_COMPLETE {
        return Err(incomplete("read", sum.status));
    }
    let index = status::buffer_index(ctx, fbo, fbo.read, true).filter(|i| *i < MAX_DRAW_BUFFERS);
    Ok(ReadSource {
        color: index.and_then(|i| status::point_format(ctx, fbo, Point::Color(i), true)),
        depth: status::point_format(ctx, fbo, Point::Depth, true),
        stencil: status::point_format(ctx, fbo, Point::Stencil, true),
        size: sum.size,
        samples: sum.samples,
    })
}

/// The read framebuffer for `glReadPixels` and `glCopyTex*`: complete, and single sampled unless it is the default one, whose
/// samples are resolved (GL 4.6 §18.2.1, §8.6).
pub(crate) fn read_source(ctx: &mut Context) -> GlResult<ReadSource> {
    let source = read_any(ctx)?;
    if source.samples > 1 && ctx.framebuffer.target(true) != 0 {
        return Err(GlError::invalid_operation("a multisample framebuffer cannot be read; blit it first"));
    }
    Ok(source)
}

impl Context {
    /// The read framebuffer as a copy into a texture sees it.
    pub(crate) fn copy_source(&mut self) -> GlResult<ReadSource> {
        read_source(self)
    }
}

/// The draw framebuffer as a blit sees it: formats of the enabled draw buffers, depth, stencil, size, samples.
pub(crate) fn draw_side(ctx: &mut Context) -> GlResult<([Option<Format>; MAX_DRAW_BUFFERS], ReadSource)> {
    draw_complete(ctx)?;
    let fbo = ctx.framebuffer.get(ctx.framebuffer.target(false));
    let sum = status::summary(ctx, fbo, false);
    let mut colors = [None; MAX_DRAW_BUFFERS];
    for (color, token) in colors.iter_mut().zip(fbo.draw) {
        let index = status::buffer_index(ctx, fbo, token, false).filter(|i| *i < MAX_DRAW_BUFFERS);
        *color = index.and_then(|i| status::point_format(ctx, fbo, Point::Color(i), false));
    }
    let source = ReadSource {
        color: colors.iter().flatten().next().copied(),
        depth: status::point_format(ctx, fbo, Point::Depth, false),
        stencil: status::point_format(ctx, fbo, Point::Stencil, false),
        size: sum.size,
        samples: sum.samples,
    };
    Ok((colors, source))
}
