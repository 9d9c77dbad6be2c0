//! Which output of a stage an input of the next one reads.
//! Must not choose locations.

use std::collections::HashSet;

use super::stage::StageIr;
use crate::lower::io::IoVar;
use crate::lower::ty::{Member, Ty};

/// Members of a block, none of anything else.
pub fn members(ty: &Ty) -> &[Member] {
    match ty.peel().0 {
        Ty::Struct(s) => &s.members,
        _ => &[],
    }
}

/// Explicit locations of a variable: each (first, count).
pub fn explicit(var: &IoVar) -> Option<Vec<(u32, u32)>> {
    var.explicit()?;
    if var.block.is_none() {
        return var.location.map(|l| vec![(l, var.ty.locations())]);
    }
    let mut next = var.location.unwrap_or(0);
    let places = members(&var.ty).iter().zip(&var.member_locations).map(|(member, own)| {
        let first = own.unwrap_or(next);
        next = first + member.ty.locations();
        (first, member.ty.locations())
    });
    Some(places.collect())
}

/// Place of a variable in the order in which its stage declares `vars`, its inputs or its outputs.
pub fn rank(stage: &StageIr, vars: &[&IoVar], var: &IoVar) -> Option<usize> {
    let mut declared = stage.code.order.iter().filter(|name| vars.iter().any(|v| v.key() == *name));
    declared.position(|name| name == var.key())
}

/// The output that an input matches: by location, else by name.
pub fn find(outputs: &[&IoVar], input: &IoVar) -> Option<usize> {
    let alike = |o: &IoVar| o.patch == input.patch && o.block.is_some() == input.block.is_some();
    let by_location =
        |o: &IoVar| o.location.is_some() && o.location == input.location && o.component == input.component;
    let located = outputs.iter().position(|o| alike(o) && by_location(o));
    // Two explicit locations match by location or not at all (GLSL 4.60 §4.4.1).
    let both = |o: &IoVar| o.location.is_some() && input.location.is_some();
    located.or_else(|| outputs.iter().position(|o| alike(o) && o.key() == input.key() && !both(o)))
}

/// Location, component and type of a variable, or of each member of a block, whose locations are explicit.
fn pieces(var: &IoVar) -> Option<Vec<(u32, u32, &Ty)>> {
    let places = explicit(var)?;
    if var.block.is_none() {
        return places.first().map(|(location, _)| vec![(*location, var.component, &var.ty)]);
    }
    let types = members(&var.ty).iter().map(|m| &m.ty);
    var.ty.peel().1.is_empty().then(|| places.iter().zip(types).map(|((at, _), ty)| (*at, 0, ty)).collect())
}

/// The outputs that hold what `input` reads where one of the two is a block and the other is not: explicit locations match
/// member by member (GL 4.6 core §7.4.1).
pub fn piecewise(outputs: &[&IoVar], input: &IoVar) -> Option<Vec<usize>> {
    let holds = |piece: &(u32, u32, &Ty)| {
        outputs.iter().position(|o| {
            let other = o.patch == input.patch && o.block.is_some() != input.block.is_some();
            other && pieces(o).is_some_and(|all| all.contains(piece))
        })
    };
    pieces(input)?.iter().map(holds).collect()
}

/// Who reads the outputs of a stage.
pub struct Matches<'v> {
    /// The reader of each.
    pub readers: Vec<Option<&'v IoVar>>,
    /// Outputs that are read in pieces, at their explicit locations.
    pub pieces: HashSet<usize>,
}
