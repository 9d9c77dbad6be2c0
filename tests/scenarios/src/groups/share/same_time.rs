//! Two threads that draw with the same objects at the same time: with values that are each context's own, and with shared
//! ones that they hand over by fences (GL 4.6 §5.3).

use std::sync::Mutex;
use std::thread;

use super::turns::{Window, random};
use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["share":
    one_program_in_two_threads,
    subroutines_of_two_threads,
    uniforms_handed_over_by_fences,
    textures_handed_over_by_fences,
    a_window_closes_while_another_waits,
];

/// A window on each of two threads; `begin` prepares it, `draw` draws one column.
fn on_two_threads(gl: &Gl, what: &str, begin: impl Fn(&Gl) + Sync, draw: impl Fn(&mut Window<'_>, u32) + Sync) {
    let others = [gl.sharing(), gl.sharing()];
    gl.finish();
    thread::scope(|scope| {
        for (seed, other) in (1u32..).zip(&others) {
            let (begin, draw) = (&begin, &draw);
            scope.spawn(move || {
                let mut window = Window::open(other);
                begin(other);
                let mut state = seed;
                while window.has_room() {
                    let chosen = random(&mut state, 256);
                    draw(&mut window, chosen);
                }
                window.expect(what);
                other.release();
            });
        }
    });
    assert!(gl.make_current());
}

/// If this fails, programs that draw in two threads mix the depth ranges of their contexts.
fn one_program_in_two_threads(gl: &Gl) {
    let program = gl.program(
        COVER,
        "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(gl_DepthRange.near, gl_DepthRange.far, 0.0, 1.0); }",
    );
    on_two_threads(
        gl,
        "depth ranges",
        |gl| gl.use_program(program),
        |window, value| {
            window.column(value as u8, |gl| {
                gl.depth_range(f64::from(value) / 255.0, 1.0);
                gl.draw_arrays(t::TRIANGLES, 0, 3);
            });
        },
    );
}

/// If this fails, programs that draw in two threads mix the materials of their contexts.
fn subroutines_of_two_threads(gl: &Gl) {
    let program = gl.program(
        COVER,
        "#version 330 core
        #extension GL_ARB_shader_subroutine : require
        subroutine float shade();
        subroutine uniform shade one;
        subroutine(shade) float black() { return 0.0; }
        subroutine(shade) float white() { return 1.0; }
        out vec4 result;
        void main() { result = vec4(one()); }",
    );
    let shades = ["black", "white"].map(|name| gl.subroutine(program, t::FRAGMENT_SHADER, name));
    on_two_threads(
        gl,
        "subroutines",
        |gl| gl.use_program(program),
        |window, value| {
            let white = value >= 128;
            window.column(if white { 255 } else { 0 }, |gl| {
                gl.set_subroutines(t::FRAGMENT_SHADER, &[shades[usize::from(white)]]);
                gl.draw_arrays(t::TRIANGLES, 0, 3);
            });
        },
    );
}

/// Runs `change_and_draw` after everything that was done under the lock before, and lets others go on after it.
fn after_fence(gl: &Gl, last: &Mutex<usize>, change_and_draw: impl FnOnce()) {
    let mut fence = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if *fence != 0 {
        gl.wait_sync(*fence, 0, u64::MAX);
        gl.delete_sync(*fence);
    }
    change_and_draw();
    *fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
}

/// If this fails, threads that take turns with a program draw with each other's values.
fn uniforms_handed_over_by_fences(gl: &Gl) {
    let program = gl.plain_program(COVER, [0.0; 4]);
    let (place, last) = (gl.location(program, "color"), Mutex::new(0));
    on_two_threads(
        gl,
        "uniforms",
        |_| {},
        |window, value| {
            let gl = window.gl;
            after_fence(gl, &last, || {
                window.column(value as u8, |gl| {
                    gl.use_program(program);
                    gl.uniform4f(place, value as f32 / 255.0, 0.0, 0.0, 1.0);
                    gl.draw_arrays(t::TRIANGLES, 0, 3);
                });
            });
        },
    );
}

/// If this fails, threads that take turns with a texture draw each other's pictures.
fn textures_handed_over_by_fences(gl: &Gl) {
    let texture = gl.empty_2d(t::RGBA8, (2, 2));
    let program = gl.program(
        COVER,
        "#version 330 core\nuniform sampler2D image;\nout vec4 result;\nvoid main() { result = texelFetch(image, ivec2(1), 0); }",
    );
    let last = Mutex::new(0);
    on_two_threads(
        gl,
        "textures",
        |gl| gl.use_program(program),
        |window, value| {
            let gl = window.gl;
            after_fence(gl, &last, || {
                window.column(value as u8, |gl| {
                    gl.bind_texture(t::TEXTURE_2D, texture);
                    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&[[value as u8, 0, 0, 255]; 4]));
                    gl.draw_arrays(t::TRIANGLES, 0, 3);
                });
            });
        },
    );
}

/// If this fails, closing one window stops the others, or takes what they draw with.
fn a_window_closes_while_another_waits(gl: &Gl) {
    let texture = gl.empty_2d(t::RGBA8, (2, 2));
    let program = gl.program(
        COVER,
        "#version 330 core\nuniform sampler2D image;\nout vec4 result;\nvoid main() { result = texelFetch(image, ivec2(1), 0); }",
    );
    let mut window = Window::open(gl);
    for round in 0..40u8 {
        let other = gl.sharing();
        thread::scope(|scope| {
            scope.spawn(|| {
                assert!(other.make_current());
                other.bind_texture(t::TEXTURE_2D, texture);
                for value in 0..=round {
                    other.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&[[value, 0, 0, 255]; 4]));
                }
                other.flush();
                other.release();
            });
        });
        // Nothing but the end of the other context orders its uploads before the draw.
        drop(other);
        gl.use_program(program);
        gl.bind_texture(t::TEXTURE_2D, texture);
        window.column(round, |gl| gl.draw_arrays(t::TRIANGLES, 0, 3));
    }
    window.expect("uploads of contexts that are gone");
}
