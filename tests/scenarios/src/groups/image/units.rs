//! State of image units, and commands that bind several things at once (GL 4.6 §8.26, ARB_multi_bind).

use crate::gl::texture::RGBA8;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["image":
    units_keep_what_was_bound,
    wrong_image_bindings_are_refused,
    several_buffers_at_once,
    several_textures_and_samplers_at_once,
    several_vertex_buffers_at_once,
    several_images_at_once,
];

fn unit(gl: &Gl, index: u32) -> [i32; 6] {
    let ask = |pname| gl.ints_at::<1>(pname, index)[0];
    [
        ask(t::IMAGE_BINDING_NAME),
        ask(t::IMAGE_BINDING_LEVEL),
        ask(t::IMAGE_BINDING_LAYERED),
        ask(t::IMAGE_BINDING_LAYER),
        ask(t::IMAGE_BINDING_ACCESS),
        ask(t::IMAGE_BINDING_FORMAT),
    ]
}

/// If this fails, tools that save and restore bindings restore others.
fn units_keep_what_was_bound(gl: &Gl) {
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    let initial = [0, 0, 0, 0, t::READ_ONLY as i32, t::R8 as i32];
    assert_eq!(unit(gl, 3), initial);
    let texture = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 2, t::RGBA8, 4, 4, 4);
    gl.bind_image_texture(3, texture, 1, 0, 2, t::READ_WRITE, t::R32F);
    assert_eq!(unit(gl, 3), [texture as i32, 1, 0, 2, t::READ_WRITE as i32, t::R32F as i32]);
    gl.delete_texture(texture);
    assert_eq!(unit(gl, 3)[0], 0, "a deleted texture is not bound");
    assert!(gl.int(t::MAX_IMAGE_UNITS) >= 8 && gl.int(t::MAX_FRAGMENT_IMAGE_UNIFORMS) >= 8);
    assert!(gl.int(t::MAX_COMBINED_SHADER_OUTPUT_RESOURCES) >= 8);
}

/// If this fails, mistakes of programs are not told.
fn wrong_image_bindings_are_refused(gl: &Gl) {
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    let texture = gl.empty_2d(t::RGBA8, (4, 4));
    let refused = |unit: u32, name: u32, level: i32, layer: i32, access: u32, format: u32, error: u32| {
        gl.bind_image_texture(unit, name, level, 0, layer, access, format);
        gl.expect_error(error, "a binding");
    };
    refused(gl.int(t::MAX_IMAGE_UNITS) as u32, texture, 0, 0, t::READ_ONLY, t::RGBA8, t::INVALID_VALUE);
    refused(0, texture + 77, 0, 0, t::READ_ONLY, t::RGBA8, t::INVALID_VALUE);
    refused(0, texture, -1, 0, t::READ_ONLY, t::RGBA8, t::INVALID_VALUE);
    refused(0, texture, 0, -1, t::READ_ONLY, t::RGBA8, t::INVALID_VALUE);
    refused(0, texture, 0, 0, t::STATIC_DRAW, t::RGBA8, t::INVALID_ENUM);
    refused(0, texture, 0, 0, t::READ_ONLY, t::RGB8, t::INVALID_VALUE);
}

/// If this fails, engines that bind all buffers of a pass in one call lose some.
fn several_buffers_at_once(gl: &Gl) {
    need(gl.has("GL_ARB_multi_bind"), "GL_ARB_multi_bind");
    let buffers = [(); 3].map(|()| gl.buffer_of(t::UNIFORM_BUFFER, 1024));
    gl.bind_buffer(t::UNIFORM_BUFFER, 0);
    let at = |point| gl.ints_at::<1>(t::UNIFORM_BUFFER_BINDING, point)[0] as u32;
    gl.bind_buffers(t::UNIFORM_BUFFER, 2, 3, Some(&buffers));
    assert_eq!([at(1), at(2), at(3), at(4)], [0, buffers[0], buffers[1], buffers[2]]);
    assert_eq!(gl.int(t::UNIFORM_BUFFER_BINDING), 0, "the plain binding stays");
    gl.bind_ranges(
        t::UNIFORM_BUFFER,
        2,
        &[buffers[2], 987_654, buffers[0], buffers[1]],
        &[256, 0, -256, 512],
        &[64, 16, 16, 128],
    );
    gl.expect_error(t::INVALID_OPERATION, "the first mistake of the list");
    assert_eq!([at(2), at(3), at(4), at(5)], [buffers[2], buffers[1], buffers[2], buffers[1]], "the others are bound");
    assert_eq!((gl.int64_at(t::UNIFORM_BUFFER_START, 5), gl.int64_at(t::UNIFORM_BUFFER_SIZE, 5)), (512, 128));
    gl.bind_buffers(t::UNIFORM_BUFFER, 2, 4, None);
    assert_eq!([at(2), at(5)], [0, 0]);
    gl.bind_buffers(t::UNIFORM_BUFFER, gl.int(t::MAX_UNIFORM_BUFFER_BINDINGS) as u32, 1, None);
    gl.expect_error(t::INVALID_OPERATION, "beyond the last point");
    gl.bind_buffers(t::ARRAY_BUFFER, 0, 1, None);
    gl.expect_error(t::INVALID_ENUM, "a target without points");
}

/// If this fails, materials show the textures of others.
fn several_textures_and_samplers_at_once(gl: &Gl) {
    need(gl.has("GL_ARB_multi_bind"), "GL_ARB_multi_bind");
    let texel = |color: [u8; 4]| gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[color]);
    let textures = [texel([255, 0, 0, 255]), texel([0, 255, 0, 255])];
    gl.bind_texture(t::TEXTURE_2D, 0);
    let program = gl.program(
        crate::gl::program::COVER,
        "#version 330 core\nuniform sampler2D a, b;\nout vec4 result;\nvoid main() { result = texture(a, vec2(0.5)) + texture(b, vec2(0.5)); }",
    );
    gl.uniform1i(gl.location(program, "a"), 4);
    gl.uniform1i(gl.location(program, "b"), 6);
    gl.bind_textures(4, &[textures[0], 123_456, textures[1]]);
    gl.expect_error(t::INVALID_OPERATION, "a name of nothing");
    gl.cover();
    gl.expect_pixel((9, 9), [255, 255, 0, 255], "both textures");
    let sampler = gl.new_sampler();
    gl.bind_samplers(4, &[sampler, 0, sampler]);
    gl.active_texture(t::TEXTURE0 + 6);
    assert_eq!(gl.int(t::SAMPLER_BINDING), sampler as i32);
    gl.bind_samplers(6, &[654_321]);
    gl.expect_error(t::INVALID_OPERATION, "a name of nothing");
    assert_eq!(gl.int(t::SAMPLER_BINDING), sampler as i32, "a wrong name changes nothing");
    gl.bind_textures(6, &[0]);
    assert_eq!(gl.int(t::TEXTURE_BINDING_2D), 0);
}

/// If this fails, meshes are drawn from buffers of other meshes.
fn several_vertex_buffers_at_once(gl: &Gl) {
    need(gl.has("GL_ARB_multi_bind"), "GL_ARB_multi_bind");
    gl.program(
        "#version 330 core
        layout(location = 0) in vec2 place; layout(location = 1) in vec4 tint; out vec4 color;
        void main() { color = tint; gl_Position = vec4(place, 0.0, 1.0); }",
        "#version 330 core\nin vec4 color; out vec4 result;\nvoid main() { result = color; }",
    );
    gl.vertex_array();
    let places = gl.buffer(t::ARRAY_BUFFER, &[9.0f32, -1.0, -1.0, 3.0, -1.0, -1.0, 3.0]);
    let tints = gl.buffer(t::ARRAY_BUFFER, &[[0.0f32, 1.0, 0.0, 1.0]; 3]);
    for (index, size) in [(0, 2), (1, 4)] {
        gl.enable_vertex_attrib_array(index);
        gl.vertex_attrib_format(index, size, t::FLOAT, 0, 0);
        gl.vertex_attrib_binding(index, index + 3);
    }
    gl.bind_vertex_buffers(3, &[places, tints], &[4, 0], &[8, 16]);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_pixel((30, 30), [0, 255, 0, 255], "a triangle of two buffers");
    gl.bind_vertex_buffers(3, &[999_999, 0], &[0, 0], &[0, 0]);
    gl.expect_error(t::INVALID_OPERATION, "a name of nothing");
    assert_eq!(gl.ints_at::<1>(t::VERTEX_BINDING_BUFFER, 3)[0], places as i32);
    assert_eq!(gl.ints_at::<1>(t::VERTEX_BINDING_BUFFER, 4)[0], 0);
    gl.bind_vertex_buffers(0, &[places], &[-1], &[4]);
    gl.expect_error(t::INVALID_VALUE, "a negative offset");
}

/// If this fails, filters with several targets write into one.
fn several_images_at_once(gl: &Gl) {
    need(gl.has("GL_ARB_multi_bind"), "GL_ARB_multi_bind");
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    let one = gl.empty_2d(t::R32F, (2, 2));
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::R32F, 2, 2, 2);
    let bad = gl.empty_2d(t::RGB8, (2, 2));
    gl.bind_image_textures(0, &[one, bad, array]);
    gl.expect_error(t::INVALID_OPERATION, "a format that images do not have");
    assert_eq!((unit(gl, 1)[0], unit(gl, 2)[2], unit(gl, 2)[4]), (0, 1, t::READ_WRITE as i32));
    gl.compute(
        "layout(local_size_x = 2, local_size_y = 2) in;
        layout(r32f, binding = 0) writeonly uniform image2D one;
        layout(r32f, binding = 2) writeonly uniform image2DArray many;
        void main() { ivec2 at = ivec2(gl_LocalInvocationID.xy); imageStore(one, at, vec4(1.0)); imageStore(many, ivec3(at, 1), vec4(2.0)); }",
    );
    gl.clear_texture(array, 0, (t::RED, t::FLOAT), &0.0f32);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let got = gl.texture_image::<f32>(t::TEXTURE_2D_ARRAY, 0, t::RED, t::FLOAT, 8);
    check::expect_equal(&got, &[0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0], "the array");
    gl.bind_texture(t::TEXTURE_2D, one);
    check::expect_equal(&gl.texture_image::<f32>(t::TEXTURE_2D, 0, t::RED, t::FLOAT, 4), &[1.0; 4], "the other");
}
