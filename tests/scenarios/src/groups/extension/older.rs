//! Commands that have older names than those of the core, or that only extensions have.

use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["extension":
    offsets_are_clamped_under_both_names,
    labels_of_the_older_kind,
    handles_of_shaders_and_programs,
    each_draw_has_its_mode,
    framebuffers_of_chosen_names,
    capture_into_the_rest_of_a_buffer,
    pixels_in_reverse_order,
    rows_in_reverse_order,
];

/// If this fails, shadows of programs that look for `GL_EXT_polygon_offset_clamp` come loose from what casts them.
fn offsets_are_clamped_under_both_names(gl: &Gl) {
    need(gl.has("GL_EXT_polygon_offset_clamp"), "GL_EXT_polygon_offset_clamp");
    gl.plain_program(crate::gl::program::PLACE, [1.0; 4]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::ALWAYS);
    gl.enable(t::POLYGON_OFFSET_FILL);
    type Set = fn(&Gl, f32, f32, f32);
    let ways: [Set; 2] =
        [|gl, f, u, c| gl.polygon_offset_clamp(f, u, c), |gl, f, u, c| gl.polygon_offset_clamp_ext(f, u, c)];
    for set in ways {
        // Very many units, but no more than 1/16.
        set(gl, 0.0, 1.0e7, 0.0625);
        gl.expect_no_error("the command");
        assert_eq!(gl.floats::<1>(t::POLYGON_OFFSET_CLAMP), [0.0625]);
        gl.rectangle([-1.0, -1.0, 1.0, 1.0], 0.0);
        let depth = gl.depth_at(32, 32);
        assert!((depth - 0.5625).abs() < 1.0e-4, "0.5 and 1/16: {depth}");
        set(gl, 0.0, -1.0e7, -0.125);
        gl.rectangle([-1.0, -1.0, 1.0, 1.0], 0.0);
        let depth = gl.depth_at(32, 32);
        assert!((depth - 0.375).abs() < 1.0e-4, "0.5 without 1/8: {depth}");
    }
}

/// If this fails, tools show objects of macOS programs without their names.
fn labels_of_the_older_kind(gl: &Gl) {
    need(gl.has("GL_EXT_debug_label"), "GL_EXT_debug_label");
    let buffer = gl.buffer(t::ARRAY_BUFFER, &[0u8; 4]);
    let texture = gl.texture(t::TEXTURE_2D);
    gl.label_object_ext(t::BUFFER_OBJECT_EXT, buffer, "vertices");
    gl.label_object_ext(t::TEXTURE, texture, "wood");
    assert_eq!(gl.object_label_ext(t::BUFFER_OBJECT_EXT, buffer), "vertices");
    assert_eq!(gl.object_label_ext(t::TEXTURE, texture), "wood");
    assert_eq!(gl.label(t::BUFFER, buffer), "vertices", "KHR_debug has the same labels");
    gl.label_object_ext(t::TEXTURE, texture, "");
    assert_eq!(gl.object_label_ext(t::TEXTURE, texture), "");
    gl.expect_no_error("labels");
    gl.label_object_ext(t::BUFFER_OBJECT_EXT, buffer + 1000, "none");
    gl.expect_error(t::INVALID_OPERATION, "no object has that name");
    gl.label_object_ext(t::TRIANGLES + 0x9000, buffer, "none");
    gl.expect_error(t::INVALID_ENUM, "not a type of objects");
}

/// If this fails, programs older than OpenGL 2.0's names for shaders do not learn why theirs do not compile.
fn handles_of_shaders_and_programs(gl: &Gl) {
    need(gl.has("GL_ARB_shader_objects"), "GL_ARB_shader_objects");
    let program = gl.plain_program(crate::gl::program::COVER, [1.0; 4]);
    assert_eq!(gl.get_handle_arb(t::PROGRAM_OBJECT_ARB), program);
    assert_eq!(gl.object_parameter_arb(program, t::OBJECT_TYPE_ARB), t::PROGRAM_OBJECT_ARB as i32);
    assert_eq!(gl.object_parameter_arb(program, t::LINK_STATUS), 1);
    let shader = gl.create_shader(t::FRAGMENT_SHADER);
    assert_eq!(gl.object_parameter_arb(shader, t::OBJECT_TYPE_ARB), t::SHADER_OBJECT_ARB as i32);
    assert_eq!(gl.object_parameter_arb(shader, t::OBJECT_SUBTYPE_ARB), t::FRAGMENT_SHADER as i32);
    gl.shader_source(shader, "#version 330 core\nvoid main() { wrong }\n");
    gl.compile_shader(shader);
    assert_eq!(gl.object_parameter_arb(shader, t::COMPILE_STATUS), 0);
    assert_eq!(gl.info_log_arb(shader), gl.shader_log(shader));
    assert!(gl.info_log_arb(shader).contains("wrong"));
    gl.delete_object_arb(shader);
    assert_eq!(gl.is_shader(shader), 0);
    gl.expect_no_error("handles");
    gl.object_parameter_arb(program, t::OBJECT_SUBTYPE_ARB);
    gl.expect_error(t::INVALID_OPERATION, "programs have no subtype");
    gl.delete_object_arb(0xDEAD);
    gl.expect_error(t::INVALID_VALUE, "nothing has this handle");
}

/// If this fails, models kept as strips and fans side by side are drawn with one kind of primitive.
fn each_draw_has_its_mode(gl: &Gl) {
    need(gl.has("GL_IBM_multimode_draw_arrays"), "GL_IBM_multimode_draw_arrays");
    gl.plain_program(crate::gl::program::PLACE, [0.0, 1.0, 0.0, 1.0]);
    // A strip over the left half, a fan over the right one.
    let strip = [[-1.0, -1.0], [0.0, -1.0], [-1.0, 1.0], [0.0, 1.0]];
    let fan = [[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0f32]];
    gl.places(&[strip, fan].concat());
    gl.clear_all();
    gl.multi_mode_draw_arrays(&[(t::TRIANGLE_STRIP, 0, 4), (t::TRIANGLES, 0, 0), (t::TRIANGLE_FAN, 4, 4)]);
    gl.expect_no_error("draws");
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "both halves");
    gl.clear_all();
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u16, 1, 2, 3, 4, 5, 6, 7]);
    gl.multi_mode_draw_elements(t::UNSIGNED_SHORT, &[(t::TRIANGLE_STRIP, 4, 0), (t::TRIANGLE_FAN, 4, 8)]);
    gl.expect_no_error("draws by indices");
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "both halves");
}

/// If this fails, programs that number their framebuffers themselves, as EXT_framebuffer_object lets them, draw nothing.
fn framebuffers_of_chosen_names(gl: &Gl) {
    need(gl.has("GL_EXT_framebuffer_object"), "GL_EXT_framebuffer_object");
    let texture = gl.texture_2d(t::RGBA8, (4, 4), RGBA8, &[[0u8; 4]; 16]);
    gl.bind_framebuffer(t::FRAMEBUFFER, 77);
    gl.expect_error(t::INVALID_OPERATION, "the core's command takes generated names alone");
    gl.bind_framebuffer_ext(t::FRAMEBUFFER, 77);
    gl.framebuffer_texture_2d(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::TEXTURE_2D, texture, 0);
    gl.expect_complete("a framebuffer of a chosen name");
    gl.clear_to([1.0, 0.0, 0.0, 1.0]);
    gl.expect_pixel((1, 1), [255, 0, 0, 255], "drawn into");
    assert_eq!((gl.int(t::FRAMEBUFFER_BINDING), gl.is_framebuffer(77)), (77, 1));
    gl.bind_renderbuffer_ext(t::RENDERBUFFER, 5);
    gl.renderbuffer_storage(t::RENDERBUFFER, t::RGBA8, 4, 4);
    assert_eq!(gl.is_renderbuffer(5), 1);
    for _ in 0..80 {
        assert!(gl.new_framebuffer() != 77 && gl.new_renderbuffer() != 5, "names are given once");
    }
    gl.expect_no_error("chosen names");
}

/// If this fails, particles captured by EXT_transform_feedback overwrite what lies before them.
fn capture_into_the_rest_of_a_buffer(gl: &Gl) {
    need(gl.has("GL_EXT_transform_feedback"), "GL_EXT_transform_feedback");
    let vertex = "#version 330 core\nout float number;\n\
        void main() { number = float(gl_VertexID + 5); gl_Position = vec4(0.0); }";
    gl.program_with(&[(t::VERTEX_SHADER, vertex)], |program| {
        gl.feedback_varyings(program, &["number"], t::INTERLEAVED_ATTRIBS);
    });
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[1.0f32; 4]);
    gl.bind_buffer_offset_ext(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 8);
    gl.expect_no_error("an offset");
    gl.vertex_array();
    gl.enable(t::RASTERIZER_DISCARD);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 4);
    gl.end_transform_feedback();
    gl.bind_buffer(t::ARRAY_BUFFER, buffer);
    assert_eq!(gl.contents::<f32>(t::ARRAY_BUFFER, 0, 4), [1.0, 1.0, 5.0, 6.0]);
    gl.bind_buffer_offset_ext(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 16);
    gl.expect_error(t::INVALID_VALUE, "nothing lies behind the end");
    gl.bind_buffer_offset_ext(t::UNIFORM_BUFFER, 0, buffer, 0);
    gl.expect_error(t::INVALID_ENUM, "not a buffer of captures");
}

/// If this fails, pictures of programs that keep alpha first are loaded with their colours mixed up.
fn pixels_in_reverse_order(gl: &Gl) {
    need(gl.has("GL_EXT_abgr"), "GL_EXT_abgr");
    gl.texture_2d(t::RGBA8, (1, 1), (t::ABGR_EXT, t::UNSIGNED_BYTE), &[[40u8, 30, 20, 10]]);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 1);
    assert_eq!(got, [[10, 20, 30, 40]]);
    gl.clear_to([1.0, 0.2, 0.4, 0.6]);
    assert_eq!(gl.read::<[u8; 4]>((0, 0, 1, 1), t::ABGR_EXT, t::UNSIGNED_BYTE, 1), [[153, 102, 51, 255]]);
    assert_eq!(gl.read::<u32>((0, 0, 1, 1), t::ABGR_EXT, t::UNSIGNED_INT_8_8_8_8, 1), [0x9966_33FF]);
    gl.expect_no_error("reversed pixels");
    gl.texture_2d(t::RGBA8, (1, 1), (t::ABGR_EXT, t::UNSIGNED_SHORT_5_6_5), &[0u16; 2]);
    gl.expect_error(t::INVALID_OPERATION, "three fields for four components");
}

/// If this fails, pictures that programs save from the top row on are upside down.
fn rows_in_reverse_order(gl: &Gl) {
    need(gl.has("GL_MESA_pack_invert"), "GL_MESA_pack_invert");
    let rows = [[1u8, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]];
    let texture = gl.texture_2d(t::RGBA8, (1, 3), RGBA8, &rows);
    let reversed = [[3u8, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]];
    gl.pixel_storei(t::PACK_INVERT_MESA, 1);
    assert_eq!(gl.int(t::PACK_INVERT_MESA), 1);
    assert_eq!(gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 3), reversed);
    gl.framebuffer_of(texture);
    assert_eq!(gl.read::<[u8; 4]>((0, 0, 1, 3), t::RGBA, t::UNSIGNED_BYTE, 3), reversed);
    assert_eq!(gl.read::<f32>((0, 0, 1, 3), t::RED, t::FLOAT, 3)[0], 3.0 / 255.0, "converted");
    gl.buffer_of(t::PIXEL_PACK_BUFFER, 12);
    gl.read_to_buffer((0, 0, 1, 3), t::RGBA, t::UNSIGNED_BYTE, 0);
    assert_eq!(gl.contents::<[u8; 4]>(t::PIXEL_PACK_BUFFER, 0, 3), reversed, "into a buffer");
    gl.bind_buffer(t::PIXEL_PACK_BUFFER, 0);
    gl.pixel_storei(t::PACK_INVERT_MESA, 0);
    assert_eq!(gl.read::<[u8; 4]>((0, 0, 1, 3), t::RGBA, t::UNSIGNED_BYTE, 3), rows);
    gl.expect_no_error("reversed rows");
}
