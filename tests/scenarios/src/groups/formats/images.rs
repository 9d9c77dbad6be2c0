//! Copies of bits between images (GL 4.6 §18.3.2).

use super::picture::{Report, SIZE, Texel, level, made};
use super::table::{Row, block, rows};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["formats":
    images_copy_themselves,
    images_copy_through_others,
];

fn copy(gl: &Gl, from: u32, to: u32, at: (i32, i32), size: (i32, i32)) {
    let ((x, y), (w, h)) = (at, size);
    gl.copy_image_sub_data(from, t::TEXTURE_2D, 0, x, y, 0, to, t::TEXTURE_2D, 0, x, y, 0, w, h, 1);
}

/// An empty texture of the format, as large as `size`.
fn empty(gl: &Gl, row: &Row, size: (i32, i32)) -> u32 {
    gl.empty_2d(row.token, size)
}

/// If this fails, a picture that is copied inside the GPU's memory is another one, or the program ends.
fn images_copy_themselves(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let (from, wanted) = made(gl, &row);
        let to = empty(gl, &row, (SIZE, SIZE));
        copy(gl, from, to, (0, 0), (SIZE, SIZE));
        report.error(gl, t::NO_ERROR, &row, "a copy of all");
        report.texels(&row, &level(gl, &row, t::TEXTURE_2D, 0, wanted.len()), &wanted, "the copy");
        gl.delete_texture(from);
        gl.delete_texture(to);
    }
    report.done();
}

/// Bits of a texel or block, when formats of as many bits can be copied into one another (GL 4.6 tables 8.22, 18.4).
fn class(row: &Row) -> Option<u32> {
    let bits: &[(&[&str], u32)] = &[
        (&["RGBA32F", "RGBA32UI", "RGBA32I"], 128),
        (&["RGB32F", "RGB32UI", "RGB32I"], 96),
        (&["RGBA16F", "RG32F", "RGBA16UI", "RG32UI", "RGBA16I", "RG32I", "RGBA16", "RGBA16_SNORM"], 64),
        (&["RGB16", "RGB16_SNORM", "RGB16F", "RGB16UI", "RGB16I"], 48),
        (
            &[
                "RG16F",
                "R11F_G11F_B10F",
                "R32F",
                "RGB10_A2UI",
                "RGBA8UI",
                "RG16UI",
                "R32UI",
                "RGBA8I",
                "RG16I",
                "R32I",
                "RGB10_A2",
                "RGBA8",
                "RG16",
                "RGBA8_SNORM",
                "RG16_SNORM",
                "SRGB8_ALPHA8",
                "RGB9_E5",
            ],
            32,
        ),
        (&["RGB8", "RGB8_SNORM", "SRGB8", "RGB8UI", "RGB8I"], 24),
        (&["R16F", "RG8UI", "R16UI", "RG8I", "R16I", "RG8", "R16", "RG8_SNORM", "R16_SNORM"], 16),
        (&["R8UI", "R8I", "R8", "R8_SNORM"], 8),
    ];
    bits.iter().find(|(names, _)| names.contains(&row.name)).map(|(_, bits)| *bits)
}

/// Bits of a compressed block.
fn block_bits(row: &Row) -> u32 {
    let small = ["DXT1", "RGTC1", "R11_EAC", "RGB8_ETC2", "SRGB8_ETC2", "PUNCHTHROUGH"];
    if small.iter().any(|part| row.name.contains(part)) { 64 } else { 128 }
}

/// If this fails, blocks or texels that a program moves through another format come back changed.
fn images_copy_through_others(gl: &Gl) {
    let mut report = Report::default();
    let all = rows();
    for row in &all {
        let (from, wanted) = made(gl, row);
        let back = empty(gl, row, (SIZE, SIZE));
        let (bw, bh) = block(row);
        for other in &all {
            if row.token == other.token || (row.is_compressed() && other.is_compressed()) {
                continue;
            }
            // One texel of the other format for each block, or a block for each texel.
            let fits = match (row.is_compressed(), other.is_compressed()) {
                (false, false) => class(row).is_some() && class(row) == class(other),
                (true, _) => class(other) == Some(block_bits(row)) && class(other).is_some_and(|bits| bits >= 64),
                (_, true) => continue,
            };
            let size = ((SIZE + bw - 1) / bw, (SIZE + bh - 1) / bh);
            let through = empty(gl, other, size);
            copy(gl, from, through, (0, 0), (SIZE, SIZE));
            report.error(
                gl,
                if fits { t::NO_ERROR } else { t::INVALID_OPERATION },
                row,
                &format!("into {}", other.name),
            );
            if fits {
                copy(gl, through, back, (0, 0), size);
                report.error(gl, t::NO_ERROR, row, &format!("out of {}", other.name));
                gl.bind_texture(t::TEXTURE_2D, back);
                let got: Vec<Texel> = level(gl, row, t::TEXTURE_2D, 0, wanted.len());
                report.texels(row, &got, &wanted, &format!("through {}", other.name));
            }
            gl.delete_texture(through);
        }
        gl.delete_texture(from);
        gl.delete_texture(back);
    }
    report.done();
}
