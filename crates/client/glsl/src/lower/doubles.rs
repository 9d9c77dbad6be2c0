//! Functions of doubles that devices get wrong: rounding to the nearest even number, which some do in fewer bits. Must not
//! touch floats.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op};

use mgl_spirv::{Id, Ir, id, id_at, lit};

/// `Round` and `RoundEven` of GLSL.std.450; GLSL lets `round` take either neighbour of a half (GLSL 4.60 §8.3).
const ROUNDS: [u32; 2] = [1, 2];

/// From here on every double is an integer.
const INTEGERS: f64 = (1u64 << 52) as f64;

/// Rewrites every rounding of doubles.
pub fn run(ir: &mut Ir) {
    let Some(double) = ir
        .module
        .types_global_values
        .iter()
        .find(|i| i.class.opcode == Op::TypeFloat && i.operands.first() == Some(&lit(64)))
        .and_then(|i| i.result_id)
    else {
        return;
    };
    let done: Result<(), std::convert::Infallible> = ir.rewrite(|ir, inst, out| {
        let number = match inst.operands.get(1) {
            Some(Operand::LiteralExtInstInteger(n)) if inst.class.opcode == Op::ExtInst => *n,
            _ => 0,
        };
        match (inst.result_id.zip(inst.result_type), id_at(&inst, 2)) {
            (Some((result, ty)), Some(value))
                if ROUNDS.contains(&number) && ir.vector_of(ty).is_some_and(|(of, _)| of == double) =>
            {
                round(ir, out, (result, ty), value, double);
            }
            _ => out.push(inst),
        }
        Ok(())
    });
    let Ok(()) = done;
}

/// Adding 2^52 with the sign of the value leaves no bit for a fraction, and rounding to nearest even is what additions do.
fn round(ir: &mut Ir, out: &mut Vec<Instruction>, (result, ty): (Id, Id), value: Id, double: Id) {
    let components = ir.vector_of(ty).map_or(1, |(_, n)| n);
    let bool_type = ir.add(Op::TypeBool, None, Vec::new());
    let mut constant = |number: f64| ir.add(Op::Constant, Some(double), vec![Operand::LiteralBit64(number.to_bits())]);
    let (zero, up, down) = (constant(0.0), constant(INTEGERS), constant(-INTEGERS));
    let mut parts = Vec::new();
    for component in 0..components {
        let x = match components {
            1 => value,
            _ => ir.emit(out, Op::CompositeExtract, double, vec![id(value), lit(component)]),
        };
        let negative = ir.emit(out, Op::FOrdLessThan, bool_type, vec![id(x), id(zero)]);
        let large = ir.emit(out, Op::Select, double, vec![id(negative), id(down), id(up)]);
        let sum = ir.emit(out, Op::FAdd, double, vec![id(x), id(large)]);
        let rounded = ir.emit(out, Op::FSub, double, vec![id(sum), id(large)]);
        for exact in [sum, rounded] {
            ir.decorate(exact, Decoration::NoContraction, &[]);
        }
        let above = ir.emit(out, Op::FOrdGreaterThanEqual, bool_type, vec![id(x), id(up)]);
        let below = ir.emit(out, Op::FOrdLessThanEqual, bool_type, vec![id(x), id(down)]);
        let whole = ir.emit(out, Op::LogicalOr, bool_type, vec![id(above), id(below)]);
        parts.push(ir.emit(out, Op::Select, double, vec![id(whole), id(x), id(rounded)]));
    }
    let (op, parts) = match parts.as_slice() {
        [one] => (Op::CopyObject, vec![id(*one)]),
        all => (Op::CompositeConstruct, all.iter().map(|p| id(*p)).collect()),
    };
    out.push(Instruction::new(op, Some(ty), Some(result), parts));
}
