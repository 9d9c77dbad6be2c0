//! Transform feedback objects (GL 4.6 §13.3). Must not push records.

use crate::buffer::state::Indexed;
use crate::instance::{Dead, Instance};
use crate::names::NameTable;
use crate::program::state::ProgramOrShader;
use crate::share::lock;
use mgl_base::Handle;
use mgl_base::handle;
use mgl_base::limits::MAX_XFB_BUFFERS;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// A transform feedback object.
#[derive(Debug)]
pub struct Xfb {
    instance: Arc<Instance>,
    /// Handle on the server.
    pub handle: Handle<handle::Xfb>,
    inner: Mutex<Inner>,
}

/// Mutable part of a transform feedback object.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) active: bool,
    pub(crate) paused: bool,
    /// Primitive mode of the span.
    pub(crate) mode: u32,
    /// Program of the span; a resume needs the same one.
    pub(crate) program: Option<Capturing>,
    /// Was ended at least once: its vertex count can be drawn.
    pub(crate) ended: bool,
    /// Binding points while the object is not bound.
    pub(crate) points: [Indexed; MAX_XFB_BUFFERS],
}

/// A program that an active object captures from, which cannot be linked meanwhile (GL 4.6 §7.3).
#[derive(Debug)]
pub(crate) struct Capturing(Arc<ProgramOrShader>);

impl Capturing {
    /// The span of an object over `program` begins.
    pub(crate) fn begin(program: Arc<ProgramOrShader>) -> Self {
        if let Some(program) = program.program() {
            program.capturing.fetch_add(1, Ordering::AcqRel);
        }
        Self(program)
    }
    /// The span is one over `program`.
    pub(crate) fn is(&self, program: &Arc<ProgramOrShader>) -> bool {
        Arc::ptr_eq(&self.0, program)
    }
}

impl Drop for Capturing {
    fn drop(&mut self) {
        if let Some(program) = self.0.program() {
            program.capturing.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl Xfb {
    /// An idle object.
    pub fn new(instance: &Arc<Instance>) -> Self {
        Self { instance: instance.clone(), handle: instance.mint(), inner: Mutex::default() }
    }
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }
}

impl Drop for Xfb {
    fn drop(&mut self) {
        self.instance.bury(Dead::Xfb(self.handle));
    }
}

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) names: NameTable<Xfb>,
    /// Name and object that is bound; `None` = object 0, not touched yet.
    pub(crate) bound: Option<(u32, Arc<Xfb>)>,
    /// Object 0.
    pub(crate) default: Option<Arc<Xfb>>,
    /// Object and targets the server has.
    pub(crate) pushed: Option<(Handle<handle::Xfb>, [mgl_pipe::records::XfbTarget; MAX_XFB_BUFFERS])>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
    /// Capture is active and not paused.
    pub(crate) fn running(&self) -> bool {
        self.bound.as_ref().is_some_and(|(_, x)| {
            let inner = x.inner();
            inner.active && !inner.paused
        })
    }
    /// Primitive mode of an active span that is not paused.
    pub(crate) fn running_mode(&self) -> Option<u32> {
        let inner = self.bound.as_ref()?.1.inner();
        (inner.active && !inner.paused).then_some(inner.mode)
    }
}
