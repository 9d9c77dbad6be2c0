//! The Python programs of `tests/programs/py`: run one on a lane, compare its results with another lane's.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lane::{Backend, Lane};
use crate::{Error, Result, compare, once, process, tools};

/// Loading VTK alone takes seconds on a busy machine; a hang takes for ever.
const LIMIT: Duration = Duration::from_secs(150);

/// What a program left behind on one lane.
#[derive(Debug)]
pub struct Outcome {
    folder: PathBuf,
    /// The process id of the spawned server, on that lane.
    pub server: Option<u32>,
}

/// Runs `py/<name>.py` on a lane, with its results below `test`'s folder, and proves that it ran there.
///
/// # Errors
/// When it ends badly, ran elsewhere or left no results.
pub fn run(name: &str, lane: Lane, test: &str) -> Result<Outcome> {
    run_with(name, lane, test, &[])
}

/// As [`run`] with more environment.
///
/// # Errors
/// As [`run`].
pub fn run_with(name: &str, lane: Lane, test: &str, environment: &[(&str, &Path)]) -> Result<Outcome> {
    let folder = tools::results(&[name, test, lane.name()])?;
    let server = run_in(name, lane, &folder, environment)?;
    Ok(Outcome { folder, server })
}

/// As [`run`], once for all tests of a run: what the other lanes are compared with.
///
/// # Errors
/// As [`run`].
pub fn yardstick(name: &str, lane: Lane) -> Result<Outcome> {
    let folder =
        once::per_run(&[name, "yardstick", lane.name()], |folder| run_in(name, lane, folder, &[]).map(|_| ()))?;
    Ok(Outcome { folder, server: None })
}

fn run_in(name: &str, lane: Lane, folder: &Path, environment: &[(&str, &Path)]) -> Result<Option<u32>> {
    let logs = folder.join("logs");
    fs::create_dir_all(&logs)
        .map_err(|source| Error::System { doing: format!("making {}", logs.display()), source })?;
    let script = tools::root().join("tests/programs/py").join(format!("{name}.py"));
    let running = lane.start(&logs)?;
    let mut command = running.command(tools::python()?)?;
    command.arg(tools::present("the program", script)?).arg("--out").arg(folder.join("result"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").envs(environment.iter().copied());
    process::run_to_success(command, &folder.join("output.log"), LIMIT, name, lane.name())?;
    let server = running.prove(name)?;
    require_driver(name, lane, folder)?;
    Ok(server)
}

/// The driver names itself: a program that silently fell back to another one shall not count.
fn require_driver(name: &str, lane: Lane, folder: &Path) -> Result<()> {
    let info = folder.join("result.info.txt");
    let text = fs::read_to_string(&info)
        .map_err(|source| Error::System { doing: format!("reading {}", info.display()), source })?;
    let wanted = match lane {
        Lane::Reference => "llvmpipe",
        Lane::Zink => "zink",
        Lane::MobileGl(Backend::Magma, _) => "MobileGL Magma",
        Lane::MobileGl(Backend::Espryt, _) => "MobileGL Espryt",
    };
    if text.contains(wanted) {
        return Ok(());
    }
    Err(Error::WrongLane { program: name.into(), lane: lane.name().into(), what: format!("the driver says\n{text}") })
}

impl Outcome {
    /// Records of all flows, from the lines that `MOBILEGL_PIPE_STATS=1` prints at their ends.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn records(&self) -> Result<u64> {
        let log = self.folder.join("output.log");
        let output = fs::read_to_string(&log)
            .map_err(|source| Error::System { doing: format!("reading {}", log.display()), source })?;
        let totals = output.lines().filter(|l| l.starts_with("mobilegl-stats") && l.contains(" total:"));
        let counts = totals.filter_map(|l| l.split_whitespace().find_map(|word| word.strip_prefix("records=")));
        Ok(counts.filter_map(|count| count.parse::<u64>().ok()).sum())
    }

    /// Requires the pictures to look like the reference's and the exact values to be equal.
    ///
    /// # Errors
    /// The first difference.
    pub fn require_like(&self, reference: &Self) -> Result<()> {
        for (expected, got) in self.pairs(reference)? {
            let similarity = compare::require_similar(&expected, &got)?;
            println!("{}: similarity {similarity:.5}", got.display());
        }
        self.require_equal_values(reference)
    }

    /// Requires everything to be equal to the last pixel.
    ///
    /// # Errors
    /// The first difference.
    pub fn require_equal(&self, other: &Self) -> Result<()> {
        for (expected, got) in self.pairs(other)? {
            compare::require_equal_pictures(&expected, &got)?;
        }
        self.require_equal_values(other)
    }

    fn require_equal_values(&self, other: &Self) -> Result<()> {
        compare::require_equal_text(&other.folder.join("result.exact.txt"), &self.folder.join("result.exact.txt"))
    }

    /// The other's pictures with ours of the same name; every one must be there.
    fn pairs(&self, other: &Self) -> Result<Vec<(PathBuf, PathBuf)>> {
        let expected = compare::files(&other.folder, ".png");
        let pair = |path: PathBuf| {
            let own = self.folder.join(path.file_name().unwrap_or_default());
            tools::present("a picture the reference drew", own).map(|own| (path, own))
        };
        expected.into_iter().map(pair).collect()
    }
}
