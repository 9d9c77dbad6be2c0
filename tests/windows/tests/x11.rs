//! Windows of X11 in the situations that programs bring them into, over EGL and GLX, on each backend, and on Mesa's own
//! driver to judge the tests themselves. What counts is what another client of the X server reads.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use image::RgbImage;
use mgl_programs::lane::Lane;
use mgl_programs::running::served_by;
use mgl_programs::{Result, compare, once, tools};
use mgl_windows_tests::actor::Actor;
use mgl_windows_tests::compiled::compiled;
use mgl_windows_tests::expected::judged;
use mgl_windows_tests::screen::{Screen, keep, middle};
use mgl_windows_tests::server::XServer;
use mgl_windows_tests::{SAME_WINDOW, bad};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// A program of `c/window.c` in one scene, beside a client that looks.
struct Play {
    actor: Actor,
    screen: Screen,
    server: XServer,
    folder: PathBuf,
}

fn play_in(way: &str, scene: &str, lane: Lane, depth: u8, folder: PathBuf) -> Result<Play> {
    let program = compiled("window", &["-lX11", "-lEGL", "-lGL"])?;
    let server = XServer::start(depth)?;
    let screen = Screen::of(server.display())?;
    let actor = Actor::start(&program, &[way, scene], lane, server.display(), &folder)?;
    Ok(Play { actor, screen, server, folder })
}

fn play(way: &str, scene: &str, lane: Lane) -> Result<Play> {
    play_in(way, scene, lane, 24, tools::results(&["windows", "x11", way, scene, lane.name()])?)
}

impl Play {
    /// Lets the program go to its end, which must be a good one on its lane.
    fn end(mut self) -> Result<()> {
        self.actor.go_on()?;
        let said = self.actor.finish()?;
        if said.contains("X error") { Err(bad("the program", said)) } else { Ok(()) }
    }
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(bad("what the program saw", what())) }
}

/// The picture of a still scene on Mesa, made once for all tests of a run.
fn yardstick(way: &str, scene: &str, depth: u8) -> Result<PathBuf> {
    let name = format!("{scene}-{depth}");
    let folder = once::per_run(&["windows", "yardstick", way, &name], |folder| {
        let mut play = play_in(way, scene, Lane::Reference, depth, folder.into())?;
        let window = play.actor.at("shown")?["window"];
        keep(&play.screen.wait(window, drawn)?, &folder.join("window.png"))?;
        play.end()
    })?;
    Ok(folder.join("window.png"))
}

/// The background of the triangle's scene is there, in three corners: neither an older size nor a part of a picture.
fn drawn(picture: &RgbImage) -> std::result::Result<(), String> {
    let (right, low) = (picture.width() - 3, picture.height() - 3);
    for (x, y) in [(2, 2), (right, 2), (right, low)] {
        let corner = picture.get_pixel(x, y).0;
        if [51_u8, 77, 102].iter().zip(corner).any(|(a, b)| a.abs_diff(b) > 8) {
            return Err(format!("at {x}, {y} is {corner:?}, not the background"));
        }
    }
    Ok(())
}

fn like_mesa(way: &str, scene: &str, lane: Lane, depth: u8) -> Result<()> {
    let expected = yardstick(way, scene, depth)?;
    let folder = tools::results(&["windows", "x11", way, &format!("{scene}-{depth}"), lane.name()])?;
    let mut play = play_in(way, scene, lane, depth, folder)?;
    let window = play.actor.at("shown")?["window"];
    let got: &Path = &play.folder.join("window.png");
    keep(&play.screen.wait(window, drawn)?, got)?;
    let similarity = compare::similarity(&expected, got)?;
    require(similarity >= SAME_WINDOW, || format!("similarity {similarity:.4} of {} to Mesa's", got.display()))?;
    play.end()
}

fn still(way: &str, lane: Lane) -> Result<()> {
    like_mesa(way, "still", lane, 24)
}

fn shallow(way: &str, lane: Lane) -> Result<()> {
    like_mesa(way, "still", lane, 16)
}

fn resize(way: &str, lane: Lane) -> Result<()> {
    like_mesa(way, "resize", lane, 24)
}

fn shows(way: &str, scene: &str, lane: Lane, colour: [u8; 3]) -> Result<()> {
    let mut play = play(way, scene, lane)?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait_for(window, colour, 1)?;
    play.end()
}

fn unmapped(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "unmapped", lane)?;
    play.actor.at("hidden")?;
    play.actor.go_on()?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait_for(window, GREEN, 1)?;
    play.end()
}

fn two_windows(way: &str, scene: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, scene, lane)?;
    let at = play.actor.at("shown")?;
    play.screen.wait_for(at["window"], RED, 1)?;
    play.screen.wait_for(at["other"], BLUE, 1)?;
    play.end()
}

fn threads(way: &str, lane: Lane) -> Result<()> {
    two_windows(way, "threads", lane)
}

fn turns(way: &str, lane: Lane) -> Result<()> {
    two_windows(way, "turns", lane)
}

/// The next window shows what is drawn; Mesa's GLX sends errors of the X protocol on the way, so they are not judged.
fn destroyed(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "destroyed", lane)?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait_for(window, GREEN, 1)?;
    play.actor.go_on()?;
    play.actor.finish().map(|_| ())
}

fn intervals(way: &str, lane: Lane) -> Result<()> {
    shows(way, "intervals", lane, GREEN)
}

/// The lower quarter is new, the rest is what it was four frames long.
fn ages(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "ages", lane)?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait(window, |picture| {
        let (low, high) = (picture.get_pixel(160, 220).0, middle(picture));
        (low == GREEN && high == RED).then_some(()).ok_or_else(|| format!("{high:?} above {low:?}"))
    })?;
    play.end()
}

/// A colour may show one frame later than on Mesa, which copies the picture within the swap.
fn latency(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "latency", lane)?;
    let swaps = play.actor.at("seen")?["swaps"];
    require(swaps <= 2, || format!("a colour shows after {swaps} swaps; on Mesa after one"))?;
    play.end()
}

fn kill(process: u32) {
    let _ = Command::new("kill").args(["-KILL", &process.to_string()]).stderr(Stdio::null()).status();
}

fn orphan(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "orphan", lane)?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait_for(window, RED, 1)?;
    // One of them may have been asked about the device alone, and be gone.
    let servers = served_by(&play.folder.join("logs"));
    require(!servers.is_empty(), || "the lane has no server".into())?;
    servers.iter().for_each(|server| kill(server.pid));
    play.actor.go_on()?;
    let lost = play.actor.at("lost")?;
    require(lost["reset"] == 1, || format!("{lost:?}"))?;
    play.screen.picture(window)?;
    play.end()
}

fn bereft(way: &str, lane: Lane) -> Result<()> {
    let mut play = play(way, "bereft", lane)?;
    let window = play.actor.at("shown")?["window"];
    play.screen.wait_for(window, RED, 1)?;
    play.server.kill();
    play.actor.go_on()?;
    // Xlib ends a program whose connection breaks with exit code 1 of its own; a crash or a hang is what is wrong.
    match play.actor.finish() {
        Err(error) if !error.to_string().contains("exit status: 1\n") => Err(error),
        _ => Ok(()),
    }
}

macro_rules! scenes {
    ($($loses:literal $scene:ident),+ $(,)?) => {$(
        #[doc = $loses]
        mod $scene {
            use super::*;
            scenes!(@each $scene egl_platform "egl-platform");
            scenes!(@each $scene egl_display "egl-display");
            scenes!(@each $scene glx "glx");
        }
    )+};
    (@each $scene:ident $module:ident $way:literal) => {
        mod $module {
            use super::*;
            fn on(lane: Lane) -> Result<()> {
                let name = concat!(stringify!($scene), "::", stringify!($module), "::");
                judged(&format!("{name}{}", lane.name()), super::super::$scene($way, lane))
            }
            /// If this fails, users lose what the scene's line in the table below says.
            #[test]
            fn magma() -> Result<()> { on(Lane::SPAWN) }
            /// If this fails, users lose the same where there is only OpenGL ES.
            #[test]
            fn espryt() -> Result<()> { on(Lane::ESPRYT) }
        }
    };
}

scenes! {
    "a window shows something else than on Mesa, or nothing." still,
    "a window on a screen of 16 bits shows something else than on Mesa, or nothing." shallow,
    "a window that is resized shows a stretched or old picture, or the program hangs." resize,
    "a program whose window is hidden hangs, or shows nothing when it comes back." unmapped,
    "a program with a window per thread mixes them up or hangs." threads,
    "a program that draws two windows with one context shows the one in the other." turns,
    "a program whose window is closed under it crashes, or its next window stays empty." destroyed,
    "a program that asks for another swap interval hangs or shows nothing." intervals,
    "a program that redraws only what changed shows old parts or noise." ages,
    "what a user does shows frames later than on Mesa." latency,
    "a program whose driver process dies is not told, or goes down with it." orphan,
    "a program whose X server dies hangs or crashes." bereft,
}

/// If this fails, what the tests here ask of windows is not what a conforming driver shows.
#[test]
fn mesa_agrees() -> Result<()> {
    for way in ["egl-display", "glx"] {
        for scene in [still, shallow, resize, unmapped, threads, turns, destroyed, intervals, ages, latency] {
            scene(way, Lane::Reference)?;
        }
    }
    Ok(())
}

/// If this fails, windows stay empty when another machine draws.
#[test]
fn a_network_server_fills_a_window() -> Result<()> {
    judged("still::glx::tcp", still("glx", Lane::TCP))?;
    judged("turns::glx::tcp", turns("glx", Lane::TCP))?;
    Ok(())
}
