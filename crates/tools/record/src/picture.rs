//! Taking a picture of a surface through the tool's own context, so that the contexts of the stream are not touched. Must
//! not decide which surface is the picture.

use crate::error::{Error, Result};
use crate::player::Player;
use crate::source::STDIN;
use crate::texel;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, RgbaImage};
use mgl_backend::values::{FramebufferState, ReadbackInfo, Surface};
use mgl_base::Fault;
use mgl_pipe::format::Format;
use mgl_pipe::records::{Blit, ReadPixels, ResourceCreate, ResourceDesc, ResourceDestroy, SetFramebufferState};
use mgl_pipe::tokens::{Aspects, FramebufferTarget, ResourceTarget, SurfaceKind};
use mgl_pipe::{Bool8, Box3};
use std::io::{Cursor, Write};
use std::path::Path;

/// Bytes that one read asks for; an answer is at most 2 MiB.
const BAND: u32 = 1 << 20;

/// What a surface holds, rows from the top as in a picture file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Which surface, in words.
    pub what: String,
    /// Its pixels.
    pub pixels: RgbaImage,
}

impl Picture {
    /// The colours without alpha: what a window shows.
    pub fn opaque(&self) -> RgbImage {
        let pixel = |x, y| {
            let [r, g, b, _] = self.pixels.get_pixel(x, y).0;
            Rgb([r, g, b])
        };
        RgbImage::from_fn(self.pixels.width(), self.pixels.height(), pixel)
    }

    /// Writes a PNG, opaque unless `alpha` is wanted; to standard output when `path` is `-`.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn save(&self, path: &Path, alpha: bool) -> Result<()> {
        let failed = |why: String| Error::Write { path: path.into(), why };
        let image: DynamicImage = if alpha { self.pixels.clone().into() } else { self.opaque().into() };
        // Made whole first: what a full disk refuses at the end is lost in a buffer.
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).map_err(|error| failed(error.to_string()))?;
        let written = if path == Path::new(STDIN) {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes.get_ref()).and_then(|()| out.flush())
        } else {
            std::fs::write(path, bytes.get_ref())
        };
        written.map_err(|error| failed(error.to_string()))
    }
}

/// Width and height of what a surface shows.
fn extent(desc: &ResourceDesc, level: u16) -> (u32, u32) {
    let mip = |v: u32| (v.max(1) >> level.min(31)).max(1);
    (mip(desc.width), mip(desc.height))
}

fn framebuffer(target: FramebufferTarget, surface: &Surface, size: (u32, u32), samples: u32) -> SetFramebufferState {
    let mut fb = FramebufferState {
        fbo: mgl_base::Handle::new(1, 1),
        target,
        complete: Bool8::new(true),
        samples: samples as u16,
        width: size.0,
        height: size.1,
        layers: 1,
        draw_buffers: [0, -1, -1, -1, -1, -1, -1, -1],
        read: *surface,
        ..FramebufferState::default()
    };
    if let Some(first) = fb.color.first_mut() {
        *first = *surface;
    }
    fb
}

fn words(surface: &Surface, format: Format, size: (u32, u32), samples: u32) -> String {
    let kind = if surface.kind == SurfaceKind::Renderbuffer { "renderbuffer" } else { "texture" };
    let mut out = format!("{kind} {}.{}, {format:?}, {} x {}", surface.slot, surface.generation, size.0, size.1);
    if samples > 1 {
        out += &format!(", {samples} samples");
    }
    if surface.level != 0 || surface.layer != 0 {
        out += &format!(", level {}, layer {}", surface.level, surface.layer);
    }
    out
}

/// Takes the picture of a surface.
pub(crate) fn take(player: &mut Player, surface: &Surface) -> Result<Picture> {
    let desc = *player.world.surface(surface).ok_or_else(|| Error::NoPicture("its surface is gone".into()))?;
    let format = Format::from_wire(desc.format)
        .filter(|f| f.is_color())
        .ok_or_else(|| Error::NoPicture("its surface has no colour format".into()))?;
    let size = extent(&desc, surface.level);
    let what = words(surface, format, size, desc.samples);
    let failed = |fault: Fault| Error::NoPicture(format!("{what}: {fault}"));
    let texels = if desc.samples > 1 {
        resolved(player, surface, &desc, size).map_err(failed)?
    } else {
        read(player, surface, size, format).map_err(failed)?
    };
    let pixels = texel::rgba8(format, &texels).and_then(|bytes| RgbaImage::from_raw(size.0, size.1, bytes));
    let pixels = pixels.ok_or_else(|| Error::NoPicture(format!("{what} gave {} bytes", texels.len())))?;
    Ok(Picture { what, pixels: image::imageops::flip_vertical(&pixels) })
}

/// All texels, tight, the bottom row first.
fn read(
    player: &mut Player,
    surface: &Surface,
    size: (u32, u32),
    format: Format,
) -> std::result::Result<Vec<u8>, Fault> {
    player.ask(&framebuffer(FramebufferTarget::Read, surface, size, 1))?;
    let row = size.0 * format.storage().block_bytes();
    let rows = (BAND / row.max(1)).max(1);
    let mut out = Vec::with_capacity(row as usize * size.1 as usize);
    let mut y = 0;
    while y < size.1 {
        let h = rows.min(size.1 - y);
        let src = Box3 { x: 0, y: y as i32, z: 0, w: size.0, h, d: 1 };
        let info = ReadbackInfo { src, aspects: Aspects::Color, ..ReadbackInfo::default() };
        out.extend(player.ask(&ReadPixels { info })?);
        y += h;
    }
    Ok(out)
}

/// The same of a multisampled surface, through a renderbuffer of our own.
fn resolved(
    player: &mut Player,
    surface: &Surface,
    desc: &ResourceDesc,
    size: (u32, u32),
) -> std::result::Result<Vec<u8>, Fault> {
    let slot = player.world.free_renderbuffer();
    let target = ResourceTarget::Renderbuffer;
    let single = ResourceDesc {
        slot,
        generation: 1,
        target,
        format: desc.format,
        levels: 1,
        width: size.0,
        height: size.1,
        depth: 1,
        layers: 1,
        samples: 1,
        ..ResourceDesc::default()
    };
    player.ask(&ResourceCreate { desc: single })?;
    let to =
        Surface { slot, generation: 1, kind: SurfaceKind::Renderbuffer, format: desc.format, ..Surface::default() };
    player.ask(&framebuffer(FramebufferTarget::Read, surface, size, desc.samples))?;
    player.ask(&framebuffer(FramebufferTarget::Draw, &to, size, 1))?;
    let whole = [0, 0, size.0 as i32, size.1 as i32];
    player.ask(&Blit { src: whole, dst: whole, aspects: 1, ..Blit::default() })?;
    let format = Format::from_wire(desc.format).ok_or_else(|| Fault::corrupt("picture.format"))?;
    let texels = read(player, &to, size, format)?;
    player.ask(&ResourceDestroy { target, slot, generation: 1, ..ResourceDestroy::default() })?;
    Ok(texels)
}
