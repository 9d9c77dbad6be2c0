//! Function bodies: walking, rewriting, and replacing ids.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::Op;

use crate::{Id, Ir, id_at};

impl Ir {
    /// Every instruction of every function, in order.
    pub fn body(&self) -> impl Iterator<Item = &Instruction> {
        self.module.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| b.instructions.iter()))
    }
    /// Function id of the entry point.
    pub fn main(&self) -> Id {
        self.module.entry_points.first().and_then(|e| id_at(e, 1)).unwrap_or(0)
    }
    /// Types of ids that functions define.
    pub fn local_types(&self) -> HashMap<Id, Id> {
        let parameters = self.module.functions.iter().flat_map(|f| f.parameters.iter());
        self.body().chain(parameters).filter_map(|i| Some((i.result_id?, i.result_type?))).collect()
    }
    /// Rewrites every function body: `each` gets an instruction and writes what replaces it.
    pub fn rewrite<E>(
        &mut self,
        mut each: impl FnMut(&mut Ir, Instruction, &mut Vec<Instruction>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut functions = std::mem::take(&mut self.module.functions);
        let mut done = Ok(());
        for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
            let old = std::mem::take(&mut block.instructions);
            for inst in old {
                if done.is_ok() {
                    done = each(self, inst, &mut block.instructions);
                }
            }
        }
        self.module.functions = functions;
        done
    }
    /// An instruction with a fresh result.
    pub fn emit(&mut self, out: &mut Vec<Instruction>, op: Op, ty: Id, operands: Vec<Operand>) -> Id {
        let result = self.fresh();
        out.push(Instruction::new(op, Some(ty), Some(result), operands));
        result
    }
    /// Replaces ids everywhere they are used.
    pub fn replace_ids(&mut self, map: &HashMap<Id, Id>) {
        if map.is_empty() {
            return;
        }
        let change = |inst: &mut Instruction| {
            if let Some(new) = inst.result_type.and_then(|t| map.get(&t)) {
                inst.result_type = Some(*new);
            }
            for used in inst.operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
                if let Some(new) = map.get(used) {
                    *used = *new;
                }
            }
        };
        self.module.all_inst_iter_mut().for_each(change);
    }
}
