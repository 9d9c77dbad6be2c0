//! The interfaces of a program and the names of their resources (GL 4.6 §7.3.1.1). Must not know properties or contexts.

use crate::program::reflect;
use crate::tokens as gl;
use mgl_glsl::Stage;
use mgl_glsl::archive::{Block, ProgramArchive, StageSubroutines, XfbVarying};
use std::borrow::Cow;

/// One `programInterface`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    Uniform,
    UniformBlock,
    AtomicCounterBuffer,
    Input,
    Output,
    XfbVarying,
    XfbBuffer,
    BufferVariable,
    StorageBlock,
    Subroutine(Stage),
    SubroutineUniform(Stage),
}

impl Interface {
    /// The interface of a token.
    pub(crate) fn of(token: u32) -> Option<Self> {
        Some(match token {
            gl::UNIFORM => Self::Uniform,
            gl::UNIFORM_BLOCK => Self::UniformBlock,
            gl::ATOMIC_COUNTER_BUFFER => Self::AtomicCounterBuffer,
            gl::PROGRAM_INPUT => Self::Input,
            gl::PROGRAM_OUTPUT => Self::Output,
            gl::TRANSFORM_FEEDBACK_VARYING => Self::XfbVarying,
            gl::TRANSFORM_FEEDBACK_BUFFER => Self::XfbBuffer,
            gl::BUFFER_VARIABLE => Self::BufferVariable,
            gl::SHADER_STORAGE_BLOCK => Self::StorageBlock,
            gl::VERTEX_SUBROUTINE => Self::Subroutine(Stage::Vertex),
            gl::TESS_CONTROL_SUBROUTINE => Self::Subroutine(Stage::TessControl),
            gl::TESS_EVALUATION_SUBROUTINE => Self::Subroutine(Stage::TessEval),
            gl::GEOMETRY_SUBROUTINE => Self::Subroutine(Stage::Geometry),
            gl::FRAGMENT_SUBROUTINE => Self::Subroutine(Stage::Fragment),
            gl::COMPUTE_SUBROUTINE => Self::Subroutine(Stage::Compute),
            gl::VERTEX_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Vertex),
            gl::TESS_CONTROL_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::TessControl),
            gl::TESS_EVALUATION_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::TessEval),
            gl::GEOMETRY_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Geometry),
            gl::FRAGMENT_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Fragment),
            gl::COMPUTE_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Compute),
            _ => return None,
        })
    }

    /// Buffers of counters and of captures have no names.
    pub(crate) fn named(self) -> bool {
        !matches!(self, Self::AtomicCounterBuffer | Self::XfbBuffer)
    }

    /// Number of active resources.
    pub(crate) fn count(self, a: &ProgramArchive) -> usize {
        match self {
            Self::Uniform => a.uniforms.len(),
            Self::UniformBlock => a.uniform_blocks.len(),
            Self::AtomicCounterBuffer => a.atomic_buffers.len(),
            Self::Input => a.inputs.len(),
            Self::Output => a.outputs.len() + a.fragment_outputs.len(),
            Self::XfbVarying => varyings(a).len(),
            Self::XfbBuffer => xfb_buffers(a).count(),
            Self::BufferVariable => a.buffer_variables.len(),
            Self::StorageBlock => a.storage_blocks.len(),
            Self::Subroutine(stage) => subroutines(a, stage).functions.len(),
            Self::SubroutineUniform(stage) => subroutines(a, stage).uniforms.len(),
        }
    }

    /// Name of a resource; `None` past the last one.
    pub(crate) fn name(self, a: &ProgramArchive, index: usize) -> Option<&str> {
        if a.nameless && self.named() {
            return (index < self.count(a)).then_some("");
        }
        Some(match self {
            Self::Uniform => &a.uniforms.get(index)?.name,
            Self::UniformBlock => &a.uniform_blocks.get(index)?.name,
            Self::Input => &a.inputs.get(index)?.name,
            Self::Output => match index.checked_sub(a.outputs.len()) {
                None => &a.outputs[index].name,
                Some(at) => &a.fragment_outputs.get(at)?.name,
            },
            Self::XfbVarying => &varyings(a).get(index)?.name,
            Self::BufferVariable => &a.buffer_variables.get(index)?.name,
            Self::StorageBlock => &a.storage_blocks.get(index)?.name,
            Self::Subroutine(stage) => {
                let wanted = u32::try_from(index).ok()?;
                &subroutines(a, stage).functions.iter().find(|f| f.index == wanted)?.name
            }
            Self::SubroutineUniform(stage) => &subroutines(a, stage).uniforms.get(index)?.name,
            Self::AtomicCounterBuffer | Self::XfbBuffer => return None,
        })
    }

    /// Names with their indices, in index order.
    pub(crate) fn names(self, a: &ProgramArchive) -> impl Iterator<Item = (u32, &str)> {
        let last = match self {
            Self::Subroutine(stage) => subroutines(a, stage).functions.iter().map(|f| f.index as usize + 1).max(),
            _ => None,
        };
        let count = last.unwrap_or(0).max(self.count(a));
        (0..count).filter_map(move |i| Some((i as u32, self.name(a, i)?)))
    }

    /// Index of a name: the name itself, or the name of an array without its `[0]` (GL 4.6 §7.3.1). What lays out a capture
    /// (`gl_NextBuffer`, `gl_SkipComponents#`) is listed among the varyings, but is no resource to be found.
    pub(crate) fn find(self, a: &ProgramArchive, name: &str) -> Option<u32> {
        let lays_out = || varyings(a).iter().any(|v| v.gl_type == gl::NONE && v.name == name);
        if a.nameless || (self == Self::XfbVarying && lays_out()) {
            return None;
        }
        let whole = self.names(a).find(|(_, n)| *n == name);
        let array = || self.names(a).find(|(_, n)| n.strip_suffix("[0]").is_some_and(|base| base == name));
        whole.or_else(array).map(|(index, _)| index)
    }

    /// Location of a name, −1 when there is none; `None` for an interface without locations.
    pub(crate) fn location(self, a: &ProgramArchive, name: &str) -> Option<i32> {
        let named = matches!(self, Self::Uniform | Self::Input | Self::Output | Self::SubroutineUniform(_));
        if a.nameless && named {
            return Some(-1);
        }
        Some(match self {
            Self::Uniform => reflect::uniform_location(a, name),
            Self::Input => reflect::variable_location(&a.inputs, name),
            Self::Output if a.stages & Stage::Fragment.bit() != 0 => reflect::fragment_output(a, name).0,
            Self::Output => reflect::variable_location(&a.outputs, name),
            Self::SubroutineUniform(stage) => subroutine_location(subroutines(a, stage), name),
            _ => return None,
        })
    }
}

/// Captured varyings.
pub(crate) fn varyings(a: &ProgramArchive) -> &[XfbVarying] {
    a.xfb.as_ref().map_or(&[], |x| &x.varyings)
}

/// Capture buffers in use: number and stride.
pub(crate) fn xfb_buffers(a: &ProgramArchive) -> impl Iterator<Item = (u32, u32)> + '_ {
    let strides = a.xfb.as_ref().map_or([0; 4], |x| x.strides);
    (0..4).zip(strides).filter(|(_, stride)| *stride != 0)
}

/// Subroutines of a stage.
pub(crate) fn subroutines(a: &ProgramArchive, stage: Stage) -> &StageSubroutines {
    &a.subroutines[stage.index()]
}

/// Location of a subroutine uniform or an element of one.
pub(crate) fn subroutine_location(stage: &StageSubroutines, name: &str) -> i32 {
    let base = |text: &str| text.strip_suffix("[0]").unwrap_or(text).to_owned();
    if let Some(u) = stage.uniforms.iter().find(|u| u.name == name || (u.is_array && base(&u.name) == name)) {
        return u.location.cast_signed();
    }
    let Some((text, Some(element))) = reflect::split_subscript(name) else { return -1 };
    let hit = stage.uniforms.iter().find(|u| u.is_array && base(&u.name) == text && element < u.array_size);
    hit.map_or(-1, |u| (u.location + element).cast_signed())
}

/// Indices of the active variables of an interface whose resources hold some.
pub(crate) fn variables(interface: Interface, a: &ProgramArchive, index: usize) -> Option<Cow<'_, [u32]>> {
    let of = |blocks: &'_ [Block]| blocks.get(index).map(|b| b.variables.clone());
    Some(match interface {
        Interface::UniformBlock => of(&a.uniform_blocks).unwrap_or_default().into(),
        Interface::StorageBlock => of(&a.storage_blocks).unwrap_or_default().into(),
        Interface::AtomicCounterBuffer => {
            a.atomic_buffers.get(index).map_or(Cow::Borrowed(&[][..]), |b| (&b.variables[..]).into())
        }
        Interface::XfbBuffer => {
            let (buffer, _) = xfb_buffers(a).nth(index).unwrap_or((u32::MAX, 0));
            let mine = varyings(a).iter().enumerate().filter(|(_, v)| v.buffer == buffer && v.gl_type != 0);
            mine.map(|(i, _)| i as u32).collect::<Vec<_>>().into()
        }
        _ => return None,
    })
}
