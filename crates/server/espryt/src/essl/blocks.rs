//! Uniform and storage blocks: ESSL has no `layout(offset)`. Members are put in the order of their offsets, and what lies
//! between them is filled so that the natural layout gives the same offsets. Must not choose offsets.

use super::EsslError;
use mgl_spirv::{Deco, Id, Ir, deco_value, has, id, id_at, is_chain, lit, lit_at};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// Layout rules of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Std140,
    Std430,
}

/// Rewrites every block whose members are not where the natural layout has them.
pub fn run(ir: &mut Ir) -> Result<(), EsslError> {
    let mut seen = HashSet::new();
    for class in [StorageClass::Uniform, StorageClass::StorageBuffer] {
        for variable in ir.variables_of(class) {
            let Some((_, ty)) = ir.variable_type(variable) else { continue };
            let (block, _) = ir.strip_arrays(ty);
            if seen.insert(block) {
                let storage = class == StorageClass::StorageBuffer || ir.has_deco(block, Decoration::BufferBlock);
                fit(ir, block, storage)?;
            }
        }
    }
    Ok(())
}

struct Member {
    ty: Id,
    offset: u32,
    decos: Vec<Deco>,
    old: u32,
}

fn fit(ir: &mut Ir, block: Id, storage: bool) -> Result<(), EsslError> {
    let mut members = Vec::new();
    for (old, ty) in (0u32..).zip(ir.members(block)) {
        let offset = ir.member_deco(block, old, Decoration::Offset).ok_or(EsslError::Shape("block without offsets"))?;
        members.push(Member { ty, offset, decos: ir.member_decos(block, old).to_vec(), old });
    }
    let natural = |ir: &Ir, rules| {
        let mut at = 0;
        members.iter().all(|m| {
            let fits = round_up(at, align(ir, m.ty, &m.decos, rules)) == m.offset;
            at = m.offset + size(ir, m.ty, &m.decos, rules);
            fits
        })
    };
    if natural(ir, Rules::Std140) || storage && natural(ir, Rules::Std430) {
        return Ok(());
    }
    let rules = if storage { Rules::Std430 } else { Rules::Std140 };
    members.sort_by_key(|m| m.offset);
    let (mut order, mut types, mut decos): (HashMap<u32, u32>, Vec<Id>, Vec<Vec<Deco>>) = Default::default();
    let mut at = 0;
    for member in &members {
        if member.offset < at || member.offset % align(ir, member.ty, &member.decos, rules) != 0 {
            return Err(EsslError::Unsupported("BlockLayout"));
        }
        while round_up(at, align(ir, member.ty, &member.decos, rules)) != member.offset {
            let (ty, bytes) = filler(ir, at, member.offset);
            types.push(ty);
            decos.push(vec![vec![Operand::Decoration(Decoration::Offset), lit(at)]]);
            at += bytes;
        }
        order.insert(member.old, types.len() as u32);
        types.push(member.ty);
        decos.push(member.decos.clone());
        at = member.offset + size(ir, member.ty, &member.decos, rules);
    }
    if let Some(inst) = ir.global_mut(block) {
        inst.operands = types.into_iter().map(id).collect();
    }
    for (n, list) in (0u32..).zip(decos) {
        ir.set_member_decos(block, n, list);
    }
    renumber(ir, block, &order)
}

/// What lies between `at` and `to`: a scalar up to the next multiple of 16, then vectors.
fn filler(ir: &mut Ir, at: u32, to: u32) -> (Id, u32) {
    let float = ir.float();
    let vectors = (to - at) / 16;
    if !at.is_multiple_of(16) || vectors == 0 {
        return (float, 4);
    }
    let vec4 = ir.vector(float, 4);
    (ir.array(vec4, vectors, Some(16)), vectors * 16)
}

/// Member indices of every access into the block.
fn renumber(ir: &mut Ir, block: Id, order: &HashMap<u32, u32>) -> Result<(), EsslError> {
    let locals = ir.local_types();
    ir.rewrite(|ir, mut inst, out| {
        let base = id_at(&inst, 0).unwrap_or(0);
        let ty = locals.get(&base).copied().or_else(|| ir.global(base).and_then(|i| i.result_type));
        let pointee = ty.and_then(|ty| ir.pointee(ty)).map(|(_, to)| to);
        if let (Op::ArrayLength, Some(to), Some(member)) = (inst.class.opcode, pointee, lit_at(&inst, 1))
            && to == block
        {
            inst.operands[1] = lit(order.get(&member).copied().unwrap_or(member));
        }
        if is_chain(&inst) {
            let mut ty = pointee;
            for at in 1..inst.operands.len() {
                let (Some(here), Some(index)) = (ty, id_at(&inst, at)) else { break };
                if here == block {
                    let member = ir.const_value(index).ok_or(EsslError::Shape("block member"))?;
                    let new = order.get(&member).copied().unwrap_or(member);
                    let index = ir.const_int(new.cast_signed());
                    inst.operands[at] = id(index);
                    break;
                }
                ty = ir.step(here, index);
            }
        }
        out.push(inst);
        Ok(())
    })
}

fn round_up(value: u32, align: u32) -> u32 {
    value.div_ceil(align.max(1)) * align.max(1)
}

/// Base alignment (GL 4.6 core §7.6.2.2).
fn align(ir: &Ir, ty: Id, decos: &[Deco], rules: Rules) -> u32 {
    let outer = |n: u32| if rules == Rules::Std140 { round_up(n, 16) } else { n };
    if let Some((of, _)) = ir.array_of(ty) {
        return outer(align(ir, of, decos, rules));
    }
    if let Some((_, n)) = ir.vector_of(ty) {
        return if n == 3 { 16 } else { 4 * n };
    }
    let Some(inst) = ir.global(ty) else { return 4 };
    match inst.class.opcode {
        Op::TypeMatrix => {
            let (columns, rows) = matrix(ir, ty);
            let n = if has(decos, Decoration::RowMajor) { columns } else { rows };
            outer(if n == 3 { 16 } else { 4 * n })
        }
        Op::TypeStruct => {
            let members = (0u32..).zip(ir.members(ty));
            outer(members.map(|(n, of)| align(ir, of, ir.member_decos(ty, n), rules)).max().unwrap_or(4))
        }
        _ => 4,
    }
}

fn matrix(ir: &Ir, ty: Id) -> (u32, u32) {
    let Some(inst) = ir.global(ty) else { return (1, 1) };
    let rows = id_at(inst, 0).and_then(|c| ir.vector_of(c)).map_or(1, |(_, n)| n);
    (lit_at(inst, 1).unwrap_or(1), rows)
}

/// Bytes up to where the next member may start, before its own alignment.
fn size(ir: &Ir, ty: Id, decos: &[Deco], rules: Rules) -> u32 {
    if let Some((_, len)) = ir.array_of(ty) {
        return len * ir.deco(ty, Decoration::ArrayStride).unwrap_or(16);
    }
    if let Some((_, n)) = ir.vector_of(ty) {
        return 4 * n;
    }
    let Some(inst) = ir.global(ty) else { return 4 };
    match inst.class.opcode {
        Op::TypeMatrix => {
            let (columns, rows) = matrix(ir, ty);
            let count = if has(decos, Decoration::RowMajor) { rows } else { columns };
            count * deco_value(decos, Decoration::MatrixStride).unwrap_or(16)
        }
        Op::TypeStruct => {
            let mut end = 0;
            for (n, of) in (0u32..).zip(ir.members(ty)) {
                let decos = ir.member_decos(ty, n);
                end = deco_value(decos, Decoration::Offset).unwrap_or(end) + size(ir, of, decos, rules);
            }
            round_up(end, align(ir, ty, decos, rules))
        }
        _ => 4,
    }
}
