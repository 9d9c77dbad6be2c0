//! Memory that there is not (GL 4.6 §2.3.1: `GL_OUT_OF_MEMORY`). Must not depend on how much there is.

use crate::gl::program::COVER;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["lifetime":
    buffers_larger_than_memory,
    textures_larger_than_memory,
];

/// What is drawn after the refusal.
fn still_draws(gl: &Gl) {
    let program = gl.plain_program(COVER, [0.0, 1.0, 0.0, 1.0]);
    gl.vertex_array();
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "the context works on");
    gl.delete_program(program);
}

/// If this fails, a program that asks for too much loses its context, or never learns that it has no store.
fn buffers_larger_than_memory(gl: &Gl) {
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    gl.buffer_space(t::ARRAY_BUFFER, 1 << 46, t::STATIC_DRAW);
    gl.finish();
    gl.expect_error(t::OUT_OF_MEMORY, "64 TiB");
    gl.buffer_data(t::ARRAY_BUFFER, &[5u8; 32], t::STATIC_DRAW);
    assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, 32), [5; 32], "a store of the same buffer that fits");
    still_draws(gl);
}

/// If this fails, a program whose texture did not fit loses its context, or samples memory that is not the texture's.
fn textures_larger_than_memory(gl: &Gl) {
    let side = gl.int(t::MAX_TEXTURE_SIZE);
    let layers = gl.int(t::MAX_ARRAY_TEXTURE_LAYERS);
    let name = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D_ARRAY, name);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA32F, side, side, layers);
    gl.finish();
    gl.expect_error(t::OUT_OF_MEMORY, "the largest texture that could be");
    gl.delete_texture(name);
    let small = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D_ARRAY, small);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 4, 2);
    gl.finish();
    gl.expect_error(t::NO_ERROR, "a small one");
    still_draws(gl);
}
