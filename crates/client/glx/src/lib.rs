//! GLX 1.4 and its extensions: entry points for glvnd and for `libGL.so.1`. Must not know records or the server.
