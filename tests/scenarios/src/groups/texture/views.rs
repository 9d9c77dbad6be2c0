//! Texture views and copies between shapes (GL 4.6 §8.18, §18.3.2).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    views_of_views_add_up,
    views_average_in_their_own_format,
    layers_of_lines_are_copied_by_slice,
    views_are_written_by_shaders,
];

/// If this fails, engines that slice one big array by views of views paint into the wrong layer.
fn views_of_views_add_up(gl: &Gl) {
    need(gl.has("GL_ARB_texture_view"), "GL_ARB_texture_view");
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 3, t::RGBA8, 8, 8, 6);
    let (part, single) = (gl.new_texture(), gl.new_texture());
    gl.texture_view(part, t::TEXTURE_2D_ARRAY, array, t::RGBA8, 1, 5, 2, 3);
    gl.texture_view(single, t::TEXTURE_2D, part, t::SRGB8_ALPHA8, 1, 1, 2, 1);
    gl.bind_texture(t::TEXTURE_2D, single);
    let wanted = [(t::TEXTURE_VIEW_MIN_LEVEL, 2), (t::TEXTURE_VIEW_NUM_LEVELS, 1), (t::TEXTURE_VIEW_MIN_LAYER, 4)];
    for (pname, value) in wanted {
        assert_eq!(gl.tex_parameter(t::TEXTURE_2D, pname), value, "{pname:#x}");
    }
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, t::TEXTURE_IMMUTABLE_LEVELS), 3, "the texture's own");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&[[7u8, 8, 9, 10]; 4]));
    gl.bind_texture(t::TEXTURE_2D_ARRAY, array);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 2, t::RGBA, t::UNSIGNED_BYTE, 24);
    assert_eq!(got[16..20], [[7, 8, 9, 10]; 4], "level 2, layer 4");
    gl.bind_texture(t::TEXTURE_2D, 0);
    gl.texture_view(gl.new_texture(), t::TEXTURE_CUBE_MAP, part, t::RGBA8, 0, 1, 0, 6);
    gl.expect_error(t::INVALID_VALUE, "a cube needs six layers");
    gl.texture_view(gl.new_texture(), t::TEXTURE_2D, part, t::RGBA16, 0, 1, 0, 1);
    gl.expect_error(t::INVALID_OPERATION, "texels of another size");
}

/// If this fails, mipmaps made through an sRGB view of a linear texture get darker with every level.
fn views_average_in_their_own_format(gl: &Gl) {
    need(gl.has("GL_ARB_texture_view"), "GL_ARB_texture_view");
    let linear = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 2, t::RGBA8, 2, 2);
    let checks = [[0u8, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]];
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&checks));
    let view = gl.new_texture();
    gl.texture_view(view, t::TEXTURE_2D, linear, t::SRGB8_ALPHA8, 0, 2, 0, 1);
    gl.bind_texture(t::TEXTURE_2D, view);
    gl.generate_mipmap(t::TEXTURE_2D);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 1, t::RGBA, t::UNSIGNED_BYTE, 1)[0];
    assert!(got[0].abs_diff(188) <= 2 && got[3] == 255, "half of the light is 188, not {got:?}");
}

/// If this fails, tables kept as layers of 1D textures are copied into the wrong rows.
fn layers_of_lines_are_copied_by_slice(gl: &Gl) {
    need(gl.has("GL_ARB_copy_image"), "GL_ARB_copy_image");
    let lines = gl.texture(t::TEXTURE_1D_ARRAY);
    gl.tex_storage_2d(t::TEXTURE_1D_ARRAY, 1, t::RGBA8, 4, 3);
    let texels: Vec<[u8; 4]> = (0..12u8).map(|i| [i, i, i, 255]).collect();
    gl.sub_image_2d(t::TEXTURE_1D_ARRAY, 0, [0, 0, 4, 3], RGBA8, Texels::Of(&texels));
    let planes = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 2, 2);
    gl.sub_image_3d(t::TEXTURE_2D_ARRAY, 0, [0, 0, 0, 4, 2, 2], RGBA8, Texels::Of(&[[0u8; 4]; 16]));
    gl.copy_image_sub_data(lines, t::TEXTURE_1D_ARRAY, 0, 1, 0, 1, planes, t::TEXTURE_2D_ARRAY, 0, 0, 1, 0, 3, 1, 2);
    gl.expect_no_error("layers on both sides");
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    let reds: Vec<u8> = got.iter().map(|texel| texel[0]).collect();
    assert_eq!(reds, [0, 0, 0, 0, 5, 6, 7, 0, 0, 0, 0, 0, 9, 10, 11, 0]);
    let storage = gl.new_renderbuffer();
    gl.bind_renderbuffer(t::RENDERBUFFER, storage);
    gl.renderbuffer_storage(t::RENDERBUFFER, t::RGBA8, 4, 4);
    gl.copy_image_sub_data(lines, t::TEXTURE_1D_ARRAY, 0, 0, 0, 2, storage, t::RENDERBUFFER, 0, 0, 3, 0, 4, 1, 1);
    gl.expect_no_error("into a renderbuffer");
    let fbo = gl.new_framebuffer();
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, fbo);
    gl.framebuffer_renderbuffer(t::READ_FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::RENDERBUFFER, storage);
    assert_eq!(gl.pixels(0, 3, 4, 1), [[8, 8, 8, 255], [9, 9, 9, 255], [10, 10, 10, 255], [11, 11, 11, 255]]);
}

/// If this fails, compute shaders that write through a view of a texture write nowhere.
fn views_are_written_by_shaders(gl: &Gl) {
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 4, 3);
    gl.sub_image_3d(t::TEXTURE_2D_ARRAY, 0, [0, 0, 0, 4, 4, 3], RGBA8, Texels::Of(&[[9u8; 4]; 48]));
    let view = gl.new_texture();
    gl.texture_view(view, t::TEXTURE_2D, array, t::RGBA8, 0, 1, 1, 1);
    let store = gl.compute(
        "layout(local_size_x = 4, local_size_y = 2) in;
        layout(rgba8, binding = 0) writeonly uniform image2D target;
        void main() { imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(1.0, 0.0, 1.0, 0.0)); }",
    );
    gl.image(0, view, t::WRITE_ONLY, t::RGBA8);
    gl.use_program(store);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 48);
    for (i, texel) in got.iter().enumerate() {
        let written = i / 16 == 1 && i % 16 < 8;
        assert_eq!(*texel, if written { [255, 0, 255, 0] } else { [9; 4] }, "texel {i}");
    }
}
