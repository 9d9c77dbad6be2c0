//! Blits and copies from the framebuffer into textures, by `glBlitFramebuffer`; what ES refuses takes a detour over an
//! internal image. Must not know draws of the program.

use crate::core::Core;
use crate::error::refuse;
use crate::frames::{Attach, FrameKey};
use crate::images::{ImageKey, ImageSpec};
use crate::raw::consts as c;
use crate::texel;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Blit, Box3, CopyFramebufferToTexture, Numeric, Storage, Surface};
use mgl_backend::{ContextState, Refusal};
use mgl_pipe::tokens::{Aspects, ResourceTarget as Target, SurfaceKind};

/// `Blit::aspects` is a set of `Aspects`, not GL's mask.
const COLOR: u32 = Aspects::Color.0 as u32;
const DEPTH: u32 = Aspects::Depth.0 as u32;
const STENCIL: u32 = Aspects::Stencil.0 as u32;

/// A blit of some aspects of one source: rectangles as corners, GL mask, filter.
#[derive(Clone, Copy)]
struct Move {
    src: [i32; 4],
    dst: [i32; 4],
    mask: u32,
    linear: bool,
}

impl Move {
    /// Neither scaled nor mirrored.
    fn is_plain(&self) -> bool {
        let size = |r: &[i32; 4]| (r[2].wrapping_sub(r[0]), r[3].wrapping_sub(r[1]));
        size(&self.src) == size(&self.dst)
    }
}

/// Where a source is attached for reading.
fn read_key(attach: Attach, mask: u32) -> FrameKey {
    let mut key = FrameKey::default();
    key.color[0] = Some(attach).filter(|_| mask & c::COLOR_BUFFER_BIT != 0);
    key.depth = Some(attach).filter(|_| mask & c::DEPTH_BUFFER_BIT != 0);
    key.stencil = Some(attach).filter(|_| mask & c::STENCIL_BUFFER_BIT != 0);
    key
}

impl Core {
    /// A surface to read from; layered ones read their first layer (GL 4.6 §18.3.1).
    fn source(&mut self, surface: &Surface, srgb: bool) -> Outcome<Option<Attach>> {
        let attach = self.attach_of(surface, srgb)?;
        Ok(attach.map(|a| Attach { layered: false, layer: surface.layer, ..a }))
    }

    /// `glBlitFramebuffer`.
    pub fn blit(&mut self, ctx: &mut ContextState, blit: &Blit) -> Outcome {
        let srgb = ctx.pipeline.framebuffer_srgb.get();
        let clip = (ctx.dynamic.scissor_enabled & 1 != 0).then_some(ctx.dynamic.scissors[0]);
        let (read, draw) = (ctx.read_framebuffer, ctx.draw_framebuffer);
        let target = self.frame_key(&draw, srgb)?;
        let (src, dst) = (blit.src, blit.dst);
        if blit.aspects & COLOR != 0
            && let Some(source) = self.source(&read.read, srgb)?
            && target.color.iter().any(Option::is_some)
        {
            let key = FrameKey { depth: None, stencil: None, ..target };
            let step = Move { src, dst, mask: c::COLOR_BUFFER_BIT, linear: blit.linear.get() };
            self.blit_one(source, &key, &step, clip, srgb)?;
        }
        for (aspect, mask, surface, there) in [
            (DEPTH, c::DEPTH_BUFFER_BIT, &read.depth, target.depth),
            (STENCIL, c::STENCIL_BUFFER_BIT, &read.stencil, target.stencil),
        ] {
            if blit.aspects & aspect == 0 || there.is_none() {
                continue;
            }
            let Some(source) = self.source(surface, true)? else { continue };
            let key = FrameKey { color: Default::default(), ..target };
            self.blit_one(source, &key, &Move { src, dst, mask, linear: false }, clip, srgb)?;
        }
        Ok(())
    }

    /// `glCopyTex[Sub]Image*`.
    pub fn copy_framebuffer_to_texture(&mut self, ctx: &mut ContextState, copy: &CopyFramebufferToTexture) -> Outcome {
        let surface = Surface {
            slot: copy.texture.slot(),
            generation: copy.texture.generation(),
            kind: SurfaceKind::Texture,
            level: copy.level,
            layer: copy.layer,
            ..Surface::default()
        };
        let target = self.attach_of(&surface, false)?.ok_or(Refusal::Unsupported("CopyTexImageTarget"))?;
        let (w, h) = (copy.width as i32, copy.height as i32);
        let corners = |[x, y]: [i32; 2]| [x, y, x.saturating_add(w), y.saturating_add(h)];
        let read = ctx.read_framebuffer;
        let mut by_host = false;
        for (bit, mask, surface) in [
            (COLOR, c::COLOR_BUFFER_BIT, &read.read),
            (DEPTH, c::DEPTH_BUFFER_BIT, &read.depth),
            (STENCIL, c::STENCIL_BUFFER_BIT, &read.stencil),
        ] {
            // What went by the host went with all aspects.
            if u32::from(copy.aspects.0) & bit == 0 || by_host {
                continue;
            }
            let Some(source) = self.source(surface, false)? else { continue };
            let step = Move { src: corners(copy.src), dst: corners(copy.dst), mask, linear: false };
            if !self.textures.images.need(target.key)?.spec.store.renderable {
                self.copy_by_host(source, target, copy)?;
                continue;
            }
            let done = self.blit_one(source, &read_key(target, mask), &step, None, false);
            // Depths and stencils are blitted only between formats that a driver holds for equal (ES 3.2 §16.2.1).
            by_host = done.is_err() && bit != COLOR;
            if by_host { self.copy_by_host(source, target, copy)? } else { done? }
        }
        Ok(())
    }

    /// A level of every layer from the level above it, which is filtered.
    pub(crate) fn blit_level(&mut self, key: ImageKey, level: u32) -> Outcome {
        let spec = self.textures.images.need(key)?.spec;
        let whole = |level| {
            let [w, h, _] = spec.level_extent(level);
            [0, 0, w as i32, h as i32]
        };
        let step = Move { src: whole(level), dst: whole(level + 1), mask: c::COLOR_BUFFER_BIT, linear: true };
        for layer in 0..spec.slices(level) {
            let at = |level| Attach { key, level, layer, layered: false, linear: false };
            self.blit_one(at(level), &FrameKey::color(at(level + 1)), &step, None, true)?;
        }
        Ok(())
    }

    /// One aspect of one source into everything that a target key names.
    fn blit_one(
        &mut self,
        mut source: Attach,
        target: &FrameKey,
        step: &Move,
        clip: Option<[i32; 4]>,
        srgb: bool,
    ) -> Outcome {
        let mut step = *step;
        self.before_read(source.key)?;
        for attach in target.attachments() {
            self.before_write(attach.key)?;
            self.fill_missing_alpha(attach)?;
        }
        let from = self.textures.images.need(source.key)?.spec;
        let first = target.attachments().next().map(|a| a.key).ok_or(Refusal::Unsupported("BlitTarget"))?;
        let to = self.textures.images.need(first)?.spec;
        if to.samples > 1 {
            return self.blit_multisampled(source, target, &step, clip, (&from, &to));
        }
        // A multisampled source is resolved only into its own format and size (ES 3.2 §16.2.1).
        let resolves = from.samples > 1 && (from.store.internal != to.store.internal || !step.is_plain());
        let within =
            target.attachments().any(|a| (a.key, a.level, a.layer) == (source.key, source.level, source.layer));
        if resolves || within {
            source = self.detour(source, &from, step.mask)?;
        }
        self.bind_read_frame(&read_key(source, step.mask))?;
        let frame = self.bind_draw_frame(target)?;
        self.srgb_writes(srgb);
        self.clip_to(clip);
        if from.format.is_integer() || step.is_plain() {
            step.linear = false;
        }
        self.issue(&step)?;
        let lacks = from.format.info().base != mgl_backend::values::Base::Rgb;
        if frame.info.widened_alpha != 0 && lacks && step.mask == c::COLOR_BUFFER_BIT {
            self.restore_alpha(target, step.dst, clip)?;
        }
        Ok(())
    }

    fn issue(&mut self, step: &Move) -> Outcome {
        let gl = &self.device.gl;
        let ([a, b, x, y], [e, f, g, h]) = (step.src, step.dst);
        let filter = if step.linear { c::LINEAR } else { c::NEAREST };
        gl.take_error();
        gl.blit_framebuffer(a, b, x, y, e, f, g, h, step.mask, filter);
        self.issued();
        match self.device.gl.take_error() {
            0 => Ok(()),
            error => Err(refuse("blit", error)),
        }
    }

    /// The whole level as a single-sampled image of the same format.
    fn detour(&mut self, source: Attach, from: &ImageSpec, mask: u32) -> Outcome<Attach> {
        let [w, h, _] = from.level_extent(source.level);
        let flat = ImageSpec { target: Target::Tex2D, extent: [w, h, 1], layers: 1, levels: 1, samples: 1, ..*from };
        let key = self.scratch_of(flat)?;
        let linear = false;
        let attach = Attach { key, level: 0, layer: 0, layered: false, linear };
        self.bind_read_frame(&read_key(Attach { linear, ..source }, mask))?;
        self.bind_draw_frame(&read_key(attach, mask))?;
        // Raw on both sides: conversions belong to the blit that follows.
        self.srgb_writes(from.samples > 1);
        self.clip_to(None);
        let all = [0, 0, w as i32, h as i32];
        self.issue(&Move { src: all, dst: all, mask, linear: false })?;
        Ok(attach)
    }

    /// ES has no blit into multisampled framebuffers; between equal images a copy of all samples does the same.
    fn blit_multisampled(
        &mut self,
        source: Attach,
        target: &FrameKey,
        step: &Move,
        clip: Option<[i32; 4]>,
        (from, to): (&ImageSpec, &ImageSpec),
    ) -> Outcome {
        let same = from.samples == to.samples && from.store == to.store;
        if !same || !step.is_plain() || clip.is_some() || !self.device.features.copy_image {
            return Err(Refusal::Unsupported("BlitToMultisample"));
        }
        let [x0, y0, x1, y1] = step.src;
        let size = [x1 - x0, y1 - y0, 1];
        for attach in target.attachments() {
            let at = [step.dst[0], step.dst[1], attach.layer as i32];
            let place = (source.key, source.level, [x0, y0, source.layer as i32]);
            self.copy_texels(place, (attach.key, attach.level, at), size)?;
        }
        Ok(())
    }

    /// Alpha of formats that have none is 1 again where a blit wrote the source's alpha.
    fn restore_alpha(&mut self, target: &FrameKey, dst: [i32; 4], clip: Option<[i32; 4]>) -> Outcome {
        let (x0, x1) = (dst[0].min(dst[2]), dst[0].max(dst[2]));
        let (y0, y1) = (dst[1].min(dst[3]), dst[1].max(dst[3]));
        let region = match clip {
            None => [x0, y0, x1.saturating_sub(x0), y1.saturating_sub(y0)],
            Some([x, y, w, h]) => {
                let (left, low) = (x0.max(x), y0.max(y));
                let (right, high) = (x1.min(x.saturating_add(w)), y1.min(y.saturating_add(h)));
                [left, low, (right - left).max(0), (high - low).max(0)]
            }
        };
        for attach in target.color.iter().flatten() {
            let spec = self.textures.images.need(attach.key)?.spec;
            if spec.widened_alpha() {
                self.bind_draw_frame(&FrameKey::color(*attach))?;
                self.write_alpha_one(spec.format.info().numeric, Some(region));
            }
        }
        Ok(())
    }

    /// A copy into a format that cannot be attached: read, converted on the host, uploaded.
    fn copy_by_host(&mut self, source: Attach, target: Attach, copy: &CopyFramebufferToTexture) -> Outcome {
        let from = self.textures.images.need(source.key)?.spec;
        let to = self.textures.images.need(target.key)?.spec;
        let class = |n: Numeric| match n {
            Numeric::Int => 1,
            Numeric::Uint => 2,
            _ => 0,
        };
        let (a, b) = (from.format.info(), to.format.info());
        if from.samples > 1 || b.compressed || (to.format.is_color() && class(a.numeric) != class(b.numeric)) {
            return Err(Refusal::Unsupported("CopyTexImageFormat"));
        }
        let [w, h, _] = from.level_extent(source.level).map(|v| v as i32);
        let (x0, y0) = (copy.src[0].max(0), copy.src[1].max(0));
        let x1 = copy.src[0].saturating_add(copy.width as i32).min(w);
        let y1 = copy.src[1].saturating_add(copy.height as i32).min(h);
        if x1 <= x0 || y1 <= y0 {
            return Ok(());
        }
        let size = [(x1 - x0) as u32, (y1 - y0) as u32];
        let src = Box3 { x: x0, y: y0, z: source.layer as i32, w: size[0], h: size[1], d: 1 };
        let count = (size[0] * size[1]) as usize;
        let mut bytes = vec![0; count * a.storage.block_bytes() as usize];
        self.image_read(source.key, source.level, &src, &mut bytes)?;
        let mut out = vec![0; count * b.storage.block_bytes() as usize];
        if b.storage == Storage::S8Uint {
            texel::stencils(a.storage, &bytes, &mut out);
        } else {
            texel::recode(a.storage, b.storage, &bytes, &mut out);
        }
        let (dx, dy) = (copy.dst[0] + x0 - copy.src[0], copy.dst[1] + y0 - copy.src[1]);
        let dst = Box3 { x: dx, y: dy, z: copy.layer as i32, w: size[0], h: size[1], d: 1 };
        self.image_write(target.key, target.level, &dst, &out)
    }
}
