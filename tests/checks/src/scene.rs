//! A scene that changes every group of state between verbs, as programs do. Must not look at records.

use mgl_gl::abi::Params;
use mgl_gl::error::GlResult;
use mgl_gl::out::Out;
use mgl_gl::verify::Checks;
use mgl_gl::{Context, ContextDesc, GlError, Instance, Pixels, Surface, SurfaceDesc, tokens as t};
use mgl_gl::{
    buffer::calls as buffer, clear::calls as clear, draw::calls as draw, framebuffer::calls as framebuffer,
    program::calls as program, readback::calls as readback, render_state::calls as state, sampler::calls as sampler,
    shader::calls as shader, texture::calls as texture, uniform::calls as uniform, vertex_array::calls as vertex,
    xfb::calls as xfb,
};
use mgl_pipe::format::Format;

const VERTEX: &str = "#version 330 core
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 2) in vec4 constant;
uniform vec4 offset;
uniform Block { vec4 scale; };
out vec4 colour;
out vec2 where;
void main() { colour = tint + constant; where = place.xy; gl_Position = place * scale + offset; }
";

const FRAGMENT: &str = "#version 330 core
in vec4 colour;
in vec2 where;
uniform sampler2D first;
uniform sampler2D second;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 other;
void main() { result = colour * texture(first, where) + gl_DepthRange.far; other = texture(second, where); }
";

const CAPTURE: &str = "#version 330 core
layout(location = 0) in vec4 place;
out vec4 captured;
void main() { captured = place * 2.0; gl_Position = place; }
";

const PLAIN: &str = "#version 330 core
layout(location = 0) out vec4 result;
void main() { result = vec4(1.0); }
";

/// A context whose records are kept, with a surface of 64 × 64.
///
/// # Errors
/// When the null backend refuses a flow.
pub fn context(checks: Checks) -> Result<Context, mgl_base::Fault> {
    let instance = Instance::detached(crate::stream::session()?.caps());
    let mut ctx = Context::with_out(instance.clone(), Out::recorder(crate::stream::FLOW), ContextDesc::default());
    ctx.check(checks);
    let depth_stencil = Some(Format::Depth24Stencil8);
    let desc =
        SurfaceDesc { width: 64, height: 64, color: Format::Rgba8, depth_stencil, samples: 1, double_buffer: true };
    let surface = Surface::new(&instance, desc);
    ctx.make_current(Some(surface.clone()), Some(surface));
    Ok(ctx)
}

fn link(ctx: &mut Context, stages: &[(u32, &str)], captured: &[&str]) -> GlResult<u32> {
    let name = program::create_program(ctx)?;
    for (kind, text) in stages {
        let stage = shader::create_shader(ctx, *kind)?;
        shader::shader_source(ctx, stage, text.as_bytes().to_vec())?;
        shader::compile_shader(ctx, stage)?;
        program::attach_shader(ctx, name, stage)?;
    }
    if !captured.is_empty() {
        program::transform_feedback_varyings(ctx, name, captured, t::INTERLEAVED_ATTRIBS)?;
    }
    program::link_program(ctx, name)?;
    Ok(name)
}

fn buffer(ctx: &mut Context, target: u32, bytes: &[u8]) -> GlResult<u32> {
    let mut name = [0];
    buffer::gen_buffers(ctx, &mut name)?;
    buffer::bind_buffer(ctx, target, name[0])?;
    buffer::buffer_data(ctx, target, bytes.len() as isize, Some(bytes), t::STATIC_DRAW)?;
    Ok(name[0])
}

fn texture(ctx: &mut Context, unit: u32, size: i32) -> GlResult<u32> {
    let mut name = [0];
    texture::gen_textures(ctx, &mut name)?;
    texture::active_texture(ctx, t::TEXTURE0 + unit)?;
    texture::bind_texture(ctx, t::TEXTURE_2D, name[0])?;
    let texels = vec![0x55; (size * size * 4) as usize];
    let (internal, pixels) = (t::RGBA8 as i32, Pixels::Bytes(&texels));
    texture::tex_image_2d(ctx, t::TEXTURE_2D, 0, internal, size, size, 0, t::RGBA, t::UNSIGNED_BYTE, pixels)?;
    texture::tex_parameter(ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, Params::I32(&[t::LINEAR as i32]))?;
    Ok(name[0])
}

fn target(ctx: &mut Context) -> GlResult<u32> {
    let mut name = [0];
    framebuffer::gen_framebuffers(ctx, &mut name)?;
    let attached = [texture(ctx, 7, 32)?, texture(ctx, 7, 32)?];
    framebuffer::bind_framebuffer(ctx, t::FRAMEBUFFER, name[0])?;
    for (i, tex) in attached.into_iter().enumerate() {
        let point = t::COLOR_ATTACHMENT0 + i as u32;
        framebuffer::framebuffer_texture_2d(ctx, t::FRAMEBUFFER, point, t::TEXTURE_2D, tex, 0)?;
    }
    framebuffer::draw_buffers(ctx, &[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT0 + 1])?;
    Ok(name[0])
}

struct Objects {
    main: u32,
    capture: u32,
    vertices: u32,
    blocks: u32,
    arrays: [u32; 2],
    sampler: u32,
}

fn objects(ctx: &mut Context) -> GlResult<Objects> {
    let main = link(ctx, &[(t::VERTEX_SHADER, VERTEX), (t::FRAGMENT_SHADER, FRAGMENT)], &[])?;
    let capture = link(ctx, &[(t::VERTEX_SHADER, CAPTURE), (t::FRAGMENT_SHADER, PLAIN)], &["captured"])?;
    let mut arrays = [0; 2];
    vertex::gen_vertex_arrays(ctx, &mut arrays)?;
    let vertices = buffer(ctx, t::ARRAY_BUFFER, &[0x3F; 1024])?;
    for (i, array) in arrays.into_iter().enumerate() {
        vertex::bind_vertex_array(ctx, array)?;
        for (index, offset) in [(0, 0), (1, 16)] {
            vertex::enable_vertex_attrib_array(ctx, index)?;
            vertex::vertex_attrib_pointer(ctx, index, 4 - i as i32, t::FLOAT, false, 32, offset + 32 * i)?;
        }
        let indices: Vec<u8> = (0..6u16).flat_map(u16::to_le_bytes).collect();
        buffer(ctx, t::ELEMENT_ARRAY_BUFFER, &indices)?;
    }
    let blocks = buffer(ctx, t::UNIFORM_BUFFER, &[0; 1024])?;
    let mut samplers = [0];
    sampler::gen_samplers(ctx, &mut samplers)?;
    Ok(Objects { main, capture, vertices, blocks, arrays, sampler: samplers[0] })
}

fn uniforms(ctx: &mut Context, of: &Objects, shift: f32) -> GlResult {
    let place = uniform::get_uniform_location(ctx, of.main, "offset")?;
    uniform::uniform(ctx, place, 4, &[shift, 0.0, 0.0, 1.0])
}

fn first_draws(ctx: &mut Context, of: &Objects) -> GlResult {
    program::use_program(ctx, of.main)?;
    let second = uniform::get_uniform_location(ctx, of.main, "second")?;
    uniform::uniform(ctx, second, 1, &[1])?;
    texture(ctx, 0, 16)?;
    texture(ctx, 1, 8)?;
    uniforms(ctx, of, 0.25)?;
    buffer::bind_buffer_range(ctx, t::UNIFORM_BUFFER, 0, of.blocks, 0, 256)?;
    vertex::bind_vertex_array(ctx, of.arrays[0])?;
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)?;
    draw::draw_elements(ctx, t::TRIANGLES, 6, t::UNSIGNED_SHORT, 0)?;
    // A draw with nothing changed.
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)
}

/// Each line changes one group and draws.
fn one_group_each(ctx: &mut Context, of: &Objects) -> GlResult {
    let draw_again = |ctx: &mut Context| {
        ctx.entered("glDrawElements");
        draw::draw_elements(ctx, t::TRIANGLES, 6, t::UNSIGNED_SHORT, 0)
    };
    state::enable(ctx, t::BLEND).and_then(|()| draw_again(ctx))?;
    state::blend_func(ctx, t::SRC_ALPHA, t::ONE).and_then(|()| draw_again(ctx))?;
    state::disable(ctx, t::BLEND).and_then(|()| draw_again(ctx))?;
    state::viewport(ctx, 1, 2, 30, 40).and_then(|()| draw_again(ctx))?;
    state::scissor(ctx, 1, 2, 3, 4).and_then(|()| draw_again(ctx))?;
    state::depth_range(ctx, 0.25, 0.75).and_then(|()| draw_again(ctx))?;
    state::stencil_func(ctx, t::EQUAL, 3, 0xF).and_then(|()| draw_again(ctx))?;
    vertex::bind_vertex_array(ctx, of.arrays[1]).and_then(|()| draw_again(ctx))?;
    vertex::vertex_attrib_f(ctx, 2, [0.5, 0.5, 0.5, 1.0]).and_then(|()| draw_again(ctx))?;
    vertex::disable_vertex_attrib_array(ctx, 1).and_then(|()| draw_again(ctx))?;
    vertex::vertex_attrib_divisor(ctx, 0, 1).and_then(|()| draw_again(ctx))?;
    uniforms(ctx, of, 0.5).and_then(|()| draw_again(ctx))?;
    // Two parts of the default block at once: a uniform, and a built-in one behind it.
    state::depth_range(ctx, 0.125, 0.875)?;
    uniforms(ctx, of, 0.75).and_then(|()| draw_again(ctx))?;
    buffer::bind_buffer_range(ctx, t::UNIFORM_BUFFER, 0, of.blocks, 256, 256).and_then(|()| draw_again(ctx))?;
    sampler::bind_sampler(ctx, 0, of.sampler).and_then(|()| draw_again(ctx))?;
    let filter = Params::I32(&[t::NEAREST as i32]);
    sampler::sampler_parameter(ctx, of.sampler, t::TEXTURE_MIN_FILTER, filter).and_then(|()| draw_again(ctx))?;
    texture(ctx, 1, 4)?;
    draw_again(ctx)?;
    let swizzle = Params::I32(&[t::GREEN as i32]);
    texture::tex_parameter(ctx, t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R, swizzle).and_then(|()| draw_again(ctx))
}

fn other_verbs(ctx: &mut Context, of: &Objects) -> GlResult {
    state::viewport(ctx, 0, 0, 32, 32)?;
    clear::clear_color(ctx, 0.1, 0.2, 0.3, 1.0)?;
    clear::clear(ctx, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT)?;
    let own = target(ctx)?;
    clear::clear_color(ctx, 0.5, 0.2, 0.3, 1.0)?;
    clear::clear(ctx, t::COLOR_BUFFER_BIT)?;
    let other = texture(ctx, 7, 32)?;
    framebuffer::framebuffer_texture_2d(ctx, t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::TEXTURE_2D, other, 0)?;
    clear::clear(ctx, t::COLOR_BUFFER_BIT)?;
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)?;
    framebuffer::bind_framebuffer(ctx, t::DRAW_FRAMEBUFFER, 0)?;
    readback::blit_framebuffer(ctx, 0, 0, 32, 32, 0, 0, 32, 32, t::COLOR_BUFFER_BIT, t::NEAREST)?;
    framebuffer::bind_framebuffer(ctx, t::DRAW_FRAMEBUFFER, own)?;
    framebuffer::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, 0)?;
    readback::blit_framebuffer(ctx, 0, 0, 16, 16, 0, 0, 32, 32, t::COLOR_BUFFER_BIT, t::LINEAR)?;
    framebuffer::bind_framebuffer(ctx, t::FRAMEBUFFER, 0)?;
    capture(ctx, of)
}

fn capture(ctx: &mut Context, of: &Objects) -> GlResult {
    program::use_program(ctx, of.capture)?;
    let to = buffer(ctx, t::TRANSFORM_FEEDBACK_BUFFER, &[0; 256])?;
    buffer::bind_buffer_base(ctx, t::TRANSFORM_FEEDBACK_BUFFER, 0, to)?;
    xfb::begin_transform_feedback(ctx, t::TRIANGLES)?;
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)?;
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)?;
    xfb::end_transform_feedback(ctx)?;
    program::use_program(ctx, of.main)?;
    buffer::bind_buffer(ctx, t::ARRAY_BUFFER, of.vertices)?;
    draw::draw_arrays(ctx, t::TRIANGLES, 0, 3)
}

/// The whole scene, twice, so that the second round finds everything known.
///
/// # Errors
/// The GL error of a call, which is a defect of the scene.
pub fn play(ctx: &mut Context) -> Result<(), GlError> {
    let of = objects(ctx)?;
    for _ in 0..2 {
        first_draws(ctx, &of)?;
        one_group_each(ctx, &of)?;
        other_verbs(ctx, &of)?;
    }
    Ok(())
}
