//! A SPIR-V module with its names, decorations and types at hand, and the edits that passes need.
//! Must not know GLSL or what a pass is for.

use std::collections::{BTreeMap, HashMap, HashSet};

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass};

use super::LowerError;

/// A SPIR-V id.
pub type Id = u32;
/// A decoration with its operands: `[Decoration, extra…]`.
pub type Deco = Vec<Operand>;

/// One stage's module.
#[derive(Clone, Debug)]
pub struct Ir {
    /// Instructions; names and decorations live in the maps below until [`Ir::finish`].
    pub module: Module,
    next: Id,
    globals: HashMap<Id, usize>,
    names: BTreeMap<Id, String>,
    member_names: BTreeMap<(Id, u32), String>,
    decorations: BTreeMap<Id, Vec<Deco>>,
    member_decorations: BTreeMap<(Id, u32), Vec<Deco>>,
    interned: HashMap<(Op, Option<Id>, Vec<Operand>), Id>,
}

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

/// Structs and arrays may be equal and still distinct, by their decorations; everything else is unique by value.
fn is_unique(op: Op) -> bool {
    !matches!(op, Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::Variable | Op::Undef)
}

impl Ir {
    /// Reads `words`.
    pub fn load(words: &[u32]) -> Result<Self, LowerError> {
        let mut module = rspirv::dr::load_words(words).map_err(|e| LowerError::Parse(e.to_string()))?;
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
        ir.index_globals();
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

    /// Rebuilds the index over global instructions after they were moved or removed.
    pub fn index_globals(&mut self) {
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
    pub fn add_global(&mut self, op: Op, result_type: Option<Id>, operands: Vec<Operand>) -> Id {
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

    /// Removes global instructions.
    pub fn remove_globals(&mut self, gone: &HashSet<Id>) {
        self.module.types_global_values.retain(|i| i.result_id.is_none_or(|id| !gone.contains(&id)));
        self.names.retain(|id, _| !gone.contains(id));
        self.decorations.retain(|id, _| !gone.contains(id));
        self.index_globals();
    }

    /// `OpTypeInt 32`.
    pub fn int(&mut self, signed: bool) -> Id {
        self.add_global(Op::TypeInt, None, vec![lit(32), lit(u32::from(signed))])
    }
    /// `OpTypeFloat 32`.
    pub fn float(&mut self) -> Id {
        self.add_global(Op::TypeFloat, None, vec![lit(32)])
    }
    /// `OpTypeVector`.
    pub fn vector(&mut self, of: Id, n: u32) -> Id {
        self.add_global(Op::TypeVector, None, vec![id(of), lit(n)])
    }
    /// `OpTypePointer`.
    pub fn pointer(&mut self, class: StorageClass, to: Id) -> Id {
        self.add_global(Op::TypePointer, None, vec![Operand::StorageClass(class), id(to)])
    }
    /// A `uint` constant.
    pub fn const_uint(&mut self, value: u32) -> Id {
        let ty = self.int(false);
        self.add_global(Op::Constant, Some(ty), vec![lit(value)])
    }
    /// An `int` constant.
    pub fn const_int(&mut self, value: i32) -> Id {
        let ty = self.int(true);
        self.add_global(Op::Constant, Some(ty), vec![lit(value.cast_unsigned())])
    }
    /// A `float` constant.
    pub fn const_float(&mut self, value: f32) -> Id {
        let ty = self.float();
        self.add_global(Op::Constant, Some(ty), vec![lit(value.to_bits())])
    }
    /// An array type, with a stride when it lies in a buffer. An existing equal one is used.
    pub fn array(&mut self, of: Id, len: u32, stride: Option<u32>) -> Id {
        let count = self.const_uint(len);
        let operands = vec![id(of), id(count)];
        let known = self.module.types_global_values.iter().find(|i| {
            i.class.opcode == Op::TypeArray
                && i.operands == operands
                && i.result_id.is_some_and(|id| self.deco(id, Decoration::ArrayStride) == stride)
        });
        if let Some(known) = known.and_then(|i| i.result_id) {
            return known;
        }
        let result = self.add_global(Op::TypeArray, None, operands);
        if let Some(stride) = stride {
            self.decorate(result, Decoration::ArrayStride, &[stride]);
        }
        result
    }
    /// A global variable of type `pointee`.
    pub fn variable(&mut self, class: StorageClass, pointee: Id, name: &str) -> Id {
        let pointer = self.pointer(class, pointee);
        let result = self.add_global(Op::Variable, Some(pointer), vec![Operand::StorageClass(class)]);
        self.names.insert(result, name.to_owned());
        result
    }

    /// Storage class and pointee of a pointer type.
    pub fn pointee(&self, pointer: Id) -> Option<(StorageClass, Id)> {
        let inst = self.global(pointer).filter(|i| i.class.opcode == Op::TypePointer)?;
        match inst.operands.first() {
            Some(Operand::StorageClass(class)) => Some((*class, id_at(inst, 1)?)),
            _ => None,
        }
    }
    /// Storage class and pointee of a global variable.
    pub fn variable_type(&self, variable: Id) -> Option<(StorageClass, Id)> {
        let inst = self.global(variable).filter(|i| i.class.opcode == Op::Variable)?;
        self.pointee(inst.result_type?)
    }
    /// Global variables in declaration order.
    pub fn variables(&self) -> Vec<Id> {
        let all = self.module.types_global_values.iter().filter(|i| i.class.opcode == Op::Variable);
        all.filter_map(|i| i.result_id).collect()
    }
    /// Value of an integer constant.
    pub fn const_value(&self, id: Id) -> Option<u32> {
        let inst = self.global(id)?;
        match inst.class.opcode {
            Op::Constant | Op::SpecConstant => lit_at(inst, 0),
            Op::ConstantNull => Some(0),
            _ => None,
        }
    }

    /// Name of an id; empty when it has none.
    pub fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }
    /// Name of a struct member.
    pub fn member_name(&self, id: Id, member: u32) -> &str {
        self.member_names.get(&(id, member)).map_or("", String::as_str)
    }
    /// Sets a name.
    pub fn set_name(&mut self, id: Id, name: &str) {
        self.names.insert(id, name.to_owned());
    }
    /// Sets a member name.
    pub fn set_member_name(&mut self, id: Id, member: u32, name: &str) {
        self.member_names.insert((id, member), name.to_owned());
    }

    /// Decorations of an id.
    pub fn decos(&self, id: Id) -> &[Deco] {
        self.decorations.get(&id).map_or(&[], Vec::as_slice)
    }
    /// Decorations of a member.
    pub fn member_decos(&self, id: Id, member: u32) -> &[Deco] {
        self.member_decorations.get(&(id, member)).map_or(&[], Vec::as_slice)
    }
    /// Literal of a decoration.
    pub fn deco(&self, id: Id, which: Decoration) -> Option<u32> {
        deco_value(self.decos(id), which)
    }
    /// Literal of a member decoration.
    pub fn member_deco(&self, id: Id, member: u32, which: Decoration) -> Option<u32> {
        deco_value(self.member_decos(id, member), which)
    }
    /// Whether an id is decorated so.
    pub fn has_deco(&self, id: Id, which: Decoration) -> bool {
        has(self.decos(id), which)
    }
    /// Whether a member is decorated so.
    pub fn has_member_deco(&self, id: Id, member: u32, which: Decoration) -> bool {
        has(self.member_decos(id, member), which)
    }
    /// Sets a decoration, replacing one of the same kind.
    pub fn decorate(&mut self, target: Id, which: Decoration, values: &[u32]) {
        let list = self.decorations.entry(target).or_default();
        list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        list.push(make_deco(which, values));
    }
    /// Sets a member decoration, replacing one of the same kind.
    pub fn decorate_member(&mut self, target: Id, member: u32, which: Decoration, values: &[u32]) {
        let list = self.member_decorations.entry((target, member)).or_default();
        list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        list.push(make_deco(which, values));
    }
    /// Replaces all decorations of a member.
    pub fn set_member_decos(&mut self, target: Id, member: u32, decos: Vec<Deco>) {
        self.member_decorations.insert((target, member), decos);
    }
    /// Decorates with a built-in.
    pub fn decorate_builtin(&mut self, target: Id, builtin: BuiltIn) {
        let deco = vec![Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(builtin)];
        self.decorations.entry(target).or_default().push(deco);
    }
    /// Forgets names and decorations of all members of a struct.
    pub fn clear_members(&mut self, target: Id) {
        self.member_names.retain(|(id, _), _| *id != target);
        self.member_decorations.retain(|(id, _), _| *id != target);
    }
    /// Forgets all decorations of an id.
    pub fn clear_decos(&mut self, target: Id) {
        self.decorations.remove(&target);
    }
    /// Copies the decorations of `from` to `to`.
    pub fn copy_decos(&mut self, from: Id, to: Id) {
        if let Some(list) = self.decorations.get(&from).cloned() {
            self.decorations.entry(to).or_default().extend(list);
        }
    }
    /// Drops a decoration.
    pub fn undecorate(&mut self, target: Id, which: Decoration) {
        if let Some(list) = self.decorations.get_mut(&target) {
            list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        }
    }
    /// Drops a member decoration.
    pub fn undecorate_member(&mut self, target: Id, member: u32, which: Decoration) {
        if let Some(list) = self.member_decorations.get_mut(&(target, member)) {
            list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        }
    }

    /// Declares a capability once.
    pub fn capability(&mut self, capability: Capability) {
        let operand = Operand::Capability(capability);
        if !self.module.capabilities.iter().any(|i| i.operands.contains(&operand)) {
            self.module.capabilities.push(Instruction::new(Op::Capability, None, None, vec![operand]));
        }
    }
    /// Withdraws a capability.
    pub fn drop_capability(&mut self, capability: Capability) {
        self.module.capabilities.retain(|i| !i.operands.contains(&Operand::Capability(capability)));
    }

    /// Every instruction of every function, in order.
    pub fn body(&self) -> impl Iterator<Item = &Instruction> {
        self.module.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| b.instructions.iter()))
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
        let index: HashMap<Id, usize> =
            all.iter().enumerate().filter_map(|(at, i)| i.result_id.map(|id| (id, at))).collect();
        let mut done = vec![false; all.len()];
        let mut order = Vec::with_capacity(all.len());
        for at in 0..all.len() {
            visit(at, &all, &index, &mut done, &mut order);
        }
        let mut slots: Vec<Option<Instruction>> = all.into_iter().map(Some).collect();
        self.module.types_global_values = order.into_iter().filter_map(|at| slots[at].take()).collect();
        self.index_globals();
    }
}

fn visit(at: usize, all: &[Instruction], index: &HashMap<Id, usize>, done: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut done[at], true) {
        return;
    }
    let inst = &all[at];
    for used in inst.result_type.into_iter().chain(inst.operands.iter().filter_map(Operand::id_ref_any)) {
        if let Some(needed) = index.get(&used) {
            visit(*needed, all, index, done, order);
        }
    }
    order.push(at);
}

fn make_deco(which: Decoration, values: &[u32]) -> Deco {
    let mut deco = vec![Operand::Decoration(which)];
    deco.extend(values.iter().map(|v| lit(*v)));
    deco
}

/// Whether `list` holds `which`.
pub fn has(list: &[Deco], which: Decoration) -> bool {
    list.iter().any(|d| d.first() == Some(&Operand::Decoration(which)))
}

/// Literal of `which` in `list`.
pub fn deco_value(list: &[Deco], which: Decoration) -> Option<u32> {
    let deco = list.iter().find(|d| d.first() == Some(&Operand::Decoration(which)))?;
    match deco.get(1) {
        Some(Operand::LiteralBit32(value)) => Some(*value),
        Some(Operand::BuiltIn(builtin)) => Some(*builtin as u32),
        _ => None,
    }
}
