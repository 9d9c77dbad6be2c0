//! An X server as programs' displays name it: what it has, and drawables on it. Must not know pictures.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use mgl_link::segment::Segment;
use mgl_pipe::tokens::PixelLayout;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::errors::ReplyError;
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ConnectionExt as _, CreateGCAux, EventMask, ImageFormat, MapState, WindowClass,
};

use super::core::{Core, Parts};
use super::errors::{Trouble, words};
use super::visuals::{Class, Images, Visual, usual_masks, visuals};
use super::ways::{Offer, Way};
use super::window::Drawable;
use super::wire::{Wire, locked};
use super::{events, present};
use crate::window::{Extent, Gone, Window};

/// Where the server does not say how often a screen is refreshed.
const USUAL_PERIOD: Duration = Duration::from_nanos(16_666_667);

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Its root window.
    pub root: u32,
    /// Visual of the root window.
    pub visual: u32,
    /// Size.
    pub extent: Extent,
}

/// What a drawable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// A window; else a pixmap.
    pub is_window: bool,
    /// Of a window: its visual.
    pub visual: Option<u32>,
    /// Bits of a pixel that mean something.
    pub depth: u8,
    /// Size.
    pub extent: Extent,
    /// Root window of its screen.
    pub root: u32,
    /// Of a window: it and all around it are mapped.
    pub viewable: bool,
}

/// A connection of our own to the X server of a display, shared by its windows.
#[derive(Debug)]
pub struct System {
    wire: Arc<Wire>,
    visuals: Vec<Visual>,
    images: Images,
    way: Way,
    chosen: String,
    /// Time from refresh to refresh, where Present does not count them.
    period: Duration,
    events: Mutex<Option<JoinHandle<()>>>,
}

impl System {
    /// Connects to the display of that name (`:0`, `host:1.0`, `unix:/path`), or to that of `DISPLAY`.
    ///
    /// # Errors
    /// There is no such server, it turns us away, or it has not what `MOBILEGL_PRESENT` asks for.
    pub fn open(display_name: Option<&str>) -> Result<Arc<Self>, Gone> {
        Self::open_with(display_name, mgl_link::settings::text("MOBILEGL_PRESENT").as_deref())
    }

    /// The same with what `MOBILEGL_PRESENT` would say.
    ///
    /// # Errors
    /// See [`System::open`].
    pub fn open_with(display_name: Option<&str>, wanted: Option<&str>) -> Result<Arc<Self>, Gone> {
        let wire = Arc::new(Wire::open(display_name)?);
        let offer = offer(&wire).map_err(|trouble| trouble.of(0))?;
        let (way, chosen) = offer.choose(wanted).map_err(Gone::System)?;
        let period = if way.present { USUAL_PERIOD } else { period(&wire) };
        let (visuals, images) = (visuals(wire.conn.setup()), Images::of(wire.conn.setup()));
        let shared = wire.clone();
        let thread = std::thread::Builder::new().name("mgl-x11".into()).spawn(move || events::run(&shared));
        let thread = thread.map_err(|error| Gone::System(format!("no thread for events of X11: {error}")))?;
        Ok(Arc::new(Self { wire, visuals, images, way, chosen, period, events: Mutex::new(Some(thread)) }))
    }

    /// Every visual that can have a config, of all screens.
    pub fn visuals(&self) -> &[Visual] {
        &self.visuals
    }

    /// The visual of that identifier.
    pub fn visual(&self, id: u32) -> Option<&Visual> {
        self.visuals.iter().find(|visual| visual.id == id)
    }

    /// The screens, in order.
    pub fn screens(&self) -> Vec<Screen> {
        let of = |root: &x11rb::protocol::xproto::Screen| Screen {
            root: root.root,
            visual: root.root_visual,
            extent: Extent { width: root.width_in_pixels.into(), height: root.height_in_pixels.into() },
        };
        self.wire.conn.setup().roots.iter().map(of).collect()
    }

    /// The screen that the display's name says.
    pub fn default_screen(&self) -> usize {
        self.wire.screen
    }

    /// Layout of pixels of a visual; `None`: it cannot be presented to.
    pub fn layout_of(&self, visual: &Visual) -> Option<PixelLayout> {
        self.images.layout(visual.depth, visual.masks)
    }

    /// Layout of pixels of pixmaps of a depth: that of the first visual that has it.
    pub fn layout_of_depth(&self, depth: u8) -> Option<PixelLayout> {
        let of_visual = |visual: &&Visual| visual.depth == depth && visual.class == Class::TrueColor;
        let masks = self.visuals.iter().find(of_visual).map(|visual| visual.masks).or_else(|| usual_masks(depth))?;
        self.images.layout(depth, masks)
    }

    /// How pictures get to the server, and why so, in words.
    pub fn chosen(&self) -> String {
        self.chosen.clone()
    }

    /// The way that pictures take.
    pub fn way(&self) -> Way {
        self.way
    }

    /// Time from refresh to refresh of the screen, as far as the server says.
    pub fn period(&self) -> Duration {
        self.period
    }

    /// Sends an event to whoever made the window: the program.
    pub fn send(&self, window: u32, event: [u8; 32]) {
        if let Ok(sent) = self.wire.conn.send_event(false, window, EventMask::NO_EVENT, event) {
            sent.ignore_error();
        }
        let _ = self.wire.conn.flush();
    }

    /// An error when the connection is broken.
    ///
    /// # Errors
    /// [`Gone::System`].
    pub fn check(&self) -> Result<(), Gone> {
        self.wire.lost().map_or(Ok(()), Err)
    }

    /// What a drawable is, by two round trips at once.
    ///
    /// # Errors
    /// There is none of that identifier.
    pub fn inspect(&self, xid: u32) -> Result<Inspected, Gone> {
        self.check()?;
        self.ask(xid).map_err(|trouble| trouble.of(xid))
    }

    fn ask(&self, xid: u32) -> Result<Inspected, Trouble> {
        let conn = &self.wire.conn;
        let geometry = conn.get_geometry(xid)?;
        let attributes = conn.get_window_attributes(xid)?;
        let geometry = geometry.reply()?;
        let attributes = match attributes.reply().map_err(Trouble::from) {
            Ok(attributes) => Some(attributes),
            // A drawable without attributes is a pixmap.
            Err(Trouble::Refused(_)) => None,
            Err(broken) => return Err(broken),
        };
        let drawn_to = |class| class == WindowClass::INPUT_OUTPUT;
        Ok(Inspected {
            is_window: attributes.is_some(),
            visual: attributes.as_ref().filter(|window| drawn_to(window.class)).map(|window| window.visual),
            depth: geometry.depth,
            extent: Extent { width: geometry.width.into(), height: geometry.height.into() },
            root: geometry.root,
            viewable: attributes.is_some_and(|window| window.map_state == MapState::VIEWABLE),
        })
    }

    /// The program's window of that identifier, which must have reached the server.
    ///
    /// # Errors
    /// [`Gone::Window`]: there is none, or it cannot be drawn to.
    pub fn window(self: &Arc<Self>, xid: u32) -> Result<Box<dyn Window>, Gone> {
        self.find_window(xid, |layout| layout)
    }

    /// The same, and nothing behind it is seen through what is drawn, whatever its alpha.
    ///
    /// # Errors
    /// As [`System::window`].
    pub fn opaque_window(self: &Arc<Self>, xid: u32) -> Result<Box<dyn Window>, Gone> {
        self.find_window(xid, PixelLayout::opaque)
    }

    fn find_window(
        self: &Arc<Self>,
        xid: u32,
        as_wished: fn(PixelLayout) -> PixelLayout,
    ) -> Result<Box<dyn Window>, Gone> {
        self.check()?;
        // Selected before its size is asked for: no change gets lost between the two. It is our own mask, not the program's.
        let events = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
        let selected = self.wire.conn.change_window_attributes(xid, &events).map_err(Trouble::from);
        selected.map_err(|trouble| trouble.of(xid))?.ignore_error();
        let found = self.inspect(xid)?;
        let Some(visual) = found.visual.filter(|_| found.is_window) else {
            return Err(Gone::Window(format!("{xid:#x} is no window with pixels")));
        };
        let layout = self.visual(visual).and_then(|visual| self.layout_of(visual));
        let Some(layout) = layout else {
            return Err(Gone::Window(format!("pixels of visual {visual:#x} of window {xid:#x} cannot be written")));
        };
        self.drawable(xid, found, as_wished(layout))
    }

    /// The program's pixmap of that identifier, which must have reached the server.
    ///
    /// # Errors
    /// [`Gone::Window`]: there is none, or it cannot be drawn to.
    pub fn pixmap(self: &Arc<Self>, xid: u32) -> Result<Box<dyn Window>, Gone> {
        let found = self.inspect(xid)?;
        if found.is_window {
            return Err(Gone::Window(format!("{xid:#x} is a window, no pixmap")));
        }
        let Some(layout) = self.layout_of_depth(found.depth) else {
            return Err(Gone::Window(format!("pixels of pixmap {xid:#x} of depth {} cannot be written", found.depth)));
        };
        self.drawable(xid, found, layout)
    }

    fn drawable(self: &Arc<Self>, xid: u32, found: Inspected, layout: PixelLayout) -> Result<Box<dyn Window>, Gone> {
        let made = || -> Result<(u32, Option<u32>), Trouble> {
            let gc = self.wire.conn.generate_id()?;
            let aux = CreateGCAux::new().graphics_exposures(0);
            self.wire.conn.create_gc(gc, xid, &aux)?.check()?;
            let wish = (found.is_window && self.way.present).then(|| present::select(&self.wire, xid)).transpose()?;
            Ok((gc, wish))
        };
        let (gc, wish) = made().map_err(|trouble| trouble.of(xid))?;
        let core = Core::new(Parts {
            wire: self.wire.clone(),
            xid,
            is_window: found.is_window,
            depth: found.depth,
            layout,
            way: self.way,
            period: self.period,
            gc,
            wish,
            extent: found.extent,
            mapped: found.viewable,
        });
        self.wire.enter(&core);
        Ok(Box::new(Drawable::new(self.clone(), core)))
    }
}

impl Drop for System {
    fn drop(&mut self) {
        self.wire.conn.stream().shut();
        let Some(thread) = locked(&self.events).take() else { return };
        // A program may let go of its display in what is called from that thread.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}

/// What the server has of what ways need.
fn offer(wire: &Wire) -> Result<Offer, Trouble> {
    let present = present::offered(wire)?;
    if !wire.conn.stream().passes_descriptors() {
        let why = Err("the X server is on another machine".to_owned());
        return Ok(Offer { segments: why.clone(), shared_pixmaps: why, present });
    }
    if wire.conn.extension_information(shm::X11_EXTENSION_NAME).map_err(Trouble::from)?.is_none() {
        let why = Err("the X server has no MIT-SHM".to_owned());
        return Ok(Offer { segments: why.clone(), shared_pixmaps: why, present });
    }
    let version = wire.conn.shm_query_version()?.reply()?;
    if (version.major_version, version.minor_version) < (1, 2) {
        let why = Err(format!("MIT-SHM {}.{} takes no descriptors", version.major_version, version.minor_version));
        return Ok(Offer { segments: why.clone(), shared_pixmaps: why, present });
    }
    let with_pixmaps = version.shared_pixmaps && version.pixmap_format == u8::from(ImageFormat::Z_PIXMAP);
    let (segments, pixmaps) = try_segment(wire, with_pixmaps)?;
    let shared_pixmaps = if with_pixmaps { pixmaps } else { Err("the X server has no shared pixmaps".to_owned()) };
    Ok(Offer { segments, shared_pixmaps, present })
}

/// Time from refresh to refresh of the screen, as RandR knows it.
fn period(wire: &Wire) -> Duration {
    let asked = || -> Result<Option<u16>, Trouble> {
        if wire.conn.extension_information(randr::X11_EXTENSION_NAME).map_err(Trouble::from)?.is_none() {
            return Ok(None);
        }
        let version = wire.conn.randr_query_version(1, 1)?;
        let Some(screen) = wire.conn.setup().roots.get(wire.screen) else { return Ok(None) };
        let known = wire.conn.randr_get_screen_info(screen.root)?;
        version.reply()?;
        Ok(Some(known.reply()?.rate).filter(|rate| *rate > 0))
    };
    match asked() {
        Ok(Some(rate)) => Duration::from_secs(1) / u32::from(rate),
        _ => USUAL_PERIOD,
    }
}

/// What a try came to: why not, when nothing came of it.
type Tried = Result<(), String>;

/// Tries memory in common once, and a pixmap in it: a server that is reached through a relay, or that is confined, refuses them.
fn try_segment(wire: &Wire, with_pixmaps: bool) -> Result<(Tried, Tried), Trouble> {
    let no_descriptor = || Err("no descriptor is left for memory in common".to_owned());
    let made = Segment::shared(4096).ok();
    let Some(fd) = made.as_ref().and_then(Segment::descriptor).and_then(|fd| fd.try_clone_to_owned().ok()) else {
        return Ok((no_descriptor(), no_descriptor()));
    };
    let conn = &wire.conn;
    let segment = conn.generate_id()?;
    if let Err(why) = refused(conn.shm_attach_fd(segment, fd, false)?.check(), "memory in common")? {
        return Ok((Err(why.clone()), Err(why)));
    }
    let mut pixmaps = Ok(());
    if let Some(root) = conn.setup().roots.get(wire.screen).filter(|_| with_pixmaps) {
        let pixmap = conn.generate_id()?;
        let tried = conn.shm_create_pixmap(pixmap, root.root, 1, 1, root.root_depth, segment, 0)?.check();
        pixmaps = refused(tried, "pixmaps in common")?;
        if pixmaps.is_ok() {
            conn.free_pixmap(pixmap)?;
        }
    }
    conn.shm_detach(segment)?;
    Ok((Ok(()), pixmaps))
}

/// What a refusal means in words; an error only when the connection is broken.
fn refused(tried: Result<(), ReplyError>, what: &str) -> Result<Tried, Trouble> {
    match tried.map_err(Trouble::from) {
        Ok(()) => Ok(Ok(())),
        Err(Trouble::Refused(error)) => Ok(Err(format!("the X server refuses {what} ({})", words(&error)))),
        Err(broken) => Err(broken),
    }
}
