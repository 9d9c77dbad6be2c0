//! The answer to a connection (X protocol, "Connection Setup"), and what all answers are made of.

use super::peer::Offers;

/// Bytes of an answer.
#[derive(Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }
    pub fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    pub fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    pub fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    /// Zeros up to `len` bytes.
    pub fn fill(mut self, len: usize) -> Self {
        self.0.resize(len.max(self.0.len()), 0);
        self
    }
}

pub const ROOT: u32 = 0x10;
/// Visuals: id, depth, masks.
pub const VISUALS: [(u32, u8, [u32; 3]); 4] = [
    (0x20, 24, [0xff_0000, 0xff00, 0xff]),
    (0x21, 32, [0xff_0000, 0xff00, 0xff]),
    (0x22, 16, [0xf800, 0x7e0, 0x1f]),
    (0x23, 30, [0x3ff0_0000, 0xf_fc00, 0x3ff]),
];

pub fn bits(depth: u8) -> u8 {
    if depth == 16 { 16 } else { 32 }
}

pub fn setup(offers: &Offers) -> Vec<u8> {
    if let Some(reason) = offers.refuses {
        let words = reason.len().div_ceil(4);
        let mut answer = Bytes::default().u8(0).u8(reason.len() as u8).u16(11).u16(0).u16(words as u16);
        answer.0.extend(reason.bytes());
        return answer.fill(8 + words * 4).0;
    }
    let mut body = Bytes::default()
        .u32(1)
        .u32(0x40_0000)
        .u32(0x1f_ffff)
        .u32(0)
        .u16(4)
        .u16(offers.short_requests)
        .u8(1)
        .u8(VISUALS.len() as u8)
        .u8(u8::from(offers.big_endian_images))
        .u8(0)
        .u8(32)
        .u8(32)
        .u8(8)
        .u8(255)
        .u32(0);
    body.0.extend(b"fake");
    for (_, depth, _) in VISUALS {
        body = body.u8(depth).u8(bits(depth)).u8(32).u8(0).u32(0);
    }
    body = body.u32(ROOT).u32(0x11).u32(0xff_ffff).u32(0).u32(0).u16(640).u16(480).u16(160).u16(120).u16(1).u16(1);
    body = body.u32(VISUALS[0].0).u8(0).u8(0).u8(24).u8(VISUALS.len() as u8);
    for (id, depth, [red, green, blue]) in VISUALS {
        body = body.u8(depth).u8(0).u16(1).u32(0);
        body = body.u32(id).u8(4).u8(8).u16(256).u32(red).u32(green).u32(blue).u32(0);
    }
    let mut answer = Bytes::default().u8(1).u8(0).u16(11).u16(0).u16((body.0.len() / 4) as u16);
    answer.0.extend(body.0);
    answer.0
}
