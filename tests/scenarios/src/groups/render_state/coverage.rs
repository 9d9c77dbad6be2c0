//! Multisample coverage (GL 4.6 §14.3.1, §17.3.1).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["render_state":
    sample_masks_select_samples,
    sample_coverage_selects_a_share,
    alpha_becomes_coverage,
    edges_are_smoothed,
    alpha_becomes_one,
    one_sample_without_multisampling,
    shading_by_samples_sees_their_places,
];

const FULL: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];

/// Draws into a picture with 4 samples and answers the resolved pixel in the middle.
fn resolved(gl: &Gl, draw: impl FnOnce()) -> [u8; 4] {
    let below = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, below);
    let buffer = gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 4, (8, 8));
    gl.expect_complete("four samples");
    gl.viewport(0, 0, 8, 8);
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    gl.clear(t::COLOR_BUFFER_BIT);
    draw();
    let texture = gl.empty_2d(t::RGBA8, (8, 8));
    let above = gl.framebuffer_of(texture);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, below);
    gl.blit_framebuffer(0, 0, 8, 8, 0, 0, 8, 8, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, above);
    let pixel = gl.pixel(4, 4);
    gl.delete_framebuffer(below);
    gl.delete_framebuffer(above);
    gl.delete_renderbuffer(buffer);
    gl.delete_texture(texture);
    pixel
}

/// If this fails, programs that write single samples write all or none.
fn sample_masks_select_samples(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::SAMPLE_MASK);
    for (mask, wanted) in [(0xFu32, 255u8), (0, 0), (0x5, 128), (0x8, 64), (0x7, 191)] {
        gl.sample_maski(0, mask);
        let got = resolved(gl, || gl.rectangle(FULL, 0.0));
        assert!(got[0].abs_diff(wanted) <= 2, "mask {mask:#x}: {got:?}, not {wanted}");
    }
    gl.disable(t::SAMPLE_MASK);
    assert_eq!(resolved(gl, || gl.rectangle(FULL, 0.0))[0], 255, "switched off");
    gl.sample_maski(1, 0);
    gl.expect_error(t::INVALID_VALUE, "a second mask word");
}

/// If this fails, fading by coverage does not fade.
fn sample_coverage_selects_a_share(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::SAMPLE_COVERAGE);
    for (share, invert, wanted) in [(1.0, 0, 255u8), (0.0, 0, 0), (0.5, 0, 128), (0.0, 1, 255), (0.5, 1, 128)] {
        gl.sample_coverage(share, invert);
        let got = resolved(gl, || gl.rectangle(FULL, 0.0));
        assert!(got[0].abs_diff(wanted) <= 2, "{share}, inverted {invert}: {got:?}, not {wanted}");
    }
    assert_eq!(gl.floats::<1>(t::SAMPLE_COVERAGE_VALUE), [0.5]);
    assert_eq!(gl.bools::<1>(t::SAMPLE_COVERAGE_INVERT), [1]);
}

/// If this fails, leaves and fences drawn with coverage from alpha are solid or invisible.
fn alpha_becomes_coverage(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::SAMPLE_ALPHA_TO_COVERAGE);
    let mut last = 0;
    for alpha in [0.0f32, 0.3, 0.5, 0.8, 1.0] {
        gl.set_color(program, [1.0, 1.0, 1.0, alpha]);
        let [got, ..] = resolved(gl, || gl.rectangle(FULL, 0.0));
        assert!(got >= last, "more alpha covers no less");
        assert!(alpha > 0.0 || got == 0, "alpha 0 covers nothing");
        assert!(alpha < 1.0 || got == 255, "alpha 1 covers all");
        last = got;
    }
}

/// If this fails, edges of multisampled pictures are as jagged as others.
fn edges_are_smoothed(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    // The right edge runs through the middle of pixel 4 of 8, not through the middle of its samples.
    let edge = (4.5 / 8.0) * 2.0 - 1.0;
    let [on, ..] = resolved(gl, || gl.rectangle([-1.0, -1.0, edge, 1.0], 0.0));
    assert!((64..=191).contains(&on), "half covered: {on}");
    gl.disable(t::MULTISAMPLE);
    assert_eq!(gl.is_enabled(t::MULTISAMPLE), 0);
}

/// If this fails, pictures drawn with coverage from alpha keep a wrong alpha.
fn alpha_becomes_one(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0; 4]);
    gl.set_color(program, [0.2, 0.2, 0.2, 0.4]);
    gl.enable(t::SAMPLE_ALPHA_TO_ONE);
    let got = resolved(gl, || gl.rectangle(FULL, 0.0));
    assert_eq!((got[0], got[3]), (51, 255), "alpha alone becomes one");
}

/// If this fails, shaders that average over samples are wrong where the program has switched multisampling off.
fn one_sample_without_multisampling(gl: &Gl) {
    need(gl.has("GL_ARB_gpu_shader5"), "GL_ARB_gpu_shader5");
    need(gl.has("GL_ARB_sample_shading"), "GL_ARB_sample_shading");
    let fragment = "#version 330 core
        #extension GL_ARB_gpu_shader5 : require
        #extension GL_ARB_sample_shading : require
        out vec4 result;
        void main() {
            bool middle = gl_SamplePosition == vec2(0.5);
            result = vec4(float(gl_SampleID) / 4.0, float(gl_SampleMaskIn[0]) / 16.0, middle, 1.0);
        }";
    gl.program(PLACE, fragment);
    let [id, mask, ..] = resolved(gl, || gl.rectangle(FULL, 0.0));
    assert!(id.abs_diff(96) <= 2, "samples 0 to 3: {id}");
    assert!(mask.abs_diff(60) <= 2, "one bit of the mask each: {mask}");
    gl.disable(t::MULTISAMPLE);
    let got = resolved(gl, || gl.rectangle(FULL, 0.0));
    assert_eq!(got, [0, 16, 255, 255], "sample 0 alone, in the middle");
}

/// If this fails, edges inside of textures and materials flicker although the program asked for every sample to be shaded.
fn shading_by_samples_sees_their_places(gl: &Gl) {
    need(gl.has("GL_ARB_sample_shading"), "GL_ARB_sample_shading");
    let vertex = "#version 330 core
        out vec2 at;
        centroid out vec2 inside;
        out Block { vec2 member; } block;
        void main() {
            vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
            at = inside = block.member = corner * 16.0;
            gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
        }";
    for input in ["at", "inside", "block.member"] {
        // Pixels, and sixteenths of a pixel, in which places of samples are counted.
        let fragment = format!(
            "#version 330 core
            in vec2 at;
            centroid in vec2 inside;
            in Block {{ vec2 member; }} block;
            out vec4 result;
            void main() {{ vec2 v = {input}; result = vec4(floor(v.x), floor(fract(v.x) * 16.0 + 0.5), floor(v.y), floor(fract(v.y) * 16.0 + 0.5)) / 255.0; }}"
        );
        for (rate, least) in [(1.0, 1024), (0.6, 768), (0.5, 512)] {
            let distinct = samples_drawn(gl, rate, (vertex, &fragment));
            assert!(distinct >= least, "{input} at a rate of {rate}: {distinct} distinct values");
        }
    }
}

/// Draws into 16 by 16 pixels of 4 samples, at least that share of them by themselves; how many distinct ones there are.
fn samples_drawn(gl: &Gl, rate: f32, (vertex, fragment): (&str, &str)) -> usize {
    let texture = gl.texture(t::TEXTURE_2D_MULTISAMPLE);
    gl.tex_image_2d_multisample(t::TEXTURE_2D_MULTISAMPLE, 4, t::RGBA8, 16, 16, 1);
    let below = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, below);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, 0);
    gl.expect_complete("four samples");
    gl.viewport(0, 0, 16, 16);
    gl.enable(t::SAMPLE_SHADING);
    gl.min_sample_shading(rate);
    gl.program(vertex, fragment);
    gl.cover();
    gl.disable(t::SAMPLE_SHADING);
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.viewport(0, 0, 64, 64);
    let read = "ivec2 p = ivec2(gl_FragCoord.xy); result = texelFetch(image, ivec2(p.x / 4, p.y), p.x % 4);";
    gl.cover_by("uniform sampler2DMS image;", read);
    gl.delete_framebuffer(below);
    gl.delete_texture(texture);
    gl.pixels(0, 0, 64, 16).into_iter().collect::<std::collections::HashSet<_>>().len()
}
