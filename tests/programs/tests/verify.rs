//! Programs with every verb's state verified by the server, and with everything sent again before every verb
//! (`MOBILEGL_PIPE_VERIFY`, `MOBILEGL_PIPE_COLD`), over each transport.

use std::path::Path;

use mgl_programs::Result;
use mgl_programs::lane::Lane;
use mgl_programs::program::{run_with, yardstick};

const ON: &str = "1";

/// Runs with the switches; pictures and values must be those of the run without them. The server ends the session at a
/// difference, and then the program fails.
fn equal_with(name: &str, lane: Lane, test: &str, switches: &[&'static str]) -> Result<()> {
    let mut environment = vec![("MOBILEGL_PIPE_POISON", Path::new(ON)), ("MOBILEGL_PIPE_STATS", Path::new(ON))];
    environment.extend(switches.iter().map(|switch| (*switch, Path::new(ON))));
    let outcome = run_with(name, lane, test, &environment)?;
    let plain = run_with(name, lane, &format!("{test}-plain"), &[("MOBILEGL_PIPE_STATS", Path::new(ON))])?;
    let (with, without) = (outcome.records()?, plain.records()?);
    assert!(with > without, "{name} on {}: {with} records, {without} without {switches:?}", lane.name());
    outcome.require_equal(&yardstick(name, lane.on_one_thread())?)
}

macro_rules! programs {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use mgl_programs::lane::Lane;
            const VERIFY: &[&str] = &["MOBILEGL_PIPE_VERIFY"];
            /// If this fails, the server draws with other state than the program has set.
            #[test]
            fn verified_on_monolith() -> mgl_programs::Result<()> {
                super::equal_with(stringify!($name), Lane::MONOLITH, "verify", VERIFY)
            }
            /// If this fails, state gets lost on the way to the render thread.
            #[test]
            fn verified_on_inproc() -> mgl_programs::Result<()> {
                super::equal_with(stringify!($name), Lane::INPROC, "verify", VERIFY)
            }
            /// If this fails, state gets lost on the way to the server process.
            #[test]
            fn verified_on_spawn() -> mgl_programs::Result<()> {
                super::equal_with(stringify!($name), Lane::SPAWN, "verify", VERIFY)
            }
            /// If this fails, state gets lost on the way to a server on another machine.
            #[test]
            fn verified_on_tcp() -> mgl_programs::Result<()> {
                super::equal_with(stringify!($name), Lane::TCP, "verify", VERIFY)
            }
            /// If this fails, Espryt reads state that was not pushed for the command, or the client knows its backend.
            #[test]
            fn verified_on_espryt() -> mgl_programs::Result<()> {
                super::equal_with(stringify!($name), Lane::ESPRYT, "verify", VERIFY)
            }
            /// If this fails, the driver leaves out a change that the picture needs, or sends one that it must not.
            #[test]
            fn cold() -> mgl_programs::Result<()> {
                let both = ["MOBILEGL_PIPE_COLD", "MOBILEGL_PIPE_VERIFY"];
                super::equal_with(stringify!($name), Lane::SPAWN, "cold", &both)
            }
        }
    )+};
}

programs!(
    demo,
    mesh,
    instancing,
    postprocess,
    feedback,
    textures,
    cubemap,
    manydraws,
    compute,
    tessellation,
    glass,
    vtk_cone
);
