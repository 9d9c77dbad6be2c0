//! The switches of both roles (spec 13 §1). Must not be read per record: every value is taken once at set-up.

use crate::error::LinkError;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

/// What a switch may be set to.
#[derive(Clone, Copy)]
enum Values {
    /// A number from the first to the second.
    Number(u64, u64),
    /// One of these words.
    Words(&'static [&'static str]),
}

const ANY: Values = Values::Number(0, u64::MAX);
const SWITCH: Values = Values::Words(&["0", "1"]);

/// Everything that is a number or a word, whoever reads it: what cannot be is refused in one place, before anything starts,
/// and readers need not tell a wrong value from an absent one.
const KNOWN: [(&str, Values); 35] = [
    ("MOBILEGL_IPC_ADOPT_TIER", Values::Words(&["0", "2"])),
    ("MOBILEGL_IPC_AUDIT", SWITCH),
    ("MOBILEGL_IPC_AUTH_BACKOFF_AFTER", Values::Number(0, 1000)),
    ("MOBILEGL_IPC_AUTH_BACKOFF_MS", ANY),
    ("MOBILEGL_IPC_CACHE_MB", Values::Number(0, 4096)),
    ("MOBILEGL_IPC_EVENT_WAIT_MS", ANY),
    ("MOBILEGL_IPC_HANDSHAKE_MS", Values::Number(1, 3_600_000)),
    ("MOBILEGL_IPC_PREAUTH_MAX", Values::Number(1, 256)),
    ("MOBILEGL_IPC_PREAUTH_MS", ANY),
    ("MOBILEGL_IPC_PRESENT_CREDIT", Values::Number(1, 8)),
    ("MOBILEGL_IPC_REQUIRE_SAME_BUILD", SWITCH),
    ("MOBILEGL_IPC_RING_MB", Values::Number(1, 1024)),
    ("MOBILEGL_IPC_SPIN_US", Values::Number(0, 100_000)),
    ("MOBILEGL_IPC_STAGE_MB", Values::Number(1, 4096)),
    ("MOBILEGL_FAIL_ALLOCATION", ANY),
    ("MOBILEGL_FAIL_ALLOCATION_COUNT", ANY),
    ("MOBILEGL_FAIL_SEGMENT", ANY),
    ("MOBILEGL_GPU_TIMEOUT_S", Values::Number(0, 86_400)),
    ("MOBILEGL_SESSION_LINK_MB", ANY),
    ("MOBILEGL_SESSION_MEMORY_MB", ANY),
    ("MOBILEGL_SESSION_OBJECTS", Values::Number(1, u32::MAX as u64)),
    ("MOBILEGL_PIPE_COLD", SWITCH),
    ("MOBILEGL_PIPE_PERSISTENT_MPROTECT", SWITCH),
    ("MOBILEGL_PIPE_POISON", SWITCH),
    ("MOBILEGL_PIPE_STATS", SWITCH),
    ("MOBILEGL_PIPE_VERIFY", SWITCH),
    ("MOBILEGL_PIPELINE_CACHE", SWITCH),
    ("MOBILEGL_SHADER_CACHE", SWITCH),
    ("MOBILEGL_GL_VERSION", Values::Words(&["3.3", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6"])),
    ("MOBILEGL_LEGACY_CONTEXT", Values::Words(&["core"])),
    ("MOBILEGL_PRESENT", Values::Words(&["auto", "shm-pixmap", "shm-present", "shm", "put-present", "put"])),
    ("MOBILEGL_SANDBOX", Values::Words(&["auto", "off", "strict"])),
    ("MOBILEGL_VK_VALIDATION", Values::Words(&["0", "1", "sync"])),
    ("MOBILEGL_ES_DEBUG", SWITCH),
    ("MOBILEGL_ES_VERSION", Values::Words(&["3.0", "3.1", "3.2"])),
];

/// Refuses the first switch of the environment that is set to what it cannot be. An empty one counts as not set.
///
/// # Errors
/// [`LinkError::Setting`] with the name and what may be said.
pub fn check() -> Result<(), LinkError> {
    std::env::vars_os().try_for_each(|(name, value)| be_text(&name.to_string_lossy(), &value))?;
    KNOWN.iter().try_for_each(|(name, values)| match std::env::var_os(name).filter(|v| !v.is_empty()) {
        None => Ok(()),
        Some(value) => allow(name, *values, &value.to_string_lossy()),
    })
}

/// Switches that name files and folders, and addresses of sockets in these.
const PATHS: [&str; 12] = [
    "MOBILEGL_TRANSPORT",
    "MOBILEGL_ES_LIBRARY",
    "MOBILEGL_LIBRARY",
    "MOBILEGL_IPC_SERVER_PATH",
    "MOBILEGL_IPC_TOKEN_FILE",
    "MOBILEGL_CACHE_DIR",
    "MOBILEGL_LOG_DIR",
    "MOBILEGL_RECORD",
    "MOBILEGL_RECORD_DIR",
    "MOBILEGL_TEST_BIN",
    "MOBILEGL_PYTHON",
    "MOBILEGL_TRACES",
];

/// What cannot be read as text would be passed over without a word, unless it is the name of a file.
fn be_text(name: &str, value: &OsStr) -> Result<(), LinkError> {
    if !name.starts_with("MOBILEGL_") || PATHS.contains(&name) || value.to_str().is_some() {
        return Ok(());
    }
    let value = format!("{} of {name}", value.to_string_lossy());
    Err(LinkError::Setting { name: "MOBILEGL_*", value, help: "use text in UTF-8".into() })
}

fn allow(name: &'static str, values: Values, value: &str) -> Result<(), LinkError> {
    let (good, help) = match values {
        Values::Number(0, u64::MAX) => (value.parse::<u64>().is_ok(), "use a number".into()),
        Values::Number(least, most) => {
            (value.parse().is_ok_and(|n| (least..=most).contains(&n)), format!("use {least} to {most}"))
        }
        Values::Words(words) => (words.contains(&value), format!("use {}", words.join(" or "))),
    };
    if good { Ok(()) } else { Err(LinkError::Setting { name, value: value.into(), help: help.into() }) }
}

/// A number, when the switch is set. What is none was refused by [`check`].
pub fn number(name: &str) -> Option<u64> {
    text(name)?.parse().ok()
}

/// How long a connection between strangers may go without the first word of the other side (`MOBILEGL_IPC_HANDSHAKE_MS`).
pub fn handshake() -> Duration {
    Duration::from_millis(number("MOBILEGL_IPC_HANDSHAKE_MS").unwrap_or(10_000))
}

/// A file or folder, whose name need not be text.
pub fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// A non-empty text.
pub fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|t| !t.is_empty())
}

/// Every other switch of the product: paths, names and secrets, and those that only some parts read.
const OTHERS: [&str; 27] = [
    "MOBILEGL_BACKEND",
    "MOBILEGL_BUILD_STAMP",
    "MOBILEGL_CACHE_DIR",
    "MOBILEGL_ES_DEVICE",
    "MOBILEGL_ES_LIBRARY",
    "MOBILEGL_ESPRYT_DISABLE",
    "MOBILEGL_GLSLANG_SYS",
    "MOBILEGL_IPC_COMPRESS",
    "MOBILEGL_IPC_CONTROL",
    "MOBILEGL_IPC_DATA",
    "MOBILEGL_IPC_DEDUP",
    "MOBILEGL_IPC_ROLE",
    "MOBILEGL_IPC_SERVER_PATH",
    "MOBILEGL_IPC_TOKEN",
    "MOBILEGL_IPC_TOKEN_FILE",
    "MOBILEGL_KEEP_DEBUG",
    "MOBILEGL_LIBRARY",
    "MOBILEGL_LOG",
    "MOBILEGL_LOG_DIR",
    "MOBILEGL_MAGMA_DISABLE",
    "MOBILEGL_PYTHON",
    "MOBILEGL_RECORD",
    "MOBILEGL_RECORD_DIR",
    "MOBILEGL_TEST_BIN",
    "MOBILEGL_TRACES",
    "MOBILEGL_TRANSPORT",
    "MOBILEGL_VK_DEVICE",
];

/// What follows the common prefix in names of single tests.
const OF_TESTS: [&str; 2] = ["CORPUS_", "TEST_"];

/// Warns, once per process, of names that look like switches of ours and are none: what they were to do does not happen.
pub fn warn_of_unknown() {
    static DONE: std::sync::Once = std::sync::Once::new();
    DONE.call_once(|| {
        for (name, value) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if !value.is_empty() && !is_known(&name) {
                let meant = nearest(&name).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                tracing::warn!("{name} is set, and is no switch of this version{meant}");
            }
        }
    });
}

fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name).chain(OTHERS)
}

fn is_known(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("MOBILEGL_") else { return true };
    names().any(|known| known == name) || OF_TESTS.iter().any(|start| rest.starts_with(start))
}

/// The switch whose name differs by the fewest letters, when they are few.
fn nearest(name: &str) -> Option<&'static str> {
    names().map(|known| (distance(name, known), known)).filter(|(far, _)| *far <= 3).min().map(|(_, known)| known)
}

/// How many letters must be changed, added or left out (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.bytes().enumerate() {
            let (left, above) = (row.get(j).copied().unwrap_or(0), row.get(j + 1).copied().unwrap_or(0));
            let best = (corner + usize::from(x != y)).min(left + 1).min(above + 1);
            corner = above;
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = best;
            }
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, allow, check, is_known, nearest};

    /// If this fails, a switch with a letter missing does nothing and nobody says so, or a right one is complained about.
    #[test]
    fn misspelt_names_are_noticed() {
        for (wrong, right) in [
            ("BAKEND", Some("MOBILEGL_BACKEND")),
            ("TRANSPROT", Some("MOBILEGL_TRANSPORT")),
            ("PIPE_STAT", Some("MOBILEGL_PIPE_STATS")),
            ("NOTHING_LIKE_IT", None),
        ] {
            let wrong = format!("MOBILEGL_{wrong}");
            assert!(!is_known(&wrong), "{wrong}");
            assert_eq!(nearest(&wrong), right, "{wrong}");
        }
        for name in ["MOBILEGL_BACKEND", "MOBILEGL_PIPE_STATS", "MOBILEGL_TEST_BIN", "HOME"] {
            assert!(is_known(name), "{name}");
        }
    }

    /// If this fails, a switch that the documentation promises is called unknown when it is used.
    #[test]
    fn every_documented_switch_is_known() {
        // Asked while running: a build that another clone left in a shared cache must not look at that clone.
        let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").into());
        let text = std::fs::read_to_string(format!("{here}/../../../docs/environment.md")).unwrap();
        let documented: Vec<&str> = text
            .split('`')
            .filter(|word| word.strip_prefix("MOBILEGL_").is_some_and(|rest| !rest.is_empty() && !rest.contains('=')))
            .collect();
        assert!(documented.len() > 50, "the page was read wrongly");
        for name in documented {
            assert!(is_known(name), "{name}");
        }
    }

    /// A misspelt switch that silently did nothing would make a person believe in a check that never ran.
    #[test]
    fn impossible_values_are_refused_by_name() {
        for (name, bad) in [
            ("MOBILEGL_IPC_RING_MB", "x"),
            ("MOBILEGL_IPC_RING_MB", "0"),
            ("MOBILEGL_IPC_SPIN_US", "-1"),
            ("MOBILEGL_SESSION_MEMORY_MB", "2 GB"),
            ("MOBILEGL_SESSION_OBJECTS", "0"),
            ("MOBILEGL_IPC_HANDSHAKE_MS", "0"),
            ("MOBILEGL_PIPE_VERIFY", "7"),
            ("MOBILEGL_VK_VALIDATION", "foo"),
            ("MOBILEGL_LEGACY_CONTEXT", "foo"),
        ] {
            let (name, values) = *KNOWN.iter().find(|(known, _)| *known == name).unwrap();
            let text = allow(name, values, bad).unwrap_err().to_string();
            assert!(text.contains(name) && text.contains(bad) && text.contains("use "), "{text}");
        }
        for (name, good) in
            [("MOBILEGL_IPC_SPIN_US", "0"), ("MOBILEGL_VK_VALIDATION", "sync"), ("MOBILEGL_ES_VERSION", "3.1")]
        {
            let (name, values) = *KNOWN.iter().find(|(known, _)| *known == name).unwrap();
            assert!(allow(name, values, good).is_ok(), "{name}");
        }
    }

    /// If this fails, a value that is no text is as good as none, and something else is done than what was asked for.
    #[test]
    fn only_names_of_files_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt;
        let raw = std::ffi::OsStr::from_bytes(b"\xff");
        assert!(super::be_text("MOBILEGL_RECORD", raw).is_ok() && super::be_text("HOME", raw).is_ok());
        let text = super::be_text("MOBILEGL_BACKEND", raw).unwrap_err().to_string();
        assert!(text.contains("MOBILEGL_BACKEND") && text.contains("UTF-8"), "{text}");
    }

    /// The same, as a program meets it when it opens a display.
    #[test]
    fn a_client_is_refused_before_it_connects() {
        // SAFETY: tests run in a process of their own, and no other thread runs yet.
        unsafe { std::env::set_var("MOBILEGL_PIPE_VERIFY", "") };
        assert!(check().is_ok(), "empty is not set");
        // SAFETY: as above.
        unsafe { std::env::set_var("MOBILEGL_PIPE_VERIFY", "yes") };
        let text = crate::client::Config::from_env().unwrap_err().to_string();
        assert!(text.contains("MOBILEGL_PIPE_VERIFY"), "{text}");
    }
}
