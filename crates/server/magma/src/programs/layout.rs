//! Descriptor set layouts, update templates and the pipeline layout of a program. Must not know what is bound.

use super::reflect::{Binding, Reflection};
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
    /// Equal for layouts that are defined alike, whichever program they belong to; 0 without bindings.
    pub signature: u32,
    /// Descriptors are pushed into the command buffer; there is no set and no template.
    pub pushed: bool,
}

/// Definition of a layout: binding, kind, count and stages of each binding.
pub type Definition = Vec<(u32, vk::DescriptorType, u32, vk::ShaderStageFlags)>;

/// Numbers of the definitions seen so far.
#[derive(Debug, Default)]
pub struct Signatures(std::collections::HashMap<Definition, u32>);

impl Signatures {
    fn number(&mut self, definition: Definition) -> u32 {
        let next = self.0.len() as u32 + 1;
        *self.0.entry(definition).or_insert(next)
    }
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
    /// The program is a compute program.
    pub compute: bool,
}

impl Layouts {
    /// Makes the layouts. `default_block` tells that set 0, binding 0 is the default uniform block.
    pub fn new(
        gpu: &Gpu,
        signatures: &mut Signatures,
        reflection: &Reflection,
        default_block: bool,
        compute: bool,
    ) -> Outcome<Self> {
        let mut layouts = Self { compute, ..Self::default() };
        layouts.set_count = reflection.bindings.iter().map(|b| b.set as usize + 1).max().unwrap_or(0).min(SETS);
        match layouts.fill(gpu, signatures, reflection, default_block) {
            Ok(()) => Ok(layouts),
            Err(refusal) => {
                layouts.destroy_now(gpu);
                Err(refusal)
            }
        }
    }

    fn fill(
        &mut self,
        gpu: &Gpu,
        signatures: &mut Signatures,
        reflection: &Reflection,
        default_block: bool,
    ) -> Outcome {
        for set in 0..self.set_count {
            self.sets[set] = set_layout(gpu, signatures, reflection, set as u32, default_block)?;
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

/// True when the descriptors of a set are pushed: uniform blocks change often, and a layout may have one such set.
fn pushed(gpu: &Gpu, set: u32, slots: u32) -> bool {
    gpu.features.push_descriptor && set == 0 && slots > 0 && slots <= gpu.max_push_descriptors.min(PUSHED_SLOTS)
}

/// Pushed slots are remembered in a word.
const PUSHED_SLOTS: u32 = 32;

/// The kind a binding has in its layout: where it is not pushed, the default block moves with a dynamic offset.
fn layout_kind(pushed: bool, b: &Binding, default_block: bool) -> vk::DescriptorType {
    let moves = default_block && b.set == 0 && b.binding == 0 && !pushed;
    if moves { vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC } else { b.kind }
}

fn set_layout(
    gpu: &Gpu,
    signatures: &mut Signatures,
    reflection: &Reflection,
    set: u32,
    default_block: bool,
) -> Outcome<SetLayout> {
    let slots = reflection.slots(set);
    let plain = reflection.set(set).all(|b| b.kind == vk::DescriptorType::UNIFORM_BUFFER);
    let pushed = plain && pushed(gpu, set, slots);
    let kind = |b: &Binding| layout_kind(pushed, b, default_block);
    let definition: Definition = reflection.set(set).map(|b| (b.binding, kind(b), b.count, b.stages)).collect();
    let bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = definition
        .iter()
        .map(|(binding, kind, count, stages)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(*binding)
                .descriptor_type(*kind)
                .descriptor_count(*count)
                .stage_flags(*stages)
        })
        .collect();
    let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    if pushed {
        info = info.flags(vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR);
    }
    let layout = make::set_layout(&gpu.device, &info).map_err(|e| refuse("vkCreateDescriptorSetLayout", e))?;
    let mut out = SetLayout { layout, slots, pushed, ..SetLayout::default() };
    if bindings.is_empty() {
        return Ok(out);
    }
    out.signature = signatures.number(definition);
    if pushed {
        return Ok(out);
    }
    match template(gpu, layout, &bindings) {
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

fn template(
    gpu: &Gpu,
    layout: vk::DescriptorSetLayout,
    bindings: &[vk::DescriptorSetLayoutBinding<'_>],
) -> Result<vk::DescriptorUpdateTemplate, vk::Result> {
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
    make::update_template(&gpu.device, &info)
}
