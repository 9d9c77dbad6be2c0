//! Programs as Debian has them, in windows: those that are installed are run, the others are skipped by name. Which context
//! each asks for stands in `tests/expectations/windows/programs.tsv`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::RgbImage;
use mgl_programs::lane::Lane;
use mgl_programs::{Result, compare, once, tools};
use mgl_windows_tests::actor::Actor;
use mgl_windows_tests::expected::judged;
use mgl_windows_tests::screen::{Screen, colours, keep};
use mgl_windows_tests::server::XServer;
use mgl_windows_tests::{SAME_WINDOW, bad, failed};

/// A program and what to expect of its picture.
struct Program {
    name: &'static str,
    words: &'static [&'static str],
    /// The picture stands still, so that Mesa's must be the same.
    still: bool,
    /// Colours that it has at least.
    colours: usize,
    limit: Duration,
}

const SECOND: Duration = Duration::from_secs(1);

const fn program(
    name: &'static str,
    words: &'static [&'static str],
    still: bool,
    colours: usize,
    seconds: u64,
) -> Program {
    Program { name, words, still, colours, limit: Duration::from_secs(SECOND.as_secs() * seconds) }
}

const LOVE: Program = program("love", &[], true, 20, 20);
const ALACRITTY: Program = program("alacritty", &["-e", "sh", "-c", "ls -l /usr; sleep 60"], true, 20, 20);
const KITTY: Program = program(
    "kitty",
    &["--config", "NONE", "-o", "cursor_blink_interval=0", "sh", "-c", "ls -l /usr; sleep 60"],
    true,
    20,
    20,
);
const MPV: Program = program(
    "mpv",
    &[
        "--no-config",
        "--vo=gpu",
        "--gpu-api=opengl",
        "--gpu-context=x11egl",
        "--no-audio",
        "--pause",
        "--osc=no",
        "av://lavfi:testsrc=size=320x240:rate=25",
    ],
    true,
    8,
    20,
);
const TUX: Program = program("supertuxkart", &["--windowed", "--disable-sound"], false, 200, 90);
const BLENDER: Program = program("blender", &["--factory-startup", "-p", "0", "0", "640", "480"], false, 100, 90);
const STELLARIUM: Program = program("stellarium", &[], false, 100, 90);

fn installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push("/usr/games".into());
    folders.iter().any(|folder| folder.join(name).is_file())
}

/// Waits until the screen has the colours and then stands still, or for a moving picture, changes.
fn settled(screen: &Screen, program: &Program) -> Result<RgbImage> {
    let start = Instant::now();
    let mut before: Option<RgbImage> = None;
    loop {
        std::thread::sleep(Duration::from_millis(700));
        let now = screen.whole()?;
        let many = colours(&now, program.colours) >= program.colours;
        let same = before.as_ref().is_some_and(|before| *before == now);
        if many && before.is_some() && same == program.still {
            return Ok(now);
        }
        if start.elapsed() > program.limit {
            let what = format!("{} colours of {}, still: {same}", colours(&now, program.colours), program.colours);
            return Err(bad(program.name, what));
        }
        before = Some(now);
    }
}

fn picture(program: &Program, lane: Lane, folder: &Path) -> Result<PathBuf> {
    let server = XServer::start(24)?;
    let screen = Screen::of(server.display())?;
    let path = if Path::new("/usr/games").join(program.name).is_file() { "/usr/games" } else { "" };
    let home = folder.join("home");
    std::fs::create_dir_all(&home).map_err(failed("making a home"))?;
    let actor = Actor::start_with(&Path::new(path).join(program.name), lane, server.display(), folder, |command| {
        command.args(program.words).env("HOME", &home).env("XDG_RUNTIME_DIR", &home);
        if program.name == "love" {
            command.arg(tools::root().join("tests/windows/love"));
        }
    })?;
    let picture = folder.join("screen.png");
    match settled(&screen, program) {
        Ok(now) => keep(&now, &picture)?,
        Err(error) => return Err(bad(program.name, format!("{error}\n{}", actor.said()))),
    }
    actor.prove()?;
    Ok(picture)
}

fn check(program: &Program, lane: Lane) -> Result<()> {
    if !installed(program.name) {
        println!("skipped: {} is not here", program.name);
        return Ok(());
    }
    let own = picture(program, lane, &tools::results(&["windows", "programs", program.name, lane.name()])?)?;
    if !program.still {
        return Ok(());
    }
    let parts = ["windows", "programs-yardstick", program.name];
    let reference = once::per_run(&parts, |folder| picture(program, Lane::Reference, folder).map(|_| ()))?;
    let similarity = compare::similarity(&reference.join("screen.png"), &own)?;
    println!("{}: similarity {similarity:.5}", own.display());
    if similarity >= SAME_WINDOW {
        Ok(())
    } else {
        Err(bad(program.name, format!("similarity {similarity:.4}: {}", own.display())))
    }
}

macro_rules! programs {
    ($($module:ident $program:ident: $($test:ident $lane:ident),+;)+) => {$(
        mod $module {
            use super::*;
            $(
                /// If this fails, people do not see in its window what the program draws.
                #[test]
                fn $test() -> Result<()> {
                    judged(concat!("programs::", stringify!($module), "::", stringify!($test)), check(&$program, Lane::$lane))
                }
            )+
        }
    )+};
}

programs! {
    love LOVE: magma SPAWN, espryt ESPRYT, tcp TCP;
    alacritty ALACRITTY: magma SPAWN, espryt ESPRYT, tcp TCP;
    kitty KITTY: magma SPAWN, espryt ESPRYT;
    mpv MPV: magma SPAWN, espryt ESPRYT;
    supertuxkart TUX: magma SPAWN, espryt ESPRYT;
    blender BLENDER: magma SPAWN, espryt ESPRYT;
    stellarium STELLARIUM: magma SPAWN, espryt ESPRYT;
}
