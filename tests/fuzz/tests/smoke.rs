//! Each target over its seeds and a bounded, reproducible number of mutations of them. libFuzzer finds more; this runs
//! everywhere and in every change.

use mgl_fuzz::{TARGETS, mutate, target};

/// Inputs per target: a few seconds without optimisation.
const INPUTS: u64 = 20_000;

fn bounded(name: &str) {
    let target = target(name).expect("the target exists");
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|seed| (target.run)(seed));
    for number in 0..INPUTS {
        let input = mutate::input(&seeds, number);
        // A panic is reported with the input that makes it happen again.
        if let Err(panic) = std::panic::catch_unwind(|| (target.run)(&input)) {
            eprintln!("{name}, input {number}: {input:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

macro_rules! targets {
    ($($(#[doc = $doc:literal])+ $name:ident),+ $(,)?) => {
        $($(#[doc = $doc])+ #[test] fn $name() { bounded(stringify!($name)); })+

        /// A target that is not run here is only fuzzed by who remembers it.
        #[test]
        fn every_target_is_run() {
            let run = [$(stringify!($name)),+];
            assert_eq!(TARGETS.iter().map(|t| t.name).collect::<Vec<_>>(), run);
        }
    };
}

targets! {
    /// A client's record could crash the server.
    records,
    /// A client's records, one after another, could crash the server or reach another flow.
    stream,
    /// A client's program could crash the server.
    archive,
    /// A file from somebody else could crash the tool that shows it.
    recording,
    /// A connection of anybody could crash the server before it is refused.
    control,
    /// A client over the network could crash the server, or write where it may not.
    frames,
    /// A broken server could take the program down with it.
    reverse,
}
