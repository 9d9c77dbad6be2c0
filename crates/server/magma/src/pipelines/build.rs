//! Building one Vulkan pipeline from translated state. Must not know caches or GL handles.

use super::state::{Attachment, Baked, Loose};
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::make;
use crate::vertex::VertexLayout;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_pipe::archive::Stage;
use smallvec::SmallVec;

/// Everything one graphics pipeline is made from.
pub struct Recipe<'a> {
    /// Modules by stage.
    pub modules: &'a [(Stage, vk::ShaderModule)],
    /// Vertex input.
    pub vertex: &'a VertexLayout,
    /// Baked state.
    pub baked: &'a Baked,
    /// State that is baked where it cannot be dynamic.
    pub loose: &'a Loose,
    /// Layout.
    pub layout: vk::PipelineLayout,
    /// Compatible render pass; null with dynamic rendering.
    pub render_pass: vk::RenderPass,
}

/// Dynamic states that every device has.
const CORE_DYNAMIC: [vk::DynamicState; 8] = [
    vk::DynamicState::VIEWPORT,
    vk::DynamicState::SCISSOR,
    vk::DynamicState::LINE_WIDTH,
    vk::DynamicState::DEPTH_BIAS,
    vk::DynamicState::BLEND_CONSTANTS,
    vk::DynamicState::STENCIL_COMPARE_MASK,
    vk::DynamicState::STENCIL_WRITE_MASK,
    vk::DynamicState::STENCIL_REFERENCE,
];

/// Those of the first extended set.
const DYNAMIC_ONE: [vk::DynamicState; 8] = [
    vk::DynamicState::PRIMITIVE_TOPOLOGY,
    vk::DynamicState::CULL_MODE,
    vk::DynamicState::FRONT_FACE,
    vk::DynamicState::DEPTH_TEST_ENABLE,
    vk::DynamicState::DEPTH_WRITE_ENABLE,
    vk::DynamicState::DEPTH_COMPARE_OP,
    vk::DynamicState::STENCIL_TEST_ENABLE,
    vk::DynamicState::STENCIL_OP,
];

/// Those of the second extended set.
const DYNAMIC_TWO: [vk::DynamicState; 3] = [
    vk::DynamicState::RASTERIZER_DISCARD_ENABLE,
    vk::DynamicState::DEPTH_BIAS_ENABLE,
    vk::DynamicState::PRIMITIVE_RESTART_ENABLE,
];

fn dynamic_states(gpu: &Gpu) -> SmallVec<[vk::DynamicState; 24]> {
    let mut states: SmallVec<[vk::DynamicState; 24]> = CORE_DYNAMIC.into_iter().collect();
    if gpu.features.extended_dynamic_state {
        states.extend(DYNAMIC_ONE);
        states.push(vk::DynamicState::DEPTH_BOUNDS_TEST_ENABLE);
    }
    if gpu.features.extended_dynamic_state2 {
        states.extend(DYNAMIC_TWO);
    }
    if gpu.features.vertex_input_dynamic_state {
        states.push(vk::DynamicState::VERTEX_INPUT_EXT);
    }
    states
}

/// Builds a graphics pipeline.
pub fn graphics(gpu: &Gpu, cache: vk::PipelineCache, recipe: &Recipe<'_>) -> Outcome<vk::Pipeline> {
    let baked = recipe.baked;
    let stages = stage_infos(recipe);
    let divisors = divisor_descriptions(recipe.vertex);
    let mut divisor_info =
        vk::PipelineVertexInputDivisorStateCreateInfoEXT::default().vertex_binding_divisors(&divisors);
    let (bindings, attributes) = vertex_descriptions(recipe.vertex);
    let mut vertex = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    if !divisors.is_empty() {
        vertex = vertex.push_next(&mut divisor_info);
    }
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(baked.topology)
        .primitive_restart_enable(recipe.loose.two.restart && !gpu.features.extended_dynamic_state2);
    // GL's tessellation coordinates start at the lower left (GL 4.6 §11.2.2), which also decides the winding.
    let mut origin = vk::PipelineTessellationDomainOriginStateCreateInfo::default()
        .domain_origin(vk::TessellationDomainOrigin::LOWER_LEFT);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default()
        .patch_control_points(baked.patch_vertices.max(1))
        .push_next(&mut origin);
    let mut negative = vk::PipelineViewportDepthClipControlCreateInfoEXT::default().negative_one_to_one(true);
    let mut viewport =
        vk::PipelineViewportStateCreateInfo::default().viewport_count(baked.viewports).scissor_count(baked.viewports);
    if baked.negative_one_to_one {
        viewport = viewport.push_next(&mut negative);
    }
    let mut chain = RasterChain::new(baked);
    let raster = chain.state(baked, recipe.loose);
    let mask = [baked.sample_mask];
    let multisample = multisample_state(baked, &mask);
    let depth_stencil = depth_stencil_state(recipe.loose);
    let attachments: SmallVec<[vk::PipelineColorBlendAttachmentState; 8]> =
        baked.attachments[..baked.format.count as usize].iter().map(blend_attachment).collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::default()
        .logic_op_enable(baked.logic_op.is_some())
        .logic_op(baked.logic_op.unwrap_or_default())
        .attachments(&attachments);
    let dynamic = dynamic_states(gpu);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let mut rendering = rendering_info(baked);
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertex)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth_stencil)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(recipe.layout)
        .render_pass(recipe.render_pass);
    if baked.patch_vertices > 0 {
        info = info.tessellation_state(&tessellation);
    }
    if recipe.render_pass == vk::RenderPass::null() {
        info = info.push_next(&mut rendering);
    }
    make::graphics_pipeline(&gpu.device, cache, &info).map_err(|e| refuse("vkCreateGraphicsPipelines", e))
}

fn stage_infos<'a>(recipe: &Recipe<'a>) -> SmallVec<[vk::PipelineShaderStageCreateInfo<'a>; 5]> {
    let info = |(stage, module): &(Stage, vk::ShaderModule)| {
        let flag = crate::programs::stage_flag(*stage);
        vk::PipelineShaderStageCreateInfo::default().stage(flag).module(*module).name(c"main")
    };
    recipe.modules.iter().map(info).collect()
}

fn divisor_descriptions(layout: &VertexLayout) -> Vec<vk::VertexInputBindingDivisorDescriptionEXT> {
    let describe = |(binding, divisor): &(u32, u32)| vk::VertexInputBindingDivisorDescriptionEXT {
        binding: *binding,
        divisor: *divisor,
    };
    layout.divisors.iter().map(describe).collect()
}

fn vertex_descriptions(
    layout: &VertexLayout,
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let rate = |instanced| if instanced { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX };
    let numbered = layout.bindings.iter().zip(0u32..);
    let bindings = numbered.map(|(b, binding)| vk::VertexInputBindingDescription {
        binding,
        stride: b.stride,
        input_rate: rate(b.instanced),
    });
    let attributes = layout.attributes.iter().map(|a| vk::VertexInputAttributeDescription {
        location: a.location,
        binding: a.binding,
        format: a.format,
        offset: a.offset,
    });
    (bindings.collect(), attributes.collect())
}

/// The rasterisation state with its extension structures.
struct RasterChain {
    provoking: vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT<'static>,
    line: vk::PipelineRasterizationLineStateCreateInfoEXT<'static>,
    use_provoking: bool,
    use_line: bool,
}

impl RasterChain {
    fn new(baked: &Baked) -> Self {
        Self {
            provoking: vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default()
                .provoking_vertex_mode(vk::ProvokingVertexModeEXT::LAST_VERTEX),
            line: vk::PipelineRasterizationLineStateCreateInfoEXT::default()
                .line_rasterization_mode(vk::LineRasterizationModeEXT::from_raw(baked.line_mode)),
            use_provoking: baked.provoking_last,
            use_line: baked.line_mode != 0,
        }
    }

    fn state(&mut self, baked: &Baked, loose: &Loose) -> vk::PipelineRasterizationStateCreateInfo<'_> {
        let mut raster = vk::PipelineRasterizationStateCreateInfo::default()
            .depth_clamp_enable(baked.depth_clamp)
            .rasterizer_discard_enable(loose.two.discard)
            .polygon_mode(baked.polygon)
            .cull_mode(loose.one.cull)
            .front_face(loose.one.front)
            .depth_bias_enable(loose.two.bias)
            .line_width(1.0);
        if self.use_provoking {
            raster = raster.push_next(&mut self.provoking);
        }
        if self.use_line {
            raster = raster.push_next(&mut self.line);
        }
        raster
    }
}

fn multisample_state<'a>(baked: &Baked, mask: &'a [u32; 1]) -> vk::PipelineMultisampleStateCreateInfo<'a> {
    vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(baked.samples))
        .sample_shading_enable(baked.sample_shading != 0)
        .min_sample_shading(f32::from_bits(baked.sample_shading))
        .sample_mask(mask)
        .alpha_to_coverage_enable(baked.alpha_to_coverage)
        .alpha_to_one_enable(baked.alpha_to_one)
}

fn depth_stencil_state(loose: &Loose) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let face = |ops: [i32; 4]| vk::StencilOpState {
        fail_op: vk::StencilOp::from_raw(ops[0]),
        pass_op: vk::StencilOp::from_raw(ops[1]),
        depth_fail_op: vk::StencilOp::from_raw(ops[2]),
        compare_op: vk::CompareOp::from_raw(ops[3]),
        ..vk::StencilOpState::default()
    };
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(loose.one.depth_test)
        .depth_write_enable(loose.one.depth_write)
        .depth_compare_op(loose.one.depth_op)
        .stencil_test_enable(loose.one.stencil_test)
        .front(face(loose.one.stencil[0]))
        .back(face(loose.one.stencil[1]))
        .max_depth_bounds(1.0)
}

fn blend_attachment(a: &Attachment) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState {
        blend_enable: a.blend.into(),
        src_color_blend_factor: vk::BlendFactor::from_raw(a.terms[0]),
        dst_color_blend_factor: vk::BlendFactor::from_raw(a.terms[1]),
        color_blend_op: vk::BlendOp::from_raw(a.terms[2]),
        src_alpha_blend_factor: vk::BlendFactor::from_raw(a.terms[3]),
        dst_alpha_blend_factor: vk::BlendFactor::from_raw(a.terms[4]),
        alpha_blend_op: vk::BlendOp::from_raw(a.terms[5]),
        color_write_mask: vk::ColorComponentFlags::from_raw(a.mask),
    }
}

fn rendering_info(baked: &Baked) -> vk::PipelineRenderingCreateInfo<'_> {
    let format = &baked.format;
    let pick = |yes: bool| if yes { format.depth_stencil } else { vk::Format::UNDEFINED };
    vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&format.color[..format.count as usize])
        .depth_attachment_format(pick(format.has_depth))
        .stencil_attachment_format(pick(format.has_stencil))
}

/// Builds a compute pipeline.
pub fn compute(
    gpu: &Gpu,
    cache: vk::PipelineCache,
    module: vk::ShaderModule,
    layout: vk::PipelineLayout,
) -> Outcome<vk::Pipeline> {
    let stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(c"main");
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
    make::compute_pipeline(&gpu.device, cache, &info).map_err(|e| refuse("vkCreateComputePipelines", e))
}
