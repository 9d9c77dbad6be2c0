//! Program pipeline objects (GL 4.6 §7.4): stages of several separable programs, drawn with as one composite program.

pub mod calls;
mod composite;
pub mod query;
mod resolve;
pub mod state;
#[cfg(test)]
mod tests;
mod valid;
