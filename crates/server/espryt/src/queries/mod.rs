//! Queries. OpenGL ES counts less than GL: what it does not count is refused by name when the query is made. Must not know
//! draws.

mod samples;

use crate::core::Core;
use crate::raw::consts as c;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Query;
use mgl_base::slots::SlotTable;
use mgl_pipe::tokens::QueryKind;
use samples::Counter;

#[derive(Debug)]
struct Entry {
    name: u32,
    target: u32,
    kind: QueryKind,
    /// It was ended at least once.
    ended: bool,
    /// Its last result was not read.
    unread: bool,
    running: bool,
    /// Of `SamplesPassed`.
    counter: Option<Counter>,
}

/// Queries of a session.
#[derive(Default)]
pub struct Queries {
    table: SlotTable<Query, Entry>,
    /// Running query by target: ES has one per target, whatever the context of GL.
    running: Vec<(u32, Handle<Query>)>,
    /// Store of the running count.
    counting: Option<u32>,
    /// Every draw of the running count was counted exactly.
    pub exact: bool,
}

/// Driver target of a kind, or the name of what is missing.
fn target(core: &Core, kind: QueryKind) -> Result<u32, &'static str> {
    let f = core.features();
    Ok(match kind {
        // ES says whether samples passed, not how many: a counter in the fragment stage says that.
        QueryKind::SamplesPassed | QueryKind::AnySamplesPassed => c::ANY_SAMPLES_PASSED,
        QueryKind::AnySamplesPassedConservative => c::ANY_SAMPLES_PASSED_CONSERVATIVE,
        QueryKind::PrimitivesGenerated if f.geometry_shader => c::PRIMITIVES_GENERATED,
        QueryKind::XfbPrimitivesWritten => c::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
        QueryKind::TimeElapsed if f.timer_query => c::TIME_ELAPSED,
        QueryKind::Timestamp if f.timer_query => c::TIMESTAMP,
        QueryKind::PrimitivesGenerated => return Err("PrimitivesGeneratedQuery"),
        QueryKind::TimeElapsed | QueryKind::Timestamp => return Err("TimerQuery"),
        QueryKind::XfbOverflow | QueryKind::XfbStreamOverflow => return Err("TransformFeedbackOverflowQuery"),
        _ => return Err("PipelineStatisticsQuery"),
    })
}

impl Queries {
    /// New query.
    pub fn create(&mut self, core: &mut Core, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome {
        if stream != 0 {
            return Err(Refusal::Unsupported("GeometryStreams"));
        }
        let target = target(core, kind).map_err(Refusal::Unsupported)?;
        let counter = (kind == QueryKind::SamplesPassed && core.features().shader_storage).then(|| Counter::new(core));
        let entry =
            Entry { name: core.gl().new_query(), target, kind, ended: false, unread: false, running: false, counter };
        let old = self.table.insert(query, entry, "espryt.query").map_err(|f| Refusal::Driver(f.to_string()))?;
        if let Some(old) = old {
            drop_entry(core, *old);
        }
        Ok(())
    }

    /// `glBeginQuery`.
    pub fn begin(&mut self, core: &mut Core, query: Handle<Query>) -> Outcome {
        let entry = self.table.get_mut(query).ok_or(Refusal::Unsupported("UnknownQuery"))?;
        if self.running.iter().any(|(t, _)| *t == entry.target) {
            return Err(Refusal::Unsupported("ConcurrentQueries"));
        }
        if entry.unread {
            // llvmpipe resets the counters of a query that its rasterizer still adds to; other drivers may wait.
            core.gl().drop_query(entry.name);
            entry.name = core.gl().new_query();
            entry.unread = false;
        }
        core.gl().begin_query(entry.target, entry.name);
        entry.running = true;
        if entry.kind == QueryKind::SamplesPassed {
            self.exact = true;
            self.counting = entry.counter.as_mut().map(|counter| counter.begin(core));
        }
        self.running.push((entry.target, query));
        Ok(())
    }

    /// `glEndQuery`.
    pub fn end(&mut self, core: &mut Core, query: Handle<Query>) -> Outcome {
        let entry = self.table.get_mut(query).ok_or(Refusal::Unsupported("UnknownQuery"))?;
        if !entry.running {
            return Ok(());
        }
        core.gl().end_query(entry.target);
        entry.running = false;
        (entry.ended, entry.unread) = (true, true);
        if entry.kind == QueryKind::SamplesPassed {
            self.counting = None;
            if !self.exact {
                tracing::debug!(
                    "SamplesPassedInexact: a draw's samples could not be counted; what is visible counts 1"
                );
            }
        }
        self.running.retain(|(_, q)| *q != query);
        core.issued();
        Ok(())
    }

    /// True while primitives are counted.
    pub fn counts_primitives(&self) -> bool {
        self.running.iter().any(|(target, _)| *target == c::PRIMITIVES_GENERATED)
    }

    /// True while captured primitives are counted.
    pub fn counts_captured(&self) -> bool {
        self.running.iter().any(|(target, _)| *target == c::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN)
    }

    /// True while samples are counted.
    #[inline]
    pub fn counting(&self) -> bool {
        self.counting.is_some()
    }

    /// Binds the running count's store for the shaders.
    #[inline]
    pub fn bind_counter(&self, core: &mut Core, point: u32) {
        if let Some(name) = self.counting {
            samples::bind(core, point, name);
        }
    }

    /// `glQueryCounter`.
    pub fn counter(&mut self, core: &mut Core, query: Handle<Query>) -> Outcome {
        let entry = self.table.get_mut(query).ok_or(Refusal::Unsupported("UnknownQuery"))?;
        core.gl().query_counter(entry.name, c::TIMESTAMP);
        entry.ended = true;
        core.issued();
        Ok(())
    }

    /// The result; `None` while pending.
    pub fn result(&mut self, core: &mut Core, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>> {
        let entry = self.table.get_mut(query).ok_or(Refusal::Unsupported("UnknownQuery"))?;
        if !entry.ended {
            return Ok(Some(0));
        }
        let gl = core.gl();
        if !wait && gl.query_value(entry.name, c::QUERY_RESULT_AVAILABLE) == 0 {
            // What was not handed to the GPU is never available.
            gl.flush();
            return Ok(None);
        }
        entry.unread = false;
        let (name, kind) = (entry.name, entry.kind);
        let counter = entry.counter.as_ref().map(Counter::store);
        let value = match kind {
            QueryKind::TimeElapsed | QueryKind::Timestamp => gl.query_value_64(name, c::QUERY_RESULT),
            _ => u64::from(gl.query_value(name, c::QUERY_RESULT)),
        };
        // What was not counted but passed is at least one sample: visibility is always right.
        Ok(Some(match counter {
            Some(store) => samples::read(core, store).max(value),
            None => value,
        }))
    }

    /// Death of a query.
    pub fn destroy(&mut self, core: &mut Core, query: Handle<Query>) {
        self.end(core, query).ok();
        if let Some(entry) = self.table.remove(query) {
            drop_entry(core, *entry);
        }
    }

    /// GPU time now.
    pub fn now(&mut self, core: &mut Core) -> Outcome<u64> {
        if !core.features().timer_query {
            return Err(Refusal::Unsupported("TimerQuery"));
        }
        Ok(core.gl().int_64(c::TIMESTAMP).max(0).cast_unsigned())
    }

    /// The session ends; the driver's names go with its context.
    pub fn close(&mut self, core: &mut Core) {
        for (target, _) in self.running.drain(..) {
            core.gl().end_query(target);
        }
    }
}

fn drop_entry(core: &mut Core, entry: Entry) {
    core.gl().drop_query(entry.name);
    if let Some(counter) = entry.counter {
        counter.drop_store(core);
    }
}
