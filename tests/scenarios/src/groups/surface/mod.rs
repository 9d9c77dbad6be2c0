//! Surfaces and contexts of EGL (EGL 1.5 §3.5 to §3.9).

mod buffers;

use crate::gl::egl::{Opaque, token};
use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[
    buffers::SCENARIOS,
    list!["surface":
        surfaces_have_their_size,
        several_surfaces_one_context,
        drawn_here_read_there,
        contexts_without_a_surface,
        many_frames,
        configurations_answer_for_themselves,
        wrong_requests_are_refused,
        contexts_of_every_kind,
        multisampled_surfaces_have_soft_edges,
        first_viewport_is_the_surface,
        destroyed_while_current,
    ],
];

const SLOPE: &str = "#version 330 core
void main() {
    vec2 corners[3] = vec2[3](vec2(-1.0, -1.0), vec2(0.3, -1.0), vec2(-1.0, 0.9));
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
}";
const FILL: &str = "#version 330 core
out vec4 colour;
void main() { colour = vec4(1.0); }";

/// EGL's own defaults ask for windows and OpenGL ES.
const DESKTOP: [i32; 4] = [token::SURFACE_TYPE, token::PBUFFER_BIT, token::RENDERABLE_TYPE, token::OPENGL_BIT];

/// If this fails, pictures are saved in another size than asked for.
fn surfaces_have_their_size(gl: &Gl) {
    let (config, context, own) = gl.handles();
    for size in [(1, 1), (33, 17), (640, 480)] {
        let surface = gl.egl().create_pbuffer(config, size);
        let told =
            (gl.egl().surface_attribute(surface, token::WIDTH), gl.egl().surface_attribute(surface, token::HEIGHT));
        assert_eq!(told, size);
        assert!(gl.egl().make_current(surface, surface, context));
        gl.viewport(0, 0, size.0, size.1);
        gl.cover_with([0.0, 1.0, 0.0, 1.0]);
        gl.expect_pixel((size.0 - 1, size.1 - 1), [0, 255, 0, 255], "the last pixel");
        assert!(gl.egl().make_current(own, own, context) && gl.egl().destroy_surface(surface));
    }
}

/// If this fails, programs with several windows draw them all into one.
fn several_surfaces_one_context(gl: &Gl) {
    let (config, context, own) = gl.handles();
    let surfaces = [own, gl.egl().create_pbuffer(config, (64, 64)), gl.egl().create_pbuffer(config, (64, 64))];
    for round in 0..3u8 {
        for (i, surface) in surfaces.iter().enumerate() {
            assert!(gl.egl().make_current(*surface, *surface, context));
            gl.enable(t::SCISSOR_TEST);
            gl.scissor(i32::from(round) * 10, 0, 10, 64);
            gl.clear_to([i as f32 / 255.0, f32::from(round) / 255.0, 1.0, 1.0]);
        }
    }
    for (i, surface) in surfaces.iter().enumerate() {
        assert!(gl.egl().make_current(*surface, *surface, context));
        for round in 0..3u8 {
            gl.expect_pixel((i32::from(round) * 10 + 5, 20), [i as u8, round, 255, 255], "surface by surface");
        }
    }
    assert!(gl.egl().make_current(own, own, context));
}

/// If this fails, programs that read one window while they draw another read the wrong one.
fn drawn_here_read_there(gl: &Gl) {
    let (config, context, own) = gl.handles();
    let other = gl.egl().create_pbuffer(config, (64, 64));
    gl.clear_to([1.0, 0.0, 0.0, 1.0]);
    assert!(gl.egl().make_current(other, own, context));
    gl.clear_to([0.0, 0.0, 1.0, 1.0]);
    gl.expect_pixel((9, 9), [255, 0, 0, 255], "the surface to read");
    gl.blit_framebuffer(0, 0, 32, 64, 0, 0, 32, 64, t::COLOR_BUFFER_BIT, t::NEAREST);
    assert!(gl.egl().make_current(other, other, context));
    gl.expect_pixel((5, 9), [255, 0, 0, 255], "copied");
    gl.expect_pixel((60, 9), [0, 0, 255, 255], "drawn");
    assert!(gl.egl().make_current(own, own, context));
}

/// If this fails, programs that only draw into textures need a surface they never see.
fn contexts_without_a_surface(gl: &Gl) {
    let (_, context, own) = gl.handles();
    assert!(gl.egl().string(token::EXTENSIONS).contains("EGL_KHR_surfaceless_context"));
    assert!(gl.egl().make_current(Opaque::NONE, Opaque::NONE, context));
    assert_eq!(gl.check_framebuffer_status(t::FRAMEBUFFER), t::FRAMEBUFFER_UNDEFINED);
    gl.clear(t::COLOR_BUFFER_BIT);
    gl.expect_error(t::INVALID_FRAMEBUFFER_OPERATION, "nothing to draw into");
    gl.target(t::RGBA8, (8, 8));
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((7, 7), [0, 255, 0, 255], "a texture");
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    assert!(gl.egl().make_current(own, own, context));
    gl.expect_complete("the surface again");
}

/// If this fails, a program stops or slows down after some frames.
fn many_frames(gl: &Gl) {
    gl.egl().swap_interval(0);
    let program = gl.plain_program(crate::gl::program::COVER, [0.0; 4]);
    for frame in 0..200u8 {
        gl.set_color(program, [f32::from(frame) / 255.0, 0.0, 0.0, 1.0]);
        gl.cover();
        if frame % 50 == 0 {
            gl.expect_pixel((9, 9), [frame, 0, 0, 255], "within a frame");
        }
        gl.swap();
    }
    gl.expect_no_error("two hundred frames");
}

/// If this fails, programs get surfaces without the depth or alpha they asked for.
fn configurations_answer_for_themselves(gl: &Gl) {
    let configs = gl.egl().configs(&DESKTOP);
    assert!(configs.len() >= 4, "{}", configs.len());
    let attribute = |config, name| gl.egl().config_attribute(config, name);
    let mut ids: Vec<i32> = configs.iter().map(|config| attribute(*config, token::CONFIG_ID)).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), configs.len(), "ids are unique");
    for config in gl.egl().configs(&[&DESKTOP[..], &[token::DEPTH_SIZE, 16, token::STENCIL_SIZE, 8]].concat()) {
        assert!(attribute(config, token::DEPTH_SIZE) >= 16 && attribute(config, token::STENCIL_SIZE) >= 8);
    }
    assert!(gl.egl().configs(&[&DESKTOP[..], &[token::DEPTH_SIZE, 99]].concat()).is_empty());
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_requests_are_refused(gl: &Gl) {
    let (config, context, own) = gl.handles();
    let egl = gl.egl();
    egl.error();
    assert!(!egl.create_context(config, Opaque::NONE, &[0x1234, 1]).exists());
    assert_eq!(egl.error(), token::BAD_ATTRIBUTE);
    assert!(!egl.create_context(config, Opaque::NONE, &[token::CONTEXT_MAJOR_VERSION, 9]).exists());
    assert_eq!(egl.error(), token::BAD_MATCH);
    assert!(!egl.create_pbuffer(config, (-1, 5)).exists());
    assert_ne!(egl.error(), token::SUCCESS);
    assert!(!egl.make_current(own, Opaque::NONE, context), "one surface of two");
    assert_eq!(egl.error(), token::BAD_MATCH);
    assert!(!egl.make_current(own, own, Opaque::NONE), "surfaces without a context");
    assert_eq!(egl.error(), token::BAD_MATCH);
    assert_eq!(egl.current_context(), context, "nothing changed");
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "and it still draws");
}

/// If this fails, programs that ask for a debug or robust context get none, or one that is not.
fn contexts_of_every_kind(gl: &Gl) {
    for (debug, robust, multisampled) in [(true, false, false), (false, true, false), (true, true, true)] {
        let other = gl.stranger(Wishes { debug, robust, multisampled });
        assert!(other.make_current());
        let flags = other.int(t::CONTEXT_FLAGS) as u32;
        assert_eq!(flags & t::CONTEXT_FLAG_DEBUG_BIT != 0, debug);
        assert_eq!(flags & t::CONTEXT_FLAG_ROBUST_ACCESS_BIT != 0, robust);
        let strategy = other.int(t::RESET_NOTIFICATION_STRATEGY) as u32;
        assert_eq!(strategy == t::LOSE_CONTEXT_ON_RESET, robust);
        assert_eq!(other.get_graphics_reset_status(), t::NO_ERROR);
        assert_eq!(other.int(t::SAMPLES) >= 4, multisampled);
    }
    assert!(gl.make_current());
}

/// If this fails, programs that ask their window for antialiasing have jagged edges.
fn multisampled_surfaces_have_soft_edges(gl: &Gl) {
    let other = gl.stranger(Wishes { debug: false, robust: false, multisampled: true });
    assert!(other.make_current());
    other.clear_to([0.0, 0.0, 0.0, 1.0]);
    let program = other.program(SLOPE, FILL);
    other.use_program(program);
    other.bind_vertex_array(other.vertex_array());
    other.draw_arrays(t::TRIANGLES, 0, 3);
    let [_, _, width, _] = other.ints::<4>(t::VIEWPORT);
    let row: Vec<u8> = other.pixels(0, 8, width, 1).iter().map(|pixel| pixel[0]).collect();
    let soft = row.iter().filter(|red| (1..255).contains(*red)).count();
    assert!(soft > 0, "an edge crosses pixels, some samples of which are covered (GL 4.6 §14.3.1): {row:?}");
    assert_eq!((row.first(), row.last()), (Some(&255), Some(&0)), "inside and outside");
    assert!(gl.make_current());
}

/// If this fails, programs that never set their viewport draw into a corner.
fn first_viewport_is_the_surface(gl: &Gl) {
    let (config, _, _) = gl.handles();
    let egl = gl.egl();
    let context =
        egl.create_context(config, Opaque::NONE, &[token::CONTEXT_MAJOR_VERSION, 3, token::CONTEXT_MINOR_VERSION, 3]);
    let (first, second) = (egl.create_pbuffer(config, (40, 30)), egl.create_pbuffer(config, (20, 10)));
    assert!(egl.make_current(first, first, context));
    assert_eq!((gl.ints::<4>(t::VIEWPORT), gl.ints::<4>(t::SCISSOR_BOX)), ([0, 0, 40, 30], [0, 0, 40, 30]));
    assert!(egl.make_current(second, second, context));
    assert_eq!(gl.ints::<4>(t::VIEWPORT), [0, 0, 40, 30], "only the first surface counts (GL 4.6 §13.8.1)");
    assert!(gl.make_current());
    assert!(egl.destroy_context(context) && egl.destroy_surface(first) && egl.destroy_surface(second));
}

/// If this fails, closing a window while it is drawn crashes the program.
fn destroyed_while_current(gl: &Gl) {
    let (config, context, own) = gl.handles();
    let surface = gl.egl().create_pbuffer(config, (16, 16));
    assert!(gl.egl().make_current(surface, surface, context));
    assert!(gl.egl().destroy_surface(surface), "it goes when it is no longer current (EGL 1.5 §3.5.7)");
    gl.clear_to([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((15, 15), [0, 255, 0, 255], "until then it draws");
    assert!(gl.egl().make_current(own, own, context));
    assert!(!gl.egl().destroy_surface(surface), "gone");
    gl.egl().error();
}
