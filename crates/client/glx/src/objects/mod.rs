//! What a program makes with GLX: displays, contexts, drawables. Must not know threads or pointers of the program.

pub mod context;
pub mod display;
pub mod drawable;
