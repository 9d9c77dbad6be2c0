//! Extensions and versions as strings. Lists only what works.

use std::ffi::CStr;

/// Version of the protocol and of the client.
pub const VERSION: &CStr = c"1.4";
/// Whose this is.
pub const VENDOR: &CStr = c"MobileGL";

/// Extensions of the client, of the server as far as this driver needs it, and of both together: they are the same, because all
/// of it is done here.
pub const EXTENSIONS: &CStr = c"GLX_ARB_context_flush_control GLX_ARB_create_context GLX_ARB_create_context_no_error \
GLX_ARB_create_context_profile GLX_ARB_create_context_robustness GLX_ARB_framebuffer_sRGB \
GLX_ARB_get_proc_address GLX_ARB_multisample GLX_EXT_buffer_age \
GLX_EXT_framebuffer_sRGB GLX_EXT_import_context GLX_EXT_libglvnd \
GLX_EXT_no_config_context GLX_EXT_swap_control GLX_EXT_swap_control_tear GLX_EXT_texture_from_pixmap GLX_EXT_visual_info \
GLX_EXT_visual_rating GLX_INTEL_swap_event GLX_MESA_copy_sub_buffer GLX_MESA_query_renderer GLX_MESA_swap_control \
GLX_OML_swap_method GLX_OML_sync_control GLX_SGIS_multisample GLX_SGIX_fbconfig GLX_SGIX_pbuffer \
GLX_SGIX_visual_select_group GLX_SGI_make_current_read GLX_SGI_swap_control GLX_SGI_video_sync";
