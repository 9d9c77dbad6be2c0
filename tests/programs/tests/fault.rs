//! What a program lives through when the driver's process is missing, slow or dead.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mgl_programs::lane::Lane;
use mgl_programs::recorded::compiled;
use mgl_programs::running::Running;
use mgl_programs::{Error, Result, process, tools};

/// A hang is what is tested for; nothing here takes more than seconds on an idle machine.
const LONG: Duration = Duration::from_secs(150);

/// Runs the program on a lane and returns what it saw.
fn run(what: &str, lane: Lane) -> Result<BTreeMap<String, String>> {
    let folder = tools::results(&["fault", what, lane.name()])?;
    let logs = tools::results(&["fault", what, lane.name(), "logs"])?;
    let running = lane.start(&logs)?;
    let command = program(&running, &folder, what)?;
    process::run_to_success(command, &folder.join("output.log"), Duration::from_secs(60), "fault", lane.name())?;
    seen(&folder)
}

/// Runs it with a shader that does not end.
fn hang(running: &Running, folder: &Path, lane: &str) -> Result<BTreeMap<String, String>> {
    let command = program(running, folder, "hang")?;
    process::run_to_success(command, &folder.join("output.log"), LONG, "fault", lane)?;
    seen(folder)
}

fn program(running: &Running, folder: &Path, what: &str) -> Result<Command> {
    let mut command = running.command(tools::python()?)?;
    command.arg(tools::root().join("tests/programs/py/fault.py")).arg("--out").arg(folder.join("result")).arg(what);
    Ok(command)
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|source| Error::System { doing: format!("reading {}", path.display()), source })
}

fn seen(folder: &Path) -> Result<BTreeMap<String, String>> {
    let text = text(&folder.join("result.seen.txt"))?;
    Ok(text.lines().filter_map(|line| line.split_once('=')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect())
}

/// If this fails, the program of the tests below does not work even undisturbed.
#[test]
fn undisturbed() -> Result<()> {
    for lane in Lane::MAGMA {
        let seen = run("none", lane)?;
        assert_eq!((seen["before"].as_str(), seen["after"].as_str()), ("255", "51"), "{lane:?}");
        assert_eq!((seen["reset"].as_str(), seen["egl"].as_str()), ("0x0", "0x3000"), "{lane:?}");
        assert_eq!(seen["children"], if lane == Lane::SPAWN { "1" } else { "0" }, "{lane:?}");
    }
    Ok(())
}

/// If this fails, a crash of the Vulkan driver takes the program down, hangs it, or goes unreported.
#[test]
fn a_killed_server_is_a_lost_context() -> Result<()> {
    for lane in [Lane::SPAWN, Lane::TCP] {
        let seen = run("kill", lane)?;
        // GL_ARB_robustness: any reset status but GL_NO_ERROR; it was not this context's fault that is known.
        assert_ne!(seen["reset"], "0x0", "{lane:?} {seen:?}");
        assert_eq!((seen["current"].as_str(), seen["egl"].as_str()), ("0", "0x300e"), "{lane:?} {seen:?}");
    }
    Ok(())
}

/// If this fails, the death of the driver's process takes programs down that look at no error, or tells those that do the
/// wrong thing; and nobody tells the person in front of it.
#[test]
fn everything_may_be_called_after_the_server_died() -> Result<()> {
    let folder = tools::results(&["fault", "lost"])?;
    let binary = folder.join("lost");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-Wall", "-o"]).arg(&binary);
    gcc.arg(tools::root().join("tests/programs/c/lost.c")).args(["-lEGL", "-lOpenGL"]);
    process::run_to_success(gcc, &folder.join("gcc.log"), Duration::from_secs(60), "gcc", "lost")?;
    for lane in [Lane::SPAWN, Lane::ESPRYT] {
        for wish in ["plain", "told"] {
            let logs = tools::results(&["fault", "lost", lane.name(), wish])?;
            let mut command = lane.start(&logs)?.command(&binary)?;
            command.arg(wish);
            let output = logs.join("output.log");
            let said = process::run_to_success(command, &output, Duration::from_secs(60), wish, lane.name())?;
            assert!(said.lines().any(|line| line == "ok"), "{lane:?} {wish}: {said}");
            // Once, by name, however often the program goes on calling.
            let lines: Vec<&str> = said.lines().filter(|line| line.contains("ERROR")).collect();
            assert!(lines.len() == 1 && lines[0].contains("SIGKILL"), "{lane:?} {wish}: {said}");
        }
    }
    Ok(())
}

/// If this fails, a shader that does not end hangs its program for ever, wherever the driver runs: the session must end as
/// a lost device, by name, and the program must live on.
#[test]
fn a_shader_that_does_not_end_is_a_lost_context() -> Result<()> {
    // A driver of OpenGL ES does not come back from the call; only a process of its own can be left to itself.
    for lane in Lane::MAGMA.into_iter().chain([Lane::ESPRYT, Lane::ESPRYT_TCP]) {
        let folder = tools::results(&["fault", "hang", lane.name()])?;
        let running = lane.start_with(&folder, &[("MOBILEGL_GPU_TIMEOUT_S", "2")])?;
        let seen = hang(&running, &folder, lane.name())?;
        assert_ne!(seen["reset"], "0x0", "{lane:?} {seen:?}");
        assert_eq!((seen["current"].as_str(), seen["egl"].as_str()), ("0", "0x300e"), "{lane:?} {seen:?}");
        let said = text(&folder.join("output.log"))?;
        assert!(said.contains("DeviceLost") && said.contains("MOBILEGL_GPU_TIMEOUT_S"), "{lane:?}: {said}");
    }
    Ok(())
}

/// If this fails, one program's shader that does not end takes the others on the same server with it.
#[test]
fn programs_beside_one_that_hangs_go_on() -> Result<()> {
    let folder = tools::results(&["fault", "beside"])?;
    let (bad, good) = (tools::results(&["fault", "beside", "bad"])?, tools::results(&["fault", "beside", "good"])?);
    // The good one shares the processor with the bad one, and its limit with it.
    let running = Lane::TCP.start_with(&folder, &[("MOBILEGL_GPU_TIMEOUT_S", "10")])?;
    let seen = std::thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let mut command = program(&running, &good, "none")?;
            command.arg("--beside").arg(bad.join("result.seen.txt"));
            process::run_to_success(command, &good.join("output.log"), LONG, "fault", "beside")?;
            seen(&good)
        });
        let lost = hang(&running, &bad, "beside");
        // Whatever became of it, the other one shall not look for it for ever.
        fs::write(bad.join("result.seen.txt"), "")
            .map_err(|source| Error::System { doing: "writing".into(), source })?;
        let beside = beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        assert_ne!(lost?["reset"], "0x0");
        Ok::<_, Error>(beside)
    })?;
    assert_eq!((seen["after"].as_str(), seen["reset"].as_str(), seen["egl"].as_str()), ("51", "0x0", "0x3000"));
    Ok(())
}

/// If this fails, a machine with much to do ends programs that did nothing wrong: of sixteen programs on one device, only the
/// one whose shader does not end may be lost, and only time in which its own driver ran may count.
#[test]
fn of_sixteen_programs_only_the_one_that_hangs_is_lost() -> Result<()> {
    let folder = tools::results(&["fault", "busy"])?;
    let running = Lane::SPAWN.start(&folder)?;
    let start = running.command("env")?;
    let script = tools::root().join("tests/programs/py/busy.py").display().to_string();
    let out = folder.join("programs").display().to_string();
    let words = [script.as_str(), "--out", out.as_str(), "--limit", "3", "--"];
    let python = tools::python()?;
    let command = wrapped(&python.display().to_string(), &words, &start);
    process::run_to_success(command, &folder.join("output.log"), 2 * LONG, "busy", "spawn").map(drop)
}

/// The same command, started by `wrapper`.
fn wrapped(wrapper: &str, words: &[&str], inner: &Command) -> Command {
    let mut command = Command::new(wrapper);
    command.args(words).arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// If this fails, a full disk where caches are kept ends the server in the middle of drawing, and the program shows black.
#[test]
fn a_full_disk_decides_nothing() -> Result<()> {
    for lane in [Lane::SPAWN, Lane::ESPRYT] {
        let folder = tools::results(&["fault", "full", lane.name()])?;
        let cache = tools::results(&["fault", "full", lane.name(), "cache"])?;
        let mount = ["--map-root-user", "--mount", "sh", "-c"];
        // 64 KiB, filled to the last byte; seen by this program and its server alone.
        let place = cache.display().to_string();
        let full = format!("mount -t tmpfs -o size=64k tmpfs '{place}' && head -c 99999 /dev/zero > '{place}/full'");
        let may =
            Command::new("unshare").args(mount).arg(format!("mount -t tmpfs -o size=64k tmpfs '{place}'")).status();
        if !may.is_ok_and(|status| status.success()) {
            eprintln!("no file system can be mounted here, so nothing was tried");
            return Ok(());
        }
        let running = lane.start(&folder)?;
        // It compiles shaders, which is what the driver keeps.
        let program = compiled("frames", &format!("full-{}", lane.name()))?;
        let (free, tight) = (folder.join("free.ppm"), folder.join("tight.ppm"));
        let mut undisturbed = running.command(&program)?;
        undisturbed.arg(&free);
        let (log, minute) = (folder.join("output.log"), Duration::from_secs(60));
        process::run_to_success(undisturbed, &log, minute, "frames", lane.name())?;
        let script = format!("{full}; exec \"$@\"");
        let words = [&mount[..], &[script.as_str(), "sh"]].concat();
        let mut inner = running.command(&program)?;
        inner.arg(&tight).env("MOBILEGL_CACHE_DIR", &cache);
        process::run_to_success(wrapped("unshare", &words, &inner), &log, minute, "frames", lane.name())?;
        assert_eq!(fs::read(&free).ok(), fs::read(&tight).ok(), "{lane:?}: another picture");
    }
    Ok(())
}

/// If this fails, whoever kills `mobilegl run` is left with a program and a server that nobody looks after.
#[test]
fn nothing_is_left_when_the_command_is_killed() -> Result<()> {
    for lane in [Lane::SPAWN, Lane::ESPRYT] {
        let folder = tools::results(&["fault", "killed", lane.name()])?;
        let running = lane.start(&folder)?;
        let mut command = program(&running, &folder, "none")?;
        command.arg("--beside").arg(folder.join("never"));
        let system = |source| Error::System { doing: "killing mobilegl run".into(), source };
        let mut child = command.spawn().map_err(system)?;
        let log = loop {
            let logs = fs::read_dir(&folder).map_err(system)?.flatten().map(|entry| entry.path());
            let mut logs = logs.filter(|path| path.extension().is_some_and(|end| end == "log"));
            match logs.find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("server-"))) {
                Some(log) => break log,
                None if child.try_wait().map_err(system)?.is_some() => panic!("it ended by itself"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        child.kill().map_err(system)?;
        child.wait().map_err(system)?;
        let name = log.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let place = format!("/proc/{}", name.trim_start_matches("server-"));
        // Ends as soon as the server does; a test that hangs has failed.
        while fs::read_link(format!("{place}/exe")).is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}

/// Runs the program that meets a shortage at every place; what each of its rounds was told.
fn shortages(what: &str, lane: Lane) -> Result<BTreeMap<String, String>> {
    let folder = tools::results(&["memory", what, lane.name()])?;
    let running = lane.start(&folder)?;
    let mut command = running.command(tools::python()?)?;
    command.arg(tools::root().join("tests/programs/py/memory.py")).arg("--out").arg(folder.join("result")).arg(what);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    process::run_to_success(command, &folder.join("output.log"), LONG, "memory", lane.name())?;
    seen(&folder)
}

/// If this fails, a program that asks for one texture too many is not told so, or draws wrongly or not at all from then on.
#[test]
fn memory_of_the_device_may_run_out_anywhere() -> Result<()> {
    for lane in [Lane::MONOLITH, Lane::ESPRYT_MONOLITH, Lane::SPAWN] {
        let rounds = shortages("device", lane)?;
        let told = rounds.values().filter(|said| *said == "out of memory").count();
        // The last rounds name allocations that the program never comes to.
        assert!(told >= 10 && rounds["16x6"] == "nothing", "{lane:?}: {rounds:?}");
    }
    Ok(())
}

/// If this fails, a program whose server finds no memory for a ring or a map hangs or crashes instead of being refused, or
/// of doing without.
#[test]
fn memory_in_common_may_run_out_anywhere() -> Result<()> {
    let rounds = shortages("shared", Lane::SPAWN)?;
    // The session itself; the four parts of a context (EGL_BAD_ALLOC); the store of a map, which is done without.
    assert!(rounds["1x1"].contains("eglInitialize failed: 0x3001"), "{rounds:?}");
    assert!((2..=5).all(|n| rounds[&format!("{n}x1")] == "no context: 0x3003"), "{rounds:?}");
    assert!((6..=7).all(|n| rounds[&format!("{n}x1")] == "nothing"), "{rounds:?}");
    Ok(())
}

/// If this fails, a busy machine makes the program lose its context: slow must be waited for.
#[test]
fn a_stopped_server_is_waited_for() -> Result<()> {
    for lane in [Lane::SPAWN, Lane::TCP] {
        let seen = run("stop", lane)?;
        assert_eq!(
            (seen["after"].as_str(), seen["reset"].as_str(), seen["waited"].as_str()),
            ("51", "0x0", "1"),
            "{lane:?} {seen:?}"
        );
    }
    Ok(())
}

/// If this fails, a program that was started without `mobilegl run` and without a server crashes instead of being told.
#[test]
fn a_missing_server_fails_the_programs_start() -> Result<()> {
    let folder = tools::results(&["fault", "missing"])?;
    let mut command = Lane::INPROC.start(&folder)?.command(tools::python()?)?;
    // Set behind the command's back, as a broken installation would be.
    command.args([
        "-c",
        "import os, sys; os.environ.update(MOBILEGL_TRANSPORT='spawn', \
        MOBILEGL_IPC_SERVER_PATH='/nonexistent/mobilegl-server'); \
        os.execv(sys.executable, [sys.executable, *sys.argv[1:]])",
    ]);
    command.arg(tools::root().join("tests/programs/py/fault.py")).arg("--out").arg(folder.join("result")).arg("none");
    let log = folder.join("output.log");
    let end = process::run(command, &log, Duration::from_secs(60))?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    assert!(end.complaint().is_some_and(|how| how.contains("exit code 1")), "{end:?}\n{said}");
    assert!(said.contains("mobilegl-server"), "{said}");
    Ok(())
}
