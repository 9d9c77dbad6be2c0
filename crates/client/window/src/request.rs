//! What a program wants of a new context, and what it gets, whichever interface it asks by. Must not know attribute lists.

use mgl_gl::ContextDesc;

/// A context as the program asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Version.
    pub version: (i64, i64),
    /// Profile mask; counts from 3.2 on.
    pub profile: i64,
    /// Debug context.
    pub debug: bool,
    /// Forward compatible.
    pub forward: bool,
    /// Robust access.
    pub robust: bool,
    /// Commands say so when the context is lost.
    pub lose_on_reset: bool,
    /// Leaving the context need not flush.
    pub keep_on_release: bool,
    /// Without errors.
    pub no_error: bool,
}

/// Bit of a profile mask.
pub const CORE_BIT: i64 = 1;
/// Bit of a profile mask.
pub const COMPATIBILITY_BIT: i64 = 2;

impl Default for Request {
    /// What a list without attributes asks for.
    fn default() -> Self {
        Self {
            version: (1, 0),
            profile: CORE_BIT,
            debug: false,
            forward: false,
            robust: false,
            lose_on_reset: false,
            keep_on_release: false,
            no_error: false,
        }
    }
}

/// Why there is no such context, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No version of OpenGL, or flags that it does not have.
    #[error("{0}")]
    Version(String),
    /// The device carries less.
    #[error("{0}")]
    Newer(String),
    /// Compatibility profile, or a version below 3.1: not served.
    #[error("{0}")]
    Legacy(String),
    /// The mask names no single profile.
    #[error("{0}")]
    Profile(String),
    /// No errors, together with what is about them.
    #[error("a context without errors can be neither a debug nor a robust context")]
    NoError,
}

/// `MOBILEGL_LEGACY_CONTEXT=core`: requests below 3.1 are served with the core profile. For programs that make a legacy context
/// and use nothing of it, or whose legacy calls all exist in core; to others each removed call is an error.
fn legacy_is_core() -> bool {
    std::env::var_os("MOBILEGL_LEGACY_CONTEXT").is_some_and(|v| v == "core")
}

/// Says what to create. Shares nothing: the caller fills `share`. `newest` is the version that the device carries, which every
/// context reports.
///
/// # Errors
/// There is no such context here.
pub fn resolve(asked: &Request, newest: (u32, u32)) -> Result<ContextDesc, Refusal> {
    let (major, minor) = asked.version;
    let known = matches!((major, minor), (1, 0..=5) | (2, 0..=1) | (3, 0..=3) | (4, 0..=6));
    if !known {
        return Err(Refusal::Version(format!("OpenGL {major}.{minor} is no version of OpenGL")));
    }
    if (major, minor) > (newest.0.into(), newest.1.into()) {
        return Err(Refusal::Newer(format!(
            "the program asked for OpenGL {major}.{minor}; this device carries {}.{} core at most. `mobilegl doctor` says what \
             it lacks for more",
            newest.0, newest.1
        )));
    }
    if (major, minor) < (3, 1) && legacy_is_core() {
        tracing::warn!("a legacy context was asked for: it has the core profile and none of the removed functions");
    } else if (major, minor) < (3, 1) {
        let asked = format!("OpenGL {major}.{minor}, which is of the compatibility profile");
        return Err(Refusal::Legacy(legacy(&asked, newest)));
    }
    // From 3.2 on the profile mask counts (EGL 1.5 §3.7.1.2, GLX_ARB_create_context_profile).
    if (major, minor) >= (3, 2) {
        match asked.profile {
            CORE_BIT => {}
            COMPATIBILITY_BIT => {
                let asked = format!("the compatibility profile of OpenGL {major}.{minor}");
                return Err(Refusal::Legacy(legacy(&asked, newest)));
            }
            other => return Err(Refusal::Profile(format!("profile mask 0x{other:X} names no single profile"))),
        }
    }
    // EGL_KHR_create_context_no_error, GLX_ARB_create_context_no_error: not together with debug or robust access.
    if asked.no_error && (asked.debug || asked.robust) {
        return Err(Refusal::NoError);
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
fn legacy(asked: &str, newest: (u32, u32)) -> String {
    let (major, minor) = newest;
    let below = "MOBILEGL_LEGACY_CONTEXT=core serves requests below 3.1 with it, for programs that do without the rest";
    format!(
        "the program asked for {asked}; this driver has the core profile alone, {major}.{minor} here. Make the program ask for \
         3.1 or newer, core profile. {below}"
    )
}
