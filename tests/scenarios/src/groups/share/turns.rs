//! Two windows that take turns and draw with one object, each after it changed the object, and that read nothing before the
//! end (GL 4.6 §5.3): each draw shows what its own window had set, in whatever process it is executed. Must not know what
//! the objects are.

use crate::gl::{Gl, tokens as t};

/// Draws of each window.
const COLUMNS: i32 = 160;

/// The picture of one window: a column for each of its draws.
pub(super) struct Window<'a> {
    pub(super) gl: &'a Gl,
    wanted: Vec<u8>,
}

impl<'a> Window<'a> {
    /// Makes the window's context current and gives it a picture of its own.
    pub(super) fn open(gl: &'a Gl) -> Self {
        assert!(gl.make_current());
        gl.target(t::RGBA8, (COLUMNS, 3));
        gl.vertex_array();
        gl.enable(t::SCISSOR_TEST);
        Self { gl, wanted: Vec::new() }
    }

    /// Work that keeps whoever executes the commands busy: what follows is still to be done when the other window has its turn.
    fn detain(&self) {
        for at in 0..300 {
            self.gl.scissor(at % COLUMNS, 2, 1, 1);
            self.gl.clear(t::COLOR_BUFFER_BIT);
        }
    }

    /// True while there is room for another draw.
    pub(super) fn has_room(&self) -> bool {
        self.wanted.len() < COLUMNS as usize
    }

    /// `draw` covers the next column with a red of `value`.
    pub(super) fn column(&mut self, value: u8, draw: impl FnOnce(&Gl)) {
        self.gl.scissor(self.wanted.len() as i32, 0, 1, 2);
        draw(self.gl);
        self.wanted.push(value);
    }

    /// Requires each column to be what it was drawn as.
    #[track_caller]
    pub(super) fn expect(&self, what: &str) {
        assert!(self.gl.make_current());
        let got = self.gl.pixels(0, 0, self.wanted.len() as i32, 1);
        let wrong: Vec<_> =
            (0..).zip(got.iter().zip(&self.wanted)).filter(|(_, (a, b))| a[0].abs_diff(**b) > 1).collect();
        assert!(wrong.is_empty(), "{what}: {} of {} columns are wrong, first {:?}", wrong.len(), got.len(), wrong[0]);
        self.gl.expect_no_error(what);
    }
}

/// A reproducible number below `n`.
pub(super) fn random(state: &mut u32, n: u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 16) % n
}

/// `begin` prepares each window, `draw` changes the object to one of the `values` and draws with it. The windows take turns,
/// a few draws each, on one thread.
#[track_caller]
pub(super) fn take_turns(gl: &Gl, what: &str, values: &[u8], begin: impl Fn(&Gl), draw: impl Fn(&Gl, u8)) {
    let other = gl.sharing();
    let mut windows = [Window::open(gl), Window::open(&other)];
    for window in &windows {
        assert!(window.gl.make_current());
        begin(window.gl);
    }
    let (mut state, mut turn) = (12345, 0);
    while windows.iter().all(Window::has_room) {
        let window = &mut windows[turn % 2];
        assert!(window.gl.make_current());
        if turn % 2 == 0 {
            window.detain();
        }
        for _ in 0..=random(&mut state, 6) {
            let value = values[random(&mut state, values.len() as u32) as usize];
            if window.has_room() {
                window.column(value, |gl| draw(gl, value));
            }
        }
        turn += 1;
    }
    windows.iter().for_each(|window| window.expect(what));
    drop(other);
    assert!(gl.make_current());
}
