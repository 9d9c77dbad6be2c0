//! What texture commands send and refuse, seen through recording contexts.

use super::calls as c;
use super::emit::push_views;
use crate::abi::{Params, Pixels};
use crate::context::Context;
use crate::error::ErrorCode;
use crate::program::state::{Bindings, TextureSlot};
use crate::testing::{all, buffer, code, context, forget, names, recorder, sharing};
use crate::tokens as t;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    BindSamplerStates, CopyBufferToTexture, CreateSamplerView, GenerateMipmap, ResourceCopyRegion, ResourceCreate,
    ResourceRespecify, ResourceSubData, SetSamplerViews, SetTextureParams, SubRegion, WaitFlow,
};
use mgl_pipe::tokens::ResourceTarget;
use std::sync::Arc;
use zerocopy::FromBytes;

fn texture(ctx: &mut Context, target: u32) -> u32 {
    let mut name = [0];
    c::gen_textures(ctx, &mut name).unwrap();
    c::bind_texture(ctx, target, name[0]).unwrap();
    name[0]
}

fn image_2d(ctx: &mut Context, level: i32, size: i32, pixels: Pixels<'_>) {
    let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
    c::tex_image_2d(ctx, t::TEXTURE_2D, level, t::RGBA8 as i32, size, size, 0, rgba, byte, pixels).unwrap();
}

fn parameter(ctx: &mut Context, target: u32, pname: u32, value: u32) {
    c::tex_parameter(ctx, target, pname, Params::I32(&[value as i32])).unwrap();
}

fn one_slot(ctx: &mut Context, target: ResourceTarget, integer: bool) {
    let slot = TextureSlot { unit: 0, target, shadow: false, integer, idle: false };
    ctx.program.bindings = Some(Arc::new(Bindings { textures: vec![Some(slot)], ..Bindings::default() }));
}

fn views(ctx: &mut Context) -> Vec<u8> {
    push_views(ctx).unwrap();
    all::<SetSamplerViews>(ctx).pop().map(|v| v.1).unwrap_or_default()
}

// A picture would arrive with its rows mixed up, or its storage would not be declared before its content.
#[test]
fn an_upload_declares_storage_and_sends_tight_converted_rows() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR);
    forget(&mut ctx);
    // 3 texels of RGB and 3 bytes of row padding.
    let src = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0, 0, 0];
    let (rgb, byte) = (t::RGB, t::UNSIGNED_BYTE);
    let px = Pixels::Bytes(&src);
    c::tex_image_2d(&mut ctx, t::TEXTURE_2D, 0, t::RGB as i32, 3, 2, 0, rgb, byte, px).unwrap();
    assert_eq!(names(&mut ctx), ["resource_create", "resource_subdata"]);
    let (create, _) = all::<ResourceCreate>(&mut ctx)[0];
    let d = create.desc;
    assert_eq!((d.width, d.height, d.depth, d.layers, d.levels), (3, 2, 1, 1, 1));
    assert_eq!(d.format, Format::Rgb8 as u16);
    let (data, tail) = &all::<ResourceSubData>(&mut ctx)[0];
    let region = SubRegion::read_from_bytes(tail).unwrap();
    assert_eq!((region.dst.w, region.dst.h, region.dst.d), (3, 2, 1));
    assert_eq!(data.blob.size, 24);
    let staged = &recorder(&mut ctx).staged;
    assert_eq!(staged[..8], [1, 2, 3, 255, 4, 5, 6, 255]);
    assert_eq!(staged[12..16], [11, 12, 13, 255]);
}

// A mipmapped texture would be reallocated for every level, or a render target would pay for levels it never uses.
#[test]
fn levels_are_guessed_from_the_filter_and_grow_with_content() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    image_2d(&mut ctx, 0, 16, Pixels::Null);
    assert_eq!(all::<ResourceCreate>(&mut ctx).pop().unwrap().0.desc.levels, 5);
    forget(&mut ctx);
    (1..5).for_each(|level| image_2d(&mut ctx, level, 16 >> level, Pixels::Null));
    assert!(names(&mut ctx).is_empty());

    texture(&mut ctx, t::TEXTURE_2D);
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST);
    image_2d(&mut ctx, 0, 16, Pixels::Bytes(&[7; 1024]));
    assert_eq!(all::<ResourceCreate>(&mut ctx).pop().unwrap().0.desc.levels, 1);
    image_2d(&mut ctx, 1, 8, Pixels::Bytes(&[7; 256]));
    let (grown, _) = all::<ResourceRespecify>(&mut ctx)[0];
    assert_eq!((grown.desc.levels, grown.keep_content.get()), (5, true));
}

// Content of a level would be lost when another level makes the texture inconsistent for a while.
#[test]
fn content_outside_the_storage_moves_on_the_server() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    image_2d(&mut ctx, 0, 16, Pixels::Bytes(&[7; 1024]));
    image_2d(&mut ctx, 1, 8, Pixels::Bytes(&[7; 256]));
    forget(&mut ctx);
    image_2d(&mut ctx, 0, 32, Pixels::Null);
    // Level 1 of 16x16 does not fit 32x32: it moves aside before the storage changes.
    assert_eq!(names(&mut ctx), ["resource_create", "resource_copy_region", "resource_respecify"]);
    forget(&mut ctx);
    // Back to 16x16: it moves in again.
    image_2d(&mut ctx, 0, 16, Pixels::Null);
    assert_eq!(names(&mut ctx), ["resource_respecify", "resource_copy_region"]);
    let (copy, _) = all::<ResourceCopyRegion>(&mut ctx)[0];
    assert_eq!((copy.dst_level, copy.src_level, copy.src.w), (1, 0, 8));
}

// Incomplete textures must read as black instead of reading undefined levels.
#[test]
fn views_follow_completeness_and_equal_sets_are_not_sent_again() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    image_2d(&mut ctx, 0, 4, Pixels::Bytes(&[7; 64]));
    one_slot(&mut ctx, ResourceTarget::Tex2D, false);
    assert_eq!(views(&mut ctx), [0; 8], "levels 1 and 2 are missing");
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST);
    forget(&mut ctx);
    assert_ne!(views(&mut ctx), [0; 8]);
    assert_eq!(all::<CreateSamplerView>(&mut ctx).len(), 1);
    assert_eq!(all::<BindSamplerStates>(&mut ctx).len(), 1);
    forget(&mut ctx);
    // Rebinding the same texture changes nothing.
    c::bind_texture(&mut ctx, t::TEXTURE_2D, 0).unwrap();
    c::bind_texture(&mut ctx, t::TEXTURE_2D, 1).unwrap();
    assert!(views(&mut ctx).is_empty());
    assert!(names(&mut ctx).is_empty(), "{:?}", names(&mut ctx));
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R, t::GREEN);
    push_views(&mut ctx).unwrap();
    assert_eq!(all::<SetTextureParams>(&mut ctx).len(), 1);
    assert!(all::<SetSamplerViews>(&mut ctx).is_empty());
}

// Integer textures with the default filters would be sampled with undefined results.
#[test]
fn integer_and_cube_rules_decide_completeness() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    let (int, byte) = (t::RGBA_INTEGER, t::UNSIGNED_BYTE);
    c::tex_image_2d(&mut ctx, t::TEXTURE_2D, 0, t::RGBA8UI as i32, 1, 1, 0, int, byte, Pixels::Null).unwrap();
    one_slot(&mut ctx, ResourceTarget::Tex2D, true);
    assert_eq!(views(&mut ctx), [0; 8]);
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST);
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MAG_FILTER, t::NEAREST);
    assert_ne!(views(&mut ctx), [0; 8]);

    texture(&mut ctx, t::TEXTURE_CUBE_MAP);
    parameter(&mut ctx, t::TEXTURE_CUBE_MAP, t::TEXTURE_MIN_FILTER, t::LINEAR);
    one_slot(&mut ctx, ResourceTarget::TexCube, false);
    for face in 0..6 {
        assert_eq!(views(&mut ctx), [0; 8], "face {face} is missing");
        let target = t::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let px = Pixels::Bytes(&[9; 64]);
        c::tex_image_2d(&mut ctx, target, 0, t::RGBA8 as i32, 4, 4, 0, t::RGBA, byte, px).unwrap();
        forget(&mut ctx);
        ctx.texture.sent_views.clear();
    }
    assert_ne!(views(&mut ctx), [0; 8]);
}

// Programs probe sizes with proxies and must not allocate or wait for an answer.
#[test]
fn proxies_answer_without_a_record() {
    let mut ctx = context();
    let probe = |ctx: &mut Context, size: i32| {
        let (p, rgba, byte) = (t::PROXY_TEXTURE_2D, t::RGBA, t::UNSIGNED_BYTE);
        c::tex_image_2d(ctx, p, 0, t::RGBA8 as i32, size, size, 0, rgba, byte, Pixels::Null).unwrap();
        c::get_tex_level_parameter(ctx, p, 0, t::TEXTURE_WIDTH).unwrap().to_int(0, 32)
    };
    assert_eq!(probe(&mut ctx, 512), 512);
    assert_eq!(probe(&mut ctx, 1 << 20), 0);
    assert!(names(&mut ctx).is_empty());
}

// Programs rely on the error codes of the specification to find out what a driver can do.
#[test]
fn image_commands_refuse_what_the_specification_refuses() {
    let ctx = &mut context();
    let (rgba, byte, d2) = (t::RGBA, t::UNSIGNED_BYTE, t::TEXTURE_2D);
    texture(ctx, d2);
    let mut image = |target, level, internal: u32, w, h, border, format, type_| {
        code(c::tex_image_2d(ctx, target, level, internal as i32, w, h, border, format, type_, Pixels::Null))
    };
    assert_eq!(image(t::TEXTURE_3D, 0, t::RGBA8, 4, 4, 0, rgba, byte), ErrorCode::InvalidEnum);
    assert_eq!(image(t::TEXTURE_CUBE_MAP, 0, t::RGBA8, 4, 4, 0, rgba, byte), ErrorCode::InvalidEnum);
    assert_eq!(image(d2, -1, t::RGBA8, 4, 4, 0, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(d2, 40, t::RGBA8, 4, 4, 0, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(d2, 0, t::FLOAT, 4, 4, 0, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(d2, 0, t::RGBA8, -4, 4, 0, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(d2, 0, t::RGBA8, 4, 4, 1, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(d2, 0, t::RGBA8, 4, 4, 0, t::FLOAT, byte), ErrorCode::InvalidEnum);
    assert_eq!(image(d2, 0, t::RGBA8, 4, 4, 0, rgba, t::RGBA), ErrorCode::InvalidEnum);
    assert_eq!(image(d2, 0, t::RGBA8, 4, 4, 0, t::DEPTH_COMPONENT, byte), ErrorCode::InvalidOperation);
    assert_eq!(image(d2, 0, t::RGBA8UI, 4, 4, 0, rgba, byte), ErrorCode::InvalidOperation);
    assert_eq!(image(d2, 0, t::RGBA8, 4, 4, 0, rgba, t::UNSIGNED_SHORT_5_6_5), ErrorCode::InvalidOperation);
    assert_eq!(image(t::TEXTURE_RECTANGLE, 1, t::RGBA8, 4, 4, 0, rgba, byte), ErrorCode::InvalidValue);
    assert_eq!(image(t::TEXTURE_CUBE_MAP_POSITIVE_X, 0, t::RGBA8, 4, 5, 0, rgba, byte), ErrorCode::InvalidValue);
    let sub =
        |ctx: &mut Context, x, w| c::tex_sub_image_2d(ctx, d2, 0, x, 0, w, 1, rgba, byte, Pixels::Bytes(&[0; 64]));
    assert_eq!(code(sub(ctx, 0, 1)), ErrorCode::InvalidOperation);
    image_2d(ctx, 0, 4, Pixels::Null);
    assert_eq!(code(sub(ctx, 2, 3)), ErrorCode::InvalidValue);
    assert_eq!(code(sub(ctx, -1, 1)), ErrorCode::InvalidValue);
    sub(ctx, 0, 4).unwrap();
    assert_eq!(code(c::bind_texture(ctx, t::TEXTURE_3D, 1)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::bind_texture(ctx, d2, 999)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::active_texture(ctx, t::TEXTURE0 + 192)), ErrorCode::InvalidEnum);
    let bad = c::tex_parameter(ctx, d2, t::TEXTURE_WRAP_S, Params::I32(&[t::RGBA as i32]));
    assert_eq!(code(bad), ErrorCode::InvalidEnum);
    assert_eq!(code(c::tex_storage_2d(ctx, d2, 9, t::RGBA8, 4, 4)), ErrorCode::InvalidOperation);
    c::tex_storage_2d(ctx, d2, 3, t::RGBA8, 4, 4).unwrap();
    assert_eq!(code(c::tex_storage_2d(ctx, d2, 3, t::RGBA8, 4, 4)), ErrorCode::InvalidOperation);
    let again = c::tex_image_2d(ctx, d2, 0, t::RGBA8 as i32, 4, 4, 0, rgba, byte, Pixels::Null);
    assert_eq!(code(again), ErrorCode::InvalidOperation);
}

// A program that decodes video on the GPU would wait for its frames to come back and go up again.
#[test]
fn texels_of_an_unpack_buffer_stay_on_the_server() {
    let mut ctx = context();
    let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
    texture(&mut ctx, t::TEXTURE_2D);
    buffer(&mut ctx, t::PIXEL_UNPACK_BUFFER, 256);
    image_2d(&mut ctx, 0, 4, Pixels::Null);
    c::pixel_store(&mut ctx, t::UNPACK_ROW_LENGTH, 6).unwrap();
    c::pixel_store(&mut ctx, t::UNPACK_SKIP_ROWS, 1).unwrap();
    forget(&mut ctx);
    // There is no answer to wait for.
    let d2 = t::TEXTURE_2D;
    c::tex_sub_image_2d(&mut ctx, d2, 0, 1, 2, 3, 2, rgba, byte, Pixels::Offset(12)).unwrap();
    assert_eq!(names(&mut ctx), ["copy_buffer_to_texture"]);
    let (copy, _) = all::<CopyBufferToTexture>(&mut ctx)[0];
    assert_eq!((copy.offset, copy.row_stride, copy.slice_stride), (12 + 24, 24, 0));
    assert_eq!((copy.dst.x, copy.dst.y, copy.dst.w, copy.dst.h), (1, 2, 3, 2));
    texture(&mut ctx, t::TEXTURE_1D_ARRAY);
    let d1 = t::TEXTURE_1D_ARRAY;
    c::tex_image_2d(&mut ctx, d1, 0, t::RGBA8 as i32, 4, 2, 0, rgba, byte, Pixels::Offset(0)).unwrap();
    let copy = all::<CopyBufferToTexture>(&mut ctx).pop().unwrap().0;
    assert_eq!((copy.dst.h, copy.dst.d, copy.row_stride, copy.slice_stride), (1, 2, 0, 24), "layers are slices");
}

// Uploads from pixel buffers that need converting would read the wrong bytes or past the end of the buffer.
#[test]
fn unpack_buffers_are_read_and_bounded() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    buffer(&mut ctx, t::PIXEL_UNPACK_BUFFER, 64);
    recorder(&mut ctx).answers.push_back((0..64).map(|i| i ^ 2).collect());
    let (bgra, d2) = (t::BGRA, t::TEXTURE_2D);
    let from = Pixels::Offset(0);
    c::tex_image_2d(&mut ctx, d2, 0, t::RGBA8 as i32, 4, 4, 0, bgra, t::UNSIGNED_BYTE, from).unwrap();
    let staged = &recorder(&mut ctx).staged;
    let swapped = |i: u8| if i.is_multiple_of(2) { i } else { i ^ 2 };
    assert_eq!(staged[staged.len() - 64..], (0..64).map(swapped).collect::<Vec<u8>>());
    let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
    let past = c::tex_sub_image_2d(&mut ctx, d2, 0, 0, 0, 4, 4, rgba, byte, Pixels::Offset(4));
    assert_eq!(code(past), ErrorCode::InvalidOperation);
}

// Layers of a 1D array would land in rows that do not exist.
#[test]
fn layers_of_1d_arrays_are_slices_on_the_wire() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_1D_ARRAY);
    let src: Vec<u8> = (0..8).collect();
    let px = Pixels::Bytes(&src);
    c::tex_image_2d(&mut ctx, t::TEXTURE_1D_ARRAY, 0, t::R8 as i32, 4, 2, 0, t::RED, t::UNSIGNED_BYTE, px).unwrap();
    let d = all::<ResourceCreate>(&mut ctx)[0].0.desc;
    assert_eq!((d.width, d.height, d.layers), (4, 1, 2));
    let (_, tail) = all::<ResourceSubData>(&mut ctx).pop().unwrap();
    let region = SubRegion::read_from_bytes(&tail).unwrap();
    assert_eq!((region.dst.w, region.dst.h, region.dst.d), (4, 1, 2));
    assert_eq!(recorder(&mut ctx).staged[..8], src);
}

// Mipmaps would be generated into storage that has no levels, or for formats that have none.
#[test]
fn mipmap_generation_gets_levels_first() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST);
    image_2d(&mut ctx, 0, 8, Pixels::Bytes(&[1; 256]));
    forget(&mut ctx);
    c::generate_mipmap(&mut ctx, t::TEXTURE_2D).unwrap();
    assert_eq!(names(&mut ctx), ["resource_respecify", "generate_mipmap"]);
    let (m, _) = all::<GenerateMipmap>(&mut ctx)[0];
    assert_eq!((m.base_level, m.last_level), (0, 3));
    let width = c::get_tex_level_parameter(&mut ctx, t::TEXTURE_2D, 3, t::TEXTURE_WIDTH).unwrap();
    assert_eq!(width.to_int(0, 32), 1);
    assert_eq!(code(c::generate_mipmap(&mut ctx, t::TEXTURE_RECTANGLE)), ErrorCode::InvalidEnum);
}

// A texture filled by a loader thread would be drawn before its content arrives.
#[test]
fn another_context_waits_for_the_flow_that_wrote() {
    let mut loader = context();
    texture(&mut loader, t::TEXTURE_2D);
    parameter(&mut loader, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR);
    image_2d(&mut loader, 0, 4, Pixels::Bytes(&[5; 64]));
    let mut other = sharing(&loader, 2);
    c::bind_texture(&mut other, t::TEXTURE_2D, 1).unwrap();
    one_slot(&mut other, ResourceTarget::Tex2D, false);
    push_views(&mut other).unwrap();
    let waits = all::<WaitFlow>(&mut other);
    assert_eq!(waits.len(), 1);
    assert_eq!(waits[0].0.flow, 1);
}

// Compressed pictures would be cut in the middle of blocks.
#[test]
fn compressed_images_are_whole_blocks() {
    let ctx = &mut context();
    texture(ctx, t::TEXTURE_2D);
    let d2 = t::TEXTURE_2D;
    let image = |ctx: &mut Context, size: i32, bytes: &[u8]| {
        let n = bytes.len() as i32;
        c::compressed_tex_image_2d(ctx, d2, 0, 0x83F0, size, size, 0, n, Pixels::Bytes(bytes))
    };
    assert_eq!(code(image(ctx, 8, &[0; 31])), ErrorCode::InvalidValue);
    image(ctx, 8, &[3; 32]).unwrap();
    let (data, tail) = all::<ResourceSubData>(ctx).pop().unwrap();
    assert_eq!(data.blob.size, 32);
    assert_eq!(SubRegion::read_from_bytes(&tail).unwrap().dst.w, 8);
    let bad = c::compressed_tex_sub_image_2d(ctx, d2, 0, 2, 0, 4, 4, 0x83F0, 8, Pixels::Bytes(&[0; 8]));
    assert_eq!(code(bad), ErrorCode::InvalidOperation);
    c::compressed_tex_sub_image_2d(ctx, d2, 0, 4, 4, 4, 4, 0x83F0, 8, Pixels::Bytes(&[0; 8])).unwrap();
}

// Every draw with a texture change would allocate; frames would stutter.
#[test]
fn switching_known_textures_allocates_nothing() {
    let mut ctx = context();
    let names = [0, 1].map(|_| {
        let name = texture(&mut ctx, t::TEXTURE_2D);
        parameter(&mut ctx, t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR);
        image_2d(&mut ctx, 0, 4, Pixels::Null);
        name
    });
    one_slot(&mut ctx, ResourceTarget::Tex2D, false);
    recorder(&mut ctx).counting = true;
    let toggle = |ctx: &mut Context| {
        for name in names {
            c::bind_texture(ctx, t::TEXTURE_2D, name).unwrap();
            push_views(ctx).unwrap();
        }
    };
    (0..3).for_each(|_| toggle(&mut ctx));
    let before = recorder(&mut ctx).count;
    let used = allocation_counter::measure(|| (0..10).for_each(|_| toggle(&mut ctx)));
    assert_eq!(used.count_total, 0);
    // One set of views per switch: the samplers are equal.
    assert_eq!(recorder(&mut ctx).count - before, 20);
}

// A cleared texture would keep its old content in some faces, or be cleared to another colour.
#[test]
fn clears_fill_with_a_converted_texel() {
    let mut ctx = context();
    let name = texture(&mut ctx, t::TEXTURE_2D);
    image_2d(&mut ctx, 0, 4, Pixels::Null);
    let clear = super::clear::clear;
    clear(&mut ctx, name, 0, None, (t::BGRA, t::UNSIGNED_BYTE), Some(&[1, 2, 3, 4])).unwrap();
    let (head, _) = all::<mgl_pipe::records::ClearTexture>(&mut ctx)[0];
    assert_eq!(head.texel[0].to_le_bytes(), [3, 2, 1, 4]);
    assert_eq!((head.region.w, head.region.h, head.region.d), (4, 4, 1));
    let outside = Some(([2, 0, 0], [4, 1, 1]));
    assert_eq!(code(clear(&mut ctx, name, 0, outside, (t::RGBA, t::UNSIGNED_BYTE), None)), ErrorCode::InvalidOperation);
    assert_eq!(code(clear(&mut ctx, 99, 0, None, (t::RGBA, t::UNSIGNED_BYTE), None)), ErrorCode::InvalidOperation);
}

// A program that saves and restores its state would put back a format that the texture never had.
#[test]
fn a_refused_buffer_texture_keeps_its_format() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_BUFFER);
    let name = buffer(&mut ctx, t::ARRAY_BUFFER, 64);
    c::tex_buffer(&mut ctx, t::TEXTURE_BUFFER, t::RGBA8, name).unwrap();
    assert_eq!(code(c::tex_buffer(&mut ctx, t::TEXTURE_BUFFER, t::R32F, name + 9)), ErrorCode::InvalidOperation);
    let range = c::tex_buffer_range(&mut ctx, t::TEXTURE_BUFFER, t::R32F, name, 0, 65);
    assert_eq!(code(range), ErrorCode::InvalidValue);
    let format = crate::get::calls::get(&mut ctx, t::TEXTURE_BUFFER_FORMAT_ARB).unwrap();
    assert_eq!(format.to_int(0, 32) as u32, t::RGBA8);
}
