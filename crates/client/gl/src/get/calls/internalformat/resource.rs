//! A resource that a program asks about: its target, its format if the context has it there, its limits. Must not know
//! parameters beyond dimensions and samples.

use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::status::image_format_ok;
use crate::pixel::internal::{choose, generic_compressed, max_samples, renderable, usable};
use crate::texture::calls::buffer::buffer_format;
use crate::texture::check;
use crate::texture::target::Target;
use crate::tokens as t;
use mgl_pipe::caps::{Caps, FormatCaps, format_bits};
use mgl_pipe::format::Format;

/// A target and an internal format.
pub(super) struct Resource<'a> {
    pub(super) ctx: &'a Context,
    /// `None` for renderbuffers.
    pub(super) target: Option<Target>,
    /// Internal format as the program gave it.
    pub(super) token: u32,
    /// The format, when the context has such resources.
    pub(super) format: Option<Format>,
}

impl<'a> Resource<'a> {
    pub(super) fn new(ctx: &'a Context, target: u32, token: u32) -> GlResult<Self> {
        let target = if target == t::RENDERBUFFER {
            None
        } else {
            let found = Target::from_gl(target).filter(|t| check::target_exists(ctx, *t));
            Some(found.ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a target of resources")))?)
        };
        // Specific compressed formats are themselves here, and generic ones make no attachments.
        let known = Format::from_gl(token).or_else(|| choose(token));
        let attached = target.is_none_or(Target::multisampled);
        let known = known.filter(|_| !(attached && generic_compressed(token)));
        let format = known.filter(|f| supported(ctx, target, token, *f));
        Ok(Self { ctx, target, token, format })
    }
    pub(super) fn caps(&self) -> &Caps {
        &self.ctx.instance.caps
    }
    /// What the device can do with the format. A snapshot without a format table (tests) can do all.
    pub(super) fn format_caps(&self) -> FormatCaps {
        match self.format {
            Some(_) if self.caps().formats.is_empty() => FormatCaps { bits: u16::MAX, samples: 0 },
            Some(format) => self.caps().format(format),
            None => FormatCaps::default(),
        }
    }
    pub(super) fn can(&self, bit: u16) -> bool {
        self.format_caps().bits & bit != 0
    }
    pub(super) fn is_texture(&self) -> bool {
        self.target.is_some_and(|t| t != Target::Buffer)
    }
    pub(super) fn renderable(&self) -> bool {
        self.target != Some(Target::Buffer) && self.format.is_some_and(|f| renderable(self.caps(), f))
    }
    /// Supported counts above 1, largest first.
    pub(super) fn sample_counts(&self) -> Vec<i64> {
        let multisampled = self.target.is_none_or(Target::multisampled);
        let Some(format) = self.format.filter(|_| multisampled && self.renderable()) else { return Vec::new() };
        let set = u32::from(self.caps().format(format).samples);
        let supported = |n: &u32| *n <= max_samples(self.caps(), format) && (set == 0 || set & n != 0);
        [32, 16, 8, 4, 2].into_iter().filter(supported).map(i64::from).collect()
    }
    /// Largest extents (GL 4.6 §22.3.2): 0 for directions that the target does not have.
    pub(super) fn dimension(&self, pname: u32) -> Option<Values> {
        let (size, layers) = self.max_size();
        Some(match pname {
            t::MAX_WIDTH => Values::int(size[0]),
            t::MAX_HEIGHT => Values::int(size[1]),
            t::MAX_DEPTH => Values::int(size[2]),
            t::MAX_LAYERS => Values::int(layers),
            t::MAX_COMBINED_DIMENSIONS if self.format.is_none() => Values::int(0),
            t::MAX_COMBINED_DIMENSIONS => {
                // Samples count for textures, not for renderbuffers.
                let samples = self.target.and_then(|_| self.sample_counts().first().copied()).unwrap_or(1);
                let cube = matches!(self.target, Some(Target::Cube | Target::CubeArray));
                let faces = if cube { 6 } else { 1 };
                let extents = size.map(|v| i64::from(v.max(1))).into_iter();
                Values::int(extents.fold(samples * faces, i64::saturating_mul))
            }
            _ => return None,
        })
    }
    fn max_size(&self) -> ([u32; 3], u32) {
        if self.format.is_none() {
            return ([0; 3], 0);
        }
        let Some(target) = self.target else {
            let max = self.caps().limits.max_renderbuffer_size.max(1024);
            return ([max, max, 0], 0);
        };
        let [w, h, d] = check::max_size(self.ctx, target);
        match target {
            Target::D1 | Target::Buffer => ([w, 0, 0], 0),
            // Layers count in the direction after the last extent, and as such.
            Target::D1Array => ([w, h, 0], h),
            Target::D2 | Target::Rect | Target::D2Ms | Target::Cube => ([w, h, 0], 0),
            Target::D3 => ([w, h, d], 0),
            Target::D2Array | Target::D2MsArray | Target::CubeArray => ([w, h, d], d),
        }
    }
}

/// The context has resources of this target and format.
fn supported(ctx: &Context, target: Option<Target>, token: u32, format: Format) -> bool {
    let caps = &ctx.instance.caps;
    let compressed = format.info().compressed;
    match target {
        None => image_format_ok(caps, format),
        Some(Target::Buffer) => {
            buffer_format(token).is_some()
                && (caps.formats.is_empty() || caps.format(format).bits & format_bits::TEXEL_BUFFER != 0)
        }
        Some(target) if target.multisampled() => image_format_ok(caps, format) && max_samples(caps, format) > 1,
        Some(target) => {
            usable(caps, format)
                && check::depth_target(target, format).is_ok()
                && (!compressed || check::compressed_target(target, format).is_ok())
        }
    }
}
