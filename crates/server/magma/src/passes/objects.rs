//! Render pass and framebuffer objects, for devices without dynamic rendering. Must not know GL state.

use super::target::Target;
use super::{ClearValues, Loads};
use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::error::refuse;
use crate::pipelines::PassFormat;
use crate::raw::make;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::traits::Outcome;
use smallvec::SmallVec;
use std::collections::HashMap;

/// Framebuffers kept; the oldest go first.
const MAX_FRAMEBUFFERS: usize = 64;

/// What a render pass depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PassKey {
    format: PassFormat,
    /// Bits 0..7 colour, 8 depth, 9 stencil: cleared at the start.
    clears: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct FramebufferKey {
    pass: vk::RenderPass,
    views: [u64; 9],
    extent: [u32; 2],
    layers: u32,
}

/// Both caches.
#[derive(Default)]
pub struct Objects {
    passes: HashMap<PassKey, vk::RenderPass>,
    framebuffers: Vec<(FramebufferKey, vk::Framebuffer)>,
}

impl Objects {
    /// The render pass of a format that pipelines are made against.
    pub fn compatible(&mut self, gpu: &Gpu, format: &PassFormat) -> Outcome<vk::RenderPass> {
        self.pass(gpu, PassKey { format: *format, clears: 0 })
    }

    fn pass(&mut self, gpu: &Gpu, key: PassKey) -> Outcome<vk::RenderPass> {
        if let Some(pass) = self.passes.get(&key) {
            return Ok(*pass);
        }
        let pass = create(gpu, &key)?;
        self.passes.insert(key, pass);
        Ok(pass)
    }

    /// Begins the pass in `recorder`.
    pub fn begin(
        &mut self,
        commands: &mut Commands,
        recorder: &Recorder<'_>,
        target: &Target,
        loads: &Loads,
    ) -> Outcome {
        let gpu = commands.gpu().clone();
        let pass = self.pass(&gpu, PassKey { format: target.format, clears: loads.bits() })?;
        let framebuffer = self.framebuffer(commands, pass, target)?;
        let values = ClearValues::of(target, loads);
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(target.area())
            .clear_values(values.list());
        recorder.begin_render_pass(&info, vk::SubpassContents::INLINE);
        Ok(())
    }

    fn framebuffer(
        &mut self,
        commands: &mut Commands,
        pass: vk::RenderPass,
        target: &Target,
    ) -> Outcome<vk::Framebuffer> {
        let mut views = [0; 9];
        for (slot, attachment) in views.iter_mut().zip(target.attachments()) {
            *slot = attachment.id;
        }
        let key = FramebufferKey { pass, views, extent: target.extent, layers: target.layers };
        if let Some(at) = self.framebuffers.iter().position(|(k, _)| *k == key) {
            return Ok(self.framebuffers[at].1);
        }
        let list: SmallVec<[vk::ImageView; 9]> = target.attachments().map(|a| a.view).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&list)
            .width(target.extent[0])
            .height(target.extent[1])
            .layers(target.layers);
        let framebuffer =
            make::framebuffer(&commands.gpu().device, &info).map_err(|e| refuse("vkCreateFramebuffer", e))?;
        if self.framebuffers.len() >= MAX_FRAMEBUFFERS {
            let (_, old) = self.framebuffers.remove(0);
            commands.defer_destroy(commands.current_serial(), Garbage::Framebuffer(old));
        }
        self.framebuffers.push((key, framebuffer));
        Ok(framebuffer)
    }

    /// Lets go of everything.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        for (_, framebuffer) in self.framebuffers.drain(..) {
            commands.defer_destroy(now, Garbage::Framebuffer(framebuffer));
        }
        for (_, pass) in self.passes.drain() {
            commands.defer_destroy(now, Garbage::RenderPass(pass));
        }
    }
}

fn load_op(clear: bool) -> vk::AttachmentLoadOp {
    if clear { vk::AttachmentLoadOp::CLEAR } else { vk::AttachmentLoadOp::LOAD }
}

fn create(gpu: &Gpu, key: &PassKey) -> Outcome<vk::RenderPass> {
    let format = &key.format;
    let samples = vk::SampleCountFlags::from_raw(format.samples);
    let mut attachments: SmallVec<[vk::AttachmentDescription; 9]> = SmallVec::new();
    let mut references: SmallVec<[vk::AttachmentReference; 8]> = SmallVec::new();
    let layout = if format.feedback { vk::ImageLayout::GENERAL } else { vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL };
    for output in 0..format.count as usize {
        let unused = format.color[output] == vk::Format::UNDEFINED;
        let attachment = if unused { vk::ATTACHMENT_UNUSED } else { attachments.len() as u32 };
        references.push(vk::AttachmentReference { attachment, layout });
        if !unused {
            attachments.push(
                vk::AttachmentDescription::default()
                    .format(format.color[output])
                    .samples(samples)
                    .load_op(load_op(key.clears & (1 << output) != 0))
                    .store_op(vk::AttachmentStoreOp::STORE)
                    .initial_layout(layout)
                    .final_layout(layout),
            );
        }
    }
    let layout = depth_layout(format.feedback);
    let depth = vk::AttachmentReference { attachment: attachments.len() as u32, layout };
    let has_depth_stencil = format.depth_stencil != vk::Format::UNDEFINED;
    if has_depth_stencil {
        attachments.push(
            vk::AttachmentDescription::default()
                .format(format.depth_stencil)
                .samples(samples)
                .load_op(load_op(key.clears & (1 << 8) != 0))
                .store_op(vk::AttachmentStoreOp::STORE)
                .stencil_load_op(load_op(key.clears & (1 << 9) != 0))
                .stencil_store_op(vk::AttachmentStoreOp::STORE)
                .initial_layout(layout)
                .final_layout(layout),
        );
    }
    let mut subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&references);
    if has_depth_stencil {
        subpass = subpass.depth_stencil_attachment(&depth);
    }
    let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(std::slice::from_ref(&subpass));
    make::render_pass(&gpu.device, &info).map_err(|e| refuse("vkCreateRenderPass", e))
}

/// Layout of the depth/stencil attachment.
pub fn depth_layout(feedback: bool) -> vk::ImageLayout {
    if feedback { vk::ImageLayout::GENERAL } else { vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL }
}
