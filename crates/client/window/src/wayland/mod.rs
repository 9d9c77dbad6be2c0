//! Windows of Wayland (`wl_egl_window` on the program's `wl_display`, `wl_shm`). Must not know GL.
