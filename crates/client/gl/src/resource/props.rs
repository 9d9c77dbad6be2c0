//! Properties of program resources (GL 4.6 table 7.2). Must not know contexts.

use super::interface::{Interface, subroutines, variables, varyings, xfb_buffers};
use crate::error::{GlError, GlResult};
use crate::program::reflect;
use crate::program::state::{Bindings, StorageSlot};
use crate::tokens as gl;
use mgl_glsl::Stage;
use mgl_glsl::archive::{BlockVariable, FragmentOutput, ProgramArchive, StageMask, StageVariable, Uniform};

/// A resource that is asked: the archive, the interface, the index, and where its blocks are bound.
#[derive(Clone, Copy)]
pub(crate) struct Resource<'a> {
    pub archive: &'a ProgramArchive,
    pub bindings: &'a Bindings,
    pub interface: Interface,
    pub index: usize,
}

const PROPS: [u32; 29] = [
    gl::ACTIVE_VARIABLES,
    gl::ARRAY_SIZE,
    gl::ARRAY_STRIDE,
    gl::ATOMIC_COUNTER_BUFFER_INDEX,
    gl::BLOCK_INDEX,
    gl::BUFFER_BINDING,
    gl::BUFFER_DATA_SIZE,
    gl::COMPATIBLE_SUBROUTINES,
    gl::IS_PER_PATCH,
    gl::IS_ROW_MAJOR,
    gl::LOCATION,
    gl::LOCATION_COMPONENT,
    gl::LOCATION_INDEX,
    gl::MATRIX_STRIDE,
    gl::NAME_LENGTH,
    gl::NUM_ACTIVE_VARIABLES,
    gl::NUM_COMPATIBLE_SUBROUTINES,
    gl::OFFSET,
    gl::REFERENCED_BY_COMPUTE_SHADER,
    gl::REFERENCED_BY_FRAGMENT_SHADER,
    gl::REFERENCED_BY_GEOMETRY_SHADER,
    gl::REFERENCED_BY_TESS_CONTROL_SHADER,
    gl::REFERENCED_BY_TESS_EVALUATION_SHADER,
    gl::REFERENCED_BY_VERTEX_SHADER,
    gl::TOP_LEVEL_ARRAY_SIZE,
    gl::TOP_LEVEL_ARRAY_STRIDE,
    gl::TRANSFORM_FEEDBACK_BUFFER_INDEX,
    gl::TRANSFORM_FEEDBACK_BUFFER_STRIDE,
    gl::TYPE,
];

/// Appends the values of `prop`.
pub(crate) fn append(of: Resource<'_>, prop: u32, out: &mut Vec<i64>) -> GlResult {
    if !PROPS.contains(&prop) {
        return Err(GlError::invalid_enum("not a property of program resources"));
    }
    let foreign = || GlError::invalid_operation("the interface has no such property (GL 4.6 table 7.2)");
    let listed = match (prop, of.interface) {
        (gl::ACTIVE_VARIABLES, interface) => variables(interface, of.archive, of.index),
        (gl::COMPATIBLE_SUBROUTINES, Interface::SubroutineUniform(stage)) => {
            let uniform = subroutines(of.archive, stage).uniforms.get(of.index);
            uniform.map(|u| u.compatible.as_slice().into())
        }
        _ => None,
    };
    match listed {
        Some(list) => out.extend(list.iter().map(|v| i64::from(*v))),
        None => out.push(single(of, prop).ok_or_else(foreign)?),
    }
    Ok(())
}

/// A property that is one value; `None` when the interface does not have it.
fn single(of: Resource<'_>, prop: u32) -> Option<i64> {
    let Resource { archive: a, interface, index, .. } = of;
    match prop {
        gl::NAME_LENGTH => return interface.name(a, index).map(|n| n.len() as i64 + 1),
        gl::NUM_ACTIVE_VARIABLES => return variables(interface, a, index).map(|v| v.len() as i64),
        _ => {}
    }
    match interface {
        Interface::Uniform => uniform(a.uniforms.get(index)?, prop),
        Interface::BufferVariable => buffer_variable(a.buffer_variables.get(index)?, prop),
        Interface::UniformBlock | Interface::StorageBlock | Interface::AtomicCounterBuffer => block(of, prop),
        Interface::Input => variable(a.inputs.get(index)?, prop),
        Interface::Output => match index.checked_sub(a.outputs.len()) {
            None => match prop {
                gl::LOCATION_INDEX => Some(-1),
                _ => variable(&a.outputs[index], prop),
            },
            Some(at) => fragment_output(a.fragment_outputs.get(at)?, prop),
        },
        Interface::XfbVarying => varying(a, index, prop),
        Interface::XfbBuffer => {
            let (buffer, stride) = xfb_buffers(a).nth(index)?;
            match prop {
                gl::BUFFER_BINDING => Some(i64::from(buffer)),
                gl::TRANSFORM_FEEDBACK_BUFFER_STRIDE => Some(i64::from(stride)),
                _ => None,
            }
        }
        Interface::SubroutineUniform(stage) => {
            let uniform = subroutines(a, stage).uniforms.get(index)?;
            match prop {
                gl::ARRAY_SIZE => Some(i64::from(uniform.array_size.max(1))),
                gl::LOCATION => Some(i64::from(uniform.location)),
                gl::NUM_COMPATIBLE_SUBROUTINES => Some(uniform.compatible.len() as i64),
                _ => None,
            }
        }
        Interface::Subroutine(_) => None,
    }
}

fn referenced(stages: StageMask, prop: u32) -> Option<i64> {
    let stage = match prop {
        gl::REFERENCED_BY_VERTEX_SHADER => Stage::Vertex,
        gl::REFERENCED_BY_TESS_CONTROL_SHADER => Stage::TessControl,
        gl::REFERENCED_BY_TESS_EVALUATION_SHADER => Stage::TessEval,
        gl::REFERENCED_BY_GEOMETRY_SHADER => Stage::Geometry,
        gl::REFERENCED_BY_FRAGMENT_SHADER => Stage::Fragment,
        gl::REFERENCED_BY_COMPUTE_SHADER => Stage::Compute,
        _ => return None,
    };
    Some(i64::from(stages & stage.bit() != 0))
}

/// A property of a uniform; layout is −1 in the default block, and counters have one (GL 4.6 §7.6).
pub(crate) fn uniform(u: &Uniform, prop: u32) -> Option<i64> {
    let placed = u.block >= 0 || u.atomic_buffer >= 0;
    let layout = |value: i64| if placed { value } else { -1 };
    Some(match prop {
        gl::TYPE => i64::from(u.gl_type),
        gl::ARRAY_SIZE => reflect::uniform_size(u),
        gl::BLOCK_INDEX => i64::from(u.block),
        gl::OFFSET => layout(i64::from(u.offset)),
        gl::ARRAY_STRIDE => layout(i64::from(u.array_stride)),
        gl::MATRIX_STRIDE => layout(i64::from(u.matrix_stride)),
        gl::IS_ROW_MAJOR => i64::from(u.row_major && u.block >= 0),
        gl::ATOMIC_COUNTER_BUFFER_INDEX => i64::from(u.atomic_buffer),
        gl::LOCATION => i64::from(u.location),
        _ => return referenced(u.stages, prop),
    })
}

fn buffer_variable(v: &BlockVariable, prop: u32) -> Option<i64> {
    Some(match prop {
        gl::TYPE => i64::from(v.gl_type),
        gl::ARRAY_SIZE => i64::from(v.array_size),
        gl::BLOCK_INDEX => i64::from(v.block),
        gl::OFFSET => i64::from(v.offset),
        gl::ARRAY_STRIDE => i64::from(v.array_stride),
        gl::MATRIX_STRIDE => i64::from(v.matrix_stride),
        gl::IS_ROW_MAJOR => i64::from(v.row_major),
        gl::TOP_LEVEL_ARRAY_SIZE => i64::from(v.top_level_array_size),
        gl::TOP_LEVEL_ARRAY_STRIDE => i64::from(v.top_level_array_stride),
        _ => return referenced(v.stages, prop),
    })
}

fn block(of: Resource<'_>, prop: u32) -> Option<i64> {
    let a = of.archive;
    let (size, stages, binding) = match of.interface {
        Interface::AtomicCounterBuffer => {
            let buffer = a.atomic_buffers.get(of.index)?;
            (buffer.data_size, buffer.stages, buffer.binding)
        }
        Interface::UniformBlock => {
            let block = a.uniform_blocks.get(of.index)?;
            (block.data_size, block.stages, of.bindings.uniform_block(block))
        }
        _ => {
            let block = a.storage_blocks.get(of.index)?;
            let binding = match of.bindings.storage.get(block.slot as usize) {
                Some(Some(StorageSlot::Storage(binding))) => *binding,
                _ => block.initial_binding,
            };
            (block.data_size, block.stages, binding)
        }
    };
    match prop {
        gl::BUFFER_BINDING => Some(i64::from(binding)),
        gl::BUFFER_DATA_SIZE => Some(i64::from(size)),
        _ => referenced(stages, prop),
    }
}

fn variable(v: &StageVariable, prop: u32) -> Option<i64> {
    Some(match prop {
        gl::TYPE => i64::from(v.gl_type),
        gl::ARRAY_SIZE => i64::from(v.array_size.max(1)),
        gl::LOCATION => i64::from(v.location),
        gl::LOCATION_COMPONENT => i64::from(v.component),
        gl::IS_PER_PATCH => i64::from(v.patch),
        _ => return referenced(v.stages, prop),
    })
}

fn fragment_output(o: &FragmentOutput, prop: u32) -> Option<i64> {
    Some(match prop {
        gl::TYPE => i64::from(o.gl_type),
        gl::ARRAY_SIZE => i64::from(o.array_size.max(1)),
        gl::LOCATION => i64::from(o.location),
        gl::LOCATION_INDEX => i64::from(o.index),
        gl::LOCATION_COMPONENT | gl::IS_PER_PATCH => 0,
        _ => return referenced(Stage::Fragment.bit(), prop),
    })
}

fn varying(a: &ProgramArchive, index: usize, prop: u32) -> Option<i64> {
    let v = varyings(a).get(index)?;
    Some(match prop {
        gl::TYPE => i64::from(v.gl_type),
        gl::ARRAY_SIZE => i64::from(v.array_size.max(1)),
        gl::OFFSET => i64::from(v.offset),
        gl::TRANSFORM_FEEDBACK_BUFFER_INDEX => {
            xfb_buffers(a).position(|(buffer, _)| buffer == v.buffer).map_or(-1, |at| at as i64)
        }
        _ => return None,
    })
}
