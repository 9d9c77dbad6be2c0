//! Content of objects: uploads, copies, read-backs. Every span is proven against the table before the backend sees it.

use crate::content::Staged;
use crate::dispatch::Apply;
use crate::prove;
use crate::session::Applier;
use mgl_backend::traits::BufferTarget;
use mgl_backend::{Outcome, Retire, TextureDesc};
use mgl_base::handle::{Buffer, Texture};
use mgl_base::{Fault, Handle};
use mgl_pipe::Body;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    ClearBufferData, ClearTexture, CopyBuffer, CopyBufferToTexture, GetTextureImage, GetTextureImageToBuffer,
    ReadbackInfo, ResourceFlushRange, ResourceReadback, ResourceSubData, SubRegion,
};
use mgl_pipe::tokens::ResourceTarget;
use zerocopy::IntoBytes;

/// Largest answer of one record: one reply slot (spec 05b §6.1).
pub(crate) const MAX_REPLY: u64 = (2 << 20) - 16;

impl Applier<'_> {
    fn settle_upload(&mut self, outcome: Outcome<Retire>) -> Result<(), Fault> {
        if let Some(Retire::AfterGpu(serial)) = self.settle(outcome)? {
            self.io.hold_stage(serial)?;
        }
        Ok(())
    }

    fn write_texture(&mut self, body: &Body<'_, ResourceSubData>) -> Result<(), Fault> {
        let head = body.head;
        let handle = Handle::<Texture>::new(head.slot, head.generation);
        let level = u32::from(head.level);
        let desc = *self.session.tables.textures.need(handle, "resource_subdata.slot")?;
        // Storage that could not be had: the upload has nowhere to go, and the program was told.
        let Some(format) = desc.format else { return Ok(()) };
        for region in body.regions() {
            prove::texture_box(&desc, level, &region.dst, "resource_subdata.regions")?;
            prove::region_source(format, region, desc.level_extent(level), head.blob.size, "resource_subdata.regions")?;
        }
        let content = Staged { io: self.io, flow: self.flow.state.flow, blob: head.blob };
        let outcome = self.session.backend.texture_write(handle, level, body.regions(), &content);
        self.settle_upload(outcome)
    }

    /// Proves a read-back of a texture and gives the bytes of its tight form; `None` when it has no storage.
    fn prove_read(
        &self,
        desc: &TextureDesc,
        info: &ReadbackInfo,
        limit: u64,
        place: &'static str,
    ) -> Result<Option<usize>, Fault> {
        let Some(format) = desc.format else { return Ok(None) };
        prove::texture_box(desc, u32::from(info.level), &info.src, place)?;
        prove::aspects(format, info.aspects, place)?;
        prove::read_bytes(format, &info.src, limit, place).map(Some)
    }

    /// Bytes of a buffer's store; `None` when it has none. A store that could not be had leaves the buffer empty. The
    /// program was told, but a client that runs ahead has sent records that are legal for the size it asked for: they
    /// have nowhere to go, and are no reason to end the session.
    pub(crate) fn store_size(&self, buffer: Handle<Buffer>, place: &'static str) -> Result<Option<u64>, Fault> {
        let size = self.session.tables.buffers.need(buffer, place)?.size;
        Ok((size != 0).then_some(size))
    }

    /// Proves that a strided landing lies inside the buffer; false when the buffer has no store.
    pub(crate) fn prove_landing(
        &self,
        format: Format,
        info: &ReadbackInfo,
        to: &BufferTarget,
        place: &'static str,
    ) -> Result<bool, Fault> {
        let Some(size) = self.store_size(to.buffer, place)? else { return Ok(false) };
        let (bw, bh) = format.info().storage.block_extent();
        let row = u64::from(format.info().storage.block_bytes()) * u64::from(info.src.w.div_ceil(bw));
        let rows = u64::from(info.src.h.div_ceil(bh).max(1));
        let slices = u64::from(info.src.d.max(1)) - 1;
        // The stride of slices means nothing when there is one.
        let short = slices > 0 && u64::from(to.image_stride) < u64::from(to.row_stride) * (rows - 1) + row;
        if u64::from(to.row_stride) < row || short {
            return Err(Fault::corrupt(place));
        }
        let bytes = slices * u64::from(to.image_stride) + u64::from(to.row_stride) * (rows - 1) + row;
        prove::span(to.offset, bytes, size, place).map(|()| true)
    }

    /// Fills the scratch buffer through `read` and answers with it.
    pub(crate) fn answer_read(
        &mut self,
        bytes: usize,
        read: impl FnOnce(&mut Self, &mut [u8]) -> Outcome,
    ) -> Result<(), Fault> {
        let mut scratch = std::mem::take(&mut self.flow.scratch);
        // Uninitialised or stale memory must never reach the peer.
        scratch.clear();
        scratch.resize(bytes, 0);
        let outcome = read(self, &mut scratch);
        let result = match self.settle(outcome) {
            Ok(Some(())) => self.answer(&scratch),
            Ok(None) => self.decline(),
            Err(fault) => Err(fault),
        };
        self.flow.scratch = scratch;
        result
    }
}

impl Apply<ResourceSubData> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceSubData>) -> Result<(), Fault> {
        let head = body.head;
        match head.target {
            ResourceTarget::Buffer => {
                let handle = Handle::<Buffer>::new(head.slot, head.generation);
                let Some(size) = self.store_size(handle, "resource_subdata.slot")? else { return Ok(()) };
                if !body.regions().is_empty() {
                    return Err(Fault::corrupt("resource_subdata.regions"));
                }
                prove::span(head.offset, head.blob.size, size, "resource_subdata.offset")?;
                let content = Staged { io: self.io, flow: self.flow.state.flow, blob: head.blob };
                let outcome = self.session.backend.buffer_write(handle, head.offset, &content);
                self.settle_upload(outcome)
            }
            ResourceTarget::Renderbuffer | ResourceTarget::TexBuffer => Err(Fault::corrupt("resource_subdata.target")),
            _ => self.write_texture(&body),
        }
    }
}

impl Apply<ResourceFlushRange> for Applier<'_> {
    /// Stores are not shared here; the bytes of the range precede the record as sub-data.
    fn apply(&mut self, body: Body<'_, ResourceFlushRange>) -> Result<(), Fault> {
        let size = self.session.tables.buffers.need(body.head.buffer, "resource_flush_range.buffer")?.size;
        prove::span(body.head.offset, body.head.size, size, "resource_flush_range.size")
    }
}

impl Apply<ResourceReadback> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceReadback>) -> Result<(), Fault> {
        let ResourceReadback { buffer, offset, size } = body.head;
        let Some(len) = self.store_size(buffer, "resource_readback.buffer")? else { return self.decline() };
        prove::span(offset, size, len, "resource_readback.size")?;
        if size > MAX_REPLY {
            return Err(Fault::corrupt("resource_readback.size"));
        }
        self.answer_read(size as usize, |a, out| a.session.backend.buffer_read(buffer, offset, out))
    }
}

impl Apply<GetTextureImage> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, GetTextureImage>) -> Result<(), Fault> {
        let GetTextureImage { texture, info } = body.head;
        let desc = *self.session.tables.textures.need(texture, "get_texture_image.texture")?;
        match self.prove_read(&desc, &info, MAX_REPLY, "get_texture_image.info")? {
            Some(bytes) => self.answer_read(bytes, |a, out| a.session.backend.texture_read(texture, &info, out)),
            None => self.decline(),
        }
    }
}

impl Apply<GetTextureImageToBuffer> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, GetTextureImageToBuffer>) -> Result<(), Fault> {
        let GetTextureImageToBuffer { texture, info, buffer, offset, row_stride, image_stride } = body.head;
        let place = "get_texture_image_to_buffer.info";
        let desc = *self.session.tables.textures.need(texture, place)?;
        let to = BufferTarget { buffer, offset, row_stride, image_stride };
        let Some(format) = desc.format else { return Ok(()) };
        self.prove_read(&desc, &info, u64::MAX, place)?;
        if !self.prove_landing(format, &info, &to, place)? {
            return Ok(());
        }
        let outcome = self.session.backend.texture_read_to_buffer(texture, &info, to);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<CopyBuffer> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CopyBuffer>) -> Result<(), Fault> {
        let CopyBuffer { src, dst, src_offset, dst_offset, size } = body.head;
        let place = "copy_buffer.size";
        let stores = (self.store_size(src, "copy_buffer.src")?, self.store_size(dst, "copy_buffer.dst")?);
        let (Some(src_len), Some(dst_len)) = stores else { return Ok(()) };
        prove::span(src_offset, size, src_len, place)?;
        prove::span(dst_offset, size, dst_len, place)?;
        if src == dst && src_offset < dst_offset + size && dst_offset < src_offset + size {
            return Err(Fault::corrupt("copy_buffer.overlap"));
        }
        if size == 0 {
            return Ok(());
        }
        let outcome = self.session.backend.buffer_copy(src, src_offset, dst, dst_offset, size);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<ClearBufferData> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ClearBufferData>) -> Result<(), Fault> {
        let ClearBufferData { buffer, offset, size, pattern_size, pattern, .. } = body.head;
        let Some(len) = self.store_size(buffer, "clear_buffer_data.buffer")? else { return Ok(()) };
        prove::span(offset, size, len, "clear_buffer_data.size")?;
        let legal = matches!(pattern_size, 1 | 2 | 4 | 8 | 12 | 16);
        let bytes = pattern.as_bytes().get(..pattern_size as usize).filter(|_| legal);
        let bytes = bytes.ok_or_else(|| Fault::corrupt("clear_buffer_data.pattern_size"))?;
        if size % u64::from(pattern_size) != 0 {
            return Err(Fault::corrupt("clear_buffer_data.size"));
        }
        let outcome = self.session.backend.buffer_fill(buffer, offset, size, bytes);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<ClearTexture> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ClearTexture>) -> Result<(), Fault> {
        let head = body.head;
        let desc = *self.session.tables.textures.need(head.texture, "clear_texture.texture")?;
        let Some(format) = desc.format else { return Ok(()) };
        let level = u32::from(head.level);
        prove::texture_box(&desc, level, &head.region, "clear_texture.region")?;
        let size = format.info().storage.block_bytes() as usize;
        let texel = head.texel.as_bytes().get(..size).filter(|_| !format.info().compressed);
        let texel = texel.ok_or_else(|| Fault::corrupt("clear_texture.texel"))?;
        let outcome = self.session.backend.texture_clear(head.texture, level, &head.region, texel);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<CopyBufferToTexture> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CopyBufferToTexture>) -> Result<(), Fault> {
        let CopyBufferToTexture { texture, dst, level, buffer, offset, row_stride, slice_stride, .. } = body.head;
        let place = "copy_buffer_to_texture.dst";
        let desc = *self.session.tables.textures.need(texture, "copy_buffer_to_texture.texture")?;
        let size = self.store_size(buffer, "copy_buffer_to_texture.buffer")?;
        let (Some(format), Some(size)) = (desc.format, size) else { return Ok(()) };
        prove::texture_box(&desc, level.into(), &dst, place)?;
        let region = SubRegion { dst, src_offset: offset, row_stride, slice_stride };
        prove::region_source(format, &region, desc.level_extent(level.into()), size, "copy_buffer_to_texture.offset")?;
        let outcome = self.session.backend.texture_write_from_buffer(texture, level.into(), &region, buffer);
        self.settle(outcome).map(|_| ())
    }
}
