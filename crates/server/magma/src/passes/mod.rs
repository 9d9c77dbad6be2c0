//! Render passes: one is kept open over draws until the framebuffer changes or something needs to be outside. Clears that
//! open a pass become its load operations. Must not know what is drawn.

mod objects;
mod target;

pub use objects::{Objects, depth_layout};
pub use target::Target;

use crate::commands::PassKind;
use crate::core::Core;
use crate::pipelines::PassFormat;
use crate::queries::Queries;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use smallvec::SmallVec;

/// Attachments that start cleared; the others keep their content.
#[derive(Clone, Copy, Default)]
pub struct Loads {
    /// Colour by output location.
    pub color: [Option<vk::ClearColorValue>; MAX_DRAW_BUFFERS],
    /// Depth.
    pub depth: Option<f32>,
    /// Stencil.
    pub stencil: Option<u32>,
}

impl Loads {
    fn bits(&self) -> u16 {
        let color = self.color.iter().enumerate().filter(|(_, c)| c.is_some()).fold(0, |bits, (i, _)| bits | 1 << i);
        color | u16::from(self.depth.is_some()) << 8 | u16::from(self.stencil.is_some()) << 9
    }
}

/// Clear values in attachment order, for render pass objects.
struct ClearValues(SmallVec<[vk::ClearValue; 9]>);

impl ClearValues {
    fn of(target: &Target, loads: &Loads) -> Self {
        let mut list: SmallVec<[vk::ClearValue; 9]> = SmallVec::new();
        for (output, attachment) in target.color.iter().enumerate() {
            if attachment.is_some() {
                list.push(vk::ClearValue { color: loads.color[output].unwrap_or_default() });
            }
        }
        if target.depth_stencil.is_some() {
            list.push(vk::ClearValue { depth_stencil: depth_stencil_value(loads) });
        }
        Self(list)
    }
    fn list(&self) -> &[vk::ClearValue] {
        &self.0
    }
}

fn depth_stencil_value(loads: &Loads) -> vk::ClearDepthStencilValue {
    vk::ClearDepthStencilValue { depth: loads.depth.unwrap_or(0.0), stencil: loads.stencil.unwrap_or(0) }
}

/// The pass that is open, or the last one.
#[derive(Default)]
pub struct Passes {
    /// Attachments of the open pass, or of the next one.
    target: Target,
    epoch: u64,
    revision: u64,
    /// Objects for devices without dynamic rendering.
    pub objects: Objects,
}

impl Passes {
    /// Attachments of the open pass, or of the next one.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Sets the attachments; the open pass stays when they are the same.
    pub fn set_target(&mut self, target: Target) {
        if self.target != target {
            self.target = target;
            self.epoch = u64::MAX;
            self.revision += 1;
        }
    }

    /// Rises whenever the target changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Attachments are also sampled: they go to the general layout with the next pass.
    pub fn set_feedback(&mut self, feedback: bool) {
        if self.target.format.feedback != feedback {
            self.target.format.feedback = feedback;
            self.epoch = u64::MAX;
            self.revision += 1;
        }
    }

    /// Format of the passes into the current attachments.
    pub fn format(&self) -> &PassFormat {
        &self.target.format
    }

    /// True while the pass into the current attachments is open and no barrier waits for its end.
    pub fn usable(&self, core: &Core) -> bool {
        core.cmds.in_pass() && core.cmds.pass_epoch() == self.epoch && !core.cmds.barriers_pending()
    }

    /// Compatible render pass for pipelines; null with dynamic rendering.
    pub fn compatible(&mut self, core: &Core) -> Outcome<vk::RenderPass> {
        if core.gpu.features.dynamic_rendering {
            return Ok(vk::RenderPass::null());
        }
        let format = self.target.format;
        self.objects.compatible(&core.gpu, &format)
    }

    /// Begins a pass into the current attachments. Queries of the context count in it unless `queries` is `None`
    /// (internal draws).
    pub fn begin(&mut self, core: &mut Core, queries: Option<&mut Queries>, loads: &Loads) -> Outcome {
        let target = self.target;
        touch_attachments(core, &target)?;
        let dynamic = core.gpu.features.dynamic_rendering;
        let cmd = core.cmds.enter_pass(if dynamic { PassKind::Dynamic } else { PassKind::Object })?;
        let gpu = core.gpu.clone();
        let recorder = Recorder::new(&gpu, cmd);
        if dynamic {
            begin_dynamic(&recorder, &target, loads);
        } else {
            self.objects.begin(&mut core.cmds, &recorder, &target, loads)?;
        }
        core.cmds.count_op();
        self.epoch = core.cmds.pass_epoch();
        match queries {
            Some(queries) => queries.resume(&mut core.cmds, target.flow),
            None => Ok(()),
        }
    }
}

fn touch_attachments(core: &mut Core, target: &Target) -> Outcome {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    let feedback = target.format.feedback;
    let layout = if feedback { vk::ImageLayout::GENERAL } else { vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL };
    // What the shaders of the same draws do to an attachment belongs to the use that later ones wait for.
    let (shaders, shading) =
        if feedback { (S::ALL_GRAPHICS, A::SHADER_READ | A::SHADER_WRITE) } else { (S::empty(), A::empty()) };
    for a in target.color.iter().flatten() {
        let access = A::COLOR_ATTACHMENT_READ | A::COLOR_ATTACHMENT_WRITE | shading;
        core.use_image(a.image, a.range, layout, S::COLOR_ATTACHMENT_OUTPUT | shaders, access)?;
    }
    if let Some(a) = &target.depth_stencil {
        let stages = S::EARLY_FRAGMENT_TESTS | S::LATE_FRAGMENT_TESTS | shaders;
        let access = A::DEPTH_STENCIL_ATTACHMENT_READ | A::DEPTH_STENCIL_ATTACHMENT_WRITE | shading;
        core.use_image(a.image, a.range, depth_layout(feedback), stages, access)?;
    }
    Ok(())
}

fn begin_dynamic(recorder: &Recorder<'_>, target: &Target, loads: &Loads) {
    let feedback = target.format.feedback;
    let layout = if feedback { vk::ImageLayout::GENERAL } else { vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL };
    let op = |clear: bool| if clear { vk::AttachmentLoadOp::CLEAR } else { vk::AttachmentLoadOp::LOAD };
    let color: SmallVec<[vk::RenderingAttachmentInfo<'_>; 8]> = (0..target.format.count as usize)
        .map(|output| {
            let info = vk::RenderingAttachmentInfo::default();
            match &target.color[output] {
                Some(a) => info
                    .image_view(a.view)
                    .image_layout(layout)
                    .load_op(op(loads.color[output].is_some()))
                    .store_op(vk::AttachmentStoreOp::STORE)
                    .clear_value(vk::ClearValue { color: loads.color[output].unwrap_or_default() }),
                None => info,
            }
        })
        .collect();
    let depth_stencil = |clear: bool| match &target.depth_stencil {
        Some(a) => vk::RenderingAttachmentInfo::default()
            .image_view(a.view)
            .image_layout(depth_layout(feedback))
            .load_op(op(clear))
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(vk::ClearValue { depth_stencil: depth_stencil_value(loads) }),
        None => vk::RenderingAttachmentInfo::default(),
    };
    let depth = depth_stencil(loads.depth.is_some());
    let stencil = depth_stencil(loads.stencil.is_some());
    let mut info =
        vk::RenderingInfo::default().render_area(target.area()).layer_count(target.layers).color_attachments(&color);
    if target.format.has_depth {
        info = info.depth_attachment(&depth);
    }
    if target.format.has_stencil {
        info = info.stencil_attachment(&stencil);
    }
    recorder.begin_rendering(&info);
}
