//! Completeness, queries and the life of attachments (GL 4.6 §9.4).

use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["framebuffer":
    every_reason_to_be_incomplete,
    attachments_are_told,
    deleted_attachment_is_detached_if_bound,
    deleted_attachment_lives_on_elsewhere,
    multisampled_surface_resolves_itself,
    names_and_bindings,
    sample_positions_and_counts,
];

#[track_caller]
fn expect_status(gl: &Gl, wanted: u32, what: &str) {
    let got = gl.check_framebuffer_status(t::FRAMEBUFFER);
    assert!(got == wanted, "{what}: {got:#x}, not {wanted:#x}");
}

/// If this fails, programs that fall back when a combination is not possible do not fall back.
fn every_reason_to_be_incomplete(gl: &Gl) {
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "nothing attached");
    let texture = gl.texture(t::TEXTURE_2D);
    gl.framebuffer_texture_2d(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::TEXTURE_2D, texture, 0);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "a texture without an image");
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::RGBA8, 8, 8);
    expect_status(gl, t::FRAMEBUFFER_COMPLETE, "with an image");
    gl.framebuffer_texture_2d(t::FRAMEBUFFER, t::DEPTH_ATTACHMENT, t::TEXTURE_2D, texture, 0);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "colour as depth");
    gl.framebuffer_texture_2d(t::FRAMEBUFFER, t::DEPTH_ATTACHMENT, t::TEXTURE_2D, 0, 0);
    let many = gl.attach_renderbuffer(t::COLOR_ATTACHMENT1, t::RGBA8, 4, (8, 8));
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, "mixed numbers of samples");
    gl.delete_renderbuffer(many);
    let packed = gl.empty_2d(t::RGB9_E5, (8, 8));
    gl.framebuffer_texture_2d(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, t::TEXTURE_2D, packed, 0);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "a format that cannot be drawn into");
    let layered = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 8, 8, 2);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, layered, 0);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS, "layered beside not layered");
    let small = gl.empty_2d(t::RGBA8, (4, 4));
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, small, 0);
    expect_status(gl, t::FRAMEBUFFER_COMPLETE, "sizes may differ");
    gl.viewport(0, 0, 8, 8);
    gl.clear_to([1.0; 4]);
    gl.expect_area((0, 0, 4, 4), [255; 4], "the common area");
}

/// If this fails, libraries that ask what is attached do wrong things with it.
fn attachments_are_told(gl: &Gl) {
    let point = t::COLOR_ATTACHMENT0;
    let kind = |point| gl.attachment_parameter(point, t::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) as u32;
    assert_eq!(kind(t::BACK_LEFT), t::FRAMEBUFFER_DEFAULT);
    assert_eq!(gl.attachment_parameter(t::BACK_LEFT, t::FRAMEBUFFER_ATTACHMENT_RED_SIZE), 8);
    assert_eq!(gl.attachment_parameter(t::DEPTH, t::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE), 24);
    assert_eq!(gl.attachment_parameter(t::STENCIL, t::FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE), 8);
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    assert_eq!(kind(point), t::NONE);
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 2, t::SRGB8_ALPHA8, 8, 8, 4);
    gl.framebuffer_texture_layer(t::FRAMEBUFFER, point, array, 1, 3);
    assert_eq!(kind(point), t::TEXTURE);
    let values = [
        (t::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, array),
        (t::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, 1),
        (t::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER, 3),
        (t::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING, t::SRGB),
        (t::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, t::UNSIGNED_NORMALIZED),
        (t::FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE, 8),
        (t::FRAMEBUFFER_ATTACHMENT_LAYERED, 0),
    ];
    for (name, wanted) in values {
        assert_eq!(gl.attachment_parameter(point, name) as u32, wanted, "{name:#x}");
    }
    let buffer = gl.attach_renderbuffer(t::COLOR_ATTACHMENT1, t::RGBA16F, 0, (8, 8));
    assert_eq!(kind(t::COLOR_ATTACHMENT1), t::RENDERBUFFER);
    assert_eq!(gl.attachment_parameter(t::COLOR_ATTACHMENT1, t::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), buffer as i32);
    assert_eq!(
        gl.attachment_parameter(t::COLOR_ATTACHMENT1, t::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE),
        t::FLOAT as i32
    );
}

/// If this fails, a framebuffer keeps drawing into a picture that the program deleted.
fn deleted_attachment_is_detached_if_bound(gl: &Gl) {
    let texture = gl.target(t::RGBA8, (8, 8));
    gl.clear_to([1.0; 4]);
    gl.delete_texture(texture);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "the texture is gone");
    gl.clear(t::COLOR_BUFFER_BIT);
    gl.expect_error(t::INVALID_FRAMEBUFFER_OPERATION, "a clear of nothing");
    let buffer = gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 0, (8, 8));
    gl.expect_complete("a renderbuffer instead");
    gl.clear_to([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((7, 7), [0, 255, 0, 255], "the renderbuffer");
    gl.delete_renderbuffer(buffer);
    expect_status(gl, t::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "the renderbuffer is gone");
    let framebuffer = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
    gl.delete_framebuffer(framebuffer);
    assert_eq!(gl.int(t::DRAW_FRAMEBUFFER_BINDING), 0, "back to the surface");
    gl.expect_complete("the surface");
}

/// If this fails, deleting a texture takes it away from a framebuffer that still holds it.
fn deleted_attachment_lives_on_elsewhere(gl: &Gl) {
    let texture = gl.target(t::RGBA8, (8, 8));
    let framebuffer = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
    gl.clear_to([0.0, 0.0, 1.0, 1.0]);
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.delete_texture(texture);
    assert_eq!(gl.is_texture(texture), 0);
    for i in 0..16u8 {
        let other = gl.empty_2d(t::RGBA8, (8, 8));
        gl.clear_texture(other, 0, crate::gl::texture::RGBA8, &[i; 4]);
    }
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    gl.expect_complete("only the current framebuffer loses it (GL 4.6 §9.2.8)");
    gl.expect_area((0, 0, 8, 8), [0, 0, 255, 255], "its contents");
}

/// If this fails, windows with smooth edges show nothing, or no smooth edges.
fn multisampled_surface_resolves_itself(gl: &Gl) {
    let smooth = gl.stranger(Wishes { multisampled: true, ..Wishes::default() });
    assert!(smooth.make_current());
    assert_eq!((smooth.int(t::SAMPLE_BUFFERS), smooth.int(t::SAMPLES)), (1, 4));
    smooth.clear_to([0.0, 0.0, 0.0, 1.0]);
    smooth.plain_program(crate::gl::program::PLACE, [1.0; 4]);
    smooth.places(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    smooth.draw_arrays(t::TRIANGLES, 0, 3);
    smooth.expect_pixel((5, 5), [255; 4], "inside");
    let edge = (0..64).filter(|i| (20..=235).contains(&smooth.pixel(*i, 63 - *i)[0])).count();
    assert!(edge > 32, "pixels on the edge are between: {edge}");
    smooth.swap();
    smooth.expect_no_error("a frame");
    assert!(gl.make_current());
}

/// If this fails, programs that save and restore what they draw into restore something else.
fn names_and_bindings(gl: &Gl) {
    let (a, b) = (gl.new_framebuffer(), gl.new_framebuffer());
    assert_eq!(gl.is_framebuffer(a), 0, "a name is no object before it is bound");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, a);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, b);
    assert_eq!((gl.int(t::READ_FRAMEBUFFER_BINDING), gl.int(t::DRAW_FRAMEBUFFER_BINDING)), (a as i32, b as i32));
    gl.bind_framebuffer(t::FRAMEBUFFER, a);
    assert_eq!((gl.int(t::READ_FRAMEBUFFER_BINDING), gl.int(t::DRAW_FRAMEBUFFER_BINDING)), (a as i32, a as i32));
    gl.bind_framebuffer(t::FRAMEBUFFER, 12345);
    gl.expect_error(t::INVALID_OPERATION, "a name that was never generated");
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, 0, 0);
    gl.expect_error(t::INVALID_OPERATION, "the surface takes no attachments");
    gl.bind_framebuffer(t::FRAMEBUFFER, a);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0 + 31, 0, 0);
    let code = gl.get_error();
    assert!(matches!(code, t::INVALID_OPERATION | t::INVALID_ENUM), "an attachment beyond the last: {code:#x}");
}

/// If this fails, programs that place their own samples place them elsewhere.
fn sample_positions_and_counts(gl: &Gl) {
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 4, (8, 8));
    assert!(gl.renderbuffer_parameter(t::RENDERBUFFER_SAMPLES) >= 4);
    assert_eq!(gl.int(t::SAMPLES), 4);
    for i in 0..4 {
        let [x, y] = gl.sample_position(i);
        assert!((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y), "sample {i}: {x}, {y}");
    }
    gl.sample_position(4);
    gl.expect_error(t::INVALID_VALUE, "a fifth sample");
    let counts = gl.format_info(t::RENDERBUFFER, t::RGBA8, t::NUM_SAMPLE_COUNTS)[0];
    let list = gl.format_info(t::RENDERBUFFER, t::RGBA8, t::SAMPLES);
    assert!(counts >= 1 && list[..counts as usize].windows(2).all(|pair| pair[0] > pair[1]), "descending: {list:?}");
    assert!(list[..counts as usize].contains(&4));
}
