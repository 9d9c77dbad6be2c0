//! The command's recordings: how tests call it, and programs that are recorded.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{Error, Result, tools};

/// Where a program is and where its recording and its own picture are.
#[derive(Debug)]
pub struct Recorded {
    /// The recording.
    pub file: String,
    /// The picture that the program wrote.
    pub own: PathBuf,
}

/// What a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs to the end.
///
/// # Errors
/// When it cannot be started.
pub fn output(command: &mut Command, doing: &str) -> Result<Output> {
    command.output().map_err(|source| Error::System { doing: doing.into(), source })
}

/// The command on the software drivers, with what the caller's environment says of drivers taken away.
///
/// # Errors
/// When a part has not been built.
pub fn mobilegl(words: &[&str]) -> Result<Command> {
    let mut command = Command::new(tools::mobilegl()?);
    for name in ["MOBILEGL_TRANSPORT", "MOBILEGL_BACKEND", "MOBILEGL_LIBRARY", "MOBILEGL_RECORD", "DISPLAY"] {
        command.env_remove(name);
    }
    command.env("VK_ICD_FILENAMES", tools::lavapipe_file()?).args(words);
    Ok(command)
}

/// Runs the command; what it printed, and its exit code.
///
/// # Errors
/// When a part has not been built.
///
/// # Panics
/// When the command panicked.
pub fn run(words: &[&str]) -> Result<(Option<i32>, String)> {
    let output = output(&mut mobilegl(words)?, &format!("running mobilegl {words:?}"))?;
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains("panicked"), "{words:?}: {said}");
    Ok((output.status.code(), said))
}

/// The error of a file.
pub fn bad(path: &Path, why: impl ToString) -> Error {
    Error::BadFile { path: path.display().to_string(), why: why.to_string() }
}

/// A C program, compiled for one test, in an empty folder.
///
/// # Errors
/// When there is no compiler.
///
/// # Panics
/// When it does not compile.
pub fn compiled(name: &str, test: &str) -> Result<PathBuf> {
    let program = tools::results(&["recording", test])?.join(name);
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-Wall", "-pthread", "-o"]).arg(&program);
    gcc.arg(tools::root().join("tests/programs/c").join(format!("{name}.c"))).args(["-lEGL", "-lOpenGL"]);
    let output = output(&mut gcc, "running gcc")?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    Ok(program)
}

/// A Python program, recorded in a child process; `number` is that of the display which draws the picture.
///
/// # Errors
/// When a part is missing.
///
/// # Panics
/// When the program fails.
pub fn python(name: &str, picture: &str, number: u32) -> Result<Recorded> {
    let folder = tools::results(&["recording", name])?;
    let file = folder.join(format!("{name}.mglr"));
    let script = tools::root().join("tests/programs/py").join(format!("{name}.py"));
    let mut command = mobilegl(&["record", "-o", &file.display().to_string(), "--"])?;
    command.arg(tools::python()?).arg(script).arg("--out").arg(folder.join("own"));
    let output = output(command.env("PYTHONDONTWRITEBYTECODE", "1"), &format!("recording {name}.py"))?;
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("recorded"), "{said}");
    let file = if number > 1 { folder.join(format!("{name}.{number}.mglr")) } else { file };
    Ok(Recorded { file: file.display().to_string(), own: folder.join(format!("own.{picture}.png")) })
}
