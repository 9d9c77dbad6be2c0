//! Finished pictures: an image is drawn turned and in the order of components that the window system wants, and copied into
//! memory that the client maps too. Must not know windows.

use super::Drawing;
use super::blit::{Copy, single_target};
use super::rects::map_rects;
use crate::access::Range;
use crate::commands::{Commands, Garbage};
use crate::core::Core;
use crate::device::Gpu;
use crate::device::formats::Layout;
use crate::error::refuse;
use crate::images::{IDENTITY, ImageKey, ImageSpec, ViewKey, ViewUse};
use crate::raw::memory::{BufferMemory, MemoryClass};
use crate::raw::{import, memory, record};
use crate::textures::AttachmentRef;
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Format, PresentImage, Surface};
use mgl_backend::{ContextState, PixelMemory, SharedMemory};
use mgl_pipe::tokens::{PixelLayout, SurfaceKind};
use std::sync::Arc;
use vk::ComponentSwizzle as C;

/// Images between the program's and the memory that are kept: one for each size and layout in use.
const KEPT: usize = 4;

/// What finished pictures need.
#[derive(Default)]
pub(super) struct Pictures {
    /// Memory that the device writes itself, by its number; `None` where it cannot.
    memories: Vec<(u32, Option<BufferMemory>)>,
    /// Oldest first.
    between: Vec<ImageKey>,
    /// Pictures that the host takes on once the device is done with them.
    pending: Vec<Pending>,
}

/// A picture in memory of the device, on its way to memory that it cannot write.
struct Pending {
    serial: u64,
    from: BufferMemory,
    to: PixelMemory,
    offset: u64,
    stride: u64,
    row: usize,
    rows: u64,
}

/// Where a copy goes: a buffer, the first byte, pixels from row to row.
struct Destination {
    buffer: vk::Buffer,
    offset: u64,
    row_length: u32,
}

impl Drawing {
    /// Copies a rectangle of a renderbuffer into memory of the client's.
    pub fn present_image(
        &mut self,
        core: &mut Core,
        ctx: &mut ContextState,
        what: &PresentImage,
        memory: &PixelMemory,
    ) -> Outcome {
        core.cmds.submit_if_large()?;
        let dirty = self.begin_verb(core, ctx);
        self.forced |= dirty | Dirty::DRAW_FRAMEBUFFER;
        let surface = Surface {
            slot: what.image.slot(),
            generation: what.image.generation(),
            kind: SurfaceKind::Renderbuffer,
            ..Surface::default()
        };
        let Some(source) = core.attachment(&surface, false)? else { return Ok(()) };
        let Some((format, swizzle)) = shape(&core.gpu, what.layout, &source) else {
            return core.present_image(what, memory);
        };
        let between = self.between(core, format, [what.width, what.height])?;
        let (x, y, w, h) = (what.x as i32, what.y as i32, what.width as i32, what.height as i32);
        let map = map_rects([x, y + h, x + w, y], [0, 0, w, h], source.extent, [0, 0, w, h]);
        let target = single_target(ctx.flow, &between);
        let aspect = vk::ImageAspectFlags::COLOR;
        self.drawn_copy(core, &Copy { source, target: &target, aspect, map, linear: false, slice: 0, swizzle })?;
        let bytes = u64::from(what.layout.bytes());
        match self.pictures.shared(core, memory) {
            Some(buffer) => {
                let row_length = (u64::from(what.stride) / bytes) as u32;
                copy_out(core, &between, &Destination { buffer, offset: what.offset, row_length })
            }
            None => self.by_the_host(core, &between, what, memory),
        }
    }

    /// Through memory of this process alone, on a device that does not write the client's.
    fn by_the_host(
        &mut self,
        core: &mut Core,
        between: &AttachmentRef,
        what: &PresentImage,
        to: &PixelMemory,
    ) -> Outcome {
        let row = what.width as usize * what.layout.bytes() as usize;
        let (rows, usage) = (u64::from(what.height), vk::BufferUsageFlags::TRANSFER_DST);
        let gpu = core.gpu.clone();
        let size = (row as u64 * rows).next_multiple_of(4);
        let from = memory::create_buffer(gpu.allocator(), &gpu.memory, size, usage, MemoryClass::Readback)
            .map_err(|e| refuse("memory for a picture", e))?;
        copy_out(core, between, &Destination { buffer: from.buffer, offset: 0, row_length: what.width })?;
        let serial = core.cmds.current_serial();
        let (offset, stride) = (what.offset, u64::from(what.stride));
        self.pictures.pending.push(Pending { serial, from, to: to.clone(), offset, stride, row, rows });
        Ok(())
    }

    /// Everything that the device has done up to `done` is in the memory that the client maps.
    pub fn take_pictures(&mut self, cmds: &mut Commands, done: u64) {
        let mut bytes = Vec::new();
        for pending in self.pictures.pending.extract_if(.., |pending| pending.serial <= done) {
            bytes.resize(pending.row, 0);
            for row in 0..pending.rows {
                // The spans were proven when the record came.
                if pending.from.read(row * pending.row as u64, &mut bytes) {
                    pending.to.bytes.write(pending.offset + row * pending.stride, &bytes);
                }
            }
            cmds.defer_destroy(pending.serial, Garbage::Buffer(pending.from));
        }
    }

    /// The client names this memory no more.
    pub fn pixels_forget(&mut self, cmds: &mut Commands, id: u32) {
        for (_, memory) in self.pictures.memories.extract_if(.., |(known, _)| *known == id) {
            if let Some(memory) = memory {
                cmds.defer_destroy(cmds.current_serial(), Garbage::Buffer(memory));
            }
        }
    }

    /// Lets go of everything.
    pub(super) fn close_pictures(&mut self, core: &mut Core) {
        let now = core.cmds.current_serial();
        let pictures = std::mem::take(&mut self.pictures);
        for key in pictures.between {
            core.images.release(&mut core.cmds, key);
        }
        let memories = pictures.memories.into_iter().filter_map(|(_, memory)| memory);
        for memory in memories.chain(pictures.pending.into_iter().map(|pending| pending.from)) {
            core.cmds.defer_destroy(now, Garbage::Buffer(memory));
        }
    }

    /// An image of that format and size, to draw on.
    fn between(
        &mut self,
        core: &mut Core,
        (format, vk_format): (Format, vk::Format),
        size: [u32; 2],
    ) -> Outcome<AttachmentRef> {
        let extent = [size[0], size[1], 1];
        let fits = |core: &Core, key: &ImageKey| {
            core.images.get(*key).is_some_and(|i| i.spec.vk_format == vk_format && i.spec.extent == extent)
        };
        let kept = &mut self.pictures.between;
        let key = match kept.iter().position(|key| fits(core, key)) {
            Some(at) => kept.remove(at),
            None => {
                if kept.len() >= KEPT {
                    core.images.release(&mut core.cmds, kept.remove(0));
                }
                let gpu = core.gpu.clone();
                core.images.create(&gpu, spec(format, vk_format, extent))?
            }
        };
        kept.push(key);
        let range = Range { level: 0, levels: 1, layer: 0, layers: 1 };
        let aspects = vk::ImageAspectFlags::COLOR;
        let ty = vk::ImageViewType::TYPE_2D;
        let used_as = ViewUse::Attachment;
        let want = ViewKey { ty, format: vk_format, aspects, range, swizzle: IDENTITY, used_as };
        let (view, id) = core.images.view(&mut core.cmds, key, want)?;
        Ok(AttachmentRef {
            view,
            id,
            image: key,
            range,
            format,
            vk_format,
            aspects,
            extent: size,
            layers: 1,
            samples: 1,
        })
    }
}

impl Pictures {
    /// The buffer over the client's memory, imported once; `None` where the device cannot.
    fn shared(&mut self, core: &Core, memory: &PixelMemory) -> Option<vk::Buffer> {
        if let Some((_, known)) = self.memories.iter().find(|(id, _)| *id == memory.id) {
            return known.as_ref().map(|memory| memory.buffer);
        }
        let imported = imported(core, memory);
        let buffer = imported.as_ref().map(|memory| memory.buffer);
        self.memories.push((memory.id, imported));
        buffer
    }
}

fn imported(core: &Core, memory: &PixelMemory) -> Option<BufferMemory> {
    let gpu = &core.gpu;
    let align = gpu.host_import_alignment;
    let functions = gpu.ext.external_host.as_ref().filter(|_| align > 0)?;
    let size = memory.len as u64;
    if !(memory.address as u64).is_multiple_of(align) || !size.is_multiple_of(align) {
        return None;
    }
    let shape = (size, vk::BufferUsageFlags::TRANSFER_DST);
    match import::import(&gpu.device, functions, &gpu.memory, (memory.address, size), shape) {
        Ok(imported) => {
            let keep = Arc::new(memory.bytes.clone());
            let shared = SharedMemory { address: memory.address, len: memory.len, keep };
            Some(memory::shared_buffer(imported, size, shared))
        }
        Err(e) => {
            tracing::debug!("memory for pictures is not imported: {e:?}");
            None
        }
    }
}

fn copy_out(core: &mut Core, from: &AttachmentRef, to: &Destination) -> Outcome {
    let transfer = vk::PipelineStageFlags::TRANSFER;
    let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
    core.use_image(from.image, from.range, layout, transfer, vk::AccessFlags::TRANSFER_READ)?;
    // A later picture may overlap an earlier one in the same memory.
    let written = (vk::AccessFlags::TRANSFER_WRITE, vk::AccessFlags::TRANSFER_WRITE);
    core.cmds.want_barrier(crate::commands::Lane::Main, (transfer, transfer), written);
    let region = vk::BufferImageCopy {
        buffer_offset: to.offset,
        buffer_row_length: to.row_length,
        buffer_image_height: from.extent[1],
        image_subresource: vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        },
        image_offset: vk::Offset3D::default(),
        image_extent: vk::Extent3D { width: from.extent[0], height: from.extent[1], depth: 1 },
    };
    let image = core.image(from.image)?.vk;
    let cmd = core.cmds.main()?;
    record::copy_image_to_buffer(&core.gpu.device, cmd, image, layout, to.buffer, &[region]);
    core.cmds.count_op();
    Ok(())
}

fn spec(format: Format, vk_format: vk::Format, extent: [u32; 3]) -> ImageSpec {
    ImageSpec {
        format,
        vk_format,
        layout: Layout::Plain,
        ty: vk::ImageType::TYPE_2D,
        extent,
        levels: 1,
        layers: 1,
        samples: 1,
        aspects: vk::ImageAspectFlags::COLOR,
        usage: vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
        flags: vk::ImageCreateFlags::empty(),
    }
}

/// The format whose texels are a layout's pixels, and which component of the source each of its components takes; `None` where the
/// device draws into no such format.
fn shape(
    gpu: &Gpu,
    layout: PixelLayout,
    source: &AttachmentRef,
) -> Option<((Format, vk::Format), [vk::ComponentSwizzle; 4])> {
    use PixelLayout as L;
    let (bgra, rgba) = (vk::Format::B8G8R8A8_UNORM, vk::Format::R8G8B8A8_UNORM);
    let (format, vk_format, swizzle) = match layout {
        L::A8R8G8B8 | L::X8R8G8B8 => (Format::Rgba8, bgra, IDENTITY),
        L::A8B8G8R8 | L::X8B8G8R8 => (Format::Rgba8, rgba, IDENTITY),
        // Bytes in the order alpha, red, green, blue: what the format calls red is the first of them.
        L::A8R8G8B8Swapped | L::X8R8G8B8Swapped => (Format::Rgba8, rgba, [C::A, C::R, C::G, C::B]),
        L::R5G6B5 => (Format::Rgb565, vk::Format::R5G6B5_UNORM_PACK16, IDENTITY),
        L::A2R10G10B10 | L::X2R10G10B10 => (Format::Rgb10A2, vk::Format::A2R10G10B10_UNORM_PACK32, IDENTITY),
        L::A2B10G10R10 | L::X2B10G10R10 => (Format::Rgb10A2, vk::Format::A2B10G10R10_UNORM_PACK32, IDENTITY),
        _ => return None,
    };
    let drawn = vk::FormatFeatureFlags::COLOR_ATTACHMENT | vk::FormatFeatureFlags::TRANSFER_SRC;
    let able = crate::raw::boot::format_properties(&gpu.instance, gpu.physical, vk_format);
    if !able.optimal_tiling_features.contains(drawn) {
        return None;
    }
    let without = matches!(layout, L::X8R8G8B8 | L::X8B8G8R8 | L::X2R10G10B10 | L::X2B10G10R10 | L::X8R8G8B8Swapped);
    let opaque = without || source.format.info().base == Base::Rgb;
    let swizzle = swizzle.map(|component| if opaque && component == C::A { C::ONE } else { component });
    Some(((format, vk_format), swizzle))
}
