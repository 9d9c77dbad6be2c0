//! Clears: load operations of a new pass, `vkCmdClearAttachments` in an open one, or a masked draw. Must not know draws of
//! the program.

use super::Drawing;
use super::blit::single_target;
use super::dynamic::{clip_box, rect};
use super::meta::{MetaDraw, Shader, Write};
use crate::access::Range;
use crate::core::Core;
use crate::images::{IDENTITY, ViewKey, ViewUse};
use crate::passes::{Loads, Target};
use crate::pipelines::write_mask;
use crate::recorder::Recorder;
use crate::textures::AttachmentRef;
use crate::transfer::ClearTexel;
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Box3, Clear, Format, FramebufferState, Numeric, Surface};
use mgl_backend::{ContextState, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::tokens::{ClearKind, SurfaceKind, ValueClass};

const COLOR_BIT: u32 = 0x4000;
const DEPTH_BIT: u32 = 0x100;
const STENCIL_BIT: u32 = 0x400;

/// What a clear does, in terms of attachments.
#[derive(Default)]
struct Job {
    color: [Option<([u32; 4], u32)>; MAX_DRAW_BUFFERS],
    depth: Option<f32>,
    stencil: Option<(u32, u32)>,
}

impl Drawing {
    /// `glClear`, `glClearBuffer*` and `glClearNamedFramebuffer*`.
    pub fn clear(&mut self, core: &mut Core, ctx: &mut ContextState, fb: &FramebufferState, clear: &Clear) -> Outcome {
        if ctx.pipeline.rasterizer_discard.get() {
            return Ok(()); // GL 4.6 §14.1: clears are discarded too.
        }
        core.cmds.submit_if_large()?;
        let dirty = self.begin_verb(core, ctx);
        self.forced |= dirty | Dirty::DRAW_FRAMEBUFFER;
        let srgb = ctx.pipeline.framebuffer_srgb.get();
        let target = Target::resolve(core, ctx.flow, fb, srgb)?;
        let job = job(ctx, &target, clear);
        let scissor = (ctx.dynamic.scissor_enabled & 1 != 0).then_some(ctx.dynamic.scissors[0]);
        let area = clip_box(scissor, target.extent);
        if area[2] == 0 || area[3] == 0 {
            return Ok(());
        }
        let whole = area == clip_box(None, target.extent);
        let masked = self.clear_plain(core, &target, &job, area, whole)?;
        if masked {
            self.clear_masked(core, &target, &job, area)?;
        }
        Ok(())
    }

    /// A box of a multisampled texture, which no transfer command reaches: cleared as an attachment, layer by layer.
    pub fn clear_box(
        &mut self,
        core: &mut Core,
        texture: Handle<Texture>,
        level: u32,
        region: &Box3,
        value: ClearTexel,
    ) -> Outcome {
        let area = [region.x, region.y, region.w as i32, region.h as i32];
        for layer in region.z as u32..region.z as u32 + region.d {
            let (slot, generation, kind) = (texture.slot(), texture.generation(), SurfaceKind::Texture);
            let surface = Surface { slot, generation, kind, level: level as u16, layer, ..Surface::default() };
            let Some(attachment) = core.attachment(&surface, true)? else {
                return Err(Refusal::Unsupported("clear of part of a multisampled texture of this format"));
            };
            let target = single_target(0, &attachment);
            let mut loads = Loads::default();
            match value {
                ClearTexel::Color(color) => loads.color[0] = Some(color),
                ClearTexel::Depth(both) => {
                    loads.depth = target.format.has_depth.then_some(both.depth);
                    loads.stencil = target.format.has_stencil.then_some(both.stencil);
                }
            }
            self.passes.set_target(target);
            self.passes.begin(core, None, &Loads::default())?;
            let done = clear_attachments(core, &target, &loads, area);
            core.cmds.leave_pass();
            self.forget();
            self.forced |= Dirty::DRAW_FRAMEBUFFER;
            done?;
        }
        core.cmds.submit_if_large()
    }

    /// Everything whose mask is full; true when something is left.
    fn clear_plain(
        &mut self,
        core: &mut Core,
        target: &Target,
        job: &Job,
        area: [i32; 4],
        whole: bool,
    ) -> Outcome<bool> {
        let mut loads = Loads::default();
        let mut left = false;
        for (output, color) in job.color.iter().enumerate() {
            let (Some((bits, mask)), Some(format)) = (color, target.format.gl[output]) else { continue };
            if *mask == full_mask(format) {
                loads.color[output] = Some(vk::ClearColorValue { uint32: value_for(*bits, format) });
            } else {
                left |= *mask != 0;
            }
        }
        loads.depth = job.depth;
        match job.stencil {
            Some((value, 0xFF)) => loads.stencil = Some(value),
            Some((_, mask)) => left |= mask != 0,
            None => {}
        }
        let nothing = loads.color.iter().all(Option::is_none) && loads.depth.is_none() && loads.stencil.is_none();
        if nothing {
            return Ok(left);
        }
        self.passes.set_target(keep_feedback(*target, self.passes.target()));
        if !self.passes.usable(core) {
            let begin = if whole { loads } else { Loads::default() };
            self.passes.begin(core, Some(&mut self.queries), &begin)?;
            if whole {
                return Ok(left);
            }
        }
        clear_attachments(core, target, &loads, area)?;
        Ok(left)
    }

    /// Partial colour or stencil masks: a draw per buffer and layer, without the program's queries.
    fn clear_masked(&mut self, core: &mut Core, target: &Target, job: &Job, area: [i32; 4]) -> Outcome {
        for output in 0..MAX_DRAW_BUFFERS {
            let (Some((bits, mask)), Some(format)) = (job.color[output], target.format.gl[output]) else { continue };
            if mask == 0 || mask == full_mask(format) {
                continue;
            }
            let value = value_for(bits, format);
            let shader = match format.info().numeric {
                Numeric::Int => Shader::FillInt,
                Numeric::Uint => Shader::FillUint,
                _ => Shader::FillFloat,
            };
            let mut push = [0; 12];
            push[..4].copy_from_slice(&value);
            let write = Write { shader, color_mask: mask, depth: false, stencil: false };
            self.fill_layers(core, &only_color(target, output), write, area, (0.0, (0, 0)), push)?;
        }
        if let Some((value, mask)) = job.stencil.filter(|(_, mask)| *mask != 0xFF && *mask != 0) {
            let write = Write { shader: Shader::None, color_mask: 0, depth: false, stencil: true };
            self.fill_layers(core, &only_depth_stencil(target), write, area, (0.0, (value, mask)), [0; 12])?;
        }
        Ok(())
    }

    fn fill_layers(
        &mut self,
        core: &mut Core,
        target: &Target,
        write: Write,
        area: [i32; 4],
        (depth, stencil): (f32, (u32, u32)),
        push: [u32; 12],
    ) -> Outcome {
        for layer in 0..target.layers {
            let one = single_layer(core, target, layer)?;
            self.meta_draw(core, &MetaDraw { write, target: &one, area, depth, stencil, push, source: None })?;
        }
        Ok(())
    }

    /// An internal draw in a pass of its own.
    pub(super) fn meta_draw(&mut self, core: &mut Core, draw: &MetaDraw<'_>) -> Outcome {
        self.passes.set_target(*draw.target);
        self.passes.begin(core, None, &Loads::default())?;
        let render_pass = self.passes.compatible(core)?;
        let cache = self.pipelines.cache();
        let done = self.meta.record(core, &mut self.pools, cache, render_pass, draw);
        core.cmds.leave_pass();
        self.forget();
        self.forced |= Dirty::DRAW_FRAMEBUFFER;
        done
    }
}

/// The open pass may be in the general layout; a clear does not need to change that.
fn keep_feedback(mut target: Target, old: &Target) -> Target {
    target.format.feedback = old.format.feedback && target.attachments().eq(old.attachments());
    target
}

/// Only output `index` of a target, as output 0.
pub(super) fn only_color(target: &Target, index: usize) -> Target {
    let mut one = Target { flow: target.flow, extent: target.extent, layers: target.layers, ..Target::default() };
    one.color[0] = target.color[index];
    one.format.color[0] = target.format.color[index];
    one.format.gl[0] = target.format.gl[index];
    one.format.count = 1;
    one.format.samples = target.format.samples;
    one
}

/// Only depth and stencil of a target.
pub(super) fn only_depth_stencil(target: &Target) -> Target {
    let mut one = *target;
    one.color = Default::default();
    one.format.color = Default::default();
    one.format.gl = Default::default();
    one.format.count = 0;
    one.format.feedback = false;
    one
}

/// One layer of a target with one attachment.
fn single_layer(core: &mut Core, target: &Target, layer: u32) -> Outcome<Target> {
    let mut one = *target;
    if target.layers == 1 {
        return Ok(one);
    }
    one.layers = 1;
    for attachment in one.color.iter_mut().flatten().chain(&mut one.depth_stencil) {
        *attachment = layer_of(core, attachment, layer)?;
    }
    Ok(one)
}

/// The same attachment restricted to one of its layers (slices of a 3D image).
fn layer_of(core: &mut Core, attachment: &AttachmentRef, layer: u32) -> Outcome<AttachmentRef> {
    let spec = core.image(attachment.image)?.spec;
    let flat = spec.ty == vk::ImageType::TYPE_1D;
    let range = Range { layer: attachment.range.layer + layer, layers: 1, ..attachment.range };
    let key = ViewKey {
        ty: if flat { vk::ImageViewType::TYPE_1D } else { vk::ImageViewType::TYPE_2D },
        format: attachment.vk_format,
        aspects: spec.aspects,
        range,
        swizzle: IDENTITY,
        used_as: ViewUse::Attachment,
    };
    let (view, id) = core.images.view(&mut core.cmds, attachment.image, key)?;
    let volume = spec.ty == vk::ImageType::TYPE_3D;
    let range = if volume { attachment.range } else { range };
    Ok(AttachmentRef { view, id, range, layers: 1, ..*attachment })
}

fn full_mask(format: Format) -> u32 {
    if format.info().base == Base::Rgb { 0b0111 } else { 0b1111 }
}

/// Formats without alpha that are stored with one keep alpha 1.
fn value_for(mut bits: [u32; 4], format: Format) -> [u32; 4] {
    let info = format.info();
    if info.base == Base::Rgb {
        bits[3] = if matches!(info.numeric, Numeric::Int | Numeric::Uint) { 1 } else { 1.0f32.to_bits() };
    }
    bits
}

/// Mask of a buffer; channels that the format lacks count as written.
fn effective_mask(ctx: &ContextState, output: usize, format: Format) -> u32 {
    let mask = write_mask(&ctx.pipeline, output, format);
    let stored = match format.info().base {
        Base::Red => 0b0001,
        Base::Rg => 0b0011,
        Base::Rgb => 0b0111,
        _ => 0b1111,
    };
    if mask & stored == stored { full_mask(format) } else { mask & stored }
}

fn job(ctx: &ContextState, target: &Target, clear: &Clear) -> Job {
    let whole = clear.kind == ClearKind::Whole;
    let mut job = Job::default();
    let color = (whole && clear.mask & COLOR_BIT != 0) || clear.kind == ClearKind::Color;
    for output in 0..MAX_DRAW_BUFFERS {
        let Some(format) = target.format.gl[output] else { continue };
        let chosen = color && (whole || clear.draw_buffer == output as u32);
        if chosen {
            let bits = if whole { ctx.dynamic.clear_color.map(f32::to_bits) } else { clear.color };
            job.color[output] = Some((fit(bits, whole, clear.class, format), effective_mask(ctx, output, format)));
        }
    }
    let both = clear.kind == ClearKind::DepthStencil;
    if target.format.has_depth && ctx.pipeline.depth_mask.get() {
        if whole && clear.mask & DEPTH_BIT != 0 {
            job.depth = Some(ctx.dynamic.clear_depth.clamp(0.0, 1.0));
        } else if both || clear.kind == ClearKind::Depth {
            job.depth = Some(clear.depth.clamp(0.0, 1.0));
        }
    }
    if target.format.has_stencil {
        let mask = ctx.dynamic.stencil[0].write_mask & 0xFF;
        if whole && clear.mask & STENCIL_BIT != 0 {
            job.stencil = Some((ctx.dynamic.clear_stencil & 0xFF, mask));
        } else if both || clear.kind == ClearKind::Stencil {
            job.stencil = Some((clear.stencil & 0xFF, mask));
        }
    }
    job
}

/// A value in the class of the format. GL leaves mismatches undefined; here they convert.
fn fit(bits: [u32; 4], whole: bool, class: ValueClass, format: Format) -> [u32; 4] {
    let float = whole || class == ValueClass::Float;
    let integer = matches!(format.info().numeric, Numeric::Int | Numeric::Uint);
    match (float, integer) {
        (true, true) => bits.map(|b| f32::from_bits(b) as i32 as u32),
        (false, false) => bits.map(|b| (b as i32 as f32).to_bits()),
        _ => bits,
    }
}

fn clear_attachments(core: &mut Core, target: &Target, loads: &Loads, area: [i32; 4]) -> Outcome {
    let mut list: smallvec::SmallVec<[vk::ClearAttachment; 10]> = smallvec::SmallVec::new();
    for (output, color) in loads.color.iter().enumerate() {
        if let Some(color) = color {
            list.push(vk::ClearAttachment {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                color_attachment: output as u32,
                clear_value: vk::ClearValue { color: *color },
            });
        }
    }
    let mut aspect_mask = vk::ImageAspectFlags::empty();
    if loads.depth.is_some() {
        aspect_mask |= vk::ImageAspectFlags::DEPTH;
    }
    if loads.stencil.is_some() {
        aspect_mask |= vk::ImageAspectFlags::STENCIL;
    }
    if !aspect_mask.is_empty() {
        let depth_stencil =
            vk::ClearDepthStencilValue { depth: loads.depth.unwrap_or(0.0), stencil: loads.stencil.unwrap_or(0) };
        list.push(vk::ClearAttachment {
            aspect_mask,
            color_attachment: 0,
            clear_value: vk::ClearValue { depth_stencil },
        });
    }
    let rects = [vk::ClearRect { rect: rect(area), base_array_layer: 0, layer_count: target.layers }];
    let cmd = core.cmds.inside()?;
    let gpu = core.gpu.clone();
    Recorder::new(&gpu, cmd).clear_attachments(&list, &rects);
    Ok(())
}
