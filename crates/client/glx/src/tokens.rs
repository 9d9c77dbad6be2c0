//! Values of GLX 1.4, its extensions and its protocol, by the names of `glx.h`, `glxext.h` and `glxproto.h`. A table.
#![allow(missing_docs, reason = "names of the specification")]

/// `int` of the program.
pub type Int = i32;

pub const FALSE: Int = 0;
pub const TRUE: Int = 1;
pub const DONT_CARE: Int = -1;

// Attributes of visuals and configurations.
pub const USE_GL: Int = 1;
pub const BUFFER_SIZE: Int = 2;
pub const LEVEL: Int = 3;
pub const RGBA: Int = 4;
pub const DOUBLEBUFFER: Int = 5;
pub const STEREO: Int = 6;
pub const AUX_BUFFERS: Int = 7;
pub const RED_SIZE: Int = 8;
pub const GREEN_SIZE: Int = 9;
pub const BLUE_SIZE: Int = 10;
pub const ALPHA_SIZE: Int = 11;
pub const DEPTH_SIZE: Int = 12;
pub const STENCIL_SIZE: Int = 13;
pub const ACCUM_RED_SIZE: Int = 14;
pub const ACCUM_GREEN_SIZE: Int = 15;
pub const ACCUM_BLUE_SIZE: Int = 16;
pub const ACCUM_ALPHA_SIZE: Int = 17;
pub const CONFIG_CAVEAT: Int = 0x20;
pub const X_VISUAL_TYPE: Int = 0x22;
pub const TRANSPARENT_TYPE: Int = 0x23;
pub const TRANSPARENT_INDEX_VALUE: Int = 0x24;
pub const TRANSPARENT_RED_VALUE: Int = 0x25;
pub const TRANSPARENT_GREEN_VALUE: Int = 0x26;
pub const TRANSPARENT_BLUE_VALUE: Int = 0x27;
pub const TRANSPARENT_ALPHA_VALUE: Int = 0x28;
pub const NONE: Int = 0x8000;
pub const TRUE_COLOR: Int = 0x8002;
pub const DIRECT_COLOR: Int = 0x8003;
pub const VISUAL_ID: Int = 0x800B;
pub const SCREEN: Int = 0x800C;
pub const DRAWABLE_TYPE: Int = 0x8010;
pub const RENDER_TYPE: Int = 0x8011;
pub const X_RENDERABLE: Int = 0x8012;
pub const FBCONFIG_ID: Int = 0x8013;
pub const RGBA_TYPE: Int = 0x8014;
pub const COLOR_INDEX_TYPE: Int = 0x8015;
pub const MAX_PBUFFER_WIDTH: Int = 0x8016;
pub const MAX_PBUFFER_HEIGHT: Int = 0x8017;
pub const MAX_PBUFFER_PIXELS: Int = 0x8018;
pub const OPTIMAL_PBUFFER_WIDTH_SGIX: Int = 0x8019;
pub const OPTIMAL_PBUFFER_HEIGHT_SGIX: Int = 0x801A;
pub const PRESERVED_CONTENTS: Int = 0x801B;
pub const LARGEST_PBUFFER: Int = 0x801C;
pub const WIDTH: Int = 0x801D;
pub const HEIGHT: Int = 0x801E;
pub const EVENT_MASK: Int = 0x801F;
pub const VISUAL_SELECT_GROUP_SGIX: Int = 0x8028;
pub const PBUFFER_HEIGHT: Int = 0x8040;
pub const PBUFFER_WIDTH: Int = 0x8041;
pub const SWAP_METHOD_OML: Int = 0x8060;
pub const SWAP_COPY_OML: Int = 0x8062;
pub const SWAP_UNDEFINED_OML: Int = 0x8063;
pub const SAMPLE_BUFFERS: Int = 100_000;
pub const SAMPLES: Int = 100_001;
pub const FRAMEBUFFER_SRGB_CAPABLE: Int = 0x20B2;
pub const BIND_TO_TEXTURE_RGB_EXT: Int = 0x20D0;
pub const BIND_TO_TEXTURE_RGBA_EXT: Int = 0x20D1;
pub const BIND_TO_MIPMAP_TEXTURE_EXT: Int = 0x20D2;
pub const BIND_TO_TEXTURE_TARGETS_EXT: Int = 0x20D3;
pub const Y_INVERTED_EXT: Int = 0x20D4;
pub const TEXTURE_FORMAT_EXT: Int = 0x20D5;
pub const TEXTURE_TARGET_EXT: Int = 0x20D6;
pub const MIPMAP_TEXTURE_EXT: Int = 0x20D7;
pub const TEXTURE_FORMAT_NONE_EXT: Int = 0x20D8;
pub const TEXTURE_FORMAT_RGB_EXT: Int = 0x20D9;
pub const TEXTURE_FORMAT_RGBA_EXT: Int = 0x20DA;
pub const TEXTURE_2D_EXT: Int = 0x20DC;
pub const TEXTURE_RECTANGLE_EXT: Int = 0x20DD;
pub const FRONT_LEFT_EXT: Int = 0x20DE;
pub const TEXTURE_2D_BIT_EXT: Int = 2;
pub const TEXTURE_RECTANGLE_BIT_EXT: Int = 4;
pub const SWAP_INTERVAL_EXT: Int = 0x20F1;
pub const MAX_SWAP_INTERVAL_EXT: Int = 0x20F2;
pub const LATE_SWAPS_TEAR_EXT: Int = 0x20F3;
pub const BACK_BUFFER_AGE_EXT: Int = 0x20F4;
pub const SHARE_CONTEXT_EXT: Int = 0x800A;
pub const VISUAL_ID_EXT: Int = 0x800B;

pub const WINDOW_BIT: Int = 1;
pub const PIXMAP_BIT: Int = 2;
pub const PBUFFER_BIT: Int = 4;
pub const RGBA_BIT: Int = 1;

// Context attributes (GLX_ARB_create_context and what came after it).
pub const CONTEXT_MAJOR_VERSION: Int = 0x2091;
pub const CONTEXT_MINOR_VERSION: Int = 0x2092;
pub const CONTEXT_FLAGS: Int = 0x2094;
pub const CONTEXT_RELEASE_BEHAVIOR: Int = 0x2097;
pub const CONTEXT_RELEASE_BEHAVIOR_NONE: Int = 0;
pub const CONTEXT_RELEASE_BEHAVIOR_FLUSH: Int = 0x2098;
pub const CONTEXT_OPENGL_NO_ERROR: Int = 0x31B3;
pub const CONTEXT_RESET_NOTIFICATION_STRATEGY: Int = 0x8256;
pub const LOSE_CONTEXT_ON_RESET: Int = 0x8252;
pub const NO_RESET_NOTIFICATION: Int = 0x8261;
pub const CONTEXT_PROFILE_MASK: Int = 0x9126;
pub const CONTEXT_CORE_PROFILE_BIT: Int = 1;
pub const CONTEXT_ES2_PROFILE_BIT: Int = 4;
pub const CONTEXT_DEBUG_BIT: Int = 1;
pub const CONTEXT_FORWARD_COMPATIBLE_BIT: Int = 2;
pub const CONTEXT_ROBUST_ACCESS_BIT: Int = 4;

// What `glXGetConfig` and `glXGetFBConfigAttrib` answer.
pub const SUCCESS: Int = 0;
pub const BAD_SCREEN: Int = 1;
pub const BAD_ATTRIBUTE: Int = 2;
pub const NO_EXTENSION: Int = 3;
pub const BAD_VISUAL: Int = 4;
pub const BAD_CONTEXT: Int = 5;
pub const BAD_VALUE: Int = 6;

// Names of `glXQueryServerString` and `glXGetClientString`.
pub const VENDOR: Int = 1;
pub const VERSION: Int = 2;
pub const EXTENSIONS: Int = 3;

// GLX_MESA_query_renderer.
pub const RENDERER_VENDOR_ID_MESA: Int = 0x8183;
pub const RENDERER_DEVICE_ID_MESA: Int = 0x8184;
pub const RENDERER_VERSION_MESA: Int = 0x8185;
pub const RENDERER_ACCELERATED_MESA: Int = 0x8186;
pub const RENDERER_VIDEO_MEMORY_MESA: Int = 0x8187;
pub const RENDERER_UNIFIED_MEMORY_ARCHITECTURE_MESA: Int = 0x8188;
pub const RENDERER_PREFERRED_PROFILE_MESA: Int = 0x8189;
pub const RENDERER_OPENGL_CORE_PROFILE_VERSION_MESA: Int = 0x818A;
pub const RENDERER_OPENGL_COMPATIBILITY_PROFILE_VERSION_MESA: Int = 0x818B;
pub const RENDERER_OPENGL_ES_PROFILE_VERSION_MESA: Int = 0x818C;
pub const RENDERER_OPENGL_ES2_PROFILE_VERSION_MESA: Int = 0x818D;

// Events.
pub const BUFFER_SWAP_COMPLETE_INTEL_MASK: u64 = 0x0400_0000;
/// Number of the event after the first of the extension.
pub const BUFFER_SWAP_COMPLETE: u8 = 1;
pub const EXCHANGE_COMPLETE_INTEL: u16 = 0x8180;
pub const COPY_COMPLETE_INTEL: u16 = 0x8181;
pub const FLIP_COMPLETE_INTEL: u16 = 0x8182;

/// Requests of the protocol, for the errors that name them.
pub mod request {
    pub const CREATE_CONTEXT: u8 = 3;
    pub const DESTROY_CONTEXT: u8 = 4;
    pub const MAKE_CURRENT: u8 = 5;
    pub const IS_DIRECT: u8 = 6;
    pub const QUERY_VERSION: u8 = 7;
    pub const COPY_CONTEXT: u8 = 10;
    pub const SWAP_BUFFERS: u8 = 11;
    pub const CREATE_GLX_PIXMAP: u8 = 13;
    pub const GET_VISUAL_CONFIGS: u8 = 14;
    pub const DESTROY_GLX_PIXMAP: u8 = 15;
    pub const VENDOR_PRIVATE: u8 = 16;
    pub const QUERY_EXTENSIONS_STRING: u8 = 18;
    pub const QUERY_SERVER_STRING: u8 = 19;
    pub const GET_FB_CONFIGS: u8 = 21;
    pub const CREATE_PIXMAP: u8 = 22;
    pub const DESTROY_PIXMAP: u8 = 23;
    pub const CREATE_NEW_CONTEXT: u8 = 24;
    pub const QUERY_CONTEXT: u8 = 25;
    pub const MAKE_CONTEXT_CURRENT: u8 = 26;
    pub const CREATE_PBUFFER: u8 = 27;
    pub const DESTROY_PBUFFER: u8 = 28;
    pub const GET_DRAWABLE_ATTRIBUTES: u8 = 29;
    pub const CHANGE_DRAWABLE_ATTRIBUTES: u8 = 30;
    pub const CREATE_WINDOW: u8 = 31;
    pub const DELETE_WINDOW: u8 = 32;
    pub const CREATE_CONTEXT_ATTRIBS: u8 = 34;
}
