//! Builds and runs one test in the scratch copy and judges how it ended. Must not know where results are kept.

use super::list::Mutation;
use super::results::{Outcome, Results};
use super::scratch::Scratch;
use std::collections::BTreeSet;
use std::process::{Command, Output};
use std::time::Instant;

/// What nextest exits with when tests were run and failed.
const TESTS_FAILED: i32 = 100;

fn nextest(scratch: &Scratch, mutation: &Mutation, extra: &[&str]) -> Result<Output, String> {
    let filter = format!("test(={})", mutation.test);
    let mut command = Command::new("cargo");
    command.args(["nextest", "run", "--offline", "--profile", "mutate", "-p", &mutation.package]);
    command.args(&mutation.arguments).args(extra);
    if extra.is_empty() {
        command.args(["-E", &filter]);
    }
    command.envs(&mutation.environment);
    command.env("CARGO_TARGET_DIR", &scratch.build).env("RUST_BACKTRACE", "0").env("CARGO_TERM_COLOR", "never");
    command.current_dir(&scratch.tree).output().map_err(|e| format!("cargo nextest: {e}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The sentence with which a test failed.
fn reason(output: &str) -> String {
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    if let Some(at) = lines.iter().position(|l| l.contains("panicked at")) {
        let said: Vec<&str> =
            lines[at + 1..].iter().copied().take_while(|l| !l.is_empty() && !l.starts_with("note:")).collect();
        return said.join(" ");
    }
    let other = lines.iter().find(|l| l.starts_with("Error:") || l.contains("SIG") || l.contains("TIMEOUT"));
    other.map_or_else(|| "the test failed".to_owned(), |l| (*l).to_owned())
}

/// One mutation, applied and run.
fn one(scratch: &Scratch, mutation: &Mutation) -> Result<Outcome, String> {
    let path = scratch.tree.join(&mutation.file);
    let now = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text_after = match mutation.apply(&now) {
        Ok(text) => text,
        Err(text) => return Ok(Outcome::Unfit(text)),
    };
    scratch.with(&mutation.file, &text_after, || {
        let built = nextest(scratch, mutation, &["--no-run"])?;
        if !built.status.success() {
            let output = text(&built);
            let error = output.lines().find(|l| l.starts_with("error")).unwrap_or("error");
            return Ok(Outcome::Unfit(format!("it does not compile: {error}")));
        }
        let run = nextest(scratch, mutation, &[])?;
        let output = text(&run);
        Ok(match run.status.code() {
            Some(0) => Outcome::Unseen,
            Some(TESTS_FAILED) if output.contains(&mutation.says) => Outcome::Seen(reason(&output)),
            Some(TESTS_FAILED) => Outcome::Unfit(format!("it fails for another reason: {}", reason(&output))),
            code => Outcome::Unfit(format!("cargo nextest ended with {code:?}: is there such a test?")),
        })
    })?
}

/// The tests must pass without any mistake, or their failing proves nothing.
fn require_healthy(scratch: &Scratch, due: &[&Mutation]) -> Result<(), String> {
    let mut known = BTreeSet::new();
    for mutation in due {
        if !known.insert((&mutation.package, &mutation.test)) {
            continue;
        }
        eprintln!("mutate: {} {} without a mistake", mutation.package, mutation.test);
        let run = nextest(scratch, mutation, &[])?;
        if !run.status.success() {
            let output = text(&run);
            let tail: Vec<&str> = output.lines().rev().take(30).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            return Err(format!(
                "{} fails by itself, so {} proves nothing:\n{}",
                mutation.test,
                mutation.name,
                tail.join("\n")
            ));
        }
    }
    Ok(())
}

/// Runs all that are due and keeps each result at once, so that an interrupted run goes on where it stopped.
pub fn all(scratch: &Scratch, due: &[&Mutation], results: &mut Results) -> Result<(), String> {
    require_healthy(scratch, due)?;
    for (at, mutation) in due.iter().enumerate() {
        let start = Instant::now();
        let outcome = one(scratch, mutation)?;
        let seconds = start.elapsed().as_secs();
        eprintln!("mutate: {}/{} {}: {outcome} ({seconds} s)", at + 1, due.len(), mutation.name);
        results.keep(mutation, outcome)?;
    }
    Ok(())
}
