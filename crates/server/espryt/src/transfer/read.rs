//! Read-back of every format, tight, in the storage layout: by `glReadPixels` where the format can be attached and the
//! driver gives its own texels, by a bit copy into an integer image, or by a shader. Must not know framebuffers of the
//! program.

use super::place::Place;
use crate::core::Core;
use crate::device::formats::{Layout, Store};
use crate::error::{outside, refuse};
use crate::frames::{Attach, FrameKey};
use crate::images::{ImageKey, ImageSpec};
use crate::meta::{Fetch, bits_to_texel};
use crate::raw::consts as c;
use crate::texel;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, Format, Numeric, ReadbackInfo, Storage};
use mgl_backend::{Content, ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::tokens::ResourceTarget as Target;

/// Bytes of the host as content.
pub(super) struct HostBytes<'a>(pub(super) &'a [u8]);

impl Content for HostBytes<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
        let from = usize::try_from(offset).ok().and_then(|at| self.0.get(at..at.checked_add(dst.len())?));
        from.map(|from| dst.copy_from_slice(from)).is_some()
    }
    fn staged_at(&self) -> (u32, u64) {
        (0, 0)
    }
}

/// How pixels are asked for: format, type, and the layout that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ask(u32, u32, Storage);

/// Combinations that every driver gives for attachments of a kind (ES 3.2 §16.1.2).
fn universal(store: &Store, numeric: Numeric) -> Ask {
    let half = store.storage.block_bytes();
    let sixteen = matches!(
        store.storage,
        Storage::R16Unorm
            | Storage::Rg16Unorm
            | Storage::Rgba16Unorm
            | Storage::R16Snorm
            | Storage::Rg16Snorm
            | Storage::Rgba16Snorm
    );
    match numeric {
        _ if store.storage == Storage::Rgb10A2Unorm => {
            Ask(c::RGBA, c::UNSIGNED_INT_2_10_10_10_REV, Storage::Rgb10A2Unorm)
        }
        Numeric::Uint => Ask(c::RGBA_INTEGER, c::UNSIGNED_INT, Storage::Rgba32Uint),
        Numeric::Int => Ask(c::RGBA_INTEGER, c::INT, Storage::Rgba32Sint),
        Numeric::Float => Ask(c::RGBA, c::FLOAT, Storage::Rgba32Float),
        Numeric::Unorm if sixteen => Ask(c::RGBA, c::UNSIGNED_SHORT, Storage::Rgba16Unorm),
        Numeric::Snorm if sixteen => Ask(c::RGBA, c::SHORT, Storage::Rgba16Snorm),
        Numeric::Snorm => Ask(c::RGBA, c::BYTE, Storage::Rgba8Snorm),
        Numeric::Unorm if half == 4 => Ask(c::RGBA, c::UNSIGNED_BYTE, store.storage),
        Numeric::Unorm => Ask(c::RGBA, c::UNSIGNED_BYTE, Storage::Rgba8Unorm),
    }
}

/// Interpretation of the texels that the driver stores.
fn stored_numeric(spec: &ImageSpec) -> Numeric {
    match spec.store.storage {
        Storage::R32Float | Storage::Rg32Float | Storage::Rgba32Float | Storage::Rgba16Float => Numeric::Float,
        _ => spec.format.info().numeric,
    }
}

/// True when reads of an attachment give every value: negative ones of normalised formats may be clamped (Mesa).
fn readable(spec: &ImageSpec) -> bool {
    spec.store.renderable && stored_numeric(spec) != Numeric::Snorm
}

/// Integer layout of the same size, for copies of bits.
fn bit_format(bytes: u32) -> Option<Format> {
    Some(match bytes {
        1 => Format::R8Ui,
        2 => Format::R16Ui,
        4 => Format::R32Ui,
        8 => Format::Rg32Ui,
        16 => Format::Rgba32Ui,
        _ => return None,
    })
}

impl Core {
    /// Reads a box of a level.
    pub fn texture_read(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        self.image_read(key, info.level.into(), &info.src, out)
    }

    /// The same for an image.
    pub(crate) fn image_read(&mut self, key: ImageKey, level: u32, src: &Box3, out: &mut [u8]) -> Outcome {
        let place = self.place(key, level, src)?;
        let out = out.get_mut(..place.wire_bytes()).ok_or_else(|| outside("read-back"))?;
        self.read_texels(&place, out)
    }

    /// The same into a buffer, with strides.
    pub fn texture_read_to_buffer(
        &mut self,
        texture: Handle<Texture>,
        info: &ReadbackInfo,
        to: BufferTarget,
    ) -> Outcome {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        self.image_read_to_buffer(key, info.level.into(), &info.src, to)
    }

    /// The same for an image.
    pub(crate) fn image_read_to_buffer(&mut self, key: ImageKey, level: u32, src: &Box3, to: BufferTarget) -> Outcome {
        let place = self.place(key, level, src)?;
        let [x, y, z] = place.blocks().map(|v| v as u64);
        let tight = x * u64::from(place.spec.format.storage().block_bytes());
        let row = if to.row_stride == 0 { tight } else { to.row_stride.into() };
        let slice = if to.image_stride == 0 { row * y } else { to.image_stride.into() };
        let end = to.offset.saturating_add((z - 1) * slice + (y - 1) * row + tight);
        if row < tight || end > self.buffers.need(to.buffer)?.size {
            return Err(outside("read-back into a buffer"));
        }
        let mut bytes = vec![0; place.wire_bytes()];
        self.read_texels(&place, &mut bytes)?;
        if row == tight && slice == row * y {
            return self.buffer_write(to.buffer, to.offset, &HostBytes(&bytes)).map(|_| ());
        }
        for (index, line) in bytes.chunks_exact(tight as usize).enumerate() {
            let (n, line_no) = (index as u64 / y, index as u64 % y);
            self.buffer_write(to.buffer, to.offset + n * slice + line_no * row, &HostBytes(line))?;
        }
        Ok(())
    }

    /// Any box of any format.
    pub(super) fn read_texels(&mut self, place: &Place, out: &mut [u8]) -> Outcome {
        if place.spec.samples > 1 {
            return Err(Refusal::Unsupported("ReadMultisampled"));
        }
        self.before_read(place.key)?;
        self.bind.buffer(&self.device.gl, c::PIXEL_PACK_BUFFER, 0);
        if !place.spec.format.is_color() {
            return self.read_depth_stencil(place, out);
        }
        let stored = place.spec.store.storage;
        let wire = place.spec.format.storage();
        if place.spec.store.layout == Layout::Plain {
            return self.read_stored(place, out);
        }
        let texels = out.len() / wire.block_bytes() as usize;
        let mut bytes = vec![0; texels * stored.block_bytes() as usize];
        self.read_stored(place, &mut bytes)?;
        texel::recode(stored, wire, &bytes, out);
        Ok(())
    }

    /// Texels as the driver stores them.
    fn read_stored(&mut self, place: &Place, out: &mut [u8]) -> Outcome {
        let slice_bytes = out.len() / place.size[2] as usize;
        for (z, part) in out.chunks_exact_mut(slice_bytes).enumerate() {
            let slice = place.slice(z as i32);
            if readable(&place.spec) && self.read_attached(&slice, part)? {
                continue;
            }
            if self.device.features.copy_image && self.read_bits(&slice, part).is_ok() {
                continue;
            }
            self.read_by_shader(&slice, part)?;
        }
        Ok(())
    }

    /// One slice by `glReadPixels`; false when the driver does not give the exact texels.
    fn read_attached(&mut self, place: &Place, out: &mut [u8]) -> Outcome<bool> {
        let layer = place.at[2] as u32;
        let attach = Attach { key: place.key, level: place.level, layer, layered: false, linear: false };
        let key = FrameKey::color(attach);
        if self.bind_read_frame(&key).is_err() {
            return Ok(false);
        }
        let store = place.spec.store;
        let own = Ask(store.format, store.ty, store.storage);
        let wide = universal(&store, stored_numeric(&place.spec));
        let exact =
            (wide.0, wide.1) == (own.0, own.1) || self.frames.read_format(&self.device.gl, &key) == (own.0, own.1);
        let Ask(format, ty, storage) = if exact { own } else { wide };
        let area = [place.at[0], place.at[1], place.size[0], place.size[1]];
        let size = storage.block_bytes() as usize;
        let gl = &self.device.gl;
        gl.take_error();
        if exact {
            gl.read_pixels_to(area, (format, ty), size, out);
            return Ok(gl.take_error() == 0);
        }
        let mut bytes = vec![0; area[2] as usize * area[3] as usize * size];
        gl.read_pixels_to(area, (format, ty), size, &mut bytes);
        if gl.take_error() != 0 {
            return Ok(false);
        }
        Ok(texel::recode(storage, store.storage, &bytes, out))
    }

    /// One slice by a copy of its bits into an integer image; also blocks of compressed formats.
    fn read_bits(&mut self, place: &Place, out: &mut [u8]) -> Outcome {
        let [x, y, _] = place.blocks();
        let format = bit_format(place.spec.store.storage.block_bytes()).ok_or(Refusal::Unsupported("ReadFormat"))?;
        let target = self.scratch_image(format, [x as u32, y as u32])?;
        let gl = &self.device.gl;
        let to = self.textures.images.need(target)?.name;
        let ([sx, sy, sz], [w, h, _]) = (place.at, place.size);
        gl.take_error();
        gl.copy_image_sub_data(
            place.name,
            place.target,
            place.level as i32,
            sx,
            sy,
            sz,
            to,
            c::TEXTURE_2D,
            0,
            0,
            0,
            0,
            w,
            h,
            1,
        );
        match gl.take_error() {
            0 => {}
            error => return Err(refuse("copy of bits", error)),
        }
        let bits = self.place_at(target, 0, [0; 3], [x as i32, y as i32, 1])?;
        match self.read_attached(&bits, out)? {
            true => Ok(()),
            false => Err(Refusal::Unsupported("ReadFormat")),
        }
    }

    /// One slice of a colour format that can be sampled only.
    fn read_by_shader(&mut self, place: &Place, out: &mut [u8]) -> Outcome {
        if place.spec.format.info().compressed {
            // Sampling gives values, not blocks.
            return Err(Refusal::Unsupported("ReadCompressed"));
        }
        let numeric = stored_numeric(&place.spec);
        let fetch = match numeric {
            Numeric::Int => Fetch::Int,
            Numeric::Uint => Fetch::Uint,
            _ => Fetch::Float,
        };
        let words = self.fetch(place, fetch)?;
        let size = place.spec.store.storage.block_bytes() as usize;
        let mut all = true;
        for (texel, to) in words.chunks_exact(4).zip(out.chunks_exact_mut(size)) {
            let texel = bits_to_texel(numeric, [texel[0], texel[1], texel[2], texel[3]]);
            all &= texel::encode(place.spec.store.storage, &texel, to);
        }
        if all { Ok(()) } else { Err(Refusal::Unsupported("ReadFormat")) }
    }

    /// A slice through the fetch shader: four words per texel.
    fn fetch(&mut self, place: &Place, fetch: Fetch) -> Outcome<Vec<u32>> {
        let [w, h, _] = place.size;
        let target = self.scratch_image(Format::Rgba32Ui, [w as u32, h as u32])?;
        self.fetch_into(place.key, (place.level, place.at), fetch, target, [w, h])?;
        let bits = self.place_at(target, 0, [0; 3], [w, h, 1])?;
        let mut bytes = vec![0; w as usize * h as usize * 16];
        if !self.read_attached(&bits, &mut bytes)? {
            return Err(Refusal::Unsupported("ReadFormat"));
        }
        Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    /// Depth and stencil, plane by plane, packed as the wire has them.
    fn read_depth_stencil(&mut self, place: &Place, out: &mut [u8]) -> Outcome {
        let format = place.spec.format;
        let size = format.storage().block_bytes() as usize;
        let slice_bytes = out.len() / place.size[2] as usize;
        for (z, part) in out.chunks_exact_mut(slice_bytes).enumerate() {
            let slice = place.slice(z as i32);
            part.fill(0);
            if format.has_depth() {
                let depth = self.read_depth(&slice)?;
                part.chunks_exact_mut(size).zip(depth).for_each(|(to, d)| put_depth(format.storage(), d, to));
            }
            if format.has_stencil() {
                let at = if format.storage() == Storage::D32FloatS8Uint { 4 } else { 0 };
                let stencil = self.read_stencil(&slice)?;
                part.chunks_exact_mut(size).zip(stencil).for_each(|(to, s)| to[at] = s);
            }
        }
        Ok(())
    }

    fn depth_frame(&mut self, place: &Place) -> Outcome {
        let layer = place.at[2] as u32;
        let attach = Attach { key: place.key, level: place.level, layer, layered: false, linear: false };
        let key = FrameKey::of_format(attach, place.spec.format);
        self.bind_read_frame(&key).map(|_| ())
    }

    /// Depth of a slice: words of 32 bits, normalised for fixed point formats and bits of floats for the others.
    fn read_depth(&mut self, place: &Place) -> Outcome<Vec<u32>> {
        let count = place.size[0] as usize * place.size[1] as usize;
        let float = is_float_depth(place.spec.format.storage());
        if self.device.features.read_depth {
            self.depth_frame(place)?;
            let gl = &self.device.gl;
            let area = [place.at[0], place.at[1], place.size[0], place.size[1]];
            let mut bytes = vec![0; count * 4];
            gl.take_error();
            let ty = if float { c::FLOAT } else { c::UNSIGNED_INT };
            gl.read_pixels_to(area, (c::DEPTH_COMPONENT, ty), 4, &mut bytes);
            if gl.take_error() == 0 {
                return Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect());
            }
        }
        let flat = self.flatten(place, c::DEPTH_BUFFER_BIT)?;
        let words = self.fetch(&flat, Fetch::Float)?;
        let fixed = |bits: u32| (f64::from(f32::from_bits(bits).clamp(0.0, 1.0)) * f64::from(u32::MAX)).round() as u32;
        // A depth of n bits is the nearest float of its value; the rounding to n bits is done where it is packed.
        Ok(words.chunks_exact(4).map(|w| if float { w[0] } else { fixed(w[0]) }).collect())
    }

    fn read_stencil(&mut self, place: &Place) -> Outcome<Vec<u8>> {
        let count = place.size[0] as usize * place.size[1] as usize;
        if self.device.features.read_stencil {
            self.depth_frame(place)?;
            let gl = &self.device.gl;
            let area = [place.at[0], place.at[1], place.size[0], place.size[1]];
            let mut bytes = vec![0; count];
            gl.take_error();
            gl.read_pixels_to(area, (c::STENCIL_INDEX, c::UNSIGNED_BYTE), 1, &mut bytes);
            if gl.take_error() == 0 {
                return Ok(bytes);
            }
        }
        if !self.device.features.stencil_texturing {
            return Err(Refusal::Unsupported("ReadStencil"));
        }
        let flat = self.flatten(place, c::STENCIL_BUFFER_BIT)?;
        let words = self.fetch(&flat, Fetch::Stencil)?;
        Ok(words.chunks_exact(4).map(|w| w[0] as u8).collect())
    }

    /// A slice of a texture of any shape as a flat texture of the same format, for the fetch shader.
    fn flatten(&mut self, place: &Place, mask: u32) -> Outcome<Place> {
        if place.target == c::TEXTURE_2D {
            return Ok(*place);
        }
        let [w, h, _] = place.size;
        let spec = ImageSpec {
            target: Target::Tex2D,
            extent: [w as u32, h as u32, 1],
            layers: 1,
            levels: 1,
            samples: 1,
            ..place.spec
        };
        let flat = self.scratch_of(spec)?;
        self.depth_frame(place)?;
        let attach = Attach { key: flat, level: 0, layer: 0, layered: false, linear: false };
        let key = FrameKey::of_format(attach, place.spec.format);
        self.bind_draw_frame(&key)?;
        self.clip_to(None);
        let [x, y, _] = place.at;
        self.device.gl.blit_framebuffer(x, y, x + w, y + h, 0, 0, w, h, mask, c::NEAREST);
        self.place_at(flat, 0, [0; 3], [w, h, 1])
    }
}

fn is_float_depth(storage: Storage) -> bool {
    matches!(storage, Storage::D32Float | Storage::D32FloatS8Uint)
}

/// A depth word into a texel of the wire.
fn put_depth(storage: Storage, depth: u32, to: &mut [u8]) {
    let scaled = |max: f64| (f64::from(depth) / f64::from(u32::MAX) * max).round() as u32;
    match storage {
        Storage::D16Unorm => to.copy_from_slice(&(scaled(65535.0) as u16).to_le_bytes()),
        Storage::D24Unorm | Storage::D24UnormS8Uint => {
            to[1..4].copy_from_slice(&scaled(f64::from(0xFF_FFFF)).to_le_bytes()[..3]);
        }
        _ => to[..4].copy_from_slice(&depth.to_le_bytes()),
    }
}
