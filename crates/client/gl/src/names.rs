//! Object names of one kind: reserved by `glGen*`, live once the object exists. Must not know what is named.

use crate::error::{GlError, GlResult};
use std::ops::Range;
use std::sync::Arc;

/// The binding points of a command that binds several (ARB_multi_bind): all of them exist, or none is touched.
pub(crate) fn first_of(first: u32, count: i32, points: usize) -> GlResult<Range<usize>> {
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("the count is negative"))?;
    let end = (first as usize).checked_add(count).filter(|end| *end <= points);
    let end =
        end.ok_or_else(|| GlError::invalid_operation("first plus count is above the number of binding points"))?;
    Ok(first as usize..end)
}

/// Bound of the names that programs choose themselves: the table has a row for each name below the largest.
const ADOPTED: usize = 1 << 16;

#[derive(Debug)]
enum Name<T> {
    Free,
    Reserved,
    Live(Arc<T>),
}

/// Names are small integers from 1; name 0 is never in the table.
#[derive(Debug)]
pub struct NameTable<T> {
    names: Vec<Name<T>>,
    free: Vec<u32>,
}

impl<T> Default for NameTable<T> {
    fn default() -> Self {
        Self { names: vec![Name::Free], free: Vec::new() }
    }
}

impl<T> NameTable<T> {
    /// A fresh unused name, reserved.
    pub fn reserve(&mut self) -> u32 {
        if let Some(name) = self.free.pop() {
            self.names[name as usize] = Name::Reserved;
            return name;
        }
        self.names.push(Name::Reserved);
        (self.names.len() - 1) as u32
    }
    /// Takes a name of the program's own choice. False above the largest one that the table has room for.
    pub fn adopt(&mut self, name: u32) -> bool {
        let at = name as usize;
        if at >= ADOPTED {
            return self.is_reserved(name);
        }
        while self.names.len() <= at {
            self.free.push(self.names.len() as u32);
            self.names.push(Name::Free);
        }
        if matches!(self.names[at], Name::Free) {
            self.free.retain(|free| *free != name);
            self.names[at] = Name::Reserved;
        }
        true
    }
    /// A fresh name that is live at once (`glCreate*`).
    pub fn create(&mut self, object: Arc<T>) -> u32 {
        let name = self.reserve();
        self.names[name as usize] = Name::Live(object);
        name
    }
    /// True when the name was generated and not deleted.
    pub fn is_reserved(&self, name: u32) -> bool {
        !matches!(self.names.get(name as usize), None | Some(Name::Free))
    }
    /// The object, if the name is live.
    pub fn get(&self, name: u32) -> Option<&Arc<T>> {
        match self.names.get(name as usize) {
            Some(Name::Live(object)) => Some(object),
            _ => None,
        }
    }
    /// The object, created by `make` when the name is only reserved; `None` for a name that was never generated.
    pub fn get_or_create(&mut self, name: u32, make: impl FnOnce() -> Arc<T>) -> Option<Arc<T>> {
        let entry = self.names.get_mut(name as usize)?;
        match entry {
            Name::Free => None,
            Name::Live(object) => Some(object.clone()),
            Name::Reserved => {
                let object = make();
                *entry = Name::Live(object.clone());
                Some(object)
            }
        }
    }
    /// Frees the name; the object lives on while something still refers to it.
    pub fn delete(&mut self, name: u32) -> Option<Arc<T>> {
        let entry = self.names.get_mut(name as usize).filter(|_| name != 0)?;
        match std::mem::replace(entry, Name::Free) {
            Name::Free => None,
            Name::Reserved => {
                self.free.push(name);
                None
            }
            Name::Live(object) => {
                self.free.push(name);
                Some(object)
            }
        }
    }
    /// All live objects.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Arc<T>)> {
        self.names.iter().enumerate().filter_map(|(name, entry)| match entry {
            Name::Live(object) => Some((name as u32, object)),
            _ => None,
        })
    }
}
