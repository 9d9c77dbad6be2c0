//! Every kind of shared object in two windows that take turns on one thread: what one sets must not reach draws of the other
//! that came before, nor be missed by its own (GL 4.6 §5.3).

use super::turns::take_turns;
use crate::gl::program::{COVER, PLACE};
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["share":
    turns_with_uniforms,
    turns_with_uniforms_by_name,
    turns_with_pipelines,
    turns_with_subroutines,
    turns_with_sampler_units,
    turns_with_links,
    turns_with_buffer_contents,
    turns_with_buffer_stores,
    turns_with_mapped_buffers,
    turns_with_copied_buffers,
    turns_with_captures,
    turns_with_storage,
    turns_with_texture_contents,
    turns_with_texture_images,
    turns_with_texture_parameters,
    turns_with_buffer_textures,
    turns_with_sampler_parameters,
    turns_with_attachments,
    turns_with_renderbuffers,
    turns_with_images,
    turns_with_deletions,
];

const SHADES: &[u8] = &[0, 60, 120, 180, 240];
const ENDS: &[u8] = &[0, 255];

fn cover(gl: &Gl) {
    gl.draw_arrays(t::TRIANGLES, 0, 3);
}

fn red(value: u8) -> [f32; 4] {
    [f32::from(value) / 255.0, 0.0, 0.0, 1.0]
}

/// A program of the group that stores `body`'s `result`; in use.
fn program(gl: &Gl, declarations: &str, body: &str) -> u32 {
    gl.program(COVER, &format!("#version 330 core\n{declarations}\nout vec4 result;\nvoid main() {{ {body} }}\n"))
}

/// If this fails, user interfaces that draw several windows with one program flicker.
fn turns_with_uniforms(gl: &Gl) {
    let program = program(gl, "uniform vec4 color;", "result = color;");
    let place = gl.location(program, "color");
    take_turns(
        gl,
        "uniforms",
        SHADES,
        |gl| gl.use_program(program),
        |gl, value| {
            gl.set_vec4s(place, &[red(value)]);
            cover(gl);
        },
    );
}

/// If this fails, engines that set uniforms by program name draw with those of another window.
fn turns_with_uniforms_by_name(gl: &Gl) {
    need(gl.has("GL_ARB_separate_shader_objects"), "GL_ARB_separate_shader_objects");
    let program = program(gl, "uniform float color; uniform bool dark;", "result = vec4(dark ? 0.0 : color);");
    let (color, dark) = (gl.location(program, "color"), gl.location(program, "dark"));
    take_turns(
        gl,
        "uniforms by name",
        SHADES,
        |gl| gl.use_program(program),
        |gl, value| {
            gl.program_uniform1i(program, dark, i32::from(value == 0));
            gl.program_uniform1f(program, color, f32::from(value.max(9)) / 255.0);
            cover(gl);
        },
    );
}

/// If this fails, engines that combine programs in pipeline objects draw with the values of another window.
fn turns_with_pipelines(gl: &Gl) {
    need(gl.has("GL_ARB_separate_shader_objects"), "GL_ARB_separate_shader_objects");
    let separate = |stage: u32, source: &str| {
        gl.program_with(&[(stage, source)], |program| gl.program_parameteri(program, t::PROGRAM_SEPARABLE, 1))
    };
    let vertex = separate(
        t::VERTEX_SHADER,
        "#version 330 core
        out gl_PerVertex { vec4 gl_Position; };
        void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }",
    );
    let fragment = separate(
        t::FRAGMENT_SHADER,
        "#version 330 core\nuniform float color;\nout vec4 result;\nvoid main() { result = vec4(color); }",
    );
    let place = gl.location(fragment, "color");
    let begin = |gl: &Gl| {
        let pipeline = gl.pipeline();
        gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, vertex);
        gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, fragment);
    };
    take_turns(gl, "pipelines", SHADES, begin, |gl, value| {
        gl.program_uniform1f(fragment, place, f32::from(value) / 255.0);
        cover(gl);
    });
}

/// If this fails, one window is drawn with the materials that another one chose.
fn turns_with_subroutines(gl: &Gl) {
    let program = program(
        gl,
        "#extension GL_ARB_shader_subroutine : require
        subroutine float shade();
        subroutine uniform shade one;
        subroutine(shade) float black() { return 0.0; }
        subroutine(shade) float white() { return 1.0; }",
        "result = vec4(one());",
    );
    let [black, white] = ["black", "white"].map(|name| gl.subroutine(program, t::FRAGMENT_SHADER, name));
    take_turns(
        gl,
        "subroutines",
        ENDS,
        |gl| gl.use_program(program),
        |gl, value| {
            gl.set_subroutines(t::FRAGMENT_SHADER, &[if value == 0 { black } else { white }]);
            cover(gl);
        },
    );
}

/// If this fails, one window shows the pictures of another.
fn turns_with_sampler_units(gl: &Gl) {
    let program = program(gl, "uniform sampler2D image;", "result = texelFetch(image, ivec2(0), 0);");
    let textures = [[0u8, 0, 0, 255], [255u8; 4]].map(|texel| gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[texel]));
    let place = gl.location(program, "image");
    let begin = |gl: &Gl| {
        gl.use_program(program);
        for (unit, texture) in (t::TEXTURE0..).zip(textures) {
            gl.active_texture(unit);
            gl.bind_texture(t::TEXTURE_2D, texture);
        }
    };
    take_turns(gl, "sampler units", ENDS, begin, |gl, value| {
        gl.uniform1i(place, i32::from(value != 0));
        cover(gl);
    });
}

/// If this fails, programs that are linked again while another window draws with them change what it has drawn.
fn turns_with_links(gl: &Gl) {
    let vertex = gl.shader(t::VERTEX_SHADER, COVER);
    let shaders = ["0.0", "1.0"].map(|value| {
        let text = format!(
            "#version 330 core\nuniform vec4 unused;\nout vec4 result;\nvoid main() {{ result = vec4({value}); }}"
        );
        gl.shader(t::FRAGMENT_SHADER, &text)
    });
    let program = gl.create_program();
    gl.attach_shader(program, vertex);
    gl.attach_shader(program, shaders[0]);
    let link = |gl: &Gl, from: u32, to: u32| {
        gl.detach_shader(program, from);
        gl.attach_shader(program, to);
        gl.link_program(program);
        gl.use_program(program);
    };
    gl.link_program(program);
    take_turns(
        gl,
        "links",
        ENDS,
        |gl| gl.use_program(program),
        |gl, value| {
            let [black, white] = shaders;
            link(gl, shaders[0], black);
            if value != 0 {
                link(gl, black, white);
            }
            cover(gl);
            if value != 0 {
                link(gl, white, black);
            }
        },
    );
}

/// A program that draws the first value of a uniform block; each window binds the buffer to point 1.
fn block_program(gl: &Gl) -> u32 {
    let program = program(gl, "layout(std140) uniform Block { vec4 color; };", "result = color;");
    gl.uniform_block_binding(program, gl.block(program, "Block"), 1);
    program
}

fn block_turns(gl: &Gl, what: &str, change: impl Fn(&Gl, &[[f32; 4]])) {
    let program = block_program(gl);
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[[0f32; 4]; 4]);
    let begin = |gl: &Gl| {
        gl.use_program(program);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, 1, buffer);
    };
    take_turns(gl, what, SHADES, begin, |gl, value| {
        change(gl, &[red(value); 4]);
        cover(gl);
    });
}

/// If this fails, one window is drawn with the uniform blocks of another.
fn turns_with_buffer_contents(gl: &Gl) {
    block_turns(gl, "buffer contents", |gl, data| gl.buffer_sub_data(t::UNIFORM_BUFFER, 0, data));
}

/// If this fails, stores that one window throws away take what another one draws with.
fn turns_with_buffer_stores(gl: &Gl) {
    block_turns(gl, "buffer stores", |gl, data| gl.buffer_data(t::UNIFORM_BUFFER, data, t::STREAM_DRAW));
}

/// If this fails, what one window writes through a map overtakes what another one draws.
fn turns_with_mapped_buffers(gl: &Gl) {
    block_turns(gl, "mapped buffers", |gl, data| {
        let map = gl.map(t::UNIFORM_BUFFER, 0, 64, t::MAP_WRITE_BIT | t::MAP_INVALIDATE_BUFFER_BIT);
        map.write(0, data);
        gl.unmap_buffer(t::UNIFORM_BUFFER);
    });
}

/// If this fails, copies into a vertex buffer move the shapes that another window has drawn.
fn turns_with_copied_buffers(gl: &Gl) {
    let program = gl.program(
        "#version 330 core
        layout(location = 0) in vec4 color;
        flat out vec4 shade;
        void main() {
            shade = color;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }",
        "#version 330 core\nflat in vec4 shade;\nout vec4 result;\nvoid main() { result = shade; }",
    );
    let all: Vec<[f32; 4]> = SHADES.iter().flat_map(|value| [red(*value); 3]).collect();
    let (from, to) = (gl.buffer(t::COPY_READ_BUFFER, &all), gl.buffer_of(t::COPY_WRITE_BUFFER, 48));
    let begin = |gl: &Gl| {
        gl.use_program(program);
        gl.bind_buffer(t::ARRAY_BUFFER, to);
        gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 0);
        gl.enable_vertex_attrib_array(0);
        gl.bind_buffer(t::COPY_READ_BUFFER, from);
        gl.bind_buffer(t::COPY_WRITE_BUFFER, to);
    };
    take_turns(gl, "copied buffers", SHADES, begin, |gl, value| {
        let at = SHADES.iter().position(|v| *v == value).unwrap_or(0);
        gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 48 * at as isize, 0, 48);
        cover(gl);
    });
}

/// If this fails, particles that one window captures are drawn by another before they are there, or after the next.
fn turns_with_captures(gl: &Gl) {
    let source = "#version 330 core
        uniform float value;
        out vec4 captured;
        void main() { captured = vec4(value, 0.0, 0.0, 1.0); gl_Position = vec4(0.0); }";
    let capture = gl.program_with(&[(t::VERTEX_SHADER, source)], |program| {
        gl.feedback_varyings(program, &["captured"], t::INTERLEAVED_ATTRIBS);
    });
    let place = gl.location(capture, "value");
    let show = block_program(gl);
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[[0f32; 4]; 4]);
    let begin = |gl: &Gl| gl.bind_buffer_base(t::UNIFORM_BUFFER, 1, buffer);
    take_turns(gl, "captures", SHADES, begin, |gl, value| {
        gl.use_program(capture);
        gl.uniform1f(place, f32::from(value) / 255.0);
        gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl.enable(t::RASTERIZER_DISCARD);
        gl.begin_transform_feedback(t::POINTS);
        gl.draw_arrays(t::POINTS, 0, 4);
        gl.end_transform_feedback();
        gl.disable(t::RASTERIZER_DISCARD);
        gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, 0);
        gl.use_program(show);
        cover(gl);
    });
}

/// If this fails, what one window computes is drawn by another before it is there, or after the next.
fn turns_with_storage(gl: &Gl) {
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    need(gl.has("GL_ARB_shader_storage_buffer_object"), "GL_ARB_shader_storage_buffer_object");
    let compute = gl.compute(
        "layout(local_size_x = 1) in;
        layout(std430, binding = 2) buffer Block { vec4 color; };
        uniform float value;
        void main() { color = vec4(value, 0.0, 0.0, 1.0); }",
    );
    let place = gl.location(compute, "value");
    let show = block_program(gl);
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[[0f32; 4]; 4]);
    let begin = |gl: &Gl| {
        gl.bind_buffer_base(t::UNIFORM_BUFFER, 1, buffer);
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 2, buffer);
    };
    take_turns(gl, "storage", SHADES, begin, |gl, value| {
        gl.use_program(compute);
        gl.uniform1f(place, f32::from(value) / 255.0);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::UNIFORM_BARRIER_BIT);
        gl.use_program(show);
        cover(gl);
    });
}

/// A program that draws texel (0, 0) of a texture that each window binds.
fn texture_turns(gl: &Gl, what: &str, texture: u32, values: &[u8], change: impl Fn(&Gl, u8)) {
    let program = program(gl, "uniform sampler2D image;", "result = texelFetch(image, ivec2(0), 0);");
    let begin = |gl: &Gl| {
        gl.use_program(program);
        gl.bind_texture(t::TEXTURE_2D, texture);
    };
    take_turns(gl, what, values, begin, |gl, value| {
        change(gl, value);
        cover(gl);
    });
}

/// If this fails, what one window uploads changes what another one has drawn.
fn turns_with_texture_contents(gl: &Gl) {
    let texture = gl.empty_2d(t::RGBA8, (2, 2));
    texture_turns(gl, "texture contents", texture, SHADES, |gl, value| {
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 2, 2], RGBA8, Texels::Of(&[[value, 0, 0, 255]; 4]));
    });
}

/// If this fails, pictures that one window loads anew are gone from what another one has drawn.
fn turns_with_texture_images(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[0u8; 4]]);
    texture_turns(gl, "texture images", texture, SHADES, |gl, value| {
        let side = 1 + i32::from(value) / 60;
        let texels = vec![[value, 0, 0, 255]; (side * side) as usize];
        gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (side, side), RGBA8, Texels::Of(&texels));
    });
}

/// If this fails, the channels of a texture that one window exchanges are exchanged in what another one has drawn.
fn turns_with_texture_parameters(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[60u8, 120, 180, 240]]);
    texture_turns(gl, "texture parameters", texture, SHADES, |gl, value| {
        let source = [t::ZERO, t::RED, t::GREEN, t::BLUE, t::ALPHA][usize::from(value / 60)];
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R, source as i32);
    });
}

/// If this fails, tables that shaders read from a buffer are those of another window.
fn turns_with_buffer_textures(gl: &Gl) {
    let program = program(gl, "uniform samplerBuffer table;", "result = texelFetch(table, 1);");
    let buffer = gl.buffer(t::TEXTURE_BUFFER, &[[0u8; 4]; 2]);
    let texture = gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::RGBA8, buffer);
    let begin = |gl: &Gl| {
        gl.use_program(program);
        gl.bind_texture(t::TEXTURE_BUFFER, texture);
        gl.bind_buffer(t::TEXTURE_BUFFER, buffer);
    };
    take_turns(gl, "buffer textures", SHADES, begin, |gl, value| {
        gl.buffer_sub_data(t::TEXTURE_BUFFER, 4, &[[value, 0, 0, 255]]);
        cover(gl);
    });
}

/// If this fails, one window's pictures repeat because another one's do.
fn turns_with_sampler_parameters(gl: &Gl) {
    let program = program(gl, "uniform sampler2D image;", "result = texture(image, vec2(1.25, 0.5));");
    let texture = gl.texture_2d(t::RGBA8, (2, 1), RGBA8, &[[0u8, 0, 0, 255], [255u8; 4]]);
    let sampler = gl.new_sampler();
    let begin = |gl: &Gl| {
        gl.use_program(program);
        gl.bind_texture(t::TEXTURE_2D, texture);
        gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
        gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    };
    take_turns(gl, "sampler parameters", ENDS, begin, |gl, value| {
        let wrap = if value == 0 { t::REPEAT } else { t::CLAMP_TO_EDGE };
        gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_S, wrap as i32);
        gl.bind_sampler(0, sampler);
        cover(gl);
    });
}

/// Clears what `attach` attaches to a framebuffer of each window, and shows it in the window's picture.
fn drawn_turns(gl: &Gl, what: &str, attach: impl Fn(&Gl), show: impl Fn(&Gl, u32, u32)) {
    let begin = |gl: &Gl| {
        let picture = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
        let drawn = gl.new_framebuffer();
        gl.bind_framebuffer(t::FRAMEBUFFER, drawn);
        attach(gl);
        gl.expect_complete(what);
        gl.bind_framebuffer(t::FRAMEBUFFER, picture);
    };
    take_turns(gl, what, SHADES, begin, |gl, value| {
        let picture = gl.int(t::DRAW_FRAMEBUFFER_BINDING) as u32;
        // Names of framebuffers are the context's own, given one after the other.
        let drawn = picture + 1;
        gl.bind_framebuffer(t::FRAMEBUFFER, drawn);
        gl.clear_floats(t::COLOR, 0, red(value));
        gl.bind_framebuffer(t::FRAMEBUFFER, picture);
        show(gl, drawn, picture);
    });
}

/// If this fails, pictures that one window draws into a texture appear in what another one drew with it before.
fn turns_with_attachments(gl: &Gl) {
    let texture = gl.empty_2d(t::RGBA8, (256, 2));
    let program = program(gl, "uniform sampler2D image;", "result = texelFetch(image, ivec2(gl_FragCoord.xy), 0);");
    let attach = |gl: &Gl| gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, 0);
    drawn_turns(gl, "attachments", attach, |gl, _, _| {
        gl.use_program(program);
        gl.bind_texture(t::TEXTURE_2D, texture);
        cover(gl);
    });
}

/// If this fails, pictures that one window draws into a renderbuffer appear in what another one copied from it before.
fn turns_with_renderbuffers(gl: &Gl) {
    let buffer = gl.new_renderbuffer();
    gl.bind_renderbuffer(t::RENDERBUFFER, buffer);
    gl.renderbuffer_storage(t::RENDERBUFFER, t::RGBA8, 256, 2);
    let attach = |gl: &Gl| gl.framebuffer_renderbuffer(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::RENDERBUFFER, buffer);
    drawn_turns(gl, "renderbuffers", attach, |gl, drawn, picture| {
        gl.bind_framebuffer(t::READ_FRAMEBUFFER, drawn);
        gl.blit_framebuffer(0, 0, 160, 2, 0, 0, 160, 2, t::COLOR_BUFFER_BIT, t::NEAREST);
        gl.bind_framebuffer(t::READ_FRAMEBUFFER, picture);
    });
}

/// If this fails, pictures that one window computes appear in what another one drew with them before.
fn turns_with_images(gl: &Gl) {
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    let compute = gl.compute(
        "layout(local_size_x = 1) in;
        layout(rgba8, binding = 0) writeonly uniform image2D target;
        uniform float value;
        void main() { imageStore(target, ivec2(0), vec4(value, 0.0, 0.0, 1.0)); }",
    );
    let place = gl.location(compute, "value");
    let show = program(gl, "uniform sampler2D image;", "result = texelFetch(image, ivec2(0), 0);");
    let texture = gl.empty_2d(t::RGBA8, (1, 1));
    let begin = |gl: &Gl| {
        gl.image(0, texture, t::WRITE_ONLY, t::RGBA8);
        gl.bind_texture(t::TEXTURE_2D, texture);
    };
    take_turns(gl, "images", SHADES, begin, |gl, value| {
        gl.use_program(compute);
        gl.uniform1f(place, f32::from(value) / 255.0);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::TEXTURE_FETCH_BARRIER_BIT);
        gl.use_program(show);
        cover(gl);
    });
}

/// If this fails, what one window deletes is gone from what another one has drawn, or new objects show in its place.
fn turns_with_deletions(gl: &Gl) {
    let program = gl.program(
        PLACE,
        "#version 330 core\nuniform sampler2D image;\nout vec4 result;\nvoid main() { result = texelFetch(image, ivec2(0), 0); }",
    );
    let last = std::cell::Cell::new((0, 0));
    take_turns(
        gl,
        "deletions",
        SHADES,
        |gl| gl.use_program(program),
        |gl, value| {
            let (texture, buffer) = last.get();
            gl.delete_texture(texture);
            gl.delete_buffer(buffer);
            let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[value, 0, 0, 255]]);
            let buffer = gl.array(0, &[[-1f32, -1.0], [3.0, -1.0], [-1.0, 3.0]], t::FLOAT, 2);
            last.set((texture, buffer));
            cover(gl);
        },
    );
}
