//! Surfaces of every colour format and of windows that change their size, drawn by real drivers on every lane.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lane;

use lane::Lane;
use lane::scene::{Window, context, cover, desc, near, pixel};
use mgl_gl::{Surface, TexImage, tokens as t};
use mgl_gl::{
    clear::calls as clear, framebuffer::calls as framebuffer, render_state::calls as state, texture::calls as texture,
};
use mgl_pipe::format::Format;
use mgl_pipe::tokens::PixelLayout;
use std::sync::{Arc, Mutex};

/// If this fails, a window of a depth other than 24 bits has wrong colours, or none.
fn every_colour_format_is_drawn_to(lane: &Lane) {
    let formats = [
        (Format::Rgba8, 1, true),
        (Format::Rgb8, 1, false),
        (Format::Rgb565, 9, false),
        (Format::Rgb10A2, 1, true),
        (Format::Rgba16F, 1, true),
        (Format::Srgb8Alpha8, 1, true),
    ];
    let asked = [0.25, 0.5, 0.75, 1.0];
    for (format, within, alpha) in formats {
        for samples in [1, 4] {
            let what = format!("{format:?}, {samples} samples");
            let surface = Surface::new(&lane.instance, desc(format, samples));
            let mut ctx = context(lane, &surface);
            clear::clear_color(&mut ctx, 1.0, 0.0, 0.0, 0.0).unwrap();
            clear::clear(&mut ctx, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT).unwrap();
            near(pixel(&mut ctx, 3, 3), [255, 0, 0, if alpha { 0 } else { 255 }], within, &what);
            state::viewport(&mut ctx, 0, 0, 16, 16).unwrap();
            cover(&mut ctx, asked);
            near(pixel(&mut ctx, 3, 3), [64, 128, 191, 255], within, &what);
            near(pixel(&mut ctx, 20, 3), [255, 0, 0, if alpha { 0 } else { 255 }], within, &what);
            ctx.swap_buffers().unwrap();
            framebuffer::read_buffer(&mut ctx, t::FRONT).unwrap();
            near(pixel(&mut ctx, 3, 3), [64, 128, 191, 255], within, &what);
        }
    }
}

/// If this fails, pictures of programs that ask for sRGB windows are too dark or too bright.
fn surfaces_encode_when_asked(lane: &Lane) {
    for samples in [1, 4] {
        let surface = Surface::new(&lane.instance, desc(Format::Srgb8Alpha8, samples));
        let mut ctx = context(lane, &surface);
        let encoding = framebuffer::get_framebuffer_attachment_parameter(
            &mut ctx,
            t::FRAMEBUFFER,
            t::BACK_LEFT,
            t::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
        );
        assert_eq!(encoding.unwrap().to_int(0, 32) as u32, t::SRGB);
        let able = mgl_gl::get::calls::get(&mut ctx, t::FRAMEBUFFER_SRGB_CAPABLE_EXT).unwrap();
        assert_eq!(able.to_int(0, 32), 1);
        state::enable(&mut ctx, t::FRAMEBUFFER_SRGB).unwrap();
        clear::clear_color(&mut ctx, 0.5, 0.0, 1.0, 0.5).unwrap();
        clear::clear(&mut ctx, t::COLOR_BUFFER_BIT).unwrap();
        near(pixel(&mut ctx, 3, 3), [188, 0, 255, 128], 1, "a clear is encoded (GL 4.6 §17.3.7)");
        cover(&mut ctx, [0.25, 0.5, 0.0, 1.0]);
        near(pixel(&mut ctx, 3, 3), [137, 188, 0, 255], 1, "a draw is encoded");
        state::disable(&mut ctx, t::FRAMEBUFFER_SRGB).unwrap();
        cover(&mut ctx, [0.25, 0.5, 0.0, 1.0]);
        near(pixel(&mut ctx, 3, 3), [64, 128, 0, 255], 1, "and this one is not");
    }
}

/// If this fails, a window that is resized shows a stretched, torn or black picture.
fn windows_change_their_size(lane: &Lane) {
    for samples in [1, 4] {
        let window = Arc::new(Window(Mutex::new((32, 16))));
        let surface = Surface::hosted(&lane.instance, desc(Format::Rgba8, samples), window.clone());
        let mut ctx = context(lane, &surface);
        for round in 0..20u32 {
            let size = (1 + (round * 37) % 90, 1 + (round * 53) % 70);
            *window.0.lock().unwrap() = size;
            ctx.present(&[]).unwrap();
            state::viewport(&mut ctx, 0, 0, size.0 as i32, size.1 as i32).unwrap();
            cover(&mut ctx, [round as f32 / 255.0, 0.0, 1.0, 1.0]);
            assert_eq!(surface.size(), size);
            let corner = (size.0 as i32 - 1, size.1 as i32 - 1);
            near(pixel(&mut ctx, corner.0, corner.1), [round as u8, 0, 255, 255], 1, "the last pixel");
        }
    }
}

/// If this fails, the picture of a pbuffer or pixmap is not seen where it is a texture.
fn surfaces_become_textures(lane: &Lane) {
    for samples in [1, 4] {
        let surface = Surface::new(&lane.instance, desc(Format::Rgba8, 1));
        let mut ctx = context(lane, &surface);
        let other = Surface::new(&lane.instance, desc(Format::Rgba8, samples));
        ctx.make_current(Some(other.clone()), Some(other.clone()));
        clear::clear_color(&mut ctx, 0.0, 1.0, 0.0, 0.5).unwrap();
        clear::clear(&mut ctx, t::COLOR_BUFFER_BIT).unwrap();
        ctx.make_current(Some(surface.clone()), Some(surface.clone()));
        let (mut name, mut fbo) = ([0], [0]);
        texture::gen_textures(&mut ctx, &mut name).unwrap();
        texture::bind_texture(&mut ctx, t::TEXTURE_2D, name[0]).unwrap();
        framebuffer::gen_framebuffers(&mut ctx, &mut fbo).unwrap();
        let seen = |ctx: &mut mgl_gl::Context, x, y| {
            framebuffer::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, fbo[0]).unwrap();
            let point = t::COLOR_ATTACHMENT0;
            framebuffer::framebuffer_texture(ctx, t::READ_FRAMEBUFFER, point, name[0], 0).unwrap();
            let seen = pixel(ctx, x, y);
            framebuffer::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, 0).unwrap();
            seen
        };
        let image = TexImage { target: t::TEXTURE_2D, level: 0, alpha: true };
        ctx.bind_tex_image(image, &other).unwrap();
        near(seen(&mut ctx, 31, 15), [0, 255, 0, 128], 1, "with alpha");
        ctx.bind_tex_image(TexImage { alpha: false, ..image }, &other).unwrap();
        near(seen(&mut ctx, 31, 15), [0, 255, 0, 255], 1, "without");
        // Two rows: blue and half-transparent red above.
        let words = [0x8000_00FFu32, 0x8000_00FF, 0x80FF_0000, 0x80FF_0000];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        ctx.upload_tex_image(image, (2, 2), PixelLayout::A8R8G8B8, &bytes).unwrap();
        near(seen(&mut ctx, 0, 0), [0, 0, 255, 128], 0, "the first row");
        near(seen(&mut ctx, 1, 1), [255, 0, 0, 128], 0, "the second");
        let swapped: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        ctx.upload_tex_image(TexImage { alpha: false, ..image }, (2, 2), PixelLayout::X8R8G8B8Swapped, &swapped)
            .unwrap();
        near(seen(&mut ctx, 1, 1), [255, 0, 0, 255], 0, "the other byte order");
        ctx.upload_tex_image(image, (1, 1), PixelLayout::R5G6B5, &[0xE0, 0x07]).unwrap();
        near(seen(&mut ctx, 0, 0), [0, 255, 0, 255], 0, "sixteen bits");
    }
}

mod lanes {
    crate::every_lane! {
        every_colour_format_is_drawn_to,
        surfaces_encode_when_asked,
        windows_change_their_size,
        surfaces_become_textures,
    }
}
