//! Types, constants and global variables: adding them once, and asking what they are.

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::{Id, Ir, id, id_at, lit, lit_at};

impl Ir {
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
        let result = self.add(Op::TypeArray, None, operands);
        if let Some(stride) = stride {
            self.decorate(result, Decoration::ArrayStride, &[stride]);
        }
        result
    }
    /// A global variable of type `pointee`.
    pub fn variable(&mut self, class: StorageClass, pointee: Id, name: &str) -> Id {
        let pointer = self.pointer(class, pointee);
        let result = self.add(Op::Variable, Some(pointer), vec![Operand::StorageClass(class)]);
        self.names.insert(result, name.to_owned());
        result
    }
    /// The same without a name; inputs and outputs join the entry point's interface.
    pub fn interface_variable(&mut self, class: StorageClass, pointee: Id) -> Id {
        let result = self.variable(class, pointee, "");
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
    /// Whether a variable of the class `Uniform` is a storage block, or an array of them, of older modules.
    pub fn is_storage(&self, variable: Id) -> bool {
        let block = self.variable_type(variable).map(|(_, ty)| self.strip_arrays(ty).0);
        block.is_some_and(|block| self.has_deco(block, Decoration::BufferBlock))
    }
    /// Global variables in declaration order.
    pub fn variables(&self) -> Vec<Id> {
        let all = self.module.types_global_values.iter().filter(|i| i.class.opcode == Op::Variable);
        all.filter_map(|i| i.result_id).collect()
    }
    /// Global variables of a storage class, in declaration order.
    pub fn variables_of(&self, class: StorageClass) -> Vec<Id> {
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
    /// The type under all arrays, and the product of their lengths (no more than a word says).
    pub fn strip_arrays(&self, mut ty: Id) -> (Id, u32) {
        let mut count = 1;
        while let Some((of, len)) = self.array_of(ty) {
            (ty, count) = (of, u32::saturating_mul(count, len.max(1)));
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
}
