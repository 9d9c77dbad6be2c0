//! Pbuffer surfaces and what EGL asks about them (EGL 1.5 §3.5). Must not know contexts.

use std::sync::Arc;

use mgl_window::drawable::Drawable;
use mgl_window::window::Extent;

use crate::attribs::{self, Pair, Pbuffer};
use crate::config::Config;
use crate::error::{Code, EglResult, fail};
use crate::objects::display::{Display, Handle, mint};
use crate::tokens as t;
use crate::tokens::Int;

/// A surface. Lives while it is in its display's table or current.
#[derive(Debug)]
pub struct EglSurface {
    /// What both window-system interfaces know of it.
    pub core: Arc<Drawable>,
    /// Its configuration.
    pub config: Config,
    asked: Pbuffer,
}

impl EglSurface {
    /// `eglCreatePbufferSurface`.
    pub fn create(display: &'static Display, config: Handle, list: &[Pair]) -> EglResult<Arc<Self>> {
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
        let core = Drawable::off_screen(mint(), config.pixel, extent, display.instance()?);
        let made = Arc::new(Self { core, config, asked });
        display.add_surface(made.clone())?;
        Ok(made)
    }

    /// `eglQuerySurface`; `None` for attributes that leave the value alone on pbuffers.
    pub fn query(&self, name: Int) -> EglResult<Int> {
        Ok(match name {
            t::CONFIG_ID => self.config.id,
            t::WIDTH => self.asked.width,
            t::HEIGHT => self.asked.height,
            t::LARGEST_PBUFFER => Int::from(self.asked.largest),
            t::TEXTURE_FORMAT | t::TEXTURE_TARGET => t::NO_TEXTURE,
            t::MIPMAP_TEXTURE | t::MIPMAP_LEVEL => 0,
            t::RENDER_BUFFER => t::BACK_BUFFER,
            t::SWAP_BEHAVIOR => t::BUFFER_PRESERVED,
            t::MULTISAMPLE_RESOLVE => t::MULTISAMPLE_RESOLVE_DEFAULT,
            t::GL_COLORSPACE | t::VG_COLORSPACE => t::GL_COLORSPACE_LINEAR,
            t::VG_ALPHA_FORMAT => t::VG_ALPHA_FORMAT_NONPRE,
            t::HORIZONTAL_RESOLUTION | t::VERTICAL_RESOLUTION | t::PIXEL_ASPECT_RATIO => t::UNKNOWN,
            _ => return fail(Code::BadAttribute, format!("surface attribute 0x{name:04X} is not known")),
        })
    }

    /// `eglSurfaceAttrib`: what can be set on a pbuffer already has its only value.
    pub fn set(&self, name: Int, value: Int) -> EglResult<()> {
        match (name, value) {
            (t::MIPMAP_LEVEL, _) => Ok(()),
            (t::MULTISAMPLE_RESOLVE, t::MULTISAMPLE_RESOLVE_DEFAULT) => Ok(()),
            (t::SWAP_BEHAVIOR, t::BUFFER_PRESERVED | t::BUFFER_DESTROYED) => Ok(()),
            (t::MULTISAMPLE_RESOLVE, _) => fail(Code::BadMatch, "the configuration has no box-filter resolve"),
            _ => fail(Code::BadAttribute, format!("surface attribute 0x{name:04X} cannot be set to {value}")),
        }
    }
}
