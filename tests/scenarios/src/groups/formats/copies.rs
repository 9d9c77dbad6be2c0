//! Copies out of framebuffers into textures (GL 4.6 §8.6).

use super::picture::{Report, SIZE, Texel, attach, bytes, level, made, part, stored, widest};
use super::table::{Blocks, Kind, Row, rows};
use crate::gl::texture::Texels;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["formats":
    framebuffers_into_images,
    framebuffers_into_parts,
    framebuffers_into_lines_and_layers,
    copies_between_classes_are_refused,
];

/// Binds a framebuffer of the widest format of the row's kind for reading, with the row's picture in it.
fn source(gl: &Gl, row: &Row) -> (u32, u32) {
    let wide = widest(row);
    let texture = gl.texture(t::TEXTURE_2D);
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    let from = bytes(row, &part(row, (0, 0), (SIZE, SIZE)));
    gl.image_2d(t::TEXTURE_2D, 0, wide.token, (SIZE, SIZE), row.layout(), Texels::Of(&from));
    let (framebuffer, complete) = attach(gl, &wide, texture);
    assert!(complete, "a framebuffer of {}", wide.name);
    (texture, framebuffer)
}

fn forget(gl: &Gl, (texture, framebuffer): (u32, u32)) {
    gl.delete_framebuffer(framebuffer);
    gl.delete_texture(texture);
}

fn wanted(row: &Row, at: (i32, i32), size: (i32, i32)) -> Vec<Texel> {
    part(row, at, size).iter().map(|texel| stored(row, texel)).collect()
}

/// If this fails, a program that keeps a copy of the screen in some format loses it, or everything.
fn framebuffers_into_images(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let from = source(gl, &row);
        let name = gl.texture(t::TEXTURE_2D);
        // Blocks of the picture stay whole.
        let at = if row.is_compressed() { (4, 0) } else { (3, 1) };
        gl.copy_tex_image_2d(t::TEXTURE_2D, 0, row.token, at.0, at.1, 8, 8, 0);
        if row.blocks == Blocks::Only {
            report.error(gl, t::INVALID_OPERATION, &row, "a copy that would have to make blocks");
        } else {
            report.error(gl, t::NO_ERROR, &row, "a copy");
            let got = level(gl, &row, t::TEXTURE_2D, 0, 64);
            report.texels(&row, &got, &wanted(&row, at, (8, 8)), "the copy");
        }
        gl.delete_texture(name);
        forget(gl, from);
    }
    report.done();
}

/// If this fails, a part of a texture that is copied from the screen is wrong, or the rest of it changes.
fn framebuffers_into_parts(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let from = source(gl, &row);
        let (name, mut all) = made(gl, &row);
        gl.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 4, 4, 0, 8, 8, 4);
        let refused = matches!(row.blocks, Blocks::Only | Blocks::Bptc);
        report.error(gl, if refused { t::INVALID_OPERATION } else { t::NO_ERROR }, &row, "a copy into a part");
        if !refused {
            for (i, texel) in wanted(&row, (0, 8), (8, 4)).into_iter().enumerate() {
                all[(4 + i / 8) * SIZE as usize + 4 + i % 8] = texel;
            }
        }
        let got = level(gl, &row, t::TEXTURE_2D, 0, all.len());
        report.texels(&row, &got, &all, "a part that is a copy");
        if row.blocks == Blocks::Encoded {
            gl.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 2, 0, 0, 0, 4, 4);
            report.error(gl, t::INVALID_OPERATION, &row, "a copy into parts of blocks");
        }
        gl.delete_texture(name);
        forget(gl, from);
    }
    report.done();
}

/// If this fails, copies of the screen into lines, slices or layers are lost or land in another one.
fn framebuffers_into_lines_and_layers(gl: &Gl) {
    let mut report = Report::default();
    for row in rows().into_iter().filter(|row| matches!(row.blocks, Blocks::None | Blocks::Encoded)) {
        let from = source(gl, &row);
        if !row.is_compressed() {
            line(gl, &row, &mut report);
        }
        let volumes = row.is_color() && !row.is_compressed();
        for target in [t::TEXTURE_2D_ARRAY, t::TEXTURE_3D] {
            if target == t::TEXTURE_2D_ARRAY || volumes {
                layers(gl, &row, target, &mut report);
            }
        }
        forget(gl, from);
    }
    report.done();
}

fn line(gl: &Gl, row: &Row, report: &mut Report) {
    let name = gl.texture(t::TEXTURE_1D);
    gl.copy_tex_image_1d(t::TEXTURE_1D, 0, row.token, 2, 3, 8, 0);
    report.error(gl, t::NO_ERROR, row, "a copy into a line");
    gl.copy_tex_sub_image_1d(t::TEXTURE_1D, 0, 1, 5, 6, 3);
    report.error(gl, t::NO_ERROR, row, "a copy into a part of a line");
    let mut all = wanted(row, (2, 3), (8, 1));
    all[1..4].copy_from_slice(&wanted(row, (5, 6), (3, 1)));
    report.texels(row, &level(gl, row, t::TEXTURE_1D, 0, 8), &all, "a line");
    gl.delete_texture(name);
}

fn layers(gl: &Gl, row: &Row, target: u32, report: &mut Report) {
    let name = gl.texture(target);
    gl.tex_storage_3d(target, 1, row.token, 8, 8, 3);
    gl.copy_tex_sub_image_3d(target, 0, 0, 0, 1, 0, 0, 8, 8);
    gl.copy_texture_sub_image_3d(name, 0, 4, 4, 2, 4, 4, 4, 4);
    report.error(gl, t::NO_ERROR, row, "a copy into a layer");
    let got = level(gl, row, target, 0, 192);
    report.texels(row, &got[64..128], &wanted(row, (0, 0), (8, 8)), "a layer");
    let corner: Vec<Texel> = (0..16).map(|i| got[128 + (4 + i / 4) * 8 + 4 + i % 4]).collect();
    report.texels(row, &corner, &wanted(row, (4, 4), (4, 4)), "a part of a layer");
    gl.delete_texture(name);
}

/// If this fails, a program's mistake fills its textures with nonsense instead of being told.
fn copies_between_classes_are_refused(gl: &Gl) {
    let mut report = Report::default();
    let class = |kind| match kind {
        Kind::Norm | Kind::Signed | Kind::Float => 0,
        other => 1 + other as u32,
    };
    let all = rows();
    for kind in [Kind::Norm, Kind::Int, Kind::Uint, Kind::Depth] {
        let Some(example) = all.iter().find(|row| row.kind == kind) else { continue };
        let from = source(gl, example);
        for row in all.iter().filter(|row| class(row.kind) != class(kind)) {
            let name = gl.texture(t::TEXTURE_2D);
            gl.copy_tex_image_2d(t::TEXTURE_2D, 0, row.token, 0, 0, 4, 4, 0);
            report.error(gl, t::INVALID_OPERATION, row, &format!("a copy of {kind:?}"));
            gl.delete_texture(name);
        }
        forget(gl, from);
    }
    // A source without the components that the texture has (GL 4.6 table 8.17).
    gl.target(t::RG8, (4, 4));
    for row in all.iter().filter(|row| row.is_real() && row.channels > 2 && row.blocks != Blocks::Only) {
        let name = gl.texture(t::TEXTURE_2D);
        gl.copy_tex_image_2d(t::TEXTURE_2D, 0, row.token, 0, 0, 4, 4, 0);
        report.error(gl, t::INVALID_OPERATION, row, "a copy of two components");
        gl.delete_texture(name);
    }
    report.done();
}
