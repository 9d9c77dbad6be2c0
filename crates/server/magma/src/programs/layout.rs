//! Descriptor set layouts, update templates and the pipeline layout of a program. Must not know what is bound.

use super::reflect::Reflection;
use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::{make, objects};
use crate::variants::PUSH_BYTES;
use ash::vk;
use mgl_backend::traits::Outcome;

/// Descriptor sets of canonical SPIR-V.
pub const SETS: usize = 4;
/// Bytes of one entry of the packed arrays that templates read.
pub const PACKED_STRIDE: usize = size_of::<make::Packed>();

/// Layout of one set.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetLayout {
    /// The layout; an empty one where the program uses no binding of the set.
    pub layout: vk::DescriptorSetLayout,
    /// Template over packed entries, null without bindings.
    pub template: vk::DescriptorUpdateTemplate,
    /// Slots = entries of the packed array.
    pub slots: u32,
}

/// Layouts of a program.
#[derive(Debug, Default)]
pub struct Layouts {
    /// By set number.
    pub sets: [SetLayout; SETS],
    /// Sets up to the last used one.
    pub set_count: usize,
    /// The pipeline layout.
    pub pipeline: vk::PipelineLayout,
    /// Stages of the push constant range.
    pub push_stages: vk::ShaderStageFlags,
    /// Descriptors of each kind that one full set of sets takes, for pool sizes.
    pub compute: bool,
}

impl Layouts {
    /// Makes the layouts. `default_block` tells that set 0, binding 0 is the default uniform block.
    pub fn new(gpu: &Gpu, reflection: &Reflection, default_block: bool, compute: bool) -> Outcome<Self> {
        let mut layouts = Self { compute, ..Self::default() };
        layouts.set_count = reflection.bindings.iter().map(|b| b.set as usize + 1).max().unwrap_or(0).min(SETS);
        match layouts.fill(gpu, reflection, default_block) {
            Ok(()) => Ok(layouts),
            Err(refusal) => {
                layouts.destroy_now(gpu);
                Err(refusal)
            }
        }
    }

    fn fill(&mut self, gpu: &Gpu, reflection: &Reflection, default_block: bool) -> Outcome {
        for set in 0..self.set_count {
            self.sets[set] = set_layout(gpu, reflection, set as u32, default_block)?;
        }
        let handles: Vec<vk::DescriptorSetLayout> = self.sets[..self.set_count].iter().map(|s| s.layout).collect();
        self.push_stages =
            if self.compute { vk::ShaderStageFlags::COMPUTE } else { vk::ShaderStageFlags::ALL_GRAPHICS };
        let push = [vk::PushConstantRange { stage_flags: self.push_stages, offset: 0, size: PUSH_BYTES }];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&handles).push_constant_ranges(&push);
        self.pipeline = make::pipeline_layout(&gpu.device, &info).map_err(|e| refuse("vkCreatePipelineLayout", e))?;
        Ok(())
    }

    fn destroy_now(&mut self, gpu: &Gpu) {
        for set in &self.sets {
            if set.template != vk::DescriptorUpdateTemplate::null() {
                make::destroy_update_template(&gpu.device, set.template);
            }
            if set.layout != vk::DescriptorSetLayout::null() {
                objects::destroy_descriptor_set_layout(&gpu.device, set.layout);
            }
        }
    }

    /// Lets go of everything once the GPU is done with `serial`. Templates are host objects and go at once.
    pub fn retire(self, commands: &mut Commands, serial: u64) {
        for set in self.sets {
            if set.template != vk::DescriptorUpdateTemplate::null() {
                make::destroy_update_template(&commands.gpu().device, set.template);
            }
            if set.layout != vk::DescriptorSetLayout::null() {
                commands.defer_destroy(serial, Garbage::DescriptorSetLayout(set.layout));
            }
        }
        commands.defer_destroy(serial, Garbage::PipelineLayout(self.pipeline));
    }
}

/// The kind a binding has in its layout: the default block moves with a dynamic offset.
pub fn layout_kind(set: u32, binding: u32, kind: vk::DescriptorType, default_block: bool) -> vk::DescriptorType {
    if default_block && set == 0 && binding == 0 { vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC } else { kind }
}

fn set_layout(gpu: &Gpu, reflection: &Reflection, set: u32, default_block: bool) -> Outcome<SetLayout> {
    let bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = reflection
        .set(set)
        .map(|b| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(b.binding)
                .descriptor_type(layout_kind(set, b.binding, b.kind, default_block))
                .descriptor_count(b.count)
                .stage_flags(b.stages)
        })
        .collect();
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    let layout = make::set_layout(&gpu.device, &info).map_err(|e| refuse("vkCreateDescriptorSetLayout", e))?;
    let mut out = SetLayout { layout, template: vk::DescriptorUpdateTemplate::null(), slots: reflection.slots(set) };
    if bindings.is_empty() {
        return Ok(out);
    }
    let entries: Vec<vk::DescriptorUpdateTemplateEntry> = bindings
        .iter()
        .map(|b| vk::DescriptorUpdateTemplateEntry {
            dst_binding: b.binding,
            dst_array_element: 0,
            descriptor_count: b.descriptor_count,
            descriptor_type: b.descriptor_type,
            offset: b.binding as usize * PACKED_STRIDE,
            stride: PACKED_STRIDE,
        })
        .collect();
    let info = vk::DescriptorUpdateTemplateCreateInfo::default()
        .descriptor_update_entries(&entries)
        .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
        .descriptor_set_layout(layout);
    match make::update_template(&gpu.device, &info) {
        Ok(template) => {
            out.template = template;
            Ok(out)
        }
        Err(e) => {
            objects::destroy_descriptor_set_layout(&gpu.device, layout);
            Err(refuse("vkCreateDescriptorUpdateTemplate", e))
        }
    }
}
