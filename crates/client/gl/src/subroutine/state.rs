//! Values of subroutine uniforms. They belong to the context, not to the program (GL 4.6 §7.10). Must not push records.

use crate::instance::Instance;
use crate::program::state::Executable;
use mgl_glsl::archive::ProgramArchive;

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

impl crate::context::Context {
    /// What runs has changed: values of subroutine uniforms are lost.
    pub(crate) fn lose_subroutines(&mut self) {
        // Most programs have none: a draw after `glUseProgram` of the program in use stays one with nothing changed.
        for values in self.subroutine.values.iter_mut().filter(|values| !values.is_empty()) {
            values.clear();
            self.dirty |= crate::tracker::Dirty::CONSTANTS;
        }
    }
}
