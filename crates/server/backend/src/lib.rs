//! The seam between the applier and a driver backend: small object-safe traits over resolved state. Must not know
//! records, rings, sockets or any driver.
#![forbid(unsafe_code)]

pub mod blocks;
pub mod desc;
pub mod inject;
pub mod pixels;
pub mod raster;
pub mod state;
pub mod traits;

pub use blocks::{Block, Blocks};
pub use desc::{BufferDesc, ImageRef, SamplerDesc, TextureDesc, VertexElementsDesc, ViewDesc, ViewOf};
pub use pixels::{PixelBytes, PixelMemory};
pub use raster::Rasterised;
pub use state::{ContextState, Dirty};
pub use traits::{
    Backend, Buffers, Content, Draw, Fences, Objects, Outcome, Programs, Queries, Refusal, Retire, SharedMemory,
    Textures, Verbs,
};

/// Plain payload values that backends read; the records that carry them are not part of the seam.
pub mod values {
    pub use mgl_pipe::caps::Caps;
    pub use mgl_pipe::format::{Base, Format, FormatInfo, Numeric, Storage};
    pub use mgl_pipe::records::{
        AttribValue, Blit, BufferRange, Clear, CopyFramebufferToTexture, CreateSamplerState as SamplerValues,
        DrawIndirect, DrawRange, ImageView, LaunchGrid, PresentImage, ReadbackInfo, ResourceCopyRegion,
        SetFramebufferState as FramebufferState, SetTextureParams as TextureParams, SubRegion, Surface, VertexAttrib,
        VertexBinding, VertexBuffer, XfbTarget,
    };
    pub use mgl_pipe::render_state::{BlendState, DynamicState, PipelineState, StencilOps, StencilRef};
    pub use mgl_pipe::tokens;
    pub use mgl_pipe::{Bool8, Box3};
}
