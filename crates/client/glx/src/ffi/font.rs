//! `glXUseXFont` (GLX 1.4 §3.4): it makes display lists, which the core profile has not.

use std::ffi::{c_int, c_ulong};

use super::attempt;
use crate::error::{Code, GlxError, Unserved};

/// `glXUseXFont`: says why nothing came of it.
#[unsafe(no_mangle)]
pub extern "C" fn glXUseXFont(_font: c_ulong, _first: c_int, _count: c_int, _list: c_int) {
    let refused = attempt("glXUseXFont", || {
        let what = "glXUseXFont makes display lists out of a font; this driver has the core profile alone, which has none: no text \
                    will be drawn this way";
        Err::<(), _>(GlxError::unserved(Code::GLX_BAD_CONTEXT_STATE, Unserved::Fonts, what))
    });
    drop(refused);
}
