//! A directory of entries by content key. A missing, foreign or damaged entry is a miss, and a failing disk is silence.
//! Must not know what is stored: the keys and the entries' form are in `cached`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"MGLSLC01";
/// Entries larger than this are neither written nor read.
const MAX_ENTRY: u64 = 64 << 20;
/// The directory is cut back to three quarters of this when it grows past it.
const MAX_TOTAL: u64 = 512 << 20;
/// How many entries are written between two looks at the directory's size.
const TRIM_EVERY: u32 = 256;

/// A directory of compiled shaders and linked programs.
#[derive(Clone, Debug, Default)]
pub struct DiskCache {
    dir: Option<PathBuf>,
}

impl DiskCache {
    /// `shaders` in [`mgl_base::folders::cache`]. `MOBILEGL_SHADER_CACHE=0` turns it off.
    pub fn from_env() -> Self {
        if std::env::var_os("MOBILEGL_SHADER_CACHE").is_some_and(|v| v == "0") {
            return Self::disabled();
        }
        Self { dir: mgl_base::folders::cache().map(|d| d.join("shaders")) }
    }

    /// A cache in `dir`.
    pub fn at(dir: &Path) -> Self {
        Self { dir: Some(dir.to_owned()) }
    }

    /// A cache that holds nothing.
    pub fn disabled() -> Self {
        Self { dir: None }
    }

    fn path(&self, key: u128) -> Option<PathBuf> {
        let name = format!("{key:032x}");
        self.dir.as_ref().map(|d| d.join(&name[..2]).join(&name[2..]))
    }

    /// The bytes under `key`, when they are what was stored.
    pub(crate) fn load_bytes(&self, key: u128) -> Option<Vec<u8>> {
        let path = self.path(key)?;
        if std::fs::metadata(&path).ok()?.len() > MAX_ENTRY {
            return None;
        }
        let bytes = std::fs::read(&path).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (stored_key, rest) = rest.split_first_chunk::<16>()?;
        let (hash, body) = rest.split_first_chunk::<8>()?;
        let same = u128::from_le_bytes(*stored_key) == key && u64::from_le_bytes(*hash) == xxh3_64(body);
        same.then(|| body.to_vec())
    }

    /// Stores `body` under `key`: written beside and renamed, so that a reader never sees half an entry.
    pub(crate) fn store_bytes(&self, key: u128, body: &[u8]) {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let Some(path) = self.path(key).filter(|_| body.len() as u64 <= MAX_ENTRY) else { return };
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&xxh3_64(body).to_le_bytes());
        bytes.extend_from_slice(body);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let scratch = path.with_extension(format!("{}-{serial}.part", std::process::id()));
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&scratch, &bytes))
            .and_then(|()| std::fs::rename(&scratch, &path));
        if let Err(error) = written {
            // The scratch file may not exist; a full or read-only disk is the user's normal state, not an error.
            let _ = std::fs::remove_file(&scratch);
            tracing::debug!(%error, "shader cache entry not written");
        }
        if serial % TRIM_EVERY == TRIM_EVERY - 1 {
            self.trim(MAX_TOTAL);
        }
    }

    /// Removes the oldest entries when all together exceed `limit` bytes.
    fn trim(&self, limit: u64) {
        let Some(dir) = &self.dir else { return };
        let subfolders = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let files = subfolders.flat_map(|d| std::fs::read_dir(d.path()).into_iter().flatten().flatten());
        let mut all: Vec<(SystemTime, u64, PathBuf)> = files
            .filter_map(|f| {
                let data = f.metadata().ok()?;
                Some((data.modified().ok()?, data.len(), f.path()))
            })
            .collect();
        let mut total: u64 = all.iter().map(|(_, size, _)| size).sum();
        if total <= limit {
            return;
        }
        all.sort();
        for (_, size, path) in all {
            if total <= limit / 4 * 3 {
                return;
            }
            // Another process may have removed it first.
            let _ = std::fs::remove_file(path);
            total = total.saturating_sub(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DiskCache;

    /// A cache that only grows fills a phone.
    #[test]
    fn old_entries_go() {
        let dir = std::env::temp_dir().join(format!("mgl-glsl-trim-{}", std::process::id()));
        let cache = DiskCache::at(&dir);
        for key in 0..8u128 {
            cache.store_bytes(key << 120, &[0; 1000]);
        }
        cache.trim(4000);
        let left = (0..8u128).filter(|key| cache.load_bytes(key << 120).is_some()).count();
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(left, 2);
    }
}
