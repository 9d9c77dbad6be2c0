//! Uploads, read-backs and clears of textures and renderbuffers. Must not know samplers or framebuffers.

use crate::access::Range;
use crate::commands::{Lane, Staged};
use crate::core::Core;
use crate::images::ImageKey;
use crate::raw::record;
use crate::transfer::place::Place;
use crate::transfer::texels::{self, Plane};
use crate::transfer::value::ClearTexel;
use ash::vk;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, ReadbackInfo, SubRegion};
use mgl_backend::{Content, ImageRef, Refusal, Retire};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use smallvec::SmallVec;

const SRC: vk::ImageLayout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
pub(super) const DST: vk::ImageLayout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
const READ: (vk::PipelineStageFlags, vk::AccessFlags) =
    (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_READ);
pub(super) const WRITE: (vk::PipelineStageFlags, vk::AccessFlags) =
    (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_WRITE);

/// Bytes of a repeated pattern that a clear stages at most.
const PATTERN: u64 = 1 << 20;

fn misplaced() -> Refusal {
    Refusal::Driver("the staged bytes are not where the record says".into())
}

/// Offsets of buffer to image copies are multiples of 4 and of the texel.
pub(super) fn alignment(plane: Plane) -> u64 {
    let bytes = u64::from(plane.bytes);
    if bytes % 4 == 0 { bytes } else { bytes * 4 }
}

/// Copies a region's rows into tight bytes.
fn gather(content: &dyn Content, region: &SubRegion, place: &Place, out: &mut [u8]) -> bool {
    let (x, y, z) = place.blocks();
    let row = x * u64::from(place.format.storage().block_bytes());
    let row_stride = if region.row_stride == 0 { row } else { region.row_stride.into() };
    let slice_stride = if region.slice_stride == 0 { row_stride * y } else { region.slice_stride.into() };
    if row_stride == row && (slice_stride == row * y || z == 1) {
        return content.copy_to(region.src_offset, out);
    }
    let mut rows = out.chunks_exact_mut(row as usize);
    for slice in 0..z {
        for line in 0..y {
            let at = region.src_offset + slice * slice_stride + line * row_stride;
            if !rows.next().is_some_and(|to| content.copy_to(at, to)) {
                return false;
            }
        }
    }
    true
}

impl Core {
    /// Uploads regions of a level.
    pub fn texture_write(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire> {
        self.image_write(ImageRef::Texture(texture), level, regions, content)
    }

    /// Uploads regions of a level of a texture or renderbuffer.
    pub(super) fn image_write(
        &mut self,
        of: ImageRef,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire> {
        let mut places: SmallVec<[Place; 4]> = SmallVec::new();
        for region in regions {
            places.push(self.place(of, level, &region.dst)?);
        }
        let Some(first) = places.first() else { return Ok(Retire::Now) };
        if first.samples > 1 {
            return Err(Refusal::Unsupported("upload into a multisampled texture"));
        }
        let mut retire = Retire::Now;
        if first.layout.is_plain() {
            retire = self.upload_plain(regions, &places, content)?;
        } else {
            for (region, place) in regions.iter().zip(&places) {
                let mut wire = vec![0; place.wire_bytes() as usize];
                if !gather(content, region, place, &mut wire) {
                    return Err(misplaced());
                }
                self.upload_packed(place, &wire)?;
            }
        }
        self.cmds.submit_if_large()?;
        Ok(retire)
    }

    /// All regions in one piece of staging and one copy command.
    fn upload_plain(&mut self, regions: &[SubRegion], places: &[Place], content: &dyn Content) -> Outcome<Retire> {
        let Some(first) = places.first() else { return Ok(Retire::Now) };
        let plane = texels::planes(first.format, first.layout)[0];
        let align = alignment(plane);
        if let ([region], [place]) = (regions, places)
            && let Some((staged, copy)) = self.read_in_place(region, place, plane, content)
        {
            self.upload(places, staged, &[copy])?;
            return Ok(Retire::AfterGpu(self.cmds.current_serial()));
        }
        let mut copies: SmallVec<[vk::BufferImageCopy; 4]> = SmallVec::new();
        let mut total = 0u64;
        for place in places {
            copies.push(place.copy(plane.aspect, total));
            total = (total + place.wire_bytes()).next_multiple_of(align);
        }
        let staged = self.cmds.staging.stage(total, align, |bytes| {
            regions.iter().zip(places).zip(&copies).all(|((region, place), copy)| {
                let at = copy.buffer_offset as usize;
                bytes.get_mut(at..at + place.wire_bytes() as usize).is_some_and(|to| gather(content, region, place, to))
            })
        })?;
        copies.iter_mut().for_each(|c| c.buffer_offset += staged.offset);
        self.upload(places, staged, &copies).map(|()| Retire::Now)
    }

    /// The copy of one region out of an imported staging segment, when offsets and strides allow it.
    fn read_in_place(
        &mut self,
        region: &SubRegion,
        place: &Place,
        plane: Plane,
        content: &dyn Content,
    ) -> Option<(Staged, vk::BufferImageCopy)> {
        let (x, y, z) = place.blocks();
        let block = u64::from(plane.bytes);
        let row = if region.row_stride == 0 { x * block } else { region.row_stride.into() };
        let slice = if region.slice_stride == 0 { row * y } else { region.slice_stride.into() };
        let shaped = row.is_multiple_of(block) && slice.is_multiple_of(row) && row >= x * block && slice >= row * y;
        let at = content.staged_at().1.checked_add(region.src_offset)?;
        if !shaped || !at.is_multiple_of(alignment(plane)) {
            return None;
        }
        let len = (z - 1) * slice + (y - 1) * row + x * block;
        let staged = self.imports.place(&self.cmds, content, region.src_offset, len)?;
        let (bw, bh) = place.block();
        let mut copy = place.copy(plane.aspect, staged.offset);
        copy.buffer_row_length = u32::try_from(row / block).ok()?.checked_mul(bw)?;
        copy.buffer_image_height = u32::try_from(slice / row).ok()?.checked_mul(bh)?;
        Some((staged, copy))
    }

    fn upload(&mut self, places: &[Place], staged: Staged, copies: &[vk::BufferImageCopy]) -> Outcome {
        let Some(first) = places.first() else { return Ok(()) };
        let lane = self.images.lane_for(&self.cmds, first.key);
        let mut last = None;
        for range in places.iter().map(Place::range).filter(|r| last.replace(*r) != Some(*r)) {
            self.touch_image(lane, first.key, range, DST, WRITE)?;
        }
        let cmd = self.cmds.lane(lane)?;
        record::copy_buffer_to_image(&self.gpu.device, cmd, staged.buffer, first.image, DST, copies);
        self.cmds.count_op();
        Ok(())
    }

    /// Packed depth and stencil texels, plane by plane.
    fn upload_packed(&mut self, place: &Place, wire: &[u8]) -> Outcome {
        let lane = self.images.lane_for(&self.cmds, place.key);
        self.touch_image(lane, place.key, place.range(), DST, WRITE)?;
        let (x, y, z) = place.blocks();
        for plane in texels::planes(place.format, place.layout) {
            let staged = self.cmds.staging.stage(x * y * z * u64::from(plane.bytes), alignment(plane), |bytes| {
                texels::to_plane(place.layout, plane.aspect, wire, bytes);
                true
            })?;
            let cmd = self.cmds.lane(lane)?;
            let copy = [place.copy(plane.aspect, staged.offset)];
            record::copy_buffer_to_image(&self.gpu.device, cmd, staged.buffer, place.image, DST, &copy);
        }
        self.cmds.count_op();
        Ok(())
    }

    pub(super) fn touch_image(
        &mut self,
        lane: Lane,
        key: ImageKey,
        range: Range,
        layout: vk::ImageLayout,
        use_of: (vk::PipelineStageFlags, vk::AccessFlags),
    ) -> Outcome {
        self.images.touch(&mut self.cmds, lane, key, range, layout, use_of)
    }

    /// Reads a box of a level, tight, storage layout (all planes of packed formats).
    pub fn image_read(&mut self, of: ImageRef, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        let place = self.place(of, info.level.into(), &info.src)?;
        if place.samples > 1 {
            return Err(Refusal::Unsupported("read of a multisampled texture"));
        }
        let need = place.wire_bytes() as usize;
        let out = out.get_mut(..need).ok_or_else(misplaced)?;
        if place.layout.is_plain() {
            let plane = texels::planes(place.format, place.layout)[0];
            return self.read_plane(&place, plane, out);
        }
        let (x, y, z) = place.blocks();
        for plane in texels::planes(place.format, place.layout) {
            let mut bytes = vec![0; (x * y * z) as usize * plane.bytes as usize];
            self.read_plane(&place, plane, &mut bytes)?;
            texels::from_plane(place.layout, plane.aspect, &bytes, out);
        }
        Ok(())
    }

    fn read_plane(&mut self, place: &Place, plane: Plane, out: &mut [u8]) -> Outcome {
        let lane = self.images.lane_for(&self.cmds, place.key);
        self.touch_image(lane, place.key, place.range(), SRC, READ)?;
        self.read_through(out, |core, to| {
            let cmd = core.cmds.lane(lane)?;
            let copy = [place.copy(plane.aspect, 0)];
            record::copy_image_to_buffer(&core.gpu.device, cmd, place.image, SRC, to.buffer, &copy);
            Ok(())
        })
    }

    /// The same into a buffer: on the GPU where offsets and strides allow it, else through the host.
    pub fn image_read_to_buffer(&mut self, of: ImageRef, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
        let place = self.place(of, info.level.into(), &info.src)?;
        let block = u64::from(place.format.storage().block_bytes());
        let (x, y, z) = place.blocks();
        let tight_row = x * block;
        let row = if to.row_stride == 0 { tight_row } else { to.row_stride.into() };
        let slice = if to.image_stride == 0 { row * y } else { to.image_stride.into() };
        let last = to.offset + (z - 1) * slice + (y - 1) * row + tight_row;
        if row < tight_row || last > self.buffers.need(to.buffer)?.size() {
            return Err(Refusal::Driver("read-back outside the buffer".into()));
        }
        let plane = texels::planes(place.format, place.layout)[0];
        let fits = to.offset.is_multiple_of(alignment(plane))
            && row.is_multiple_of(block)
            && (z == 1 || slice.is_multiple_of(row));
        if place.layout.is_plain() && place.samples == 1 && fits {
            return self.copy_to_buffer(&place, plane, to, (row / block, slice / row));
        }
        let mut bytes = vec![0; place.wire_bytes() as usize];
        self.image_read(of, info, &mut bytes)?;
        self.scatter_rows(&bytes, (tight_row, y), to, (row, slice))
    }

    fn copy_to_buffer(&mut self, place: &Place, plane: Plane, to: BufferTarget, (row, rows): (u64, u64)) -> Outcome {
        let from_lane = self.images.lane_for(&self.cmds, place.key);
        let to_lane = self.buffers.lane_for(&self.cmds, to.buffer);
        let lane = if from_lane == Lane::Front { to_lane } else { Lane::Main };
        self.touch_image(lane, place.key, place.range(), SRC, READ)?;
        let store = self.buffers.touch(&mut self.cmds, lane, to.buffer, WRITE).ok_or_else(misplaced)?;
        let (bw, bh) = place.block();
        let mut copy = place.copy(plane.aspect, to.offset);
        copy.buffer_row_length = row as u32 * bw;
        copy.buffer_image_height = rows as u32 * bh;
        let cmd = self.cmds.lane(lane)?;
        record::copy_image_to_buffer(&self.gpu.device, cmd, place.image, SRC, store.vk, &[copy]);
        self.cmds.count_op();
        self.cmds.submit_if_large()
    }

    /// Writes tight rows into a buffer with strides; bytes between the rows stay.
    pub fn scatter_rows(
        &mut self,
        bytes: &[u8],
        (tight_row, rows): (u64, u64),
        to: BufferTarget,
        (row, slice): (u64, u64),
    ) -> Outcome {
        if row == tight_row && slice == row * rows {
            return self.buffer_write(to.buffer, to.offset, &HostBytes(bytes)).map(|_| ());
        }
        for (index, line) in bytes.chunks_exact(tight_row as usize).enumerate() {
            let (z, y) = (index as u64 / rows, index as u64 % rows);
            self.buffer_write(to.buffer, to.offset + z * slice + y * row, &HostBytes(line))?;
        }
        Ok(())
    }

    /// Fills a box with one texel of the storage layout: the texel is staged as a few rows and copied as often as the
    /// box needs them, which is exact for every format. What comes back is left to be cleared as an attachment.
    pub fn texture_clear(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        region: &Box3,
        texel: &[u8],
    ) -> Outcome<Option<ClearTexel>> {
        let place = self.place(ImageRef::Texture(texture), level, region)?;
        if place.samples > 1 {
            return self.clear_multisampled(&place, texel);
        }
        let block = place.format.storage().block_bytes() as usize;
        let texel = texel.get(..block).ok_or_else(misplaced)?;
        let lane = self.images.lane_for(&self.cmds, place.key);
        self.touch_image(lane, place.key, place.range(), DST, WRITE)?;
        for plane in texels::planes(place.format, place.layout) {
            self.clear_plane(&place, lane, plane, texel)?;
        }
        self.cmds.count_op();
        self.cmds.submit_if_large()?;
        Ok(None)
    }

    fn clear_plane(&mut self, place: &Place, lane: Lane, plane: Plane, texel: &[u8]) -> Outcome {
        let (x, y, z) = place.blocks();
        let row = x * u64::from(plane.bytes);
        let rows = (PATTERN / row).clamp(1, y);
        let mut one = [0u8; 16];
        let one = &mut one[..plane.bytes as usize];
        texels::to_plane(place.layout, plane.aspect, texel, one);
        let staged = self.cmds.staging.stage(row * rows, alignment(plane), |bytes| {
            bytes.chunks_exact_mut(one.len()).for_each(|c| c.copy_from_slice(one));
            true
        })?;
        let mut copies = Vec::new();
        for slice in 0..z as u32 {
            for first in (0..y).step_by(rows as usize) {
                let part = place.rows(slice, first as u32, rows.min(y - first) as u32);
                copies.push(part.copy(plane.aspect, staged.offset));
            }
        }
        let cmd = self.cmds.lane(lane)?;
        record::copy_buffer_to_image(&self.gpu.device, cmd, staged.buffer, place.image, DST, &copies);
        Ok(())
    }

    /// Multisampled images have no copies; whole levels have a clear command, parts of them only as attachments.
    fn clear_multisampled(&mut self, place: &Place, texel: &[u8]) -> Outcome<Option<ClearTexel>> {
        let value = super::value::clear_value(place.format, texel)
            .ok_or(Refusal::Unsupported("clear of a multisampled texture of this format"))?;
        if !place.whole {
            return Ok(Some(value));
        }
        let lane = self.images.lane_for(&self.cmds, place.key);
        self.touch_image(lane, place.key, place.range(), DST, WRITE)?;
        let cmd = self.cmds.lane(lane)?;
        let range = [vk::ImageSubresourceRange {
            aspect_mask: place.aspects,
            base_mip_level: place.level,
            level_count: 1,
            base_array_layer: place.layer,
            layer_count: place.layers,
        }];
        let image = (place.image, DST);
        match value {
            ClearTexel::Color(value) => record::clear_color(&self.gpu.device, cmd, image, &value, &range),
            ClearTexel::Depth(value) => record::clear_depth_stencil(&self.gpu.device, cmd, image, &value, &range),
        }
        Ok(None)
    }
}

/// Bytes of the server itself as content.
pub(crate) struct HostBytes<'a>(pub(crate) &'a [u8]);

impl Content for HostBytes<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
        let from = usize::try_from(offset).ok().and_then(|at| self.0.get(at..at.checked_add(dst.len())?));
        from.map(|bytes| dst.copy_from_slice(bytes)).is_some()
    }
    fn staged_at(&self) -> (u32, u64) {
        // Never in an imported segment: no flow has this id.
        (u32::MAX, 0)
    }
}
