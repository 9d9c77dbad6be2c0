//! Program pipeline objects and which one is bound. Must not push records.

use super::composite::Composite;
use crate::context::Context;
use crate::instance::Instance;
use crate::names::NameTable;
use crate::program::state::ProgramOrShader;
use crate::share::lock;
use mgl_glsl::Stage;
use std::sync::{Arc, Mutex, MutexGuard};

/// A program with its name; `None` for a stage without one.
pub(crate) type Slot = Option<(u32, Arc<ProgramOrShader>)>;

/// A program pipeline object. Containers are not shared between contexts.
#[derive(Debug, Default)]
pub struct Pipeline {
    inner: Mutex<Inner>,
}

/// Mutable part of a pipeline object.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    /// Program of each stage, by [`Stage::index`].
    pub(crate) stages: [Slot; 6],
    /// `GL_ACTIVE_PROGRAM`.
    pub(crate) active: Slot,
    /// `GL_VALIDATE_STATUS`.
    pub(crate) valid: bool,
    pub(crate) log: String,
    /// Composites made for this object, the one used last in front.
    pub(super) composites: Vec<Composite>,
}

impl Pipeline {
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }
}

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) names: NameTable<Pipeline>,
    /// Name and object that is bound.
    pub(crate) bound: Option<(u32, Arc<Pipeline>)>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
    /// A pipeline object is bound.
    pub(crate) fn is_bound(&self) -> bool {
        self.bound.is_some()
    }
    /// The active program of the bound object.
    pub(crate) fn active_program(&self) -> Option<Arc<ProgramOrShader>> {
        let (_, pipeline) = self.bound.as_ref()?;
        pipeline.inner().active.as_ref().map(|(_, object)| object.clone())
    }
}

impl Context {
    /// The program whose last stage before rasterisation runs.
    pub(crate) fn capturing_program(&self) -> Option<Arc<ProgramOrShader>> {
        if let Some((_, object)) = &self.program.current {
            return Some(object.clone());
        }
        let inner = self.pipeline.bound.as_ref()?.1.inner();
        let last = [Stage::Geometry, Stage::TessEval, Stage::Vertex];
        last.iter().find_map(|stage| inner.stages[stage.index()].as_ref()).map(|(_, object)| object.clone())
    }
    /// What runs for each stage: the program in use, else that of the bound pipeline object (GL 4.6 §7.4).
    pub(crate) fn active_programs(&self) -> [Option<Arc<ProgramOrShader>>; 6] {
        if let Some((_, object)) = &self.program.current {
            return std::array::from_fn(|_| Some(object.clone()));
        }
        let Some((_, pipeline)) = &self.pipeline.bound else { return Default::default() };
        let inner = pipeline.inner();
        std::array::from_fn(|stage| inner.stages[stage].as_ref().map(|(_, object)| object.clone()))
    }
}
