//! Framebuffer completeness (GL 4.6 §9.4). Must not push records.

use super::default;
use super::state::{Attachment, Fbo, Point};
use crate::context::Context;
use crate::pixel::internal;
use crate::texture::target::Target;
use crate::tokens as gl;
use mgl_pipe::caps::Caps;
use mgl_pipe::format::Format;

/// Shape of one attached image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attached {
    pub size: [u32; 2],
    /// Layers of a layered attachment, else 1.
    pub layers: u32,
    pub format: Format,
    /// Samples, at least 1.
    pub samples: u32,
    pub fixed: bool,
    pub renderbuffer: bool,
    /// Target of a layered attachment.
    pub layered: Option<Target>,
}

/// Shape of a whole framebuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// GL status token.
    pub status: u32,
    /// Pixels common to all attachments.
    pub size: [u32; 2],
    /// Layers; 1 when not layered.
    pub layers: u32,
    /// Samples, at least 1.
    pub samples: u32,
    /// Fixed sample locations.
    pub fixed: bool,
}

/// The image that an attachment names, if it exists.
pub(crate) fn attached(attachment: &Attachment) -> Option<Attached> {
    match attachment {
        Attachment::None => None,
        Attachment::Renderbuffer(rb) => {
            let s = rb.shape();
            Some(Attached {
                size: [s.width, s.height],
                layers: 1,
                format: s.format?,
                samples: s.samples.max(1),
                fixed: true,
                renderbuffer: true,
                layered: None,
            })
        }
        Attachment::Texture { texture, level, face, layer, layered } => {
            let body = texture.body();
            let image = body.image(*level, *face as usize)?;
            let [w, h, d] = image.size;
            let (h, layers) = match texture.target {
                Target::D1Array => (1, h),
                Target::Cube => (h, 6),
                _ => (h, d),
            };
            if texture.target != Target::Cube && *layer >= layers {
                return None;
            }
            Some(Attached {
                size: [w, h],
                layers: if *layered { layers } else { 1 },
                format: image.format?,
                samples: image.samples.max(1),
                fixed: image.samples <= 1 || image.fixed,
                renderbuffer: false,
                layered: layered.then_some(texture.target),
            })
        }
    }
}

/// A cube map attached as a whole must be cube complete at that level (GL 4.6 §9.4.1).
fn cube_ok(attachment: &Attachment) -> bool {
    let Attachment::Texture { texture, level, layered: true, .. } = attachment else { return true };
    if texture.target != Target::Cube {
        return true;
    }
    let body = texture.body();
    let Some(first) = body.image(*level, 0) else { return false };
    (1..6).all(|f| body.image(*level, f).is_some_and(|i| i.size == first.size && i.format == first.format))
}

/// Images of the format may be attached somewhere.
pub(crate) fn image_format_ok(caps: &Caps, format: Format) -> bool {
    let points = [Point::Color(0), Point::Depth, Point::Stencil];
    internal::renderable(caps, format) && points.iter().any(|point| format_ok(caps, *point, format))
}

fn format_ok(caps: &Caps, point: Point, format: Format) -> bool {
    match point {
        Point::Color(_) => format.is_color() && internal::renderable(caps, format),
        Point::Depth => format.has_depth(),
        Point::Stencil | Point::DepthStencil => format.has_stencil(),
    }
}

fn undefined(status: u32) -> Summary {
    Summary { status, size: [0; 2], layers: 1, samples: 1, fixed: true }
}

/// Shape and status of a framebuffer; `read` chooses the surface of the default one.
pub(crate) fn summary(ctx: &Context, fbo: &Fbo, read: bool) -> Summary {
    if fbo.name != 0 {
        return object_summary(&ctx.instance.caps, fbo);
    }
    match (default::surface(ctx, read), &ctx.framebuffer.window.images[usize::from(read)]) {
        (None, _) | (_, None) => undefined(gl::FRAMEBUFFER_UNDEFINED),
        (Some(surface), Some(images)) => Summary {
            status: gl::FRAMEBUFFER_COMPLETE,
            size: images.size.into(),
            layers: 1,
            samples: surface.desc.samples.max(1),
            fixed: true,
        },
    }
}

fn object_summary(caps: &Caps, fbo: &Fbo) -> Summary {
    let mut list: [Option<Attached>; 10] = [None; 10];
    let mut count = 0;
    for (point, attachment) in fbo.points() {
        if attachment.is_none() {
            continue;
        }
        let image = attached(attachment)
            .filter(|a| a.size[0] > 0 && a.size[1] > 0 && format_ok(caps, point, a.format) && cube_ok(attachment));
        let Some(image) = image else { return undefined(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT) };
        list[count] = Some(image);
        count += 1;
    }
    let mut images = list.iter().flatten();
    let Some(first) = images.next() else { return without_attachments(caps, fbo) };
    let mut sum = Summary {
        status: gl::FRAMEBUFFER_COMPLETE,
        size: first.size,
        layers: first.layers,
        samples: first.samples,
        fixed: first.fixed,
    };
    for image in images {
        if image.samples != first.samples || image.fixed != first.fixed {
            return undefined(gl::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
        }
        if image.layered.is_some() != first.layered.is_some() {
            return undefined(gl::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS);
        }
        sum.size = [sum.size[0].min(image.size[0]), sum.size[1].min(image.size[1])];
        sum.layers = sum.layers.min(image.layers);
    }
    if layer_targets_differ(fbo) {
        return undefined(gl::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS);
    }
    // Depth and stencil from two images: GL lets an implementation say no (GL 4.6 §9.4.2), Vulkan has no such pass.
    if !fbo.depth.is_none() && !fbo.stencil.is_none() && !fbo.depth.same(&fbo.stencil) {
        return undefined(gl::FRAMEBUFFER_UNSUPPORTED);
    }
    sum
}

fn layer_targets_differ(fbo: &Fbo) -> bool {
    let mut targets = fbo.color.iter().filter_map(attached).filter_map(|a| a.layered);
    match targets.next() {
        Some(first) => targets.any(|t| t != first),
        None => false,
    }
}

/// What the default parameters of a framebuffer without attachments make of it; the device has not every number of samples
/// (GL 4.6 §9.2.1: derived "in an implementation-dependent manner").
fn without_attachments(caps: &Caps, fbo: &Fbo) -> Summary {
    let d = fbo.defaults;
    if d.width == 0 || d.height == 0 {
        return undefined(gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    }
    Summary {
        status: gl::FRAMEBUFFER_COMPLETE,
        size: [d.width, d.height],
        layers: d.layers.max(1),
        samples: if d.samples <= 1 { 1 } else { internal::round_samples(caps, Format::Rgba8, d.samples) },
        fixed: d.fixed,
    }
}

/// Format of a point of a framebuffer, default one included.
pub(crate) fn point_format(ctx: &Context, fbo: &Fbo, point: Point, read: bool) -> Option<Format> {
    if fbo.name != 0 {
        return attached(fbo.at(point)).map(|a| a.format);
    }
    let surface = default::surface(ctx, read)?;
    match point {
        Point::Color(default::MAIN) => Some(surface.desc.color),
        Point::Color(default::FRONT) => surface.desc.double_buffer.then_some(surface.desc.color),
        Point::Color(_) => None,
        Point::Depth => surface.desc.depth_stencil.filter(|f| f.has_depth()),
        Point::Stencil | Point::DepthStencil => surface.desc.depth_stencil.filter(|f| f.has_stencil()),
    }
}

/// Attachment index that a draw or read buffer token selects; `None` for `GL_NONE`.
pub(crate) fn buffer_index(ctx: &Context, fbo: &Fbo, token: u32, read: bool) -> Option<usize> {
    if fbo.name == 0 {
        return default::index(default::surface(ctx, read), read, token);
    }
    (token != gl::NONE).then(|| token.wrapping_sub(gl::COLOR_ATTACHMENT0) as usize)
}
