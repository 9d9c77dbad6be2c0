//! What a shader sees where the program bound nothing: a texel (0, 0, 0, 1), a store of zeroes. Made on first use.
//! Must not know GL objects.

use crate::commands::Lane;
use crate::core::Core;
use crate::error::refuse;
use crate::images::{IDENTITY, ImageKey, ImageSpec, ViewKey, ViewUse};
use crate::programs::{Class, ImageShape};
use crate::raw::memory::{self, BufferMemory, MemoryClass};
use crate::raw::{make::Packed, record};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::Format;
use rspirv::spirv::Dim;

/// Bytes of the store of zeroes: the largest uniform block that GL promises and the devices' usual limit.
const ZERO_BYTES: u64 = 64 << 10;

/// Placeholders of a session.
#[derive(Default)]
pub struct Placeholders {
    images: Vec<(ImageShape, bool, ImageKey)>,
    zero: Option<BufferMemory>,
    texel: Vec<(Class, vk::BufferView)>,
}

fn format_of(class: Class) -> (Format, vk::Format) {
    match class {
        Class::Int => (Format::Rgba8I, vk::Format::R8G8B8A8_SINT),
        Class::Uint => (Format::Rgba8Ui, vk::Format::R8G8B8A8_UINT),
        Class::Float | Class::Double => (Format::Rgba8, vk::Format::R8G8B8A8_UNORM),
    }
}

impl Placeholders {
    /// A buffer of zeroes that every buffer usage takes, with its size.
    pub fn zero(&mut self, core: &mut Core) -> Outcome<(vk::Buffer, u64)> {
        if self.zero.is_none() {
            use vk::BufferUsageFlags as U;
            let usage = U::TRANSFER_DST
                | U::UNIFORM_BUFFER
                | U::STORAGE_BUFFER
                | U::VERTEX_BUFFER
                | U::INDEX_BUFFER
                | U::UNIFORM_TEXEL_BUFFER
                | U::STORAGE_TEXEL_BUFFER;
            let gpu = &core.gpu;
            let made = memory::create_buffer(gpu.allocator(), &gpu.memory, ZERO_BYTES, usage, MemoryClass::Device)
                .map_err(|e| refuse("placeholder buffer", e))?;
            let cmd = core.cmds.lane(Lane::Front)?;
            record::fill_buffer(&core.gpu.device, cmd, made.buffer, 0, ZERO_BYTES, 0);
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            let access = (vk::AccessFlags::TRANSFER_WRITE, vk::AccessFlags::MEMORY_READ);
            core.cmds.want_barrier(Lane::Front, (vk::PipelineStageFlags::TRANSFER, all), access);
            self.zero = Some(made);
        }
        Ok(self.zero.as_ref().map_or((vk::Buffer::null(), 0), |z| (z.buffer, z.size)))
    }

    /// Descriptor of an unbound texel buffer.
    pub fn texel(&mut self, core: &mut Core, shape: &ImageShape) -> Outcome<Packed> {
        if let Some((_, view)) = self.texel.iter().find(|(c, _)| *c == shape.class) {
            return Ok(Packed::texel(*view));
        }
        let (buffer, _) = self.zero(core)?;
        let info = vk::BufferViewCreateInfo::default().buffer(buffer).format(format_of(shape.class).1).range(256);
        let view = crate::raw::objects::create_buffer_view(&core.gpu.device, &info)
            .map_err(|e| refuse("placeholder texel buffer", e))?;
        self.texel.push((shape.class, view));
        Ok(Packed::texel(view))
    }

    /// Descriptor of an unbound texture (`storage`: image unit) of the shape that the shader declares.
    pub fn image(
        &mut self,
        core: &mut Core,
        shape: &ImageShape,
        storage: bool,
        sampler: vk::Sampler,
    ) -> Outcome<Packed> {
        let known = self.images.iter().find(|(s, u, _)| s == shape && *u == storage).map(|(_, _, key)| *key);
        let key = match known {
            Some(key) => key,
            None => {
                let key = create(core, shape, storage)?;
                self.images.push((*shape, storage, key));
                key
            }
        };
        let layout = layout(storage);
        let range = core.image(key)?.whole();
        let (view, _) = core.images.view(
            &mut core.cmds,
            key,
            ViewKey {
                ty: shape.view_type(),
                format: format_of(shape.class).1,
                aspects: vk::ImageAspectFlags::COLOR,
                range,
                swizzle: IDENTITY,
                used_as: if storage { ViewUse::Storage } else { ViewUse::Sampled },
            },
        )?;
        if let Some(image) = core.images.get_mut(key) {
            image.last_use = core.cmds.current_serial();
        }
        Ok(Packed::image(sampler, view, layout))
    }

    /// Lets go of everything.
    pub fn close(&mut self, core: &mut Core) {
        let now = core.cmds.current_serial();
        for (_, _, key) in self.images.drain(..) {
            core.images.release(&mut core.cmds, key);
        }
        for (_, view) in self.texel.drain(..) {
            core.cmds.defer_destroy(now, crate::commands::Garbage::BufferView(view));
        }
        if let Some(zero) = self.zero.take() {
            core.cmds.defer_destroy(now, crate::commands::Garbage::Buffer(zero));
        }
    }
}

fn layout(storage: bool) -> vk::ImageLayout {
    if storage { vk::ImageLayout::GENERAL } else { vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL }
}

fn create(core: &mut Core, shape: &ImageShape, storage: bool) -> Outcome<ImageKey> {
    use vk::ImageUsageFlags as U;
    let (format, vk_format) = format_of(shape.class);
    let cube = shape.dim == Dim::DimCube;
    let ty = match shape.dim {
        Dim::Dim1D => vk::ImageType::TYPE_1D,
        Dim::Dim3D => vk::ImageType::TYPE_3D,
        _ => vk::ImageType::TYPE_2D,
    };
    let mut flags = vk::ImageCreateFlags::empty();
    if cube {
        flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
    }
    let spec = ImageSpec {
        format,
        vk_format,
        layout: core.gpu.formats.get(format).layout,
        ty,
        extent: [1, 1, 1],
        levels: 1,
        layers: if cube { 6 } else { 1 },
        // One sample is not a multisampled image (VUID-RuntimeSpirv-samples-08726).
        samples: if shape.multisampled { 4 } else { 1 },
        aspects: vk::ImageAspectFlags::COLOR,
        usage: U::TRANSFER_DST | U::SAMPLED | if storage { U::STORAGE } else { U::empty() },
        flags,
    };
    let gpu = core.gpu.clone();
    let key = core.images.create(&gpu, spec)?;
    let whole = core.image(key)?.whole();
    let transfer = (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_WRITE);
    let general = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
    core.images.touch(&mut core.cmds, Lane::Front, key, whole, general, transfer)?;
    let cmd = core.cmds.lane(Lane::Front)?;
    let opaque_black = match shape.class {
        Class::Float | Class::Double => vk::ClearColorValue { float32: [0.0, 0.0, 0.0, 1.0] },
        Class::Int | Class::Uint => vk::ClearColorValue { uint32: [0, 0, 0, 1] },
    };
    let range = vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level: 0,
        level_count: whole.levels,
        base_array_layer: 0,
        layer_count: whole.layers,
    };
    let image = core.image(key)?.vk;
    record::clear_color(&gpu.device, cmd, (image, general), &opaque_black, &[range]);
    let read = (gpu.shader_stages, vk::AccessFlags::SHADER_READ);
    core.images.touch(&mut core.cmds, Lane::Front, key, whole, layout(storage), read)?;
    core.cmds.lane(Lane::Front)?;
    Ok(key)
}
