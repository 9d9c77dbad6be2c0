//! What image units refuse and what they send, seen through recording contexts.

use super::calls as c;
use crate::context::Context;
use crate::error::ErrorCode;
use crate::get::calls::get_indexed;
use crate::program::state::Bindings;
use crate::testing::{all, code, context, forget, names, use_bindings};
use crate::texture::calls as textures;
use crate::tokens as t;
use mgl_pipe::records::{ImageView, SetShaderImages};
use zerocopy::FromBytes;

fn storage(ctx: &mut Context, target: u32, levels: i32, format: u32, size: [i32; 3]) -> u32 {
    let mut name = [0];
    textures::gen_textures(ctx, &mut name).unwrap();
    textures::bind_texture(ctx, target, name[0]).unwrap();
    let [w, h, d] = size;
    match target {
        t::TEXTURE_2D => textures::tex_storage_2d(ctx, target, levels, format, w, h),
        _ => textures::tex_storage_3d(ctx, target, levels, format, w, h, d),
    }
    .unwrap();
    name[0]
}

/// What slot 0 shows after a draw.
fn shown(ctx: &mut Context) -> ImageView {
    use_bindings(ctx, Bindings { images: vec![Some(0)], ..Bindings::default() });
    super::emit::forget(ctx);
    forget(ctx);
    super::emit::push(ctx).unwrap();
    all::<SetShaderImages>(ctx).pop().map(|(_, tail)| ImageView::read_from_prefix(&tail).unwrap().0).unwrap_or_default()
}

fn int(ctx: &mut Context, pname: u32, unit: u32) -> i64 {
    get_indexed(ctx, pname, unit).unwrap().to_int(0, 32)
}

// A wrong call would bind something that the shader then writes over.
#[test]
fn wrong_bindings_are_refused() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let name = storage(ctx, t::TEXTURE_2D, 1, t::RGBA8, [4, 4, 1]);
    let (ro, rgba8) = (t::READ_ONLY, t::RGBA8);
    assert_eq!(code(c::bind_image_texture(ctx, 32, name, 0, false, 0, ro, rgba8)), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_image_texture(ctx, 0, name + 9, 0, false, 0, ro, rgba8)), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_image_texture(ctx, 0, name, -1, false, 0, ro, rgba8)), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_image_texture(ctx, 0, name, 0, false, -1, ro, rgba8)), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_image_texture(ctx, 0, name, 0, false, 0, t::RGBA, rgba8)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::bind_image_texture(ctx, 0, name, 0, false, 0, ro, t::RGB8)), ErrorCode::InvalidValue);
    c::bind_image_texture(ctx, 3, name, 0, true, 5, t::WRITE_ONLY, t::R32UI).unwrap();
    assert_eq!(int(ctx, t::IMAGE_BINDING_NAME, 3), i64::from(name));
    assert_eq!(int(ctx, t::IMAGE_BINDING_FORMAT, 3), i64::from(t::R32UI));
    assert_eq!(int(ctx, t::IMAGE_BINDING_ACCESS, 3), i64::from(t::WRITE_ONLY));
    assert_eq!(int(ctx, t::IMAGE_BINDING_LAYERED, 3), 0, "a texture without layers");
    assert_eq!(code(get_indexed(ctx, t::IMAGE_BINDING_NAME, 32).map(|_| ())), ErrorCode::InvalidValue);
    textures::delete_textures(ctx, &[name]).unwrap();
    assert_eq!(int(ctx, t::IMAGE_BINDING_NAME, 3), 0);
}

// Shaders would reach texels that the texture does not have, or see those of a format that does not fit.
#[test]
fn invalid_units_show_nothing() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let name = storage(ctx, t::TEXTURE_2D_ARRAY, 2, t::RGBA8, [4, 4, 3]);
    let mut bind = |level, layered, layer, format| {
        c::bind_image_texture(ctx, 0, name, level, layered, layer, t::READ_WRITE, format).unwrap();
        shown(ctx)
    };
    assert!(!bind(1, false, 2, t::R32F).texture.is_null());
    let all = bind(0, true, 2, t::RGBA8);
    assert_eq!((all.layered.get(), all.layer), (true, 0));
    assert!(bind(0, false, 3, t::RGBA8).texture.is_null(), "no such layer");
    assert!(bind(2, false, 0, t::RGBA8).texture.is_null(), "no such level");
    assert!(bind(0, false, 0, t::RG32F).texture.is_null(), "texels of another size");
}

// One bad name in a list would leave all the other units without their textures.
#[test]
fn several_units_are_bound_one_by_one() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let good = storage(ctx, t::TEXTURE_2D_ARRAY, 1, t::R32F, [4, 4, 2]);
    let bad = storage(ctx, t::TEXTURE_2D, 1, t::RGB8, [4, 4, 1]);
    let result = c::bind_image_textures(ctx, 1, 4, Some(&[good, bad, 9999, good]));
    assert_eq!(code(result), ErrorCode::InvalidOperation);
    let bound: Vec<_> = (0..6).map(|unit| int(ctx, t::IMAGE_BINDING_NAME, unit)).collect();
    assert_eq!(bound, [0, good.into(), 0, 0, good.into(), 0]);
    assert_eq!(int(ctx, t::IMAGE_BINDING_LAYERED, 1), 1);
    assert_eq!(int(ctx, t::IMAGE_BINDING_FORMAT, 1), i64::from(t::R32F));
    assert_eq!(code(c::bind_image_textures(ctx, 30, 3, None)), ErrorCode::InvalidOperation);
    c::bind_image_textures(ctx, 0, 32, None).unwrap();
    assert_eq!(int(ctx, t::IMAGE_BINDING_NAME, 4), 0);
    assert!(!names(ctx).contains(&"set_shader_images"), "bindings are pushed by verbs");
}
