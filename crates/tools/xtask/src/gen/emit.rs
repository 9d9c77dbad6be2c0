//! stub
use super::{World, resolve::Call};
use std::path::PathBuf;
pub const DIR: &str = "crates/client/gl-abi/src/generated";
pub fn rust_files(_w: &World, _l: &[&Call]) -> Vec<(PathBuf, String)> {
    Vec::new()
}
pub fn unimplemented(_w: &World, _l: &[&Call]) -> String {
    String::new()
}
