//! Limits, strings, states and errors (GL 4.6 §2.3, §22).

mod formats;

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[
    formats::LIST,
    list!["get":
        limits_are_at_least_what_gl_promises,
        limits_hold,
        strings_and_versions,
        conversions_between_types,
        errors_are_kept_and_taken,
        unknown_states_are_refused,
        formats_answer_for_themselves,
        extensions_come_with_their_functions,
        indexed_states,
    ],
];

/// GL 3.3, tables 6.40 to 6.47.
const LEAST: &[(u32, i64)] = &[
    (t::MAX_TEXTURE_SIZE, 1024),
    (t::MAX_3D_TEXTURE_SIZE, 256),
    (t::MAX_ARRAY_TEXTURE_LAYERS, 256),
    (t::MAX_CUBE_MAP_TEXTURE_SIZE, 1024),
    (t::MAX_RENDERBUFFER_SIZE, 1024),
    (t::MAX_DRAW_BUFFERS, 8),
    (t::MAX_COLOR_ATTACHMENTS, 8),
    (t::MAX_SAMPLES, 4),
    (t::MAX_TEXTURE_BUFFER_SIZE, 65536),
    (t::MAX_RECTANGLE_TEXTURE_SIZE, 1024),
    (t::MAX_VERTEX_ATTRIBS, 16),
    (t::MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
    (t::MAX_VERTEX_UNIFORM_BLOCKS, 12),
    (t::MAX_VERTEX_OUTPUT_COMPONENTS, 64),
    (t::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_GEOMETRY_UNIFORM_BLOCKS, 12),
    (t::MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024),
    (t::MAX_GEOMETRY_INPUT_COMPONENTS, 64),
    (t::MAX_GEOMETRY_OUTPUT_COMPONENTS, 128),
    (t::MAX_GEOMETRY_OUTPUT_VERTICES, 256),
    (t::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024),
    (t::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024),
    (t::MAX_FRAGMENT_UNIFORM_BLOCKS, 12),
    (t::MAX_FRAGMENT_INPUT_COMPONENTS, 128),
    (t::MAX_TEXTURE_IMAGE_UNITS, 16),
    (t::MAX_PROGRAM_TEXEL_OFFSET, 7),
    (t::MAX_UNIFORM_BUFFER_BINDINGS, 36),
    (t::MAX_UNIFORM_BLOCK_SIZE, 16384),
    (t::MAX_COMBINED_UNIFORM_BLOCKS, 36),
    (t::MAX_VARYING_COMPONENTS, 60),
    (t::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48),
    (t::MAX_SAMPLE_MASK_WORDS, 1),
    (t::MAX_COLOR_TEXTURE_SAMPLES, 1),
    (t::MAX_DEPTH_TEXTURE_SAMPLES, 1),
    (t::MAX_INTEGER_SAMPLES, 1),
    (t::MAX_DUAL_SOURCE_DRAW_BUFFERS, 1),
    (t::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64),
    (t::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
    (t::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    (t::MAX_CLIP_DISTANCES, 8),
    (t::SUBPIXEL_BITS, 4),
    (t::MAX_ELEMENTS_INDICES, 1),
    (t::MAX_ELEMENTS_VERTICES, 1),
];

/// If this fails, programs that rely on what every GL 3.3 has do not run.
fn limits_are_at_least_what_gl_promises(gl: &Gl) {
    for (name, least) in LEAST {
        let got = gl.int64(*name);
        assert!(got >= *least, "limit {name:#x} is {got}, less than {least}");
    }
    assert!(gl.int(t::MIN_PROGRAM_TEXEL_OFFSET) <= -8);
    assert!(gl.floats::<1>(t::MAX_TEXTURE_LOD_BIAS)[0] >= 2.0);
    let alignment = gl.int(t::UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    assert!((1..=256).contains(&alignment), "{alignment}");
    let [width, height] = gl.ints::<2>(t::MAX_VIEWPORT_DIMS);
    assert!(width >= gl.int(t::MAX_RENDERBUFFER_SIZE).min(16384) && height >= 1024);
    let [low, high] = gl.floats::<2>(t::ALIASED_LINE_WIDTH_RANGE);
    assert!(low <= 1.0 && high >= 1.0);
    let [low, high] = gl.floats::<2>(t::POINT_SIZE_RANGE);
    assert!(low <= 1.0 && high >= 1.0);
    assert!(gl.int64(t::MAX_SERVER_WAIT_TIMEOUT) >= 0);
}

/// If this fails, a program that goes up to a limit fails there.
fn limits_hold(gl: &Gl) {
    let widest = gl.int(t::MAX_TEXTURE_SIZE);
    gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::R8, widest, 1);
    gl.expect_no_error("the widest texture");
    let layers = gl.int(t::MAX_ARRAY_TEXTURE_LAYERS);
    gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::R8, 1, 1, layers);
    gl.expect_no_error("the most layers");
    let size = gl.int(t::MAX_UNIFORM_BLOCK_SIZE);
    let program = gl.program(
        crate::gl::program::COVER,
        &format!(
            "#version 330 core
        layout(std140) uniform Large {{ vec4 all[{}]; }};
        uniform int last;
        out vec4 result;
        void main() {{ result = all[last]; }}",
            size / 16
        ),
    );
    let mut data = vec![0f32; size as usize / 4];
    let at = data.len() - 4;
    data[at..].copy_from_slice(&[0.0, 1.0, 0.0, 1.0]);
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &data);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, gl.int(t::MAX_UNIFORM_BUFFER_BINDINGS) as u32 - 1, buffer);
    gl.uniform_block_binding(program, gl.block(program, "Large"), gl.int(t::MAX_UNIFORM_BUFFER_BINDINGS) as u32 - 1);
    gl.uniform1i(gl.location(program, "last"), size / 16 - 1);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "the last vector of the largest block at the last binding");
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    let most = gl.int(t::MAX_COLOR_ATTACHMENTS) as u32;
    for i in 0..most {
        gl.attach_renderbuffer(t::COLOR_ATTACHMENT0 + i, t::RGBA8, 0, (4, 4));
    }
    gl.expect_complete("every attachment");
}

/// If this fails, programs refuse to start because they do not know the version.
fn strings_and_versions(gl: &Gl) {
    let (major, minor) = (gl.int(t::MAJOR_VERSION), gl.int(t::MINOR_VERSION));
    assert!((major, minor) >= (3, 3));
    assert!(gl.string(t::VERSION).starts_with(&format!("{major}.{minor}")), "{}", gl.string(t::VERSION));
    assert!(gl.string(t::RENDERER).contains("MobileGL"), "{}", gl.string(t::RENDERER));
    assert!(!gl.string(t::VENDOR).is_empty());
    let language = gl.string(t::SHADING_LANGUAGE_VERSION);
    assert!(language.starts_with(|c: char| c.is_ascii_digit()) && language.contains('.'), "{language}");
    let list = gl.extensions();
    let mut unique = list.clone();
    unique.sort();
    unique.dedup();
    assert!(unique.len() == list.len() && list.iter().all(|name| name.starts_with("GL_")), "{list:?}");
    gl.string(t::EXTENSIONS);
    gl.expect_error(t::INVALID_ENUM, "one string of all extensions is not of the core profile");
    assert_eq!(gl.int(t::CONTEXT_PROFILE_MASK), 1, "the core profile");
}

/// If this fails, programs that ask in another type get other values.
fn conversions_between_types(gl: &Gl) {
    gl.clear_color(0.5, 1.0, 0.0, -1.0);
    let ints = gl.ints::<4>(t::COLOR_CLEAR_VALUE);
    // GL 4.6 §2.2.2: colours map to the whole range of integers.
    assert_eq!((ints[1], ints[2]), (i32::MAX, 0));
    assert!((ints[0] - i32::MAX / 2).abs() <= 256, "{ints:?}");
    assert_eq!(gl.bools::<4>(t::COLOR_CLEAR_VALUE), [1, 1, 0, 1]);
    assert_eq!(gl.floats::<1>(t::MAX_TEXTURE_SIZE)[0] as i32, gl.int(t::MAX_TEXTURE_SIZE));
    assert_eq!((gl.bools::<1>(t::MAX_TEXTURE_SIZE), gl.floats::<1>(t::DEPTH_TEST)), ([1], [0.0]));
    gl.enable(t::DEPTH_TEST);
    assert_eq!((gl.int(t::DEPTH_TEST), gl.floats::<1>(t::DEPTH_TEST), gl.int64(t::DEPTH_TEST)), (1, [1.0], 1));
    gl.polygon_offset(2.6, -1.4);
    assert_eq!((gl.int(t::POLYGON_OFFSET_FACTOR), gl.int(t::POLYGON_OFFSET_UNITS)), (3, -1), "rounded to the nearest");
    gl.depth_range(0.0, 0.5);
    assert_eq!(gl.ints::<2>(t::DEPTH_RANGE)[0], 0);
}

/// If this fails, programs that look for errors find the wrong ones.
fn errors_are_kept_and_taken(gl: &Gl) {
    gl.expect_no_error("at the start");
    gl.enable(0xDEAD);
    gl.viewport(0, 0, -1, -1);
    gl.clear(1);
    // GL 4.6 §2.3.1: one flag or several, each told once.
    let told: Vec<u32> =
        std::iter::from_fn(|| Some(gl.get_error()).filter(|code| *code != t::NO_ERROR)).take(9).collect();
    assert!(told.contains(&t::INVALID_ENUM) && told.len() <= 2, "{told:#x?}");
    assert!(told.len() == 1 || told.contains(&t::INVALID_VALUE), "{told:#x?}");
    gl.clear(1);
    gl.expect_error(t::INVALID_VALUE, "the next");
    gl.expect_no_error("taken");
}

/// If this fails, programs that ask for what is not there get garbage.
fn unknown_states_are_refused(gl: &Gl) {
    for name in [0u32, 0xDEAD, t::RGBA, t::TRIANGLES + 0x9000] {
        gl.int(name);
        gl.expect_error(t::INVALID_ENUM, "no state has this name");
        gl.floats::<1>(name);
        gl.expect_error(t::INVALID_ENUM, "in any type");
    }
    gl.is_enabled(t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "no capability has this name");
    gl.string(t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "no string has this name");
}

/// If this fails, programs that ask which formats work choose one that does not.
fn formats_answer_for_themselves(gl: &Gl) {
    for format in [t::RGBA8, t::RGBA16F, t::DEPTH24_STENCIL8, t::R8, t::RGBA8UI] {
        let number = gl.format_info(t::RENDERBUFFER, format, t::NUM_SAMPLE_COUNTS)[0];
        let counts = gl.format_info(t::RENDERBUFFER, format, t::SAMPLES);
        for samples in counts.iter().take(number.clamp(0, 16) as usize) {
            let framebuffer = gl.new_framebuffer();
            gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
            let point = if format == t::DEPTH24_STENCIL8 { t::DEPTH_STENCIL_ATTACHMENT } else { t::COLOR_ATTACHMENT0 };
            gl.attach_renderbuffer(point, format, *samples, (8, 8));
            if format == t::DEPTH24_STENCIL8 {
                gl.draw_buffers(&[t::NONE]);
            }
            gl.expect_complete(&format!("{format:#x} with {samples} samples"));
        }
    }
    assert_eq!(gl.format_info(t::RENDERBUFFER, 0x1234, t::NUM_SAMPLE_COUNTS)[0], 0, "not a format");
    assert_eq!(gl.format_info(t::TEXTURE_2D, t::RGBA8, t::INTERNALFORMAT_SUPPORTED)[0], 1);
    assert_eq!(gl.format_info(t::TEXTURE_2D, t::RGBA8, t::FRAMEBUFFER_BLEND)[0], t::FULL_SUPPORT as i32);
    gl.expect_no_error("what is not supported answers so");
    gl.format_info(t::TEXTURE_CUBE_MAP_POSITIVE_X, t::RGBA8, t::SAMPLES);
    gl.expect_error(t::INVALID_ENUM, "not a kind of resource");
}

/// If this fails, a program finds an extension and then its functions missing or refused.
fn extensions_come_with_their_functions(gl: &Gl) {
    let probes: [(&str, &dyn Fn()); 6] = [
        ("GL_ARB_clip_control", &|| gl.clip_control(t::LOWER_LEFT, t::NEGATIVE_ONE_TO_ONE)),
        ("GL_ARB_polygon_offset_clamp", &|| gl.polygon_offset_clamp(1.0, 1.0, 0.5)),
        ("GL_ARB_provoking_vertex", &|| gl.provoking_vertex(t::LAST_VERTEX_CONVENTION)),
        ("GL_ARB_draw_buffers_blend", &|| gl.blend_funci(0, t::ONE, t::ONE)),
        ("GL_ARB_vertex_attrib_binding", &|| {
            gl.vertex_array();
            gl.vertex_attrib_binding(0, 1);
        }),
        ("GL_ARB_timer_query", &|| {
            let query = gl.new_query();
            gl.query_counter(query, t::TIMESTAMP);
        }),
    ];
    for (name, call) in probes {
        if gl.has(name) {
            call();
            gl.expect_no_error(name);
        }
    }
}

/// If this fails, states that exist several times are told for the wrong index.
fn indexed_states(gl: &Gl) {
    gl.color_maski(2, 1, 0, 1, 0);
    assert_eq!(gl.ints_at::<4>(t::COLOR_WRITEMASK, 2), [1, 0, 1, 0]);
    assert_eq!(gl.ints_at::<4>(t::COLOR_WRITEMASK, 1), [1; 4]);
    gl.ints_at::<4>(t::COLOR_WRITEMASK, gl.int(t::MAX_DRAW_BUFFERS) as u32);
    gl.expect_error(t::INVALID_VALUE, "past the last");
    gl.ints_at::<1>(t::DEPTH_TEST, 0);
    gl.expect_error(t::INVALID_ENUM, "a state that exists once");
    assert_eq!(gl.int64_at(t::UNIFORM_BUFFER_SIZE, 0), 0);
    assert_eq!(gl.ints_at::<1>(t::SAMPLE_MASK_VALUE, 0), [-1]);
}
