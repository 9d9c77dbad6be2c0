//! Error codes of reads, copies and clears by name (GL 4.6 §6.2.1, §8.11.4, §8.21, §18.3.2).

use crate::abi::{At, Params};
use crate::clear::calls as clear;
use crate::error::ErrorCode as E;
use crate::readback::calls as r;
use crate::testing::{code, context, forget, names};
use crate::texture::calls as c;
use crate::tokens as t;
use crate::{Context, Pixels, PixelsOut};

fn created(ctx: &mut Context, target: u32) -> u32 {
    let mut name = [0];
    c::create_textures(ctx, target, &mut name).unwrap();
    name[0]
}

/// The error of a read of a box of one or more RGBA8 texels.
fn read(ctx: &mut Context, name: u32, [x, y, z, w, h, d]: [i32; 6]) -> Option<E> {
    let mut out = [0; 256];
    let out = PixelsOut::Bytes(&mut out);
    let done = r::get_texture_sub_image(ctx, name, 0, x, y, z, w, h, d, t::RGBA, t::UNSIGNED_BYTE, out);
    done.err().map(|error| error.code)
}

// A tool that reads a part of the wrong shape would be told of a wrong texture, or of nothing.
#[test]
fn boxes_have_no_directions_that_the_target_lacks() {
    let mut ctx = context();
    let (line, plane) = (created(&mut ctx, t::TEXTURE_1D), created(&mut ctx, t::TEXTURE_2D));
    c::tex_storage_1d(&mut ctx, At::Named(line), 1, t::RGBA8, 4).unwrap();
    c::tex_storage_2d(&mut ctx, At::Named(plane), 1, t::RGBA8, 4, 4).unwrap();
    for wrong in [[0, 1, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 2, 1], [0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 1]] {
        assert_eq!(read(&mut ctx, line, wrong), Some(E::InvalidValue), "{wrong:?}");
    }
    for wrong in [[0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 0], [0, 3, 0, 1, 2, 1], [-1, 0, 0, 1, 1, 1]] {
        assert_eq!(read(&mut ctx, plane, wrong), Some(E::InvalidValue), "{wrong:?}");
    }
    let mut out = [0; 4];
    let mut level = |level, size| {
        let out = PixelsOut::Bytes(&mut out);
        let done =
            r::get_texture_sub_image(&mut ctx, plane, level, 0, 0, 0, size, size, size, t::RGBA, t::UNSIGNED_BYTE, out);
        done.err().map(|error| error.code)
    };
    assert_eq!(
        (level(1, 1), level(-1, 1), level(99, 1)),
        (Some(E::InvalidValue), Some(E::InvalidValue), Some(E::InvalidValue))
    );
    for target in [t::TEXTURE_BUFFER, t::TEXTURE_2D_MULTISAMPLE, t::TEXTURE_2D_MULTISAMPLE_ARRAY] {
        let name = created(&mut ctx, target);
        assert_eq!(read(&mut ctx, name, [0, 0, 0, 1, 1, 1]), Some(E::InvalidOperation), "{target:#x}");
    }
    let mut blocks = |name, part: [i32; 6]| {
        let ([x, y, z, w, h, d], mut out) = (part, [0; 64]);
        let out = PixelsOut::Bytes(&mut out);
        code(r::get_compressed_texture_sub_image(&mut ctx, name, 0, x, y, z, w, h, d, out))
    };
    assert_eq!(blocks(plane, [0, 0, 0, 4, 4, 1]), E::InvalidOperation, "not compressed");
}

// A texture viewer that reads parts of blocks would get garbage instead of an error.
#[test]
fn reads_of_blocks_keep_them_whole() {
    let mut ctx = context();
    let name = created(&mut ctx, t::TEXTURE_2D);
    c::tex_storage_2d(&mut ctx, At::Named(name), 1, t::COMPRESSED_RED_RGTC1, 8, 8).unwrap();
    let mut read = |part: [i32; 6], bytes: usize| {
        let ([x, y, z, w, h, d], mut out) = (part, vec![0; bytes]);
        let out = PixelsOut::Bytes(&mut out);
        code(r::get_compressed_texture_sub_image(&mut ctx, name, 0, x, y, z, w, h, d, out))
    };
    for wrong in [[2, 0, 0, 4, 4, 1], [0, 0, 0, 3, 4, 1], [0, 0, 0, 4, 4, 0], [4, 4, 0, 8, 4, 1]] {
        assert_eq!(read(wrong, 64), E::InvalidValue, "{wrong:?}");
    }
    assert_eq!(read([0, 0, 0, 8, 8, 1], 31), E::InvalidOperation, "no room");
}

// Half of a sky box would be read as if the other half were there.
#[test]
fn cubes_are_read_when_they_are_complete() {
    let mut ctx = context();
    let name = created(&mut ctx, t::TEXTURE_CUBE_MAP);
    c::bind_texture(&mut ctx, t::TEXTURE_CUBE_MAP, name).unwrap();
    (0..5).for_each(|face| image(&mut ctx, t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 2));
    assert_eq!(read(&mut ctx, name, [0, 0, 0, 2, 2, 3]), Some(E::InvalidOperation));
    image(&mut ctx, t::TEXTURE_CUBE_MAP_NEGATIVE_Z, 4);
    assert_eq!(read(&mut ctx, name, [0, 0, 0, 2, 2, 3]), Some(E::InvalidOperation), "another size");
    image(&mut ctx, t::TEXTURE_CUBE_MAP_NEGATIVE_Z, 2);
    (0..3).for_each(|_| crate::testing::recorder(&mut ctx).answers.push_back(vec![7; 16]));
    assert_eq!(read(&mut ctx, name, [0, 0, 0, 2, 2, 3]), None);
    assert_eq!(read(&mut ctx, name, [0, 0, 4, 2, 2, 3]), Some(E::InvalidValue));
}

/// The error of a copy of one texel between level 0 of two textures.
fn copied(ctx: &mut Context, from: (u32, u32), to: (u32, u32)) -> Option<E> {
    let done = c::copy_image_sub_data(ctx, from.0, from.1, 0, 0, 0, 0, to.0, to.1, 0, 0, 0, 0, 1, 1, 1);
    done.err().map(|error| error.code)
}

fn image(ctx: &mut Context, target: u32, size: i32) {
    let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
    c::tex_image_2d(ctx, target, 0, t::RGBA8 as i32, size, size, 0, rgba, byte, Pixels::Null).unwrap();
}

// A program that copies from a texture it has not finished would get undefined texels and no word about it.
#[test]
fn incomplete_textures_are_not_copied() {
    let mut ctx = context();
    let whole = (created(&mut ctx, t::TEXTURE_2D), t::TEXTURE_2D);
    c::tex_storage_2d(&mut ctx, At::Named(whole.0), 1, t::RGBA8, 4, 4).unwrap();
    let part = (created(&mut ctx, t::TEXTURE_2D), t::TEXTURE_2D);
    assert_eq!(copied(&mut ctx, whole, part), Some(E::InvalidOperation), "no image at all");
    c::bind_texture(&mut ctx, t::TEXTURE_2D, part.0).unwrap();
    image(&mut ctx, t::TEXTURE_2D, 4);
    assert_eq!(copied(&mut ctx, whole, part), Some(E::InvalidOperation), "its filter needs a chain of levels");
    assert_eq!(copied(&mut ctx, part, whole), Some(E::InvalidOperation));
    let set = |ctx: &mut Context, pname, value: u32| {
        c::tex_parameter(ctx, At::Named(part.0), pname, Params::I32(&[value as i32])).unwrap();
    };
    set(&mut ctx, t::TEXTURE_MIN_FILTER, t::LINEAR);
    assert_eq!(copied(&mut ctx, part, whole), None);
    set(&mut ctx, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST);
    set(&mut ctx, t::TEXTURE_MAX_LEVEL, 0);
    assert_eq!(copied(&mut ctx, part, whole), None, "a chain of one level");
    set(&mut ctx, t::TEXTURE_BASE_LEVEL, 1);
    assert_eq!(copied(&mut ctx, part, whole), Some(E::InvalidOperation), "no base level");
    let cube = (created(&mut ctx, t::TEXTURE_CUBE_MAP), t::TEXTURE_CUBE_MAP);
    c::tex_parameter(&mut ctx, At::Named(cube.0), t::TEXTURE_MIN_FILTER, Params::I32(&[t::LINEAR as i32])).unwrap();
    c::bind_texture(&mut ctx, t::TEXTURE_CUBE_MAP, cube.0).unwrap();
    for face in 0..6 {
        assert_eq!(copied(&mut ctx, cube, whole), Some(E::InvalidOperation), "{face} faces");
        image(&mut ctx, t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 4);
    }
    assert_eq!(copied(&mut ctx, cube, whole), None);
}

// Programs tell by the code which argument of a copy was wrong.
#[test]
fn copies_say_what_is_wrong() {
    let mut ctx = context();
    let plane = (created(&mut ctx, t::TEXTURE_2D), t::TEXTURE_2D);
    c::tex_storage_2d(&mut ctx, At::Named(plane.0), 1, t::RGBA8, 4, 4).unwrap();
    let other = (created(&mut ctx, t::TEXTURE_2D), t::TEXTURE_2D);
    c::tex_storage_2d(&mut ctx, At::Named(other.0), 1, t::RGBA16F, 4, 4).unwrap();
    assert_eq!(copied(&mut ctx, plane, other), Some(E::InvalidOperation), "another class");
    assert_eq!(copied(&mut ctx, plane, (999, t::TEXTURE_2D)), Some(E::InvalidValue), "no object");
    assert_eq!(copied(&mut ctx, plane, (999, t::RENDERBUFFER)), Some(E::InvalidValue), "no renderbuffer");
    for wrong in [t::TEXTURE_BUFFER, t::TEXTURE_CUBE_MAP_POSITIVE_X, t::PROXY_TEXTURE_2D, t::TEXTURE_3D] {
        assert_eq!(copied(&mut ctx, (plane.0, wrong), plane), Some(E::InvalidEnum), "{wrong:#x}");
    }
    let at = |ctx: &mut Context, level, x, w| {
        let done = c::copy_image_sub_data(
            ctx,
            plane.0,
            t::TEXTURE_2D,
            level,
            x,
            0,
            0,
            plane.0,
            t::TEXTURE_2D,
            0,
            0,
            0,
            0,
            w,
            1,
            1,
        );
        code(done)
    };
    assert_eq!(at(&mut ctx, 0, 3, 2), E::InvalidValue, "outside");
    assert_eq!(at(&mut ctx, 0, -1, 1), E::InvalidValue, "outside");
    assert_eq!(at(&mut ctx, -1, 0, 1), E::InvalidValue, "no such level");
}

// A program that clears its buffers with a wrong format would be told of a wrong token that it did not pass.
#[test]
fn clears_of_buffers_say_what_is_wrong() {
    let mut ctx = context();
    let mut name = [0];
    crate::buffer::calls::create_buffers(&mut ctx, &mut name).unwrap();
    let at = At::Named(name[0]);
    crate::buffer::calls::buffer_data(&mut ctx, at, 64, None, t::STATIC_DRAW).unwrap();
    forget(&mut ctx);
    let byte = t::UNSIGNED_BYTE;
    for (internal, format, type_, wanted) in [
        (t::RGBA, t::RGBA, byte, E::InvalidEnum),
        (t::RGB8, t::RGB, byte, E::InvalidEnum),
        (t::RGBA8, t::RGBA8, byte, E::InvalidValue),
        (t::RGBA8, t::RGBA, t::RGBA, E::InvalidValue),
        (t::RGBA8, t::DEPTH_COMPONENT, t::FLOAT, E::InvalidValue),
        (t::RGBA8, t::RGB, t::UNSIGNED_SHORT_4_4_4_4, E::InvalidValue),
        (t::RGBA8UI, t::RGBA, byte, E::InvalidOperation),
        (t::RGBA8, t::RGBA_INTEGER, byte, E::InvalidOperation),
    ] {
        let whole = clear::clear_buffer_data(&mut ctx, at, internal, format, type_, None);
        assert_eq!(code(whole), wanted, "{internal:#x} {format:#x} {type_:#x}");
        let part = clear::clear_buffer_sub_data(&mut ctx, at, internal, 0, 16, format, type_, None);
        assert_eq!(code(part), wanted, "{internal:#x} {format:#x} {type_:#x}");
    }
    for (offset, size) in [(-4, 4), (0, -4), (64, 4), (2, 4), (0, 6)] {
        let part = clear::clear_buffer_sub_data(&mut ctx, at, t::RGBA8, offset, size, t::RGBA, byte, None);
        assert_eq!(code(part), E::InvalidValue, "{offset} {size}");
    }
    crate::buffer::calls::map_buffer_range(&mut ctx, at, 0, 8, t::MAP_WRITE_BIT).unwrap();
    let part =
        |ctx: &mut Context, offset| clear::clear_buffer_sub_data(ctx, at, t::RGBA8, offset, 4, t::RGBA, byte, None);
    assert_eq!(code(part(&mut ctx, 4)), E::InvalidOperation, "mapped");
    part(&mut ctx, 8).unwrap();
    assert_eq!(names(&mut ctx), ["clear_buffer_data"]);
}

// A clear of depth alone would empty the stencil of the texture too.
#[test]
fn textures_are_cleared_as_what_they_are() {
    let mut ctx = context();
    for (internal, right) in [
        (t::DEPTH_COMPONENT24, t::DEPTH_COMPONENT),
        (t::DEPTH24_STENCIL8, t::DEPTH_STENCIL),
        (t::STENCIL_INDEX8, t::STENCIL_INDEX),
        (t::RGBA8, t::RGBA),
        (t::RGBA8UI, t::RGBA_INTEGER),
    ] {
        let name = created(&mut ctx, t::TEXTURE_2D);
        c::tex_storage_2d(&mut ctx, At::Named(name), 1, internal, 4, 4).unwrap();
        for format in [t::DEPTH_COMPONENT, t::DEPTH_STENCIL, t::STENCIL_INDEX, t::RGBA, t::RGBA_INTEGER] {
            let type_ = if format == t::DEPTH_STENCIL { t::UNSIGNED_INT_24_8 } else { t::UNSIGNED_INT };
            let done = clear::clear_tex_image(&mut ctx, name, 0, format, type_, None).map_err(|error| error.code);
            assert_eq!(
                done,
                if format == right { Ok(()) } else { Err(E::InvalidOperation) },
                "{internal:#x} {format:#x}"
            );
        }
    }
}
