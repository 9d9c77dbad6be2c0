//! Values of subroutine uniforms. They belong to the context, not to the program (GL 4.6 §7.10). Must not push records.

use crate::context::Context;
use crate::instance::Instance;
use crate::program::state::{Executable, ProgramOrShader};
use crate::tracker::Dirty;
use mgl_glsl::archive::ProgramArchive;
use std::sync::Arc;

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    /// Values by location, of each stage; empty until they are set for the program in use.
    pub(crate) values: [Vec<u32>; 6],
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }

    /// Value at a location: the one set, else the first subroutine that fits.
    pub(crate) fn value(&self, archive: &ProgramArchive, stage: usize, location: u32) -> u32 {
        if let Some(value) = self.values[stage].get(location as usize) {
            return *value;
        }
        let uniforms = &archive.subroutines[stage].uniforms;
        let uniform = uniforms.iter().find(|u| (u.location..u.location + u.array_size).contains(&location));
        uniform.and_then(|u| u.compatible.first().copied()).unwrap_or(0)
    }

    fn each(&self, archive: &ProgramArchive, mut put: impl FnMut(usize, [u8; 4])) {
        for (stage, subroutines) in archive.subroutines.iter().enumerate() {
            for uniform in &subroutines.uniforms {
                for element in 0..uniform.array_size {
                    let value = self.value(archive, stage, uniform.location + element);
                    put((uniform.offset + 16 * element) as usize, value.to_le_bytes());
                }
            }
        }
    }

    /// Brings the default block of the program up to date.
    pub(crate) fn write(&self, executable: &mut Executable) {
        if executable.archive.subroutines.iter().all(|s| s.uniforms.is_empty()) {
            return;
        }
        let archive = executable.archive.clone();
        self.each(&archive, |offset, bytes| {
            executable.write_constants(offset, &bytes);
        });
    }

    /// Writes the values into a copy of the block.
    pub(crate) fn write_into(&self, archive: &ProgramArchive, block: &mut [u8]) {
        self.each(archive, |offset, bytes| {
            if let Some(to) = block.get_mut(offset..offset + 4) {
                to.copy_from_slice(&bytes);
            }
        });
    }
}

impl Context {
    /// `glUseProgram` loses the values of subroutine uniforms of all stages (GL 4.6 §7.10).
    pub(crate) fn lose_subroutines(&mut self) {
        self.lose_subroutines_where(|_| true);
    }

    /// A pipeline object was bound or changed: lost are the values of stages whose program is not the one of `before`
    /// (GL 4.6 §7.10).
    pub(crate) fn lose_changed_subroutines(&mut self, before: &[Option<Arc<ProgramOrShader>>; 6]) {
        let now = self.active_programs();
        let same = |stage: usize| match (&before[stage], &now[stage]) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        self.lose_subroutines_where(|stage| !same(stage));
    }

    /// The program was linked again, if it could be: lost are the values of the stages that it runs (GL 4.6 §7.10).
    pub(crate) fn lose_subroutines_of(&mut self, program: &Arc<ProgramOrShader>) {
        if self.subroutine.values.iter().all(Vec::is_empty) {
            return;
        }
        let linked = program.program().is_some_and(|program| {
            let mut inner = program.inner();
            inner.settle();
            inner.link_ok
        });
        let now = self.active_programs();
        self.lose_subroutines_where(|stage| linked && now[stage].as_ref().is_some_and(|p| Arc::ptr_eq(p, program)));
    }

    fn lose_subroutines_where(&mut self, lost: impl Fn(usize) -> bool) {
        // Most programs have none: a draw after `glUseProgram` of the program in use stays one with nothing changed.
        for (stage, values) in self.subroutine.values.iter_mut().enumerate() {
            if !values.is_empty() && lost(stage) {
                values.clear();
                self.dirty |= Dirty::CONSTANTS;
            }
        }
    }
}
