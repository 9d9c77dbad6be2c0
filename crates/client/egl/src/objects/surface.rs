//! Surfaces and what EGL asks about them (EGL 1.5 §3.5). Must not know contexts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use mgl_pipe::format::Format;
use mgl_window::config::PixelConfig;
use mgl_window::drawable::Drawable;
use mgl_window::platform::Wish;
use mgl_window::window::{Extent, Gone, Look};

use crate::attribs::{self, Pair, Shown};
use crate::config::Config;
use crate::error::{Code, EglError, EglResult, fail};
use crate::objects::display::{Display, Handle, mint};
use crate::tokens as t;
use crate::tokens::Int;

/// What a surface stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `eglCreateWindowSurface`.
    Window,
    /// `eglCreatePixmapSurface`.
    Pixmap,
    /// `eglCreatePbufferSurface`, and whether it was to be the largest possible.
    Pbuffer {
        /// `EGL_LARGEST_PBUFFER`.
        largest: bool,
        /// An empty one has one pixel of storage.
        size: (Int, Int),
    },
}

/// A surface. Lives while it is in its display's table or current.
#[derive(Debug)]
pub struct EglSurface {
    /// What both window-system interfaces know of it.
    pub core: Arc<Drawable>,
    /// Its configuration.
    pub config: Config,
    /// What it stands for.
    pub kind: Kind,
    /// The native window or pixmap.
    pub native: Option<usize>,
    asked: Shown,
    /// Screen refreshes from picture to picture.
    pub interval: AtomicI32,
    preserved: AtomicBool,
    /// The damage region was set since the last swap, or the age was not asked for yet (EGL_KHR_partial_update).
    damage: Damage,
}

/// How far a frame has come with its damage region.
#[derive(Debug, Default)]
struct Damage {
    aged: AtomicBool,
    set: AtomicBool,
}

/// With sRGB, colours are kept encoded, and drawing encodes where `GL_FRAMEBUFFER_SRGB` asks for it.
fn stored(pixel: PixelConfig, srgb: bool) -> PixelConfig {
    let color = match pixel.color {
        Format::Rgba8 if srgb => Format::Srgb8Alpha8,
        Format::Rgb8 if srgb => Format::Srgb8,
        other => other,
    };
    PixelConfig { color, ..pixel }
}

impl EglSurface {
    /// `eglCreatePbufferSurface`.
    pub fn pbuffer(display: &'static Display, config: Handle, list: &[Pair]) -> EglResult<Arc<Self>> {
        let config = display.config(config)?;
        let mut asked = attribs::pbuffer(list)?;
        let max = config.max_size;
        if asked.width > max || asked.height > max {
            if !asked.largest {
                return fail(Code::BadAlloc, format!("a pbuffer may be {max} pixels wide and high at most"));
            }
            (asked.width, asked.height) = (asked.width.min(max), asked.height.min(max));
        }
        let side = |n: Int| u32::try_from(n).unwrap_or(0);
        let extent = Extent { width: side(asked.width), height: side(asked.height) };
        let core = Drawable::off_screen(mint(), stored(config.pixel, asked.srgb), extent, display.instance()?);
        let kind = Kind::Pbuffer { largest: asked.largest, size: (asked.width, asked.height) };
        let asked = Shown { srgb: asked.srgb, ..Shown::default() };
        Self::add(
            display,
            Self {
                core,
                config,
                kind,
                native: None,
                asked,
                interval: AtomicI32::new(1),
                preserved: AtomicBool::new(true),
                damage: Damage::default(),
            },
        )
    }

    /// `eglCreateWindowSurface` and `eglCreatePixmapSurface`.
    pub fn shown(
        display: &'static Display,
        config: Handle,
        (kind, native): (Kind, usize),
        list: &[Pair],
    ) -> EglResult<Arc<Self>> {
        let config = display.config(config)?;
        let asked = attribs::shown(list, kind == Kind::Window)?;
        let (bad, bit) = match kind {
            Kind::Window => (Code::BadNativeWindow, t::WINDOW_BIT),
            _ => (Code::BadNativePixmap, t::PIXMAP_BIT),
        };
        let (Some(system), Some(shows)) = (display.system()?, config.native) else {
            return fail(bad, "this display has no windows: only pbuffers, and contexts without a surface");
        };
        if config.attribute(t::SURFACE_TYPE).unwrap_or(0) & bit == 0 {
            return fail(Code::BadMatch, "the configuration is not for such surfaces (EGL_SURFACE_TYPE)");
        }
        if native == 0 {
            return fail(bad, "the native handle is null");
        }
        if display.shows(native)? {
            return fail(Code::BadAlloc, "there is a surface for this window already");
        }
        let wish = Wish { opaque: asked.opaque };
        let make = move || match kind {
            Kind::Window => system.window(native, &shows, wish),
            _ => system.pixmap(native, &shows),
        };
        let told = |gone: Gone| EglError::new(bad, gone.to_string());
        let double_buffer = kind == Kind::Window && !asked.single;
        let pixel = stored(config.pixel, asked.srgb);
        let core = Drawable::shown(mint(), pixel, double_buffer, Box::new(make), display.instance()?).map_err(told)?;
        let native = Some(native);
        Self::add(
            display,
            Self {
                core,
                config,
                kind,
                native,
                asked,
                interval: AtomicI32::new(1),
                preserved: AtomicBool::new(false),
                damage: Damage::default(),
            },
        )
    }

    fn add(display: &'static Display, made: Self) -> EglResult<Arc<Self>> {
        let made = Arc::new(made);
        display.add_surface(made.clone())?;
        Ok(made)
    }

    fn side(&self, of: fn(Extent) -> u32) -> EglResult<Int> {
        let bad = if self.kind == Kind::Window { Code::BadNativeWindow } else { Code::BadNativePixmap };
        let extent = self.core.size(Look::Ask).map_err(|gone| EglError::new(bad, gone.to_string()))?;
        Ok(Int::try_from(of(extent)).unwrap_or(Int::MAX))
    }

    /// `eglQuerySurface`; `None` for what leaves the value alone on surfaces of this kind.
    /// `age` tells how old the content is.
    pub fn query(&self, name: Int, age: impl FnOnce() -> EglResult<u32>) -> EglResult<Option<Int>> {
        let pbuffer = matches!(self.kind, Kind::Pbuffer { .. });
        Ok(Some(match name {
            t::CONFIG_ID => self.config.id,
            t::WIDTH | t::HEIGHT => match (self.kind, name) {
                (Kind::Pbuffer { size, .. }, t::WIDTH) => size.0,
                (Kind::Pbuffer { size, .. }, _) => size.1,
                (_, t::WIDTH) => self.side(|extent| extent.width)?,
                _ => self.side(|extent| extent.height)?,
            },
            t::LARGEST_PBUFFER | t::TEXTURE_FORMAT | t::TEXTURE_TARGET | t::MIPMAP_TEXTURE | t::MIPMAP_LEVEL
                if !pbuffer =>
            {
                return Ok(None);
            }
            t::LARGEST_PBUFFER => Int::from(matches!(self.kind, Kind::Pbuffer { largest: true, .. })),
            t::TEXTURE_FORMAT | t::TEXTURE_TARGET => t::NO_TEXTURE,
            t::MIPMAP_TEXTURE | t::MIPMAP_LEVEL => 0,
            t::RENDER_BUFFER if pbuffer || self.core.double_buffer() => t::BACK_BUFFER,
            t::RENDER_BUFFER => t::SINGLE_BUFFER,
            t::SWAP_BEHAVIOR if self.preserved.load(Ordering::Relaxed) => t::BUFFER_PRESERVED,
            t::SWAP_BEHAVIOR => t::BUFFER_DESTROYED,
            t::MULTISAMPLE_RESOLVE => t::MULTISAMPLE_RESOLVE_DEFAULT,
            t::GL_COLORSPACE if self.asked.srgb => t::GL_COLORSPACE_SRGB,
            t::GL_COLORSPACE | t::VG_COLORSPACE => t::GL_COLORSPACE_LINEAR,
            t::VG_ALPHA_FORMAT => t::VG_ALPHA_FORMAT_NONPRE,
            t::HORIZONTAL_RESOLUTION | t::VERTICAL_RESOLUTION | t::PIXEL_ASPECT_RATIO => t::UNKNOWN,
            t::BUFFER_AGE_EXT => {
                self.damage.aged.store(true, Ordering::Relaxed);
                Int::try_from(age()?).unwrap_or(0)
            }
            t::PRESENT_OPAQUE_EXT => Int::from(self.asked.opaque),
            _ => return fail(Code::BadAttribute, format!("surface attribute 0x{name:04X} is not known")),
        }))
    }

    /// `eglSetDamageRegionKHR`: once per frame, and after the age was asked for.
    pub fn claim_damage(&self) -> EglResult<()> {
        if !self.damage.aged.load(Ordering::Relaxed) || self.damage.set.swap(true, Ordering::Relaxed) {
            return fail(Code::BadAccess, "the age was not asked for in this frame, or the region is set already");
        }
        Ok(())
    }

    /// A new frame begins.
    pub fn forget_damage(&self) {
        self.damage.aged.store(false, Ordering::Relaxed);
        self.damage.set.store(false, Ordering::Relaxed);
    }

    /// `eglSurfaceAttrib`. Every surface keeps its content when it is swapped, whatever was asked for.
    pub fn set(&self, name: Int, value: Int) -> EglResult<()> {
        match (name, value) {
            (t::MIPMAP_LEVEL, _) => Ok(()),
            (t::MULTISAMPLE_RESOLVE, t::MULTISAMPLE_RESOLVE_DEFAULT) => Ok(()),
            (t::SWAP_BEHAVIOR, t::BUFFER_PRESERVED | t::BUFFER_DESTROYED) => {
                self.preserved.store(value == t::BUFFER_PRESERVED, Ordering::Relaxed);
                Ok(())
            }
            (t::MULTISAMPLE_RESOLVE, _) => fail(Code::BadMatch, "the configuration has no box-filter resolve"),
            _ => fail(Code::BadAttribute, format!("surface attribute 0x{name:04X} cannot be set to {value}")),
        }
    }
}
