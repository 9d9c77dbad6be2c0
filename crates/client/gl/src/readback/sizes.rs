//! How many bytes the reads of textures write to the program's memory. Must not read.

use crate::abi::{At, PixelSource};
use crate::context::Context;
use crate::pixel::layout::Layout;
use crate::pixel::{self, pbo};
use crate::texture::aim;

/// How many bytes `glGetTexImage` and `glGetTextureImage` write to their pointer.
pub fn image(ctx: &Context, at: At, level: i32, format: u32, type_: u32) -> PixelSource {
    if pbo::pack_bound(ctx) {
        return PixelSource::Buffer;
    }
    let Some((image, dims)) = aim::source_size(ctx, at, level) else {
        return PixelSource::Client(0);
    };
    pixel::client_bytes(&ctx.texture.pixel.pack, dims, image.size.map(|v| v as i32), format, type_)
}

/// How many bytes `glGetTextureSubImage` writes to its pointer.
pub fn part(ctx: &Context, texture: u32, level: i32, size: [i32; 3], format: u32, type_: u32) -> PixelSource {
    if pbo::pack_bound(ctx) {
        return PixelSource::Buffer;
    }
    let Some((_, dims)) = aim::source_size(ctx, At::Named(texture), level) else {
        return PixelSource::Client(0);
    };
    pixel::client_bytes(&ctx.texture.pixel.pack, dims, size, format, type_)
}

/// How many bytes the reads of compressed images write to their pointer; `None` reads all of the level.
pub fn blocks(ctx: &Context, at: At, level: i32, size: Option<[i32; 3]>) -> PixelSource {
    if pbo::pack_bound(ctx) {
        return PixelSource::Buffer;
    }
    let found = aim::source_size(ctx, at, level);
    let bytes = found.and_then(|(image, dims)| {
        let info = image.format.map(|f| f.info()).filter(|f| f.compressed)?;
        let size = size.map_or(Ok(image.size), pixel::u32_size).ok()?;
        let placed = Layout::of_blocks(&ctx.texture.pixel.pack, dims, size);
        Some(placed.map_or(info.image_bytes(size[0], size[1], size[2]) as usize, |layout| layout.total))
    });
    PixelSource::Client(bytes.unwrap_or(0))
}
