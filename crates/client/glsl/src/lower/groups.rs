//! Groups of invocations that vote and read each other's values (GLSL 4.60 §8.19, ARB_shader_ballot): the device's own, in
//! stages where it has them, by the operations of Vulkan 1.1. Elsewhere each invocation is a group of its own, which GL leaves
//! open and every device can do. Must not know which device it is.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Op, Scope, StorageClass};

use super::builtins::variables_of;
use super::io::make_private;
use mgl_spirv::{Id, Ir, id, id_at};

/// What groups of the device can do in a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Vote.
    pub vote: bool,
    /// Give ballots and read each other's values.
    pub ballot: bool,
    /// Invocations of a group.
    pub size: u32,
}

/// glslang declares the size of a group as a uniform, and nobody sets it. It becomes a global of the stage, before anything
/// reads the stage's uniforms; [`run`] gives it its value.
pub fn declare(ir: &mut Ir) {
    for variable in sizes(ir, StorageClass::UniformConstant) {
        make_private(ir, variable);
    }
}

fn sizes(ir: &Ir, class: StorageClass) -> Vec<Id> {
    ir.variables_of(class).into_iter().filter(|v| ir.name(*v) == "gl_SubGroupSizeARB").collect()
}

/// Rewrites what glslang spells by extensions of SPIR-V 1.0.
pub fn run(ir: &mut Ir, device: Groups) {
    let seen: Vec<Op> = ir.body().map(|i| i.class.opcode).filter(|op| is_vote(*op) || is_ballot(*op)).collect();
    if seen.iter().any(|op| is_vote(*op)) {
        if device.vote { votes(ir) } else { own_votes(ir) }
    }
    if seen.iter().any(|op| is_ballot(*op)) {
        if device.ballot { ballots(ir) } else { own_ballots(ir) }
    }
    let size = ir.const_uint(if device.ballot { device.size } else { 1 });
    for variable in sizes(ir, StorageClass::Private) {
        initialise(ir, variable, size);
    }
    if device.ballot {
        if VARIABLES.iter().any(|(builtin, ..)| !variables_of(ir, *builtin).is_empty()) {
            ir.capability(Capability::GroupNonUniform);
            ir.capability(Capability::GroupNonUniformBallot);
        }
    } else {
        constants(ir, &VARIABLES);
    }
    for capability in [Capability::SubgroupVoteKHR, Capability::SubgroupBallotKHR] {
        ir.drop_capability(capability);
    }
    let gone = ["SPV_KHR_subgroup_vote", "SPV_KHR_shader_ballot"];
    let named = |i: &Instruction| gone.iter().any(|n| i.operands.contains(&Operand::LiteralString((*n).into())));
    ir.module.extensions.retain(|e| !named(e));
}

fn is_vote(op: Op) -> bool {
    matches!(op, Op::SubgroupAnyKHR | Op::SubgroupAllKHR | Op::SubgroupAllEqualKHR)
}

fn is_ballot(op: Op) -> bool {
    matches!(op, Op::SubgroupBallotKHR | Op::SubgroupFirstInvocationKHR | Op::SubgroupReadInvocationKHR)
}

/// The instructions of all functions.
fn instructions(ir: &mut Ir) -> impl Iterator<Item = &mut Instruction> {
    ir.module.functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|b| &mut b.instructions)
}

/// Names the group in front of the operands.
fn scoped(inst: &mut Instruction, op: Op, scope: Id) {
    let mut operands = vec![Operand::IdScope(scope)];
    operands.append(&mut inst.operands);
    *inst = Instruction::new(op, inst.result_type, inst.result_id, operands);
}

fn translate(ir: &mut Ir, to: impl Fn(Op) -> Option<Op>) {
    ir.capability(Capability::GroupNonUniform);
    let scope = ir.const_uint(Scope::Subgroup as u32);
    for inst in instructions(ir) {
        if let Some(op) = to(inst.class.opcode) {
            scoped(inst, op, scope);
        }
    }
}

fn votes(ir: &mut Ir) {
    ir.capability(Capability::GroupNonUniformVote);
    translate(ir, |op| match op {
        Op::SubgroupAnyKHR => Some(Op::GroupNonUniformAny),
        Op::SubgroupAllKHR => Some(Op::GroupNonUniformAll),
        Op::SubgroupAllEqualKHR => Some(Op::GroupNonUniformAllEqual),
        _ => None,
    });
}

/// Reads of any invocation are shuffles: a broadcast takes constants alone before SPIR-V 1.5.
fn ballots(ir: &mut Ir) {
    ir.capability(Capability::GroupNonUniformBallot);
    if ir.body().any(|i| i.class.opcode == Op::SubgroupReadInvocationKHR) {
        ir.capability(Capability::GroupNonUniformShuffle);
    }
    translate(ir, |op| match op {
        Op::SubgroupBallotKHR => Some(Op::GroupNonUniformBallot),
        Op::SubgroupFirstInvocationKHR => Some(Op::GroupNonUniformBroadcastFirst),
        Op::SubgroupReadInvocationKHR => Some(Op::GroupNonUniformShuffle),
        _ => None,
    });
}

/// `inst` as a copy of `value`.
fn copy(inst: &mut Instruction, value: Option<Id>) {
    let operands = value.map(id).into_iter().collect();
    *inst = Instruction::new(Op::CopyObject, inst.result_type, inst.result_id, operands);
}

fn own_votes(ir: &mut Ir) {
    let bool_type = ir.add(Op::TypeBool, None, vec![]);
    let yes = ir.add(Op::ConstantTrue, Some(bool_type), vec![]);
    for inst in instructions(ir).filter(|i| is_vote(i.class.opcode)) {
        let value = if inst.class.opcode == Op::SubgroupAllEqualKHR { Some(yes) } else { id_at(inst, 0) };
        copy(inst, value);
    }
}

fn own_ballots(ir: &mut Ir) {
    let uint = ir.int(false);
    let (zero, one) = (ir.const_uint(0), ir.const_uint(1));
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for mut inst in std::mem::take(&mut block.instructions) {
            match inst.class.opcode {
                Op::SubgroupFirstInvocationKHR | Op::SubgroupReadInvocationKHR => {
                    let value = id_at(&inst, 0);
                    copy(&mut inst, value);
                }
                Op::SubgroupBallotKHR => {
                    let vote = id_at(&inst, 0).unwrap_or(0);
                    let bit = ir.emit(&mut block.instructions, Op::Select, uint, vec![id(vote), id(one), id(zero)]);
                    let parts = [bit, zero, zero, zero].map(id).to_vec();
                    inst = Instruction::new(Op::CompositeConstruct, inst.result_type, inst.result_id, parts);
                }
                _ => {}
            }
            block.instructions.push(inst);
        }
    }
    ir.module.functions = functions;
}

/// Built-ins of a group, with their value in a group of one: a number, or the low word of a mask.
const VARIABLES: [(BuiltIn, bool, u32); 7] = [
    (BuiltIn::SubgroupSize, false, 1),
    (BuiltIn::SubgroupLocalInvocationId, false, 0),
    (BuiltIn::SubgroupEqMask, true, 1),
    (BuiltIn::SubgroupGeMask, true, 1),
    (BuiltIn::SubgroupGtMask, true, 0),
    (BuiltIn::SubgroupLeMask, true, 1),
    (BuiltIn::SubgroupLtMask, true, 0),
];

/// Makes built-ins globals with these values.
fn constants(ir: &mut Ir, all: &[(BuiltIn, bool, u32)]) {
    for (builtin, mask, value) in all {
        for variable in variables_of(ir, *builtin) {
            let (value, zero) = (ir.const_uint(*value), ir.const_uint(0));
            let initial = match ir.variable_type(variable) {
                Some((_, ty)) if *mask => ir.const_composite(ty, &[value, zero, zero, zero]),
                _ => value,
            };
            make_private(ir, variable);
            initialise(ir, variable, initial);
        }
    }
}

fn initialise(ir: &mut Ir, variable: Id, value: Id) {
    if let Some(inst) = ir.global_mut(variable) {
        inst.operands.push(id(value));
    }
}
