//! Reads of compressed images that need the client: as pixels, decoded here; as blocks that were kept here or that go to
//! places of their own. Must not know error rules.

use super::tex_image::Read;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::convert::Converter;
use crate::pixel::layout::Layout;
use crate::readback::transfer::{self, Sink};
use crate::texture::aim::Part;
use crate::texture::blocks::Span;
use mgl_pipe::format::Format;
use mgl_pipe::tokens::Aspects;

/// Rows of bytes on their way to memory or to a pack buffer.
fn put(ctx: &mut Context, sink: &mut Sink<'_>, at: usize, row: &[u8]) -> GlResult {
    match sink {
        Sink::Memory(memory) => {
            if let Some(to) = memory.get_mut(at..at + row.len()) {
                to.copy_from_slice(row);
            }
            Ok(())
        }
        Sink::Buffer(buffer, base) => {
            crate::buffer::upload::write(&mut ctx.out, buffer, (*base + at) as u64, row)?;
            transfer::written(ctx, buffer);
            Ok(())
        }
    }
}

/// Tight blocks of a part of an image; the part starts and ends at blocks or at the end of the image.
fn fetch(ctx: &mut Context, read: &Read, part: &Part, format: Format) -> GlResult<Vec<u8>> {
    let [w, h, d] = part.size;
    if read.image.carrier.is_some() {
        let [x, y, z] = part.offset.map(|v| v as u32);
        let (image, offset) = ([read.image.size[0], read.image.size[1]], [x, y, z + part.face as u32]);
        return Ok(read.aim.tex.kept_blocks(Span { format, level: read.level, image, offset, size: part.size }));
    }
    let (bw, bh) = format.storage().block_extent();
    let row = w.div_ceil(bw) as usize * format.storage().block_bytes() as usize;
    let mut blocks = vec![0; format.info().image_bytes(w, h, d) as usize];
    if let Some(request) = read.request(ctx, part, Aspects::Color)? {
        transfer::blocks(ctx, &request, (row, h.div_ceil(bh), bh), Sink::Memory(&mut blocks))?;
    }
    Ok(blocks)
}

/// Blocks, tight or as `placed` says.
pub(super) fn blocks(
    ctx: &mut Context,
    read: &Read,
    format: Format,
    placed: Option<Layout>,
    mut sink: Sink<'_>,
) -> GlResult {
    let (bw, bh) = format.storage().block_extent();
    let row = read.size[0].div_ceil(bw) as usize * format.storage().block_bytes() as usize;
    let rows = read.size[1].div_ceil(bh) as usize;
    let slice = row * rows;
    let layout = placed.unwrap_or(Layout {
        first: 0,
        row_bytes: row,
        row_stride: row,
        image_stride: slice,
        inverted: 0,
        total: slice,
    });
    if layout.row_bytes != row {
        return Err(GlError::invalid_operation("the pixel-store block parameters are not those of the format"));
    }
    for part in read.aim.parts(read.offset, read.size)? {
        let blocks = fetch(ctx, read, &part, format)?;
        for (i, line) in blocks.chunks_exact(row).enumerate() {
            put(ctx, &mut sink, layout.row(i % rows, part.slice + i / rows), line)?;
        }
    }
    Ok(())
}

/// Pixels of an image that the device holds in blocks.
pub(super) fn pixels(
    ctx: &mut Context,
    read: &Read,
    format: Format,
    (px, layout): (ClientPixels, &Layout),
    mut sink: Sink<'_>,
) -> GlResult {
    let carrier = mgl_decode::carrier(format).ok_or_else(|| {
        GlError::invalid_operation(format!("{format:?} can only be read with glGetCompressedTexImage"))
    })?;
    let mut conv = Converter::download(px, ctx.texture.pixel.pack.swap_bytes, carrier, false);
    let texel = conv.texel_bytes();
    let (bw, bh) = format.storage().block_extent();
    let mut line = vec![0; read.size[0] as usize * px.pixel_bytes()];
    for part in read.aim.parts(read.offset, read.size)? {
        // Whole blocks around the box.
        let grow = |axis: usize, block: u32| {
            let first = part.offset[axis] as u32 / block * block;
            let end = (part.offset[axis] as u32 + part.size[axis]).next_multiple_of(block).min(read.image.size[axis]);
            (first, end - first)
        };
        let ((x, w), (y, h)) = (grow(0, bw), grow(1, bh));
        let whole = Part { offset: [x as i32, y as i32, part.offset[2]], size: [w, h, part.size[2]], ..part };
        let blocks = fetch(ctx, read, &whole, format)?;
        let slice = format.info().image_bytes(w, h, 1) as usize;
        for (z, blocks) in blocks.chunks_exact(slice).enumerate() {
            let texels = mgl_decode::decode(format, blocks, w, h).unwrap_or_default();
            for row in 0..part.size[1] {
                let inner = ((part.offset[1] as u32 - y + row) * w + part.offset[0] as u32 - x) as usize * texel;
                conv.download_row(&texels[inner..inner + part.size[0] as usize * texel], &mut line);
                put(ctx, &mut sink, layout.row(row as usize, part.slice + z), &line)?;
            }
        }
    }
    Ok(())
}
