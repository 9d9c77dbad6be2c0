//! Every scenario on every lane, each a test of its own: `backend.transport::group::scenario`. And the gates over all of
//! them. Must not know what a scenario does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

use mgl_scenarios::catalog;
use mgl_scenarios::expect::Expectations;
use mgl_scenarios::lanes::{Batch, LANES, Parts, batches};

/// The worker, built with this test.
const WORKER: &str = env!("CARGO_BIN_EXE_mobilegl-scenarios");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = batches().iter().flat_map(trials_of).collect();
    // First by its name: it runs everything while the others of the same test run read along.
    trials.push(Trial::test("all_lanes::ran_the_same_scenarios", || ran_the_same().map_err(Failed::from)));
    trials.push(Trial::test("all_lanes::lists_are_about_something", || lists().map_err(Failed::from)));
    trials.push(Trial::test("all_lanes::worker_discovers_the_catalogue", || discovered().map_err(Failed::from)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials_of(batch: &Batch) -> Vec<Trial> {
    let trial = |scenario: &String| {
        let (batch, scenario) = (batch.clone(), scenario.clone());
        let name = format!("{}::{scenario}", batch.lane.name());
        Trial::test(name, move || one(&batch, &scenario).map_err(Failed::from))
    };
    batch.scenarios.iter().map(trial).collect()
}

fn one(batch: &Batch, scenario: &str) -> Result<(), String> {
    let parts = Parts::find(Path::new(WORKER))?;
    let entry = batch.result(&parts, scenario)?;
    Expectations::load()?.judge(&batch.lane.name(), scenario, &entry)
}

/// If this fails, a lane quietly runs less than the others, or all of them less than before.
fn ran_the_same() -> Result<(), String> {
    let parts = Parts::find(Path::new(WORKER))?;
    let mut ran: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // Backwards: tests that run beside this one begin at the other end.
    for batch in batches().iter().rev() {
        for scenario in &batch.scenarios {
            if batch.result(&parts, scenario).is_ok() {
                ran.entry(batch.lane.name()).or_default().insert(scenario.clone());
            }
        }
    }
    let all: BTreeSet<String> = catalog::all().iter().map(|scenario| scenario.full_name()).collect();
    for lane in LANES {
        let names = ran.remove(&lane.name()).unwrap_or_default();
        let missing: Vec<_> = all.difference(&names).collect();
        if !missing.is_empty() {
            return Err(format!("{} has no proven result for {missing:?}", lane.name()));
        }
    }
    Ok(())
}

/// If this fails, an expectation speaks of nothing, or scenarios came or went without the committed count.
fn lists() -> Result<(), String> {
    let lists = Expectations::load()?;
    let lanes: Vec<String> = LANES.iter().map(|lane| lane.name()).collect();
    let scenarios: Vec<String> = catalog::all().iter().map(|scenario| scenario.full_name()).collect();
    let stale = lists.stale(&lanes, &scenarios);
    if !stale.is_empty() {
        return Err(format!("rows about lanes or scenarios that do not exist: {stale:#?}"));
    }
    if scenarios.len() == lists.count {
        return Ok(());
    }
    Err(format!(
        "there are {} scenarios, and count.txt says {}: a lost one must be explained",
        scenarios.len(),
        lists.count
    ))
}

/// If this fails, the worker that the lanes run was built from other scenarios than this test.
fn discovered() -> Result<(), String> {
    let output = Command::new(WORKER).arg("list").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names: Vec<String> = catalog::all().iter().map(|scenario| scenario.full_name()).collect();
    let found: Vec<&str> = text.lines().collect();
    if found == names { Ok(()) } else { Err(format!("the worker lists {found:?}")) }
}
