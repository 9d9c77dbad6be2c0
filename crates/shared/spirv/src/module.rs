//! The module itself: reading, the index over global instructions, and writing. Must not know what types or decorations
//! mean.

use std::collections::{BTreeMap, HashMap, HashSet};

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Capability, ExecutionModel, Op};

use crate::{Deco, Id, ParseError, id, id_at, lit, lit_at};

/// One stage's module.
#[derive(Clone, Debug)]
pub struct Ir {
    /// Instructions; names and decorations live in the maps below until [`Ir::finish`].
    pub module: Module,
    next: Id,
    globals: HashMap<Id, usize>,
    pub(crate) names: BTreeMap<Id, String>,
    pub(crate) member_names: BTreeMap<(Id, u32), String>,
    pub(crate) decorations: BTreeMap<Id, Vec<Deco>>,
    pub(crate) member_decorations: BTreeMap<(Id, u32), Vec<Deco>>,
    interned: HashMap<(Op, Option<Id>, Vec<Operand>), Id>,
}

/// Structs and arrays may be equal and still distinct, by their decorations; everything else is unique by value.
fn is_unique(op: Op) -> bool {
    !matches!(op, Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::Variable | Op::Undef)
}

impl Ir {
    /// Reads `words`.
    pub fn load(words: &[u32]) -> Result<Self, ParseError> {
        let mut module = rspirv::dr::load_words(words).map_err(|e| ParseError(e.to_string()))?;
        let next = module.header.as_ref().map_or(1, |h| h.bound);
        let mut ir = Self {
            next,
            globals: HashMap::new(),
            names: BTreeMap::new(),
            member_names: BTreeMap::new(),
            decorations: BTreeMap::new(),
            member_decorations: BTreeMap::new(),
            interned: HashMap::new(),
            module: Module::default(),
        };
        ir.take_names(std::mem::take(&mut module.debug_names));
        let annotations = std::mem::take(&mut module.annotations);
        ir.module = module;
        ir.take_annotations(annotations);
        ir.index();
        Ok(ir)
    }

    fn take_names(&mut self, names: Vec<Instruction>) {
        for inst in names {
            let target = id_at(&inst, 0).unwrap_or(0);
            match (inst.class.opcode, inst.operands.last()) {
                (Op::Name, Some(Operand::LiteralString(text))) => {
                    self.names.insert(target, text.clone());
                }
                (Op::MemberName, Some(Operand::LiteralString(text))) => {
                    self.member_names.insert((target, lit_at(&inst, 1).unwrap_or(0)), text.clone());
                }
                _ => {}
            }
        }
    }

    fn take_annotations(&mut self, annotations: Vec<Instruction>) {
        for mut inst in annotations {
            let target = id_at(&inst, 0).unwrap_or(0);
            match inst.class.opcode {
                Op::Decorate => {
                    self.decorations.entry(target).or_default().push(inst.operands.split_off(1));
                }
                Op::MemberDecorate => {
                    let member = lit_at(&inst, 1).unwrap_or(0);
                    self.member_decorations.entry((target, member)).or_default().push(inst.operands.split_off(2));
                }
                _ => self.module.annotations.push(inst),
            }
        }
    }
    /// Forgets the names that the source gave: they say nothing to a driver and may clash with its language's keywords.
    pub fn drop_names(&mut self) {
        self.names.clear();
        self.member_names.clear();
        self.module.debug_string_source.clear();
        self.module.debug_module_processed.clear();
    }
    /// Stage of the entry point.
    pub fn model(&self) -> Option<ExecutionModel> {
        match self.module.entry_points.first()?.operands.first()? {
            Operand::ExecutionModel(model) => Some(*model),
            _ => None,
        }
    }

    /// Rebuilds the index over global instructions after they were moved or removed.
    pub fn index(&mut self) {
        self.globals.clear();
        self.interned.clear();
        for (at, inst) in self.module.types_global_values.iter().enumerate() {
            let Some(result) = inst.result_id else { continue };
            self.globals.insert(result, at);
            if is_unique(inst.class.opcode) {
                let key = (inst.class.opcode, inst.result_type, inst.operands.clone());
                self.interned.entry(key).or_insert(result);
            }
        }
    }

    /// A new id.
    pub fn fresh(&mut self) -> Id {
        self.next += 1;
        self.next - 1
    }

    /// The global instruction that defines `id`.
    pub fn global(&self, id: Id) -> Option<&Instruction> {
        self.globals.get(&id).and_then(|at| self.module.types_global_values.get(*at))
    }
    /// The same, to change it. The caller keeps the index valid (same result id).
    pub fn global_mut(&mut self, id: Id) -> Option<&mut Instruction> {
        self.globals.get(&id).and_then(|at| self.module.types_global_values.get_mut(*at))
    }

    /// Adds a global instruction; of unique ones there is only ever one.
    pub fn add(&mut self, op: Op, result_type: Option<Id>, operands: Vec<Operand>) -> Id {
        let key = (op, result_type, operands);
        if is_unique(op)
            && let Some(known) = self.interned.get(&key)
        {
            return *known;
        }
        let result = self.fresh();
        self.globals.insert(result, self.module.types_global_values.len());
        self.module.types_global_values.push(Instruction::new(op, result_type, Some(result), key.2.clone()));
        if is_unique(op) {
            self.interned.insert(key, result);
        }
        result
    }

    /// Removes global instructions and everything said about them.
    pub fn remove(&mut self, gone: &HashSet<Id>) {
        self.module.types_global_values.retain(|i| i.result_id.is_none_or(|id| !gone.contains(&id)));
        self.decorations.retain(|id, _| !gone.contains(id));
        self.names.retain(|id, _| !gone.contains(id));
        for entry in &mut self.module.entry_points {
            entry.operands.retain(|o| o.id_ref_any().is_none_or(|id| !gone.contains(&id)));
        }
        self.index();
    }

    /// Declares a capability once.
    pub fn capability(&mut self, capability: Capability) {
        let operand = Operand::Capability(capability);
        if !self.module.capabilities.iter().any(|i| i.operands.contains(&operand)) {
            self.module.capabilities.push(Instruction::new(Op::Capability, None, None, vec![operand]));
        }
    }

    /// Declares the extension that brought a capability into modules before SPIR-V 1.3, once.
    pub fn extension_before_1_3(&mut self, name: &str) {
        self.extension_before((1, 3), name);
    }

    /// The same for what another version brought.
    pub fn extension_before(&mut self, version: (u8, u8), name: &str) {
        let old = self.module.header.as_ref().is_none_or(|header| header.version() < version);
        let operand = Operand::LiteralString(name.to_owned());
        if old && !self.module.extensions.iter().any(|i| i.operands.contains(&operand)) {
            self.module.extensions.push(Instruction::new(Op::Extension, None, None, vec![operand]));
        }
    }

    /// Withdraws a capability.
    pub fn drop_capability(&mut self, capability: Capability) {
        self.module.capabilities.retain(|i| !i.operands.contains(&Operand::Capability(capability)));
    }

    /// Words of the finished module.
    pub fn finish(mut self) -> Vec<u32> {
        self.sort_globals();
        let present: HashSet<Id> = self.module.all_inst_iter().filter_map(|i| i.result_id).collect();
        for (target, name) in &self.names {
            if present.contains(target) && !name.is_empty() {
                let operands = vec![id(*target), Operand::LiteralString(name.clone())];
                self.module.debug_names.push(Instruction::new(Op::Name, None, None, operands));
            }
        }
        for ((target, member), name) in &self.member_names {
            if present.contains(target) {
                let operands = vec![id(*target), lit(*member), Operand::LiteralString(name.clone())];
                self.module.debug_names.push(Instruction::new(Op::MemberName, None, None, operands));
            }
        }
        for (target, list) in self.decorations.iter().filter(|(t, _)| present.contains(t)) {
            for deco in list {
                let mut operands = vec![id(*target)];
                operands.extend_from_slice(deco);
                self.module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
            }
        }
        for ((target, member), list) in self.member_decorations.iter().filter(|((t, _), _)| present.contains(t)) {
            for deco in list {
                let mut operands = vec![id(*target), lit(*member)];
                operands.extend_from_slice(deco);
                self.module.annotations.push(Instruction::new(Op::MemberDecorate, None, None, operands));
            }
        }
        if let Some(header) = &mut self.module.header {
            header.bound = self.next;
        }
        self.module.assemble()
    }

    /// Orders global instructions so that each follows what it uses; passes append wherever they like.
    pub fn sort_globals(&mut self) {
        let all = std::mem::take(&mut self.module.types_global_values);
        let order = after_what_they_use(&all);
        let mut slots: Vec<Option<Instruction>> = all.into_iter().map(Some).collect();
        self.module.types_global_values = order.into_iter().filter_map(|at| slots[at].take()).collect();
        self.index();
    }
}

/// Positions in depth-first order. Without recursion: how deeply types nest is the choice of who wrote the module.
fn after_what_they_use(all: &[Instruction]) -> Vec<usize> {
    let index: HashMap<Id, usize> = all.iter().enumerate().filter_map(|(at, i)| Some((i.result_id?, at))).collect();
    let mut done = vec![false; all.len()];
    let mut order = Vec::with_capacity(all.len());
    let mut stack = Vec::new();
    for start in 0..all.len() {
        stack.push((start, false));
        while let Some((at, leaving)) = stack.pop() {
            if leaving {
                order.push(at);
            } else if !std::mem::replace(&mut done[at], true) {
                stack.push((at, true));
                let inst = &all[at];
                let operands = inst.operands.iter().rev().filter_map(Operand::id_ref_any);
                let used = operands.chain(inst.result_type).filter_map(|id| index.get(&id));
                stack.extend(used.map(|needed| (*needed, false)));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::Ir;
    use crate::id;
    use rspirv::binary::Assemble;
    use rspirv::dr::Builder;
    use rspirv::spirv::Op;

    /// If this fails, a module whose types nest without end overflows the stack of the process that reads it.
    #[test]
    fn types_may_nest_deeply() {
        let mut ir = Ir::load(&Builder::new().module().assemble()).unwrap();
        let mut ty = ir.float();
        for _ in 0..100_000 {
            ty = ir.add(Op::TypeStruct, None, vec![id(ty)]);
        }
        // The worst order: each before what it uses.
        ir.module.types_global_values.reverse();
        ir.sort_globals();
        assert_eq!(ir.module.types_global_values.last().and_then(|i| i.result_id), Some(ty));
    }

    /// If this fails, a pass that appends a type behind its first use produces a module that no driver takes.
    #[test]
    fn what_is_used_comes_first() {
        let mut b = Builder::new();
        b.set_version(1, 0);
        b.type_float(32, None);
        let mut ir = Ir::load(&b.module().assemble()).unwrap();
        let vector = {
            let float = ir.float();
            ir.vector(float, 4)
        };
        ir.module.types_global_values.swap(0, 1);
        ir.sort_globals();
        assert_eq!(ir.module.types_global_values.last().and_then(|i| i.result_id), Some(vector));
    }

    /// If this fails, a program's own SPIR-V of version 1.0 is invalid after the driver's passes, and drivers refuse it.
    #[test]
    fn extensions_are_declared_once_and_only_where_they_are_needed() {
        for (minor, expected) in [(0, 1), (3, 0)] {
            let mut b = Builder::new();
            b.set_version(1, minor);
            let mut ir = Ir::load(&b.module().assemble()).unwrap();
            for _ in 0..2 {
                ir.extension_before_1_3("SPV_KHR_shader_draw_parameters");
            }
            assert_eq!(ir.module.extensions.len(), expected, "1.{minor}");
        }
    }
}
