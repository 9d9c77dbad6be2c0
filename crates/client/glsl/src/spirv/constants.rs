//! Specialisation constants become plain constants, and what is computed from them is computed.
//! Must not touch constants that cannot be specialised.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op};

use super::SpecializeError;
use mgl_spirv::{Id, Ir, lit};

/// Gives the constants of `values` (number, value) their values and makes all of them constant.
pub fn apply(ir: &mut Ir, values: &[(u32, u32)]) -> Result<(), SpecializeError> {
    let ids: HashMap<Id, u32> = ir
        .module
        .types_global_values
        .iter()
        .filter_map(|i| Some((i.result_id?, ir.deco(i.result_id?, Decoration::SpecId)?)))
        .collect();
    if let Some((unknown, _)) = values.iter().find(|(number, _)| !ids.values().any(|n| n == number)) {
        return Err(SpecializeError::Constant(*unknown));
    }
    let given: HashMap<u32, u32> = values.iter().copied().collect();
    let mut known: HashMap<Id, u32> = HashMap::new();
    let booleans: Vec<Id> = ir
        .module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::TypeBool)
        .filter_map(|i| i.result_id)
        .collect();
    for inst in &mut ir.module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        let value = ids.get(&result).and_then(|number| given.get(number)).copied();
        let bool_typed = inst.result_type.is_some_and(|t| booleans.contains(&t));
        let Some(plain) = plain(inst, value, bool_typed, &known) else { continue };
        if plain != inst.class.opcode {
            let operands = std::mem::take(&mut inst.operands);
            *inst = Instruction::new(plain, inst.result_type, inst.result_id, operands);
        }
        match (plain, inst.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(word))) => known.insert(result, *word),
            (Op::ConstantTrue, _) => known.insert(result, 1),
            (Op::ConstantFalse, _) => known.insert(result, 0),
            _ => None,
        };
    }
    for id in ids.keys() {
        ir.undecorate(*id, Decoration::SpecId);
    }
    ir.index();
    Ok(())
}

/// Makes the operands of a constant plain and says its operation; `None` for one that the driver computes.
fn plain(inst: &mut Instruction, value: Option<u32>, bool_typed: bool, known: &HashMap<Id, u32>) -> Option<Op> {
    Some(match inst.class.opcode {
        Op::SpecConstantTrue | Op::SpecConstantFalse => {
            let on = value.map_or(inst.class.opcode == Op::SpecConstantTrue, |v| v != 0);
            if on { Op::ConstantTrue } else { Op::ConstantFalse }
        }
        Op::SpecConstant => {
            if let (Some(value), Some(Operand::LiteralBit32(word))) = (value, inst.operands.first_mut()) {
                *word = value;
            }
            Op::Constant
        }
        Op::SpecConstantComposite => Op::ConstantComposite,
        Op::SpecConstantOp => match fold(&inst.operands, known) {
            Some(value) if bool_typed => {
                inst.operands.clear();
                if value != 0 { Op::ConstantTrue } else { Op::ConstantFalse }
            }
            Some(value) => {
                inst.operands = vec![lit(value)];
                Op::Constant
            }
            None => return None,
        },
        own => own,
    })
}

/// Value of an operation on 32-bit integers and booleans; `None` for others, which the driver computes.
fn fold(operands: &[Operand], known: &HashMap<Id, u32>) -> Option<u32> {
    let Some(Operand::LiteralSpecConstantOpInteger(op)) = operands.first() else { return None };
    let value = |at: usize| operands.get(at).and_then(Operand::id_ref_any).and_then(|id| known.get(&id)).copied();
    let a = value(1)?;
    let signed = |v: u32| v.cast_signed();
    let flag = u32::from;
    match op {
        Op::Not => return Some(!a),
        Op::SNegate => return Some(a.wrapping_neg()),
        Op::LogicalNot => return Some(flag(a == 0)),
        Op::Select => return if a != 0 { value(2) } else { value(3) },
        _ => {}
    }
    let b = value(2)?;
    Some(match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b)?,
        Op::UMod => a.checked_rem(b)?,
        Op::SDiv => signed(a).checked_div(signed(b))?.cast_unsigned(),
        Op::SRem => signed(a).checked_rem(signed(b))?.cast_unsigned(),
        Op::SMod => {
            let rest = signed(a).checked_rem(signed(b))?;
            let other_sign = rest != 0 && (rest < 0) != (signed(b) < 0);
            (if other_sign { rest.wrapping_add(signed(b)) } else { rest }).cast_unsigned()
        }
        Op::ShiftLeftLogical => a.checked_shl(b)?,
        Op::ShiftRightLogical => a.checked_shr(b)?,
        Op::ShiftRightArithmetic => signed(a).checked_shr(b)?.cast_unsigned(),
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::LogicalAnd => flag(a != 0 && b != 0),
        Op::LogicalOr => flag(a != 0 || b != 0),
        Op::LogicalEqual => flag((a != 0) == (b != 0)),
        Op::LogicalNotEqual => flag((a != 0) != (b != 0)),
        Op::IEqual => flag(a == b),
        Op::INotEqual => flag(a != b),
        Op::ULessThan => flag(a < b),
        Op::ULessThanEqual => flag(a <= b),
        Op::UGreaterThan => flag(a > b),
        Op::UGreaterThanEqual => flag(a >= b),
        Op::SLessThan => flag(signed(a) < signed(b)),
        Op::SLessThanEqual => flag(signed(a) <= signed(b)),
        Op::SGreaterThan => flag(signed(a) > signed(b)),
        Op::SGreaterThanEqual => flag(signed(a) >= signed(b)),
        _ => return None,
    })
}
