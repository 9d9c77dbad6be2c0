//! What shaders gained after GL 3.3: clipping by distance, viewports, samples, and operations (GLSL 4.60).

use crate::gl::program::PLAIN;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    cull_distances,
    viewports_of_a_geometry_stage,
    layers_of_a_vertex_stage,
    bits_and_products,
    gathered_texels,
    invocations_of_a_geometry_stage,
    levels_of_a_texture,
    samples_of_a_texture,
    level_of_detail,
];

/// If this fails, whole objects that a program culls are drawn, or half of those that it does not.
fn cull_distances(gl: &Gl) {
    need(gl.has("GL_ARB_cull_distance"), "GL_ARB_cull_distance");
    let vertex = "#version 330 core
        #extension GL_ARB_cull_distance : require
        out float gl_CullDistance[2];
        uniform vec3 distance;
        void main() {
            int n = gl_VertexID % 3;
            gl_CullDistance[0] = distance[n];
            gl_CullDistance[1] = 1.0;
            gl_Position = vec4(vec2(n & 1, n >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let program = gl.plain_program(vertex, [1.0; 4]);
    gl.vertex_array();
    for (distance, drawn) in [([1.0, 1.0, 1.0], true), ([-1.0, 1.0, -1.0], true), ([-1.0, -0.5, -2.0], false)] {
        let [a, b, c] = distance;
        gl.uniform3f(gl.location(program, "distance"), a, b, c);
        gl.clear_all();
        gl.draw_arrays(t::TRIANGLES, 0, 3);
        let wanted = if drawn { [255; 4] } else { [0; 4] };
        gl.expect_area((0, 0, 64, 64), wanted, &format!("distances {distance:?}"));
    }
}

/// If this fails, split screens and shadow atlases that are drawn at once show the same view in every part.
fn viewports_of_a_geometry_stage(gl: &Gl) {
    need(gl.has("GL_ARB_viewport_array"), "GL_ARB_viewport_array");
    let vertex = "#version 330 core
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }";
    let geometry = "#version 330 core
        #extension GL_ARB_viewport_array : require
        layout(points) in;
        layout(triangle_strip, max_vertices = 16) out;
        void main() {
            for (int view = 0; view < 4; view++) {
                for (int i = 0; i < 4; i++) {
                    gl_ViewportIndex = view;
                    gl_Position = vec4(float(i & 1) * 2.0 - 1.0, float(i >> 1) * 2.0 - 1.0, 0.0, 1.0);
                    EmitVertex();
                }
                EndPrimitive();
            }
        }";
    let fragment = "#version 330 core
        #extension GL_ARB_fragment_layer_viewport : require
        out vec4 color;
        void main() { color = vec4(float(gl_ViewportIndex) / 3.0, 1.0, 0.0, 1.0); }";
    gl.program_with(
        &[(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, fragment)],
        |_| {},
    );
    gl.vertex_array();
    assert!(gl.int(t::MAX_VIEWPORTS) >= 16);
    let corner = |i: usize| [(i % 2) as f32 * 32.0, (i / 2) as f32 * 32.0];
    gl.viewports(0, &[0, 1, 2, 3].map(|i| [corner(i)[0], corner(i)[1], 32.0, 32.0]));
    gl.enablei(t::SCISSOR_TEST, 2);
    gl.scissor_indexed(2, 0, 32, 16, 32);
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.expect_area((0, 0, 32, 32), [0, 255, 0, 255], "viewport 0");
    gl.expect_area((32, 0, 32, 32), [85, 255, 0, 255], "viewport 1");
    gl.expect_area((0, 32, 16, 32), [170, 255, 0, 255], "viewport 2");
    gl.expect_area((16, 32, 16, 32), [0; 4], "what the scissor of viewport 2 leaves out");
    gl.expect_area((32, 32, 32, 32), [255, 255, 0, 255], "viewport 3");
}

/// If this fails, cube maps and cascades that are drawn at once without a geometry stage are all drawn into one face.
fn layers_of_a_vertex_stage(gl: &Gl) {
    need(gl.has("GL_ARB_shader_viewport_layer_array"), "GL_ARB_shader_viewport_layer_array");
    let vertex = "#version 330 core
        #extension GL_ARB_shader_viewport_layer_array : require
        void main() {
            gl_Layer = gl_InstanceID;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let fragment = "#version 330 core
        #extension GL_ARB_fragment_layer_viewport : require
        out vec4 color;
        void main() { color = vec4(float(gl_Layer) / 2.0, 1.0, 0.0, 1.0); }";
    gl.program(vertex, fragment);
    gl.vertex_array();
    let texture = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 8, 8, 3);
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, 0);
    gl.viewport(0, 0, 8, 8);
    gl.draw_arrays_instanced(t::TRIANGLES, 0, 3, 3);
    for (layer, red) in [(0, 0), (1, 128), (2, 255)] {
        gl.framebuffer_texture_layer(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, 0, layer);
        gl.expect_area((0, 0, 8, 8), [red, 255, 0, 255], &format!("layer {layer}"));
    }
}

/// If this fails, packed data is unpacked wrongly on the GPU.
fn bits_and_products(gl: &Gl) {
    need(gl.has("GL_ARB_gpu_shader5"), "GL_ARB_gpu_shader5");
    gl.cover_by(
        "#extension GL_ARB_gpu_shader5 : require\nuniform uint zero;",
        "uint low, high, carry;
        umulExtended(0x80000000u + zero, 6u, high, low);
        uaddCarry(0xFFFFFFFFu + zero, 2u, carry);
        precise float sum = fma(2.0, 3.0, 4.0);
        bool right = high == 3u && low == 0u && carry == 1u && sum == 10.0
            && bitfieldExtract(0xABCDu + zero, 4, 8) == 0xBCu && bitfieldInsert(zero, 0xFu, 8, 4) == 0xF00u
            && bitfieldReverse(1u + zero) == 0x80000000u && bitCount(0xF0Fu + zero) == 8
            && findLSB(8u + zero) == 3 && findMSB(8u + zero) == 3
            && packUnorm4x8(vec4(1.0, 0.0, 1.0, 0.0)) == 0x00FF00FFu;
        result = right ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);",
    );
    gl.cover();
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "all of them");
}

/// If this fails, soft shadows and filters of a program's own take the wrong texels.
fn gathered_texels(gl: &Gl) {
    need(gl.has("GL_ARB_texture_gather"), "GL_ARB_texture_gather");
    let texels: Vec<[u8; 4]> = (0..16).map(|n| [n * 10, 0, n, 255]).collect();
    gl.texture_2d(t::RGBA8, (4, 4), (t::RGBA, t::UNSIGNED_BYTE), &texels);
    gl.cover_by(
        "#extension GL_ARB_texture_gather : require\nuniform sampler2D image;",
        "result = textureGather(image, vec2(0.5));",
    );
    gl.cover();
    // Texels 5, 6, 9 and 10 meet in the middle; the order is counter-clockwise from the upper left (GLSL 4.60 §8.9.4).
    gl.expect_pixel((5, 5), [90, 100, 60, 50], "red of the four in the middle");
}

/// If this fails, geometry that is repeated by the stage itself is drawn once.
fn invocations_of_a_geometry_stage(gl: &Gl) {
    need(gl.has("GL_ARB_gpu_shader5"), "GL_ARB_gpu_shader5");
    let vertex = "#version 330 core
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }";
    let geometry = "#version 330 core
        #extension GL_ARB_gpu_shader5 : require
        layout(points, invocations = 4) in;
        layout(triangle_strip, max_vertices = 4) out;
        void main() {
            for (int i = 0; i < 4; i++) {
                float x = float(gl_InvocationID + (i & 1)) / 2.0 - 1.0;
                gl_Position = vec4(x, float(i >> 1) * 2.0 - 1.0, 0.0, 1.0);
                EmitVertex();
            }
        }";
    let list = [(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)];
    let program = gl.program_with(&list, |_| {});
    assert_eq!(gl.program_parameter(program, t::GEOMETRY_SHADER_INVOCATIONS), 4);
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::POINTS, 0, 1));
    assert_eq!(made, 8);
    gl.expect_area((0, 0, 64, 64), [255; 4], "four stripes");
}

/// If this fails, programs that choose levels themselves choose levels that are not there.
fn levels_of_a_texture(gl: &Gl) {
    need(gl.has("GL_ARB_texture_query_levels"), "GL_ARB_texture_query_levels");
    gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 4, t::RGBA8, 16, 16);
    gl.cover_by(
        "#extension GL_ARB_texture_query_levels : require\nuniform sampler2D image;",
        "result = vec4(float(textureQueryLevels(image)) / 255.0, 0.0, 0.0, 1.0);",
    );
    gl.cover();
    gl.expect_pixel((5, 5), [4, 0, 0, 255], "four levels");
}

/// If this fails, shaders that resolve by themselves add up samples that are not there, or too few.
fn samples_of_a_texture(gl: &Gl) {
    need(gl.has("GL_ARB_shader_texture_image_samples"), "GL_ARB_shader_texture_image_samples");
    let texture = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D_MULTISAMPLE, texture);
    gl.tex_image_2d_multisample(t::TEXTURE_2D_MULTISAMPLE, 4, t::RGBA8, 16, 16, 1);
    gl.cover_by(
        "#extension GL_ARB_shader_texture_image_samples : require\nuniform sampler2DMS image;",
        "result = vec4(float(textureSamples(image)) / 255.0, 0.0, 0.0, 1.0);",
    );
    gl.expect_pixel((5, 5), [4, 0, 0, 255], "four samples");
}

/// If this fails, programs that stream textures load levels that nobody sees and leave out those that are seen.
fn level_of_detail(gl: &Gl) {
    need(gl.has("GL_ARB_texture_query_lod"), "GL_ARB_texture_query_lod");
    gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 2, t::RGBA8, 64, 64);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
    // Four texels from pixel to pixel are level 2; the texture ends at level 1.
    gl.cover_by(
        "#extension GL_ARB_texture_query_lod : require\nuniform sampler2D image;",
        "vec2 lod = textureQueryLOD(image, gl_FragCoord.xy / 16.0); result = vec4(round(lod * 8.0) / 255.0, 0.0, 1.0);",
    );
    gl.expect_pixel((5, 5), [8, 16, 0, 255], "level that is read, level that is wished for");
}
