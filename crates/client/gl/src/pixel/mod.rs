//! Pixel transfers: pixel-store state, sizes of client images, conversion between the program's pixels and the texel
//! layouts of `mgl_pipe::format`. Must not push records except through `pbo`.

pub(crate) mod class;
pub mod client;
pub mod convert;
pub mod direct;
pub mod internal;
pub mod layout;
pub mod number;
pub(crate) mod pbo;
pub mod program;
pub mod source;
pub mod texel;

use crate::abi::{PixelSource, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use client::ClientPixels;
use layout::{Layout, PixelStore};

/// Pixel-store state of a context.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// `GL_PACK_*`.
    pub pack: PixelStore,
    /// `GL_UNPACK_*`.
    pub unpack: PixelStore,
}

enum Slot<'a> {
    Flag(&'a mut bool),
    Count(&'a mut i32),
    Alignment(&'a mut i32),
}

impl State {
    fn slot(&mut self, pname: u32) -> Option<Slot<'_>> {
        let pack = matches!(pname, gl::PACK_SWAP_BYTES..=gl::PACK_ALIGNMENT)
            || matches!(pname, gl::PACK_SKIP_IMAGES | gl::PACK_IMAGE_HEIGHT | gl::PACK_INVERT_MESA)
            || matches!(pname, gl::PACK_COMPRESSED_BLOCK_WIDTH..=gl::PACK_COMPRESSED_BLOCK_SIZE);
        let s = if pack { &mut self.pack } else { &mut self.unpack };
        Some(match pname {
            gl::PACK_SWAP_BYTES | gl::UNPACK_SWAP_BYTES => Slot::Flag(&mut s.swap_bytes),
            gl::PACK_INVERT_MESA => Slot::Flag(&mut s.invert),
            gl::PACK_LSB_FIRST | gl::UNPACK_LSB_FIRST => Slot::Flag(&mut s.lsb_first),
            gl::PACK_ROW_LENGTH | gl::UNPACK_ROW_LENGTH => Slot::Count(&mut s.row_length),
            gl::PACK_SKIP_ROWS | gl::UNPACK_SKIP_ROWS => Slot::Count(&mut s.skip_rows),
            gl::PACK_SKIP_PIXELS | gl::UNPACK_SKIP_PIXELS => Slot::Count(&mut s.skip_pixels),
            gl::PACK_ALIGNMENT | gl::UNPACK_ALIGNMENT => Slot::Alignment(&mut s.alignment),
            gl::PACK_SKIP_IMAGES | gl::UNPACK_SKIP_IMAGES => Slot::Count(&mut s.skip_images),
            gl::PACK_IMAGE_HEIGHT | gl::UNPACK_IMAGE_HEIGHT => Slot::Count(&mut s.image_height),
            gl::PACK_COMPRESSED_BLOCK_WIDTH..=gl::PACK_COMPRESSED_BLOCK_SIZE => {
                Slot::Count(&mut s.block[(pname - gl::PACK_COMPRESSED_BLOCK_WIDTH) as usize])
            }
            gl::UNPACK_COMPRESSED_BLOCK_WIDTH..=gl::UNPACK_COMPRESSED_BLOCK_SIZE => {
                Slot::Count(&mut s.block[(pname - gl::UNPACK_COMPRESSED_BLOCK_WIDTH) as usize])
            }
            _ => return None,
        })
    }

    /// `glPixelStore*` (GL 4.6 §8.4.1).
    pub fn store(&mut self, pname: u32, param: i32) -> GlResult {
        let slot = self
            .slot(pname)
            .ok_or_else(|| GlError::invalid_enum(format!("glPixelStore does not know 0x{pname:04X}")))?;
        match slot {
            Slot::Flag(flag) => *flag = param != 0,
            Slot::Count(_) if param < 0 => return Err(GlError::invalid_value("pixel-store counts cannot be negative")),
            Slot::Count(count) => *count = param,
            Slot::Alignment(_) if !matches!(param, 1 | 2 | 4 | 8) => {
                return Err(GlError::invalid_value("pixel-store alignment must be 1, 2, 4 or 8"));
            }
            Slot::Alignment(alignment) => *alignment = param,
        }
        Ok(())
    }

    /// Value of a `GL_PACK_*` or `GL_UNPACK_*` query.
    pub fn get(&self, pname: u32) -> Option<Values> {
        let mut copy = *self;
        Some(match copy.slot(pname)? {
            Slot::Flag(flag) => Values::bool(*flag),
            Slot::Count(v) | Slot::Alignment(v) => Values::int(*v),
        })
    }
}

pub(crate) fn client_bytes(store: &PixelStore, dims: u32, size: [i32; 3], format: u32, type_: u32) -> PixelSource {
    let Ok(size) = u32_size(size) else { return PixelSource::Client(0) };
    let bytes = ClientPixels::parse(format, type_)
        .ok()
        .and_then(|px| Layout::new(store, dims, size, px.pixel_bytes()))
        .map_or(0, |layout| layout.total);
    PixelSource::Client(bytes)
}

/// Sizes as unsigned numbers; negative ones are `GL_INVALID_VALUE`.
pub(crate) fn u32_size(size: [i32; 3]) -> GlResult<[u32; 3]> {
    if size.iter().any(|v| *v < 0) {
        return Err(GlError::invalid_value("width, height and depth cannot be negative"));
    }
    Ok(size.map(|v| v as u32))
}

/// How many bytes an upload call reads from its pointer.
pub fn unpack_source(
    ctx: &Context,
    dims: u32,
    width: i32,
    height: i32,
    depth: i32,
    format: u32,
    type_: u32,
) -> PixelSource {
    if pbo::unpack_bound(ctx) {
        return PixelSource::Buffer;
    }
    client_bytes(&ctx.texture.pixel.unpack, dims, [width, height, depth], format, type_)
}

/// How many bytes a compressed upload reads from its pointer.
pub fn compressed_unpack_source(
    ctx: &Context,
    dims: u32,
    width: i32,
    height: i32,
    depth: i32,
    image_size: i32,
) -> PixelSource {
    if pbo::unpack_bound(ctx) {
        return PixelSource::Buffer;
    }
    let size = u32_size([width, height, depth]).unwrap_or_default();
    let placed = Layout::of_blocks(&ctx.texture.pixel.unpack, dims, size);
    PixelSource::Client(placed.map_or(image_size.max(0) as usize, |layout| layout.total))
}

/// How many bytes `glReadPixels` writes to its pointer.
pub fn pack_source(ctx: &Context, width: i32, height: i32, format: u32, type_: u32) -> PixelSource {
    if pbo::pack_bound(ctx) {
        return PixelSource::Buffer;
    }
    client_bytes(&ctx.texture.pixel.pack, 2, [width, height, 1], format, type_)
}
