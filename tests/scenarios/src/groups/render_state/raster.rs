//! Viewports, scissors, faces and how primitives become fragments (GL 4.6 §13.8, §14).

use crate::gl::program::{COVER, PLACE};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["render_state":
    viewport_places_the_picture,
    scissor_cuts_draws,
    faces_are_culled_by_winding,
    polygons_as_lines_and_points,
    point_coordinates_follow_the_origin,
    discarded_before_the_rasterizer,
    several_viewports_by_number,
    srgb_targets_encode_when_asked,
    viewport_limits_and_errors,
    wide_lines_where_there_are_some,
];

const FULL: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];

/// If this fails, split screens and thumbnails are drawn in the wrong place.
fn viewport_places_the_picture(gl: &Gl) {
    gl.viewport(16, 8, 32, 16);
    gl.cover_with([1.0, 0.0, 0.0, 1.0]);
    gl.expect_area((16, 8, 32, 16), [255, 0, 0, 255], "inside");
    for outside in [(15, 8), (48, 8), (16, 7), (16, 24)] {
        gl.expect_pixel(outside, [0; 4], "outside");
    }
    gl.viewport(-32, -32, 64, 64);
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    gl.clear_all();
    gl.rectangle([0.0, 0.0, 1.0, 1.0], 0.0);
    gl.expect_area((0, 0, 32, 32), [0, 255, 0, 255], "a viewport that begins outside");
    gl.expect_pixel((32, 0), [0; 4], "right of it");
    assert_eq!(gl.ints::<4>(t::VIEWPORT), [-32, -32, 64, 64]);
}

/// If this fails, interfaces draw over their borders.
fn scissor_cuts_draws(gl: &Gl) {
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(10, 20, 5, 1);
    gl.cover_with([1.0; 4]);
    gl.disable(t::SCISSOR_TEST);
    let lit = gl.pixels(0, 0, 64, 64).iter().filter(|pixel| pixel[0] == 255).count();
    assert_eq!(lit, 5);
    gl.expect_area((10, 20, 5, 1), [255; 4], "inside");
    gl.clear_all();
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(0, 0, 0, 64);
    gl.cover_with([1.0; 4]);
    gl.expect_area((0, 0, 64, 64), [0; 4], "an empty scissor");
    gl.scissor(-10, -10, 12, 12);
    gl.cover_with([1.0; 4]);
    gl.expect_area((0, 0, 2, 2), [255; 4], "a scissor that begins outside");
    gl.expect_pixel((2, 2), [0; 4], "beyond it");
}

/// If this fails, closed objects are turned inside out.
fn faces_are_culled_by_winding(gl: &Gl) {
    let fragment = "#version 330 core
        out vec4 result;
        void main() { result = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }";
    gl.program(PLACE, fragment);
    // Counterclockwise on the left, clockwise on the right.
    gl.places(&[[-1.0f32, -1.0], [0.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [0.0, -1.0], [1.0, 1.0]]);
    let colors = |cull: Option<u32>, front: u32| {
        match cull {
            Some(face) => {
                gl.enable(t::CULL_FACE);
                gl.cull_face(face);
            }
            None => gl.disable(t::CULL_FACE),
        }
        gl.front_face(front);
        gl.clear_all();
        gl.draw_arrays(t::TRIANGLES, 0, 6);
        [(4, 4), (60, 4)].map(|(x, y)| gl.pixel(x, y))
    };
    let (green, red, none) = ([0, 255, 0, 255], [255, 0, 0, 255], [0; 4]);
    assert_eq!(colors(None, t::CCW), [green, red]);
    assert_eq!(colors(None, t::CW), [red, green]);
    assert_eq!(colors(Some(t::BACK), t::CCW), [green, none]);
    assert_eq!(colors(Some(t::FRONT), t::CCW), [none, red]);
    assert_eq!(colors(Some(t::BACK), t::CW), [none, green]);
    assert_eq!(colors(Some(t::FRONT_AND_BACK), t::CCW), [none, none]);
    gl.plain_program(PLACE, [1.0; 4]);
    gl.draw_arrays(t::POINTS, 0, 6);
    assert!(gl.pixels(0, 0, 64, 64).iter().any(|pixel| pixel[0] == 255), "points have no faces to cull");
}

/// If this fails, wireframe views are filled.
fn polygons_as_lines_and_points(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let draw = |mode| {
        gl.clear_all();
        gl.polygon_mode(t::FRONT_AND_BACK, mode);
        gl.rectangle([-0.5, -0.5, 0.5, 0.5], 0.0);
        gl.pixels(0, 0, 64, 64).iter().filter(|pixel| pixel[0] == 255).count()
    };
    assert_eq!(draw(t::FILL), 32 * 32);
    let lines = draw(t::LINE);
    assert!((140..=180).contains(&lines), "four sides and a diagonal, not {lines} pixels");
    let points = draw(t::POINT);
    assert!((1..=8).contains(&points), "corners, not {points} pixels");
    gl.polygon_mode(t::FRONT, t::LINE);
    gl.expect_error(t::INVALID_ENUM, "the core profile has one mode for both faces");
}

/// If this fails, sprites are upside down.
fn point_coordinates_follow_the_origin(gl: &Gl) {
    let fragment = "#version 330 core
        out vec4 result;
        void main() { result = vec4(gl_PointCoord, 0.0, 1.0); }";
    gl.program(PLACE, fragment);
    gl.point_size(32.0);
    gl.places(&[[0.0f32, 0.0]]);
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.expect_pixel_within((17, 46), [12, 12, 0, 255], 4, "the upper left corner");
    gl.expect_pixel_within((46, 17), [243, 243, 0, 255], 4, "the lower right corner");
    gl.point_parameteri(t::POINT_SPRITE_COORD_ORIGIN, t::LOWER_LEFT as i32);
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.expect_pixel_within((17, 46), [12, 243, 0, 255], 4, "counted from below");
}

/// If this fails, passes that only capture or count draw over the picture.
fn discarded_before_the_rasterizer(gl: &Gl) {
    gl.enable(t::RASTERIZER_DISCARD);
    gl.cover_with([1.0; 4]);
    gl.clear_color(1.0, 1.0, 1.0, 1.0);
    gl.clear(t::COLOR_BUFFER_BIT);
    gl.disable(t::RASTERIZER_DISCARD);
    gl.expect_area((0, 0, 64, 64), [0; 4], "neither draws nor clears (GL 4.6 §14.1)");
}

/// If this fails, calls that set viewports by number set another one.
fn several_viewports_by_number(gl: &Gl) {
    let most = gl.int(t::MAX_VIEWPORTS) as u32;
    gl.viewports(0, &[[8.0, 8.0, 16.0, 16.0]]);
    gl.cover_with([1.0, 0.0, 0.0, 1.0]);
    gl.expect_area((8, 8, 16, 16), [255, 0, 0, 255], "the first viewport is the one without a number");
    gl.expect_pixel((24, 8), [0; 4], "outside");
    gl.scissors(0, &[[9, 9, 2, 2]]);
    gl.enablei(t::SCISSOR_TEST, 0);
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    gl.expect_area((9, 9, 2, 2), [0, 255, 0, 255], "the first scissor");
    gl.expect_pixel((11, 9), [255, 0, 0, 255], "outside");
    gl.viewport_indexedf(most, 0.0, 0.0, 1.0, 1.0);
    gl.expect_error(t::INVALID_VALUE, "a viewport that does not exist");
    gl.scissor_indexed(most, 0, 0, 1, 1);
    gl.expect_error(t::INVALID_VALUE, "a scissor that does not exist");
}

/// If this fails, pictures that are meant for displays come out too dark or too bright.
fn srgb_targets_encode_when_asked(gl: &Gl) {
    gl.target(t::SRGB8_ALPHA8, (4, 4));
    gl.cover_with([0.5, 0.2, 0.0, 0.5]);
    gl.expect_pixel((2, 2), [128, 51, 0, 128], "stored as it is");
    gl.enable(t::FRAMEBUFFER_SRGB);
    gl.cover_with([0.5, 0.2, 0.0, 0.5]);
    gl.expect_pixel((2, 2), [188, 124, 0, 128], "encoded, but not alpha");
    gl.clear_to([0.5, 0.2, 0.0, 0.5]);
    gl.expect_pixel((2, 2), [188, 124, 0, 128], "clears are encoded too");
    gl.enable(t::BLEND);
    gl.blend_func(t::ONE, t::ONE);
    gl.cover_with([0.25, 0.0, 0.0, 0.0]);
    gl.expect_pixel_within((2, 2), [225, 124, 0, 128], 2, "blended in linear light");
}

/// If this fails, sizes beyond the device's go unnoticed, or a mistake goes unreported.
fn viewport_limits_and_errors(gl: &Gl) {
    let [width, height] = gl.ints::<2>(t::MAX_VIEWPORT_DIMS);
    gl.viewport(0, 0, i32::MAX, i32::MAX);
    assert_eq!(gl.ints::<4>(t::VIEWPORT), [0, 0, width, height], "clamped (GL 4.6 §13.8.1)");
    gl.viewport(0, 0, -1, 5);
    gl.expect_error(t::INVALID_VALUE, "a negative width");
    gl.scissor(0, 0, 5, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative height");
    gl.viewport(0, 0, 0, 0);
    gl.cover_with([1.0; 4]);
    gl.expect_area((0, 0, 64, 64), [0; 4], "an empty viewport");
    gl.cull_face(t::CW);
    gl.expect_error(t::INVALID_ENUM, "not a face");
    gl.line_width(0.0);
    gl.expect_error(t::INVALID_VALUE, "no width");
    gl.point_size(-1.0);
    gl.expect_error(t::INVALID_VALUE, "a negative size");
    gl.enable(t::TEXTURE_2D);
    gl.expect_error(t::INVALID_ENUM, "no capability of the core profile");
}

/// If this fails, thick lines are thin although the driver says it has thick ones.
fn wide_lines_where_there_are_some(gl: &Gl) {
    let [_, widest] = gl.floats::<2>(t::ALIASED_LINE_WIDTH_RANGE);
    let width = widest.min(4.0).floor();
    gl.line_width(width);
    assert_eq!(gl.floats::<1>(t::LINE_WIDTH), [width]);
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&[[-1.0f32, 0.03], [1.0, 0.03]]);
    gl.draw_arrays(t::LINES, 0, 2);
    let lit = gl.pixels(30, 0, 1, 64).iter().filter(|pixel| pixel[0] == 255).count();
    assert_eq!(lit, width as usize);
    gl.use_program(0);
    gl.plain_program(COVER, [0.0; 4]);
    gl.rectangle(FULL, 0.0);
}
