//! `precise` reaches the functions of an expression: the compiler marks only its arithmetic, and a driver folds
//! `fract(floor(x))` to zero although `x` may be no number.
//! Must not mark what is not computed from marked values.

use rspirv::spirv::{Decoration, Op};

use mgl_spirv::{Id, Ir, id_at};

/// Marks the functions of GLSL.std.450 that take a marked value.
pub fn run(ir: &mut Ir) {
    let functions: Vec<(Id, Vec<Id>)> = ir
        .body()
        .filter(|i| i.class.opcode == Op::ExtInst)
        .filter_map(|i| Some((i.result_id?, (2..i.operands.len()).filter_map(|at| id_at(i, at)).collect())))
        .collect();
    // In order: a function may take the value of another.
    for (result, arguments) in functions {
        if arguments.iter().any(|a| ir.has_deco(*a, Decoration::NoContraction)) {
            ir.decorate(result, Decoration::NoContraction, &[]);
        }
    }
}
