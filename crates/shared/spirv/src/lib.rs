//! One stage's SPIR-V with its names, decorations and types at hand, and the edits that passes need. The GLSL compiler and
//! the backends rewrite modules with it; it must not know GLSL, a driver, or what a pass is for.
#![forbid(unsafe_code)]

mod body;
pub mod cases;
mod control;
mod decorations;
mod module;
mod prove;
pub mod select;
mod types;
mod uniform;

pub use control::{PassedControl, pass_control};
pub use decorations::{deco_value, has};
pub use module::Ir;
pub use prove::prove_types;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::Op;

/// Why a module cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SPIR-V does not parse: {0}")]
pub struct ParseError(pub String);

/// A SPIR-V id.
pub type Id = u32;
/// A decoration with its operands: `[Decoration, extra…]`.
pub type Deco = Vec<Operand>;

/// Shorthand for an id operand.
pub fn id(id: Id) -> Operand {
    Operand::IdRef(id)
}
/// Shorthand for a literal operand.
pub fn lit(value: u32) -> Operand {
    Operand::LiteralBit32(value)
}
/// The id in operand `at`.
pub fn id_at(inst: &Instruction, at: usize) -> Option<Id> {
    inst.operands.get(at).and_then(Operand::id_ref_any)
}
/// The literal in operand `at`.
pub fn lit_at(inst: &Instruction, at: usize) -> Option<u32> {
    match inst.operands.get(at) {
        Some(Operand::LiteralBit32(value)) => Some(*value),
        _ => None,
    }
}
/// Whether `inst` makes a pointer into what its first operand points to.
pub fn is_chain(inst: &Instruction) -> bool {
    matches!(inst.class.opcode, Op::AccessChain | Op::InBoundsAccessChain)
}
