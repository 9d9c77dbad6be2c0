//! Context and surface attribute lists (EGL 1.5 §3.5, §3.7.1). Must not know handles.

use mgl_gl::ContextDesc;

use crate::error::{Code, EglResult, Unserved, fail, unserved};
use crate::tokens as t;
use crate::tokens::Int;

/// One name and its value, as `EGLint` and `EGLAttrib` lists both give it.
pub type Pair = (Int, isize);

/// Context attributes as the program asked for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    version: (isize, isize),
    profile: isize,
    debug: bool,
    forward: bool,
    robust: bool,
    lose_on_reset: bool,
    keep_on_release: bool,
    no_error: bool,
}

const CORE_BIT: isize = 1;
const COMPATIBILITY_BIT: isize = 2;

/// `MOBILEGL_LEGACY_CONTEXT=core`: requests below 3.1 are served with the core profile. For programs that make a legacy context
/// and use nothing of it, or whose legacy calls all exist in core; to others each removed call is an error.
fn legacy_is_core() -> bool {
    std::env::var_os("MOBILEGL_LEGACY_CONTEXT").is_some_and(|v| v == "core")
}

/// Proves the list and says what to create. Shares nothing: the caller fills `share`.
/// `newest` is the version that the device carries, which every context reports.
pub fn context(list: &[Pair], newest: (u32, u32)) -> EglResult<ContextDesc> {
    let asked = read(list)?;
    let (major, minor) = asked.version;
    let known = matches!((major, minor), (1, 0..=5) | (2, 0..=1) | (3, 0..=3) | (4, 0..=6));
    if !known {
        return fail(Code::BadMatch, format!("OpenGL {major}.{minor} is no version of OpenGL"));
    }
    if (major, minor) > (newest.0 as isize, newest.1 as isize) {
        return unserved(
            Code::BadMatch,
            Unserved::Version,
            format!(
                "the program asked for OpenGL {major}.{minor}; this device carries {}.{} core at most. `mobilegl doctor` says what \
                 it lacks for more",
                newest.0, newest.1
            ),
        );
    }
    if (major, minor) < (3, 1) && legacy_is_core() {
        tracing::warn!("a legacy context was asked for: it has the core profile and none of the removed functions");
    } else if (major, minor) < (3, 1) {
        return legacy(&format!("OpenGL {major}.{minor}, which is of the compatibility profile"), newest);
    }
    // From 3.2 on the profile mask counts (EGL 1.5 §3.7.1.2).
    if (major, minor) >= (3, 2) {
        match asked.profile {
            CORE_BIT => {}
            COMPATIBILITY_BIT => {
                return legacy(&format!("the compatibility profile of OpenGL {major}.{minor}"), newest);
            }
            other => return fail(Code::BadMatch, format!("profile mask 0x{other:X} names no single profile")),
        }
    }
    // EGL_KHR_create_context_no_error: not together with debug or robust access.
    if asked.no_error && (asked.debug || asked.robust) {
        return fail(Code::BadMatch, "a context without errors can be neither a debug nor a robust context");
    }
    Ok(ContextDesc {
        share: None,
        version: newest,
        debug: asked.debug,
        robust: asked.robust,
        lose_on_reset: asked.lose_on_reset,
        keep_on_release: asked.keep_on_release,
        no_error: asked.no_error,
        forward_compatible: asked.forward,
        legacy: (major, minor) < (3, 1),
    })
}

/// What most programs that find no context asked for.
fn legacy(asked: &str, newest: (u32, u32)) -> EglResult<ContextDesc> {
    let (major, minor) = newest;
    let below = "MOBILEGL_LEGACY_CONTEXT=core serves requests below 3.1 with it, for programs that do without the rest";
    let what = format!(
        "the program asked for {asked}; this driver has the core profile alone, {major}.{minor} here. Make the program ask for \
         3.1 or newer, core profile. {below}"
    );
    unserved(Code::BadMatch, Unserved::Legacy, what)
}

fn read(list: &[Pair]) -> EglResult<Asked> {
    let mut a = Asked {
        version: (1, 0),
        profile: CORE_BIT,
        debug: false,
        forward: false,
        robust: false,
        lose_on_reset: false,
        keep_on_release: false,
        no_error: false,
    };
    for (name, value) in list.iter().copied() {
        match name {
            t::CONTEXT_MAJOR_VERSION => a.version.0 = value,
            t::CONTEXT_MINOR_VERSION => a.version.1 = value,
            t::CONTEXT_OPENGL_PROFILE_MASK => a.profile = value,
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
            t::GL_COLORSPACE if int == t::GL_COLORSPACE_SRGB => {
                let what = "the program asked for an sRGB surface; surfaces are linear here. Draw into an sRGB texture instead";
                return unserved(Code::BadMatch, Unserved::Colorspace, what);
            }
            t::MIPMAP_TEXTURE | t::VG_COLORSPACE | t::VG_ALPHA_FORMAT => {}
            _ => return fail(Code::BadAttribute, format!("pbuffer attribute 0x{name:04X} is not known")),
        }
    }
    Ok(p)
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
