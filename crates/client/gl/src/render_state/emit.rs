//! What this group pushes before a verb, in the fetch order of spec 03 §6: unchanged version, nothing; a known
//! pipeline subset, one bind; a new one, the chunks that differ from the current one. Must not be called from setters.

use super::effective::effective;
use crate::context::Context;
use crate::error::GlResult;
use crate::instance::{Dead, Instance};
use crate::out::Out;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle::RenderStateCso;
use mgl_base::hash::content_hash;
use mgl_pipe::records::{BindRenderState, CreateRenderState, SetDynamicState};
use mgl_pipe::render_state::{
    DYNAMIC_CHUNKS, DynamicState, PIPELINE_CHUNKS, PipelineState, all_chunks, differing_chunks, gather_chunks,
    same_bits,
};
use zerocopy::IntoBytes;

/// Pipeline subsets kept per context (spec 03 §6).
const CACHED: usize = 64;

#[derive(Debug)]
struct Entry {
    hash: u64,
    cso: Handle<RenderStateCso>,
    last_use: u64,
    bytes: PipelineState,
}

/// What the server has been told.
#[derive(Debug, Default)]
pub struct Cache {
    entries: Vec<Entry>,
    current: Option<usize>,
    /// The entry that was current before; programs go back and forth between two.
    previous: usize,
    /// Version of the state that is current on the server, and whether the framebuffer had several samples.
    pipeline_version: u64,
    several_samples: bool,
    sent_dynamic: Option<Box<DynamicState>>,
    dynamic_version: u64,
    clock: u64,
    scratch: Vec<u8>,
    /// Pipeline subsets created so far, for tests and statistics.
    pub(super) minted: u64,
}

impl Cache {
    /// Handles to bury when the context goes.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle<RenderStateCso>> + '_ {
        self.entries.iter().map(|e| e.cso)
    }

    /// True when the entry has these bytes.
    fn holds(&self, index: Option<usize>, wanted: &PipelineState) -> bool {
        index.and_then(|i| self.entries.get(i)).is_some_and(|e| same_bits(&e.bytes, wanted))
    }

    /// The entry with these bytes; a hash match is confirmed by the bytes (spec 10 I14).
    fn find(&self, hash: u64, wanted: &PipelineState) -> Option<usize> {
        self.entries.iter().position(|e| e.hash == hash && same_bits(&e.bytes, wanted))
    }

    /// The entry with these bytes, or their hash.
    fn seek(&self, wanted: &PipelineState) -> Result<usize, u64> {
        if self.holds(Some(self.previous), wanted) {
            return Ok(self.previous);
        }
        let hash = content_hash(wanted.as_bytes());
        self.find(hash, wanted).ok_or(hash)
    }

    /// Room for one more: the entry unused for longest goes, never the current one, which is also the base of the
    /// next delta.
    fn make_room(&mut self, instance: &Instance) {
        if self.entries.len() < CACHED {
            return;
        }
        let current = self.current;
        let aged = self.entries.iter().enumerate().filter(|(i, _)| Some(*i) != current);
        if let Some((oldest, _)) = aged.min_by_key(|(_, e)| e.last_use) {
            let gone = self.entries.swap_remove(oldest);
            if current == Some(self.entries.len()) {
                self.current = Some(oldest);
            }
            instance.bury(Dead::RenderState(gone.cso));
        }
    }

    fn create(&mut self, out: &mut Out, instance: &Instance, hash: u64, wanted: &PipelineState) -> GlResult<usize> {
        self.make_room(instance);
        let cso = instance.mint();
        let base = self.current.and_then(|i| self.entries.get(i));
        let all = all_chunks(PIPELINE_CHUNKS);
        let mask = base.map_or(all, |b| differing_chunks(PIPELINE_CHUNKS, b.bytes.as_bytes(), wanted.as_bytes()));
        let base = base.filter(|_| mask != all).map_or(Handle::NULL, |b| b.cso);
        self.scratch.clear();
        gather_chunks(PIPELINE_CHUNKS, mask, wanted.as_bytes(), &mut self.scratch);
        let blob = out.stage(&self.scratch)?;
        out.push(&CreateRenderState { cso, base, chunk_mask: mask, blob, ..Default::default() })?;
        self.entries.push(Entry { hash, cso, last_use: self.clock, bytes: *wanted });
        self.minted += 1;
        Ok(self.entries.len() - 1)
    }
}

/// Pushes the render-state subsets named in `due`.
pub(crate) fn push(ctx: &mut Context, due: Dirty) -> GlResult {
    if due.intersects(Dirty::PIPELINE | Dirty::DRAW_FRAMEBUFFER) {
        push_pipeline(ctx)?;
    }
    if due.contains(Dirty::DYNAMIC) {
        push_dynamic(ctx)?;
    }
    Ok(())
}

fn push_pipeline(ctx: &mut Context) -> GlResult {
    let samples = ctx.framebuffer.sent[0].as_ref().map_or(1, |f| f.samples);
    let (state, out) = (&mut ctx.render_state, &mut ctx.out);
    let (cache, version) = (&mut state.cache, state.pipeline.version());
    if (cache.pipeline_version, cache.several_samples) == (version, samples > 1) {
        return Ok(());
    }
    let wanted = effective(&state.pipeline, samples);
    if !cache.holds(cache.current, &wanted) {
        cache.clock += 1;
        let index = match cache.seek(&wanted) {
            Ok(index) => index,
            Err(hash) => cache.create(out, &ctx.instance, hash, &wanted)?,
        };
        cache.entries[index].last_use = cache.clock;
        cache.previous = cache.current.unwrap_or(index);
        cache.current = Some(index);
        out.push(&BindRenderState { cso: cache.entries[index].cso })?;
    }
    (cache.pipeline_version, cache.several_samples) = (version, samples > 1);
    Ok(())
}

fn push_dynamic(ctx: &mut Context) -> GlResult {
    let (state, out) = (&mut ctx.render_state, &mut ctx.out);
    let (cache, version) = (&mut state.cache, state.dynamic.version());
    if cache.dynamic_version == version {
        return Ok(());
    }
    let wanted: &DynamicState = &state.dynamic;
    let mask = cache
        .sent_dynamic
        .as_ref()
        .map_or(all_chunks(DYNAMIC_CHUNKS), |s| differing_chunks(DYNAMIC_CHUNKS, s.as_bytes(), wanted.as_bytes()));
    if mask != 0 {
        cache.scratch.clear();
        gather_chunks(DYNAMIC_CHUNKS, mask, wanted.as_bytes(), &mut cache.scratch);
        let blob = out.stage(&cache.scratch)?;
        out.push(&SetDynamicState { chunk_mask: mask, blob, ..Default::default() })?;
        match &mut cache.sent_dynamic {
            Some(sent) => **sent = *wanted,
            none => *none = Some(Box::new(*wanted)),
        }
    }
    cache.dynamic_version = version;
    Ok(())
}

/// Forgets what suppresses records, the pipeline subsets on the server included.
pub(crate) fn forget(ctx: &mut Context) {
    let (state, instance) = (&mut ctx.render_state, &ctx.instance);
    state.cache.handles().for_each(|cso| instance.bury(Dead::RenderState(cso)));
    let cache = &mut state.cache;
    cache.entries.clear();
    (cache.current, cache.sent_dynamic) = (None, None);
    (cache.pipeline_version, cache.dynamic_version) = (!state.pipeline.version(), !state.dynamic.version());
}

impl Context {
    /// Pushes what is dirty of this group, for a command that draws by itself.
    pub(crate) fn push_render_state(&mut self) -> GlResult {
        let due = self.dirty & (Dirty::PIPELINE | Dirty::DYNAMIC);
        if !due.is_empty() {
            push(self, due)?;
            self.dirty.remove(due);
        }
        Ok(())
    }
}

/// The first surface sets viewport and scissor (GL 4.6 §13.6.1, §14.9.2).
pub(crate) fn first_surface(ctx: &mut Context, width: u32, height: u32) {
    ctx.put_dynamic(|b| &mut b.viewports, [[0.0, 0.0, width as f32, height as f32]; 16]);
    ctx.put_dynamic(|b| &mut b.scissors, [[0, 0, width as i32, height as i32]; 16]);
}

#[cfg(test)]
mod tests {
    use super::{Cache, Entry};
    use mgl_base::Handle;
    use mgl_pipe::render_state::PipelineState;

    /// Two states with one hash are two states: taken for one, a program would draw with the blending of another object,
    /// once in a very long time.
    #[test]
    fn a_hash_alone_is_not_identity() {
        let bytes = PipelineState::initial();
        let mut other = bytes;
        other.depth_test = true.into();
        let entry = Entry { hash: 7, cso: Handle::new(1, 1), last_use: 0, bytes };
        let cache = Cache { entries: vec![entry], ..Cache::default() };
        assert_eq!(cache.find(7, &bytes), Some(0));
        assert_eq!(cache.find(7, &other), None);
    }
}
