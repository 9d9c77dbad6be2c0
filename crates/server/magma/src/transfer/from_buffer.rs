//! Uploads out of buffers: on the GPU where Vulkan's rules for offsets and strides allow it, else through the host of the
//! server. Must not know who wrote the buffer.

use crate::commands::Lane;
use crate::core::Core;
use crate::raw::record;
use crate::transfer::image::{DST, HostBytes, WRITE, alignment};
use crate::transfer::place::Place;
use crate::transfer::texels::{self, Plane};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::SubRegion;
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Buffer;

const READ: (vk::PipelineStageFlags, vk::AccessFlags) =
    (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_READ);

fn outside() -> Refusal {
    Refusal::Driver("the upload reaches outside its buffer".into())
}

/// Strides of a region and the bytes from its offset to the end of its last row.
struct Extent {
    row: u64,
    slice: u64,
    bytes: u64,
}

impl Extent {
    fn of(region: &SubRegion, place: &Place) -> Self {
        let (x, y, z) = place.blocks();
        let tight = x * u64::from(place.format.storage().block_bytes());
        let row = if region.row_stride == 0 { tight } else { region.row_stride.into() };
        let slice = if region.slice_stride == 0 { row * y } else { region.slice_stride.into() };
        Self { row, slice, bytes: (z - 1) * slice + (y - 1) * row + tight }
    }
}

impl Core {
    /// Uploads one region of a level out of a buffer.
    pub fn image_write_from_buffer(
        &mut self,
        of: ImageRef,
        level: u32,
        region: &SubRegion,
        from: Handle<Buffer>,
    ) -> Outcome {
        let place = self.place(of, level, &region.dst)?;
        if place.samples > 1 {
            return Err(Refusal::Unsupported("upload into a multisampled texture"));
        }
        let extent = Extent::of(region, &place);
        let end = region.src_offset.checked_add(extent.bytes);
        if end.is_none_or(|end| end > self.buffers.need(from).map_or(0, |store| store.size())) {
            return Err(outside());
        }
        let plane = texels::planes(place.format, place.layout)[0];
        if let Some(copy) = direct(region, &place, plane, &extent) {
            return self.copy_from_buffer(&place, from, copy);
        }
        let mut bytes = vec![0; usize::try_from(extent.bytes).map_err(|_| outside())?];
        self.buffer_read(from, region.src_offset, &mut bytes)?;
        let region = [SubRegion { src_offset: 0, ..*region }];
        self.image_write(of, level, &region, &HostBytes(&bytes)).map(|_| ())
    }

    fn copy_from_buffer(&mut self, place: &Place, from: Handle<Buffer>, copy: vk::BufferImageCopy) -> Outcome {
        let lanes = (self.images.lane_for(&self.cmds, place.key), self.buffers.lane_for(&self.cmds, from));
        let lane = if lanes == (Lane::Front, Lane::Front) { Lane::Front } else { Lane::Main };
        self.touch_image(lane, place.key, place.range(), DST, WRITE)?;
        let store = self.buffers.touch(&mut self.cmds, lane, from, READ).ok_or_else(outside)?;
        let cmd = self.cmds.lane(lane)?;
        record::copy_buffer_to_image(&self.gpu.device, cmd, store.vk, place.image, DST, &[copy]);
        self.cmds.count_op();
        self.cmds.submit_if_large()
    }
}

/// The copy as Vulkan makes it; `None` when the texels need converting, or offsets or strides do not fit.
fn direct(region: &SubRegion, place: &Place, plane: Plane, extent: &Extent) -> Option<vk::BufferImageCopy> {
    let block = u64::from(plane.bytes);
    let (row, rows) = (extent.row / block, extent.slice / extent.row);
    let fits = region.src_offset.is_multiple_of(alignment(plane))
        && extent.row.is_multiple_of(block)
        && (place.blocks().2 == 1 || extent.slice.is_multiple_of(extent.row));
    if !place.layout.is_plain() || !fits {
        return None;
    }
    let (bw, bh) = place.block();
    let mut copy = place.copy(plane.aspect, region.src_offset);
    copy.buffer_row_length = u32::try_from(row).ok()?.checked_mul(bw)?;
    // The height tells only where the next slice begins.
    let height = if place.blocks().2 == 1 { 0 } else { rows };
    copy.buffer_image_height = u32::try_from(height).ok()?.checked_mul(bh)?;
    Some(copy)
}
