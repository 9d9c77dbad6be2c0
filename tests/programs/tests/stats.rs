//! What a program costs on the way to its driver, from the counters that `MOBILEGL_PIPE_STATS=1` prints.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use mgl_programs::lane::Lane;
use mgl_programs::{Error, Result, process, tools};

/// Totals of a flow, from the line that it prints at its end.
fn totals(output: &str) -> BTreeMap<String, u64> {
    let line = output.lines().rfind(|l| l.starts_with("mobilegl-stats") && l.contains(" total:")).unwrap_or_default();
    let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect()
}

/// If this fails, every draw of a game waits for the driver's process, or drags its whole state along: the scene has 2,000
/// draws with blending switched around each, and one picture is read at its end.
#[test]
fn two_thousand_draws_cost_no_round_trips() -> Result<()> {
    for lane in Lane::MAGMA {
        let folder = tools::results(&["stats", lane.name()])?;
        let logs = tools::results(&["stats", lane.name(), "logs"])?;
        let running = lane.start(&logs)?;
        let mut command = running.command(tools::python()?)?;
        command.arg(tools::root().join("tests/programs/py/manydraws.py")).arg("--out").arg(folder.join("result"));
        command.env("MOBILEGL_PIPE_STATS", "1");
        let log = folder.join("output.log");
        process::run_to_success(command, &log, Duration::from_secs(120), "manydraws", lane.name())?;
        let output = fs::read_to_string(&log)
            .map_err(|source| Error::System { doing: format!("reading {}", log.display()), source })?;
        let seen = totals(&output);
        let count = |name: &str| seen.get(name).copied().unwrap_or(u64::MAX);
        // A draw, its uniform and its blend toggle are three records at most; creation and the read take a few more.
        assert!((2_000..7_000).contains(&count("records")), "{lane:?}: {seen:?}");
        assert!(count("ring_bytes") < 2_000 * 160, "{lane:?}: {seen:?}");
        assert!(count("replies") <= 4 && count("applied_waits") <= 4, "{lane:?}: {seen:?}");
        assert_eq!((count("ring_waits"), count("stage_waits")), (0, 0), "{lane:?}: {seen:?}");
    }
    Ok(())
}

/// If this fails, a program that simply leaves, as most do, has counted for nothing.
#[test]
fn a_program_that_ends_without_eglterminate_has_its_totals() -> Result<()> {
    for lane in Lane::MAGMA {
        let folder = tools::results(&["stats", "leaves", lane.name()])?;
        let running = lane.start(&folder)?;
        let mut command = running.command(tools::python()?)?;
        command
            .arg(tools::root().join("tests/programs/py/fault.py"))
            .arg("--out")
            .arg(folder.join("result"))
            .arg("none");
        command.env("MOBILEGL_PIPE_STATS", "1");
        let log = folder.join("output.log");
        let output = process::run_to_success(command, &log, Duration::from_secs(120), "fault", lane.name())?;
        let lines =
            output.lines().filter(|line| line.starts_with("mobilegl-stats") && line.contains(" total:")).count();
        assert_eq!(lines, 1, "{lane:?}: {output}");
        assert!(totals(&output)["records"] > 5000, "{lane:?}: {output}");
    }
    Ok(())
}
