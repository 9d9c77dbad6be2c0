//! `glTexBuffer*` (GL 4.6 §8.9): textures whose texels are a buffer's bytes. Must not read buffers.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::pbo;
use crate::texture::aim;
use crate::texture::object::BufferStore;
use crate::texture::store;
use crate::texture::target::Target;
use mgl_pipe::format::Format;

/// Formats of buffer textures in core profiles (GL 4.6 table 8.16).
pub(crate) fn buffer_format(token: u32) -> Option<Format> {
    use Format as F;
    Format::from_gl(token).filter(|f| {
        matches!(
            f,
            F::R8
                | F::R16
                | F::R16F
                | F::R32F
                | F::R8I
                | F::R16I
                | F::R32I
                | F::R8Ui
                | F::R16Ui
                | F::R32Ui
                | F::Rg8
                | F::Rg16
                | F::Rg16F
                | F::Rg32F
                | F::Rg8I
                | F::Rg16I
                | F::Rg32I
                | F::Rg8Ui
                | F::Rg16Ui
                | F::Rg32Ui
                | F::Rgb32F
                | F::Rgb32I
                | F::Rgb32Ui
                | F::Rgba8
                | F::Rgba16
                | F::Rgba16F
                | F::Rgba32F
                | F::Rgba8I
                | F::Rgba16I
                | F::Rgba32I
                | F::Rgba8Ui
                | F::Rgba16Ui
                | F::Rgba32Ui
        )
    })
}

/// `glTexBuffer`, `glTextureBuffer`.
pub fn tex_buffer(ctx: &mut Context, at: impl Into<At>, internalformat: u32, buffer: u32) -> GlResult {
    attach(ctx, at.into(), internalformat, buffer, None)
}

/// `glTexBufferRange`, `glTextureBufferRange`.
pub fn tex_buffer_range(
    ctx: &mut Context,
    at: impl Into<At>,
    internalformat: u32,
    buffer: u32,
    offset: isize,
    size: isize,
) -> GlResult {
    attach(ctx, at.into(), internalformat, buffer, Some((offset, size)))
}

fn check_range(ctx: &Context, (offset, size): (isize, isize), bytes: u64) -> GlResult<(u64, u64)> {
    if offset < 0 || size <= 0 || offset as u64 + size as u64 > bytes {
        return Err(GlError::invalid_value("the range is outside the buffer"));
    }
    let align = u64::from(ctx.instance.caps.limits.texel_buffer_offset_alignment.max(1));
    if !(offset as u64).is_multiple_of(align) {
        return Err(GlError::invalid_value(format!("the offset is not a multiple of {align}")));
    }
    Ok((offset as u64, size as u64))
}

fn attach(ctx: &mut Context, at: At, internal: u32, name: u32, range: Option<(isize, isize)>) -> GlResult {
    let tex = aim::object(ctx, at, |target| target == Target::Buffer)?;
    let format = buffer_format(internal)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{internal:04X} is not a buffer texture format")))?;
    if name == 0 {
        tex.body().buffer = None;
    } else {
        let buffer = pbo::texture_store(ctx, name)?;
        let (handle, bytes) = (buffer.handle, buffer.size());
        ctx.out.reads(&buffer.last_write)?;
        let range = range.map(|r| check_range(ctx, r, bytes)).transpose()?;
        let (offset, size) = (range.map_or(0, |r| r.0), range.map(|r| r.1));
        let mut body = tex.body();
        body.buffer = Some(BufferStore { buffer, name, format, offset, size });
        store::declare_buffer(&mut ctx.out, &tex, format, handle, (offset, size.unwrap_or(u64::MAX)))?;
    }
    tex.body().buffer_format = format;
    tex.touch();
    ctx.share.texture_shape.bump();
    Ok(())
}
