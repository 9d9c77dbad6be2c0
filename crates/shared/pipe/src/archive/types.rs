//! The structs of the archive. Names are as GL reports them (GL 4.6 core §7.3.1.1), types are GL tokens.
//! Must not know how a backend consumes them.

use super::opaque::OpaqueResource;
use super::schema::schema;

/// Names and order of the enums of this file, for the schema digest.
pub(super) const ENUMS: &str = "Stage:vs,tcs,tes,gs,fs,cs;XfbMode:interleaved,separate;Flags:1";

/// A programmable stage, in the order of the pipeline; the index of per-stage arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Stage {
    /// Vertex.
    Vertex = 0,
    /// Tessellation control.
    TessControl = 1,
    /// Tessellation evaluation.
    TessEval = 2,
    /// Geometry.
    Geometry = 3,
    /// Fragment.
    Fragment = 4,
    /// Compute.
    Compute = 5,
}

impl Stage {
    /// All stages, by index.
    pub const ALL: [Stage; 6] =
        [Stage::Vertex, Stage::TessControl, Stage::TessEval, Stage::Geometry, Stage::Fragment, Stage::Compute];

    /// Index into per-stage arrays.
    pub const fn index(self) -> usize {
        self as usize
    }
    /// The stage's bit in a [`StageMask`].
    pub const fn bit(self) -> StageMask {
        1 << self as u8
    }
    /// The stage's name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessControl => "tessellation control",
            Stage::TessEval => "tessellation evaluation",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        }
    }
}

/// Bit `Stage::index()` is set for every stage that uses a resource.
pub type StageMask = u8;

/// How captured varyings are spread over buffers (GL 4.6 §11.1.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum XfbMode {
    /// `GL_INTERLEAVED_ATTRIBS`.
    #[default]
    Interleaved,
    /// `GL_SEPARATE_ATTRIBS`.
    Separate,
}

schema! {
    /// Everything that is known about a linked program besides its SPIR-V.
    pub struct ProgramArchive {
        /// Linked stages.
        pub stages: StageMask,
        /// Linked as separable (`GL_PROGRAM_SEPARABLE`).
        pub separable: bool,
        /// Made from SPIR-V: the names in here are the front end's own, and GL reports none.
        pub nameless: bool,
        /// Bytes of the default uniform block (set 0, binding 0); 0 when the program has no loose uniforms.
        pub default_block_size: u32,
        /// Stages that read the default uniform block.
        pub default_block_stages: StageMask,
        /// The block's content right after link (initialisers); empty means all zero.
        pub default_block_init: Vec<u8>,
        /// Number of uniform locations, i.e. the largest one + 1.
        pub location_count: u32,
        /// First location and count of uniforms with explicit locations that no stage uses: values for them are ignored.
        pub inactive_locations: Vec<[u32; 2]>,
        /// Active uniforms, in GL index order: loose, opaque, block members, atomic counters.
        pub uniforms: Vec<Uniform>,
        /// Members of the default block that the client keeps up to date by itself.
        pub builtin_uniforms: Vec<BuiltinUniform>,
        /// Active uniform blocks, in GL index order; one entry per element of a block array.
        pub uniform_blocks: Vec<Block>,
        /// Active storage blocks, in GL index order.
        pub storage_blocks: Vec<Block>,
        /// Active buffer variables, in GL index order.
        pub buffer_variables: Vec<BlockVariable>,
        /// Active atomic counter buffers, in GL index order.
        pub atomic_buffers: Vec<AtomicBuffer>,
        /// Active inputs of the first stage (`GL_PROGRAM_INPUT`); vertex attributes when that is the vertex stage.
        pub inputs: Vec<StageVariable>,
        /// Active outputs of the last stage (`GL_PROGRAM_OUTPUT`) when it is not the fragment stage.
        pub outputs: Vec<StageVariable>,
        /// Active fragment outputs.
        pub fragment_outputs: Vec<FragmentOutput>,
        /// What transform feedback captures.
        pub xfb: Option<XfbCapture>,
        /// Geometry stage facts.
        pub geometry: Option<GeometryFacts>,
        /// Tessellation control facts.
        pub tess_control: Option<TessControlFacts>,
        /// Tessellation evaluation facts.
        pub tess_eval: Option<TessEvalFacts>,
        /// Compute facts.
        pub compute: Option<ComputeFacts>,
        /// Subroutines of each stage, by [`Stage::index`].
        pub subroutines: [StageSubroutines; 6],
        /// Facts that change state or variants.
        pub flags: ProgramFlags,
    }

    /// One active uniform (`GL_UNIFORM`).
    pub struct Uniform {
        /// `a`, `a[0]`, `s.m[0]`, `Block.m` (named by the block when it has an instance name).
        pub name: String,
        /// GL type token, e.g. `GL_FLOAT_VEC4`.
        pub gl_type: u32,
        /// Number of elements; 1 when not an array.
        pub array_size: u32,
        /// Declared as an array (its name ends in `[0]`).
        pub is_array: bool,
        /// Location of element 0; element `i` is at `location + i`. −1 for block members, counters and `gl_` built-ins.
        pub location: i32,
        /// Index into `uniform_blocks`, or −1 for the default block and opaque uniforms.
        pub block: i32,
        /// Byte offset in its block, also for the default block (the GL query answers −1 there); −1 for opaque uniforms.
        pub offset: i32,
        /// Bytes between array elements in the block; 0 when not an array.
        pub array_stride: u32,
        /// Bytes between columns (or rows when `row_major`); 0 when not a matrix.
        pub matrix_stride: u32,
        /// Stored row by row.
        pub row_major: bool,
        /// Stages that use it.
        pub stages: StageMask,
        /// Index into `atomic_buffers`, or −1.
        pub atomic_buffer: i32,
        /// Descriptor slots of a sampler or image.
        pub opaque: Option<OpaqueResource>,
    }

    /// A built-in uniform (`gl_DepthRange.near`, `gl_NumSamples`) or one that only the front end knows.
    pub struct BuiltinUniform {
        /// Name.
        pub name: String,
        /// Byte offset in the default block.
        pub offset: u32,
    }

    /// One active uniform block (set 0) or storage block (set 2).
    pub struct Block {
        /// `B` or `B[1]`.
        pub name: String,
        /// Descriptor slot in its set.
        pub slot: u32,
        /// The descriptor binding number that the SPIR-V declares: the slot of element 0.
        pub binding: u32,
        /// Smallest buffer that holds the block (`GL_BUFFER_DATA_SIZE`).
        pub data_size: u32,
        /// Indices into `uniforms` or `buffer_variables`.
        pub variables: Vec<u32>,
        /// Stages that use it.
        pub stages: StageMask,
        /// `layout(binding = n)` plus the element, or 0.
        pub initial_binding: u32,
        /// `readonly` on the whole block.
        pub read_only: bool,
    }

    /// One active buffer variable (`GL_BUFFER_VARIABLE`).
    pub struct BlockVariable {
        /// Name.
        pub name: String,
        /// GL type token.
        pub gl_type: u32,
        /// Elements; 0 for a run-time sized array.
        pub array_size: u32,
        /// Declared as an array.
        pub is_array: bool,
        /// Index into `storage_blocks`.
        pub block: u32,
        /// Byte offset.
        pub offset: u32,
        /// Bytes between elements.
        pub array_stride: u32,
        /// Bytes between columns or rows.
        pub matrix_stride: u32,
        /// Stored row by row.
        pub row_major: bool,
        /// Elements of the outermost array; 1 when not an array, 0 when run-time sized.
        pub top_level_array_size: u32,
        /// Bytes between elements of the outermost array; 0 when not an array.
        pub top_level_array_stride: u32,
        /// Stages that use it.
        pub stages: StageMask,
    }

    /// One atomic counter buffer.
    pub struct AtomicBuffer {
        /// `GL_ATOMIC_COUNTER_BUFFER` binding point.
        pub binding: u32,
        /// Descriptor slot in set 2.
        pub slot: u32,
        /// Smallest buffer.
        pub data_size: u32,
        /// Indices into `uniforms`.
        pub variables: Vec<u32>,
        /// Stages that use it.
        pub stages: StageMask,
    }

    /// One active input of the first stage or output of the last one.
    pub struct StageVariable {
        /// Name as GL reports it.
        pub name: String,
        /// GL type token.
        pub gl_type: u32,
        /// Elements; 1 when not an array.
        pub array_size: u32,
        /// Declared as an array.
        pub is_array: bool,
        /// First location, −1 for built-ins.
        pub location: i32,
        /// Locations taken, as the SPIR-V declares them.
        pub locations: u32,
        /// `layout(component)`.
        pub component: u32,
        /// Declared `patch`.
        pub patch: bool,
        /// Stages that reference it.
        pub stages: StageMask,
    }

    /// One active fragment output.
    pub struct FragmentOutput {
        /// Name.
        pub name: String,
        /// GL type token.
        pub gl_type: u32,
        /// Elements; 1 when not an array.
        pub array_size: u32,
        /// Declared as an array.
        pub is_array: bool,
        /// Colour number of element 0; −1 for built-ins such as `gl_FragDepth`.
        pub location: i32,
        /// Blend source index; −1 for built-ins.
        pub index: i32,
    }

    /// Transform feedback layout. The SPIR-V carries the same as decorations.
    pub struct XfbCapture {
        /// Interleaved or separate.
        pub mode: XfbMode,
        /// Captured varyings, in the order given, with `gl_NextBuffer` and `gl_SkipComponents#`.
        pub varyings: Vec<XfbVarying>,
        /// Bytes per vertex of each buffer; 0 for an unused one.
        pub strides: [u32; 4],
        /// Vertex stream that feeds each buffer.
        pub streams: [u8; 4],
    }

    /// One captured varying (`GL_TRANSFORM_FEEDBACK_VARYING`).
    pub struct XfbVarying {
        /// Name.
        pub name: String,
        /// GL type token; `GL_NONE` for the two pseudo varyings.
        pub gl_type: u32,
        /// Elements captured.
        pub array_size: u32,
        /// Buffer.
        pub buffer: u32,
        /// Byte offset in the vertex record; −1 for `gl_NextBuffer`.
        pub offset: i32,
    }

    /// Geometry stage facts (GL tokens).
    pub struct GeometryFacts {
        /// `GL_POINTS`, `GL_LINES`, `GL_LINES_ADJACENCY`, `GL_TRIANGLES`, `GL_TRIANGLES_ADJACENCY`.
        pub input_primitive: u32,
        /// `GL_POINTS`, `GL_LINE_STRIP`, `GL_TRIANGLE_STRIP`.
        pub output_primitive: u32,
        /// `max_vertices`.
        pub max_vertices: u32,
        /// `invocations`.
        pub invocations: u32,
        /// Bit per vertex stream that the shader emits to.
        pub streams: u8,
    }

    /// Tessellation control facts.
    pub struct TessControlFacts {
        /// `layout(vertices = n)`.
        pub output_vertices: u32,
    }

    /// Tessellation evaluation facts (GL tokens).
    pub struct TessEvalFacts {
        /// `GL_TRIANGLES`, `GL_QUADS`, `GL_ISOLINES`.
        pub primitive: u32,
        /// `GL_EQUAL`, `GL_FRACTIONAL_EVEN`, `GL_FRACTIONAL_ODD`.
        pub spacing: u32,
        /// `GL_CW` or `GL_CCW`.
        pub vertex_order: u32,
        /// `point_mode`.
        pub point_mode: bool,
    }

    /// Compute facts.
    pub struct ComputeFacts {
        /// Work group size.
        pub local_size: [u32; 3],
        /// Bytes of `shared` variables.
        pub shared_size: u32,
    }

    /// Subroutines of one stage (GL 4.6 §7.10). The client answers and sets them; the SPIR-V has them as switches.
    pub struct StageSubroutines {
        /// Active subroutines, in the order of their names in the shader.
        pub functions: Vec<Subroutine>,
        /// Active subroutine uniforms.
        pub uniforms: Vec<SubroutineUniform>,
    }

    /// One active subroutine.
    pub struct Subroutine {
        /// Name.
        pub name: String,
        /// Value that selects it.
        pub index: u32,
    }

    /// One active subroutine uniform.
    pub struct SubroutineUniform {
        /// `a` or `a[0]`.
        pub name: String,
        /// Elements; 1 when not an array.
        pub array_size: u32,
        /// Declared as an array.
        pub is_array: bool,
        /// Location of element 0, counted per stage.
        pub location: u32,
        /// Indices of the subroutines that it may name.
        pub compatible: Vec<u32>,
        /// Byte offset of element 0 in the default block; elements are 16 bytes apart.
        pub offset: u32,
    }

    /// Facts that change draw state or backend variants.
    pub struct ProgramFlags {
        /// The last pre-rasterisation stage writes `gl_PointSize`.
        pub writes_point_size: bool,
        /// The fragment stage reads `gl_PointCoord`.
        pub reads_point_coord: bool,
        /// Writes `gl_Layer`.
        pub writes_layer: bool,
        /// Writes `gl_ViewportIndex`.
        pub writes_viewport_index: bool,
        /// Writes `gl_ClipDistance`: how many.
        pub clip_distances: u8,
        /// Writes `gl_CullDistance`: how many.
        pub cull_distances: u8,
        /// The fragment stage may discard.
        pub discards: bool,
        /// Writes `gl_FragDepth`.
        pub writes_depth: bool,
        /// Writes `gl_FragStencilRefARB`.
        pub writes_stencil: bool,
        /// Writes `gl_SampleMask`.
        pub writes_sample_mask: bool,
        /// `layout(early_fragment_tests) in`.
        pub early_fragment_tests: bool,
        /// Runs per sample (`gl_SampleID`, `gl_SamplePosition` or a `sample in`).
        pub per_sample: bool,
        /// Uses `gl_BaseVertex`, `gl_BaseInstance` or `gl_DrawID`.
        pub draw_parameters: bool,
        /// Uses `gl_InstanceID` (which the SPIR-V computes as InstanceIndex − BaseInstance).
        pub instance_id: bool,
        /// Location 0 was written as `gl_FragColor`: it goes to every colour buffer.
        pub broadcast_color: bool,
        /// Blend source index 1 is written.
        pub dual_source: bool,
        /// A stage writes memory (storage block, image, counter).
        pub writes_memory: bool,
    }
}
