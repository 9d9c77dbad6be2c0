//! Shapes of types: a text that is equal for equal shapes, locations, and layout rules. Must not know where types are used.

use mgl_spirv::{Id, Ir, id_at, lit_at};
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::fmt::Write;

/// The shape of a type as text, and whether it holds integers.
pub fn signature(ir: &Ir, ty: Id) -> (String, bool) {
    let mut text = String::new();
    let integer = write_signature(ir, ty, &mut text);
    (text, integer)
}

fn write_signature(ir: &Ir, ty: Id, out: &mut String) -> bool {
    let Some(inst) = ir.global(ty) else { return false };
    let element = || id_at(inst, 0).unwrap_or(0);
    match inst.class.opcode {
        Op::TypeInt => {
            out.push(if lit_at(inst, 1) == Some(1) { 'i' } else { 'u' });
            true
        }
        Op::TypeFloat => {
            out.push('f');
            false
        }
        Op::TypeVector | Op::TypeMatrix => {
            let integer = write_signature(ir, element(), out);
            let mark = if inst.class.opcode == Op::TypeVector { 'v' } else { 'm' };
            // Writing into a string cannot fail.
            let _ = write!(out, "{mark}{}", lit_at(inst, 1).unwrap_or(0));
            integer
        }
        Op::TypeArray | Op::TypeRuntimeArray => {
            let integer = write_signature(ir, element(), out);
            let _ = write!(out, "[{}]", ir.array_of(ty).map_or(0, |(_, n)| n));
            integer
        }
        Op::TypeStruct => {
            out.push('{');
            let mut integer = false;
            for member in ir.members(ty) {
                integer |= write_signature(ir, member, out);
                out.push(',');
            }
            out.push('}');
            integer
        }
        _ => {
            out.push('?');
            false
        }
    }
}

/// Interface locations that a type takes (GLSL 4.60 §4.4.1); 64-bit types are refused before.
pub fn locations(ir: &Ir, ty: Id) -> u32 {
    let Some(inst) = ir.global(ty) else { return 1 };
    let element = || id_at(inst, 0).unwrap_or(0);
    match inst.class.opcode {
        Op::TypeMatrix => lit_at(inst, 1).unwrap_or(1),
        Op::TypeArray => ir.array_of(ty).map_or(1, |(_, n)| n) * locations(ir, element()),
        Op::TypeStruct => ir.members(ty).into_iter().map(|m| locations(ir, m)).sum(),
        _ => 1,
    }
}

/// Structs are named by their shape and members by their number, so that equal types of two stages agree.
pub fn name_structs(ir: &mut Ir) {
    let all: Vec<Id> = ir
        .module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::TypeStruct)
        .filter_map(|i| i.result_id)
        .collect();
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    for ty in all {
        for member in 0..ir.members(ty).len() as u32 {
            if ir.member_builtin(ty, member).is_none() {
                ir.set_member_name(ty, member, &format!("m{member}"));
            }
        }
        let shape = fnv(&signature(ir, ty).0);
        // Two types of one shape may differ in decorations; the second gets a number.
        let number = numbers.entry(shape).or_insert(0);
        *number += 1;
        let name = if *number == 1 { format!("S{shape:x}") } else { format!("S{shape:x}n{number}") };
        ir.set_name(ty, &name);
    }
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
