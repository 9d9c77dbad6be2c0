//! What an X server shows, read by a client of its own. Must not know which program or driver drew it.

use std::path::Path;
use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};
use mgl_programs::Result;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat, Window};
use x11rb::rust_connection::RustConnection;

use crate::bad;

/// How long a picture may take to arrive; what hangs takes for ever.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client that looks.
pub struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    /// Looks at the first screen of a display.
    ///
    /// # Errors
    /// When nobody answers there.
    pub fn of(display: &str) -> Result<Self> {
        let (connection, number) = x11rb::connect(Some(display)).map_err(|e| bad(display, e))?;
        let root = connection.setup().roots[number].root;
        Ok(Self { connection, root })
    }

    /// Everything that the screen shows.
    ///
    /// # Errors
    /// When the server refuses or is gone.
    pub fn whole(&self) -> Result<RgbImage> {
        self.picture(self.root)
    }

    /// What a window shows; the parts of it that the screen hides are not defined.
    ///
    /// # Errors
    /// When there is no such window, or it is not shown.
    pub fn picture(&self, window: Window) -> Result<RgbImage> {
        let why = |e: &dyn std::fmt::Display| bad("a window's picture", e);
        let size = self.connection.get_geometry(window).map_err(|e| why(&e))?.reply().map_err(|e| why(&e))?;
        let (width, height) = (size.width, size.height);
        let asked = self.connection.get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, !0);
        let image = asked.map_err(|e| why(&e))?.reply().map_err(|e| why(&e))?;
        let depth = image.depth;
        let bytes = if depth == 16 { 2 } else { 4 };
        let row = (usize::from(width) * bytes).next_multiple_of(4);
        Ok(RgbImage::from_fn(width.into(), height.into(), |x, y| {
            let at = y as usize * row + x as usize * bytes;
            colour(&image.data[at..at + bytes])
        }))
    }

    /// Waits until the middle of the window has the colour, to within `within` per channel, and returns its picture.
    ///
    /// # Errors
    /// When it never has; the message says what it had at last.
    pub fn wait_for(&self, window: Window, wanted: [u8; 3], within: u8) -> Result<RgbImage> {
        self.wait(window, |picture| {
            let middle = middle(picture);
            (0..3)
                .all(|i| middle[i].abs_diff(wanted[i]) <= within)
                .then_some(())
                .ok_or_else(|| format!("the middle of the window is {middle:?}, not {wanted:?}"))
        })
    }

    /// Waits until a picture of the window is as `wanted` says.
    ///
    /// # Errors
    /// The last complaint of `wanted`.
    pub fn wait(
        &self,
        window: Window,
        wanted: impl Fn(&RgbImage) -> std::result::Result<(), String>,
    ) -> Result<RgbImage> {
        let start = Instant::now();
        loop {
            let complaint = match self.picture(window) {
                Ok(picture) => match wanted(&picture) {
                    Ok(()) => return Ok(picture),
                    Err(complaint) => complaint,
                },
                Err(error) => error.to_string(),
            };
            if start.elapsed() > PATIENCE {
                return Err(bad("what the X server shows", complaint));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The colour of a pixel in the layouts of Xvfb's visuals: 565, or 8 bits each with blue first.
fn colour(bytes: &[u8]) -> Rgb<u8> {
    match *bytes {
        [low, high] => {
            let pixel = u16::from_le_bytes([low, high]);
            let part = |shift: u16, bits: u16| ((pixel >> shift & ((1 << bits) - 1)) * 255 / ((1 << bits) - 1)) as u8;
            Rgb([part(11, 5), part(5, 6), part(0, 5)])
        }
        [blue, green, red, ..] => Rgb([red, green, blue]),
        _ => Rgb([0, 0, 0]),
    }
}

/// The pixel in the middle.
pub fn middle(picture: &RgbImage) -> [u8; 3] {
    picture.get_pixel(picture.width() / 2, picture.height() / 2).0
}

/// Keeps a picture for those who look by eye.
///
/// # Errors
/// When it cannot be written.
pub fn keep(picture: &RgbImage, path: &Path) -> Result<()> {
    picture.save(path).map_err(|e| bad(&path.display().to_string(), e))
}

/// How many different colours a picture has, up to `most`.
pub fn colours(picture: &RgbImage, most: usize) -> usize {
    let mut seen = std::collections::BTreeSet::new();
    for pixel in picture.pixels() {
        seen.insert(pixel.0);
        if seen.len() >= most {
            break;
        }
    }
    seen.len()
}
