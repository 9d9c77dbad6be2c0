//! Mipmaps: by the driver where it can filter and render the format, else a box filter on the host. Must not know
//! samplers.

use crate::core::Core;
use crate::images::{ImageKey, Shown};
use crate::raw::consts as c;
use crate::texel::{self, Texel};
use mgl_backend::traits::Outcome;
use mgl_backend::values::Storage;
use mgl_backend::{ImageRef, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::caps::format_bits;
use mgl_pipe::tokens::ResourceTarget as Target;

impl Core {
    /// Mip levels `base + 1 ..= last` from `base`.
    pub fn generate_mipmap(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome {
        let key = self.textures.need_image(ImageRef::Texture(texture))?;
        let spec = self.textures.images.need(key)?.spec;
        let last = last.min(spec.levels - 1);
        if base >= last {
            return Ok(());
        }
        self.before_write(key)?;
        let need = format_bits::LINEAR | format_bits::RENDER;
        let able = self.device.formats.get(spec.format).bits & need == need && spec.store.renderable;
        // ES makes no mipmaps of depth (ES 3.2 §8.14.4).
        let able = able && spec.format.is_color();
        let trusted = self.device.features.mipmap_range || base == 0 || last + 1 == spec.levels;
        if able && trusted && self.driver_mipmap(key, base, last) {
            self.issued();
            return Ok(());
        }
        if able && !trusted && spec.samples == 1 && spec.target != Target::Tex3D {
            return (base..last).try_for_each(|level| self.blit_level(key, level));
        }
        if spec.format.info().compressed || spec.samples > 1 {
            return Err(Refusal::Unsupported("MipmapFormat"));
        }
        (base..last).try_for_each(|level| self.halve(key, level))
    }

    fn driver_mipmap(&mut self, key: ImageKey, base: u32, last: u32) -> bool {
        let Some((target, name)) = self.textures.images.get(key).map(|i| (i.target, i.name)) else { return false };
        let swizzle = [c::RED, c::GREEN, c::BLUE, c::ALPHA];
        let shown = Shown { base, max: last, swizzle, stencil: false };
        self.textures.images.show(&self.device.gl, &mut self.bind, key, shown);
        let gl = &self.device.gl;
        self.bind.scratch_texture(gl, target, name);
        gl.take_error();
        gl.generate_mipmap(target);
        gl.take_error() == 0
    }

    /// One level from the one above it.
    fn halve(&mut self, key: ImageKey, level: u32) -> Outcome {
        let spec = self.textures.images.need(key)?.spec;
        let storage = spec.format.storage();
        let size = |l: u32| {
            let [w, h, _] = spec.level_extent(l).map(|v| v as i32);
            [w, h, spec.slices(l) as i32]
        };
        let from = self.place_at(key, level, [0; 3], size(level))?;
        let to = self.place_at(key, level + 1, [0; 3], size(level + 1))?;
        let mut bytes = vec![0; from.wire_bytes()];
        self.read_texels(&from, &mut bytes)?;
        let mut out = vec![0; to.wire_bytes()];
        box_filter(storage, (&bytes, from.size), (&mut out, to.size), spec.target == Target::Tex3D)
            .ok_or(Refusal::Unsupported("MipmapFormat"))?;
        self.upload(&to, &out)
    }
}

/// Averages 2 x 2 (x 2) texels; stencil is taken from the first of them.
fn box_filter(storage: Storage, from: (&[u8], [i32; 3]), to: (&mut [u8], [i32; 3]), volume: bool) -> Option<()> {
    let bytes = storage.block_bytes() as usize;
    let [w, h, d] = from.1.map(|v| v as usize);
    let [tw, th, _] = to.1.map(|v| v as usize);
    for (index, texel) in to.0.chunks_exact_mut(bytes).enumerate() {
        let (x, y, z) = (index % tw, index / tw % th, index / tw / th);
        let pair = |v: usize, limit: usize| [(2 * v).min(limit - 1), (2 * v + 1).min(limit - 1)];
        let slices = if volume { pair(z, d) } else { [z, z] };
        let mut sum = [0f64; 4];
        let mut first = None;
        for (sz, sy, sx) in corners(slices, pair(y, h), pair(x, w)) {
            let at = ((sz * h + sy) * w + sx) * bytes;
            let value = texel::decode(storage, from.0.get(at..at + bytes)?)?;
            first.get_or_insert(value);
            for (total, v) in sum.iter_mut().zip(numbers(&value)) {
                *total += v / 8.0;
            }
        }
        let mean = match (first?, storage) {
            (Texel::Float(one), Storage::D24UnormS8Uint | Storage::D32FloatS8Uint) => {
                Texel::Float([sum[0] as f32, one[1], 0.0, 1.0])
            }
            (Texel::Float(_), _) => Texel::Float(sum.map(|v| v as f32)),
            (other, _) => other,
        };
        texel::encode(storage, &mean, texel).then_some(())?;
    }
    Some(())
}

fn corners(z: [usize; 2], y: [usize; 2], x: [usize; 2]) -> impl Iterator<Item = (usize, usize, usize)> {
    z.into_iter().flat_map(move |z| y.into_iter().flat_map(move |y| x.into_iter().map(move |x| (z, y, x))))
}

fn numbers(texel: &Texel) -> [f64; 4] {
    match texel {
        Texel::Float(v) => v.map(f64::from),
        Texel::Int(v) => v.map(f64::from),
        Texel::Uint(v) => v.map(f64::from),
    }
}
