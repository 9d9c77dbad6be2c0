//! A name, or the place behind it, used again must never show what was there before.

use crate::gl::program::{COVER, PLACE};
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["lifetime":
    recycled_buffers,
    recycled_textures,
    recycled_framebuffers,
    recycled_renderbuffers,
    recycled_samplers,
    recycled_programs,
    recycled_queries,
    recycled_vertex_arrays,
    recycled_feedback_objects,
    recycled_fences,
    recycled_contexts,
    recycled_surfaces,
];

/// More rounds than any list of free places is long at first.
const ROUNDS: u8 = 40;

/// If this fails, a new mesh is drawn with a deleted one's vertices.
fn recycled_buffers(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.vertex_array();
    gl.enable_vertex_attrib_array(0);
    for round in 0..ROUNDS {
        let x = f32::from(round % 8) / 4.0 - 1.0;
        let buffer = gl.buffer(t::ARRAY_BUFFER, &[[x, -1.0], [x + 0.25, -1.0], [x, 1.0], [x + 0.25, 1.0]]);
        gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 0, 0);
        gl.clear_all();
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        let column = i32::from(round % 8) * 8;
        gl.expect_area((column, 0, 8, 64), [255; 4], "this round's stripe");
        gl.expect_pixel(((column + 12) % 64, 9), [0; 4], "no other");
        gl.delete_buffer(buffer);
    }
}

/// If this fails, a new picture shows a deleted one.
fn recycled_textures(gl: &Gl) {
    let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    for round in 0..ROUNDS {
        gl.use_program(program);
        let size = 1 + i32::from(round % 4);
        let texture =
            gl.texture_2d(t::RGBA8, (size, size), RGBA8, &vec![[round, 255 - round, 7, 255]; (size * size) as usize]);
        gl.cover();
        gl.expect_pixel((9, 9), [round, 255 - round, 7, 255], "this round's picture");
        gl.delete_texture(texture);
    }
}

/// If this fails, a new framebuffer draws into a deleted one's picture.
fn recycled_framebuffers(gl: &Gl) {
    let textures = [gl.empty_2d(t::RGBA8, (8, 8)), gl.empty_2d(t::RGBA16F, (4, 4))];
    for round in 0..ROUNDS {
        let texture = textures[usize::from(round % 2)];
        let framebuffer = gl.framebuffer_of(texture);
        gl.clear_to([f32::from(round) / 255.0, 1.0, 0.0, 1.0]);
        gl.expect_pixel((3, 3), [round, 255, 0, 255], "this round's framebuffer");
        gl.bind_framebuffer(t::FRAMEBUFFER, 0);
        gl.delete_framebuffer(framebuffer);
    }
}

/// If this fails, a new renderbuffer has a deleted one's size or format.
fn recycled_renderbuffers(gl: &Gl) {
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    for round in 0..ROUNDS {
        let format = [t::RGBA8, t::RGB565, t::RGBA16F, t::RGB10_A2][usize::from(round % 4)];
        let buffer = gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, format, 0, (4 + i32::from(round), 4));
        gl.expect_complete("this round's renderbuffer");
        gl.clear_to([1.0, 0.0, f32::from(round % 2), 1.0]);
        gl.expect_pixel((3 + i32::from(round), 3), [255, 0, round % 2 * 255, 255], "its last pixel");
        gl.delete_renderbuffer(buffer);
    }
}

/// If this fails, a new sampler filters as a deleted one.
fn recycled_samplers(gl: &Gl) {
    gl.texture_2d(t::RGBA8, (2, 1), RGBA8, &[[0u8, 0, 0, 255], [200, 0, 0, 255]]);
    let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(1.25, 0.5));");
    for round in 0..ROUNDS {
        let (mode, wanted) =
            [(t::REPEAT, 0u8), (t::CLAMP_TO_EDGE, 200), (t::MIRRORED_REPEAT, 200)][usize::from(round % 3)];
        let sampler = gl.new_sampler();
        gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_S, mode as i32);
        gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
        gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
        gl.bind_sampler(0, sampler);
        gl.use_program(program);
        gl.cover();
        gl.expect_pixel((9, 9), [wanted, 0, 0, 255], "this round's sampler");
        gl.delete_sampler(sampler);
    }
}

/// If this fails, a new program draws as a deleted one.
fn recycled_programs(gl: &Gl) {
    for round in 0..12u8 {
        let source = format!(
            "#version 330 core\nout vec4 result;\nvoid main() {{ result = vec4({round}.0 / 255.0, 1.0, 0.0, 1.0); }}"
        );
        let program = gl.program(COVER, &source);
        gl.cover();
        gl.expect_pixel((9, 9), [round, 255, 0, 255], "this round's program");
        gl.use_program(0);
        gl.delete_program(program);
    }
}

/// If this fails, a new query answers for a deleted one.
fn recycled_queries(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    for round in 0..ROUNDS {
        let query = gl.new_query();
        gl.scissor(0, 0, i32::from(round % 2), 1);
        let (target, wanted) =
            if round % 3 == 0 { (t::PRIMITIVES_GENERATED, 1) } else { (t::ANY_SAMPLES_PASSED, u64::from(round % 2)) };
        gl.begin_query(target, query);
        gl.cover();
        gl.end_query(target);
        assert_eq!(gl.query_result(query), wanted, "round {round}");
        gl.delete_query(query);
    }
}

/// If this fails, a new vertex array has a deleted one's arrays.
fn recycled_vertex_arrays(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let full = gl.buffer(t::ARRAY_BUFFER, &[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    for round in 0..ROUNDS {
        let array = gl.vertex_array();
        gl.clear_all();
        if round % 2 == 0 {
            gl.bind_buffer(t::ARRAY_BUFFER, full);
            gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 0, 0);
            gl.enable_vertex_attrib_array(0);
        }
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        let wanted = if round % 2 == 0 { [255; 4] } else { [0; 4] };
        gl.expect_pixel((20, 40), wanted, "this round's arrays, or none");
        gl.delete_vertex_array(array);
    }
}

/// If this fails, a new capture writes into a deleted one's buffer.
fn recycled_feedback_objects(gl: &Gl) {
    let vertex = "#version 330 core
        uniform float base;
        out float number;
        void main() { number = base + float(gl_VertexID); gl_Position = vec4(0.0); gl_PointSize = 1.0; }";
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, crate::gl::program::PLAIN)];
    let program =
        gl.program_with(&stages, |program| gl.feedback_varyings(program, &["number"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    gl.enable(t::RASTERIZER_DISCARD);
    for round in 0..ROUNDS {
        let object = gl.new_feedback();
        gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
        let buffer = gl.buffer_of(t::TRANSFORM_FEEDBACK_BUFFER, 8);
        gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl.uniform1f(gl.location(program, "base"), f32::from(round) * 10.0);
        gl.begin_transform_feedback(t::POINTS);
        gl.draw_arrays(t::POINTS, 0, 2);
        gl.end_transform_feedback();
        let got = gl.contents::<f32>(t::TRANSFORM_FEEDBACK_BUFFER, 0, 2);
        assert_eq!(got, [f32::from(round) * 10.0, f32::from(round) * 10.0 + 1.0]);
        gl.delete_feedback(object);
        gl.delete_buffer(buffer);
    }
}

/// If this fails, a new fence is signalled because a deleted one was.
fn recycled_fences(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    for _ in 0..ROUNDS {
        gl.cover();
        let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
        let how = gl.client_wait_sync(fence, t::SYNC_FLUSH_COMMANDS_BIT, 20_000_000_000);
        assert!(matches!(how, t::ALREADY_SIGNALED | t::CONDITION_SATISFIED), "{how:#x}");
        gl.delete_sync(fence);
        assert_eq!(gl.is_sync(fence), 0);
    }
}

/// If this fails, a program that makes and drops contexts runs out of them, or gets an old one's state.
fn recycled_contexts(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[1u8, 2, 3, 255]]);
    for round in 0..12 {
        let other = if round % 2 == 0 { gl.sharing() } else { gl.stranger(crate::gl::Wishes::default()) };
        assert!(other.make_current());
        assert_eq!((other.is_enabled(t::BLEND), other.int(t::TEXTURE_BINDING_2D)), (0, 0));
        assert_eq!(other.is_texture(texture), u8::from(round % 2 == 0), "shared or not");
        other.enable(t::BLEND);
        other.texture_2d(t::RGBA8, (4, 4), RGBA8, &[[round as u8; 4]; 16]);
        other.cover_with([1.0; 4]);
        other.expect_pixel((9, 9), [255; 4], "it draws");
        drop(other);
        assert!(gl.make_current());
    }
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 1);
    assert_eq!(got, [[1, 2, 3, 255]], "the first context's texture");
}

/// If this fails, a new surface has a deleted one's size.
fn recycled_surfaces(gl: &Gl) {
    let (config, context, own) = gl.handles();
    for round in 1..24 {
        let size = (round * 3, 70 - round);
        let surface = gl.egl().create_pbuffer(config, size);
        assert!(gl.egl().make_current(surface, surface, context));
        gl.viewport(0, 0, size.0, size.1);
        gl.clear_to([round as f32 / 255.0, 0.0, 1.0, 1.0]);
        gl.expect_area((0, 0, size.0, size.1), [round as u8, 0, 255, 255], "this round's surface");
        assert!(gl.egl().make_current(own, own, context) && gl.egl().destroy_surface(surface));
    }
    let _ = Texels::<u8>::None;
}
