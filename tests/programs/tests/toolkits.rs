//! One test per toolkit and backend: programs as their users write them, each with the toolkit's own way to a context
//! without a display. Compared with Mesa's llvmpipe.
//!
//! Pictures of multisampled surfaces are left out: llvmpipe reports four samples for a pbuffer and draws one, so that it
//! cannot judge ours (scenario `surface::multisampled_surfaces_have_soft_edges` does).

use mgl_programs::Result;
use mgl_programs::lane::Lane;
use mgl_programs::program::{run, yardstick};

fn like_the_reference(name: &str, lane: Lane) -> Result<()> {
    let reference = yardstick(name, Lane::Reference)?;
    run(name, lane, "toolkit")?.require_like(&reference)
}

macro_rules! toolkits {
    ($($name:ident: $($test:ident on $lane:expr),+;)+) => {$(
        mod $name {
            use mgl_programs::lane::Lane;
            $(
                /// If this fails, programs of this toolkit draw something else than on a conforming driver, or nothing.
                #[test]
                fn $test() -> mgl_programs::Result<()> { super::like_the_reference(stringify!($name), $lane) }
            )+
        }
    )+};
}

toolkits! {
    pyopengl_egl: magma on Lane::SPAWN, espryt on Lane::ESPRYT;
    pygame_offscreen: magma on Lane::SPAWN, espryt on Lane::ESPRYT;
    pyglet_headless: magma on Lane::SPAWN, espryt on Lane::ESPRYT;
    arcade_scene: magma on Lane::SPAWN, espryt on Lane::ESPRYT, tcp on Lane::TCP;
    panda3d_headless: magma on Lane::SPAWN, espryt on Lane::ESPRYT;
    moderngl_window_scene: magma on Lane::SPAWN, espryt on Lane::ESPRYT;
    // It asks for OpenGL 4.1, which Espryt does not have.
    pyrender_scene: magma on Lane::SPAWN, tcp on Lane::TCP;
}
