//! Completeness, pushed states, reads, copies and blits, seen through recording contexts.

use super::calls as c;
use crate::abi::At;
use crate::clear::calls as clear;
use crate::context::Context;
use crate::error::ErrorCode;
use crate::pixels::{Pixels, PixelsOut};
use crate::readback::calls as rb;
use crate::renderbuffer::calls as r;
use crate::testing::{all, buffer, code, context, forget, names, recorder};
use crate::texture::calls as tex;
use crate::tokens as t;
use crate::tracker::Verb;
use mgl_base::Handle;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    Blit, Clear, CopyFramebufferToTexture, GetTextureImage, ReadPixels, ReadPixelsToBuffer, SetFramebufferState,
};
use mgl_pipe::tokens::{ClearKind, FramebufferTarget, SurfaceKind};

fn framebuffer(ctx: &mut Context) -> u32 {
    let mut name = [0];
    c::gen_framebuffers(ctx, &mut name).unwrap();
    c::bind_framebuffer(ctx, t::FRAMEBUFFER, name[0]).unwrap();
    name[0]
}

fn texture(ctx: &mut Context, internal: u32, size: i32) -> u32 {
    let mut name = [0];
    tex::gen_textures(ctx, &mut name).unwrap();
    tex::bind_texture(ctx, t::TEXTURE_2D, name[0]).unwrap();
    let (format, type_) = match internal {
        t::DEPTH24_STENCIL8 => (t::DEPTH_STENCIL, t::UNSIGNED_INT_24_8),
        t::RGBA8UI => (t::RGBA_INTEGER, t::UNSIGNED_BYTE),
        _ => (t::RGBA, t::UNSIGNED_BYTE),
    };
    let null = Pixels::Null;
    tex::tex_image_2d(ctx, t::TEXTURE_2D, 0, internal as i32, size, size, 0, format, type_, null).unwrap();
    name[0]
}

fn renderbuffer(ctx: &mut Context, internal: u32, size: i32, samples: i32) -> u32 {
    let mut name = [0];
    r::gen_renderbuffers(ctx, &mut name).unwrap();
    r::bind_renderbuffer(ctx, t::RENDERBUFFER, name[0]).unwrap();
    r::renderbuffer_storage_multisample(ctx, t::RENDERBUFFER, samples, internal, size, size).unwrap();
    name[0]
}

fn attach_texture(ctx: &mut Context, point: u32, name: u32) {
    c::framebuffer_texture_2d(ctx, t::FRAMEBUFFER, point, t::TEXTURE_2D, name, 0).unwrap();
}

fn attach_renderbuffer(ctx: &mut Context, point: u32, name: u32) {
    c::framebuffer_renderbuffer(ctx, t::FRAMEBUFFER, point, t::RENDERBUFFER, name).unwrap();
}

fn status(ctx: &mut Context) -> u32 {
    c::check_framebuffer_status(ctx, t::FRAMEBUFFER).unwrap()
}

// Programs try formats until one is complete; a wrong answer makes them give up or draw into nothing.
#[test]
fn completeness_names_its_reason() {
    let ctx = &mut context();
    assert_eq!(status(ctx), t::FRAMEBUFFER_COMPLETE);
    framebuffer(ctx);
    assert_eq!(status(ctx), t::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    let color = texture(ctx, t::RGBA8, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT0, color);
    assert_eq!(status(ctx), t::FRAMEBUFFER_COMPLETE);
    let depth = texture(ctx, t::DEPTH24_STENCIL8, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT1, depth);
    assert_eq!(status(ctx), t::FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    attach_texture(ctx, t::COLOR_ATTACHMENT1, 0);
    attach_texture(ctx, t::DEPTH_STENCIL_ATTACHMENT, depth);
    assert_eq!(status(ctx), t::FRAMEBUFFER_COMPLETE);
    let other = renderbuffer(ctx, t::DEPTH24_STENCIL8, 8, 0);
    attach_renderbuffer(ctx, t::STENCIL_ATTACHMENT, other);
    assert_eq!(status(ctx), t::FRAMEBUFFER_UNSUPPORTED);
    attach_renderbuffer(ctx, t::DEPTH_STENCIL_ATTACHMENT, 0);
    let multi = renderbuffer(ctx, t::RGBA8, 8, 4);
    attach_renderbuffer(ctx, t::COLOR_ATTACHMENT2, multi);
    assert_eq!(status(ctx), t::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
    attach_renderbuffer(ctx, t::COLOR_ATTACHMENT2, 0);
    // A redefinition of the attached image is seen.
    tex::bind_texture(ctx, t::TEXTURE_2D, color).unwrap();
    let null = Pixels::Null;
    tex::tex_image_2d(ctx, t::TEXTURE_2D, 0, t::RGBA8 as i32, 0, 0, 0, t::RGBA, t::UNSIGNED_BYTE, null).unwrap();
    assert_eq!(status(ctx), t::FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    assert_eq!(code(super::emit::draw_complete(ctx)), ErrorCode::InvalidFramebufferOperation);
    ctx.make_current(None, None);
    c::bind_framebuffer(ctx, t::FRAMEBUFFER, 0).unwrap();
    assert_eq!(status(ctx), t::FRAMEBUFFER_UNDEFINED);
}

// Draws would go to the wrong images, or the same state would be sent with every draw.
#[test]
fn states_name_surfaces_and_are_sent_once() {
    let ctx = &mut context();
    ctx.validate(Verb::Clear).unwrap();
    let (state, _) = all::<SetFramebufferState>(ctx)[0];
    assert_eq!((state.fbo, state.is_default.get(), state.complete.get()), (Handle::new(0, 1), true, true));
    assert_eq!((state.width, state.height, state.draw_buffers[0], state.draw_buffers[1]), (64, 64, 0, -1));
    assert_eq!(state.color[0].kind, SurfaceKind::Renderbuffer);
    assert!(names(ctx).starts_with(&["resource_create", "set_framebuffer_state"]));
    framebuffer(ctx);
    let color = texture(ctx, t::RGBA8, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT1, color);
    c::draw_buffers(ctx, &[t::NONE, t::COLOR_ATTACHMENT1]).unwrap();
    c::read_buffer(ctx, t::COLOR_ATTACHMENT1).unwrap();
    forget(ctx);
    ctx.validate(Verb::BlitOrCopy).unwrap();
    let states = all::<SetFramebufferState>(ctx);
    assert_eq!(states.len(), 2);
    let draw = states.iter().find(|s| s.0.target == FramebufferTarget::Draw).unwrap().0;
    assert_eq!((draw.draw_buffers[0], draw.draw_buffers[1]), (-1, 1));
    assert_eq!((draw.color[1].format, draw.width), (Format::Rgba8 as u16, 8));
    assert_eq!(draw.read, draw.color[1]);
    forget(ctx);
    // Bumps of unrelated textures walk, but send nothing.
    ctx.share.texture_shape.bump();
    ctx.validate(Verb::BlitOrCopy).unwrap();
    assert!(all::<SetFramebufferState>(ctx).is_empty());
}

// A buffer of object numbers would be filled with the bits of a colour, or a colour buffer beside it lose its clear.
#[test]
fn clear_colours_of_integers_reach_each_draw_buffer() {
    let ctx = &mut context();
    framebuffer(ctx);
    let numbers = texture(ctx, t::RGBA8UI, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT0, numbers);
    let mode = |ctx: &Context| super::query::get(ctx, t::RGBA_INTEGER_MODE_EXT).map(|v| v.to_int(0, 32));
    assert_eq!(mode(ctx), Some(1));
    c::draw_buffers(ctx, &[t::NONE, t::COLOR_ATTACHMENT0]).unwrap();
    clear::clear_color_u(ctx, 7, 8, 9, 10).unwrap();
    forget(ctx);
    clear::clear(ctx, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT).unwrap();
    let sent: Vec<Clear> = all::<Clear>(ctx).into_iter().map(|(head, _)| head).collect();
    assert_eq!((sent[0].kind, sent[0].draw_buffer, sent[0].color), (ClearKind::Color, 1, [7, 8, 9, 10]));
    assert_eq!((sent[1].kind, sent[1].mask), (ClearKind::Whole, t::DEPTH_BUFFER_BIT));
    clear::clear_color(ctx, 0.0, 0.0, 0.0, 1.0).unwrap();
    forget(ctx);
    clear::clear(ctx, t::COLOR_BUFFER_BIT).unwrap();
    assert_eq!(all::<Clear>(ctx)[0].0.kind, ClearKind::Whole, "a colour of floats is the framebuffer's again");
    c::bind_framebuffer(ctx, t::FRAMEBUFFER, 0).unwrap();
    assert_eq!(mode(ctx), Some(0));
}

// Screenshots would have wrong colours, missing rows, or overwrite memory beside the picture.
#[test]
fn pixels_arrive_in_the_programs_layout() {
    let ctx = &mut context();
    let texels: Vec<u8> = (0..16).collect();
    recorder(ctx).answers.push_back(texels.clone());
    let mut out = [0xEE; 14];
    ctx.texture.pixel.pack.alignment = 8;
    rb::read_pixels(ctx, 0, 0, 2, 2, t::BGR, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut out)).unwrap();
    assert_eq!(out, [2, 1, 0, 6, 5, 4, 0xEE, 0xEE, 10, 9, 8, 14, 13, 12]);
    // Pixels outside the framebuffer stay as they were.
    recorder(ctx).answers.push_back(vec![1, 2, 3, 4]);
    let mut out = [0xEE; 16];
    rb::read_pixels(ctx, -1, 63, 2, 2, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut out)).unwrap();
    assert_eq!(out[4..8], [1, 2, 3, 4]);
    assert_eq!((out[0], out[8], out[12]), (0xEE, 0xEE, 0xEE));
    let (read, _) = all::<ReadPixels>(ctx).pop().unwrap();
    assert_eq!((read.info.src.x, read.info.src.y, read.info.src.w, read.info.src.h), (0, 63, 1, 1));
}

// Programs that read into buffers to avoid a stall would stall.
#[test]
fn identical_layouts_go_to_pack_buffers_without_a_wait() {
    let ctx = &mut context();
    buffer(ctx, t::PIXEL_PACK_BUFFER, 64 * 64 * 4 + 16);
    forget(ctx);
    rb::read_pixels(ctx, 0, 0, 64, 64, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Offset(16)).unwrap();
    let (read, _) = all::<ReadPixelsToBuffer>(ctx)[0];
    assert_eq!((read.offset, read.row_stride), (16, 256));
    assert!(all::<ReadPixels>(ctx).is_empty());
    let past = rb::read_pixels(ctx, 0, 0, 64, 64, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Offset(20));
    assert_eq!(code(past), ErrorCode::InvalidOperation);
}

// Programs would read garbage instead of learning that a combination is illegal.
#[test]
fn reads_refuse_what_the_specification_refuses() {
    let ctx = &mut context();
    let read = |ctx: &mut Context, format, type_| {
        code(rb::read_pixels(ctx, 0, 0, 1, 1, format, type_, PixelsOut::Bytes(&mut [0; 64])))
    };
    assert_eq!(read(ctx, t::RGBA_INTEGER, t::UNSIGNED_BYTE), ErrorCode::InvalidOperation);
    assert_eq!(read(ctx, t::DEPTH_COMPONENT, t::FLOAT), ErrorCode::InvalidOperation);
    assert_eq!(read(ctx, t::RGBA, t::UNSIGNED_SHORT_5_6_5), ErrorCode::InvalidOperation);
    assert_eq!(read(ctx, t::FLOAT, t::FLOAT), ErrorCode::InvalidEnum);
    let short = rb::read_pixels(ctx, 0, 0, 4, 4, t::RGBA, t::FLOAT, PixelsOut::Bytes(&mut [0; 64]));
    assert_eq!(code(short), ErrorCode::InvalidOperation);
    framebuffer(ctx);
    assert_eq!(read(ctx, t::RGBA, t::UNSIGNED_BYTE), ErrorCode::InvalidFramebufferOperation);
    let multi = renderbuffer(ctx, t::RGBA8, 8, 4);
    attach_renderbuffer(ctx, t::COLOR_ATTACHMENT0, multi);
    assert_eq!(read(ctx, t::RGBA, t::UNSIGNED_BYTE), ErrorCode::InvalidOperation);
    c::read_buffer(ctx, t::NONE).unwrap();
    assert_eq!(code(c::read_buffer(ctx, t::BACK)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::draw_buffers(ctx, &[t::COLOR_ATTACHMENT0; 2])), ErrorCode::InvalidOperation);
    assert_eq!(code(c::named_framebuffer_draw_buffers(ctx, 0, &[t::BACK, t::NONE])), ErrorCode::InvalidOperation);
    assert_eq!(code(c::named_framebuffer_draw_buffers(ctx, 0, &[t::FRONT])), ErrorCode::InvalidEnum);
    assert_eq!(code(c::named_framebuffer_read_buffer(ctx, 0, t::FRONT_AND_BACK)), ErrorCode::InvalidOperation);
}

// Programs ask how to read a framebuffer without conversion before they have given it an image, and look at the error.
#[test]
fn the_format_of_reads_is_that_of_the_colour_buffer() {
    let ctx = &mut context();
    let name = framebuffer(ctx);
    let asked = |ctx: &mut Context, pname| {
        let bound = crate::get::calls::get(ctx, pname);
        let named = c::get_framebuffer_parameter(ctx, At::Named(name), pname);
        assert_eq!(bound.as_ref().map_err(|e| e.code), named.as_ref().map_err(|e| e.code));
        bound
    };
    assert_eq!(code(asked(ctx, t::IMPLEMENTATION_COLOR_READ_FORMAT).map(|_| ())), ErrorCode::InvalidOperation);
    assert_eq!(code(asked(ctx, t::IMPLEMENTATION_COLOR_READ_TYPE).map(|_| ())), ErrorCode::InvalidOperation);
    let color = texture(ctx, t::RGB8, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT0, color);
    assert_eq!(asked(ctx, t::IMPLEMENTATION_COLOR_READ_FORMAT).unwrap().to_int(0, 32) as u32, t::RGBA);
    assert_eq!(asked(ctx, t::IMPLEMENTATION_COLOR_READ_TYPE).unwrap().to_int(0, 32) as u32, t::UNSIGNED_BYTE);
}

// Large read-backs do not fit one answer; rows would be missing.
#[test]
fn large_reads_are_split_into_bands() {
    let ctx = &mut context();
    texture(ctx, t::RGBA8, 1024);
    let rows = (ctx.out.reply_limit() / 4096) as u32;
    let bands = 1024u32.div_ceil(rows);
    for i in 0..bands {
        let n = rows.min(1024 - i * rows) as usize;
        recorder(ctx).answers.push_back(vec![i as u8 + 1; n * 4096]);
    }
    let mut out = vec![0; 1024 * 4096];
    rb::get_tex_image(ctx, t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, PixelsOut::Bytes(&mut out)).unwrap();
    assert_eq!(all::<GetTextureImage>(ctx).len() as u32, bands);
    assert!(bands > 1 && out[0] == 1 && out[1024 * 4096 - 1] == bands as u8);
}

// Copies from the framebuffer would read outside it or convert between classes that do not mix.
#[test]
fn framebuffer_copies_are_cut_and_checked() {
    let ctx = &mut context();
    texture(ctx, t::RGBA8, 16);
    forget(ctx);
    tex::copy_tex_sub_image_2d(ctx, t::TEXTURE_2D, 0, 2, 3, -4, 60, 8, 8).unwrap();
    let (copy, _) = all::<CopyFramebufferToTexture>(ctx)[0];
    assert_eq!((copy.src, copy.dst, copy.width, copy.height), ([0, 60], [6, 3], 4, 4));
    tex::copy_tex_image_2d(ctx, t::TEXTURE_2D, 0, t::RGB, 0, 0, 8, 8, 0).unwrap();
    let size = tex::get_tex_level_parameter(ctx, t::TEXTURE_2D, 0, t::TEXTURE_WIDTH).unwrap();
    assert_eq!(size.to_int(0, 32), 8);
    let ints = tex::copy_tex_image_2d(ctx, t::TEXTURE_2D, 0, t::RGBA8UI, 0, 0, 8, 8, 0);
    assert_eq!(code(ints), ErrorCode::InvalidOperation);
    let depth = tex::copy_tex_image_2d(ctx, t::TEXTURE_2D, 0, t::DEPTH_COMPONENT24, 0, 0, 8, 8, 0);
    assert_eq!(code(depth), ErrorCode::InvalidOperation);
}

// Blits between framebuffers would be refused when legal, or reach the device when not.
#[test]
fn blits_follow_the_rules() {
    let ctx = &mut context();
    let blit =
        |ctx: &mut Context, mask, filter, dst: i32| rb::blit_framebuffer(ctx, 0, 0, 8, 8, 0, 0, dst, dst, mask, filter);
    assert_eq!(code(blit(ctx, 1, t::NEAREST, 8)), ErrorCode::InvalidValue);
    assert_eq!(code(blit(ctx, t::COLOR_BUFFER_BIT, t::REPEAT, 8)), ErrorCode::InvalidEnum);
    assert_eq!(code(blit(ctx, t::DEPTH_BUFFER_BIT, t::LINEAR, 8)), ErrorCode::InvalidOperation);
    let fbo = framebuffer(ctx);
    let multi = renderbuffer(ctx, t::RGBA8, 8, 4);
    attach_renderbuffer(ctx, t::COLOR_ATTACHMENT0, multi);
    c::bind_framebuffer(ctx, t::DRAW_FRAMEBUFFER, 0).unwrap();
    assert_eq!(code(blit(ctx, t::COLOR_BUFFER_BIT, t::NEAREST, 4)), ErrorCode::InvalidOperation);
    forget(ctx);
    blit(ctx, t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT, t::NEAREST, 8).unwrap();
    let (b, _) = all::<Blit>(ctx)[0];
    assert_eq!((b.aspects, b.linear.get()), (1, false));
    c::bind_framebuffer(ctx, t::READ_FRAMEBUFFER, fbo).unwrap();
    attach_renderbuffer_read(ctx, 0);
    let color = texture(ctx, t::RGBA8UI, 8);
    c::framebuffer_texture_2d(ctx, t::READ_FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::TEXTURE_2D, color, 0).unwrap();
    assert_eq!(code(blit(ctx, t::COLOR_BUFFER_BIT, t::NEAREST, 8)), ErrorCode::InvalidOperation);
}

fn attach_renderbuffer_read(ctx: &mut Context, name: u32) {
    let (target, point) = (t::READ_FRAMEBUFFER, t::COLOR_ATTACHMENT0);
    c::framebuffer_renderbuffer(ctx, target, point, t::RENDERBUFFER, name).unwrap();
}

// Names of deleted objects would stay attached and be drawn to.
#[test]
fn deletion_detaches_and_queries_tell() {
    let ctx = &mut context();
    let fbo = framebuffer(ctx);
    let color = texture(ctx, t::RGBA8, 8);
    attach_texture(ctx, t::COLOR_ATTACHMENT0, color);
    let ask = |ctx: &mut Context, pname| {
        c::get_framebuffer_attachment_parameter(ctx, t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, pname)
            .map(|v| v.to_int(0, 32))
    };
    assert_eq!(ask(ctx, t::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), Ok(i64::from(color)));
    assert_eq!(ask(ctx, t::FRAMEBUFFER_ATTACHMENT_RED_SIZE), Ok(8));
    tex::delete_textures(ctx, &[color]).unwrap();
    assert_eq!(ask(ctx, t::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), Ok(0));
    assert_eq!(code(ask(ctx, t::FRAMEBUFFER_ATTACHMENT_RED_SIZE)), ErrorCode::InvalidOperation);
    c::delete_framebuffers(ctx, &[fbo]).unwrap();
    assert_eq!((ctx.framebuffer.draw, ctx.framebuffer.read), (0, 0));
    assert!(!c::is_framebuffer(ctx, fbo).unwrap());
}

// Another window would sample the picture as it was before the newest draws.
#[test]
fn every_draw_is_noted_for_other_contexts() {
    let mut ctx = context();
    let mut name = [0];
    let (mut texture, target) = ([0], t::TEXTURE_2D);
    crate::texture::calls::create_textures(&mut ctx, target, &mut texture).unwrap();
    let at = crate::abi::At::Named(texture[0]);
    crate::texture::calls::tex_storage_2d(&mut ctx, at, 1, t::RGBA8, 8, 8).unwrap();
    crate::framebuffer::calls::gen_framebuffers(&mut ctx, &mut name).unwrap();
    crate::framebuffer::calls::bind_framebuffer(&mut ctx, t::FRAMEBUFFER, name[0]).unwrap();
    crate::framebuffer::calls::framebuffer_texture(&mut ctx, t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture[0], 0)
        .unwrap();
    let object = ctx.named_texture(texture[0]).unwrap();
    for _ in 0..3 {
        crate::draw::calls::draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
        let drawn = ctx.out.seq();
        crate::draw::calls::flush(&mut ctx).unwrap();
        assert!(object.last_write.get().1 >= drawn, "the draw, not only what came before it");
    }
}
