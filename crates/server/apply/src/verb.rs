//! Verbs: the last proofs, then the backend. Must not resolve anything that the client has resolved.

use crate::dispatch::Apply;
use crate::object::MAX_REPLY;
use crate::prove;
use crate::session::Applier;
use mgl_backend::traits::{BufferTarget, Captured};
use mgl_backend::values::{DrawIndirect, DrawRange, FramebufferState, ReadbackInfo, Surface};
use mgl_backend::{Draw, ImageRef, TextureDesc};
use mgl_base::handle::{Renderbuffer, Texture};
use mgl_base::limits::{MAX_DRAW_PARTS_RANGES, MAX_DRAW_RANGES};
use mgl_base::{Fault, Handle};
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    BeginStreamOutput, Blit, Clear, CopyFramebufferToTexture, DeleteStreamOutput, DrawStreamOutput, DrawVbo,
    EndStreamOutput, Flush, GenerateMipmap, LaunchGrid, MemoryBarrier, PauseStreamOutput, ReadPixels,
    ReadPixelsToBuffer, ResourceCopyRegion, ResumeStreamOutput,
};
use mgl_pipe::tokens::{Aspects, DrawPart, IndexSize, ResourceTarget, SurfaceKind};
use mgl_pipe::{Body, Box3};
use std::borrow::Cow;

impl Applier<'_> {
    /// The ranges that may be drawn: those whose indices would be read past the buffer are empty. The picture of such a
    /// draw is undefined in GL, the server's memory is not (spec 05 §6).
    fn indices_inside<'r>(&self, index_size: IndexSize, ranges: &'r [DrawRange]) -> Option<Cow<'r, [DrawRange]>> {
        if index_size == IndexSize::Arrays {
            return Some(Cow::Borrowed(ranges));
        }
        let size = self.session.tables.buffers.get(self.flow.state.index_buffer)?.size;
        let width = u64::from(index_size.0);
        let inside = |r: &DrawRange| r.start.checked_add(u64::from(r.count) * width).is_some_and(|end| end <= size);
        if ranges.iter().all(inside) {
            return Some(Cow::Borrowed(ranges));
        }
        // Emptied and not taken out, so that the others keep their `gl_DrawID`.
        let emptied = ranges.iter().map(|r| DrawRange { count: if inside(r) { r.count } else { 0 }, ..*r });
        Some(emptied.collect::<Vec<_>>()).filter(|all| all.iter().any(|r| r.count > 0)).map(Cow::Owned)
    }

    fn prove_indirect(&self, indirect: &DrawIndirect, index_size: IndexSize) -> Result<bool, Fault> {
        let place = "draw_vbo.indirect";
        let len = self.session.tables.buffers.need(indirect.buffer, place)?.size;
        let command: u64 = if index_size == IndexSize::Arrays { 16 } else { 20 };
        let stride = u64::from(indirect.stride);
        if stride < command
            || stride % 4 != 0
            || !indirect.offset.is_multiple_of(4)
            || !indirect.parameter_offset.is_multiple_of(4)
        {
            return Err(Fault::corrupt(place));
        }
        if !indirect.parameter.is_null() {
            let count = self.session.tables.buffers.need(indirect.parameter, place)?.size;
            if indirect.parameter_offset.checked_add(4).is_none_or(|end| end > count) {
                return Ok(false);
            }
        }
        let Some(last) = u64::from(indirect.draw_count).checked_sub(1) else { return Ok(false) };
        let end = last.checked_mul(stride).and_then(|b| b.checked_add(indirect.offset + command));
        Ok(end.is_some_and(|end| end <= len))
    }
}

impl Applier<'_> {
    /// All ranges of a draw; none while parts of it are to come.
    fn gather<'r>(&mut self, part: DrawPart, ranges: &'r [DrawRange]) -> Result<Option<Cow<'r, [DrawRange]>>, Fault> {
        let parts = &mut self.flow.parts;
        if part == DrawPart::Whole && parts.is_empty() {
            return Ok(Some(Cow::Borrowed(ranges)));
        }
        if part == DrawPart::Whole || parts.len() + ranges.len() > MAX_DRAW_PARTS_RANGES {
            return Err(Fault::corrupt("draw_vbo.part"));
        }
        parts.extend_from_slice(ranges);
        // Such draws are rare: their memory goes with them.
        Ok((part == DrawPart::Last).then(|| Cow::Owned(std::mem::take(parts))))
    }
}

impl Apply<DrawVbo> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DrawVbo>) -> Result<(), Fault> {
        let head = body.head;
        let (ranges, indirect) = (body.ranges(), body.indirect());
        let shaped = indirect.len() <= 1 && (indirect.is_empty() || ranges.is_empty());
        if !shaped || head.range_count > MAX_DRAW_RANGES {
            return Err(Fault::corrupt("draw_vbo.range_count"));
        }
        if head.part != DrawPart::Whole && !indirect.is_empty() {
            return Err(Fault::corrupt("draw_vbo.part"));
        }
        let Some(ranges) = self.gather(head.part, ranges)? else { return Ok(()) };
        self.session.stats.draws += u64::from(self.joined.max(1));
        let drawable = match indirect.first() {
            Some(block) => self.prove_indirect(block, head.index_size)?,
            None => !ranges.is_empty(),
        };
        let inside = self.indices_inside(head.index_size, &ranges);
        let Some(ranges) = inside.filter(|_| drawable && !self.flow.state.draw_program.is_null()) else {
            self.session.stats.refused += 1;
            return Ok(());
        };
        let draw = Draw {
            mode: head.mode,
            index_size: head.index_size,
            restart: head.restart.get(),
            restart_index: head.restart_index,
            instance_count: head.instance_count,
            base_instance: head.base_instance,
            ranges: &ranges,
            separate: self.joined > 0,
            indirect: indirect.first(),
            captured: None,
        };
        let outcome = self.session.backend.draw(&mut self.flow.state, &draw);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<DrawStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DrawStreamOutput>) -> Result<(), Fault> {
        let DrawStreamOutput { xfb, stream, instance_count, mode, .. } = body.head;
        if stream >= 4 || xfb.is_null() {
            return Err(Fault::corrupt("draw_stream_output.stream"));
        }
        self.session.stats.draws += 1;
        if self.flow.state.draw_program.is_null() {
            self.session.stats.refused += 1;
            return Ok(());
        }
        let draw = Draw {
            mode,
            index_size: IndexSize::Arrays,
            restart: false,
            restart_index: 0,
            instance_count,
            base_instance: 0,
            ranges: &[],
            separate: false,
            indirect: None,
            captured: Some(Captured { xfb, stream }),
        };
        let outcome = self.session.backend.draw(&mut self.flow.state, &draw);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<LaunchGrid> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, LaunchGrid>) -> Result<(), Fault> {
        let grid = body.head;
        if !grid.indirect.is_null() {
            let Some(len) = self.store_size(grid.indirect, "launch_grid.indirect")? else { return Ok(()) };
            prove::span(grid.indirect_offset, 12, len, "launch_grid.indirect_offset")?;
        }
        if self.flow.state.dispatch_program.is_null() {
            self.session.stats.refused += 1;
            return Ok(());
        }
        let outcome = self.session.backend.dispatch(&mut self.flow.state, &grid);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<Clear> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, Clear>) -> Result<(), Fault> {
        let clear = body.head;
        let state = &mut self.flow.state;
        let fb: FramebufferState = if clear.fbo.is_null() {
            state.draw_framebuffer
        } else {
            let named = self.flow.framebuffers.get(&clear.fbo.bits());
            **named.ok_or_else(|| Fault::corrupt("clear.fbo"))?
        };
        if clear.draw_buffer >= 8 {
            return Err(Fault::corrupt("clear.draw_buffer"));
        }
        let outcome = self.session.backend.clear(&mut self.flow.state, &fb, &clear);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<Blit> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, Blit>) -> Result<(), Fault> {
        if body.head.aspects == 0 || body.head.aspects > 7 {
            return Err(Fault::corrupt("blit.aspects"));
        }
        let outcome = self.session.backend.blit(&mut self.flow.state, &body.head);
        self.settle(outcome).map(|_| ())
    }
}

impl Applier<'_> {
    fn surface_desc(&self, surface: &Surface) -> Option<&TextureDesc> {
        let tables = &self.session.tables;
        match surface.kind {
            SurfaceKind::Texture => tables.textures.get(Handle::<Texture>::new(surface.slot, surface.generation)),
            SurfaceKind::Renderbuffer => {
                tables.renderbuffers.get(Handle::<Renderbuffer>::new(surface.slot, surface.generation))
            }
            _ => None,
        }
    }

    /// Format of the surface that a read of `aspects` reads; proves the rectangle. `None` when there is none.
    fn read_source(&self, aspects: Aspects, area: &Box3, place: &'static str) -> Result<Option<Format>, Fault> {
        let fb = &self.flow.state.read_framebuffer;
        let surface = match aspects {
            Aspects::Color => &fb.read,
            Aspects::Stencil => &fb.stencil,
            _ => &fb.depth,
        };
        let Some(desc) = self.surface_desc(surface) else { return Ok(None) };
        let Some(format) = desc.format else { return Ok(None) };
        let [w, h, _] = desc.level_extent(u32::from(surface.level));
        let inside =
            |at: i32, n: u32, max: u32| at >= 0 && n >= 1 && (at as u32).checked_add(n).is_some_and(|e| e <= max);
        if !inside(area.x, area.w, w) || !inside(area.y, area.h, h) || area.z != 0 || area.d != 1 {
            return Err(Fault::corrupt(place));
        }
        prove::aspects(format, aspects, place)?;
        Ok(Some(format))
    }
}

impl Apply<ReadPixels> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ReadPixels>) -> Result<(), Fault> {
        let info: ReadbackInfo = body.head.info;
        let Some(format) = self.read_source(info.aspects, &info.src, "read_pixels.info")? else {
            return self.decline();
        };
        let bytes = prove::read_bytes(format, &info.src, MAX_REPLY, "read_pixels.info")?;
        self.answer_read(bytes, |a, out| a.session.backend.read_pixels(&mut a.flow.state, &info, out))
    }
}

impl Apply<ReadPixelsToBuffer> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ReadPixelsToBuffer>) -> Result<(), Fault> {
        let ReadPixelsToBuffer { info, buffer, offset, row_stride, image_stride } = body.head;
        let place = "read_pixels_to_buffer.info";
        let to = BufferTarget { buffer, offset, row_stride, image_stride };
        let Some(format) = self.read_source(info.aspects, &info.src, place)? else { return Ok(()) };
        if !self.prove_landing(format, &info, &to, place)? {
            return Ok(());
        }
        let outcome = self.session.backend.read_pixels_to_buffer(&mut self.flow.state, &info, to);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<CopyFramebufferToTexture> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, CopyFramebufferToTexture>) -> Result<(), Fault> {
        let copy = body.head;
        let place = "copy_framebuffer_to_texture.dst";
        let desc = *self.session.tables.textures.need(copy.texture, place)?;
        if desc.format.is_none() {
            return Ok(());
        }
        let z = i32::try_from(copy.layer).map_err(|_| Fault::corrupt(place))?;
        let area = Box3 { x: copy.dst[0], y: copy.dst[1], z, w: copy.width, h: copy.height, d: 1 };
        prove::texture_box(&desc, u32::from(copy.level), &area, place)?;
        let outcome = self.session.backend.copy_framebuffer_to_texture(&mut self.flow.state, &copy);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<GenerateMipmap> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, GenerateMipmap>) -> Result<(), Fault> {
        let GenerateMipmap { texture, base_level, last_level, .. } = body.head;
        let desc = self.session.tables.textures.need(texture, "generate_mipmap.texture")?;
        if desc.format.is_none() {
            return Ok(());
        }
        if base_level > last_level || u32::from(last_level) >= desc.levels {
            return Err(Fault::corrupt("generate_mipmap.last_level"));
        }
        let outcome = self.session.backend.generate_mipmap(texture, base_level.into(), last_level.into());
        self.settle(outcome).map(|_| ())
    }
}

impl Applier<'_> {
    fn image(&self, target: ResourceTarget, slot: u32, generation: u32) -> Result<(ImageRef, TextureDesc), Fault> {
        let place = "resource_copy_region.slot";
        if target == ResourceTarget::Renderbuffer {
            let handle = Handle::<Renderbuffer>::new(slot, generation);
            return Ok((ImageRef::Renderbuffer(handle), *self.session.tables.renderbuffers.need(handle, place)?));
        }
        let handle = Handle::<Texture>::new(slot, generation);
        Ok((ImageRef::Texture(handle), *self.session.tables.textures.need(handle, place)?))
    }
}

impl Apply<ResourceCopyRegion> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceCopyRegion>) -> Result<(), Fault> {
        let copy = body.head;
        let (src, src_desc) = self.image(copy.src_target, copy.src_slot, copy.src_generation)?;
        let (dst, dst_desc) = self.image(copy.dst_target, copy.dst_slot, copy.dst_generation)?;
        let (Some(sf), Some(df)) = (src_desc.format, dst_desc.format) else { return Ok(()) };
        prove::texture_box(&src_desc, copy.src_level.into(), &copy.src, "resource_copy_region.src")?;
        // Compressed and uncompressed end points measure in their own texels (GL 4.6 §18.3.2).
        let (sb, db) = (sf.info().storage.block_extent(), df.info().storage.block_extent());
        let scaled = |n: u32, from: u32, to: u32| n.div_ceil(from) * to;
        let [x, y, z] = copy.dst;
        let mut area = Box3 { x, y, z, w: copy.src.w, h: copy.src.h, d: copy.src.d };
        if sb != db {
            area.w = scaled(copy.src.w, sb.0, db.0);
            area.h = scaled(copy.src.h, sb.1, db.1);
            // Blocks at the edge of a level stick out of it; texels never do.
            let [w, h, _] = dst_desc.level_extent(copy.dst_level.into());
            let cut = |n: u32, at: i32, block: u32, end: u32| {
                if block > 1 { n.min(end.saturating_sub(at.max(0) as u32)) } else { n }
            };
            area.w = cut(area.w, x, db.0, w);
            area.h = cut(area.h, y, db.1, h);
        }
        prove::texture_box(&dst_desc, copy.dst_level.into(), &area, "resource_copy_region.dst")?;
        let outcome = self.session.backend.copy_image(src, dst, &copy);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<MemoryBarrier> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, MemoryBarrier>) -> Result<(), Fault> {
        let outcome = self.session.backend.memory_barrier(body.head.bits, body.head.by_region.get());
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<BeginStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, BeginStreamOutput>) -> Result<(), Fault> {
        let state = &mut self.flow.state;
        if state.xfb != body.head.xfb {
            return Err(Fault::corrupt("begin_stream_output.xfb"));
        }
        state.xfb_capturing = true;
        let outcome = self.session.backend.xfb_begin(state, body.head.mode);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<EndStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, EndStreamOutput>) -> Result<(), Fault> {
        self.flow.state.xfb_capturing = false;
        let outcome = self.session.backend.xfb_end(&mut self.flow.state, body.head.xfb);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<PauseStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, PauseStreamOutput>) -> Result<(), Fault> {
        self.flow.state.xfb_capturing = false;
        let outcome = self.session.backend.xfb_pause(&mut self.flow.state, body.head.xfb);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<ResumeStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResumeStreamOutput>) -> Result<(), Fault> {
        self.flow.state.xfb_capturing = true;
        let outcome = self.session.backend.xfb_resume(&mut self.flow.state, body.head.xfb);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<DeleteStreamOutput> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, DeleteStreamOutput>) -> Result<(), Fault> {
        self.session.backend.xfb_destroy(body.head.xfb);
        if self.flow.state.xfb == body.head.xfb {
            self.flow.state.xfb = Handle::NULL;
            self.flow.state.xfb_capturing = false;
        }
        Ok(())
    }
}

impl Apply<Flush> for Applier<'_> {
    fn apply(&mut self, _: Body<'_, Flush>) -> Result<(), Fault> {
        let outcome = self.session.backend.flush();
        self.settle(outcome).map(|_| ())
    }
}
