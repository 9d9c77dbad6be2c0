//! What surfaces are drawn to with, and windows that are what a test says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::lane::Lane;
use mgl_gl::readback::calls as readback;
use mgl_gl::{Context, ContextDesc, PixelsOut, Surface, SurfaceDesc, SurfaceHost, tokens as t};
use mgl_gl::{
    draw::calls as draw, program::calls as program, shader::calls as shader, uniform::calls as uniform,
    vertex_array::calls as vertex,
};
use mgl_pipe::format::Format;
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
pub struct Window(pub Mutex<(u32, u32)>);

impl SurfaceHost for Window {
    fn size(&self, _exact: bool) -> Option<(u32, u32)> {
        Some(*self.0.lock().unwrap())
    }
    fn flushed(&self, ctx: &mut Context) {
        ctx.present_front(&[]).unwrap();
    }
}

/// 32 by 16 pixels.
pub fn desc(color: Format, samples: u32) -> SurfaceDesc {
    SurfaceDesc {
        width: 32,
        height: 16,
        color,
        depth_stencil: Some(Format::Depth24Stencil8),
        samples,
        double_buffer: true,
    }
}

/// A context on a surface, with a program that fills in one colour.
pub fn context(lane: &Lane, surface: &Arc<Surface>) -> Context {
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
pub fn cover(ctx: &mut Context, colour: [f32; 4]) {
    let current = mgl_gl::get::calls::get(ctx, t::CURRENT_PROGRAM).unwrap().to_int(0, 32) as u32;
    let place = uniform::get_uniform_location(ctx, current, "wanted").unwrap();
    uniform::uniform(ctx, place, 4, &colour).unwrap();
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
}

/// A pixel of the read buffer.
pub fn pixel(ctx: &mut Context, x: i32, y: i32) -> [u8; 4] {
    let mut out = [0; 4];
    readback::read_pixels(ctx, x, y, 1, 1, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut out)).unwrap();
    out
}

/// Fails when a component differs by more.
pub fn near(got: [u8; 4], wanted: [u8; 4], within: u8, what: &str) {
    let close = got.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= within);
    assert!(close, "{what}: {got:?}, not {wanted:?}");
}
