//! Slot allocation (client) and slot tables (server). Tables keep elements boxed, so growth never moves one (spec 07 D18).

use crate::fault::{Family, Fault};
use crate::handle::{Handle, Kind};
use crate::limits::MAX_SLOTS;

/// Mints handles of one kind: a free list plus a high-water mark; the generation rises only on reuse.
#[derive(Debug)]
pub struct SlotAllocator<K> {
    generations: Vec<u32>,
    free: Vec<u32>,
    kind: core::marker::PhantomData<K>,
}

impl<K: Kind> Default for SlotAllocator<K> {
    fn default() -> Self {
        // Slot 0 is reserved: {0,0} is null and {0,1} the default framebuffer.
        Self { generations: vec![1], free: Vec::new(), kind: core::marker::PhantomData }
    }
}

impl<K: Kind> SlotAllocator<K> {
    /// A new handle, or `None` when all slots of the kind are in use.
    pub fn mint(&mut self) -> Option<Handle<K>> {
        if let Some(slot) = self.free.pop() {
            let generation = self.generations.get_mut(slot as usize)?;
            *generation = generation.wrapping_add(1).max(1);
            return Some(Handle::new(slot, *generation));
        }
        let slot = u32::try_from(self.generations.len()).ok().filter(|s| *s < MAX_SLOTS)?;
        self.generations.push(1);
        Some(Handle::new(slot, 1))
    }

    /// Gives the slot back. Call only after the death record is on the ring (spec 01 §2.3).
    pub fn release(&mut self, handle: Handle<K>) {
        if self.generations.get(handle.slot() as usize) == Some(&handle.generation()) && handle.slot() != 0 {
            self.free.push(handle.slot());
        }
    }
}

#[derive(Debug)]
struct Entry<T> {
    generation: u32,
    value: Option<Box<T>>,
}

/// Objects of one kind by slot, with a generation check on every look-up.
#[derive(Debug)]
pub struct SlotTable<K, T> {
    entries: Vec<Entry<T>>,
    live: usize,
    limit: u32,
    kind: core::marker::PhantomData<K>,
}

impl<K: Kind, T> Default for SlotTable<K, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), live: 0, limit: MAX_SLOTS, kind: core::marker::PhantomData }
    }
}

impl<K: Kind, T> SlotTable<K, T> {
    /// Bounds the slots, and with them the objects and the memory of the table.
    pub fn set_limit(&mut self, limit: u32) {
        self.limit = limit.min(MAX_SLOTS);
    }

    /// Number of live objects.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The object, or `None` when the slot is empty or was reused.
    pub fn get(&self, handle: Handle<K>) -> Option<&T> {
        self.entries.get(handle.slot() as usize).filter(|e| e.generation == handle.generation())?.value.as_deref()
    }

    /// The object for writing.
    pub fn get_mut(&mut self, handle: Handle<K>) -> Option<&mut T> {
        self.entries
            .get_mut(handle.slot() as usize)
            .filter(|e| e.generation == handle.generation())?
            .value
            .as_deref_mut()
    }

    /// The object, or a fault that names `place`.
    pub fn need(&self, handle: Handle<K>, place: &'static str) -> Result<&T, Fault> {
        self.get(handle).ok_or_else(|| dead(handle, place))
    }

    /// The object for writing, or a fault that names `place`.
    pub fn need_mut(&mut self, handle: Handle<K>, place: &'static str) -> Result<&mut T, Fault> {
        self.get_mut(handle).ok_or_else(|| dead(handle, place))
    }

    /// Stores `value` and returns what the same handle held before. The slot is bounded before the table
    /// grows; a backward generation is refused (spec 01 §2.2, §2.3).
    pub fn insert(&mut self, handle: Handle<K>, value: T, place: &'static str) -> Result<Option<Box<T>>, Fault> {
        if handle.slot() >= self.limit && handle.slot() < MAX_SLOTS {
            let detail = format!("{place}: budget of {} objects of a kind", self.limit);
            return Err(Fault::new(Family::ResourceUnavailable, detail));
        }
        if handle.slot() >= self.limit || handle.generation() == 0 {
            return Err(Fault::corrupt(format!("{place}: slot {handle:?} out of range")));
        }
        let index = handle.slot() as usize;
        if index >= self.entries.len() {
            self.entries.resize_with(index + 1, || Entry { generation: 0, value: None });
        }
        let Some(entry) = self.entries.get_mut(index) else {
            return Err(Fault::corrupt(place));
        };
        if handle.generation() < entry.generation {
            return Err(Fault::corrupt(format!("{place}: backward generation {handle:?}")));
        }
        entry.generation = handle.generation();
        let old = entry.value.replace(Box::new(value));
        self.live += usize::from(old.is_none());
        Ok(old)
    }

    /// Takes the object out; a stale handle yields `None`.
    pub fn remove(&mut self, handle: Handle<K>) -> Option<Box<T>> {
        let entry = self.entries.get_mut(handle.slot() as usize).filter(|e| e.generation == handle.generation())?;
        let old = entry.value.take();
        self.live -= usize::from(old.is_some());
        old
    }

    /// All live objects with their handles.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<K>, &T)> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(slot, e)| e.value.as_deref().map(|v| (Handle::new(slot as u32, e.generation), v)))
    }

    /// All live objects for writing.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<K>, &mut T)> {
        self.entries.iter_mut().enumerate().filter_map(|(slot, e)| {
            let generation = e.generation;
            e.value.as_deref_mut().map(|v| (Handle::new(slot as u32, generation), v))
        })
    }
}

fn dead<K: Kind>(handle: Handle<K>, place: &'static str) -> Fault {
    Fault::corrupt(format!("{place}: no live object {handle:?}"))
}

#[cfg(test)]
mod tests {
    use super::{SlotAllocator, SlotTable};
    use crate::handle::{Buffer, Handle};

    /// A recycled slot must never reach the object that used it before: a program would read another buffer.
    #[test]
    fn recycled_slot_has_a_new_generation() {
        let mut alloc = SlotAllocator::<Buffer>::default();
        let mut table = SlotTable::<Buffer, u32>::default();
        let first = alloc.mint().unwrap();
        table.insert(first, 1, "t").unwrap();
        table.remove(first);
        alloc.release(first);
        let second = alloc.mint().unwrap();
        assert_eq!(first.slot(), second.slot());
        assert_ne!(first, second);
        table.insert(second, 2, "t").unwrap();
        assert_eq!(table.get(first), None);
        assert_eq!(table.get(second), Some(&2));
        assert!(table.insert(first, 3, "t").is_err());
    }

    /// A program that makes objects without end must be stopped by the name of the limit, before the server's memory is.
    #[test]
    fn objects_are_bounded_by_a_budget() {
        let mut table = SlotTable::<Buffer, u32>::default();
        table.set_limit(3);
        assert!(table.insert(Handle::new(2, 1), 1, "t").is_ok());
        let fault = table.insert(Handle::new(3, 1), 1, "t").unwrap_err();
        assert_eq!(fault.family, crate::Family::ResourceUnavailable);
        assert!(fault.detail.contains("budget of 3"), "{fault}");
    }

    /// A hostile slot number must not make the server allocate a table of that size.
    #[test]
    fn slot_is_bounded_before_growth() {
        let mut table = SlotTable::<Buffer, u32>::default();
        assert!(table.insert(Handle::new(u32::MAX, 1), 1, "t").is_err());
        assert_eq!(table.live(), 0);
    }
}
