//! The GL view of subroutines: which uniforms are active, their locations, and what each may name (GL 4.6 core §7.10).
//! Must not know how they were rewritten beyond the names of their hidden uniforms.

use super::stage::{Messages, StageIr};
use crate::archive::{ProgramArchive, StageSubroutines, Subroutine, SubroutineUniform};
use crate::frontend::MAX_SUBROUTINE_UNIFORM_LOCATIONS;
use crate::frontend::subroutine::{Uniform, hidden};
use crate::lower::ty::Ty;

/// Fills in the subroutines of all stages; the hidden uniforms have their places by now.
pub fn record(stages: &[StageIr], archive: &mut ProgramArchive, messages: &mut Messages) {
    for stage in stages {
        let declared = &stage.code.subroutines;
        let functions: Vec<Subroutine> =
            declared.functions.iter().map(|f| Subroutine { name: f.name.clone(), index: f.index }).collect();
        let active: Vec<Active<'_>> = declared.uniforms.iter().filter_map(|u| placed(stage, u, archive)).collect();
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for Active { uniform, dims, .. } in &active {
            let Some(at) = uniform.location else { continue };
            let size = elements(dims);
            if taken.iter().any(|(first, n)| at < first.saturating_add(*n) && *first < at.saturating_add(size)) {
                messages.error(format!("subroutine uniform `{}` overlaps another at location {at}", uniform.name));
            }
            taken.push((at, size));
        }
        let mut uniforms = Vec::new();
        for active in active {
            let location = active.uniform.location.unwrap_or_else(|| free(&mut taken, active.size()));
            let of_type = declared.functions.iter().filter(|f| f.types.contains(&active.uniform.ty));
            uniforms.extend(active.entries(location, of_type.map(|f| f.index).collect()));
        }
        let end = taken.iter().map(|(first, n)| first.saturating_add(*n)).max().unwrap_or(0);
        if end > MAX_SUBROUTINE_UNIFORM_LOCATIONS {
            let (name, limit) = (stage.stage.name(), MAX_SUBROUTINE_UNIFORM_LOCATIONS);
            messages.error(format!(
                "locations of subroutine uniforms of the {name} stage end at {end}, the limit is {limit}"
            ));
        }
        archive.subroutines[stage.stage.index()] = StageSubroutines { functions, uniforms };
    }
}

/// A uniform that is in use.
struct Active<'a> {
    uniform: &'a Uniform,
    /// Byte offset of its first element in the default block.
    offset: u32,
    /// Lengths of its arrays, the outermost first.
    dims: Vec<u32>,
}

fn elements(dims: &[u32]) -> u32 {
    dims.iter().fold(1u32, |all, n| all.saturating_mul(*n)).max(1)
}

impl Active<'_> {
    fn size(&self) -> u32 {
        elements(&self.dims)
    }

    /// What GL enumerates: a variable, and of arrays of arrays one entry for each innermost array (GL 4.6 core §7.3.1).
    fn entries(&self, location: u32, compatible: Vec<u32>) -> Vec<SubroutineUniform> {
        let (array_size, outer) = self.dims.split_last().map_or((1, &[][..]), |(last, outer)| (*last, outer));
        let names = outer.iter().fold(vec![self.uniform.name.clone()], |names, n| {
            names.iter().flat_map(|name| (0..*n).map(move |i| format!("{name}[{i}]"))).collect()
        });
        let entry = |(name, at): (String, u32)| SubroutineUniform {
            name: if self.dims.is_empty() { name } else { format!("{name}[0]") },
            array_size,
            is_array: !self.dims.is_empty(),
            location: location + at * array_size,
            compatible: compatible.clone(),
            offset: self.offset + 16 * at * array_size,
        };
        names.into_iter().zip(0..).map(entry).collect()
    }
}

/// The lowest location with room for `size` elements.
fn free(taken: &mut Vec<(u32, u32)>, size: u32) -> u32 {
    let mut at = 0;
    while let Some((first, n)) =
        taken.iter().find(|(first, n)| at < first.saturating_add(*n) && *first < at.saturating_add(size))
    {
        at = first + n;
    }
    taken.push((at, size));
    at
}

/// Where a uniform that is in use lies.
fn placed<'a>(stage: &StageIr, uniform: &'a Uniform, archive: &ProgramArchive) -> Option<Active<'a>> {
    let name = hidden(stage.stage, &uniform.name);
    let home = archive.builtin_uniforms.iter().find(|b| b.name.trim_end_matches("[0]") == name)?;
    let variable = stage.ir.variables().into_iter().find(|v| stage.ir.name(*v) == name)?;
    let ty = Ty::read(&stage.ir, stage.ir.variable_type(variable)?.1).ok()?;
    Some(Active { uniform, offset: home.offset, dims: ty.peel().1 })
}
