//! What the server does with requests. Opcodes and layouts are those of the X protocol and of its extensions.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;

use super::peer::{ById, Offers, PIXMAP, WINDOW};
use super::setup::{Bytes, ROOT, bits};

pub const SHM: u8 = 130;
pub const PRESENT: u8 = 132;
pub const BIG: u8 = 133;
pub const XFIXES: u8 = 134;

/// A window or pixmap.
#[derive(Debug)]
pub struct Picture {
    pub width: u16,
    pub height: u16,
    pub depth: u8,
    /// Of a window.
    pub visual: Option<u32>,
    /// Rows without gaps.
    pub bytes: Vec<u8>,
    /// Of a shared pixmap: where its pixels really are.
    pub segment: Option<(u32, u32)>,
}

impl Picture {
    pub fn new(width: u16, height: u16, depth: u8, visual: Option<u32>) -> Self {
        let len = usize::from(width) * usize::from(height) * usize::from(bits(depth) / 8);
        Self { width, height, depth, visual, bytes: vec![0; len], segment: None }
    }
}

/// A server.
#[derive(Debug)]
pub struct Server {
    pub offers: Offers,
    pub connected: bool,
    /// Another client holds the server: nothing is answered.
    pub held: bool,
    pub stream: Option<UnixStream>,
    pub sequence: u16,
    pub pictures: ById<Picture>,
    pub segments: ById<File>,
    pub contexts: Vec<u32>,
    /// Segments that the server may only read.
    pub read_only: Vec<u32>,
    /// Requests so far.
    pub seen: Vec<(u8, u8)>,
    /// Longest of them, in words.
    pub longest: usize,
    /// Requests that fail, with what error.
    pub fails: HashMap<(u8, u8), u8>,
    pub event_masks: ById<u32>,
    pub present: super::present::Present,
}

pub fn u32_at(body: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(body[at..at + 4].try_into().unwrap())
}

pub fn u16_at(body: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(body[at..at + 2].try_into().unwrap())
}

/// A piece of an image: where it goes, its size, its rows.
struct Piece<'a> {
    at: (i16, i16),
    size: (u16, u16),
    stride: usize,
    bytes: &'a [u8],
}

impl Server {
    pub fn new(offers: Offers) -> Self {
        let (width, height, depth, visual) = offers.window;
        let pictures = [
            (WINDOW, Picture::new(width, height, depth, Some(visual))),
            (PIXMAP, Picture::new(width, height, depth, None)),
            (ROOT, Picture::new(640, 480, 24, Some(0x20))),
        ];
        Self {
            offers,
            connected: false,
            held: false,
            stream: None,
            sequence: 0,
            pictures: pictures.into(),
            segments: ById::new(),
            contexts: Vec::new(),
            read_only: Vec::new(),
            seen: Vec::new(),
            longest: 0,
            fails: HashMap::new(),
            event_masks: ById::new(),
            present: super::present::Present::default(),
        }
    }

    /// How often a request came.
    pub fn count(&self, major: u8, minor: u8) -> usize {
        self.seen.iter().filter(|seen| **seen == (major, minor)).count()
    }

    pub fn send(&mut self, bytes: &[u8]) {
        if let Some(stream) = &mut self.stream {
            // The client may be gone.
            let _ = stream.write_all(bytes);
        }
    }

    pub fn reply(&mut self, second: u8, body: Bytes) {
        let body = body.fill(24).0;
        let padded = body.len().next_multiple_of(4);
        let head = Bytes::default().u8(1).u8(second).u16(self.sequence).u32((padded as u32 - 24) / 4);
        let mut all = head.0;
        all.extend(body);
        all.resize(8 + padded, 0);
        self.send(&all);
    }

    fn error(&mut self, code: u8, value: u32, major: u8, minor: u8) {
        let error = Bytes::default().u8(0).u8(code).u16(self.sequence).u32(value).u16(minor.into()).u8(major).fill(32);
        self.send(&error.0);
    }

    /// An event of the core protocol about the window.
    pub fn event(&mut self, code: u8, window: u32, rest: Bytes) {
        if self.event_masks.get(&window).is_none_or(|mask| mask & (1 << 17) == 0) {
            return;
        }
        let head = Bytes::default().u8(code).u8(0).u16(self.sequence).u32(window).u32(window);
        let mut all = head.0;
        all.extend(rest.0);
        all.resize(32, 0);
        self.send(&all);
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        let depth = self.offers.window.2;
        let visual = Some(self.offers.window.3);
        self.pictures.insert(WINDOW, Picture::new(width, height, depth, visual));
        self.event(22, WINDOW, Bytes::default().u32(0).u32(0).u16(width).u16(height).u32(0));
    }

    pub fn destroy(&mut self, window: u32) {
        self.pictures.remove(&window);
        self.event(17, window, Bytes::default());
    }

    pub fn request(&mut self, major: u8, minor: u8, body: &[u8], words: usize, fds: &mut Vec<OwnedFd>) {
        self.sequence = self.sequence.wrapping_add(1);
        // The second byte of core requests is no opcode.
        let (second, minor) = if major < 128 { (minor, 0) } else { (0, minor) };
        self.seen.push((major, minor));
        self.longest = self.longest.max(words);
        if let Some(code) = self.fails.get(&(major, minor)).copied() {
            if (major, minor) == (SHM, 6) {
                fds.remove(0);
            }
            return self.error(code, if body.is_empty() { 0 } else { u32_at(body, 0) }, major, minor);
        }
        if major == 53 {
            return self.create_pixmap(second, body);
        }
        if let Err((code, value)) = self.handle(major, minor, body, fds) {
            self.error(code, value, major, minor);
        }
    }

    fn handle(&mut self, major: u8, minor: u8, body: &[u8], fds: &mut Vec<OwnedFd>) -> Result<(), (u8, u32)> {
        match (major, minor) {
            (2, _) => self.change_attributes(body)?,
            (3, _) => self.attributes(u32_at(body, 0))?,
            (14, _) => self.geometry(u32_at(body, 0))?,
            (43, _) => self.reply(0, Bytes::default().u32(ROOT)),
            (54, _) => drop(self.pictures.remove(&u32_at(body, 0)).ok_or((4, u32_at(body, 0)))?),
            (55, _) => {
                self.picture(u32_at(body, 4))?;
                self.contexts.push(u32_at(body, 0));
            }
            (60, _) => self.contexts.retain(|context| *context != u32_at(body, 0)),
            (56 | 70, _) => {}
            (62, _) => self.copy_area(body)?,
            (72, _) => self.put_image(body)?,
            (73, _) => self.get_image(body)?,
            (98, _) => self.extension(body),
            (BIG, 0) => {
                let most = self.offers.long_requests.unwrap_or(0);
                self.reply(0, Bytes::default().u32(most));
            }
            (SHM, _) => self.shm(minor, body, fds)?,
            (PRESENT, _) => super::present::request(self, minor, body)?,
            (XFIXES, _) => super::present::regions(self, minor, body),
            _ => return Err((1, 0)),
        }
        Ok(())
    }

    pub fn picture(&self, id: u32) -> Result<&Picture, (u8, u32)> {
        self.pictures.get(&id).ok_or((9, id))
    }

    fn change_attributes(&mut self, body: &[u8]) -> Result<(), (u8, u32)> {
        let window = u32_at(body, 0);
        self.picture(window).map_err(|_| (3, window))?;
        assert_eq!(u32_at(body, 4), 1 << 11, "only the event mask of our own connection may be touched");
        self.event_masks.insert(window, u32_at(body, 8));
        Ok(())
    }

    fn attributes(&mut self, window: u32) -> Result<(), (u8, u32)> {
        let visual = self.picture(window).ok().and_then(|picture| picture.visual).ok_or((3, window))?;
        let body = Bytes::default().u32(visual).u16(1).u8(0).u8(0).u32(0).u32(0).u8(0).u8(0).u8(2).fill(36);
        self.reply(0, body);
        Ok(())
    }

    fn geometry(&mut self, id: u32) -> Result<(), (u8, u32)> {
        let picture = self.picture(id)?;
        let (depth, size) = (picture.depth, (picture.width, picture.height));
        self.reply(depth, Bytes::default().u32(ROOT).u32(0).u16(size.0).u16(size.1));
        Ok(())
    }

    fn extension(&mut self, body: &[u8]) {
        let name = &body[4..4 + usize::from(u16_at(body, 0))];
        let opcode = match name {
            b"MIT-SHM" if self.offers.shm.is_some() => SHM,
            b"Present" if self.offers.present => PRESENT,
            b"XFIXES" if self.offers.present => XFIXES,
            b"BIG-REQUESTS" if self.offers.long_requests.is_some() => BIG,
            _ => 0,
        };
        self.reply(0, Bytes::default().u8(u8::from(opcode != 0)).u8(opcode).u8(0).u8(128));
    }

    /// Pixels of a drawable, wherever they are.
    pub fn pixels(&self, id: u32) -> Vec<u8> {
        let picture = &self.pictures[&id];
        let Some((segment, offset)) = picture.segment else { return picture.bytes.clone() };
        let mut bytes = vec![0; picture.bytes.len()];
        self.segments[&segment].read_exact_at(&mut bytes, offset.into()).unwrap();
        bytes
    }

    fn copy_area(&mut self, body: &[u8]) -> Result<(), (u8, u32)> {
        let (from, to) = (u32_at(body, 0), u32_at(body, 4));
        let source = self.picture(from)?;
        let (size, each) = ((source.width, source.height), usize::from(bits(source.depth) / 8));
        let bytes = self.pixels(from);
        self.paint(to, &Piece { at: (0, 0), size, stride: usize::from(size.0) * each, bytes: &bytes })
    }

    /// Copies a whole drawable to the top left of another.
    pub fn copy_all(&mut self, from: u32, to: u32) -> Result<(), (u8, u32)> {
        let mut body = from.to_le_bytes().to_vec();
        body.extend(to.to_le_bytes());
        self.copy_area(&body)
    }

    fn paint(&mut self, id: u32, piece: &Piece<'_>) -> Result<(), (u8, u32)> {
        let picture = self.pictures.get_mut(&id).ok_or((9, id))?;
        let each = usize::from(bits(picture.depth) / 8);
        let (left, top) = (usize::try_from(piece.at.0).unwrap(), usize::try_from(piece.at.1).unwrap());
        let (width, height) = (usize::from(picture.width), usize::from(picture.height));
        for y in 0..usize::from(piece.size.1).min(height.saturating_sub(top)) {
            let len = usize::from(piece.size.0).min(width.saturating_sub(left)) * each;
            let to = ((top + y) * width + left) * each;
            picture.bytes[to..to + len].copy_from_slice(&piece.bytes[y * piece.stride..y * piece.stride + len]);
        }
        Ok(())
    }

    fn put_image(&mut self, body: &[u8]) -> Result<(), (u8, u32)> {
        let id = u32_at(body, 0);
        let size = (u16_at(body, 8), u16_at(body, 10));
        let each = usize::from(bits(self.picture(id)?.depth) / 8);
        let stride = (usize::from(size.0) * each).next_multiple_of(4);
        let bytes = &body[20..];
        assert_eq!(
            bytes.len(),
            stride * usize::from(size.1),
            "PutImage of another length than its size says: BadLength"
        );
        let at = (u16_at(body, 12) as i16, u16_at(body, 14) as i16);
        self.paint(id, &Piece { at, size, stride, bytes })
    }

    fn get_image(&mut self, body: &[u8]) -> Result<(), (u8, u32)> {
        let picture = self.picture(u32_at(body, 0))?;
        let (depth, row) = (picture.depth, usize::from(picture.width) * usize::from(bits(picture.depth) / 8));
        let bytes = self.pixels(u32_at(body, 0));
        let mut padded = Bytes::default().u32(0).fill(24);
        for row in bytes.chunks(row) {
            padded.0.extend(row);
            let len = (padded.0.len() - 24).next_multiple_of(4) + 24;
            padded.0.resize(len, 0);
        }
        self.reply(depth, padded);
        Ok(())
    }

    fn shm(&mut self, minor: u8, body: &[u8], fds: &mut Vec<OwnedFd>) -> Result<(), (u8, u32)> {
        let (major, least) = self.offers.shm.ok_or((1, 0))?;
        match minor {
            0 => {
                let shared = u8::from(self.offers.shared_pixmaps);
                self.reply(shared, Bytes::default().u16(major).u16(least).u16(0).u16(0).u8(2));
            }
            2 => drop(self.segments.remove(&u32_at(body, 0)).ok_or((128, u32_at(body, 0)))?),
            3 => self.shm_put(body)?,
            5 => {
                let mut pixmap = Picture::new(u16_at(body, 8), u16_at(body, 10), body[12], None);
                pixmap.segment = Some((u32_at(body, 16), u32_at(body, 20)));
                self.picture(u32_at(body, 4))?;
                // A pixmap can be drawn to, so its memory must be writable: BadAccess.
                if self.read_only.contains(&u32_at(body, 16)) {
                    return Err((10, u32_at(body, 16)));
                }
                self.pictures.insert(u32_at(body, 0), pixmap);
            }
            6 => {
                let file = File::from(fds.remove(0));
                self.segments.insert(u32_at(body, 0), file);
                if body[4] != 0 {
                    self.read_only.push(u32_at(body, 0));
                }
            }
            _ => return Err((1, 0)),
        }
        Ok(())
    }

    fn shm_put(&mut self, body: &[u8]) -> Result<(), (u8, u32)> {
        let (id, segment) = (u32_at(body, 0), u32_at(body, 28));
        let each = usize::from(bits(self.picture(id)?.depth) / 8);
        let (total, tall) = (usize::from(u16_at(body, 8)), usize::from(u16_at(body, 10)));
        let (x, y) = (usize::from(u16_at(body, 12)), usize::from(u16_at(body, 14)));
        let stride = (total * each).next_multiple_of(4);
        let mut bytes = vec![0; stride * tall];
        let file = self.segments.get(&segment).ok_or((128, segment))?;
        // A segment that is too small is BadAccess.
        file.read_exact_at(&mut bytes, u32_at(body, 32).into()).map_err(|_| (10, 0))?;
        let size = (u16_at(body, 16), u16_at(body, 18));
        let at = (u16_at(body, 20) as i16, u16_at(body, 22) as i16);
        self.paint(id, &Piece { at, size, stride, bytes: &bytes[y * stride + x * each..] })
    }

    /// `CreatePixmap`, whose depth is in the second byte of the request.
    fn create_pixmap(&mut self, depth: u8, body: &[u8]) {
        self.pictures.insert(u32_at(body, 0), Picture::new(u16_at(body, 8), u16_at(body, 10), depth, None));
    }
}
