//! Several threads with contexts of one share group: loaders that hand over by fences, and names that are deleted while
//! another context uses the object (GL 4.6 §5).

use std::sync::mpsc::{Sender, channel};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["share":
    a_loader_hands_over_by_fences,
    flushed_draws_are_seen_elsewhere,
    attached_here_deleted_there,
    four_threads_make_use_and_delete,
];

/// What a loader made: its fence is signalled once it is there.
struct Loaded {
    texture: u32,
    corners: u32,
    fence: usize,
    value: u8,
}

/// Covers the viewport with the first texel of a texture, through the corners of a rectangle in a buffer.
const SHOW: (&str, &str) = (
    "#version 330 core\nlayout(location = 0) in vec2 place;\nvoid main() { gl_Position = vec4(place, 0.0, 1.0); }",
    "#version 330 core\nuniform sampler2D image;\nout vec4 result;\nvoid main() { result = texelFetch(image, ivec2(3), 0); }",
);

const CORNERS: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];

/// Makes a texture and a buffer, and a fence behind both.
fn load(gl: &Gl, value: u8) -> Loaded {
    let texture = gl.texture_2d(t::RGBA8, (32, 32), RGBA8, &vec![[value, 255 - value, 9, 255]; 32 * 32]);
    let corners = gl.buffer_of(t::ARRAY_BUFFER, size_of_val(&CORNERS));
    gl.buffer_sub_data(t::ARRAY_BUFFER, 0, &CORNERS);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    Loaded { texture, corners, fence, value }
}

/// Waits on the server for what was loaded, and draws with it.
fn show(gl: &Gl, loaded: &Loaded) {
    gl.wait_sync(loaded.fence, 0, u64::MAX);
    gl.delete_sync(loaded.fence);
    gl.bind_texture(t::TEXTURE_2D, loaded.texture);
    gl.bind_buffer(t::ARRAY_BUFFER, loaded.corners);
    gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    gl.clear_all();
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_pixel((33, 44), [loaded.value, 255 - loaded.value, 9, 255], "what another thread loaded");
}

/// If this fails, games that load in the background draw holes, or stop until everything is loaded.
fn a_loader_hands_over_by_fences(gl: &Gl) {
    let loader = gl.sharing();
    let (sender, receiver) = channel();
    gl.vertex_array();
    gl.program(SHOW.0, SHOW.1);
    thread::scope(|scope| {
        scope.spawn(|| fill(&loader, sender));
        for loaded in receiver {
            show(gl, &loaded);
            gl.delete_texture(loaded.texture);
            gl.delete_buffer(loaded.corners);
        }
    });
    gl.expect_no_error("drawing while another thread loads");
}

fn fill(loader: &Gl, to: Sender<Loaded>) {
    assert!(loader.make_current());
    for value in 1..=40 {
        assert!(to.send(load(loader, value)).is_ok());
    }
    loader.expect_no_error("loading");
    loader.release();
}

/// If this fails, pictures that one window draws and flushes arrive in another one draw late.
fn flushed_draws_are_seen_elsewhere(gl: &Gl) {
    super::passed_on(gl, |other| other.flush());
}

/// If this fails, a program that frees a texture in its loader takes it from the framebuffer that is drawn to.
fn attached_here_deleted_there(gl: &Gl) {
    let texture = gl.target(t::RGBA8, (64, 64));
    let corners = gl.places(&CORNERS);
    let other = gl.sharing();
    assert!(other.make_current());
    other.delete_texture(texture);
    other.delete_buffer(corners);
    assert_eq!((other.is_texture(texture), other.is_buffer(corners)), (0, 0));
    // New objects take the names; they must not take the places.
    let (again, store) =
        (other.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[9u8; 4]]), other.buffer(t::ARRAY_BUFFER, &[0u8; 4]));
    other.finish();
    assert!(gl.make_current());
    gl.program(SHOW.0, "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(0.0, 1.0, 0.0, 1.0); }");
    gl.expect_complete("still attached (GL 4.6 §5.1.3)");
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "the deleted buffer draws into the deleted texture");
    gl.bind_texture(t::TEXTURE_2D, again);
    assert_eq!(gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 1), [[9; 4]]);
    gl.bind_buffer(t::COPY_READ_BUFFER, store);
    assert_eq!(gl.contents::<u8>(t::COPY_READ_BUFFER, 0, 4), [0; 4]);
    gl.expect_no_error("names that live twice");
}

/// If this fails, programs with many threads crash, mix their objects, or lose them.
fn four_threads_make_use_and_delete(gl: &Gl) {
    let contexts = [gl.sharing(), gl.sharing(), gl.sharing(), gl.sharing()];
    let (pool, start) = (Mutex::new(Vec::new()), Barrier::new(contexts.len()));
    thread::scope(|scope| {
        for (thread, context) in (0u8..).zip(&contexts) {
            let (pool, start) = (&pool, &start);
            scope.spawn(move || work(context, thread, pool, start));
        }
    });
    assert!(gl.make_current());
    gl.vertex_array();
    gl.program(SHOW.0, SHOW.1);
    for loaded in pool.into_inner().unwrap_or_else(PoisonError::into_inner) {
        show(gl, &loaded);
    }
    gl.expect_no_error("what the threads left");
}

const ROUNDS: u8 = 30;

fn work(gl: &Gl, thread: u8, pool: &Mutex<Vec<Loaded>>, start: &Barrier) {
    let lock = || pool.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(gl.make_current());
    gl.vertex_array();
    gl.program(SHOW.0, SHOW.1);
    start.wait();
    for round in 0..ROUNDS {
        let value = thread * 60 + round;
        let loaded = load(gl, value);
        lock().push(loaded);
        // Whatever was put there first, by whichever thread; two are left for others now and then.
        let found = if round % 5 == 4 { None } else { Some(lock().remove(0)) };
        let Some(found) = found else { continue };
        show(gl, &found);
        // Filled anew and deleted while it is bound: the name is free for any thread at once.
        let texels = vec![[value, 1, 2, 255]; 32 * 32];
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 32, 32], RGBA8, Texels::Of(&texels));
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        gl.expect_pixel((5, 5), [value, 1, 2, 255], "what this thread filled");
        gl.delete_texture(found.texture);
        gl.delete_buffer(found.corners);
        if round % 7 == 0 {
            gl.swap();
        }
    }
    gl.expect_no_error("thread by thread");
    gl.release();
}
