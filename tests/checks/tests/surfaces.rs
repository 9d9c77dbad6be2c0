//! Surfaces of every colour format and of windows that change their size, drawn by real drivers on every lane.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lane;

use lane::Lane;
use mgl_gl::readback::calls as readback;
use mgl_gl::{Context, ContextDesc, PixelsOut, Surface, SurfaceDesc, SurfaceHost, TexImage, tokens as t};
use mgl_gl::{
    clear::calls as clear, draw::calls as draw, framebuffer::calls as framebuffer, program::calls as program,
    render_state::calls as state, shader::calls as shader, texture::calls as texture, uniform::calls as uniform,
    vertex_array::calls as vertex,
};
use mgl_pipe::format::Format;
use mgl_pipe::tokens::PixelLayout;
use std::sync::{Arc, Mutex};

const COVER: &str = "#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
";
const FILL: &str = "#version 330 core
uniform vec4 wanted;
out vec4 colour;
void main() { colour = wanted; }
";

/// A window that is what the test says.
#[derive(Debug)]
struct Window(Mutex<(u32, u32)>);

impl SurfaceHost for Window {
    fn size(&self, _exact: bool) -> Option<(u32, u32)> {
        Some(*self.0.lock().unwrap())
    }
    fn flushed(&self, ctx: &mut Context) {
        ctx.present_front(&[]).unwrap();
    }
}

fn desc(color: Format, samples: u32) -> SurfaceDesc {
    SurfaceDesc {
        width: 32,
        height: 16,
        color,
        depth_stencil: Some(Format::Depth24Stencil8),
        samples,
        double_buffer: true,
    }
}

fn context(lane: &Lane, surface: &Arc<Surface>) -> Context {
    let mut ctx = Context::new(&lane.instance, ContextDesc::default()).unwrap();
    ctx.make_current(Some(surface.clone()), Some(surface.clone()));
    let mut array = [0];
    vertex::gen_vertex_arrays(&mut ctx, &mut array).unwrap();
    vertex::bind_vertex_array(&mut ctx, array[0]).unwrap();
    let name = program::create_program(&mut ctx).unwrap();
    for (kind, text) in [(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, FILL)] {
        let stage = shader::create_shader(&mut ctx, kind).unwrap();
        shader::shader_source(&mut ctx, stage, text.as_bytes().to_vec()).unwrap();
        shader::compile_shader(&mut ctx, stage).unwrap();
        program::attach_shader(&mut ctx, name, stage).unwrap();
    }
    program::link_program(&mut ctx, name).unwrap();
    program::use_program(&mut ctx, name).unwrap();
    ctx
}

/// Draws all of the viewport.
fn cover(ctx: &mut Context, colour: [f32; 4]) {
    let current = mgl_gl::get::calls::get(ctx, t::CURRENT_PROGRAM).unwrap().to_int(0, 32) as u32;
    let place = uniform::get_uniform_location(ctx, current, "wanted").unwrap();
    uniform::uniform(ctx, place, 4, &colour).unwrap();
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
}

fn pixel(ctx: &mut Context, x: i32, y: i32) -> [u8; 4] {
    let mut out = [0; 4];
    readback::read_pixels(ctx, x, y, 1, 1, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut out)).unwrap();
    out
}

fn near(got: [u8; 4], wanted: [u8; 4], within: u8, what: &str) {
    let close = got.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= within);
    assert!(close, "{what}: {got:?}, not {wanted:?}");
}

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
        let seen = |ctx: &mut Context, x, y| {
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
