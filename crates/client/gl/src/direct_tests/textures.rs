//! Textures by name (GL 4.6 §8).

use crate::abi::{At, Params};
use crate::error::ErrorCode as E;
use crate::readback::calls as r;
use crate::testing::{all, code, context, forget, names};
use crate::texture::calls as c;
use crate::texture::target::Target;
use crate::tokens as t;
use crate::{Context, Pixels, PixelsOut};
use mgl_pipe::records::{GetTextureImage, ResourceSubData};

fn created(ctx: &mut Context, target: u32) -> u32 {
    let mut name = [0];
    c::create_textures(ctx, target, &mut name).unwrap();
    name[0]
}

fn sub_3d(ctx: &mut Context, name: u32, z: i32, depth: i32, bytes: &[u8]) -> crate::error::GlResult {
    let pixels = Pixels::Bytes(bytes);
    c::tex_sub_image_3d(ctx, At::Named(name), 0, 0, 0, z, 2, 2, depth, t::RGBA, t::UNSIGNED_BYTE, pixels)
}

// A sky box is filled face by face in one call: faces would be swapped or lost.
#[test]
fn a_named_cube_map_is_an_image_of_six_slices() {
    let mut ctx = context();
    let name = created(&mut ctx, t::TEXTURE_CUBE_MAP);
    c::tex_storage_2d(&mut ctx, At::Named(name), 1, t::RGBA8, 2, 2).unwrap();
    forget(&mut ctx);
    let bytes: Vec<u8> = (0..48).map(|i| i / 16).collect();
    sub_3d(&mut ctx, name, 3, 3, &bytes).unwrap();
    let sent = all::<ResourceSubData>(&mut ctx);
    assert_eq!(sent.len(), 3);
    let staged = crate::testing::recorder(&mut ctx).staged.clone();
    let first: Vec<u8> = sent.iter().map(|(head, _)| staged[head.blob.offset as usize]).collect();
    assert_eq!(first, [0, 1, 2], "each face gets its own slice");
    assert_eq!(code(sub_3d(&mut ctx, name, 4, 3, &bytes)), E::InvalidValue);
    assert_eq!(code(sub_3d(&mut ctx, name, -1, 3, &bytes)), E::InvalidValue);
    let pixels = Pixels::Bytes(&bytes);
    let flat = c::tex_sub_image_2d(&mut ctx, At::Named(name), 0, 0, 0, 2, 2, t::RGBA, t::UNSIGNED_BYTE, pixels);
    assert_eq!(code(flat), E::InvalidOperation, "a cube map has three directions here");
    assert!(ctx.texture.units[0].bound[Target::Cube as usize].is_none());
}

// A screenshot tool reads one slice of a texture array, or one corner: it would get another one.
#[test]
fn parts_of_images_are_read() {
    let mut ctx = context();
    let name = created(&mut ctx, t::TEXTURE_2D_ARRAY);
    c::tex_storage_3d(&mut ctx, At::Named(name), 1, t::RGBA8, 4, 4, 3).unwrap();
    forget(&mut ctx);
    let answers = &mut crate::testing::recorder(&mut ctx).answers;
    answers.push_back(vec![7; 16]);
    let mut out = [0; 16];
    let read = |ctx: &mut Context, at: [i32; 3], size: [i32; 3], out: PixelsOut<'_>| {
        let ([x, y, z], [w, h, d]) = (at, size);
        r::get_texture_sub_image(ctx, name, 0, x, y, z, w, h, d, t::RGBA, t::UNSIGNED_BYTE, out)
    };
    read(&mut ctx, [1, 2, 2], [2, 2, 1], PixelsOut::Bytes(&mut out)).unwrap();
    assert_eq!(out, [7; 16]);
    let info = all::<GetTextureImage>(&mut ctx)[0].0.info.src;
    assert_eq!((info.x, info.y, info.z, info.w, info.h, info.d), (1, 2, 2, 2, 2, 1));
    assert_eq!(code(read(&mut ctx, [3, 0, 0], [2, 1, 1], PixelsOut::Bytes(&mut out))), E::InvalidValue);
    assert_eq!(code(read(&mut ctx, [0, 0, 2], [1, 1, 2], PixelsOut::Bytes(&mut out))), E::InvalidValue);
    assert_eq!(code(read(&mut ctx, [0; 3], [-1, 1, 1], PixelsOut::Bytes(&mut out))), E::InvalidValue);
    assert_eq!(code(read(&mut ctx, [0; 3], [4, 4, 1], PixelsOut::Bytes(&mut out))), E::InvalidOperation, "no room");
    let flat = created(&mut ctx, t::TEXTURE_2D);
    c::tex_storage_2d(&mut ctx, At::Named(flat), 1, t::RGBA8, 4, 4).unwrap();
    let deep = r::get_texture_sub_image(
        &mut ctx,
        flat,
        0,
        0,
        0,
        0,
        1,
        1,
        2,
        t::RGBA,
        t::UNSIGNED_BYTE,
        PixelsOut::Bytes(&mut out),
    );
    assert_eq!(code(deep), E::InvalidValue, "a 2D texture has no second slice");
}

// A program with a stale name would change a texture that is not there, or the one that is bound.
#[test]
fn names_without_an_object_are_refused() {
    let mut ctx = context();
    let mut reserved = [0];
    c::gen_textures(&mut ctx, &mut reserved).unwrap();
    forget(&mut ctx);
    for name in [0, 999, reserved[0]] {
        let at = At::Named(name);
        let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
        let mut codes = vec![
            code(c::tex_storage_2d(&mut ctx, at, 1, t::RGBA8, 1, 1)),
            code(c::tex_storage_2d_multisample(&mut ctx, at, 1, t::RGBA8, 1, 1, true)),
            code(c::tex_sub_image_2d(&mut ctx, at, 0, 0, 0, 1, 1, rgba, byte, Pixels::Null)),
            code(c::copy_tex_sub_image_2d(&mut ctx, at, 0, 0, 0, 0, 0, 1, 1)),
            code(c::tex_parameter(&mut ctx, at, t::TEXTURE_MIN_FILTER, Params::I32(&[t::NEAREST as i32]))),
            code(c::get_tex_parameter(&mut ctx, at, t::TEXTURE_MIN_FILTER)),
            code(c::get_tex_level_parameter(&mut ctx, at, 0, t::TEXTURE_WIDTH)),
            code(c::generate_mipmap(&mut ctx, at)),
            code(c::tex_buffer(&mut ctx, at, t::R8, 0)),
            code(r::get_tex_image(&mut ctx, at, 0, rgba, byte, PixelsOut::Bytes(&mut []))),
            code(r::get_compressed_tex_image(&mut ctx, at, 0, PixelsOut::Bytes(&mut []))),
        ];
        if name != 0 {
            codes.push(code(c::bind_texture_unit(&mut ctx, 0, name)));
        }
        assert!(codes.iter().all(|code| *code == E::InvalidOperation), "{name}: {codes:?}");
    }
    assert!(names(&mut ctx).is_empty());
    assert_eq!(code(c::bind_texture_unit(&mut ctx, 100_000, 0)), E::InvalidValue);
    assert_eq!(code(c::create_textures(&mut ctx, t::TEXTURE_CUBE_MAP_POSITIVE_X, &mut [0])), E::InvalidEnum);
}

// The command must fit the texture: a multisample texture would get plain storage, a buffer texture mipmaps.
#[test]
fn the_target_of_a_named_texture_is_checked() {
    let mut ctx = context();
    let [flat, samples, buffer, rect] = [
        created(&mut ctx, t::TEXTURE_2D),
        created(&mut ctx, t::TEXTURE_2D_MULTISAMPLE),
        created(&mut ctx, t::TEXTURE_BUFFER),
        created(&mut ctx, t::TEXTURE_RECTANGLE),
    ]
    .map(At::Named);
    assert_eq!(code(c::tex_storage_3d(&mut ctx, flat, 1, t::RGBA8, 1, 1, 1)), E::InvalidOperation);
    assert_eq!(code(c::tex_storage_2d(&mut ctx, samples, 1, t::RGBA8, 1, 1)), E::InvalidOperation);
    assert_eq!(code(c::tex_storage_2d_multisample(&mut ctx, flat, 1, t::RGBA8, 1, 1, true)), E::InvalidOperation);
    assert_eq!(code(c::tex_buffer(&mut ctx, flat, t::R8, 0)), E::InvalidOperation);
    assert_eq!(code(c::generate_mipmap(&mut ctx, rect)), E::InvalidOperation);
    assert_eq!(code(c::tex_parameter(&mut ctx, buffer, t::TEXTURE_MIN_FILTER, Params::I32(&[0]))), E::InvalidOperation);
    assert_eq!(code(c::get_tex_parameter(&mut ctx, buffer, t::TEXTURE_MIN_FILTER)), E::InvalidOperation);
    let out = PixelsOut::Bytes(&mut []);
    assert_eq!(code(r::get_tex_image(&mut ctx, buffer, 0, t::RGBA, t::UNSIGNED_BYTE, out)), E::InvalidOperation);
}

// Textures bound by unit alone would appear in the wrong sampler, or stay when the unit is emptied.
#[test]
fn a_unit_takes_a_texture_to_its_own_target_and_loses_all_at_once() {
    let mut ctx = context();
    let (flat, cube) = (created(&mut ctx, t::TEXTURE_2D), created(&mut ctx, t::TEXTURE_CUBE_MAP));
    c::bind_texture_unit(&mut ctx, 5, flat).unwrap();
    c::bind_texture_unit(&mut ctx, 5, cube).unwrap();
    let bound = |ctx: &Context| {
        let unit = &ctx.texture.units[5].bound;
        [Target::D2, Target::Cube].map(|t| unit[t as usize].as_ref().map_or(0, |texture| texture.name))
    };
    assert_eq!(bound(&ctx), [flat, cube]);
    assert_eq!(ctx.texture.active, 0);
    c::bind_texture_unit(&mut ctx, 5, 0).unwrap();
    assert_eq!(bound(&ctx), [0, 0]);
}
