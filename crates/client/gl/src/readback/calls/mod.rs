//! Commands of this group. Must not push records of another group.
#![allow(clippy::too_many_arguments, reason = "the signatures are those of GL")]

pub mod blit;
mod decoded;
pub mod pixels;
pub mod tex_image;

pub use blit::{blit_framebuffer, blit_named_framebuffer};
pub use pixels::read_pixels;
pub use tex_image::{get_compressed_tex_image, get_compressed_texture_sub_image, get_tex_image, get_texture_sub_image};
