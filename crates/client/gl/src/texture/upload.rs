//! Uploads: the program's pixels go into the staging arena in texel layout, in slabs that fit it (spec 12 §3). Must not
//! know error rules.

use super::blocks::Span;
use super::object::{Image, Texture};
use super::store::{self, Place};
use super::target::Target;
use super::unpack::{self, Source};
use crate::abi::Pixels;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::out::{Lost, Out};
use crate::pixel::client::ClientPixels;
use crate::pixel::convert::Converter;
use crate::pixel::layout::Layout;
use mgl_pipe::Box3;
use mgl_pipe::format::Format;
use mgl_pipe::records::{ResourceSubData, SubRegion};
use std::borrow::Cow;
use zerocopy::IntoBytes;

/// Destination of an upload: box in GL coordinates of the image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub offset: [u32; 3],
    pub size: [u32; 3],
}

/// One slab: first row and slice, rows and slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slab {
    y: u32,
    z: u32,
    h: u32,
    d: u32,
}

/// Cuts `h` rows by `d` slices of `row` bytes into slabs of at most `limit` bytes.
fn slabs(h: u32, d: u32, row: usize, limit: usize) -> impl Iterator<Item = Slab> {
    let slice = row * h as usize;
    let (rows, slices) = if slice <= limit {
        (h, ((limit / slice.max(1)) as u32).clamp(1, d))
    } else {
        (((limit / row.max(1)) as u32).max(1), 1)
    };
    (0..d).step_by(slices as usize).flat_map(move |z| {
        (0..h).step_by(rows as usize).map(move |y| Slab { y, z, h: rows.min(h - y), d: slices.min(d - z) })
    })
}

fn push_region(out: &mut Out, place: &Place, blob: mgl_pipe::Blob, dst: Box3) -> Result<(), Lost> {
    let head = ResourceSubData {
        target: place.target,
        level: place.level,
        region_count: 1,
        slot: place.handle.slot(),
        generation: place.handle.generation(),
        blob,
        ..Default::default()
    };
    let region = SubRegion { dst, ..Default::default() };
    out.push_with(&head, [region.as_bytes(), &[], &[]]).map(|_| ())
}

/// Rows and slices on the wire: the layers of a 1D array are slices there.
pub(super) fn wire_box(target: Target, place: &Place, r: &Region) -> ([u32; 3], [u32; 3]) {
    let (o, s) = (r.offset, r.size);
    if target == Target::D1Array {
        ([o[0], 0, o[1] + place.layer], [s[0], 1, s[1]])
    } else {
        ([o[0], o[1], o[2] + place.layer], s)
    }
}

/// Uploads converted pixels.
pub(crate) fn pixels(
    ctx: &mut Context,
    tex: &Texture,
    place: &Place,
    region: &Region,
    (px, format, layout): (ClientPixels, Format, &Layout),
    source: &Source<'_>,
) -> GlResult {
    let bytes = match source {
        Source::Here(bytes) => bytes,
        Source::There(buffer, base) => return unpack::copy(ctx, tex, place, region, (buffer, *base), layout),
    };
    let swap = ctx.texture.pixel.unpack.swap_bytes;
    let mut conv = Converter::upload(px, swap, format);
    let (at, [w, h, d]) = wire_box(tex.target, place, region);
    let row = w as usize * conv.texel_bytes();
    let by_layer = tex.target == Target::D1Array;
    ctx.out.writes(&tex.last_write)?;
    for s in slabs(h, d, row, ctx.out.stage_limit()) {
        let blob = ctx.out.stage_with(row * (s.h * s.d) as usize, |to| {
            for (i, dst) in to.chunks_exact_mut(row).enumerate() {
                let (y, z) = (s.y as usize + i % s.h as usize, s.z as usize + i / s.h as usize);
                let from = if by_layer { layout.row(z, 0) } else { layout.row(y, z) };
                conv.upload_row(&bytes[from..from + layout.row_bytes], dst);
            }
        })?;
        let dst = Box3 { x: at[0] as i32, y: (at[1] + s.y) as i32, z: (at[2] + s.z) as i32, w, h: s.h, d: s.d };
        push_region(&mut ctx.out, place, blob, dst)?;
    }
    store::wrote(&ctx.out, tex);
    Ok(())
}

/// Blocks of an upload, tight: the program may have told how they lie in a larger image (GL 4.6 §8.7.1). Tight ones of an
/// unpack buffer stay on the server, unless they are to be decoded (`carried`).
pub(crate) fn block_source<'a>(
    ctx: &mut Context,
    pixels: Pixels<'a>,
    (dims, size): (u32, [u32; 3]),
    total: usize,
    carried: bool,
) -> GlResult<Option<Source<'a>>> {
    let Some(layout) = Layout::of_blocks(&ctx.texture.pixel.unpack, dims, size) else {
        return unpack::source(ctx, pixels, (total, 1), !carried);
    };
    let source = unpack::source(ctx, pixels, (layout.total, 1), false)?;
    let Some(Source::Here(bytes)) = source else { return Ok(None) };
    let rows = total.checked_div(layout.row_bytes).unwrap_or(0) / size[2].max(1) as usize;
    let mut tight = Vec::with_capacity(total);
    for (z, y) in (0..size[2] as usize).flat_map(|z| (0..rows).map(move |y| (z, y))) {
        let at = layout.row(y, z);
        tight.extend_from_slice(bytes.get(at..at + layout.row_bytes).unwrap_or_default());
    }
    if tight.len() != total {
        return Err(GlError::invalid_operation("the pixel-store block parameters are not those of the format"));
    }
    Ok(Some(Source::Here(Cow::Owned(tight))))
}

/// Uploads `length` bytes of blocks that start `from` bytes into their source.
pub(crate) fn compressed_part(
    ctx: &mut Context,
    tex: &Texture,
    at: (u32, usize),
    place: &Place,
    (image, region): (&Image, &Region),
    (source, from, length): (&Source<'_>, usize, usize),
) -> GlResult {
    match source {
        Source::Here(bytes) => compressed(ctx, tex, at, place, (image, region), &bytes[from..from + length]),
        Source::There(buffer, base) => {
            let storage = image.format.map(|f| f.storage());
            let ((bw, bh), bytes) = storage.map_or(((1, 1), 1), |s| (s.block_extent(), s.block_bytes()));
            let row = region.size[0].div_ceil(bw) as usize * bytes as usize;
            let slice = row * region.size[1].div_ceil(bh) as usize;
            let layout = Layout {
                first: from,
                row_bytes: row,
                row_stride: row,
                image_stride: slice,
                inverted: 0,
                total: length,
            };
            unpack::copy(ctx, tex, place, region, (buffer, *base), &layout)
        }
    }
}

/// Uploads blocks of a compressed image: as they are, or decoded where the device lacks the format.
pub(crate) fn compressed(
    ctx: &mut Context,
    tex: &Texture,
    (level, face): (u32, usize),
    place: &Place,
    (image, region): (&Image, &Region),
    bytes: &[u8],
) -> GlResult {
    let Some(format) = image.format else { return Ok(()) };
    let Some(carrier) = image.carrier else { return blocks(ctx, tex, place, region, format, bytes) };
    let [x, y, z] = region.offset;
    let [w, h, _] = region.size;
    let offset = [x, y, z + face as u32];
    tex.keep_blocks(Span { format, level, image: [image.size[0], image.size[1]], offset, size: region.size }, bytes);
    let slice = format.info().image_bytes(w, h, 1) as usize;
    let texels: Vec<u8> = bytes
        .chunks_exact(slice.max(1))
        .filter_map(|blocks| mgl_decode::decode(format, blocks, w, h))
        .flatten()
        .collect();
    blocks(ctx, tex, place, region, carrier, &texels)
}

/// Uploads compressed blocks as they are.
pub(crate) fn blocks(
    ctx: &mut Context,
    tex: &Texture,
    place: &Place,
    region: &Region,
    format: Format,
    bytes: &[u8],
) -> GlResult {
    let (bw, bh) = format.storage().block_extent();
    ctx.out.writes(&tex.last_write)?;
    let (at, [w, h, d]) = wire_box(tex.target, place, region);
    let row = w.div_ceil(bw) as usize * format.storage().block_bytes() as usize;
    let block_rows = h.div_ceil(bh);
    for s in slabs(block_rows, d, row, ctx.out.stage_limit()) {
        let first = (s.z as usize * block_rows as usize + s.y as usize) * row;
        let len = row * (s.h * s.d) as usize;
        let blob = ctx.out.stage(&bytes[first..first + len])?;
        let y = s.y * bh;
        let dst = Box3 {
            x: at[0] as i32,
            y: (at[1] + y) as i32,
            z: (at[2] + s.z) as i32,
            w,
            h: (s.h * bh).min(h - y),
            d: s.d,
        };
        push_region(&mut ctx.out, place, blob, dst)?;
    }
    store::wrote(&ctx.out, tex);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Slab, slabs};

    // Uploads larger than the staging window would fail or lose rows.
    #[test]
    fn slabs_cover_the_image_and_fit_the_limit() {
        for (h, d, row, limit) in [(4, 3, 10, 1000), (4, 3, 10, 45), (7, 2, 10, 25), (1, 5, 10, 10), (3, 1, 100, 10)] {
            let list: Vec<Slab> = slabs(h, d, row, limit).collect();
            let rows: u32 = list.iter().map(|s| s.h * s.d).sum();
            assert_eq!(rows, h * d);
            assert!(list.iter().all(|s| (s.h * s.d) as usize * row <= limit.max(row)));
        }
    }
}
