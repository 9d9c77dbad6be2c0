//! Copies between images: redefinition that keeps content, `glCopyImageSubData`, mipmaps. Must not know samplers.

use crate::access::Range;
use crate::commands::Lane;
use crate::core::Core;
use crate::images::ImageKey;
use crate::raw::record;
use crate::transfer::image::HostBytes;
use crate::transfer::packed;
use crate::transfer::place::Place;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Box3, ReadbackInfo, ResourceCopyRegion, SubRegion};
use mgl_backend::{ImageRef, Refusal, TextureDesc};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::tokens::Aspects;

const SRC: vk::ImageLayout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
const DST: vk::ImageLayout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
const TRANSFER: vk::PipelineStageFlags = vk::PipelineStageFlags::TRANSFER;

impl Core {
    /// Creates or redefines storage. With `keep`, levels whose extent and format fit keep their content.
    pub fn texture_define(&mut self, of: ImageRef, desc: &TextureDesc, keep: bool) -> Outcome {
        self.redefine(of, desc, keep)?;
        self.cmds.submit_if_large()
    }

    /// The same without a submit: safe while a verb is being prepared.
    pub(crate) fn redefine(&mut self, of: ImageRef, desc: &TextureDesc, keep: bool) -> Outcome {
        let replaced = self.textures.define(&mut self.images, &mut self.cmds, of, desc, keep)?;
        if let Some((buffer, _, _)) = desc.buffer {
            self.buffers.pin(buffer);
        }
        if let Some(buffer) = replaced.old_buffer {
            self.buffers.unpin(&mut self.cmds, buffer);
        }
        let mut result = Ok(());
        if let (Some(old), Some(new), true) = (replaced.old, replaced.new, keep && replaced.old != replaced.new) {
            result = self.keep_levels(old, new);
        }
        if let Some(old) = replaced.old {
            self.images.release(&mut self.cmds, old);
        }
        result
    }

    /// Death of a texture or renderbuffer.
    pub fn texture_destroy(&mut self, of: ImageRef) {
        if let Some(buffer) = self.textures.destroy(&mut self.images, &mut self.cmds, of) {
            self.buffers.unpin(&mut self.cmds, buffer);
        }
    }

    fn keep_levels(&mut self, old: ImageKey, new: ImageKey) -> Outcome {
        let (from, to) = (self.image(old)?, self.image(new)?);
        let (a, b) = (from.spec, to.spec);
        let (from, to) = (from.vk, to.vk);
        if a.vk_format != b.vk_format || a.ty != b.ty || a.samples != b.samples {
            return Ok(());
        }
        let layers = a.layers.min(b.layers);
        let fits = |l: &u32| a.level_extent(*l) == b.level_extent(*l) && self.has_content(old, *l);
        let levels: Vec<u32> = (0..a.levels.min(b.levels)).filter(fits).collect();
        if levels.is_empty() {
            return Ok(());
        }
        let lane = self.common_lane(old, new);
        let mut regions = Vec::with_capacity(levels.len());
        for level in levels {
            let range = Range { level, levels: 1, layer: 0, layers };
            self.touch_image(lane, old, range, SRC, (TRANSFER, vk::AccessFlags::TRANSFER_READ))?;
            self.touch_image(lane, new, range, DST, (TRANSFER, vk::AccessFlags::TRANSFER_WRITE))?;
            let part = vk::ImageSubresourceLayers {
                aspect_mask: a.aspects,
                mip_level: level,
                base_array_layer: 0,
                layer_count: layers,
            };
            let [width, height, depth] = a.level_extent(level);
            let extent = vk::Extent3D { width, height, depth };
            regions.push(vk::ImageCopy { src_subresource: part, dst_subresource: part, extent, ..Default::default() });
        }
        let cmd = self.cmds.lane(lane)?;
        record::copy_image(&self.gpu.device, cmd, (from, SRC), (to, DST), &regions);
        self.cmds.count_op();
        Ok(())
    }

    /// A level that was never written has nothing to keep.
    fn has_content(&self, key: ImageKey, level: u32) -> bool {
        let Some(image) = self.images.get(key) else { return false };
        (0..image.spec.layers).any(|layer| image.layout(level, layer) != vk::ImageLayout::UNDEFINED)
    }

    fn common_lane(&self, a: ImageKey, b: ImageKey) -> Lane {
        match (self.images.lane_for(&self.cmds, a), self.images.lane_for(&self.cmds, b)) {
            (Lane::Front, Lane::Front) => Lane::Front,
            _ => Lane::Main,
        }
    }

    /// `glCopyImageSubData`.
    pub fn copy_image(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome {
        let from = self.place(src, copy.src_level.into(), &copy.src)?;
        let to_box = self.landing(&from, dst, copy)?;
        let to = self.place(dst, copy.dst_level.into(), &to_box)?;
        if from.samples != to.samples {
            return Err(Refusal::Unsupported("image copy between different sample counts"));
        }
        let (a, b) = (self.image(from.key)?.spec, self.image(to.key)?.spec);
        let one_d = |t: vk::ImageType| t == vk::ImageType::TYPE_1D;
        let depth_differs = a.vk_format != b.vk_format && !(from.format.is_color() && to.format.is_color());
        if one_d(a.ty) != one_d(b.ty) || depth_differs {
            return self.copy_through_host(src, dst, copy, &to_box);
        }
        let lane = self.common_lane(from.key, to.key);
        let (read, write) = (vk::AccessFlags::TRANSFER_READ, vk::AccessFlags::TRANSFER_WRITE);
        // Copies inside one image run in GENERAL (spec 07 §10.2): source and destination may share subresources.
        let layouts = if from.key == to.key {
            let whole = self.image(from.key)?.whole();
            self.touch_image(lane, from.key, whole, vk::ImageLayout::GENERAL, (TRANSFER, read | write))?;
            (vk::ImageLayout::GENERAL, vk::ImageLayout::GENERAL)
        } else {
            self.touch_image(lane, from.key, from.range(), SRC, (TRANSFER, read))?;
            self.touch_image(lane, to.key, to.range(), DST, (TRANSFER, write))?;
            (SRC, DST)
        };
        // Between a volume and an array the copy has slices on one side and layers on the other.
        let depth = if from.volume || to.volume { copy.src.d } else { 1 };
        let region = [vk::ImageCopy {
            src_subresource: from.subresource(from.aspects),
            src_offset: from.offset,
            dst_subresource: to.subresource(to.aspects),
            dst_offset: to.offset,
            extent: vk::Extent3D { depth, ..from.extent },
        }];
        let cmd = self.cmds.lane(lane)?;
        record::copy_image(&self.gpu.device, cmd, (from.image, layouts.0), (to.image, layouts.1), &region);
        self.cmds.count_op();
        self.cmds.submit_if_large()
    }

    /// The box that a copy writes, in texels of the destination: blocks correspond to blocks (GL 4.6 §18.3.2).
    fn landing(&self, from: &Place, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome<Box3> {
        let (tex, key) = self.textures.need_image(dst)?;
        let spec = self.image(key)?.spec;
        let extent = spec.level_extent(tex.level0 + u32::from(copy.dst_level));
        let (bw, bh) = tex.desc.format.unwrap_or(spec.format).storage().block_extent();
        let (x, y, _) = from.blocks();
        let [dx, dy, dz] = copy.dst;
        // Blocks at the edge of a small level stick out of it; texels never do.
        let size = |blocks: u64, block: u32, at: i32, limit: u32| match block {
            1 => blocks as u32,
            _ => (blocks as u32 * block).min(limit.saturating_sub(u32::try_from(at).unwrap_or(0))),
        };
        let (w, h) = (size(x, bw, dx, extent[0]), size(y, bh, dy, extent[1]));
        Ok(Box3 { x: dx, y: dy, z: dz, w, h, d: copy.src.d })
    }

    /// Where Vulkan has no copy: read and upload. Storage layouts of equal size are equal bytes.
    fn copy_through_host(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion, to: &Box3) -> Outcome {
        let from = self.place(src, copy.src_level.into(), &copy.src)?;
        let mut bytes = vec![0; from.wire_bytes() as usize];
        let info = ReadbackInfo { src: copy.src, level: copy.src_level, aspects: Aspects::Color, ..Default::default() };
        self.image_read(src, &info, &mut bytes)?;
        let region = [SubRegion { dst: *to, src_offset: 0, row_stride: 0, slice_stride: 0 }];
        self.image_write(dst, copy.dst_level.into(), &region, &HostBytes(&bytes)).map(|_| ())
    }

    /// Mip levels `base + 1 ..= last` by a chain of blits; on the host where the device cannot filter the format.
    pub fn generate_mipmap(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome {
        let (tex, key) = self.textures.need_image(ImageRef::Texture(texture))?;
        let (level0, layer0, object_layers) = (tex.level0, tex.layer0, tex.desc.layers);
        let format = tex.desc.format;
        let image = self.image(key)?;
        let (spec, handle) = (image.spec, image.vk);
        let layers = if spec.ty == vk::ImageType::TYPE_3D { 1 } else { object_layers.min(spec.layers - layer0) };
        let (base, last) = (level0 + base, (level0 + last).min(spec.levels - 1));
        // Blits read and write the image's own format.
        let own = self.gpu.formats.get(spec.format).image;
        let view = self.gpu.formats.get(format.unwrap_or(spec.format)).vk;
        use vk::FormatFeatureFlags as F;
        if spec.format.info().compressed || spec.samples > 1 {
            return Err(Refusal::Unsupported("mipmaps of a compressed or multisampled texture"));
        }
        let color = spec.aspects == vk::ImageAspectFlags::COLOR;
        let linear = own.contains(F::SAMPLED_IMAGE_FILTER_LINEAR) && color;
        // A view with another meaning of the bits averages on the host.
        let viewed = color && view != spec.vk_format;
        let unfiltered = color && !linear && !spec.format.is_integer();
        if viewed || unfiltered || !own.contains(F::BLIT_SRC | F::BLIT_DST) {
            return self.mipmap_on_host(texture, base - level0, last - level0);
        }
        let filter = if linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let lane = self.images.lane_for(&self.cmds, key);
        for level in base + 1..=last {
            let part = |level| Range { level, levels: 1, layer: layer0, layers };
            self.touch_image(lane, key, part(level - 1), SRC, (TRANSFER, vk::AccessFlags::TRANSFER_READ))?;
            self.touch_image(lane, key, part(level), DST, (TRANSFER, vk::AccessFlags::TRANSFER_WRITE))?;
            let side = |level: u32| {
                let [w, h, d] = spec.level_extent(level).map(|v| v as i32);
                let end = vk::Offset3D { x: w, y: h, z: d };
                let layers = vk::ImageSubresourceLayers {
                    aspect_mask: spec.aspects,
                    mip_level: level,
                    base_array_layer: layer0,
                    layer_count: layers,
                };
                (layers, [vk::Offset3D::default(), end])
            };
            let ((src_subresource, src_offsets), (dst_subresource, dst_offsets)) = (side(level - 1), side(level));
            let region = [vk::ImageBlit { src_subresource, src_offsets, dst_subresource, dst_offsets }];
            let cmd = self.cmds.lane(lane)?;
            record::blit_image(&self.gpu.device, cmd, (handle, SRC), (handle, DST), &region, filter);
        }
        self.cmds.count_op();
        self.cmds.submit_if_large()
    }

    /// 2x2(x2) box filter of texels that the device cannot filter or blit.
    fn mipmap_on_host(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome {
        let tex = self.textures.need(ImageRef::Texture(texture))?;
        let desc = tex.desc;
        let storage = desc.format.map(|f| f.storage());
        let Some(storage) = storage else { return Err(Refusal::Unsupported("mipmaps of a texture without a format")) };
        let volume = desc.target == mgl_pipe::tokens::ResourceTarget::Tex3D;
        for level in base + 1..=last {
            let [fw, fh, fd] = desc.level_extent(level - 1);
            let [tw, th, td] = desc.level_extent(level);
            let (fd, td) = if volume { (fd, td) } else { (desc.layers, desc.layers) };
            let whole = |w, h, d| Box3 { x: 0, y: 0, z: 0, w, h, d };
            let mut bytes = vec![0; (fw * fh * fd) as usize * storage.block_bytes() as usize];
            let info = ReadbackInfo {
                src: whole(fw, fh, fd),
                level: (level - 1) as u16,
                aspects: Aspects::Color,
                ..Default::default()
            };
            self.image_read(ImageRef::Texture(texture), &info, &mut bytes)?;
            let half = match packed::channels(storage) {
                Some(channels) => {
                    let values = packed::unpack(storage, &bytes);
                    packed::pack(storage, &box_filter(&values, [fw, fh, fd], [tw, th, td], channels))
                }
                // Integers, and depth with stencil: no averages.
                None => nearest(&bytes, [fw, fh, fd], [tw, th, td], storage.block_bytes() as usize),
            };
            let region = [SubRegion { dst: whole(tw, th, td), src_offset: 0, row_stride: 0, slice_stride: 0 }];
            self.texture_write(texture, level, &region, &HostBytes(&half))?;
        }
        Ok(())
    }
}

/// One texel of each 2x2(x2), as its bytes.
fn nearest(texels: &[u8], from: [u32; 3], to: [u32; 3], texel: usize) -> Vec<u8> {
    let step = [0, 1, 2].map(|i| if from[i] > to[i] { 2 } else { 1 });
    let mut out = Vec::with_capacity((to[0] * to[1] * to[2]) as usize * texel);
    for (z, y) in (0..to[2]).flat_map(|z| (0..to[1]).map(move |y| (z * step[2], y * step[1]))) {
        let row = ((z * from[1] + y) * from[0]) as usize;
        let starts = (0..to[0]).map(|x| (row + (x * step[0]) as usize) * texel);
        out.extend(starts.flat_map(|at| texels.get(at..at + texel).unwrap_or_default()));
    }
    out
}

fn box_filter(values: &[f32], from: [u32; 3], to: [u32; 3], channels: usize) -> Vec<f32> {
    let at = |x: u32, y: u32, z: u32, c: usize| {
        let texel = ((z.min(from[2] - 1) * from[1] + y.min(from[1] - 1)) * from[0] + x.min(from[0] - 1)) as usize;
        values.get(texel * channels + c).copied().unwrap_or(0.0)
    };
    let step = [0, 1, 2].map(|i| if from[i] > to[i] { 2 } else { 1 });
    let mut out = Vec::with_capacity((to[0] * to[1] * to[2]) as usize * channels);
    for (z, y, x) in (0..to[2]).flat_map(|z| (0..to[1]).flat_map(move |y| (0..to[0]).map(move |x| (z, y, x)))) {
        for c in 0..channels {
            let corners =
                (0..step[2]).flat_map(|k| (0..step[1]).flat_map(move |j| (0..step[0]).map(move |i| (i, j, k))));
            let sum: f32 = corners.map(|(i, j, k)| at(x * step[0] + i, y * step[1] + j, z * step[2] + k, c)).sum();
            out.push(sum / (step[0] * step[1] * step[2]) as f32);
        }
    }
    out
}
