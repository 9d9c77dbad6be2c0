//! The record catalogue, one file per family. Opcodes are wire history: appended, never inserted or reused
//! (spec 01b). Must not know how a record is carried or applied.

pub mod control;
pub mod cso;
pub mod object;
pub mod query;
pub mod screen;
pub mod state;
pub mod verb;

pub use control::{ApplierReset, BindContext, ObjectDeath, SetContextValues, VerifyState, WaitFlow};
pub use cso::{
    BindRenderState, BindShaderState, BindVertexElements, CreateRenderState, CreateSamplerState, CreateSamplerView,
    CreateShaderState, CreateVertexElements, DeleteRenderState, DeleteSamplerState, DeleteSamplerView,
    DeleteShaderState, DeleteVertexElements, VertexAttrib, VertexBinding,
};
pub use object::{
    BufferSubDataResident, ClearBufferData, ClearTexture, CopyBuffer, CopyBufferToTexture, GetTextureImage,
    GetTextureImageToBuffer, ReadPixels, ReadPixelsToBuffer, ReadbackInfo, ResourceFlushRange, ResourceReadback,
    ResourceSubData, SetTextureParams, SubRegion, TexturePullDone,
};
pub use query::{
    QueryAvailable, QueryBegin, QueryCounter, QueryCreate, QueryDestroy, QueryEnd, QueryResult, QueryResultToBuffer,
    QueryTimestamp,
};
pub use screen::{
    FenceCreate, FenceDestroy, FenceStatus, FenceWait, FenceWaitServer, GetCaps, MapPersistent, ResourceCreate,
    ResourceDesc, ResourceDestroy, ResourceRespecify, UnmapPersistent, WRITTEN_ONCE,
};
pub use state::{
    AttribValue, BindSamplerStates, BoundView, BufferRange, ImageView, PixelPack, ResidualState, SamplerUnit,
    SetDispatchProgram, SetDrawProgram, SetDynamicState, SetFramebufferState, SetGlobalConstants, SetIndexBuffer,
    SetIndirectBuffers, SetPatchState, SetPixelPackState, SetProgramBindings, SetSamplerViews, SetShaderBuffers,
    SetShaderImages, SetStreamOutputTargets, SetVertexAttribDefaults, SetVertexBuffers, StorageOverride, Surface,
    VertexBuffer, XfbTarget,
};
pub use verb::{
    BeginStreamOutput, BindShaderImage, BindStreamOutput, Blit, Clear, CopyFramebufferToTexture, DeleteStreamOutput,
    DrawIndirect, DrawRange, DrawStreamOutput, DrawVbo, EndStreamOutput, Flush, ForgetMemory, GenerateMipmap,
    LaunchGrid, MemoryBarrier, PatchParameter, PauseStreamOutput, Present, PresentImage, ResourceCopyRegion,
    ResumeStreamOutput, SetStorageBlockBinding, SetSwapInterval,
};

/// Calls `$callback! { Name, Name, ... }` with every record type, so that a dispatcher that lacks a handler does not
/// compile.
#[macro_export]
macro_rules! with_catalogue {
    ($callback:ident) => {
        $callback! {
            GetCaps, ResourceCreate, ResourceRespecify, ResourceDestroy, MapPersistent, UnmapPersistent,
            FenceCreate, FenceStatus, FenceWait, FenceDestroy,
            QueryCreate, QueryBegin, QueryEnd, QueryAvailable, QueryResult, QueryDestroy,
            CreateRenderState, BindRenderState, DeleteRenderState,
            CreateVertexElements, BindVertexElements, DeleteVertexElements,
            CreateSamplerState, DeleteSamplerState, CreateSamplerView, DeleteSamplerView,
            CreateShaderState, BindShaderState, DeleteShaderState,
            SetDynamicState, SetFramebufferState, SetVertexBuffers, SetIndexBuffer, SetIndirectBuffers,
            SetSamplerViews, BindSamplerStates, SetShaderImages, SetShaderBuffers, SetStreamOutputTargets,
            SetGlobalConstants, SetVertexAttribDefaults, SetPixelPackState, SetPatchState,
            SetDrawProgram, SetDispatchProgram, ResidualState,
            SetTextureParams, ResourceSubData, BufferSubDataResident, TexturePullDone, ResourceFlushRange,
            ResourceReadback, ResourceCopyRegion, GenerateMipmap, GetTextureImage, Blit, Clear, ReadPixels,
            DrawVbo, LaunchGrid, MemoryBarrier, BeginStreamOutput, EndStreamOutput, PauseStreamOutput,
            ResumeStreamOutput, Flush, Present, SetSwapInterval,
            QueryTimestamp, QueryCounter, FenceWaitServer,
            BindShaderImage, PatchParameter, BindStreamOutput, SetStorageBlockBinding, CopyFramebufferToTexture,
            ApplierReset, ObjectDeath, SetContextValues, SetProgramBindings, DeleteStreamOutput,
            ReadPixelsToBuffer, GetTextureImageToBuffer, BindContext,
            WaitFlow, CopyBuffer, ClearBufferData, ClearTexture, QueryResultToBuffer,
            VerifyState, DrawStreamOutput, CopyBufferToTexture, PresentImage, ForgetMemory
        }
    };
}

macro_rules! data_rows {
    ($($name:ident),+ $(,)?) => {
        /// Every record in opcode order: the data form that dumps, docs, fuzz seeds and digests are made from.
        pub const CATALOGUE: &[crate::RecordInfo] = &[$(<$name as crate::Record>::INFO),+];
    };
}
with_catalogue!(data_rows);

impl crate::RecordInfo {
    /// The row of an opcode.
    pub fn of(op: u16) -> Option<&'static crate::RecordInfo> {
        let rows = crate::CATALOGUE;
        // The catalogue is nearly in opcode order from 1.
        let near = rows.get(usize::from(op).wrapping_sub(1)).filter(|row| row.op == op);
        near.or_else(|| rows.iter().find(|row| row.op == op))
    }
}
