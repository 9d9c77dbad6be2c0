//! Resources that are not bytes: sampled textures, images and the descriptor slots they occupy.
//! Must not know how a backend binds them.

use super::schema::schema;

/// Names and order of the enums of this file, for the schema digest.
pub(super) const ENUMS: &str = "ResourceSet:uniform,sampled,storage,image;OpaqueKind:sampler,image;\
    TextureDim:1d,2d,3d,cube,rect,buffer;SampleType:float,int,uint;ImageAccess:rw,r,w,none";

/// Descriptor set of canonical SPIR-V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ResourceSet {
    /// Set 0: uniform blocks; binding 0 is the default block.
    #[default]
    UniformBlocks = 0,
    /// Set 1: combined image samplers and uniform texel buffers.
    SampledTextures = 1,
    /// Set 2: storage blocks and atomic-counter buffers.
    StorageBlocks = 2,
    /// Set 3: storage images and storage texel buffers.
    Images = 3,
}

/// What a slot of set 1 or 3 holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum OpaqueKind {
    /// A GLSL `sampler*`.
    #[default]
    Sampler,
    /// A GLSL `image*`.
    Image,
}

/// Dimension of the GLSL type. `Rect` is declared as 2D in the SPIR-V; coordinates are already normalised there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum TextureDim {
    /// One dimension.
    D1,
    /// Two dimensions.
    #[default]
    D2,
    /// Three dimensions.
    D3,
    /// Cube map.
    Cube,
    /// `GL_TEXTURE_RECTANGLE`.
    Rect,
    /// `GL_TEXTURE_BUFFER`: a texel buffer.
    Buffer,
}

/// Type that a fetch returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum SampleType {
    /// Floating point (also normalised formats).
    #[default]
    Float,
    /// Signed integer.
    Int,
    /// Unsigned integer.
    Uint,
}

/// Memory qualifiers of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ImageAccess {
    /// No qualifier.
    #[default]
    ReadWrite,
    /// `readonly`.
    ReadOnly,
    /// `writeonly`.
    WriteOnly,
    /// Both: only queries.
    None,
}

schema! {
    /// The descriptor slots of one opaque uniform. `set` is `SampledTextures` or `Images`.
    pub struct OpaqueResource {
        /// Descriptor set.
        pub set: ResourceSet,
        /// First slot; element `i` of the uniform is slot `slot + i`.
        pub slot: u32,
        /// The descriptor binding number that the SPIR-V declares. Differs from `slot` only for a leaf in the middle of an
        /// array of arrays or of structs, which shares one descriptor array with its siblings.
        pub binding: u32,
        /// Slots taken.
        pub count: u32,
        /// Sampler or image.
        pub kind: OpaqueKind,
        /// Dimension.
        pub dim: TextureDim,
        /// Array texture.
        pub arrayed: bool,
        /// Depth comparison sampler.
        pub shadow: bool,
        /// Multisample.
        pub multisample: bool,
        /// Returned type.
        pub sample_type: SampleType,
        /// `layout(binding = n)`, or 0: the initial texture or image unit of element 0.
        pub initial_unit: u32,
        /// `initial_unit` was declared: further elements have the units after it, else all of them have unit 0.
        pub declared_unit: bool,
        /// Elements of an array that no stage reads: what they sample matters to no draw.
        pub idle: Vec<u32>,
        /// GL token of `layout(FORMAT)` of an image, 0 when absent.
        pub format: u32,
        /// Memory qualifiers of an image.
        pub access: ImageAccess,
    }
}
