//! Sampler objects (GL 4.6 §8.2) and the context's cache of sampler states on the server. Must not know textures.

use crate::instance::Instance;
use crate::out::{Lost, Out};
use crate::sampler::params::SamplerParams;
use crate::share::lock;
use mgl_base::Handle;
use mgl_base::handle::SamplerCso;
use mgl_pipe::records::{CreateSamplerState, DeleteSamplerState};
use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use zerocopy::IntoBytes;

/// Sampler states kept on the server per context (spec 01 §3.3).
const CACHE: usize = 256;

/// A sampler object.
#[derive(Debug)]
pub struct Sampler {
    /// GL name.
    pub name: u32,
    params: Mutex<SamplerParams>,
    serial: AtomicU64,
}

impl Sampler {
    /// Initial parameters.
    pub fn new(name: u32) -> Arc<Self> {
        // Serials of sampler objects and textures share the memo's number space; these count from the top.
        Arc::new(Self { name, params: Mutex::new(SamplerParams::new(false)), serial: AtomicU64::new(next_serial()) })
    }
    /// The parameters, locked.
    pub fn params(&self) -> MutexGuard<'_, SamplerParams> {
        lock(&self.params)
    }
    /// Unique number of the present parameters of this object.
    pub fn serial(&self) -> u64 {
        self.serial.load(Ordering::Acquire)
    }
    /// Announces a change.
    pub fn touch(&self) {
        self.serial.store(next_serial(), Ordering::Release);
    }
}

fn next_serial() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

type Key = [u8; size_of::<CreateSamplerState>()];

/// Sampler states of one context by content.
#[derive(Debug, Default)]
pub struct Cache {
    entries: HashMap<Key, (Handle<SamplerCso>, u64)>,
    tick: u64,
    /// Evicted handles and the record that deletes them; their slots return once it is applied.
    retired: VecDeque<(u64, Handle<SamplerCso>)>,
}

impl Cache {
    /// The handle of a state, created on the server when it is new. `key` has no handle.
    pub(crate) fn find(
        &mut self,
        out: &mut Out,
        instance: &Instance,
        key: &CreateSamplerState,
    ) -> Result<Handle<SamplerCso>, Lost> {
        self.tick += 1;
        let mut bytes: Key = [0; size_of::<CreateSamplerState>()];
        bytes.copy_from_slice(key.as_bytes());
        if let Some((handle, used)) = self.entries.get_mut(&bytes) {
            *used = self.tick;
            return Ok(*handle);
        }
        while let Some((seq, handle)) = self.retired.front().copied().filter(|r| r.0 <= out.applied()) {
            let _ = seq;
            instance.release(handle);
            self.retired.pop_front();
        }
        let cso = instance.mint();
        out.push(&CreateSamplerState { cso, ..*key })?;
        self.entries.insert(bytes, (cso, self.tick));
        Ok(cso)
    }
    /// Evicts the least recently found states until `room` more fit. True when something was evicted: whoever
    /// remembers handles must forget them, since a remembered handle was not found through the cache.
    pub(crate) fn make_room(&mut self, out: &mut Out, room: usize) -> Result<bool, Lost> {
        self.keep(out, CACHE.saturating_sub(room))
    }
    /// Evicts every state.
    pub(crate) fn evict_all(&mut self, out: &mut Out) -> Result<bool, Lost> {
        self.keep(out, 0)
    }
    fn keep(&mut self, out: &mut Out, most: usize) -> Result<bool, Lost> {
        let mut evicted = false;
        while self.entries.len() > most {
            let Some((key, cso)) = self.entries.iter().min_by_key(|(_, v)| v.1).map(|(k, v)| (*k, v.0)) else { break };
            self.entries.remove(&key);
            let seq = out.push(&DeleteSamplerState { cso })?;
            self.retired.push_back((seq, cso));
            evicted = true;
        }
        Ok(evicted)
    }
    /// Sampler states alive on the server.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    /// Sampler states on the server.
    pub cache: Cache,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{CACHE, Cache};
    use crate::instance::Instance;
    use crate::out::Out;
    use crate::sampler::params::SamplerParams;
    use mgl_pipe::Record;
    use mgl_pipe::records::{CreateSamplerState, DeleteSamplerState};

    // A program that makes many samplers would create one on the server at every draw, or fill the server.
    #[test]
    fn equal_parameters_share_a_state_and_the_cache_is_bounded() {
        let instance = Instance::detached(Default::default());
        let mut out = Out::recorder(1);
        let mut cache = Cache::default();
        let base = SamplerParams::new(false);
        let a = cache.find(&mut out, &instance, &base.key(true)).expect("alive");
        // A border colour that no wrap mode reads is not another state.
        let same = SamplerParams { border: [1; 4], ..base };
        assert_eq!(cache.find(&mut out, &instance, &same.key(true)).expect("alive"), a);
        for i in 0..CACHE {
            let params = SamplerParams { lod_bias: i as f32 + 1.0, ..base };
            cache.make_room(&mut out, 1).expect("alive");
            cache.find(&mut out, &instance, &params.key(true)).expect("alive");
        }
        assert_eq!(cache.len(), CACHE);
        let records = &out.recorded().expect("recorder").records;
        let count = |op| records.iter().filter(|r| r.op == op).count();
        assert_eq!(count(CreateSamplerState::OP), CACHE + 1);
        assert_eq!(count(DeleteSamplerState::OP), 1);
    }

    // A shadow map would be read as plain depths: every surface lit or none.
    #[test]
    fn a_comparison_is_part_of_the_state() {
        let plain = SamplerParams::new(false);
        let shadow = SamplerParams { compare_mode: crate::tokens::COMPARE_REF_TO_TEXTURE, ..plain };
        assert!(shadow.key(true).compare.get() && !plain.key(true).compare.get());
        assert_ne!(shadow.key(true), plain.key(true));
    }
}
