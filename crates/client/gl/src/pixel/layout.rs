//! Where the pixels of an image lie in the program's memory under the pixel-store state (GL 4.6 §8.4.4.1, §18.2.8).
//! Must not know formats beyond the size of a pixel.

/// One direction of `glPixelStore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelStore {
    /// Reverse the bytes of each element.
    pub swap_bytes: bool,
    /// Bit order of bitmaps; kept for queries.
    pub lsb_first: bool,
    /// Pixels per row; 0 = the image's width.
    pub row_length: i32,
    /// Rows per slice; 0 = the image's height.
    pub image_height: i32,
    /// Pixels left out at the start of a row.
    pub skip_pixels: i32,
    /// Rows left out at the start of a slice.
    pub skip_rows: i32,
    /// Slices left out.
    pub skip_images: i32,
    /// Rows lie in memory from the last to the first (MESA_pack_invert).
    pub invert: bool,
    /// Row alignment in bytes.
    pub alignment: i32,
    /// Compressed block width, height, depth and bytes (GL 4.6 §8.7.1).
    pub block: [i32; 4],
}

impl Default for PixelStore {
    fn default() -> Self {
        Self {
            swap_bytes: false,
            lsb_first: false,
            row_length: 0,
            image_height: 0,
            skip_pixels: 0,
            skip_rows: 0,
            skip_images: 0,
            invert: false,
            alignment: 4,
            block: [0; 4],
        }
    }
}

/// Byte geometry of one image in the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Offset of the first pixel.
    pub first: usize,
    /// Bytes of the pixels of one row.
    pub row_bytes: usize,
    /// Bytes between rows.
    pub row_stride: usize,
    /// Bytes between slices.
    pub image_stride: usize,
    /// Rows of a slice that lie from the last to the first; 0 = they lie in their order.
    pub inverted: usize,
    /// Bytes from the pointer to the end of the last pixel; 0 for an empty image.
    pub total: usize,
}

impl Layout {
    /// Layout of a `width` x `height` x `depth` image of `pixel` bytes each; `None` when it cannot exist in memory.
    /// `dims` is the dimensionality of the call: slices only exist in 3D calls.
    pub fn new(store: &PixelStore, dims: u32, size: [u32; 3], pixel: usize) -> Option<Self> {
        let [width, height, depth] = size.map(|v| v as usize);
        let per_row = if store.row_length > 0 { store.row_length as usize } else { width };
        let rows = if dims == 3 && store.image_height > 0 { store.image_height as usize } else { height };
        let row_bytes = width.checked_mul(pixel)?;
        let row_stride = per_row.checked_mul(pixel)?.checked_next_multiple_of(store.alignment.max(1) as usize)?;
        let image_stride = row_stride.checked_mul(rows)?;
        let images = if dims == 3 { store.skip_images as usize } else { 0 };
        let first = image_stride
            .checked_mul(images)?
            .checked_add(row_stride.checked_mul(store.skip_rows as usize)?)?
            .checked_add(pixel.checked_mul(store.skip_pixels as usize)?)?;
        let total = if width == 0 || height == 0 || depth == 0 {
            0
        } else {
            first
                .checked_add(image_stride.checked_mul(depth - 1)?)?
                .checked_add(row_stride.checked_mul(height - 1)?)?
                .checked_add(row_bytes)?
        };
        isize::try_from(total).ok()?;
        let inverted = if store.invert { height } else { 0 };
        Some(Self { first, row_bytes, row_stride, image_stride, inverted, total })
    }
    /// Layout of the blocks of a compressed image, rows of blocks as rows (GL 4.6 §8.7.1); `None` when the program did
    /// not give the block's shape: then blocks are tight. Without a depth of blocks only slices cannot be left out.
    pub fn of_blocks(store: &PixelStore, dims: u32, size: [u32; 3]) -> Option<Self> {
        let [bw, bh, bd, bytes] = store.block.map(|v| v.max(0) as usize);
        if bw == 0 || bytes == 0 || (dims > 1 && bh == 0) {
            return None;
        }
        let deep = dims > 2 && bd > 0;
        let (bh, bd) = (if dims > 1 { bh } else { 1 }, if deep { bd } else { 1 });
        let [width, height, depth] = size.map(|v| v as usize);
        let or = |given: i32, own: usize| if given > 0 { given as usize } else { own };
        let row_bytes = width.div_ceil(bw).checked_mul(bytes)?;
        let row_stride = or(store.row_length, width).div_ceil(bw).checked_mul(bytes)?;
        let tall = if dims > 2 { or(store.image_height, height) } else { height };
        let image_stride = tall.div_ceil(bh).checked_mul(row_stride)?;
        let skip = |count: i32, block: usize, when: bool| if when { count as usize / block } else { 0 };
        let first = image_stride
            .checked_mul(skip(store.skip_images, bd, deep))?
            .checked_add(row_stride.checked_mul(skip(store.skip_rows, bh, dims > 1))?)?
            .checked_add(bytes.checked_mul(skip(store.skip_pixels, bw, true))?)?;
        let empty = width == 0 || height == 0 || depth == 0;
        let last = image_stride.checked_mul(depth.saturating_sub(1).div_ceil(bd))?;
        let total = first
            .checked_add(last)?
            .checked_add(row_stride.checked_mul(height.div_ceil(bh).saturating_sub(1))?)?
            .checked_add(row_bytes)?;
        Some(Self { first, row_bytes, row_stride, image_stride, inverted: 0, total: if empty { 0 } else { total } })
    }
    /// The layout of what starts `n` slices further on.
    pub const fn slice(&self, n: usize) -> Self {
        Self { first: self.first + n * self.image_stride, ..*self }
    }
    /// Offset of row `y` of slice `z`.
    pub const fn row(&self, y: usize, z: usize) -> usize {
        let y = if self.inverted > y { self.inverted - 1 - y } else { y };
        self.first + z * self.image_stride + y * self.row_stride
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, PixelStore};

    // A program that uploads a sub-rectangle of a larger picture would get skewed texels or a crash.
    #[test]
    fn skips_alignment_and_row_length_are_counted() {
        let store = PixelStore {
            row_length: 5,
            skip_pixels: 2,
            skip_rows: 1,
            skip_images: 1,
            image_height: 4,
            ..PixelStore::default()
        };
        let l = Layout::new(&store, 3, [3, 2, 2], 3).expect("fits");
        assert_eq!((l.row_stride, l.image_stride, l.row_bytes), (16, 64, 9));
        assert_eq!(l.first, 64 + 16 + 6);
        assert_eq!(l.total, l.first + 64 + 16 + 9);
        let flat = Layout::new(&store, 2, [3, 2, 1], 3).expect("fits");
        assert_eq!(flat.first, 16 + 6);
        assert_eq!(Layout::new(&store, 2, [0, 2, 1], 3).expect("fits").total, 0);
    }

    // Slices of a compressed array would be read from, or written to, where they are not.
    #[test]
    fn blocks_lie_as_far_as_their_shape_is_given() {
        let store =
            PixelStore { row_length: 16, image_height: 8, skip_images: 1, skip_rows: 4, ..PixelStore::default() };
        let with = |block| Layout::of_blocks(&PixelStore { block, ..store }, 3, [8, 4, 2]);
        assert!(with([0, 4, 1, 16]).is_none() && with([4, 0, 1, 16]).is_none() && with([4, 4, 1, 0]).is_none());
        let (flat, deep) = (with([4, 4, 0, 16]).expect("a shape"), with([4, 4, 1, 16]).expect("a shape"));
        assert_eq!((flat.row_stride, flat.image_stride, flat.first), (64, 128, 64), "no slices left out");
        assert_eq!((deep.row_stride, deep.image_stride, deep.first), (64, 128, 128 + 64));
        assert_eq!(flat.total, 64 + 128 + 32);
    }

    // A hostile size must be an error, not an overflow.
    #[test]
    fn impossible_images_are_refused() {
        let store = PixelStore { row_length: i32::MAX, skip_rows: i32::MAX, ..PixelStore::default() };
        assert!(Layout::new(&store, 3, [u32::MAX; 3], 16).is_none());
    }
}
