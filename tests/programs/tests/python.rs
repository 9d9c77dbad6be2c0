//! One test per Python program and transport; each also draws on Mesa's llvmpipe and compares.
//!
//! `monolith` is compared with llvmpipe; the other transports with llvmpipe and, to the last pixel, with `monolith` of the
//! same backend.

use std::fs;
use std::path::Path;

use mgl_programs::lane::Lane;
use mgl_programs::program::{Outcome, run, run_with, yardstick};
use mgl_programs::{Error, Result, tools};

fn like_the_reference(name: &str, lane: Lane) -> Result<Outcome> {
    let reference = yardstick(name, Lane::Reference)?;
    let outcome = run(name, lane, lane.name())?;
    outcome.require_like(&reference)?;
    Ok(outcome)
}

fn check(name: &str, lane: Lane) -> Result<()> {
    let outcome = like_the_reference(name, lane)?;
    if lane != lane.on_one_thread() {
        outcome.require_equal(&yardstick(name, lane.on_one_thread())?)?;
    }
    if let Some(pid) = outcome.server {
        println!("{name} was served by process {pid}");
    }
    Ok(())
}

/// Draws under the Vulkan validation layer, which writes to a file of its own what it has to complain about.
fn validate(name: &str) -> Result<()> {
    let folder = tools::results(&[name, "validation-settings"])?;
    let log = folder.join("validation.log");
    let settings = format!(
        "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n\
         khronos_validation.report_flags = error,warn\n\
         khronos_validation.log_filename = {}\n",
        log.display()
    );
    let doing = || "writing the layer's settings".to_owned();
    fs::write(folder.join("vk_layer_settings.txt"), settings)
        .map_err(|source| Error::System { doing: doing(), source })?;
    let layer = Path::new("VK_LAYER_KHRONOS_validation");
    let environment = [("VK_INSTANCE_LAYERS", layer), ("VK_LAYER_SETTINGS_PATH", &folder)];
    run_with(name, Lane::SPAWN, "validation", &environment)?;
    // The layer makes the file when it is loaded: a missing one means that nothing was checked.
    let messages = fs::read_to_string(tools::present("the validation layer's log", log)?).unwrap_or_default();
    assert!(messages.trim().is_empty(), "the validation layer complains:\n{messages}");
    Ok(())
}

macro_rules! programs {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use mgl_programs::lane::Lane;
            /// If this fails, the program draws something else than on a conforming driver.
            #[test]
            fn monolith() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::MONOLITH) }
            /// If this fails, a render thread changes what the program draws.
            #[test]
            fn inproc() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::INPROC) }
            /// If this fails, the default way to run the program, with the driver in a process of its own, is broken.
            #[test]
            fn spawn() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::SPAWN) }
            /// If this fails, the program cannot be drawn by another machine.
            #[test]
            fn tcp() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::TCP) }
            /// If this fails, the program draws something else where there is only OpenGL ES.
            #[test]
            fn espryt_monolith() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::ESPRYT_MONOLITH) }
            /// If this fails, a render thread changes what the program draws on OpenGL ES.
            #[test]
            fn espryt_inproc() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::ESPRYT_INPROC) }
            /// If this fails, the program draws something else with an OpenGL ES driver in a process of its own.
            #[test]
            fn espryt_spawn() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::ESPRYT) }
            /// If this fails, another machine that has only OpenGL ES cannot draw the program.
            #[test]
            fn espryt_tcp() -> mgl_programs::Result<()> { super::check(stringify!($name), Lane::ESPRYT_TCP) }
            /// If this fails, the program draws what only this Vulkan driver forgives; on another it may crash.
            #[test]
            fn validation() -> mgl_programs::Result<()> { super::validate(stringify!($name)) }
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
    geometry,
    glass,
    vtk_cone,
    vtk_scene,
    vtk_volume,
    pyvista_scene
);

/// If this fails, the yardstick is wrong, not MobileGL: Mesa's own GL on the same Vulkan driver must pass as well.
#[test]
#[ignore = "judges the programs and the threshold; run it after changing them"]
fn another_driver_passes_too() -> Result<()> {
    for name in [
        "demo",
        "mesh",
        "instancing",
        "postprocess",
        "feedback",
        "textures",
        "cubemap",
        "manydraws",
        "compute",
        "tessellation",
        "geometry",
        "glass",
    ] {
        like_the_reference(name, Lane::Zink)?;
    }
    Ok(())
}
