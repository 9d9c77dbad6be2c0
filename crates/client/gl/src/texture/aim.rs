//! Which texture, and which of its images, a command works on: bound to a target, or named (GL 4.6 §8.1). A named cube map
//! is one image of six slices, its faces. Must not change state.

use super::check;
use super::object::{Body, Image, Texture};
use super::target::{ImageTarget, Target};
use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use std::sync::Arc;

/// The images of one level that a command works on.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) tex: Arc<Texture>,
    /// The one face; `None` = every face of a cube map, as slices.
    face: Option<usize>,
}

/// What of a box lies in one image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) face: usize,
    pub(crate) offset: [i32; 3],
    pub(crate) size: [u32; 3],
    /// Slice of the program's pixels where it starts.
    pub(crate) slice: usize,
}

impl Aim {
    /// The image `face` of a texture.
    pub(crate) fn at_face(tex: Arc<Texture>, face: usize) -> Self {
        Self { tex, face: Some(face) }
    }
    /// All images of a texture.
    pub(crate) fn of_name(tex: Arc<Texture>) -> Self {
        let face = if tex.target == Target::Cube { None } else { Some(0) };
        Self { tex, face }
    }
    /// Every face of a cube map, as slices.
    pub(crate) fn is_cube(&self) -> bool {
        self.face.is_none()
    }
    /// Directions of the program's pixels.
    pub(crate) fn dims(&self) -> u32 {
        if self.face.is_none() { 3 } else { self.tex.target.dims() }
    }
    /// The level with its extent as the command counts it; the faces of a cube map are alike where this is asked.
    pub(crate) fn image(&self, body: &Body, level: u32) -> Option<Image> {
        let mut image = body.image(level, self.face.unwrap_or(0)).cloned()?;
        if self.face.is_none() {
            image.size[2] = self.tex.target.faces() as u32;
        }
        Some(image)
    }
    /// The box by images. Outside the faces is outside the texture image.
    pub(crate) fn parts(
        &self,
        offset: [i32; 3],
        size: [u32; 3],
    ) -> GlResult<impl Iterator<Item = Part> + Clone + use<>> {
        let one = self.face;
        let faces = match one {
            Some(face) => face..face + 1,
            None => {
                let end = i64::from(offset[2]) + i64::from(size[2]);
                if offset[2] < 0 || end > self.tex.target.faces() as i64 {
                    return Err(GlError::invalid_value("the box reaches outside the faces of the cube map"));
                }
                offset[2] as usize..end as usize
            }
        };
        let first = faces.start;
        Ok(faces.map(move |face| match one {
            Some(_) => Part { face, offset, size, slice: 0 },
            None => {
                let (offset, size) = ([offset[0], offset[1], 0], [size[0], size[1], 1]);
                Part { face, offset, size, slice: face - first }
            }
        }))
    }
}

/// The texture object of a name.
pub(crate) fn named(ctx: &Context, name: u32) -> GlResult<Arc<Texture>> {
    ctx.named_texture(name).ok_or_else(|| GlError::invalid_operation(format!("{name} is not a texture object")))
}

/// The images that a sub-image command of `dims` directions works on.
pub(crate) fn image(ctx: &mut Context, at: impl Into<At>, dims: u32) -> GlResult<Aim> {
    match at.into() {
        At::Target(token) => {
            let it = check::image_target(ctx, token, dims, false)?;
            Ok(Aim::at_face(ctx.bound_texture(it.target), it.face))
        }
        At::Named(name) => {
            let aim = Aim::of_name(named(ctx, name)?);
            let target = aim.tex.target;
            if aim.dims() != dims || target.multisampled() || target == Target::Buffer {
                return Err(GlError::invalid_operation(format!("the texture is a {target:?} texture")));
            }
            Ok(aim)
        }
    }
}

/// The images that a read of a texture works on: any target with images of its own. A texture of another target is an
/// error of the token when it is bound, of the object when it is named (GL 4.6 §8.11.4).
pub(crate) fn source(ctx: &mut Context, at: impl Into<At>) -> GlResult<Aim> {
    let readable = |t: Target| !t.multisampled() && t != Target::Buffer;
    match at.into() {
        At::Target(token) => {
            let it = ImageTarget::from_gl(token)
                .filter(|t| !t.proxy && check::target_exists(ctx, t.target) && readable(t.target))
                .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a target of this command")))?;
            Ok(Aim::at_face(ctx.bound_texture(it.target), it.face))
        }
        At::Named(name) => {
            let tex = named(ctx, name)?;
            if !readable(tex.target) {
                return Err(GlError::invalid_operation("textures of this target cannot be read"));
            }
            Ok(Aim::of_name(tex))
        }
    }
}

/// The extent that a read without a box covers, and the directions of the program's pixels: for the size of its memory.
pub(crate) fn source_size(ctx: &Context, at: At, level: i32) -> Option<(Image, u32)> {
    let level = u32::try_from(level).ok()?;
    let aim = match at {
        At::Target(token) => {
            let it = ImageTarget::from_gl(token).filter(|t| !t.proxy)?;
            Aim::at_face(super::query::bound(ctx, it.target)?.clone(), it.face)
        }
        At::Named(name) => Aim::of_name(ctx.named_texture(name)?),
    };
    let image = aim.image(&aim.tex.body(), level)?;
    Some((image, aim.dims()))
}

/// The texture that a command on the whole object works on. `legal` says which targets have the command. A named texture
/// of another effective target is `GL_INVALID_OPERATION` (GL 4.6 §8.1), as a name without an object is.
pub(crate) fn object(ctx: &mut Context, at: impl Into<At>, legal: fn(Target) -> bool) -> GlResult<Arc<Texture>> {
    match at.into() {
        At::Target(token) => {
            let target = Target::from_gl(token).filter(|t| legal(*t) && check::target_exists(ctx, *t));
            let target = target
                .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a target of this command")))?;
            Ok(ctx.bound_texture(target))
        }
        At::Named(name) => {
            let tex = named(ctx, name)?;
            if !legal(tex.target) {
                return Err(GlError::invalid_operation(format!("the command has no {:?} textures", tex.target)));
            }
            Ok(tex)
        }
    }
}
