//! Where the pixels of an upload are: in the program's memory, or in an unpack buffer whose bytes only the server has and
//! need not leave it. Must not know error rules of commands.

use super::object::Texture;
use super::store::{self, Place};
use super::target::Target;
use super::upload::{Region, wire_box};
use crate::abi::Pixels;
use crate::buffer::persistent;
use crate::buffer::state::Buffer;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::convert::Converter;
use crate::pixel::layout::Layout;
use crate::pixel::pbo;
use mgl_pipe::Box3;
use mgl_pipe::format::Format;
use mgl_pipe::records::CopyBufferToTexture;
use std::borrow::Cow;
use std::sync::Arc;

/// Pixels or blocks of an upload.
#[derive(Clone, Debug)]
pub(crate) enum Source<'a> {
    /// Bytes that this side has.
    Here(Cow<'a, [u8]>),
    /// An unpack buffer and the offset of the upload in it: the server copies.
    There(Arc<Buffer>, u64),
}

impl Source<'_> {
    /// True when there is nothing to upload.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Source::Here(bytes) if bytes.is_empty())
    }
}

/// Finds the pixels of an upload of `total` bytes whose elements have `unit` bytes. `None`: nothing to upload. With
/// `as_they_are`, those of an unpack buffer stay on the server.
pub(crate) fn source<'a>(
    ctx: &mut Context,
    pixels: Pixels<'a>,
    (total, unit): (usize, usize),
    as_they_are: bool,
) -> GlResult<Option<Source<'a>>> {
    match pixels {
        Pixels::Null => Ok(None),
        Pixels::Bytes(bytes) if bytes.len() >= total => Ok(Some(Source::Here(Cow::Borrowed(bytes)))),
        Pixels::Bytes(_) => Err(GlError::invalid_operation("fewer bytes than the pixel-store state asks for")),
        Pixels::Offset(offset) if offset % unit != 0 => {
            Err(GlError::invalid_operation("offset into the unpack buffer is not a multiple of the element size"))
        }
        Pixels::Offset(offset) if as_they_are && total > 0 => {
            let buffer = pbo::unpack_source(ctx, offset, total)?;
            persistent::push_of(ctx, &buffer)?;
            ctx.out.reads(&buffer.last_write)?;
            Ok(Some(Source::There(buffer, offset as u64)))
        }
        Pixels::Offset(offset) => pbo::read_unpack(ctx, offset, total).map(|v| Some(Source::Here(Cow::Owned(v)))),
    }
}

/// True when the pixels are texels of `format` already, and lie so that a copy on the server finds them: rows that
/// overlap, as a small `GL_UNPACK_ROW_LENGTH` makes them, do not.
pub(crate) fn are_texels(ctx: &Context, px: ClientPixels, format: Format, layout: &Layout, size: [u32; 3]) -> bool {
    let rows = size[1].max(1) as usize;
    let apart = layout.row_stride >= layout.row_bytes
        && (size[2] <= 1 || layout.image_stride >= layout.row_stride * (rows - 1) + layout.row_bytes)
        && u32::try_from(layout.image_stride).is_ok();
    apart && Converter::upload(px, ctx.texture.pixel.unpack.swap_bytes, format).is_copy()
}

/// Lets the server copy a box out of an unpack buffer.
pub(crate) fn copy(
    ctx: &mut Context,
    tex: &Texture,
    place: &Place,
    region: &Region,
    (buffer, base): (&Buffer, u64),
    layout: &Layout,
) -> GlResult {
    let ([x, y, z], [w, h, d]) = wire_box(tex.target, place, region);
    let (row, slice) = match tex.target {
        // Its layers are rows in memory and slices on the wire.
        Target::D1Array => (0, layout.row_stride),
        _ => (layout.row_stride, layout.image_stride),
    };
    ctx.out.writes(&tex.last_write)?;
    // Strides mean nothing where there is one of a kind.
    let stride = |bytes: usize, count: u32| if count > 1 { bytes as u32 } else { 0 };
    ctx.out.push(&CopyBufferToTexture {
        texture: place.handle,
        dst: Box3 { x: x as i32, y: y as i32, z: z as i32, w, h, d },
        level: place.level,
        buffer: buffer.handle,
        offset: base + layout.first as u64,
        row_stride: stride(row, h),
        slice_stride: stride(slice, d),
        ..Default::default()
    })?;
    store::wrote(&ctx.out, tex);
    Ok(())
}
