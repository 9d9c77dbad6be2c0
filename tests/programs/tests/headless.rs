//! C programs that know no driver, compiled here: through glvnd and through the drop-in names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mgl_programs::lane::Lane;
use mgl_programs::{Error, Result, tools};

/// Compiles `c/<name>.c` against the system's EGL and OpenGL, into a folder of the calling test.
fn compiled(name: &str, test: &str) -> Result<PathBuf> {
    let folder = tools::results(&["headless", test])?;
    let program = folder.join(name);
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-Wall", "-pthread", "-o"]).arg(&program);
    gcc.arg(tools::root().join("tests/programs/c").join(format!("{name}.c"))).args(["-lEGL", "-lOpenGL"]);
    said(&mut gcc, name, "gcc")?;
    Ok(program)
}

/// Runs to the end; both output streams, or the error that says how it ended.
fn said(command: &mut Command, program: &str, lane: &str) -> Result<String> {
    let output = command.output().map_err(|source| Error::System { doing: format!("running {program}"), source })?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() {
        return Ok(text);
    }
    Err(Error::Ended { program: program.into(), lane: lane.into(), how: output.status.to_string(), output: text })
}

/// If this fails, a program that draws without a window does not run on this driver as on any other.
#[test]
fn a_program_that_knows_no_driver_draws() -> Result<()> {
    let program = compiled("stranger", "lanes")?;
    for lane in [Lane::Reference].into_iter().chain(Lane::MAGMA) {
        let logs = tools::results(&["headless", "logs", lane.name()])?;
        let running = lane.start(&logs)?;
        let text = said(&mut running.command(&program)?, "stranger", lane.name())?;
        assert!(text.contains("ok "), "{text}");
        assert_eq!(text.contains("MobileGL"), lane != Lane::Reference, "{text}");
        running.prove("stranger")?;
    }
    Ok(())
}

/// Files in `folder` and below that hold something.
fn filled(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|e| if e.path().is_dir() { filled(&e.path()) } else { e.metadata().map_or(0, |m| (m.len() > 0).into()) })
        .sum()
}

/// If this fails, a server process compiles every shader anew for each run of a game, although its driver could keep them.
#[test]
fn a_confined_driver_keeps_what_it_compiled() -> Result<()> {
    let program = compiled("stranger", "driver-cache")?;
    let cache = tools::results(&["headless", "driver-cache", "cache"])?;
    let running = Lane::SPAWN.start(&tools::results(&["headless", "driver-cache", "logs"])?)?;
    let mut command = running.command(&program)?;
    command.env("MOBILEGL_CACHE_DIR", &cache).env_remove("MESA_SHADER_CACHE_DIR");
    said(&mut command, "stranger", "spawn")?;
    assert!(filled(&cache.join("driver")) > 0, "nothing in {}", cache.display());
    Ok(())
}

/// If this fails, a machine without glvnd cannot use the driver in the place of `libEGL.so.1` and `libOpenGL.so.0`.
#[test]
fn the_drop_in_names_work_without_glvnd() -> Result<()> {
    let program = compiled("stranger", "drop-in")?;
    let folder = tools::present("the drop-in names", tools::built().join("dropin"))?;
    let mut command = Command::new(&program);
    command.env("LD_LIBRARY_PATH", folder).env("VK_ICD_FILENAMES", tools::lavapipe_file()?);
    command.env("MOBILEGL_BACKEND", "magma");
    let text = said(&mut command, "stranger", "drop-in")?;
    assert!(text.contains("ok ") && text.contains("MobileGL"), "{text}");
    Ok(())
}

/// If this fails, a crash of the graphics driver takes the program down or leaves it waiting for ever.
#[test]
fn a_program_outlives_its_server() -> Result<()> {
    let program = compiled("orphan", "orphan")?;
    let logs = tools::results(&["headless", "logs", "orphan"])?;
    let text = said(&mut Lane::SPAWN.start(&logs)?.command(&program)?, "orphan", "spawn")?;
    assert!(text.contains("ok"), "{text}");
    Ok(())
}

/// If this fails, a program that picks another configuration than the first one draws nothing or something else.
#[test]
fn every_configuration_draws() -> Result<()> {
    let program = compiled("configs", "configs")?;
    let logs = tools::results(&["headless", "logs", "configs"])?;
    let text = said(&mut Lane::SPAWN.start(&logs)?.command(&program)?, "configs", "spawn")?;
    assert!(text.contains("configurations ok"), "{text}");
    Ok(())
}

/// If this fails, programs with loader threads, or that start other programs, lose their picture or hang.
#[test]
fn threads_and_forks_do_not_disturb_each_other() -> Result<()> {
    let program = compiled("threads", "threads")?;
    for lane in Lane::MAGMA {
        let logs = tools::results(&["headless", "logs", "threads", lane.name()])?;
        let text = said(&mut lane.start(&logs)?.command(&program)?, "threads", lane.name())?;
        assert!(text.contains("ok"), "{text}");
    }
    Ok(())
}

/// Every driver and every way to it.
fn everywhere() -> impl Iterator<Item = Lane> {
    let espryt = [Lane::ESPRYT_MONOLITH, Lane::ESPRYT_INPROC, Lane::ESPRYT, Lane::ESPRYT_TCP];
    Lane::MAGMA.into_iter().chain(espryt)
}

/// If this fails, programs that draw several windows with one shader, as user interfaces do, flicker.
#[test]
fn two_contexts_draw_with_one_program() -> Result<()> {
    let program = compiled("two_contexts", "two-contexts")?;
    for lane in everywhere() {
        let logs = tools::results(&["headless", "logs", "two-contexts", lane.name()])?;
        let text = said(&mut lane.start(&logs)?.command(&program)?, "two_contexts", lane.name())?;
        assert!(text.contains(": 0 of "), "{text}");
    }
    Ok(())
}

/// If this fails, the check of the whole state ends programs with two contexts although their state is right, and nobody can
/// use it to find what is wrong with them.
#[test]
fn two_contexts_are_verified() -> Result<()> {
    let program = compiled("two_contexts", "two-contexts-verified")?;
    for lane in everywhere() {
        let logs = tools::results(&["headless", "logs", "two-contexts-verified", lane.name()])?;
        let running = lane.start(&logs)?;
        for switches in [&["MOBILEGL_PIPE_VERIFY"][..], &["MOBILEGL_PIPE_VERIFY", "MOBILEGL_PIPE_COLD"]] {
            let mut command = running.command(&program)?;
            command.envs(switches.iter().map(|switch| (*switch, "1")));
            let text = said(&mut command, "two_contexts", lane.name())?;
            assert!(text.contains(": 0 of ") && !text.contains("Fatal"), "{switches:?}: {text}");
        }
    }
    Ok(())
}

/// If this fails, the tools people use to look at EGL do not see the driver.
#[test]
fn eglinfo_lists_the_driver() -> Result<()> {
    let logs = tools::results(&["headless", "logs", "eglinfo"])?;
    // It ends with an error when one platform of those announced has no window system here, and goes on with the others.
    let output = Lane::SPAWN.start(&logs)?.command("eglinfo")?.env_remove("DISPLAY").output();
    let output = output.expect("eglinfo starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["Surfaceless platform:", "Device platform:"] {
        let section = text.split(part).nth(1).unwrap_or_default();
        let head: String = section.lines().take(12).collect();
        assert!(head.contains("EGL vendor string: MobileGL") && head.contains("OpenGL"), "{part}\n{text}");
    }
    Ok(())
}
