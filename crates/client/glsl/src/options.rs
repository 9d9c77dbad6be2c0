//! What the caller's context allows: language versions and implementation limits.
//! Must not know where the numbers come from (caps of the server, clamped by the client).

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Limits that the language shows as `gl_Max*` constants and that linking enforces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// `GL_MAX_VERTEX_ATTRIBS`.
    pub vertex_attribs: u32,
    /// `GL_MAX_DRAW_BUFFERS`.
    pub draw_buffers: u32,
    /// `GL_MAX_DUAL_SOURCE_DRAW_BUFFERS`.
    pub dual_source_draw_buffers: u32,
    /// `GL_MAX_VARYING_VECTORS`: locations between two stages.
    pub varying_vectors: u32,
    /// Vectors of the default block, which holds the loose uniforms of all stages: its bytes are 16 times this.
    pub uniform_vectors: u32,
    /// `GL_MAX_*_UNIFORM_COMPONENTS` / 4: what one stage may use of it.
    pub stage_uniform_vectors: u32,
    /// `GL_MAX_UNIFORM_LOCATIONS`.
    pub uniform_locations: u32,
    /// `GL_MAX_*_TEXTURE_IMAGE_UNITS`, per stage.
    pub texture_units: u32,
    /// `GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS`.
    pub combined_texture_units: u32,
    /// `GL_MAX_IMAGE_UNITS`.
    pub image_units: u32,
    /// `GL_MAX_COMBINED_UNIFORM_BLOCKS`.
    pub uniform_blocks: u32,
    /// `GL_MAX_*_UNIFORM_BLOCKS`, per stage.
    pub stage_uniform_blocks: u32,
    /// `GL_MAX_UNIFORM_BUFFER_BINDINGS` and `GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS`.
    pub buffer_bindings: u32,
    /// `GL_MAX_UNIFORM_BLOCK_SIZE`.
    pub uniform_block_size: u32,
    /// `GL_MAX_*_IMAGE_UNIFORMS` in the order of `Stage::ALL`.
    pub stage_images: [u32; 6],
    /// `GL_MAX_COMBINED_IMAGE_UNIFORMS`.
    pub images: u32,
    /// `GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS`.
    pub storage_blocks: u32,
    /// `GL_MAX_*_SHADER_STORAGE_BLOCKS` in the order of `Stage::ALL`.
    pub stage_storage_blocks: [u32; 6],
    /// `GL_MAX_SHADER_STORAGE_BLOCK_SIZE`.
    pub storage_block_size: u64,
    /// `GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS`.
    pub atomic_buffers: u32,
    /// `GL_MAX_*_ATOMIC_COUNTER_BUFFERS` in the order of `Stage::ALL`.
    pub stage_counter_buffers: [u32; 6],
    /// `GL_MAX_COMBINED_ATOMIC_COUNTER_BUFFERS`.
    pub counter_buffers: u32,
    /// `GL_MAX_*_ATOMIC_COUNTERS` of a stage that has counter buffers, and of all stages.
    pub counters: u32,
    /// `GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS`.
    pub work_group_invocations: u32,
    /// `GL_MAX_COMPUTE_SHARED_MEMORY_SIZE`.
    pub shared_bytes: u32,
    /// `GL_MAX_CLIP_DISTANCES`.
    pub clip_distances: u32,
    /// `GL_MAX_TRANSFORM_FEEDBACK_BUFFERS`.
    pub xfb_buffers: u32,
    /// `GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS`.
    pub xfb_interleaved_components: u32,
    /// `GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS`.
    pub xfb_separate_components: u32,
    /// `GL_MAX_GEOMETRY_OUTPUT_VERTICES`.
    pub geometry_output_vertices: u32,
    /// `GL_MAX_PATCH_VERTICES`.
    pub patch_vertices: u32,
    /// `GL_MAX_VIEWPORTS`.
    pub viewports: u32,
    /// `GL_MAX_SAMPLES`.
    pub samples: u32,
    /// `GL_MAX_COMPUTE_WORK_GROUP_SIZE`.
    pub work_group_size: [u32; 3],
    /// `GL_MAX_COMPUTE_WORK_GROUP_COUNT`.
    pub work_group_count: [u32; 3],
    /// `GL_MIN_PROGRAM_TEXEL_OFFSET` and `GL_MAX_PROGRAM_TEXEL_OFFSET`.
    pub texel_offset: [i32; 2],
    /// `GL_MAX_IMAGE_SAMPLES`.
    pub image_samples: u32,
    /// Stages, by their bits, in which invocations of the device vote in groups.
    pub group_vote_stages: u32,
    /// Stages in which they give ballots and read each other's values.
    pub group_ballot_stages: u32,
    /// Invocations of the device's groups.
    pub group_size: u32,
}

impl Limits {
    /// Why a work group is too large for the device, by direction or as a whole.
    pub(crate) fn refuse_work_group(&self, size: [u32; 3]) -> Option<String> {
        let invocations = size.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n)));
        let fits = size.iter().zip(self.work_group_size).all(|(n, limit)| *n <= limit);
        if fits && invocations <= u64::from(self.work_group_invocations) {
            return None;
        }
        let ([x, y, z], [a, b, c], all) = (size, self.work_group_size, self.work_group_invocations);
        Some(format!(
            "a work group of {x} x {y} x {z} is too large: the limit is {a} x {b} x {c} and {all} invocations"
        ))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            vertex_attribs: 16,
            draw_buffers: 8,
            dual_source_draw_buffers: 1,
            varying_vectors: 32,
            uniform_vectors: 4096,
            stage_uniform_vectors: 1024,
            uniform_locations: 16384,
            texture_units: 32,
            combined_texture_units: 192,
            image_units: 32,
            uniform_blocks: 84,
            stage_uniform_blocks: 14,
            buffer_bindings: 84,
            uniform_block_size: 65536,
            stage_images: [32; 6],
            images: 32,
            storage_blocks: 76,
            stage_storage_blocks: [16; 6],
            storage_block_size: 1 << 27,
            atomic_buffers: 84,
            stage_counter_buffers: [8; 6],
            counter_buffers: 8,
            counters: 4096,
            work_group_invocations: 1024,
            shared_bytes: 32 << 10,
            clip_distances: 8,
            xfb_buffers: 4,
            xfb_interleaved_components: 128,
            xfb_separate_components: 4,
            geometry_output_vertices: 256,
            patch_vertices: 32,
            viewports: 16,
            samples: 8,
            work_group_size: [1024, 1024, 64],
            work_group_count: [65535; 3],
            texel_offset: [-8, 7],
            image_samples: 0,
            group_vote_stages: 0x3F,
            group_ballot_stages: 0x3F,
            group_size: 32,
        }
    }
}

/// How one shader is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompileOptions {
    /// Largest desktop `#version` accepted, e.g. 330 in a 3.3 context.
    pub max_version: u32,
    /// Accept the compatibility profile.
    pub compatibility: bool,
    /// Accept `#version 100`, `300 es` and later (`GL_ARB_ES*_compatibility`).
    pub es: bool,
    /// Extensions that the context announces; without a list every one that is known is there.
    pub extensions: Option<Extensions>,
    /// Limits of the context.
    pub limits: Limits,
}

/// The extensions of a context, by name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Extensions(Arc<BTreeSet<&'static str>>);

impl Extensions {
    /// The set of `names`.
    pub fn new(names: impl IntoIterator<Item = &'static str>) -> Self {
        Self(Arc::new(names.into_iter().collect()))
    }
    /// True when the context announces `name`.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Short, because caches make their keys from it: a digest of the names.
impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digest = xxhash_rust::xxh3::Xxh3::new();
        self.0.iter().for_each(|name| digest.update(name.as_bytes()));
        write!(f, "Extensions({:x})", digest.digest())
    }
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { max_version: 460, compatibility: false, es: true, extensions: None, limits: Limits::default() }
    }
}
