//! The GL view of subroutines: which uniforms are active, their locations, and what each may name (GL 4.6 core §7.10).
//! Must not know how they were rewritten beyond the names of their hidden uniforms.

use super::stage::{Messages, StageIr};
use crate::archive::{ProgramArchive, StageSubroutines, Subroutine, SubroutineUniform};
use crate::frontend::subroutine::{Uniform, hidden};
use crate::lower::ty::Ty;

/// Fills in the subroutines of all stages; the hidden uniforms have their places by now.
pub fn record(stages: &[StageIr], archive: &mut ProgramArchive, messages: &mut Messages) {
    for stage in stages {
        let declared = &stage.code.subroutines;
        let functions: Vec<Subroutine> =
            declared.functions.iter().map(|f| Subroutine { name: f.name.clone(), index: f.index }).collect();
        let active: Vec<(&Uniform, u32, u32)> =
            declared.uniforms.iter().filter_map(|u| placed(stage, u, archive)).collect();
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for (uniform, _, size) in &active {
            let Some(at) = uniform.location else { continue };
            if taken.iter().any(|(first, n)| at < first + n && *first < at + size) {
                messages.error(format!("subroutine uniform `{}` overlaps another at location {at}", uniform.name));
            }
            taken.push((at, *size));
        }
        let mut uniforms = Vec::new();
        for (uniform, offset, array_size) in active {
            let location = uniform.location.unwrap_or_else(|| {
                let mut at = 0;
                while let Some((first, n)) = taken.iter().find(|(first, n)| at < first + n && *first < at + array_size)
                {
                    at = first + n;
                }
                taken.push((at, array_size));
                at
            });
            let of_type = declared.functions.iter().filter(|f| f.types.contains(&uniform.ty));
            uniforms.push(SubroutineUniform {
                name: if uniform.is_array { format!("{}[0]", uniform.name) } else { uniform.name.clone() },
                array_size,
                is_array: uniform.is_array,
                location,
                compatible: of_type.map(|f| f.index).collect(),
                offset,
            });
        }
        archive.subroutines[stage.stage.index()] = StageSubroutines { functions, uniforms };
    }
}

/// Offset and elements of a uniform that is active.
fn placed<'a>(stage: &StageIr, uniform: &'a Uniform, archive: &ProgramArchive) -> Option<(&'a Uniform, u32, u32)> {
    let name = hidden(stage.stage, &uniform.name);
    let plain = |text: &str| text.strip_suffix("[0]").unwrap_or(text).to_owned();
    let home = archive.builtin_uniforms.iter().find(|b| plain(&b.name) == name)?;
    let variable = stage.ir.variables().into_iter().find(|v| stage.ir.name(*v) == name)?;
    let ty = Ty::read(&stage.ir, stage.ir.variable_type(variable)?.1).ok()?;
    Some((uniform, home.offset, ty.peel().1.iter().product::<u32>().max(1)))
}
