//! Atomic counters become words of storage buffers (set 2): Vulkan has no AtomicCounter storage class.
//! Must not choose bindings.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, MemorySemantics, Op, StorageClass};

use super::LowerError;
use super::liveness::is_chain;
use super::ty::Ty;
use mgl_spirv::{Id, Ir, id, id_at};

/// Where one counter variable goes.
#[derive(Clone, Copy, Debug)]
pub struct CounterHome {
    /// The variable.
    pub variable: Id,
    /// Binding in set 2.
    pub binding: u32,
    /// Byte offset in the buffer.
    pub offset: u32,
    /// Bytes of the buffer.
    pub size: u32,
}

/// Rewrites all counters of a stage.
pub fn run(ir: &mut Ir, homes: &[CounterHome]) -> Result<(), LowerError> {
    if homes.is_empty() {
        return Ok(());
    }
    let mut buffers: HashMap<u32, Id> = HashMap::new();
    let mut roots: HashMap<Id, (Id, u32, Vec<u32>)> = HashMap::new();
    for home in homes {
        let (_, pointee) = ir.variable_type(home.variable).ok_or(LowerError::Unexpected("atomic counter"))?;
        let dims = Ty::read(ir, pointee)?.peel().1;
        let buffer = match buffers.get(&home.binding) {
            Some(known) => *known,
            None => {
                let made = buffer(ir, home);
                buffers.insert(home.binding, made);
                made
            }
        };
        roots.insert(home.variable, (buffer, home.offset / 4, dims));
    }
    rewrite(ir, &roots);
    ir.drop_capability(Capability::AtomicStorage);
    ir.drop_capability(Capability::AtomicStorageOps);
    let of_counters = Operand::LiteralString("SPV_KHR_shader_atomic_counter_ops".into());
    ir.module.extensions.retain(|e| e.operands.first() != Some(&of_counters));
    let gone = homes.iter().map(|h| h.variable).collect();
    ir.remove(&gone);
    Ok(())
}

fn buffer(ir: &mut Ir, home: &CounterHome) -> Id {
    let uint = ir.int(false);
    let words = ir.array(uint, home.size.div_ceil(4).max(1), Some(4));
    let block = ir.add(Op::TypeStruct, None, vec![id(words)]);
    ir.set_name(block, "AtomicCounters");
    ir.decorate(block, Decoration::Block, &[]);
    ir.decorate_member(block, 0, Decoration::Offset, &[0]);
    let variable = ir.variable(StorageClass::StorageBuffer, block, "");
    ir.decorate(variable, Decoration::DescriptorSet, &[2]);
    ir.decorate(variable, Decoration::Binding, &[home.binding]);
    variable
}

/// One counter or array of counters: buffer, first word, array lengths.
type Root = (Id, u32, Vec<u32>);

fn rewrite(ir: &mut Ir, roots: &HashMap<Id, Root>) {
    let mut chains: HashMap<Id, (Root, Vec<Id>)> = HashMap::new();
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for mut inst in std::mem::take(&mut block.instructions) {
            let find = |pointer: Id, chains: &HashMap<Id, (Root, Vec<Id>)>| {
                roots.get(&pointer).map(|r| (r.clone(), Vec::new())).or_else(|| chains.get(&pointer).cloned())
            };
            let root = id_at(&inst, 0).and_then(|base| find(base, &chains));
            if let (true, Some((root, mut path)), Some(result)) = (is_chain(&inst), root, inst.result_id) {
                path.extend(inst.operands.iter().skip(1).filter_map(Operand::id_ref_any));
                chains.insert(result, (root, path));
                continue;
            }
            for at in 0..inst.operands.len() {
                let Some((root, path)) = id_at(&inst, at).and_then(|used| find(used, &chains)) else { continue };
                inst.operands[at] = id(pointer(ir, &root, &path, &mut block.instructions));
            }
            drop_counter_semantics(ir, &mut inst);
            block.instructions.push(inst);
        }
    }
    ir.module.functions = functions;
}

/// Barriers over counter memory are barriers over storage buffers now.
fn drop_counter_semantics(ir: &mut Ir, inst: &mut Instruction) {
    for at in 0..inst.operands.len() {
        let Operand::IdMemorySemantics(semantics) = inst.operands[at] else { continue };
        let Some(value) = ir.const_value(semantics).map(MemorySemantics::from_bits_truncate) else { continue };
        if value.contains(MemorySemantics::ATOMIC_COUNTER_MEMORY) {
            let changed = (value - MemorySemantics::ATOMIC_COUNTER_MEMORY) | MemorySemantics::UNIFORM_MEMORY;
            inst.operands[at] = Operand::IdMemorySemantics(ir.const_uint(changed.bits()));
        }
    }
}

fn pointer(ir: &mut Ir, root: &Root, path: &[Id], out: &mut Vec<Instruction>) -> Id {
    let (buffer, first, dims) = root;
    let uint = ir.int(false);
    let mut word = ir.const_uint(*first);
    let mut stride = 1;
    for (index, len) in path.iter().zip(dims).rev() {
        let scale = ir.const_uint(stride);
        let (scaled, sum) = (ir.fresh(), ir.fresh());
        out.push(Instruction::new(Op::IMul, Some(uint), Some(scaled), vec![id(*index), id(scale)]));
        out.push(Instruction::new(Op::IAdd, Some(uint), Some(sum), vec![id(word), id(scaled)]));
        word = sum;
        stride *= len;
    }
    let (class, zero, result) = (ir.pointer(StorageClass::StorageBuffer, uint), ir.const_uint(0), ir.fresh());
    out.push(Instruction::new(Op::AccessChain, Some(class), Some(result), vec![id(*buffer), id(zero), id(word)]));
    result
}
