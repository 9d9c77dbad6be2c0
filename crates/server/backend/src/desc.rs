//! Descriptions of objects as a backend gets them: decoded, proven, without wire padding. Must not know slots of
//! other tables than those it names.

use crate::values::{Format, SamplerValues, VertexAttrib, VertexBinding};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Renderbuffer, Texture};
use mgl_pipe::records::WRITTEN_ONCE;
use mgl_pipe::tokens::ResourceTarget;

/// Storage of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferDesc {
    /// Bytes; 0 = no store.
    pub size: u64,
    /// GL usage token.
    pub usage: u32,
    /// `glBufferStorage` flags, and `WRITTEN_ONCE`.
    pub storage_flags: u32,
    /// Immutable store.
    pub immutable: bool,
}

impl BufferDesc {
    /// No byte is written after a verb may have read it, until the store is defined again: writes need not be ordered.
    pub fn written_once(&self) -> bool {
        self.storage_flags & WRITTEN_ONCE != 0
    }
}

/// The owner's part that a texture view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewOf {
    /// Storage owner, never itself a view.
    pub owner: Handle<Texture>,
    /// First level.
    pub level: u16,
    /// First layer.
    pub layer: u16,
}

/// Storage of a texture or renderbuffer. `format == None` means that storage is not defined yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureDesc {
    /// Target, `Renderbuffer` included.
    pub target: ResourceTarget,
    /// Sized format.
    pub format: Option<Format>,
    /// Extent of level 0 in texels.
    pub width: u32,
    /// Rows of level 0, 1 for 1D.
    pub height: u32,
    /// Slices of level 0 for 3D, else 1.
    pub depth: u32,
    /// Array layers, 6 per cube, else 1.
    pub layers: u32,
    /// Mip levels.
    pub levels: u32,
    /// Samples, at least 1.
    pub samples: u32,
    /// Will be or was bound as an image.
    pub image_bindable: bool,
    /// Immutable storage.
    pub immutable: bool,
    /// View of another texture's storage.
    pub view: Option<ViewOf>,
    /// Store of a buffer texture: buffer, offset, bytes (`u64::MAX` = whole, resolved at use).
    pub buffer: Option<(Handle<Buffer>, u64, u64)>,
}

impl TextureDesc {
    /// Extent of a level: `max(1, base >> level)` in every mipped direction.
    pub fn level_extent(&self, level: u32) -> [u32; 3] {
        let mip = |v: u32| (v >> level.min(31)).max(1);
        [mip(self.width), mip(self.height), mip(self.depth)]
    }
}

/// A texture or a renderbuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageRef {
    /// Texture object.
    Texture(Handle<Texture>),
    /// Renderbuffer object.
    Renderbuffer(Handle<Renderbuffer>),
}

/// Vertex attribute layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexElementsDesc {
    /// Enabled attributes.
    pub attribs: Vec<VertexAttrib>,
    /// Binding points they use.
    pub bindings: Vec<VertexBinding>,
}

/// Sampler parameters; the handle fields of the payload are not meaningful here.
pub type SamplerDesc = SamplerValues;

/// View restrictions over a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewDesc {
    /// The texture (possibly itself a texture view).
    pub texture: Handle<Texture>,
    /// Alias format, or the texture's own.
    pub format: Option<Format>,
    /// Target the shader declares.
    pub target: ResourceTarget,
    /// First level, relative to the texture.
    pub min_level: u16,
    /// Levels; `u16::MAX` = all.
    pub num_levels: u16,
    /// First layer.
    pub min_layer: u16,
    /// Layers; `u16::MAX` = all.
    pub num_layers: u16,
}
