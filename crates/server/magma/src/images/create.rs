//! Making images from descriptions. Must not know how they will be filled.

use crate::access::ImageTrack;
use crate::commands::Commands;
use crate::device::Gpu;
use crate::device::formats::Layout;
use crate::error::{is_exhausted, refuse};
use crate::images::{Image, ImageKey, Images};
use crate::raw::{boot, memory};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::Format;
use mgl_backend::{Refusal, TextureDesc};
use mgl_pipe::tokens::ResourceTarget as Target;
use vk::FormatFeatureFlags as F;

/// What an image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    /// GL format.
    pub format: Format,
    /// Vulkan format.
    pub vk_format: vk::Format,
    /// Conversion of texels.
    pub layout: Layout,
    /// Dimensions.
    pub ty: vk::ImageType,
    /// Extent of level 0.
    pub extent: [u32; 3],
    /// Levels.
    pub levels: u32,
    /// Array layers, 1 for 3D.
    pub layers: u32,
    /// Samples.
    pub samples: u32,
    /// Aspects.
    pub aspects: vk::ImageAspectFlags,
    /// What it can be used for.
    pub usage: vk::ImageUsageFlags,
    /// Creation flags.
    pub flags: vk::ImageCreateFlags,
}

impl ImageSpec {
    /// The image that a description asks for. `None` while storage is not defined.
    pub fn of(gpu: &Gpu, desc: &TextureDesc) -> Outcome<Option<Self>> {
        let Some(format) = desc.format else { return Ok(None) };
        if desc.width == 0 || desc.height == 0 || desc.depth == 0 || desc.layers == 0 || desc.levels == 0 {
            return Ok(None);
        }
        let entry = gpu.formats.get(format);
        if entry.vk == vk::Format::UNDEFINED {
            return Err(Refusal::Unsupported("texture format that this device cannot sample"));
        }
        let ty = match desc.target {
            Target::Tex1D | Target::Tex1DArray => vk::ImageType::TYPE_1D,
            Target::Tex3D => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let mut spec = Self {
            format,
            vk_format: entry.vk,
            layout: entry.layout,
            ty,
            extent: [desc.width, desc.height, desc.depth],
            levels: desc.levels,
            layers: if ty == vk::ImageType::TYPE_3D { 1 } else { desc.layers },
            samples: pick_samples(entry.samples, desc.samples),
            aspects: entry.aspects,
            usage: usage(entry.image, desc),
            flags: vk::ImageCreateFlags::empty(),
        };
        spec.flags = flags(&spec, entry, desc);
        // An image unit may show one slice of a volume (GL 4.6 §8.26).
        if gpu.features.image_2d_view_of_3d && desc.image_bindable && spec.ty == vk::ImageType::TYPE_3D {
            spec.flags |= vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT;
        }
        if spec.flags.contains(vk::ImageCreateFlags::EXTENDED_USAGE) {
            spec.usage |= extended(desc, entry.image);
        }
        spec.fit(gpu)?;
        Ok(Some(spec))
    }

    /// Drops what the device cannot combine, or refuses.
    fn fit(&mut self, gpu: &Gpu) -> Outcome {
        // VUID-VkImageCreateInfo-usage-00968.
        if self.samples > 1 && !gpu.features.storage_image_multisample {
            self.usage &= !vk::ImageUsageFlags::STORAGE;
        }
        let own = gpu.formats.get(self.format).image;
        let foreign = if own.contains(F::COLOR_ATTACHMENT) {
            vk::ImageUsageFlags::empty()
        } else {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        };
        let storage = vk::ImageUsageFlags::STORAGE;
        let optional_usage = [vk::ImageUsageFlags::empty(), foreign, storage, foreign | storage];
        let optional_flags = [
            vk::ImageCreateFlags::empty(),
            vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT,
            vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE | vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT,
            vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE
                | vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT
                | vk::ImageCreateFlags::EXTENDED_USAGE,
        ];
        for (drop_usage, drop_flags) in optional_usage.into_iter().flat_map(|u| optional_flags.map(|f| (u, f))) {
            let (usage, flags) = (self.usage & !drop_usage, self.flags & !drop_flags);
            let limits =
                boot::image_format_properties(&gpu.instance, gpu.physical, self.vk_format, self.ty, usage, flags);
            let fits = limits.is_some_and(|l| {
                self.extent[0] <= l.max_extent.width
                    && self.extent[1] <= l.max_extent.height
                    && self.extent[2] <= l.max_extent.depth
                    && self.levels <= l.max_mip_levels
                    && self.layers <= l.max_array_layers
                    && l.sample_counts.as_raw() & self.samples != 0
            });
            if fits {
                (self.usage, self.flags) = (usage, flags);
                return Ok(());
            }
        }
        Err(Refusal::Unsupported("texture of this format, size and sample count on this device"))
    }

    fn create_info(&self) -> vk::ImageCreateInfo<'static> {
        vk::ImageCreateInfo::default()
            .flags(self.flags)
            .image_type(self.ty)
            .format(self.vk_format)
            .extent(vk::Extent3D { width: self.extent[0], height: self.extent[1], depth: self.extent[2] })
            .mip_levels(self.levels)
            .array_layers(self.layers)
            .samples(vk::SampleCountFlags::from_raw(self.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(self.usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED)
    }

    /// Extent of a level.
    pub fn level_extent(&self, level: u32) -> [u32; 3] {
        self.extent.map(|v| (v >> level.min(31)).max(1))
    }
}

/// The next supported sample count (GL 4.6 §9.2.4: at least as many as asked for).
fn pick_samples(supported: vk::SampleCountFlags, asked: u32) -> u32 {
    let asked = asked.max(1).next_power_of_two();
    (0..7).map(|n| 1 << n).find(|n| *n >= asked && supported.as_raw() & n != 0).unwrap_or(asked)
}

fn usage(features: F, desc: &TextureDesc) -> vk::ImageUsageFlags {
    use vk::ImageUsageFlags as U;
    let mut usage = U::TRANSFER_SRC | U::TRANSFER_DST;
    let mut add = |feature, bit, when: bool| {
        if when && features.contains(feature) {
            usage |= bit;
        }
    };
    add(F::SAMPLED_IMAGE, U::SAMPLED, true);
    add(F::COLOR_ATTACHMENT, U::COLOR_ATTACHMENT, true);
    add(F::DEPTH_STENCIL_ATTACHMENT, U::DEPTH_STENCIL_ATTACHMENT, true);
    add(F::STORAGE_IMAGE, U::STORAGE, desc.image_bindable);
    usage
}

/// What views of other formats may need of an image beside what its own format can do: image units (GL 4.6 §8.26), and
/// attachments of texture views (GL 4.6 §8.18).
fn extended(desc: &TextureDesc, own: F) -> vk::ImageUsageFlags {
    use vk::ImageUsageFlags as U;
    let storage = if desc.image_bindable { U::STORAGE } else { U::empty() };
    let viewed = desc.immutable && !own.contains(F::COLOR_ATTACHMENT);
    storage | if viewed { U::COLOR_ATTACHMENT } else { U::empty() }
}

fn flags(spec: &ImageSpec, entry: &crate::device::formats::FormatEntry, desc: &TextureDesc) -> vk::ImageCreateFlags {
    use vk::ImageCreateFlags as C;
    let mut flags = C::empty();
    let square = spec.extent[0] == spec.extent[1];
    let cube = matches!(desc.target, Target::TexCube | Target::TexCubeArray);
    // A texture view may show six layers of a 2D array as a cube (GL 4.6 table 8.21).
    let cube_view = desc.target == Target::Tex2DArray && desc.immutable && desc.layers >= 6 && square;
    if cube || (cube_view && desc.samples <= 1) {
        flags |= C::CUBE_COMPATIBLE;
    }
    let compressed = spec.format.info().compressed;
    let wanted = if compressed { vk::ImageUsageFlags::empty() } else { extended(desc, entry.image) };
    let drawn = (spec.usage | wanted).contains(vk::ImageUsageFlags::COLOR_ATTACHMENT);
    if spec.ty == vk::ImageType::TYPE_3D && drawn {
        flags |= C::TYPE_2D_ARRAY_COMPATIBLE;
    }
    // sRGB decode and `GL_FRAMEBUFFER_SRGB` need the linear alias, texture views and image units other formats.
    let color = entry.aspects == vk::ImageAspectFlags::COLOR;
    if color && (entry.linear != entry.vk || desc.immutable || desc.image_bindable) {
        flags |= C::MUTABLE_FORMAT;
        if !spec.usage.contains(wanted) {
            flags |= C::EXTENDED_USAGE;
        }
    }
    flags
}

impl Images {
    /// Makes an image with one reference.
    pub fn create(&mut self, gpu: &Gpu, spec: ImageSpec) -> Outcome<ImageKey> {
        let memory =
            memory::create_image(gpu.allocator(), &spec.create_info()).map_err(|e| refuse("texture storage", e))?;
        Ok(self.insert(spec, memory))
    }

    /// The same for an object of the program. When there is no memory, waits for the GPU to give back what is parked
    /// and tries once more.
    pub(crate) fn create_for(&mut self, cmds: &mut Commands, spec: ImageSpec, desc: &TextureDesc) -> Outcome<ImageKey> {
        let gpu = cmds.gpu().clone();
        let formats = [spec.vk_format, gpu.formats.get(spec.format).linear];
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&formats);
        let mut info = spec.create_info();
        // Only the sRGB pair will be viewed: a driver that knows keeps its compression.
        let only_pair = formats[0] != formats[1] && !desc.immutable && !desc.image_bindable;
        if only_pair && gpu.features.image_format_list {
            info = info.push_next(&mut list);
        }
        let memory = match memory::create_image(gpu.allocator(), &info) {
            Err(e) if is_exhausted(e) => {
                cmds.wait_all()?;
                memory::create_image(gpu.allocator(), &info)
            }
            other => other,
        };
        Ok(self.insert(spec, memory.map_err(|e| refuse("texture storage", e))?))
    }

    fn insert(&mut self, spec: ImageSpec, memory: memory::ImageMemory) -> ImageKey {
        self.next_id += 1;
        let image = Image {
            id: self.next_id,
            spec,
            vk: memory.image,
            last_use: 0,
            memory: Some(memory),
            track: ImageTrack::new(spec.levels, spec.layers),
            main_use: 0,
            refs: 1,
            views: Vec::new(),
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        if let Some(entry) = self.slots.get_mut(slot as usize) {
            *entry = Some(Box::new(image));
        }
        ImageKey(slot)
    }
}
