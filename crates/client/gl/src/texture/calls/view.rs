//! `glTextureView` (GL 4.6 §8.18): a texture that shows levels and layers of another one. Must not upload.

use super::storage::sized;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::class;
use crate::share::lock;
use crate::texture::object::{Storage, Texture};
use crate::texture::target::Target;
use crate::texture::{check, store};
use mgl_pipe::format::Format;
use std::sync::Arc;

/// Targets a view of `target` may have (GL 4.6 table 8.20).
fn view_target(from: Target, to: Target) -> bool {
    use Target as T;
    let class = |t: T| match t {
        T::D1 | T::D1Array => 1,
        T::D2 | T::D2Array | T::Cube | T::CubeArray => 2,
        T::D3 => 3,
        T::Rect => 4,
        T::D2Ms | T::D2MsArray => 5,
        T::Buffer => 6,
    };
    class(from) == class(to) && to != T::Buffer
}

/// A name from `glGenTextures` that is no texture yet.
fn fresh(ctx: &Context, name: u32) -> GlResult {
    if name == 0 {
        return Err(GlError::invalid_value("texture is 0"));
    }
    let table = lock(&ctx.share.textures);
    if !table.is_reserved(name) {
        return Err(GlError::invalid_operation("texture is not a name from glGenTextures"));
    }
    if table.get(name).is_some() {
        return Err(GlError::invalid_operation("texture already has a target"));
    }
    Ok(())
}

/// What a view shows of its texture: first level and layer, levels and layers.
#[derive(Clone, Copy)]
struct Part {
    level: u32,
    levels: u32,
    layer: u32,
    layers: u32,
}

/// `glTextureView` (GL 4.6 §8.18).
pub fn texture_view(
    ctx: &mut Context,
    texture: u32,
    target: u32,
    origtexture: u32,
    internalformat: u32,
    minlevel: u32,
    numlevels: u32,
    minlayer: u32,
    numlayers: u32,
) -> GlResult {
    let part = Part { level: minlevel, levels: numlevels, layer: minlayer, layers: numlayers };
    fresh(ctx, texture)?;
    let source =
        ctx.named_texture(origtexture).ok_or_else(|| GlError::invalid_value("origtexture is not a texture"))?;
    let (storage, of) = {
        let body = source.body();
        let storage = body.storage.filter(|_| body.immutable_levels > 0);
        let format = body.image(0, 0).and_then(|image| image.format);
        storage.zip(format).ok_or_else(|| GlError::invalid_operation("origtexture has no immutable storage"))?
    };
    let to = Target::from_gl(target)
        .filter(|t| check::target_exists(ctx, *t))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a texture target")))?;
    if !view_target(source.target, to) {
        return Err(GlError::invalid_operation("the view's target does not go with the texture's (table 8.20)"));
    }
    // A format that does not exist is in no class either: GL names this error alone (§8.18).
    let other = || GlError::invalid_operation("the view's format is of another class (table 8.21)");
    let format = sized(ctx, internalformat).ok().filter(|format| class::views(of, *format)).ok_or_else(other)?;
    if part.level >= storage.levels || part.layer >= storage.layers {
        return Err(GlError::invalid_value("the view starts outside the texture"));
    }
    let part = Part {
        levels: part.levels.min(storage.levels - part.level),
        layers: check_layers(to, &part, &storage)?,
        ..part
    };
    if part.levels == 0 || part.layers == 0 {
        return Err(GlError::invalid_value("the view shows nothing"));
    }
    let stored = check::carrier(ctx, to, format).unwrap_or(format);
    let shape = shape(&storage, to, part, stored);
    let view = make(ctx, (texture, to), &source, (internalformat, format), shape, part)?;
    lock(&ctx.share.textures).get_or_create(texture, || view);
    ctx.share.texture_shape.bump();
    Ok(())
}

/// Storage as the view sees it.
fn shape(storage: &Storage, to: Target, part: Part, format: Format) -> Storage {
    let size = storage.level_size(Target::D3, part.level);
    Storage {
        width: size[0],
        height: size[1],
        depth: if to == Target::D3 { size[2] } else { 1 },
        layers: part.layers,
        levels: part.levels,
        format,
        ..*storage
    }
}

fn make(
    ctx: &mut Context,
    (name, target): (u32, Target),
    source: &Arc<Texture>,
    internal: (u32, Format),
    shape: Storage,
    part: Part,
) -> GlResult<Arc<Texture>> {
    let base = source.body().view.unwrap_or_default();
    let owner = source.owner.clone().unwrap_or_else(|| source.clone());
    let view = Texture::new(&ctx.instance, name, target, Some(owner));
    {
        let mut body = view.body();
        body.view = Some([base[0] + part.level, base[1] + part.layer, part.levels, part.layers]);
        store::define_immutable(&mut ctx.out, &view, &mut body, shape, internal)?;
    }
    Ok(view)
}

/// The layers of the view, or what is wrong with them for its target.
fn check_layers(to: Target, part: &Part, storage: &Storage) -> GlResult<u32> {
    let bad = |what: &'static str| Err(GlError::invalid_value(what));
    let layers = part.layers.min(storage.layers - part.layer);
    match to {
        Target::Cube if layers != 6 => bad("a cube map view needs six layers"),
        Target::CubeArray if !layers.is_multiple_of(6) => bad("a cube map array view needs a multiple of six layers"),
        Target::Cube | Target::CubeArray if storage.width != storage.height => {
            Err(GlError::invalid_operation("a cube map view needs square images"))
        }
        Target::D1 | Target::D2 | Target::D3 | Target::Rect | Target::D2Ms if part.layers != 1 => {
            bad("this view has exactly one layer")
        }
        _ => Ok(layers),
    }
}
