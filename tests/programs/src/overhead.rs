//! piglit's `drawoverhead`: tens of thousands of draws with one kind of state change between them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::lane::Lane;
use crate::{Result, process, tools};

/// Enough for every case; each lasts about a second and a half.
const LIMIT: Duration = Duration::from_secs(280);

/// One case and what it reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its number, from 1.
    pub number: u32,
    /// What changes between the draws.
    pub name: String,
    /// Thousands of draws per second of whichever clock the run used.
    pub rate: f64,
}

/// The program, from Debian's piglit.
///
/// # Errors
/// When piglit is not installed.
pub fn program() -> Result<PathBuf> {
    let folders = ["/usr/lib/x86_64-linux-gnu/piglit/bin", "/usr/lib/aarch64-linux-gnu/piglit/bin"];
    let found = folders.iter().map(|folder| Path::new(folder).join("drawoverhead")).find(|path| path.exists());
    tools::present("piglit's drawoverhead", found.unwrap_or_else(|| Path::new(folders[0]).join("drawoverhead")))
}

/// Runs every case a core context allows on a lane.
///
/// # Errors
/// When it ends badly or ran elsewhere.
pub fn run(lane: Lane, test: &str, prepare: impl FnOnce(&mut Command)) -> Result<Vec<Case>> {
    let folder = tools::results(&["drawoverhead", test, lane.name()])?;
    let logs = tools::results(&["drawoverhead", test, lane.name(), "logs"])?;
    let running = lane.start(&logs)?;
    let mut command = running.command(program()?)?;
    command.env("PIGLIT_PLATFORM", "surfaceless_egl").args(["-nocolor", "-fbo"]);
    prepare(&mut command);
    let output = process::run_to_success(command, &folder.join("output.log"), LIMIT, "drawoverhead", lane.name())?;
    running.prove("drawoverhead")?;
    Ok(read(&output))
}

/// Reads the table: `number, name, rate, percentage`.
pub fn read(output: &str) -> Vec<Case> {
    let case = |line: &str| {
        let mut columns = line.split(',').map(str::trim);
        let number = columns.next()?.parse().ok()?;
        let name = columns.next()?.split_whitespace().collect::<Vec<_>>().join(" ");
        let rate = columns.next()?.parse().ok()?;
        Some(Case { number, name, rate })
    };
    output.lines().filter_map(case).collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    /// If this fails, a case that no longer runs is not noticed.
    #[test]
    fn the_table_is_read() {
        let text = "Using Core profile.\n   #, Test name , Thousands draws/s, Difference vs the 1st\n   \
                    2, DrawElements ( 1 VBO| 0 UBO|  0    ) w/ no state change,   3758, 100.0%\n";
        let cases = read(text);
        assert_eq!((cases.len(), cases[0].number, cases[0].rate), (1, 2, 3758.0));
        assert_eq!(cases[0].name, "DrawElements ( 1 VBO| 0 UBO| 0 ) w/ no state change");
    }
}
