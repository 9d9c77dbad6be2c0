//! Drawables: windows, pixmaps and pbuffers, and what programs ask about them (GLX 1.4 §3.3.4 to §3.3.6). Must not know threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use mgl_window::drawable::Drawable;
use mgl_window::window::{Extent, Look};

use crate::choose::Pair;
use crate::config::Config;
use crate::error::{Code, GlxError, GlxResult, fail};
use crate::objects::display::{self, Display};
use crate::tokens as t;
use crate::tokens::Int;

/// What a drawable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A window of the program that was made current by its own identifier.
    Plain,
    /// `glXCreateWindow`.
    Window,
    /// `glXCreatePixmap`, `glXCreateGLXPixmap`.
    Pixmap,
    /// `glXCreatePbuffer`.
    Pbuffer,
}

/// Attributes of a pbuffer or pixmap as the program gave them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Columns.
    pub width: Int,
    /// Rows.
    pub height: Int,
    /// `GLX_LARGEST_PBUFFER`.
    pub largest: bool,
    /// `GLX_PRESERVED_CONTENTS`.
    pub preserved: bool,
    /// `GLX_TEXTURE_FORMAT_EXT`, 0 = not given.
    pub format: Int,
    /// `GLX_TEXTURE_TARGET_EXT`, 0 = not given.
    pub target: Int,
    /// `GLX_MIPMAP_TEXTURE_EXT`.
    pub mipmap: bool,
}

/// A drawable. Lives while it is in its display's table or current.
#[derive(Debug)]
pub struct GlxDrawable {
    /// The program's identifier.
    pub xid: u32,
    /// The window or pixmap behind it; the same as `xid` of plain windows, 0 of pbuffers.
    pub target: u32,
    /// What it is.
    pub kind: Kind,
    /// Its configuration.
    pub config: Config,
    /// What both window-system interfaces know of it.
    pub core: Arc<Drawable>,
    /// What it was made with.
    pub asked: Asked,
    /// Refreshes from picture to picture (`glXSwapIntervalEXT`); negative = late ones at once.
    pub interval: AtomicI32,
    /// Events that the program selected.
    pub events: AtomicU64,
}

/// Reads the list of `glXCreatePbuffer` or `glXCreatePixmap`.
pub fn read(kind: Kind, list: &[Pair]) -> GlxResult<Asked> {
    let mut asked = Asked::default();
    for (name, value) in list.iter().copied() {
        match (kind, name) {
            (Kind::Pbuffer, t::PBUFFER_WIDTH | t::WIDTH) => asked.width = value,
            (Kind::Pbuffer, t::PBUFFER_HEIGHT | t::HEIGHT) => asked.height = value,
            (Kind::Pbuffer, t::LARGEST_PBUFFER) => asked.largest = value != 0,
            (Kind::Pbuffer, t::PRESERVED_CONTENTS) => asked.preserved = value != 0,
            (Kind::Pixmap, t::TEXTURE_FORMAT_EXT) => asked.format = value,
            (Kind::Pixmap, t::TEXTURE_TARGET_EXT) => asked.target = value,
            (Kind::Pixmap, t::MIPMAP_TEXTURE_EXT) => asked.mipmap = value != 0,
            // Attributes that are not known are none of these lists' errors (GLX 1.4 §3.3.4: none is defined).
            _ => tracing::info!("drawable attribute 0x{name:04X} = {value} is not known and ignored"),
        }
    }
    if asked.width < 0 || asked.height < 0 {
        return fail(Code::BAD_VALUE, asked.width as usize, "a pbuffer has no negative size");
    }
    Ok(asked)
}

impl GlxDrawable {
    fn new(kind: Kind, (xid, target): (u32, u32), config: &Config, core: Arc<Drawable>, asked: Asked) -> Arc<Self> {
        let (interval, events) = (AtomicI32::new(first_interval()), AtomicU64::new(0));
        Arc::new(Self { xid, target, kind, config: config.clone(), core, asked, interval, events })
    }

    /// A window of the program. What it asked for before has reached the server.
    pub fn on_window(display: &Display, kind: Kind, ids: (u32, u32), config: &Config) -> GlxResult<Arc<Self>> {
        let bad = if kind == Kind::Plain { Code::GLX_BAD_DRAWABLE } else { Code::BAD_WINDOW };
        let target = ids.1;
        let refused = |gone: mgl_window::window::Gone| GlxError::new(bad, target as usize, gone.to_string());
        let found = display.system.inspect(target).map_err(refused)?;
        let visual = found.visual.and_then(|id| display.system.visual(id));
        if !found.is_window {
            return fail(bad, target as usize, format!("{target:#x} is no window"));
        }
        if !visual.is_some_and(|visual| config.fits(visual)) {
            let what = format!("window {target:#x} has another visual than the configuration's");
            return fail(Code::BAD_MATCH, target as usize, what);
        }
        let system = display.system.clone();
        let make = Box::new(move || system.window(target));
        let core =
            Drawable::shown(ids.0 as usize, config.pixel, config.double, make, display::connect()?).map_err(refused)?;
        Ok(Self::new(kind, ids, config, core, Asked::default()))
    }

    /// A pixmap of the program.
    pub fn on_pixmap(display: &Display, ids: (u32, u32), config: &Config, asked: Asked) -> GlxResult<Arc<Self>> {
        let target = ids.1;
        let refused =
            |gone: mgl_window::window::Gone| GlxError::new(Code::BAD_PIXMAP, target as usize, gone.to_string());
        let found = display.system.inspect(target).map_err(refused)?;
        if found.is_window {
            return fail(Code::BAD_PIXMAP, target as usize, format!("{target:#x} is a window, no pixmap"));
        }
        if config.visual.is_none_or(|visual| visual.depth != found.depth) {
            let what = format!("pixmap {target:#x} has another depth than the configuration's visual");
            return fail(Code::BAD_MATCH, target as usize, what);
        }
        let system = display.system.clone();
        let make = Box::new(move || system.pixmap(target));
        // A pixmap has one buffer, whatever the configuration says (GLX 1.4 §3.3.5).
        let core = Drawable::shown(ids.0 as usize, config.pixel, false, make, display::connect()?).map_err(refused)?;
        Ok(Self::new(Kind::Pixmap, ids, config, core, asked))
    }

    /// A pbuffer.
    pub fn pbuffer(xid: u32, config: &Config, mut asked: Asked) -> GlxResult<Arc<Self>> {
        let most = config.max_size;
        if asked.width > most || asked.height > most {
            if !asked.largest {
                return fail(Code::BAD_ALLOC, 0, format!("a pbuffer may be {most} pixels wide and high at most"));
            }
            (asked.width, asked.height) = (asked.width.min(most), asked.height.min(most));
        }
        let side = |length: Int| u32::try_from(length).unwrap_or(0);
        let extent = Extent { width: side(asked.width), height: side(asked.height) };
        let core = Drawable::off_screen(xid as usize, config.pixel, extent, display::connect()?);
        Ok(Self::new(Kind::Pbuffer, (xid, 0), config, core, asked))
    }

    /// A window by its own identifier.
    pub fn is_plain(&self) -> bool {
        self.kind == Kind::Plain
    }

    /// Width and height in pixels.
    fn size(&self) -> GlxResult<(Int, Int)> {
        if self.kind == Kind::Pbuffer {
            return Ok((self.asked.width, self.asked.height));
        }
        let side = |length: u32| Int::try_from(length).unwrap_or(Int::MAX);
        match self.core.size(Look::Ask) {
            Ok(extent) => Ok((side(extent.width), side(extent.height))),
            Err(gone) => fail(Code::GLX_BAD_DRAWABLE, self.xid as usize, gone.to_string()),
        }
    }

    /// `glXQueryDrawable`; `None` for what this drawable has no value of.
    pub fn query(&self, name: Int) -> GlxResult<Option<Int>> {
        let pbuffer = self.kind == Kind::Pbuffer;
        Ok(Some(match name {
            t::WIDTH => self.size()?.0,
            t::HEIGHT => self.size()?.1,
            t::FBCONFIG_ID => self.config.id,
            t::LARGEST_PBUFFER if pbuffer => Int::from(self.asked.largest),
            t::PRESERVED_CONTENTS if pbuffer => t::TRUE,
            t::EVENT_MASK => Int::try_from(self.events.load(Ordering::Relaxed)).unwrap_or(0),
            t::Y_INVERTED_EXT => t::TRUE,
            t::TEXTURE_FORMAT_EXT if self.kind == Kind::Pixmap => self.texture_format(),
            t::TEXTURE_TARGET_EXT if self.kind == Kind::Pixmap => self.texture_target(),
            t::MIPMAP_TEXTURE_EXT if self.kind == Kind::Pixmap => Int::from(self.asked.mipmap),
            t::SWAP_INTERVAL_EXT => self.interval.load(Ordering::Relaxed).abs(),
            t::LATE_SWAPS_TEAR_EXT => Int::from(self.interval.load(Ordering::Relaxed) < 0),
            t::MAX_SWAP_INTERVAL_EXT => MAX_INTERVAL,
            t::SCREEN => Int::try_from(self.config.screen).unwrap_or(0),
            _ => return Ok(None),
        }))
    }

    /// `GLX_TEXTURE_FORMAT_EXT`: without a word of the program's there is none.
    pub fn texture_format(&self) -> Int {
        if self.asked.format == 0 { t::TEXTURE_FORMAT_NONE_EXT } else { self.asked.format }
    }

    /// `GLX_TEXTURE_TARGET_EXT`: two dimensions unless told otherwise.
    pub fn texture_target(&self) -> Int {
        if self.asked.target == 0 { t::TEXTURE_2D_EXT } else { self.asked.target }
    }
}

/// `GLX_MAX_SWAP_INTERVAL_EXT`.
pub const MAX_INTERVAL: Int = 1000;

/// Swaps wait for one refresh unless the program says otherwise (GLX_EXT_swap_control), or the person (`vblank_mode=0`, the
/// name under which other drivers know it).
fn first_interval() -> i32 {
    let never = std::env::var_os("vblank_mode").is_some_and(|mode| mode == "0");
    i32::from(!never)
}

#[cfg(test)]
mod tests {
    use super::{Kind, read};
    use crate::error::Code;
    use crate::tokens as t;

    // A negative size would become a huge allocation; attributes of one kind of drawable mean nothing on another.
    #[test]
    fn lists_are_proven() {
        let asked = read(Kind::Pbuffer, &[(t::PBUFFER_WIDTH, 4), (t::PBUFFER_HEIGHT, 5), (t::LARGEST_PBUFFER, 1)]);
        let asked = asked.expect("valid");
        assert_eq!((asked.width, asked.height, asked.largest), (4, 5, true));
        assert_eq!(read(Kind::Pbuffer, &[(t::PBUFFER_WIDTH, -1)]).map_err(|e| e.code), Err(Code::BAD_VALUE));
        let pixmap = [(t::TEXTURE_FORMAT_EXT, t::TEXTURE_FORMAT_RGB_EXT), (t::PBUFFER_WIDTH, 4)];
        let asked = read(Kind::Pixmap, &pixmap).expect("valid");
        assert_eq!((asked.format, asked.width), (t::TEXTURE_FORMAT_RGB_EXT, 0));
    }
}
