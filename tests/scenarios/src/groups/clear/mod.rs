//! Clearing framebuffers, buffers and textures (GL 4.6 §17.4.3, §8.21, §6.2.1).

use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[list!["clear":
    parts_of_multisampled_textures,
    color_depth_and_stencil_at_once,
    scissor_and_masks_limit_a_clear,
    integer_targets_take_integers,
    every_draw_buffer_is_cleared,
    texture_cleared_in_part,
    buffer_filled_with_a_texel,
    invalid_clears_change_nothing,
]];

/// If this fails, a frame starts with leftovers of the last one in its colours, depths or stencils.
fn color_depth_and_stencil_at_once(gl: &Gl) {
    gl.clear_color(0.2, 0.4, 0.6, 0.8);
    gl.clear_depth(0.25);
    gl.clear_stencil(0x5A);
    gl.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    gl.expect_area((0, 0, 64, 64), [51, 102, 153, 204], "cleared colour");
    assert!((gl.depth_at(63, 0) - 0.25).abs() < 1e-4);
    assert_eq!(gl.stencil_at(0, 63), 0x5A);
    assert_eq!(gl.ints::<1>(t::STENCIL_CLEAR_VALUE), [0x5A]);
    assert_eq!(gl.floats::<1>(t::DEPTH_CLEAR_VALUE), [0.25]);
}

/// If this fails, a program that clears a part of its window, or single channels, loses the rest.
fn scissor_and_masks_limit_a_clear(gl: &Gl) {
    gl.clear_to([1.0, 0.0, 0.0, 1.0]);
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(8, 16, 24, 8);
    gl.color_mask(0, 1, 0, 1);
    gl.stencil_mask(0x0F);
    gl.depth_mask(0);
    gl.clear_color(0.0, 1.0, 1.0, 0.0);
    gl.clear_depth(0.0);
    gl.clear_stencil(0xFF);
    gl.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    gl.expect_area((8, 16, 24, 8), [255, 255, 0, 0], "green and alpha inside");
    for outside in [(7, 16), (32, 16), (8, 15), (8, 24)] {
        gl.expect_pixel(outside, [255, 0, 0, 255], "outside of the scissor");
    }
    assert_eq!((gl.stencil_at(8, 16), gl.stencil_at(7, 16)), (0x0F, 0));
    assert!((gl.depth_at(8, 16) - 1.0).abs() < 1e-6, "the depth mask is off");
}

/// If this fails, object ids rendered into integer textures start with garbage.
fn integer_targets_take_integers(gl: &Gl) {
    gl.target(t::RGBA32I, (4, 4));
    gl.clear_ints(t::COLOR, 0, [i32::MIN, -1, 7, i32::MAX]);
    let got = gl.read::<[i32; 4]>((0, 0, 4, 4), t::RGBA_INTEGER, t::INT, 16);
    assert!(got.iter().all(|texel| *texel == [i32::MIN, -1, 7, i32::MAX]), "{got:?}");
    gl.target(t::RG16UI, (4, 4));
    gl.clear_uints(t::COLOR, 0, [65535, 3, 0, 0]);
    let got = gl.read::<[u32; 2]>((3, 3, 1, 1), t::RG_INTEGER, t::UNSIGNED_INT, 1);
    assert_eq!(got, [[65535, 3]]);
}

/// If this fails, deferred shading starts with old contents in all targets but the first.
fn every_draw_buffer_is_cleared(gl: &Gl) {
    let textures = [gl.empty_2d(t::RGBA8, (8, 8)), gl.empty_2d(t::RGBA8, (8, 8)), gl.empty_2d(t::RGBA8, (8, 8))];
    let framebuffer = gl.framebuffer_of(textures[0]);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, textures[1], 0);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT2, textures[2], 0);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT1, t::COLOR_ATTACHMENT2]);
    gl.clear_floats(t::COLOR, 1, [0.0, 0.0, 1.0, 1.0]);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::NONE, t::COLOR_ATTACHMENT2]);
    gl.clear_color(1.0, 0.0, 0.0, 1.0);
    gl.clear(t::COLOR_BUFFER_BIT);
    for (i, wanted) in [[255, 0, 0, 255], [0, 0, 255, 255], [255, 0, 0, 255]].into_iter().enumerate() {
        gl.read_buffer(t::COLOR_ATTACHMENT0 + i as u32);
        gl.expect_area((0, 0, 8, 8), wanted, "attachment by attachment");
    }
    gl.delete_framebuffer(framebuffer);
}

/// If this fails, sparse updates of textures by clearing wipe out their neighbours.
fn texture_cleared_in_part(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (4, 4), RGBA8, &[[10u8, 20, 30, 40]; 16]);
    gl.clear_texture_part(texture, 0, [1, 2, 0, 2, 1, 1], RGBA8, &[200u8, 100, 50, 25]);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    for (i, texel) in got.iter().enumerate() {
        let inside = i / 4 == 2 && (1..3).contains(&(i % 4));
        assert_eq!(*texel, if inside { [200, 100, 50, 25] } else { [10, 20, 30, 40] }, "texel {i}");
    }
    gl.clear_texture(texture, 0, RGBA8, &[1u8, 2, 3, 4]);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    assert_eq!(got, [[1, 2, 3, 4]; 16]);
}

/// If this fails, buffers that a program resets by clearing keep counters of the last frame.
fn buffer_filled_with_a_texel(gl: &Gl) {
    gl.buffer(t::ARRAY_BUFFER, &[7u32; 16]);
    gl.clear_buffer_sub_data(t::ARRAY_BUFFER, t::R32UI, (8, 16), (t::RED_INTEGER, t::UNSIGNED_INT), &99u32);
    let mut wanted = [7u32; 16];
    wanted[2..6].fill(99);
    assert_eq!(gl.contents::<u32>(t::ARRAY_BUFFER, 0, 16), wanted);
    gl.clear_buffer_data(t::ARRAY_BUFFER, t::RGBA8, t::RGBA, t::UNSIGNED_BYTE, &[1u8, 2, 3, 4]);
    assert_eq!(gl.contents::<[u8; 4]>(t::ARRAY_BUFFER, 0, 16), [[1, 2, 3, 4]; 16]);
}

/// If this fails, a wrong call is not reported, or destroys the picture anyway.
fn invalid_clears_change_nothing(gl: &Gl) {
    gl.clear_to([0.0, 1.0, 0.0, 1.0]);
    gl.clear(1 << 20);
    gl.expect_error(t::INVALID_VALUE, "an unknown bit");
    gl.clear_floats(t::STENCIL, 0, [0.0; 4]);
    gl.expect_error(t::INVALID_ENUM, "floats for a stencil buffer");
    gl.clear_floats(t::COLOR, 99, [0.0; 4]);
    gl.expect_error(t::INVALID_VALUE, "a draw buffer that does not exist");
    gl.clear_bufferfi(t::DEPTH_STENCIL, 1, 0.0, 0);
    gl.expect_error(t::INVALID_VALUE, "a second depth buffer");
    gl.expect_pixel((5, 5), [0, 255, 0, 255], "after refused clears");
}

/// If this fails, programs that reset a tile of a multisampled shadow map or picture keep the old one.
fn parts_of_multisampled_textures(gl: &Gl) {
    let name = gl.texture(t::TEXTURE_2D_MULTISAMPLE);
    gl.tex_storage_2d_multisample(t::TEXTURE_2D_MULTISAMPLE, 4, t::RGBA8, 64, 64, 1);
    gl.clear_texture(name, 0, (t::RGBA, t::UNSIGNED_BYTE), &[255u8, 0, 0, 255]);
    gl.clear_texture_part(name, 0, [16, 8, 0, 16, 32, 1], (t::RGBA, t::UNSIGNED_BYTE), &[0u8, 255, 0, 255]);
    gl.framebuffer_of(name);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, 0);
    gl.blit_framebuffer(0, 0, 64, 64, 0, 0, 64, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    gl.expect_pixel((15, 20), [255, 0, 0, 255], "left of the part");
    gl.expect_area((16, 8, 16, 32), [0, 255, 0, 255], "every sample of the part");
    gl.expect_pixel((20, 41), [255, 0, 0, 255], "above it");
    gl.expect_no_error("clears of parts");
}
