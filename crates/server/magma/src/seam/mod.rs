//! The backend traits, each call handed to the half that does it. Must not do anything itself.

mod resources;
mod verbs;
