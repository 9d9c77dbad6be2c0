//! Contexts by identifiers (GLX_EXT_import_context). Only indirect contexts of other processes can be imported, and this driver
//! has none: what programs may ask of their own contexts is answered.

use std::ffi::c_int;

use super::{Xid, guard};
use crate::error::{Code, GlxError, Unserved, fail};
use crate::handles::Opaque;
use crate::objects::display;
use crate::tokens::request;
use crate::xlib::Dpy;

/// `glXGetCurrentDisplayEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentDisplayEXT() -> Dpy {
    super::context::glXGetCurrentDisplay()
}

/// `glXGetContextIDEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetContextIDEXT(context: Opaque) -> Xid {
    display::context(context.addr()).map_or(0, |context| context.id.into())
}

/// `glXQueryContextInfoEXT`: answers 0, or what was wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryContextInfoEXT(dpy: Dpy, context: Opaque, name: c_int, value: *mut c_int) -> c_int {
    // SAFETY: as this function's own contract.
    unsafe { super::context::glXQueryContext(dpy, context, name, value) }
}

/// `glXImportContextEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXImportContextEXT(dpy: Dpy, id: Xid) -> Opaque {
    guard("glXImportContextEXT", dpy, request::VENDOR_PRIVATE, || {
        display::find(dpy)?;
        let known = u32::try_from(id).ok().and_then(display::context_of_id);
        if known.is_some() {
            let what =
                "a direct context cannot be imported (GLX_EXT_import_context), and this driver has direct ones alone";
            return Err(GlxError::unserved(Code::GLX_BAD_CONTEXT, Unserved::Indirect, what).quietly());
        }
        fail(Code::GLX_BAD_CONTEXT, usize::try_from(id).unwrap_or(0), "no context has such an identifier")
    })
}

/// `glXFreeContextEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXFreeContextEXT(dpy: Dpy, context: Opaque) {
    guard("glXFreeContextEXT", dpy, request::VENDOR_PRIVATE, || {
        let known = display::context(context.addr())?;
        let what = format!("context {:#x} was not imported", known.id);
        fail(Code::GLX_BAD_CONTEXT, known.id as usize, what)
    })
}
