//! Internal draws: a triangle over the viewport with a fill or copy shader, for clears and blits that have no Vulkan
//! command. Must not know GL objects.

use super::words::words;
use crate::commands::{Commands, Garbage};
use crate::core::Core;
use crate::device::Gpu;
use crate::error::refuse;
use crate::passes::Target;
use crate::pipelines::{Attachment, Baked, Loose, LooseOne, LooseTwo, PassFormat, Recipe, build_graphics};
use crate::raw::make::{self, Packed};
use crate::recorder::Recorder;
use crate::vertex::VertexLayout;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_pipe::archive::Stage;

/// Bytes of the push constants of internal shaders.
const PUSH_BYTES: u32 = 48;

macro_rules! shaders {
    ($($(#[$doc:meta])* $name:ident = $file:literal),+ $(,)?) => {
        /// Fragment shaders.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shader { $($(#[$doc])* $name),+ }
        impl Shader {
            fn bytes(self) -> &'static [u8] {
                match self { $(Shader::$name => include_bytes!(concat!("../../shaders/", $file, ".spv"))),+ }
            }
        }
    };
}

shaders! {
    /// Depth and stencil only.
    None = "none",
    /// A float colour.
    FillFloat = "fill_f",
    /// A signed colour.
    FillInt = "fill_i",
    /// An unsigned colour.
    FillUint = "fill_u",
    /// Copies of colour by shape and class.
    Blit2dFloat = "blit_2d_f",
    Blit2dInt = "blit_2d_i",
    Blit2dUint = "blit_2d_u",
    BlitMsFloat = "blit_ms_f",
    BlitMsInt = "blit_ms_i",
    BlitMsUint = "blit_ms_u",
    Blit3dFloat = "blit_3d_f",
    Blit3dInt = "blit_3d_i",
    Blit3dUint = "blit_3d_u",
    Blit1dFloat = "blit_1d_f",
    Blit1dInt = "blit_1d_i",
    Blit1dUint = "blit_1d_u",
    /// Depth.
    Depth2d = "depth_2d",
    DepthMs = "depth_ms",
    Depth1d = "depth_1d",
    /// Stencil with `VK_EXT_shader_stencil_export`.
    Stencil2d = "stencil_2d",
    StencilMs = "stencil_ms",
    Stencil1d = "stencil_1d",
    /// One bit of stencil.
    Bit2d = "bit_2d",
    BitMs = "bit_ms",
    Bit1d = "bit_1d",
}

/// What an internal draw writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Fragment shader.
    pub shader: Shader,
    /// Colour write mask of output 0.
    pub color_mask: u32,
    /// Depth is written.
    pub depth: bool,
    /// Stencil is replaced.
    pub stencil: bool,
}

/// One internal draw.
pub struct MetaDraw<'a> {
    /// What it writes.
    pub write: Write,
    /// Attachments.
    pub target: &'a Target,
    /// Box that is drawn, inside the attachments.
    pub area: [i32; 4],
    /// Depth that is written.
    pub depth: f32,
    /// Stencil reference and write mask.
    pub stencil: (u32, u32),
    /// Push constants.
    pub push: [u32; 12],
    /// Sampled source.
    pub source: Option<Packed>,
}

/// Pipelines and layouts of internal draws.
#[derive(Default)]
pub struct Meta {
    vertex: vk::ShaderModule,
    modules: Vec<(Shader, vk::ShaderModule)>,
    set: vk::DescriptorSetLayout,
    template: vk::DescriptorUpdateTemplate,
    layout: vk::PipelineLayout,
    pipelines: Vec<(Write, PassFormat, vk::Pipeline)>,
    samplers: [vk::Sampler; 2],
}

fn module(gpu: &Gpu, bytes: &[u8]) -> Outcome<vk::ShaderModule> {
    let code = words(bytes);
    let info = vk::ShaderModuleCreateInfo::default().code(&code);
    make::shader_module(&gpu.device, &info).map_err(|e| refuse("vkCreateShaderModule", e))
}

impl Meta {
    fn open(&mut self, gpu: &Gpu) -> Outcome {
        if self.layout != vk::PipelineLayout::null() {
            return Ok(());
        }
        self.vertex = module(gpu, include_bytes!("../../shaders/full.vert.spv"))?;
        let binding = [vk::DescriptorSetLayoutBinding::default()
            .binding(0)
            .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::FRAGMENT)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&binding);
        self.set = make::set_layout(&gpu.device, &info).map_err(|e| refuse("vkCreateDescriptorSetLayout", e))?;
        let entry = [vk::DescriptorUpdateTemplateEntry {
            descriptor_count: 1,
            descriptor_type: vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            stride: size_of::<Packed>(),
            ..Default::default()
        }];
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entry)
            .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
            .descriptor_set_layout(self.set);
        self.template =
            make::update_template(&gpu.device, &info).map_err(|e| refuse("vkCreateDescriptorUpdateTemplate", e))?;
        for (sampler, filter) in self.samplers.iter_mut().zip([vk::Filter::NEAREST, vk::Filter::LINEAR]) {
            let info = vk::SamplerCreateInfo::default()
                .mag_filter(filter)
                .min_filter(filter)
                .address_mode_u(vk::SamplerAddressMode::CLAMP_TO_EDGE)
                .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_EDGE)
                .address_mode_w(vk::SamplerAddressMode::CLAMP_TO_EDGE);
            *sampler = make::sampler(&gpu.device, &info).map_err(|e| refuse("vkCreateSampler", e))?;
        }
        let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::FRAGMENT, offset: 0, size: PUSH_BYTES }];
        let sets = [self.set];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        self.layout = make::pipeline_layout(&gpu.device, &info).map_err(|e| refuse("vkCreatePipelineLayout", e))?;
        Ok(())
    }

    /// The sampler for sources.
    pub fn sampler(&mut self, gpu: &Gpu, linear: bool) -> Outcome<vk::Sampler> {
        self.open(gpu)?;
        Ok(self.samplers[usize::from(linear)])
    }

    fn fragment(&mut self, gpu: &Gpu, shader: Shader) -> Outcome<vk::ShaderModule> {
        if let Some((_, module)) = self.modules.iter().find(|(s, _)| *s == shader) {
            return Ok(*module);
        }
        let module = module(gpu, shader.bytes())?;
        self.modules.push((shader, module));
        Ok(module)
    }

    fn pipeline(
        &mut self,
        gpu: &Gpu,
        cache: vk::PipelineCache,
        render_pass: vk::RenderPass,
        write: &Write,
        format: &PassFormat,
    ) -> Outcome<vk::Pipeline> {
        if let Some((_, _, pipeline)) = self.pipelines.iter().find(|(w, f, _)| w == write && f == format) {
            return Ok(*pipeline);
        }
        let modules = [(Stage::Vertex, self.vertex), (Stage::Fragment, self.fragment(gpu, write.shader)?)];
        let recipe = Recipe {
            modules: &modules,
            vertex: &VertexLayout::default(),
            baked: &baked(write, format),
            loose: &loose(write),
            layout: self.layout,
            render_pass,
        };
        let pipeline = build_graphics(gpu, cache, &recipe)?;
        self.pipelines.push((*write, *format, pipeline));
        Ok(pipeline)
    }

    /// Records a draw in the open pass, which has the draw's target.
    pub fn record(
        &mut self,
        core: &mut Core,
        pools: &mut super::Pools,
        cache: vk::PipelineCache,
        render_pass: vk::RenderPass,
        draw: &MetaDraw<'_>,
    ) -> Outcome {
        let gpu = core.gpu.clone();
        self.open(&gpu)?;
        let pipeline = self.pipeline(&gpu, cache, render_pass, &draw.write, &draw.target.format)?;
        let recorder = Recorder::new(&gpu, core.cmds.inside()?);
        recorder.bind_pipeline(vk::PipelineBindPoint::GRAPHICS, pipeline);
        recorder.set_vertex_input(&crate::vertex::VertexLayout::default());
        let loose = loose(&draw.write);
        recorder.set_loose_one(&loose.one, None);
        recorder.set_loose_two(&loose.two, None);
        let extent = draw.target.extent;
        let (width, height) = (extent[0] as f32, extent[1] as f32);
        let depth = draw.depth.clamp(0.0, 1.0);
        recorder
            .set_viewports(0, &[vk::Viewport { x: 0.0, y: 0.0, width, height, min_depth: depth, max_depth: depth }]);
        recorder.set_scissors(0, &[super::dynamic::rect(draw.area)]);
        recorder.set_line_width(1.0);
        recorder.set_depth_bias(0.0, 0.0, 0.0);
        recorder.set_blend_constants(&[0.0; 4]);
        let faces = vk::StencilFaceFlags::FRONT_AND_BACK;
        recorder.set_stencil_compare_mask(faces, 0xFF);
        recorder.set_stencil_write_mask(faces, draw.stencil.1);
        recorder.set_stencil_reference(faces, draw.stencil.0);
        if let Some(source) = &draw.source {
            let set = pools.allocate(&mut core.cmds, self.set)?;
            make::update_set(&gpu.device, set, self.template, std::slice::from_ref(source));
            recorder.bind_sets(vk::PipelineBindPoint::GRAPHICS, self.layout, 0, &[set], &[]);
        }
        let bytes = draw.push.map(u32::to_ne_bytes);
        recorder.push_constants(self.layout, vk::ShaderStageFlags::FRAGMENT, 0, bytes.as_flattened());
        recorder.draw(3, 1, 0, 0);
        Ok(())
    }

    /// Lets go of everything.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        if self.template != vk::DescriptorUpdateTemplate::null() {
            make::destroy_update_template(&commands.gpu().device, self.template);
        }
        let modules = self.modules.drain(..).map(|(_, m)| m).chain([self.vertex]).map(Garbage::ShaderModule);
        let all: Vec<Garbage> = modules
            .chain(self.pipelines.drain(..).map(|(_, _, p)| Garbage::Pipeline(p)))
            .chain(self.samplers.map(Garbage::Sampler))
            .chain([Garbage::PipelineLayout(self.layout), Garbage::DescriptorSetLayout(self.set)])
            .collect();
        all.into_iter().for_each(|g| commands.defer_destroy(now, g));
        *self = Self::default();
    }
}

fn baked(write: &Write, format: &PassFormat) -> Baked {
    let mut attachments = [Attachment::default(); 8];
    attachments[0].mask = write.color_mask;
    Baked {
        topology: vk::PrimitiveTopology::TRIANGLE_LIST,
        patch_vertices: 0,
        viewports: 1,
        depth_clamp: false,
        negative_one_to_one: false,
        polygon: vk::PolygonMode::FILL,
        line_mode: 0,
        provoking_last: false,
        samples: format.samples,
        sample_mask: u32::MAX,
        sample_shading: 0,
        alpha_to_coverage: false,
        alpha_to_one: false,
        logic_op: None,
        attachments,
        format: *format,
    }
}

fn loose(write: &Write) -> Loose {
    let replace = vk::StencilOp::REPLACE.as_raw();
    let ops = [replace, replace, replace, vk::CompareOp::ALWAYS.as_raw()];
    Loose {
        one: LooseOne {
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            depth_test: write.depth,
            depth_write: write.depth,
            depth_op: vk::CompareOp::ALWAYS,
            stencil_test: write.stencil,
            stencil: [ops, ops],
        },
        two: LooseTwo::default(),
    }
}
