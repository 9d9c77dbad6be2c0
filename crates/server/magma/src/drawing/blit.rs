//! Blits, copies from the framebuffer and pixel reads. A rectangle that keeps its size and format is copied or resolved by
//! Vulkan; everything else is drawn. Must not know draws of the program.

use super::Drawing;
use super::clear::{only_color, only_depth_stencil};
use super::dynamic::clip_box;
use super::meta::{MetaDraw, Shader, Write};
use super::rects::{Mapping, map_rects};
use crate::access::Range;
use crate::core::Core;
use crate::device::Gpu;
use crate::images::{IDENTITY, ImageSpec, ViewKey, ViewUse};
use crate::passes::Target;
use crate::raw::make::Packed;
use crate::raw::record;
use crate::recorder::Recorder;
use crate::textures::AttachmentRef;
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Blit, CopyFramebufferToTexture, FramebufferState, Numeric, Surface};
use mgl_backend::{ContextState, Refusal};
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::tokens::{Aspects, SurfaceKind};

/// `Blit::aspects` is a set of `Aspects`, not GL's mask.
const COLOR_BIT: u32 = Aspects::Color.0 as u32;
const DEPTH_BIT: u32 = Aspects::Depth.0 as u32;
const STENCIL_BIT: u32 = Aspects::Stencil.0 as u32;

/// One aspect of one pair of attachments.
pub(super) struct Copy<'a> {
    pub(super) source: AttachmentRef,
    pub(super) target: &'a Target,
    pub(super) aspect: vk::ImageAspectFlags,
    pub(super) map: Mapping,
    pub(super) linear: bool,
    /// Slice of a 3D source.
    pub(super) slice: u32,
    /// Which component of the source each component takes, where it is drawn.
    pub(super) swizzle: [vk::ComponentSwizzle; 4],
}

impl Drawing {
    /// `glBlitFramebuffer`.
    pub fn blit(&mut self, core: &mut Core, ctx: &mut ContextState, blit: &Blit) -> Outcome {
        core.cmds.submit_if_large()?;
        let dirty = self.begin_verb(core, ctx);
        self.forced |= dirty | Dirty::DRAW_FRAMEBUFFER;
        let srgb = ctx.pipeline.framebuffer_srgb.get();
        let target = Target::resolve(core, ctx.flow, &ctx.draw_framebuffer, srgb)?;
        let scissor = (ctx.dynamic.scissor_enabled & 1 != 0).then_some(ctx.dynamic.scissors[0]);
        let clip = clip_box(scissor, target.extent);
        let linear = blit.linear.get();
        if blit.aspects & COLOR_BIT != 0
            && let Some(source) = core.attachment(&ctx.read_framebuffer.read, srgb)?
        {
            let map = map_rects(blit.src, blit.dst, source.extent, clip);
            for output in (0..MAX_DRAW_BUFFERS).filter(|i| target.color[*i].is_some()) {
                let one = first_layer(only_color(&target, output));
                let aspect = vk::ImageAspectFlags::COLOR;
                let slice = ctx.read_framebuffer.read.layer;
                self.copy(core, &Copy { source, target: &one, aspect, map, linear, slice, swizzle: IDENTITY })?;
            }
        }
        let read = &ctx.read_framebuffer;
        let parts = [
            (DEPTH_BIT, vk::ImageAspectFlags::DEPTH, read.depth, target.format.has_depth),
            (STENCIL_BIT, vk::ImageAspectFlags::STENCIL, read.stencil, target.format.has_stencil),
        ];
        for (bit, aspect, surface, there) in parts {
            if blit.aspects & bit == 0 || !there {
                continue;
            }
            let Some(source) = core.attachment(&surface, false)? else { continue };
            let one = first_layer(only_depth_stencil(&target));
            let map = map_rects(blit.src, blit.dst, source.extent, clip);
            self.copy(
                core,
                &Copy { source, target: &one, aspect, map, linear: false, slice: surface.layer, swizzle: IDENTITY },
            )?;
        }
        Ok(())
    }

    /// `glCopyTex[Sub]Image*`.
    pub fn copy_to_texture(
        &mut self,
        core: &mut Core,
        ctx: &mut ContextState,
        copy: &CopyFramebufferToTexture,
    ) -> Outcome {
        core.cmds.submit_if_large()?;
        let dirty = self.begin_verb(core, ctx);
        self.forced |= dirty | Dirty::DRAW_FRAMEBUFFER;
        let surface = Surface {
            slot: copy.texture.slot(),
            generation: copy.texture.generation(),
            kind: SurfaceKind::Texture,
            level: copy.level,
            layer: copy.layer,
            ..Surface::default()
        };
        let Some(destination) = core.attachment(&surface, false)? else {
            return Err(Refusal::Unsupported("CopyTexImageTarget"));
        };
        let target = single_target(ctx.flow, &destination);
        let (x, y, w, h) = (copy.src[0], copy.src[1], copy.width as i32, copy.height as i32);
        let src = [x, y, x.saturating_add(w), y.saturating_add(h)];
        let (dx, dy) = (copy.dst[0], copy.dst[1]);
        let dst = [dx, dy, dx.saturating_add(w), dy.saturating_add(h)];
        let read = ctx.read_framebuffer;
        for (aspect, surface) in sources(&read, copy.aspects) {
            let Some(source) = core.attachment(&surface, false)? else { continue };
            let map = map_rects(src, dst, source.extent, clip_box(None, target.extent));
            self.copy(
                core,
                &Copy { source, target: &target, aspect, map, linear: false, slice: surface.layer, swizzle: IDENTITY },
            )?;
        }
        Ok(())
    }

    /// One aspect of one attachment, by the cheapest way that is exact.
    fn copy(&mut self, core: &mut Core, copy: &Copy<'_>) -> Outcome {
        if copy.map.area[2] <= 0 || copy.map.area[3] <= 0 {
            return Ok(());
        }
        let Some(destination) = copy.target.color[0].or(copy.target.depth_stencil) else { return Ok(()) };
        let source = &copy.source;
        let overlapping = source.image == destination.image && source.range == destination.range;
        let color = copy.aspect == vk::ImageAspectFlags::COLOR;
        let same = source.vk_format == destination.vk_format && source.format == destination.format;
        // Lines and planes are not copied into one another (VUID-vkCmdCopyImage-srcImage-07743), slices have no layer.
        let (from, to) = (core.image(source.image)?.spec.ty, core.image(destination.image)?.spec.ty);
        let shaped = from == to && from != vk::ImageType::TYPE_3D;
        // A combined image of which one aspect is copied, on a device whose copies take the other along.
        let both = core.image(source.image)?.spec.aspects != copy.aspect;
        let takes_both = both && !core.gpu.features.aspect_copies && source.samples == 1 && !overlapping;
        if copy.map.plain() && same && shaped && !takes_both {
            // Within one image GL leaves overlapping rectangles undefined, so a copy may do anything there.
            if source.samples == destination.samples {
                return self.plain_copy(core, copy, &destination);
            }
            let float = !matches!(source.format.info().numeric, Numeric::Int | Numeric::Uint);
            if color && float && destination.samples == 1 && !source.format.info().srgb {
                return self.resolve(core, copy, &destination);
            }
        }
        if overlapping {
            return Err(Refusal::Unsupported("BlitWithinOneImage"));
        }
        if source.samples > 1 && destination.samples > 1 {
            return Err(Refusal::Unsupported("MultisampleBlitConversion"));
        }
        self.drawn_copy(core, copy)
    }

    fn plain_copy(&mut self, core: &mut Core, copy: &Copy<'_>, to: &AttachmentRef) -> Outcome {
        let (src, dst) = transfer_layouts(core, &copy.source, to)?;
        let (from, area) = (copy.map.source_origin(), copy.map.area);
        let layers = |a: &AttachmentRef| vk::ImageSubresourceLayers {
            aspect_mask: copy.aspect,
            mip_level: a.range.level,
            base_array_layer: a.range.layer,
            layer_count: 1,
        };
        let region = vk::ImageCopy {
            src_subresource: layers(&copy.source),
            src_offset: vk::Offset3D { x: from[0], y: from[1], z: 0 },
            dst_subresource: layers(to),
            dst_offset: vk::Offset3D { x: area[0], y: area[1], z: 0 },
            extent: vk::Extent3D { width: area[2] as u32, height: area[3] as u32, depth: 1 },
        };
        let cmd = core.cmds.main()?;
        record::copy_image(&core.gpu.device, cmd, src, dst, &[region]);
        Ok(())
    }

    fn resolve(&mut self, core: &mut Core, copy: &Copy<'_>, to: &AttachmentRef) -> Outcome {
        let (src, dst) = transfer_layouts(core, &copy.source, to)?;
        let (from, area) = (copy.map.source_origin(), copy.map.area);
        let layers = |a: &AttachmentRef| vk::ImageSubresourceLayers {
            aspect_mask: copy.aspect,
            mip_level: a.range.level,
            base_array_layer: a.range.layer,
            layer_count: 1,
        };
        let region = vk::ImageResolve {
            src_subresource: layers(&copy.source),
            src_offset: vk::Offset3D { x: from[0], y: from[1], z: 0 },
            dst_subresource: layers(to),
            dst_offset: vk::Offset3D { x: area[0], y: area[1], z: 0 },
            extent: vk::Extent3D { width: area[2] as u32, height: area[3] as u32, depth: 1 },
        };
        let cmd = core.cmds.main()?;
        let gpu = core.gpu.clone();
        Recorder::new(&gpu, cmd).resolve_image(src.0, src.1, dst.0, dst.1, &[region]);
        Ok(())
    }

    pub(super) fn drawn_copy(&mut self, core: &mut Core, copy: &Copy<'_>) -> Outcome {
        let gpu = core.gpu.clone();
        let spec = core.image(copy.source.image)?.spec;
        let filter = linear_filter(&gpu, copy);
        let sampler = self.meta.sampler(&gpu, filter == BY_SAMPLER)?;
        let source = source_view(core, copy, sampler)?;
        let multisampled = copy.source.samples > 1;
        let rgb = copy.target.format.gl[0].is_some_and(|f| f.info().base == Base::Rgb);
        let layer = if spec.ty == vk::ImageType::TYPE_3D { copy.slice } else { 0 };
        let mut push = [0u32; 12];
        for (slot, value) in push.iter_mut().zip(copy.map.affine) {
            *slot = value.to_bits();
        }
        push[4..8].copy_from_slice(&[copy.source.extent[0], copy.source.extent[1], layer, copy.source.samples]);
        push[8] = filter;
        push[9] = u32::from(rgb);
        let base = MetaDraw {
            write: Write { shader: Shader::None, color_mask: 0, depth: false, stencil: false },
            target: copy.target,
            area: copy.map.area,
            depth: 0.0,
            stencil: (0, 0),
            push,
            source: Some(source),
        };
        match copy.aspect {
            vk::ImageAspectFlags::COLOR => {
                let shader = color_shader(&copy.source, spec.ty, multisampled);
                let write = Write { shader, color_mask: 0xF, ..base.write };
                self.meta_draw(core, &MetaDraw { write, ..base })
            }
            vk::ImageAspectFlags::DEPTH => {
                let shader = shape_of(&spec, [Shader::Depth1d, Shader::Depth2d, Shader::DepthMs]);
                self.meta_draw(core, &MetaDraw { write: Write { shader, depth: true, ..base.write }, ..base })
            }
            _ if gpu.features.shader_stencil_export => {
                let shader = shape_of(&spec, [Shader::Stencil1d, Shader::Stencil2d, Shader::StencilMs]);
                let write = Write { shader, stencil: true, ..base.write };
                self.meta_draw(core, &MetaDraw { write, stencil: (0, 0xFF), ..base })
            }
            _ => self.stencil_bits(core, base, shape_of(&spec, [Shader::Bit1d, Shader::Bit2d, Shader::BitMs])),
        }
    }

    /// Stencil without the export extension: zero, then one draw per bit.
    fn stencil_bits(&mut self, core: &mut Core, base: MetaDraw<'_>, shader: Shader) -> Outcome {
        let clear = Write { shader: Shader::None, stencil: true, ..base.write };
        // Pixels whose source lies outside keep their stencil: the area is clipped to what has a source.
        self.meta_draw(core, &MetaDraw { write: clear, stencil: (0, 0xFF), source: None, ..base })?;
        for bit in 0..8 {
            let mut push = base.push;
            push[10] = 1 << bit;
            let write = Write { shader, stencil: true, ..base.write };
            self.meta_draw(core, &MetaDraw { write, stencil: (0xFF, 1 << bit), push, ..base })?;
        }
        Ok(())
    }
}

/// The aspects of a copy with the surface each comes from.
fn sources(read: &FramebufferState, aspects: Aspects) -> impl Iterator<Item = (vk::ImageAspectFlags, Surface)> {
    let all = [
        (1, vk::ImageAspectFlags::COLOR, read.read),
        (2, vk::ImageAspectFlags::DEPTH, read.depth),
        (4, vk::ImageAspectFlags::STENCIL, read.stencil),
    ];
    all.into_iter().filter(move |(bit, _, _)| aspects.0 & bit != 0).map(|(_, aspect, surface)| (aspect, surface))
}

/// A target with one attachment.
pub(super) fn single_target(flow: u32, a: &AttachmentRef) -> Target {
    let mut target = Target { flow, extent: a.extent, layers: 1, ..Target::default() };
    target.format.samples = a.samples;
    if a.aspects == vk::ImageAspectFlags::COLOR {
        target.color[0] = Some(*a);
        target.format.color[0] = a.vk_format;
        target.format.gl[0] = Some(a.format);
        target.format.count = 1;
    } else {
        target.depth_stencil = Some(*a);
        target.format.depth_stencil = a.vk_format;
        target.format.has_depth = a.aspects.contains(vk::ImageAspectFlags::DEPTH);
        target.format.has_stencil = a.aspects.contains(vk::ImageAspectFlags::STENCIL);
    }
    target
}

/// Blits of layered framebuffers touch layer 0 (GL 4.6 §18.3.1).
fn first_layer(mut target: Target) -> Target {
    target.layers = 1;
    target
}

fn transfer_layouts(
    core: &mut Core,
    from: &AttachmentRef,
    to: &AttachmentRef,
) -> Outcome<((vk::Image, vk::ImageLayout), (vk::Image, vk::ImageLayout))> {
    let transfer = vk::PipelineStageFlags::TRANSFER;
    // Two ranges of one image need one layout for both when they are copied within it.
    let within = from.image == to.image;
    let pick = |layout| if within { vk::ImageLayout::GENERAL } else { layout };
    let (src, dst) = (pick(vk::ImageLayout::TRANSFER_SRC_OPTIMAL), pick(vk::ImageLayout::TRANSFER_DST_OPTIMAL));
    core.use_image(from.image, from.range, src, transfer, vk::AccessFlags::TRANSFER_READ)?;
    core.use_image(to.image, to.range, dst, transfer, vk::AccessFlags::TRANSFER_WRITE)?;
    Ok(((core.image(from.image)?.vk, src), (core.image(to.image)?.vk, dst)))
}

/// The source as the copy shaders sample it.
fn source_view(core: &mut Core, copy: &Copy<'_>, sampler: vk::Sampler) -> Outcome<Packed> {
    let source = &copy.source;
    let spec = core.image(source.image)?.spec;
    let ty = match spec.ty {
        vk::ImageType::TYPE_1D => vk::ImageViewType::TYPE_1D_ARRAY,
        vk::ImageType::TYPE_3D => vk::ImageViewType::TYPE_3D,
        _ => vk::ImageViewType::TYPE_2D_ARRAY,
    };
    let range = Range { layers: 1, ..source.range };
    let key = ViewKey {
        ty,
        format: source.vk_format,
        aspects: copy.aspect,
        range,
        swizzle: copy.swizzle,
        used_as: ViewUse::Sampled,
    };
    let (view, _) = core.images.view(&mut core.cmds, source.image, key)?;
    let shared = copy.target.attachments().any(|a| a.image == source.image);
    let color = spec.aspects == vk::ImageAspectFlags::COLOR;
    let layout = match (shared, color) {
        (true, _) if !color => return Err(Refusal::Unsupported("BlitWithinOneImage")),
        (_, true) => vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
        _ => vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL,
    };
    let stage = vk::PipelineStageFlags::FRAGMENT_SHADER;
    core.use_image(source.image, range, layout, stage, vk::AccessFlags::SHADER_READ)?;
    Ok(Packed::image(sampler, view, layout))
}

/// One of the shaders for sources of one dimension, of two, and of several samples.
fn shape_of(spec: &ImageSpec, [line, plane, multisampled]: [Shader; 3]) -> Shader {
    match spec.ty {
        _ if spec.samples.max(1) > 1 => multisampled,
        vk::ImageType::TYPE_1D => line,
        _ => plane,
    }
}

/// The sampler filters.
const BY_SAMPLER: u32 = 1;
/// The shader filters four texels.
const BY_HAND: u32 = 2;

/// How a copy is filtered, as the shaders know it; 0 takes the nearest texel.
fn linear_filter(gpu: &Gpu, copy: &Copy<'_>) -> u32 {
    let able = gpu.formats.get(copy.source.format).image.contains(vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR);
    match (copy.linear, able) {
        (false, _) => 0,
        (true, true) => BY_SAMPLER,
        (true, false) => BY_HAND,
    }
}

fn color_shader(source: &AttachmentRef, ty: vk::ImageType, multisampled: bool) -> Shader {
    let class = match source.format.info().numeric {
        Numeric::Int => 1,
        Numeric::Uint => 2,
        _ => 0,
    };
    let shaders = match (multisampled, ty) {
        (true, _) => [Shader::BlitMsFloat, Shader::BlitMsInt, Shader::BlitMsUint],
        (_, vk::ImageType::TYPE_3D) => [Shader::Blit3dFloat, Shader::Blit3dInt, Shader::Blit3dUint],
        (_, vk::ImageType::TYPE_1D) => [Shader::Blit1dFloat, Shader::Blit1dInt, Shader::Blit1dUint],
        _ => [Shader::Blit2dFloat, Shader::Blit2dInt, Shader::Blit2dUint],
    };
    shaders[class]
}
