//! A batch: scenarios of one group that one worker runs on one lane. Several test processes may want results of the same
//! batch; the first one runs it, the others read along.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lane::{LANES, Lane};
use super::parts::Parts;
use super::proof::prove;
use crate::catalog;
use crate::expect::Entry;

/// So many scenarios share a process at most: starting one costs as much as several of them.
const LARGEST: usize = 12;
/// A scenario that says nothing for so long hangs.
const HANG: Duration = Duration::from_secs(60);
/// Between two looks at a file.
const LOOK: Duration = Duration::from_millis(10);

/// Some scenarios of a group on a lane.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where it runs.
    pub lane: Lane,
    /// Unique among the lane's batches.
    pub name: String,
    /// Full names.
    pub scenarios: Vec<String>,
}

/// Every batch of every lane. Scenarios next to each other are in different batches, so that tests run in the order of
/// their names start several workers.
pub fn batches() -> Vec<Batch> {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for scenario in catalog::all() {
        groups.entry(scenario.group).or_default().push(scenario.full_name());
    }
    let mut out = Vec::new();
    for lane in LANES {
        for (group, names) in &groups {
            let parts = names.len().div_ceil(LARGEST);
            out.extend((0..parts).map(|part| Batch {
                lane: *lane,
                name: format!("{group}-{part}"),
                scenarios: names.iter().skip(part).step_by(parts).cloned().collect(),
            }));
        }
    }
    out
}

/// What a worker's lines say so far.
#[derive(Debug, Default)]
struct Said {
    workers: Vec<u32>,
    started: Option<String>,
    entries: BTreeMap<String, Entry>,
}

impl Said {
    fn read(path: &Path) -> Self {
        let mut said = Self::default();
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            // The last line may be half written.
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
            if let Some(pid) = value["process"].as_u64() {
                said.workers.extend(u32::try_from(pid));
            } else if value["start"].is_string() {
                said.started = Some(text("start"));
            } else if value["end"].is_string() {
                said.started = None;
                said.entries.insert(text("end"), Entry { outcome: text("outcome"), note: text("note") });
            }
        }
        said
    }
}

impl Batch {
    fn folder(&self, parts: &Parts) -> PathBuf {
        parts.results.join(self.lane.name()).join(&self.name)
    }

    /// The result of one of its scenarios, run by this process or another, with the proof of its lane.
    ///
    /// # Errors
    /// When it could not be run, or not on this lane.
    pub fn result(&self, parts: &Parts, scenario: &str) -> Result<Entry, String> {
        let folder = self.folder(parts);
        fs::create_dir_all(folder.join("logs")).map_err(|error| format!("{}: {error}", folder.display()))?;
        if self.claim(&folder)? {
            self.run(parts, &folder)?;
        }
        let lines = folder.join("results.jsonl");
        loop {
            let done = folder.join("done").exists() || !owner_lives(&folder);
            let said = Said::read(&lines);
            if let Some(entry) = said.entries.get(scenario) {
                prove(&self.lane, &folder.join("logs"), &said.workers)
                    .map_err(|why| format!("{why}; it {}: {}", entry.outcome, entry.note))?;
                return Ok(entry.clone());
            }
            if done {
                return Err(format!("no result; see {}", folder.display()));
            }
            thread::sleep(LOOK);
        }
    }

    /// True when this process is the one that runs the batch.
    fn claim(&self, folder: &Path) -> Result<bool, String> {
        match OpenOptions::new().write(true).create_new(true).open(folder.join("owner")) {
            Ok(mut file) => {
                write!(file, "{}", std::process::id()).map_err(|error| error.to_string())?;
                Ok(true)
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(format!("{}: {error}", folder.display())),
        }
    }

    /// Runs every scenario; a worker that ends early fails the scenario it was in, and another runs the rest.
    fn run(&self, parts: &Parts, folder: &Path) -> Result<(), String> {
        let (lines, logs) = (folder.join("results.jsonl"), folder.join("logs"));
        let server = self.lane.start(parts, &logs)?;
        loop {
            let said = Said::read(&lines);
            let left: Vec<&String> = self.scenarios.iter().filter(|name| !said.entries.contains_key(*name)).collect();
            if left.is_empty() {
                break;
            }
            let mut command = self.lane.worker(parts, &logs, server.as_ref());
            command.args(&left);
            let how = watch(command, &lines, &folder.join("stderr.log"))?;
            let after = Said::read(&lines);
            let stderr = tail(&folder.join("stderr.log"));
            let failed = match after.started {
                Some(name) => vec![name],
                None if after.entries.len() == said.entries.len() => left.into_iter().cloned().collect(),
                None => Vec::new(),
            };
            append(
                &lines,
                failed.iter().map(
                    |name| json!({ "end": name, "outcome": "failed", "note": format!("the worker {how}\n{stderr}") }),
                ),
            )?;
        }
        fs::write(folder.join("done"), "").map_err(|error| error.to_string())
    }
}

fn append(path: &Path, lines: impl Iterator<Item = Value>) -> Result<(), String> {
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(|error| error.to_string())?;
    // Behind a line that a dying worker did not finish.
    lines
        .map(|line| format!("\n{line}\n"))
        .try_for_each(|line| file.write_all(line.as_bytes()))
        .map_err(|e| e.to_string())
}

fn owner_lives(folder: &Path) -> bool {
    let pid = fs::read_to_string(folder.join("owner")).unwrap_or_default();
    // An empty file: the owner is just writing it.
    pid.is_empty() || Path::new("/proc").join(pid).exists()
}

/// Runs a worker to its end, or to its hang, and says how it ended.
fn watch(mut command: Command, lines: &Path, stderr: &Path) -> Result<String, String> {
    let open = |path: &Path| OpenOptions::new().append(true).create(true).open(path).map_err(|error| error.to_string());
    let (out, err): (File, File) = (open(lines)?, open(stderr)?);
    command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
    let mut child = command.spawn().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let (mut size, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(ended(status));
        }
        let now = fs::metadata(lines).map_or(0, |data| data.len());
        if now != size {
            (size, since) = (now, Instant::now());
        }
        if since.elapsed() > HANG {
            end(&mut child);
            return Ok(format!("said nothing for {} s and was ended", HANG.as_secs()));
        }
        thread::sleep(LOOK);
    }
}

/// Ends a worker and what it started.
fn end(child: &mut Child) {
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
    let _ = child.wait();
}

fn ended(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("was ended by signal {signal}"),
        None => format!("ended with exit code {}", status.code().unwrap_or(-1)),
    }
}

fn tail(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().rev().take(12).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}
