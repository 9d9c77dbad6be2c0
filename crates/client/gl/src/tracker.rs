//! When state is pushed: at the verb, never in a setter (spec 04 §1). Must not know what a group's records look like.

use crate::context::Context;
use crate::error::GlResult;
use std::sync::atomic::Ordering;

bitflags::bitflags! {
    /// Groups with changes that have not been pushed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dirty: u32 {
        /// Pipeline subset of the render state.
        const PIPELINE = 1 << 0;
        /// Dynamic subset of the render state.
        const DYNAMIC = 1 << 1;
        /// Draw framebuffer binding or its attachments.
        const DRAW_FRAMEBUFFER = 1 << 2;
        /// Read framebuffer binding, its attachments or its read buffer.
        const READ_FRAMEBUFFER = 1 << 3;
        /// Vertex array layout (enables, formats, divisors, strides).
        const VERTEX_ELEMENTS = 1 << 4;
        /// Vertex buffer bindings.
        const VERTEX_BUFFERS = 1 << 5;
        /// Element buffer.
        const INDEX_BUFFER = 1 << 6;
        /// Indirect or parameter buffer.
        const INDIRECT = 1 << 7;
        /// Texture or sampler bindings, parameters, completeness; sampler uniforms.
        const TEXTURES = 1 << 8;
        /// Image units; image uniforms.
        const IMAGES = 1 << 9;
        /// Uniform buffer bindings or block bindings.
        const UNIFORM_BUFFERS = 1 << 10;
        /// Storage buffer bindings or block bindings.
        const STORAGE_BUFFERS = 1 << 11;
        /// Atomic counter buffer bindings.
        const ATOMIC_BUFFERS = 1 << 12;
        /// Values of the default uniform block.
        const CONSTANTS = 1 << 13;
        /// Current attribute values.
        const ATTRIB_DEFAULTS = 1 << 14;
        /// Patch parameters.
        const PATCH = 1 << 15;
        /// Transform feedback object or targets.
        const XFB = 1 << 16;
        /// Current program (or pipeline).
        const PROGRAM = 1 << 17;
        /// Never clean: every verb takes the long way, because it is checked (`verify`).
        const CHECKED = 1 << 18;
        /// Everything that depends on the slots of the current program.
        const PROGRAM_SETS = Self::TEXTURES.bits() | Self::IMAGES.bits() | Self::UNIFORM_BUFFERS.bits()
            | Self::STORAGE_BUFFERS.bits() | Self::ATOMIC_BUFFERS.bits() | Self::CONSTANTS.bits()
            | Self::ATTRIB_DEFAULTS.bits();
    }
}

/// Verb classes and the groups each may read (spec 04 §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Draw,
    Dispatch,
    Clear,
    /// Blits and framebuffer-sourced copies.
    BlitOrCopy,
    TextureOp,
    Readback,
    XfbSpan,
    Query,
}

impl Verb {
    /// Groups that the server may read while it executes the verb.
    pub const fn reads(self) -> Dirty {
        let groups = match self {
            Verb::Draw => Dirty::all().difference(Dirty::READ_FRAMEBUFFER),
            Verb::Dispatch => Dirty::PROGRAM_SETS.union(Dirty::PROGRAM).union(Dirty::INDIRECT),
            Verb::Clear => Dirty::DRAW_FRAMEBUFFER.union(Dirty::PIPELINE).union(Dirty::DYNAMIC),
            Verb::BlitOrCopy => {
                Dirty::DRAW_FRAMEBUFFER.union(Dirty::READ_FRAMEBUFFER).union(Dirty::PIPELINE).union(Dirty::DYNAMIC)
            }
            Verb::TextureOp | Verb::Query => Dirty::empty(),
            Verb::Readback => Dirty::READ_FRAMEBUFFER,
            Verb::XfbSpan => Dirty::XFB.union(Dirty::PROGRAM),
        };
        groups.union(Dirty::CHECKED)
    }
}

impl Context {
    /// Pushes every dirty group that `verb` reads. Must be called exactly once before each verb record.
    pub(crate) fn validate(&mut self, verb: Verb) -> GlResult {
        self.poll_shared_changes();
        self.validate_polled(verb)
    }

    /// [`Context::validate`] for a verb whose checks have polled the share group already.
    pub(crate) fn validate_polled(&mut self, verb: Verb) -> GlResult {
        if self.share.persistent_maps.load(Ordering::Acquire) != 0 {
            crate::buffer::persistent::push(self)?;
        }
        self.switch_program_kind(verb);
        let due = self.dirty & verb.reads();
        if due.contains(Dirty::CHECKED) {
            self.push_checked(verb)?;
        } else if !due.is_empty() {
            self.push_groups(due, verb)?;
        }
        // After the push, which notes what was drawn to the framebuffer that was bound before.
        self.framebuffer.drawn |= matches!(verb, Verb::Draw | Verb::Clear);
        Ok(())
    }

    /// True when nothing has changed since a draw that found everything in order: the checks and pushes of another one
    /// would find the same. `indexed` and `mode` are those of the coming draw.
    #[inline(always)]
    pub(crate) fn draw_unchanged(&self, indexed: bool, mode: u32) -> bool {
        const READS: Dirty = Verb::Draw.reads();
        let share = &self.share;
        mode < u32::BITS
            && self.draw.again[usize::from(indexed)] & (1 << mode) != 0
            && !self.dirty.intersects(READS)
            && !self.draw.stale
            && share.texture_shape.current() == self.seen_texture_shape
            && share.buffer_shape.current() == self.seen_buffer_shape
            && share.mapped_buffers.load(Ordering::Relaxed) == 0
            && share.persistent_maps.load(Ordering::Acquire) == 0
            && !self.last_was_dispatch
            && self.query.conditional.is_none()
    }

    /// Order: objects before sets, program before what is resolved against its slots (spec 04 §6).
    pub(crate) fn push_groups(&mut self, due: Dirty, verb: Verb) -> GlResult {
        self.emit_deaths();
        if due.intersects(Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER) {
            crate::framebuffer::emit::push(self, due)?;
        }
        if due.contains(Dirty::PROGRAM) {
            crate::program::emit::push_program(self, verb)?;
        }
        // A program change makes every slot-resolved set dirty; take those bits in the same walk.
        let due = self.dirty & (verb.reads() - Dirty::CHECKED);
        if due.intersects(Dirty::UNIFORM_BUFFERS | Dirty::STORAGE_BUFFERS | Dirty::ATOMIC_BUFFERS) {
            crate::buffer::emit::push_ranges(self, due)?;
        }
        // Built-in uniforms follow the depth range and the framebuffer's size.
        if due.intersects(Dirty::CONSTANTS | Dirty::DYNAMIC | Dirty::DRAW_FRAMEBUFFER) {
            crate::uniform::emit::push_constants(self, verb)?;
        }
        if due.contains(Dirty::TEXTURES) {
            crate::texture::emit::push_views(self)?;
        }
        if due.contains(Dirty::IMAGES) {
            crate::image::emit::push(self)?;
        }
        // Multisample state takes effect or not with the framebuffer.
        if due.intersects(Dirty::PIPELINE | Dirty::DYNAMIC | Dirty::DRAW_FRAMEBUFFER) {
            crate::render_state::emit::push(self, due)?;
        }
        if due.contains(Dirty::PATCH) {
            crate::patch::emit::push(self)?;
        }
        let vertex = Dirty::VERTEX_ELEMENTS | Dirty::VERTEX_BUFFERS | Dirty::INDEX_BUFFER | Dirty::ATTRIB_DEFAULTS;
        if verb == Verb::Draw && due.intersects(vertex) {
            crate::vertex_array::emit::push(self, due)?;
        }
        if due.contains(Dirty::INDIRECT) {
            crate::buffer::emit::push_indirect(self)?;
        }
        if due.contains(Dirty::XFB) {
            crate::xfb::emit::push(self)?;
        }
        self.dirty.remove(due);
        // A draw has looked at these before it came here; for any other verb the next draw has to.
        self.draw.stale |= verb != Verb::Draw && due.intersects(Dirty::PROGRAM | Dirty::XFB);
        Ok(())
    }

    /// The slots belong to one program: when draws and dispatches alternate, all of them are resolved anew.
    fn switch_program_kind(&mut self, verb: Verb) {
        let dispatch = verb == Verb::Dispatch;
        if (dispatch || verb == Verb::Draw) && dispatch != self.last_was_dispatch {
            self.last_was_dispatch = dispatch;
            self.dirty |= Dirty::PROGRAM | Dirty::PROGRAM_SETS;
        }
    }

    /// A shared buffer or texture changed shape (in this or another context): what was resolved from it is dirty.
    pub(crate) fn poll_shared_changes(&mut self) {
        let textures = self.share.texture_shape.current();
        let buffers = self.share.buffer_shape.current();
        if textures != self.seen_texture_shape {
            self.seen_texture_shape = textures;
            self.dirty |= Dirty::TEXTURES | Dirty::IMAGES | Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER;
        }
        if buffers != self.seen_buffer_shape {
            self.seen_buffer_shape = buffers;
            self.dirty |= Dirty::UNIFORM_BUFFERS
                | Dirty::STORAGE_BUFFERS
                | Dirty::ATOMIC_BUFFERS
                | Dirty::TEXTURES
                | Dirty::IMAGES
                | Dirty::XFB;
        }
    }
}
