//! Loose uniforms: their data moves into the default uniform block (set 0, binding 0), their samplers and images become
//! variables of their own with a set and a binding.
//! Must not decide offsets or bindings; booleans become `uint` in the block and are compared with zero where they are read.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass};

use super::LowerError;
use super::block_arrays::flatten;
use super::function_args::element_type;
use super::layout;
use super::liveness::is_chain;
use super::ty::Ty;
use mgl_spirv::{Id, Ir, id, id_at};

/// Where the samplers at one member path of a loose uniform go.
#[derive(Clone, Debug)]
pub struct OpaqueHome {
    /// Struct members from the variable to the opaque type, without array indices.
    pub members: Vec<u32>,
    /// Lengths of all arrays on the way, from the outside in.
    pub dims: Vec<u32>,
    /// Descriptor set.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Name for the variable.
    pub name: String,
}

/// Where one loose uniform of a stage goes.
#[derive(Clone, Debug)]
pub struct LooseHome {
    /// The variable.
    pub variable: Id,
    /// Byte offset of its data in the default block.
    pub offset: Option<u32>,
    /// Its samplers and images.
    pub opaques: Vec<OpaqueHome>,
}

/// What a loose uniform was rewritten to.
struct Target {
    pointee: Id,
    /// Member of the block struct.
    member: Option<u32>,
    opaques: Vec<(OpaqueHome, Id)>,
}

struct Pass<'a> {
    ir: &'a mut Ir,
    /// Data type → its form in the block.
    forms: HashMap<Id, Id>,
    /// Struct type → new index of each member, for structs that lost members.
    kept: HashMap<Id, Vec<Option<u32>>>,
    targets: HashMap<Id, Target>,
    chains: HashMap<Id, (Id, Vec<Id>)>,
    block: Id,
}

/// Rewrites all loose uniforms of a stage.
pub fn run(ir: &mut Ir, homes: &[LooseHome]) -> Result<(), LowerError> {
    let mut pass = Pass {
        ir,
        forms: HashMap::new(),
        kept: HashMap::new(),
        targets: HashMap::new(),
        chains: HashMap::new(),
        block: 0,
    };
    pass.declare(homes)?;
    pass.rewrite_bodies()?;
    let gone = homes.iter().map(|h| h.variable).collect();
    pass.ir.remove(&gone);
    Ok(())
}

impl Pass<'_> {
    fn declare(&mut self, homes: &[LooseHome]) -> Result<(), LowerError> {
        let mut members = Vec::new();
        let mut decorations = Vec::new();
        for home in homes {
            let (_, pointee) = self.ir.variable_type(home.variable).ok_or(LowerError::Unexpected("loose uniform"))?;
            let mut target = Target { pointee, member: None, opaques: Vec::new() };
            if let Some(offset) = home.offset {
                let ty = Ty::read(self.ir, pointee)?;
                target.member = u32::try_from(members.len()).ok();
                decorations.push((self.ir.name(home.variable).to_owned(), offset, ty));
                members.push(id(self.form(pointee)?));
            }
            for opaque in &home.opaques {
                let variable = self.opaque_variable(pointee, opaque)?;
                target.opaques.push((opaque.clone(), variable));
            }
            self.targets.insert(home.variable, target);
        }
        if members.is_empty() {
            return Ok(());
        }
        let block = self.ir.add(Op::TypeStruct, None, members);
        self.ir.set_name(block, "MobileGLDefaultBlock");
        self.ir.decorate(block, Decoration::Block, &[]);
        for ((name, offset, ty), at) in decorations.iter().zip(0..) {
            self.ir.set_member_name(block, at, name);
            self.place(block, at, *offset, ty);
        }
        self.block = self.ir.variable(StorageClass::Uniform, block, "");
        self.ir.decorate(self.block, Decoration::DescriptorSet, &[0]);
        self.ir.decorate(self.block, Decoration::Binding, &[0]);
        Ok(())
    }

    /// Offset and matrix decorations of one member of a block or of a struct in it.
    fn place(&mut self, block: Id, member: u32, offset: u32, ty: &Ty) {
        self.ir.decorate_member(block, member, Decoration::Offset, &[offset]);
        if let Ty::Matrix(scalar, _, rows) = ty.peel().0 {
            self.ir.decorate_member(block, member, Decoration::ColMajor, &[]);
            self.ir.decorate_member(block, member, Decoration::MatrixStride, &[layout::matrix_stride(*scalar, *rows)]);
        }
    }

    fn opaque_variable(&mut self, pointee: Id, home: &OpaqueHome) -> Result<Id, LowerError> {
        let bad = || LowerError::Unexpected("opaque uniform");
        let mut members = home.members.iter();
        let mut ty = pointee;
        loop {
            let inst = self.ir.global(ty).ok_or_else(bad)?;
            ty = match inst.class.opcode {
                Op::TypeArray => id_at(inst, 0),
                Op::TypeStruct => members.next().and_then(|m| id_at(inst, *m as usize)),
                _ => break,
            }
            .ok_or_else(bad)?;
        }
        if !home.dims.is_empty() {
            ty = self.ir.array(ty, home.dims.iter().product(), None);
        }
        let variable = self.ir.variable(StorageClass::UniformConstant, ty, &home.name);
        self.ir.decorate(variable, Decoration::DescriptorSet, &[home.set]);
        self.ir.decorate(variable, Decoration::Binding, &[home.binding]);
        Ok(variable)
    }

    /// The form of data type `ty` in the block.
    fn form(&mut self, ty: Id) -> Result<Id, LowerError> {
        if let Some(known) = self.forms.get(&ty) {
            return Ok(*known);
        }
        let inst = self.ir.global(ty).cloned().ok_or(LowerError::Unexpected("uniform type"))?;
        let element = id_at(&inst, 0);
        let form = match (inst.class.opcode, element) {
            (Op::TypeBool, _) => self.ir.int(false),
            (Op::TypeVector, Some(of)) => {
                let of = self.form(of)?;
                self.ir.add(Op::TypeVector, None, vec![id(of), inst.operands[1].clone()])
            }
            (Op::TypeArray, Some(of)) => {
                let stride = layout::array_stride(&Ty::read(self.ir, of)?);
                let of = self.form(of)?;
                let len = id_at(&inst, 1).and_then(|c| self.ir.const_value(c)).unwrap_or(1);
                self.ir.array(of, len, Some(stride))
            }
            (Op::TypeStruct, _) => self.struct_form(ty, &inst)?,
            _ => ty,
        };
        self.forms.insert(ty, form);
        Ok(form)
    }

    fn struct_form(&mut self, ty: Id, inst: &Instruction) -> Result<Id, LowerError> {
        let Ty::Struct(shape) = Ty::read(self.ir, ty)? else { return Err(LowerError::Unexpected("struct")) };
        let offsets = layout::member_offsets(&shape.members);
        let mut kept = Vec::new();
        let mut members = Vec::new();
        let mut placed = Vec::new();
        for ((member, offset), of) in shape.members.iter().zip(&offsets).zip(&inst.operands) {
            let (Some(offset), Some(of)) = (offset, of.id_ref_any()) else {
                kept.push(None);
                continue;
            };
            let at = u32::try_from(members.len()).unwrap_or(0);
            kept.push(Some(at));
            members.push(id(self.form(of)?));
            placed.push((at, *offset, member.clone()));
        }
        let form = self.ir.add(Op::TypeStruct, None, members);
        self.ir.set_name(form, &shape.name);
        for (at, offset, member) in placed {
            self.ir.set_member_name(form, at, &member.name);
            self.place(form, at, offset, &member.ty);
        }
        self.kept.insert(ty, kept);
        Ok(form)
    }

    fn rewrite_bodies(&mut self) -> Result<(), LowerError> {
        let mut functions = std::mem::take(&mut self.ir.module.functions);
        for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
            let old = std::mem::take(&mut block.instructions);
            for inst in old {
                self.rewrite(inst, &mut block.instructions)?;
            }
        }
        self.ir.module.functions = functions;
        Ok(())
    }

    fn root(&self, pointer: Id) -> Option<(Id, Vec<Id>)> {
        if self.targets.contains_key(&pointer) {
            return Some((pointer, Vec::new()));
        }
        self.chains.get(&pointer).cloned()
    }

    fn rewrite(&mut self, mut inst: Instruction, out: &mut Vec<Instruction>) -> Result<(), LowerError> {
        let root = id_at(&inst, 0).and_then(|base| self.root(base));
        if let (Some((variable, mut path)), true, Some(result)) = (root.clone(), is_chain(&inst), inst.result_id) {
            path.extend(inst.operands.iter().skip(1).filter_map(Operand::id_ref_any));
            self.chains.insert(result, (variable, path));
            return Ok(());
        }
        if let (Some((variable, path)), Op::Load) = (root, inst.class.opcode)
            && let Some((pointer, form, plain)) = self.data_pointer(variable, &path, out)?
        {
            let raw = if form == plain { inst.result_id } else { None };
            let loaded = self.emit(Op::Load, form, vec![id(pointer)], raw, out);
            if form != plain {
                self.convert(loaded, form, plain, inst.result_id, out)?;
            }
            return Ok(());
        }
        for at in 0..inst.operands.len() {
            let Some((variable, path)) = id_at(&inst, at).and_then(|used| self.root(used)) else { continue };
            let pointer = self.opaque_pointer(variable, &path, out)?;
            inst.operands[at] = id(pointer);
        }
        out.push(inst);
        Ok(())
    }

    fn emit(&mut self, op: Op, ty: Id, operands: Vec<Operand>, result: Option<Id>, out: &mut Vec<Instruction>) -> Id {
        let result = result.unwrap_or_else(|| self.ir.fresh());
        out.push(Instruction::new(op, Some(ty), Some(result), operands));
        result
    }

    /// A pointer into the block, the type behind it, and the type the shader wants; `None` when the path is opaque.
    fn data_pointer(
        &mut self,
        variable: Id,
        path: &[Id],
        out: &mut Vec<Instruction>,
    ) -> Result<Option<(Id, Id, Id)>, LowerError> {
        let target = &self.targets[&variable];
        let Some(member) = target.member else { return Ok(None) };
        let mut ty = target.pointee;
        let member = self.ir.const_uint(member);
        let mut operands = vec![id(self.block), id(member)];
        for index in path {
            let kept = self.kept.get(&ty).zip(self.ir.const_value(*index)).map(|(kept, at)| kept.get(at as usize));
            match kept {
                Some(Some(Some(new))) => {
                    let new = self.ir.const_uint(*new);
                    operands.push(id(new));
                }
                Some(_) => return Ok(None),
                None => operands.push(id(*index)),
            }
            ty = element_type(self.ir, ty, *index).ok_or(LowerError::Unexpected("uniform access"))?;
        }
        if !Ty::read(self.ir, ty)?.has_data() {
            return Ok(None);
        }
        let form = self.form(ty)?;
        let pointer = self.ir.pointer(StorageClass::Uniform, form);
        Ok(Some((self.emit(Op::AccessChain, pointer, operands, None, out), form, ty)))
    }

    /// The value of type `plain` that `value` of block form `form` stands for.
    fn convert(
        &mut self,
        value: Id,
        form: Id,
        plain: Id,
        result: Option<Id>,
        out: &mut Vec<Instruction>,
    ) -> Result<Id, LowerError> {
        if form == plain {
            return Ok(value);
        }
        let inst = self.ir.global(plain).cloned().ok_or(LowerError::Unexpected("uniform type"))?;
        let parts: Vec<Id> = match inst.class.opcode {
            Op::TypeBool | Op::TypeVector => {
                let zero = self.ir.add(Op::ConstantNull, Some(form), vec![]);
                return Ok(self.emit(Op::INotEqual, plain, vec![id(value), id(zero)], result, out));
            }
            Op::TypeArray => {
                let len = id_at(&inst, 1).and_then(|c| self.ir.const_value(c)).unwrap_or(1);
                vec![id_at(&inst, 0).unwrap_or(0); len as usize]
            }
            _ => inst.operands.iter().filter_map(Operand::id_ref_any).collect(),
        };
        let mut values = Vec::with_capacity(parts.len());
        for (part, at) in parts.into_iter().zip(0..) {
            let part_form = self.form(part)?;
            let extract = vec![id(value), Operand::LiteralBit32(at)];
            let extracted = self.emit(Op::CompositeExtract, part_form, extract, None, out);
            values.push(id(self.convert(extracted, part_form, part, None, out)?));
        }
        Ok(self.emit(Op::CompositeConstruct, plain, values, result, out))
    }

    /// A pointer to the sampler or image (or whole array of them) at `path`.
    fn opaque_pointer(&mut self, variable: Id, path: &[Id], out: &mut Vec<Instruction>) -> Result<Id, LowerError> {
        let bad = || LowerError::Unexpected("opaque access");
        let mut ty = self.targets[&variable].pointee;
        let (mut members, mut indices) = (Vec::new(), Vec::new());
        for index in path {
            if self.ir.global(ty).is_some_and(|i| i.class.opcode == Op::TypeStruct) {
                members.push(self.ir.const_value(*index).ok_or_else(bad)?);
            } else {
                indices.push(*index);
            }
            ty = element_type(self.ir, ty, *index).ok_or_else(bad)?;
        }
        let found = self.targets[&variable].opaques.iter().find(|(home, _)| home.members == members);
        let (home, home_variable) = found.cloned().ok_or_else(bad)?;
        if indices.is_empty() {
            return Ok(home_variable);
        }
        if indices.len() != home.dims.len() {
            return Err(LowerError::Unsupported("passing a part of an array of arrays of opaque types"));
        }
        let flat = flatten(self.ir, &indices, &home.dims, out);
        let pointer = self.ir.pointer(StorageClass::UniformConstant, ty);
        Ok(self.emit(Op::AccessChain, pointer, vec![id(home_variable), id(flat)], None, out))
    }
}
