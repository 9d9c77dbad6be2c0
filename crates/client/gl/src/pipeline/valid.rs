//! When the programs of a pipeline object may draw together (GL 4.6 §11.1.3.11). Must not know contexts.

use super::state::Inner;
use crate::program::state::{Bindings, ProgramOrShader};
use mgl_glsl::Stage;
use std::sync::Arc;

/// Stages and separability of a program's last link; `None` when it has none.
fn linked(object: &ProgramOrShader) -> Option<(u8, bool)> {
    let mut inner = object.program()?.inner();
    inner.settle();
    inner.executable.as_ref().map(|e| (e.archive.stages, e.archive.separable))
}

/// Why the object cannot draw.
pub(super) fn check(inner: &Inner) -> Result<(), String> {
    for (at, slot) in inner.stages.iter().enumerate() {
        let Some((name, object)) = slot else { continue };
        let Some((stages, separable)) = linked(object) else {
            return Err(format!("program {name} has not been linked successfully"));
        };
        if !separable {
            return Err(format!("program {name} was linked without GL_PROGRAM_SEPARABLE"));
        }
        let mine = |i: usize| inner.stages[i].as_ref().is_some_and(|(_, o)| Arc::ptr_eq(o, object));
        if (0..6).any(|i| stages & (1 << i) != 0 && !mine(i)) {
            return Err(format!("program {name} is in use for only some of its stages"));
        }
        let mut before = inner.stages[..at].iter().flatten().rev().map(|(_, o)| Arc::ptr_eq(o, object));
        let follows = before.next() == Some(true);
        if !follows && before.any(|same| same) && at != Stage::Compute.index() {
            return Err(format!("another program's stage lies between two stages of program {name}"));
        }
    }
    let has = |stage: Stage| inner.stages[stage.index()].is_some();
    let upstream = [Stage::TessControl, Stage::TessEval, Stage::Geometry];
    if !has(Stage::Vertex) && upstream.into_iter().any(has) {
        return Err("there is no program for the vertex stage".into());
    }
    if has(Stage::TessControl) && !has(Stage::TessEval) {
        return Err("a tessellation control stage needs a tessellation evaluation stage".into());
    }
    Ok(())
}

/// Two samplers of different type use one texture unit (GL 4.6 §7.11).
pub(super) fn samplers_clash(inner: &Inner) -> bool {
    let mut all = Bindings::default();
    for (_, object) in inner.stages.iter().flatten() {
        let Some(program) = object.program() else { continue };
        if let Some(executable) = &program.inner().executable {
            all.textures.extend_from_slice(&executable.bindings.textures);
        }
    }
    all.samplers_clash()
}
