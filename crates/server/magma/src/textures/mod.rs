//! Texture and renderbuffer objects: description, parameters and the image that holds their texels. Must not know
//! descriptors, framebuffers or command order.

pub(crate) mod define;
mod resolve;

pub use resolve::{AttachmentRef, StorageRef, ViewRef, surface_ref};

use crate::commands::Commands;
use crate::images::{ImageKey, Images};
use mgl_backend::{ImageRef, Refusal, TextureDesc, ViewDesc, traits::Outcome};
use mgl_base::Handle;
use mgl_base::handle::{Renderbuffer, SamplerViewCso, Texture};
use mgl_base::slots::SlotTable;
use mgl_pipe::tokens::{DepthStencilMode, Swizzle};

/// Parameters of a texture object that restrict its views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// `GL_TEXTURE_BASE_LEVEL`.
    pub base_level: u32,
    /// `GL_TEXTURE_MAX_LEVEL`.
    pub max_level: u32,
    /// `GL_TEXTURE_SWIZZLE_*`.
    pub swizzle: [Swizzle; 4],
    /// `GL_DEPTH_STENCIL_TEXTURE_MODE`.
    pub mode: DepthStencilMode,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            base_level: 0,
            max_level: 1000,
            swizzle: [Swizzle::Red, Swizzle::Green, Swizzle::Blue, Swizzle::Alpha],
            mode: DepthStencilMode::Depth,
        }
    }
}

/// One texture or renderbuffer.
#[derive(Debug)]
pub struct Tex {
    /// As the client described it.
    pub desc: TextureDesc,
    /// Parameters.
    pub params: Params,
    /// Storage; `None` while undefined and for buffer textures.
    pub image: Option<ImageKey>,
    /// First level of the image that the object shows (texture views).
    pub level0: u32,
    /// First layer of the image that the object shows.
    pub layer0: u32,
}

/// All texture and renderbuffer objects, and the views of the client.
#[derive(Default)]
pub struct Textures {
    pub(crate) textures: SlotTable<Texture, Tex>,
    pub(crate) renderbuffers: SlotTable<Renderbuffer, Tex>,
    pub(crate) views: SlotTable<SamplerViewCso, ViewDesc>,
    /// Rises whenever any view that was resolved earlier may resolve differently now.
    pub(crate) epoch: u64,
}

impl Textures {
    /// The object behind a reference.
    pub fn get(&self, of: ImageRef) -> Option<&Tex> {
        match of {
            ImageRef::Texture(h) => self.textures.get(h),
            ImageRef::Renderbuffer(h) => self.renderbuffers.get(h),
        }
    }

    /// The object, or a refusal.
    pub fn need(&self, of: ImageRef) -> Outcome<&Tex> {
        self.get(of).ok_or(Refusal::Unsupported("texture that does not exist"))
    }

    /// The object and its image, or a refusal when it has no storage.
    pub fn need_image(&self, of: ImageRef) -> Outcome<(&Tex, ImageKey)> {
        let tex = self.need(of)?;
        let key = tex.image.ok_or(Refusal::Unsupported("texture without storage"))?;
        Ok((tex, key))
    }

    /// Rises whenever any view that was resolved earlier may resolve differently now: compare before using a memo.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A buffer got another store: buffer textures over it resolve anew.
    pub(crate) fn note_buffer_change(&mut self) {
        self.epoch += 1;
    }

    /// Live textures and renderbuffers.
    pub fn live(&self) -> (usize, usize) {
        (self.textures.live(), self.renderbuffers.live())
    }

    /// Drops every reference, at the end of a session.
    pub fn clear(&mut self, images: &mut Images, cmds: &mut Commands) {
        let all = self.textures.iter_mut().map(|(_, t)| t).chain(self.renderbuffers.iter_mut().map(|(_, t)| t));
        let keys: Vec<ImageKey> = all.filter_map(|t| t.image.take()).collect();
        keys.into_iter().for_each(|k| images.release(cmds, k));
        images.clear(cmds);
    }

    /// New view.
    pub fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome {
        self.epoch += 1;
        self.views.insert(cso, *desc, "magma.view").map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }

    /// Death of a view.
    pub fn view_destroy(&mut self, cso: Handle<SamplerViewCso>) {
        self.epoch += 1;
        self.views.remove(cso);
    }
}
