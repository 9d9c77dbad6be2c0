//! EGL contexts: the GL context in its cell and what EGL asks about it (EGL 1.5 §3.7). Must not know threads.

use std::sync::Arc;

use mgl_gl::Instance;
use mgl_gl::get::version;

use crate::attribs::{self, Pair};
use crate::cell::ContextCell;
use crate::config::Config;
use crate::error::{Code, EglResult, fail};
use crate::gl;
use crate::objects::display::{Display, Handle, mint};
use crate::tokens as t;
use crate::tokens::Int;

/// A context. Lives while it is in its display's table or current to a thread.
#[derive(Debug)]
pub struct EglContext {
    /// The program's handle.
    pub handle: Handle,
    /// Its display.
    pub display: &'static Display,
    /// Configuration, `None` with `EGL_KHR_no_config_context`.
    pub config: Option<Config>,
    /// The GL context.
    pub cell: ContextCell,
    /// The connection it lives on.
    pub instance: Arc<Instance>,
    group: usize,
}

impl EglContext {
    /// `eglCreateContext`.
    pub fn create(display: &'static Display, config: Handle, share: Handle, list: &[Pair]) -> EglResult<Arc<Self>> {
        display.ready()?;
        let config = if config == 0 { None } else { Some(display.config(config)?) };
        let instance = display.instance()?;
        let mut desc = attribs::context(list, version::newest(&instance.caps))?;
        let handle = mint();
        let mut group = handle;
        if share != 0 {
            let other = display.context(share)?;
            if other.instance.is_lost() {
                return fail(Code::ContextLost, "the server of the context to share with is gone");
            }
            group = other.group;
            desc.share = Some(other.cell.share_group());
        }
        let cell = ContextCell::new(gl::new_context(&instance, desc)?);
        let made = Arc::new(Self { handle, display, config, cell, instance, group });
        display.add_context(made.clone())?;
        Ok(made)
    }

    /// True when both see the same objects.
    pub fn shares_with(&self, other: &EglContext) -> bool {
        self.group == other.group
    }

    /// `eglQueryContext`.
    pub fn query(&self, name: Int, surfaceless: bool) -> EglResult<Int> {
        Ok(match name {
            t::CONFIG_ID => self.config.as_ref().map_or(0, |c| c.id),
            t::CONTEXT_CLIENT_TYPE => t::OPENGL_API as Int,
            t::CONTEXT_MAJOR_VERSION => version::newest(&self.instance.caps).0 as Int,
            t::RENDER_BUFFER if surfaceless => t::NONE,
            t::RENDER_BUFFER => t::BACK_BUFFER,
            _ => return fail(Code::BadAttribute, format!("context attribute 0x{name:04X} is not known")),
        })
    }
}
