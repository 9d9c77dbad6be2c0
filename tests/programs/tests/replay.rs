//! One test per recording and lane: the last picture must look like llvmpipe's own replay of the same recording, and all
//! transports of a backend must give the same picture.

use mgl_programs::lane::Lane;
use mgl_programs::{Result, compare, replay};

fn check(name: &str, lane: Lane) -> Result<()> {
    let Some(recording) = replay::recording(name) else { return Ok(()) };
    let call = replay::last_picture(&recording)?;
    let reference = replay::yardstick(name, &recording, call, Lane::Reference)?;
    let picture = replay::frame(name, &recording, call, lane)?;
    let similarity = compare::require_similar(&reference, &picture)?;
    println!("{name} on {}: similarity {similarity:.5}", lane.name());
    if lane == lane.on_one_thread() {
        return Ok(());
    }
    compare::require_equal_pictures(&replay::yardstick(name, &recording, call, lane.on_one_thread())?, &picture)
}

macro_rules! on_vulkan {
    ($name:literal) => {
        /// If this fails, a game or toolkit draws wrongly even without a process boundary.
        #[test]
        fn monolith() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::MONOLITH)
        }
        /// If this fails, a game or toolkit draws wrongly with a render thread.
        #[test]
        fn inproc() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::INPROC)
        }
        /// If this fails, a game or toolkit draws wrongly with the driver in a process of its own.
        #[test]
        fn spawn() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::SPAWN)
        }
        /// If this fails, a game or toolkit draws wrongly when another machine draws it.
        #[test]
        fn tcp() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::TCP)
        }
    };
}

macro_rules! on_opengl_es {
    ($name:literal) => {
        /// If this fails, a game or toolkit draws wrongly where there is only OpenGL ES.
        #[test]
        fn espryt_monolith() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::ESPRYT_MONOLITH)
        }
        /// If this fails, a game or toolkit draws wrongly on OpenGL ES with a render thread.
        #[test]
        fn espryt_inproc() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::ESPRYT_INPROC)
        }
        /// If this fails, a game or toolkit draws wrongly with an OpenGL ES driver in a process of its own.
        #[test]
        fn espryt_spawn() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::ESPRYT)
        }
        /// If this fails, a game or toolkit draws wrongly on another machine that has only OpenGL ES.
        #[test]
        fn espryt_tcp() -> mgl_programs::Result<()> {
            super::check($name, mgl_programs::lane::Lane::ESPRYT_TCP)
        }
    };
}

mod godot3 {
    on_vulkan!("godot3");
    on_opengl_es!("godot3");
}

mod love {
    on_vulkan!("love");
    on_opengl_es!("love");
}

mod pyglet {
    on_vulkan!("pyglet");
    on_opengl_es!("pyglet");
}

/// mpv asked for OpenGL 4.4 when it was recorded, which Espryt does not carry.
mod mpv_egl {
    on_vulkan!("mpv_egl");
}

/// moderngl without a window: it asked for OpenGL 4.3, never ends a frame and reads its picture back.
mod mgl_egl {
    on_vulkan!("mgl_egl");
}

/// The same script in a program that used GLX.
mod mgl_glx {
    on_vulkan!("mgl_glx");
}
