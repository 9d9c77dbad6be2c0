//! Context and surface attribute lists (EGL 1.5 §3.5, §3.7.1). Must not know handles.

use mgl_gl::ContextDesc;
use mgl_window::request::{self, Refusal, Request};

use crate::error::{Code, EglResult, Unserved, fail, unserved};
use crate::tokens as t;
use crate::tokens::Int;

/// One name and its value, as `EGLint` and `EGLAttrib` lists both give it.
pub type Pair = (Int, isize);

/// Proves the list and says what to create. Shares nothing: the caller fills `share`.
/// `newest` is the version that the device carries, which every context reports.
pub fn context(list: &[Pair], newest: (u32, u32)) -> EglResult<ContextDesc> {
    request::resolve(&read(list)?, newest).or_else(|refusal| match &refusal {
        Refusal::Newer(what) => unserved(Code::BadMatch, Unserved::Version, what.clone()),
        Refusal::Legacy(what) => unserved(Code::BadMatch, Unserved::Legacy, what.clone()),
        _ => fail(Code::BadMatch, refusal.to_string()),
    })
}

/// Names that a context's list may have.
pub fn is_of_contexts(name: Int) -> bool {
    let plain = [
        t::CONTEXT_MAJOR_VERSION,
        t::CONTEXT_MINOR_VERSION,
        t::CONTEXT_OPENGL_PROFILE_MASK,
        t::CONTEXT_OPENGL_DEBUG,
        t::CONTEXT_OPENGL_FORWARD_COMPATIBLE,
        t::CONTEXT_OPENGL_ROBUST_ACCESS,
        t::CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
        t::CONTEXT_OPENGL_NO_ERROR_KHR,
        t::CONTEXT_FLAGS_KHR,
        t::CONTEXT_RESET_NOTIFICATION_STRATEGY,
        t::CONTEXT_OPENGL_RESET_STRATEGY_EXT,
        t::CONTEXT_RELEASE_BEHAVIOR_KHR,
    ];
    plain.contains(&name)
}

fn read(list: &[Pair]) -> EglResult<Request> {
    let mut a = Request::default();
    for (name, value) in list.iter().copied() {
        match name {
            t::CONTEXT_MAJOR_VERSION => a.version.0 = value as i64,
            t::CONTEXT_MINOR_VERSION => a.version.1 = value as i64,
            t::CONTEXT_OPENGL_PROFILE_MASK => a.profile = value as i64,
            t::CONTEXT_OPENGL_DEBUG => a.debug = flag(value)?,
            t::CONTEXT_OPENGL_FORWARD_COMPATIBLE => a.forward = flag(value)?,
            t::CONTEXT_OPENGL_ROBUST_ACCESS | t::CONTEXT_OPENGL_ROBUST_ACCESS_EXT => a.robust = flag(value)?,
            t::CONTEXT_OPENGL_NO_ERROR_KHR => a.no_error = flag(value)?,
            t::CONTEXT_FLAGS_KHR => {
                if value & !7 != 0 {
                    return fail(Code::BadAttribute, format!("context flags 0x{value:X} are not defined"));
                }
                a.debug |= value & 1 != 0;
                a.forward |= value & 2 != 0;
                a.robust |= value & 4 != 0;
            }
            t::CONTEXT_RESET_NOTIFICATION_STRATEGY | t::CONTEXT_OPENGL_RESET_STRATEGY_EXT => match value as Int {
                t::NO_RESET_NOTIFICATION => a.lose_on_reset = false,
                t::LOSE_CONTEXT_ON_RESET => a.lose_on_reset = true,
                _ => return fail(Code::BadAttribute, "unknown reset notification strategy"),
            },
            t::CONTEXT_RELEASE_BEHAVIOR_KHR if value == 0 || value as Int == t::CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR => {
                a.keep_on_release = value == 0;
            }
            _ => return fail(Code::BadAttribute, format!("context attribute 0x{name:04X} = {value} is not known")),
        }
    }
    Ok(a)
}

fn flag(value: isize) -> EglResult<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => fail(Code::BadAttribute, format!("{other} is neither EGL_TRUE nor EGL_FALSE")),
    }
}

/// What `eglCreatePbufferSurface` was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pbuffer {
    /// Width in pixels.
    pub width: Int,
    /// Height in pixels.
    pub height: Int,
    /// Shrink instead of failing.
    pub largest: bool,
    /// `EGL_GL_COLORSPACE_SRGB`.
    pub srgb: bool,
}

/// Proves a pbuffer's attribute list.
pub fn pbuffer(list: &[Pair]) -> EglResult<Pbuffer> {
    let mut p = Pbuffer::default();
    for (name, value) in list.iter().copied() {
        let int = value as Int;
        match name {
            t::WIDTH | t::HEIGHT if int < 0 => return fail(Code::BadParameter, "a pbuffer's size is negative"),
            t::WIDTH => p.width = int,
            t::HEIGHT => p.height = int,
            t::LARGEST_PBUFFER => p.largest = int != 0,
            t::TEXTURE_FORMAT | t::TEXTURE_TARGET if int == t::NO_TEXTURE => {}
            t::TEXTURE_FORMAT | t::TEXTURE_TARGET => {
                return fail(
                    Code::BadMatch,
                    "pbuffers cannot be bound to textures: no configuration has EGL_BIND_TO_TEXTURE",
                );
            }
            t::GL_COLORSPACE if int == t::GL_COLORSPACE_LINEAR => {}
            t::GL_COLORSPACE if int == t::GL_COLORSPACE_SRGB => p.srgb = true,
            t::MIPMAP_TEXTURE | t::VG_COLORSPACE | t::VG_ALPHA_FORMAT => {}
            _ => return fail(Code::BadAttribute, format!("pbuffer attribute 0x{name:04X} is not known")),
        }
    }
    Ok(p)
}

/// What a window or pixmap surface was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `EGL_RENDER_BUFFER` is `EGL_SINGLE_BUFFER`.
    pub single: bool,
    /// `EGL_GL_COLORSPACE_SRGB`.
    pub srgb: bool,
    /// `EGL_PRESENT_OPAQUE_EXT`.
    pub opaque: bool,
}

/// Proves the attribute list of a window or pixmap surface (EGL 1.5 §3.5.1, §3.5.4, EGL_EXT_present_opaque).
pub fn shown(list: &[Pair], window: bool) -> EglResult<Shown> {
    let mut s = Shown::default();
    for (name, value) in list.iter().copied() {
        match (name, value as Int) {
            (t::RENDER_BUFFER, t::BACK_BUFFER) if window => s.single = false,
            (t::RENDER_BUFFER, t::SINGLE_BUFFER) if window => s.single = true,
            (t::GL_COLORSPACE, t::GL_COLORSPACE_LINEAR) => s.srgb = false,
            (t::GL_COLORSPACE, t::GL_COLORSPACE_SRGB) => s.srgb = true,
            (t::PRESENT_OPAQUE_EXT, 0 | 1) if window => s.opaque = value == 1,
            (t::VG_COLORSPACE | t::VG_ALPHA_FORMAT, _) => {}
            _ => return fail(Code::BadAttribute, format!("surface attribute 0x{name:04X} = {value} is not known")),
        }
    }
    Ok(s)
}

#[cfg(test)]
mod tests {
    use super::{context, pbuffer};
    use crate::error::Code;
    use crate::tokens as t;

    // A program that asks for 3.2 core must get the newest core context, not an error.
    #[test]
    fn core_requests_get_the_newest_core() {
        let list = [(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 2), (t::CONTEXT_OPENGL_PROFILE_MASK, 1)];
        assert_eq!(context(&list, (3, 3)).expect("3.2 core").version, (3, 3));
        assert_eq!(context(&list, (4, 6)).expect("3.2 core").version, (4, 6));
        assert_eq!(context(&list[..2], (3, 3)).expect("core is the default profile").version, (3, 3));
    }

    // A program that asked not to flush when it leaves the context would be told the opposite (KHR_context_flush_control).
    #[test]
    fn the_release_behaviour_is_taken_over() {
        let kept = |value: isize| {
            let version = [(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 3)];
            let list = [version[0], version[1], (t::CONTEXT_RELEASE_BEHAVIOR_KHR, value)];
            context(&list, (4, 6)).map(|desc| desc.keep_on_release).map_err(|e| e.code)
        };
        assert_eq!(kept(0), Ok(true));
        assert_eq!(kept(t::CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR as isize), Ok(false));
        assert_eq!(kept(7), Err(Code::BadAttribute));
    }

    // A program would get a context that lies about its version or profile.
    #[test]
    fn what_is_not_implemented_is_refused() {
        let code = |list: &[(i32, isize)]| context(list, (3, 3)).map(|_| ()).map_err(|e| e.code);
        assert_eq!(code(&[]), Err(Code::BadMatch));
        assert_eq!(code(&[(t::CONTEXT_MAJOR_VERSION, 4)]), Err(Code::BadMatch));
        assert_eq!(code(&[(t::CONTEXT_MAJOR_VERSION, 7)]), Err(Code::BadMatch));
        let compat =
            [(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 3), (t::CONTEXT_OPENGL_PROFILE_MASK, 2)];
        assert_eq!(code(&compat), Err(Code::BadMatch));
        let quiet = (t::CONTEXT_OPENGL_NO_ERROR_KHR, 1);
        let core = [compat[0], compat[1], quiet, (t::CONTEXT_OPENGL_DEBUG, 1)];
        assert_eq!(code(&core[..3]), Ok(()));
        assert_eq!(code(&core), Err(Code::BadMatch));
        assert_eq!(code(&[(0x1234, 1)]), Err(Code::BadAttribute));
    }

    // The most common refusal: without its reason and a way out, a person sees EGL_BAD_MATCH or nothing.
    #[test]
    fn legacy_requests_are_explained_with_a_way_out() {
        use crate::error::{Told, Unserved};
        let compat =
            [(t::CONTEXT_MAJOR_VERSION, 3), (t::CONTEXT_MINOR_VERSION, 3), (t::CONTEXT_OPENGL_PROFILE_MASK, 2)];
        for list in [&[][..], &[(t::CONTEXT_MAJOR_VERSION, 2)], &compat] {
            let error = context(list, (4, 6)).expect_err("legacy");
            assert_eq!(error.told, Told::Once(Unserved::Legacy));
            assert!(error.what.contains("4.6") && error.what.contains("MOBILEGL_LEGACY_CONTEXT=core"), "{error}");
        }
        let newer =
            context(&[(t::CONTEXT_MAJOR_VERSION, 4), (t::CONTEXT_MINOR_VERSION, 5)], (3, 3)).expect_err("newer");
        assert_eq!(newer.told, Told::Once(Unserved::Version));
        assert_eq!(context(&[(t::CONTEXT_MAJOR_VERSION, 9)], (4, 6)).expect_err("none").told, Told::OnRequest);
    }

    // A negative size would become a huge allocation.
    #[test]
    fn pbuffer_sizes_are_proven() {
        assert_eq!(pbuffer(&[(t::WIDTH, -1)]).map_err(|e| e.code), Err(Code::BadParameter));
        let p = pbuffer(&[(t::WIDTH, 4), (t::HEIGHT, 5), (t::LARGEST_PBUFFER, 1)]).expect("valid");
        assert_eq!((p.width, p.height, p.largest), (4, 5, true));
    }
}
