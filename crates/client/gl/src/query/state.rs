//! Query objects (GL 4.6 §4.2). Must not push records.

use crate::instance::{Dead, Instance};
use crate::names::NameTable;
use crate::share::lock;
use mgl_base::Handle;
use mgl_base::handle;
use std::sync::{Arc, Mutex, MutexGuard};

/// A query object.
#[derive(Debug)]
pub struct Query {
    instance: Arc<Instance>,
    /// Handle on the server.
    pub handle: Handle<handle::Query>,
    inner: Mutex<Inner>,
}

/// Mutable part of a query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inner {
    /// Target of the first begin; 0 = never begun.
    pub(crate) target: u32,
    /// Between begin and end.
    pub(crate) active: bool,
    /// The result, once it was read from the server.
    pub(crate) result: Option<u64>,
    /// The server knows the handle.
    pub(crate) created: bool,
}

impl Query {
    /// A query without a target.
    pub fn new(instance: &Arc<Instance>) -> Self {
        Self { instance: instance.clone(), handle: instance.mint(), inner: Mutex::default() }
    }
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        if self.inner().created {
            self.instance.bury(Dead::Query(self.handle));
        } else {
            self.instance.release(self.handle);
        }
    }
}

/// Conditional rendering in progress.
#[derive(Clone, Debug)]
pub(crate) struct Conditional {
    pub(crate) query: Arc<Query>,
    pub(crate) mode: u32,
    /// Whether commands are discarded, once it is known.
    pub(crate) skip: Option<bool>,
}

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) names: NameTable<Query>,
    /// Active queries: target, index, name, object.
    pub(crate) active: Vec<(u32, u32, u32, Arc<Query>)>,
    pub(crate) conditional: Option<Conditional>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
}
