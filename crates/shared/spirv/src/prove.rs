//! What passes need of a module that somebody else wrote, so that they may walk its types: in order, and of a bounded size.
//! Must not know what the module is for.

use std::collections::HashMap;

use rspirv::dr::{Module, Operand};
use rspirv::spirv::Op;

use crate::{Id, ParseError, lit_at};

/// Types and constants inside one another.
const MAX_DEPTH: u32 = 128;
/// Types and constants that one is made of, each as often as it is named: passes walk them as a tree.
const MAX_PARTS: u64 = 1 << 20;

/// Types and constants refer only to what stands before them, which leaves no cycle, and are neither too deep nor too large.
pub fn prove_types(module: &Module) -> Result<(), ParseError> {
    let refused = |why: String| Err(ParseError(why));
    let others = module.ext_inst_imports.iter().chain(&module.debug_string_source);
    let mut known: HashMap<Id, (u32, u64)> = others.filter_map(|i| Some((i.result_id?, (0, 0)))).collect();
    for inst in &module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        let columns = matches!(inst.class.opcode, Op::TypeVector | Op::TypeMatrix);
        if columns && !lit_at(inst, 1).is_some_and(|n| (2..=4).contains(&n)) {
            return refused(format!("type {result} has not two to four components"));
        }
        let (mut depth, mut parts) = (0, 1u64);
        for id in inst.result_type.into_iter().chain(inst.operands.iter().filter_map(Operand::id_ref_any)) {
            let Some(own) = known.get(&id) else {
                return refused(format!("id {result} refers to id {id} behind it"));
            };
            (depth, parts) = (depth.max(own.0 + 1), parts.saturating_add(own.1));
        }
        if depth > MAX_DEPTH || parts > MAX_PARTS {
            return refused("types or constants are nested too deeply".into());
        }
        known.insert(result, (depth, parts));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::prove_types;
    use crate::id;
    use rspirv::dr::{Builder, Instruction};
    use rspirv::spirv::Op;

    /// An array of itself would keep a server of many programs walking without an end, or overflow its stack.
    #[test]
    fn no_type_is_inside_itself() {
        let mut b = Builder::new();
        let uint = b.type_int(32, 0);
        let two = b.constant_bit32(uint, 2);
        let array = b.type_array(uint, two);
        let mut module = b.module();
        assert_eq!(prove_types(&module), Ok(()));
        let own = Instruction::new(Op::TypeArray, None, Some(array), vec![id(array), id(two)]);
        module.types_global_values.pop();
        module.types_global_values.push(own);
        assert!(prove_types(&module).is_err_and(|e| e.0.contains("behind it")));
    }
}
