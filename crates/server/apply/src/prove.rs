//! Proofs against the object tables: spans inside resources, live handles, bounded sizes. Must not act.

use mgl_backend::TextureDesc;
use mgl_backend::values::{Box3, SubRegion};
use mgl_base::{Family, Fault};
use mgl_pipe::format::Format;
use mgl_pipe::tokens::{Aspects, ResourceTarget};

/// Largest extent of a level in one direction that a record may declare.
const MAX_EXTENT: u32 = 1 << 17;
/// Most array layers.
const MAX_LAYERS: u32 = 1 << 16;

/// `offset + size` lies inside `len`.
pub(crate) fn span(offset: u64, size: u64, len: u64, place: &'static str) -> Result<(), Fault> {
    match offset.checked_add(size) {
        Some(end) if end <= len => Ok(()),
        _ => Err(Fault::corrupt(format!("{place}: {offset}+{size} of {len}"))),
    }
}

/// Bytes that a texture takes, or a fault for a shape that no client emits.
pub(crate) fn texture_bytes(desc: &TextureDesc, place: &'static str) -> Result<u64, Fault> {
    let Some(format) = desc.format else { return Ok(0) };
    let max_dim = desc.width.max(desc.height).max(desc.depth);
    let shaped = desc.width >= 1 && desc.height >= 1 && desc.depth >= 1 && desc.layers >= 1 && desc.levels >= 1;
    let cube = matches!(desc.target, ResourceTarget::TexCube | ResourceTarget::TexCubeArray);
    if !shaped
        || max_dim > MAX_EXTENT
        || desc.layers > MAX_LAYERS
        || desc.samples > 64
        || desc.levels > 32 - max_dim.leading_zeros()
        || (desc.depth > 1 && desc.target != ResourceTarget::Tex3D)
        || (cube && !desc.layers.is_multiple_of(6))
    {
        return Err(Fault::corrupt(place));
    }
    let level0 = format.info().image_bytes(desc.width, desc.height, desc.depth);
    let total = level0
        .checked_mul(u64::from(desc.layers))
        .and_then(|b| b.checked_mul(u64::from(desc.samples.max(1))))
        .and_then(|b| b.checked_mul(2));
    total.ok_or_else(|| Fault::new(Family::ResourceUnavailable, place))
}

/// Layers or slices of a level that `z` addresses.
fn depth_of(desc: &TextureDesc, level: u32) -> u32 {
    if desc.target == ResourceTarget::Tex3D { desc.level_extent(level)[2] } else { desc.layers }
}

/// The box lies inside the level and is not empty.
pub(crate) fn texture_box(desc: &TextureDesc, level: u32, area: &Box3, place: &'static str) -> Result<(), Fault> {
    let [w, h, _] = desc.level_extent(level);
    let inside = |at: i32, n: u32, max: u32| at >= 0 && n >= 1 && (at as u32).checked_add(n).is_some_and(|e| e <= max);
    if desc.format.is_none() || level >= desc.levels {
        return Err(Fault::corrupt(format!("{place}: level {level} of {}", desc.levels)));
    }
    if inside(area.x, area.w, w) && inside(area.y, area.h, h) && inside(area.z, area.d, depth_of(desc, level)) {
        return Ok(());
    }
    Err(Fault::corrupt(format!("{place}: box {area:?} of level {level}")))
}

/// A region's source bytes lie inside the blob; compressed boxes consist of whole blocks, but for those that the edge of the
/// level of `extent` cuts.
pub(crate) fn region_source(
    format: Format,
    region: &SubRegion,
    extent: [u32; 3],
    blob: u64,
    place: &'static str,
) -> Result<(), Fault> {
    let bad = || Fault::corrupt(format!("{place}: source of {region:?}"));
    let info = format.info();
    let (bw, bh) = info.storage.block_extent();
    let area = &region.dst;
    let whole = |at: i32, n: u32, block: u32, level: u32| {
        (at as u32).is_multiple_of(block) && (n.is_multiple_of(block) || at as u32 + n == level)
    };
    if !whole(area.x, area.w, bw, extent[0]) || !whole(area.y, area.h, bh, extent[1]) {
        return Err(bad());
    }
    let row = u64::from(info.storage.block_bytes()) * u64::from(area.w.div_ceil(bw));
    let rows = u64::from(area.h.div_ceil(bh));
    let row_stride = if region.row_stride == 0 { row } else { u64::from(region.row_stride) };
    let slice_stride = if region.slice_stride == 0 { row_stride * rows } else { u64::from(region.slice_stride) };
    if row_stride < row || slice_stride < row_stride * (rows - 1) + row {
        return Err(bad());
    }
    let bytes = u64::from(area.d - 1)
        .checked_mul(slice_stride)
        .and_then(|b| b.checked_add(row_stride * (rows - 1) + row))
        .ok_or_else(bad)?;
    span(region.src_offset, bytes, blob, place)
}

/// Bytes of a tight read-back of `area`, bounded by `limit`.
pub(crate) fn read_bytes(format: Format, area: &Box3, limit: u64, place: &'static str) -> Result<usize, Fault> {
    let bytes = format.info().image_bytes(area.w, area.h, 1).checked_mul(u64::from(area.d));
    bytes
        .filter(|b| *b <= limit)
        .and_then(|b| usize::try_from(b).ok())
        .ok_or_else(|| Fault::corrupt(format!("{place}: read-back of {area:?} is too large")))
}

/// The aspects exist in the format.
pub(crate) fn aspects(format: Format, aspects: Aspects, place: &'static str) -> Result<(), Fault> {
    let ok = match aspects {
        Aspects::Color => format.is_color(),
        Aspects::Depth => format.has_depth(),
        Aspects::Stencil => format.has_stencil(),
        _ => format.has_depth() && format.has_stencil(),
    };
    if ok { Ok(()) } else { Err(Fault::corrupt(format!("{place}: {aspects:?} of {format:?}"))) }
}

#[cfg(test)]
mod tests {
    use super::span;

    /// One byte too many is another buffer's content on most drivers, and a crash on the others.
    #[test]
    fn a_span_ends_inside_its_resource() {
        assert!(span(16, 16, 32, "t").is_ok());
        assert!(span(16, 17, 32, "t").is_err());
        assert!(span(32, 0, 32, "t").is_ok());
        assert!(span(33, 0, 32, "t").is_err());
        assert!(span(u64::MAX, 1, 32, "t").is_err());
    }
}
