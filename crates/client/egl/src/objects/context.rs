//! EGL contexts and what EGL asks about them (EGL 1.5 §3.7). Must not know threads.

use std::sync::Arc;

use mgl_gl::get::version;
use mgl_window::context::{Api, Context, Owner};

use crate::attribs::{self, Pair};
use crate::config::Config;
use crate::error::{Code, EglResult, fail};
use crate::gl;
use crate::objects::display::{Display, Handle, mint};
use crate::tokens as t;
use crate::tokens::Int;

/// A context. Lives while it is in its display's table or current to a thread.
#[derive(Debug)]
pub struct EglContext {
    /// What both window-system interfaces know of it.
    pub core: Arc<Context>,
    /// Configuration, `None` with `EGL_KHR_no_config_context`.
    pub config: Option<Config>,
}

impl EglContext {
    /// `eglCreateContext`.
    pub fn create(display: &'static Display, config: Handle, share: Handle, list: &[Pair]) -> EglResult<Arc<Self>> {
        display.ready()?;
        let config = if config == 0 { None } else { Some(display.config(config)?) };
        let instance = display.instance()?;
        let mut desc = attribs::context(list, version::newest(&instance.caps))?;
        let other = if share == 0 { None } else { Some(display.context(share)?) };
        if let Some(other) = &other {
            if other.core.instance.is_lost() {
                return fail(Code::ContextLost, "the server of the context to share with is gone");
            }
            desc.share = Some(other.core.cell.share_group());
        }
        let gl = gl::new_context(&instance, desc)?;
        let owner = Owner { api: Api::Egl, display: display.handle() };
        let pixel = config.as_ref().map(|c| c.pixel);
        let core = Context::new((mint(), owner), pixel, instance, gl, other.as_deref().map(|o| &*o.core));
        let made = Arc::new(Self { core, config });
        display.add_context(made.clone())?;
        Ok(made)
    }

    /// `eglQueryContext`.
    pub fn query(&self, name: Int, surfaceless: bool) -> EglResult<Int> {
        Ok(match name {
            t::CONFIG_ID => self.config.as_ref().map_or(0, |c| c.id),
            t::CONTEXT_CLIENT_TYPE => t::OPENGL_API as Int,
            t::CONTEXT_MAJOR_VERSION => version::newest(&self.core.instance.caps).0 as Int,
            t::RENDER_BUFFER if surfaceless => t::NONE,
            t::RENDER_BUFFER => t::BACK_BUFFER,
            _ => return fail(Code::BadAttribute, format!("context attribute 0x{name:04X} is not known")),
        })
    }
}
