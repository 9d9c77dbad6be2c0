//! What errors of X11 mean for a window. Must not know which request was meant to do what.

use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::ErrorKind;
use x11rb::x11_utils::X11Error;

use crate::window::Gone;

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The X server refuses; the connection goes on.
    Refused(X11Error),
    /// This process has not what the request needs.
    Lacking(String),
    /// The connection is of no use any more.
    Broken(String),
}

impl Trouble {
    /// What it means for drawable `xid` that the request was about.
    pub(super) fn of(self, xid: u32) -> Gone {
        match self {
            Self::Broken(why) => Gone::System(why),
            Self::Lacking(what) => Gone::Window(what),
            Self::Refused(error) => Gone::Window(format!("{} of drawable {xid:#x}", words(&error))),
        }
    }
}

/// The error as a person reads it.
pub(super) fn words(error: &X11Error) -> String {
    let name = match error.error_kind {
        ErrorKind::Window => "BadWindow",
        ErrorKind::Drawable => "BadDrawable",
        ErrorKind::Pixmap => "BadPixmap",
        ErrorKind::Match => "BadMatch",
        ErrorKind::Value => "BadValue",
        ErrorKind::Access => "BadAccess",
        ErrorKind::Alloc => "BadAlloc",
        ErrorKind::Length => "BadLength",
        ErrorKind::Request => "BadRequest",
        ErrorKind::Implementation => "BadImplementation",
        ErrorKind::IDChoice => "BadIDChoice",
        ErrorKind::ShmBadSeg => "BadShmSeg",
        _ => return format!("error {} of {}", error.error_code, error.request_name.unwrap_or("a request")),
    };
    match error.request_name {
        Some(request) => format!("{name} of {request}"),
        None => name.to_owned(),
    }
}

/// True when the drawable that was named does not exist.
pub(super) fn means_destroyed(error: &X11Error) -> bool {
    matches!(error.error_kind, ErrorKind::Window | ErrorKind::Drawable)
}

impl From<ConnectionError> for Trouble {
    fn from(error: ConnectionError) -> Self {
        Self::Broken(format!("X11 connection: {error}"))
    }
}

impl From<ReplyError> for Trouble {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => Self::Refused(error),
        }
    }
}

impl From<ReplyOrIdError> for Trouble {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::IdsExhausted => Self::Broken("X11 connection: no resource identifiers are left".into()),
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => Self::Refused(error),
        }
    }
}
