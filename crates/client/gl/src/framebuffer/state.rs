//! Framebuffer objects and the bindings of one context (GL 4.6 §9.2). Framebuffers are not shared. Must not push records.

use super::default::DefaultState;
use crate::context::Context;
use crate::instance::{Dead, Instance};
use crate::names::NameTable;
use crate::renderbuffer::state::Renderbuffer;
use crate::texture::state::Texture;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::Framebuffer as FramebufferKind;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::records::SetFramebufferState;
use std::collections::HashMap;
use std::sync::Arc;

/// What is attached to one attachment point.
#[derive(Clone, Debug, Default)]
pub enum Attachment {
    /// Nothing.
    #[default]
    None,
    /// An image of a texture, or all its layers.
    Texture {
        texture: Arc<Texture>,
        level: u32,
        /// Cube face of a single face.
        face: u32,
        /// Slice, layer or layer-face.
        layer: u32,
        layered: bool,
    },
    /// A renderbuffer.
    Renderbuffer(Arc<Renderbuffer>),
}

impl Attachment {
    /// Nothing is attached.
    pub fn is_none(&self) -> bool {
        matches!(self, Attachment::None)
    }
    /// Same image.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Attachment::None, Attachment::None) => true,
            (Attachment::Renderbuffer(a), Attachment::Renderbuffer(b)) => Arc::ptr_eq(a, b),
            (
                Attachment::Texture { texture: a, level: la, face: fa, layer: ya, layered: za },
                Attachment::Texture { texture: b, level: lb, face: fb, layer: yb, layered: zb },
            ) => Arc::ptr_eq(a, b) && (la, fa, ya, za) == (lb, fb, yb, zb),
            _ => false,
        }
    }
}

/// Attachment points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    Color(usize),
    Depth,
    Stencil,
    DepthStencil,
}

/// Parameters of a framebuffer without attachments (GL 4.6 §9.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub width: u32,
    pub height: u32,
    pub layers: u32,
    pub samples: u32,
    pub fixed: bool,
}

/// A framebuffer object, or the default framebuffer of a context.
#[derive(Debug)]
pub struct Fbo {
    /// GL name; 0 = default.
    pub name: u32,
    /// Identity on the wire.
    pub handle: Handle<FramebufferKind>,
    pub color: [Attachment; MAX_DRAW_BUFFERS],
    pub depth: Attachment,
    pub stencil: Attachment,
    /// `glDrawBuffers` tokens.
    pub draw: [u32; MAX_DRAW_BUFFERS],
    /// `glReadBuffer` token.
    pub read: u32,
    pub defaults: Defaults,
    /// A state record was pushed: its death must be.
    pub crossed: bool,
}

impl Fbo {
    /// Initial state; the default framebuffer draws to and reads from the back buffer.
    pub fn new(name: u32, handle: Handle<FramebufferKind>) -> Self {
        let first = if name == 0 { gl::BACK } else { gl::COLOR_ATTACHMENT0 };
        let mut draw = [gl::NONE; MAX_DRAW_BUFFERS];
        draw[0] = first;
        Self {
            name,
            handle,
            color: Default::default(),
            depth: Attachment::None,
            stencil: Attachment::None,
            draw,
            read: first,
            defaults: Defaults::default(),
            crossed: false,
        }
    }
    /// What is attached to a point; for depth-stencil only what both have in common.
    pub fn at(&self, point: Point) -> &Attachment {
        match point {
            Point::Color(i) => &self.color[i],
            Point::Depth => &self.depth,
            Point::Stencil => &self.stencil,
            Point::DepthStencil if self.depth.same(&self.stencil) => &self.depth,
            Point::DepthStencil => &Attachment::None,
        }
    }
    /// Attaches.
    pub fn attach(&mut self, point: Point, what: Attachment) {
        match point {
            Point::Color(i) => self.color[i] = what,
            Point::Depth => self.depth = what,
            Point::Stencil => self.stencil = what,
            Point::DepthStencil => {
                self.depth = what.clone();
                self.stencil = what;
            }
        }
    }
    /// Every attachment point with its content.
    pub fn points(&self) -> impl Iterator<Item = (Point, &Attachment)> {
        let colors = self.color.iter().enumerate().map(|(i, a)| (Point::Color(i), a));
        colors.chain([(Point::Depth, &self.depth), (Point::Stencil, &self.stencil)])
    }
    fn detach_if(&mut self, gone: impl Fn(&Attachment) -> bool) -> bool {
        let mut changed = false;
        for a in self.color.iter_mut().chain([&mut self.depth, &mut self.stencil]) {
            if gone(a) {
                *a = Attachment::None;
                changed = true;
            }
        }
        changed
    }
}

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    /// Names.
    pub names: NameTable<()>,
    /// Objects by name.
    pub objects: HashMap<u32, Box<Fbo>>,
    /// The default framebuffer's buffers selection.
    pub default: Box<Fbo>,
    /// `GL_DRAW_FRAMEBUFFER` binding.
    pub draw: u32,
    /// `GL_READ_FRAMEBUFFER` binding.
    pub read: u32,
    /// What the command in progress draws to and reads from, when it names framebuffers instead of using the bound
    /// ones.
    pub(super) acting: [Option<u32>; 2],
    /// Records as last sent, draw and read.
    pub sent: [Option<Box<SetFramebufferState>>; 2],
    /// Draw framebuffer known to be complete at this `texture_shape`; `None` = to be checked.
    pub draw_checked: Option<u64>,
    /// Something may have been drawn since the attachments' last writes were noted.
    pub drawn: bool,
    /// What the default framebuffer is made of.
    pub(crate) window: DefaultState,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self {
            names: NameTable::default(),
            objects: HashMap::new(),
            default: Box::new(Fbo::new(0, Handle::new(0, 1))),
            draw: 0,
            read: 0,
            acting: [None; 2],
            sent: [None, None],
            draw_checked: None,
            drawn: false,
            window: DefaultState::default(),
        }
    }
    /// The framebuffer that commands draw to (`read` false) or read from: the bound one, unless the command in progress
    /// names another.
    pub(crate) fn target(&self, read: bool) -> u32 {
        self.acting[usize::from(read)].unwrap_or(if read { self.read } else { self.draw })
    }
    /// The framebuffer with this name; the default one for 0.
    pub fn get(&self, name: u32) -> &Fbo {
        self.objects.get(&name).unwrap_or(&self.default)
    }
    /// The same for changing.
    pub fn get_mut(&mut self, name: u32) -> &mut Fbo {
        self.objects.get_mut(&name).unwrap_or(&mut self.default)
    }
}

/// Marks what depends on the framebuffer `name` as changed.
pub(crate) fn changed(ctx: &mut Context, name: u32) {
    if ctx.framebuffer.draw == name {
        ctx.dirty |= Dirty::DRAW_FRAMEBUFFER;
        ctx.framebuffer.draw_checked = None;
    }
    if ctx.framebuffer.read == name {
        ctx.dirty |= Dirty::READ_FRAMEBUFFER;
    }
}

fn detach(ctx: &mut Context, gone: impl Fn(&Attachment) -> bool) {
    // Only the bound framebuffers let go (GL 4.6 §9.2.7); others keep the deleted object alive.
    for name in [ctx.framebuffer.draw, ctx.framebuffer.read] {
        if name != 0 && ctx.framebuffer.get_mut(name).detach_if(&gone) {
            changed(ctx, name);
        }
    }
}

impl Context {
    /// A texture was deleted: it leaves the bound framebuffers (GL 4.6 §9.2.8).
    pub(crate) fn detach_texture(&mut self, texture: &Arc<Texture>) {
        detach(self, |a| matches!(a, Attachment::Texture { texture: t, .. } if Arc::ptr_eq(t, texture)));
    }
    /// A renderbuffer was deleted: it leaves the bound framebuffers (GL 4.6 §9.2.7).
    pub(crate) fn detach_renderbuffer(&mut self, renderbuffer: &Arc<Renderbuffer>) {
        detach(self, |a| matches!(a, Attachment::Renderbuffer(r) if Arc::ptr_eq(r, renderbuffer)));
    }
}

/// Ends a framebuffer object.
pub(crate) fn bury(ctx: &mut Context, fbo: &Fbo) {
    if fbo.crossed {
        ctx.instance.bury(Dead::Framebuffer(fbo.handle));
    } else {
        ctx.instance.release(fbo.handle);
    }
}
