//! Parameters that extensions add to textures and samplers.

use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["extension":
    srgb_texels_are_decoded_or_not,
    least_and_greatest_texels,
    seams_by_texture,
    levels_of_shadow_arrays,
];

fn shown(gl: &Gl, expression: &str) -> [u8; 4] {
    let program = gl.cover_by("uniform sampler2D image;", &format!("result = {expression};"));
    gl.delete_program(program);
    gl.pixel(20, 20)
}

#[track_caller]
fn expect_near(got: [u8; 4], wanted: [u8; 4], what: &str) {
    assert!(got.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1), "{what}: {got:?} instead of {wanted:?}");
}

/// If this fails, programs that keep colours as they are stored (editors, video, Source's and Unity's games) are too dark.
fn srgb_texels_are_decoded_or_not(gl: &Gl) {
    need(gl.has("GL_EXT_texture_sRGB_decode"), "GL_EXT_texture_sRGB_decode");
    let (name, skip, decode) = (t::TEXTURE_SRGB_DECODE_EXT, t::SKIP_DECODE_EXT as i32, t::DECODE_EXT as i32);
    let (stored, linear) = ([188, 99, 255, 100], [128, 32, 255, 100]);
    let look = "texture(image, vec2(0.5))";
    let srgb = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 2, t::SRGB8_ALPHA8, 2, 2);
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&[[188u8, 99, 255, 100]; 4]));
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, name), decode, "the initial value");
    expect_near(shown(gl, look), linear, "decoded");
    gl.tex_parameteri(t::TEXTURE_2D, name, skip);
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, name), skip);
    assert_eq!(shown(gl, look), stored, "as stored");
    // Single texels are always decoded.
    expect_near(shown(gl, "texelFetch(image, ivec2(1), 0)"), linear, "fetched");
    // A sampler object has the parameter in the texture's place.
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.bind_sampler(0, sampler);
    expect_near(shown(gl, look), linear, "a sampler that decodes");
    gl.sampler_parameteri(sampler, name, skip);
    gl.tex_parameteri(t::TEXTURE_2D, name, decode);
    assert_eq!(shown(gl, look), stored, "a sampler that does not");
    gl.bind_sampler(0, 0);
    expect_near(shown(gl, look), linear, "the texture decodes again");
    // What is not sRGB is as it was.
    gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[188u8, 99, 255, 100]]);
    gl.tex_parameteri(t::TEXTURE_2D, name, skip);
    assert_eq!(shown(gl, look), stored, "no sRGB");
    gl.expect_no_error("decoding");
    gl.tex_parameteri(t::TEXTURE_2D, name, t::NEAREST as i32);
    gl.expect_error(t::INVALID_ENUM, "not a value");
    views_and_targets(gl, srgb);
}

/// Views have a parameter of their own, and what is drawn is encoded whatever the texture's parameter says.
fn views_and_targets(gl: &Gl, srgb: u32) {
    let skip = t::SKIP_DECODE_EXT as i32;
    let look = "texture(image, vec2(0.5))";
    if gl.has("GL_ARB_texture_view") {
        let linear = gl.texture(t::TEXTURE_2D);
        gl.tex_storage_2d(t::TEXTURE_2D, 1, t::RGBA8, 1, 1);
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], RGBA8, Texels::Of(&[[188u8, 188, 188, 255]]));
        let view = gl.new_texture();
        gl.texture_view(view, t::TEXTURE_2D, linear, t::SRGB8_ALPHA8, 0, 1, 0, 1);
        gl.bind_texture(t::TEXTURE_2D, view);
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
        expect_near(shown(gl, look), [128, 128, 128, 255], "a view decodes");
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_SRGB_DECODE_EXT, skip);
        assert_eq!(shown(gl, look), [188, 188, 188, 255], "a view that does not");
    }
    gl.bind_texture(t::TEXTURE_2D, srgb);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_SRGB_DECODE_EXT, skip);
    gl.framebuffer_of(srgb);
    gl.enable(t::FRAMEBUFFER_SRGB);
    gl.viewport(0, 0, 2, 2);
    gl.bind_texture(t::TEXTURE_2D, 0);
    gl.cover_with([0.5, 0.0, 1.0, 1.0]);
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.disable(t::FRAMEBUFFER_SRGB);
    gl.viewport(0, 0, 64, 64);
    gl.bind_texture(t::TEXTURE_2D, srgb);
    expect_near(shown(gl, look), [188, 0, 255, 255], "encoded when drawn, read as stored");
}

/// If this fails, programs that cull by a pyramid of depths hide what is seen.
fn least_and_greatest_texels(gl: &Gl) {
    need(gl.has("GL_ARB_texture_filter_minmax"), "GL_ARB_texture_filter_minmax");
    let name = t::TEXTURE_REDUCTION_MODE_ARB;
    gl.texture_2d(
        t::RGBA8,
        (2, 2),
        RGBA8,
        &[[10u8, 200, 0, 255], [50, 100, 0, 0], [90, 40, 0, 255], [30, 160, 0, 255]],
    );
    for filter in [t::TEXTURE_MIN_FILTER, t::TEXTURE_MAG_FILTER] {
        gl.tex_parameteri(t::TEXTURE_2D, filter, t::LINEAR as i32);
    }
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, name), t::WEIGHTED_AVERAGE_ARB as i32);
    let look = "texture(image, vec2(0.5))";
    expect_near(shown(gl, look), [45, 125, 0, 191], "the average");
    gl.tex_parameteri(t::TEXTURE_2D, name, t::MIN as i32);
    assert_eq!(shown(gl, look), [10, 40, 0, 0], "the least");
    gl.tex_parameteri(t::TEXTURE_2D, name, t::MAX as i32);
    assert_eq!(shown(gl, look), [90, 200, 0, 255], "the greatest");
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::LINEAR as i32);
    gl.sampler_parameteri(sampler, name, t::MIN as i32);
    gl.bind_sampler(0, sampler);
    assert_eq!(shown(gl, look), [10, 40, 0, 0], "a sampler's in the texture's place");
    gl.bind_sampler(0, 0);
    gl.expect_no_error("reductions");
    gl.tex_parameteri(t::TEXTURE_2D, name, t::LINEAR as i32);
    gl.expect_error(t::INVALID_ENUM, "not a reduction");
    // Depths, the usual case.
    gl.texture_2d(t::DEPTH_COMPONENT32F, (2, 2), (t::DEPTH_COMPONENT, t::FLOAT), &[0.25f32, 0.5, 0.75, 1.0]);
    for filter in [t::TEXTURE_MIN_FILTER, t::TEXTURE_MAG_FILTER] {
        gl.tex_parameteri(t::TEXTURE_2D, filter, t::LINEAR as i32);
    }
    for (mode, wanted) in [(t::MIN, 64), (t::MAX, 255)] {
        gl.tex_parameteri(t::TEXTURE_2D, name, mode as i32);
        assert!(shown(gl, look)[0].abs_diff(wanted) <= 1, "depths");
    }
}

/// If this fails, edges of cube maps show although the texture asks for none, or are blurred where it wants them.
fn seams_by_texture(gl: &Gl) {
    need(gl.has("GL_ARB_seamless_cubemap_per_texture"), "GL_ARB_seamless_cubemap_per_texture");
    let name = t::TEXTURE_CUBE_MAP_SEAMLESS;
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        // The face to the right is white, the others are black.
        let texels = [if face == 0 { [255u8; 4] } else { [0, 0, 0, 255] }; 4];
        gl.image_2d(t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, t::RGBA8, (2, 2), RGBA8, Texels::Of(&texels));
    }
    for filter in [t::TEXTURE_MIN_FILTER, t::TEXTURE_MAG_FILTER] {
        gl.tex_parameteri(t::TEXTURE_CUBE_MAP, filter, t::LINEAR as i32);
    }
    for wrap in [t::TEXTURE_WRAP_S, t::TEXTURE_WRAP_T] {
        gl.tex_parameteri(t::TEXTURE_CUBE_MAP, wrap, t::CLAMP_TO_EDGE as i32);
    }
    gl.disable(t::TEXTURE_CUBE_MAP_SEAMLESS);
    let edge = |gl: &Gl| {
        let look = "result = texture(image, vec3(1.0, 0.1, 0.999));";
        let program = gl.cover_by("uniform samplerCube image;", look);
        gl.delete_program(program);
        gl.pixel(9, 9)[0]
    };
    assert_eq!(gl.tex_parameter(t::TEXTURE_CUBE_MAP, name), 0);
    assert_eq!(edge(gl), 255, "the face alone");
    gl.tex_parameteri(t::TEXTURE_CUBE_MAP, name, 1);
    assert!(edge(gl).abs_diff(128) < 8, "half of the neighbour");
    gl.tex_parameteri(t::TEXTURE_CUBE_MAP, name, 0);
    assert_eq!(edge(gl), 255, "the face alone again");
    gl.expect_no_error("seams");
    gl.tex_parameteri(t::TEXTURE_CUBE_MAP, name, 2);
    gl.expect_error(t::INVALID_VALUE, "neither true nor false");
}

/// If this fails, soft shadows of cascades take the wrong level of the cascade.
fn levels_of_shadow_arrays(gl: &Gl) {
    need(gl.has("GL_EXT_texture_shadow_lod"), "GL_EXT_texture_shadow_lod");
    let array = t::TEXTURE_2D_ARRAY;
    gl.texture(array);
    gl.tex_storage_3d(array, 2, t::DEPTH_COMPONENT32F, 2, 2, 2);
    let layout = (t::DEPTH_COMPONENT, t::FLOAT);
    gl.sub_image_3d(array, 0, [0, 0, 0, 2, 2, 2], layout, Texels::Of(&[0.25f32; 8]));
    gl.sub_image_3d(array, 1, [0, 0, 0, 1, 1, 2], layout, Texels::Of(&[0.75f32; 2]));
    gl.tex_parameteri(array, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    gl.tex_parameteri(array, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
    let fragment = "#version 330 core
        #extension GL_EXT_texture_shadow_lod : require
        uniform sampler2DArrayShadow image;
        out vec4 result;
        void main() {
            vec4 at = vec4(gl_FragCoord.xy / 64.0, 1.0, 0.5);
            result = vec4(textureLod(image, at, 0.0), textureLod(image, at, 1.0),
                          texture(image, at, 8.0), textureLodOffset(image, at, 1.0, ivec2(0)));
        }";
    gl.program(COVER, fragment);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 255, 255], "the first level is nearer, the second is farther");
}
