//! Blits between framebuffers, and reads of them (GL 4.6 §18.2, §18.3.1).

use super::picture::{Report, SIZE, Texel, attach, buffers, level, made, part, pixels, put, stored, widest};
use super::table::{Row, rows};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["formats":
    framebuffers_are_read,
    blits_from_and_to_the_widest,
    blits_filter,
    views_are_drawn_to,
];

/// If this fails, what was drawn in some format cannot be saved, or a texture that cannot be drawn to ends the program.
fn framebuffers_are_read(gl: &Gl) {
    let mut report = Report::default();
    for row in rows() {
        let (texture, wanted) = made(gl, &row);
        let (name, complete) = attach(gl, &row, texture);
        if complete {
            let got = pixels(gl, &row, (0, 0), (SIZE, SIZE));
            report.error(gl, t::NO_ERROR, &row, "a read");
            report.texels(&row, &got, &wanted, "what is read");
            if row.is_compressed() || row.token == t::RGB9_E5 {
                report.say(&row, "can be drawn to");
            }
        } else {
            pixels(gl, &row, (0, 0), (SIZE, SIZE));
            report.error(gl, t::INVALID_FRAMEBUFFER_OPERATION, &row, "a read of an incomplete framebuffer");
            gl.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
            report.error(gl, t::INVALID_FRAMEBUFFER_OPERATION, &row, "a clear of an incomplete framebuffer");
        }
        gl.delete_framebuffer(name);
        gl.delete_texture(texture);
    }
    report.done();
}

/// If this fails, pictures change their colours when they are resolved or copied to the screen.
fn blits_from_and_to_the_widest(gl: &Gl) {
    let mut report = Report::default();
    for row in rows().into_iter().filter(|row| !row.is_compressed()) {
        // Depths and stencils are blitted between equal formats only (GL 4.6 §18.3.1).
        let wide = if row.is_color() { widest(&row) } else { row };
        let (near, wanted) = made(gl, &row);
        let far = gl.texture(t::TEXTURE_2D);
        put(gl, &wide, t::TEXTURE_2D, &vec![[0.0; 4]; (SIZE * SIZE) as usize]);
        let (from, complete) = attach(gl, &row, near);
        let (to, _) = attach(gl, &wide, far);
        if complete {
            gl.bind_framebuffer(t::READ_FRAMEBUFFER, from);
            gl.blit_framebuffer(1, 2, 9, 10, 3, 1, 11, 9, buffers(&row), t::NEAREST);
            report.error(gl, t::NO_ERROR, &row, "a blit out of it");
            let got = level(gl, &wide, t::TEXTURE_2D, 0, wanted.len());
            let inside: Vec<Texel> = (0..64).map(|i| got[(1 + i / 8) * SIZE as usize + 3 + i % 8]).collect();
            let out: Vec<Texel> = (0..64).map(|i| wanted[(2 + i / 8) * SIZE as usize + 1 + i % 8]).collect();
            report.texels(&row, &inside, &out, "blitted out of it");
            back(gl, &row, (near, from), (far, to), &mut report);
        }
        gl.delete_framebuffer(from);
        gl.delete_framebuffer(to);
        gl.delete_texture(near);
        gl.delete_texture(far);
    }
    report.done();
}

/// The picture into the row's format, twice as large in each direction.
fn back(gl: &Gl, row: &Row, near: (u32, u32), far: (u32, u32), report: &mut Report) {
    let wide = if row.is_color() { widest(row) } else { *row };
    gl.bind_texture(t::TEXTURE_2D, far.0);
    let picture = part(row, (0, 0), (SIZE, SIZE));
    put(gl, &wide, t::TEXTURE_2D, &picture);
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, far.1);
    gl.bind_framebuffer(t::DRAW_FRAMEBUFFER, near.1);
    gl.blit_framebuffer(2, 1, 8, 7, 0, 0, SIZE, SIZE, buffers(row), t::NEAREST);
    report.error(gl, t::NO_ERROR, row, "a blit into it");
    gl.bind_texture(t::TEXTURE_2D, near.0);
    let got = level(gl, row, t::TEXTURE_2D, 0, picture.len());
    let at = |x: usize, y: usize| stored(row, &picture[(1 + y / 2) * SIZE as usize + 2 + x / 2]);
    let size = SIZE as usize;
    let wanted: Vec<Texel> = (0..size * size).map(|i| at(i % size, i / size)).collect();
    report.texels(row, &got, &wanted, "blitted into it");
}

/// If this fails, scaled pictures of formats that the device does not filter are jagged, or the program ends.
fn blits_filter(gl: &Gl) {
    let mut report = Report::default();
    for row in rows().into_iter().filter(|row| row.is_real() && !row.is_compressed()) {
        let texture = gl.texture(t::TEXTURE_2D);
        // Columns of two values, six wide.
        let (dark, light) = ([0.0; 4], [1.0; 4]);
        let picture: Vec<Texel> = (0..SIZE * SIZE).map(|i| if i % SIZE < 6 { dark } else { light }).collect();
        put(gl, &row, t::TEXTURE_2D, &picture);
        let (from, complete) = attach(gl, &row, texture);
        if complete {
            gl.target(t::RGBA32F, (4 * SIZE, 2));
            let (far, to) = (gl.int(t::TEXTURE_BINDING_2D) as u32, gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32);
            gl.bind_framebuffer(t::READ_FRAMEBUFFER, from);
            gl.blit_framebuffer(0, 0, SIZE, 2, 0, 0, 4 * SIZE, 2, t::COLOR_BUFFER_BIT, t::LINEAR);
            report.error(gl, t::NO_ERROR, &row, "a blit with a filter");
            gl.bind_framebuffer(t::READ_FRAMEBUFFER, to);
            let got: Vec<f32> = pixels(gl, &row, (20, 0), (8, 1)).iter().map(|texel| texel[0]).collect();
            // Between the centres of columns 5 and 6, at 22 and 26.
            let ramp = [0.0, 0.0, 0.125, 0.375, 0.625, 0.875, 1.0, 1.0];
            if got.iter().zip(ramp).any(|(a, b)| (a - b).abs() > 0.02) {
                report.say(&row, &format!("filtered to {got:?}, not {ramp:?}"));
            }
            gl.delete_framebuffer(to);
            gl.delete_texture(far);
        }
        gl.delete_framebuffer(from);
        gl.delete_texture(texture);
    }
    report.done();
}

/// If this fails, a program that draws to a texture through a view of another format ends, or draws nothing.
fn views_are_drawn_to(gl: &Gl) {
    crate::scenario::need(gl.has("GL_ARB_texture_view"), "GL_ARB_texture_view");
    let mut report = Report::default();
    let words = [t::RGB9_E5, t::R11F_G11F_B10F, t::RGBA8_SNORM, t::RG16, t::RG16_SNORM, t::RGBA8, t::RGB10_A2];
    for row in rows().into_iter().filter(|row| words.contains(&row.token)) {
        for target in [t::TEXTURE_2D, t::TEXTURE_3D] {
            let texture = gl.texture(target);
            match target {
                t::TEXTURE_2D => gl.tex_storage_2d(target, 1, row.token, 4, 4),
                _ => gl.tex_storage_3d(target, 1, row.token, 4, 4, 2),
            }
            let view = gl.new_texture();
            gl.texture_view(view, target, texture, t::R32UI, 0, 1, 0, 1);
            report.error(gl, t::NO_ERROR, &row, "a view of words");
            let name = gl.new_framebuffer();
            gl.bind_framebuffer(t::FRAMEBUFFER, name);
            match target {
                t::TEXTURE_2D => gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, view, 0),
                _ => gl.framebuffer_texture_layer(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, view, 0, 1),
            }
            if gl.check_framebuffer_status(t::FRAMEBUFFER) == t::FRAMEBUFFER_COMPLETE {
                gl.clear_uints(t::COLOR, 0, [0x1234_5678, 0, 0, 0]);
                let got = gl.read::<u32>((1, 1, 1, 1), t::RED_INTEGER, t::UNSIGNED_INT, 1);
                report.error(gl, t::NO_ERROR, &row, "a clear of a view");
                if got != [0x1234_5678] {
                    report.say(&row, &format!("a view of it on {target:#x} was cleared to {got:x?}"));
                }
            } else {
                report.say(&row, "a view of words is no attachment");
            }
            gl.delete_framebuffer(name);
            gl.delete_texture(view);
            gl.delete_texture(texture);
        }
    }
    report.done();
}
