//! Functions of ours that do one thing per value of an index: for what a language or a device lets a shader select by
//! constants only. Must not know what is selected.

use crate::{Id, Ir, id};
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{FunctionControl, Op, SelectionControl, StorageClass};

/// A value and its type.
pub type Typed = (Id, Id);

/// Every way to choose one number below each of `lengths`.
pub fn combinations(lengths: &[u32]) -> Vec<Vec<u32>> {
    lengths.iter().fold(vec![Vec::new()], |all, length| {
        let longer = |head: &Vec<u32>| (0..*length).map(|n| [head.as_slice(), &[n]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

/// The type of a value that a function or the module defines.
pub fn type_of(ir: &Ir, locals: &std::collections::HashMap<Id, Id>, value: Id) -> Option<Id> {
    locals.get(&value).copied().or_else(|| ir.global(value).and_then(|i| i.result_type))
}

/// One function per call: the caller adds it to the module when it no longer walks through it.
pub struct Call<'a> {
    /// What decides.
    pub indices: &'a [Typed],
    /// What else the body needs.
    pub arguments: &'a [Typed],
    /// Result of the call.
    pub result: Option<Typed>,
    /// Values of the indices that do something; without a match the result is zero.
    pub cases: &'a [Vec<u32>],
}

impl Call<'_> {
    /// Appends the call to `out`. `body` writes what a case does with the parameters that stand for the arguments, and says
    /// the case's value.
    pub fn emit(
        &self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        mut body: impl FnMut(&mut Ir, &mut Vec<Instruction>, &[u32], &[Id]) -> Id,
    ) -> Function {
        let ty = match self.result {
            Some((_, ty)) => ty,
            None => ir.add(Op::TypeVoid, None, Vec::new()),
        };
        let all: Vec<Typed> = self.indices.iter().chain(self.arguments).copied().collect();
        let operands = std::iter::once(ty).chain(all.iter().map(|(_, ty)| *ty)).map(id).collect();
        let signature = ir.add(Op::TypeFunction, None, operands);
        let name = ir.fresh();
        let result = self.result.map_or_else(|| ir.fresh(), |(result, _)| result);
        let operands = std::iter::once(name).chain(all.iter().map(|(value, _)| *value)).map(id).collect();
        out.push(Instruction::new(Op::FunctionCall, Some(ty), Some(result), operands));

        let parameter =
            |ir: &mut Ir, ty| Instruction::new(Op::FunctionParameter, Some(ty), Some(ir.fresh()), Vec::new());
        let parameters: Vec<Instruction> = all.iter().map(|(_, ty)| parameter(ir, *ty)).collect();
        let ids: Vec<Id> = parameters.iter().filter_map(|p| p.result_id).collect();
        let (indices, arguments) = ids.split_at(self.indices.len());
        let mut blocks = Blocks::new(ir);
        let kept = self.result.map(|(_, ty)| blocks.variable(ir, ty));
        for case in self.cases {
            blocks.begin(ir, &self.condition(indices), case);
            let value = body(ir, &mut blocks.code, case, arguments);
            blocks.code.extend(kept.map(|kept| Instruction::new(Op::Store, None, None, vec![id(kept), id(value)])));
            blocks.end();
        }
        let last = match kept {
            Some(kept) => {
                let value = ir.emit(&mut blocks.code, Op::Load, ty, vec![id(kept)]);
                Instruction::new(Op::ReturnValue, None, None, vec![id(value)])
            }
            None => Instruction::new(Op::Return, None, None, Vec::new()),
        };
        let control = Operand::FunctionControl(FunctionControl::NONE);
        Function {
            def: Some(Instruction::new(Op::Function, Some(ty), Some(name), vec![control, id(signature)])),
            end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
            parameters,
            blocks: blocks.close(last),
        }
    }

    /// Parameters of the indices with their types.
    fn condition(&self, parameters: &[Id]) -> Vec<Typed> {
        parameters.iter().zip(self.indices).map(|(parameter, (_, ty))| (*parameter, *ty)).collect()
    }
}

/// Blocks under construction: one condition after the other.
struct Blocks {
    done: Vec<Block>,
    label: Id,
    code: Vec<Instruction>,
    merge: Id,
}

impl Blocks {
    fn new(ir: &mut Ir) -> Self {
        Self { done: Vec::new(), label: ir.fresh(), code: Vec::new(), merge: 0 }
    }

    /// A local variable that holds zero.
    fn variable(&mut self, ir: &mut Ir, ty: Id) -> Id {
        let pointer = ir.pointer(StorageClass::Function, ty);
        let class = Operand::StorageClass(StorageClass::Function);
        let variable = ir.emit(&mut self.code, Op::Variable, pointer, vec![class]);
        let zero = ir.add(Op::ConstantNull, Some(ty), Vec::new());
        self.code.push(Instruction::new(Op::Store, None, None, vec![id(variable), id(zero)]));
        variable
    }

    /// Starts what happens when every index has the value of the case.
    fn begin(&mut self, ir: &mut Ir, indices: &[Typed], case: &[u32]) {
        let bool_type = ir.add(Op::TypeBool, None, Vec::new());
        let signed = ir.int(true);
        let mut condition = None;
        for ((index, ty), value) in indices.iter().zip(case) {
            let value = if *ty == signed { ir.const_int(value.cast_signed()) } else { ir.const_uint(*value) };
            let one = ir.emit(&mut self.code, Op::IEqual, bool_type, vec![id(*index), id(value)]);
            condition = Some(match condition {
                Some(all) => ir.emit(&mut self.code, Op::LogicalAnd, bool_type, vec![id(all), id(one)]),
                None => one,
            });
        }
        let condition = condition.unwrap_or_else(|| ir.add(Op::ConstantTrue, Some(bool_type), Vec::new()));
        let inside = ir.fresh();
        self.merge = ir.fresh();
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.code.push(Instruction::new(Op::SelectionMerge, None, None, vec![id(self.merge), control]));
        let targets = vec![id(condition), id(inside), id(self.merge)];
        self.code.push(Instruction::new(Op::BranchConditional, None, None, targets));
        self.next(inside);
    }

    fn end(&mut self) {
        self.code.push(Instruction::new(Op::Branch, None, None, vec![id(self.merge)]));
        self.next(self.merge);
    }

    fn next(&mut self, label: Id) {
        let label = std::mem::replace(&mut self.label, label);
        let label = Some(Instruction::new(Op::Label, None, Some(label), Vec::new()));
        self.done.push(Block { label, instructions: std::mem::take(&mut self.code) });
    }

    fn close(mut self, last: Instruction) -> Vec<Block> {
        self.code.push(last);
        self.next(0);
        self.done
    }
}
