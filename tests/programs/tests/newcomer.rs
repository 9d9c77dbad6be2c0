//! What somebody new meets: requests that are refused in words, environments without a home, switches that are misspelt.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mgl_programs::{Error, Result, tools};

fn io(doing: &str) -> impl FnOnce(std::io::Error) -> Error {
    let doing = doing.to_owned();
    move |source| Error::System { doing, source }
}

/// `mobilegl` with nothing in its environment but a search path and a Vulkan driver.
fn mobilegl(words: &[&str], prepare: impl FnOnce(&mut Command)) -> Result<Output> {
    let mut command = Command::new(tools::mobilegl()?);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("VK_DRIVER_FILES", tools::lavapipe_file()?).args(words);
    prepare(&mut command);
    command.output().map_err(io("running mobilegl"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The client library under another name, with nothing beside it.
fn library_alone(test: &str) -> Result<(PathBuf, PathBuf)> {
    let folder = tools::results(&["newcomer", test])?;
    let library = folder.join("libmobilegl.so");
    fs::copy(tools::built().join("libmobilegl.so"), &library).map_err(io("copying the library"))?;
    Ok((folder, library))
}

/// Where glvnd is told to look.
fn vendor_file(output: &Output) -> PathBuf {
    let said = text(&output.stdout);
    let line = said.lines().find_map(|line| line.strip_prefix("export __EGL_VENDOR_LIBRARY_FILENAMES="));
    PathBuf::from(line.unwrap_or_else(|| panic!("{said}{}", text(&output.stderr))).trim_matches('\''))
}

/// If this fails, a person whose program finds no context sees `EGL_BAD_MATCH` or nothing, and cannot know why.
#[test]
fn what_is_not_served_is_said_once_and_in_words() -> Result<()> {
    let folder = tools::results(&["newcomer", "refused"])?;
    let (program, source) = (folder.join("refused"), tools::root().join("tests/programs/c/refused.c"));
    let compiled = Command::new("gcc").args(["-O1", "-Wall", "-o"]).arg(&program).arg(source).arg("-lEGL").status();
    assert!(compiled.is_ok_and(|status| status.success()), "gcc");
    for lane in ["monolith", "inproc", "spawn"] {
        let program = program.to_string_lossy();
        let output = mobilegl(&["run", "--transport", lane, "--", &program], |_| {})?;
        let said = text(&output.stderr);
        assert!(output.status.success() && text(&output.stdout).contains("ok"), "{}{said}", text(&output.stdout));
        for (part, times) in [
            ("asked for OpenGL 2.1", 1),
            ("MOBILEGL_LEGACY_CONTEXT=core", 1),
            ("configurations for OpenGL ES", 1),
            ("asked for a GBM display", 1),
            ("configurations for windows", 1),
            ("not initialised", 0),
            ("ERROR", 0),
        ] {
            assert_eq!(said.matches(part).count(), times, "{lane}: {part}: {said}");
        }
    }
    Ok(())
}

/// If this fails, libGLX does not find this driver under `mobilegl run`, and a GLX program draws with another one.
#[test]
fn glx_finds_the_driver() -> Result<()> {
    let script = "import ctypes; print('answer', ctypes.CDLL('libGLX_mobilegl.so.0').__glx_Main(0, None, None, None))";
    let python = tools::python()?.to_string_lossy().into_owned();
    let run = |display: &str| {
        let words = ["run", "--transport", "inproc", "--", &python, "-c", script];
        mobilegl(&words, |command| {
            command.env("DISPLAY", display).env("LD_LIBRARY_PATH", "/nonexistent");
        })
    };
    let output = run(":77")?;
    // Version 0 of the interface between libGLX and its vendors is none: the vendor declines instead of reading null.
    assert!(text(&output.stdout).contains("answer 0"), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!run("")?.status.success(), "without a display nothing is added to where libraries are looked for");
    Ok(())
}

/// If this fails, `run`, `info` and `doctor` stop in a container without a home, or for a user that nobody knows.
#[test]
fn no_home_is_needed() -> Result<()> {
    let (folder, library) = library_alone("no-home")?;
    let prepare = |command: &mut Command| {
        command.env("MOBILEGL_LIBRARY", &library).env("TMPDIR", &folder);
    };
    let path = vendor_file(&mobilegl(&["run", "--transport", "inproc", "--print-env"], prepare)?);
    assert!(path.starts_with(&folder), "{}", path.display());
    let own = path.parent().unwrap_or(Path::new("/"));
    let mode = fs::metadata(own).map_err(io("looking at the folder"))?.permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "nobody else writes in {}", own.display());
    for words in [["info", "--transport", "inproc"], ["run", "--transport", "inproc"]] {
        let words: Vec<&str> = words.into_iter().chain((words[0] == "run").then_some("true")).collect();
        let output = mobilegl(&words, prepare)?;
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    }
    Ok(())
}

/// If this fails, a folder that glvnd cannot name, or one that depends on where a program starts, hides the driver.
#[test]
fn paths_that_glvnd_cannot_name_are_passed_over() -> Result<()> {
    let (folder, library) = library_alone("names")?;
    for (name, value) in [("XDG_CACHE_HOME", "/a:b"), ("XDG_CACHE_HOME", "cache"), ("HOME", "home"), ("HOME", "")] {
        let output = mobilegl(&["run", "--transport", "inproc", "--print-env"], |command| {
            command.env("MOBILEGL_LIBRARY", &library).env("TMPDIR", &folder).env(name, value).current_dir(&folder);
        })?;
        let path = vendor_file(&output);
        assert!(path.starts_with(&folder) && path.is_file(), "{name}={value}: {}", path.display());
    }
    assert!(!folder.join("cache").exists() && !folder.join("home").exists());
    Ok(())
}

/// If this fails, an installation that nobody can write to needs a folder of the user's.
#[test]
fn the_build_leaves_a_vendor_file_beside_the_library() -> Result<()> {
    let path = vendor_file(&mobilegl(&["run", "--transport", "inproc", "--print-env"], |_| {})?);
    let library = tools::built().canonicalize().map_err(io("finding the build"))?;
    assert_eq!(path, library.join("egl_vendor.json"));
    Ok(())
}

/// If this fails, a user who names a device draws with another one, or one without Vulkan believes that nothing is missing.
#[test]
fn a_named_device_is_had_or_refused() -> Result<()> {
    let named = |wish: &'static str| {
        move |command: &mut Command| {
            command.env("MOBILEGL_VK_DEVICE", wish);
        }
    };
    let output = mobilegl(&["info"], named("no such device"))?;
    assert!(
        !output.status.success() && text(&output.stderr).contains("MOBILEGL_VK_DEVICE=no such device"),
        "{output:?}"
    );
    let output = mobilegl(&["info"], named("LLVMPIPE"))?;
    assert!(text(&output.stdout).contains("MobileGL Magma"), "{output:?}");
    let output = mobilegl(&["doctor"], |command| {
        command.env("VK_DRIVER_FILES", "/nonexistent/icd.json");
    })?;
    let said = text(&output.stdout);
    assert!(said.contains("no Vulkan device") && said.contains("mesa-vulkan-drivers"), "{said}");
    assert!(!said.contains("Everything a program needs is here"), "{said}");
    Ok(())
}

/// If this fails, an empty variable of a script is an error, a misspelt one does nothing without a word, or logs that were
/// asked for are not written because their folder was not there yet.
#[test]
fn variables_mean_what_they_say() -> Result<()> {
    let folder = tools::results(&["newcomer", "variables"])?;
    let logs = folder.join("logs/here");
    for transport in ["spawn", "inproc"] {
        let _ = fs::remove_dir_all(&logs);
        let output = mobilegl(&["info"], |command| {
            for name in ["MOBILEGL_BACKEND", "MOBILEGL_LIBRARY", "MOBILEGL_IPC_SERVER_PATH", "MOBILEGL_VK_DEVICE"] {
                command.env(name, "");
            }
            command.env("MOBILEGL_TRANSPORT", transport).env("MOBILEGL_LOG_DIR", &logs);
        })?;
        assert!(output.status.success(), "{}", text(&output.stderr));
        let count = fs::read_dir(&logs).map_err(io("reading the logs"))?.count();
        assert_eq!(count, 1, "{transport}");
    }
    let misspelt = "BAKEND";
    let output = mobilegl(&["run", "--", "eglinfo"], |command| {
        command.env(format!("MOBILEGL_{misspelt}"), "magma");
    })?;
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(said.matches("_BAKEND is set").count(), 1, "{said}");
    assert!(said.contains("did you mean MOBILEGL_BACKEND"), "{said}");
    Ok(())
}
