//! Windows of the program and what EGL and GLX have in common: who owns a connection to a window system, what a window is,
//! how a finished picture gets to it. Must not know GL state, records, or the names and errors of EGL and GLX.
//!
//! The client owns the window and the server only images: no window handle crosses. A picture is finished by the server in
//! memory that the client, the server and the window system share, and put on the screen from there by a [`window::Window`].

pub mod cell;
pub mod config;
pub mod context;
pub mod current;
pub mod drawable;
pub mod platform;
pub mod report;
pub mod request;
pub mod shown;
pub mod start;
pub mod wayland;
pub mod window;
pub mod x11;
