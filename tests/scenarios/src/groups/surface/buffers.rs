//! Front and back buffers of surfaces (GL 4.6 §17.4.1, §18.2.1).

use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const SCENARIOS: &[Scenario] = list!["surface":
    front_and_back_are_two_buffers,
    both_buffers_at_once,
    lists_of_buffers,
    front_buffers_are_blitted,
    front_buffers_with_samples,
    textures_of_multisampled_surfaces,
    right_buffers_do_not_exist,
];

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

fn clear(gl: &Gl, color: [u8; 4]) {
    gl.clear_to(color.map(|v| f32::from(v) / 255.0));
}

fn expect(gl: &Gl, buffer: u32, color: [u8; 4], what: &str) {
    gl.read_buffer(buffer);
    gl.expect_pixel((9, 9), color, what);
}

/// If this fails, a picture of what is on the screen is one of what is being drawn, and drawing on the screen goes astray.
fn front_and_back_are_two_buffers(gl: &Gl) {
    assert_eq!((gl.int(t::DRAW_BUFFER), gl.int(t::READ_BUFFER)), (t::BACK as i32, t::BACK as i32));
    assert_eq!((gl.int(t::DOUBLEBUFFER), gl.int(t::STEREO)), (1, 0));
    clear(gl, RED);
    gl.swap();
    expect(gl, t::FRONT, RED, "what was shown");
    clear(gl, GREEN);
    expect(gl, t::FRONT, RED, "is not what is drawn");
    expect(gl, t::BACK, GREEN, "that is in the back");
    gl.draw_buffer(t::FRONT);
    let program = gl.plain_program(crate::gl::program::COVER, [0.0, 0.0, 1.0, 1.0]);
    gl.use_program(program);
    gl.cover();
    expect(gl, t::FRONT_LEFT, BLUE, "drawn to the front");
    expect(gl, t::BACK_LEFT, GREEN, "and not to the back");
    gl.flush();
    gl.draw_buffer(t::BACK);
    gl.swap();
    expect(gl, t::FRONT, GREEN, "the back becomes the front");
    gl.expect_no_error("two buffers");
}

/// If this fails, programs that clear the whole window before they begin leave the old picture in one of its buffers.
fn both_buffers_at_once(gl: &Gl) {
    clear(gl, RED);
    gl.swap();
    expect(gl, t::FRONT, RED, "before");
    gl.draw_buffer(t::FRONT_AND_BACK);
    clear(gl, GREEN);
    expect(gl, t::FRONT, GREEN, "cleared in front");
    expect(gl, t::BACK, GREEN, "and behind");
    gl.draw_buffer(t::BACK);
    clear(gl, BLUE);
    expect(gl, t::FRONT, GREEN, "from here on one of them");
    gl.draw_buffer(t::LEFT);
    clear(gl, RED);
    expect(gl, t::LEFT, RED, "which is the front one for reads");
    gl.expect_no_error("both buffers");
}

/// If this fails, a shader with two outputs writes one of them to the wrong buffer of the window.
fn lists_of_buffers(gl: &Gl) {
    clear(gl, RED);
    gl.swap();
    gl.draw_buffers(&[t::FRONT_LEFT, t::BACK_LEFT]);
    let program = gl.program(
        crate::gl::program::COVER,
        "#version 330 core
        layout(location = 0) out vec4 first;
        layout(location = 1) out vec4 second;
        void main() { first = vec4(0.0, 1.0, 0.0, 1.0); second = vec4(0.0, 0.0, 1.0, 1.0); }",
    );
    gl.use_program(program);
    gl.cover();
    expect(gl, t::FRONT, GREEN, "the first output");
    expect(gl, t::BACK, BLUE, "the second output");
    gl.draw_buffers(&[t::BACK]);
    clear(gl, RED);
    expect(gl, t::FRONT, GREEN, "alone");
    gl.expect_no_error("lists");
}

/// If this fails, programs that put a part of the old picture under the new one get rubbish.
fn front_buffers_are_blitted(gl: &Gl) {
    clear(gl, BLUE);
    gl.swap();
    expect(gl, t::FRONT, BLUE, "what was shown");
    clear(gl, GREEN);
    gl.read_buffer(t::FRONT);
    gl.blit_framebuffer(0, 0, 32, 64, 0, 0, 32, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect(gl, t::BACK, BLUE, "what was shown");
    gl.expect_pixel((50, 9), GREEN, "beside it");
    gl.expect_no_error("blits of the front buffer");
}

/// If this fails, the picture of a window with antialiasing cannot be taken.
fn front_buffers_with_samples(gl: &Gl) {
    let other = gl.stranger(Wishes { multisampled: true, ..Wishes::default() });
    assert!(other.make_current());
    clear(&other, RED);
    other.swap();
    expect(&other, t::FRONT, RED, "what was shown");
    clear(&other, GREEN);
    expect(&other, t::FRONT, RED, "still");
    other.draw_buffer(t::FRONT);
    clear(&other, BLUE);
    expect(&other, t::FRONT, BLUE, "drawn to the front");
    expect(&other, t::BACK, GREEN, "and not to the back");
    other.expect_no_error("samples");
    assert!(gl.make_current());
}

/// If this fails, programs that take what they have drawn as a texture fail as soon as their window is antialiased.
fn textures_of_multisampled_surfaces(gl: &Gl) {
    let other = gl.stranger(Wishes { multisampled: true, ..Wishes::default() });
    assert!(other.make_current());
    clear(&other, RED);
    let texture = other.texture(t::TEXTURE_2D);
    other.copy_tex_image_2d(t::TEXTURE_2D, 0, t::RGBA8, 0, 0, 64, 64, 0);
    other.expect_no_error("all of it");
    clear(&other, GREEN);
    other.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 0, 0, 32, 32, 16, 16);
    other.expect_no_error("a part of it");
    other.framebuffer_of(texture);
    other.expect_pixel((5, 5), GREEN, "the part");
    other.expect_pixel((50, 50), RED, "the rest");
    other.bind_framebuffer(t::FRAMEBUFFER, 0);
    assert!(gl.make_current());
}

/// If this fails, programs that try for stereo believe that they have it.
fn right_buffers_do_not_exist(gl: &Gl) {
    for token in [t::RIGHT, t::FRONT_RIGHT, t::BACK_RIGHT] {
        gl.draw_buffer(token);
        gl.expect_error(t::INVALID_OPERATION, "to draw to");
        gl.read_buffer(token);
        gl.expect_error(t::INVALID_OPERATION, "to read");
    }
    gl.read_buffer(t::FRONT_AND_BACK);
    gl.expect_error(t::INVALID_OPERATION, "two buffers cannot be read");
    gl.draw_buffer(0x0400 + 13);
    gl.expect_error(t::INVALID_ENUM, "no buffer at all");
    assert_eq!(gl.int(t::DRAW_BUFFER), t::BACK as i32, "errors change nothing");
}
