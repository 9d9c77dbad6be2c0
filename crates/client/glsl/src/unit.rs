//! One compiled shader object.
//! Must not know programs: what several shaders mean together is decided by [`link`](crate::link()).

use std::sync::{Arc, OnceLock};

use crate::archive::Stage;
use crate::cache::DiskCache;
use crate::frontend::{self, FrontEnd, StageCode};
use crate::options::CompileOptions;

/// The outcome of `glCompileShader`.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// `GL_COMPILE_STATUS`.
    pub ok: bool,
    /// `GL_INFO_LOG`, with the program's own line numbers.
    pub log: String,
    /// What a program links; linking a unit whose `ok` is false fails.
    pub unit: Arc<Unit>,
}

/// One compiled shader. Immutable, shared between programs and threads.
#[derive(Debug)]
pub struct Unit {
    pub(crate) stage: Stage,
    pub(crate) source: Arc<str>,
    pub(crate) options: CompileOptions,
    pub(crate) ok: bool,
    /// Result of linking this shader alone, made on first use: the usual program has one shader per stage.
    pub(crate) alone: OnceLock<Result<Arc<StageCode>, String>>,
}

impl Unit {
    /// The unit's stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }
    /// Whether it compiled.
    pub fn ok(&self) -> bool {
        self.ok
    }
    /// The text it was compiled from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// SPIR-V of the stage when this is its only shader.
    pub(crate) fn alone(&self, front: &dyn FrontEnd) -> Result<Arc<StageCode>, String> {
        self.alone.get_or_init(|| front.link_stage(self.stage, &[self]).map(Arc::new)).clone()
    }
}

/// Compiles `source` for `stage` (`glCompileShader`). Never fails otherwise than by `ok == false`.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> Compiled {
    let front = frontend::current();
    let checked = front.check(stage, source, options);
    let alone = OnceLock::new();
    if let Some(code) = checked.alone {
        // The cell is new, so setting it cannot fail.
        let _ = alone.set(code.map(Arc::new));
    }
    let unit = Unit { stage, source: Arc::from(source), options: options.clone(), ok: checked.ok, alone };
    Compiled { ok: checked.ok, log: checked.log, unit: Arc::new(unit) }
}

/// What a compile leaves in the cache: the verdict. Code is made again when a link is not in the cache.
#[derive(serde::Serialize, serde::Deserialize)]
struct Verdict {
    ok: bool,
    log: String,
}

/// Compiles `source`, answering from `cache` when it has seen this very text: a warm start parses nothing.
pub fn compile_cached(cache: &DiskCache, stage: Stage, source: &str, options: &CompileOptions) -> Compiled {
    let key = DiskCache::unit_key(stage, source, options);
    if let Some(known) = cache.load_bytes(key).and_then(|bytes| postcard::from_bytes::<Verdict>(&bytes).ok()) {
        let (ok, options) = (known.ok, options.clone());
        let unit = Unit { stage, source: Arc::from(source), options, ok, alone: OnceLock::new() };
        return Compiled { ok, log: known.log, unit: Arc::new(unit) };
    }
    let compiled = compile(stage, source, options);
    let verdict = Verdict { ok: compiled.ok, log: compiled.log.clone() };
    if let Ok(bytes) = postcard::to_allocvec(&verdict) {
        cache.store_bytes(key, &bytes);
    }
    compiled
}
