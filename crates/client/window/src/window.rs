//! What every window system offers to a drawable. Must not know which window systems there are.

use std::fmt::Debug;
use std::sync::Arc;

use mgl_link::segment::Segment;
use mgl_pipe::tokens::PixelLayout;

/// Size in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A rectangle in pixels, `x` and `y` from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left column.
    pub x: u32,
    /// Top row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// How a size is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// From what has come already; never waits.
    Poll,
    /// By asking the window system, which costs a round trip.
    Ask,
}

/// A window that shows nothing any more. Sticky: every later call says the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Gone {
    /// The program destroyed it, or it never was.
    #[error("the window is gone: {0}")]
    Window(String),
    /// The connection to the window system is broken.
    #[error("the window system is gone: {0}")]
    System(String),
    /// The server that draws is gone.
    #[error("the server is gone")]
    Server,
    /// There is no memory for pictures of this size.
    #[error("no memory for a picture of {} by {} pixels", .0.width, .0.height)]
    Memory(Extent),
}

/// Memory in common with the server, and what records call it.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// Number in records.
    pub id: u32,
    /// The memory; its descriptor can be passed to the window system (`None` in a server of this process that has none).
    pub segment: Arc<Segment>,
}

/// Where a window gets memory for its pictures from.
pub trait Memory {
    /// At least `len` bytes; `None` when the server has no more or is gone.
    fn share(&mut self, len: usize) -> Option<Pixels>;
    /// What was shared is not used by the window any more. The server forgets it behind what it was told to write there.
    fn forget(&mut self, id: u32);
}

/// Room for one picture.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Which of the window's slots it is.
    pub index: usize,
    /// The memory.
    pub pixels: Pixels,
    /// First byte of the top row, a multiple of 4096.
    pub offset: u64,
    /// Bytes from row to row, a multiple of 4.
    pub stride: u32,
    /// Size of the picture.
    pub extent: Extent,
    /// How old its content is, in presented pictures; 0 = undefined.
    pub age: u32,
}

/// When the server has finished a picture.
pub trait Ready: Debug + Send + Sync {
    /// True when it has; never waits.
    fn is_done(&self) -> bool;
    /// Waits until it has. An error when the server is gone: the picture must not be shown.
    fn wait(&self) -> Result<(), Gone>;
}

/// A picture on its way to the screen.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Where it lies, or will.
    pub slot: Slot,
    /// When it does.
    pub ready: Arc<dyn Ready>,
    /// What changed since the last one; empty = all of it.
    pub damage: Vec<Rect>,
    /// Least number of screen refreshes from the last picture to this one; 0 = at once; negative = at once only when late.
    pub interval: i32,
    /// Not before this screen refresh (`glXSwapBuffersMscOML`), when it is not 0.
    pub target: Target,
}

/// When a picture shall be shown (GLX_OML_sync_control).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Number of the refresh, 0 = the next one.
    pub msc: u64,
    /// With `remainder`: a refresh whose number leaves it, when `msc` is past; 0 = none.
    pub divisor: u64,
    /// See `divisor`.
    pub remainder: u64,
}

/// Time of the newest refresh (GLX_OML_sync_control).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Microseconds of the system's monotonic clock.
    pub ust: u64,
    /// Refreshes of the screen.
    pub msc: u64,
    /// Pictures of this window that were shown.
    pub sbc: u64,
}

/// What became of a picture (INTEL_swap_event).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Copied into the window.
    Copied,
    /// It became the screen's.
    Flipped,
    /// Exchanged with another one.
    Exchanged,
}

/// A window or pixmap. Used by one thread at a time.
pub trait Window: Debug + Send {
    /// Its size now. The first call asks.
    fn size(&mut self, look: Look) -> Result<Extent, Gone>;

    /// What its pixels look like in memory.
    fn layout(&self) -> PixelLayout;

    /// Room for a picture. Waits while all rooms are on their way to the screen, which bounds how far a program runs ahead; an
    /// unmapped or hidden window is no reason to wait for long.
    fn acquire(&mut self, extent: Extent, memory: &mut dyn Memory) -> Result<Slot, Gone>;

    /// Shows a picture when it is ready and due. Returns before that where the window system allows it.
    fn present(&mut self, frame: Frame) -> Result<(), Gone>;

    /// Gives a room back without showing it (the picture could not be drawn).
    fn cancel(&mut self, slot: Slot);

    /// Waits until everything presented so far has reached the window system.
    fn settle(&mut self) -> Result<(), Gone>;

    /// Pixels of the window or pixmap as the window system has them, rows from the top in `layout`, tight; for drawing on
    /// top of what others drew. `None` where the window system does not tell.
    fn read(&mut self, extent: Extent) -> Result<Option<Vec<u8>>, Gone> {
        let _ = extent;
        Ok(None)
    }

    /// Refreshes so far; `None` where the window system does not count.
    fn times(&mut self) -> Result<Option<Times>, Gone> {
        Ok(None)
    }

    /// Waits until refresh `target` (as in [`Target`]) has come; at once where the window system does not count.
    fn wait_refresh(&mut self, target: Target) -> Result<Option<Times>, Gone> {
        let _ = target;
        self.times()
    }

    /// Waits until `count` pictures (0 = all that were presented) were shown.
    fn wait_shown(&mut self, count: u64) -> Result<Option<Times>, Gone> {
        let _ = count;
        self.settle()?;
        self.times()
    }

    /// Who wants to be told of each picture that was shown (INTEL_swap_event), from a thread of the window's.
    fn on_shown(&mut self, told: Option<Box<dyn FnMut(Times, Shown) + Send>>) {
        let _ = told;
    }

    /// Gives the memory back. Called once, last.
    fn close(&mut self, memory: &mut dyn Memory);
}
