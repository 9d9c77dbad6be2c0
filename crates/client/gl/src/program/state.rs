//! State of this group. Must not push records.

use crate::instance::Instance;

/// State of the group in one context.
#[derive(Debug, Default)]
pub struct State {}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self {}
    }
}

/// An object of this kind.
#[derive(Debug, Default)]
pub struct ProgramOrShader {}

/// One texture descriptor slot of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureSlot {
    /// Texture image unit that the sampler uniform names.
    pub unit: u32,
    /// Texture target that the sampler's declared type samples.
    pub target: mgl_pipe::tokens::ResourceTarget,
    /// Declared as a shadow sampler.
    pub shadow: bool,
}

/// One buffer descriptor slot of set 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageSlot {
    /// Shader storage block with its binding point.
    Storage(u32),
    /// Atomic counter buffer with its binding point.
    Atomic(u32),
}

/// What the other groups need of the program in use, by descriptor slot. Replaced as a whole when a uniform or a
/// block binding changes, so a snapshot stays consistent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    /// Set 1: one per slot; `None` for a slot that no stage uses.
    pub textures: Vec<Option<TextureSlot>>,
    /// Set 3: image unit per slot.
    pub images: Vec<Option<u32>>,
    /// Set 0: uniform buffer binding point per slot; `None` for the default block.
    pub uniform_blocks: Vec<Option<u32>>,
    /// Smallest legal size in bytes of each uniform block's range, by slot.
    pub uniform_block_sizes: Vec<u32>,
    /// Set 2: what each slot reads. All of them travel in class `ShaderStorage`.
    pub storage: Vec<Option<StorageSlot>>,
    /// Vertex attribute locations that the program reads, one bit each.
    pub attribs: u32,
    /// Of those, locations whose shader type is integer (bit), to choose the class of current values.
    pub integer_attribs: u32,
    /// Of those, locations whose shader type is unsigned.
    pub unsigned_attribs: u32,
    /// Writes any colour output.
    pub has_fragment_stage: bool,
    /// Primitive mode that the geometry or tessellation stage takes, as GL tokens of the draw mode class.
    pub input_primitive: Option<u32>,
    /// Has a tessellation stage: only `GL_PATCHES` may be drawn.
    pub tessellation: bool,
    /// Primitive mode class that the last vertex stage emits (`GL_POINTS`, `GL_LINES`, `GL_TRIANGLES`), if a geometry
    /// or tessellation stage decides it.
    pub output_primitive: Option<u32>,
    /// Transform feedback captures something.
    pub captures: bool,
    /// Number of transform feedback buffers the program writes.
    pub xfb_buffers: u32,
}

impl crate::context::Context {
    /// The program that `verb` would use, by slot; `None` when there is none.
    pub(crate) fn verb_bindings(&self, _verb: crate::tracker::Verb) -> Option<std::sync::Arc<Bindings>> {
        None
    }
}
