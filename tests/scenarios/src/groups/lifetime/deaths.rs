//! Deletion of what is bound, attached, mapped or about to be read.

use crate::gl::program::{COVER, PLACE};
use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["lifetime":
    deleted_right_after_the_draw,
    deleted_while_bound_for_a_draw,
    deleted_uniform_buffer_of_a_draw,
    deleted_texture_of_a_buffer,
    deleted_while_mapped,
    deleted_buffers_of_pending_reads,
    deleted_context_with_live_objects,
    deleted_in_bulk,
];

/// If this fails, programs that free at once what they have drawn with lose the picture.
fn deleted_right_after_the_draw(gl: &Gl) {
    gl.enable(t::SCISSOR_TEST);
    for i in 0..32u8 {
        gl.scissor(i32::from(i) * 2, 0, 2, 64);
        let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[i, 255, 0, 255]]);
        let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
        gl.delete_texture(texture);
        gl.delete_program(program);
    }
    for i in 0..32u8 {
        gl.expect_pixel((i32::from(i) * 2, 9), [i, 255, 0, 255], "stripe by stripe");
    }
}

/// If this fails, drawing with something that was deleted while bound crashes the driver.
fn deleted_while_bound_for_a_draw(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let buffer = gl.places(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    let indices = gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u8, 1, 2, 3]);
    gl.delete_buffer(indices);
    gl.draw_elements(t::TRIANGLE_STRIP, 4, t::UNSIGNED_BYTE, 0);
    gl.expect_error(t::INVALID_OPERATION, "the element buffer went with its name");
    gl.delete_buffer(buffer);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.get_error();
    gl.finish();
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "the next draw is as ever");
}

/// If this fails, a draw whose parameters' buffer is gone takes the driver along.
fn deleted_uniform_buffer_of_a_draw(gl: &Gl) {
    gl.program(
        COVER,
        "#version 330 core
        layout(std140) uniform Object { vec4 color; };
        out vec4 result;
        void main() { result = color; }",
    );
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[0.0f32, 1.0, 0.0, 1.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    gl.cover();
    gl.delete_buffer(buffer);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "the draw before");
    gl.cover();
    gl.get_error();
    let again = gl.buffer(t::UNIFORM_BUFFER, &[0.0f32, 0.0, 1.0, 1.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, again);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 0, 255, 255], "a new buffer at the binding");
}

/// If this fails, a buffer texture whose buffer was deleted reads freed memory.
fn deleted_texture_of_a_buffer(gl: &Gl) {
    let buffer = gl.buffer(t::TEXTURE_BUFFER, &[[0u8, 255, 0, 255]; 4]);
    let texture = gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::RGBA8, buffer);
    gl.delete_buffer(buffer);
    for _ in 0..8 {
        gl.buffer(t::ARRAY_BUFFER, &[[255u8, 0, 0, 255]; 4]);
    }
    gl.cover_by("uniform samplerBuffer table;", "result = texelFetch(table, 1);");
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "an attached buffer lives as long as the texture (GL 4.6 §5.1.3)");
    gl.delete_texture(texture);
    gl.cover();
    gl.finish();
}

/// If this fails, deleting a mapped buffer leaves the driver writing to freed memory.
fn deleted_while_mapped(gl: &Gl) {
    for _ in 0..8 {
        let buffer = gl.buffer_of(t::ARRAY_BUFFER, 4096);
        let map = gl.map(t::ARRAY_BUFFER, 0, 4096, t::MAP_WRITE_BIT);
        map.write(0, &[7u8; 64]);
        gl.delete_buffer(buffer);
        let storage = gl.new_buffer();
        gl.bind_buffer(t::ARRAY_BUFFER, storage);
        let flags = t::MAP_WRITE_BIT | 0x40 | 0x80;
        gl.buffer_storage(t::ARRAY_BUFFER, &[1u8; 4096], flags);
        gl.map(t::ARRAY_BUFFER, 0, 4096, flags).write(16, &[9u8; 16]);
        gl.delete_buffer(storage);
    }
    gl.finish();
    gl.buffer(t::ARRAY_BUFFER, &[3u8; 4096]);
    assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, 4096), [3; 4096]);
}

/// If this fails, reads that are under way write into freed memory.
fn deleted_buffers_of_pending_reads(gl: &Gl) {
    for i in 0..16 {
        gl.clear_to([i as f32 / 255.0, 0.0, 0.0, 1.0]);
        let buffer = gl.buffer_of(t::PIXEL_PACK_BUFFER, 64 * 64 * 4);
        gl.read_to_buffer((0, 0, 64, 64), t::RGBA, t::UNSIGNED_BYTE, 0);
        if i == 15 {
            assert_eq!(gl.contents::<[u8; 4]>(t::PIXEL_PACK_BUFFER, 4096, 1), [[15, 0, 0, 255]]);
        }
        gl.delete_buffer(buffer);
    }
    gl.finish();
}

/// If this fails, a context that ends with much under way takes others along.
fn deleted_context_with_live_objects(gl: &Gl) {
    let other = gl.sharing();
    assert!(other.make_current());
    let texture = other.target(t::RGBA8, (16, 16));
    other.cover_with([0.0, 1.0, 0.0, 1.0]);
    let query = other.new_query();
    other.begin_query(t::ANY_SAMPLES_PASSED, query);
    other.buffer_of(t::ARRAY_BUFFER, 1 << 20);
    other.map(t::ARRAY_BUFFER, 0, 1 << 20, t::MAP_WRITE_BIT);
    other.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    drop(other);
    assert!(gl.make_current());
    gl.bind_texture(t::TEXTURE_2D, texture);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "the shared texture outlives its maker");
}

/// If this fails, programs that unload a level at once crash or run out of names.
fn deleted_in_bulk(gl: &Gl) {
    for round in 0..3 {
        let textures: Vec<u32> = (0..300).map(|i| gl.texture_2d(t::RGBA8, (2, 2), RGBA8, &[[i as u8; 4]; 4])).collect();
        let buffers: Vec<u32> = (0..300).map(|i| gl.buffer(t::ARRAY_BUFFER, &[i as u8; 64])).collect();
        gl.bind_texture(t::TEXTURE_2D, textures[200]);
        let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 4);
        assert_eq!(got, [[200; 4]; 4], "round {round}");
        gl.bind_buffer(t::ARRAY_BUFFER, buffers[100]);
        assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, 64), [100; 64]);
        textures.iter().for_each(|name| gl.delete_texture(*name));
        buffers.iter().for_each(|name| gl.delete_buffer(*name));
        assert!(textures.iter().all(|name| gl.is_texture(*name) == 0));
    }
}
