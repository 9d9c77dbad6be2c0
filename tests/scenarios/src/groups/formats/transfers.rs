//! Uploads, conversions, read-backs and mipmaps (GL 4.6 §8.5, §8.6, §8.11, §8.14.4).

use super::picture::{Report, SIZE, Texel, bytes, level, made, numbers, part, pixel, stored, texel};
use super::table::{Blocks, Kind, Row, block, rows};
use crate::gl::texture::{Layout, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["formats":
    pictures_come_back,
    parts_are_converted,
    parts_are_read,
    mipmaps_keep_the_colour,
    volumes_of_compressed_formats,
];

/// If this fails, pictures of some format are changed by being stored.
fn pictures_come_back(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let (name, wanted) = made(gl, &row);
        report.error(gl, t::NO_ERROR, &row, "an image with texels");
        let got = level(gl, &row, t::TEXTURE_2D, 0, wanted.len());
        report.error(gl, t::NO_ERROR, &row, "its read");
        report.texels(&row, &got, &wanted, "the picture");
        gl.delete_texture(name);
    }
    report.done();
}

/// Other numbers than the row's own, and the same values in them.
fn other(row: &Row, texels: &[Texel]) -> Option<(Layout, Vec<u8>)> {
    let values = || texels.iter().flatten();
    Some(match row.kind {
        Kind::Norm => {
            let from = values().map(|v| (v * 65535.0).round() as u16).flat_map(u16::to_le_bytes);
            ((t::RGBA, t::UNSIGNED_SHORT), from.collect())
        }
        Kind::Signed => {
            let from = values().map(|v| (v * 32767.0).round() as i16).flat_map(i16::to_le_bytes);
            ((t::RGBA, t::SHORT), from.collect())
        }
        // 0, 0.5, 1.5, 6 as halves.
        Kind::Float => {
            let half = |v: &f32| match v {
                v if *v == 0.5 => 0x3800u16,
                v if *v == 1.5 => 0x3E00,
                v if *v == 6.0 => 0x4600,
                _ => 0,
            };
            ((t::RGBA, t::HALF_FLOAT), values().map(half).flat_map(u16::to_le_bytes).collect())
        }
        Kind::Int => ((t::RGBA_INTEGER, t::BYTE), values().map(|v| *v as i8 as u8).collect()),
        Kind::Uint => ((t::RGBA_INTEGER, t::UNSIGNED_BYTE), values().map(|v| *v as u8).collect()),
        Kind::Depth => {
            let from = texels.iter().map(|v| (v[0] * 65535.0).round() as u16).flat_map(u16::to_le_bytes);
            ((t::DEPTH_COMPONENT, t::UNSIGNED_SHORT), from.collect())
        }
        Kind::DepthStencil => {
            let word = |v: &Texel| ((f64::from(v[0]) * 16_777_215.0).round() as u32) << 8 | v[1] as u32;
            ((t::DEPTH_STENCIL, t::UNSIGNED_INT_24_8), texels.iter().map(word).flat_map(u32::to_le_bytes).collect())
        }
        Kind::Stencil => {
            let from = texels.iter().map(|v| v[0] as u32).flat_map(u32::to_le_bytes);
            ((t::STENCIL_INDEX, t::UNSIGNED_INT), from.collect())
        }
    })
}

/// If this fails, changes of a part of a picture have other colours than the rest, or are in another place.
fn parts_are_converted(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let (name, mut wanted) = made(gl, &row);
        let fresh = part(&row, (4, 8), (4, 4));
        let Some((layout, from)) = other(&row, &fresh) else { continue };
        gl.sub_image_2d(t::TEXTURE_2D, 0, [4, 4, 4, 4], layout, Texels::Of(&from));
        // Blocks that only others can make take no pixels (GL 4.6 §8.6).
        let refused = matches!(row.blocks, Blocks::Only | Blocks::Bptc);
        report.error(gl, if refused { t::INVALID_OPERATION } else { t::NO_ERROR }, &row, "pixels for a part");
        if !refused {
            for (i, texel) in fresh.iter().enumerate() {
                wanted[(4 + i / 4) * SIZE as usize + 4 + i % 4] = stored(&row, texel);
            }
        }
        let got = level(gl, &row, t::TEXTURE_2D, 0, wanted.len());
        report.texels(&row, &got, &wanted, "a changed part");
        gl.delete_texture(name);
    }
    report.done();
}

/// If this fails, a program that reads a corner of a texture gets another one, or nothing.
fn parts_are_read(gl: &Gl) {
    let mut report = Report::default();
    gl.pixel_storei(t::PACK_ALIGNMENT, 1);
    for row in rows() {
        let (name, wanted) = made(gl, &row);
        let got = gl.named_part::<u8>(name, [5, 3, 0, 4, 2, 1], row.layout(), 8 * pixel(&row));
        report.error(gl, t::NO_ERROR, &row, "a read of a part");
        let inside: Vec<Texel> = (0..8).map(|i| wanted[(3 + i / 4) * SIZE as usize + 5 + i % 4]).collect();
        report.texels(&row, &numbers(&row, &got), &inside, "a part that is read");
        gl.delete_texture(name);
    }
    report.done();
}

/// If this fails, distant surfaces have another colour than near ones.
fn mipmaps_keep_the_colour(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let one = texel(&row, 5, 1);
        let name = gl.texture(t::TEXTURE_2D);
        if row.blocks == Blocks::Only {
            gl.delete_texture(name);
            continue;
        }
        gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
        let from = bytes(&row, &vec![one; (SIZE * SIZE) as usize]);
        gl.image_2d(t::TEXTURE_2D, 0, row.token, (SIZE, SIZE), row.layout(), Texels::Of(&from));
        gl.generate_mipmap(t::TEXTURE_2D);
        // Integers and stencils have no averages.
        let refused = !row.is_real() && row.kind != Kind::Depth;
        report.error(gl, if refused { t::INVALID_OPERATION } else { t::NO_ERROR }, &row, "mipmaps");
        for (number, size) in [(1, 6), (2, 3), (3, 1)] {
            if !refused {
                let got = level(gl, &row, t::TEXTURE_2D, number, size * size);
                report.texels(&row, &got, &vec![stored(&row, &one); size * size], "a level");
            }
        }
        gl.delete_texture(name);
    }
    report.done();
}

/// If this fails, a program gets a volume whose blocks the device reads as something else.
fn volumes_of_compressed_formats(gl: &Gl) {
    let mut report = Report::default();
    for row in rows().into_iter().filter(Row::is_compressed) {
        let name = gl.texture(t::TEXTURE_3D);
        let (w, h) = block(&row);
        gl.image_3d::<u8>(t::TEXTURE_3D, 0, row.token, (w, h, 1), row.layout(), Texels::None);
        // RGTC, ETC2 and EAC (GL 4.6 §8.5), S3TC; ASTC takes no pixels at all.
        let volume = row.blocks == Blocks::Bptc;
        report.error(gl, if volume { t::NO_ERROR } else { t::INVALID_OPERATION }, &row, "a volume with pixels");
        gl.tex_storage_3d(t::TEXTURE_3D, 1, row.token, w, h, 2);
        let volume = volume || row.is_astc();
        report.error(gl, if volume { t::NO_ERROR } else { t::INVALID_OPERATION }, &row, "storage of a volume");
        gl.delete_texture(name);
    }
    report.done();
}
