//! The least, middle and greatest of three values (AMD_shader_trinary_minmax), which glslang leaves to instructions of an
//! extension of SPIR-V, by those of GLSL.std.450. Must not know which device has that extension.

use std::collections::HashSet;
use std::convert::Infallible;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op as GLOp, Op};

use mgl_spirv::{Id, Ir, id, id_at};

/// Name of the instruction set and of the extension that brings it.
const SET: &str = "SPV_AMD_shader_trinary_minmax";

/// Which of the three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Least,
    Greatest,
    Middle,
}

/// The rank of an instruction of the set, and the functions that give the lesser and the greater of two values of its type.
fn meaning(number: u32) -> Option<(Rank, GLOp, GLOp)> {
    let rank = match number {
        1..=3 => Rank::Least,
        4..=6 => Rank::Greatest,
        7..=9 => Rank::Middle,
        _ => return None,
    };
    Some(match (number - 1) % 3 {
        0 => (rank, GLOp::FMin, GLOp::FMax),
        1 => (rank, GLOp::UMin, GLOp::UMax),
        _ => (rank, GLOp::SMin, GLOp::SMax),
    })
}

fn named(inst: &Instruction, name: &str) -> bool {
    inst.operands.first() == Some(&Operand::LiteralString(name.into()))
}

/// Rewrites them.
pub fn run(ir: &mut Ir) {
    let sets: HashSet<Id> =
        ir.module.ext_inst_imports.iter().filter(|i| named(i, SET)).filter_map(|i| i.result_id).collect();
    if sets.is_empty() {
        return;
    }
    let glsl = standard(ir);
    let done: Result<(), Infallible> = ir.rewrite(|ir, inst, out| {
        match replaced(ir, &inst, &sets, glsl, out) {
            Some(last) => out.push(last),
            None => out.push(inst),
        }
        Ok(())
    });
    let Ok(()) = done;
    ir.module.ext_inst_imports.retain(|i| !named(i, SET));
    ir.module.extensions.retain(|i| !named(i, SET));
}

/// The set of GLSL's functions.
fn standard(ir: &mut Ir) -> Id {
    let name = "GLSL.std.450";
    if let Some(found) = ir.module.ext_inst_imports.iter().find(|i| named(i, name)).and_then(|i| i.result_id) {
        return found;
    }
    let set = ir.fresh();
    let operands = vec![Operand::LiteralString(name.into())];
    ir.module.ext_inst_imports.push(Instruction::new(Op::ExtInstImport, None, Some(set), operands));
    set
}

/// What gives the result of an instruction of the set, after what was put before it.
fn replaced(
    ir: &mut Ir,
    inst: &Instruction,
    sets: &HashSet<Id>,
    glsl: Id,
    out: &mut Vec<Instruction>,
) -> Option<Instruction> {
    let of_set = inst.class.opcode == Op::ExtInst && id_at(inst, 0).is_some_and(|set| sets.contains(&set));
    let Some(Operand::LiteralExtInstInteger(number)) = inst.operands.get(1).filter(|_| of_set) else { return None };
    let (rank, min, max) = meaning(*number)?;
    let (ty, [a, b, c]) = (inst.result_type?, [id_at(inst, 2)?, id_at(inst, 3)?, id_at(inst, 4)?]);
    let operands = |op: GLOp, x: Id, y: Id| vec![id(glsl), Operand::LiteralExtInstInteger(op as u32), id(x), id(y)];
    let (op, x, y) = match rank {
        Rank::Least => (min, ir.emit(out, Op::ExtInst, ty, operands(min, a, b)), c),
        Rank::Greatest => (max, ir.emit(out, Op::ExtInst, ty, operands(max, a, b)), c),
        // The greater of the lesser two, and of the third and the greater: the middle of sorted three.
        Rank::Middle => {
            let lesser = ir.emit(out, Op::ExtInst, ty, operands(min, a, b));
            let greater = ir.emit(out, Op::ExtInst, ty, operands(max, a, b));
            (max, lesser, ir.emit(out, Op::ExtInst, ty, operands(min, greater, c)))
        }
    };
    Some(Instruction::new(Op::ExtInst, Some(ty), inst.result_id, operands(op, x, y)))
}

#[cfg(test)]
mod tests {
    use super::{GLOp, Rank, meaning};

    /// A sorting filter would take the wrong one of three values, or compare integers as floats.
    #[test]
    fn instructions_have_their_meaning() {
        assert_eq!(meaning(1), Some((Rank::Least, GLOp::FMin, GLOp::FMax)));
        assert_eq!(meaning(5), Some((Rank::Greatest, GLOp::UMin, GLOp::UMax)));
        assert_eq!(meaning(9), Some((Rank::Middle, GLOp::SMin, GLOp::SMax)));
        assert_eq!(meaning(10), None);
    }
}
