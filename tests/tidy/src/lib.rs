//! Checks over the source tree itself, run as ordinary tests.
//!
//! They read the tree and `cargo metadata`; they must not depend on any crate of the workspace, so that a broken
//! crate cannot hide a broken rule.

#[cfg(test)]
mod edges;
#[cfg(test)]
mod links;
#[cfg(test)]
mod lints;
#[cfg(test)]
mod metadata;
#[cfg(test)]
mod modules;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod sizes;
#[cfg(test)]
mod switches;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod words;
