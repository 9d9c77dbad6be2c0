//! Compiles and links that ask the disk first. An entry's key holds everything that its content depends on: shader texts,
//! options, request and the version of this crate.
//! Must not change results: with an empty cache every function here does what its plain sibling does.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::archive::Stage;
use crate::cache::DiskCache;
use crate::link::{LinkFailure, LinkRequest, Linked, StagePart, binary_version, compose, link};
use crate::options::CompileOptions;
use crate::unit::{Compiled, Unit, compile};

/// What a compile leaves in the cache: the verdict. Code is made again when a link is not in the cache.
#[derive(Serialize, Deserialize)]
struct Verdict {
    ok: bool,
    log: String,
}

impl DiskCache {
    /// The key of a program: everything that its link depends on.
    pub fn key(units: &[Arc<Unit>], request: &LinkRequest) -> u128 {
        let mut text = format!("{:x}\0{request:?}\0", binary_version());
        for unit in units {
            text.push_str(&format!("{:?}\0{:?}\0{}\0", unit.stage, unit.options, unit.source.len()));
            text.push_str(&unit.source);
        }
        xxh3_128(text.as_bytes())
    }

    /// The program with `key`, if the cache holds it undamaged.
    pub fn load(&self, key: u128) -> Option<Linked> {
        Linked::from_bytes(&self.load_bytes(key)?)
    }

    /// Remembers `linked` under `key`.
    pub fn store(&self, key: u128, linked: &Linked) {
        self.store_bytes(key, &linked.to_bytes());
    }
}

/// The key of one shader's compile.
fn unit_key(stage: Stage, source: &str, options: &CompileOptions) -> u128 {
    xxh3_128(format!("{:x}\0{stage:?}\0{options:?}\0{source}", binary_version()).as_bytes())
}

/// Compiles `source`, answering from `cache` when it has seen this very text: a warm start parses nothing.
pub fn compile_cached(cache: &DiskCache, stage: Stage, source: &str, options: &CompileOptions) -> Compiled {
    let key = unit_key(stage, source, options);
    if let Some(known) = cache.load_bytes(key).and_then(|bytes| postcard::from_bytes::<Verdict>(&bytes).ok()) {
        let unit = Unit::known(stage, source, options, known.ok);
        return Compiled { ok: known.ok, log: known.log, unit: Arc::new(unit) };
    }
    let compiled = compile(stage, source, options);
    let verdict = Verdict { ok: compiled.ok, log: compiled.log.clone() };
    if let Ok(bytes) = postcard::to_allocvec(&verdict) {
        cache.store_bytes(key, &bytes);
    }
    compiled
}

/// Links `units`, answering from `cache` when it has this very program. Failures are not cached.
pub fn link_cached(cache: &DiskCache, units: &[Arc<Unit>], request: &LinkRequest) -> Result<Linked, LinkFailure> {
    let key = DiskCache::key(units, request);
    if let Some(linked) = cache.load(key) {
        return Ok(linked);
    }
    let linked = link(units, request)?;
    cache.store(key, &linked);
    Ok(linked)
}

/// Links a composite, answering from `cache` when it has seen these very stages together.
pub fn compose_cached(
    cache: &DiskCache,
    parts: &[(u32, &StagePart)],
    request: &LinkRequest,
) -> Result<Linked, LinkFailure> {
    let stages = postcard::to_allocvec(parts).unwrap_or_default();
    let mut text = format!("{:x}\0{request:?}\0composite\0", binary_version()).into_bytes();
    text.extend(stages);
    let key = xxh3_128(&text);
    if let Some(linked) = cache.load(key) {
        return Ok(linked);
    }
    let linked = compose(parts, request)?;
    cache.store(key, &linked);
    Ok(linked)
}
