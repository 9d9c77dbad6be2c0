//! Blender draws a scene: the viewport's engine on every lane, Eevee with its big shaders on each backend in a server.

use mgl_programs::blender::{Engine, installed, picture, yardstick};
use mgl_programs::lane::Lane;
use mgl_programs::{Result, compare};

fn check(engine: Engine, lane: Lane) -> Result<()> {
    if !installed() {
        return Ok(());
    }
    let own = if lane == lane.on_one_thread() { yardstick(engine, lane)? } else { picture(engine, lane)? };
    let similarity = compare::require_similar(&yardstick(engine, Lane::Reference)?, &own)?;
    println!("{engine:?} on {}: similarity {similarity:.5}", lane.name());
    if engine == Engine::Eevee || lane == lane.on_one_thread() {
        return Ok(());
    }
    compare::require_equal_pictures(&yardstick(engine, lane.on_one_thread())?, &own)
}

macro_rules! viewport {
    ($($name:ident $lane:ident),+ $(,)?) => {$(
        /// If this fails, modellers see something else than their scene.
        #[test]
        fn $name() -> Result<()> {
            check(Engine::Workbench, Lane::$lane)
        }
    )+};
}

viewport!(
    monolith MONOLITH, inproc INPROC, spawn SPAWN, tcp TCP,
    espryt_monolith ESPRYT_MONOLITH, espryt_inproc ESPRYT_INPROC, espryt_spawn ESPRYT, espryt_tcp ESPRYT_TCP,
);

/// If this fails, pictures that Blender draws on machines without a display are wrong, or its shaders are too big.
#[test]
fn eevee_spawn() -> Result<()> {
    check(Engine::Eevee, Lane::SPAWN)
}

/// If this fails, so are those where there is only OpenGL ES.
#[test]
fn eevee_espryt_spawn() -> Result<()> {
    check(Engine::Eevee, Lane::ESPRYT)
}
