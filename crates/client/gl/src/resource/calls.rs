//! Commands of program interface queries (GL 4.6 §7.3.1.1). Must not change state.

use super::interface::{Interface, variables};
use super::props::{Resource, append};
use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::{linked, reflection};
use crate::tokens as gl;

fn interface(token: u32) -> GlResult<Interface> {
    Interface::of(token).ok_or_else(|| GlError::invalid_enum("not a program interface"))
}

fn named(token: u32) -> GlResult<Interface> {
    let interface = interface(token)?;
    interface
        .named()
        .then_some(interface)
        .ok_or_else(|| GlError::invalid_enum("resources of this interface have no name"))
}

/// `glGetProgramInterfaceiv`.
pub fn get_program_interface(ctx: &mut Context, program: u32, token: u32, pname: u32) -> GlResult<Values> {
    let (archive, _) = reflection(ctx, program)?;
    let refused = |what| Err(GlError::invalid_operation(what));
    // This call alone answers unknown tokens so: it is what ARB_program_interface_query's tests and drivers agree on.
    let Some(interface) = Interface::of(token) else { return refused("not a program interface") };
    Ok(match pname {
        gl::ACTIVE_RESOURCES => Values::int(interface.count(&archive) as i64),
        gl::MAX_NAME_LENGTH if !interface.named() => return refused("resources of this interface have no name"),
        gl::MAX_NAME_LENGTH => {
            Values::int(interface.names(&archive).map(|(_, n)| n.len() as i64 + 1).max().unwrap_or(0))
        }
        gl::MAX_NUM_ACTIVE_VARIABLES => {
            if variables(interface, &archive, 0).is_none() {
                return refused("resources of this interface have no variables");
            }
            let each = (0..interface.count(&archive)).filter_map(|i| variables(interface, &archive, i));
            Values::int(each.map(|v| v.len() as i64).max().unwrap_or(0))
        }
        gl::MAX_NUM_COMPATIBLE_SUBROUTINES => {
            let Interface::SubroutineUniform(stage) = interface else {
                return refused("the interface does not hold subroutine uniforms");
            };
            let uniforms = &super::interface::subroutines(&archive, stage).uniforms;
            Values::int(uniforms.iter().map(|u| u.compatible.len() as i64).max().unwrap_or(0))
        }
        _ => return refused("not a parameter of a program interface"),
    })
}

/// `glGetProgramResourceIndex`.
pub fn get_program_resource_index(ctx: &mut Context, program: u32, token: u32, name: Option<&str>) -> GlResult<u32> {
    let (archive, _) = reflection(ctx, program)?;
    let interface = named(token)?;
    Ok(name.and_then(|name| interface.find(&archive, name)).unwrap_or(gl::INVALID_INDEX))
}

/// `glGetProgramResourceName`.
pub fn get_program_resource_name(
    ctx: &mut Context,
    program: u32,
    token: u32,
    index: u32,
    text: &mut StrOut<'_>,
) -> GlResult {
    let (archive, _) = reflection(ctx, program)?;
    let name = named(token)?.name(&archive, index as usize);
    text.put(name.ok_or_else(|| GlError::invalid_value("index is not that of an active resource"))?);
    Ok(())
}

/// `glGetProgramResourceiv`.
pub fn get_program_resource(
    ctx: &mut Context,
    program: u32,
    token: u32,
    index: u32,
    props: &[u32],
) -> GlResult<Values> {
    let (archive, bindings) = reflection(ctx, program)?;
    let interface = interface(token)?;
    if props.is_empty() {
        return Err(GlError::invalid_value("no property is asked for"));
    }
    let index = index as usize;
    let active = match interface {
        Interface::Subroutine(_) => interface.name(&archive, index).is_some(),
        _ => index < interface.count(&archive),
    };
    if !active {
        return Err(GlError::invalid_value("index is not that of an active resource"));
    }
    let of = Resource { archive: &archive, bindings: &bindings, interface, index };
    let mut out = Vec::new();
    for prop in props {
        append(of, *prop, &mut out)?;
    }
    Ok(Values::Int(out.into()))
}

/// `glGetProgramResourceLocation`.
pub fn get_program_resource_location(ctx: &mut Context, program: u32, token: u32, name: &str) -> GlResult<i32> {
    let archive = linked(ctx, program, |inner| Ok(inner.executable.as_ref().map(|e| e.archive.clone())))?;
    let location = interface(token)?.location(&archive.unwrap_or_default(), name);
    location.ok_or_else(|| GlError::invalid_enum("resources of this interface have no locations"))
}

/// `glGetProgramResourceLocationIndex`.
pub fn get_program_resource_location_index(ctx: &mut Context, program: u32, token: u32, name: &str) -> GlResult<i32> {
    let archive = linked(ctx, program, |inner| Ok(inner.executable.as_ref().map(|e| e.archive.clone())))?;
    if token != gl::PROGRAM_OUTPUT {
        return Err(GlError::invalid_enum("only GL_PROGRAM_OUTPUT has location indices"));
    }
    Ok(archive.map_or(-1, |a| crate::program::reflect::fragment_output(&a, name).1))
}
