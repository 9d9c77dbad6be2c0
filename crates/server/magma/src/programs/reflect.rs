//! What a linked program needs from a pipeline, read from its SPIR-V: descriptor bindings, vertex inputs and fragment
//! outputs. Must not know Vulkan objects; the archive holds GL's view of the same.

use crate::variants::{self, EditError, literal, variables};
use ash::vk;
use mgl_pipe::archive::Stage;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Dim, Op, StorageClass, Word};
use std::collections::HashSet;

/// Attribute locations that masks of the vertex layout tell apart, far above any device's.
const LOCATIONS: u32 = 64;

/// Numeric class of a shader interface variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    /// 32-bit float.
    #[default]
    Float,
    /// Signed integer.
    Int,
    /// Unsigned integer.
    Uint,
    /// 64-bit float.
    Double,
}

/// Shape of an image that a descriptor needs, for placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageShape {
    /// Dimension.
    pub dim: Dim,
    /// Array texture.
    pub arrayed: bool,
    /// Multisampled.
    pub multisampled: bool,
    /// What a fetch returns.
    pub class: Class,
}

impl ImageShape {
    /// The type of a view that the descriptor takes.
    pub fn view_type(&self) -> vk::ImageViewType {
        use vk::ImageViewType as V;
        match (self.dim, self.arrayed) {
            (Dim::Dim1D, false) => V::TYPE_1D,
            (Dim::Dim1D, true) => V::TYPE_1D_ARRAY,
            (Dim::Dim3D, _) => V::TYPE_3D,
            (Dim::DimCube, false) => V::CUBE,
            (Dim::DimCube, true) => V::CUBE_ARRAY,
            (_, true) => V::TYPE_2D_ARRAY,
            _ => V::TYPE_2D,
        }
    }

    /// True when the shader may be given such a view; another one would be read beyond its texels.
    pub fn shows(&self, ty: vk::ImageViewType, class: Class, multisampled: bool) -> bool {
        self.view_type() == ty && self.class == class && self.multisampled == multisampled
    }
}

/// One descriptor binding of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Set, 0..=3.
    pub set: u32,
    /// Binding number = first slot.
    pub binding: u32,
    /// Slots.
    pub count: u32,
    /// Descriptor type.
    pub kind: vk::DescriptorType,
    /// Stages that see it.
    pub stages: vk::ShaderStageFlags,
    /// The shader cannot write it.
    pub read_only: bool,
    /// Of images and samplers.
    pub image: Option<ImageShape>,
    /// A shader samples it, and does not only fetch single texels of it.
    pub sampled: bool,
}

/// A vertex input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Location = GL attribute.
    pub location: u32,
    /// Numeric class.
    pub class: Class,
    /// Components at this location.
    pub components: u32,
}

/// The result of the walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reflection {
    /// Bindings in (set, binding) order.
    pub bindings: Vec<Binding>,
    /// Vertex inputs, one entry per location.
    pub inputs: Vec<Input>,
    /// Fragment outputs.
    pub outputs: Outputs,
    /// The fragment stage asks which sample it shades, or is interpolated there.
    pub reads_samples: bool,
    /// A stage asks for the number of its primitive.
    pub numbers_primitives: bool,
    /// The fragment stage has inputs that are interpolated.
    pub interpolates: bool,
}

/// Fragment outputs, one bit for each location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// All of them.
    pub all: u8,
    /// Those of signed integers.
    pub signed: u8,
    /// Those of unsigned integers.
    pub unsigned: u8,
    /// Those that write alpha.
    pub alpha: u8,
}

/// Vulkan flag of a stage.
pub fn stage_flag(stage: Stage) -> vk::ShaderStageFlags {
    match stage {
        Stage::Vertex => vk::ShaderStageFlags::VERTEX,
        Stage::TessControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        Stage::TessEval => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        Stage::Geometry => vk::ShaderStageFlags::GEOMETRY,
        Stage::Fragment => vk::ShaderStageFlags::FRAGMENT,
        Stage::Compute => vk::ShaderStageFlags::COMPUTE,
    }
}

impl Reflection {
    /// Adds what `words` of `stage` use.
    pub fn add(&mut self, stage: Stage, words: &[u32]) -> Result<(), EditError> {
        let module = rspirv::dr::load_words(words).map_err(|e| EditError::Parse(e.to_string()))?;
        mgl_spirv::prove_types(&module).map_err(|e| EditError::Parse(e.0))?;
        let walk = Walk { module: &module };
        for class in [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer] {
            for variable in variables(&module, class) {
                if let Some(binding) = walk.binding(variable, class, stage) {
                    self.merge(binding);
                }
            }
        }
        self.numbers_primitives |= walk.annotated(&[Operand::BuiltIn(BuiltIn::PrimitiveId)]);
        if stage == Stage::Vertex {
            self.inputs = walk.inputs();
        }
        if stage == Stage::Fragment {
            self.outputs = walk.outputs();
            self.reads_samples = walk.reads_samples();
            self.interpolates = variants::interpolates(&module);
        }
        Ok(())
    }

    fn merge(&mut self, binding: Binding) {
        let key = (binding.set, binding.binding);
        match self.bindings.binary_search_by_key(&key, |b| (b.set, b.binding)) {
            Ok(at) => {
                let old = &mut self.bindings[at];
                old.stages |= binding.stages;
                old.count = old.count.max(binding.count);
                old.read_only &= binding.read_only;
                old.sampled |= binding.sampled;
            }
            Err(at) => self.bindings.insert(at, binding),
        }
    }

    /// Bindings of one set.
    pub fn set(&self, set: u32) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |b| b.set == set)
    }

    /// Bindings of the uniform blocks to leave out so that no stage has more than `most`: the last ones. The default block,
    /// binding 0 where there is one, stays.
    pub fn uniform_blocks_beyond(&self, most: u32, default_block: bool) -> Vec<u32> {
        let blocks = || self.bindings.iter().filter(|b| b.kind == vk::DescriptorType::UNIFORM_BUFFER);
        let mut counts = Stage::ALL.map(|stage| {
            let of_stage = blocks().filter(|b| b.stages.contains(stage_flag(stage)));
            of_stage.map(|b| b.count).fold(0, u32::saturating_add)
        });
        let mut moved = Vec::new();
        for block in blocks().rev().filter(|b| !(default_block && b.binding == 0)) {
            let mine = |stage: Stage| block.stages.contains(stage_flag(stage));
            if Stage::ALL.into_iter().any(|stage| mine(stage) && counts[stage.index()] > most) {
                Stage::ALL
                    .into_iter()
                    .filter(|stage| mine(*stage))
                    .for_each(|stage| counts[stage.index()] -= block.count);
                moved.push(block.binding);
            }
        }
        moved
    }

    /// Slots that a set takes: the highest slot + 1.
    pub fn slots(&self, set: u32) -> u32 {
        self.set(set).map(|b| b.binding + b.count).max().unwrap_or(0)
    }
}

struct Walk<'a> {
    module: &'a Module,
}

impl Walk<'_> {
    /// Whether any id or member is decorated with one of `what`.
    fn annotated(&self, what: &[Operand]) -> bool {
        self.module.annotations.iter().any(|i| i.operands.iter().any(|o| what.contains(o)))
    }

    /// Inputs that tell of samples. The sample mask may be an output.
    fn reads_samples(&self) -> bool {
        let always = [
            Operand::BuiltIn(BuiltIn::SampleId),
            Operand::BuiltIn(BuiltIn::SamplePosition),
            Operand::Decoration(Decoration::Sample),
        ];
        let mask = |id: &Word| {
            let of = |i: &Instruction| {
                i.operands.first() == Some(&Operand::IdRef(*id))
                    && i.operands.contains(&Operand::BuiltIn(BuiltIn::SampleMask))
            };
            self.module.annotations.iter().any(of)
        };
        self.annotated(&always) || variables(self.module, StorageClass::Input).iter().any(mask)
    }

    fn definition(&self, id: Word) -> Option<&Instruction> {
        self.module.types_global_values.iter().find(|i| i.result_id == Some(id))
    }

    fn pointee(&self, variable: Word) -> Option<Word> {
        id_at(self.definition(self.definition(variable)?.result_type?)?, 1)
    }

    fn constant(&self, id: Word) -> Option<u32> {
        match self.definition(id)?.operands.first() {
            Some(Operand::LiteralBit32(v)) => Some(*v),
            _ => None,
        }
    }

    /// Strips arrays; the number of elements multiplies.
    fn strip_arrays(&self, mut ty: Word) -> (Word, u32) {
        let mut count = 1;
        while let Some(i) = self.definition(ty).filter(|i| i.class.opcode == Op::TypeArray) {
            let (Some(element), Some(length)) = (id_at(i, 0), id_at(i, 1)) else { break };
            count = u32::saturating_mul(count, self.constant(length).unwrap_or(1));
            ty = element;
        }
        (ty, count)
    }

    fn decorated(&self, target: Word, decoration: Decoration) -> bool {
        self.module.annotations.iter().any(|i| {
            i.class.opcode == Op::Decorate
                && i.operands.first() == Some(&Operand::IdRef(target))
                && i.operands.get(1) == Some(&Operand::Decoration(decoration))
        })
    }

    /// Every member is `NonWritable`, or the variable is.
    fn read_only(&self, variable: Word, ty: Word) -> bool {
        if self.decorated(variable, Decoration::NonWritable) {
            return true;
        }
        let members = self.definition(ty).map_or(0, |i| i.operands.len());
        let marked = self.module.annotations.iter().filter(|i| {
            i.class.opcode == Op::MemberDecorate
                && i.operands.first() == Some(&Operand::IdRef(ty))
                && i.operands.get(2) == Some(&Operand::Decoration(Decoration::NonWritable))
        });
        members > 0 && marked.count() == members
    }

    fn binding(&self, variable: Word, class: StorageClass, stage: Stage) -> Option<Binding> {
        let set = literal(self.module, variable, Decoration::DescriptorSet)?;
        let binding = literal(self.module, variable, Decoration::Binding)?;
        let (ty, count) = self.strip_arrays(self.pointee(variable)?);
        let image = self.image_shape(ty);
        let (kind, read_only) = match class {
            StorageClass::StorageBuffer => (vk::DescriptorType::STORAGE_BUFFER, self.read_only(variable, ty)),
            StorageClass::Uniform if self.decorated(ty, Decoration::BufferBlock) => {
                (vk::DescriptorType::STORAGE_BUFFER, self.read_only(variable, ty))
            }
            StorageClass::Uniform => (vk::DescriptorType::UNIFORM_BUFFER, true),
            _ => {
                let kind = self.opaque_kind(ty)?;
                let writes =
                    matches!(kind, vk::DescriptorType::STORAGE_IMAGE | vk::DescriptorType::STORAGE_TEXEL_BUFFER);
                (kind, !writes || self.decorated(variable, Decoration::NonWritable))
            }
        };
        let sampled = kind == vk::DescriptorType::COMBINED_IMAGE_SAMPLER && self.sampled(variable);
        Some(Binding { set, binding, count, kind, stages: stage_flag(stage), read_only, image, sampled })
    }

    /// Some load of the variable, or of an element of it, is used otherwise than to fetch from its image. What is handed to a
    /// function counts as sampled.
    fn sampled(&self, variable: Word) -> bool {
        let body = || self.module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        let mut known = HashSet::from([variable]);
        for inst in body() {
            let of_it = inst.operands.iter().any(|o| matches!(o, Operand::IdRef(id) if known.contains(id)));
            if !of_it {
                continue;
            }
            match (inst.class.opcode, inst.result_id) {
                (Op::AccessChain | Op::InBoundsAccessChain | Op::Load | Op::Image | Op::CopyObject, Some(result)) => {
                    known.insert(result);
                }
                (Op::ImageFetch | Op::ImageQuerySizeLod | Op::ImageQuerySize | Op::ImageQueryLevels, _) => {}
                (Op::ImageQuerySamples, _) => {}
                _ => return true,
            }
        }
        false
    }

    fn image_type(&self, ty: Word) -> Option<&Instruction> {
        let i = self.definition(ty)?;
        match i.class.opcode {
            Op::TypeSampledImage => self.image_type(id_at(i, 0)?),
            Op::TypeImage => Some(i),
            _ => None,
        }
    }

    fn image_shape(&self, ty: Word) -> Option<ImageShape> {
        let image = self.image_type(ty)?;
        let flag = |n: usize| image.operands.get(n) == Some(&Operand::LiteralBit32(1));
        let Some(Operand::Dim(dim)) = image.operands.get(1) else { return None };
        let class = self.class(id_at(image, 0)?).0;
        Some(ImageShape { dim: *dim, arrayed: flag(3), multisampled: flag(4), class })
    }

    fn opaque_kind(&self, ty: Word) -> Option<vk::DescriptorType> {
        let buffer = self.image_shape(ty)?.dim == Dim::DimBuffer;
        let storage = self.image_type(ty)?.operands.get(5) == Some(&Operand::LiteralBit32(2));
        Some(match (buffer, storage) {
            (true, false) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
            (true, true) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
            (false, true) => vk::DescriptorType::STORAGE_IMAGE,
            (false, false) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        })
    }

    /// Class and components of a scalar or vector type.
    fn class(&self, ty: Word) -> (Class, u32) {
        let Some(i) = self.definition(ty) else { return (Class::Float, 1) };
        match (i.class.opcode, i.operands.as_slice()) {
            (Op::TypeVector, [Operand::IdRef(scalar), Operand::LiteralBit32(n)]) => (self.class(*scalar).0, *n),
            (Op::TypeFloat, [Operand::LiteralBit32(64), ..]) => (Class::Double, 1),
            (Op::TypeInt, [_, Operand::LiteralBit32(1)]) => (Class::Int, 1),
            (Op::TypeInt, _) => (Class::Uint, 1),
            _ => (Class::Float, 1),
        }
    }

    fn inputs(&self) -> Vec<Input> {
        let mut inputs = Vec::new();
        for variable in variables(self.module, StorageClass::Input) {
            let (Some(location), Some(ty)) =
                (literal(self.module, variable, Decoration::Location), self.pointee(variable))
            else {
                continue;
            };
            let (ty, elements) = self.strip_arrays(ty);
            let (column, columns) = match self.definition(ty) {
                Some(i) if i.class.opcode == Op::TypeMatrix => match i.operands.as_slice() {
                    [Operand::IdRef(column), Operand::LiteralBit32(n)] => (*column, *n),
                    _ => (ty, 1),
                },
                _ => (ty, 1),
            };
            let (class, components) = self.class(column);
            let component = literal(self.module, variable, Decoration::Component).unwrap_or(0);
            let components = components + if class == Class::Double { component / 2 } else { component };
            // Doubles too take one location per column here, as in GL; where the device fetches them is the layout's choice.
            let locations = location..location.saturating_add(elements.saturating_mul(columns)).min(LOCATIONS);
            inputs.extend(locations.map(|location| Input { location, class, components }));
        }
        // Inputs that share a location count as one that has the components of all.
        inputs.sort_by_key(|i| (i.location, std::cmp::Reverse(i.components)));
        inputs.dedup_by_key(|i| i.location);
        inputs
    }

    fn outputs(&self) -> Outputs {
        let mut outputs = Outputs::default();
        for variable in variables(self.module, StorageClass::Output) {
            let Some(location) = literal(self.module, variable, Decoration::Location) else { continue };
            let Some(ty) = self.pointee(variable) else { continue };
            let (element, count) = self.strip_arrays(ty);
            let (class, components) = self.class(element);
            let first = literal(self.module, variable, Decoration::Component).unwrap_or(0);
            let bits = (location..location.saturating_add(count).min(8)).fold(0, |bits, l| bits | 1u8 << l);
            outputs.all |= bits;
            match class {
                Class::Int => outputs.signed |= bits,
                Class::Uint => outputs.unsigned |= bits,
                _ => {}
            }
            if first.saturating_add(components) >= 4 {
                outputs.alpha |= bits;
            }
        }
        outputs
    }
}

fn id_at(i: &Instruction, n: usize) -> Option<Word> {
    match i.operands.get(n) {
        Some(Operand::IdRef(id)) => Some(*id),
        _ => None,
    }
}
