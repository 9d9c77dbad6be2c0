//! Driver images: the storage behind textures and renderbuffers. An image is never redefined; a new definition is a new
//! image with a new key. Must not know handles of the program.

use crate::bindings::Bindings;
use crate::device::Device;
use crate::device::formats::Store;
use crate::error::refuse;
use crate::raw::{Gl, consts as c};
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Format};
use mgl_pipe::tokens::ResourceTarget as Target;

/// Names an image; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageKey {
    index: u32,
    id: u64,
}

impl ImageKey {
    /// The number behind it, unique in the session.
    pub fn id(self) -> u64 {
        self.id
    }
}

/// Shape and format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageSpec {
    /// Target of GL.
    pub target: Target,
    /// Format of GL.
    pub format: Format,
    /// How the driver stores it.
    pub store: Store,
    /// Width, height, depth of level 0.
    pub extent: [u32; 3],
    /// Layers, 6 per cube.
    pub layers: u32,
    /// Levels.
    pub levels: u32,
    /// Samples, at least 1.
    pub samples: u32,
}

impl ImageSpec {
    /// Extent of a level.
    pub fn level_extent(&self, level: u32) -> [u32; 3] {
        self.extent.map(|v| (v >> level.min(31)).max(1))
    }
    /// Slices that a box may have in z: slices of volumes, layers of everything else.
    pub fn slices(&self, level: u32) -> u32 {
        if self.target == Target::Tex3D { self.level_extent(level)[2] } else { self.layers }
    }
    /// True when the storage has an alpha channel that the format lacks.
    pub fn widened_alpha(&self) -> bool {
        self.format.info().base == Base::Rgb
            && self.store.storage.block_bytes().is_multiple_of(4)
            && has_alpha(self.store.format)
    }
}

fn has_alpha(upload: u32) -> bool {
    matches!(upload, c::RGBA | c::RGBA_INTEGER)
}

/// Parameters of the driver's texture object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// First level.
    pub base: u32,
    /// Last level.
    pub max: u32,
    /// Tokens.
    pub swizzle: [u32; 4],
    /// Sampling gives stencil.
    pub stencil: bool,
}

/// The driver's initial parameters.
const INITIAL: Shown = Shown { base: 0, max: 1000, swizzle: [c::RED, c::GREEN, c::BLUE, c::ALPHA], stencil: false };

/// An image.
#[derive(Debug)]
pub struct Image {
    /// Driver name.
    pub name: u32,
    /// Driver target; `GL_RENDERBUFFER` for multisampled renderbuffers of ES 3.0.
    pub target: u32,
    /// Shape.
    pub spec: ImageSpec,
    /// Owner, first level and first layer when this is a view that is kept up to date by copies.
    pub copy_of: Option<(ImageKey, u32, u32)>,
    /// Some view of it, or it itself, is kept up to date by copies.
    pub aliased: bool,
    /// It is part of a framebuffer of the cache.
    pub attached: bool,
    /// Levels whose missing alpha channel holds 1.
    pub alpha_levels: u32,
    /// Linear alias of an sRGB image, 0 = not made.
    pub linear: u32,
    shown: Shown,
    refs: u32,
}

/// All images.
#[derive(Debug, Default)]
pub struct Images {
    slots: Vec<Option<(u64, Box<Image>)>>,
    free: Vec<u32>,
    next: u64,
    live: usize,
}

/// The driver's target for a GL target: ES has no 1D and no rectangle textures.
pub fn driver_target(target: Target, samples: u32) -> u32 {
    match target {
        Target::Tex3D => c::TEXTURE_3D,
        Target::TexCube => c::TEXTURE_CUBE_MAP,
        Target::TexCubeArray => c::TEXTURE_CUBE_MAP_ARRAY,
        Target::Tex1DArray | Target::Tex2DArray => c::TEXTURE_2D_ARRAY,
        Target::Tex2DMs => c::TEXTURE_2D_MULTISAMPLE,
        Target::Tex2DMsArray => c::TEXTURE_2D_MULTISAMPLE_ARRAY,
        Target::TexBuffer => c::TEXTURE_BUFFER,
        Target::Renderbuffer if samples > 1 => c::TEXTURE_2D_MULTISAMPLE,
        _ => c::TEXTURE_2D,
    }
}

/// True for targets whose levels have a third dimension in the driver.
pub fn is_volume(target: u32) -> bool {
    matches!(target, c::TEXTURE_3D | c::TEXTURE_2D_ARRAY | c::TEXTURE_CUBE_MAP_ARRAY)
}

/// True for multisampled targets.
pub fn is_multisampled(target: u32) -> bool {
    matches!(target, c::TEXTURE_2D_MULTISAMPLE | c::TEXTURE_2D_MULTISAMPLE_ARRAY | c::RENDERBUFFER)
}

impl Images {
    /// The image, or `None`.
    pub fn get(&self, key: ImageKey) -> Option<&Image> {
        self.slots.get(key.index as usize)?.as_ref().filter(|(id, _)| *id == key.id).map(|(_, i)| &**i)
    }
    /// The image for writing.
    pub fn get_mut(&mut self, key: ImageKey) -> Option<&mut Image> {
        self.slots.get_mut(key.index as usize)?.as_mut().filter(|(id, _)| *id == key.id).map(|(_, i)| &mut **i)
    }
    /// The image, or a refusal.
    pub fn need(&self, key: ImageKey) -> Outcome<&Image> {
        self.get(key).ok_or(Refusal::Unsupported("image that is gone"))
    }
    /// Live images.
    pub fn live(&self) -> usize {
        self.live
    }

    fn add(&mut self, name: u32, target: u32, spec: ImageSpec) -> ImageKey {
        self.next += 1;
        let image = Image {
            name,
            target,
            spec,
            copy_of: None,
            aliased: false,
            attached: false,
            alpha_levels: 0,
            linear: 0,
            shown: INITIAL,
            refs: 1,
        };
        self.live += 1;
        let entry = Some((self.next, Box::new(image)));
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = entry;
                index
            }
            None => {
                self.slots.push(entry);
                self.slots.len() as u32 - 1
            }
        };
        ImageKey { index, id: self.next }
    }

    /// New storage with undefined content.
    pub fn create(&mut self, device: &Device, bind: &mut Bindings, spec: ImageSpec) -> Outcome<ImageKey> {
        let gl = &device.gl;
        let mut target = driver_target(spec.target, spec.samples);
        if spec.target == Target::Renderbuffer && spec.samples > 1 && !device.features.texture_multisample {
            target = c::RENDERBUFFER;
        }
        supported(device, target)?;
        device.admit("texture storage")?;
        gl.take_error();
        let name = if target == c::RENDERBUFFER {
            renderbuffer(gl, &spec)
        } else {
            let name = gl.new_texture();
            bind.scratch_texture(gl, target, name);
            allocate(gl, target, &spec);
            if !is_multisampled(target) {
                // Integer textures are incomplete with the initial filters, also for texel fetches (ES 3.2 §8.17).
                gl.tex_parameteri(target, c::TEXTURE_MIN_FILTER, c::NEAREST_MIPMAP_NEAREST as i32);
                gl.tex_parameteri(target, c::TEXTURE_MAG_FILTER, c::NEAREST as i32);
            }
            name
        };
        let key = self.add(name, target, spec);
        match gl.take_error() {
            0 => Ok(key),
            error => {
                self.release(gl, bind, key);
                Err(refuse("texture storage", error))
            }
        }
    }

    /// A native view of part of another image.
    pub fn create_view(
        &mut self,
        device: &Device,
        bind: &mut Bindings,
        owner: ImageKey,
        (level, layer): (u32, u32),
        spec: ImageSpec,
    ) -> Outcome<ImageKey> {
        let gl = &device.gl;
        let target = driver_target(spec.target, spec.samples);
        let origin = self.need(owner)?.name;
        let name = gl.new_texture();
        gl.take_error();
        gl.texture_view(name, target, origin, spec.store.internal, level, spec.levels, layer, spec.layers);
        let key = self.add(name, target, spec);
        match gl.take_error() {
            0 => Ok(key),
            error => {
                self.release(gl, bind, key);
                Err(refuse("texture view", error))
            }
        }
    }

    /// A texture object without storage of its own, for buffer textures.
    pub fn create_buffer_texture(&mut self, gl: &Gl, spec: ImageSpec) -> ImageKey {
        self.add(gl.new_texture(), c::TEXTURE_BUFFER, spec)
    }

    /// One more owner.
    pub fn retain(&mut self, key: ImageKey) {
        if let Some(image) = self.get_mut(key) {
            image.refs += 1;
        }
    }

    /// One owner less; the last one deletes. Answers the image when it is gone.
    pub fn release(&mut self, gl: &Gl, bind: &mut Bindings, key: ImageKey) -> Option<Box<Image>> {
        let image = self.get_mut(key)?;
        image.refs -= 1;
        if image.refs > 0 {
            return None;
        }
        let (_, image) = self.slots.get_mut(key.index as usize)?.take()?;
        self.free.push(key.index);
        self.live -= 1;
        if image.target == c::RENDERBUFFER {
            gl.drop_renderbuffer(image.name);
        } else {
            for name in [image.linear, image.name].into_iter().filter(|n| *n != 0) {
                bind.forget_texture(name);
                gl.drop_texture(name);
            }
        }
        Some(image)
    }

    /// Sets level range, swizzle and stencil sampling where they differ.
    pub fn show(&mut self, gl: &Gl, bind: &mut Bindings, key: ImageKey, want: Shown) {
        let Some(image) = self.get_mut(key) else { return };
        let have = image.shown;
        if have == want || matches!(image.target, c::RENDERBUFFER | c::TEXTURE_BUFFER) {
            return;
        }
        image.shown = want;
        let (target, name) = (image.target, image.name);
        bind.scratch_texture(gl, target, name);
        let set = |differs: bool, pname: u32, value: u32| {
            if differs {
                gl.tex_parameteri(target, pname, value as i32);
            }
        };
        let levels = !is_multisampled(target);
        set(levels && have.base != want.base, c::TEXTURE_BASE_LEVEL, want.base);
        set(levels && have.max != want.max, c::TEXTURE_MAX_LEVEL, want.max);
        let names = [c::TEXTURE_SWIZZLE_R, c::TEXTURE_SWIZZLE_G, c::TEXTURE_SWIZZLE_B, c::TEXTURE_SWIZZLE_A];
        for (i, pname) in names.into_iter().enumerate() {
            set(have.swizzle[i] != want.swizzle[i], pname, want.swizzle[i]);
        }
        let mode = if want.stencil { c::STENCIL_INDEX } else { c::DEPTH_COMPONENT };
        set(have.stencil != want.stencil, c::DEPTH_STENCIL_TEXTURE_MODE, mode);
    }
}

/// Refuses targets that the driver lacks, by name.
fn supported(device: &Device, target: u32) -> Outcome {
    let f = &device.features;
    match target {
        c::TEXTURE_CUBE_MAP_ARRAY if !f.cube_map_array => Err(Refusal::Unsupported("CubeMapArray")),
        c::TEXTURE_2D_MULTISAMPLE if !f.texture_multisample => Err(Refusal::Unsupported("MultisampleTexture")),
        c::TEXTURE_2D_MULTISAMPLE_ARRAY if !f.texture_multisample_array => {
            Err(Refusal::Unsupported("MultisampleTextureArray"))
        }
        _ => Ok(()),
    }
}

fn renderbuffer(gl: &Gl, spec: &ImageSpec) -> u32 {
    let name = gl.new_renderbuffer();
    let [w, h, _] = spec.extent.map(|v| v as i32);
    gl.bind_renderbuffer(c::RENDERBUFFER, name);
    gl.renderbuffer_storage_multisample(c::RENDERBUFFER, spec.samples as i32, spec.store.internal, w, h);
    name
}

fn allocate(gl: &Gl, target: u32, spec: &ImageSpec) {
    let ([w, h, d], internal) = (spec.extent.map(|v| v as i32), spec.store.internal);
    let (levels, layers, samples) = (spec.levels as i32, spec.layers as i32, spec.samples as i32);
    match target {
        c::TEXTURE_3D => gl.tex_storage_3d(target, levels, internal, w, h, d),
        c::TEXTURE_2D_ARRAY | c::TEXTURE_CUBE_MAP_ARRAY => gl.tex_storage_3d(target, levels, internal, w, h, layers),
        c::TEXTURE_2D_MULTISAMPLE => gl.tex_storage_2d_multisample(target, samples, internal, w, h, 1),
        c::TEXTURE_2D_MULTISAMPLE_ARRAY => gl.tex_storage_3d_multisample(target, samples, internal, w, h, layers, 1),
        _ => gl.tex_storage_2d(target, levels, internal, w, h),
    }
}
