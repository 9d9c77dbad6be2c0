//! `glXGetProcAddress`: functions of GLX from the table here, of GL from its C ABI (GLX 1.4 §3.3.12).

use std::ffi::{CStr, c_char};

use super::{config, context, drawable, font, import, pbuffer, query, renderer, swap, sync, texture};

struct Entry(&'static str, *const ());

// SAFETY: an address of code; it is never written and never read through.
unsafe impl Sync for Entry {}

macro_rules! table {
    ($($module:ident: $($name:ident),+;)*) => {
        static TABLE: &[Entry] = &[
            $($(Entry(stringify!($name), $module::$name as *const ()),)+)*
            Entry("glXGetProcAddress", glXGetProcAddress as *const ()),
            Entry("glXGetProcAddressARB", glXGetProcAddressARB as *const ()),
        ];
    };
}

table! {
    query: glXQueryExtension, glXQueryVersion, glXQueryExtensionsString, glXQueryServerString, glXGetClientString;
    config: glXGetFBConfigs, glXChooseFBConfig, glXGetFBConfigAttrib, glXGetVisualFromFBConfig, glXChooseVisual, glXGetConfig;
    context: glXCreateContext, glXCreateNewContext, glXCreateContextAttribsARB, glXDestroyContext, glXMakeCurrent,
        glXMakeContextCurrent, glXGetCurrentContext, glXGetCurrentDisplay, glXGetCurrentDrawable, glXGetCurrentReadDrawable,
        glXIsDirect, glXQueryContext, glXCopyContext;
    drawable: glXCreateWindow, glXDestroyWindow, glXCreatePixmap, glXDestroyPixmap, glXCreateGLXPixmap, glXDestroyGLXPixmap,
        glXCreateGLXPixmapWithConfigSGIX, glXCreatePbuffer, glXDestroyPbuffer, glXQueryDrawable, glXSelectEvent, glXGetSelectedEvent;
    pbuffer: glXCreateGLXPbufferSGIX, glXQueryGLXPbufferSGIX, glXGetFBConfigFromVisualSGIX;
    swap: glXSwapBuffers, glXCopySubBufferMESA, glXSwapIntervalEXT, glXSwapIntervalSGI, glXSwapIntervalMESA,
        glXGetSwapIntervalMESA, glXWaitGL, glXWaitX;
    sync: glXGetSyncValuesOML, glXGetMscRateOML, glXSwapBuffersMscOML, glXWaitForMscOML, glXWaitForSbcOML, glXGetVideoSyncSGI,
        glXWaitVideoSyncSGI;
    texture: glXBindTexImageEXT, glXReleaseTexImageEXT;
    renderer: glXQueryRendererIntegerMESA, glXQueryCurrentRendererIntegerMESA, glXQueryRendererStringMESA,
        glXQueryCurrentRendererStringMESA;
    import: glXGetCurrentDisplayEXT, glXGetContextIDEXT, glXQueryContextInfoEXT, glXImportContextEXT, glXFreeContextEXT;
    font: glXUseXFont;
}

/// Extension names of functions that are equal to one of GLX 1.4.
const ALIASES: &[(&str, &str)] = &[
    ("glXChooseFBConfigSGIX", "glXChooseFBConfig"),
    ("glXGetFBConfigAttribSGIX", "glXGetFBConfigAttrib"),
    ("glXGetVisualFromFBConfigSGIX", "glXGetVisualFromFBConfig"),
    ("glXCreateContextWithConfigSGIX", "glXCreateNewContext"),
    ("glXDestroyGLXPbufferSGIX", "glXDestroyPbuffer"),
    ("glXSelectEventSGIX", "glXSelectEvent"),
    ("glXGetSelectedEventSGIX", "glXGetSelectedEvent"),
    ("glXMakeCurrentReadSGI", "glXMakeContextCurrent"),
    ("glXGetCurrentReadDrawableSGI", "glXGetCurrentReadDrawable"),
];

/// Address of a function of GLX, null when it is none.
pub(super) fn own(name: &CStr) -> *const () {
    let text = name.to_str().unwrap_or_default();
    let text = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, target)| *target);
    TABLE.iter().find(|entry| entry.0 == text).map_or(std::ptr::null(), |entry| entry.1)
}

/// Address of a `glX*` or `gl*` function, null when there is none.
pub fn proc_address(name: &CStr) -> *const () {
    let own = own(name);
    if own.is_null() { mgl_gl_abi::proc_address(name) } else { own }
}

/// `glXGetProcAddress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddress(name: *const c_char) -> *const () {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the program passes a terminated string.
    proc_address(unsafe { CStr::from_ptr(name) })
}

/// `glXGetProcAddressARB`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddressARB(name: *const c_char) -> *const () {
    // SAFETY: as this function's own contract.
    unsafe { glXGetProcAddress(name) }
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, TABLE, proc_address};
    use std::collections::BTreeSet;

    // libGLX drops a vendor that lacks one of these, and a program linked to libGL does not start.
    #[test]
    fn all_functions_of_glx_1_4_have_an_address() {
        let core = "glXChooseFBConfig glXChooseVisual glXCopyContext glXCreateContext glXCreateGLXPixmap glXCreateNewContext \
            glXCreatePbuffer glXCreatePixmap glXCreateWindow glXDestroyContext glXDestroyGLXPixmap glXDestroyPbuffer \
            glXDestroyPixmap glXDestroyWindow glXGetClientString glXGetConfig glXGetCurrentContext glXGetCurrentDisplay \
            glXGetCurrentDrawable glXGetCurrentReadDrawable glXGetFBConfigAttrib glXGetFBConfigs glXGetProcAddress \
            glXGetSelectedEvent glXGetVisualFromFBConfig glXIsDirect glXMakeContextCurrent glXMakeCurrent glXQueryContext \
            glXQueryDrawable glXQueryExtension glXQueryExtensionsString glXQueryServerString glXQueryVersion glXSelectEvent \
            glXSwapBuffers glXUseXFont glXWaitGL glXWaitX";
        let known: BTreeSet<&str> = TABLE.iter().map(|entry| entry.0).collect();
        assert_eq!(core.split_whitespace().filter(|name| known.contains(name)).count(), 39);
        assert_eq!(known.len(), TABLE.len(), "each function once");
        for name in known.into_iter().chain(ALIASES.iter().map(|alias| alias.0)) {
            let c = std::ffi::CString::new(name).expect("no zero in a name");
            assert!(!proc_address(&c).is_null(), "{name}");
        }
    }
}
