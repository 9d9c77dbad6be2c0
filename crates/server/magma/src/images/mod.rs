//! Images (storage of textures and renderbuffers) in a table whose elements never move, with their views and their
//! access state. Must not know GL objects: several of them may share one image.

mod create;
mod view;

pub use create::ImageSpec;
pub use view::{IDENTITY, ViewKey, ViewUse};

use crate::access::{ImageTrack, Range};
use crate::commands::{Commands, Garbage, Lane};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::Format;
use view::CachedView;

/// Names an image while something holds a reference to it. Never kept across the death of its object; caches key on
/// [`Image::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageKey(u32);

/// One Vulkan image.
#[derive(Debug)]
pub struct Image {
    /// Never used again for another image; what caches key on.
    pub id: u64,
    /// How it was made.
    pub spec: ImageSpec,
    /// Vulkan handle.
    pub vk: vk::Image,
    /// Serial of the batch that used it last.
    pub last_use: u64,
    memory: Option<crate::raw::memory::ImageMemory>,
    track: ImageTrack,
    main_use: u64,
    refs: u32,
    views: Vec<CachedView>,
}

impl Image {
    /// Format of the texels.
    pub fn format(&self) -> Format {
        self.spec.format
    }
    /// The whole image.
    pub fn whole(&self) -> Range {
        self.track.whole()
    }
    /// Current layout of a subresource, as of the end of what is recorded.
    pub fn layout(&self, level: u32, layer: u32) -> vk::ImageLayout {
        self.track.layout(level, layer)
    }
}

/// The table.
#[derive(Default)]
pub struct Images {
    slots: Vec<Option<Box<Image>>>,
    free: Vec<u32>,
    next_id: u64,
}

impl Images {
    /// The image.
    pub fn get(&self, key: ImageKey) -> Option<&Image> {
        self.slots.get(key.0 as usize)?.as_deref()
    }
    /// The image for writing.
    pub fn get_mut(&mut self, key: ImageKey) -> Option<&mut Image> {
        self.slots.get_mut(key.0 as usize)?.as_deref_mut()
    }
    /// Number of live images.
    pub fn live(&self) -> usize {
        self.slots.len() - self.free.len()
    }
    /// True when exactly one object shows the image.
    pub(crate) fn is_sole(&self, key: ImageKey) -> bool {
        self.get(key).is_some_and(|i| i.refs == 1)
    }
    /// Adds a reference.
    pub fn retain(&mut self, key: ImageKey) {
        if let Some(image) = self.get_mut(key) {
            image.refs += 1;
        }
    }
    /// Drops a reference; the last one parks the image and its views until the GPU is done.
    pub fn release(&mut self, cmds: &mut Commands, key: ImageKey) {
        let Some(image) = self.get_mut(key) else { return };
        image.refs -= 1;
        if image.refs > 0 {
            return;
        }
        let Some(mut image) = self.slots.get_mut(key.0 as usize).and_then(Option::take) else { return };
        self.free.push(key.0);
        for view in image.views.drain(..) {
            cmds.defer_destroy(image.last_use, Garbage::ImageView(view.vk));
        }
        if let Some(memory) = image.memory.take() {
            cmds.defer_destroy(image.last_use, Garbage::Image(memory));
        }
    }

    /// The lane in which a transfer that touches only this image may go: the front when the main lane has not used
    /// it in the current batch.
    pub fn lane_for(&self, cmds: &Commands, key: ImageKey) -> Lane {
        let fresh = self.get(key).is_some_and(|i| i.main_use != cmds.current_serial());
        if fresh { Lane::Front } else { Lane::Main }
    }

    /// Notes a use of part of an image and asks for the barriers it needs in `lane`.
    pub fn touch(
        &mut self,
        cmds: &mut Commands,
        lane: Lane,
        key: ImageKey,
        range: Range,
        layout: vk::ImageLayout,
        use_of: (vk::PipelineStageFlags, vk::AccessFlags),
    ) -> Outcome {
        let Some(image) = self.get_mut(key) else { return Ok(()) };
        image.last_use = cmds.current_serial();
        if lane == Lane::Main {
            image.main_use = image.last_use;
        }
        let (handle, aspects) = (image.vk, image.spec.aspects);
        let mut result = Ok(());
        // A 3D image has one layer; its slices share a layout.
        image.track.touch(range, layout, use_of, |t| {
            let stages = t.dependency.stages;
            if t.layouts.0 == t.layouts.1 {
                cmds.want_barrier(lane, stages, t.dependency.access);
                return;
            }
            let subresources = vk::ImageSubresourceRange {
                aspect_mask: aspects,
                base_mip_level: t.range.level,
                level_count: t.range.levels,
                base_array_layer: t.range.layer,
                layer_count: t.range.layers,
            };
            let barrier = vk::ImageMemoryBarrier::default()
                .src_access_mask(t.dependency.access.0)
                .dst_access_mask(t.dependency.access.1)
                .old_layout(t.layouts.0)
                .new_layout(t.layouts.1)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .image(handle)
                .subresource_range(subresources);
            if result.is_ok() {
                result = cmds.want_image_barrier(lane, stages, barrier);
            }
        });
        result
    }

    /// Parks everything, at the end of a session.
    pub fn clear(&mut self, cmds: &mut Commands) {
        for index in 0..self.slots.len() as u32 {
            if let Some(image) = self.get_mut(ImageKey(index)) {
                image.refs = 1;
            }
            self.release(cmds, ImageKey(index));
        }
    }
}
