//! Blender, where it is installed: its background mode draws through EGL without a window. Must not know what the scene
//! shows.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::lane::{Backend, Lane};
use crate::{Error, Result, once, process, tools};

/// Blender builds some of its shaders for seconds, on every driver.
const LIMIT: Duration = Duration::from_secs(280);

/// What draws the scene in Blender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The viewport's.
    Workbench,
    /// The one for pictures.
    Eevee,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Self::Workbench => "BLENDER_WORKBENCH",
            Self::Eevee => "BLENDER_EEVEE",
        }
    }
}

/// True when there is a Blender on this machine; says so when there is none.
pub fn installed() -> bool {
    let found = Command::new("blender").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: Blender is not here (Debian: blender)");
    }
    found
}

/// The picture that a lane draws.
///
/// # Errors
/// When Blender ends badly, ran elsewhere or left no picture.
pub fn picture(engine: Engine, lane: Lane) -> Result<PathBuf> {
    let folder = tools::results(&["blender", engine.name(), lane.name()])?;
    draw(engine, lane, &folder)?;
    picture_in(&folder)
}

/// As [`picture`], once for all tests of a run.
///
/// # Errors
/// As [`picture`].
pub fn yardstick(engine: Engine, lane: Lane) -> Result<PathBuf> {
    let parts = ["blender", "yardstick", engine.name(), lane.name()];
    picture_in(&once::per_run(&parts, |folder| draw(engine, lane, folder))?)
}

fn picture_in(folder: &Path) -> Result<PathBuf> {
    tools::present("Blender's picture", folder.join("scene.png"))
}

fn draw(engine: Engine, lane: Lane, folder: &Path) -> Result<()> {
    let logs = folder.join("logs");
    std::fs::create_dir_all(&logs)
        .map_err(|source| Error::System { doing: format!("making {}", logs.display()), source })?;
    // Blender uses base instances from OpenGL 4.0 on, but gl_BaseInstanceARB wherever the extension is: a context of 3.3
    // with both extensions draws all of Eevee's objects in one place.
    let version: &[(&str, &str)] = match lane {
        Lane::MobileGl(Backend::Espryt, _) => &[("MOBILEGL_GL_VERSION", "4.0")],
        _ => &[],
    };
    let running = lane.start_with(&logs, version)?;
    let mut command = running.command("blender")?;
    command.args(["-b", "--factory-startup", "--debug-gpu", "--python-exit-code", "3", "--python"]);
    command.arg(tools::root().join("tests/programs/py/blender_scene.py"));
    command.args(["--", engine.name()]).arg(folder.join("scene.png"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let said = process::run_to_success(command, &folder.join("output.log"), LIMIT, "Blender", lane.name())?;
    running.prove("Blender")?;
    // Blender names only drivers that it does not know.
    let driver = match lane {
        Lane::MobileGl(Backend::Magma, _) => Some("Renderer: MobileGL Magma"),
        Lane::MobileGl(Backend::Espryt, _) => Some("Renderer: MobileGL Espryt"),
        Lane::Reference | Lane::Zink => None,
    };
    if driver.map_or_else(|| !said.contains("MobileGL"), |name| said.contains(name)) {
        return Ok(());
    }
    let what = format!("it says otherwise:\n{said}");
    Err(Error::WrongLane { program: "Blender".into(), lane: lane.name().into(), what })
}
