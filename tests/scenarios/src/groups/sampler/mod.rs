//! Sampling parameters and sampler objects (GL 4.6 §8.2, §8.14).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LISTS: &[&[Scenario]] = &[list!["sampler":
    wrap_modes,
    border_colors,
    filters_between_texels,
    sampler_objects_override,
    comparisons_of_depths,
    comparisons_are_of_depths_only,
    limits_of_detail,
    bias_of_the_sampler,
    bias_of_the_shader,
    bias_of_shadows,
    anisotropy_within_the_devices_limit,
    seamless_cubes,
    several_samplers_one_texture,
    changed_and_deleted_samplers,
    parameters_round_trip,
    volume_wraps_in_depth,
]];

/// A texel's number outside of the picture to that of the texel shown.
type Wrap = fn(i32) -> i32;

/// Four texels of red 10, 80, 150, 220.
fn line(gl: &Gl) -> u32 {
    gl.texture_2d(t::RGBA8, (4, 1), RGBA8, &[10u8, 80, 150, 220].map(|red| [red, 0, 0, 255]))
}

/// What a shader reads at s, over the surface from -1 to 3: 16 pixels are the picture.
fn along(gl: &Gl) -> Vec<u8> {
    let program =
        gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(gl_FragCoord.x / 16.0 - 1.0, 0.5));");
    gl.delete_program(program);
    gl.pixels(0, 5, 64, 1).iter().map(|pixel| pixel[0]).collect()
}

/// If this fails, floors are not tiled, or clamped pictures show their other side.
fn wrap_modes(gl: &Gl) {
    line(gl);
    let texel = |i: i32| [10u8, 80, 150, 220][i as usize];
    let wanted: [(u32, Wrap); 3] = [
        (t::REPEAT, |i| i.rem_euclid(4)),
        (t::MIRRORED_REPEAT, |i| if i.rem_euclid(8) < 4 { i.rem_euclid(8) } else { 7 - i.rem_euclid(8) }),
        (t::CLAMP_TO_EDGE, |i| i.clamp(0, 3)),
    ];
    for (mode, wanted) in wanted {
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, mode as i32);
        let got = along(gl);
        for i in -4..12 {
            // The middle of each texel's four pixels.
            assert_eq!(got[((i + 4) * 4 + 2) as usize], texel(wanted(i)), "mode {mode:#x}, texel {i}");
        }
    }
}

/// If this fails, shadow maps and decals bleed beyond their borders.
fn border_colors(gl: &Gl) {
    line(gl);
    for mode in [t::TEXTURE_WRAP_S, t::TEXTURE_WRAP_T] {
        gl.tex_parameteri(t::TEXTURE_2D, mode, t::CLAMP_TO_BORDER as i32);
    }
    for color in [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0], [0.2, 0.4, 0.6, 0.8]] {
        gl.tex_floats(t::TEXTURE_2D, t::TEXTURE_BORDER_COLOR, &color);
        gl.cover_by(
            "uniform sampler2D image;",
            "result = texture(image, gl_FragCoord.x < 32.0 ? vec2(0.1, 0.5) : vec2(1.5, 0.5));",
        );
        gl.expect_pixel((5, 5), [10, 0, 0, 255], "inside");
        gl.expect_pixel((50, 5), color.map(|v: f32| (v * 255.0).round() as u8), "outside");
    }
    gl.texture_2d(t::RGBA8UI, (1, 1), (t::RGBA_INTEGER, t::UNSIGNED_BYTE), &[[1u8; 4]]);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, t::CLAMP_TO_BORDER as i32);
    gl.tex_uints(t::TEXTURE_2D, t::TEXTURE_BORDER_COLOR, &[9, 8, 7, 6]);
    gl.cover_by("uniform usampler2D image;", "result = vec4(texture(image, vec2(2.0, 0.5))) / 255.0;");
    gl.expect_pixel((5, 5), [9, 8, 7, 6], "a border of integers");
}

/// If this fails, pictures look blocky, or pixel art looks blurred.
fn filters_between_texels(gl: &Gl) {
    line(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, t::CLAMP_TO_EDGE as i32);
    let shown = |at: f32| {
        let program = gl.cover_by("uniform sampler2D image;", &format!("result = texture(image, vec2({at:?}, 0.5));"));
        gl.delete_program(program);
        gl.pixel(3, 3)[0]
    };
    assert_eq!((shown(0.24), shown(0.26)), (10, 80), "nearest");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAG_FILTER, t::LINEAR as i32);
    for (at, wanted) in [(0.125, 10), (0.25, 45), (0.375, 80), (0.0, 10), (0.9999, 220)] {
        let got = shown(at);
        assert!(got.abs_diff(wanted) <= 1, "linear at {at}: {got}, not {wanted}");
    }
}

/// If this fails, programs with sampler objects draw with the texture's own parameters.
fn sampler_objects_override(gl: &Gl) {
    line(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, t::REPEAT as i32);
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_S, t::CLAMP_TO_EDGE as i32);
    gl.bind_sampler(0, sampler);
    assert_eq!(along(gl)[1], 10, "the object clamps");
    gl.bind_sampler(0, 0);
    assert_eq!(along(gl)[1], 10, "the texture repeats: its first texel again");
    assert_eq!(along(gl)[15], 220, "its last texel before the first");
    gl.bind_sampler(0, sampler);
    assert_eq!(along(gl)[15], 10, "clamped again");
    // A sampler's mipmap filter makes a texture with one level incomplete.
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 5);
    assert_eq!(along(gl)[20], 0, "completeness is judged by the sampler");
    assert_eq!(gl.int(t::SAMPLER_BINDING), sampler as i32);
}

/// If this fails, pictures that share a sampler with shadow maps are black (GL 4.6 §8.23.1).
fn comparisons_are_of_depths_only(gl: &Gl) {
    line(gl);
    let compare = t::COMPARE_REF_TO_TEXTURE as i32;
    let mut reads = vec!["texture(image, vec2(0.4, 0.5))", "textureLod(image, vec2(0.4, 0.5), 0.0)"];
    let gathers = "#extension GL_ARB_texture_gather : enable\nuniform sampler2D image;";
    if gl.has("GL_ARB_texture_gather") {
        reads.push("textureGather(image, vec2(0.5, 0.5)).xxxx");
    }
    let shown = |what: &str| {
        for read in &reads {
            let program = gl.cover_by(gathers, &format!("result = vec4({read}.r);"));
            gl.delete_program(program);
            assert_eq!(gl.pixel(3, 3)[0], 80, "{read}, {what}");
        }
    };
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_COMPARE_MODE, compare);
    shown("the texture compares");
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_COMPARE_MODE, compare);
    gl.sampler_parameteri(sampler, t::TEXTURE_COMPARE_FUNC, t::NEVER as i32);
    gl.bind_sampler(0, sampler);
    shown("the sampler object compares");
    // The same object with a texture of depths does compare.
    gl.texture_2d(t::DEPTH_COMPONENT32F, (1, 1), (t::DEPTH_COMPONENT, t::FLOAT), &[0.5f32]);
    gl.sampler_parameteri(sampler, t::TEXTURE_COMPARE_FUNC, t::LESS as i32);
    gl.cover_by(
        "uniform sampler2DShadow image;",
        "result = vec4(texture(image, vec3(0.5, 0.5, gl_FragCoord.x / 64.0)));",
    );
    assert_eq!((gl.pixel(10, 3)[0], gl.pixel(50, 3)[0]), (255, 0), "depths");
}

/// If this fails, shadows are missing or everywhere.
fn comparisons_of_depths(gl: &Gl) {
    gl.texture_2d(t::DEPTH_COMPONENT24, (1, 1), (t::DEPTH_COMPONENT, t::FLOAT), &[0.5f32]);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
    let all: [(u32, [u8; 3]); 8] = [
        (t::LEQUAL, [255, 255, 0]),
        (t::GEQUAL, [0, 255, 255]),
        (t::LESS, [255, 0, 0]),
        (t::GREATER, [0, 0, 255]),
        (t::EQUAL, [0, 255, 0]),
        (t::NOTEQUAL, [255, 0, 255]),
        (t::ALWAYS, [255; 3]),
        (t::NEVER, [0; 3]),
    ];
    // The texture stores 0.5 in 24 bits, so the equal case reads what is stored.
    let body = "float stored = 8388608.0 / 16777215.0; float r = gl_FragCoord.x < 20.0 ? 0.25 : gl_FragCoord.x < 40.0 ? stored : 0.75;
        result = vec4(texture(shadow, vec3(0.5, 0.5, r)));";
    for (function, wanted) in all {
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_COMPARE_FUNC, function as i32);
        let program = gl.cover_by("uniform sampler2DShadow shadow;", body);
        gl.delete_program(program);
        let got = [10, 30, 50].map(|x| gl.pixel(x, 9)[0]);
        let exact = matches!(function, t::EQUAL | t::NOTEQUAL | t::LEQUAL | t::GEQUAL | t::LESS | t::GREATER);
        // How 0.5 rounds to 24 bits is open; only references that clearly differ are judged for the middle.
        assert_eq!((got[0], got[2]), (wanted[0], wanted[2]), "function {function:#x}");
        assert!(exact || got[1] == wanted[1], "function {function:#x}: {got:?}");
    }
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_COMPARE_MODE, t::NONE as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.bind_sampler(0, sampler);
    gl.cover_by("uniform sampler2D depth;", "result = texture(depth, vec2(0.5));");
    gl.expect_pixel((9, 9), [128, 0, 0, 255], "the depth itself without comparison");
}

/// A texture whose level n has red n * 50.
fn levelled(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    for level in 0..5 {
        let size = 16 >> level;
        let texels = vec![[level as u8 * 50, 0, 0, 255]; (size * size) as usize];
        gl.image_2d(t::TEXTURE_2D, level, t::RGBA8, (size, size), RGBA8, Texels::Of(&texels));
    }
}

/// If this fails, programs that limit or move the level of detail see other levels.
fn limits_of_detail(gl: &Gl) {
    levelled(gl);
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    gl.bind_sampler(0, sampler);
    let shown = |body: &str| {
        let program = gl.cover_by("uniform sampler2D image;", body);
        gl.delete_program(program);
        gl.pixel(20, 20)[0]
    };
    let per_pixel = "result = texture(image, gl_FragCoord.xy / 8.0);";
    assert_eq!(shown(per_pixel), 50, "two texels per pixel");
    assert_eq!(shown("result = texture(image, gl_FragCoord.xy / 8.0, 1.0);"), 100, "with a bias of the shader");
    gl.sampler_parameterf(sampler, t::TEXTURE_MAX_LOD, 0.0);
    assert_eq!(shown("result = textureLod(image, vec2(0.5), 4.0);"), 0, "no more than the limit");
    gl.sampler_parameterf(sampler, t::TEXTURE_MAX_LOD, 1000.0);
    gl.sampler_parameterf(sampler, t::TEXTURE_MIN_LOD, 3.0);
    assert_eq!(shown("result = textureLod(image, vec2(0.5), 0.0);"), 150, "no less than the limit");
}

/// If this fails, pictures that a program makes sharper or softer stay as they are.
fn bias_of_the_sampler(gl: &Gl) {
    levelled(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    for (bias, wanted) in [(0.0, 50u8), (2.0, 150), (-1.0, 0)] {
        gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_LOD_BIAS, bias);
        let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 8.0);");
        gl.delete_program(program);
        gl.expect_pixel((20, 20), [wanted, 0, 0, 255], &format!("a bias of {bias}"));
    }
}

/// If this fails, pictures that a shader blurs or sharpens have another level of detail than the sum of its bias and the
/// sampler's (GL 4.6 §8.14.1).
fn bias_of_the_shader(gl: &Gl) {
    let levels = |target: u32, face: u32| {
        for level in 0..7 {
            let side = 64 >> level;
            let texels = vec![[30 * level as u8, 0, 0, 255]; (side * side) as usize];
            if target == t::TEXTURE_2D_ARRAY {
                gl.image_3d(target, level, t::RGBA8, (side, side, 1), RGBA8, Texels::Of(&texels));
            } else {
                gl.image_2d(face, level, t::RGBA8, (side, side), RGBA8, Texels::Of(&texels));
            }
        }
    };
    // What differs by a texel of level 0 from pixel to pixel.
    let kinds = [
        (t::TEXTURE_2D, "sampler2D", "texture(image, gl_FragCoord.xy / 64.0, bias)"),
        (t::TEXTURE_2D, "sampler2D", "textureOffset(image, gl_FragCoord.xy / 64.0, ivec2(1), bias)"),
        (t::TEXTURE_2D, "sampler2D", "textureProj(image, vec3(gl_FragCoord.xy / 32.0, 2.0), bias)"),
        (t::TEXTURE_2D_ARRAY, "sampler2DArray", "texture(image, vec3(gl_FragCoord.xy / 64.0, 0.0), bias)"),
        (t::TEXTURE_CUBE_MAP, "samplerCube", "texture(image, vec3(gl_FragCoord.xy / 32.0 - 1.0, 1.0), bias)"),
    ];
    for (target, sampler, look_up) in kinds {
        gl.texture(target);
        match target {
            t::TEXTURE_CUBE_MAP => (0..6).for_each(|face| levels(target, t::TEXTURE_CUBE_MAP_POSITIVE_X + face)),
            _ => levels(target, target),
        }
        gl.tex_parameteri(target, t::TEXTURE_MIN_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
        let program =
            gl.cover_by(&format!("uniform {sampler} image; uniform float bias;"), &format!("result = {look_up};"));
        for own in [0.0f32, 1.0, -0.5] {
            gl.tex_parameterf(target, t::TEXTURE_LOD_BIAS, own);
            for bias in [-2.0f32, 0.0, 0.25, 0.5, 1.0, 2.75, 4.0] {
                gl.uniform1f(gl.location(program, "bias"), bias);
                gl.cover();
                let wanted = (30.0 * (own + bias).clamp(0.0, 6.0)) as u8;
                gl.expect_pixel_within((30, 33), [wanted, 0, 0, 255], 3, &format!("{look_up}: {bias} and {own}"));
            }
        }
    }
}

/// If this fails, cascaded shadow maps that are blurred by a bias are as sharp as without.
fn bias_of_shadows(gl: &Gl) {
    let depth = (t::DEPTH_COMPONENT, t::FLOAT);
    for (target, sampler, place) in [
        (t::TEXTURE_2D, "sampler2DShadow", "vec3(gl_FragCoord.xy / 16.0, reference)"),
        (t::TEXTURE_2D_ARRAY, "sampler2DArrayShadow", "vec4(gl_FragCoord.xy / 16.0, 1.0, reference)"),
        (t::TEXTURE_1D_ARRAY, "sampler1DArrayShadow", "vec3(gl_FragCoord.x / 16.0, 1.0, reference)"),
    ] {
        gl.texture(target);
        for level in 0..5 {
            let side = 16 >> level;
            let (rows, layers) = if target == t::TEXTURE_1D_ARRAY { (2, 1) } else { (side, 2) };
            let texels = vec![0.1 * (level + 1) as f32; (side * rows * layers) as usize];
            if target == t::TEXTURE_2D_ARRAY {
                gl.image_3d(target, level, t::DEPTH_COMPONENT32F, (side, side, 2), depth, Texels::Of(&texels));
            } else {
                gl.image_2d(target, level, t::DEPTH_COMPONENT32F, (side, rows), depth, Texels::Of(&texels));
            }
        }
        gl.tex_parameteri(target, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
        gl.tex_parameteri(target, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
        // As many references as are below the depth of the level: ten times its number.
        let body = format!(
            "float lit = 0.0;
            for (int n = 0; n < 5; n++) {{ float reference = 0.05 + 0.1 * float(n); lit += texture(image, {place}); }}
            result = vec4(lit * 10.0 / 255.0, 0.0, 0.0, 1.0);"
        );
        let program = gl.cover_by(&format!("uniform {sampler} image;"), &body);
        for (bias, wanted) in [(0.0, 10u8), (1.0, 20), (2.0, 30), (-1.0, 10)] {
            gl.tex_parameterf(target, t::TEXTURE_LOD_BIAS, bias);
            gl.cover();
            gl.expect_pixel((9, 9), [wanted, 0, 0, 255], &format!("{sampler}, a bias of {bias}"));
        }
        gl.delete_program(program);
    }
}

/// If this fails, programs that ask for sharper slopes get an error or a wrong picture.
fn anisotropy_within_the_devices_limit(gl: &Gl) {
    need(gl.has("GL_EXT_texture_filter_anisotropic"), "GL_EXT_texture_filter_anisotropic");
    let [most] = gl.floats::<1>(t::MAX_TEXTURE_MAX_ANISOTROPY);
    assert!(most >= 2.0, "{most}");
    levelled(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
    gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_MAX_ANISOTROPY, most);
    gl.cover_by(
        "uniform sampler2D image;",
        "result = texture(image, vec2(gl_FragCoord.x / 4.0, gl_FragCoord.y / 16.0));",
    );
    gl.expect_no_error("a draw with anisotropy");
    assert!(gl.pixel(30, 30)[0] <= 100, "no blurrier than without");
    gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_MAX_ANISOTROPY, 0.5);
    gl.expect_error(t::INVALID_VALUE, "less than 1");
}

/// If this fails, skies show seams, or programs that rely on them do not.
fn seamless_cubes(gl: &Gl) {
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6u32 {
        let red = if face == 0 { 200u8 } else { 0 };
        gl.image_2d(
            t::TEXTURE_CUBE_MAP_POSITIVE_X + face,
            0,
            t::RGBA8,
            (2, 2),
            RGBA8,
            Texels::Of(&[[red, 0, 0, 255]; 4]),
        );
    }
    for name in [t::TEXTURE_MIN_FILTER, t::TEXTURE_MAG_FILTER] {
        gl.tex_parameteri(t::TEXTURE_CUBE_MAP, name, t::LINEAR as i32);
    }
    for name in [t::TEXTURE_WRAP_S, t::TEXTURE_WRAP_T] {
        gl.tex_parameteri(t::TEXTURE_CUBE_MAP, name, t::CLAMP_TO_EDGE as i32);
    }
    let body = "result = texture(image, vec3(1.0, 0.0, 0.999));";
    gl.cover_by("uniform samplerCube image;", body);
    gl.expect_pixel((9, 9), [200, 0, 0, 255], "with a seam");
    gl.enable(t::TEXTURE_CUBE_MAP_SEAMLESS);
    gl.cover();
    let [red, ..] = gl.pixel(9, 9);
    assert!((80..=120).contains(&red), "half of each face at the edge: {red}");
}

/// If this fails, one picture used in two ways is sampled in one of them.
fn several_samplers_one_texture(gl: &Gl) {
    let texture = line(gl);
    let (hard, soft) = (gl.new_sampler(), gl.new_sampler());
    for (sampler, filter) in [(hard, t::NEAREST), (soft, t::LINEAR)] {
        gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, filter as i32);
        gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, filter as i32);
    }
    for (unit, sampler) in [(3, hard), (7, soft)] {
        gl.active_texture(t::TEXTURE0 + unit);
        gl.bind_texture(t::TEXTURE_2D, texture);
        gl.bind_sampler(unit, sampler);
    }
    let fragment = "#version 330 core
        uniform sampler2D hard;
        uniform sampler2D soft;
        out vec4 result;
        void main() { result = vec4(texture(hard, vec2(0.26, 0.5)).r, texture(soft, vec2(0.25, 0.5)).r, 0.0, 1.0); }";
    let program = gl.program(crate::gl::program::COVER, fragment);
    gl.uniform1i(gl.location(program, "hard"), 3);
    gl.uniform1i(gl.location(program, "soft"), 7);
    gl.cover();
    gl.expect_pixel((9, 9), [80, 45, 0, 255], "nearest and linear");
}

/// If this fails, a sampler that is changed or deleted between draws has no effect, or takes the texture along.
fn changed_and_deleted_samplers(gl: &Gl) {
    line(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, t::REPEAT as i32);
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.bind_sampler(0, sampler);
    for (mode, wanted) in [(t::CLAMP_TO_EDGE, 10), (t::REPEAT, 220), (t::MIRRORED_REPEAT, 10), (t::CLAMP_TO_EDGE, 10)] {
        gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_S, mode as i32);
        assert_eq!(along(gl)[14], wanted, "mode {mode:#x}");
    }
    gl.delete_sampler(sampler);
    assert_eq!((gl.int(t::SAMPLER_BINDING), gl.is_sampler(sampler)), (0, 0));
    assert_eq!(along(gl)[14], 220, "the texture's own again");
    gl.bind_sampler(0, sampler);
    gl.expect_error(t::INVALID_OPERATION, "a deleted name");
}

/// If this fails, libraries that save and restore samplers restore other ones.
fn parameters_round_trip(gl: &Gl) {
    let sampler = gl.new_sampler();
    gl.sampler_floats(sampler, t::TEXTURE_BORDER_COLOR, &[0.1, 0.2, 0.3, 0.4]);
    gl.sampler_parameterf(sampler, t::TEXTURE_LOD_BIAS, -1.5);
    gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_R, t::CLAMP_TO_BORDER as i32);
    assert_eq!(gl.sampler_parameter_f32(sampler, t::TEXTURE_BORDER_COLOR), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(gl.sampler_parameter_f32(sampler, t::TEXTURE_LOD_BIAS)[0], -1.5);
    assert_eq!(gl.sampler_parameter_f32(sampler, t::TEXTURE_WRAP_R)[0], t::CLAMP_TO_BORDER as f32);
    gl.sampler_parameteri(sampler, t::TEXTURE_BASE_LEVEL, 0);
    gl.expect_error(t::INVALID_ENUM, "a parameter of textures alone");
    gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
    gl.expect_error(t::INVALID_ENUM, "mipmaps for magnification");
    gl.bind_sampler(gl.int(t::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32, sampler);
    gl.expect_error(t::INVALID_VALUE, "a unit that does not exist");
}

/// If this fails, volumes repeat or end in the wrong direction.
fn volume_wraps_in_depth(gl: &Gl) {
    gl.texture(t::TEXTURE_3D);
    gl.image_3d(t::TEXTURE_3D, 0, t::RGBA8, (1, 1, 2), RGBA8, Texels::Of(&[[40u8, 0, 0, 255], [90, 0, 0, 255]]));
    for (mode, wanted) in [(t::REPEAT, 40), (t::CLAMP_TO_EDGE, 90), (t::MIRRORED_REPEAT, 90)] {
        gl.tex_parameteri(t::TEXTURE_3D, t::TEXTURE_WRAP_R, mode as i32);
        let program = gl.cover_by("uniform sampler3D image;", "result = texture(image, vec3(0.5, 0.5, 1.2));");
        gl.delete_program(program);
        gl.expect_pixel((9, 9), [wanted, 0, 0, 255], &format!("mode {mode:#x}"));
    }
}
