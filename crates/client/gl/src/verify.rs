//! `MOBILEGL_PIPE_VERIFY` and `MOBILEGL_PIPE_COLD`: before every verb the whole state that it reads is worked out anew
//! and sent along for comparison, or everything is pushed again as if the server had nothing (spec 09 §3). Must cost
//! nothing when neither is on, and must not know what a group's expectation looks like.

use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::{Dirty, Verb};
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::VerifyState;
use mgl_pipe::tokens::VerbClass;
use std::sync::OnceLock;

/// What is done before every verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Send the expected state.
    pub verify: bool,
    /// Push everything again.
    pub cold: bool,
}

impl Checks {
    /// The switches, read once.
    pub(crate) fn from_env() -> Self {
        static WANTED: OnceLock<Checks> = OnceLock::new();
        let on = |value: Option<std::ffi::OsString>| value.is_some_and(|v| v == "1");
        *WANTED.get_or_init(|| Checks {
            verify: on(std::env::var_os("MOBILEGL_PIPE_VERIFY")),
            cold: on(std::env::var_os("MOBILEGL_PIPE_COLD")),
        })
    }
    fn any(self) -> bool {
        self.verify || self.cold
    }
}

/// State of the checks in one context.
#[derive(Debug, Default)]
pub(crate) struct State {
    checks: Checks,
    ordinal: u64,
    /// The GL command that the program is in.
    command: &'static str,
    writer: Writer,
}

impl Verb {
    fn class(self) -> VerbClass {
        match self {
            Verb::Draw => VerbClass::Draw,
            Verb::Dispatch => VerbClass::Dispatch,
            Verb::Clear => VerbClass::Clear,
            Verb::BlitOrCopy => VerbClass::BlitOrCopy,
            Verb::TextureOp => VerbClass::TextureOp,
            Verb::Readback => VerbClass::Readback,
            Verb::XfbSpan => VerbClass::XfbSpan,
            Verb::Query => VerbClass::Query,
        }
    }
}

impl Context {
    /// Switches checks on; for the rest of the context's life no verb takes the short way.
    pub fn check(&mut self, checks: Checks) {
        if !checks.any() {
            return;
        }
        self.verify.checks = checks;
        self.dirty |= Dirty::CHECKED;
        if checks.verify {
            // A lost session shows at the first real record.
            let _ = self.out.push(&VerifyState { verb: VerbClass::Draw, ..Default::default() });
        }
    }

    /// The program has called `command`; only checks want to know.
    #[inline(always)]
    pub fn entered(&mut self, command: &'static str) {
        if self.dirty.contains(Dirty::CHECKED) {
            self.verify.command = command;
        }
    }

    /// [`Context::validate`] with the checks that are on.
    pub(crate) fn push_checked(&mut self, verb: Verb) -> GlResult {
        let reads = verb.reads() - Dirty::CHECKED;
        if self.verify.checks.cold {
            self.forget_pushed(reads);
        }
        let due = self.dirty & reads;
        if !due.is_empty() {
            self.push_groups(due, verb)?;
        }
        if self.verify.checks.verify && !reads.is_empty() { self.push_expectation(reads, verb) } else { Ok(()) }
    }

    /// Makes every group of `reads` dirty and forgets what suppresses its records.
    fn forget_pushed(&mut self, reads: Dirty) {
        if reads.intersects(Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER) {
            crate::framebuffer::emit::forget(self, reads);
        }
        if reads.contains(Dirty::PROGRAM) {
            crate::program::emit::forget(self);
        }
        if reads.contains(Dirty::UNIFORM_BUFFERS) {
            crate::buffer::emit::forget(self);
        }
        if reads.contains(Dirty::TEXTURES) {
            crate::texture::emit::forget(self);
            crate::image::emit::forget(self);
        }
        if reads.contains(Dirty::PIPELINE) {
            crate::render_state::emit::forget(self);
        }
        if reads.contains(Dirty::VERTEX_ELEMENTS) {
            crate::vertex_array::emit::forget(self);
        }
        if reads.contains(Dirty::XFB) {
            crate::xfb::emit::forget(self);
        }
        if reads.contains(Dirty::PATCH) {
            crate::patch::emit::forget(self);
        }
        self.dirty |= reads;
    }

    fn push_expectation(&mut self, reads: Dirty, verb: Verb) -> GlResult {
        let mut writer = std::mem::take(&mut self.verify.writer);
        writer.clear();
        writer.put(Part::Command, self.verify.command.as_bytes());
        let result = self.expect(&mut writer, reads, verb);
        self.verify.ordinal += 1;
        // Another context changed a shared object meanwhile: the next verb sees both the change and its push.
        let moved = self.share.texture_shape.current() != self.seen_texture_shape
            || self.share.buffer_shape.current() != self.seen_buffer_shape;
        if result.is_ok() && !moved {
            let blob = self.out.stage(writer.bytes())?.into();
            let ordinal = self.verify.ordinal;
            self.out.push(&VerifyState { verb: verb.class(), ordinal, blob, ..Default::default() })?;
        }
        self.verify.writer = writer;
        result
    }

    fn expect(&mut self, to: &mut Writer, reads: Dirty, verb: Verb) -> GlResult {
        crate::framebuffer::expect::expect(self, to, reads)?;
        crate::program::expect::expect(self, to, reads, verb);
        if reads.contains(Dirty::CONSTANTS) {
            let draw = crate::framebuffer::expect::draw(self)?;
            crate::uniform::expect::expect(self, to, &draw);
        }
        crate::buffer::expect::expect(self, to, reads);
        crate::texture::expect::expect(self, to, reads)?;
        crate::image::expect::expect(self, to, reads)?;
        crate::render_state::expect::expect(self, to, reads)?;
        if verb == Verb::Draw {
            crate::vertex_array::expect::expect(self, to);
        }
        crate::xfb::expect::expect(self, to, reads);
        crate::patch::expect::expect(self, to, reads);
        Ok(())
    }
}
