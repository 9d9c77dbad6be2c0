//! A framebuffer state resolved to Vulkan attachments. Must not know passes or draws.

use crate::core::Core;
use crate::pipelines::PassFormat;
use crate::textures::AttachmentRef;
use ash::vk;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::FramebufferState;
use mgl_base::limits::MAX_DRAW_BUFFERS;

/// Attachments by fragment output location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Context that draws into it.
    pub flow: u32,
    /// Colour attachments.
    pub color: [Option<AttachmentRef>; MAX_DRAW_BUFFERS],
    /// Depth and stencil are one attachment.
    pub depth_stencil: Option<AttachmentRef>,
    /// Formats.
    pub format: PassFormat,
    /// Pixels that can be drawn.
    pub extent: [u32; 2],
    /// Layers that can be drawn.
    pub layers: u32,
}

/// Samples of a pass without attachments: the most that the device has up to `wanted`, a power of two.
fn default_samples(core: &Core, wanted: u16) -> u32 {
    let has = core.gpu.properties.limits.framebuffer_no_attachments_sample_counts.as_raw();
    let up_to = has & (2 * u32::from(wanted.max(1)) - 1);
    1 << up_to.checked_ilog2().unwrap_or(0)
}

impl Target {
    /// Resolves `fb` for drawing by `flow`; `srgb` is `GL_FRAMEBUFFER_SRGB`.
    pub fn resolve(core: &mut Core, flow: u32, fb: &FramebufferState, srgb: bool) -> Outcome<Self> {
        let mut target = Self { flow, ..Self::default() };
        let mut extent = [fb.width, fb.height];
        let mut samples = 0;
        let mut add = |a: &AttachmentRef| {
            extent = [extent[0].min(a.extent[0]), extent[1].min(a.extent[1])];
            samples = samples.max(a.samples);
        };
        for (output, index) in fb.draw_buffers.iter().enumerate() {
            let Some(surface) = usize::try_from(*index).ok().and_then(|i| fb.color.get(i)) else { continue };
            let Some(attachment) = core.attachment(surface, srgb)? else { continue };
            add(&attachment);
            target.color[output] = Some(attachment);
            target.format.color[output] = attachment.vk_format;
            target.format.gl[output] = Some(attachment.format);
            target.format.count = output as u32 + 1;
        }
        let depth = core.attachment(&fb.depth, false)?;
        let stencil = core.attachment(&fb.stencil, false)?;
        if let (Some(d), Some(s)) = (&depth, &stencil)
            && d.id != s.id
        {
            return Err(Refusal::Unsupported("SeparateDepthAndStencilImages"));
        }
        target.format.has_depth = depth.is_some();
        target.format.has_stencil = stencil.is_some();
        if let Some(a) = depth.or(stencil) {
            add(&a);
            target.format.depth_stencil = a.vk_format;
            target.depth_stencil = Some(a);
        }
        // Without attachments the framebuffer's default parameters count (GL 4.6 §9.2.1).
        target.format.samples = if samples == 0 { default_samples(core, fb.samples) } else { samples };
        target.extent = [extent[0].max(1), extent[1].max(1)];
        target.layers = fb.layers.max(1).min(target.least_layers());
        Ok(target)
    }

    fn least_layers(&self) -> u32 {
        self.attachments().map(|a| a.layers).min().unwrap_or(u32::MAX)
    }

    /// Every attachment.
    pub fn attachments(&self) -> impl Iterator<Item = &AttachmentRef> {
        self.color.iter().flatten().chain(&self.depth_stencil)
    }

    /// The area that draws reach.
    pub fn area(&self) -> vk::Rect2D {
        vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: vk::Extent2D { width: self.extent[0], height: self.extent[1] },
        }
    }
}
