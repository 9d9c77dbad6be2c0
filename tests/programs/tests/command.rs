//! The `mobilegl` command as a person uses it: what it reports, and what it says when a part is missing or a program dies.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use mgl_programs::lane::Lane;
use mgl_programs::{Error, Result, tools};
use serde_json::Value;

fn run(words: &[&str], prepare: impl FnOnce(&mut Command)) -> Result<Output> {
    let mut command = Command::new(tools::mobilegl()?);
    for name in ["MOBILEGL_TRANSPORT", "MOBILEGL_BACKEND", "MOBILEGL_IPC_SERVER_PATH", "MOBILEGL_LIBRARY", "DISPLAY"] {
        command.env_remove(name);
    }
    command.env("VK_ICD_FILENAMES", tools::lavapipe_file()?).args(words);
    prepare(&mut command);
    command.output().map_err(|source| Error::System { doing: format!("running mobilegl {words:?}"), source })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// If this fails, a program killed by a signal looks to scripts as if it had ended normally.
#[test]
fn a_programs_end_is_passed_on() -> Result<()> {
    let output = run(&["run", "--", "sh", "-c", "exit 7"], |_| {})?;
    assert_eq!(output.status.code(), Some(7));
    // The command has become the program, so that whoever started it sees the signal itself.
    let output = run(&["run", "--", "sh", "-c", "kill -SEGV $$"], |_| {})?;
    assert_eq!(output.status.signal(), Some(11));
    let file = tools::results(&["record-ends"])?.join("a.mglr").display().to_string();
    let output = run(&["record", "-o", &file, "--", "sh", "-c", "kill -SEGV $$"], |_| {})?;
    assert_eq!(output.status.code(), Some(128 + 11));
    assert!(text(&output.stderr).contains("SIGSEGV"), "{}", text(&output.stderr));
    Ok(())
}

/// If this fails, a person without the server program gets a program that fails for no visible reason.
#[test]
fn a_missing_server_is_named() -> Result<()> {
    let missing = |command: &mut Command| {
        command.env("MOBILEGL_IPC_SERVER_PATH", "/nonexistent/mobilegl-server");
    };
    let output = run(&["run", "--", "true"], missing)?;
    assert_eq!(output.status.code(), Some(127));
    assert!(text(&output.stderr).contains("/nonexistent/mobilegl-server"), "{}", text(&output.stderr));
    // The other transports do not need it.
    assert!(run(&["run", "--transport", "inproc", "--", "true"], missing)?.status.success());
    Ok(())
}

/// If this fails, a mistyped transport or program silently does something else.
#[test]
fn mistakes_on_the_command_line_are_named() -> Result<()> {
    let output = run(&["run", "--transport", "spwan", "--", "true"], |_| {})?;
    assert!(!output.status.success() && text(&output.stderr).contains("spawn"), "{}", text(&output.stderr));
    let output = run(&["run", "--", "/nonexistent/program"], |_| {})?;
    assert_eq!(output.status.code(), Some(127));
    assert!(text(&output.stderr).contains("/nonexistent/program"), "{}", text(&output.stderr));
    Ok(())
}

/// If this fails, tools that read `mobilegl info --json` get nothing, or a version the driver does not have.
#[test]
fn info_describes_the_driver() -> Result<()> {
    for lane in Lane::SELF_CONTAINED {
        let output = run(&["info", "--json", "--transport", lane.name()], |_| {})?;
        assert!(output.status.success(), "{}", text(&output.stderr));
        let value: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| Error::BadFile { path: "mobilegl info".into(), why: error.to_string() })?;
        let version = value["gl_version"].as_str().unwrap_or_default();
        assert!(version >= "3.3", "OpenGL {version}");
        assert!(value["limits"]["GL_MAX_TEXTURE_SIZE"].as_i64() >= Some(1024));
        assert!(value["gl_extensions"].as_array().is_some_and(|list| !list.is_empty()));
    }
    Ok(())
}

/// If this fails, `mobilegl doctor` reports problems where there are none.
#[test]
fn doctor_is_content_here() -> Result<()> {
    let output = run(&["doctor"], |_| {})?;
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    Ok(())
}

fn without_vulkan(command: &mut Command) {
    command.env("VK_ICD_FILENAMES", "/nonexistent/icd.json").env("VK_DRIVER_FILES", "/nonexistent/icd.json");
}

/// If this fails, a machine that has only OpenGL ES gives an error although it could draw, or one that was asked for
/// Vulkan draws with something else.
#[test]
fn without_vulkan_opengl_es_draws() -> Result<()> {
    let output = run(&["doctor"], without_vulkan)?;
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    for lane in Lane::SELF_CONTAINED {
        let output = run(&["info", "--transport", lane.name()], without_vulkan)?;
        assert!(text(&output.stdout).contains("MobileGL Espryt"), "{}: {}", lane.name(), text(&output.stderr));
        let output = run(&["info", "--backend", "magma", "--transport", lane.name()], without_vulkan)?;
        assert_eq!(output.status.code(), Some(1), "{}: {}", lane.name(), text(&output.stderr));
    }
    Ok(())
}

/// If this fails, a machine without any driver gives a crash, a hang or a riddle instead of an answer.
#[test]
fn no_device_is_named() -> Result<()> {
    let hidden = |command: &mut Command| {
        without_vulkan(command);
        command.env("MOBILEGL_ES_LIBRARY", "/nonexistent/libEGL.so.1");
    };
    let output = run(&["doctor"], hidden)?;
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Vulkan") && said.contains("mesa-vulkan-drivers"), "{said}");
    for lane in Lane::SELF_CONTAINED {
        let output = run(&["info", "--transport", lane.name()], hidden)?;
        assert_eq!(output.status.code(), Some(1), "{}: {}", lane.name(), text(&output.stderr));
    }
    Ok(())
}

/// If this fails, glvnd's own tool, which knows nothing of MobileGL, does not find it or breaks on it.
#[test]
fn eglinfo_sees_the_driver() -> Result<()> {
    for lane in Lane::SELF_CONTAINED {
        let logs = tools::results(&["eglinfo", lane.name()])?;
        let running = lane.start(&logs)?;
        let output = running
            .command("eglinfo")?
            .output()
            .map_err(|source| Error::System { doing: "running eglinfo".into(), source })?;
        let said = text(&output.stdout);
        assert!(said.contains("MobileGL"), "{said}{}", text(&output.stderr));
    }
    Ok(())
}

/// If this fails, the environment for a whole shell differs from the one a single program gets.
#[test]
fn the_environment_works_in_a_shell() -> Result<()> {
    let mobilegl = tools::mobilegl()?;
    let script = format!("eval \"$({} run --transport inproc --print-env)\" && env", mobilegl.display());
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .map_err(|source| Error::System { doing: "running sh".into(), source })?;
    let said = text(&output.stdout);
    assert!(said.lines().any(|line| line == "MOBILEGL_TRANSPORT=inproc"), "{said}");
    let vendor = said.lines().find_map(|line| line.strip_prefix("__EGL_VENDOR_LIBRARY_FILENAMES=")).unwrap_or_default();
    let json = fs::read_to_string(Path::new(vendor)).unwrap_or_default();
    assert!(json.contains("libmobilegl.so"), "{vendor}: {json}");
    Ok(())
}

/// If this fails, completion breaks the person's shell, or a subcommand is missing in the manual.
#[test]
fn completions_and_the_manual_are_usable() -> Result<()> {
    let output = run(&["completions", "bash"], |_| {})?;
    let script = tools::results(&["completions"])?.join("mobilegl.bash");
    fs::write(&script, &output.stdout)
        .map_err(|source| Error::System { doing: "writing the completions".into(), source })?;
    let checked = Command::new("bash").arg("-n").arg(&script).status();
    assert!(checked.is_ok_and(|status| status.success()), "bash refuses {}", script.display());
    let manual = text(&run(&["man"], |_| {})?.stdout);
    for part in ["run", "info", "doctor", "serve", "record", "replay", "dump", "diff"] {
        assert!(manual.contains(&format!("mobilegl\\-{part}")), "{part} is missing in the manual");
    }
    Ok(())
}

/// If this fails, `mobilegl info | head` ends in a panic with a stack.
#[test]
fn a_reader_that_leaves_is_no_failure() -> Result<()> {
    let mobilegl = tools::mobilegl()?;
    for words in ["info", "info --json", "doctor", "completions bash", "run --print-env"] {
        // The reader is gone before anything is written.
        let script = format!("{{ sleep 0.2; {} {words}; echo code=$? >&2; }} | true", mobilegl.display());
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("VK_ICD_FILENAMES", tools::lavapipe_file()?)
            .output()
            .map_err(|source| Error::System { doing: "running sh".into(), source })?;
        let said = text(&output.stderr);
        assert!(said.contains("code=0") && !said.contains("panicked"), "{words}: {said}");
    }
    Ok(())
}
