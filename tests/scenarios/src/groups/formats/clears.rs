//! Clears of textures and of framebuffers (GL 4.6 §8.21, §17.4.3).

use super::picture::{Report, SIZE, Texel, attach, bytes, level, made, pixels, stored, texel};
use super::table::{Kind, Row, rows};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["formats":
    textures_are_cleared,
    framebuffers_are_cleared,
];

/// The texel in the row's layout, with room for the largest.
fn value(row: &Row, texel: Texel) -> [u8; 16] {
    let from = bytes(row, &[texel]);
    std::array::from_fn(|i| from.get(i).copied().unwrap_or(0))
}

/// If this fails, a texture of some format is not empty when the program has emptied it.
fn textures_are_cleared(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let (name, mut all) = made(gl, &row);
        gl.clear_texture_part(name, 0, [2, 1, 0, 5, 3, 1], row.layout(), &value(&row, texel(&row, 1, 1)));
        let wanted = if row.is_compressed() { t::INVALID_OPERATION } else { t::NO_ERROR };
        report.error(gl, wanted, &row, "a clear of a part");
        if !row.is_compressed() {
            for i in 0..15 {
                all[(1 + i / 5) * SIZE as usize + 2 + i % 5] = stored(&row, &texel(&row, 1, 1));
            }
        }
        report.texels(&row, &level(gl, &row, t::TEXTURE_2D, 0, all.len()), &all, "a part that is cleared");
        gl.clear_texture(name, 0, row.layout(), &value(&row, texel(&row, 2, 0)));
        report.error(gl, wanted, &row, "a clear");
        if !row.is_compressed() {
            all.fill(stored(&row, &texel(&row, 2, 0)));
        }
        report.texels(&row, &level(gl, &row, t::TEXTURE_2D, 0, all.len()), &all, "what is cleared");
        gl.delete_texture(name);
    }
    report.done();
}

/// If this fails, frames in some format start with something else than the background.
fn framebuffers_are_cleared(gl: &Gl) {
    let mut report = Report::default();
    for row in rows().into_iter().filter(|row| !row.is_compressed()) {
        let (texture, _) = made(gl, &row);
        let (name, complete) = attach(gl, &row, texture);
        if complete {
            for (scissored, at) in [(false, (1, 0)), (true, (3, 1))] {
                let value = texel(&row, at.0, at.1);
                if scissored {
                    gl.enable(t::SCISSOR_TEST);
                    gl.scissor(4, 4, 4, 4);
                }
                clear(gl, &row, value);
                gl.disable(t::SCISSOR_TEST);
                report.error(gl, t::NO_ERROR, &row, "a clear");
                let got = pixels(gl, &row, (5, 5), (2, 2));
                report.texels(&row, &got, &[stored(&row, &value); 4], "cleared pixels");
            }
            let outside = pixels(gl, &row, (0, 9), (2, 2));
            report.texels(&row, &outside, &[stored(&row, &texel(&row, 1, 0)); 4], "pixels outside of the scissor");
        }
        gl.delete_framebuffer(name);
        gl.delete_texture(texture);
    }
    report.done();
}

fn clear(gl: &Gl, row: &Row, value: Texel) {
    match row.kind {
        Kind::Norm | Kind::Signed | Kind::Float => gl.clear_floats(t::COLOR, 0, value),
        Kind::Int => gl.clear_ints(t::COLOR, 0, value.map(|v| v as i32)),
        Kind::Uint => gl.clear_uints(t::COLOR, 0, value.map(|v| v as u32)),
        Kind::Depth => gl.clear_floats(t::DEPTH, 0, value),
        Kind::DepthStencil => gl.clear_bufferfi(t::DEPTH_STENCIL, 0, value[0], value[1] as i32),
        Kind::Stencil => gl.clear_ints(t::STENCIL, 0, value.map(|v| v as i32)),
    }
}
