//! Error rules shared by the texture image commands (GL 4.6 §8.5 to §8.8). Must not change state.

use super::object::{Body, Image};
use super::target::{ImageTarget, Target};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::{class, internal};
use mgl_pipe::format::Format;

/// Largest extent of level 0 by direction, in GL terms.
pub(crate) fn max_size(ctx: &Context, target: Target) -> [u32; 3] {
    let l = &ctx.instance.caps.limits;
    // A snapshot without limits (tests) gets the minimum of GL 3.3.
    let or = |v: u32, minimum: u32| if v == 0 { minimum } else { v };
    let plain = or(l.max_texture_size, 1024);
    let volume = or(l.max_3d_texture_size, 256);
    let cube = or(l.max_cube_map_size, 1024);
    let layers = or(l.max_array_layers, 256);
    match target {
        Target::D1 => [plain, 1, 1],
        Target::D1Array => [plain, layers, 1],
        Target::D2 | Target::Rect | Target::D2Ms => [plain, plain, 1],
        Target::D3 => [volume; 3],
        Target::Cube => [cube, cube, 1],
        Target::D2Array | Target::D2MsArray => [plain, plain, layers],
        Target::CubeArray => [cube, cube, layers],
        Target::Buffer => [or(l.max_texel_buffer_texels, 65536), 1, 1],
    }
}

/// True when the target exists in this context.
pub(crate) fn target_exists(ctx: &Context, target: Target) -> bool {
    target != Target::CubeArray || ctx.instance.caps.features.cube_map_array
}

/// Parses the target of an image command of `dims` dimensions; proxies only where they are legal.
pub(crate) fn image_target(ctx: &Context, token: u32, dims: u32, proxies: bool) -> GlResult<ImageTarget> {
    ImageTarget::from_gl(token)
        .filter(|t| t.target.dims() == dims && (proxies || !t.proxy) && target_exists(ctx, t.target))
        .filter(|t| !t.target.multisampled() && t.target != Target::Buffer)
        .filter(|t| t.proxy || t.target != Target::Cube || token != t.target.gl())
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a target of this command")))
}

/// Level range (GL 4.6 §8.5.3): negative or past the logarithm of the largest size is `GL_INVALID_VALUE`.
pub(crate) fn level(ctx: &Context, target: Target, level: i32) -> GlResult<u32> {
    let max = max_size(ctx, target);
    let top = if target.mipmapped() { max[0].ilog2() as i32 } else { 0 };
    if level < 0 || level > top {
        return Err(GlError::invalid_value(format!("level {level} is outside 0..={top}")));
    }
    Ok(level as u32)
}

/// What is wrong with an image's extent, apart from negative numbers. Proxies turn it into a zero answer.
pub(crate) fn extent(ctx: &Context, target: Target, level: u32, size: [u32; 3]) -> GlResult {
    let max = max_size(ctx, target);
    for axis in 0..3 {
        let is_layers = match target {
            Target::D1Array => axis == 1,
            Target::D2Array | Target::CubeArray => axis == 2,
            _ => false,
        };
        let limit = if is_layers || max[axis] == 1 { max[axis] } else { max[axis] >> level };
        if size[axis] > limit {
            return Err(GlError::invalid_value(format!("extent {} is larger than {limit}", size[axis])));
        }
    }
    Ok(())
}

/// Square faces, whole cubes (GL 4.6 §8.5).
pub(crate) fn cube_shape(target: Target, size: [u32; 3]) -> GlResult {
    if matches!(target, Target::Cube | Target::CubeArray) && size[0] != size[1] {
        return Err(GlError::invalid_value("cube map images must be square"));
    }
    if target == Target::CubeArray && !size[2].is_multiple_of(6) {
        return Err(GlError::invalid_value("a cube map array has a multiple of six layer-faces"));
    }
    Ok(())
}

/// Immutable storage cannot be redefined (GL 4.6 §8.19).
pub(crate) fn mutable(body: &Body) -> GlResult {
    if body.immutable_levels > 0 {
        return Err(GlError::invalid_operation("the texture has immutable storage"));
    }
    Ok(())
}

/// Depth and stencil formats only exist for some targets (GL 4.6 §8.5.3).
pub(crate) fn depth_target(target: Target, format: Format) -> GlResult {
    if !format.is_color() && target == Target::D3 {
        return Err(GlError::invalid_operation("a 3D texture cannot hold depth or stencil"));
    }
    Ok(())
}

/// Compressed formats by target (GL 4.6 §8.7).
pub(crate) fn compressed_target(target: Target, format: Format) -> GlResult {
    match target {
        Target::D2 | Target::Cube | Target::D2Array | Target::CubeArray => Ok(()),
        // BPTC, and ASTC in slices.
        Target::D3 if matches!(format.gl(), 0x8E8C..=0x8E8F) || class::is_astc(format) => Ok(()),
        Target::D3 => Err(GlError::invalid_operation("this compressed format has no 3D textures")),
        _ => Err(GlError::invalid_enum("this target has no compressed textures")),
    }
}

/// Specific compressed formats that have no volumes are refused for them. For other targets that compression does not
/// support, such a format is replaced by its base format (GL 4.6 §8.5).
pub(crate) fn compressed_volume(target: Target, token: u32) -> GlResult {
    match Format::from_gl(token).filter(|format| format.info().compressed) {
        Some(format) if target == Target::D3 => compressed_target(target, format),
        _ => Ok(()),
    }
}

/// What holds the decoded texels of a compressed format in textures of a target; `None` when the device has the format.
/// Devices have ASTC in two dimensions; slices of a volume (KHR_texture_compression_astc_sliced_3d) are always decoded.
pub(crate) fn carrier(ctx: &Context, target: Target, format: Format) -> Option<Format> {
    match target {
        Target::D3 if class::is_astc(format) => mgl_decode::carrier(format),
        _ => internal::carrier(&ctx.instance.caps, format),
    }
}

/// Shorthand used above.
trait GlToken {
    fn gl(self) -> u32;
}

impl GlToken for Format {
    fn gl(self) -> u32 {
        self.info().gl
    }
}

/// An image that a sub-image command may write.
pub(crate) fn defined(body: &Body, level: u32, face: usize) -> GlResult<&Image> {
    body.image(level, face)
        .ok_or_else(|| GlError::invalid_operation(format!("level {level} of the texture is not defined")))
}

/// A box inside an image (GL 4.6 §8.6).
pub(crate) fn inside(image: &Image, offset: [i32; 3], size: [u32; 3]) -> GlResult<[u32; 3]> {
    for axis in 0..3 {
        let end = i64::from(offset[axis]) + i64::from(size[axis]);
        if offset[axis] < 0 || end > i64::from(image.size[axis]) {
            return Err(GlError::invalid_value("the box reaches outside the texture image"));
        }
    }
    Ok(offset.map(|v| v as u32))
}

/// Completeness as `glCopyImageSubData` asks for it (GL 4.6 §8.17, §18.3.2): a chain of levels where the texture's own
/// filter needs one, or where another level than the base is named. Copies do not filter, so filters that an integer
/// texture cannot have do not count.
pub(crate) fn complete_for_copies(body: &Body, level: u32) -> bool {
    let based = body.last().is_some_and(|last| last >= body.base()) && body.cube_complete();
    let chain = body.target().mipmapped() && (level != body.base() || body.params.sampler.mipmapped());
    based && (!chain || body.mipmap_complete())
}

/// The sized format for `glTexImage*`: `GL_INVALID_VALUE` when there is none.
pub(crate) fn internal_format(ctx: &Context, token: u32) -> GlResult<Format> {
    internal::takes_pixels(token)?;
    internal::choose(token)
        .filter(|f| internal::sampled(&ctx.instance.caps, *f))
        .ok_or_else(|| GlError::invalid_value(format!("0x{token:04X} is not an internal format of this context")))
}
