//! One test per recording and transport: the last frame must look like llvmpipe's own replay of the same recording.

use mgl_programs::lane::Lane;
use mgl_programs::{Result, compare, replay};

fn check(name: &str, lane: Lane) -> Result<()> {
    let Some(recording) = replay::recording(name) else { return Ok(()) };
    let call = replay::last_frame(&recording)?;
    let reference = replay::frame(name, &recording, call, Lane::Reference, lane.name())?;
    let picture = replay::frame(name, &recording, call, lane, lane.name())?;
    let similarity = compare::require_similar(&reference, &picture)?;
    println!("{name} on {}: similarity {similarity:.5}", lane.name());
    Ok(())
}

macro_rules! recordings {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use mgl_programs::lane::Lane;
            /// If this fails, a game or toolkit draws wrongly even without a process boundary.
            #[test]
            fn monolith() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Monolith) }
            /// If this fails, a game or toolkit draws wrongly with a render thread.
            #[test]
            fn inproc() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Inproc) }
            /// If this fails, a game or toolkit draws wrongly with the driver in a process of its own.
            #[test]
            fn spawn() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Spawn) }
        }
    )+};
}

recordings!(godot3, love, pyglet);
