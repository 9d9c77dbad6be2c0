//! Filling buffers with a repeated texel (GL 4.6 §6.2.1). Must not know framebuffers.

use crate::abi::At;
use crate::buffer::calls::{bound, range_in, range_not_mapped};
use crate::buffer::state::{Buffer, Target};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::internal::check_upload;
use crate::texture::calls::buffer::buffer_format;
use mgl_pipe::format::Base;
use mgl_pipe::records::ClearBufferData;
use std::ops::Range;
use std::sync::Arc;

/// What the texel of the program becomes in the store.
struct Texel {
    internal: u32,
    format: u32,
    type_: u32,
}

/// The texel's bytes as words, and how many bytes count. No data is a texel of zeros.
fn pattern(texel: &Texel, data: Option<&[u8]>) -> GlResult<([u32; 4], u32)> {
    let stored = buffer_format(texel.internal)
        .ok_or_else(|| GlError::invalid_enum("the internal format is none that buffer textures have"))?;
    // Both kinds of a wrong format or type are `GL_INVALID_VALUE` here, unlike in other commands (GL 4.6 §6.2.1).
    let pixels = ClientPixels::parse(texel.format, texel.type_).map_err(|error| GlError::invalid_value(error.what))?;
    if !matches!(pixels.class, Class::Color | Class::Integer) {
        return Err(GlError::invalid_value("buffers are cleared to colours, not to depths or stencils"));
    }
    check_upload(stored, pixels.class)?;
    let mut converter = Converter::upload(pixels, false, stored);
    let stored_size = converter.texel_bytes();
    let mut bytes = [0u8; 16];
    if let Some(data) = data {
        converter.upload_row(data, &mut bytes[..stored_size]);
    }
    // Buffers hold three components as three (GL 4.6 table 8.18), textures as four.
    let size = if stored.info().base == Base::Rgb { 12 } else { stored_size };
    let (words, _) = bytes.as_chunks::<4>();
    Ok((std::array::from_fn(|i| words.get(i).map_or(0, |w| u32::from_le_bytes(*w))), size as u32))
}

fn fill(ctx: &mut Context, buffer: &Buffer, range: Range<u64>, texel: &Texel, data: Option<&[u8]>) -> GlResult {
    let (pattern, pattern_size) = pattern(texel, data)?;
    let step = u64::from(pattern_size);
    let size = range.end - range.start;
    if !range.start.is_multiple_of(step) || !size.is_multiple_of(step) {
        return Err(GlError::invalid_value("offset and size must be multiples of the texel's size"));
    }
    range_not_mapped(buffer, &range)?;
    if size == 0 {
        return Ok(());
    }
    ctx.out.writes(&buffer.last_write)?;
    let (handle, offset) = (buffer.handle, range.start);
    let head = ClearBufferData { buffer: handle, offset, size, pattern_size, pattern, ..Default::default() };
    let seq = ctx.out.push(&head)?;
    buffer.filled(ctx.out.flow(), seq, range);
    Ok(())
}

/// The buffer to fill; unlike elsewhere, none is `GL_INVALID_VALUE` (ARB_clear_buffer_object).
fn target(ctx: &Context, at: At) -> GlResult<Arc<Buffer>> {
    if let At::Target(token) = at
        && Target::from_token(token).is_some_and(|target| ctx.buffer.bound(target).is_none())
    {
        return Err(GlError::invalid_value("no buffer is bound to the target"));
    }
    bound(ctx, at)
}

/// `glClearBufferData`, `glClearNamedBufferData`.
pub fn clear_buffer_data(
    ctx: &mut Context,
    at: impl Into<At>,
    internalformat: u32,
    format: u32,
    type_: u32,
    data: Option<&[u8]>,
) -> GlResult {
    let buffer = target(ctx, at.into())?;
    let texel = Texel { internal: internalformat, format, type_ };
    // A store that ends within a texel keeps that rest, as nothing else could be meant.
    let size = pattern(&texel, None)?.1;
    let whole = buffer.size() - buffer.size() % u64::from(size);
    fill(ctx, &buffer, 0..whole, &texel, data)
}

/// `glClearBufferSubData`, `glClearNamedBufferSubData`.
#[allow(clippy::too_many_arguments, reason = "the GL command has these parameters")]
pub fn clear_buffer_sub_data(
    ctx: &mut Context,
    at: impl Into<At>,
    internalformat: u32,
    offset: isize,
    size: isize,
    format: u32,
    type_: u32,
    data: Option<&[u8]>,
) -> GlResult {
    let buffer = target(ctx, at.into())?;
    let range = range_in(&buffer, offset, size)?;
    fill(ctx, &buffer, range, &Texel { internal: internalformat, format, type_ }, data)
}
