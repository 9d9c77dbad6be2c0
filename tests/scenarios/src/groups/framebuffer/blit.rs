//! Copies between framebuffers (GL 4.6 §18.3.1).

use crate::gl::program::PLACE;
use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["framebuffer":
    blit_copies_the_rectangle,
    blit_scales_and_mirrors,
    blit_is_cut_by_scissor_and_borders,
    blit_of_depth_and_stencil,
    blit_resolves_samples,
    blit_between_formats,
    blit_into_several_targets,
    wrong_blits_are_refused,
    samples_are_fetched_one_by_one,
];

/// A 4x4 picture whose texels are (column * 60, row * 60, 0, 255), as read framebuffer.
fn checkered(gl: &Gl) -> u32 {
    let texels: Vec<[u8; 4]> = (0..16u8).map(|i| [(i % 4) * 60, (i / 4) * 60, 0, 255]).collect();
    let texture = gl.texture_2d(t::RGBA8, (4, 4), RGBA8, &texels);
    let framebuffer = gl.framebuffer_of(texture);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, 0);
    framebuffer
}

#[track_caller]
fn expect_on_surface(gl: &Gl, expected: &[((i32, i32), [u8; 4])], what: &str) {
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    for (at, wanted) in expected {
        gl.expect_pixel(*at, *wanted, what);
    }
}

/// If this fails, pictures that are put together from parts are wrong.
fn blit_copies_the_rectangle(gl: &Gl) {
    checkered(gl);
    gl.blit_framebuffer(1, 2, 3, 4, 10, 20, 12, 22, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(
        gl,
        &[
            ((10, 20), [60, 120, 0, 255]),
            ((11, 20), [120, 120, 0, 255]),
            ((10, 21), [60, 180, 0, 255]),
            ((12, 20), [0; 4]),
            ((10, 22), [0; 4]),
            ((9, 20), [0; 4]),
        ],
        "two by two",
    );
}

/// If this fails, scaled or mirrored copies show the wrong part or direction.
fn blit_scales_and_mirrors(gl: &Gl) {
    let source = checkered(gl);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 64, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(
        gl,
        &[((0, 0), [0, 0, 0, 255]), ((17, 33), [60, 120, 0, 255]), ((63, 63), [180, 180, 0, 255])],
        "scaled",
    );
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.blit_framebuffer(0, 0, 4, 4, 64, 0, 0, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(gl, &[((0, 0), [180, 0, 0, 255]), ((63, 63), [0, 180, 0, 255])], "mirrored in x");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.blit_framebuffer(0, 4, 4, 0, 0, 0, 64, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(gl, &[((0, 0), [0, 180, 0, 255]), ((63, 63), [180, 0, 0, 255])], "mirrored in y");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 64, 64, t::COLOR_BUFFER_BIT, t::LINEAR);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    let at = gl.pixel(32, 8);
    assert!((80..=100).contains(&at[0]) && at[1] < 30, "between two texels: {at:?}");
}

/// If this fails, copies spill over the borders.
fn blit_is_cut_by_scissor_and_borders(gl: &Gl) {
    let source = checkered(gl);
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(5, 5, 1, 2);
    gl.blit_framebuffer(0, 0, 4, 4, 4, 4, 8, 8, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.disable(t::SCISSOR_TEST);
    expect_on_surface(
        gl,
        &[((5, 5), [60, 60, 0, 255]), ((5, 6), [60, 120, 0, 255]), ((4, 5), [0; 4]), ((6, 5), [0; 4])],
        "the scissor",
    );
    gl.clear_all();
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.color_mask(0, 0, 0, 0);
    gl.blit_framebuffer(-2, -2, 4, 4, -2, -2, 4, 4, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(
        gl,
        &[((1, 1), [60, 60, 0, 255]), ((3, 3), [180, 180, 0, 255]), ((4, 4), [0; 4])],
        "outside of both; masks do not apply",
    );
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.blit_framebuffer(0, 0, 4, 4, 62, 62, 66, 66, t::COLOR_BUFFER_BIT, t::NEAREST);
    expect_on_surface(
        gl,
        &[((62, 62), [0, 0, 0, 255]), ((63, 63), [60, 60, 0, 255])],
        "past the border of the surface",
    );
}

/// If this fails, saved depths and stencils are not what is restored.
fn blit_of_depth_and_stencil(gl: &Gl) {
    let source = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, source);
    gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 0, (64, 64));
    gl.attach_renderbuffer(t::DEPTH_STENCIL_ATTACHMENT, t::DEPTH24_STENCIL8, 0, (64, 64));
    gl.clear_depth(0.75);
    gl.clear_stencil(0x42);
    gl.clear(t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, 0);
    gl.blit_framebuffer(0, 0, 32, 64, 0, 0, 32, 64, t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT, t::NEAREST);
    gl.blit_framebuffer(32, 0, 48, 64, 32, 0, 48, 64, t::DEPTH_BUFFER_BIT, t::NEAREST);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    let both = |x| (gl.depth_at(x, 30), gl.stencil_at(x, 30));
    assert!((both(5).0 - 0.75).abs() < 1e-5 && both(5).1 == 0x42, "both: {:?}", both(5));
    assert!((both(40).0 - 0.75).abs() < 1e-5 && both(40).1 == 0, "depth alone: {:?}", both(40));
    assert!((both(60).0 - 1.0).abs() < 1e-5 && both(60).1 == 0, "untouched: {:?}", both(60));
}

/// If this fails, multisampled pictures are never seen, or seen without smooth edges.
fn blit_resolves_samples(gl: &Gl) {
    let source = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, source);
    gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 4, (64, 64));
    gl.attach_renderbuffer(t::DEPTH_STENCIL_ATTACHMENT, t::DEPTH24_STENCIL8, 4, (64, 64));
    gl.expect_complete("multisampled");
    gl.clear_to([0.0, 0.0, 0.0, 1.0]);
    gl.enable(t::DEPTH_TEST);
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&[[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]]);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, 0);
    gl.blit_framebuffer(0, 0, 64, 64, 0, 0, 64, 64, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT, t::NEAREST);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    gl.expect_pixel((5, 5), [255; 4], "inside");
    gl.expect_pixel((60, 60), [0, 0, 0, 255], "outside");
    let edge = (0..64).filter(|i| (20..=235).contains(&gl.pixel(*i, 63 - *i)[0])).count();
    assert!(edge > 32, "pixels on the edge are between: {edge}");
    assert!((gl.depth_at(5, 5) - 0.5).abs() < 1e-4);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.read::<u8>((0, 0, 1, 1), t::RGBA, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_OPERATION, "reading samples directly");
}

/// If this fails, copies into a picture of another format change its colours.
fn blit_between_formats(gl: &Gl) {
    let source = checkered(gl);
    for format in [t::RGBA16F, t::RGB565, t::RGBA32F, t::RGB10_A2] {
        gl.target(format, (4, 4));
        gl.clear_to([0.0; 4]);
        gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
        gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::COLOR_BUFFER_BIT, t::NEAREST);
        let draw = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
        gl.bind_framebuffer(t::READ_FRAMEBUFFER, draw);
        gl.expect_pixel_within((3, 1), [180, 60, 0, 255], 5, &format!("{format:#x}"));
    }
}

/// If this fails, a copy into several targets reaches only one.
fn blit_into_several_targets(gl: &Gl) {
    let source = checkered(gl);
    let (first, second) = (gl.empty_2d(t::RGBA8, (4, 4)), gl.empty_2d(t::RGBA8, (4, 4)));
    gl.framebuffer_of(first);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, second, 0);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT1]);
    let draw = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, source);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, draw);
    for point in [t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT1] {
        gl.read_buffer(point);
        gl.expect_pixel((2, 3), [120, 180, 0, 255], "each target");
    }
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_blits_are_refused(gl: &Gl) {
    checkered(gl);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, 1 << 20, t::NEAREST);
    gl.expect_error(t::INVALID_VALUE, "an unknown bit");
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::COLOR_BUFFER_BIT, t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "not a filter");
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::DEPTH_BUFFER_BIT, t::LINEAR);
    gl.expect_error(t::INVALID_OPERATION, "depths cannot be filtered");
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::DEPTH_BUFFER_BIT, t::NEAREST);
    gl.expect_no_error("no depth to read: ignored");
    gl.target(t::RGBA8UI, (4, 4));
    let unsigned = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, 0);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, unsigned);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.expect_error(t::INVALID_OPERATION, "integers into a normalised buffer");
}

/// If this fails, shaders that resolve by themselves see wrong samples.
fn samples_are_fetched_one_by_one(gl: &Gl) {
    let texture = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D_MULTISAMPLE, texture);
    gl.tex_image_2d_multisample(t::TEXTURE_2D_MULTISAMPLE, 4, t::RGBA8, 64, 64, 1);
    gl.framebuffer_of(texture);
    gl.clear_all();
    gl.enable(t::SAMPLE_MASK);
    for sample in 0..4u32 {
        gl.sample_maski(0, 1 << sample);
        gl.cover_with([(sample + 1) as f32 / 10.0, 0.0, 0.0, 1.0]);
    }
    gl.disable(t::SAMPLE_MASK);
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    let body = "int i = int(gl_FragCoord.x) / 16; result = texelFetch(samples, ivec2(gl_FragCoord.xy), i);";
    gl.cover_by("uniform sampler2DMS samples;", body);
    for sample in 0..4 {
        gl.expect_pixel(
            (sample * 16 + 8, 30),
            [26 * (sample as u8 + 1) - u8::from(sample == 2 || sample == 3) * 2, 0, 0, 255].map(|v| v),
            "sample by sample",
        );
    }
    assert_eq!(gl.tex_level(t::TEXTURE_2D_MULTISAMPLE, 0, t::TEXTURE_SAMPLES), 4);
    assert_eq!(gl.tex_level(t::TEXTURE_2D_MULTISAMPLE, 0, t::TEXTURE_FIXED_SAMPLE_LOCATIONS), 1);
}
