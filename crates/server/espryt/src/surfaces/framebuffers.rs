//! Framebuffer states of the client as driver framebuffers. Must not know draws.

use crate::core::{Core, Disturbed};
use crate::frames::{Attach, Frame, FrameKey, Memo, TargetInfo};
use crate::images::ImageKey;
use crate::raw::consts as c;
use crate::textures::surface_ref;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{FramebufferState, Surface};

impl Core {
    /// Binds a framebuffer for drawing. `srgb` is `GL_FRAMEBUFFER_SRGB`. Costs a compare when nothing changed.
    pub fn bind_draw_framebuffer(&mut self, state: &FramebufferState, srgb: bool) -> Outcome<TargetInfo> {
        if let Some(memo) = &self.frames.memo
            && memo.epoch == self.textures.epoch
            && memo.srgb == srgb
            && memo.state == *state
        {
            let (info, key, aliased) = (memo.info, memo.key, memo.aliased);
            if aliased {
                self.attachments_written(&key)?;
            }
            self.bind.draw_framebuffer(&self.device.gl, info.name);
            self.srgb_writes(srgb);
            return Ok(info);
        }
        let key = self.frame_key(state, srgb)?;
        for attach in key.color.iter().flatten() {
            self.fill_missing_alpha(attach)?;
        }
        let frame = self.bind_draw_frame(&key)?;
        self.srgb_writes(srgb);
        if frame.aliased {
            self.attachments_written(&key)?;
            self.bind.draw_framebuffer(&self.device.gl, frame.info.name);
        }
        let (epoch, info, aliased) = (self.textures.epoch, frame.info, frame.aliased);
        self.frames.memo = Some(Memo { state: *state, srgb, epoch, key, info, aliased });
        Ok(frame.info)
    }

    /// The key of a framebuffer state; colour slot `i` is what draw buffer `i` writes.
    pub(crate) fn frame_key(&mut self, state: &FramebufferState, srgb: bool) -> Outcome<FrameKey> {
        let fixed = state.fixed_sample_locations.get();
        let bare = (state.width, state.height, state.layers, u32::from(state.samples), fixed);
        let mut key = FrameKey::default();
        for (slot, index) in state.draw_buffers.iter().enumerate() {
            let Some(surface) = usize::try_from(*index).ok().and_then(|i| state.color.get(i)) else { continue };
            key.color[slot] = self.attach_of(surface, srgb)?;
        }
        key.depth = self.attach_of(&state.depth, true)?;
        key.stencil = self.attach_of(&state.stencil, true)?;
        if key.attachments().next().is_none() {
            key.bare = bare;
        }
        Ok(key)
    }

    /// A surface as an attachment; `None` when nothing is there.
    pub(crate) fn attach_of(&mut self, surface: &Surface, srgb: bool) -> Outcome<Option<Attach>> {
        let Some(of) = surface_ref(surface) else { return Ok(None) };
        let Some(key) = self.textures.get(of).and_then(|t| t.image) else { return Ok(None) };
        let spec = self.textures.images.need(key)?.spec;
        let level = u32::from(surface.level);
        if level >= spec.levels || surface.layer >= spec.slices(level) {
            return Ok(None);
        }
        // A layered surface with one layer is the same as that layer, also for drivers without layers.
        let many = spec.slices(level) > 1 || spec.target == mgl_pipe::tokens::ResourceTarget::Tex3D;
        let layered = surface.layered.get() && many && self.device.features.geometry_shader;
        let encoded = spec.format.info().srgb && !spec.format.info().compressed;
        let linear = encoded && !srgb && !self.device.features.srgb_write_control;
        if linear {
            self.make_linear(key)?;
        }
        Ok(Some(Attach { key, level, layer: if layered { 0 } else { surface.layer }, layered, linear }))
    }

    /// The linear alias of an sRGB image: the way to write without encoding where there is no switch for it.
    fn make_linear(&mut self, key: ImageKey) -> Outcome {
        let image = self.textures.images.need(key)?;
        if image.linear != 0 {
            return Ok(());
        }
        if !self.device.features.texture_view {
            return Err(Refusal::Unsupported("FramebufferSrgbOff"));
        }
        let (target, origin, spec) = (image.target, image.name, image.spec);
        let gl = &self.device.gl;
        let name = gl.new_texture();
        gl.take_error();
        gl.texture_view(name, target, origin, c::RGBA8, 0, spec.levels, 0, spec.layers);
        if gl.take_error() != 0 {
            gl.drop_texture(name);
            return Err(Refusal::Unsupported("FramebufferSrgbOff"));
        }
        if let Some(image) = self.textures.images.get_mut(key) {
            image.linear = name;
        }
        Ok(())
    }

    /// Switches encoding of writes (and of blits) where the driver has the switch.
    pub(crate) fn srgb_writes(&mut self, on: bool) {
        if self.device.features.srgb_write_control && self.frames.srgb_off == on {
            self.frames.srgb_off = !on;
            match on {
                true => self.device.gl.enable(c::FRAMEBUFFER_SRGB),
                false => self.device.gl.disable(c::FRAMEBUFFER_SRGB),
            }
        }
    }

    /// Binds a framebuffer of the cache for drawing.
    pub(crate) fn bind_draw_frame(&mut self, key: &FrameKey) -> Outcome<Frame> {
        self.frames.draw(&self.device, &mut self.bind, &mut self.textures.images, key)
    }

    /// Binds a framebuffer of the cache for reading.
    pub(crate) fn bind_read_frame(&mut self, key: &FrameKey) -> Outcome<Frame> {
        self.frames.read(&self.device, &mut self.bind, &mut self.textures.images, key)
    }

    fn attachments_written(&mut self, key: &FrameKey) -> Outcome {
        for attach in key.attachments() {
            self.before_write(attach.key)?;
        }
        Ok(())
    }

    /// The alpha channel that a format lacks and its storage has must read 1 for blending and copies; it is filled when
    /// the level is first drawn to.
    pub(crate) fn fill_missing_alpha(&mut self, attach: &Attach) -> Outcome {
        let Some(image) = self.textures.images.get_mut(attach.key) else { return Ok(()) };
        let bit = 1u32 << attach.level.min(31);
        if !image.spec.widened_alpha() || image.alpha_levels & bit != 0 || !image.spec.store.renderable {
            return Ok(());
        }
        image.alpha_levels |= bit;
        let (spec, slices) = (image.spec, image.spec.slices(attach.level));
        for layer in 0..slices {
            let key = FrameKey::color(Attach { layer, layered: false, ..*attach });
            self.bind_draw_frame(&key)?;
            self.write_alpha_one(spec.format.info().numeric, None);
        }
        Ok(())
    }

    /// Writes 1 into alpha of colour slot 0 of the bound draw framebuffer, inside a box.
    pub(crate) fn write_alpha_one(&mut self, numeric: mgl_backend::values::Numeric, region: Option<[i32; 4]>) {
        use mgl_backend::values::Numeric;
        self.clip_to(region);
        let gl = &self.device.gl;
        gl.disable(c::RASTERIZER_DISCARD);
        gl.color_mask(0, 0, 0, 1);
        match numeric {
            Numeric::Int => gl.clear_buffer_i(c::COLOR, 0, &[0, 0, 0, 1]),
            Numeric::Uint => gl.clear_buffer_u(c::COLOR, 0, &[0, 0, 0, 1]),
            _ => gl.clear_buffer_f(c::COLOR, 0, &[0.0, 0.0, 0.0, 1.0]),
        }
        self.disturbed |= Disturbed::COLOR_MASK | Disturbed::DISCARD;
        self.issued();
    }

    /// Scissors what follows to a box, or to nothing.
    pub(crate) fn clip_to(&mut self, region: Option<[i32; 4]>) {
        let gl = &self.device.gl;
        match region {
            Some([x, y, w, h]) => {
                gl.enable(c::SCISSOR_TEST);
                gl.scissor(x, y, w.max(0), h.max(0));
            }
            None => gl.disable(c::SCISSOR_TEST),
        }
        self.disturbed |= Disturbed::SCISSOR;
    }
}
