//! Names for what SPIR-V matches by number, because the linker matches by name; and the built-ins in the spelling of the
//! GLSL compiler. Debug names of the module go: they may be missing and mean nothing (ARB_gl_spirv).
//! Must not change locations or bindings.

use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use mgl_spirv::Ir;

/// Renames everything; gives the names that have a binding.
pub fn apply(ir: &mut Ir) -> Vec<String> {
    ir.drop_names();
    let mut bound = Vec::new();
    let structs: Vec<(u32, usize)> = ir
        .module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::TypeStruct)
        .filter_map(|i| Some((i.result_id?, i.operands.len())))
        .collect();
    for (id, members) in structs {
        ir.set_name(id, "s");
        for member in 0..u32::try_from(members).unwrap_or(0) {
            ir.set_member_name(id, member, &format!("m{member}"));
        }
    }
    for variable in ir.variables() {
        let Some((class, _)) = ir.variable_type(variable) else { continue };
        let number = |which| ir.deco(variable, which).unwrap_or(0);
        let (location, binding) = (number(Decoration::Location), number(Decoration::Binding));
        let (target, name) = match class {
            StorageClass::UniformConstant if ir.deco(variable, Decoration::Location).is_some() => {
                (variable, format!("u{location}"))
            }
            StorageClass::UniformConstant => (variable, format!("s{binding}")),
            StorageClass::AtomicCounter => (variable, format!("c{binding}_{}", number(Decoration::Offset))),
            StorageClass::Uniform | StorageClass::StorageBuffer => {
                let Some(block) = crate::lower::io::block_type(ir, variable) else { continue };
                let storage = class == StorageClass::StorageBuffer || ir.has_deco(block, Decoration::BufferBlock);
                (block, format!("{}{binding}", if storage { "buffer" } else { "block" }))
            }
            StorageClass::Input | StorageClass::Output => {
                builtin(ir, variable);
                if ir.deco(variable, Decoration::BuiltIn).is_some() {
                    continue;
                }
                let component = ir.deco(variable, Decoration::Component).unwrap_or(0);
                let index = ir.deco(variable, Decoration::Index).unwrap_or(0);
                (variable, format!("v{location}_{component}_{index}"))
            }
            _ => continue,
        };
        if matches!(class, StorageClass::Input | StorageClass::Output)
            && let Some(block) = crate::lower::io::block_type(ir, variable)
            && ir.has_deco(block, Decoration::Block)
        {
            let first = ir.member_deco(block, 0, Decoration::Location).unwrap_or(location);
            ir.set_name(block, &format!("b{first}"));
            continue;
        }
        ir.set_name(target, &name);
        if ir.deco(variable, Decoration::Binding).is_some() {
            bound.push(name);
        }
    }
    bound
}

/// In GL both indices count as `gl_VertexID` and `gl_InstanceID` do (ARB_gl_spirv, mapping of built-ins).
fn builtin(ir: &mut Ir, variable: u32) {
    let to = match ir.deco(variable, Decoration::BuiltIn) {
        Some(b) if b == BuiltIn::VertexIndex as u32 => BuiltIn::VertexId,
        Some(b) if b == BuiltIn::InstanceIndex as u32 => BuiltIn::InstanceId,
        _ => return,
    };
    ir.undecorate(variable, Decoration::BuiltIn);
    ir.decorate_builtin(variable, to);
}
