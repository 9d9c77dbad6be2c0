//! Attribute layouts by content: a layout that was seen before costs one bind. Must not know buffers.

use super::state::Vao;
use crate::error::GlResult;
use crate::instance::{Dead, Instance};
use crate::out::Out;
use mgl_base::Handle;
use mgl_base::handle::VertexElementsCso;
use mgl_base::hash::content_hash;
use mgl_pipe::Bool8;
use mgl_pipe::records::{CreateVertexElements, VertexAttrib, VertexBinding};
use std::collections::HashMap;
use zerocopy::IntoBytes;

/// Layouts kept per context.
const CACHED: usize = 1024;

#[derive(Debug)]
struct Entry {
    hash: u64,
    cso: Handle<VertexElementsCso>,
    last_use: u64,
    attribs: Vec<VertexAttrib>,
    bindings: Vec<VertexBinding>,
}

/// The cache of one context.
#[derive(Debug, Default)]
pub struct Layouts {
    entries: Vec<Entry>,
    by_hash: HashMap<u64, usize>,
    clock: u64,
    attribs: Vec<VertexAttrib>,
    bindings: Vec<VertexBinding>,
}

impl Layouts {
    /// Handles to bury when the context goes.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle<VertexElementsCso>> + '_ {
        self.entries.iter().map(|e| e.cso)
    }

    /// The layout of `vao`, created on the server when it is new.
    pub(super) fn resolve(
        &mut self,
        out: &mut Out,
        instance: &Instance,
        vao: &mut Vao,
    ) -> GlResult<Handle<VertexElementsCso>> {
        self.clock += 1;
        // The array remembers its place; eviction may have given the place to another layout.
        let remembered = vao.layout.filter(|(i, cso)| self.entries.get(*i).is_some_and(|e| e.cso == *cso));
        let index = match remembered {
            Some((index, _)) => index,
            None => self.find_or_create(out, instance, vao)?,
        };
        let entry = &mut self.entries[index];
        entry.last_use = self.clock;
        vao.layout = Some((index, entry.cso));
        Ok(entry.cso)
    }

    /// Gives every layout up.
    pub(super) fn forget(&mut self, instance: &Instance) {
        self.handles().for_each(|cso| instance.bury(Dead::VertexElements(cso)));
        self.entries.clear();
        self.by_hash.clear();
    }

    fn find_or_create(&mut self, out: &mut Out, instance: &Instance, vao: &Vao) -> GlResult<usize> {
        self.describe(vao);
        let hash = content_hash(self.attribs.as_bytes()) ^ content_hash(self.bindings.as_bytes()).rotate_left(1);
        let known = self.by_hash.get(&hash).copied();
        if let Some(index) = known {
            let e = &self.entries[index];
            if e.attribs == self.attribs && e.bindings == self.bindings {
                return Ok(index);
            }
        }
        let cso = instance.mint();
        let (attrib_count, binding_count) = (self.attribs.len() as u32, self.bindings.len() as u32);
        let head = CreateVertexElements { cso, attrib_count, binding_count };
        out.push_with(&head, [self.attribs.as_bytes(), self.bindings.as_bytes(), &[]])?;
        let entry =
            Entry { hash, cso, last_use: self.clock, attribs: self.attribs.clone(), bindings: self.bindings.clone() };
        let index = self.place(instance, known, entry);
        self.by_hash.insert(hash, index);
        Ok(index)
    }

    /// Puts an entry where another of the same hash was, at the end, or where the oldest was.
    fn place(&mut self, instance: &Instance, taken: Option<usize>, entry: Entry) -> usize {
        let oldest = || self.entries.iter().enumerate().min_by_key(|(_, e)| e.last_use).map(|(i, _)| i);
        let at = taken.or_else(|| if self.entries.len() < CACHED { None } else { oldest() });
        let Some(at) = at else {
            self.entries.push(entry);
            return self.entries.len() - 1;
        };
        let gone = std::mem::replace(&mut self.entries[at], entry);
        self.by_hash.remove(&gone.hash);
        instance.bury(Dead::VertexElements(gone.cso));
        at
    }

    fn describe(&mut self, vao: &Vao) {
        self.attribs.clear();
        self.bindings.clear();
        let mut used = 0u32;
        for (location, attrib) in vao.enabled_attribs() {
            let f = &attrib.format;
            used |= 1 << attrib.binding;
            self.attribs.push(VertexAttrib {
                location: location as u8,
                binding: attrib.binding,
                components: f.components,
                normalized: Bool8::new(f.normalized),
                ty: f.ty,
                integer: Bool8::new(f.integer),
                long: Bool8::new(f.long),
                bgra: Bool8::new(f.bgra),
                offset: f.relative_offset,
                ..Default::default()
            });
        }
        for (i, binding) in vao.bindings.iter().enumerate().filter(|(i, _)| used & (1 << i) != 0) {
            let (stride, divisor) = (binding.stride, binding.divisor);
            self.bindings.push(VertexBinding { binding: i as u32, stride, divisor, ..Default::default() });
        }
    }
}
