//! The backend traits, each call handed to the half that does it, with the context made current first. Must not do
//! anything itself.

mod draws;
mod resources;
mod verbs;
