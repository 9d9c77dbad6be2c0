//! Where a box of a texture level lies in its image, and the copy regions of it. Must not record commands.

use crate::access::Range;
use crate::core::Core;
use crate::device::formats::Layout;
use crate::images::ImageKey;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, Format};
use mgl_backend::{ImageRef, Refusal};

/// A box of one level of an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) key: ImageKey,
    pub(super) image: vk::Image,
    /// Format of the object (that of a texture view may differ from the image's).
    pub(super) format: Format,
    pub(super) layout: Layout,
    /// All aspects of the image.
    pub(super) aspects: vk::ImageAspectFlags,
    pub(super) samples: u32,
    pub(super) volume: bool,
    pub(super) level: u32,
    /// First layer, or 0 for 3D.
    pub(super) layer: u32,
    pub(super) offset: vk::Offset3D,
    pub(super) extent: vk::Extent3D,
    /// Layers, or 1 for 3D.
    pub(super) layers: u32,
    /// The box is the whole level (all slices or all layers of the object).
    pub(super) whole: bool,
}

impl Place {
    /// Texels per block.
    pub(super) fn block(&self) -> (u32, u32) {
        self.format.storage().block_extent()
    }
    /// Blocks per row, rows of blocks, slices.
    pub(super) fn blocks(&self) -> (u64, u64, u64) {
        let (bw, bh) = self.block();
        let slices = self.extent.depth * self.layers;
        (self.extent.width.div_ceil(bw).into(), self.extent.height.div_ceil(bh).into(), slices.into())
    }
    /// Tight bytes in the storage layout.
    pub(super) fn wire_bytes(&self) -> u64 {
        let (x, y, z) = self.blocks();
        x * y * z * u64::from(self.format.storage().block_bytes())
    }
    /// Subresources that the box touches.
    pub(super) fn range(&self) -> Range {
        Range { level: self.level, levels: 1, layer: self.layer, layers: self.layers }
    }
    pub(super) fn subresource(&self, aspect: vk::ImageAspectFlags) -> vk::ImageSubresourceLayers {
        vk::ImageSubresourceLayers {
            aspect_mask: aspect,
            mip_level: self.level,
            base_array_layer: self.layer,
            layer_count: self.layers,
        }
    }
    /// The copy of the box from or to tight bytes at `offset`.
    pub(super) fn copy(&self, aspect: vk::ImageAspectFlags, offset: u64) -> vk::BufferImageCopy {
        vk::BufferImageCopy {
            buffer_offset: offset,
            buffer_row_length: 0,
            buffer_image_height: 0,
            image_subresource: self.subresource(aspect),
            image_offset: self.offset,
            image_extent: self.extent,
        }
    }
    /// The box with its first row, and `rows` rows of blocks of slice `slice`.
    pub(super) fn rows(&self, slice: u32, row: u32, rows: u32) -> Self {
        let bh = self.block().1;
        let mut part = *self;
        if self.volume {
            part.offset.z += slice as i32;
        } else {
            part.layer += slice;
        }
        part.layers = 1;
        part.extent.depth = 1;
        part.offset.y += (row * bh) as i32;
        part.extent.height = (rows * bh).min(self.extent.height - row * bh);
        part
    }
}

impl Core {
    /// Finds a box; it must lie in the level.
    pub(super) fn place(&self, of: ImageRef, level: u32, region: &Box3) -> Outcome<Place> {
        let outside = || Refusal::Driver("box outside the texture level".into());
        let (tex, key) = self.textures.need_image(of)?;
        let image = self.image(key)?;
        let spec = image.spec;
        let volume = spec.ty == vk::ImageType::TYPE_3D;
        let level = tex.level0 + level;
        if level >= spec.levels || region.x < 0 || region.y < 0 || region.z < 0 {
            return Err(outside());
        }
        let extent = spec.level_extent(level);
        let all = tex.desc.layers.min(spec.layers.saturating_sub(tex.layer0));
        let end = [
            (region.x as u32).checked_add(region.w),
            (region.y as u32).checked_add(region.h),
            (region.z as u32).checked_add(region.d),
        ];
        let limits = [extent[0], extent[1], if volume { extent[2] } else { all }];
        let inside = end.iter().zip(limits).all(|(e, limit)| e.is_some_and(|e| e <= limit));
        if !inside || region.w == 0 || region.h == 0 || region.d == 0 {
            return Err(outside());
        }
        let (z, layer) = if volume { (region.z, 0) } else { (0, tex.layer0 + region.z as u32) };
        Ok(Place {
            key,
            image: image.vk,
            format: tex.desc.format.unwrap_or(spec.format),
            layout: spec.layout,
            aspects: spec.aspects,
            samples: spec.samples,
            volume,
            level,
            layer,
            offset: vk::Offset3D { x: region.x, y: region.y, z },
            extent: vk::Extent3D { width: region.w, height: region.h, depth: if volume { region.d } else { 1 } },
            layers: if volume { 1 } else { region.d },
            whole: [region.w, region.h, region.d] == limits,
        })
    }
}
