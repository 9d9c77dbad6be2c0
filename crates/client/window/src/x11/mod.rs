//! Windows and pixmaps of X11 (core protocol, MIT-SHM, Present). Must not know GL.
