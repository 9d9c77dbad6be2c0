//! A box of a level of an image, checked. Must not know content.

use crate::core::Core;
use crate::error::outside;
use crate::images::{ImageKey, ImageSpec};
use mgl_backend::traits::Outcome;
use mgl_backend::values::Box3;

/// A checked box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) key: ImageKey,
    pub(super) spec: ImageSpec,
    /// Driver name and target.
    pub(super) name: u32,
    pub(super) target: u32,
    pub(super) level: u32,
    pub(super) at: [i32; 3],
    pub(super) size: [i32; 3],
}

impl Place {
    /// Blocks in x and y, slices in z.
    pub(super) fn blocks(&self) -> [usize; 3] {
        let (bw, bh) = self.spec.format.storage().block_extent();
        let [w, h, d] = self.size.map(|v| v as usize);
        [w.div_ceil(bw as usize), h.div_ceil(bh as usize), d]
    }
    /// Bytes of the box on the wire.
    pub(super) fn wire_bytes(&self) -> usize {
        let [x, y, z] = self.blocks();
        x * y * z * self.spec.format.storage().block_bytes() as usize
    }
    /// The slice `z` of the box alone.
    pub(super) fn slice(&self, z: i32) -> Self {
        Self { at: [self.at[0], self.at[1], self.at[2] + z], size: [self.size[0], self.size[1], 1], ..*self }
    }
}

impl Core {
    /// Checks a box of the wire.
    pub(super) fn place(&self, key: ImageKey, level: u32, b: &Box3) -> Outcome<Place> {
        let size = [b.w, b.h, b.d].map(|v| i32::try_from(v).unwrap_or(i32::MAX));
        self.place_at(key, level, [b.x, b.y, b.z], size)
    }

    /// Checks a box.
    pub(super) fn place_at(&self, key: ImageKey, level: u32, at: [i32; 3], size: [i32; 3]) -> Outcome<Place> {
        let image = self.textures.images.need(key)?;
        let spec = image.spec;
        let [w, h, _] = spec.level_extent(level);
        let limits = [w, h, spec.slices(level)];
        let fits = |i: usize| {
            let end = i64::from(at[i]) + i64::from(size[i]);
            at[i] >= 0 && size[i] > 0 && end <= i64::from(limits[i])
        };
        if level >= spec.levels || !(0..3).all(fits) {
            return Err(outside("texture box"));
        }
        Ok(Place { key, spec, name: image.name, target: image.target, level, at, size })
    }
}
