//! `glClearTexImage`, `glClearTexSubImage` (GL 4.6 §8.21). Must not know texels.

use crate::context::Context;
use crate::error::GlResult;
use crate::texture::clear::clear;

/// `glClearTexImage`.
pub fn clear_tex_image(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    format: u32,
    type_: u32,
    data: Option<&[u8]>,
) -> GlResult {
    clear(ctx, texture, level, None, (format, type_), data)
}

/// `glClearTexSubImage`.
#[allow(clippy::too_many_arguments, reason = "the signature is that of GL")]
pub fn clear_tex_sub_image(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    width: i32,
    height: i32,
    depth: i32,
    format: u32,
    type_: u32,
    data: Option<&[u8]>,
) -> GlResult {
    let region = Some(([xoffset, yoffset, zoffset], [width, height, depth]));
    clear(ctx, texture, level, region, (format, type_), data)
}
