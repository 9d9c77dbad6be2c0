//! What is fuzzed: one function per input that a peer or a file decides, each with seeds made from the catalogue. A
//! function may end only by returning; what the input asks for is refused by a value, never by a panic.
//!
//! `./x fuzz TARGET` runs them under libFuzzer; the tests of this crate run each a bounded number of times.
#![forbid(unsafe_code)]

pub mod mutate;
pub mod targets;

/// One fuzzed input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name, also of the libFuzzer program.
    pub name: &'static str,
    /// Takes any bytes.
    pub run: fn(&[u8]),
    /// Inputs to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "records", run: targets::records::run, seeds: targets::records::seeds },
    Target { name: "stream", run: targets::stream::run, seeds: targets::stream::seeds },
    Target { name: "archive", run: targets::archive::run, seeds: targets::archive::seeds },
    Target { name: "recording", run: targets::recording::run, seeds: targets::recording::seeds },
    Target { name: "control", run: targets::control::run, seeds: targets::control::seeds },
    Target { name: "frames", run: targets::frames::run, seeds: targets::frames::seeds },
    Target { name: "reverse", run: targets::reverse::run, seeds: targets::reverse::seeds },
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.name == name)
}
