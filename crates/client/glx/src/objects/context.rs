//! Contexts: what programs ask for (GLX 1.4 §3.3.7, GLX_ARB_create_context and what came after it), and what they ask about
//! them. Must not know threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mgl_gl::ContextDesc;
use mgl_gl::get::version;
use mgl_window::context::{Api, Context, Owner};
use mgl_window::request::{self, CORE_BIT, Refusal, Request};

use crate::choose::Pair;
use crate::config::Config;
use crate::error::{Code, GlxError, GlxResult, Unserved, fail};
use crate::handles;
use crate::objects::display::{self, Display};
use crate::tokens as t;
use crate::tokens::Int;

/// A context. Lives while it is in the table or current to a thread.
#[derive(Debug)]
pub struct GlxContext {
    /// What both window-system interfaces know of it.
    pub core: Arc<Context>,
    /// Configuration, `None` with `GLX_EXT_no_config_context`.
    pub config: Option<Config>,
    /// Screen.
    pub screen: Int,
    /// Identifier (GLX_EXT_import_context).
    pub id: u32,
    /// Identifier of the context that it was made to share with, 0 = none.
    pub share: u32,
    /// The program has destroyed it; its handle is good as long as a thread has it (GLX 1.4 §3.3.7).
    pub dying: AtomicBool,
}

/// What a list asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    request: Request,
    /// `GLX_SCREEN`.
    pub screen: Option<Int>,
}

/// Bits of `GLX_CONTEXT_FLAGS_ARB` that are defined: debug, forward compatible, robust; reset isolation has no bit here.
const FLAGS: Int = t::CONTEXT_DEBUG_BIT | t::CONTEXT_FORWARD_COMPATIBLE_BIT | t::CONTEXT_ROBUST_ACCESS_BIT;

/// Reads the list of `glXCreateContextAttribsARB`.
pub fn read(list: &[Pair]) -> GlxResult<Asked> {
    let mut asked = Asked { request: Request::default(), screen: None };
    let a = &mut asked.request;
    for (name, value) in list.iter().copied() {
        let wrong =
            || fail(Code::BAD_VALUE, name as usize, format!("context attribute 0x{name:04X} = {value} is not known"));
        match name {
            t::CONTEXT_PROFILE_MASK if value == 0 => {
                return fail(Code::GLX_BAD_PROFILE, 0, "the profile mask names no profile");
            }
            t::CONTEXT_MAJOR_VERSION => a.version.0 = value.into(),
            t::CONTEXT_MINOR_VERSION => a.version.1 = value.into(),
            t::CONTEXT_PROFILE_MASK => a.profile = value.into(),
            t::CONTEXT_FLAGS if value & !FLAGS != 0 => return wrong(),
            t::CONTEXT_FLAGS => {
                a.debug = value & t::CONTEXT_DEBUG_BIT != 0;
                a.forward = value & t::CONTEXT_FORWARD_COMPATIBLE_BIT != 0;
                a.robust = value & t::CONTEXT_ROBUST_ACCESS_BIT != 0;
            }
            t::RENDER_TYPE if value == t::RGBA_TYPE => {}
            // The render type is defined, but not together with a version that has no palettes (GLX_ARB_create_context).
            t::RENDER_TYPE if value == t::COLOR_INDEX_TYPE => {
                return fail(Code::BAD_MATCH, value as usize, "there are no contexts that draw palette indices");
            }
            t::CONTEXT_RESET_NOTIFICATION_STRATEGY => match value {
                t::NO_RESET_NOTIFICATION => a.lose_on_reset = false,
                t::LOSE_CONTEXT_ON_RESET => a.lose_on_reset = true,
                _ => return wrong(),
            },
            t::CONTEXT_RELEASE_BEHAVIOR => match value {
                t::CONTEXT_RELEASE_BEHAVIOR_NONE => a.keep_on_release = true,
                t::CONTEXT_RELEASE_BEHAVIOR_FLUSH => a.keep_on_release = false,
                _ => return wrong(),
            },
            t::CONTEXT_OPENGL_NO_ERROR => a.no_error = value != 0,
            t::SCREEN => asked.screen = Some(value),
            _ => return wrong(),
        }
    }
    Ok(asked)
}

impl Asked {
    /// What to create. Shares nothing: the caller fills `share`.
    pub fn resolve(&self, newest: (u32, u32)) -> GlxResult<ContextDesc> {
        let asked = &self.request;
        let (es, profiles) = (i64::from(t::CONTEXT_ES2_PROFILE_BIT), asked.profile);
        if profiles & !(CORE_BIT | request::COMPATIBILITY_BIT | es) != 0
            || (profiles != 0 && profiles.count_ones() != 1)
        {
            return fail(Code::GLX_BAD_PROFILE, 0, format!("profile mask 0x{profiles:X} names no single profile"));
        }
        if profiles == es {
            let what = "the program asked for OpenGL ES (GLX_EXT_create_context_es2_profile); this driver has desktop OpenGL alone. \
                        Make the program use that, or run it on the OpenGL ES driver, without MobileGL";
            return Err(GlxError::unserved(Code::GLX_BAD_PROFILE, Unserved::Es, what));
        }
        if asked.forward && asked.version < (3, 0) {
            return fail(Code::BAD_MATCH, 0, "forward compatible contexts begin with OpenGL 3.0");
        }
        request::resolve(asked, newest).map_err(|refusal| match &refusal {
            Refusal::Newer(what) => GlxError::unserved(Code::GLX_BAD_FB_CONFIG, Unserved::Version, what.clone()),
            Refusal::Legacy(what) => GlxError::unserved(Code::GLX_BAD_FB_CONFIG, Unserved::Legacy, what.clone()),
            Refusal::Profile(what) => GlxError::new(Code::GLX_BAD_PROFILE, 0, what.clone()),
            Refusal::Version(_) | Refusal::NoError => GlxError::new(Code::BAD_MATCH, 0, refusal.to_string()),
        })
    }
}

impl GlxContext {
    /// A new context; `share` is the handle of another one, or 0.
    pub fn create(display: &Display, config: Option<&Config>, share: usize, asked: &Asked) -> GlxResult<Arc<Self>> {
        let screen = config.map_or(asked.screen, |config| config.attribute(t::SCREEN));
        let screen = screen.unwrap_or_else(|| display.default_screen());
        display.configs(screen)?;
        let other = if share == 0 { None } else { Some(display::context(share)?) };
        if other
            .as_ref()
            .is_some_and(|other| other.core.owner.display != display.handle && !same_server(display, other))
        {
            return fail(Code::BAD_MATCH, 0, "contexts of different X servers cannot share");
        }
        let instance = display::connect()?;
        let mut desc = asked.resolve(version::newest(&instance.caps))?;
        if let Some(other) = &other {
            if !Arc::ptr_eq(&other.core.instance, &instance) {
                return fail(Code::GLX_BAD_CONTEXT, 0, "the server of the context to share with is gone");
            }
            desc.share = Some(other.core.cell.share_group());
        }
        let gl = mgl_gl::Context::new(&instance, desc)
            .map_err(|error| GlxError::fatal(Code::BAD_ALLOC, error.to_string()))?;
        let owner = Owner { api: Api::Glx, display: display.handle };
        let pixel = config.map(|config| config.pixel);
        let core =
            Context::new((handles::mint(), owner), pixel, instance, gl, other.as_deref().map(|other| &*other.core));
        let share = other.map_or(0, |other| other.id);
        let made = Arc::new(Self {
            core,
            config: config.cloned(),
            screen,
            id: display.connection()?.new_id(),
            share,
            dying: AtomicBool::new(false),
        });
        display::add_context(made.clone());
        Ok(made)
    }

    /// `glXQueryContext`.
    pub fn query(&self, name: Int) -> Option<Int> {
        Some(match name {
            t::FBCONFIG_ID => self.config.as_ref().map_or(0, |config| config.id),
            t::RENDER_TYPE => t::RGBA_TYPE,
            t::SCREEN => self.screen,
            t::SHARE_CONTEXT_EXT => self.share.cast_signed(),
            t::VISUAL_ID_EXT => self.config.as_ref().and_then(|config| config.attribute(t::VISUAL_ID)).unwrap_or(0),
            _ => return None,
        })
    }
}

/// The context's display leads to the same X server.
fn same_server(display: &Display, context: &GlxContext) -> bool {
    let theirs = display::known(std::ptr::with_exposed_provenance_mut(context.core.owner.display));
    let roots = |display: &Display| display.system.screens().first().map(|screen| screen.root);
    theirs.is_none_or(|theirs| roots(&theirs) == roots(display))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::error::{Code, Told, Unserved};
    use crate::tokens as t;

    const CORE: [(i32, i32); 3] =
        [(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 2), (t::CONTEXT_PROFILE_MASK, 1)];

    fn code(list: &[(i32, i32)]) -> Option<Code> {
        read(list).and_then(|asked| asked.resolve((4, 5))).err().map(|error| error.code)
    }

    // A program that asks for 3.2 core must get the newest core context, not an error.
    #[test]
    fn core_requests_get_the_newest_core() {
        let desc = read(&CORE).and_then(|asked| asked.resolve((4, 5))).expect("3.2 core");
        assert_eq!((desc.version, desc.debug, desc.legacy), ((4, 5), false, false));
        assert_eq!(code(&[(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 1)]), None);
        let flags = (t::CONTEXT_FLAGS, t::CONTEXT_DEBUG_BIT | t::CONTEXT_ROBUST_ACCESS_BIT);
        let lose = (t::CONTEXT_RESET_NOTIFICATION_STRATEGY, t::LOSE_CONTEXT_ON_RESET);
        let desc = read(&[&CORE[..], &[flags, lose]].concat()).and_then(|asked| asked.resolve((4, 5))).expect("robust");
        assert!(desc.debug && desc.robust && desc.lose_on_reset && !desc.forward_compatible);
    }

    // Programs try one list after the other and look at the error's number for why: a wrong one ends the search.
    #[test]
    fn refusals_have_the_codes_of_the_specification() {
        let with = |more: (i32, i32)| code(&[&CORE[..], &[more]].concat());
        assert_eq!(with((0x1234, 1)), Some(Code::BAD_VALUE));
        assert_eq!(with((t::CONTEXT_FLAGS, 0x80)), Some(Code::BAD_VALUE));
        assert_eq!(with((t::CONTEXT_RESET_NOTIFICATION_STRATEGY, 7)), Some(Code::BAD_VALUE));
        assert_eq!(with((t::CONTEXT_PROFILE_MASK, 0x40)), Some(Code::GLX_BAD_PROFILE));
        assert_eq!(with((t::CONTEXT_PROFILE_MASK, 3)), Some(Code::GLX_BAD_PROFILE));
        assert_eq!(with((t::CONTEXT_PROFILE_MASK, 0)), Some(Code::GLX_BAD_PROFILE));
        assert_eq!(with((t::CONTEXT_PROFILE_MASK, t::CONTEXT_ES2_PROFILE_BIT)), Some(Code::GLX_BAD_PROFILE));
        assert_eq!(with((t::CONTEXT_MAJOR_VERSION, 7)), Some(Code::BAD_MATCH));
        assert_eq!(with((t::RENDER_TYPE, t::COLOR_INDEX_TYPE)), Some(Code::BAD_MATCH));
        assert_eq!(with((t::RENDER_TYPE, 3)), Some(Code::BAD_VALUE));
        assert_eq!(
            code(&[(t::CONTEXT_MAJOR_VERSION, 4), (t::CONTEXT_MINOR_VERSION, 6)]),
            Some(Code::GLX_BAD_FB_CONFIG)
        );
        assert_eq!(with((t::CONTEXT_OPENGL_NO_ERROR, 1)), None);
        let debug = (t::CONTEXT_FLAGS, t::CONTEXT_DEBUG_BIT);
        assert_eq!(code(&[&CORE[..], &[debug, (t::CONTEXT_OPENGL_NO_ERROR, 1)]].concat()), Some(Code::BAD_MATCH));
        assert_eq!(
            code(&[(t::CONTEXT_MAJOR_VERSION, 2), (t::CONTEXT_FLAGS, t::CONTEXT_FORWARD_COMPATIBLE_BIT)]),
            Some(Code::BAD_MATCH)
        );
    }

    // The most common refusal: without its reason and a way out, a person sees a number or nothing.
    #[test]
    fn legacy_requests_are_explained_with_a_way_out() {
        let compat = [CORE[0], CORE[1], (t::CONTEXT_PROFILE_MASK, 2)];
        for list in [&[][..], &[(t::CONTEXT_MAJOR_VERSION, 2)], &compat] {
            let error = read(list).and_then(|asked| asked.resolve((4, 5))).expect_err("legacy");
            assert_eq!(error.told, Told::Once(Unserved::Legacy));
            assert!(error.what.contains("MOBILEGL_LEGACY_CONTEXT=core"), "{error}");
        }
    }
}
