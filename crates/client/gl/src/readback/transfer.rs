//! Moves texels of a framebuffer or texture to the program's memory or pack buffer: in bands that fit a reply, or on the
//! server without a wait when nothing needs converting. Must not know error rules of commands.

use crate::buffer::state::Buffer;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::out::{Answer, Out};
use crate::pixel::convert::Converter;
use crate::pixel::layout::Layout;
use crate::pixel::pbo;
use crate::pixels::PixelsOut;
use crate::tracker::Verb;
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::Box3;
use mgl_pipe::records::{GetTextureImage, GetTextureImageToBuffer, ReadPixels, ReadPixelsToBuffer, ReadbackInfo};
use mgl_pipe::tokens::Aspects;
use std::sync::Arc;

/// What is read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The pushed read framebuffer.
    Framebuffer,
    /// A level of a texture.
    Texture(Handle<Texture>, u16),
}

/// Where it goes.
pub(crate) enum Sink<'a> {
    /// The program's memory.
    Memory(&'a mut [u8]),
    /// A pack buffer, from this offset.
    Buffer(Arc<Buffer>, usize),
}

impl Sink<'_> {
    /// What starts `skip` bytes further on.
    pub(crate) fn from(&mut self, skip: usize) -> Sink<'_> {
        match self {
            Sink::Memory(memory) => Sink::Memory(memory.get_mut(skip..).unwrap_or_default()),
            Sink::Buffer(buffer, base) => Sink::Buffer(buffer.clone(), *base + skip),
        }
    }
}

/// Checks a destination of `total` bytes.
pub(crate) fn sink<'a>(ctx: &mut Context, out: PixelsOut<'a>, total: usize, unit: usize) -> GlResult<Sink<'a>> {
    match out {
        PixelsOut::Bytes(bytes) if bytes.len() < total => {
            Err(GlError::invalid_operation(format!("the buffer has {} bytes, {total} are needed", bytes.len())))
        }
        PixelsOut::Bytes(bytes) => Ok(Sink::Memory(bytes)),
        PixelsOut::Offset(offset) if offset % unit != 0 => {
            Err(GlError::invalid_operation("offset into the pack buffer is not a multiple of the element size"))
        }
        PixelsOut::Offset(offset) => Ok(Sink::Buffer(pbo::pack_target(ctx, offset, total)?, offset)),
    }
}

/// A read: source, first texel, extent in wire terms (layers are slices), aspect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub source: Source,
    pub origin: [i32; 3],
    pub size: [u32; 3],
    pub aspects: Aspects,
    /// First row and column of the destination, when the read was cut.
    pub skip: [u32; 2],
    /// Slices of the source are rows of the destination (1D arrays).
    pub layers_as_rows: bool,
}

impl Request {
    fn info(&self, at: [i32; 3], size: [u32; 3]) -> ReadbackInfo {
        let src = Box3 { x: at[0], y: at[1], z: at[2], w: size[0], h: size[1], d: size[2] };
        let level = if let Source::Texture(_, level) = self.source { level } else { 0 };
        ReadbackInfo { src, level, aspects: self.aspects, ..Default::default() }
    }
    /// Byte of the destination where row `y` of slice `z` of the request starts.
    fn row_at(&self, layout: &Layout, y: usize, z: usize, pixel: usize) -> usize {
        let (y, z) = if self.layers_as_rows { (z, 0) } else { (y, z) };
        layout.row(y + self.skip[1] as usize, z) + self.skip[0] as usize * pixel
    }
}

fn ask(out: &mut Out, source: Source, info: ReadbackInfo, to: &mut [u8]) -> GlResult {
    let answer = match source {
        Source::Framebuffer => out.ask(&ReadPixels { info }, to)?,
        Source::Texture(texture, _) => out.ask(&GetTextureImage { texture, info }, to)?,
    };
    match answer {
        Answer::Ok(n) if n == to.len() => Ok(()),
        _ => Err(GlError::out_of_memory("the server could not read the pixels back")),
    }
}

/// Runs a read. `pixel` is the size of the program's pixel.
pub(crate) fn run(
    ctx: &mut Context,
    request: &Request,
    conv: &mut Converter,
    layout: &Layout,
    pixel: usize,
    sink: Sink<'_>,
) -> GlResult {
    let (buffer, base) = match sink {
        Sink::Memory(memory) => {
            return bands(ctx, request, conv, |conv, _, (y, z), texels| {
                let at = request.row_at(layout, y, z, pixel);
                let row = texels.len() / conv.texel_bytes() * pixel;
                conv.download_row(texels, &mut memory[at..at + row]);
                Ok(())
            });
        }
        Sink::Buffer(buffer, base) => (buffer, base),
    };
    if conv.is_copy() && layout.inverted == 0 {
        return on_server(ctx, request, layout, pixel, &buffer, base);
    }
    let mut row_bytes = Vec::new();
    bands(ctx, request, conv, |conv, out, (y, z), texels| {
        row_bytes.resize(texels.len() / conv.texel_bytes() * pixel, 0);
        conv.download_row(texels, &mut row_bytes);
        let at = base + request.row_at(layout, y, z, pixel);
        crate::buffer::upload::write(out, &buffer, at as u64, &row_bytes)
    })?;
    written(ctx, &buffer);
    Ok(())
}

pub(crate) fn written(ctx: &Context, buffer: &Buffer) {
    buffer.written(ctx.out.flow(), ctx.out.seq());
}

/// Identical layouts: the server writes the buffer, the client does not wait (spec 05b §7.3).
fn on_server(
    ctx: &mut Context,
    request: &Request,
    layout: &Layout,
    pixel: usize,
    buffer: &Buffer,
    base: usize,
) -> GlResult {
    let offset = (base + request.row_at(layout, 0, 0, pixel)) as u64;
    let (row, image) = if request.layers_as_rows {
        (layout.row_stride, layout.row_stride)
    } else {
        (layout.row_stride, layout.image_stride)
    };
    let too_big = |_| GlError::invalid_value("row or image stride is too large");
    let row_stride = u32::try_from(row).map_err(too_big)?;
    // A single slice never uses its stride.
    let image_stride = if request.size[2] <= 1 { 0 } else { u32::try_from(image).map_err(too_big)? };
    let info = request.info(request.origin, request.size);
    ctx.out.writes(&buffer.last_write)?;
    let handle = buffer.handle;
    match request.source {
        Source::Framebuffer => {
            ctx.out.push(&ReadPixelsToBuffer { info, buffer: handle, offset, row_stride, image_stride })?;
        }
        Source::Texture(texture, _) => {
            ctx.out.push(&GetTextureImageToBuffer {
                texture,
                info,
                buffer: handle,
                offset,
                row_stride,
                image_stride,
            })?;
        }
    }
    written(ctx, buffer);
    Ok(())
}

/// Reads band by band and hands every row of texels to `each`.
fn bands(
    ctx: &mut Context,
    request: &Request,
    conv: &mut Converter,
    mut each: impl FnMut(&mut Converter, &mut Out, (usize, usize), &[u8]) -> GlResult,
) -> GlResult {
    let [w, h, d] = request.size;
    let row = w as usize * conv.texel_bytes();
    let rows = ((ctx.out.reply_limit() / row.max(1)) as u32).clamp(1, h);
    let slices = if rows == h { ((ctx.out.reply_limit() / (row * h as usize)) as u32).clamp(1, d) } else { 1 };
    let mut texels = Vec::new();
    for z in (0..d).step_by(slices as usize) {
        for y in (0..h).step_by(rows as usize) {
            let size = [w, rows.min(h - y), slices.min(d - z)];
            let at = [request.origin[0], request.origin[1] + y as i32, request.origin[2] + z as i32];
            texels.resize(row * (size[1] * size[2]) as usize, 0);
            ask(&mut ctx.out, request.source, request.info(at, size), &mut texels)?;
            for (i, line) in texels.chunks_exact(row).enumerate() {
                let place = (y as usize + i % size[1] as usize, z as usize + i / size[1] as usize);
                each(conv, &mut ctx.out, place, line)?;
            }
        }
    }
    Ok(())
}

/// Compressed blocks: copied as they are.
pub(crate) fn blocks(
    ctx: &mut Context,
    request: &Request,
    (row_bytes, block_rows, block_height): (usize, u32, u32),
    sink: Sink<'_>,
) -> GlResult {
    let [w, h, d] = request.size;
    let memory = match sink {
        Sink::Memory(memory) => memory,
        Sink::Buffer(buffer, base) => {
            let slice = row_bytes * block_rows as usize;
            let layout =
                Layout { first: 0, row_bytes, row_stride: row_bytes, image_stride: slice, inverted: 0, total: slice };
            return on_server(ctx, request, &layout, 1, &buffer, base);
        }
    };
    let rows = ((ctx.out.reply_limit() / row_bytes.max(1)) as u32).clamp(1, block_rows);
    for z in 0..d {
        for y in (0..block_rows).step_by(rows as usize) {
            let n = rows.min(block_rows - y);
            let first = (z * block_rows + y) as usize * row_bytes;
            let top = y * block_height;
            let size = [w, (n * block_height).min(h - top), 1];
            let at = [request.origin[0], request.origin[1] + top as i32, request.origin[2] + z as i32];
            let to = &mut memory[first..first + n as usize * row_bytes];
            ask(&mut ctx.out, request.source, request.info(at, size), to)?;
        }
    }
    Ok(())
}

impl Context {
    /// A rectangle of the read framebuffer's colour, as the numbers that `conv` makes of its texels, into rows that lie as
    /// `layout` says, after `skip` rows and columns. For groups that put the pixels elsewhere. Waits for the server.
    pub(crate) fn read_framebuffer_pixels(
        &mut self,
        (origin, size, skip): ([i32; 2], [u32; 2], [u32; 2]),
        conv: &mut Converter,
        (layout, pixel): (&Layout, usize),
        into: &mut [u8],
    ) -> GlResult {
        self.validate(Verb::Readback)?;
        let request = Request {
            source: Source::Framebuffer,
            origin: [origin[0], origin[1], 0],
            size: [size[0], size[1], 1],
            aspects: Aspects::Color,
            skip,
            layers_as_rows: false,
        };
        run(self, &request, conv, layout, pixel, Sink::Memory(into))
    }

    /// Tight blocks of a box of a texture, for groups that put other texels over some of them. Waits for the server.
    pub(crate) fn read_texture_blocks(
        &mut self,
        (texture, level): (Handle<Texture>, u16),
        origin: [u32; 3],
        size: [u32; 3],
        (block, bytes): ((u32, u32), u32),
        aspects: Aspects,
    ) -> GlResult<Vec<u8>> {
        let row = size[0].div_ceil(block.0) as usize * bytes as usize;
        let rows = size[1].div_ceil(block.1);
        let mut out = vec![0; row * rows as usize * size[2] as usize];
        let source = Source::Texture(texture, level);
        let origin = origin.map(|v| v as i32);
        let request = Request { source, origin, size, aspects, skip: [0; 2], layers_as_rows: false };
        blocks(self, &request, (row, rows, block.1), Sink::Memory(&mut out))?;
        Ok(out)
    }
}
