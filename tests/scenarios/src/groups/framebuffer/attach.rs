//! What can be drawn into (GL 4.6 §9.2).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["framebuffer":
    several_targets_at_once,
    levels_faces_layers_and_slices,
    layered_by_the_geometry_stage,
    layered_clears_reach_every_layer,
    drawn_then_sampled,
    draw_buffers_select_and_reorder,
    float_targets_keep_their_range,
    depth_texture_as_attachment,
    switching_targets_keeps_their_contents,
    rendering_into_one_level_while_sampling_another,
    renderbuffers_of_every_kind,
    invalidated_contents_may_be_drawn_again,
];

/// If this fails, deferred shading stores its values in the wrong pictures.
fn several_targets_at_once(gl: &Gl) {
    let formats = [t::RGBA8, t::RGBA16F, t::R32UI, t::RG8];
    let textures = formats.map(|format| gl.empty_2d(format, (8, 8)));
    gl.framebuffer_of(textures[0]);
    for (i, texture) in textures.iter().enumerate() {
        gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0 + i as u32, *texture, 0);
    }
    gl.draw_buffers(&[
        t::COLOR_ATTACHMENT0,
        t::COLOR_ATTACHMENT0 + 1,
        t::COLOR_ATTACHMENT0 + 2,
        t::COLOR_ATTACHMENT0 + 3,
    ]);
    gl.expect_complete("four formats");
    gl.viewport(0, 0, 8, 8);
    let fragment = "#version 330 core
        layout(location = 0) out vec4 a;
        layout(location = 1) out vec4 b;
        layout(location = 2) out uint c;
        layout(location = 3) out vec2 d;
        void main() { a = vec4(1.0, 0.0, 0.5, 1.0); b = vec4(100.0, -2.0, 0.0, 1.0); c = 4000000000u; d = vec2(0.2, 0.8); }";
    gl.program(COVER, fragment);
    gl.cover();
    gl.expect_area((0, 0, 8, 8), [255, 0, 128, 255], "RGBA8");
    gl.read_buffer(t::COLOR_ATTACHMENT0 + 1);
    check::expect_near(&gl.pixel_f32(7, 7), &[100.0, -2.0, 0.0, 1.0], 0.0, "RGBA16F");
    gl.read_buffer(t::COLOR_ATTACHMENT0 + 2);
    assert_eq!(gl.read::<u32>((3, 3, 1, 1), t::RED_INTEGER, t::UNSIGNED_INT, 1), [4_000_000_000]);
    gl.read_buffer(t::COLOR_ATTACHMENT0 + 3);
    gl.expect_pixel((0, 7), [51, 204, 0, 255], "RG8");
}

/// If this fails, programs that draw mipmaps, cube faces or layers draw into other ones.
fn levels_faces_layers_and_slices(gl: &Gl) {
    let flat = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 3, t::RGBA8, 16, 16);
    let cube = gl.texture(t::TEXTURE_CUBE_MAP);
    gl.tex_storage_2d(t::TEXTURE_CUBE_MAP, 2, t::RGBA8, 8, 8);
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 4, 5);
    let volume = gl.texture(t::TEXTURE_3D);
    gl.tex_storage_3d(t::TEXTURE_3D, 2, t::RGBA8, 8, 8, 8);
    let line = gl.texture(t::TEXTURE_1D);
    gl.tex_storage_1d(t::TEXTURE_1D, 1, t::RGBA8, 8);
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    let point = t::COLOR_ATTACHMENT0;
    let face = t::TEXTURE_CUBE_MAP_POSITIVE_X + 3;
    let attach: [(&str, &dyn Fn(), i32); 5] = [
        ("a level", &|| gl.framebuffer_texture_2d(t::FRAMEBUFFER, point, t::TEXTURE_2D, flat, 1), 8),
        ("a face", &|| gl.framebuffer_texture_2d(t::FRAMEBUFFER, point, face, cube, 1), 4),
        ("a layer", &|| gl.framebuffer_texture_layer(t::FRAMEBUFFER, point, array, 0, 3), 4),
        ("a slice", &|| gl.framebuffer_texture_3d(t::FRAMEBUFFER, point, t::TEXTURE_3D, volume, 1, 2), 4),
        ("a line", &|| gl.framebuffer_texture_1d(t::FRAMEBUFFER, point, t::TEXTURE_1D, line, 0), 8),
    ];
    for (i, (what, attach, size)) in attach.iter().enumerate() {
        attach();
        gl.expect_complete(what);
        gl.viewport(0, 0, *size, *size);
        gl.clear_to([1.0; 4]);
        gl.cover_with([i as f32 / 255.0, 0.0, 0.0, 1.0]);
        gl.expect_pixel((size - 1, 0), [i as u8, 0, 0, 255], what);
    }
    gl.framebuffer_texture_layer(t::FRAMEBUFFER, point, array, 0, 2);
    gl.clear_to([0.0, 1.0, 0.0, 1.0]);
    gl.framebuffer_texture_layer(t::FRAMEBUFFER, point, array, 0, 3);
    gl.expect_pixel((0, 0), [2, 0, 0, 255], "the layer beside");
    gl.bind_texture(t::TEXTURE_3D, volume);
    let texels = gl.texture_image::<[u8; 4]>(t::TEXTURE_3D, 1, t::RGBA, t::UNSIGNED_BYTE, 64);
    assert!(texels[32..48].iter().all(|texel| *texel == [3, 0, 0, 255]), "the slice of level 1");
}

const LAYERED: &str = "#version 330 core
layout(points) in;
layout(triangle_strip, max_vertices = 18) out;
flat out int layer;
void main() {
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            gl_Layer = i;
            layer = i;
            gl_Position = vec4(vec2(k & 1, k >> 1) * 4.0 - 1.0, 0.0, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}";

/// If this fails, cube maps and cascades drawn in one pass end up in one layer.
fn layered_by_the_geometry_stage(gl: &Gl) {
    let cube = gl.texture(t::TEXTURE_CUBE_MAP);
    gl.tex_storage_2d(t::TEXTURE_CUBE_MAP, 1, t::RGBA8, 4, 4);
    gl.framebuffer_of(cube);
    assert_eq!(gl.attachment_parameter(t::COLOR_ATTACHMENT0, t::FRAMEBUFFER_ATTACHMENT_LAYERED), 1);
    gl.viewport(0, 0, 4, 4);
    let vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }";
    let fragment = "#version 330 core
        flat in int layer;
        out vec4 result;
        void main() { result = vec4(float(layer + 1) / 255.0, 0.0, 0.0, 1.0); }";
    gl.program_with(
        &[(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, LAYERED), (t::FRAGMENT_SHADER, fragment)],
        |_| {},
    );
    gl.vertex_array();
    gl.draw_arrays(t::POINTS, 0, 1);
    for face in 0..6 {
        let target = t::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let texels = gl.texture_image::<[u8; 4]>(target, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
        assert_eq!(texels, [[face as u8 + 1, 0, 0, 255]; 16], "face {face}");
    }
}

/// If this fails, layers but the first keep what they had.
fn layered_clears_reach_every_layer(gl: &Gl) {
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 4, 3);
    gl.framebuffer_of(array);
    gl.clear_color(0.0, 0.0, 1.0, 1.0);
    gl.clear(t::COLOR_BUFFER_BIT);
    let texels = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 48);
    assert_eq!(texels, [[0, 0, 255, 255]; 48]);
}

/// If this fails, post-processing sees an old or black picture.
fn drawn_then_sampled(gl: &Gl) {
    let mut texture = gl.target(t::RGBA8, (16, 16));
    gl.cover_with([0.0, 0.2, 0.4, 1.0]);
    // Ping-pong between pictures: each adds to what it samples.
    for _ in 0..6 {
        let before = texture;
        texture = gl.target(t::RGBA8, (16, 16));
        gl.bind_texture(t::TEXTURE_2D, before);
        gl.cover_by(
            "uniform sampler2D last;",
            "result = texelFetch(last, ivec2(gl_FragCoord.xy), 0) + vec4(0.1, 0.0, 0.1, 0.0);",
        );
    }
    gl.expect_pixel_within((8, 8), [153, 51, 255, 255], 4, "six passes");
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.viewport(0, 0, 64, 64);
    gl.bind_texture(t::TEXTURE_2D, texture);
    gl.cover_by("uniform sampler2D last;", "result = texture(last, gl_FragCoord.xy / 64.0);");
    gl.expect_pixel_within((60, 60), [153, 51, 255, 255], 4, "onto the surface");
}

/// If this fails, shaders with several outputs draw them into each other's pictures.
fn draw_buffers_select_and_reorder(gl: &Gl) {
    let textures = [gl.empty_2d(t::RGBA8, (4, 4)), gl.empty_2d(t::RGBA8, (4, 4)), gl.empty_2d(t::RGBA8, (4, 4))];
    gl.framebuffer_of(textures[0]);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, textures[1], 0);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT2, textures[2], 0);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT1, t::COLOR_ATTACHMENT2]);
    gl.clear_to([0.0; 4]);
    gl.viewport(0, 0, 4, 4);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT2, t::NONE, t::COLOR_ATTACHMENT0]);
    let fragment = "#version 330 core
        layout(location = 0) out vec4 a;
        layout(location = 1) out vec4 b;
        layout(location = 2) out vec4 c;
        void main() { a = vec4(1.0, 0.0, 0.0, 1.0); b = vec4(0.0, 1.0, 0.0, 1.0); c = vec4(0.0, 0.0, 1.0, 1.0); }";
    gl.program(COVER, fragment);
    gl.cover();
    for (i, wanted) in [[0, 0, 255, 255], [0; 4], [255, 0, 0, 255]].into_iter().enumerate() {
        gl.read_buffer(t::COLOR_ATTACHMENT0 + i as u32);
        gl.expect_pixel((1, 2), wanted, &format!("attachment {i}"));
    }
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT0]);
    gl.expect_error(t::INVALID_OPERATION, "one attachment twice");
    gl.draw_buffers(&[t::BACK]);
    gl.expect_error(t::INVALID_OPERATION, "the surface's buffer of a framebuffer object");
    assert_eq!(gl.int(t::DRAW_BUFFER0), t::COLOR_ATTACHMENT2 as i32);
}

/// If this fails, high-range pictures are cut or rounded.
fn float_targets_keep_their_range(gl: &Gl) {
    for (format, tolerance) in [(t::RGBA32F, 0.0), (t::RGBA16F, 0.5), (t::R11F_G11F_B10F, 16.0)] {
        gl.target(format, (4, 4));
        gl.cover_with([1000.25, 0.125, 2.0, 1.0]);
        check::expect_near(&gl.pixel_f32(2, 2), &[1000.25, 0.125, 2.0, 1.0], tolerance, &format!("{format:#x}"));
    }
    gl.target(t::RGBA8, (4, 4));
    gl.cover_with([1000.25, -4.0, 0.5, 1.0]);
    gl.expect_pixel((1, 1), [255, 0, 128, 255], "normalised targets clamp");
}

/// If this fails, shadow maps stay empty.
fn depth_texture_as_attachment(gl: &Gl) {
    for format in [t::DEPTH_COMPONENT16, t::DEPTH_COMPONENT24, t::DEPTH_COMPONENT32F, t::DEPTH24_STENCIL8] {
        let depth = gl.empty_2d(format, (8, 8));
        let framebuffer = gl.new_framebuffer();
        gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
        let point = if format == t::DEPTH24_STENCIL8 { t::DEPTH_STENCIL_ATTACHMENT } else { t::DEPTH_ATTACHMENT };
        gl.framebuffer_texture(t::FRAMEBUFFER, point, depth, 0);
        gl.draw_buffers(&[t::NONE]);
        gl.read_buffer(t::NONE);
        gl.expect_complete("depth alone");
        gl.viewport(0, 0, 8, 8);
        gl.clear_depth(1.0);
        gl.clear(t::DEPTH_BUFFER_BIT);
        gl.enable(t::DEPTH_TEST);
        gl.plain_program(crate::gl::program::PLACE, [0.0; 4]);
        gl.rectangle([-1.0, -1.0, 0.0, 1.0], -0.5);
        let near = |x| gl.depth_at(x, 4);
        assert!((near(1) - 0.25).abs() < 1e-3 && (near(6) - 1.0).abs() < 1e-3, "{format:#x}: {} {}", near(1), near(6));
        gl.bind_framebuffer(t::FRAMEBUFFER, 0);
        gl.viewport(0, 0, 64, 64);
        gl.disable(t::DEPTH_TEST);
        gl.cover_by(
            "uniform sampler2D depths;",
            "result = vec4(texture(depths, gl_FragCoord.xy / 64.0).r, 0.0, 0.0, 1.0);",
        );
        gl.expect_pixel((8, 8), [64, 0, 0, 255], "sampled where it was drawn");
        gl.expect_pixel((60, 8), [255, 0, 0, 255], "sampled where it was not");
    }
}

/// If this fails, what a program drew earlier is lost when it comes back to it.
fn switching_targets_keeps_their_contents(gl: &Gl) {
    let framebuffers: Vec<u32> = (0..8)
        .map(|_| {
            let texture = gl.empty_2d(t::RGBA8, (8, 8));
            gl.framebuffer_of(texture)
        })
        .collect();
    gl.viewport(0, 0, 8, 8);
    let program = gl.plain_program(COVER, [0.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    for round in 0..8 {
        for (i, framebuffer) in framebuffers.iter().enumerate() {
            gl.bind_framebuffer(t::FRAMEBUFFER, *framebuffer);
            gl.scissor(round, 0, 1, 8);
            gl.set_color(program, [i as f32 / 255.0, round as f32 / 255.0, 0.0, 1.0]);
            gl.cover();
        }
    }
    for (i, framebuffer) in framebuffers.iter().enumerate() {
        gl.bind_framebuffer(t::READ_FRAMEBUFFER, *framebuffer);
        for round in 0..8 {
            gl.expect_pixel((round, 5), [i as u8, round as u8, 0, 255], "column by column");
        }
    }
}

/// If this fails, programs that reduce a picture level by level see garbage.
fn rendering_into_one_level_while_sampling_another(gl: &Gl) {
    let texture = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 4, t::RGBA8, 8, 8);
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 8, 8], RGBA8, Texels::Of(&[[200u8, 100, 40, 255]; 64]));
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    for level in 1..4 {
        gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, level);
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, level - 1);
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, level - 1);
        gl.viewport(0, 0, 8 >> level, 8 >> level);
        gl.cover_by(
            "uniform sampler2D above;",
            "result = texelFetch(above, ivec2(gl_FragCoord.xy) * 2, 0) * vec4(0.5, 1.0, 1.0, 1.0);",
        );
    }
    for (level, red) in [(1, 100), (2, 50), (3, 25)] {
        gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, level);
        gl.expect_pixel((0, 0), [red, 100, 40, 255], "each level halves");
    }
}

/// If this fails, programs that draw into renderbuffers of some format do not work.
fn renderbuffers_of_every_kind(gl: &Gl) {
    let formats = [
        t::RGBA8,
        t::RGB8,
        t::RGBA4,
        t::RGB5_A1,
        t::RGB565,
        t::RGB10_A2,
        t::RGBA16F,
        t::RGBA32F,
        t::R8,
        t::RG16F,
        t::SRGB8_ALPHA8,
    ];
    for format in formats {
        let framebuffer = gl.new_framebuffer();
        gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
        gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, format, 0, (8, 8));
        gl.attach_renderbuffer(t::DEPTH_STENCIL_ATTACHMENT, t::DEPTH24_STENCIL8, 0, (8, 8));
        gl.expect_complete(&format!("{format:#x}"));
        gl.viewport(0, 0, 8, 8);
        let program = gl.plain_program(COVER, [1.0, 1.0, 1.0, 1.0]);
        gl.clear_to([0.0, 0.0, 0.0, 0.0]);
        gl.enable(t::DEPTH_TEST);
        gl.cover();
        gl.disable(t::DEPTH_TEST);
        let [r, g, ..] = gl.pixel(3, 3);
        let has_green = !matches!(format, t::R8);
        assert_eq!((r, g), (255, if has_green { 255 } else { 0 }), "{format:#x}");
        assert!((gl.depth_at(3, 3) - 0.5).abs() < 1e-4);
        gl.delete_program(program);
    }
    let _ = PLAIN;
}

/// If this fails, telling the driver that contents are not needed breaks the next picture.
fn invalidated_contents_may_be_drawn_again(gl: &Gl) {
    gl.target(t::RGBA8, (8, 8));
    gl.attach_renderbuffer(t::DEPTH_ATTACHMENT, t::DEPTH_COMPONENT24, 0, (8, 8));
    for i in 0..3u8 {
        gl.clear_to([1.0, f32::from(i) / 255.0, 0.0, 1.0]);
        gl.expect_pixel((4, 4), [255, i, 0, 255], "drawn after the last invalidation");
        gl.invalidate_framebuffer(&[t::DEPTH_ATTACHMENT]);
        gl.expect_pixel((4, 4), [255, i, 0, 255], "the colour was not invalidated");
        gl.invalidate_framebuffer(&[t::COLOR_ATTACHMENT0]);
    }
    gl.invalidate_framebuffer(&[t::RGBA]);
    gl.expect_error(t::INVALID_ENUM, "not an attachment");
}
