//! One driver program: compiling, linking, and where its resources are. Must not know what is bound.

use crate::core::Core;
use crate::essl::{
    Asked, COUNTER, CapturePlan, Count, DRAW_PARAMETERS, EsFacts, POINT_SIZE, Resource, ResourceKind, Translated,
    Variant, What,
};
use crate::raw::{Gl, consts};
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_pipe::archive::{ProgramArchive, Stage};
use rspirv::spirv::Dim;
use std::ffi::CString;

/// A range of binding points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// First slot = first binding point.
    pub slot: u32,
    /// Slots.
    pub count: u32,
    /// Texture target that the program reads the slot as; 0 for buffers and images.
    pub target: u32,
    /// No stage writes it.
    pub read_only: bool,
    /// An image without a declared format.
    pub formatless: bool,
    /// A buffer texture: its texels change with its buffer.
    pub texel: bool,
}

/// A program of the driver.
#[derive(Debug)]
pub struct DriverProgram {
    /// Driver name.
    pub name: u32,
    /// The link was looked at.
    pub checked: bool,
    /// Uniform blocks, the default block included.
    pub uniform_blocks: Vec<Slots>,
    /// Textures.
    pub textures: Vec<Slots>,
    /// Storage blocks and counter buffers.
    pub storage: Vec<Slots>,
    /// Images.
    pub images: Vec<Slots>,
    /// The default block is read.
    pub default_block: bool,
    /// What is captured and how.
    pub capture: CapturePlan,
    /// Locations of the draw parameters and of the point size; -1 = not read.
    pub draw_parameters: i32,
    /// Location of the point size.
    pub point_size: i32,
    /// Last values of both.
    pub draw_values: [i32; 4],
    /// Last point size.
    pub size_value: u32,
    /// Images without a declared format are there: the variant depends on what is bound.
    pub formatless: bool,
    /// The fragment stage has flat inputs: the provoking vertex matters.
    pub flat: bool,
    /// A stage asks for the number of its primitive.
    pub numbered: bool,
    /// Uniforms that say something of resources.
    pub asked: Vec<AskedUniform>,
    stages: u8,
    /// Attached until the link was looked at.
    shaders: Vec<(Stage, u32)>,
    resources: Vec<Resource>,
    version: u32,
}

/// The uniform of one resource, or of an array of them.
#[derive(Debug)]
pub struct AskedUniform {
    /// What it says.
    pub asked: Asked,
    locations: Vec<i32>,
    values: Vec<u32>,
}

impl AskedUniform {
    fn new(asked: Asked) -> Self {
        Self { asked, locations: Vec::new(), values: vec![0; asked.count as usize] }
    }

    fn find(&mut self, gl: &Gl, program: u32) {
        let name = self.asked.name();
        let element = |n| if self.asked.count > 1 { format!("{name}[{n}]") } else { name.clone() };
        self.locations = (0..self.asked.count).map(|n| gl.uniform_location(program, &element(n))).collect();
    }

    /// Says the value of one slot, as bits; the program is current.
    pub fn set(&mut self, gl: &Gl, element: usize, value: u32) {
        let Some(location) = self.locations.get(element).filter(|l| **l >= 0) else { return };
        if std::mem::replace(&mut self.values[element], value) == value {
            return;
        }
        match self.asked.what {
            What::Bias => gl.uniform_1f(*location, f32::from_bits(value)),
            What::Bytes | What::Texels => gl.uniform_1i(*location, value.cast_signed()),
        }
    }
}

fn shader_type(stage: Stage) -> u32 {
    match stage {
        Stage::Vertex => consts::VERTEX_SHADER,
        Stage::TessControl => consts::TESS_CONTROL_SHADER,
        Stage::TessEval => consts::TESS_EVALUATION_SHADER,
        Stage::Geometry => consts::GEOMETRY_SHADER,
        Stage::Fragment => consts::FRAGMENT_SHADER,
        Stage::Compute => consts::COMPUTE_SHADER,
    }
}

/// Texture target of a declared sampler.
fn target_of(shape: Option<(Dim, bool, bool)>) -> u32 {
    match shape {
        Some((Dim::DimCube, true, _)) => consts::TEXTURE_CUBE_MAP_ARRAY,
        Some((Dim::DimCube, ..)) => consts::TEXTURE_CUBE_MAP,
        Some((Dim::Dim3D, ..)) => consts::TEXTURE_3D,
        Some((Dim::DimBuffer, ..)) => consts::TEXTURE_BUFFER,
        Some((_, false, true)) => consts::TEXTURE_2D_MULTISAMPLE,
        Some((_, true, true)) => consts::TEXTURE_2D_MULTISAMPLE_ARRAY,
        Some((_, true, false)) => consts::TEXTURE_2D_ARRAY,
        _ => consts::TEXTURE_2D,
    }
}

/// Compiles and links; whether that worked is asked on first use, so that drivers may work in the background.
pub fn build(
    core: &Core,
    translated: Translated,
    archive: &ProgramArchive,
    facts: &EsFacts,
    variant: &Variant,
) -> Outcome<DriverProgram> {
    let gl = core.gl();
    let name = gl.create_program();
    let (mut stages, mut shaders) = (0, Vec::new());
    let mut texts: Vec<(Stage, String)> =
        Stage::ALL.into_iter().zip(translated.text).filter(|(_, text)| !text.is_empty()).collect();
    complete(&mut texts, facts, variant);
    for (stage, text) in &texts {
        tracing::trace!("program {name}: {} stage:\n{text}", stage.name());
        let shader = gl.create_shader(shader_type(*stage));
        gl.shader_text(shader, text);
        gl.compile_shader(shader);
        gl.attach_shader(name, shader);
        // The program keeps it for as long as it is attached.
        gl.delete_shader(shader);
        stages |= stage.bit();
        shaders.push((*stage, shader));
    }
    let outputs = translated.capture.outputs();
    if !outputs.is_empty() {
        let names: Vec<CString> = outputs.iter().filter_map(|o| CString::new(o.name.as_str()).ok()).collect();
        let separate = matches!(translated.capture, CapturePlan::Separate { .. });
        let mode = if separate { consts::SEPARATE_ATTRIBS } else { consts::INTERLEAVED_ATTRIBS };
        gl.xfb_varyings(name, &names, mode);
    }
    gl.link_program(name);
    let mut program = DriverProgram {
        name,
        checked: false,
        uniform_blocks: Vec::new(),
        textures: Vec::new(),
        storage: Vec::new(),
        images: Vec::new(),
        default_block: false,
        capture: translated.capture,
        draw_parameters: -1,
        point_size: -1,
        draw_values: [0; 4],
        size_value: 0,
        formatless: translated.plan.formatless,
        flat: translated.plan.flat,
        numbered: translated.plan.numbered,
        asked: translated.plan.asked.into_iter().map(AskedUniform::new).collect(),
        stages,
        shaders,
        resources: translated.plan.resources,
        version: facts.version,
    };
    program.collect(archive.default_block_size > 0);
    Ok(program)
}

/// Samples that a fragment covers.
const MASKED: &str = "uint(bitCount(gl_SampleMaskIn[0]))";

/// OpenGL ES links no program without a fragment stage.
fn complete(texts: &mut Vec<(Stage, String)>, facts: &EsFacts, variant: &Variant) {
    let has = |texts: &[(Stage, String)], stage| texts.iter().any(|(s, _)| *s == stage);
    if has(texts, Stage::Compute) || has(texts, Stage::Fragment) {
        return;
    }
    let counter = facts.counter.filter(|_| variant.count != Count::Nothing);
    let (head, body) = counter.map_or((String::new(), String::new()), |binding| {
        let block = format!("layout(binding = {binding}, std430) buffer Counter {{ uint n; }} {COUNTER};\n");
        let (extension, passed) = match variant.count {
            Count::Samples if facts.version < 320 => ("#extension GL_OES_sample_variables : require\n", MASKED),
            Count::Samples => ("", MASKED),
            _ => ("", "1u"),
        };
        let head = format!("{extension}layout(early_fragment_tests) in;\n{block}");
        (head, format!("atomicAdd({COUNTER}.n, {passed});"))
    });
    texts.push((Stage::Fragment, format!("#version {} es\n{head}void main() {{ {body} }}\n", facts.version)));
}

impl DriverProgram {
    fn collect(&mut self, default_block: bool) {
        for resource in &self.resources {
            let target = match resource.kind {
                ResourceKind::Sampler | ResourceKind::TexelBuffer => target_of(resource.shape),
                _ => 0,
            };
            let list = match resource.kind {
                ResourceKind::UniformBlock => &mut self.uniform_blocks,
                ResourceKind::Sampler | ResourceKind::TexelBuffer => &mut self.textures,
                ResourceKind::StorageBlock => &mut self.storage,
                ResourceKind::Image => &mut self.images,
            };
            let (slot, count) = (resource.slot, resource.count);
            match list.iter_mut().find(|s| s.slot == slot) {
                Some(known) => {
                    known.count = known.count.max(count);
                    known.read_only &= resource.read_only;
                }
                None => list.push(Slots {
                    slot,
                    count,
                    target,
                    read_only: resource.read_only,
                    formatless: resource.formatless,
                    texel: resource.kind == ResourceKind::TexelBuffer,
                }),
            }
        }
        self.default_block = default_block && self.uniform_blocks.iter().any(|s| s.slot == 0);
        if self.default_block {
            self.uniform_blocks.retain(|s| s.slot != 0);
        }
    }

    /// Looks at the link; afterwards the program can be used. Called with the program current.
    pub fn check(&mut self, core: &mut Core) -> Outcome {
        self.checked = true;
        let gl = &core.device.gl;
        if gl.program_value(self.name, consts::LINK_STATUS) == 0 {
            return Err(Refusal::Driver(format!("the driver refused a program: {}", self.logs(gl))));
        }
        for (_, shader) in self.shaders.drain(..) {
            gl.detach_shader(self.name, shader);
        }
        core.bind.program(&core.device.gl, self.name);
        let gl = &core.device.gl;
        self.draw_parameters = gl.uniform_location(self.name, DRAW_PARAMETERS);
        self.point_size = gl.uniform_location(self.name, POINT_SIZE);
        self.asked.iter_mut().for_each(|asked| asked.find(gl, self.name));
        if self.version < 310 {
            self.place(gl);
        }
        Ok(())
    }

    /// OpenGL ES 3.0 has no bindings in shaders.
    fn place(&self, gl: &Gl) {
        for resource in &self.resources {
            for element in 0..resource.count {
                let name =
                    if resource.count > 1 { format!("{}[{element}]", resource.name) } else { resource.name.clone() };
                let point = resource.slot + element;
                match resource.kind {
                    ResourceKind::UniformBlock => {
                        let index = gl.uniform_block_index(self.name, &name);
                        if index != u32::MAX {
                            gl.uniform_block_binding(self.name, index, point);
                        }
                    }
                    ResourceKind::Sampler | ResourceKind::TexelBuffer => {
                        let location = gl.uniform_location(self.name, &name);
                        if location >= 0 {
                            gl.uniform_1i(location, point.cast_signed());
                        }
                    }
                    ResourceKind::StorageBlock | ResourceKind::Image => {}
                }
            }
        }
    }

    /// What the driver says about the program and its stages.
    fn logs(&self, gl: &Gl) -> String {
        let mut out = gl.program_log(self.name);
        for (stage, shader) in &self.shaders {
            let log = gl.shader_log(*shader);
            if !log.is_empty() {
                out.push_str(&format!("; {} stage: {log}", stage.name()));
            }
        }
        if out.is_empty() { "it gives no reason".into() } else { out }
    }

    /// True when the program has the stage.
    pub fn has(&self, stage: Stage) -> bool {
        self.stages & stage.bit() != 0
    }
}
