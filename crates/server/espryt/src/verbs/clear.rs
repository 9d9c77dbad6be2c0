//! Clears. Every draw buffer is cleared by itself, because masks, kinds of numbers and missing alpha differ between them.
//! Must not know draws of the program.

use crate::core::{Core, Disturbed};
use crate::frames::TargetInfo;
use crate::raw::consts as c;
use mgl_backend::ContextState;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Bool8, Clear, Format, FramebufferState, Numeric};
use mgl_pipe::tokens::{ClearKind, ValueClass};

/// A colour to clear to.
#[derive(Clone, Copy)]
enum Value {
    Float([f32; 4]),
    Int([i32; 4]),
    Uint([u32; 4]),
}

/// The value that a record carries for a buffer; `None` where GL leaves the result undefined and ES refuses.
fn buffer_value(format: Format, clear: &Clear) -> Option<Value> {
    match (format.info().numeric, clear.class) {
        (Numeric::Int, ValueClass::Int) => Some(Value::Int(clear.color.map(|v| v as i32))),
        (Numeric::Uint, ValueClass::Uint) => Some(Value::Uint(clear.color)),
        (Numeric::Int | Numeric::Uint, _) | (_, ValueClass::Int | ValueClass::Uint) => None,
        _ => Some(Value::Float(clear.color.map(f32::from_bits))),
    }
}

/// `glClear` has floats only; integer buffers take them as numbers.
fn whole_value(format: Format, color: [f32; 4]) -> Value {
    match format.info().numeric {
        Numeric::Int => Value::Int(color.map(|v| v as i32)),
        Numeric::Uint => Value::Uint(color.map(|v| v as u32)),
        _ => Value::Float(color),
    }
}

/// A framebuffer of one layer of each layered surface.
fn one_layer(framebuffer: &FramebufferState, layer: u32) -> FramebufferState {
    let mut single = *framebuffer;
    let depth_stencil = [&mut single.depth, &mut single.stencil];
    for surface in single.color.iter_mut().chain(depth_stencil).filter(|s| s.layered.get()) {
        surface.layered = Bool8::new(false);
        surface.layer = layer;
    }
    single
}

impl Core {
    /// Any clear.
    pub fn clear(&mut self, ctx: &mut ContextState, framebuffer: &FramebufferState, clear: &Clear) -> Outcome {
        if ctx.pipeline.rasterizer_discard.get() {
            // Clears are discarded too (GL 4.6 §14.1).
            return Ok(());
        }
        if self.device.features.geometry_shader || framebuffer.layers <= 1 {
            return self.clear_layers(ctx, framebuffer, clear);
        }
        // Without layered attachments in the driver every layer is cleared by itself.
        (0..framebuffer.layers).try_for_each(|layer| self.clear_layers(ctx, &one_layer(framebuffer, layer), clear))
    }

    fn clear_layers(&mut self, ctx: &ContextState, framebuffer: &FramebufferState, clear: &Clear) -> Outcome {
        let info = self.bind_draw_framebuffer(framebuffer, ctx.pipeline.framebuffer_srgb.get())?;
        let scissor = (ctx.dynamic.scissor_enabled & 1 != 0).then_some(ctx.dynamic.scissors[0]);
        self.clip_to(scissor);
        self.device.gl.disable(c::RASTERIZER_DISCARD);
        self.disturbed |= Disturbed::DISCARD;
        match clear.kind {
            ClearKind::Whole => self.clear_whole(ctx, &info, clear.mask),
            ClearKind::Color => {
                let index = clear.draw_buffer as usize;
                let format = info.color.get(index).copied().flatten();
                if let Some(value) = format.and_then(|f| buffer_value(f, clear)) {
                    self.clear_color(ctx, &info, index, value);
                }
            }
            ClearKind::Depth => self.clear_depth_stencil(ctx, &info, Some(clear.depth), None),
            ClearKind::Stencil => self.clear_depth_stencil(ctx, &info, None, Some(clear.stencil)),
            _ => self.clear_depth_stencil(ctx, &info, Some(clear.depth), Some(clear.stencil)),
        }
        self.issued();
        Ok(())
    }

    fn clear_whole(&mut self, ctx: &ContextState, info: &TargetInfo, mask: u32) {
        let d = &ctx.dynamic;
        if mask & c::COLOR_BUFFER_BIT != 0 {
            for (index, format) in info.color.iter().enumerate() {
                if let Some(format) = format {
                    self.clear_color(ctx, info, index, whole_value(*format, d.clear_color));
                }
            }
        }
        let depth = (mask & c::DEPTH_BUFFER_BIT != 0).then_some(d.clear_depth);
        let stencil = (mask & c::STENCIL_BUFFER_BIT != 0).then_some(d.clear_stencil);
        self.clear_depth_stencil(ctx, info, depth, stencil);
    }

    fn clear_color(&mut self, ctx: &ContextState, info: &TargetInfo, index: usize, mut value: Value) {
        let Some(mask) = ctx.pipeline.color_mask.get(index) else { return };
        let [r, g, b, mut a] = mask.map(|m| u8::from(m.get()));
        if info.widened_alpha >> index & 1 != 0 {
            a = 1;
            match &mut value {
                Value::Float(v) => v[3] = 1.0,
                Value::Int(v) => v[3] = 1,
                Value::Uint(v) => v[3] = 1,
            }
        }
        if info.recoded >> index & 1 != 0
            && let (Value::Float(v), Some(format)) = (&mut value, info.color[index])
        {
            // The storage is wider than the format: what the format cannot hold must not get in.
            let low = if format.info().numeric == Numeric::Snorm { -1.0 } else { 0.0 };
            if format.info().numeric != Numeric::Float {
                *v = v.map(|x| x.clamp(low, 1.0));
            }
        }
        let (gl, at) = (&self.device.gl, index as i32);
        gl.color_mask(r, g, b, a);
        match &value {
            Value::Float(v) => gl.clear_buffer_f(c::COLOR, at, v),
            Value::Int(v) => gl.clear_buffer_i(c::COLOR, at, v),
            Value::Uint(v) => gl.clear_buffer_u(c::COLOR, at, v),
        }
        self.disturbed |= Disturbed::COLOR_MASK;
    }

    fn clear_depth_stencil(&mut self, ctx: &ContextState, info: &TargetInfo, depth: Option<f32>, stencil: Option<u32>) {
        let depth = depth.filter(|_| info.depth && ctx.pipeline.depth_mask.get());
        let write_mask = ctx.dynamic.stencil[0].write_mask;
        let stencil = stencil.filter(|_| info.stencil && write_mask & 0xFF != 0);
        let gl = &self.device.gl;
        if depth.is_some() {
            gl.depth_mask(1);
            self.disturbed |= Disturbed::DEPTH_MASK;
        }
        if stencil.is_some() {
            gl.stencil_mask(write_mask);
            self.disturbed |= Disturbed::STENCIL_MASK;
        }
        match (depth, stencil) {
            (Some(d), Some(s)) => gl.clear_bufferfi(c::DEPTH_STENCIL, 0, d, s as i32),
            (Some(d), None) => gl.clear_buffer_f(c::DEPTH, 0, &[d, 0.0, 0.0, 0.0]),
            (None, Some(s)) => gl.clear_buffer_i(c::STENCIL, 0, &[s as i32, 0, 0, 0]),
            (None, None) => {}
        }
    }
}
