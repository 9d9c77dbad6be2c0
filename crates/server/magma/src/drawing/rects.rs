//! Rectangles of blits: clipping, mirroring and the map from destination to source. Must not know images.

/// A blit after clipping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// Pixels that are written: x, y, width, height.
    pub area: [i32; 4],
    /// Source texel of a pixel centre: scale x, scale y, offset x, offset y.
    pub affine: [f32; 4],
}

impl Mapping {
    /// True when every pixel is a texel of its own, not mirrored.
    pub fn plain(&self) -> bool {
        self.affine[0] == 1.0 && self.affine[1] == 1.0 && self.affine[2].fract() == 0.0 && self.affine[3].fract() == 0.0
    }

    /// Source texel of the first pixel of a plain map.
    pub fn source_origin(&self) -> [i32; 2] {
        [self.area[0] + self.affine[2] as i32, self.area[1] + self.affine[3] as i32]
    }
}

/// Maps corner rectangles `src` to `dst` (x0, y0, x1, y1, either order). `extent` is the source's size; pixels that would
/// read outside it are not written (GL 4.6 §18.3.1). `clip` is the box that may be written.
pub fn map_rects(src: [i32; 4], dst: [i32; 4], extent: [u32; 2], clip: [i32; 4]) -> Mapping {
    let mut out = Mapping { area: [0; 4], affine: [0.0; 4] };
    for axis in 0..2 {
        let (s0, s1) = (f64::from(src[axis]), f64::from(src[axis + 2]));
        let (d0, d1) = (f64::from(dst[axis]), f64::from(dst[axis + 2]));
        if s0 == s1 || d0 == d1 {
            return Mapping { area: [0; 4], affine: [1.0, 1.0, 0.0, 0.0] };
        }
        let scale = (s1 - s0) / (d1 - d0);
        let offset = s0 - d0 * scale;
        // Destination coordinates at which the source begins and ends.
        let (a, b) = ((0.0 - offset) / scale, (f64::from(extent[axis]) - offset) / scale);
        let low = d0.min(d1).max(a.min(b)).max(f64::from(clip[axis]));
        let high = d0.max(d1).min(a.max(b)).min(f64::from(clip[axis]) + f64::from(clip[axis + 2]));
        // A pixel belongs to the area when its centre does.
        let first = (low - 0.5).ceil();
        let last = (high - 0.5).ceil();
        out.area[axis] = first as i32;
        out.area[axis + 2] = (last - first).max(0.0) as i32;
        out.affine[axis] = scale as f32;
        out.affine[axis + 2] = offset as f32;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::map_rects;

    /// A plain copy clipped on both sides must still line up, or the picture shifts at the window's edge.
    #[test]
    fn plain_copies_are_clipped_on_both_sides() {
        let m = map_rects([-2, 0, 6, 8], [10, 0, 18, 8], [4, 8], [0, 0, 100, 5]);
        assert!(m.plain());
        assert_eq!(m.area, [12, 0, 4, 5]);
        assert_eq!(m.source_origin(), [0, 0]);
    }

    /// A mirrored blit reads from the far end.
    #[test]
    fn mirrored_blits_map_backwards() {
        let m = map_rects([0, 0, 4, 4], [0, 4, 4, 0], [4, 4], [0, 0, 4, 4]);
        assert!(!m.plain());
        assert_eq!(m.area, [0, 0, 4, 4]);
        assert_eq!(0.5 * m.affine[1] + m.affine[3], 3.5);
    }

    /// Scaling by two keeps the centres.
    #[test]
    fn scaled_blits_keep_centres() {
        let m = map_rects([0, 0, 2, 2], [0, 0, 4, 4], [2, 2], [0, 0, 4, 4]);
        assert_eq!(m.area, [0, 0, 4, 4]);
        assert_eq!(0.5 * m.affine[0] + m.affine[2], 0.25);
    }
}
