//! The resource half in one value: command stream, buffers, images, textures. The drawing half gets `&mut Core` with
//! every call and goes through the functions here. Must not know programs, pipelines or draws.
//!
//! How a draw uses it:
//! 1. resolve everything ([`Core::resolve_view`], [`Core::attachment`], [`Core::storage`], [`Core::buffer`]);
//! 2. declare every use ([`Core::use_buffer`], [`Core::use_image`]); attachments only when a pass is about to begin;
//! 3. if [`Commands::barriers_pending`] or the wanted pass is not open: [`Commands::enter_pass`] (which leaves the open
//!    one and records the barriers) and begin it in the command buffer that it returns;
//! 4. record the draw in [`Commands::inside`].
//!
//! A dispatch does 1 and 2 and records in [`Commands::main`], which leaves any pass.

use crate::access::Range;
use crate::buffers::{BufferRef, BufferTable};
use crate::commands::{Commands, Lane};
use crate::device::Gpu;
use crate::images::{Image, ImageKey, Images};
use crate::textures::{AttachmentRef, StorageRef, Textures, ViewRef};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{ImageView, Surface};
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, SamplerViewCso};
use std::sync::Arc;

/// The resource half.
pub struct Core {
    /// The device.
    pub gpu: Arc<Gpu>,
    /// The command stream.
    pub cmds: Commands,
    /// Buffer objects.
    pub buffers: BufferTable,
    /// Images.
    pub images: Images,
    /// Textures, renderbuffers and sampler views.
    pub textures: Textures,
    pub(crate) fences: crate::fences::FenceTable,
    pub(crate) imports: crate::imports::Imports,
}

impl Core {
    /// An empty session on a device.
    pub fn new(gpu: Arc<Gpu>) -> Outcome<Self> {
        Ok(Self {
            cmds: Commands::new(gpu.clone())?,
            buffers: BufferTable::default(),
            images: Images::default(),
            textures: Textures::default(),
            fences: Default::default(),
            imports: Default::default(),
            gpu,
        })
    }

    /// The store of a buffer, or `None` when it has none (or the handle is null).
    pub fn buffer(&self, handle: Handle<Buffer>) -> Option<BufferRef> {
        self.buffers.get(handle)
    }

    /// Declares a use of a buffer by the next command of the main lane; answers the store.
    pub fn use_buffer(
        &mut self,
        handle: Handle<Buffer>,
        stages: vk::PipelineStageFlags,
        access: vk::AccessFlags,
    ) -> Option<BufferRef> {
        self.buffers.touch(&mut self.cmds, Lane::Main, handle, (stages, access))
    }

    /// Declares that the next draw reads its commands, or their number, from buffers. What shaders wrote there needs a
    /// barrier: programs leave `GL_COMMAND_BARRIER_BIT` out, and one is enough until the next write (spec 07 §5.5).
    pub fn use_commands(&mut self, buffers: [Handle<Buffer>; 2]) {
        let (stage, access) = (vk::PipelineStageFlags::DRAW_INDIRECT, vk::AccessFlags::INDIRECT_COMMAND_READ);
        let mut written = false;
        for handle in buffers.into_iter().filter(|handle| !handle.is_null()) {
            written |= self.buffers.shader_wrote_for(handle, (stage, access));
            self.use_buffer(handle, stage, access);
        }
        self.cmds.counts.barriers += u64::from(written);
    }

    /// Declares a use of part of an image in a layout by the next command of the main lane.
    pub fn use_image(
        &mut self,
        key: ImageKey,
        range: Range,
        layout: vk::ImageLayout,
        stages: vk::PipelineStageFlags,
        access: vk::AccessFlags,
    ) -> Outcome {
        self.images.touch(&mut self.cmds, Lane::Main, key, range, layout, (stages, access))
    }

    /// The image of a texture or renderbuffer, with the first level and layer that the object shows.
    pub fn resolve_image(&self, of: ImageRef) -> Outcome<(ImageKey, u32, u32)> {
        let (tex, key) = self.textures.need_image(of)?;
        Ok((key, tex.level0, tex.layer0))
    }

    /// An image, or a refusal.
    pub fn image(&self, key: ImageKey) -> Outcome<&Image> {
        self.images.get(key).ok_or(Refusal::Unsupported("image that is gone"))
    }

    /// A sampler view, or `None`: incomplete, reads (0, 0, 0, 1). The caller declares the use. `stored`: sRGB texels are not
    /// decoded.
    pub fn resolve_view(&mut self, cso: Handle<SamplerViewCso>, stored: bool) -> Outcome<Option<ViewRef>> {
        self.textures.resolve_view(&mut self.images, &mut self.buffers, &mut self.cmds, (cso, stored))
    }

    /// An attachment, or `None`. The caller declares the use. `srgb` is `GL_FRAMEBUFFER_SRGB`.
    pub fn attachment(&mut self, surface: &Surface, srgb: bool) -> Outcome<Option<AttachmentRef>> {
        self.textures.attachment(&mut self.images, &mut self.cmds, surface, srgb)
    }

    /// An image unit, or `None`: reads zero, drops writes. The shader may take it for an `arrayed` image. The caller
    /// declares the use, images in `GENERAL`.
    pub fn storage(&mut self, unit: &ImageView, arrayed: bool) -> Outcome<Option<StorageRef>> {
        self.make_bindable(unit)?;
        self.textures.storage(&mut self.images, &mut self.buffers, &mut self.cmds, (unit, arrayed))
    }
}

impl Core {
    /// A texture that was made without storage use gets a new image with its content when an image unit names it, or a
    /// view of it. All views show the new image then.
    fn make_bindable(&mut self, unit: &ImageView) -> Outcome {
        let Ok((tex, key)) = self.textures.need_image(ImageRef::Texture(unit.texture)) else { return Ok(()) };
        let bound = self.images.get(key).is_some_and(|i| i.spec.usage.contains(vk::ImageUsageFlags::STORAGE));
        if bound {
            return Ok(());
        }
        let of = ImageRef::Texture(tex.desc.view.map_or(unit.texture, |view| view.owner));
        // The owner may be deleted already; its views live on as they are.
        let Ok((owner, old)) = self.textures.need_image(of) else { return Ok(()) };
        if owner.desc.image_bindable || old != key {
            return Ok(());
        }
        let shared = !self.images.is_sole(old);
        let desc = mgl_backend::TextureDesc { image_bindable: true, ..owner.desc };
        self.redefine(of, &desc, true)?;
        let new = self.textures.need_image(of).map(|(_, new)| new)?;
        if shared && new != old {
            self.textures.show_instead(&mut self.images, &mut self.cmds, old, new);
        }
        Ok(())
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.cmds.submit().ok();
        self.imports.clear(&mut self.cmds);
        self.textures.clear(&mut self.images, &mut self.cmds);
        self.buffers.clear(&mut self.cmds);
    }
}
