//! What scenarios require. Must not draw.

use super::tokens as t;
use super::{Data, Gl};

/// The GL name of an error code.
pub fn error_name(code: u32) -> String {
    let known = [
        (t::NO_ERROR, "GL_NO_ERROR"),
        (t::INVALID_ENUM, "GL_INVALID_ENUM"),
        (t::INVALID_VALUE, "GL_INVALID_VALUE"),
        (t::INVALID_OPERATION, "GL_INVALID_OPERATION"),
        (t::INVALID_FRAMEBUFFER_OPERATION, "GL_INVALID_FRAMEBUFFER_OPERATION"),
        (t::OUT_OF_MEMORY, "GL_OUT_OF_MEMORY"),
        (t::CONTEXT_LOST, "GL_CONTEXT_LOST"),
    ];
    known.iter().find(|row| row.0 == code).map_or_else(|| format!("{code:#x}"), |row| row.1.to_owned())
}

fn is_near(got: &[u8], wanted: &[u8], tolerance: u8) -> bool {
    got.iter().zip(wanted).all(|(a, b)| a.abs_diff(*b) <= tolerance)
}

impl Gl {
    /// Requires this error, and takes it.
    #[track_caller]
    pub fn expect_error(&self, wanted: u32, of: &str) {
        let got = self.get_error();
        assert!(got == wanted, "{of}: {} instead of {}", error_name(got), error_name(wanted));
    }

    /// Requires that no error is recorded.
    #[track_caller]
    pub fn expect_no_error(&self, after: &str) {
        self.expect_error(t::NO_ERROR, after);
    }

    /// Requires a pixel of the read framebuffer, within one step per channel: GL leaves rounding open.
    #[track_caller]
    pub fn expect_pixel(&self, at: (i32, i32), wanted: [u8; 4], what: &str) {
        self.expect_pixel_within(at, wanted, 1, what);
    }

    /// Requires a pixel of the read framebuffer within so many steps per channel.
    #[track_caller]
    pub fn expect_pixel_within(&self, at: (i32, i32), wanted: [u8; 4], tolerance: u8, what: &str) {
        let got = self.pixel(at.0, at.1);
        assert!(is_near(&got, &wanted, tolerance), "{what}: the pixel at {at:?} is {got:?}, not {wanted:?}");
    }

    /// Requires every pixel of a rectangle, within one step per channel.
    #[track_caller]
    pub fn expect_area(&self, (x, y, w, h): (i32, i32, i32, i32), wanted: [u8; 4], what: &str) {
        let got = self.pixels(x, y, w, h);
        if let Some(at) = got.iter().position(|pixel| !is_near(pixel, &wanted, 1)) {
            let (column, row) = (x + at as i32 % w, y + at as i32 / w);
            panic!("{what}: the pixel at ({column}, {row}) is {:?}, not {wanted:?}", got[at]);
        }
    }

    /// Requires a complete draw framebuffer.
    #[track_caller]
    pub fn expect_complete(&self, what: &str) {
        let status = self.check_framebuffer_status(t::FRAMEBUFFER);
        assert!(status == t::FRAMEBUFFER_COMPLETE, "{what}: framebuffer status {status:#x}");
    }
}

/// Requires numbers to be near each other.
#[track_caller]
pub fn expect_near(got: &[f32], wanted: &[f32], tolerance: f32, what: &str) {
    let near = got.len() == wanted.len() && got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(near, "{what}: {got:?}, not {wanted:?} (tolerance {tolerance})");
}

/// Requires equal values.
#[track_caller]
pub fn expect_equal<T: Data + PartialEq + std::fmt::Debug>(got: &[T], wanted: &[T], what: &str) {
    if got == wanted {
        return;
    }
    let at = got.iter().zip(wanted).position(|(a, b)| a != b).unwrap_or(got.len().min(wanted.len()));
    let part = |values: &[T]| format!("{:?}", &values[at.min(values.len())..(at + 8).min(values.len())]);
    panic!(
        "{what}: from value {at} on {} instead of {} ({} and {} values)",
        part(got),
        part(wanted),
        got.len(),
        wanted.len()
    );
}
