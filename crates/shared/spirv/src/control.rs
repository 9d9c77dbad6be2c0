//! The tessellation control stage of programs that have none: every vertex of the patch is passed on and the levels are the
//! default ones (GL 4.6 §11.2.2). Vulkan and OpenGL ES draw no patches without such a stage. Must not know how a backend
//! keeps it.

use crate::{Id, Ir, ParseError, id, id_at, is_chain, lit};
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, FunctionControl, Op, StorageClass};
use std::collections::HashSet;

/// What the generated stage depends on besides the program: vertices of a patch, and the default levels as bits (four outer
/// ones, then two inner ones).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PassedControl {
    /// `GL_PATCH_VERTICES`.
    pub vertices: u32,
    /// Bits of the levels.
    pub levels: [u32; 6],
}

impl PassedControl {
    /// For patches of so many vertices and these default levels.
    pub fn new(vertices: u32, [a, b, c, d]: [f32; 4], [e, f]: [f32; 2]) -> Self {
        Self { vertices, levels: [a, b, c, d, e, f].map(f32::to_bits) }
    }
}

/// The control stage that feeds the evaluation stage `words`.
pub fn pass_control(words: &[u32], control: &PassedControl) -> Result<Vec<u32>, ParseError> {
    let mut ir = Ir::load(words)?;
    let read = members_read(&ir);
    let inputs = strip(&mut ir);
    let pairs: Vec<(Id, Id, Id)> = inputs.into_iter().filter_map(|input| output_for(&mut ir, input, control)).collect();
    let int = ir.int(true);
    let invocation = ir.interface_variable(StorageClass::Input, int);
    ir.decorate_builtin(invocation, BuiltIn::InvocationId);
    let outer = levels(&mut ir, BuiltIn::TessLevelOuter, 4);
    let inner = levels(&mut ir, BuiltIn::TessLevelInner, 2);
    let mut body = vec![Instruction::new(Op::Label, None, Some(ir.fresh()), Vec::new())];
    let index = ir.emit(&mut body, Op::Load, int, vec![id(invocation)]);
    for (input, output, element) in pairs {
        let members = ir.members(element);
        if members.is_empty() {
            copy(&mut ir, &mut body, element, (input, output), &[index]);
        }
        // Drivers are not trusted with whole blocks (Mesa 22.3 crashes), nor with built-ins that nobody reads.
        let all = read.contains(&(input, None)) || ir.member_builtin(element, 0).is_none();
        for (at, ty) in (0..).zip(members).filter(|(at, _)| all || read.contains(&(input, Some(*at)))) {
            let at = ir.const_int(at as i32);
            copy(&mut ir, &mut body, ty, (input, output), &[index, at]);
        }
    }
    let (four, two) = control.levels.split_at(4);
    for (variable, bits) in [(outer, four), (inner, two)] {
        for (at, bits) in (0..).zip(bits) {
            let float = ir.float();
            let pointer = ir.pointer(StorageClass::Output, float);
            let (at, value) = (ir.const_int(at), ir.const_float(f32::from_bits(*bits)));
            let to = ir.emit(&mut body, Op::AccessChain, pointer, vec![id(variable), id(at)]);
            body.push(Instruction::new(Op::Store, None, None, vec![id(to), id(value)]));
        }
    }
    body.push(Instruction::new(Op::Return, None, None, Vec::new()));
    close(&mut ir, body, control.vertices);
    Ok(ir.finish())
}

/// Variables with the members of their elements that are read; `None` = an element as a whole.
fn members_read(ir: &Ir) -> HashSet<(Id, Option<u32>)> {
    let chains = ir.body().filter(|i| is_chain(i));
    chains.filter_map(|i| Some((id_at(i, 0)?, id_at(i, 2).and_then(|m| ir.const_value(m))))).collect()
}

/// Copies what `indices` select of an input to the output.
fn copy(ir: &mut Ir, body: &mut Vec<Instruction>, ty: Id, (input, output): (Id, Id), indices: &[Id]) {
    let place = |from: Id| std::iter::once(from).chain(indices.iter().copied()).map(id).collect();
    let pointer = ir.pointer(StorageClass::Input, ty);
    let from = ir.emit(body, Op::AccessChain, pointer, place(input));
    let value = ir.emit(body, Op::Load, ty, vec![id(from)]);
    let pointer = ir.pointer(StorageClass::Output, ty);
    let to = ir.emit(body, Op::AccessChain, pointer, place(output));
    body.push(Instruction::new(Op::Store, None, None, vec![id(to), id(value)]));
}

/// Leaves of the evaluation stage what the control stage shares with it: types, and the per-vertex inputs, which are
/// returned.
fn strip(ir: &mut Ir) -> Vec<Id> {
    ir.module.functions.clear();
    ir.module.execution_modes.clear();
    let per_patch = |ir: &Ir, v: Id| {
        let (ty, _) = ir.variable_type(v).map_or((0, 0), |(_, ty)| ir.strip_arrays(ty));
        let members = 0..ir.members(ty).len() as u32;
        let arrayed = ir.variable_type(v).is_some_and(|(_, ty)| ir.array_of(ty).is_some());
        !arrayed
            || ir.has_deco(v, Decoration::Patch)
            || (!members.is_empty() && members.clone().all(|m| ir.has_member_deco(ty, m, Decoration::Patch)))
            || matches!(ir.builtin(v), Some(BuiltIn::TessLevelOuter | BuiltIn::TessLevelInner))
    };
    let inputs: Vec<Id> = ir.variables_of(StorageClass::Input).into_iter().filter(|v| !per_patch(ir, *v)).collect();
    let gone: HashSet<Id> = ir.variables().into_iter().filter(|v| !inputs.contains(v)).collect();
    ir.remove(&gone);
    ir.drop_decos(|d| {
        matches!(
            d,
            Decoration::XfbBuffer
                | Decoration::XfbStride
                | Decoration::Stream
                | Decoration::Centroid
                | Decoration::Sample
        )
    });
    if let Some(entry) = ir.module.entry_points.first_mut() {
        // Model, function and name; what is left of the interface is told anew.
        entry.operands.truncate(3);
        entry.operands.extend(inputs.iter().map(|v| id(*v)));
    }
    inputs
}

/// The output that an input is copied to, and the type of one element.
fn output_for(ir: &mut Ir, input: Id, control: &PassedControl) -> Option<(Id, Id, Id)> {
    let (_, array) = ir.variable_type(input)?;
    let (element, _) = ir.array_of(array)?;
    let own = ir.array(element, control.vertices, None);
    let output = ir.interface_variable(StorageClass::Output, own);
    ir.copy_decos(input, output);
    Some((input, output, element))
}

fn levels(ir: &mut Ir, builtin: BuiltIn, count: u32) -> Id {
    let float = ir.float();
    let array = ir.array(float, count, None);
    let variable = ir.interface_variable(StorageClass::Output, array);
    ir.decorate_builtin(variable, builtin);
    ir.decorate(variable, Decoration::Patch, &[]);
    variable
}

/// Makes `body` the only function, and the module a control stage.
fn close(ir: &mut Ir, body: Vec<Instruction>, vertices: u32) {
    let void = ir.add(Op::TypeVoid, None, Vec::new());
    let ty = ir.add(Op::TypeFunction, None, vec![id(void)]);
    let main = ir.fresh();
    let control = Operand::FunctionControl(FunctionControl::NONE);
    let mut instructions = body.into_iter();
    let block = Block { label: instructions.next(), instructions: instructions.collect() };
    ir.module.functions.push(Function {
        def: Some(Instruction::new(Op::Function, Some(void), Some(main), vec![control, id(ty)])),
        end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
        parameters: Vec::new(),
        blocks: vec![block],
    });
    if let Some(entry) = ir.module.entry_points.first_mut() {
        let model = Operand::ExecutionModel(ExecutionModel::TessellationControl);
        let head = [model, id(main)];
        for (slot, operand) in entry.operands.iter_mut().zip(head) {
            *slot = operand;
        }
    }
    let mode = vec![id(main), Operand::ExecutionMode(ExecutionMode::OutputVertices), lit(vertices)];
    ir.module.execution_modes.push(Instruction::new(Op::ExecutionMode, None, None, mode));
}
