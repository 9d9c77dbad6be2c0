//! C programs of the tests, compiled where they are needed. Must not know what they do.

use std::path::PathBuf;
use std::process::Command;

use mgl_programs::{Error, Result, once, process, tools};

/// Compiles `c/<name>.c` with the libraries named, once for all tests of a run.
///
/// # Errors
/// When it does not compile.
pub fn compiled(name: &str, libraries: &[&str]) -> Result<PathBuf> {
    let source = tools::root().join("tests/windows/c").join(format!("{name}.c"));
    let folder = once::per_run(&["windows", "compiled", name], |folder| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-Wall", "-pthread", "-o"]).arg(folder.join(name)).arg(&source).args(libraries);
        process::run_to_success(gcc, &folder.join("gcc.log"), std::time::Duration::from_secs(60), name, "gcc")
            .map(|_| ())
    })?;
    let program = folder.join(name);
    if program.exists() { Ok(program) } else { Err(Error::Missing { what: "a compiled program", path: name.into() }) }
}
