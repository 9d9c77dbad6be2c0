//! The proof, from the servers' own logs, of where scenarios ran (spec 06 §9). Must not trust what the worker says
//! about its lane: it only says its process id.

use std::fs;
use std::path::Path;

use super::lane::Lane;

/// What a server wrote about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its process.
    pub pid: u32,
    /// How its client reaches it.
    pub transport: String,
    /// What draws.
    pub backend: String,
}

/// The first line of each session in a log: `server pid=… transport=… backend=…`.
fn words(text: &str) -> Vec<Word> {
    let field = |line: &str, key: &str| {
        let mut parts = line.split_whitespace();
        parts.find_map(|part| part.strip_prefix(key).map(str::to_owned))
    };
    let word = |line: &str| {
        let line = line.strip_prefix("server pid=").map(|rest| format!("pid={rest}"))?;
        Some(Word {
            pid: field(&line, "pid=")?.parse().ok()?,
            transport: field(&line, "transport=")?,
            backend: field(&line, "backend=")?,
        })
    };
    text.lines().filter_map(word).collect()
}

/// Requires that the logs in the folder prove the lane for these workers: each of them was served, on this transport and
/// backend, by its own process on the embedded lanes and by another on all others.
///
/// # Errors
/// What shows that it was not so.
pub fn prove(lane: &Lane, logs: &Path, workers: &[u32]) -> Result<Vec<Word>, String> {
    let mut seen = Vec::new();
    for entry in fs::read_dir(logs).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid: Option<u32> =
            name.strip_prefix("server-").and_then(|rest| rest.strip_suffix(".log")).and_then(|pid| pid.parse().ok());
        let found = words(&fs::read_to_string(entry.path()).unwrap_or_default());
        match pid {
            Some(pid) if found.iter().all(|word| word.pid == pid) => seen.extend(found),
            Some(_) => return Err(format!("{name} speaks of another process: {found:?}")),
            None => {}
        }
    }
    judge(lane, &seen, workers)?;
    Ok(seen)
}

fn judge(lane: &Lane, seen: &[Word], workers: &[u32]) -> Result<(), String> {
    let wrong = seen.iter().find(|word| {
        let own = workers.contains(&word.pid);
        word.transport != lane.transport || word.backend != lane.backend || own != lane.is_embedded()
    });
    if let Some(word) = wrong {
        return Err(format!("not on {}: the server says {word:?}; the workers are {workers:?}", lane.name()));
    }
    if workers.is_empty() || seen.len() < workers.len() {
        return Err(format!("no server's log proves {} for each of the workers {workers:?}: {seen:?}", lane.name()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Lane, judge, words};

    const SPAWN: Lane = Lane { backend: "magma", transport: "spawn" };
    const INPROC: Lane = Lane { backend: "magma", transport: "inproc" };

    /// If this fails, a lane that silently ran another transport or backend, or in the wrong process, is green.
    #[test]
    fn only_the_right_servers_word_is_proof() {
        let spawn = words("server pid=7 transport=spawn backend=magma\nsession end: Farewell\n");
        assert!(judge(&SPAWN, &spawn, &[5]).is_ok());
        assert!(judge(&SPAWN, &spawn, &[7]).is_err(), "its own process");
        assert!(judge(&SPAWN, &spawn, &[5, 6]).is_err(), "one worker without a server");
        assert!(judge(&SPAWN, &[], &[5]).is_err(), "no word at all");
        assert!(judge(&INPROC, &spawn, &[7]).is_err(), "another transport");
        let inproc = words("server pid=7 transport=inproc backend=magma");
        assert!(judge(&INPROC, &inproc, &[7]).is_ok());
        assert!(judge(&INPROC, &inproc, &[8]).is_err(), "another process");
        assert!(judge(&Lane { backend: "espryt", ..INPROC }, &inproc, &[7]).is_err(), "another backend");
    }
}
