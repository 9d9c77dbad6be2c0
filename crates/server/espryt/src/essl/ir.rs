//! One stage's SPIR-V with its names, decorations and types at hand, and the edits that passes need. Must not know OpenGL ES
//! or what a pass is for.

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionModel, Op, StorageClass};
use std::collections::{BTreeMap, HashMap, HashSet};

use super::EsslError;

/// A SPIR-V id.
pub type Id = u32;
/// A decoration with its operands.
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

/// A module that is being rewritten.
pub struct Ir {
    /// Instructions; names and decorations live in the maps below until [`Ir::finish`].
    pub module: Module,
    /// Stage of the only entry point.
    pub model: ExecutionModel,
    next: Id,
    globals: HashMap<Id, usize>,
    names: BTreeMap<Id, String>,
    member_names: BTreeMap<(Id, u32), String>,
    decorations: BTreeMap<Id, Vec<Deco>>,
    member_decorations: BTreeMap<(Id, u32), Vec<Deco>>,
    interned: HashMap<(Op, Option<Id>, Vec<Operand>), Id>,
}

fn is_unique(op: Op) -> bool {
    !matches!(op, Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::Variable | Op::Undef)
}

impl Ir {
    /// Reads `words`. Names that the program gave are dropped: they say nothing to the driver and clash with its keywords.
    pub fn load(words: &[u32]) -> Result<Self, EsslError> {
        let mut module = rspirv::dr::load_words(words).map_err(|e| EsslError::Parse(e.to_string()))?;
        let model = match module.entry_points.first().and_then(|e| e.operands.first()) {
            Some(Operand::ExecutionModel(model)) => *model,
            _ => return Err(EsslError::Shape("entry point")),
        };
        module.debug_names.clear();
        module.debug_string_source.clear();
        module.debug_module_processed.clear();
        let annotations = std::mem::take(&mut module.annotations);
        let next = module.header.as_ref().map_or(1, |h| h.bound);
        let mut ir = Self {
            module,
            model,
            next,
            globals: HashMap::new(),
            names: BTreeMap::new(),
            member_names: BTreeMap::new(),
            decorations: BTreeMap::new(),
            member_decorations: BTreeMap::new(),
            interned: HashMap::new(),
        };
        for mut inst in annotations {
            let target = id_at(&inst, 0).unwrap_or(0);
            match inst.class.opcode {
                Op::Decorate => ir.decorations.entry(target).or_default().push(inst.operands.split_off(1)),
                Op::MemberDecorate => {
                    let member = lit_at(&inst, 1).unwrap_or(0);
                    ir.member_decorations.entry((target, member)).or_default().push(inst.operands.split_off(2));
                }
                _ => {}
            }
        }
        ir.index();
        Ok(ir)
    }

    /// Rebuilds the index over global instructions after some were moved or removed.
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
    /// The same, to change it. Its result id stays.
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

    /// `OpTypeInt 32`.
    pub fn int(&mut self, signed: bool) -> Id {
        self.add(Op::TypeInt, None, vec![lit(32), lit(u32::from(signed))])
    }
    /// `OpTypeFloat 32`.
    pub fn float(&mut self) -> Id {
        // Newer producers may write an encoding operand; ours does not.
        self.add(Op::TypeFloat, None, vec![lit(32)])
    }
    /// `OpTypeVector`, or the scalar itself for one component.
    pub fn vector(&mut self, of: Id, n: u32) -> Id {
        if n == 1 { of } else { self.add(Op::TypeVector, None, vec![id(of), lit(n)]) }
    }
    /// `OpTypePointer`.
    pub fn pointer(&mut self, class: StorageClass, to: Id) -> Id {
        self.add(Op::TypePointer, None, vec![Operand::StorageClass(class), id(to)])
    }
    /// A `uint` constant.
    pub fn const_uint(&mut self, value: u32) -> Id {
        let ty = self.int(false);
        self.add(Op::Constant, Some(ty), vec![lit(value)])
    }
    /// An `int` constant.
    pub fn const_int(&mut self, value: i32) -> Id {
        let ty = self.int(true);
        self.add(Op::Constant, Some(ty), vec![lit(value.cast_unsigned())])
    }
    /// A `float` constant.
    pub fn const_float(&mut self, value: f32) -> Id {
        let ty = self.float();
        self.add(Op::Constant, Some(ty), vec![lit(value.to_bits())])
    }
    /// A composite constant.
    pub fn const_composite(&mut self, ty: Id, parts: &[Id]) -> Id {
        self.add(Op::ConstantComposite, Some(ty), parts.iter().map(|p| id(*p)).collect())
    }
    /// An array type, with a stride when it lies in a buffer.
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
        let result = self.add(Op::TypeArray, None, operands);
        if let Some(stride) = stride {
            self.decorate(result, Decoration::ArrayStride, &[stride]);
        }
        result
    }
    /// A global variable; inputs and outputs join the entry point's interface.
    pub fn variable(&mut self, class: StorageClass, pointee: Id) -> Id {
        let pointer = self.pointer(class, pointee);
        let result = self.add(Op::Variable, Some(pointer), vec![Operand::StorageClass(class)]);
        if matches!(class, StorageClass::Input | StorageClass::Output)
            && let Some(entry) = self.module.entry_points.first_mut()
        {
            entry.operands.push(id(result));
        }
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
    /// Global variables of a storage class, in declaration order.
    pub fn variables(&self, class: StorageClass) -> Vec<Id> {
        let all =
            self.module.types_global_values.iter().filter(|i| {
                i.class.opcode == Op::Variable && i.operands.first() == Some(&Operand::StorageClass(class))
            });
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
    /// Element type and length of an array type; the length of a run-time sized one is 0.
    pub fn array_of(&self, ty: Id) -> Option<(Id, u32)> {
        let inst = self.global(ty)?;
        match inst.class.opcode {
            Op::TypeArray => Some((id_at(inst, 0)?, id_at(inst, 1).and_then(|c| self.const_value(c)).unwrap_or(1))),
            Op::TypeRuntimeArray => Some((id_at(inst, 0)?, 0)),
            _ => None,
        }
    }
    /// The type under all arrays, and the product of their lengths.
    pub fn strip_arrays(&self, mut ty: Id) -> (Id, u32) {
        let mut count = 1;
        while let Some((of, len)) = self.array_of(ty) {
            (ty, count) = (of, count * len.max(1));
        }
        (ty, count)
    }
    /// Scalar type and components of a scalar or vector type.
    pub fn vector_of(&self, ty: Id) -> Option<(Id, u32)> {
        let inst = self.global(ty)?;
        match inst.class.opcode {
            Op::TypeVector => Some((id_at(inst, 0)?, lit_at(inst, 1)?)),
            Op::TypeInt | Op::TypeFloat | Op::TypeBool => Some((ty, 1)),
            _ => None,
        }
    }
    /// Member types of a struct.
    pub fn members(&self, ty: Id) -> Vec<Id> {
        let inst = self.global(ty).filter(|i| i.class.opcode == Op::TypeStruct);
        inst.map_or_else(Vec::new, |i| i.operands.iter().filter_map(Operand::id_ref_any).collect())
    }
    /// Type that an index steps into.
    pub fn step(&self, ty: Id, index: Id) -> Option<Id> {
        let inst = self.global(ty)?;
        match inst.class.opcode {
            Op::TypeStruct => id_at(inst, self.const_value(index)? as usize),
            Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => id_at(inst, 0),
            _ => None,
        }
    }

    /// Sets a name.
    pub fn set_name(&mut self, id: Id, name: &str) {
        self.names.insert(id, name.to_owned());
    }
    /// Name of an id.
    pub fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("", String::as_str)
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
    /// Built-in of a variable.
    pub fn builtin(&self, id: Id) -> Option<BuiltIn> {
        self.decos(id).iter().find_map(builtin_of)
    }
    /// Built-in of a member.
    pub fn member_builtin(&self, id: Id, member: u32) -> Option<BuiltIn> {
        self.member_decos(id, member).iter().find_map(builtin_of)
    }
    /// Sets a decoration, replacing one of the same kind.
    pub fn decorate(&mut self, target: Id, which: Decoration, values: &[u32]) {
        let list = self.decorations.entry(target).or_default();
        list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        let mut deco = vec![Operand::Decoration(which)];
        deco.extend(values.iter().map(|v| lit(*v)));
        list.push(deco);
    }
    /// Decorates with a built-in.
    pub fn decorate_builtin(&mut self, target: Id, builtin: BuiltIn) {
        let deco = vec![Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(builtin)];
        self.undecorate(target, Decoration::BuiltIn);
        self.decorations.entry(target).or_default().push(deco);
    }
    /// Replaces all decorations of a member.
    pub fn set_member_decos(&mut self, target: Id, member: u32, decos: Vec<Deco>) {
        self.member_decorations.insert((target, member), decos);
    }
    /// Replaces all decorations of an id.
    pub fn set_decos(&mut self, target: Id, decos: Vec<Deco>) {
        self.decorations.insert(target, decos);
    }
    /// Drops a decoration.
    pub fn undecorate(&mut self, target: Id, which: Decoration) {
        if let Some(list) = self.decorations.get_mut(&target) {
            list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        }
    }
    /// Drops decorations for which `gone` holds, everywhere.
    pub fn drop_decos(&mut self, gone: impl Fn(Decoration) -> bool) {
        let keep = |d: &Deco| !matches!(d.first(), Some(Operand::Decoration(which)) if gone(*which));
        self.decorations.values_mut().for_each(|list| list.retain(keep));
        self.member_decorations.values_mut().for_each(|list| list.retain(keep));
    }

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
    pub fn replace(&mut self, map: &HashMap<Id, Id>) {
        if map.is_empty() {
            return;
        }
        self.module.all_inst_iter_mut().for_each(|inst| {
            if let Some(new) = inst.result_type.and_then(|t| map.get(&t)) {
                inst.result_type = Some(*new);
            }
            for used in inst.operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
                if let Some(new) = map.get(used) {
                    *used = *new;
                }
            }
        });
        self.index();
    }

    /// The words. Globals are put in an order in which everything is defined before it is used.
    pub fn finish(mut self) -> Vec<u32> {
        self.sort();
        for (target, list) in std::mem::take(&mut self.decorations) {
            for deco in list {
                let mut operands = vec![id(target)];
                operands.extend(deco);
                self.module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
            }
        }
        for ((target, member), list) in std::mem::take(&mut self.member_decorations) {
            for deco in list {
                let mut operands = vec![id(target), lit(member)];
                operands.extend(deco);
                self.module.annotations.push(Instruction::new(Op::MemberDecorate, None, None, operands));
            }
        }
        for (target, name) in std::mem::take(&mut self.names) {
            let operands = vec![id(target), Operand::LiteralString(name)];
            self.module.debug_names.push(Instruction::new(Op::Name, None, None, operands));
        }
        for ((target, member), name) in std::mem::take(&mut self.member_names) {
            let operands = vec![id(target), lit(member), Operand::LiteralString(name)];
            self.module.debug_names.push(Instruction::new(Op::MemberName, None, None, operands));
        }
        if let Some(header) = &mut self.module.header {
            header.bound = self.next;
        }
        self.module.assemble()
    }

    fn sort(&mut self) {
        let old = std::mem::take(&mut self.module.types_global_values);
        let at: HashMap<Id, usize> = old.iter().enumerate().filter_map(|(n, i)| Some((i.result_id?, n))).collect();
        let mut state = vec![0u8; old.len()];
        let mut order = Vec::with_capacity(old.len());
        for start in 0..old.len() {
            let mut stack = vec![(start, false)];
            while let Some((n, leaving)) = stack.pop() {
                if leaving {
                    order.push(n);
                } else if state[n] == 0 {
                    state[n] = 1;
                    stack.push((n, true));
                    let used =
                        old[n].result_type.into_iter().chain(old[n].operands.iter().filter_map(Operand::id_ref_any));
                    stack.extend(used.filter_map(|u| at.get(&u)).filter(|u| state[**u] == 0).map(|u| (*u, false)));
                }
            }
        }
        let mut slots: Vec<Option<Instruction>> = old.into_iter().map(Some).collect();
        self.module.types_global_values = order.into_iter().filter_map(|n| slots[n].take()).collect();
        self.index();
    }
}

fn builtin_of(deco: &Deco) -> Option<BuiltIn> {
    match deco.as_slice() {
        [Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(b)] => Some(*b),
        _ => None,
    }
}
/// Whether a list holds a decoration.
pub fn has(list: &[Deco], which: Decoration) -> bool {
    list.iter().any(|d| d.first() == Some(&Operand::Decoration(which)))
}
/// Literal of a decoration in a list.
pub fn deco_value(list: &[Deco], which: Decoration) -> Option<u32> {
    list.iter().find(|d| d.first() == Some(&Operand::Decoration(which))).and_then(|d| match d.get(1) {
        Some(Operand::LiteralBit32(value)) => Some(*value),
        _ => None,
    })
}
