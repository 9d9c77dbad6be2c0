//! One test per Python program and transport; each also draws on Mesa's llvmpipe and compares.
//!
//! `monolith` is compared with llvmpipe; `inproc` and `spawn` with llvmpipe and, to the last pixel, with `monolith`.

use mgl_programs::Result;
use mgl_programs::lane::Lane;
use mgl_programs::program::{Outcome, run};

fn like_the_reference(name: &str, lane: Lane) -> Result<Outcome> {
    let reference = run(name, Lane::Reference, lane.name())?;
    let outcome = run(name, lane, lane.name())?;
    outcome.require_like(&reference)?;
    Ok(outcome)
}

fn check(name: &str, lane: Lane) -> Result<()> {
    let outcome = like_the_reference(name, lane)?;
    if lane != Lane::Monolith {
        outcome.require_equal(&run(name, Lane::Monolith, lane.name())?)?;
    }
    if let Some(pid) = outcome.server {
        println!("{name} was served by process {pid}");
    }
    Ok(())
}

macro_rules! programs {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use mgl_programs::lane::Lane;
            /// If this fails, the program draws something else than on a conforming driver.
            #[test]
            fn monolith() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Monolith) }
            /// If this fails, a render thread changes what the program draws.
            #[test]
            fn inproc() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Inproc) }
            /// If this fails, the default way to run the program, with the driver in a process of its own, is broken.
            #[test]
            fn spawn() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::Spawn) }
        }
    )+};
}

programs!(demo, mesh, instancing, postprocess, feedback, textures, cubemap, manydraws, vtk_cone, vtk_scene);

/// If this fails, the yardstick is wrong, not MobileGL: Mesa's own GL on the same Vulkan driver must pass as well.
#[test]
#[ignore = "judges the programs and the threshold; run it after changing them"]
fn another_driver_passes_too() -> Result<()> {
    for name in ["demo", "mesh", "instancing", "postprocess", "feedback", "textures", "cubemap", "manydraws"] {
        like_the_reference(name, Lane::Zink)?;
    }
    Ok(())
}
