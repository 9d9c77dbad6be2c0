//! Texture objects: their images by level and face, the storage the server holds for them, and completeness (GL 4.6
//! §8.17). Must not know bindings or the program's pixels.

use super::blocks::Blocks;
use super::target::Target;
use crate::instance::{Dead, Instance};
use crate::sampler::params::{SamplerParams, TextureParams};
use crate::share::{LastWrite, lock};
use mgl_base::Handle;
use mgl_base::handle::{SamplerViewCso, Texture as TextureKind};
use mgl_pipe::format::{Base, Format};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Server storage of one image that does not fit its texture's storage, as incomplete textures may have. Content stays
/// on the server, so that no bytes are kept here.
#[derive(Debug)]
pub struct Stash {
    instance: Arc<Instance>,
    /// A texture resource of one level.
    pub handle: Handle<TextureKind>,
}

impl Stash {
    pub(crate) fn new(instance: &Arc<Instance>) -> Arc<Self> {
        Arc::new(Self { instance: instance.clone(), handle: instance.mint() })
    }
}

impl Drop for Stash {
    fn drop(&mut self) {
        self.instance.bury(Dead::Texture(self.handle));
    }
}

/// One image (level and face) as the program defined it.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Width, height, depth in GL terms: layers count in the last direction of array targets.
    pub size: [u32; 3],
    /// Format; `None` = not defined.
    pub format: Option<Format>,
    /// What the server stores instead of a compressed format that the device lacks.
    pub carrier: Option<Format>,
    /// Internal format as the program gave it.
    pub internal: u32,
    /// Samples, at least 1.
    pub samples: u32,
    /// Fixed sample locations.
    pub fixed: bool,
    /// Something was written: content must survive reallocation.
    pub content: bool,
    /// Own storage, when it does not fit the texture's.
    pub stash: Option<Arc<Stash>>,
}

impl Image {
    /// Format of the storage on the server.
    pub fn stored(&self) -> Option<Format> {
        self.carrier.or(self.format)
    }
    /// Defined with texels.
    pub fn exists(&self) -> bool {
        self.format.is_some() && self.size.iter().all(|v| *v > 0)
    }
}

/// Storage of the whole texture on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    /// Array layers, 6 per cube.
    pub layers: u32,
    pub levels: u32,
    pub format: Format,
    pub samples: u32,
    pub fixed: bool,
}

impl Storage {
    /// Storage of one level whose level `level` is `image`.
    pub fn around(target: Target, level: u32, image: &Image) -> Option<Self> {
        let [w, h, d] = image.size;
        let up = |v: u32| v.checked_shl(level).unwrap_or(u32::MAX);
        let (width, height, depth, layers) = match target {
            Target::D1 | Target::Buffer => (up(w), 1, 1, 1),
            Target::D1Array => (up(w), 1, 1, h),
            Target::D2 | Target::Rect | Target::D2Ms => (up(w), up(h), 1, 1),
            Target::Cube => (up(w), up(h), 1, 6),
            Target::D3 => (up(w), up(h), up(d), 1),
            Target::D2Array | Target::CubeArray | Target::D2MsArray => (up(w), up(h), 1, d),
        };
        let format = image.stored()?;
        Some(Self {
            width,
            height,
            depth,
            layers,
            levels: level + 1,
            format,
            samples: image.samples.max(1),
            fixed: image.fixed,
        })
    }
    /// Extent of a level in GL terms.
    pub fn level_size(&self, target: Target, level: u32) -> [u32; 3] {
        let mip = |v: u32| v.checked_shr(level).unwrap_or(0).max(1);
        match target {
            Target::D1 | Target::Buffer => [mip(self.width), 1, 1],
            Target::D1Array => [mip(self.width), self.layers, 1],
            Target::D2 | Target::Rect | Target::D2Ms | Target::Cube => [mip(self.width), mip(self.height), 1],
            Target::D3 => [mip(self.width), mip(self.height), mip(self.depth)],
            Target::D2Array | Target::CubeArray | Target::D2MsArray => [mip(self.width), mip(self.height), self.layers],
        }
    }
    /// Levels of a full chain.
    pub fn full_levels(&self, target: Target) -> u32 {
        if target.mipmapped() { self.width.max(self.height).max(self.depth).ilog2() + 1 } else { 1 }
    }
    /// True when `image` as level `level` is this storage's level.
    pub fn fits(&self, target: Target, level: u32, image: &Image) -> bool {
        level < self.levels
            && image.stored() == Some(self.format)
            && image.samples.max(1) == self.samples
            && image.size == self.level_size(target, level)
    }
}

/// Store of a buffer texture.
#[derive(Clone, Debug)]
pub struct BufferStore {
    /// The buffer object; kept alive by the texture.
    pub buffer: Arc<crate::buffer::state::Buffer>,
    /// Its GL name at the time of the call.
    pub name: u32,
    /// Format of a texel.
    pub format: Format,
    /// First byte.
    pub offset: u64,
    /// Bytes; `None` = the whole buffer, resolved live.
    pub size: Option<u64>,
}

impl BufferStore {
    /// Bytes of the range, resolved live.
    pub fn bytes(&self) -> u64 {
        let room = self.buffer.size().saturating_sub(self.offset);
        self.size.map_or(room, |size| size.min(room))
    }
}

/// What changes in a texture object.
#[derive(Debug)]
pub struct Body {
    /// By level, then face.
    images: Vec<Image>,
    faces: usize,
    target: Target,
    /// What the server holds; `None` = nothing yet.
    pub storage: Option<Storage>,
    /// Levels of immutable storage; 0 = mutable. Of a view: the levels it shows.
    pub immutable_levels: u32,
    /// Parameters.
    pub params: TextureParams,
    /// `set_texture_params` is due.
    pub params_dirty: bool,
    /// Store of a buffer texture.
    pub buffer: Option<BufferStore>,
    /// Format of the last `glTexBuffer*`, which stays when the buffer is taken away.
    pub buffer_format: Format,
    /// Was bound as an image.
    pub image_bindable: bool,
    /// First level and layer, levels and layers of a texture view.
    pub view: Option<[u32; 4]>,
}

impl Body {
    /// The image, when its level was ever defined.
    pub fn image(&self, level: u32, face: usize) -> Option<&Image> {
        self.images.get(level as usize * self.faces + face).filter(|image| image.format.is_some())
    }
    /// The image for changing, defined or not.
    pub fn image_mut(&mut self, level: u32, face: usize) -> &mut Image {
        let at = level as usize * self.faces + face;
        if self.images.len() <= at {
            self.images.resize_with((level as usize + 1) * self.faces, Image::default);
        }
        &mut self.images[at]
    }
    /// Every defined image with level and face.
    pub fn defined(&self) -> impl Iterator<Item = (u32, usize, &Image)> {
        let faces = self.faces;
        self.images
            .iter()
            .enumerate()
            .filter(|(_, image)| image.exists())
            .map(move |(i, image)| ((i / faces) as u32, i % faces, image))
    }
    /// Forgets all images.
    pub fn clear_images(&mut self) {
        self.images.clear();
    }
    /// Number of levels with a slot.
    pub fn level_slots(&self) -> u32 {
        (self.images.len() / self.faces) as u32
    }

    /// Levels of immutable storage are limited where they are set (GL 4.6 §8.17); programs read the result back.
    pub(crate) fn clamp_levels(&mut self) {
        if let Some(last) = self.immutable_levels.checked_sub(1) {
            self.params.base_level = self.params.base_level.min(last);
            self.params.max_level = self.params.max_level.clamp(self.params.base_level, last);
        }
    }
    /// Base level in effect (GL 4.6 §8.17).
    pub fn base(&self) -> u32 {
        match self.immutable_levels {
            0 => self.params.base_level,
            n => self.params.base_level.min(n - 1),
        }
    }
    /// Last level that sampling may read: `q` of GL 4.6 §8.14.3. `None` when the base level has no texels.
    pub fn last(&self) -> Option<u32> {
        let base = self.base();
        let size = self.image(base, 0).filter(|i| i.exists())?.size;
        let max = match self.immutable_levels {
            0 => self.params.max_level,
            n => self.params.max_level.clamp(base, n - 1),
        };
        Some((base + self.chain_top(size)).min(max))
    }
    fn chain_top(&self, size: [u32; 3]) -> u32 {
        let target = self.target;
        let top = match target {
            Target::D1 | Target::D1Array => size[0],
            Target::D3 => size[0].max(size[1]).max(size[2]),
            _ => size[0].max(size[1]),
        };
        if target.mipmapped() { top.max(1).ilog2() } else { 0 }
    }
    /// All faces of the base level are square, equal and of one format.
    pub fn cube_complete(&self) -> bool {
        let base = self.base();
        let Some(first) = self.image(base, 0).filter(|i| i.exists()) else { return false };
        self.faces == 1
            || (first.size[0] == first.size[1]
                && (1..6)
                    .all(|f| self.image(base, f).is_some_and(|i| i.size == first.size && i.format == first.format)))
    }
    /// The levels from base to last form a chain.
    pub fn mipmap_complete(&self) -> bool {
        let base = self.base();
        let (Some(last), Some(first)) = (self.last(), self.image(base, 0)) else { return false };
        let Some(chain) = Storage::around(self.target, base, first) else { return false };
        let chain = Storage { levels: last + 1, ..chain };
        base <= last
            && (base..=last).all(|level| {
                (0..self.faces)
                    .all(|f| self.image(level, f).is_some_and(|i| chain.level_fits(self.target, base, level, i, first)))
            })
    }
    /// Complete for `sampler` (GL 4.6 §8.17).
    pub fn complete(&self, sampler: &SamplerParams) -> bool {
        if self.target == Target::Buffer {
            return self.buffer.is_some();
        }
        let Some(format) = self.image(self.base(), 0).filter(|i| i.exists()).and_then(|i| i.format) else {
            return false;
        };
        if self.target.multisampled() {
            return true;
        }
        let stencil_read = format.info().base == Base::Stencil
            || (format.info().base == Base::DepthStencil
                && self.params.depth_stencil_mode == crate::tokens::STENCIL_INDEX);
        if (format.is_integer() || stencil_read) && sampler.linear() {
            return false;
        }
        self.cube_complete() && (!sampler.mipmapped() || self.mipmap_complete())
    }
    /// A sampler of the shader must be an integer one; others yield undefined values (GL 4.6 §7.11), here none.
    pub fn sampled_as_integer(&self) -> bool {
        let format = match &self.buffer {
            Some(store) => Some(store.format),
            None => self.image(self.base(), 0).and_then(|i| i.format),
        };
        format.is_some_and(|f| {
            let base = f.info().base;
            let stencil = self.params.depth_stencil_mode == crate::tokens::STENCIL_INDEX;
            f.is_integer() || base == Base::Stencil || (base == Base::DepthStencil && stencil)
        })
    }
    /// Takes the comparison out of what samples this texture unless it shows depths: of every other format texels come
    /// as they are (GL 4.6 §8.23.1).
    pub fn drop_comparison(&self, sampler: &mut SamplerParams) {
        let format = self.image(self.base(), 0).and_then(|i| i.format);
        let stencil = self.params.depth_stencil_mode == crate::tokens::STENCIL_INDEX;
        let depths = format.is_some_and(|f| match f.info().base {
            Base::Depth => true,
            Base::DepthStencil => !stencil,
            _ => false,
        });
        if !depths {
            sampler.compare_mode = crate::tokens::NONE;
        }
    }
    /// Target of the object.
    pub fn target(&self) -> Target {
        self.target
    }
}

impl Storage {
    fn level_fits(&self, target: Target, base: u32, level: u32, image: &Image, first: &Image) -> bool {
        let mip = |v: u32| v.checked_shr(level - base).unwrap_or(0).max(1);
        let [w, h, d] = first.size;
        let size = match target {
            Target::D1 => [mip(w), 1, 1],
            Target::D1Array => [mip(w), h, 1],
            Target::D3 => [mip(w), mip(h), mip(d)],
            _ => [mip(w), mip(h), d],
        };
        image.stored() == Some(self.format) && image.size == size
    }
}

/// A texture object. Its target never changes (GL 4.6 §8.1).
#[derive(Debug)]
pub struct Texture {
    /// GL name, 0 for a default texture.
    pub name: u32,
    /// Target.
    pub target: Target,
    /// Resource on the server.
    pub handle: Handle<TextureKind>,
    /// The one view over it.
    pub view: Handle<SamplerViewCso>,
    pub(crate) instance: Arc<Instance>,
    body: Mutex<Body>,
    /// Moves with everything that view and sampler resolution read.
    serial: AtomicU64,
    /// `resource_create` was pushed.
    pub(crate) crossed: AtomicBool,
    /// `create_sampler_view` was pushed.
    pub(crate) view_crossed: AtomicBool,
    /// Last record that wrote the texels, to order other flows behind it; views share it with their texture.
    pub last_write: Arc<LastWrite>,
    /// Blocks of compressed images that the device cannot hold; views share them with their texture.
    pub(crate) blocks: Arc<Blocks>,
    /// Storage owner of a texture view.
    pub owner: Option<Arc<Texture>>,
}

impl Texture {
    /// A texture without images.
    pub fn new(instance: &Arc<Instance>, name: u32, target: Target, owner: Option<Arc<Texture>>) -> Arc<Self> {
        Arc::new(Self {
            name,
            target,
            handle: instance.mint(),
            view: instance.mint(),
            instance: instance.clone(),
            body: Mutex::new(Body {
                images: Vec::new(),
                faces: target.faces(),
                target,
                storage: None,
                immutable_levels: 0,
                params: TextureParams::new(target == Target::Rect, target.multisampled()),
                params_dirty: false,
                buffer: None,
                buffer_format: Format::R8,
                image_bindable: false,
                view: None,
            }),
            serial: AtomicU64::new(1),
            crossed: AtomicBool::new(false),
            view_crossed: AtomicBool::new(false),
            blocks: owner.as_ref().map_or_else(Arc::default, |o| o.blocks.clone()),
            last_write: owner.as_ref().map_or_else(Arc::default, |o| o.last_write.clone()),
            owner,
        })
    }
    /// The changing part, locked.
    pub fn body(&self) -> MutexGuard<'_, Body> {
        lock(&self.body)
    }
    /// Number that moves when resolution must be repeated.
    pub fn serial(&self) -> u64 {
        self.serial.load(Ordering::Acquire)
    }
    /// Announces a change to resolution.
    pub fn touch(&self) {
        self.serial.fetch_add(1, Ordering::AcqRel);
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        if self.view_crossed.load(Ordering::Acquire) {
            self.instance.bury(Dead::SamplerView(self.view));
        } else {
            self.instance.release(self.view);
        }
        if self.crossed.load(Ordering::Acquire) {
            self.instance.bury(Dead::Texture(self.handle));
        } else {
            self.instance.release(self.handle);
        }
    }
}
