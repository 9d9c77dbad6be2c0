//! Framebuffers by name.

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["direct":
    named_clears_leave_the_bound_framebuffer_alone,
    named_blits_need_no_binding,
];

/// A framebuffer with a texture of 64x64, neither ever bound.
fn framebuffer(gl: &Gl) -> u32 {
    let (name, color) = (gl.created_framebuffer(), gl.created_texture(t::TEXTURE_2D));
    gl.texture_storage_2d(color, 1, t::RGBA8, 64, 64);
    gl.named_framebuffer_texture(name, t::COLOR_ATTACHMENT0, color, 0);
    assert_eq!(gl.check_named_framebuffer_status(name, t::FRAMEBUFFER), t::FRAMEBUFFER_COMPLETE);
    name
}

/// If this fails, renderers that clear their passes by name wipe the picture on the screen.
fn named_clears_leave_the_bound_framebuffer_alone(gl: &Gl) {
    gl.clear_to([1.0, 0.0, 0.0, 1.0]);
    let name = framebuffer(gl);
    gl.clear_named(name, t::COLOR, 0, [0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((9, 9), [255, 0, 0, 255], "the bound framebuffer");
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(0, 0, 32, 64);
    gl.clear_named(name, t::COLOR, 0, [0.0, 0.0, 1.0, 1.0]);
    gl.disable(t::SCISSOR_TEST);
    gl.cover_with([1.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((9, 9), [255, 255, 0, 255], "draws go on to the bound framebuffer");
    gl.clear_named(0, t::COLOR, 0, [0.0, 1.0, 1.0, 1.0]);
    gl.expect_pixel((9, 9), [0, 255, 255, 255], "name 0 is the default framebuffer");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, name);
    gl.expect_pixel((9, 9), [0, 0, 255, 255], "inside the scissor");
    gl.expect_pixel((50, 9), [0, 255, 0, 255], "outside of it");
    gl.expect_no_error("named clears");
}

/// If this fails, programs that copy between framebuffers by name copy from or to the bound ones.
fn named_blits_need_no_binding(gl: &Gl) {
    let (from, to) = (framebuffer(gl), framebuffer(gl));
    gl.clear_to([1.0, 0.0, 0.0, 1.0]);
    gl.clear_named(from, t::COLOR, 0, [0.0, 1.0, 0.0, 1.0]);
    gl.clear_named(to, t::COLOR, 0, [0.0, 0.0, 1.0, 1.0]);
    gl.blit_named_framebuffer(from, to, 0, 0, 64, 64, 0, 0, 32, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.expect_pixel((9, 9), [255, 0, 0, 255], "the bound framebuffer");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, to);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "what was copied");
    gl.expect_pixel((50, 9), [0, 0, 255, 255], "the rest");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    gl.blit_named_framebuffer(to, 0, 0, 0, 64, 64, 0, 0, 64, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.expect_pixel((50, 9), [0, 0, 255, 255], "to the default framebuffer");
    gl.named_framebuffer_draw_buffer(to, t::NONE);
    gl.named_framebuffer_read_buffer(from, t::NONE);
    gl.cover_with([1.0; 4]);
    gl.expect_pixel((9, 9), [255; 4], "selections of others do not touch the bound one");
    gl.expect_no_error("named blits");
}
