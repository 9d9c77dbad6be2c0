//! Compiling while the program does something else (GL_KHR_parallel_shader_compile, GL_ARB_parallel_shader_compile).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    shaders_compile_beside_the_program,
];

/// Asks until the answer is yes; a driver that never says so hangs loading screens.
#[track_caller]
fn complete(asked: impl Fn() -> i32, what: &str) {
    for _ in 0..10_000 {
        match asked() {
            1 => return,
            0 => std::thread::sleep(std::time::Duration::from_millis(1)),
            other => panic!("{what}: {other} is no answer"),
        }
    }
    panic!("{what} is never complete");
}

/// If this fails, loading screens hang, or programs draw with shaders that are not there yet.
fn shaders_compile_beside_the_program(gl: &Gl) {
    assert!(gl.has("GL_KHR_parallel_shader_compile") && gl.has("GL_ARB_parallel_shader_compile"));
    assert_eq!(gl.int(t::MAX_SHADER_COMPILER_THREADS_KHR) as u32, u32::MAX, "as many as the driver likes");
    let status = t::COMPLETION_STATUS_KHR;
    let begin = |source: &str| {
        let shader = gl.create_shader(t::FRAGMENT_SHADER);
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        shader
    };
    // Threads, none, and threads again: the answers differ in when they come alone.
    for (round, threads) in [u32::MAX, 0, 2].into_iter().enumerate() {
        gl.max_shader_compiler_threads(threads);
        assert_eq!(gl.int(t::MAX_SHADER_COMPILER_THREADS_KHR) as u32, threads);
        let (good, bad) = (begin(&format!("{PLAIN}\n// {round}")), begin("#version 330 core\nvoid main() { wrong }"));
        let vertex = gl.shader(t::VERTEX_SHADER, COVER);
        if threads == 0 {
            assert_eq!((gl.shader_parameter(good, status), gl.shader_parameter(bad, status)), (1, 1), "at once");
        }
        complete(|| gl.shader_parameter(good, status), "the good shader");
        complete(|| gl.shader_parameter(bad, status), "the bad shader");
        assert_eq!(gl.shader_parameter(good, t::COMPILE_STATUS), 1);
        assert_eq!(gl.shader_parameter(bad, t::COMPILE_STATUS), 0);
        assert!(!gl.shader_log(bad).is_empty(), "complete is not successful");
        let program = gl.create_program();
        gl.attach_shader(program, vertex);
        gl.attach_shader(program, good);
        gl.link_program(program);
        complete(|| gl.program_parameter(program, status), "the program");
        assert_eq!(gl.program_parameter(program, t::LINK_STATUS), 1);
        gl.use_program(program);
        gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
        gl.cover();
        gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "drawn with it");
        gl.clear_all();
    }
    mistakes(gl);
}

fn mistakes(gl: &Gl) {
    let (program, shader) = (gl.create_program(), gl.create_shader(t::FRAGMENT_SHADER));
    gl.expect_no_error("all of it");
    assert_eq!(gl.shader_parameter(shader, t::COMPLETION_STATUS_KHR), 1, "nothing was begun");
    assert_eq!(gl.program_parameter(program, t::COMPLETION_STATUS_KHR), 1, "nothing was begun");
    gl.shader_parameter(program, t::COMPLETION_STATUS_KHR);
    gl.expect_error(t::INVALID_OPERATION, "a program is no shader");
    gl.shader_parameter(0xDEAD, t::COMPLETION_STATUS_KHR);
    gl.expect_error(t::INVALID_VALUE, "no shader at all");
}
