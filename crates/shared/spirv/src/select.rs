//! Elements of arrays of textures, images and blocks that a shader selects by what it computes: the selection is decorated
//! where the device takes it so, and where it does not, each use becomes one use per element. Must not know which device
//! that is.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, Dim, ExecutionModel, Op, StorageClass};

use crate::cases::{Call, Typed, combinations, type_of};
use crate::{Id, Ir, ParseError, id, id_at, is_chain, lit_at, uniform};

/// What may select an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Indexing {
    /// Constants.
    #[default]
    Constant,
    /// What is the same in all invocations.
    Uniform,
    /// Anything, where it is decorated.
    Any,
}

/// By kind of array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// Sampled textures.
    pub sampled: Indexing,
    /// Storage images.
    pub images: Indexing,
    /// Sampled buffers.
    pub uniform_texels: Indexing,
    /// Storage buffers of texels.
    pub storage_texels: Indexing,
    /// Uniform blocks.
    pub uniform_blocks: Indexing,
    /// Storage blocks.
    pub storage_blocks: Indexing,
}

/// Most elements that one use is written out for, far above what a program can bind.
const MOST: u32 = 1024;
/// Most elements over all uses of a module: what a program asks for must not take all memory of who draws for it.
const MOST_OF_ALL: u32 = 1 << 18;

/// The kinds, with the capabilities that their two better abilities need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Sampled,
    Image,
    UniformTexels,
    StorageTexels,
    UniformBlock,
    StorageBlock,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Sampled, Kind::Image, Kind::UniformTexels, Kind::StorageTexels, Kind::UniformBlock, Kind::StorageBlock];

    fn of(ir: &Ir, class: StorageClass, variable: Id, ty: Id) -> Option<Kind> {
        match class {
            StorageClass::StorageBuffer => Some(Kind::StorageBlock),
            StorageClass::Uniform if ir.is_storage(variable) => Some(Kind::StorageBlock),
            StorageClass::Uniform => Some(Kind::UniformBlock),
            StorageClass::UniformConstant => {
                let image = ir.global(ty).filter(|i| i.class.opcode == Op::TypeSampledImage).and_then(|i| id_at(i, 0));
                let image = ir.global(image.unwrap_or(ty)).filter(|i| i.class.opcode == Op::TypeImage)?;
                let buffer = image.operands.get(1) == Some(&Operand::Dim(Dim::DimBuffer));
                Some(match (lit_at(image, 5) == Some(2), buffer) {
                    (false, false) => Kind::Sampled,
                    (true, false) => Kind::Image,
                    (false, true) => Kind::UniformTexels,
                    (true, true) => Kind::StorageTexels,
                })
            }
            _ => None,
        }
    }

    fn able(self, all: &Abilities) -> Indexing {
        match self {
            Kind::Sampled => all.sampled,
            Kind::Image => all.images,
            Kind::UniformTexels => all.uniform_texels,
            Kind::StorageTexels => all.storage_texels,
            Kind::UniformBlock => all.uniform_blocks,
            Kind::StorageBlock => all.storage_blocks,
        }
    }

    fn capabilities(self) -> [Capability; 2] {
        use Capability as C;
        match self {
            Kind::Sampled => [C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing],
            Kind::Image => [C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing],
            Kind::UniformTexels => {
                [C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing]
            }
            Kind::StorageTexels => {
                [C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing]
            }
            Kind::UniformBlock => [C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing],
            Kind::StorageBlock => [C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing],
        }
    }
}

/// An array of resources.
#[derive(Clone)]
struct Array {
    class: StorageClass,
    kind: Kind,
    lengths: Vec<u32>,
}

/// An element that the shader computes, and what was made of it so far: each instruction works on the result before.
#[derive(Clone)]
struct Selected {
    variable: Id,
    /// Into the arrays, and then into the element.
    indices: Vec<Id>,
    made: Vec<Instruction>,
}

/// Rewrites a stage.
///
/// # Errors
///
/// An element is used in a way that cannot be written out, or there are too many.
pub fn run(ir: &mut Ir, able: &Abilities) -> Result<(), ParseError> {
    let arrays = arrays(ir);
    if arrays.is_empty() {
        return Ok(());
    }
    let pass = Pass { able: *able, uniform: uniform::values(ir), locals: ir.local_types(), arrays };
    let mut state = State::default();
    ir.rewrite(|ir, inst, out| pass.instruction(ir, inst, out, &mut state))?;
    ir.module.functions.extend(state.functions);
    for kind in Kind::ALL {
        let [dynamic, _] = kind.capabilities();
        if kind.able(able) == Indexing::Constant {
            ir.drop_capability(dynamic);
        }
    }
    for (kind, any) in state.kept {
        let [dynamic, divergent] = kind.capabilities();
        ir.capability(dynamic);
        if any {
            ir.capability(Capability::ShaderNonUniform);
            ir.capability(divergent);
        }
        if any || matches!(kind, Kind::UniformTexels | Kind::StorageTexels) {
            ir.extension_before((1, 5), "SPV_EXT_descriptor_indexing");
        }
    }
    Ok(())
}

fn arrays(ir: &Ir) -> HashMap<Id, Array> {
    let mut found = HashMap::new();
    for variable in ir.variables() {
        let Some((class, mut ty)) = ir.variable_type(variable) else { continue };
        let mut lengths = Vec::new();
        while let Some((of, length)) = ir.array_of(ty) {
            lengths.push(length);
            ty = of;
        }
        if let Some(kind) = Kind::of(ir, class, variable, ty).filter(|_| !lengths.is_empty()) {
            found.insert(variable, Array { class, kind, lengths });
        }
    }
    found
}

struct Pass {
    able: Abilities,
    uniform: HashSet<Id>,
    locals: HashMap<Id, Id>,
    arrays: HashMap<Id, Array>,
}

#[derive(Default)]
struct State {
    /// By the pointer or value that stands for it.
    selected: HashMap<Id, Selected>,
    /// Pointers and values of elements that stay, with what needs the decoration.
    divergent: HashSet<Id>,
    /// Kinds whose selections stay, and whether any is not the same in all invocations.
    kept: HashMap<Kind, bool>,
    functions: Vec<Function>,
    /// Elements that uses were written out for.
    written: u32,
}

impl Pass {
    fn instruction(
        &self,
        ir: &mut Ir,
        inst: Instruction,
        out: &mut Vec<Instruction>,
        state: &mut State,
    ) -> Result<(), ParseError> {
        let base = id_at(&inst, 0).unwrap_or(0);
        if let Some(array) = self.arrays.get(&base).filter(|_| is_chain(&inst)) {
            self.chain(ir, array, inst, out, state);
            return Ok(());
        }
        if state.divergent.contains(&base) && makes(ir, &inst) {
            self.decorate(ir, &inst, state);
        }
        let Some(mut element) = state.selected.get(&base).cloned() else {
            let used = inst.operands.iter().filter_map(Operand::id_ref_any).any(|id| state.selected.contains_key(&id));
            out.push(inst);
            return if used {
                Err(ParseError("an element of an array is used in an unknown way".into()))
            } else {
                Ok(())
            };
        };
        let result = inst.result_id.unwrap_or(0);
        if is_chain(&inst) && element.made.is_empty() {
            element.indices.extend((1..inst.operands.len()).filter_map(|at| id_at(&inst, at)));
            state.selected.insert(result, element);
            return Ok(());
        }
        if makes(ir, &inst) {
            element.made.push(inst);
            state.selected.insert(result, element);
            return Ok(());
        }
        let (_, below) = self.deciding(ir, &element)?;
        state.written = state.written.saturating_add(below.iter().product());
        if state.written > MOST_OF_ALL {
            return Err(ParseError("too many uses of arrays of resources".into()));
        }
        if derives(ir, &inst) {
            self.all(ir, out, &element, inst)?;
        } else {
            let function = self.switch(ir, out, &element, inst)?;
            state.functions.push(function);
        }
        Ok(())
    }

    /// A chain into an array: as it is where its indices may be, else remembered.
    fn chain(&self, ir: &mut Ir, array: &Array, inst: Instruction, out: &mut Vec<Instruction>, state: &mut State) {
        let indices: Vec<Id> = (1..inst.operands.len()).filter_map(|at| id_at(&inst, at)).collect();
        let computed = indices.iter().take(array.lengths.len()).filter(|i| ir.const_value(**i).is_none());
        let need = computed
            .map(|i| if self.uniform.contains(i) { Indexing::Uniform } else { Indexing::Any })
            .max()
            .unwrap_or_default();
        if need <= array.kind.able(&self.able) {
            if need != Indexing::Constant {
                *state.kept.entry(array.kind).or_default() |= need == Indexing::Any;
            }
            if need == Indexing::Any {
                self.decorate(ir, &inst, state);
            }
            out.push(inst);
        } else {
            let variable = id_at(&inst, 0).unwrap_or(0);
            let result = inst.result_id.unwrap_or(0);
            state.selected.insert(result, Selected { variable, indices, made: Vec::new() });
        }
    }

    fn decorate(&self, ir: &mut Ir, inst: &Instruction, state: &mut State) {
        if let Some(result) = inst.result_id {
            ir.decorate(result, Decoration::NonUniform, &[]);
            state.divergent.insert(result);
        }
    }

    /// The indices that decide, with how many values each has.
    fn deciding(&self, ir: &Ir, element: &Selected) -> Result<(Vec<Typed>, Vec<u32>), ParseError> {
        let (mut indices, mut below): (Vec<Typed>, Vec<u32>) = Default::default();
        let lengths = self.arrays.get(&element.variable).map_or(&[][..], |a| &a.lengths);
        for (index, length) in element.indices.iter().zip(lengths) {
            if ir.const_value(*index).is_none() {
                indices.push(self.typed(ir, *index)?);
                below.push(*length);
            }
        }
        if below.iter().fold(1, |all: u32, n| all.saturating_mul(*n)) > MOST {
            return Err(ParseError("an array of resources is too long".into()));
        }
        Ok((indices, below))
    }

    fn typed(&self, ir: &Ir, value: Id) -> Result<Typed, ParseError> {
        let ty = type_of(ir, &self.locals, value);
        ty.map(|ty| (value, ty)).ok_or_else(|| ParseError("a value has no type".into()))
    }

    /// One case of a use, with `given` in place of what the function defines.
    fn case(
        &self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        (element, inst): (&Selected, &Instruction),
        (case, given): (&[u32], &HashMap<Id, Id>),
    ) -> Id {
        let lengths = self.arrays.get(&element.variable).map_or(0, |a| a.lengths.len());
        let class = self.arrays.get(&element.variable).map_or(StorageClass::UniformConstant, |a| a.class);
        let mut case = case.iter().copied();
        let mut operands = vec![id(element.variable)];
        let mut ty = ir.variable_type(element.variable).map_or(0, |(_, ty)| ty);
        for (at, index) in element.indices.iter().enumerate() {
            let inside = given.get(index).copied().unwrap_or(*index);
            ty = ir.step(ty, *index).unwrap_or(0);
            operands.push(id(match ir.const_value(*index) {
                None if at < lengths => {
                    let number = case.next().unwrap_or(0);
                    ir.const_int(number.cast_signed())
                }
                _ => inside,
            }));
        }
        let pointer = ir.pointer(class, ty);
        let mut what = ir.emit(out, Op::AccessChain, pointer, operands);
        for inst in element.made.iter().chain([inst]) {
            let mut made = inst.clone();
            for value in made.operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
                *value = given.get(value).copied().unwrap_or(*value);
            }
            made.operands[0] = id(what);
            let result = ir.fresh();
            made.result_id = inst.result_id.map(|_| result);
            out.push(made);
            what = result;
        }
        what
    }

    /// A function that does `inst` to the element that the indices name.
    fn switch(
        &self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        element: &Selected,
        inst: Instruction,
    ) -> Result<Function, ParseError> {
        let (indices, below) = self.deciding(ir, element)?;
        let mut arguments: Vec<Typed> = Vec::new();
        let others = element.made.iter().chain([&inst]).flat_map(|i| &i.operands[1..]).filter_map(Operand::id_ref_any);
        for value in others.chain(element.indices.iter().copied()) {
            if self.locals.contains_key(&value) && arguments.iter().all(|(known, _)| *known != value) {
                let (_, ty) = self.typed(ir, value)?;
                if ir.pointee(ty).is_some() {
                    return Err(ParseError("an element of an array is used beside a pointer".into()));
                }
                arguments.push((value, ty));
            }
        }
        let result = inst.result_id.zip(inst.result_type);
        let call = Call { indices: &indices, arguments: &arguments, result, cases: &combinations(&below) };
        Ok(call.emit(ir, out, |ir, out, case, given| {
            let given = arguments.iter().map(|(value, _)| *value).zip(given.iter().copied()).collect();
            self.case(ir, out, (element, &inst), (case, &given))
        }))
    }

    /// `inst` to every element, of which one result is kept: derivatives need the neighbours, which may take other elements.
    fn all(
        &self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        element: &Selected,
        inst: Instruction,
    ) -> Result<(), ParseError> {
        let (indices, below) = self.deciding(ir, element)?;
        let (Some(result), Some(ty)) = (inst.result_id, inst.result_type) else {
            return Err(ParseError("an operation has no result".into()));
        };
        let (_, components) = ir.vector_of(ty).ok_or_else(|| ParseError("a result is no vector".into()))?;
        let bool_type = ir.add(Op::TypeBool, None, Vec::new());
        let bools = ir.vector(bool_type, components);
        let mut kept = None;
        for case in combinations(&below) {
            let value = self.case(ir, out, (element, &inst), (&case, &HashMap::new()));
            let Some(old) = kept else {
                kept = Some(value);
                continue;
            };
            let mut chosen = None;
            for ((index, ty), number) in indices.iter().zip(&case) {
                let number = ir.add(Op::Constant, Some(*ty), vec![crate::lit(*number)]);
                let one = ir.emit(out, Op::IEqual, bool_type, vec![id(*index), id(number)]);
                chosen = Some(match chosen {
                    Some(all) => ir.emit(out, Op::LogicalAnd, bool_type, vec![id(all), id(one)]),
                    None => one,
                });
            }
            let mut chosen = chosen.unwrap_or(0);
            if components > 1 {
                let operands = vec![id(chosen); components as usize];
                chosen = ir.emit(out, Op::CompositeConstruct, bools, operands);
            }
            kept = Some(ir.emit(out, Op::Select, ty, vec![id(chosen), id(value), id(old)]));
        }
        let kept = kept.ok_or_else(|| ParseError("an array of resources is empty".into()))?;
        out.push(Instruction::new(Op::CopyObject, Some(ty), Some(result), vec![id(kept)]));
        Ok(())
    }
}

/// Instructions that only lead to an element's texels: they are repeated with each use.
fn makes(ir: &Ir, inst: &Instruction) -> bool {
    let opaque = || {
        let ty = inst.result_type.and_then(|ty| ir.global(ty)).map(|i| i.class.opcode);
        matches!(ty, Some(Op::TypeImage | Op::TypeSampledImage | Op::TypeSampler))
    };
    match inst.class.opcode {
        Op::Image | Op::SampledImage | Op::ImageTexelPointer | Op::CopyObject => true,
        Op::Load => opaque(),
        _ => is_chain(inst),
    }
}

/// Whether the operation takes derivatives of its coordinates, which only fragments have.
fn derives(ir: &Ir, inst: &Instruction) -> bool {
    let implicit = matches!(
        inst.class.opcode,
        Op::ImageSampleImplicitLod
            | Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageQueryLod
    );
    implicit && ir.model() == Some(ExecutionModel::Fragment)
}
