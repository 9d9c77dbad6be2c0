//! Program and shader objects and what a context remembers of the program in use. Must not push records.

use crate::instance::{Dead, Instance};
use crate::share::{LastWrite, lock};
use mgl_base::Handle;
use mgl_base::handle::ShaderCso;
use mgl_glsl::archive::ProgramArchive;
use mgl_glsl::{Compiled, LinkFailure, LinkRequest, Linked, Pending, Stage, StagePart};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::bindings::initial_unit;
pub use super::bindings::{Bindings, StorageSlot, TextureSlot};
use super::copies::Copies;

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {
    /// Name and object of the program in use.
    pub(crate) current: Option<(u32, Arc<ProgramOrShader>)>,
    /// What verbs use: the program in use, or what the bound pipeline object comes to.
    pub(crate) drawn: Option<Arc<ProgramOrShader>>,
    /// `drawn` is what draws use, and nothing has changed since: the next push need not resolve it again.
    pub(crate) draw_resolved: bool,
    /// Snapshot of its bindings; refreshed when they change through this context and at validate.
    pub(crate) bindings: Option<Arc<Bindings>>,
    /// Draw program the server has.
    pub(crate) pushed_draw: Handle<ShaderCso>,
    /// Dispatch program the server has.
    pub(crate) pushed_dispatch: Handle<ShaderCso>,
    /// `glMaxShaderCompilerThreadsKHR`; `None` = never called.
    pub(crate) compiler_threads: Option<u32>,
    /// Program, and its link, that the slot-resolved sets were pushed for.
    pub(crate) sets_for: (Handle<ShaderCso>, u64),
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self::default()
    }
}

/// Programs and shaders share one name space (GL 4.6 §7.1).
#[derive(Debug)]
pub enum ProgramOrShader {
    /// `glCreateShader`.
    Shader(Shader),
    /// `glCreateProgram`.
    Program(Box<Program>),
}

impl ProgramOrShader {
    /// The program, when it is one.
    pub fn program(&self) -> Option<&Program> {
        match self {
            Self::Program(p) => Some(p),
            Self::Shader(_) => None,
        }
    }
    /// The shader, when it is one.
    pub fn shader(&self) -> Option<&Shader> {
        match self {
            Self::Shader(s) => Some(s),
            Self::Program(_) => None,
        }
    }
}

/// A shader object.
#[derive(Debug)]
pub struct Shader {
    /// GL token of the type.
    pub gl_type: u32,
    /// Stage.
    pub stage: Stage,
    /// Programs it is attached to.
    pub(crate) attached: AtomicU32,
    /// `glDeleteShader` was called while attached.
    pub(crate) delete_pending: AtomicBool,
    inner: Mutex<ShaderInner>,
}

/// Mutable part of a shader.
#[derive(Default)]
pub struct ShaderInner {
    /// `glShaderSource`, concatenated; not necessarily UTF-8.
    pub(crate) source: Vec<u8>,
    /// `glShaderBinary`; the shader has no source then.
    pub(crate) module: Option<Arc<[u32]>>,
    pub(crate) pending: Option<Pending<Compiled>>,
    pub(crate) compiled: Option<Compiled>,
}

impl std::fmt::Debug for ShaderInner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShaderInner").field("bytes", &self.source.len()).field("compiled", &self.compiled).finish()
    }
}

impl ShaderInner {
    /// The outcome of the last compile; waits for a running one.
    pub(crate) fn outcome(&mut self) -> Option<&Compiled> {
        if let Some(pending) = self.pending.take() {
            self.compiled = pending.wait();
        }
        self.compiled.as_ref()
    }
}

impl Shader {
    /// An empty shader.
    pub fn new(gl_type: u32, stage: Stage) -> Self {
        Self {
            gl_type,
            stage,
            attached: AtomicU32::new(0),
            delete_pending: AtomicBool::new(false),
            inner: Mutex::default(),
        }
    }
    /// The mutable part.
    pub(crate) fn inner(&self) -> MutexGuard<'_, ShaderInner> {
        lock(&self.inner)
    }
}

/// A successfully linked program: what draws and queries use.
pub struct Executable {
    /// Reflection.
    pub archive: Arc<ProgramArchive>,
    /// Stage words.
    pub(crate) spirv: Box<[Option<Vec<u32>>; 6]>,
    /// The server has them.
    pub(crate) sent: bool,
    /// Stages of a separable program, for pipeline objects.
    pub(crate) parts: Vec<StagePart>,
    /// Moves with every change of `constants`.
    pub(crate) revision: u64,
    /// Bytes of the default uniform block.
    pub(crate) constants: Vec<u8>,
    /// What contexts have of `constants`.
    pub(crate) copies: Copies,
    /// Flow of the context that changed `bindings` last; 0 = none since the link.
    pub(crate) binder: u32,
    /// Uniform and element by location.
    pub(crate) locations: Vec<Option<(u32, u32)>>,
    /// Current slot bindings.
    pub(crate) bindings: Arc<Bindings>,
    /// Units of opaque uniforms by location.
    pub(crate) units: Vec<i32>,
    /// Rises with every successful link of the program.
    pub(crate) serial: u64,
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executable").field("serial", &self.serial).finish_non_exhaustive()
    }
}

impl Executable {
    pub(crate) fn new(linked: Linked, serial: u64) -> Self {
        let archive = Arc::new(linked.archive);
        let mut locations = vec![None; archive.location_count as usize];
        let mut units = vec![0; locations.len()];
        for (index, uniform) in archive.uniforms.iter().enumerate().filter(|(_, u)| u.location >= 0) {
            for element in 0..uniform.array_size.max(1) {
                let at = uniform.location as usize + element as usize;
                if let Some(slot) = locations.get_mut(at) {
                    *slot = Some((index as u32, element));
                    units[at] = uniform.opaque.as_ref().map_or(0, |o| initial_unit(o, element) as i32);
                }
            }
        }
        let mut constants = archive.default_block_init.clone();
        constants.resize(archive.default_block_size as usize, 0);
        Self {
            bindings: Arc::new(Bindings::of(&archive)),
            copies: Copies::default(),
            binder: 0,
            spirv: Box::new(linked.spirv),
            sent: false,
            parts: linked.parts,
            revision: 0,
            archive,
            constants,
            locations,
            units,
            serial,
        }
    }
    /// Another context than that of `flow` changed the bindings last.
    pub(crate) fn bound_elsewhere(&self, flow: u32) -> bool {
        self.binder != 0 && self.binder != flow
    }
    /// Writes bytes of the default block; true when something changed.
    pub(crate) fn write_constants(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let Some(to) = self.constants.get_mut(offset..offset + bytes.len()) else { return false };
        if to == bytes {
            return false;
        }
        to.copy_from_slice(bytes);
        self.revision += 1;
        self.copies.changed(offset..offset + bytes.len());
        true
    }
}

/// A program object.
#[derive(Debug)]
pub struct Program {
    instance: Arc<Instance>,
    /// Handle on the server, the same over relinks.
    pub cso: Handle<ShaderCso>,
    /// Contexts in which it is in use, and pipeline objects' stages that it is in.
    pub(crate) in_use: AtomicU32,
    /// Active transform feedback objects that capture from it, in any context, bound or not, paused or not.
    pub(crate) capturing: AtomicU32,
    /// `glDeleteProgram` was called while in use.
    pub(crate) delete_pending: AtomicBool,
    /// The record that sent the last link, and the contexts that draw with it.
    pub(crate) last_write: LastWrite,
    inner: Mutex<ProgramInner>,
}

/// Mutable part of a program.
#[derive(Default)]
pub struct ProgramInner {
    /// Attached shaders by name.
    pub(crate) attached: Vec<(u32, Arc<ProgramOrShader>)>,
    /// State that takes effect at the next link.
    pub(crate) request: LinkRequest,
    /// `GL_PROGRAM_BINARY_RETRIEVABLE_HINT`.
    pub(crate) retrievable: bool,
    pub(crate) pending: Option<Pending<Result<Linked, LinkFailure>>>,
    /// `GL_LINK_STATUS`.
    pub(crate) link_ok: bool,
    pub(crate) log: String,
    /// `GL_VALIDATE_STATUS`.
    pub(crate) valid: bool,
    /// The last successful link; a failed relink leaves it in place (GL 4.6 §7.3).
    pub(crate) executable: Option<Executable>,
    /// The server knows the handle.
    pub(crate) created: bool,
    links: u64,
}

impl std::fmt::Debug for ProgramInner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramInner").field("link_ok", &self.link_ok).field("executable", &self.executable).finish()
    }
}

impl ProgramInner {
    /// Makes `linked` the executable, as after a successful link.
    pub(crate) fn install(&mut self, mut linked: Linked) {
        self.links += 1;
        self.link_ok = true;
        self.log = std::mem::take(&mut linked.log);
        self.executable = Some(Executable::new(linked, self.links));
    }
    /// Takes the result of a running link; waits for it.
    pub(crate) fn settle(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        match pending.wait() {
            Some(Ok(linked)) => self.install(linked),
            Some(Err(failure)) => self.fail(failure.log),
            None => self.fail("error: the linker gave up on this program".into()),
        }
    }
    pub(crate) fn fail(&mut self, log: String) {
        self.link_ok = false;
        self.log = log;
    }
}

impl Program {
    /// An empty program.
    pub fn new(instance: &Arc<Instance>) -> Self {
        Self {
            instance: instance.clone(),
            cso: instance.mint(),
            in_use: AtomicU32::new(0),
            capturing: AtomicU32::new(0),
            delete_pending: AtomicBool::new(false),
            last_write: LastWrite::default(),
            inner: Mutex::default(),
        }
    }
    /// The mutable part.
    pub(crate) fn inner(&self) -> MutexGuard<'_, ProgramInner> {
        lock(&self.inner)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (_, shader) in &inner.attached {
            if let Some(shader) = shader.shader() {
                shader.attached.fetch_sub(1, Ordering::AcqRel);
            }
        }
        if inner.created {
            self.instance.bury(Dead::Shader(self.cso));
        } else {
            self.instance.release(self.cso);
        }
    }
}

impl crate::context::Context {
    /// Values or bindings of a program have changed through this context: marks what verbs have to push.
    pub(crate) fn program_changed(
        &mut self,
        object: &Arc<ProgramOrShader>,
        bindings: Option<Arc<Bindings>>,
        dirty: crate::tracker::Dirty,
    ) {
        if self.program.current.as_ref().is_some_and(|c| Arc::ptr_eq(&c.1, object)) {
            if bindings.is_some() {
                self.program.bindings = bindings;
                self.draw.stale = true;
            }
            self.dirty |= dirty;
        } else if self.program.current.is_none() && self.pipeline.is_bound() {
            // What the pipeline draws with takes its values from its programs.
            self.dirty |= crate::tracker::Dirty::PROGRAM;
            self.draw.stale = true;
        }
    }
    /// What the program that was resolved last needs, by slot; `None` when there is none.
    pub(crate) fn program_bindings(&self) -> Option<Arc<Bindings>> {
        self.program.bindings.clone()
    }
}
