//! Stage inputs and outputs: reading them for the linker, and applying what it decided.
//! Must not choose locations.

use std::collections::HashSet;

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};

use super::LowerError;
use super::fold::{self, Fold};
use super::liveness::{Uses, is_chain};
use super::ty::Ty;
use crate::archive::Stage;
use mgl_spirv::{Deco, Id, Ir, deco_value, has, id, id_at};

/// Interpolation qualifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpolation {
    /// `flat`.
    pub flat: bool,
    /// `noperspective`.
    pub no_perspective: bool,
    /// `centroid`.
    pub centroid: bool,
    /// `sample`.
    pub sample: bool,
}

/// One input or output variable.
#[derive(Clone, Debug)]
pub struct IoVar {
    /// The variable.
    pub id: Id,
    /// GLSL name of the variable; the instance name of a block.
    pub name: String,
    /// Block name, when it is a block.
    pub block: Option<String>,
    /// Output, else input.
    pub output: bool,
    /// Type without the array over vertices.
    pub ty: Ty,
    /// Had an array over vertices, which `ty` is without.
    pub arrayed: bool,
    /// Built-in number, of a variable that is no block.
    pub builtin: Option<u32>,
    /// A `gl_PerVertex` block.
    pub per_vertex: bool,
    /// `layout(location)` of the variable, or of each block member.
    pub location: Option<u32>,
    /// Locations of block members.
    pub member_locations: Vec<Option<u32>>,
    /// `layout(component)`.
    pub component: u32,
    /// `layout(index)`.
    pub index: Option<u32>,
    /// `patch`.
    pub patch: bool,
    /// Interpolation of the variable, or of each block member.
    pub interpolation: Vec<Interpolation>,
    /// `invariant`.
    pub invariant: bool,
    /// Vertex stream.
    pub stream: u32,
    /// Capture that the shader itself declares, of the variable or of each block member: buffer, stride, offset.
    pub declared_xfb: Vec<Option<[u32; 3]>>,
    /// Occurs in a function.
    pub used: bool,
    /// An array of blocks of which no function uses a block as a whole: its members may lie elsewhere.
    pub in_members: bool,
}

impl IoVar {
    /// The name by which stages match: the block's, else the variable's.
    pub fn key(&self) -> &str {
        match self.name.as_str() {
            // The fragment stage sees the colour of the side that faces it (GLSL 1.20 §7.6).
            "gl_FrontColor" if self.output => "gl_Color",
            "gl_FrontSecondaryColor" if self.output => "gl_SecondaryColor",
            name => self.block.as_deref().unwrap_or(name),
        }
    }
    /// Belongs to GL, not to the program.
    pub fn is_builtin(&self) -> bool {
        self.builtin.is_some() || self.per_vertex
    }
    /// Whether every member (or the variable) has an explicit location.
    pub fn explicit(&self) -> Option<u32> {
        self.location.or_else(|| self.member_locations.first().copied().flatten())
    }
}

fn interpolation(decos: &[Deco]) -> Interpolation {
    Interpolation {
        flat: has(decos, Decoration::Flat),
        no_perspective: has(decos, Decoration::NoPerspective),
        centroid: has(decos, Decoration::Centroid),
        sample: has(decos, Decoration::Sample),
    }
}

/// Buffer, stride and offset of `layout(xfb_offset)`; `outer` are the decorations of the block variable.
fn declared(decos: &[Deco], outer: &[Deco]) -> Option<[u32; 3]> {
    let value = |which| deco_value(decos, which).or_else(|| deco_value(outer, which));
    let offset = deco_value(decos, Decoration::Offset)?;
    Some([value(Decoration::XfbBuffer)?, value(Decoration::XfbStride)?, offset])
}

/// Whether variables of this direction have an array over vertices.
fn is_arrayed(stage: Stage, output: bool, patch: bool) -> bool {
    let arrayed = match stage {
        Stage::TessControl => true,
        Stage::TessEval | Stage::Geometry => !output,
        Stage::Vertex | Stage::Fragment | Stage::Compute => false,
    };
    arrayed && !patch
}

/// All inputs and outputs of a stage, in declaration order.
pub fn read(ir: &Ir, stage: Stage, uses: &Uses) -> Result<Vec<IoVar>, LowerError> {
    let mut all = Vec::new();
    for variable in ir.variables() {
        let Some((class, pointee)) = ir.variable_type(variable) else { continue };
        let output = match class {
            StorageClass::Input => false,
            StorageClass::Output => true,
            _ => continue,
        };
        all.push(read_one(ir, stage, uses, variable, output, pointee)?);
    }
    Ok(all)
}

fn read_one(ir: &Ir, stage: Stage, uses: &Uses, variable: Id, output: bool, pointee: Id) -> Result<IoVar, LowerError> {
    let builtin = ir.deco(variable, Decoration::BuiltIn);
    let mut patch = ir.has_deco(variable, Decoration::Patch);
    let innermost = |mut ty: Id| {
        while let Some(of) = ir.global(ty).filter(|i| i.class.opcode == Op::TypeArray).and_then(|i| id_at(i, 0)) {
            ty = of;
        }
        ty
    };
    let base = innermost(pointee);
    let is_block = ir.has_deco(base, Decoration::Block);
    let members = if is_block { ir.global(base).map_or(0, |i| i.operands.len()) } else { 0 };
    let members = 0..u32::try_from(members).unwrap_or(0);
    patch |= is_block && !members.is_empty() && members.clone().all(|m| ir.has_member_deco(base, m, Decoration::Patch));
    let mut ty = Ty::read(ir, pointee)?;
    let mut arrayed = false;
    if is_arrayed(stage, output, patch)
        && let Ty::Array(of, _, _) = &ty
        && builtin.is_none()
    {
        ty = Ty::clone(of);
        arrayed = true;
    }
    let declared_xfb: Vec<Option<[u32; 3]>> = if is_block {
        members.clone().map(|m| declared(ir.member_decos(base, m), ir.decos(variable))).collect()
    } else {
        vec![declared(ir.decos(variable), &[])]
    };
    let per_variable = vec![interpolation(ir.decos(variable))];
    let merged = |m| {
        let (outer, own) = (interpolation(ir.decos(variable)), interpolation(ir.member_decos(base, m)));
        Interpolation {
            flat: outer.flat | own.flat,
            no_perspective: outer.no_perspective | own.no_perspective,
            centroid: outer.centroid | own.centroid,
            sample: outer.sample | own.sample,
        }
    };
    let depth = ty.peel().1.len();
    let in_members = is_block && depth > 0 && !arrayed && uses.all_name_member(variable, depth);
    Ok(IoVar {
        id: variable,
        name: ir.name(variable).to_owned(),
        block: is_block.then(|| ir.name(base).to_owned()),
        output,
        arrayed,
        ty,
        builtin,
        per_vertex: is_block && super::per_vertex::is_block(ir, base),
        location: ir.deco(variable, Decoration::Location),
        member_locations: members.clone().map(|m| ir.member_deco(base, m, Decoration::Location)).collect(),
        component: ir.deco(variable, Decoration::Component).unwrap_or(0),
        index: ir.deco(variable, Decoration::Index),
        patch,
        interpolation: if is_block { members.map(merged).collect() } else { per_variable },
        invariant: ir.has_deco(variable, Decoration::Invariant),
        stream: ir.deco(variable, Decoration::Stream).unwrap_or(0),
        declared_xfb,
        used: uses.is_used(variable),
        in_members,
    })
}

/// What happens to one input or output.
#[derive(Clone, Debug)]
pub enum IoHome {
    /// Location of the variable.
    At(u32),
    /// Location and first component: varyings share locations when there are too many.
    Packed(u32, u32),
    /// Locations and components of each word: varyings lie side by side when there are far too many.
    Folded(Fold),
    /// First location of an array of blocks that becomes one array per member.
    Columns(u32),
    /// Locations of block members.
    Members(Vec<u32>),
    /// A fragment output with its blend source index.
    Output(u32, u32),
    /// Nobody reads it: it becomes an ordinary global of the stage.
    Private,
    /// Nobody uses it.
    Gone,
}

/// Applies the linker's decisions.
pub fn apply(ir: &mut Ir, homes: &[(Id, IoHome)]) -> Result<(), LowerError> {
    let (mut gone, mut folded) = (HashSet::new(), Vec::new());
    for (variable, home) in homes {
        match home {
            IoHome::At(location) | IoHome::Columns(location) => place(ir, *variable, *location),
            IoHome::Packed(location, component) => {
                place(ir, *variable, *location);
                if *component != 0 {
                    ir.decorate(*variable, Decoration::Component, &[*component]);
                }
            }
            IoHome::Folded(fold) => folded.push((*variable, fold.clone())),
            IoHome::Members(locations) => place_members(ir, *variable, locations),
            IoHome::Output(location, index) => {
                ir.decorate(*variable, Decoration::Location, &[*location]);
                ir.undecorate(*variable, Decoration::Index);
                if *index != 0 {
                    ir.decorate(*variable, Decoration::Index, &[*index]);
                }
            }
            IoHome::Private => make_private(ir, *variable),
            IoHome::Gone => {
                gone.insert(*variable);
            }
        }
    }
    ir.remove(&gone);
    fold::run(ir, &folded)
}

/// Places a variable; members of an array of blocks follow from the variable's location.
fn place(ir: &mut Ir, variable: Id, location: u32) {
    ir.decorate(variable, Decoration::Location, &[location]);
    let Some(block) = block_type(ir, variable).filter(|b| ir.has_deco(*b, Decoration::Block)) else { return };
    let count = ir.global(block).map_or(0, |i| i.operands.len());
    for member in 0..u32::try_from(count).unwrap_or(0) {
        ir.undecorate_member(block, member, Decoration::Location);
    }
}

/// The struct type under a variable's arrays.
pub fn block_type(ir: &Ir, variable: Id) -> Option<Id> {
    let (_, mut ty) = ir.variable_type(variable)?;
    while let Some(of) = ir.global(ty).filter(|i| i.class.opcode == Op::TypeArray).and_then(|i| id_at(i, 0)) {
        ty = of;
    }
    Some(ty)
}

fn place_members(ir: &mut Ir, variable: Id, locations: &[u32]) {
    let Some(block) = block_type(ir, variable) else { return };
    ir.undecorate(variable, Decoration::Location);
    for (location, member) in locations.iter().zip(0u32..) {
        ir.decorate_member(block, member, Decoration::Location, &[*location]);
    }
}

/// Turns an output into a Private variable, with every pointer into it.
pub fn make_private(ir: &mut Ir, variable: Id) {
    let Some((_, pointee)) = ir.variable_type(variable) else { return };
    let pointer = ir.pointer(StorageClass::Private, pointee);
    if let Some(inst) = ir.global_mut(variable) {
        inst.result_type = Some(pointer);
        inst.operands[0] = Operand::StorageClass(StorageClass::Private);
    }
    ir.clear_decos(variable);
    // Interface decorations are not allowed on the type of a Private variable; a block has its type to itself.
    if let Some(block) = block_type(ir, variable).filter(|b| ir.has_deco(*b, Decoration::Block)) {
        ir.clear_decos(block);
        let count = ir.global(block).map_or(0, |i| i.operands.len());
        for member in 0..u32::try_from(count).unwrap_or(0) {
            ir.set_member_decos(block, member, Vec::new());
        }
    }
    let mut roots = HashSet::from([variable]);
    let mut functions = std::mem::take(&mut ir.module.functions);
    for inst in functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|b| &mut b.instructions) {
        if is_chain(inst) && id_at(inst, 0).is_some_and(|base| roots.contains(&base)) {
            roots.extend(inst.result_id);
            if let Some((_, to)) = inst.result_type.and_then(|t| ir.pointee(t)) {
                inst.result_type = Some(ir.pointer(StorageClass::Private, to));
            }
        }
    }
    ir.module.functions = functions;
}

/// Lists exactly the inputs and outputs of the module on its entry point.
pub fn list_interface(ir: &mut Ir) {
    let is_io = |v: &Id| matches!(ir.variable_type(*v), Some((StorageClass::Input | StorageClass::Output, _)));
    let listed: Vec<Operand> = ir.variables().into_iter().filter(is_io).map(id).collect();
    for entry in &mut ir.module.entry_points {
        // Execution model, function and name come first.
        entry.operands.truncate(3);
        entry.operands.extend(listed.iter().cloned());
    }
}
