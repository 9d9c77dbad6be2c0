//! The only place where pixel transfers and buffer textures touch the buffer group: what is bound for packing and
//! unpacking, its bytes, its handle. Must not know pixels.

use crate::buffer::state::{Buffer, Target};
use crate::buffer::{persistent, upload};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use std::sync::Arc;

/// True when `GL_PIXEL_UNPACK_BUFFER` is bound.
pub(crate) fn unpack_bound(ctx: &Context) -> bool {
    ctx.buffer.bound(Target::PixelUnpack).is_some()
}

/// True when `GL_PIXEL_PACK_BUFFER` is bound.
pub(crate) fn pack_bound(ctx: &Context) -> bool {
    ctx.buffer.bound(Target::PixelPack).is_some()
}

/// The bound buffer, after the checks of GL 4.6 §6.3.2, §8.4.4 and §18.2.8.
fn usable(ctx: &Context, target: Target, offset: usize, len: usize) -> GlResult<Arc<Buffer>> {
    let buffer =
        ctx.buffer.bound(target).cloned().ok_or_else(|| GlError::invalid_operation("no pixel buffer is bound"))?;
    if buffer.is_mapped() {
        return Err(GlError::invalid_operation("the pixel buffer is mapped"));
    }
    if (offset as u64).checked_add(len as u64).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_operation("the transfer reaches past the end of the pixel buffer"));
    }
    Ok(buffer)
}

/// The unpack buffer, after checking that the server can read `len` bytes from `offset`.
pub(crate) fn unpack_source(ctx: &mut Context, offset: usize, len: usize) -> GlResult<Arc<Buffer>> {
    usable(ctx, Target::PixelUnpack, offset, len)
}

/// The bytes of a range of the unpack buffer, for conversion here. Programs that stream map the buffer, and what the
/// last map wrote is still here; else this waits for the server.
pub(crate) fn read_unpack(ctx: &mut Context, offset: usize, len: usize) -> GlResult<Vec<u8>> {
    let buffer = usable(ctx, Target::PixelUnpack, offset, len)?;
    if let Some(bytes) = upload::known(&buffer, offset as u64..(offset + len) as u64) {
        return Ok(bytes);
    }
    let mut bytes = vec![0; len];
    persistent::push_of(ctx, &buffer)?;
    upload::read(&mut ctx.out, &buffer, offset as u64, &mut bytes)?;
    Ok(bytes)
}

/// The pack buffer, after checking that `len` bytes from `offset` fit and that it is not mapped.
pub(crate) fn pack_target(ctx: &mut Context, offset: usize, len: usize) -> GlResult<Arc<Buffer>> {
    usable(ctx, Target::PixelPack, offset, len)
}

/// Object and bytes of the buffer that becomes the store of a buffer texture.
pub(crate) fn texture_store(ctx: &mut Context, name: u32) -> GlResult<Arc<Buffer>> {
    let found = lock(&ctx.share.buffers).get(name).cloned();
    let buffer = found.ok_or_else(|| GlError::invalid_operation(format!("{name} is not a buffer")))?;
    buffer.mark_texture_store();
    Ok(buffer)
}
