//! Share groups and threads (GL 4.6 §5).

mod order;
mod same_time;
mod threads;
mod turns;

use std::sync::Barrier;
use std::thread;

use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[
    list!["share":
        what_is_shared_and_what_is_not,
        changes_are_seen_after_a_bind,
        deleted_here_in_use_there,
        loader_thread_fills_textures,
        programs_linked_on_another_thread,
        threads_draw_at_the_same_time,
        one_context_moves_between_threads,
        strangers_share_nothing,
        one_context_is_current_on_one_thread,
        drawn_in_one_sampled_in_the_other,
    ],
    threads::LIST,
    order::LIST,
    same_time::LIST,
];

/// If this fails, programs with several windows lose their pictures or mix their states.
fn what_is_shared_and_what_is_not(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[1u8, 2, 3, 4]]);
    let buffer = gl.buffer(t::ARRAY_BUFFER, &[5u8; 8]);
    let program =
        gl.program(COVER, "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(0.0, 1.0, 0.0, 1.0); }");
    let sampler = gl.new_sampler();
    let (array, framebuffer, query) = (gl.vertex_array(), gl.framebuffer_of(texture), gl.new_query());
    gl.begin_query(t::ANY_SAMPLES_PASSED, query);
    gl.end_query(t::ANY_SAMPLES_PASSED);
    gl.flush();
    let other = gl.sharing();
    assert!(other.make_current());
    assert_eq!(
        (other.is_texture(texture), other.is_buffer(buffer), other.is_program(program), other.is_sampler(sampler)),
        (1, 1, 1, 1)
    );
    assert_eq!((other.is_vertex_array(array), other.is_framebuffer(framebuffer), other.is_query(query)), (0, 0, 0));
    other.bind_buffer(t::ARRAY_BUFFER, buffer);
    assert_eq!(other.contents::<u8>(t::ARRAY_BUFFER, 0, 8), [5; 8]);
    other.use_program(program);
    other.cover();
    other.expect_pixel((9, 9), [0, 255, 0, 255], "the shared program");
    drop(other);
    assert!(gl.make_current());
}

/// If this fails, what one context uploads never reaches the other.
fn changes_are_seen_after_a_bind(gl: &Gl) {
    let other = gl.sharing();
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[0u8, 0, 0, 255]]);
    let buffer = gl.buffer(t::ARRAY_BUFFER, &[0u8; 4]);
    for round in 1..6u8 {
        gl.bind_texture(t::TEXTURE_2D, texture);
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], RGBA8, Texels::Of(&[[round, 0, 0, 255]]));
        gl.bind_buffer(t::ARRAY_BUFFER, buffer);
        gl.buffer_data(t::ARRAY_BUFFER, &vec![round; 4 * usize::from(round)], t::STATIC_DRAW);
        gl.finish();
        assert!(other.make_current());
        other.bind_texture(t::TEXTURE_2D, texture);
        other.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
        other.expect_pixel((9, 9), [round, 0, 0, 255], "the texture");
        other.bind_buffer(t::ARRAY_BUFFER, buffer);
        assert_eq!(other.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_SIZE), 4 * i32::from(round));
        assert_eq!(other.contents::<u8>(t::ARRAY_BUFFER, 0, 4), [round; 4]);
        assert!(gl.make_current());
    }
}

/// If this fails, a texture deleted by one window disappears from another that shows it.
fn deleted_here_in_use_there(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[0u8, 255, 0, 255]]);
    let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    let other = gl.sharing();
    assert!(other.make_current());
    other.delete_texture(texture);
    other.delete_program(program);
    for _ in 0..16 {
        other.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[255u8, 0, 0, 255]]);
    }
    other.finish();
    assert!(gl.make_current());
    gl.clear_all();
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "bound here, deleted there (GL 4.6 §5.1.3)");
}

/// If this fails, games that load in the background show holes or garbage.
fn loader_thread_fills_textures(gl: &Gl) {
    let loader = gl.sharing();
    let textures = thread::scope(|scope| {
        let work = scope.spawn(|| {
            assert!(loader.make_current());
            let names: Vec<u32> = (0..24u8)
                .map(|i| {
                    let texels = vec![[i, 255 - i, 0, 255]; 64 * 64];
                    let name = loader.texture_2d(t::RGBA8, (64, 64), RGBA8, &texels);
                    loader.generate_mipmap(t::TEXTURE_2D);
                    name
                })
                .collect();
            loader.finish();
            loader.expect_no_error("loading");
            loader.release();
            names
        });
        let program = gl.plain_program(COVER, [1.0; 4]);
        while !work.is_finished() {
            gl.set_color(program, [1.0, 0.0, 1.0, 1.0]);
            gl.cover();
            gl.expect_pixel((1, 1), [255, 0, 255, 255], "drawing goes on");
        }
        work.join().unwrap_or_else(|_| panic!("the loader failed"))
    });
    let program = gl.cover_by("uniform sampler2D image;", "result = textureLod(image, vec2(0.5), 6.0);");
    gl.use_program(program);
    for (i, texture) in textures.iter().enumerate() {
        gl.bind_texture(t::TEXTURE_2D, *texture);
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
        gl.cover();
        gl.expect_pixel((9, 9), [i as u8, 255 - i as u8, 0, 255], "texture by texture");
    }
}

/// If this fails, shaders compiled in the background are not usable.
fn programs_linked_on_another_thread(gl: &Gl) {
    let worker = gl.sharing();
    let programs = thread::scope(|scope| {
        let work = scope.spawn(|| {
            assert!(worker.make_current());
            let programs: Vec<u32> = (0..6)
                .map(|i| worker.program(COVER, &format!("#version 330 core\nout vec4 result;\nvoid main() {{ result = vec4({i}.0 / 255.0, 1.0, 0.0, 1.0); }}")))
                .collect();
            worker.flush();
            worker.release();
            programs
        });
        work.join().unwrap_or_else(|_| panic!("the worker failed"))
    });
    for (i, program) in programs.iter().enumerate() {
        gl.use_program(*program);
        gl.cover();
        gl.expect_pixel((9, 9), [i as u8, 255, 0, 255], "program by program");
    }
}

/// If this fails, programs that draw in several threads mix their pictures, or stop.
fn threads_draw_at_the_same_time(gl: &Gl) {
    let others = [gl.sharing(), gl.sharing(), gl.stranger(Wishes::default())];
    let start = Barrier::new(others.len());
    thread::scope(|scope| {
        for (i, other) in others.iter().enumerate() {
            let start = &start;
            scope.spawn(move || {
                assert!(other.make_current());
                let program = other.plain_program(COVER, [0.0; 4]);
                start.wait();
                for round in 0..30u8 {
                    other.set_color(program, [f32::from(round) / 255.0, i as f32 / 255.0, 0.0, 1.0]);
                    other.cover();
                    other.expect_pixel((9, 9), [round, i as u8, 0, 255], "each its own");
                    if round % 10 == 0 {
                        other.swap();
                    }
                }
                other.release();
            });
        }
    });
    assert!(gl.make_current());
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "and this one after them");
}

/// If this fails, programs that hand their context to another thread lose its state.
fn one_context_moves_between_threads(gl: &Gl) {
    let other = gl.stranger(Wishes::default());
    for round in 0..4u8 {
        thread::scope(|scope| {
            let other = &other;
            scope.spawn(move || {
                assert!(other.make_current());
                if round == 0 {
                    other.plain_program(COVER, [0.0, 0.0, 1.0, 1.0]);
                    other.enable(t::SCISSOR_TEST);
                }
                other.scissor(i32::from(round) * 16, 0, 16, 64);
                other.cover();
                other.release();
            });
        });
    }
    assert!(other.make_current());
    other.expect_area((0, 0, 64, 64), [0, 0, 255, 255], "four stripes from four threads");
    assert!(gl.make_current());
}

/// If this fails, one program's libraries delete each other's objects.
fn strangers_share_nothing(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[9u8; 4]]);
    let other = gl.stranger(Wishes::default());
    assert!(other.make_current());
    assert_eq!(other.is_texture(texture), 0);
    let own = other.new_texture();
    assert_eq!(own, texture, "names begin anew in each group");
    other.bind_texture(t::TEXTURE_2D, own);
    other.delete_texture(own);
    assert!(gl.make_current());
    assert_eq!(gl.is_texture(texture), 1);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 1);
    assert_eq!(got, [[9; 4]]);
}

/// If this fails, two threads draw with one context and destroy its state.
fn one_context_is_current_on_one_thread(gl: &Gl) {
    let other = gl.sharing();
    assert!(other.make_current());
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(!other.make_current(), "it is current elsewhere");
            assert_eq!(other.egl().error(), crate::gl::egl::token::BAD_ACCESS);
        });
    });
    other.release();
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(other.make_current(), "released");
            other.release();
        });
    });
    assert!(gl.make_current());
}

/// If this fails, pictures drawn by one window's context are black in another's.
fn drawn_in_one_sampled_in_the_other(gl: &Gl) {
    passed_on(gl, |other| other.finish());
}

/// Draws in another context, eight times, and samples here what it drew before it was `done`.
fn passed_on(gl: &Gl, done: impl Fn(&Gl)) {
    let other = gl.sharing();
    assert!(other.make_current());
    let texture = other.target(t::RGBA8, (8, 8));
    let program = other.plain_program(COVER, [0.0; 4]);
    for round in 0..8u8 {
        assert!(other.make_current());
        other.set_color(program, [f32::from(round) / 255.0, 0.0, 0.0, 1.0]);
        other.cover();
        done(&other);
        assert!(gl.make_current());
        gl.bind_texture(t::TEXTURE_2D, texture);
        gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
        gl.expect_pixel((9, 9), [round, 0, 0, 255], "round by round");
    }
}
