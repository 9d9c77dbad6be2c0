//! What texture commands do with formats that the device, or the target, does not have.

use super::calls as c;
use crate::abi::Pixels;
use crate::context::Context;
use crate::error::ErrorCode as E;
use crate::testing::{all, code, context, forget, names, recorder};
use crate::tokens as t;
use mgl_pipe::format::Format;
use mgl_pipe::records::{ResourceCreate, ResourceSubData};

fn texture(ctx: &mut Context, target: u32) {
    let mut name = [0];
    c::gen_textures(ctx, &mut name).unwrap();
    c::bind_texture(ctx, target, name[0]).unwrap();
}

/// What the surface of the tests holds: a rectangle of RGBA8 pixels, all (255, 128, 0, 51).
fn surface_pixels(ctx: &mut Context, number: usize) {
    let answer = [255, 128, 0, 51].repeat(number);
    recorder(ctx).answers.push_back(answer);
}

// A picture copied from the screen into a format that no device draws to would end the server, and the program with it.
#[test]
fn copies_into_formats_without_attachments_are_converted_here() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    forget(&mut ctx);
    surface_pixels(&mut ctx, 8);
    // The program's own pixel-store state has nothing to do with it.
    c::pixel_store(&mut ctx, t::UNPACK_SWAP_BYTES, 1).unwrap();
    c::copy_tex_image_2d(&mut ctx, t::TEXTURE_2D, 0, t::RGB9_E5, 3, 5, 4, 2, 0).unwrap();
    assert!(!names(&mut ctx).contains(&"copy_framebuffer_to_texture"), "{:?}", names(&mut ctx));
    assert_eq!(all::<ResourceSubData>(&mut ctx).len(), 1);
    let staged = recorder(&mut ctx).staged.clone();
    // 1, 128 / 255 and 0 with the exponent 2^1: 256, 128.5 and 0 of 512.
    let word = u32::from_le_bytes([staged[0], staged[1], staged[2], staged[3]]);
    assert_eq!((word & 0x1FF, word >> 18 & 0x1FF, word >> 27), (256, 0, 16));
    assert!((128..=129).contains(&(word >> 9 & 0x1FF)), "{word:#x}");
    assert!(ctx.texture.pixel.unpack.swap_bytes);
    forget(&mut ctx);
    surface_pixels(&mut ctx, 1);
    c::copy_tex_sub_image_2d(&mut ctx, t::TEXTURE_2D, 0, 1, 1, 0, 0, 1, 1).unwrap();
    assert_eq!(all::<ResourceSubData>(&mut ctx).len(), 1);
}

// A game that keeps compressed copies of its pictures would get large ones, or an error.
#[test]
fn copies_are_compressed() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_2D);
    forget(&mut ctx);
    surface_pixels(&mut ctx, 64);
    c::copy_tex_image_2d(&mut ctx, t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, 0, 0, 8, 8, 0).unwrap();
    let (create, _) = all::<ResourceCreate>(&mut ctx)[0];
    assert_eq!(create.desc.format, Format::CompressedRedRgtc1 as u16);
    assert_eq!(all::<ResourceSubData>(&mut ctx)[0].0.blob.size, 32);
    let red = mgl_decode::decode(Format::CompressedRedRgtc1, &recorder(&mut ctx).staged[..8], 4, 4).unwrap();
    assert!(red.iter().all(|v| *v == 255), "{red:?}");
    let mut part = |x, w| {
        surface_pixels(&mut ctx, 16);
        c::copy_tex_sub_image_2d(&mut ctx, t::TEXTURE_2D, 0, x, 0, 0, 0, w, 4)
    };
    part(4, 4).unwrap();
    assert_eq!((code(part(2, 4)), code(part(0, 3))), (E::InvalidOperation, E::InvalidOperation), "parts of blocks");
    let etc = c::copy_tex_image_2d(&mut ctx, t::TEXTURE_2D, 0, 0x9274, 0, 0, 8, 8, 0);
    assert_eq!(code(etc), E::InvalidOperation, "nobody makes blocks of ETC2");
}

// A volume of blocks that have none would be read as noise.
#[test]
fn compressed_volumes_are_those_of_bptc_and_astc() {
    let mut ctx = context();
    texture(&mut ctx, t::TEXTURE_3D);
    let (bc1, astc) = (0x83F0, 0x93B0);
    let refused = [bc1, 0x83F3, t::COMPRESSED_RED_RGTC1, t::COMPRESSED_SIGNED_RG_RGTC2, 0x9274, 0x9270];
    let (rgba, byte) = (t::RGBA, t::UNSIGNED_BYTE);
    for format in refused {
        let pixels = c::tex_image_3d(&mut ctx, t::TEXTURE_3D, 0, format as i32, 4, 4, 4, 0, rgba, byte, Pixels::Null);
        assert_eq!(code(pixels), E::InvalidOperation, "{format:#x}");
        let proxy = t::PROXY_TEXTURE_3D;
        let pixels = c::tex_image_3d(&mut ctx, proxy, 0, format as i32, 4, 4, 4, 0, rgba, byte, Pixels::Null);
        assert_eq!(code(pixels), E::InvalidOperation, "{format:#x}");
        let blocks = c::compressed_tex_image_3d(&mut ctx, t::TEXTURE_3D, 0, format, 4, 4, 1, 0, 8, Pixels::Null);
        assert_eq!(code(blocks), E::InvalidOperation, "{format:#x}");
        let storage = c::tex_storage_3d(&mut ctx, t::TEXTURE_3D, 1, format, 4, 4, 4);
        assert_eq!(code(storage), E::InvalidOperation, "{format:#x}");
    }
    let bptc = t::COMPRESSED_RGBA_BPTC_UNORM as i32;
    c::tex_image_3d(&mut ctx, t::TEXTURE_3D, 0, bptc, 4, 4, 4, 0, rgba, byte, Pixels::Null).unwrap();
    c::compressed_tex_image_3d(&mut ctx, t::TEXTURE_3D, 0, astc, 4, 4, 1, 0, 16, Pixels::Null).unwrap();
    // Layers are planes, which every compressed format has.
    texture(&mut ctx, t::TEXTURE_2D_ARRAY);
    c::tex_image_3d(&mut ctx, t::TEXTURE_2D_ARRAY, 0, bc1 as i32, 4, 4, 4, 0, rgba, byte, Pixels::Null).unwrap();
}

// A program that asks for compressed storage to draw to would get other storage than it thinks.
#[test]
fn nothing_compressed_is_drawn_to() {
    let mut ctx = context();
    let mut name = [0];
    crate::renderbuffer::calls::create_renderbuffers(&mut ctx, &mut name).unwrap();
    texture(&mut ctx, t::TEXTURE_2D_MULTISAMPLE);
    for format in [0x83F0, t::COMPRESSED_RED_RGTC1, t::COMPRESSED_RGBA_BPTC_UNORM, t::COMPRESSED_RGBA, t::RGB9_E5] {
        let at = crate::abi::At::Named(name[0]);
        let stored = crate::renderbuffer::calls::renderbuffer_storage(&mut ctx, at, format, 4, 4);
        assert_eq!(code(stored), E::InvalidEnum, "{format:#x}");
        let samples = c::tex_image_2d_multisample(&mut ctx, t::TEXTURE_2D_MULTISAMPLE, 4, format, 4, 4, true);
        assert_eq!(code(samples), E::InvalidEnum, "{format:#x}");
    }
}
