//! Views of images, made once per image and kept with it. Must not know GL view objects.

use crate::access::Range;
use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::error::refuse;
use crate::images::{ImageKey, Images};
use crate::raw::objects;
use ash::vk;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;

/// What a view is for; it restricts the view's usage to what its format can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewUse {
    /// Sampling.
    Sampled,
    /// Colour or depth/stencil attachment.
    Attachment,
    /// Storage image.
    Storage,
}

/// Identity of a view within its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewKey {
    /// Dimensions.
    pub ty: vk::ImageViewType,
    /// Format.
    pub format: vk::Format,
    /// Aspects.
    pub aspects: vk::ImageAspectFlags,
    /// Subresources; for a 2D view of a 3D image the layers are slices.
    pub range: Range,
    /// Component mapping, red to alpha.
    pub swizzle: [vk::ComponentSwizzle; 4],
    /// Use.
    pub used_as: ViewUse,
}

/// Identity mapping.
pub const IDENTITY: [vk::ComponentSwizzle; 4] =
    [vk::ComponentSwizzle::R, vk::ComponentSwizzle::G, vk::ComponentSwizzle::B, vk::ComponentSwizzle::A];

#[derive(Debug)]
pub(super) struct CachedView {
    key: ViewKey,
    pub(super) vk: vk::ImageView,
    id: u64,
}

/// More views than this on one image: the oldest go (a program that swizzles or re-bases without end).
const MAX_VIEWS: usize = 256;

impl Images {
    /// The view of an image with this key, and an id that is never reused.
    pub fn view(&mut self, cmds: &mut Commands, key: ImageKey, want: ViewKey) -> Outcome<(vk::ImageView, u64)> {
        let dead = || Refusal::Driver("view of an image that is gone".into());
        let image = self.get_mut(key).ok_or_else(dead)?;
        if let Some(found) = image.views.iter().find(|v| v.key == want) {
            return Ok((found.vk, found.id));
        }
        let vk = create(cmds.gpu(), image.vk, image.spec.usage, &want)?;
        self.next_id += 1;
        let id = self.next_id;
        let image = self.get_mut(key).ok_or_else(dead)?;
        if image.views.len() >= MAX_VIEWS {
            let old = image.views.remove(0);
            // It may have been used in the batch being recorded.
            cmds.defer_destroy(cmds.current_serial(), Garbage::ImageView(old.vk));
        }
        image.views.push(CachedView { key: want, vk, id });
        Ok((vk, id))
    }
}

fn create(gpu: &Gpu, image: vk::Image, usage: vk::ImageUsageFlags, key: &ViewKey) -> Outcome<vk::ImageView> {
    use vk::ImageUsageFlags as U;
    let attachment = U::COLOR_ATTACHMENT | U::DEPTH_STENCIL_ATTACHMENT;
    let mut restrict = vk::ImageViewUsageCreateInfo::default().usage(match key.used_as {
        ViewUse::Sampled => U::SAMPLED,
        ViewUse::Attachment => usage & attachment,
        ViewUse::Storage => U::STORAGE,
    });
    let [r, g, b, a] = key.swizzle;
    let info = vk::ImageViewCreateInfo::default()
        .image(image)
        .view_type(key.ty)
        .format(key.format)
        .components(vk::ComponentMapping { r, g, b, a })
        .subresource_range(vk::ImageSubresourceRange {
            aspect_mask: key.aspects,
            base_mip_level: key.range.level,
            level_count: key.range.levels,
            base_array_layer: key.range.layer,
            layer_count: key.range.layers,
        })
        .push_next(&mut restrict);
    objects::create_image_view(&gpu.device, &info).map_err(|e| refuse("image view", e))
}
