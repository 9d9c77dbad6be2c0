//! A picture that every format can hold, into textures and out of them. Must not know the commands under test.

use super::table::{Blocks, Kind, Row, block, solid};
use crate::gl::texture::Texels;
use crate::gl::{Gl, tokens as t};

/// Width and height: whole blocks of four texels, and parts of larger blocks.
pub const SIZE: i32 = 12;

/// Components as numbers; depth and stencil are the first two.
pub type Texel = [f32; 4];

/// Number `k` of four that the format has.
fn value(kind: Kind, k: i32, component: usize) -> f32 {
    let k = k as f32;
    match kind {
        Kind::Norm | Kind::Depth => k / 3.0,
        Kind::DepthStencil if component == 0 => k / 3.0,
        Kind::Signed => k * 2.0 / 3.0 - 1.0,
        Kind::Float => [0.0, 0.5, 1.5, 6.0][k as usize],
        Kind::Int => k * 37.0 - 50.0,
        // Two bits of alpha are the fewest.
        Kind::Uint if component == 3 => k,
        Kind::Uint => k * 40.0 + 3.0,
        Kind::DepthStencil | Kind::Stencil => k * 60.0 + 5.0,
    }
}

/// The texel that belongs to a place. Those of a block are alike, and opaque: not every block holds more.
pub fn texel(row: &Row, x: i32, y: i32) -> Texel {
    let (x, y) = if row.is_compressed() { (x / 4, y / 4) } else { (x, y) };
    let mut out = std::array::from_fn(|i| value(row.kind, (x + 2 * y + i as i32) % 4, i));
    if row.is_compressed() {
        out[3] = 1.0;
    }
    out
}

/// A rectangle of the picture.
pub fn part(row: &Row, (x0, y0): (i32, i32), (w, h): (i32, i32)) -> Vec<Texel> {
    (0..h).flat_map(|y| (0..w).map(move |x| texel(row, x0 + x, y0 + y))).collect()
}

/// What reads give of a texel: what the format lacks is zero, or one where it is alpha.
pub fn stored(row: &Row, texel: &Texel) -> Texel {
    let rest = if row.is_color() { [0.0, 0.0, 0.0, 1.0] } else { [0.0; 4] };
    std::array::from_fn(|i| if i < row.channels { texel[i] } else { rest[i] })
}

/// Texels in the layout of the row.
pub fn bytes(row: &Row, texels: &[Texel]) -> Vec<u8> {
    let one = |texel: &Texel| -> Vec<u8> {
        match row.kind {
            Kind::Norm | Kind::Signed | Kind::Float => texel.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Kind::Int => texel.iter().flat_map(|v| (*v as i32).to_le_bytes()).collect(),
            Kind::Uint => texel.iter().flat_map(|v| (*v as u32).to_le_bytes()).collect(),
            Kind::Depth => texel[0].to_le_bytes().to_vec(),
            Kind::DepthStencil => [texel[0].to_le_bytes(), (texel[1] as u32).to_le_bytes()].concat(),
            Kind::Stencil => vec![texel[0] as u8],
        }
    };
    texels.iter().flat_map(one).collect()
}

/// Bytes of one texel in the layout of the row.
pub fn pixel(row: &Row) -> usize {
    bytes(row, &[[0.0; 4]]).len()
}

/// The numbers in texels of the layout of the row.
pub fn numbers(row: &Row, bytes: &[u8]) -> Vec<Texel> {
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let one = |b: &[u8]| -> Texel {
        match row.kind {
            Kind::Norm | Kind::Signed | Kind::Float => std::array::from_fn(|i| f32::from_bits(word(&b[4 * i..]))),
            Kind::Int => std::array::from_fn(|i| word(&b[4 * i..]) as i32 as f32),
            Kind::Uint => std::array::from_fn(|i| word(&b[4 * i..]) as f32),
            Kind::Depth => [f32::from_bits(word(b)), 0.0, 0.0, 0.0],
            Kind::DepthStencil => [f32::from_bits(word(b)), (word(&b[4..]) & 0xFF) as f32, 0.0, 0.0],
            Kind::Stencil => [f32::from(b[0]), 0.0, 0.0, 0.0],
        }
    };
    bytes.chunks_exact(pixel(row)).map(one).collect()
}

/// A new texture with the picture, bound; and what reads give of it.
pub fn made(gl: &Gl, row: &Row) -> (u32, Vec<Texel>) {
    let name = gl.texture(t::TEXTURE_2D);
    if let Some((one, color)) = solid(row) {
        let (w, h) = block(row);
        let number = (SIZE as u32).div_ceil(w as u32) * (SIZE as u32).div_ceil(h as u32);
        gl.compressed_2d(t::TEXTURE_2D, 0, row.token, (SIZE, SIZE), &one.repeat(number as usize));
        return (name, vec![color; (SIZE * SIZE) as usize]);
    }
    let picture = part(row, (0, 0), (SIZE, SIZE));
    put(gl, row, t::TEXTURE_2D, &picture);
    (name, picture.iter().map(|texel| stored(row, texel)).collect())
}

/// Defines level 0 of the bound texture with these texels.
pub fn put(gl: &Gl, row: &Row, target: u32, texels: &[Texel]) {
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    let from = bytes(row, texels);
    gl.image_2d(target, 0, row.token, (SIZE, SIZE), row.layout(), Texels::Of(&from));
}

/// A level of the bound texture.
pub fn level(gl: &Gl, row: &Row, target: u32, level: i32, texels: usize) -> Vec<Texel> {
    gl.pixel_storei(t::PACK_ALIGNMENT, 1);
    let (format, kind) = row.layout();
    numbers(row, &gl.texture_image::<u8>(target, level, format, kind, texels * pixel(row)))
}

/// What went wrong so far.
#[derive(Default)]
pub struct Report(Vec<String>);

impl Report {
    /// Requires an error, and takes it.
    pub fn error(&mut self, gl: &Gl, wanted: u32, row: &Row, what: &str) {
        let got = gl.get_error();
        if got != wanted {
            let name = crate::gl::check::error_name;
            self.0.push(format!("{} ({:#x}), {what}: {}, not {}", row.name, row.token, name(got), name(wanted)));
        }
    }
    /// Requires texels.
    pub fn texels(&mut self, row: &Row, got: &[Texel], wanted: &[Texel], what: &str) {
        self.near(row, got, wanted, row.off, what);
    }
    /// Requires texels that may be `off` so much.
    pub fn near(&mut self, row: &Row, got: &[Texel], wanted: &[Texel], off: f32, what: &str) {
        let far = |(a, b): (&f32, &f32)| (a - b).abs() > off + b.abs() * off.min(0.02) + 1e-6;
        let at = got.iter().zip(wanted).position(|(a, b)| a.iter().zip(b).any(far));
        if let Some(at) = at.or((got.len() != wanted.len()).then_some(0)) {
            let (a, b) = (got.get(at), wanted.get(at));
            self.0.push(format!("{} ({:#x}), {what}: texel {at} is {a:?}, not {b:?}", row.name, row.token));
        }
    }
    /// Says what was wrong of something without texels.
    pub fn say(&mut self, row: &Row, what: &str) {
        self.0.push(format!("{} ({:#x}): {what}", row.name, row.token));
    }
    /// Fails the scenario when anything was wrong.
    pub fn done(self) {
        assert!(self.0.is_empty(), "{} wrong: {}", self.0.len(), self.0.join("; "));
    }
}

/// A new framebuffer, bound, to which the texture is attached as what it is; true when it is complete.
pub fn attach(gl: &Gl, row: &Row, texture: u32) -> (u32, bool) {
    let name = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, name);
    let point = match row.kind {
        Kind::Depth => t::DEPTH_ATTACHMENT,
        Kind::DepthStencil => t::DEPTH_STENCIL_ATTACHMENT,
        Kind::Stencil => t::STENCIL_ATTACHMENT,
        _ => t::COLOR_ATTACHMENT0,
    };
    gl.framebuffer_texture(t::FRAMEBUFFER, point, texture, 0);
    let complete = gl.check_framebuffer_status(t::FRAMEBUFFER) == t::FRAMEBUFFER_COMPLETE;
    (name, complete)
}

/// The buffers that the row's kind has, as a mask.
pub fn buffers(row: &Row) -> u32 {
    match row.kind {
        Kind::Depth => t::DEPTH_BUFFER_BIT,
        Kind::DepthStencil => t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT,
        Kind::Stencil => t::STENCIL_BUFFER_BIT,
        _ => t::COLOR_BUFFER_BIT,
    }
}

/// The widest format of the row's kind, in which framebuffers hold every value of it.
pub fn widest(row: &Row) -> Row {
    let (token, channels, off) = match row.kind {
        Kind::Int => (t::RGBA32I, 4, 0.0),
        Kind::Uint => (t::RGBA32UI, 4, 0.0),
        Kind::Depth => (t::DEPTH_COMPONENT32F, 1, 1e-6),
        Kind::DepthStencil => (t::DEPTH32F_STENCIL8, 2, 1e-6),
        Kind::Stencil => (t::STENCIL_INDEX8, 1, 0.0),
        _ => (t::RGBA32F, 4, 1e-6),
    };
    Row { token, name: "the widest format", kind: row.kind, channels, off, blocks: Blocks::None }
}

/// Reads a rectangle of the read framebuffer in the row's layout, negative numbers as they are.
pub fn pixels(gl: &Gl, row: &Row, (x, y): (i32, i32), (w, h): (i32, i32)) -> Vec<Texel> {
    gl.pixel_storei(t::PACK_ALIGNMENT, 1);
    gl.clamp_color(t::CLAMP_READ_COLOR, t::FALSE);
    let (format, kind) = row.layout();
    numbers(row, &gl.read::<u8>((x, y, w, h), format, kind, (w * h) as usize * pixel(row)))
}
