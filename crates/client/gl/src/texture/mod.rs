//! Texture objects, units and image units.

pub(crate) mod aim;
pub(crate) mod blocks;
pub mod calls;
pub(crate) mod check;
pub(crate) mod clear;
pub mod emit;
pub(crate) mod encode;
pub(crate) mod expect;
pub(crate) mod merge;
pub mod object;
pub mod query;
pub mod state;
pub(crate) mod store;
pub mod target;
pub(crate) mod unpack;
pub(crate) mod upload;

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod tests;
