//! Draws of the fetch shaders, and the images they draw into. Must not know programs of the client.

use crate::core::{Core, Disturbed};
use crate::device::formats::Store;
use crate::error::refuse;
use crate::frames::{Attach, FrameKey};
use crate::images::{ImageKey, ImageSpec, Shown};
use crate::meta::{Fetch, Program, fragment, link};
use crate::raw::consts as c;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::Format;
use mgl_pipe::tokens::ResourceTarget as Target;

impl Core {
    fn fetch_program(&mut self, fetch: Fetch, target: u32) -> Outcome<Program> {
        let fetch = if fetch == Fetch::Stencil { Fetch::Uint } else { fetch };
        if let Some((_, program)) = self.meta.programs.iter().find(|(key, _)| *key == (fetch, target)) {
            return Ok(*program);
        }
        let program = link(&self.device.gl, &fragment(fetch, target))?;
        let unit = self.bind.scratch_unit();
        self.bind.program(&self.device.gl, program.name);
        self.device.gl.uniform_1i(self.device.gl.uniform_location(program.name, "source"), unit as i32);
        self.meta.programs.push(((fetch, target), program));
        Ok(program)
    }

    /// Writes the texels at a place of an image as bits into the lower left corner of an `RGBA32UI` image.
    pub(crate) fn fetch_into(
        &mut self,
        source: ImageKey,
        (level, at): (u32, [i32; 3]),
        fetch: Fetch,
        target: ImageKey,
        [w, h]: [i32; 2],
    ) -> Outcome {
        let image = self.textures.images.need(source)?;
        let (kind, name, spec) = (image.target, image.name, image.spec);
        let known = [c::TEXTURE_2D, c::TEXTURE_3D, c::TEXTURE_2D_ARRAY, c::TEXTURE_CUBE_MAP];
        if !known.contains(&kind) {
            return Err(Refusal::Unsupported("ReadTarget"));
        }
        let program = self.fetch_program(fetch, kind)?;
        let swizzle = [c::RED, c::GREEN, c::BLUE, c::ALPHA];
        let stencil = fetch == Fetch::Stencil && spec.store.internal != c::STENCIL_INDEX8;
        let shown = Shown { base: 0, max: spec.levels - 1, swizzle, stencil };
        self.textures.images.show(&self.device.gl, &mut self.bind, source, shown);
        let attach = Attach { key: target, level: 0, layer: 0, layered: false, linear: false };
        self.bind_draw_frame(&FrameKey::color(attach))?;
        let [ew, eh, _] = spec.level_extent(level).map(|v| v as f32);
        self.bind.program(&self.device.gl, program.name);
        let unit = self.bind.scratch_unit();
        self.bind.texture(&self.device.gl, unit, kind, name);
        self.bind.sampler(&self.device.gl, unit, 0);
        self.bind.vertex_array(&self.device.gl, 0);
        let gl = &self.device.gl;
        gl.uniform_4i(program.place, at[0], at[1], at[2], level as i32);
        gl.uniform_4f(program.size, ew, eh, 0.0, 0.0);
        gl.take_error();
        self.plain_state([0, 0, w, h]);
        let gl = &self.device.gl;
        gl.draw_arrays(c::TRIANGLES, 0, 3);
        if self.capturing {
            gl.resume_transform_feedback();
        }
        self.issued();
        match self.device.gl.take_error() {
            0 => Ok(()),
            error => Err(refuse("internal draw", error)),
        }
    }

    /// State in which an internal draw writes every texel of an area and nothing else happens.
    fn plain_state(&mut self, [x, y, w, h]: [i32; 4]) {
        let gl = &self.device.gl;
        let f = &self.device.features;
        if self.capturing {
            gl.pause_transform_feedback();
        }
        for cap in [
            c::BLEND,
            c::DEPTH_TEST,
            c::STENCIL_TEST,
            c::CULL_FACE,
            c::SCISSOR_TEST,
            c::RASTERIZER_DISCARD,
            c::SAMPLE_ALPHA_TO_COVERAGE,
            c::SAMPLE_COVERAGE,
            c::POLYGON_OFFSET_FILL,
        ] {
            gl.disable(cap);
        }
        if f.texture_multisample {
            gl.disable(c::SAMPLE_MASK);
        }
        if f.sample_shading {
            gl.disable(c::SAMPLE_SHADING);
        }
        if f.logic_op {
            gl.disable(c::COLOR_LOGIC_OP);
        }
        if f.clip_cull_distance {
            (0..8).for_each(|i| gl.disable(c::CLIP_DISTANCE0 + i));
        }
        if f.polygon_mode {
            gl.polygon_mode(c::FRONT_AND_BACK, c::FILL);
        }
        gl.color_mask(1, 1, 1, 1);
        gl.viewport(x, y, w, h);
        self.disturbed |= Disturbed::all();
    }

    /// An image of internal work of at least a size.
    pub(crate) fn scratch_image(&mut self, format: Format, [w, h]: [u32; 2]) -> Outcome<ImageKey> {
        let store = self.device.formats.get(format).store.ok_or(Refusal::Unsupported("ScratchFormat"))?;
        self.scratch_of(flat(format, store, [w, h]))
    }

    /// A flat image of internal work of at least the extent of `spec`. It stays until the session ends or a larger one is
    /// needed; its content is whatever was left in it.
    pub(crate) fn scratch_of(&mut self, spec: ImageSpec) -> Outcome<ImageKey> {
        let images = &self.textures.images;
        let same = |i: &ImageSpec| i.store == spec.store && i.format == spec.format && i.samples == spec.samples;
        let found = self.meta.scratch.iter().position(|k| images.get(*k).is_some_and(|i| same(&i.spec)));
        let mut extent = spec.extent;
        if let Some(index) = found {
            let key = self.meta.scratch[index];
            let have = self.textures.images.need(key)?.spec.extent;
            if have[0] >= extent[0] && have[1] >= extent[1] {
                return Ok(key);
            }
            extent = [extent[0].max(have[0]), extent[1].max(have[1]), 1];
            self.meta.scratch.swap_remove(index);
            self.release_image(key);
        }
        let key = self.textures.images.create(&self.device, &mut self.bind, ImageSpec { extent, ..spec })?;
        self.meta.scratch.push(key);
        Ok(key)
    }
}

/// A flat image.
pub(crate) fn flat(format: Format, store: Store, [w, h]: [u32; 2]) -> ImageSpec {
    ImageSpec { target: Target::Tex2D, format, store, extent: [w, h, 1], layers: 1, levels: 1, samples: 1 }
}
